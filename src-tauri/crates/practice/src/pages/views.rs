//! What the pages show.

use chrono::{DateTime, Utc};

use crate::faults::Fault;
use crate::options::Language;
use crate::pages::html::{escaped, page, readable, spoken};
use crate::pages::words::{Words, status, words};
use crate::posts::address;
use crate::rows::{Post, Status};
use crate::site::Site;

/// The most rows that a page shows.
const MOST_ROWS: usize = 500;

/// A page that says that there is nothing.
pub(crate) fn missing(language: Language) -> String {
    page(language, "404", &format!("<p>{}</p>", words(language).missing))
}

fn titled(title: &str, words: &Words) -> String {
    if title.trim().is_empty() { words.untitled.to_owned() } else { escaped(&spoken(title)) }
}

fn author(site: &Site, id: u64) -> String {
    let member = site.members.iter().find(|member| member.user.id == id);
    member.map(|member| escaped(&member.user.name)).unwrap_or_default()
}

fn when(site: &Site, at: DateTime<Utc>) -> String {
    site.local(at).replace('T', " ")
}

fn states(post: &Post, language: Language) -> String {
    let mut state = status(post.status, language).to_owned();
    if post.hiding.is_some() {
        state.push_str(&format!(" <span class=\"mark\">({})</span>", words(language).hidden));
    }
    state
}

/// The list of posts with a status (all but the trash where none is named), searched for words.
pub(crate) fn posts(site: &Site, language: Language, wanted: &str, search: &str) -> String {
    let words = words(language);
    let wanted_status = Status::from_word(wanted);
    let needle = search.to_lowercase();
    let fits = |post: &&Post| {
        wanted_status.map_or(post.status != Status::Trash, |status| post.status == status)
            && (needle.is_empty()
                || post.title.to_lowercase().contains(&needle)
                || post.content.to_lowercase().contains(&needle)
                || post.slug.contains(needle.as_str())
                || readable(&post.slug).contains(&needle))
    };
    let mut rows = String::new();
    for post in site.posts.values().rev().filter(fits).take(MOST_ROWS) {
        rows.push_str(&format!(
            "<tr><td><a href=\"/wp-admin/post.php?post={id}&amp;action=edit\">{title}</a></td><td>{slug}</td><td>{state}</td><td>{author}</td><td>{when}</td></tr>\n",
            id = post.id,
            title = titled(&post.title, words),
            slug = readable(&post.slug),
            state = states(post, language),
            author = author(site, post.author),
            when = when(site, post.modified),
        ));
    }
    let title = if wanted_status == Some(Status::Draft) { words.drafts } else { words.posts };
    let form = format!(
        "<form class=\"row\" method=\"get\" action=\"/wp-admin/edit.php\"><input type=\"hidden\" name=\"post_status\" value=\"{}\">\
         <label>{} <input type=\"search\" name=\"s\" value=\"{}\"></label><button>{}</button></form>",
        escaped(wanted),
        words.search,
        escaped(search),
        words.search
    );
    let table = if rows.is_empty() {
        format!("<p class=\"soft\">{}</p>", words.nothing)
    } else {
        format!(
            "<table><thead><tr><th>{}</th><th>{}</th><th>{}</th><th>{}</th><th>{}</th></tr></thead><tbody>{rows}</tbody></table>",
            words.title, words.slug, words.state, words.author, words.changed
        )
    };
    page(language, title, &(form + &table))
}

/// The media library, searched for words or showing one item.
pub(crate) fn library(site: &Site, language: Language, search: &str, only: Option<u64>) -> String {
    let words = words(language);
    let needle = search.to_lowercase();
    let mut rows = String::new();
    let fits = |item: &&crate::rows::Media| {
        only.is_none_or(|id| item.id == id)
            && (needle.is_empty()
                || [&item.title, &item.slug, &item.path, &item.alt_text]
                    .iter()
                    .any(|text| text.to_lowercase().contains(&needle)))
    };
    for item in site.media.values().rev().filter(fits).take(MOST_ROWS) {
        let parent = site.posts.get(&item.parent).map_or_else(String::new, |post| {
            format!(
                "<a href=\"/wp-admin/post.php?post={}&amp;action=edit\">{}</a>",
                post.id,
                titled(&post.title, words)
            )
        });
        let hidden = if item.hiding.is_some() {
            format!(" <span class=\"mark\">({})</span>", words.hidden)
        } else {
            String::new()
        };
        rows.push_str(&format!(
            "<tr><td><img src=\"/wp-content/uploads/{path}\" alt=\"{alt}\"></td><td><a href=\"/wp-admin/post.php?post={id}&amp;action=edit\">{title}</a>{hidden}</td><td>{slug}</td><td>{parent}</td><td>{when}</td></tr>\n",
            path = escaped(&item.path),
            alt = escaped(&item.alt_text),
            id = item.id,
            title = titled(&item.title, words),
            slug = readable(&item.slug),
            when = when(site, item.modified),
        ));
    }
    let table = if rows.is_empty() {
        format!("<p class=\"soft\">{}</p>", words.nothing)
    } else {
        format!(
            "<table><thead><tr><th>{}</th><th>{}</th><th>{}</th><th>{}</th><th>{}</th></tr></thead><tbody>{rows}</tbody></table>",
            words.picture, words.title, words.slug, words.attached, words.changed
        )
    };
    page(language, words.library, &table)
}

fn names(site: &Site, ids: &[u64]) -> String {
    ids.iter()
        .filter_map(|id| site.terms.get(id))
        .map(|term| escaped(&spoken(&term.name)))
        .collect::<Vec<_>>()
        .join(", ")
}

/// A post with all that is stored of it. Its content is shown as source: it may be anybody's.
pub(crate) fn post(site: &Site, language: Language, id: u64) -> Option<String> {
    let words = words(language);
    let post = site.posts.get(&id)?;
    let featured = site.media.get(&post.featured_media).map_or_else(String::new, |item| {
        format!(
            "<img src=\"/wp-content/uploads/{}\" alt=\"{}\">",
            escaped(&item.path),
            escaped(&item.alt_text)
        )
    });
    let main = format!(
        "<div class=\"card\"><dl><dt>{}</dt><dd>{}</dd><dt>{}</dt><dd>{}</dd><dt>{}</dt><dd>{}</dd><dt>{}</dt><dd>{}</dd>\
         <dt>{}</dt><dd>{}</dd><dt>{}</dt><dd>{}</dd><dt>{}</dt><dd>{}</dd><dt>{}</dt><dd>{}</dd></dl></div>\
         <div class=\"card\"><h2>{}</h2><pre>{}</pre></div>\
         <p><a href=\"{}\">{}</a> · <a href=\"/wp-admin/post.php?post={id}&amp;action=edit\">{}</a></p>",
        words.state,
        states(post, language),
        words.slug,
        readable(&post.slug),
        words.author,
        author(site, post.author),
        words.changed,
        when(site, post.modified),
        words.categories,
        names(site, &post.categories),
        words.tags,
        names(site, &post.tags),
        words.excerpt,
        escaped(&spoken(&post.excerpt)),
        words.featured,
        featured,
        words.content,
        escaped(&post.content),
        escaped(&address(site, post)),
        words.preview,
        words.edit,
    );
    let title = if post.title.trim().is_empty() { words.untitled } else { &post.title };
    Some(page(language, &spoken(title), &main))
}

/// A media item with all that is stored of it.
pub(crate) fn item(site: &Site, language: Language, id: u64) -> Option<String> {
    let words = words(language);
    let item = site.media.get(&id)?;
    let main = format!(
        "<div class=\"card\"><p><img src=\"/wp-content/uploads/{path}\" alt=\"{alt}\"></p><dl><dt>{}</dt><dd>{}</dd><dt>{}</dt><dd>{} x {}</dd>\
         <dt>{}</dt><dd>{}</dd></dl></div><p><a href=\"/wp-content/uploads/{path}\">{}</a></p>",
        words.slug,
        readable(&item.slug),
        escaped(item.mime),
        item.width,
        item.height,
        words.state,
        status(item.status, language),
        words.preview,
        path = escaped(&item.path),
        alt = escaped(&item.alt_text),
    );
    Some(page(language, &spoken(&item.title), &main))
}

/// The post or media item with this slug, as readers would get it.
pub(crate) fn by_slug(site: &Site, language: Language, slug: &str) -> Option<String> {
    let slug = slug.to_ascii_lowercase();
    let found = site.posts.values().find(|post| post.slug == slug && post.status == Status::Publish);
    if let Some(found) = found {
        return post(site, language, found.id);
    }
    let found = site.media.values().find(|item| item.slug == slug)?;
    item(site, language, found.id)
}

fn switch(act: &str, label: &str, explained: &str) -> String {
    format!(
        "<form class=\"row\" method=\"post\" action=\"/practice/switch\"><input type=\"hidden\" name=\"act\" value=\"{act}\">\
         <button>{label}</button> <span class=\"soft\">{explained}</span></form>"
    )
}

/// The overview with the switches.
pub(crate) fn overview(site: &Site, language: Language) -> String {
    let words = words(language);
    let count = |status: Status| site.posts.values().filter(|post| post.status == status).count();
    let hidden = site.posts.values().filter(|post| post.hiding.is_some()).count();
    let mut counts = String::new();
    for one in Status::ALL.into_iter().filter(|one| *one != Status::Inherit) {
        let number = count(one);
        if number > 0 || one == Status::Draft {
            counts.push_str(&format!(
                "<dt><a href=\"/wp-admin/edit.php?post_status={}\">{}</a></dt><dd>{number}</dd>",
                one.word(),
                status(one, language)
            ));
        }
    }
    counts.push_str(&format!(
        "<dt><a href=\"/wp-admin/upload.php\">{}</a></dt><dd>{}</dd>",
        words.library,
        site.media.len()
    ));
    if hidden > 0 {
        counts.push_str(&format!("<dt class=\"mark\">{}</dt><dd>{hidden}</dd>", words.hidden));
    }
    let hiding = if site.hide_new_drafts {
        switch("unhide", words.unhide, words.on)
    } else {
        switch("hide", words.hide, words.hide_explained)
    };
    let waiting: Vec<&str> = site
        .faults
        .waiting()
        .iter()
        .filter_map(|(_, fault)| {
            if *fault == Fault::CommitThenDropResponse {
                return Some(words.lose);
            }
            matches!(fault, Fault::CommitThenStatus(_)).then_some(words.broken)
        })
        .collect();
    let coming = if waiting.is_empty() {
        String::new()
    } else {
        format!("<p class=\"mark\">{}: {}</p>", words.waiting, waiting.join(" / "))
    };
    let main = format!(
        "<p>{}</p><div class=\"card\"><dl>{counts}</dl></div>\
         <div class=\"card\"><h2>{}</h2><p class=\"soft\">{}</p>{coming}{}{hiding}{}{}{}</div>",
        words.explained,
        words.faults,
        words.faults_explained,
        switch("lose", words.lose, words.lose_explained),
        switch("broken", words.broken, words.broken_explained),
        switch("show", words.show, ""),
        switch("clear", words.clear, ""),
    );
    page(language, words.overview, &main)
}
