//! What can fail, by what was attempted.

use std::io;
use std::path::PathBuf;

use ichido_core::apply::IllegalTransition;
use ichido_core::id::{OpId, RemoteId};
use ichido_core::tally::Barrier;
use thiserror::Error;

use crate::owner::Owner;

/// Failures to open the journal. Nothing may be sent after any of them.
#[derive(Debug, Error)]
pub enum OpenError {
    /// A folder of [`Places`](crate::Places) cannot be made or used.
    #[error("prepare the folder {path}")]
    Folder {
        /// The folder or file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The database cannot be opened or read, though it may be whole.
    #[error("open the database {path}")]
    Database {
        /// The database.
        path: PathBuf,
        /// Why.
        #[source]
        source: rusqlite::Error,
    },
    /// The file is a database of another program. It is left as it is.
    #[error("use {path}: it belongs to another program (application id {application_id:#010x})")]
    ForeignFile {
        /// The file.
        path: PathBuf,
        /// The id that it carries.
        application_id: i32,
    },
    /// The file system cannot keep the promises that the journal needs.
    #[error("set {pragma} on the database: wanted {wanted}, got {got}")]
    Pragma {
        /// The setting.
        pragma: &'static str,
        /// What is needed.
        wanted: String,
        /// What was read back.
        got: String,
    },
    /// The schema cannot be brought up to date. The old one is still whole.
    #[error("bring the schema up to date")]
    Migrate {
        /// Why.
        #[source]
        source: rusqlite_migration::Error,
    },
    /// The database is damaged, and another process still uses it.
    #[error("move the damaged database {path} aside: another process uses it")]
    DamagedInUse {
        /// The database.
        path: PathBuf,
    },
    /// The sidecar cannot be read or written.
    #[error("use the sidecar {path}")]
    Sidecar {
        /// The sidecar.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// Failures to become the runner.
#[derive(Debug, Error)]
pub enum LockError {
    /// Another runner is at work. The caller may ask again later.
    #[error("become the runner: another one is at work")]
    HeldBy {
        /// Who, where it could be told.
        owner: Option<Owner>,
    },
    /// A newer version of the program wrote the journal.
    #[error("write a journal of a newer version")]
    ReadOnlyNewer,
    /// The lock file cannot be used.
    #[error("use the lock {path}")]
    LockFile {
        /// The lock file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The journal cannot be opened for writing.
    #[error("open the journal for writing")]
    Open {
        /// Why.
        #[source]
        source: OpenError,
    },
    /// What a run that was cut off left behind cannot be written down.
    #[error("take up what an earlier run left behind")]
    Recover {
        /// Why.
        #[source]
        source: WriteError,
    },
}

/// Failures to read the journal.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The database failed.
    #[error("read the journal")]
    Database {
        /// Why.
        #[from]
        #[source]
        source: rusqlite::Error,
    },
    /// A stored value has a form that no version of the program wrote.
    #[error("understand the {column} of a record: {value:?}")]
    Value {
        /// The column.
        column: &'static str,
        /// What stands there (shortened).
        value: String,
    },
}

/// Failures to write the journal. Nothing was changed by the call that returned one.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The database failed. The runner refuses every later write.
    #[error("write the journal")]
    Database {
        /// Why.
        #[from]
        #[source]
        source: rusqlite::Error,
    },
    /// The sidecar failed. The runner refuses every later write.
    #[error("write the sidecar")]
    Sidecar {
        /// Why.
        #[source]
        source: io::Error,
    },
    /// An earlier write failed; the run must stop.
    #[error("write the journal after an earlier write had failed")]
    Poisoned,
    /// The record or what goes with it could not be read.
    #[error("read what is to be changed")]
    Read {
        /// Why.
        #[from]
        #[source]
        source: ReadError,
    },
    /// A value cannot be written as JSON.
    #[error("write a value down as text")]
    Encode {
        /// Why.
        #[source]
        source: serde_json::Error,
    },
    /// The event cannot happen to the operation as it stands.
    #[error(transparent)]
    Illegal(#[from] IllegalTransition),
    /// Someone else moved the operation on meanwhile.
    #[error("claim operation {op_id}: it was moved on meanwhile")]
    LostClaim {
        /// The operation.
        op_id: OpId,
    },
    /// The call does not fit: it says how.
    #[error(transparent)]
    Misused(#[from] Misuse),
}

/// Calls that do not fit what is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Misuse {
    /// No such operation is recorded.
    #[error("find operation {op_id}")]
    NoSuchOperation {
        /// The operation.
        op_id: OpId,
    },
    /// A send begins with `begin_send` and ends with `settle`, nothing else.
    #[error("record {event} of operation {op_id} as a plain event")]
    NotAPlainEvent {
        /// The operation.
        op_id: OpId,
        /// The event.
        event: &'static str,
    },
    /// An adoption or a link needs the row.
    #[error("record an effect of operation {op_id} without the row of the site")]
    RowNeeded {
        /// The operation.
        op_id: OpId,
    },
    /// An abandoned operation needs a successor.
    #[error("abandon operation {op_id} without a successor")]
    SuccessorNeeded {
        /// The operation.
        op_id: OpId,
    },
    /// Another record owns the row.
    #[error("record row {id} twice: operation {owner} owns it")]
    RowTaken {
        /// The row.
        id: RemoteId,
        /// The operation that owns it.
        owner: OpId,
    },
    /// Another record owns the key.
    #[error("record an effect twice: operation {owner} has its key")]
    KeyTaken {
        /// The operation that has it.
        owner: OpId,
    },
    /// A post names an image that is not recorded.
    #[error("record that post {post} uses an image that is not recorded")]
    ImageNotPlanned {
        /// The post's operation.
        post: OpId,
    },
}

/// Failures to begin a send. There is no permit after any of them.
#[derive(Debug, Error)]
pub enum BeginSendError {
    /// Creating on the site is shut until a person releases it.
    #[error("send to a site before a person has released it ({})", .barrier.as_str())]
    Barrier {
        /// What stands in the way.
        barrier: Barrier,
    },
    /// The database no longer keeps the promises that a send needs.
    #[error("send without a safe journal: {pragma} is {got} instead of {wanted}")]
    Pragma {
        /// The setting.
        pragma: &'static str,
        /// What is needed.
        wanted: String,
        /// What was read back.
        got: String,
    },
    /// The `sending` row could not be written, or the operation could not be claimed.
    #[error("claim the operation")]
    Write {
        /// Why.
        #[from]
        #[source]
        source: WriteError,
    },
}

/// Failures to add or remove a site.
#[derive(Debug, Error)]
pub enum SiteError {
    /// Another site has the name.
    #[error("add a site under a name that {home} has")]
    NameTaken {
        /// The other site's home.
        home: String,
    },
    /// The outcome of something sent to it is unknown, and nobody chose to leave it so.
    #[error("remove a site while {count} operations are in doubt")]
    InDoubt {
        /// How many.
        count: usize,
    },
    /// No such site.
    #[error("find the site")]
    NoSuchSite,
    /// The journal failed.
    #[error("write the site down")]
    Write {
        /// Why.
        #[from]
        #[source]
        source: WriteError,
    },
}

impl WriteError {
    /// Tells whether the disk or the database failed, so that the journal can no longer be trusted to
    /// take what is written.
    pub(crate) const fn is_failure(&self) -> bool {
        match self {
            Self::Database { .. }
            | Self::Sidecar { .. }
            | Self::Poisoned
            | Self::Read { source: ReadError::Database { .. } } => true,
            Self::Read { source: ReadError::Value { .. } }
            | Self::Encode { .. }
            | Self::Illegal(_)
            | Self::LostClaim { .. }
            | Self::Misused(_) => false,
        }
    }
}
