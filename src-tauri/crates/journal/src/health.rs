//! Whether the journal can be believed.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Says whether the journal can be believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Health {
    /// It is the one that was written last, whole.
    Sound,
    /// What was sent before may be missing from it. Remembered as a barrier for every site until a
    /// person releases it.
    Lost(LostCause),
    /// A newer version of the program wrote it; it can be read but not written.
    ReadOnlyNewer,
}

/// Says why what was sent before may be missing from the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "cause")]
pub enum LostCause {
    /// The database is gone.
    Missing,
    /// Another journal stands in its place.
    OtherUuid,
    /// An older copy stands in its place.
    OlderCounter,
    /// The database was damaged.
    Damaged {
        /// Where it was moved to, untouched.
        moved_aside: PathBuf,
    },
    /// Nothing outside its folder vouches for a journal that has sent before: it may be an old copy,
    /// restored or brought over from another computer.
    NothingVouches,
}
