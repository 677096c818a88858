//! What the engine tells while it works: one stream for the terminal, for `--json` and for the window.

use std::path::PathBuf;

use ichido_article::Finding;
use ichido_core::id::{OpId, RemoteId};
use ichido_core::operation::{HaltReason, WaitReason};
use ichido_core::outcome::RefusalCode;
use ichido_core::tally::{Barrier, Ending, Pause};
use serde::Serialize;

use crate::fidelity::Change;

/// Hears what happens. Called from the engine's own task; must not block for long.
pub trait Observer {
    /// Hears one event.
    fn hear(&self, event: &Event);
}

impl<F: Fn(&Event)> Observer for F {
    fn hear(&self, event: &Event) {
        self(event);
    }
}

/// One thing that happened.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum Event {
    /// A batch begins.
    Started {
        /// The site's name.
        site: String,
        /// How many articles it has.
        articles: usize,
    },
    /// An article was checked.
    Checked {
        /// The article.
        article: ArticleName,
        /// What was found.
        findings: Vec<Finding>,
    },
    /// An article moved a step on.
    Step {
        /// The article.
        article: ArticleName,
        /// What is being done.
        step: Step,
    },
    /// An article reached the end of what this run can do for it (it may still be settled later in the
    /// run: the last one counts).
    Ended {
        /// The article.
        article: ArticleName,
        /// How it ended.
        #[serde(flatten)]
        end: End,
    },
    /// How an article would end, in a run that sends nothing.
    Foreseen {
        /// The article.
        article: ArticleName,
        /// How it would end.
        #[serde(flatten)]
        end: End,
    },
    /// Something worth saying about an article that changes nothing.
    Noted {
        /// The article.
        article: ArticleName,
        /// What.
        note: Note,
    },
    /// Creating on the site stopped for the rest of this run.
    Paused {
        /// Why.
        reason: Pause,
        /// More about it: an error code, never a message of the site.
        detail: Option<String>,
    },
    /// Creating on the site is shut until a person releases it.
    Barrier {
        /// Why.
        reason: Barrier,
    },
    /// The program waits before it looks or tries again.
    Waiting {
        /// For how many milliseconds.
        for_ms: u64,
        /// For what.
        why: WaitingFor,
    },
}

/// What the program waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WaitingFor {
    /// The next look at an unknown outcome.
    NextLook,
    /// The site to be reachable again.
    Site,
    /// Another runner to finish.
    OtherRunner,
}

/// Names an article towards people and scripts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ArticleName {
    /// The folder or file.
    pub path: PathBuf,
    /// Its slug, where it has a valid one.
    pub slug: Option<String>,
    /// Its title, where it could be read.
    pub title: Option<String>,
}

/// One step of an article.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "step")]
pub enum Step {
    /// An image is being uploaded.
    Image {
        /// Which one, from 1.
        number: usize,
        /// Of how many.
        of: usize,
    },
    /// The draft is being sent.
    Draft,
    /// The outcome is unknown: the site is being asked.
    Looking,
    /// Images are being attached to the draft.
    Attaching,
}

/// How an article ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct End {
    /// The operation, where one was recorded.
    pub op_id: Option<OpId>,
    /// How.
    pub ending: Ending,
    /// Why, where there is a reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// The post on the site.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<RemoteId>,
    /// Where to look on the site.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links: Option<Links>,
}

/// The stable code of a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Reason {
    /// Of a halt.
    Halt(HaltReason),
    /// Of waiting.
    Wait(WaitReason),
    /// Of a refusal.
    Refusal(RefusalCode),
}

impl Reason {
    /// Returns the stable code.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Halt(reason) => reason.as_str(),
            Self::Wait(reason) => reason.as_str(),
            Self::Refusal(code) => code.as_str(),
        }
    }
}

/// Addresses on the site at which a person can see for themselves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Links {
    /// The draft list, filtered by this article.
    pub drafts: String,
    /// The media library, filtered by this article's images.
    pub media: String,
    /// The post's edit page, where the post is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edit: Option<String>,
}

/// A part of an article, with its line where one is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// The line of the file, counted from 1.
    pub line: Option<u32>,
    /// What stands there.
    pub what: String,
}

impl Part {
    /// Writes it as `line: what`.
    #[must_use]
    pub fn brief(&self) -> String {
        self.line.map_or_else(|| self.what.clone(), |line| format!("{line}: {}", self.what))
    }
}

/// Something worth saying that changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "note")]
pub enum Note {
    /// What is there already has the same title and content.
    SameAlready,
    /// What is there already differs from the article.
    DiffersFromSite,
    /// What is there carries a marker of another journal.
    OtherJournal,
    /// Recognised by author, slug, title and content, since the marker was gone.
    AdoptedByContent,
    /// The article was changed here since it was sent. It is not sent by itself.
    ChangedSince,
    /// Someone edited or published it on the site.
    EditedOnSite,
    /// The site no longer lets this user see it.
    NoLongerOurs,
    /// A person set it aside: it is not registered until it is taken up again.
    SetAside,
    /// It is as the journal has it; the site could not be asked about it.
    AsRecorded,
    /// The site gave it another slug.
    SlugGivenBySite {
        /// The slug.
        slug: String,
    },
    /// The slug belongs to another article that is still there.
    SlugTaken {
        /// That article.
        other: PathBuf,
    },
    /// The site has no category of this name.
    CategoryUnknown {
        /// The name.
        name: String,
        /// Names that the site has and that may be meant.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        near: Vec<String>,
    },
    /// The site has several categories of this name.
    CategoryAmbiguous {
        /// The name.
        name: String,
    },
    /// The site has no tag of this name, and nobody consented to making new ones.
    TagUnknown {
        /// The name.
        name: String,
    },
    /// The site has no tag of this name; it is made before the article is sent.
    TagNew {
        /// The name.
        name: String,
    },
    /// A tag could not be made.
    TagRefused {
        /// The name.
        name: String,
    },
    /// The site has no custom field of this name for posts.
    FieldUnknown {
        /// The name.
        name: String,
        /// Names that the site has and that may be meant.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        near: Vec<String>,
    },
    /// The value is not of the kind that the custom field takes.
    FieldUnusable {
        /// The name.
        name: String,
        /// What it takes: `text`, `integer`, `number`, `flag`, `list` or `other`.
        wants: &'static str,
    },
    /// The draft is there; fields of it are not written yet, which the next run does.
    FieldsLater {
        /// Their names.
        names: Vec<String>,
    },
    /// Fields were not written: somebody had changed the draft or the fields already.
    FieldsKept {
        /// Their names.
        names: Vec<String>,
    },
    /// The site refused to write fields.
    FieldsRefused {
        /// Their names.
        names: Vec<String>,
    },
    /// The site shows other values than those that were written.
    FieldsDiffer {
        /// Their names.
        names: Vec<String>,
    },
    /// The site will take out or change what its user may not store.
    WillBeFiltered {
        /// What, each with its line where one is known.
        parts: Vec<Part>,
    },
    /// The site stored the text differently from what was sent.
    StoredOtherwise {
        /// Where it differs, as far as that can be told.
        changes: Vec<Change>,
    },
    /// An image changed or went away after the article had been checked.
    ImageChanged {
        /// The image's file.
        image: PathBuf,
    },
    /// The site refused an image.
    ImageRefused {
        /// The image's file.
        image: PathBuf,
        /// The code of the refusal.
        code: RefusalCode,
    },
    /// An image that the article needs is in doubt; the article waits for it.
    ImageInDoubt {
        /// The image's file.
        image: PathBuf,
    },
    /// An image could not be attached to its draft.
    NotAttached {
        /// The image's file name.
        image: String,
    },
    /// A picture is larger than sites show it, and its format does not allow it to be made smaller here.
    ImageKeptLarge {
        /// The image's file.
        image: PathBuf,
    },
    /// An image is on the site twice: a request that was given up was executed after all.
    ImageTwice {
        /// The image's file.
        image: PathBuf,
    },
    /// The site gave it another status than draft.
    StatusGivenBySite {
        /// The status.
        status: String,
    },
    /// An image's smaller sizes are not all there.
    SizesMissing {
        /// The image's file name.
        image: String,
    },
}

impl Note {
    /// Tells whether the article cannot be sent before what the note says is put right.
    #[must_use]
    pub const fn keeps_back(&self) -> bool {
        match self {
            Self::SlugTaken { .. }
            | Self::CategoryUnknown { .. }
            | Self::CategoryAmbiguous { .. }
            | Self::TagUnknown { .. }
            | Self::TagRefused { .. }
            | Self::FieldUnknown { .. }
            | Self::FieldUnusable { .. }
            | Self::ImageChanged { .. }
            | Self::ImageRefused { .. } => true,
            Self::SameAlready
            | Self::DiffersFromSite
            | Self::OtherJournal
            | Self::AdoptedByContent
            | Self::ChangedSince
            | Self::EditedOnSite
            | Self::NoLongerOurs
            | Self::SetAside
            | Self::AsRecorded
            | Self::SlugGivenBySite { .. }
            | Self::TagNew { .. }
            | Self::FieldsLater { .. }
            | Self::FieldsKept { .. }
            | Self::FieldsRefused { .. }
            | Self::FieldsDiffer { .. }
            | Self::WillBeFiltered { .. }
            | Self::StoredOtherwise { .. }
            | Self::ImageInDoubt { .. }
            | Self::NotAttached { .. }
            | Self::ImageKeptLarge { .. }
            | Self::ImageTwice { .. }
            | Self::StatusGivenBySite { .. }
            | Self::SizesMissing { .. } => false,
        }
    }
}
