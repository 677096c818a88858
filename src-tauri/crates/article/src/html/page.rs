//! A whole HTML page: what it says about itself, and the part that is the article.

use html5ever::local_name;

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
}

impl Page {
    /// Takes the first main heading out of the content and answers its text.
    pub(crate) fn take_heading(&mut self) -> Option<String> {
        let heading = self.dom.find(self.content, &local_name!("h1"))?;
        let text = one_line(&self.dom.all_text(heading))?;
        self.dom.detach(heading);
        Some(text)
    }

    /// Takes the first main heading out where it only repeats the title.
    pub(crate) fn take_heading_if(&mut self, title: Option<&str>) {
        if let Some(heading) = self.dom.find(self.content, &local_name!("h1"))
            && one_line(&self.dom.all_text(heading)).as_deref() == title
        {
            self.dom.detach(heading);
        }
    }
}

/// Parses a page or a part of one.
pub(crate) fn read(html: &str) -> Result<Page, TooComplex> {
    let dom = dom::document(html)?;
    let body = dom.find(Dom::root(), &local_name!("body")).unwrap_or(Dom::root());
    let only = |name| {
        let first = dom.find(body, &name)?;
        let mut waiting = vec![body];
        let mut count = 0;
        while let Some(id) = waiting.pop() {
            count += usize::from(dom.is(id, &name));
            waiting.extend(dom.children(id));
        }
        (count == 1).then_some(first)
    };
    let content = only(local_name!("article")).or_else(|| only(local_name!("main"))).unwrap_or(body);
    let title = dom
        .find(Dom::root(), &local_name!("head"))
        .and_then(|head| dom.find(head, &local_name!("title")))
        .and_then(|title| one_line(&dom.all_text(title)));
    let mut page = Page { content, title, description: None, keywords: None, image: None, dom };
    let metas = metas(&page.dom);
    page.description = meta(&page.dom, &metas, "name", "description").map(|(text, _)| text);
    page.keywords = meta(&page.dom, &metas, "name", "keywords").map(|(text, _)| text);
    page.image = meta(&page.dom, &metas, "property", "og:image");
    Ok(page)
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

fn one_line(text: &str) -> Option<String> {
    let line = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    (!line.is_empty()).then_some(line)
}
