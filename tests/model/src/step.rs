//! Everything that can happen.

use ichido_core::act::Act;

use crate::sight::Answer;
use crate::world::{Maker, Slug, Subject};

/// One thing that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The program starts and takes up what an earlier one left behind.
    Start,
    /// The process dies.
    Crash,
    /// The power goes: the process dies, and what was not synced is lost.
    PowerLoss,
    /// The journal is lost.
    JournalLost,
    /// The program looks for an operation, decides and writes down what follows.
    Look(Subject, Answer),
    /// It looks once more, at the end, for what it made.
    LookForDuplicates(Subject, Answer),
    /// It writes `sending`.
    BeginSend(Subject),
    /// The request leaves.
    Leave(Subject),
    /// No connection could be made.
    NotSent(Subject),
    /// The site makes the row; the flag says whether terms and excerpt were written too.
    Execute(bool),
    /// The site refuses.
    Refuse,
    /// No answer came in time, or the connection broke: nobody listens any more.
    TimeOut,
    /// The answer arrives.
    Receive,
    /// The answer is lost, or cannot be read.
    LoseAnswer,
    /// The site executes a request that nobody listens to (by its place among those).
    ExecuteLate(usize),
    /// Such a request was lost on its way.
    LoseLate(usize),
    /// The settle window passes: the site has finished with the subject's requests by now.
    WindowPasses(Subject),
    /// An article that cannot be sent now says why.
    Park(Subject),
    /// The barrier of an unclean stop is lifted, since everything settled.
    Lift,
    /// The run ends.
    Close,
    /// The user renames the article's folder.
    RenameFolder,
    /// A person says "checked, go on".
    Release,
    /// A person acts on a halt; the row where the act names one.
    Act(Subject, Act, Option<u8>),
    /// A person sends again; so the site answers the look before it.
    SendAgain(Subject, Answer),
    /// Someone makes a row on the site by hand.
    Write(Subject, Maker, Slug),
    /// Someone changes a row by hand.
    Edit(u8, Hand),
}

/// What someone does to a row by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hand {
    /// Edits and saves it: the marker is gone with it.
    Text,
    /// Gives it another slug.
    Rename,
    /// Puts it into the trash.
    Trash,
    /// Takes it out again.
    Restore,
    /// Deletes it for good.
    Delete,
}

impl Hand {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Text, Self::Rename, Self::Trash, Self::Restore, Self::Delete];
}
