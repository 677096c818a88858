//! Draws a schedule from a seed.

use std::time::Duration;

use ichido_practice::{Fault, Kind, Permalinks, Release, When, Which};

use crate::dice::Dice;
use crate::life::KillAt;
use crate::schedule::{Edit, Hand, JournalTrouble, Manners, ROUNDS, Schedule, Trouble, What};

const ARTICLES: usize = 20;

/// Statuses that say nothing of what was done.
const STATUSES: [u16; 9] = [403, 404, 409, 429, 500, 502, 503, 504, 520];
/// Codes that WordPress gives before it makes anything, with their statuses.
const REFUSALS: [(u16, &str); 9] = [
    (400, "rest_invalid_param"),
    (400, "rest_invalid_json"),
    (400, "empty_content"),
    (403, "rest_cannot_create"),
    (401, "rest_not_logged_in"),
    (401, "rest_forbidden"),
    (404, "rest_no_route"),
    (500, "rest_upload_unknown_error"),
    (400, "rest_upload_file_too_big"),
];
/// Codes that are on no list.
const STRANGE: [(u16, &str); 4] = [
    (400, "plugin_says_no"),
    (500, "internal_server_error"),
    (403, "security_plugin"),
    (409, "rest_conflict"),
];

pub(crate) fn schedule(seed: u64) -> Schedule {
    let mut dice = Dice::of(&[seed, 1]);
    let sites = if dice.percent(30) { 2 } else { 1 };
    let sites: Vec<Manners> = (0..sites).map(|_| manners(&mut dice)).collect();
    let mut troubles = Vec::new();
    for _ in 0..dice.between(1, 6) {
        let (when, fault) = fault(&mut dice);
        troubles.push((What::Fault(when, fault), None));
    }
    if dice.percent(65) {
        // Killed, and often enough killed again while it recovers.
        let first = dice.below(2);
        let times = if dice.percent(35) { dice.between(2, 3) } else { 1 };
        for time in 0..times {
            let reach = if time == 0 { 420 } else { 90 };
            troubles
                .push((What::Kill(kill(&mut dice, reach)), Some(first + usize::try_from(time).unwrap_or(0))));
        }
    }
    for _ in 0..dice.below(4) {
        troubles.push((What::Edit(dice.below(ARTICLES), edit(&mut dice)), Some(1 + dice.below(ROUNDS - 1))));
    }
    for _ in 0..dice.below(5) {
        let after = if dice.percent(40) { 0 } else { u32::try_from(dice.below(120)).unwrap_or(0) };
        troubles.push((What::Hand(after, hand(&mut dice)), None));
    }
    if dice.percent(8) {
        troubles.push((What::Journal(journal(&mut dice)), Some(1 + dice.below(ROUNDS - 1))));
    }
    for (share, what) in [
        (5, What::Maintenance),
        (5, What::HidesNewDrafts),
        (4, What::WrongPassword),
        (3, What::Contributor),
        (8, What::Stop(u32::try_from(dice.between(1, 120)).unwrap_or(1))),
        (6, What::WrongClock(dice.pick(&[-86_400_000, 86_400_000, -3_600_000, 600_000]))),
        (6, What::Reboot),
    ] {
        if dice.percent(share) {
            troubles.push((what, None));
        }
    }
    let troubles = troubles.into_iter().map(|(what, round)| Trouble {
        round: round.unwrap_or_else(|| if dice.percent(55) { 0 } else { dice.below(ROUNDS) }),
        site: dice.below(sites.len()),
        what,
    });
    let mut troubles: Vec<Trouble> = troubles.collect();
    troubles.sort_by_key(|trouble| trouble.round);
    Schedule { seed, articles: ARTICLES, sites, troubles }
}

fn manners(dice: &mut Dice) -> Manners {
    Manners {
        release: dice.pick(&[Release::V6_1, Release::V7_1]),
        permalinks: dice.pick(&[Permalinks::Pretty, Permalinks::Pretty, Permalinks::Plain]),
        editor: dice.percent(25),
    }
}

fn kill(dice: &mut Dice, reach: u64) -> KillAt {
    match dice.below(4) {
        0 | 1 => KillAt::Step(dice.between(1, reach * 2)),
        2 => KillAt::Arrived(dice.between(1, reach / 2)),
        _ => KillAt::CarriedOut(dice.between(1, reach / 2)),
    }
}

fn fault(dice: &mut Dice) -> (When, Fault) {
    let which = match dice.below(20) {
        0..=4 => Which::Kind(Kind::CreatePost),
        5..=8 => Which::Kind(Kind::UploadMedia),
        9 | 10 => Which::Creating,
        11 => Which::Kind(Kind::CreateTerm),
        12 | 13 => Which::Kind(Kind::Update),
        14..=16 => Which::Kind(Kind::LookUp),
        17 => Which::Kind(Kind::Identity),
        _ => Which::Any,
    };
    let most = match which {
        Which::Kind(Kind::CreatePost) => 19,
        Which::Kind(Kind::UploadMedia) | Which::Creating => 50,
        Which::Kind(Kind::CreateTerm | Kind::Identity) => 2,
        Which::Kind(_) => 25,
        Which::Any => 150,
    };
    let when = When { which, skip: u32::try_from(dice.below(most)).unwrap_or(0) };
    let upload =
        When { which: Which::Kind(Kind::UploadMedia), skip: u32::try_from(dice.below(40)).unwrap_or(0) };
    let creating = When { which: Which::Creating, skip: u32::try_from(dice.below(50)).unwrap_or(0) };
    let fault = match dice.below(26) {
        0 | 1 => Fault::CommitThenDropResponse,
        2 => Fault::DropBeforeCommit,
        // Within the settle window of ten minutes.
        3 | 4 => Fault::CommitLater(Duration::from_secs(dice.between(1, 590))),
        5 => Fault::CommitThenStatus(dice.pick(&STATUSES)),
        6 => Fault::StatusBeforeCommit { status: dice.pick(&STATUSES), code: None, html: true },
        7 => coded(dice.pick(&REFUSALS)),
        8 => coded(dice.pick(&STRANGE)),
        9 => {
            let (status, code) = dice.pick(&STRANGE);
            Fault::CommitThenError { status, code: code.to_owned() }
        }
        10 => Fault::TruncateBody,
        11 => Fault::NoticeBeforeJson,
        12 => Fault::BomBeforeJson,
        13 => Fault::HtmlInsteadOfJson,
        14 => Fault::EmptyListInsteadOfObject,
        15 => Fault::EmptyBody,
        16 => {
            let status = dice.pick(&[301, 302, 303, 307, 308]);
            Fault::Redirect { status, location: "/elsewhere/".to_owned() }
        }
        17 => return (creating, Fault::HideFromLookups(u32::try_from(dice.between(1, 2)).unwrap_or(1))),
        18 => Fault::RefuseLookups(u32::try_from(dice.between(1, 12)).unwrap_or(1)),
        19 => return (upload, Fault::MediaFatalAfterInsert),
        20 => Fault::CommitThenSilence,
        21 => Fault::SilenceBeforeCommit,
        22 => Fault::EndlessBody,
        23 => Fault::SlowBody(Duration::from_secs(dice.between(1, 20))),
        24 => Fault::DeepJson(100_000),
        _ => Fault::InvalidUtf8,
    };
    (when, fault)
}

fn coded((status, code): (u16, &str)) -> Fault {
    Fault::StatusBeforeCommit { status, code: Some(code.to_owned()), html: false }
}

fn edit(dice: &mut Dice) -> Edit {
    dice.pick(&[Edit::Text, Edit::Text, Edit::Image, Edit::Folder, Edit::Slug, Edit::Remove, Edit::Restore])
}

fn hand(dice: &mut Dice) -> Hand {
    let article = dice.below(ARTICLES);
    match dice.below(13) {
        0 | 1 => Hand::EditContent(article),
        2 => Hand::EditTitle(article),
        3 => Hand::Rename(article),
        4 => Hand::Trash(article),
        5 => Hand::Untrash(article),
        6 => Hand::Delete(article),
        7 => Hand::Publish(article),
        8 => Hand::DeleteImage(article),
        9 => Hand::RestoreSite(2 + article / 4),
        _ => Hand::Stranger { article, published: dice.percent(50) },
    }
}

fn journal(dice: &mut Dice) -> JournalTrouble {
    dice.pick(&[
        JournalTrouble::Missing,
        JournalTrouble::Older,
        JournalTrouble::Older,
        JournalTrouble::NoSidecar,
        JournalTrouble::Damaged,
    ])
}
