//! The state of a site, and the one place where requests are carried out on it.

use std::collections::BTreeMap;

use axum::http::Method;
use chrono::{DateTime, SubsecRound as _, Utc};
use serde_json::json;

use crate::answer::{Answer, Refusal, Reply};
use crate::asked::Asked;
use crate::callers::{Caller, Member};
use crate::faults::{Fault, Queue};
use crate::log::{self, Effect, Log};
use crate::options::{Clock, Language, Options, Permalinks, Release};
use crate::route::{Kind, Route};
use crate::rows::{Hiding, Media, Post, Row, Status, Taxonomy, Term, User};
use crate::{index, media, posts, terms, users};

/// A request whose effect comes later.
pub(crate) struct Late {
    due: DateTime<Utc>,
    asked: Asked,
    kind: Kind,
    hide: Option<u32>,
    number: u64,
}

/// Sees each request to the REST API before anything is done about it; the fault that it returns meets the request.
pub(crate) type Watcher = Box<dyn FnMut(&log::Request) -> Option<Fault> + Send>;

/// The state of a site.
pub(crate) struct Site {
    pub(crate) url: String,
    pub(crate) language: Language,
    pub(crate) permalinks: Permalinks,
    pub(crate) release: Release,
    pub(crate) gmt_offset_hours: i32,
    pub(crate) trash: bool,
    pub(crate) max_stored: u64,
    pub(crate) fields: Vec<(String, serde_json::Value)>,
    pub(crate) clock: Clock,
    /// The moment that the present request is carried out at.
    pub(crate) now: DateTime<Utc>,
    pub(crate) members: Vec<Member>,
    pub(crate) posts: BTreeMap<u64, Post>,
    pub(crate) media: BTreeMap<u64, Media>,
    pub(crate) terms: BTreeMap<u64, Term>,
    pub(crate) next_id: u64,
    pub(crate) next_term: u64,
    pub(crate) faults: Queue,
    pub(crate) watcher: Option<Watcher>,
    pub(crate) hide_new_drafts: bool,
    pub(crate) maintenance: bool,
    pub(crate) log: Log,
    late: Vec<Late>,
}

impl Site {
    pub(crate) fn new(options: &Options, url: String) -> Site {
        let members = options.accounts.iter().zip(1..).map(|(account, id)| Member {
            user: User { id, login: account.login.clone(), name: account.name.clone(), role: account.role },
            password: account.password.clone(),
        });
        let mut site = Site {
            url,
            language: options.language,
            permalinks: options.permalinks,
            release: options.release,
            gmt_offset_hours: options.gmt_offset_hours.clamp(-12, 14),
            trash: options.trash,
            max_stored: options.max_stored,
            fields: options.fields.clone(),
            clock: options.clock.clone(),
            now: options.clock.now().trunc_subsecs(0),
            members: members.collect(),
            posts: BTreeMap::new(),
            media: BTreeMap::new(),
            terms: BTreeMap::new(),
            next_id: 1,
            next_term: 1,
            faults: Queue::default(),
            watcher: None,
            hide_new_drafts: false,
            maintenance: false,
            log: Log::default(),
            late: Vec::new(),
        };
        terms::seed(&mut site);
        if options.seed_posts {
            posts::seed(&mut site);
        }
        site
    }

    /// Takes the next id of posts and media.
    pub(crate) fn take_id(&mut self) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    pub(crate) fn caller(&self, user: Option<u64>) -> Caller {
        let member = self.members.iter().find(|member| Some(member.user.id) == user);
        Caller { user: member.map(|member| (member.user.id, member.user.role)) }
    }

    pub(crate) fn login(&self, user: Option<u64>) -> Option<String> {
        self.members
            .iter()
            .find(|member| Some(member.user.id) == user)
            .map(|member| member.user.login.clone())
    }

    /// The address of a REST route such as `wp/v2/posts/7`.
    pub(crate) fn rest_url(&self, route: &str) -> String {
        match self.permalinks {
            Permalinks::Pretty => format!("{}/wp-json/{route}", self.url),
            Permalinks::Plain => format!("{}/index.php?rest_route=/{route}", self.url),
        }
    }

    /// A moment as the REST API writes it, in the site's zone.
    pub(crate) fn local(&self, at: DateTime<Utc>) -> String {
        (at + chrono::TimeDelta::hours(self.gmt_offset_hours.into())).format("%Y-%m-%dT%H:%M:%S").to_string()
    }

    /// A moment as the REST API writes it, in UTC.
    pub(crate) fn gmt(at: DateTime<Utc>) -> String {
        at.format("%Y-%m-%dT%H:%M:%S").to_string()
    }

    /// Keeps a request for later.
    pub(crate) fn postpone(
        &mut self,
        asked: Asked,
        kind: Kind,
        hide: Option<u32>,
        due: DateTime<Utc>,
        number: u64,
    ) {
        self.late.push(Late { due, asked, kind, hide, number });
    }

    /// Carries out what has become due, in the order in which it was due.
    pub(crate) fn catch_up(&mut self) {
        let now = self.clock.now();
        self.late.sort_by_key(|late| (late.due, late.number));
        while self.late.first().is_some_and(|late| late.due <= now) {
            let late = self.late.remove(0);
            self.now = late.due.trunc_subsecs(0);
            let answer = self.carry_out(&late.asked, false);
            self.hide_new(late.kind, answer.created, late.hide);
            let effect = if answer.committed { Effect::Committed } else { Effect::None };
            self.log.caught_up(late.number, effect, answer.created);
        }
        self.now = now.trunc_subsecs(0);
    }

    /// Carries a request out; `dies` lets PHP die after an upload's row is written.
    pub(crate) fn carry_out(&mut self, asked: &Asked, dies: bool) -> Answer {
        let caller = self.caller(asked.user);
        let mut answer = match self.reply(asked, &caller, dies) {
            Ok(answer) => answer,
            Err(refusal) => refusal.answer(self.language),
        };
        if let Some(allowed) = self.allowed(&asked.route, &caller) {
            answer = answer.with("allow", allowed);
        }
        if !caller.known() {
            return answer;
        }
        let caching = match self.release {
            Release::V6_1 => "no-cache, must-revalidate, max-age=0",
            Release::V7_1 => "no-cache, must-revalidate, max-age=0, no-store, private",
        };
        answer.with("cache-control", caching).with("expires", "Wed, 11 Jan 1984 05:00:00 GMT")
    }

    fn reply(&mut self, asked: &Asked, caller: &Caller, dies: bool) -> Reply {
        let params = asked.params()?;
        if asked.method == Method::OPTIONS {
            return Ok(self.options(asked));
        }
        let reads = matches!(asked.method, Method::GET | Method::HEAD);
        let writes = matches!(asked.method, Method::POST | Method::PUT | Method::PATCH);
        let deletes = asked.method == Method::DELETE;
        match (&asked.route, asked.method == Method::POST) {
            (Route::Index, _) if reads => Ok(index::index(self)),
            (Route::PostType, _) if reads => index::post_type(self, caller, &params),
            (Route::Me, _) if reads => users::me(self, caller, &params),
            (Route::Introspect, _) if reads => users::introspect(self, caller),
            (Route::User(id), _) if reads => users::get(self, caller, &params, *id),
            (Route::Posts, _) if reads => posts::list(self, caller, &params),
            (Route::Posts, true) => posts::create(self, caller, &params),
            (Route::Post(id), _) if reads => posts::get(self, caller, &params, *id),
            (Route::Post(id), _) if writes => posts::update(self, caller, &params, *id),
            (Route::Post(id), _) if deletes => posts::delete(self, caller, &params, *id),
            (Route::Library, _) if reads => media::list(self, caller, &params),
            (Route::Library, true) => media::create(self, caller, &params, asked, dies),
            (Route::Media(id), _) if reads => media::get(self, caller, &params, *id),
            (Route::Media(id), _) if writes => media::update(self, caller, &params, *id),
            (Route::Media(id), _) if deletes => media::delete(self, caller, &params, *id),
            (Route::PostProcess(id), true) => media::post_process(self, caller, &params, *id),
            (Route::Terms(taxonomy), _) if reads => terms::list(self, caller, &params, *taxonomy),
            (Route::Terms(taxonomy), true) => terms::create(self, caller, &params, *taxonomy),
            (Route::Term(taxonomy, id), _) if reads => terms::get(self, caller, &params, *taxonomy, *id),
            _ => Err(Refusal::new(404, "rest_no_route")),
        }
    }

    fn options(&self, asked: &Asked) -> Answer {
        if asked.route == Route::Missing {
            return Refusal::new(404, "rest_no_route").answer(self.language);
        }
        let mut told = json!({ "namespace": "wp/v2" });
        if asked.route == Route::Posts {
            told["schema"] = json!({ "title": "post", "type": "object", "properties": { "meta": posts::meta_schema(self) } });
        }
        if asked.route == Route::Library {
            // Of all parameters those that tell the releases apart.
            let newer = match self.release {
                Release::V6_1 => json!({}),
                Release::V7_1 => json!({ "generate_sub_sizes": { "type": "boolean", "default": true } }),
            };
            told["endpoints"] =
                json!([{ "methods": ["GET"], "args": {} }, { "methods": ["POST"], "args": newer }]);
        }
        Answer::json(200, &told)
    }

    /// The methods that this caller may use on a route; none where there are none.
    fn allowed(&self, route: &Route, caller: &Caller) -> Option<&'static str> {
        let (reads, writes, single) = match route {
            Route::Posts => (true, caller.can("edit_posts"), false),
            Route::Library => (true, caller.can("upload_files"), false),
            Route::Terms(Taxonomy::Category) => (true, caller.can("manage_categories"), false),
            Route::Terms(Taxonomy::Tag) => (true, caller.can("edit_posts"), false),
            Route::Term(_, id) => (self.terms.contains_key(id), caller.can("manage_categories"), true),
            Route::Post(id) => {
                let post = self.posts.get(id)?;
                (posts::may_read(caller, post), posts::may_edit(caller, post), true)
            }
            Route::Media(id) => {
                let item = self.media.get(id)?;
                (media::may_read(self, caller, item), media::may_edit(caller, item), true)
            }
            Route::Me if caller.known() => return Some("GET, POST, PUT, PATCH"),
            Route::PostProcess(_) => return caller.known().then_some("POST"),
            Route::Index | Route::Me | Route::Introspect | Route::User(_) | Route::PostType => {
                (true, false, false)
            }
            Route::Missing => return None,
        };
        match (reads, writes, single) {
            (true, true, true) => Some("GET, POST, PUT, PATCH, DELETE"),
            (true, true, false) => Some("GET, POST"),
            (true, false, _) => Some("GET"),
            (false, ..) => None,
        }
    }

    /// Leaves the row that a request made out of look-ups, as asked for.
    pub(crate) fn hide_new(&mut self, kind: Kind, created: Option<u64>, times: Option<u32>) {
        let switched = self.hide_new_drafts && kind == Kind::CreatePost;
        let hiding = times.map(Hiding::Times).or_else(|| switched.then_some(Hiding::UntilShown));
        let (Some(id), Some(hiding)) = (created, hiding) else { return };
        match kind {
            Kind::CreatePost => {
                if let Some(post) = self.posts.get_mut(&id) {
                    *post.hiding() = Some(hiding);
                }
            }
            Kind::UploadMedia => {
                if let Some(item) = self.media.get_mut(&id) {
                    *item.hiding() = Some(hiding);
                }
            }
            Kind::CreateTerm
            | Kind::Update
            | Kind::Delete
            | Kind::LookUp
            | Kind::Identity
            | Kind::Discovery
            | Kind::Page => {}
        }
    }

    /// Shows everything that look-ups leave out.
    pub(crate) fn show_hidden(&mut self) {
        self.posts.values_mut().for_each(|post| post.hiding = None);
        self.media.values_mut().for_each(|item| item.hiding = None);
    }

    /// What posts and media take together, in bytes.
    pub(crate) fn stored(&self) -> u64 {
        let texts = |post: &Post| post.title.len() + post.content.len() + post.excerpt.len();
        let posts: usize = self.posts.values().map(texts).sum();
        let media: usize = self.media.values().map(|item| item.bytes.len()).sum();
        (posts + media) as u64
    }

    /// Whether a post other than `but` holds this slug, whatever its status.
    pub(crate) fn post_slug_taken(&self, slug: &str, but: u64) -> bool {
        self.posts.values().any(|post| post.id != but && post.slug == slug)
    }

    /// Whether a post or media item other than `but` holds this slug.
    pub(crate) fn any_slug_taken(&self, slug: &str, but: u64) -> bool {
        self.post_slug_taken(slug, but) || self.media.values().any(|item| item.id != but && item.slug == slug)
    }

    /// The status of the post that a media item hangs on.
    pub(crate) fn parent_of(&self, item: &Media) -> Option<(u64, Status, Option<Status>)> {
        let post = self.posts.get(&item.parent)?;
        Some((post.author, post.status, post.before_trash.as_ref().map(|(_, status)| *status)))
    }
}
