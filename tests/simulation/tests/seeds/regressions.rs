//! Schedules that failed once, as small as they could be made.

use std::time::Duration;

use ichido_practice::{Fault, Kind, Permalinks, Release, When, Which};
use ichido_simulation::{
    Edit, Hand, JournalTrouble, KillAt, Manners, Sabotage, Schedule, Trouble, What, play,
};

const PLAIN_AUTHOR: Manners =
    Manners { release: Release::V7_1, permalinks: Permalinks::Plain, editor: false };
const OLD_AUTHOR: Manners = Manners { release: Release::V6_1, permalinks: Permalinks::Pretty, editor: false };

const OLD_EDITOR: Manners = Manners { editor: true, ..OLD_AUTHOR };

#[track_caller]
fn holds(seed: u64, sites: &[Manners], troubles: Vec<(usize, What)>) {
    let site = sites.len() - 1;
    let troubles = troubles.into_iter().map(|(round, what)| Trouble { round, site, what }).collect();
    let schedule = Schedule { seed, articles: 20, sites: sites.to_vec(), troubles };
    let violations = play(&schedule, Sabotage::None, false).violations;
    assert!(violations.is_empty(), "{schedule}{violations:#?}");
}

fn refused(status: u16, code: &str) -> Fault {
    Fault::StatusBeforeCommit { status, code: Some(code.to_owned()), html: false }
}

/// Articles that were not looked at before a stop waited without a reason.
#[test]
fn a_stop_before_the_site_was_asked() {
    holds(51, &[PLAIN_AUTHOR], vec![(0, What::Stop(10))]);
}

/// An article refused for its image lost the reason where the site could not be asked.
#[test]
fn a_refused_image_and_a_wrong_password() {
    let upload = When::after(Kind::UploadMedia, 36);
    let refused = What::Fault(upload, refused(404, "rest_no_route"));
    holds(449, &[PLAIN_AUTHOR], vec![(0, refused), (2, What::WrongPassword)]);
}

/// What an article was told to have ended as was not what a later look had found.
#[test]
fn a_look_for_one_article_settles_another() {
    let troubles = vec![
        (0, What::Fault(When { which: Which::Creating, skip: 21 }, refused(400, "plugin_says_no"))),
        (0, What::Fault(When::after(Kind::LookUp, 9), refused(403, "rest_cannot_create"))),
        (0, What::Fault(When::after(Kind::CreatePost, 3), Fault::EmptyListInsteadOfObject)),
    ];
    holds(967, &[OLD_AUTHOR], troubles);
}

/// The slug that a halt was shown and confirmed by did not find its record once that had moved to another.
#[test]
fn a_draft_is_deleted_and_its_slug_edited() {
    for seed in [1142, 2, 3] {
        holds(
            seed,
            &[OLD_EDITOR, OLD_AUTHOR],
            vec![(1, What::Hand(21, Hand::Delete(8))), (3, What::Edit(8, Edit::Slug))],
        );
    }
}

/// Killed at every kind of moment, and again in the next start.
#[test]
fn killed_twice_with_an_answer_that_comes_late() {
    let late = Fault::CommitLater(Duration::from_secs(500));
    for at in [KillAt::Step(200), KillAt::Arrived(30), KillAt::CarriedOut(30)] {
        for again in [KillAt::Step(60), KillAt::Arrived(5), KillAt::CarriedOut(5)] {
            let troubles = vec![
                (0, What::Fault(When::after(Kind::CreatePost, 4), late.clone())),
                (0, What::Kill(at)),
                (1, What::Kill(again)),
            ];
            holds(7, &[OLD_AUTHOR], troubles);
        }
    }
}

/// An article that was refused for an image that another article brought since had no reason to be refused.
#[test]
fn a_refused_image_that_another_article_brings() {
    let refused = What::Fault(When::after(Kind::UploadMedia, 3), refused(403, "rest_cannot_create"));
    holds(
        1308,
        &[Manners { release: Release::V6_1, ..PLAIN_AUTHOR }],
        vec![(0, refused), (2, What::Maintenance)],
    );
}

/// An article that a second look had halted was told to wait when the site was paused, which ended the whole run.
#[test]
fn halted_by_a_fresh_look_and_then_paused() {
    let slow = Fault::SlowBody(Duration::from_secs(7));
    let redirect = Fault::Redirect { status: 308, location: "/elsewhere/".to_owned() };
    let stranger = Hand::Stranger { article: 16, published: false };
    let troubles = vec![
        (0, What::Fault(When::after(Kind::UploadMedia, 17), slow)),
        (0, What::Fault(When { which: Which::Creating, skip: 30 }, redirect)),
        (0, What::Hand(35, stranger)),
    ];
    holds(10353, &[Manners { release: Release::V6_1, ..PLAIN_AUTHOR }], troubles);
}

/// After a journal was put back, the record of a slug that no article asks for any more kept creating shut for ever.
#[test]
fn an_older_journal_and_an_edited_slug() {
    let troubles = vec![
        (0, What::Fault(When::after(Kind::LookUp, 5), Fault::RefuseLookups(6))),
        (2, What::Edit(7, Edit::Slug)),
        (3, What::Journal(JournalTrouble::Older)),
    ];
    holds(1441, &[Manners { release: Release::V6_1, ..PLAIN_AUTHOR }], troubles);
}
