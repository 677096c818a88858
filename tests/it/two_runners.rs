//! Two processes on one journal: the second one waits or names the first, and a dead one holds nothing.

use ichido_practice::Release;

use crate::crashes::two_articles;
use crate::faults::in_step;
use crate::process::{Program, sending_in_whole_journal};

#[tokio::test]
async fn a_second_process_names_the_one_at_work_and_the_lock_dies_with_it() {
    let (site, desk) = in_step(Release::V7_1).await;
    two_articles(&desk);
    let register = || Program::register(&desk, &site);
    let mut first = register().with("ICHIDO_FAILPOINT", "post:before_begin_send").start();
    first.stands_at("post:before_begin_send").await;
    let creates = site.creates();
    for lang in ["ja", "en"] {
        let second = register().and(&["--lang", lang]).run().await;
        assert_eq!(second.status, Some(7), "{second:?}");
        let last: serde_json::Value =
            serde_json::from_str(second.stdout.lines().last().expect("a line")).expect("JSON");
        assert_eq!(last["code"], "held_by");
        let message = last["message"].as_str().expect("a sentence");
        assert!(message.contains(&first.id().to_string()) && message.contains("--wait"), "{message}");
    }
    assert_eq!(site.creates(), creates, "the second one sent nothing");
    first.kill().await;
    let third = register().run().await;
    assert_eq!((third.status, &third.summary()["created"]), (Some(0), &2.into()), "{third:?}");
    assert_eq!(sending_in_whole_journal(&desk), Vec::<String>::new());
}

#[tokio::test]
async fn a_process_that_waits_goes_on_when_the_other_is_killed() {
    let (site, desk) = in_step(Release::V7_1).await;
    two_articles(&desk);
    let mut first = Program::register(&desk, &site).with("ICHIDO_FAILPOINT", "post:before_settle").start();
    first.stands_at("post:before_settle").await;
    let mut second = Program::register_waiting(&desk, &site, 600).start();
    second.tells("\"waiting\"").await;
    first.kill().await;
    let second = second.end().await;
    assert_eq!(second.status, Some(0), "{second:?}");
    assert_eq!((&second.summary()["adopted"], &second.summary()["created"]), (&1.into(), &1.into()));
    assert!(site.creates_by_operation().values().all(|count| *count == 1));
    assert_eq!((site.posts().await.len(), site.media().await.len()), (2, 2));
}
