//! One site during one run.

use ichido_core::id::OpId;
use ichido_core::operation::{HaltReason, Kind, State};
use ichido_core::time::{Moment, Timestamp};
use ichido_journal::{Operation, Runner, Site};
use ichido_wordpress::{Client, Identity, Scope, links};

use crate::clock::Clock;
use crate::event::{ArticleName, Event, Links, Observer};
use crate::settings::Settings;

/// What every step of a run needs: the runner, the client, who we are, and who listens.
pub(crate) struct Session<'a> {
    pub(crate) runner: &'a Runner,
    pub(crate) client: &'a Client,
    pub(crate) site: &'a Site,
    pub(crate) site_url: &'a str,
    pub(crate) identity: &'a Identity,
    pub(crate) settings: Settings,
    pub(crate) clock: &'a dyn Clock,
    pub(crate) observer: &'a dyn Observer,
}

impl Session<'_> {
    pub(crate) fn tell(&self, event: &Event) {
        self.observer.hear(event);
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(crate) fn moment(&self, site_time: Option<Timestamp>) -> Moment {
        self.clock.moment(site_time)
    }

    pub(crate) fn new_op_id(&self) -> OpId {
        self.clock.new_op_id()
    }

    /// Whose rows the high-water lists are about: everybody's where we may see them, since a person or
    /// a plugin may change the author of what we made.
    pub(crate) fn scope(&self) -> Scope {
        if self.identity.can.edit_others_posts() { Scope::All } else { Scope::Mine(self.identity.id) }
    }
}

/// Returns where on the site a person can see for themselves what became of an operation.
pub(crate) fn links_of(site_url: &str, operation: &Operation) -> Option<Links> {
    let slug = operation.slug.as_str();
    // WordPress searches texts, not slugs: the title finds a post, the file name an image. The newest
    // uploads, which the library shows first, are those of a post that was just sent.
    let search = if operation.title.is_empty() { slug } else { &operation.title };
    let image = if operation.kind == Kind::Image { slug } else { "" };
    let in_trash = operation.standing.state == State::Halted(HaltReason::InTrash);
    Some(Links {
        // What lies in the trash is in no other list.
        drafts: if in_trash { links::trash(site_url, search)? } else { links::draft_list(site_url, search)? },
        media: links::media_library(site_url, image)?,
        edit: operation.remote_id.and_then(|id| links::edit(site_url, id)),
    })
}

/// Names the article of an operation.
pub(crate) fn name_of(operation: &Operation) -> ArticleName {
    ArticleName {
        path: operation.source_path.clone().unwrap_or_default(),
        slug: (!operation.slug.is_empty()).then(|| operation.slug.clone()),
        title: (!operation.title.is_empty()).then(|| operation.title.clone()),
    }
}

/// Returns when an operation in doubt is to be looked for again by itself: 30 s, 2, 5 and 10 minutes
/// after one look and the next, then every hour.
pub(crate) fn next_look(reason: HaltReason, looks: u32, now: Timestamp) -> Option<Timestamp> {
    const WAITS_S: [i64; 4] = [30, 120, 300, 600];
    if !reason.is_doubt() {
        return None;
    }
    let wait = usize::try_from(looks).ok().and_then(|looks| WAITS_S.get(looks)).copied().unwrap_or(3600);
    Some(Timestamp(now.0 + wait * 1000))
}
