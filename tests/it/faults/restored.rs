//! A site that is put back to an earlier state, and looks that grow old while a batch runs. On the practice site alone:
//! a real one cannot be emptied, nor somebody's draft be written, between two requests.

use std::time::Duration;

use ichido_core::operation::{HaltReason, State, WaitReason};
use ichido_core::tally::{Barrier, Ending};
use ichido_engine::{Event, Step};
use ichido_practice::{
    Account, Handle, Kind as Request, Language, Options, Permalinks, PracticeSite, Release, Role,
};
use ichido_tests::{Desk, Site, Who, ending};

use super::images::illustrated;
use super::{article, assert_sent_once, register_hearing, register_one, titled};

/// A site of one author at this port; each begins with the same ids.
async fn at_port(port: u16) -> Site {
    let accounts = vec![Account::new(Who::Author.login(), Role::Author, "abcdefghijklmnopqrstuvwx")];
    let (release, permalinks) = (Release::V7_1, Permalinks::Pretty);
    let options =
        Options { port, language: Language::English, release, permalinks, accounts, ..Options::default() };
    let site = PracticeSite::start(options).await.expect("the port is free");
    Site::Practice { site, release, permalinks }
}

fn handle(site: &Site) -> Handle {
    let Site::Practice { site, .. } = site else { panic!("the practice site") };
    site.handle()
}

#[tokio::test]
async fn an_id_that_comes_again_shuts_the_batch_and_every_article_is_told() {
    let site = at_port(0).await;
    let port = site.url().rsplit_once(':').and_then(|(_, port)| port.parse().ok()).expect("a port");
    let desk = Desk::at(&site).await;
    let first = article(&desk, "first");
    register_one(&desk, &first).await;
    let id = desk.record("first").remote_id;
    let Site::Practice { site, .. } = site else { panic!("the practice site") };
    site.stop().await;

    let site = at_port(port).await;
    let others = ["second", "third", "fourth"].map(|slug| article(&desk, slug));
    let report = desk.register_paths(&others).await.expect("the batch runs to its end");
    assert_eq!(desk.record("second").remote_id, id, "the site gives the same id again");
    assert_eq!(ending(&report, "second"), Ending::Created);
    for slug in ["third", "fourth"] {
        assert_eq!(ending(&report, slug), Ending::Waiting, "{slug}");
        assert_eq!(desk.state(slug), State::Waiting(WaitReason::ReleaseNeeded), "{slug}");
    }
    assert_eq!((report.barrier, report.exit_status()), (Some(Barrier::SiteRestored), 3));
    assert_eq!(desk.state("first"), State::Halted(HaltReason::Missing));
    assert_eq!((titled(&site, "second").await.len(), site.creates()), (1, 1));
    assert_sent_once(&site);
}

#[tokio::test]
async fn a_draft_that_waited_for_its_images_is_looked_for_again() {
    let site = at_port(0).await;
    let desk = Desk::at(&site).await;
    let folder = illustrated(&desk, "slow", 1);
    let (handle, author) = (handle(&site), site.credentials(Who::Author).id);
    let report = register_hearing(&desk, std::slice::from_ref(&folder), None, |event| {
        if let Event::Step { step: Step::Image { .. }, .. } = event {
            desk.clock.advance(Duration::from_secs(61));
            handle.write_draft(author, "somebody else's", "slow", "text");
        }
    })
    .await;
    assert_eq!(ending(&report, "slow"), Ending::Skipped);
    assert_eq!((titled(&site, "slow").await.len(), titled(&site, "somebody else's").await.len()), (0, 1));
}

#[tokio::test]
async fn an_image_that_two_articles_name_differently_is_sent_at_the_slug_that_was_looked_for() {
    let site = at_port(0).await;
    let desk = Desk::at(&site).await;
    for (slug, name) in [("one", "cat.png"), ("two", "dog.png")] {
        desk.write(slug, slug, &format!("text\n\n![]({name})"));
        desk.picture(slug, name, 7);
    }
    let report = desk.register().await;
    assert_eq!((report.tally.created, site.media().await.len()), (2, 1));
    let slug = site.media().await[0].slug.clone();
    let requests = handle(&site).requests();
    let mut before = requests.iter().take_while(|request| request.kind != Request::UploadMedia);
    assert!(before.any(|request| request.query.contains(&slug)), "{slug} was never looked for");
}
