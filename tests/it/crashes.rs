//! The program is killed at every named point around a post and an image, and again while it recovers: never a second
//! post or image, nothing lost, and what a person must look at first stays shut until then.

mod midway;
mod points;
mod random;

use std::time::Duration;

use ichido_core::act::Act;
use ichido_core::operation::{HaltReason, Kind, State};
use ichido_core::tally::Barrier;
use ichido_engine::{Event, Wish, confirmation};
use ichido_practice::{Fault, Kind as Request, When};
use ichido_tests::{Desk, SITE, Site};

use crate::process::{Program, sending_in_whole_journal};

/// What a new start comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    /// Everything settles by itself, and the batch goes on.
    GoesOn,
    /// A person must look.
    Person,
}

/// One crash: where, and what follows.
struct Crash {
    /// What stands still where, or goes wrong on the wire.
    at: At,
    /// The kind of operation that the journal says is being sent.
    sending: Option<Kind>,
    then: Then,
    /// Where the new starts are killed.
    again: [&'static str; 2],
}

impl Crash {
    fn is_about_fields(&self) -> bool {
        let at_one = match self.at {
            At::Point(point) | At::PointAfter(point, ..) => point.starts_with("fields:"),
            At::Waiting(..) => false,
        };
        at_one || self.sending == Some(Kind::Fields)
    }
}

/// Where the program is killed.
enum At {
    /// At a named point.
    Point(&'static str),
    /// At a named point that is reached after a fault.
    PointAfter(&'static str, Request, Fault),
    /// While it waits for an answer, its request having been carried out or not.
    Waiting(Request, Fault),
}

/// Two articles with a picture each, the first with a new tag.
pub(crate) fn two_articles(desk: &Desk) {
    two_articles_with(desk, "");
}

/// What two articles have more where fields are what the crash is about.
const FIELDS: &str = "\nmeta: {subtitle: In detail, rating: 4}";

fn two_articles_with(desk: &Desk, more: &str) {
    for (slug, tags, seed) in [("first", "tags: [fresh]", 1), ("second", "tags: []", 2)] {
        let front =
            format!("title: {slug}\nslug: {slug}\nexcerpt: In short.\n{tags}\nfeatured_image: a.png{more}");
        desk.write_with(slug, &front, "Text with a picture.\n\n![A picture](a.png)");
        desk.picture(slug, "a.png", seed);
    }
}

async fn kill(site: &Site, desk: &Desk, at: At) {
    match at {
        At::Point(point) => Program::register(desk, site).kill_at(point).await,
        At::PointAfter(point, request, fault) => {
            site.inject(When::next(request), fault);
            Program::register(desk, site).kill_at(point).await;
        }
        At::Waiting(request, fault) => {
            let carried_out = fault == Fault::CommitThenSilence;
            let before = changes(site).await;
            site.inject(When::next(request), fault);
            let running = Program::register(desk, site).start();
            while site.faults_waiting() > 0 || (carried_out && !has_effect(site, request, &before).await) {
                tokio::task::yield_now().await;
            }
            running.kill().await;
        }
    }
}

/// What there is on the site: posts, media with their file, attached media, tags and, where that can be seen, posts with
/// fields.
async fn changes(site: &Site) -> [usize; 5] {
    let media = site.media().await;
    let attached = media.iter().filter(|media| media.parent != 0).count();
    let stored = media.iter().filter(|media| !media.sha256.is_empty()).count();
    let with_fields = crate::faults::backstage(site)
        .map_or(0, |site| site.posts().iter().filter(|post| !post.meta.is_empty()).count());
    let tags = site.terms(ichido_practice::Taxonomy::Tag).await.len();
    [site.posts().await.len(), stored, attached, tags, with_fields]
}

async fn has_effect(site: &Site, request: Request, before: &[usize; 5]) -> bool {
    let now = changes(site).await;
    match request {
        Request::CreatePost => now[0] > before[0],
        Request::UploadMedia => now[1] > before[1],
        Request::Update => now[2] > before[2] || now[4] > before[4],
        Request::CreateTerm => now[3] > before[3],
        Request::Delete | Request::LookUp | Request::Identity | Request::Discovery | Request::Page => true,
    }
}

/// Kills the program, kills it twice more while it recovers, and lets it come to its end.
async fn survive(site: &Site, desk: &Desk, crash: Crash) {
    let with_fields = crash.is_about_fields();
    site.register_fields();
    two_articles_with(desk, if with_fields { FIELDS } else { "" });
    kill(site, desk, crash.at).await;
    let sending: Vec<String> = crash.sending.iter().map(|kind| kind.as_str().to_owned()).collect();
    assert_eq!(sending_in_whole_journal(desk), sending, "what the journal says after the first crash");
    for point in crash.again {
        Program::register(desk, site).kill_at(point).await;
        sending_in_whole_journal(desk);
        assert_once(site, desk).await;
    }
    let before = site.creates();
    let ended = Program::register(desk, site).run().await;
    assert_once(site, desk).await;
    match crash.then {
        Then::GoesOn => assert_eq!(ended.status, Some(0), "{ended:?}"),
        Then::Person => {
            assert_eq!(ended.status, Some(3), "{ended:?}");
            assert_eq!(site.creates(), before, "creating is shut until a person has looked");
            let summary = ended.summary();
            assert_eq!(
                summary["waiting"].as_u64().expect("a count") + summary["unknown"].as_u64().expect("a count"),
                2
            );
            after_the_person(site, desk, crash.sending.expect("something is in doubt")).await;
        }
    }
    if crash.then == Then::GoesOn || site.real().is_none() {
        assert_complete(site, desk).await;
        if with_fields {
            for post in site.posts().await {
                let fields = crate::fields::shown(site, &post).await;
                assert_eq!(
                    (&fields["subtitle"], &fields["rating"]),
                    (&"In detail".into(), &4.into()),
                    "{fields}"
                );
            }
        }
    }
}

/// A person has looked and goes on: the other article is made, and what is in doubt stays so until the settle window
/// has passed and the person says that it is to be sent again.
async fn after_the_person(site: &Site, desk: &Desk, kind: Kind) {
    let released = desk.engine().release(Barrier::UncleanStop).await.expect("it can be released");
    assert_eq!(released, 1);
    let ended = Program::register(desk, site).run().await;
    assert_eq!(ended.status, Some(3), "{ended:?}");
    assert_eq!(ended.summary()["created"], 1, "{ended:?}");
    assert_once(site, desk).await;
    let first = desk.record("first");
    let image =
        (kind == Kind::Image).then(|| desk.journal().images_of(first.op_id).expect("images")[0].image);
    let doubted = match image {
        Some(image) => desk.journal().operation(image).expect("a journal").expect("the image"),
        None => first,
    };
    assert_eq!(doubted.standing.state, State::Halted(HaltReason::OutcomeUnknown));
    if site.real().is_some() {
        // Its clock is that of its own computer, which cannot be set forward.
        return;
    }
    let wish = Wish {
        article: "first".into(),
        image: doubted.source_path.clone().filter(|_| image.is_some()),
        act: Act::SendAgain,
        id: None,
        typed: Some(confirmation(&doubted).to_owned()),
    };
    let nobody = |_: &Event| {};
    desk.clock.advance(Duration::from_secs(601));
    desk.engine().act(SITE, desk.credentials(), &wish, &nobody).await.expect("the window has passed");
    let ended = Program::register(desk, site).run().await;
    assert_eq!(ended.status, Some(0), "{ended:?}");
}

/// Nothing is there twice, and nothing that must not be repeated was on the wire twice.
async fn assert_once(site: &Site, desk: &Desk) {
    let posts = site.posts().await;
    for title in ["first", "second"] {
        assert!(posts.iter().filter(|post| post.title == title).count() <= 1, "{posts:?}");
    }
    let media = site.media().await;
    for one in &media {
        assert_eq!(media.iter().filter(|other| other.sha256 == one.sha256).count(), 1, "{media:?}");
    }
    let journal = desk.journal();
    for (operation, count) in site.creates_by_operation() {
        let known = ichido_core::id::OpId::parse(operation.trim_matches('"'))
            .and_then(|id| journal.operation(id).expect("a journal"));
        let kind = known.expect("what was sent is in the journal").kind;
        assert!(count == 1 || !kind.must_not_repeat(), "{kind:?} {operation} was sent {count} times");
    }
}

/// Both drafts are there with their pictures, attached and featured, and another run finds nothing to do.
async fn assert_complete(site: &Site, desk: &Desk) {
    assert_once(site, desk).await;
    let (posts, media) = (site.posts().await, site.media().await);
    assert_eq!((posts.len(), media.len()), (2, 2), "{posts:?} {media:?}");
    for (slug, tags) in [("first", vec!["fresh".to_owned()]), ("second", vec![])] {
        let post = posts.iter().find(|post| post.title == slug).expect("a draft of each");
        assert_eq!((post.slug.as_str(), post.status.as_str(), &post.tags), (slug, "draft", &tags));
        let picture = media.iter().find(|media| media.parent == post.id).expect("its picture is attached");
        assert_eq!(post.featured_media, picture.id);
        assert_eq!(desk.state(slug), State::Done);
    }
    assert!(desk.journal().in_doubt(None).expect("a journal").is_empty());
    site.forget_requests();
    let ended = Program::register(desk, site).run().await;
    assert_eq!((ended.status, &ended.summary()["verified"]), (Some(0), &2.into()), "{ended:?}");
    assert_eq!(site.creates(), 0);
    assert_eq!(sending_in_whole_journal(desk), Vec::<String>::new());
}
