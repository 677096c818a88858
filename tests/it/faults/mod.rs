//! The faults to survive, one named test each, with the numbers of the list that they come from. Everywhere: at most
//! one creating request an operation, and everything that was ever sent is told.
//!
//! A fault runs on every site where it can be made; where it runs on the practice site alone, the test says why.

mod answers;
mod found;
pub(crate) mod images;
mod journal;
mod later;
mod lost;
mod meanwhile;
mod media;
mod released;
mod restored;
mod statuses;
mod table;
mod terms;
mod unsent;

use std::path::PathBuf;
use std::time::Duration;

use ichido_core::operation::{HaltReason, State};
use ichido_core::tally::Ending;
use ichido_engine::{Batch, Event, Report, Settings, Stop};
use ichido_practice::{
    Account, Clock, Fault, Handle, Kind as Request, Language, Options, Permalinks, PracticeSite, Release,
    Role, When,
};
use ichido_tests::{Desk, SITE, Site, StoredPost, Who, ending};
use ichido_wordpress::Timeouts;

/// Every operation's creating request was on the wire at most once.
pub(crate) fn assert_sent_once(site: &Site) {
    for (operation, count) in site.creates_by_operation() {
        assert_eq!(count, 1, "{operation} was sent more than once");
    }
}

/// What a run comes to for one article.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Comes {
    pub(crate) ending: Ending,
    pub(crate) exit: u8,
    pub(crate) state: State,
    /// How many posts of this title the site has, the trash included.
    pub(crate) posts: usize,
}

pub(crate) const CREATED: Comes = Comes { ending: Ending::Created, exit: 0, state: State::Done, posts: 1 };
pub(crate) const ADOPTED: Comes = Comes { ending: Ending::Adopted, ..CREATED };
pub(crate) const VERIFIED: Comes = Comes { ending: Ending::Verified, ..CREATED };
pub(crate) const UNKNOWN: Comes =
    Comes { ending: Ending::Unknown, exit: 3, state: State::Halted(HaltReason::OutcomeUnknown), posts: 0 };

/// Halted for this reason.
pub(crate) const fn halted(reason: HaltReason, posts: usize) -> Comes {
    Comes { ending: Ending::Halted, exit: 3, state: State::Halted(reason), posts }
}

impl Comes {
    /// The same with another number of posts on the site.
    pub(crate) const fn with_posts(self, posts: usize) -> Comes {
        Comes { posts, ..self }
    }
}

/// Holds what a run came to for one article (whose title is its slug) against what was expected, on the site and in
/// the journal.
pub(crate) async fn expect(site: &Site, desk: &Desk, report: &Report, slug: &str, comes: Comes) {
    let told = {
        let heard = desk.heard.lock().expect("nobody panicked");
        format!("{slug}: {report:#?}\n{:#?}", heard.iter().rev().take(12).collect::<Vec<_>>())
    };
    assert_eq!(ending(report, slug), comes.ending, "ending of {told}");
    assert_eq!(desk.state(slug), comes.state, "state of {told}");
    assert_eq!(report.exit_status(), comes.exit, "exit status of {told}");
    assert_eq!(titled(site, slug).await.len(), comes.posts, "posts of {told}");
    assert_eq!(report.tally.total(), report.articles.len(), "each is counted once: {told}");
    if matches!(comes.ending, Ending::Halted | Ending::Unknown) {
        let (_, end) =
            report.needs_attention().find(|(name, _)| name.slug.as_deref() == Some(slug)).expect("told");
        assert!(end.links.as_ref().is_some_and(|links| links.drafts.contains("edit.php")), "links of {told}");
    }
    assert_sent_once(site);
}

/// The posts of this title.
pub(crate) async fn titled(site: &Site, title: &str) -> Vec<StoredPost> {
    site.posts().await.into_iter().filter(|post| post.title == title).collect()
}

/// Writes an article whose title is its slug.
pub(crate) fn article(desk: &Desk, slug: &str) -> PathBuf {
    desk.write(slug, slug, "本文です。\n\nSecond paragraph.")
}

/// Registers some articles with an ear on what happens, and with other bounds of the creating client where given.
pub(crate) async fn register_hearing(
    desk: &Desk,
    paths: &[PathBuf],
    creating: Option<Timeouts>,
    hear: impl Fn(&Event),
) -> Report {
    let (articles, _) = ichido_engine::check(paths, Settings::default()).expect("there are articles");
    let batch = Batch {
        articles,
        site: SITE.to_owned(),
        credentials: desk.credentials(),
        create_tags: desk.create_tags,
        polls: desk.polls.clone(),
        wait: Duration::ZERO,
        dry_run: false,
    };
    let quick = Timeouts {
        connect: Duration::from_secs(5),
        write_idle: Duration::from_secs(5),
        first_byte: Duration::from_secs(20),
        read_idle: Duration::from_secs(5),
        whole_answer: Duration::from_secs(30),
    };
    let http = ichido_wordpress::Options {
        creating: creating.unwrap_or(quick),
        reading: quick,
        back_off: vec![Duration::from_millis(1); 2],
        ..ichido_wordpress::Options::default()
    };
    let hear = |event: &Event| {
        desk.heard.lock().expect("nobody panicked").push(event.clone());
        hear(event);
    };
    desk.engine().with_http(http).register(batch, &hear, &Stop::default()).await.expect("the batch runs")
}

/// Registers the article in this folder and nothing else.
pub(crate) async fn register_one(desk: &Desk, folder: &PathBuf) -> Report {
    desk.register_paths(std::slice::from_ref(folder)).await.expect("the batch runs")
}

/// Sends the article so that the answer is lost and this run does not find the post.
pub(crate) async fn sent_and_not_found(site: &Site, desk: &Desk, slug: &str) -> (PathBuf, u64) {
    let folder = article(desk, slug);
    // Two lists a look, four looks a run.
    site.inject(When::next(Request::CreatePost), Fault::HideFromLookups(8));
    site.inject(When::next(Request::CreatePost), Fault::CommitThenDropResponse);
    let report = register_one(desk, &folder).await;
    expect(site, desk, &report, slug, UNKNOWN.with_posts(1)).await;
    (folder, titled(site, slug).await[0].id)
}

/// Sends the article so that it never arrives.
pub(crate) async fn sent_in_vain(site: &Site, desk: &Desk, slug: &str) -> PathBuf {
    let folder = article(desk, slug);
    site.inject(When::next(Request::CreatePost), Fault::DropBeforeCommit);
    let report = register_one(desk, &folder).await;
    expect(site, desk, &report, slug, UNKNOWN).await;
    folder
}

/// The ids that the halt shows to a person.
pub(crate) fn shown(desk: &Desk, slug: &str) -> Vec<u64> {
    let evidence = desk.record(slug).evidence.expect("a halt has its evidence");
    let rows = evidence["rows"].as_array().cloned().unwrap_or_default();
    let ids = rows.iter().filter_map(|row| row["id"].as_u64());
    ids.chain(evidence["by_id"]["id"].as_u64()).collect()
}

/// Bounds of a creating client that waits no longer than it must; a real site under load needs its time.
pub(crate) fn impatient(site: &Site) -> Timeouts {
    let patience = if site.real().is_some() { Duration::from_secs(10) } else { Duration::from_millis(500) };
    Timeouts {
        connect: Duration::from_secs(5),
        write_idle: Duration::from_secs(5),
        first_byte: patience,
        read_idle: patience,
        whole_answer: patience,
    }
}

/// Behind the scenes of the practice site, where it is one.
pub(crate) fn backstage(site: &Site) -> Option<Handle> {
    match site {
        Site::Practice { site, .. } => Some(site.handle()),
        Site::Real { .. } => None,
    }
}

/// A practice site whose clock and a desk's clock move together: what the engine sleeps passes there as well.
pub(crate) async fn in_step(release: Release) -> (Site, Desk) {
    let clock = Clock::manual(Clock::real().now());
    let password = "correct horse battery staple";
    let roles = [
        (Who::Administrator, Role::Administrator),
        (Who::Editor, Role::Editor),
        (Who::Author, Role::Author),
        (Who::OtherAuthor, Role::Author),
        (Who::Contributor, Role::Contributor),
        (Who::Subscriber, Role::Subscriber),
    ];
    let accounts = roles.map(|(who, role)| Account::new(who.login(), role, password)).to_vec();
    let options = Options {
        language: Language::English,
        release,
        accounts,
        clock: clock.clone(),
        fields: ichido_tests::fields(),
        ..Options::default()
    };
    let site = PracticeSite::start(options).await.expect("a loopback port is free");
    let site = Site::Practice { site, release, permalinks: Permalinks::Pretty };
    let desk = Desk::at(&site).await;
    desk.clock.on_sleep(move |time| clock.advance(time));
    (site, desk)
}

/// Makes each case a test of its own on both manners of the practice site, with its clock in step with the engine's:
/// a real WordPress has the time of its own computer, which cannot be set forward.
macro_rules! with_time {
    ($($(#[$meta:meta])* async fn $name:ident($site:ident: &Site, $desk:ident: &Desk) $body:block)*) => {$(
        $(#[$meta])*
        mod $name {
            #[allow(unused_imports, reason = "not every case needs all that its file uses")]
            use super::*;

            async fn case($site: &Site, $desk: &Desk) $body

            #[tokio::test]
            async fn practice_old() {
                let (site, desk) = crate::faults::in_step(ichido_practice::Release::V6_1).await;
                case(&site, &desk).await;
            }

            #[tokio::test]
            async fn practice_new() {
                let (site, desk) = crate::faults::in_step(ichido_practice::Release::V7_1).await;
                case(&site, &desk).await;
            }
        }
    )*};
}
pub(crate) use with_time;
