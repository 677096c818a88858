//! `wp/v2/categories` and `wp/v2/tags`.

use serde_json::{Value, json};

use crate::answer::{Answer, Refusal, Reply};
use crate::asked::Params;
use crate::callers::Caller;
use crate::fields::Fields;
use crate::kses;
use crate::list::bounded;
use crate::options::Language;
use crate::rows::{Status, Taxonomy, Term};
use crate::site::Site;
use crate::slugs;

/// Gives a new site its categories. The first is the one that posts get when they name none.
pub(crate) fn seed(site: &mut Site) {
    let first = match site.language {
        Language::Japanese => ("未分類", "uncategorized"),
        Language::English => ("Uncategorized", "uncategorized"),
    };
    for (name, slug) in [first, ("お知らせ", "oshirase"), ("News", "news")] {
        insert(site, Taxonomy::Category, name, slug, "", 0);
    }
}

pub(crate) fn insert(
    site: &mut Site,
    taxonomy: Taxonomy,
    name: &str,
    slug: &str,
    description: &str,
    parent: u64,
) -> u64 {
    let id = site.next_term;
    site.next_term += 1;
    let term = Term {
        id,
        taxonomy,
        name: name.to_owned(),
        slug: slug.to_owned(),
        description: description.to_owned(),
        parent,
    };
    site.terms.insert(id, term);
    id
}

fn count(site: &Site, term: &Term) -> usize {
    let has = |post: &&crate::rows::Post| match term.taxonomy {
        Taxonomy::Category => post.categories.contains(&term.id),
        Taxonomy::Tag => post.tags.contains(&term.id),
    };
    site.posts.values().filter(|post| post.status == Status::Publish).filter(has).count()
}

fn body(site: &Site, term: &Term) -> Value {
    let route = term.taxonomy.route();
    let address = match term.taxonomy {
        Taxonomy::Category => format!("{}/category/{}/", site.url, term.slug),
        Taxonomy::Tag => format!("{}/tag/{}/", site.url, term.slug),
    };
    let mut body = json!({
        "id": term.id, "count": count(site, term), "description": term.description, "link": address,
        "name": term.name, "slug": term.slug, "taxonomy": term.taxonomy.word(), "meta": [],
        "_links": { "self": [{ "href": site.rest_url(&format!("wp/v2/{route}/{}", term.id)) }] },
    });
    if term.taxonomy == Taxonomy::Category {
        body["parent"] = json!(term.parent);
    }
    body
}

fn check_context(caller: &Caller, params: &Params) -> Result<(), Refusal> {
    if params.edits()? && !caller.can("manage_categories") {
        return Err(Refusal::forbidden(caller.known(), "rest_forbidden_context"));
    }
    Ok(())
}

pub(crate) fn list(site: &Site, caller: &Caller, params: &Params, taxonomy: Taxonomy) -> Reply {
    const ORDERS: [&str; 8] =
        ["id", "include", "name", "slug", "include_slugs", "term_group", "description", "count"];
    let per_page = bounded(params, "per_page", 10, 100)?;
    let page = bounded(params, "page", 1, usize::MAX)?;
    let order_by = params.choice("orderby", &ORDERS)?.unwrap_or_else(|| "name".to_owned());
    let descending = params.choice("order", &["asc", "desc"])?.as_deref() == Some("desc");
    let slugs: Vec<String> =
        params.list("slug")?.unwrap_or_default().iter().map(|slug| slugs::sanitise(slug)).collect();
    let search =
        params.text("search")?.map(|text| text.trim().to_lowercase()).filter(|text| !text.is_empty());
    let include = params.ids("include")?.unwrap_or_default();
    let exclude = params.ids("exclude")?.unwrap_or_default();
    let parent = params.integer("parent")?.filter(|_| taxonomy == Taxonomy::Category);
    let post = params.integer("post")?;
    let hide_empty = params.flag("hide_empty")?.unwrap_or(false);
    let fields = Fields::read(params)?;
    check_context(caller, params)?;
    let mut found: Vec<&Term> = site
        .terms
        .values()
        .filter(|term| term.taxonomy == taxonomy)
        .filter(|term| slugs.is_empty() || slugs.contains(&term.slug))
        .filter(|term| include.is_empty() || include.contains(&term.id))
        .filter(|term| !exclude.contains(&term.id))
        .filter(|term| parent.is_none_or(|parent| term.parent == parent))
        .filter(|term| {
            search.as_ref().is_none_or(|text| {
                term.name.to_lowercase().contains(text) || term.slug.contains(text.as_str())
            })
        })
        .filter(|term| {
            post.is_none_or(|id| {
                site.posts
                    .get(&id)
                    .is_some_and(|post| post.categories.contains(&term.id) || post.tags.contains(&term.id))
            })
        })
        .filter(|term| !hide_empty || count(site, term) > 0)
        .collect();
    found.sort_by(|a, b| match order_by.as_str() {
        "id" => a.id.cmp(&b.id),
        "slug" => a.slug.cmp(&b.slug),
        "count" => count(site, a).cmp(&count(site, b)).then(a.id.cmp(&b.id)),
        _ => a.name.to_lowercase().cmp(&b.name.to_lowercase()).then(a.id.cmp(&b.id)),
    });
    if descending {
        found.reverse();
    }
    let total = found.len();
    let skipped = (page - 1).saturating_mul(per_page);
    let items =
        found.into_iter().skip(skipped).take(per_page).map(|term| fields.cut(body(site, term))).collect();
    Ok(Answer::json(200, &Value::Array(items))
        .with("x-wp-total", total.to_string())
        .with("x-wp-totalpages", total.div_ceil(per_page).to_string()))
}

pub(crate) fn get(site: &Site, caller: &Caller, params: &Params, taxonomy: Taxonomy, id: u64) -> Reply {
    check_context(caller, params)?;
    let term = site.terms.get(&id).filter(|term| term.taxonomy == taxonomy);
    let term = term.ok_or_else(|| Refusal::new(404, "rest_term_invalid"))?;
    Ok(Answer::json(200, &Fields::read(params)?.cut(body(site, term))))
}

pub(crate) fn create(site: &mut Site, caller: &Caller, params: &Params, taxonomy: Taxonomy) -> Reply {
    let Some(name) = params.text("name")? else {
        return Err(Refusal::new(400, "rest_missing_callback_param").with("params", json!(["name"])));
    };
    let sent_slug = params.text("slug")?.map(|slug| slugs::sanitise(&slug)).filter(|slug| !slug.is_empty());
    let parent = params.integer("parent")?;
    let description = params.text("description")?.unwrap_or_default();
    let needed = match taxonomy {
        Taxonomy::Category => "manage_categories",
        Taxonomy::Tag => "edit_posts",
    };
    if !caller.can(needed) {
        return Err(Refusal::forbidden(caller.known(), "rest_cannot_create"));
    }
    let parent = match (taxonomy, parent) {
        (Taxonomy::Tag, Some(_)) => return Err(Refusal::new(400, "rest_taxonomy_not_hierarchical")),
        (Taxonomy::Category, Some(id)) if id > 0 => {
            let known = site.terms.get(&id).is_some_and(|term| term.taxonomy == taxonomy);
            if !known {
                return Err(Refusal::new(400, "rest_term_invalid"));
            }
            id
        }
        (Taxonomy::Category | Taxonomy::Tag, _) => 0,
    };
    let name = kses::name(&name);
    if name.is_empty() {
        return Err(Refusal::new(500, "empty_term_name").without_data());
    }
    let wanted = sent_slug.clone().unwrap_or_else(|| slugs::sanitise(&name));
    let own = || site.terms.values().filter(|term| term.taxonomy == taxonomy && term.parent == parent);
    let slug_taken =
        |slug: &str| site.terms.values().any(|term| term.taxonomy == taxonomy && term.slug == slug);
    let namesake = own().find(|term| term.name.eq_ignore_ascii_case(&name));
    if let Some(term) =
        namesake.filter(|term| sent_slug.is_none() || term.slug == wanted || slug_taken(&wanted))
    {
        let exists = Refusal::new(400, "term_exists").with("term_id", json!(term.id));
        return Err(exists.and(json!(term.id)).and(json!(term.id)));
    }
    let slug = slugs::unique_term(&wanted, slug_taken);
    let id = insert(site, taxonomy, &name, &slug, &description, parent);
    if slug.is_empty()
        && let Some(term) = site.terms.get_mut(&id)
    {
        term.slug = id.to_string();
    }
    let shown = site.terms.get(&id).map(|term| body(site, term)).unwrap_or_default();
    let location = site.rest_url(&format!("wp/v2/{}/{id}", taxonomy.route()));
    Ok(Answer::json(201, &shown).with("location", location).made(id))
}
