//! Tests over the whole journal: `opening` (is it the one written last?), `claims` (locks, races,
//! permits), `events` (what is written for each event), `rules` (any events in any order), `processes` (killed ones), `figures` (syncs
//! and starting times), `history` (its pages).

mod claims;
mod events;
mod figures;
mod history;
mod opening;
mod processes;
mod rules;
mod sites;

use std::path::Path;

use ichido_core::id::{OpId, RemoteId};
use ichido_core::operation::Kind;
use ichido_core::outcome::{Created, Outcome, Recorded, Sent};
use ichido_core::slug::Slug;
use ichido_core::time::{Moment, Timestamp};
use tempfile::TempDir;
use uuid::Uuid;

use crate::{Journal, Key, NewOperation, NewSite, Operation, Owner, Places, Runner, SendFacts, SiteId};

pub(crate) const NOW: Timestamp = Timestamp(1_700_000_000_000);

/// A journal of its own in a temporary folder.
pub(crate) struct Desk {
    _folder: TempDir,
    pub(crate) places: Places,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let places = places_in(folder.path());
        Self { _folder: folder, places }
    }

    pub(crate) fn open(&self) -> Journal {
        Journal::open(&self.places).unwrap()
    }

    pub(crate) fn runner(&self) -> Runner {
        self.open().lock(&owner("test"), NOW).unwrap()
    }
}

pub(crate) fn places_in(folder: &Path) -> Places {
    Places {
        data_dir: folder.join("data"),
        sidecar_dir: folder.join("beside"),
        lock_dir: folder.join("locks"),
    }
}

pub(crate) fn owner(program: &str) -> Owner {
    Owner::this_process(program, "0.1.0")
}

pub(crate) fn at(ms: i64) -> Moment {
    Moment {
        at: Timestamp(NOW.0 + ms),
        monotonic_ms: ms.unsigned_abs(),
        boot: "boot".into(),
        site: Some(Timestamp(NOW.0 + ms)),
    }
}

pub(crate) fn new_site(name: &str) -> NewSite {
    let home = format!("https://{name}.example");
    NewSite {
        name: name.into(),
        rest_root: format!("{home}/wp-json/"),
        home,
        user: "writer".into(),
        user_id: Some(2),
    }
}

pub(crate) fn site(runner: &Runner, name: &str) -> SiteId {
    runner.add_site(&new_site(name), NOW).unwrap().0.id
}

pub(crate) fn op_id() -> OpId {
    OpId::new(Uuid::now_v7())
}

pub(crate) fn slug_key(slug: &str) -> Key {
    Key::post(&Slug::sanitise(slug).unwrap())
}

pub(crate) fn new_post(site: SiteId, slug: &str) -> NewOperation {
    NewOperation {
        op_id: op_id(),
        site,
        kind: Kind::Post,
        post_type: "post".into(),
        key: slug_key(slug),
        slug: slug.into(),
        title: format!("Title of {slug}"),
        source_path: Some(format!("/articles/{slug}").into()),
        source_digest: None,
        images: Vec::new(),
    }
}

pub(crate) fn new_image(site: SiteId, name: &str) -> NewOperation {
    let digest = ichido_core::digest::Digest::of_bytes(name.as_bytes());
    NewOperation {
        kind: Kind::Image,
        post_type: String::new(),
        key: Key::image(digest, 1),
        source_digest: Some(digest),
        ..new_post(site, name)
    }
}

pub(crate) fn facts(slug: &str) -> SendFacts {
    SendFacts {
        slug: slug.into(),
        title: format!("Title of {slug}"),
        source_path: Some(format!("/articles/{slug}").into()),
        source_digest: None,
        sent_digest: None,
        normaliser: Some(1),
        mark: Some(RemoteId(1)),
        expected: None,
    }
}

pub(crate) fn planned(runner: &Runner, site: SiteId, slug: &str) -> Operation {
    runner.plan(&new_post(site, slug), NOW).unwrap()
}

pub(crate) fn sending(runner: &Runner, site: SiteId, slug: &str) -> OpId {
    let op_id = planned(runner, site, slug).op_id;
    let permit = runner.begin_send(op_id, &facts(slug), &at(0)).unwrap();
    assert_eq!(permit.op_id(), op_id);
    op_id
}

pub(crate) fn created(op_id: OpId, id: u64, slug: &str) -> Sent {
    let row = Recorded { slug: slug.into(), status: "draft".into(), ..Recorded::default() };
    Sent {
        op_id,
        outcome: Outcome::Created(Box::new(Created {
            id: RemoteId(id),
            row: Some(row),
            needs_post_process: false,
            stored: None,
        })),
    }
}

pub(crate) fn done(runner: &Runner, site: SiteId, slug: &str, id: u64) -> OpId {
    let op_id = sending(runner, site, slug);
    runner.settle(created(op_id, id, slug), &at(1)).unwrap();
    op_id
}
