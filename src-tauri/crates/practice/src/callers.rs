//! Who asks, and what they may do.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::options::Role;
use crate::rows::{Status, User};

const SUBSCRIBER: &[&str] = &["read"];
const CONTRIBUTOR: &[&str] = &["read", "edit_posts", "delete_posts"];
const AUTHOR: &[&str] = &[
    "read",
    "edit_posts",
    "delete_posts",
    "upload_files",
    "edit_published_posts",
    "publish_posts",
    "delete_published_posts",
];
const EDITOR: &[&str] = &[
    "read",
    "edit_posts",
    "delete_posts",
    "upload_files",
    "edit_published_posts",
    "publish_posts",
    "delete_published_posts",
    "moderate_comments",
    "manage_categories",
    "manage_links",
    "unfiltered_html",
    "edit_others_posts",
    "delete_others_posts",
    "read_private_posts",
    "edit_private_posts",
    "delete_private_posts",
    "edit_pages",
    "edit_others_pages",
    "edit_published_pages",
    "publish_pages",
];
const ADMINISTRATOR: &[&str] =
    &["manage_options", "list_users", "edit_users", "activate_plugins", "edit_theme_options"];

impl Role {
    /// The word that WordPress uses.
    pub fn word(self) -> &'static str {
        match self {
            Role::Administrator => "administrator",
            Role::Editor => "editor",
            Role::Author => "author",
            Role::Contributor => "contributor",
            Role::Subscriber => "subscriber",
        }
    }

    /// The capabilities that the role brings.
    pub fn capabilities(self) -> Vec<&'static str> {
        match self {
            Role::Administrator => [EDITOR, ADMINISTRATOR].concat(),
            Role::Editor => EDITOR.to_vec(),
            Role::Author => AUTHOR.to_vec(),
            Role::Contributor => CONTRIBUTOR.to_vec(),
            Role::Subscriber => SUBSCRIBER.to_vec(),
        }
    }
}

/// Who sends a request: a user or a stranger.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Caller {
    pub(crate) user: Option<(u64, Role)>,
}

impl Caller {
    pub(crate) fn known(&self) -> bool {
        self.user.is_some()
    }

    /// The user's id, 0 for strangers.
    pub(crate) fn id(&self) -> u64 {
        self.user.map_or(0, |(id, _)| id)
    }

    pub(crate) fn can(&self, capability: &str) -> bool {
        self.user.is_some_and(|(_, role)| role.capabilities().contains(&capability))
    }

    /// Whether a row of this author and status may be edited. `was` is the status before the trash.
    pub(crate) fn can_edit(&self, author: u64, status: Status, was: Option<Status>) -> bool {
        self.may(author, status, was, "edit")
    }

    /// Whether a row of this author and status may be deleted.
    pub(crate) fn can_delete(&self, author: u64, status: Status, was: Option<Status>) -> bool {
        self.may(author, status, was, "delete")
    }

    fn may(&self, author: u64, status: Status, was: Option<Status>, verb: &str) -> bool {
        let judged = if status == Status::Trash { was.unwrap_or(Status::Draft) } else { status };
        let published = matches!(judged, Status::Publish | Status::Future);
        if self.known() && author == self.id() {
            let needed = if published { "_published_posts" } else { "_posts" };
            return self.can(&format!("{verb}{needed}"));
        }
        self.can(&format!("{verb}_others_posts"))
            && (!published || self.can(&format!("{verb}_published_posts")))
            && (judged != Status::Private || self.can(&format!("{verb}_private_posts")))
    }

    /// Whether a post of this author and status may be read.
    pub(crate) fn can_read(&self, author: u64, status: Status, was: Option<Status>) -> bool {
        match status {
            Status::Publish => true,
            _ if self.known() && author == self.id() => true,
            Status::Private => self.can("read_private_posts"),
            Status::Future | Status::Draft | Status::Pending | Status::Trash | Status::Inherit => {
                self.can_edit(author, status, was)
            }
        }
    }
}

/// A user together with the application password.
#[derive(Clone)]
pub(crate) struct Member {
    pub(crate) user: User,
    pub(crate) password: String,
}

/// Finds whom Basic credentials belong to. Wrong ones belong to nobody, silently.
pub(crate) fn authenticate(members: &[Member], authorization: Option<&str>) -> Option<u64> {
    let (scheme, encoded) = authorization?.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let decoded = String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?;
    let (login, password) = decoded.split_once(':')?;
    let member = members.iter().find(|member| member.user.login == login)?;
    (letters(&member.password) == letters(password)).then_some(member.user.id)
}

/// Application passwords are compared by their letters and digits alone.
fn letters(password: &str) -> String {
    password.chars().filter(char::is_ascii_alphanumeric).collect()
}
