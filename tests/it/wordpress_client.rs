//! The client on every site, practice and real.

use std::time::Duration;

use ichido_core::evidence::AskFailure;
use ichido_core::id::{OpId, RemoteId};
use ichido_core::operation::Kind;
use ichido_core::outcome::{Created, NotSent, Outcome, RefusalCode, Sent, UnknownCause};
use ichido_core::permit::SendPermit;
use ichido_core::slug::Slug;
use ichido_practice::{Fault, Kind as Request, Permalinks, When};
use ichido_tests::{Place, Site, Who};
use ichido_wordpress::{
    AskError, Attach, ById, Class, Client, Credentials, DiscoverError, Discovered, DraftRequest, Options,
    Row, Scope, Status, Taxonomy, TermRequest, UploadRequest, discover,
};
use md5::{Digest as _, Md5};
use uuid::Uuid;

use crate::contract::on_every_site;

/// A PNG of one pixel.
const PIXEL: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0,
    0, 1, 8, 2, 0, 0, 0, 0x90, 0x77, 0x53, 0xde, 0, 0, 0, 0x0c, b'I', b'D', b'A', b'T', 0x08, 0xd7, 0x63,
    0xf8, 0xcf, 0xc0, 0, 0, 3, 1, 1, 0, 0x18, 0xdd, 0x8d, 0xb0, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae,
    0x42, 0x60, 0x82,
];

fn options() -> Options {
    let mut options = Options { back_off: vec![Duration::ZERO; 2], ..Options::default() };
    options.creating.first_byte = Duration::from_secs(30);
    options
}

async fn found(site: &Site) -> Discovered {
    discover(&site.url(), &options()).await.expect("the site is found")
}

async fn client(site: &Site, who: Who) -> Client {
    client_with(site, who, &site.credentials(who).password).await
}

async fn client_with(site: &Site, who: Who, password: &str) -> Client {
    let credentials = Credentials::new(who.login(), &password.into()).expect("they can be sent");
    Client::new(&found(site).await.rest_root, credentials, options()).expect("the root is usable")
}

/// Permits a request as the journal would.
#[expect(clippy::disallowed_methods, reason = "there is no journal here")]
fn permit(kind: Kind) -> (OpId, SendPermit) {
    let op_id = OpId::new(Uuid::now_v7());
    (op_id, SendPermit::after_durable_commit(op_id, kind))
}

fn slug(text: &str) -> Slug {
    Slug::sanitise(text).expect("it holds a letter")
}

/// A draft at this slug, with its marker.
fn draft(name: &str, op_id: OpId) -> DraftRequest {
    DraftRequest {
        slug: slug(name),
        title: format!("題 of {name}"),
        excerpt: "抜粋".into(),
        content: format!(
            "<!-- wp:paragraph {{\"ichido\":\"{op_id}\"}} -->\n<p>本文 \\ $1 of {name}</p>\n<!-- /wp:paragraph -->"
        ),
        tags: vec![],
        categories: vec![],
        featured_media: None,
    }
}

fn image(name: &str) -> UploadRequest {
    UploadRequest {
        bytes: PIXEL.to_vec().into(),
        file_name: format!("{name}.png"),
        mime: "image/png".into(),
        slug: slug(name),
        title: "写真".into(),
        alt_text: "代替".into(),
        caption: "説明".into(),
        private: false,
        md5_hex: Md5::digest(PIXEL).iter().map(|byte| format!("{byte:02x}")).collect(),
        defer_sizes: false,
    }
}

async fn create(client: &Client, name: &str) -> (OpId, Sent) {
    let (op_id, permit) = permit(Kind::Post);
    let sent = client.create_draft(permit, &draft(name, op_id)).await;
    assert_eq!(sent.op_id, op_id);
    (op_id, sent)
}

async fn upload(client: &Client, request: &UploadRequest) -> Sent {
    client.upload_image(permit(Kind::Image).1, request).await
}

fn created(sent: Sent) -> Created {
    match sent.outcome {
        Outcome::Created(created) => *created,
        other @ (Outcome::NotSent(_) | Outcome::Refused(_) | Outcome::Unknown(_)) => {
            panic!("not created: {other:?}")
        }
    }
}

async fn row(client: &Client, class: Class, id: RemoteId) -> Row {
    match client.by_ids(class, &[id]).await.expect("an answer").value.remove(0) {
        (_, ById::There(row)) => *row,
        other => panic!("not there: {other:?}"),
    }
}

fn ids(rows: &[Row]) -> Vec<u64> {
    rows.iter().map(|row| row.id.0).collect()
}

on_every_site! {
    async fn the_site_is_found_from_its_address(site: &Site) {
        let found = found(site).await;
        assert_eq!((found.home.as_str(), found.site_url.as_str()), (site.url().as_str(), site.url().as_str()));
        assert_eq!(found.rest_root, format!("{}/wp-json/", site.url()));
        assert!(found.namespaces.iter().any(|name| name == "wp/v2"), "{found:?}");
        assert!(found.application_passwords.is_some_and(|address| address.ends_with("/authorize-application.php")));
        for inner in ["/wp-admin/edit.php?a=b", "/some-post/"] {
            let from_within = discover(&format!("{}{inner}", site.url()), &options()).await.expect("the site is found");
            assert_eq!(from_within.rest_root, found.rest_root, "{inner}");
        }
    }

    async fn each_user_is_named_with_what_they_may_do(site: &Site) {
        for (who, [edit, publish, upload, others, categories]) in [
            (Who::Administrator, [true; 5]),
            (Who::Editor, [true; 5]),
            (Who::Author, [true, true, true, false, false]),
            (Who::Contributor, [true, false, false, false, false]),
            (Who::Subscriber, [false; 5]),
        ] {
            let answered = client(site, who).await.identify().await.expect("the user is known");
            let (identity, can) = (&answered.value, &answered.value.can);
            assert_eq!((identity.id, identity.login.as_str()), (site.credentials(who).id, who.login()));
            assert_eq!(identity.roles, [who.login().trim_start_matches("other-")]);
            let may = [can.edit_posts(), can.publish_posts(), can.upload_files(), can.edit_others_posts(), can.manage_categories()];
            assert_eq!(may, [edit, publish, upload, others, categories], "{who:?}");
            assert!(answered.site_time.is_some());
        }
    }

    async fn revoked_and_wrong_passwords_never_mean_not_found(site: &Site) {
        let client = client(site, Who::Author).await;
        created(create(&client, "a").await.1);
        site.revoke_password(Who::Author).await;
        let wrong = client_with(site, Who::Author, "wrong word").await;
        for client in [client, wrong] {
            let failures = [
                client.identify().await.map(|_| ()).unwrap_err().failure(),
                client.by_slugs(Class::Posts, &[slug("a")]).await.map(|_| ()).unwrap_err().failure(),
                client.above(Class::Posts, RemoteId(0), Scope::Mine(1)).await.map(|_| ()).unwrap_err().failure(),
                client.newest_id(Class::Media, Scope::All).await.map(|_| ()).unwrap_err().failure(),
                client.by_ids(Class::Posts, &[RemoteId(1)]).await.map(|_| ()).unwrap_err().failure(),
            ];
            assert_eq!(failures, [AskFailure::NotOurUser; 5]);
            let (_, sent) = create(&client, "b").await;
            let Outcome::Refused(refusal) = sent.outcome else { panic!("{sent:?}") };
            assert!(refusal.code.pauses_site(), "{refusal:?}");
        }
        assert_eq!(site.posts().await.len(), 1);
    }

    async fn a_draft_is_created_as_it_was_sent_and_found_in_every_way(site: &Site) {
        let client = client(site, Who::Author).await;
        let me = Scope::Mine(site.credentials(Who::Author).id);
        let mark = client.newest_id(Class::Posts, me).await.unwrap().value.id.unwrap_or(RemoteId(0));
        let name = "日本語の記事-1";
        let (op_id, sent) = create(&client, name).await;
        let made = created(sent);
        let request = draft(name, op_id);

        let recorded = made.row.expect("the answer can be read");
        assert_eq!((recorded.slug.as_str(), recorded.status.as_str()), (name, "draft"));
        let row = row(&client, Class::Posts, made.id).await;
        assert_eq!(row.recorded(), recorded, "read back as answered");
        assert_eq!((row.slug.as_str(), &row.status, row.author), (name, &Status::Draft, site.credentials(Who::Author).id));
        assert_eq!(row.title.as_deref(), Some(request.title.as_str()));
        assert_eq!(row.content.as_deref(), Some(request.content.as_str()));
        assert_eq!(row.excerpt.as_deref(), Some(request.excerpt.as_str()));

        let by_slug = client.by_slugs(Class::Posts, &[slug(name), slug("none")]).await.unwrap();
        assert_eq!((by_slug.value.rows, by_slug.value.hidden), (vec![row.clone()], vec![]));
        assert!(by_slug.site_time.is_some());
        let listing = client.above(Class::Posts, mark, me).await.unwrap().value;
        assert_eq!((listing.rows.iter().map(|row| row.id).collect::<Vec<_>>(), listing.hidden), (vec![made.id], 0));
        assert_eq!(client.newest_id(Class::Posts, me).await.unwrap().value.id, Some(made.id));
        assert_eq!(client.search(Class::Posts, op_id).await.unwrap().value, vec![row]);
        assert_eq!(client.search(Class::Posts, OpId::new(Uuid::now_v7())).await.unwrap().value, vec![]);
    }

    async fn the_trash_is_looked_through_and_what_is_gone_is_gone(site: &Site) {
        let client = client(site, Who::Author).await;
        let me = Scope::Mine(site.credentials(Who::Author).id);
        let long = "長い".repeat(11);
        let [trashed, deleted, kept] = [long.as_str(), "deleted", "kept"].map(|name| (name, slug(name)));
        let mut made = Vec::new();
        for (name, _) in [&trashed, &deleted, &kept] {
            made.push(created(create(&client, name).await.1).id);
        }
        site.trash(made[0].0).await;
        site.delete(made[1].0).await;
        let slugs = [trashed.1, deleted.1, kept.1];
        let found = client.by_slugs(Class::Posts, &slugs).await.unwrap().value;
        assert_eq!((ids(&found.rows), found.hidden), (vec![made[0].0, made[2].0], vec![]));
        assert!(found.rows[0].in_trash() && found.rows[0].slug == slugs[0].trashed());
        let listing = client.above(Class::Posts, RemoteId(made[0].0 - 1), me).await.unwrap().value;
        assert_eq!(listing.rows.iter().map(|row| row.id).collect::<Vec<_>>(), [made[2], made[0]]);
        let by_ids = client.by_ids(Class::Posts, &made).await.unwrap().value;
        assert!(matches!(&by_ids[0].1, ById::There(row) if row.in_trash()), "{by_ids:?}");
        assert_eq!(by_ids[1].1, ById::Gone);
        assert!(matches!(&by_ids[2].1, ById::There(_)), "{by_ids:?}");
    }

    async fn what_others_keep_from_us_is_hidden_and_not_absent(site: &Site) {
        let theirs = site.write_draft(Who::OtherAuthor, "T", "theirs", "x").await;
        let published = site.write_draft(Who::OtherAuthor, "P", "published", "x").await;
        site.publish(published).await;
        let author = client(site, Who::Author).await;
        let mine = created(create(&author, "mine").await.1).id;
        let slugs = ["theirs", "mine", "none", "published"].map(slug);
        let found = author.by_slugs(Class::Posts, &slugs).await.unwrap().value;
        assert_eq!((ids(&found.rows), found.hidden), (vec![published, mine.0], vec![slug("theirs")]));
        let by_ids = author.by_ids(Class::Posts, &[RemoteId(theirs)]).await.unwrap().value;
        assert_eq!(by_ids, [(RemoteId(theirs), ById::Forbidden)]);
        let own = author.above(Class::Posts, RemoteId(0), Scope::Mine(site.credentials(Who::Author).id)).await.unwrap().value;
        assert_eq!((own.rows.len(), own.hidden), (1, 0));

        let editor = client(site, Who::Editor).await;
        let found = editor.by_slugs(Class::Posts, &slugs).await.unwrap().value;
        assert_eq!((found.rows.len(), found.hidden), (3, vec![]));
        let all = editor.above(Class::Posts, RemoteId(0), Scope::All).await.unwrap().value;
        assert_eq!((all.rows.len(), all.hidden), (3, 0));
    }

    async fn a_published_post_of_a_contributor_is_listed_though_not_theirs_to_edit(site: &Site) {
        let contributor = client(site, Who::Contributor).await;
        let made = created(create(&contributor, "mine").await.1).id;
        site.publish(made.0).await;
        let me = Scope::Mine(site.credentials(Who::Contributor).id);
        let listing = contributor.above(Class::Posts, RemoteId(0), me).await.unwrap().value;
        assert_eq!((listing.rows.len(), listing.hidden), (1, 0));
        assert_eq!(contributor.newest_id(Class::Posts, me).await.unwrap().value.id, Some(made));
        let found = contributor.by_slugs(Class::Posts, &[slug("mine")]).await.unwrap().value;
        assert_eq!((found.rows[0].content.clone(), found.hidden), (None, vec![]));
    }

    async fn an_image_is_uploaded_attached_and_found(site: &Site) {
        let client = client(site, Who::Author).await;
        let me = Scope::Mine(site.credentials(Who::Author).id);
        let name = "photo-0123456789ab";
        let made = created(upload(&client, &UploadRequest { private: true, ..image(name) }).await);
        assert!(!made.needs_post_process, "{made:?}");
        let recorded = made.row.clone().expect("the answer can be read");
        assert_eq!((recorded.slug.as_str(), recorded.status.as_str(), recorded.attached_to), (name, "private", 0));
        assert!(recorded.source_url.as_ref().is_some_and(|address| address.ends_with(&format!("/{name}.png"))), "{recorded:?}");
        let stored = row(&client, Class::Media, made.id).await;
        assert_eq!(stored.recorded(), recorded, "read back as answered");
        let facts = stored.media.expect("it is a file");
        assert_eq!((facts.alt_text.as_str(), facts.mime.as_str(), facts.dimensions), ("代替", "image/png", Some((1, 1))));
        assert_eq!((stored.title.as_deref(), stored.excerpt.as_deref()), (Some("写真"), Some("説明")));
        assert_eq!(ids(&client.by_slugs(Class::Media, &[slug(name)]).await.unwrap().value.rows), [made.id.0]);
        assert_eq!(client.newest_id(Class::Media, me).await.unwrap().value.id, Some(made.id));
        assert_eq!(client.above(Class::Media, RemoteId(made.id.0 - 1), me).await.unwrap().value.rows.len(), 1);

        let (op_id, permit_post) = permit(Kind::Post);
        let post = created(client.create_draft(permit_post, &DraftRequest { featured_media: Some(made.id), ..draft("a", op_id) }).await);
        assert_eq!(post.row.as_ref().map(|row| row.featured_media), Some(made.id.0));
        let attach = Attach { media: made.id, post: post.id, publish: true };
        for _ in 0..2 {
            let attached = created(client.attach(permit(Kind::Attach).1, attach).await);
            let row = attached.row.expect("the answer can be read");
            assert_eq!((attached.id, row.attached_to, row.status.as_str()), (made.id, post.id.0, "inherit"));
        }
        for _ in 0..2 {
            let processed = created(client.post_process(permit(Kind::PostProcess).1, made.id).await);
            assert_eq!((processed.id, processed.needs_post_process), (made.id, false));
        }
        assert_eq!(site.media().await.len(), 1);
    }

    async fn an_image_that_is_refused_made_nothing(site: &Site) {
        let author = client(site, Who::Author).await;
        let wrong_digest = UploadRequest { md5_hex: "0".repeat(32), ..image("a") };
        let no_image = UploadRequest { bytes: b"no picture".to_vec().into(), md5_hex: Md5::digest(b"no picture").iter().map(|byte| format!("{byte:02x}")).collect(), ..image("a") };
        let contributor = client(site, Who::Contributor).await;
        for (client, request, code) in [
            (&author, &wrong_digest, RefusalCode::UploadHashMismatch),
            (&author, &no_image, RefusalCode::UploadUnknownError),
            (&contributor, &image("a"), RefusalCode::CannotCreate),
        ] {
            let sent = upload(client, request).await;
            assert!(matches!(&sent.outcome, Outcome::Refused(refusal) if refusal.code == code), "{code:?}: {sent:?}");
        }
        assert_eq!(site.media().await, []);
    }

    async fn changes_to_what_is_not_ours_or_gone_concern_that_image_alone(site: &Site) {
        let (author, other) = (client(site, Who::Author).await, client(site, Who::OtherAuthor).await);
        let media = created(upload(&author, &image("a")).await).id;
        let post = created(create(&other, "a").await.1).id;
        let refusal = async |client: &Client| {
            let sent = client.attach(permit(Kind::Attach).1, Attach { media, post, publish: false }).await;
            match sent.outcome {
                Outcome::Refused(refusal) => refusal.code,
                other @ (Outcome::NotSent(_) | Outcome::Created(_) | Outcome::Unknown(_)) => panic!("not refused: {other:?}"),
            }
        };
        assert_eq!(refusal(&other).await, RefusalCode::CannotEditOthers);
        site.delete_media(media.0).await;
        assert_eq!(refusal(&other).await, RefusalCode::InvalidParam);
    }

    async fn terms_are_found_by_exact_name_and_made_once(site: &Site) {
        let client = client(site, Who::Author).await;
        let names = ["猫", "R&D", "Rust", "None"].map(str::to_owned);
        let create = async |name: &str| {
            let request = TermRequest { taxonomy: Taxonomy::Tag, name: name.into(), parent: 0 };
            created(client.create_term(permit(Kind::Term).1, &request).await).id.0
        };
        let mut made = Vec::new();
        for name in &names[..3] {
            made.push(create(name).await);
        }
        create("Rust入門").await;
        let found = client.terms(Taxonomy::Tag, &names).await.unwrap().value;
        let matches: Vec<Vec<u64>> = found.iter().map(|found| found.matches.iter().map(|term| term.id).collect()).collect();
        assert_eq!(matches, [vec![made[0]], vec![made[1]], vec![made[2]], vec![]]);
        assert_eq!(create("R&D").await, made[1], "a term that is there counts as created");
        let category = TermRequest { taxonomy: Taxonomy::Category, name: "分類".into(), parent: 0 };
        let refused = client.create_term(permit(Kind::Term).1, &category).await;
        assert!(matches!(&refused.outcome, Outcome::Refused(refusal) if refusal.code == RefusalCode::CannotCreate), "{refused:?}");
    }

    async fn terms_and_their_posts_come_together(site: &Site) {
        let client = client(site, Who::Editor).await;
        let category = TermRequest { taxonomy: Taxonomy::Category, name: "分類".into(), parent: 0 };
        let category = created(client.create_term(permit(Kind::Term).1, &category).await).id.0;
        let tag = TermRequest { taxonomy: Taxonomy::Tag, name: "札".into(), parent: 0 };
        let tag = created(client.create_term(permit(Kind::Term).1, &tag).await).id.0;
        let (op_id, permit) = permit(Kind::Post);
        let request = DraftRequest { tags: vec![tag], categories: vec![category], ..draft("a", op_id) };
        let row = created(client.create_draft(permit, &request).await).row.expect("the answer can be read");
        assert_eq!((row.tags, row.categories), (vec![tag], vec![category]));
    }

    async fn an_answer_that_is_lost_or_spoilt_proves_no_more_than_it_does(site: &Site) {
        let client = client(site, Who::Author).await;
        let status = |status| Outcome::Unknown(UnknownCause::Status { status, code: None });
        let unreadable = |status| Outcome::Unknown(UnknownCause::Unreadable { status });
        let lost = Outcome::Unknown(UnknownCause::ConnectionLost);
        for (number, (fault, outcome)) in [
            (Fault::CommitThenDropResponse, Some(lost.clone())),
            (Fault::DropBeforeCommit, Some(lost)),
            (Fault::CommitThenStatus(502), Some(status(502))),
            (Fault::StatusBeforeCommit { status: 504, code: None, html: true }, Some(status(504))),
            (Fault::HtmlInsteadOfJson, Some(unreadable(200))),
            (Fault::EmptyListInsteadOfObject, Some(unreadable(200))),
            (Fault::EmptyBody, Some(unreadable(200))),
            (Fault::Redirect { status: 307, location: "/elsewhere".into() }, Some(Outcome::Unknown(UnknownCause::Redirect { status: 307 }))),
            // The head still tells the id.
            (Fault::TruncateBody, None),
            (Fault::NoticeBeforeJson, None),
            (Fault::BomBeforeJson, None),
        ]
        .into_iter()
        .enumerate()
        {
            site.forget_requests();
            let shown = format!("{fault:?}");
            site.inject(When::next(Request::CreatePost), fault);
            let (op_id, sent) = create(&client, &format!("fault-{number}")).await;
            match outcome {
                Some(outcome) => assert_eq!(sent.outcome, outcome, "{shown}"),
                None => {
                    let made = created(sent);
                    assert!(made.row.is_some(), "believed once it was read back: {shown}");
                    let row = row(&client, Class::Posts, made.id).await;
                    assert!(row.content.is_some_and(|content| content.contains(&op_id.to_string())), "{shown}");
                }
            }
            assert_eq!(site.creates_by_operation().into_iter().collect::<Vec<_>>(), [(op_id.to_string(), 1)], "{shown}");
        }
    }

    async fn an_image_whose_sizes_failed_is_finished_and_not_sent_again(site: &Site) {
        let client = client(site, Who::Author).await;
        site.inject(When::next(Request::UploadMedia), Fault::MediaFatalAfterInsert);
        let made = created(upload(&client, &image("a")).await);
        assert!(made.needs_post_process && made.row.is_none(), "{made:?}");
        assert_eq!(created(client.post_process(permit(Kind::PostProcess).1, made.id).await).id, made.id);
        assert_eq!(site.media().await.len(), 1);
    }

    async fn look_ups_that_are_refused_are_asked_again_and_then_given_up(site: &Site) {
        let client = client(site, Who::Author).await;
        site.inject(When::next(Request::LookUp), Fault::RefuseLookups(2));
        assert!(client.by_slugs(Class::Posts, &[slug("a")]).await.is_ok());
        // Come back by the time it was asked about something else.
        site.inject(When::next(Request::LookUp), Fault::RefuseLookups(3));
        let found = client.by_slugs(Class::Posts, &[slug("a")]).await.unwrap().value;
        assert_eq!((found.rows.len(), found.unasked.len()), (0, 0));
        site.inject(When::next(Request::LookUp), Fault::RefuseLookups(4));
        let error = client.by_slugs(Class::Posts, &[slug("a")]).await.unwrap_err();
        assert!(matches!(error, AskError::Status { status: 503, .. } | AskError::AskedToWait { .. }), "{error:?}");
    }

    async fn long_lists_are_read_to_their_end(site: &Site) {
        let client = client(site, Who::Author).await;
        let names: Vec<String> = (0..205).map(|number| format!("記事-{number:03}")).collect();
        for name in &names {
            site.write_draft(Who::Author, name, name, "x").await;
        }
        let me = Scope::Mine(site.credentials(Who::Author).id);
        let listing = client.above(Class::Posts, RemoteId(0), me).await.unwrap().value;
        assert_eq!((listing.rows.len(), listing.hidden), (205, 0));
        let slugs: Vec<Slug> = names.iter().map(|name| slug(name)).collect();
        let found = client.by_slugs(Class::Posts, &slugs).await.unwrap().value;
        assert_eq!((found.rows.len(), found.hidden), (205, vec![]));
        let by_ids = client.by_ids(Class::Posts, &found.rows.iter().map(|row| row.id).collect::<Vec<_>>()).await.unwrap().value;
        assert!(by_ids.iter().all(|(id, by_id)| matches!(by_id, ById::There(row) if row.id == *id)));
    }
}

/// The whole way where the route is a parameter.
async fn plain_permalinks(place: Place) {
    let site = Site::start_with(place, Permalinks::Plain).await;
    let found = found(&site).await;
    assert!(found.rest_root.contains("?rest_route="), "{}", found.rest_root);
    let client = client(&site, Who::Author).await;
    assert!(client.identify().await.is_ok());
    let made = created(create(&client, "記事").await.1);
    assert_eq!(ids(&client.by_slugs(Class::Posts, &[slug("記事")]).await.unwrap().value.rows), [made.id.0]);
    let media = created(upload(&client, &image("a")).await).id;
    let attach = Attach { media, post: made.id, publish: false };
    assert_eq!(created(client.attach(permit(Kind::Attach).1, attach).await).id, media);
    site.inject(When::next(Request::CreatePost), Fault::TruncateBody);
    let located = created(create(&client, "b").await.1);
    assert_eq!(row(&client, Class::Posts, located.id).await.slug, slug("b"));
}

#[tokio::test]
async fn sites_without_readable_permalinks_on_practice() {
    plain_permalinks(Place::PracticeOld).await;
    plain_permalinks(Place::PracticeNew).await;
}

#[tokio::test]
async fn sites_without_readable_permalinks_on_real_old() {
    plain_permalinks(Place::RealOld).await;
}

#[tokio::test]
async fn sites_without_readable_permalinks_on_real_new() {
    plain_permalinks(Place::RealNew).await;
}

/// What WordPress does while it updates itself. The file by which it knows stands in the tree that all sites share, so
/// that this site does the same by itself.
const MAINTENANCE: &str = "header('Retry-After: 600');
    wp_die(__('Briefly unavailable for scheduled maintenance. Check back in a minute.'), __('Maintenance'), 503);";

#[tokio::test]
async fn a_site_in_maintenance_executes_nothing_and_says_so() {
    for place in [Place::RealOld, Place::RealNew] {
        let site = Site::start(place).await;
        let client = client(&site, Who::Author).await;
        site.real().expect("a real site").install_plugin("maintenance", MAINTENANCE);
        let (_, sent) = create(&client, "a").await;
        let waited = NotSent::Maintenance { retry_after_s: Some(600) };
        assert_eq!(sent.outcome, Outcome::NotSent(waited));
        let error = client.identify().await.unwrap_err();
        assert_eq!((error.failure(), error.retry_after_s()), (AskFailure::Maintenance, Some(600)));
        let refused = discover(&site.url(), &options()).await;
        assert!(
            matches!(refused, Err(DiscoverError::AskedToWait { after_s: 600, maintenance: true })),
            "{refused:?}"
        );
    }
}
