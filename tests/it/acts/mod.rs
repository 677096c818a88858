//! What a person can do about each halt: the halt is reached really, the act is done, and what follows is checked, on
//! the site and in the journal. An act that is not offered, not confirmed or not safe changes nothing.

mod again;
mod doubt;
mod images;
mod known;
mod unsent;

use std::path::PathBuf;

use ichido_core::act::Act;
use ichido_core::id::RemoteId;
use ichido_core::operation::State;
use ichido_engine::{ActError, CannotLink, Event, Wish};
use ichido_journal::Operation;
use ichido_tests::{Desk, SITE};

/// Does an act and returns the state that it led to.
pub(crate) async fn done(desk: &Desk, slug: &str, act: Act, id: Option<u64>) -> State {
    let operation = desk.act(slug, act, id).await;
    operation.unwrap_or_else(|error| panic!("{act:?} on {slug}: {error:?}")).standing.state
}

/// Does an act that must be refused, and sees to it that it changed nothing.
pub(crate) async fn refused(desk: &Desk, slug: &str, act: Act, id: Option<u64>) -> ActError {
    let before = desk.record(slug).standing;
    let error = desk.act(slug, act, id).await.expect_err("it must be refused");
    assert_eq!(desk.record(slug).standing, before, "{act:?} on {slug}: {error:?}");
    error
}

/// These acts are not offered.
pub(crate) async fn not_offered(desk: &Desk, slug: &str, acts: &[Act]) {
    for act in acts {
        let error = refused(desk, slug, *act, Some(1)).await;
        assert!(matches!(error, ActError::NotOffered { .. }), "{act:?} on {slug}: {error:?}");
    }
}

/// Linking these rows is refused, for these reasons.
pub(crate) async fn not_linked(desk: &Desk, slug: &str, rows: &[(u64, CannotLink)]) {
    for (id, why) in rows {
        let error = refused(desk, slug, Act::Link, Some(*id)).await;
        assert!(matches!(error, ActError::CannotLink { why: said, .. } if said == *why), "{id}: {error:?}");
    }
}

/// Does an act and types this, or nothing.
pub(crate) async fn typing(
    desk: &Desk,
    slug: &str,
    act: Act,
    id: Option<u64>,
    typed: Option<&str>,
) -> Result<Operation, ActError> {
    let wish = Wish {
        article: PathBuf::from(slug),
        image: None,
        act,
        id: id.map(RemoteId),
        typed: typed.map(str::to_owned),
    };
    desk.engine().act(SITE, desk.credentials(), &wish, &|_: &Event| {}).await
}

/// Does an act about the image of an article, typing what is to be typed.
pub(crate) async fn act_image(
    desk: &Desk,
    slug: &str,
    act: Act,
    id: Option<u64>,
) -> Result<Operation, ActError> {
    let wish = |typed| Wish {
        article: PathBuf::from(slug),
        image: Some(PathBuf::from("a.png")),
        act,
        id: id.map(RemoteId),
        typed,
    };
    let engine = desk.engine();
    match engine.act(SITE, desk.credentials(), &wish(None), &|_: &Event| {}).await {
        Err(ActError::NotConfirmed { expected }) => {
            engine.act(SITE, desk.credentials(), &wish(Some(expected)), &|_: &Event| {}).await
        }
        done => done,
    }
}
