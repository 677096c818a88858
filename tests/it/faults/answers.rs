//! Answers that cannot be read (faults 20 to 23).

use std::time::{Duration, Instant};

use ichido_core::operation::{State, WaitReason};
use ichido_core::outcome::UnknownCause;
use ichido_core::tally::Ending;
use ichido_engine::{Event, Note};
use ichido_practice::{Fault, Kind as Request, When};
use ichido_tests::{Desk, Place, Site};

use super::{
    ADOPTED, CREATED, Comes, VERIFIED, article, expect, impatient, register_hearing, register_one, titled,
};
use crate::contract::on_every_site;

/// Lets each fault spoil the answer to one draft, each of which must come to the same.
async fn each(site: &Site, faults: &[(&str, Fault)], comes: Comes) {
    let desk = Desk::at(site).await;
    for (slug, fault) in faults {
        let folder = article(&desk, slug);
        site.inject(When::next(Request::CreatePost), fault.clone());
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, slug, comes).await;
        assert_recorded(site, &desk, slug).await;
    }
    assert_eq!(site.creates(), faults.len());
}

/// The record knows the row as the site has it.
async fn assert_recorded(site: &Site, desk: &Desk, slug: &str) {
    let (record, post) = (desk.record(slug), titled(site, slug).await.remove(0));
    assert_eq!(record.remote_id.map(|id| id.0), Some(post.id), "{slug}");
    let recorded = record.recorded.unwrap_or_else(|| panic!("{slug} was read back"));
    assert_eq!((recorded.slug.as_str(), recorded.status.as_str()), (post.slug.as_str(), "draft"), "{slug}");
}

on_every_site! {
    async fn fault_20_what_stands_before_the_json_hides_nothing(site: &Site) {
        each(site, &[("notice", Fault::NoticeBeforeJson), ("bom", Fault::BomBeforeJson)], CREATED).await;
    }

    async fn fault_21_a_success_that_says_nothing_is_looked_into(site: &Site) {
        let faults = [
            ("list", Fault::EmptyListInsteadOfObject),
            ("html", Fault::HtmlInsteadOfJson),
            ("empty", Fault::EmptyBody),
        ];
        each(site, &faults, ADOPTED).await;
    }

    async fn fault_21_another_slug_than_the_one_asked_for_is_recorded(site: &Site) {
        let desk = Desk::at(site).await;
        // WordPress keeps this one for itself.
        let folder = article(&desk, "feed");
        let report = register_one(&desk, &folder).await;
        expect(site, &desk, &report, "feed", CREATED).await;
        let given = desk.record("feed").recorded.expect("it was answered").slug;
        assert_eq!((given.as_str(), titled(site, "feed").await[0].slug.as_str()), ("feed-2", "feed-2"));
        let told = |event: &Event| matches!(event, Event::Noted { note: Note::SlugGivenBySite { slug }, .. } if slug == "feed-2");
        assert!(desk.heard.lock().expect("nobody panicked").iter().any(told));
        let again = register_one(&desk, &folder).await;
        expect(site, &desk, &again, "feed", VERIFIED).await;
    }

    async fn fault_22_a_body_that_cannot_be_read_leaves_the_id_in_the_head(site: &Site) {
        let before = memory("VmRSS");
        let faults = [
            ("truncated", Fault::TruncateBody),
            ("no-text", Fault::InvalidUtf8),
            ("deep", Fault::DeepJson(100_000)),
            ("endless", Fault::EndlessBody),
        ];
        each(site, &faults, CREATED).await;
        let (peak, most) = (memory("VmHWM"), 50 * 1024);
        assert!(peak.saturating_sub(before) <= most, "{before} KiB before, {peak} KiB at most");
    }

    async fn fault_22_a_look_up_that_cannot_be_read_is_no_look(site: &Site) {
        let desk = Desk::at(site).await;
        for (slug, fault) in [
            ("endless", Fault::EndlessBody),
            ("deep", Fault::DeepJson(100_000)),
            ("no-text", Fault::InvalidUtf8),
            ("object", Fault::HtmlInsteadOfJson),
        ] {
            let folder = article(&desk, slug);
            site.forget_requests();
            // What is too long or a cache's is given up at once; after anything else it is found out whether the site
            // answers at all.
            let times = if matches!(fault, Fault::DeepJson(_) | Fault::InvalidUtf8) { 2 } else { 1 };
            for _ in 0..times {
                site.inject(When::next(Request::LookUp), fault.clone());
            }
            let report = register_one(&desk, &folder).await;
            let waiting =
                Comes { ending: Ending::Waiting, exit: 6, state: State::Waiting(WaitReason::CouldNotAsk), posts: 0 };
            expect(site, &desk, &report, slug, waiting).await;
            assert_eq!(site.creates(), 0, "{slug}");
            let report = register_one(&desk, &folder).await;
            expect(site, &desk, &report, slug, CREATED).await;
        }
    }

    async fn fault_23_an_answer_that_trickles_is_given_up_in_time(site: &Site) {
        let desk = Desk::at(site).await;
        let folder = article(&desk, "記事");
        let bounds = impatient(site);
        site.inject(When::next(Request::CreatePost), Fault::SlowBody(Duration::from_millis(100)));
        let begun = Instant::now();
        let report = register_hearing(&desk, &[folder], Some(bounds), |_| {}).await;
        assert!(begun.elapsed() < bounds.whole_answer + Duration::from_secs(60), "{:?}", begun.elapsed());
        // The head had told the id, so nothing is unknown.
        expect(site, &desk, &report, "記事", CREATED).await;
        assert_recorded(site, &desk, "記事").await;
    }
}

/// What this process holds, in KiB; each test has one of its own.
fn memory(what: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells");
    let line = status.lines().find_map(|line| line.strip_prefix(what)?.strip_prefix(':'));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).expect("a number")
}

/// Spoils what WordPress itself answers to a new draft. Only a plugin can, so this runs on real WordPress.
async fn spoilt_by_a_plugin(place: Place) {
    let site = Site::start(place).await;
    let desk = Desk::at(&site).await;
    let filter = |change: &str| {
        format!(
            "add_filter('rest_pre_echo_response', function ($answer, $server, $request) {{
                if ($request->get_method() !== 'POST' || $request->get_route() !== '/wp/v2/posts') {{ return $answer; }}
                {change}
                return $answer;
            }}, 10, 3);"
        )
    };
    let zipped = "header('Content-Encoding: gzip'); ob_start(function ($body) { return gzencode($body); });";
    for (slug, change, comes) in [
        ("empty-object", "$answer = new stdClass();", ADOPTED),
        ("other-type", "$answer['type'] = 'page';", ADOPTED),
        ("other-id", "$answer['id'] = $answer['id'] + 1;", ADOPTED),
        // Nobody asked for it, so nobody unpacks it: the head tells the id.
        ("zipped", zipped, CREATED),
    ] {
        let folder = article(&desk, slug);
        site.real().expect("a real site").install_plugin("spoils", &filter(change));
        let report = register_one(&desk, &folder).await;
        site.real().expect("a real site").remove_plugin("spoils");
        expect(&site, &desk, &report, slug, comes).await;
        assert_recorded(&site, &desk, slug).await;
        if comes.ending == Ending::Adopted {
            assert_eq!(desk.record(slug).unknown, Some(UnknownCause::Unreadable { status: 201 }));
        }
    }
}

#[tokio::test]
async fn fault_21_and_22_answers_spoilt_by_a_plugin_on_real_old() {
    spoilt_by_a_plugin(Place::RealOld).await;
}

#[tokio::test]
async fn fault_21_and_22_answers_spoilt_by_a_plugin_on_real_new() {
    spoilt_by_a_plugin(Place::RealNew).await;
}
