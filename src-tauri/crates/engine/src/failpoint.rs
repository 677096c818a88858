//! Named points at which a test can stop the program, to kill it there.

#[cfg(feature = "failpoints")]
use ichido_core::operation::Kind;

/// Makes the points and what is told of them, so that none can be left out.
macro_rules! points {
    ($($(#[$doc:meta])* $point:ident = $name:literal, $scope:ident;)*) => {
        /// A named point around a send.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Point {
            $($(#[$doc])* $point,)*
        }

        #[cfg(feature = "failpoints")]
        impl Point {
            const ALL: &[Self] = &[$(Self::$point),*];

            const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$point => $name,)*
                }
            }

            const fn scope(self) -> Scope {
                match self {
                    $(Self::$point => Scope::$scope,)*
                }
            }
        }
    };
}

points! {
    /// The operation is planned; nothing durable says `sending`.
    BeforeBeginSend = "before_begin_send", Send;
    /// `sending` is durable; no byte has left.
    AfterBeginSend = "after_begin_send", Send;
    /// The answer was read; the journal does not know it yet.
    BeforeSettle = "before_settle", Send;
    /// The answer is written down.
    AfterSettle = "after_settle", Send;
    /// What is in doubt is about to be looked for.
    BeforeLook = "before_look", Doubt;
    /// A look-up was made; what it showed is not written down.
    BeforeAdopt = "before_adopt", Doubt;
    /// An adoption is written down.
    AfterAdopt = "after_adopt", Doubt;
    /// Every draft is sent; what is to be attached is planned.
    BeforeAttach = "before_attach", Run;
    /// All sends are settled; the run is still open.
    BeforeCloseRun = "before_close_run", Run;
    /// The run is closed; nothing has been told of it.
    AfterCloseRun = "after_close_run", Run;
}

/// Which operations come to a point.
#[cfg(feature = "failpoints")]
enum Scope {
    /// Those of every kind.
    Send,
    /// Those that can be in doubt.
    Doubt,
    /// None: it is reached once a run.
    Run,
}

/// Names every point, once for each kind of operation that comes to it, as `ICHIDO_FAILPOINT` takes it.
#[cfg(feature = "failpoints")]
#[must_use]
pub fn failpoints() -> Vec<String> {
    let of_kind = |point: Point, wanted: fn(Kind) -> bool| {
        let kinds = Kind::ALL.into_iter().filter(move |kind| wanted(*kind));
        kinds.map(|kind| format!("{}:{}", kind.as_str(), point.as_str())).collect()
    };
    let names = Point::ALL.iter().flat_map(|point| match point.scope() {
        Scope::Send => of_kind(*point, |_| true),
        Scope::Doubt => of_kind(*point, Kind::must_not_repeat),
        Scope::Run => vec![point.as_str().to_owned()],
    });
    names.collect()
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
