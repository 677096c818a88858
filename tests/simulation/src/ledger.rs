//! What is known of every row of a site: who made it, and how it ought to look.

use std::collections::{BTreeMap, BTreeSet};

use ichido_practice::{Effect, Handle, Kind, Media, Post, Request, Status};

use crate::articles;
use crate::verdict::{Property, Violation, not_executed};

/// One intended effect on a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Intent {
    /// The draft of this article.
    Article(usize),
    /// This image.
    Image(u16),
}

#[derive(Clone, Debug)]
pub(crate) struct Known<T> {
    /// What it was made for; none for a stranger's.
    pub(crate) intent: Option<Intent>,
    /// As it ought to be; none once a person deleted it.
    pub(crate) row: Option<T>,
}

/// The rows of one site.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    pub(crate) posts: BTreeMap<u64, Known<Post>>,
    pub(crate) media: BTreeMap<u64, Known<Media>>,
    /// How many more than one may have been made: a person asked for another.
    allowed: BTreeMap<Intent, usize>,
    /// How many more than one may be there at once: a person said that it is another article.
    others: BTreeMap<Intent, usize>,
    /// Drafts whose slug, place or existence a person changed.
    touched: BTreeSet<Intent>,
    /// Articles whose place or slug changed, and those whose text or images did.
    moved: BTreeSet<usize>,
    rewritten: BTreeSet<usize>,
    forgetful: bool,
    found: Vec<Violation>,
}

impl Ledger {
    /// Takes over what a person just did to a post.
    pub(crate) fn accept(&mut self, handle: &Handle, id: u64) {
        let row = handle.post(id).map(|post| Post { hiding: None, ..post });
        self.posts.entry(id).or_insert(Known { intent: None, row: None }).row = row;
    }

    /// A person said that there is to be another one.
    pub(crate) fn allow(&mut self, intent: Intent) {
        *self.allowed.entry(intent).or_default() += 1;
    }

    /// A person said that it is another article than the one that is there.
    pub(crate) fn allow_another(&mut self, intent: Intent) {
        *self.others.entry(intent).or_default() += 1;
        self.allow(intent);
    }

    /// A person made it hard to find.
    pub(crate) fn touch(&mut self, intent: Intent) {
        self.touched.insert(intent);
    }

    /// An article changed in its folder. One that is at another place and also reads otherwise is not known to be the
    /// same: neither its path nor its digest is that of a record.
    pub(crate) fn edit(&mut self, article: usize, moves: bool) {
        let edited = if moves { &mut self.moved } else { &mut self.rewritten };
        edited.insert(article);
    }

    /// Without a journal an image is known by its slug alone, which begins with the name of its file: an article that
    /// uses it under another name may bring it once more.
    fn other_names(&self, intent: Intent) -> usize {
        let copies = self.media.values().filter(|known| self.forgetful && known.intent == Some(intent));
        let slugs: BTreeSet<&str> =
            copies.filter_map(|known| known.row.as_ref()).map(|row| row.slug.as_str()).collect();
        slugs.len().saturating_sub(1)
    }

    fn is_another(&self, intent: Intent) -> bool {
        match intent {
            Intent::Article(article) => self.moved.contains(&article) && self.rewritten.contains(&article),
            Intent::Image(_) => false,
        }
    }

    /// The journal was lost: what a person made hard to find may not be found any more.
    pub(crate) fn forget(&mut self) {
        self.forgetful = true;
    }

    /// The live rows that were made for something.
    pub(crate) fn live(&self, intent: Intent) -> Vec<u64> {
        let is_live = |status: Status| status != Status::Trash;
        let posts = self.posts.iter().filter(|(_, known)| {
            known.intent == Some(intent) && known.row.as_ref().is_some_and(|row| is_live(row.status))
        });
        let media = self.media.iter().filter(|(_, known)| {
            known.intent == Some(intent) && known.row.as_ref().is_some_and(|row| is_live(row.status))
        });
        posts.map(|(id, _)| *id).chain(media.map(|(id, _)| *id)).collect()
    }

    /// The posts in the trash that were made for something.
    pub(crate) fn trashed(&self, intent: Intent) -> Vec<u64> {
        let trashed = self.posts.iter().filter(|(_, known)| {
            known.intent == Some(intent) && known.row.as_ref().is_some_and(|row| row.status == Status::Trash)
        });
        trashed.map(|(id, _)| *id).collect()
    }

    pub(crate) fn take_found(&mut self) -> Vec<Violation> {
        std::mem::take(&mut self.found)
    }

    fn find(&mut self, property: Property, detail: String) {
        self.found.push(Violation { property, detail });
    }

    /// Compares the site with what is known of it.
    pub(crate) fn observe(&mut self, site_url: &str, handle: &Handle, requests: &[Request]) {
        let made = |kind: Kind| -> BTreeSet<u64> {
            requests
                .iter()
                .filter(|request| request.kind == kind)
                .filter_map(|request| request.created)
                .collect()
        };
        self.observe_media(&handle.media(), &made(Kind::UploadMedia));
        self.observe_posts(site_url, &handle.posts(), &made(Kind::CreatePost));
        self.count();
        self.observe_wire(requests);
    }

    fn observe_posts(&mut self, site_url: &str, posts: &[Post], made: &BTreeSet<u64>) {
        let there: BTreeSet<u64> = posts.iter().map(|post| post.id).collect();
        for post in posts {
            let post = Post { hiding: None, ..post.clone() };
            match self.posts.get(&post.id) {
                Some(known) if known.row.as_ref() == Some(&post) => {}
                Some(known) => {
                    let detail = format!("post {}: {:?} became {post:?}", post.id, known.row);
                    self.find(Property::Overwritten, detail);
                }
                None if made.contains(&post.id) => self.first_sight(site_url, &post),
                None => self.find(Property::FromNowhere, format!("{post:?}")),
            }
            let intent = self.posts.get(&post.id).and_then(|known| known.intent);
            let intent = intent.or_else(|| articles::number_of(&post.title).map(Intent::Article));
            self.posts.insert(post.id, Known { intent, row: Some(post) });
        }
        self.vanished(&there, true);
    }

    /// A draft that was just made has all its images, and they are the site's own.
    fn first_sight(&mut self, site_url: &str, post: &Post) {
        if articles::number_of(&post.title).is_none() {
            self.find(Property::FromNowhere, format!("made by us, of no article: {post:?}"));
        }
        let uploads = format!("{site_url}/wp-content/uploads/");
        let sources: Vec<&str> =
            post.content.split(" src=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let there = |source: &&str| {
            let path = source.strip_prefix(&uploads);
            path.is_some_and(|path| {
                self.media.values().any(|known| known.row.as_ref().is_none_or(|media| media.path == path))
            })
        };
        if sources.len() != 3 || !sources.iter().all(there) {
            self.find(Property::BrokenImage, format!("post {}: {sources:?}", post.id));
        }
    }

    fn observe_media(&mut self, media: &[Media], made: &BTreeSet<u64>) {
        let there: BTreeSet<u64> = media.iter().map(|item| item.id).collect();
        for item in media {
            let item = Media { hiding: None, ..item.clone() };
            let intent = articles::image_of(&item.bytes).map(Intent::Image);
            match self.media.get(&item.id) {
                Some(known) if known.row.as_ref().is_some_and(|row| is_same_file(row, &item)) => {}
                Some(known) => {
                    let detail = format!("media {}: {:?} became {item:?}", item.id, known.row);
                    self.find(Property::Overwritten, detail);
                }
                None if made.contains(&item.id) && intent.is_some() => {}
                None => self.find(Property::FromNowhere, format!("{item:?}")),
            }
            self.media.insert(item.id, Known { intent, row: Some(item) });
        }
        self.vanished(&there, false);
    }

    fn vanished(&mut self, there: &BTreeSet<u64>, posts: bool) {
        let mut gone = Vec::new();
        if posts {
            for (id, known) in
                self.posts.iter_mut().filter(|(id, known)| !there.contains(id) && known.row.is_some())
            {
                known.row = None;
                gone.push(*id);
            }
        } else {
            for (id, known) in
                self.media.iter_mut().filter(|(id, known)| !there.contains(id) && known.row.is_some())
            {
                known.row = None;
                gone.push(*id);
            }
        }
        for id in gone {
            self.find(Property::Lost, format!("{id} is gone, and no person deleted it"));
        }
    }

    fn count(&mut self) {
        let mut counts: BTreeMap<Intent, Vec<u64>> = BTreeMap::new();
        let posts = self.posts.iter().filter_map(|(id, known)| Some((known.intent?, *id)));
        let media = self.media.iter().filter_map(|(id, known)| Some((known.intent?, *id)));
        for (intent, id) in posts.chain(media) {
            counts.entry(intent).or_default().push(id);
        }
        for (intent, ids) in counts {
            let forgotten = self.forgetful && self.touched.contains(&intent);
            let excused =
                usize::from(forgotten) + usize::from(self.is_another(intent)) + self.other_names(intent);
            let most = 1 + self.allowed.get(&intent).copied().unwrap_or(0) + excused;
            if ids.len() > most {
                self.find(Property::Duplicate, format!("{intent:?} was made {} times: {ids:?}", ids.len()));
                // Said once.
                self.allow(intent);
            }
            // What a person had sent again takes the place of what is gone; it never stands beside it.
            let live = self.live(intent);
            let most = 1 + self.others.get(&intent).copied().unwrap_or(0) + excused;
            if live.len() > most {
                self.find(Property::Duplicate, format!("{intent:?} is there {} times: {live:?}", live.len()));
                self.allow_another(intent);
            }
        }
    }

    /// Every operation's creating request went over the wire once, or was proved not to have been executed before.
    fn observe_wire(&mut self, requests: &[Request]) {
        let mut sent: BTreeMap<&str, Vec<&Request>> = BTreeMap::new();
        let creating = |request: &&Request| {
            matches!(request.kind, Kind::CreatePost | Kind::UploadMedia) && request.method == "POST"
        };
        for request in requests.iter().filter(creating) {
            sent.entry(request.operation.as_deref().unwrap_or("no operation")).or_default().push(request);
        }
        for (operation, requests) in sent {
            let [earlier @ .., last] = requests.as_slice() else { continue };
            // A journal that was put back to before a send does not know of it.
            let unknown = |request: &&&Request| !self.forgetful && !not_executed(request);
            if let Some(again) = earlier.iter().find(unknown) {
                let detail = format!("{operation}: {again:?} and then {last:?}");
                self.find(Property::SentTwice, detail);
            }
            let effects = requests.iter().filter(|request| request.effect != Effect::None).count();
            if effects > 1 {
                self.find(Property::SentTwice, format!("{operation} had {effects} effects"));
            }
        }
    }
}

/// An image may be attached and finished; nothing else of it changes.
fn is_same_file(before: &Media, now: &Media) -> bool {
    let attached = before.parent == now.parent || before.parent == 0;
    let shown = before.status == now.status || before.status == Status::Private;
    let rest = Media {
        parent: before.parent,
        status: before.status,
        modified: before.modified,
        unfinished: before.unfinished,
        ..now.clone()
    };
    attached && shown && rest == *before
}
