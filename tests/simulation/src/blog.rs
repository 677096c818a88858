//! One site, with the people on it.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use ichido_engine::Event;
use ichido_practice::{Account, Fault, Handle, Language, Options, PracticeSite, Request, Role, Status};
use ichido_wordpress::Credentials;
use secrecy::SecretString;

use crate::articles::Articles;
use crate::clock::SimClock;
use crate::coverage::variant;
use crate::ledger::{Intent, Ledger};
use crate::life::{AtRequest, Life};
use crate::schedule::{Hand, Manners};
use crate::trace::Trace;

const LOGIN: &str = "author";
const OTHER: u64 = 2;
const PASSWORD: &str = "abcd efgh ijkl mnop";

/// One site, with what is known of it.
pub(crate) struct Blog {
    pub(crate) name: String,
    site: PracticeSite,
    pub(crate) handle: Handle,
    manners: Manners,
    pub(crate) ledger: RefCell<Ledger>,
    pub(crate) password_is_right: Cell<bool>,
    traced: Cell<usize>,
}

impl Blog {
    pub(crate) async fn start(number: usize, manners: Manners, clock: &SimClock, life: &Arc<Life>) -> Self {
        let role = if manners.editor { Role::Editor } else { Role::Author };
        let accounts =
            vec![Account::new(LOGIN, role, PASSWORD), Account::new("other", Role::Author, PASSWORD)];
        let options = Options {
            language: Language::English,
            permalinks: manners.permalinks,
            release: manners.release,
            accounts,
            clock: clock.of_site(),
            ..Options::default()
        };
        let site = PracticeSite::start(options).await.expect("a loopback port is free");
        let handle = site.handle();
        let life = Arc::clone(life);
        handle.watch(move |_| match life.request() {
            AtRequest::GoesOn => None,
            AtRequest::DiesBefore => Some(Fault::SilenceBeforeCommit),
            AtRequest::DiesAfter => Some(Fault::CommitThenSilence),
        });
        let name = format!("site-{number}");
        let blog = Self {
            name,
            site,
            handle,
            manners,
            ledger: RefCell::default(),
            password_is_right: Cell::new(true),
            traced: Cell::new(0),
        };
        // Something that was there before, and is nobody's business.
        for (title, slug) in [("Hello world", "hello-world"), ("Notes", "notes")] {
            let id = blog.handle.write_draft(OTHER, title, slug, "<p>Theirs.</p>");
            blog.handle.publish_post(id);
            blog.ledger.borrow_mut().accept(&blog.handle, id);
        }
        blog
    }

    pub(crate) fn url(&self) -> &str {
        self.site.url()
    }

    pub(crate) fn credentials(&self) -> Credentials {
        let password = if self.password_is_right.get() { PASSWORD } else { "not the password" };
        Credentials::new(LOGIN, &SecretString::from(password)).expect("a login and a password")
    }

    pub(crate) fn may_upload(&self, may: bool) {
        let role = match (may, self.manners.editor) {
            (false, _) => Role::Contributor,
            (true, true) => Role::Editor,
            (true, false) => Role::Author,
        };
        self.handle.change_role(LOGIN, role);
    }

    /// Compares the site with what is known of it, and writes down what it was asked since.
    pub(crate) fn observe(&self, trace: &RefCell<Trace>) {
        let requests = self.handle.requests();
        let mut trace = trace.borrow_mut();
        for request in requests.iter().skip(self.traced.get()) {
            trace.note(format!("{} {}", self.name, line(request)));
        }
        self.traced.set(requests.len());
        drop(trace);
        self.ledger.borrow_mut().observe(self.url(), &self.handle, &requests);
    }

    /// A person does something on the site by hand.
    pub(crate) fn by_hand(&self, hand: Hand, articles: &Articles, trace: &RefCell<Trace>) {
        self.observe(trace);
        let draft = |article: usize| {
            let ledger = self.ledger.borrow();
            let live = ledger.live(Intent::Article(article));
            live.first().copied()
        };
        let touch = |article: usize| self.ledger.borrow_mut().touch(Intent::Article(article));
        let handle = &self.handle;
        let done = match hand {
            Hand::EditContent(article) => draft(article).inspect(|id| {
                handle.edit_post(*id, |post| "<p>Another hand.</p>".clone_into(&mut post.content));
            }),
            Hand::EditTitle(article) => draft(article).inspect(|id| {
                handle.edit_post(*id, |post| "Another title".clone_into(&mut post.title));
            }),
            Hand::Rename(article) => draft(article).inspect(|id| {
                touch(article);
                handle.rename_post(*id, &format!("renamed-{article}"));
            }),
            Hand::Trash(article) => draft(article).inspect(|id| {
                touch(article);
                handle.trash_post(*id);
            }),
            Hand::Untrash(article) => {
                let trashed = self.ledger.borrow().trashed(Intent::Article(article));
                // Nobody takes out of the trash what has been made anew.
                let trashed = trashed.first().copied().filter(|_| draft(article).is_none());
                trashed.inspect(|id| handle.untrash_post(*id))
            }
            Hand::Delete(article) => draft(article).inspect(|id| {
                touch(article);
                handle.delete_post(*id);
            }),
            Hand::Publish(article) => draft(article).inspect(|id| handle.publish_post(*id)),
            Hand::DeleteImage(article) => return self.delete_image(article, trace),
            Hand::RestoreSite(drafts) => return self.restore(drafts, trace),
            Hand::Stranger { article, published } => {
                let id = handle.write_draft(OTHER, "Theirs", &articles.slug(article), "<p>Theirs.</p>");
                if published {
                    handle.publish_post(id);
                }
                Some(id)
            }
        };
        if let Some(id) = done {
            trace.borrow_mut().count(format!("hand {}", variant(&hand)));
            self.ledger.borrow_mut().accept(handle, id);
        }
        trace.borrow_mut().note(format!("{} by hand: {hand:?} {done:?}", self.name));
    }

    /// Sends a creating request as the program would, with the operation of an earlier one.
    pub(crate) async fn send_raw(&self, path: &str, operation: &str, title: &str) {
        let tls =
            rustls::ClientConfig::builder_with_provider(rustls::crypto::ring::default_provider().into())
                .with_safe_default_protocol_versions()
                .expect("versions")
                .with_root_certificates(rustls::RootCertStore::empty())
                .with_no_client_auth();
        let client =
            reqwest::Client::builder().tls_backend_preconfigured(tls).no_proxy().build().expect("a client");
        let body = serde_json::json!({ "title": title, "content": "<p>Again.</p>", "status": "draft" });
        let sent = client
            .post(format!("{}{path}", self.url()))
            .basic_auth(LOGIN, Some(PASSWORD))
            .header("idempotency-key", format!("\"{operation}\""))
            .header("content-type", "application/json")
            .body(body.to_string())
            .send()
            .await;
        drop(sent.expect("the site answers"));
    }

    /// The last of our drafts are gone, as after a backup was put back.
    fn restore(&self, drafts: usize, trace: &RefCell<Trace>) {
        let mut ledger = self.ledger.borrow_mut();
        let ours = ledger.posts.iter().rev().filter(|(_, known)| known.row.is_some());
        let ours = ours.filter_map(|(id, known)| Some((*id, known.intent?)));
        let gone: Vec<(u64, Intent)> = ours.take(drafts).collect();
        for (id, intent) in &gone {
            self.handle.delete_post(*id);
            ledger.touch(*intent);
            ledger.accept(&self.handle, *id);
        }
        let mut trace = trace.borrow_mut();
        if gone.len() > 1 {
            trace.count("hand RestoreSite");
        }
        trace.note(format!("{} by hand: put back to before {gone:?}", self.name));
    }

    fn delete_image(&self, number: usize, trace: &RefCell<Trace>) {
        let mut ledger = self.ledger.borrow_mut();
        let live = ledger.media.iter().filter(|(_, known)| known.row.is_some());
        let ids: Vec<(u64, Option<Intent>)> = live.map(|(id, known)| (*id, known.intent)).collect();
        let Some((id, intent)) = ids.get(number * ids.len() / 20).copied() else { return };
        trace.borrow_mut().count("hand DeleteImage");
        self.handle.delete_media(id);
        if let Some(known) = ledger.media.get_mut(&id) {
            known.row = None;
        }
        // What is gone is uploaded anew.
        intent.into_iter().for_each(|intent| ledger.allow(intent));
        trace.borrow_mut().note(format!("{} by hand: image {id} deleted", self.name));
    }
}

/// A request without what differs from one computer to the next.
fn line(request: &Request) -> String {
    let mut query: Vec<String> = request
        .query
        .split('&')
        .filter(|part| !part.starts_with("exclude"))
        .map(|part| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let mut values: Vec<&str> = value.split("%2C").collect();
            values.sort_unstable();
            format!("{name}={}", values.join(","))
        })
        .collect();
    query.sort();
    format!(
        "{} {} {} {:?} {:?} {:?} {:?}",
        request.method,
        request.path,
        query.join("&"),
        request.effect,
        request.created,
        request.answered,
        request.met
    )
}

/// What was told without what differs from one computer to the next; nothing where that is all there is.
pub(crate) fn event_line(event: &Event) -> String {
    let end = |end: &ichido_engine::End| {
        format!("{:?} {:?} {:?}", end.ending, end.reason.map(ichido_engine::Reason::as_str), end.id)
    };
    match event {
        Event::Started { site, articles } => format!("started {site} {articles}"),
        Event::Checked { article, findings } => format!("checked {:?} {}", article.slug, findings.len()),
        Event::Step { article, step } => format!("step {:?} {step:?}", article.slug),
        Event::Ended { article, end: how } => format!("ended {:?} {}", article.slug, end(how)),
        Event::Foreseen { article, end: how } => format!("foreseen {:?} {}", article.slug, end(how)),
        Event::Noted { article, note } => {
            let note = serde_json::to_value(note).unwrap_or_default();
            format!("noted {:?} {}", article.slug, note["note"])
        }
        Event::Paused { reason, detail } => format!("paused {reason:?} {detail:?}"),
        Event::Barrier { reason } => format!("barrier {reason:?}"),
        Event::Waiting { for_ms, why } => format!("waiting {for_ms} {why:?}"),
    }
}

/// Whether a post is where people expect it.
pub(crate) fn is_live(status: Status) -> bool {
    status != Status::Trash
}
