//! The one place where articles, the journal and a site meet.
//!
//! [`Engine::register`] runs a batch: preflight has been done, the journal and the site are asked, and
//! [`ichido_core::decide`] says what may happen. Only `outbox` sends what must not be sent twice.

mod acts;
mod attach;
mod batch;
mod by_id;
mod cards;
mod clock;
mod connection;
mod consent;
mod engine;
mod errors;
mod event;
mod evidence;
mod export;
mod failpoint;
mod fidelity;
mod fields;
mod foresee;
mod history;
mod images;
mod item;
mod looks;
mod lost;
mod marks;
mod near;
mod outbox;
mod pause;
mod peek;
mod person;
mod places;
mod polls;
mod preflight;
mod queue;
mod reconcile;
mod register;
mod report;
mod rows;
mod send;
mod session;
mod set_aside;
mod settings;
mod sheet;
mod sites;
mod stop;
mod story;
mod survey;
mod terms;
mod transmit;
mod watch;
mod welcome;

pub use acts::{Wish, confirmation, is_offered};
pub use by_id::Deed;
pub use cards::{CandidateSeen, Card, LookSeen, SendAgain, attention, cards, links, slug_on_site};
pub use clock::{Clock, SystemClock};
pub use engine::{Batch, DEFAULT_POLLS, DEFAULT_WAIT, Engine};
pub use errors::{ActError, CannotLink, RunError, SetUpError};
pub use event::{ArticleName, End, Event, Links, Note, Observer, Part, Reason, Step, WaitingFor};
pub use export::{Form, export, history_object};
#[cfg(feature = "failpoints")]
pub use failpoint::failpoints;
pub use fidelity::Change;
pub use history::{About, HistoryLine, diagnosis, history};
pub use peek::{Difference, Field, Peek};
pub use places::{DATA_VARIABLE, PlacesError, STATE_VARIABLE, choose as choose_places};
pub use preflight::{check, is_sendable, name_of, preview};
pub use report::Report;
pub use rows::{Row, RowState, rows};
pub use settings::{
    Key, LONGEST_SETTLE_S, LONGEST_WINDOW_MIN, MOST_CHARACTERS, SHORTEST_WINDOW_MIN, SettingError, Settings,
};
pub use sheet::{Sheet, read_again};
pub use sites::Checkup;
pub use stop::Stop;
pub use story::{Moment as StoryMoment, Tone, story};
pub use watch::{
    Counts, CredentialSource, FolderOwner, FolderState, FolderStatus, Light, NoEvents, Noticing, OwnerError,
    Ownership, PausedUntil, Watch, WatchEnd, WatchError, WatchListener, WatchOptions, WatchStatus,
    WatchedFolder, Watcher, Working,
};
