//! What a person is shown of a post before it is linked.

use ichido_core::id::RemoteId;
use ichido_core::operation::{HaltReason, State};
use ichido_engine::Field;
use ichido_practice::{Fault, Kind, When};
use ichido_tests::{Desk, SITE, Site};

use crate::contract::on_every_site;
use crate::sight::the_post;

on_every_site! {
    async fn an_untouched_draft_of_our_own_is_no_difference(site: &Site) {
        let desk = Desk::at(site).await;
        desk.write("own", "Own & \"quoted\"", "Text with a<br>break.\n\n---\n\n![one](one.png)\n\n- a list");
        desk.picture("own", "one.png", 3);
        let create = When::next(Kind::CreatePost);
        site.inject(create, Fault::HideFromLookups(8));
        site.inject(create, Fault::CommitThenDropResponse);
        desk.register().await;
        let record = desk.record("own");
        assert_eq!(record.standing.state, State::Halted(HaltReason::OutcomeUnknown));
        let posts = site.posts().await;
        let id = the_post(&posts, "own").id;

        let seen = desk.engine().peek(SITE, desk.credentials(), record.op_id, RemoteId(id)).await;
        let seen = seen.expect("the post can be read");
        assert_eq!(seen.differences, [], "what the site made of it is no difference");

        site.edit_content(id, "<p>Someone else's text.</p>").await;
        let seen = desk.engine().peek(SITE, desk.credentials(), record.op_id, RemoteId(id)).await;
        let fields: Vec<Field> =
            seen.expect("the post can be read").differences.iter().map(|difference| difference.field).collect();
        assert_eq!(fields, [Field::Content]);
    }
}
