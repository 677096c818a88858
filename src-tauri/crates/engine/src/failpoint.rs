//! Named points at which a test can stop the program, to kill it there.

/// A named point around a send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Point {
    /// The operation is planned; nothing durable says `sending`.
    BeforeBeginSend,
    /// `sending` is durable; no byte has left.
    AfterBeginSend,
    /// The answer was read; the journal does not know it yet.
    BeforeSettle,
    /// The answer is written down.
    AfterSettle,
    /// What is in doubt is about to be looked for.
    BeforeLook,
    /// A look-up was made; what it showed is not written down.
    BeforeAdopt,
    /// An adoption is written down.
    AfterAdopt,
    /// Every draft is sent; what is to be attached is planned.
    BeforeAttach,
    /// All sends are settled; the run is still open.
    BeforeCloseRun,
    /// The run is closed; nothing has been told of it.
    AfterCloseRun,
}

impl Point {
    #[cfg(feature = "failpoints")]
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::BeforeBeginSend => "before_begin_send",
            Self::AfterBeginSend => "after_begin_send",
            Self::BeforeSettle => "before_settle",
            Self::AfterSettle => "after_settle",
            Self::BeforeLook => "before_look",
            Self::BeforeAdopt => "before_adopt",
            Self::AfterAdopt => "after_adopt",
            Self::BeforeAttach => "before_attach",
            Self::BeforeCloseRun => "before_close_run",
            Self::AfterCloseRun => "after_close_run",
        }
    }
}

/// Reaches a point. With the feature `failpoints`, and where the environment variable
/// `ICHIDO_FAILPOINT` is `<kind>:<point>` (or `<point>`), the program says so on stderr and stands
/// still there until it is killed.
#[cfg_attr(not(feature = "failpoints"), allow(unused_variables, reason = "points are for tests only"))]
pub(crate) fn reach(point: Point, kind: &str) {
    #[cfg(feature = "failpoints")]
    stand_still(point, kind);
}

#[cfg(feature = "failpoints")]
fn stand_still(point: Point, kind: &str) {
    use std::io::Write as _;
    let Ok(wanted) = std::env::var("ICHIDO_FAILPOINT") else { return };
    if wanted == point.as_str() || wanted == format!("{kind}:{}", point.as_str()) {
        let said = writeln!(std::io::stderr(), "failpoint {wanted}");
        drop(said);
        loop {
            std::thread::park();
        }
    }
}
