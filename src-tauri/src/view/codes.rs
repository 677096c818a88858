//! Codes that are the window's own.

use serde::{Deserialize, Serialize};

/// Declares codes that are the window's own.
macro_rules! codes {
    ($($(#[$meta:meta])* enum $name:ident { $($variant:ident,)* })*) => {
        $($(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        #[serde(rename_all = "snake_case")]
        pub(crate) enum $name { $($variant,)* })*
    };
}

codes! {
    enum Language { Ja, En, }
    enum Theme { System, Light, Dark, }
    /// What is being done with an article right now.
    enum RowStep { Check, Images, Draft, Verify, }
    enum TimelineTone { Plain, Ok, Alert, }
    /// Places on the site or this computer that the program can open.
    enum LinkKind { Edit, Drafts, Media, Folder, Profile, Releases, }
    enum BatchState { Running, Pausing, Paused, }
    enum LookPart { AboveMark, Slug, Marker, ById, }
    enum LookFound { None, Found, Hidden, CouldNotAsk, NotAsked, }
    enum LookBy { Program, Person, }
    enum DifferenceField { Title, Slug, Excerpt, Content, Terms, Featured, Author, Status, Type, }
    enum PostStatus { Draft, Publish, Pending, Private, Future, Trash, Inherit, Other, }
    enum ShutCode { NotLooked, Window, NotNegative, Candidates, }
    enum CredentialsKept { Keychain, Session, Missing, }
    enum KeychainState { Ok, Missing, Locked, }
    /// One switch of the practice site.
    enum PracticeSwitch { LoseNextAnswer, HideNewDrafts, Answer502, }
    /// Which part of the history is shown.
    enum HistoryAbout { All, Drafts, Trouble, People, }
    enum ExportForm { Csv, Json, }
    /// What the front matter's `description` is for.
    enum DescriptionUse { Excerpt, Seo, Ignore, }
    /// What an address on a line of its own becomes.
    enum BareUrlUse { Embed, Line, Link, }
    /// Where the marks of Obsidian hold.
    enum ObsidianUse { Auto, On, Off, }
    /// A screen of the window.
    enum Screen { Articles, Attention, History, Sites, Settings, }
    enum Plan { Create, Skip, Verified, NeedsWork, Halt, CouldNotAsk, }
}
