//! A whole HTML page: what it says about itself, and the part that is the article.

use html5ever::{LocalName, local_name};

use super::dom::{self, Dom, Id, TooComplex};

/// A parsed page.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) dom: Dom,
    /// The element whose content is the article.
    pub(crate) content: Id,
    /// The text of the `title` element.
    pub(crate) title: Option<String>,
    /// The `description` of the page.
    pub(crate) description: Option<String>,
    /// The `keywords` of the page.
    pub(crate) keywords: Option<String>,
    /// The picture that stands for the page, `og:image`.
    pub(crate) image: Option<(String, u32)>,
    /// What stands beside the article, each part with its line.
    pub(crate) beside: Vec<(String, u32)>,
}

impl Page {
    /// Whether what stands beside the article is what stands outside of the main part of the page's source.
    pub(crate) fn beside_is_outside_of_main_part(&self, html: &str) -> bool {
        let Some((start, end)) = main_range(html) else { return false };
        let outside = format!("{}{}", &html[..start], &html[end..]);
        let Ok(outside) = dom::document(&outside) else { return false };
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let beside: Vec<String> = self.beside.iter().flat_map(|(text, _)| words(text)).collect();
        let body = outside.find(Dom::root(), &local_name!("body")).unwrap_or(Dom::root());
        words(&outside.shown_text(body)) == beside
    }

    /// Takes the first main heading out of the content and answers its text.
    pub(crate) fn take_heading(&mut self) -> Option<String> {
        match self.dom.find(self.content, &local_name!("h1")) {
            Some(heading) => {
                let text = one_line(&self.dom.all_text(heading))?;
                self.dom.detach(heading);
                Some(text)
            }
            // Above the article, and not part of it.
            None => one_line(&self.dom.all_text(only(&self.dom, Dom::root(), &local_name!("h1"))?)),
        }
    }
}

/// Takes the first main heading out where it only repeats the title, and answers its text.
pub(crate) fn take_heading_if(dom: &mut Dom, below: Id, title: &str) -> Option<String> {
    let heading = dom.find(below, &local_name!("h1"))?;
    let text = one_line(&dom.all_text(heading)).filter(|text| text == title)?;
    dom.detach(heading);
    Some(text)
}

/// Parses a page or a part of one.
pub(crate) fn read(html: &str) -> Result<Page, TooComplex> {
    let dom = dom::document(html)?;
    let body = dom.find(Dom::root(), &local_name!("body")).unwrap_or(Dom::root());
    let content = only(&dom, body, &local_name!("article"))
        .or_else(|| only(&dom, body, &local_name!("main")))
        .unwrap_or(body);
    let title = dom
        .find(Dom::root(), &local_name!("head"))
        .and_then(|head| dom.find(head, &local_name!("title")))
        .and_then(|title| one_line(&dom.all_text(title)));
    let beside = beside(&dom, content, body);
    let mut page = Page { content, title, description: None, keywords: None, image: None, beside, dom };
    let metas = metas(&page.dom);
    page.description = meta(&page.dom, &metas, "name", "description")
        .or_else(|| meta(&page.dom, &metas, "property", "og:description"))
        .map(|(text, _)| text);
    page.keywords = meta(&page.dom, &metas, "name", "keywords").map(|(text, _)| text);
    page.image = meta(&page.dom, &metas, "property", "og:image");
    Ok(page)
}

/// The element with the name, where there is exactly one.
fn only(dom: &Dom, below: Id, name: &LocalName) -> Option<Id> {
    let mut found = None;
    let mut waiting = vec![below];
    while let Some(id) = waiting.pop() {
        if dom.is(id, name) && found.replace(id).is_some() {
            return None;
        }
        waiting.extend(dom.children(id));
    }
    found
}

/// What readers of the page see beside its article.
fn beside(dom: &Dom, content: Id, body: Id) -> Vec<(String, u32)> {
    let mut found = Vec::new();
    let mut inner = content;
    while inner != body {
        let Some(outer) = dom.parent(inner) else { break };
        for &id in dom.children(outer).iter().filter(|&&id| id != inner) {
            found.extend(one_line(&dom.shown_text(id)).map(|text| (text, dom.node(id).line)));
        }
        inner = outer;
    }
    found.sort_by_key(|(_, line)| *line);
    found
}

/// The part of a page's source that is its article, as far as tags tell, and the number of lines before it.
pub(crate) fn main_part(html: &str) -> Option<(&str, u32)> {
    let (start, end) = main_range(html)?;
    Some((&html[start..end], u32::try_from(html[..start].matches('\n').count()).unwrap_or(u32::MAX)))
}

fn main_range(html: &str) -> Option<(usize, usize)> {
    let lower = html.to_ascii_lowercase();
    let inside = |name: &str| {
        let tag = format!("<{name}");
        let mut starts = lower.match_indices(&tag).filter(|(at, tag)| {
            lower[at + tag.len()..].starts_with(|c: char| c == '>' || c.is_ascii_whitespace())
        });
        let (at, _) = starts.next().filter(|_| starts.next().is_none())?;
        let start = at + lower[at..].find('>')? + 1;
        let end = lower[start..].rfind(&format!("</{name}")).map(|end| start + end)?;
        Some((start, end))
    };
    inside("article").or_else(|| inside("main")).or_else(|| inside("body"))
}

fn metas(dom: &Dom) -> Vec<Id> {
    let mut found = Vec::new();
    let mut waiting = vec![Dom::root()];
    while let Some(id) = waiting.pop() {
        if dom.is(id, &local_name!("meta")) {
            found.push(id);
        }
        waiting.extend(dom.children(id).iter().rev());
    }
    found
}

fn meta(dom: &Dom, metas: &[Id], attribute: &str, name: &str) -> Option<(String, u32)> {
    let &id = metas
        .iter()
        .find(|&&id| dom.attribute(id, attribute).is_some_and(|value| value.eq_ignore_ascii_case(name)))?;
    let content = dom.attribute(id, "content")?.trim();
    (!content.is_empty()).then(|| (content.to_owned(), dom.node(id).line))
}

pub(crate) fn one_line(text: &str) -> Option<String> {
    let line = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    (!line.is_empty()).then_some(line)
}
