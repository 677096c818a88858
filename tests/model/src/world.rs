//! What there is: the site, the journal, the program, and the requests between them.

use ichido_core::apply::Standing;
use ichido_core::operation::Kind;

/// Most rows that the site of the model can hold.
pub const ROWS: usize = 7;

/// What an operation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject {
    /// The first image of the article.
    First,
    /// Its second image.
    Second,
    /// The article.
    Draft,
    /// The same article after its folder was renamed.
    Moved,
}

impl Subject {
    /// All of them, in the order in which the program works.
    pub const ALL: [Self; 4] = [Self::First, Self::Second, Self::Draft, Self::Moved];

    /// Tells what kind of operation is meant.
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self {
            Self::First | Self::Second => Kind::Image,
            Self::Draft | Self::Moved => Kind::Post,
        }
    }

    /// Tells whether it is an article.
    #[must_use]
    pub const fn is_post(self) -> bool {
        matches!(self, Self::Draft | Self::Moved)
    }
}

/// Who made a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Maker {
    /// A request of ours.
    Us {
        /// Which of the operations that followed each other.
        generation: u8,
        /// Which journal that operation was written in.
        journal: u8,
    },
    /// Someone else.
    SomeoneElse,
    /// The user by hand, with other content.
    UserByHand,
    /// The user by hand, with exactly our title and content.
    CopyByHand,
}

/// At which slug a row stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slug {
    /// The one that we ask for.
    Asked,
    /// The one that a site gives where the asked one is taken: `slug-2`.
    Second,
    /// Another, by a person's hand.
    Other,
}

/// Where a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Where it belongs.
    Live,
    /// In the trash.
    Trash,
    /// Nowhere any more; only the model remembers it.
    Gone,
}

/// One row of the site. Its id is its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// Whose effect it is, or at whose slug it stands.
    pub of: Subject,
    /// Who made it.
    pub maker: Maker,
    /// At which slug it stands.
    pub slug: Slug,
    /// Where it is.
    pub place: Place,
    /// Whether it still carries our marker.
    pub marked: bool,
    /// Whether title and content are still what we sent.
    pub same: bool,
    /// Whether terms and excerpt were written too.
    pub complete: bool,
    /// Whether a person had it in view, in the trash or beside the one that was linked, and wanted another.
    pub given_up: bool,
}

impl Row {
    /// Tells whether a request of ours made it.
    #[must_use]
    pub const fn is_ours(&self) -> bool {
        matches!(self.maker, Maker::Us { .. })
    }

    /// Tells whether our user is its author.
    #[must_use]
    pub const fn is_mine(&self) -> bool {
        !matches!(self.maker, Maker::SomeoneElse)
    }
}

/// One operation, as the journal has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Op {
    /// How many operations were given up on the way to this one.
    pub generation: u8,
    /// Where it stands.
    pub standing: Standing,
    /// The row that is recorded for it.
    pub row: Option<u8>,
    /// The slug that is recorded, or asked for.
    pub slug: Slug,
    /// How many rows there were when the high-water mark was read.
    pub mark: u8,
    /// Whether a complete look found nothing since the send.
    pub first_negative: bool,
    /// Whether the settle window has passed since.
    pub window_passed: bool,
    /// Whether its request may still be executed.
    pub may_arrive: bool,
    /// The row of the image that was found gone and that this one replaces.
    pub replaces: Option<u8>,
    /// The rows that the last look put before a person, a bit each.
    pub shown: u8,
    /// The rows that a person dismissed, a bit each.
    pub dismissed: u8,
    /// Whether a person declared it to be a new article.
    pub declared_new: bool,
}

impl Op {
    /// An operation of which nothing has left.
    pub const NEW: Self = Self {
        generation: 0,
        standing: Standing::PLANNED,
        row: None,
        slug: Slug::Asked,
        mark: 0,
        first_negative: false,
        window_passed: false,
        may_arrive: false,
        replaces: None,
        shown: 0,
        dismissed: 0,
        declared_new: false,
    };
}

/// What shuts creating.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shut {
    /// An unclean stop: what was being sent, a bit each.
    pub stopped: u8,
    /// An unclean stop that looking cannot lift, since a person gave up what was being sent.
    pub stopped_for_good: bool,
    /// The journal was lost.
    pub lost: bool,
}

impl Shut {
    /// Tells whether anything stands in the way.
    #[must_use]
    pub const fn is_shut(self) -> bool {
        self.stopped != 0 || self.stopped_for_good || self.lost
    }
}

/// What is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Journal {
    /// The operation of each subject, where it has one.
    pub ops: [Option<Op>; 4],
    /// Whether a run is open.
    pub run_open: bool,
    /// What shuts creating.
    pub shut: Shut,
    /// How many journals were lost before this one.
    pub number: u8,
}

impl Journal {
    /// Returns the operation of a subject.
    #[must_use]
    pub const fn op(&self, subject: Subject) -> Option<&Op> {
        self.ops[subject as usize].as_ref()
    }

    /// Returns the operation of a subject to be changed.
    pub(crate) const fn op_mut(&mut self, subject: Subject) -> Option<&mut Op> {
        self.ops[subject as usize].as_mut()
    }

    /// Returns the subjects that have an operation.
    pub fn subjects(&self) -> impl Iterator<Item = (Subject, &Op)> {
        Subject::ALL.into_iter().filter_map(|subject| Some((subject, self.op(subject)?)))
    }
}

/// How an operation came to be done, as the program that runs knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum By {
    /// By the answer to its request, in this run.
    Answer,
    /// By a look, in this run.
    Look,
    /// Before.
    Earlier,
}

/// The program, while it runs. All of this is gone with the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Process {
    /// The mark that a complete look which found nothing allows a send with.
    pub cleared: [Option<u8>; 4],
    /// How the draft came to be done.
    pub by: By,
    /// What the folder that was read at the start is known as.
    pub article: Subject,
}

/// The one request that the program waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wire {
    /// There is none.
    Idle,
    /// The row is `sending` and nothing has left yet.
    Ready(Subject),
    /// It has left.
    Out(Subject),
    /// The site made the row; the answer is on its way.
    Made(Subject, u8),
    /// The site refused; the answer is on its way.
    Refused(Subject),
}

impl Wire {
    /// Returns what the request is about.
    #[must_use]
    pub const fn subject(self) -> Option<Subject> {
        match self {
            Self::Idle => None,
            Self::Ready(subject) | Self::Out(subject) | Self::Made(subject, _) | Self::Refused(subject) => {
                Some(subject)
            }
        }
    }
}

/// A request that nobody listens to any more and that the site may still execute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Late {
    /// What it is about.
    pub subject: Subject,
    /// Of which operation it is.
    pub maker: Maker,
}

/// What went wrong on a step, seen from where everything is known. None of it may ever happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Breach {
    /// A request left for an operation that was in doubt, halted or done.
    SentFromDoubt,
    /// A draft left before its images were settled.
    SentBeforeItsImages,
    /// A request was sent on the strength of a look that could not be made.
    SentUnlooked,
    /// A row was adopted that is not our effect, nor an exact copy of it.
    AdoptedAnothers,
    /// An article was skipped although nothing stood at its slug.
    SkippedForNothing,
    /// A decision that the state cannot take.
    Illegal,
}

/// Everything there is at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct World {
    /// The rows of the site, in the order of their ids.
    pub rows: [Option<Row>; ROWS],
    /// What the program reads in the journal.
    pub journal: Journal,
    /// What of it survives a power loss.
    pub durable: Journal,
    /// The program, if it runs.
    pub process: Option<Process>,
    /// The request that it waits for.
    pub wire: Wire,
    /// Requests that may still be executed.
    pub late: [Option<Late>; 3],
    /// How many lying look-ups are left.
    pub lies: u8,
    /// How many acts on the site by hand are left.
    pub hands: u8,
    /// Whether the article's folder was renamed.
    pub renamed: bool,
    /// What went wrong, if anything did.
    pub breach: Option<Breach>,
}

impl World {
    /// Returns the rows that ever were, with their ids.
    pub fn rows(&self) -> impl Iterator<Item = (u8, &Row)> {
        (0_u8..).zip(&self.rows).filter_map(|(id, row)| Some((id, row.as_ref()?)))
    }

    /// Returns how many rows ever were.
    #[must_use]
    pub fn count(&self) -> u8 {
        u8::try_from(self.rows().count()).unwrap_or(u8::MAX)
    }

    /// Returns a row by its id.
    #[must_use]
    pub fn row(&self, id: u8) -> Option<&Row> {
        self.rows.get(usize::from(id))?.as_ref()
    }

    pub(crate) fn row_mut(&mut self, id: u8) -> Option<&mut Row> {
        self.rows.get_mut(usize::from(id))?.as_mut()
    }

    /// Tells whether a request of the operation may still be executed.
    #[must_use]
    pub fn may_arrive(&self, subject: Subject) -> bool {
        self.wire.subject() == Some(subject) || self.late.iter().flatten().any(|late| late.subject == subject)
    }

    /// Writes down durably: what was not yet synced is synced with it.
    pub(crate) const fn sync(&mut self) {
        self.durable = self.journal;
    }

    pub(crate) fn break_promise(&mut self, breach: Breach) {
        self.breach.get_or_insert(breach);
    }

    /// Returns the operation that a request of the subject would be of.
    #[must_use]
    pub fn maker(&self, subject: Subject) -> Maker {
        let generation = self.journal.op(subject).map_or(0, |op| op.generation);
        Maker::Us { generation, journal: self.journal.number }
    }

    /// Makes a row, as a site does: the slug is made unique among live rows.
    pub(crate) fn add(&mut self, row: Row) -> Option<u8> {
        let taken = self.rows().any(|(_, other)| {
            other.of.is_post() == row.of.is_post()
                && other.of == row.of
                && other.slug == row.slug
                && other.place == Place::Live
        });
        let id = self.count();
        let slot = self.rows.get_mut(usize::from(id))?;
        *slot = Some(Row { slug: if taken { Slug::Second } else { row.slug }, ..row });
        Some(id)
    }

    /// Executes a request of ours.
    pub(crate) fn execute(&mut self, subject: Subject, maker: Maker, complete: bool) -> Option<u8> {
        self.add(Row {
            of: subject,
            maker,
            slug: Slug::Asked,
            place: Place::Live,
            marked: subject.is_post(),
            same: true,
            complete,
            given_up: false,
        })
    }
}
