//! One face for the practice site and the real WordPress, so that the same test runs on both.

use std::collections::BTreeMap;

use ichido_practice::{
    Account, Fault, Language, Options, Permalinks, PracticeSite, Release, Role, Taxonomy, When,
};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::real::RealWordPress;
use crate::rest::Rest;
use crate::trees::Version;

/// Where a test runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The practice site with the manners of WordPress 6.1.
    PracticeOld,
    /// The practice site with the manners of WordPress 7.1.
    PracticeNew,
    /// The oldest real WordPress.
    RealOld,
    /// The newest real WordPress.
    RealNew,
}

/// The users that every site has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// May do everything.
    Administrator,
    /// May edit and publish everybody's posts.
    Editor,
    /// May upload, write and publish.
    Author,
    /// A second author.
    OtherAuthor,
    /// May write drafts.
    Contributor,
    /// May read.
    Subscriber,
}

impl Who {
    const ALL: [Who; 6] =
        [Who::Administrator, Who::Editor, Who::Author, Who::OtherAuthor, Who::Contributor, Who::Subscriber];

    /// The login name.
    pub fn login(self) -> &'static str {
        match self {
            Who::Administrator => "administrator",
            Who::Editor => "editor",
            Who::Author => "author",
            Who::OtherAuthor => "other-author",
            Who::Contributor => "contributor",
            Who::Subscriber => "subscriber",
        }
    }

    fn role(self) -> Role {
        match self {
            Who::Administrator => Role::Administrator,
            Who::Editor => Role::Editor,
            Who::Author | Who::OtherAuthor => Role::Author,
            Who::Contributor => Role::Contributor,
            Who::Subscriber => Role::Subscriber,
        }
    }
}

/// What a user signs in with.
#[derive(Clone, Deserialize)]
pub struct Credentials {
    /// The user's id.
    pub id: u64,
    /// The login name.
    pub login: String,
    /// An application password.
    pub password: String,
}

/// A post as the site stores it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct StoredPost {
    /// The id.
    pub id: u64,
    /// The slug, percent-decoded.
    pub slug: String,
    /// The status.
    pub status: String,
    /// The title.
    pub title: String,
    /// The content.
    pub content: String,
    /// The excerpt.
    pub excerpt: String,
    /// The author's login.
    pub author: String,
    /// The names of its tags, sorted.
    pub tags: Vec<String>,
    /// The names of its categories, sorted.
    pub categories: Vec<String>,
    /// The id of the featured image, or 0.
    pub featured_media: u64,
}

/// A media item as the site stores it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct StoredMedia {
    /// The id.
    pub id: u64,
    /// The slug, percent-decoded.
    pub slug: String,
    /// The status.
    pub status: String,
    /// The title.
    pub title: String,
    /// The caption.
    pub caption: String,
    /// The alternative text.
    pub alt_text: String,
    /// The uploader's login.
    pub author: String,
    /// The id of the post it is attached to, or 0.
    pub parent: u64,
    /// SHA-256 of the original file, in hex.
    pub sha256: String,
}

/// A site of one test, with its faults and the acts of the people on it.
pub enum Site {
    /// The practice site.
    Practice {
        /// The site.
        site: PracticeSite,
        /// The release that it behaves like.
        release: Release,
        /// The form of its addresses.
        permalinks: Permalinks,
    },
    /// A real WordPress behind a proxy.
    Real {
        /// The site.
        site: Box<RealWordPress>,
        /// Which of the versions it is.
        version: Version,
        /// The form of its addresses.
        permalinks: Permalinks,
    },
}

/// The custom fields of posts, with their JSON schemas.
pub fn fields() -> Vec<(String, serde_json::Value)> {
    use serde_json::json;
    [
        ("subtitle", json!({ "type": "string" })),
        ("rating", json!({ "type": "integer", "default": 0 })),
        ("sources", json!({ "type": "array", "items": { "type": "string" } })),
    ]
    .map(|(name, schema)| (name.to_owned(), schema))
    .to_vec()
}

impl Site {
    /// Has the site take [`fields`]; the practice site does from its start.
    pub fn register_fields(&self) {
        if let Site::Real { site, .. } = self {
            let code: String = fields()
                .iter()
                .map(|(name, schema)| {
                    let kind = schema["type"].as_str().unwrap_or_default();
                    format!(
                        "register_post_meta('post', '{name}', ['type' => '{kind}', 'single' => true, 'show_in_rest' => \
                         ['schema' => json_decode('{schema}', true)]]);\n"
                    )
                })
                .collect();
            site.install_plugin("fields", &format!("add_action('init', function () {{ {code} }});"));
        }
    }

    /// Starts a site with pretty permalinks.
    pub async fn start(place: Place) -> Site {
        Site::start_with(place, Permalinks::Pretty).await
    }

    /// Starts a site with these permalinks.
    ///
    /// # Panics
    ///
    /// When it does not start, or no WordPress is prepared.
    pub async fn start_with(place: Place, permalinks: Permalinks) -> Site {
        match place {
            Place::PracticeOld => Site::start_practice(Release::V6_1, permalinks).await,
            Place::PracticeNew => Site::start_practice(Release::V7_1, permalinks).await,
            Place::RealOld => Site::start_real(Version::Old, permalinks).await,
            Place::RealNew => Site::start_real(Version::New, permalinks).await,
        }
    }

    async fn start_practice(release: Release, permalinks: Permalinks) -> Site {
        let password = uuid::Uuid::new_v4().simple().to_string();
        let accounts = Who::ALL.map(|who| Account::new(who.login(), who.role(), &password[..24])).to_vec();
        let options = Options {
            language: Language::English,
            release,
            permalinks,
            accounts,
            fields: fields(),
            ..Options::default()
        };
        let site = PracticeSite::start(options).await.expect("a loopback port is free");
        Site::Practice { site, release, permalinks }
    }

    async fn start_real(version: Version, permalinks: Permalinks) -> Site {
        let site = Box::new(RealWordPress::start(version).await);
        if permalinks == Permalinks::Plain {
            site.use_plain_permalinks().await;
        }
        Site::Real { site, version, permalinks }
    }

    /// The address, without a slash at its end.
    pub fn url(&self) -> String {
        match self {
            Site::Practice { site, .. } => site.url().to_owned(),
            Site::Real { site, .. } => site.url(),
        }
    }

    /// Whether it is the oldest version, or behaves like it.
    pub fn is_old(&self) -> bool {
        match self {
            Site::Practice { release, .. } => *release == Release::V6_1,
            Site::Real { version, .. } => *version == Version::Old,
        }
    }

    /// The real WordPress, where it is one.
    pub fn real(&self) -> Option<&RealWordPress> {
        match self {
            Site::Practice { .. } => None,
            Site::Real { site, .. } => Some(site),
        }
    }

    /// What a user signs in with.
    pub fn credentials(&self, who: Who) -> Credentials {
        match self {
            Site::Practice { site, .. } => {
                let users = site.handle().users();
                let user = users.iter().find(|user| user.login == who.login()).expect("every user is there");
                let account = site.accounts().iter().find(|account| account.login == who.login());
                let password = account.expect("every user has an account").password.clone();
                Credentials { id: user.id, login: user.login.clone(), password }
            }
            Site::Real { site, .. } => site.credentials(who),
        }
    }

    /// The REST API as a user.
    pub fn rest(&self, who: Who) -> Rest {
        self.rest_with(Some(self.credentials(who)))
    }

    /// The REST API as nobody.
    pub fn rest_anonymous(&self) -> Rest {
        self.rest_with(None)
    }

    /// The REST API with these credentials, right or wrong.
    pub fn rest_with(&self, credentials: Option<Credentials>) -> Rest {
        let (Site::Practice { permalinks, .. } | Site::Real { permalinks, .. }) = self;
        Rest::new(self.url(), *permalinks == Permalinks::Plain, credentials)
    }

    /// Asks for a fault. Each meets one request.
    pub fn inject(&self, when: When, fault: Fault) {
        match self {
            Site::Practice { site, .. } => site.handle().faults().push(when, fault),
            Site::Real { site, .. } => site.proxy().inject(when, fault),
        }
    }

    /// The number of faults that have not met their request yet.
    pub fn faults_waiting(&self) -> usize {
        match self {
            Site::Practice { site, .. } => site.handle().faults().waiting().len(),
            Site::Real { site, .. } => site.proxy().waiting(),
        }
    }

    /// How often each operation's creating request was on the wire.
    pub fn creates_by_operation(&self) -> BTreeMap<String, u32> {
        match self {
            Site::Practice { site, .. } => site.handle().creates_by_operation(),
            Site::Real { site, .. } => site.proxy().creating(),
        }
    }

    /// How many creating requests were on the wire, with an operation or without.
    pub fn creates(&self) -> usize {
        match self {
            Site::Practice { site, .. } => {
                let requests = site.handle().requests();
                requests.iter().filter(|request| request.kind.creates() && request.method == "POST").count()
            }
            Site::Real { site, .. } => site.proxy().seen().iter().filter(|seen| seen.kind.creates()).count(),
        }
    }

    /// Forgets the requests so far.
    pub fn forget_requests(&self) {
        match self {
            Site::Practice { site, .. } => site.handle().forget_requests(),
            Site::Real { site, .. } => site.proxy().forget(),
        }
    }

    /// All posts by id, those in the trash included.
    pub async fn posts(&self) -> Vec<StoredPost> {
        match self {
            Site::Practice { site, .. } => {
                let handle = site.handle();
                let (users, terms) = (handle.users(), handle.terms());
                let names = |ids: &[u64], taxonomy: Taxonomy| {
                    let named =
                        terms.iter().filter(|term| term.taxonomy == taxonomy && ids.contains(&term.id));
                    let mut names: Vec<String> = named.map(|term| term.name.clone()).collect();
                    names.sort();
                    names
                };
                let stored = handle.posts().into_iter().map(|post| StoredPost {
                    id: post.id,
                    slug: decoded(&post.slug),
                    status: post.status.word().to_owned(),
                    author: login_of(&users, post.author),
                    tags: names(&post.tags, Taxonomy::Tag),
                    categories: names(&post.categories, Taxonomy::Category),
                    title: post.title,
                    content: post.content,
                    excerpt: post.excerpt,
                    featured_media: post.featured_media,
                });
                stored.collect()
            }
            Site::Real { site, .. } => {
                from_php(site.php(include_str!("wordpress/acts/posts.inc"), Value::Null).await)
            }
        }
    }

    /// All media by id.
    pub async fn media(&self) -> Vec<StoredMedia> {
        match self {
            Site::Practice { site, .. } => {
                let users = site.handle().users();
                let stored = site.handle().media().into_iter().map(|media| StoredMedia {
                    id: media.id,
                    slug: decoded(&media.slug),
                    status: media.status.word().to_owned(),
                    title: media.title,
                    caption: media.caption,
                    alt_text: media.alt_text,
                    author: login_of(&users, media.author),
                    parent: media.parent,
                    sha256: hex(&Sha256::digest(&media.bytes)),
                });
                stored.collect()
            }
            Site::Real { site, .. } => {
                from_php(site.php(include_str!("wordpress/acts/media.inc"), Value::Null).await)
            }
        }
    }

    /// The names of all terms of a taxonomy, sorted.
    pub async fn terms(&self, taxonomy: Taxonomy) -> Vec<String> {
        let mut names: Vec<String> = match self {
            Site::Practice { site, .. } => {
                let terms = site.handle().terms();
                terms.into_iter().filter(|term| term.taxonomy == taxonomy).map(|term| term.name).collect()
            }
            Site::Real { site, .. } => {
                let code =
                    "return get_terms(['taxonomy' => $args, 'hide_empty' => false, 'fields' => 'names']);";
                from_php(site.php(code, json!(word(taxonomy))).await)
            }
        };
        names.sort();
        names
    }

    /// A person writes a draft in the editor. Gives its id.
    pub async fn write_draft(&self, who: Who, title: &str, slug: &str, content: &str) -> u64 {
        let author = self.credentials(who).id;
        match self {
            Site::Practice { site, .. } => site.handle().write_draft(author, title, slug, content),
            Site::Real { site, .. } => {
                let code = "wp_set_current_user($args['post_author']);
                    return wp_insert_post(wp_slash($args + ['post_status' => 'draft']), true);";
                let args = json!({ "post_author": author, "post_title": title, "post_name": slug, "post_content": content });
                from_php(site.php(code, args).await)
            }
        }
    }

    /// A person changes the content of a post in the editor.
    pub async fn edit_content(&self, id: u64, content: &str) {
        match self {
            Site::Practice { site, .. } => {
                assert!(
                    site.handle().edit_post(id, |post| content.clone_into(&mut post.content)),
                    "post {id} is there"
                );
            }
            Site::Real { site, .. } => drop(save(site, id, json!({ "content": content })).await),
        }
    }

    /// A person changes the title of a post in the editor.
    pub async fn edit_title(&self, id: u64, title: &str) {
        match self {
            Site::Practice { site, .. } => {
                assert!(
                    site.handle().edit_post(id, |post| title.clone_into(&mut post.title)),
                    "post {id} is there"
                );
            }
            Site::Real { site, .. } => drop(save(site, id, json!({ "title": title })).await),
        }
    }

    /// A person gives a post another slug in the editor. Gives the slug that it has then.
    pub async fn rename(&self, id: u64, slug: &str) -> String {
        match self {
            Site::Practice { site, .. } => {
                decoded(&site.handle().rename_post(id, slug).expect("the post is there"))
            }
            Site::Real { site, .. } => {
                decoded(&from_php::<String>(save(site, id, json!({ "slug": slug })).await))
            }
        }
    }

    /// A person publishes a post.
    pub async fn publish(&self, id: u64) {
        match self {
            Site::Practice { site, .. } => site.handle().publish_post(id),
            Site::Real { site, .. } => drop(save(site, id, json!({ "status": "publish" })).await),
        }
    }

    /// A person puts a post into the trash.
    pub async fn trash(&self, id: u64) {
        match self {
            Site::Practice { site, .. } => site.handle().trash_post(id),
            Site::Real { site, .. } => act(site, "return (bool) wp_trash_post($args);", json!(id)).await,
        }
    }

    /// A person takes a post out of the trash.
    pub async fn untrash(&self, id: u64) {
        match self {
            Site::Practice { site, .. } => site.handle().untrash_post(id),
            Site::Real { site, .. } => act(site, "return (bool) wp_untrash_post($args);", json!(id)).await,
        }
    }

    /// A person deletes a post for good.
    pub async fn delete(&self, id: u64) {
        match self {
            Site::Practice { site, .. } => site.handle().delete_post(id),
            Site::Real { site, .. } => {
                act(site, "return (bool) wp_delete_post($args, true);", json!(id)).await
            }
        }
    }

    /// A person deletes a media item for good.
    pub async fn delete_media(&self, id: u64) {
        match self {
            Site::Practice { site, .. } => site.handle().delete_media(id),
            Site::Real { site, .. } => {
                act(site, "return (bool) wp_delete_attachment($args, true);", json!(id)).await
            }
        }
    }

    /// The site is being updated: it answers that it is in maintenance. Or that is over.
    pub fn maintenance(&self, on: bool) {
        match self {
            Site::Practice { site, .. } => site.handle().maintenance(on),
            Site::Real { site, .. } => site.maintenance(on),
        }
    }

    /// A person revokes a user's application passwords.
    pub async fn revoke_password(&self, who: Who) {
        match self {
            Site::Practice { site, .. } => {
                let other = uuid::Uuid::new_v4().simple().to_string();
                assert!(site.handle().change_password(who.login(), &other), "every user is there");
            }
            Site::Real { site, .. } => {
                let code = "return (bool) WP_Application_Passwords::delete_all_application_passwords($args);";
                act(site, code, json!(self.credentials(who).id)).await;
            }
        }
    }
}

/// Does what the editor's save button does. Gives the slug that the post has then.
async fn save(site: &RealWordPress, id: u64, fields: Value) -> Value {
    let code = "$request = new WP_REST_Request('POST', '/wp/v2/posts/' . $args['id']);
        $request->set_body_params($args['fields']);
        $answer = rest_do_request($request);
        if ($answer->is_error()) { throw new Exception($answer->as_error()->get_error_message()); }
        return $answer->get_data()['slug'];";
    site.php(code, json!({ "id": id, "fields": fields })).await
}

async fn act(site: &RealWordPress, code: &str, args: Value) {
    assert_eq!(site.php(code, args).await, json!(true), "WordPress did not do it: {code}");
}

fn from_php<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value.clone())
        .unwrap_or_else(|error| panic!("PHP returned something else ({error}): {value}"))
}

fn login_of(users: &[ichido_practice::User], id: u64) -> String {
    users.iter().find(|user| user.id == id).map(|user| user.login.clone()).unwrap_or_default()
}

fn word(taxonomy: Taxonomy) -> &'static str {
    match taxonomy {
        Taxonomy::Category => "category",
        Taxonomy::Tag => "post_tag",
    }
}

fn decoded(slug: &str) -> String {
    percent_encoding::percent_decode_str(slug).decode_utf8_lossy().into_owned()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
