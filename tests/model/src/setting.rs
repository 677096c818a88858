//! How large a world is walked through, and what is wrong with it on purpose.

/// What a world holds and how often things may happen in it.
///
/// Crashes, power losses, lost requests and lost answers are not counted: any number of them is walked
/// through, at every point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Whether the article has its two images.
    pub images: bool,
    /// Whether the article's folder may be renamed.
    pub may_be_renamed: bool,
    /// Whether the journal may be lost, once.
    pub may_lose_journal: bool,
    /// How many operations may follow each other for one subject (*send again*, or an image that is gone).
    pub generations: u8,
    /// How many questions the site may answer with a lie: a row that is there is not shown.
    pub lies: u8,
    /// How many acts on the site by hand there may be.
    pub hands: u8,
    /// Whether a halt may be left and taken up again.
    pub leaves: bool,
    /// Whether a person says *it is not there* only where that is so or where the look before it is answered
    /// truly. Else *send again* is pressed whenever it is open.
    pub careful: bool,
    /// Whether a site may execute a request even after the settle window: beyond the promise, where a second
    /// row cannot be prevented and has to be noticed.
    pub beyond_window: bool,
    /// What is wrong with this world.
    pub flaw: Option<Flaw>,
}

/// One mistake that a program like this could make. Each must be caught.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// A time-out counts as a failure, and the request is sent again.
    RetryOnTimeOut,
    /// `sending` is written only when the answer is there.
    JournalAfterSend,
    /// `sending` is committed without being synced.
    SendingNotSynced,
    /// A journal that is lost is made anew, and nothing else happens.
    JournalMadeAnew,
    /// The HTTP layer sends a request again whose connection broke.
    HttpSendsAgain,
    /// *Send again* is open at once.
    NoSettleWindow,
    /// Only published posts are looked up.
    PublishedOnly,
    /// At a start everything that was being sent is planned again.
    SweepAtStart,
    /// An article is known by the name of its folder alone.
    FolderIsIdentity,
    /// `slug-2` counts as our slug.
    SlugFamily,
    /// A look that failed counts as one that found nothing.
    FailedLookIsEmpty,
    /// A row with our title is adopted, whatever else it holds.
    AdoptByTitle,
    /// A draft is sent although an image is in doubt.
    ImagesNotAwaited,
    /// *Send again* believes what was seen before, and does not look.
    NoLookBeforeSendAgain,
}

impl Flaw {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::RetryOnTimeOut,
        Self::JournalAfterSend,
        Self::SendingNotSynced,
        Self::JournalMadeAnew,
        Self::HttpSendsAgain,
        Self::NoSettleWindow,
        Self::PublishedOnly,
        Self::SweepAtStart,
        Self::FolderIsIdentity,
        Self::SlugFamily,
        Self::FailedLookIsEmpty,
        Self::AdoptByTitle,
        Self::ImagesNotAwaited,
        Self::NoLookBeforeSendAgain,
    ];
}
