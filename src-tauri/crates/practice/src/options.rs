//! What a practice site is started with.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};

/// The language of the site's messages and, without a wish of the browser, of its pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// Japanese.
    #[default]
    Japanese,
    /// English.
    English,
}

/// The form of the site's addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Permalinks {
    /// `/wp-json/` and `/%postname%/`.
    #[default]
    Pretty,
    /// Everything through the query string: `/?rest_route=`, `/?p=1`.
    Plain,
}

/// The WordPress release whose manners the site takes on where releases differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Release {
    /// WordPress 6.1.
    V6_1,
    /// WordPress 7.1.
    #[default]
    V7_1,
}

/// A WordPress role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// May do everything, on a single site also store unfiltered HTML.
    Administrator,
    /// May edit and publish everybody's posts.
    Editor,
    /// May publish own posts and upload files.
    Author,
    /// May write own drafts; no uploads, no publishing.
    Contributor,
    /// May read only.
    Subscriber,
}

/// A user of the site together with an application password.
#[derive(Clone)]
pub struct Account {
    /// The login name.
    pub login: String,
    /// The name that is shown.
    pub name: String,
    /// The role.
    pub role: Role,
    /// The application password. Spaces in it do not count.
    pub password: String,
}

impl std::fmt::Debug for Account {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Account")
            .field("login", &self.login)
            .field("role", &self.role)
            .finish_non_exhaustive()
    }
}

impl Account {
    /// Makes an account; the login is also the name that is shown.
    pub fn new(login: &str, role: Role, password: &str) -> Account {
        Account { login: login.to_owned(), name: login.to_owned(), role, password: password.to_owned() }
    }

    /// Makes the account `practice`, an author, with a random password.
    pub fn practice() -> Account {
        let random = uuid::Uuid::new_v4().simple().to_string();
        let password: String = random.chars().take(24).collect();
        Account::new("practice", Role::Author, &password)
    }
}

/// Tells the time for a site.
type Teller = Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>;

/// The clock of a site: the computer's, one that a test moves, or one that somebody else keeps.
#[derive(Clone, Default)]
pub struct Clock {
    hand: Option<Arc<Mutex<DateTime<Utc>>>>,
    teller: Option<Teller>,
}

impl std::fmt::Debug for Clock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Clock")
            .field("hand", &self.hand)
            .field("told", &self.teller.is_some())
            .finish_non_exhaustive()
    }
}

impl Clock {
    /// The computer's clock.
    pub fn real() -> Clock {
        Clock::default()
    }

    /// A clock that stands at `start` until it is advanced. Clones move together.
    pub fn manual(start: DateTime<Utc>) -> Clock {
        Clock { hand: Some(Arc::new(Mutex::new(start))), teller: None }
    }

    /// A clock that somebody else keeps.
    pub fn told_by(teller: impl Fn() -> DateTime<Utc> + Send + Sync + 'static) -> Clock {
        Clock { hand: None, teller: Some(Arc::new(teller)) }
    }

    /// The present moment.
    pub fn now(&self) -> DateTime<Utc> {
        match (&self.hand, &self.teller) {
            (Some(hand), _) => *hand.lock().unwrap_or_else(PoisonError::into_inner),
            (None, Some(teller)) => teller(),
            (None, None) => Utc::now(),
        }
    }

    /// Moves a manual clock on; a real clock does not listen.
    pub fn advance(&self, by: std::time::Duration) {
        if let Some(hand) = &self.hand {
            let mut at = hand.lock().unwrap_or_else(PoisonError::into_inner);
            *at += TimeDelta::from_std(by).unwrap_or(TimeDelta::MAX);
        }
    }
}

/// What a practice site is started with.
#[derive(Debug, Clone)]
pub struct Options {
    /// The port on 127.0.0.1; 0 takes a free one.
    pub port: u16,
    /// The language of messages and pages.
    pub language: Language,
    /// The form of addresses.
    pub permalinks: Permalinks,
    /// The WordPress release to behave like.
    pub release: Release,
    /// The users with their application passwords.
    pub accounts: Vec<Account>,
    /// The largest request body, in bytes; more is answered with 413. At most 25 MiB are taken.
    pub max_upload: u64,
    /// The most that posts and uploads together may take, in bytes.
    pub max_stored: u64,
    /// Whether the site starts with a published post and a draft of somebody else's.
    pub seed_posts: bool,
    /// Hours by which the site's local time is ahead of UTC.
    pub gmt_offset_hours: i32,
    /// Whether deleted posts go to the trash first (`EMPTY_TRASH_DAYS`).
    pub trash: bool,
    /// Custom fields that posts have and that programs may write, each with its JSON schema.
    pub fields: Vec<(String, serde_json::Value)>,
    /// The clock behind dates and late commits.
    pub clock: Clock,
}

/// The largest body that any practice site accepts, in bytes.
pub(crate) const UPLOAD_CEILING: u64 = 25 * 1024 * 1024;

impl Default for Options {
    fn default() -> Options {
        Options {
            port: 0,
            language: Language::default(),
            permalinks: Permalinks::default(),
            release: Release::default(),
            accounts: vec![Account::practice()],
            max_upload: UPLOAD_CEILING,
            max_stored: 512 * 1024 * 1024,
            seed_posts: false,
            gmt_offset_hours: 9,
            trash: true,
            fields: Vec::new(),
            clock: Clock::real(),
        }
    }
}

impl Options {
    /// Makes options with one account for each role, all with the same password:
    /// `admin`, `editor`, `practice` (author), `other` (a second author), `contributor`, `subscriber`.
    pub fn with_every_role(password: &str) -> Options {
        Options {
            accounts: vec![
                Account::new("admin", Role::Administrator, password),
                Account::new("editor", Role::Editor, password),
                Account::new("practice", Role::Author, password),
                Account::new("other", Role::Author, password),
                Account::new("contributor", Role::Contributor, password),
                Account::new("subscriber", Role::Subscriber, password),
            ],
            ..Options::default()
        }
    }
}
