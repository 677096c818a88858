//! A document tree in one vector, bounded in depth and size while it is built.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, LocalName, Namespace, ParseOpts, QualName, local_name, ns};

use crate::bounds::{self, MAX_NODES};

/// Place of a node in its tree.
pub(crate) type Id = usize;

const ROOT: Id = 0;
/// Deeper trees are no articles; walking them would use up the stack.
const MAX_DEPTH: u32 = 120;
/// The bounds are looked at between pieces of this size.
const PIECE_BYTES: usize = 2048;

/// A parsed document or fragment.
#[derive(Debug)]
pub(crate) struct Dom {
    nodes: Vec<Node>,
}

#[derive(Debug)]
pub(crate) struct Node {
    parent: Option<Id>,
    depth: u32,
    pub(crate) children: Vec<Id>,
    /// Line within the parsed text, from 1.
    pub(crate) line: u32,
    pub(crate) data: Data,
}

#[derive(Debug)]
pub(crate) enum Data {
    Root,
    Element { name: Rc<QualName>, attributes: Vec<Attribute>, template: Option<Id> },
    Text(String),
    Comment(String),
}

/// The text is nested too deep, or has grown to too many nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TooComplex {
    Depth,
    Nodes,
}

impl TooComplex {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Depth => "depth",
            Self::Nodes => "nodes",
        }
    }
}

impl Dom {
    pub(crate) fn node(&self, id: Id) -> &Node {
        &self.nodes[id]
    }

    pub(crate) fn children(&self, id: Id) -> &[Id] {
        &self.nodes[id].children
    }

    /// The local name of an HTML element; nothing for other nodes and for elements of SVG and MathML.
    pub(crate) fn name(&self, id: Id) -> Option<&LocalName> {
        match &self.nodes[id].data {
            Data::Element { name, .. } if name.ns == ns!(html) => Some(&name.local),
            Data::Element { .. } | Data::Root | Data::Text(_) | Data::Comment(_) => None,
        }
    }

    pub(crate) fn is(&self, id: Id, wanted: &LocalName) -> bool {
        self.name(id) == Some(wanted)
    }

    pub(crate) fn attributes(&self, id: Id) -> &[Attribute] {
        match &self.nodes[id].data {
            Data::Element { attributes, .. } => attributes,
            Data::Root | Data::Text(_) | Data::Comment(_) => &[],
        }
    }

    pub(crate) fn attribute(&self, id: Id, wanted: &str) -> Option<&str> {
        self.attributes(id)
            .iter()
            .find(|attribute| attribute.name.ns == ns!() && &*attribute.name.local == wanted)
            .map(|attribute| &*attribute.value)
    }

    pub(crate) fn text(&self, id: Id) -> Option<&str> {
        match &self.nodes[id].data {
            Data::Text(text) => Some(text),
            Data::Root | Data::Element { .. } | Data::Comment(_) => None,
        }
    }

    /// Whether the node shows nothing: white space or a comment.
    pub(crate) fn is_blank(&self, id: Id) -> bool {
        match &self.nodes[id].data {
            Data::Text(text) => text.chars().all(|c| c.is_ascii_whitespace()),
            Data::Comment(_) => true,
            Data::Root | Data::Element { .. } => false,
        }
    }

    /// All text below a node.
    pub(crate) fn all_text(&self, id: Id) -> String {
        let mut text = String::new();
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            if let Some(own) = self.text(id) {
                text.push_str(own);
            }
            waiting.extend(self.children(id).iter().rev());
        }
        text
    }

    /// The text below a node that browsers show.
    pub(crate) fn shown_text(&self, id: Id) -> String {
        let mut text = String::new();
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            match self.name(id) {
                Some(&local_name!("script") | &local_name!("style") | &local_name!("head")) => continue,
                Some(_) => text.push(' '),
                None => {}
            }
            if let Some(own) = self.text(id) {
                text.push_str(own);
            }
            waiting.extend(self.children(id).iter().rev());
        }
        text
    }

    /// The node in which a node stands.
    pub(crate) fn parent(&self, id: Id) -> Option<Id> {
        self.nodes[id].parent
    }

    /// The first element with the name, in document order.
    pub(crate) fn find(&self, below: Id, wanted: &LocalName) -> Option<Id> {
        let mut waiting = vec![below];
        while let Some(id) = waiting.pop() {
            if self.is(id, wanted) {
                return Some(id);
            }
            waiting.extend(self.children(id).iter().rev());
        }
        None
    }

    /// Takes a node out of the tree.
    pub(crate) fn detach(&mut self, id: Id) {
        if let Some(parent) = self.nodes[id].parent.take()
            && let Some(at) = self.nodes[parent].children.iter().rposition(|&child| child == id)
        {
            self.nodes[parent].children.remove(at);
        }
    }

    pub(crate) const fn root() -> Id {
        ROOT
    }
}

/// Parses a whole document.
pub(crate) fn document(html: &str) -> Result<Dom, TooComplex> {
    feed(html5ever::parse_document(Sink::new(), options()), html)
}

/// Parses what stands inside a body; the nodes are the root's children.
pub(crate) fn fragment(html: &str) -> Result<Dom, TooComplex> {
    let context = QualName::new(None, ns!(html), local_name!("body"));
    let parser = html5ever::parse_fragment(Sink::new(), options(), context, Vec::new(), false);
    let mut dom = feed(parser, html)?;
    // A fragment is parsed into an `html` element of its own.
    let wrapper = dom.children(ROOT).iter().copied().find(|&id| dom.is(id, &local_name!("html")));
    if let Some(wrapper) = wrapper {
        let children = std::mem::take(&mut dom.nodes[wrapper].children);
        for &child in &children {
            dom.nodes[child].parent = Some(ROOT);
        }
        dom.nodes[ROOT].children = children;
    }
    Ok(dom)
}

fn options() -> ParseOpts {
    ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled: false,
            drop_doctype: true,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    }
}

fn feed(mut parser: html5ever::Parser<Sink>, html: &str) -> Result<Dom, TooComplex> {
    bounds::html(html)?;
    let mut rest = html;
    while !rest.is_empty() {
        let mut end = PIECE_BYTES.min(rest.len());
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        let (piece, after) = rest.split_at(end);
        parser.process(StrTendril::from_slice(piece));
        if let Some(problem) = parser.tokenizer.sink.sink.problem.get() {
            return Err(problem);
        }
        rest = after;
    }
    parser.finish()
}

#[derive(Clone)]
struct Handle {
    id: Id,
    name: Option<Rc<QualName>>,
}

struct Sink {
    nodes: RefCell<Vec<Node>>,
    line: Cell<u32>,
    problem: Cell<Option<TooComplex>>,
    /// Stands in for the name of a node that has none.
    nameless: QualName,
}

impl Sink {
    fn new() -> Self {
        let root = Node { parent: None, depth: 0, children: Vec::new(), line: 1, data: Data::Root };
        Self {
            nodes: RefCell::new(vec![root]),
            line: Cell::new(1),
            problem: Cell::new(None),
            nameless: QualName::new(None, Namespace::from(""), LocalName::from("")),
        }
    }

    fn add(&self, data: Data) -> Id {
        let mut nodes = self.nodes.borrow_mut();
        if nodes.len() >= MAX_NODES {
            self.problem.set(Some(TooComplex::Nodes));
        }
        nodes.push(Node { parent: None, depth: 0, children: Vec::new(), line: self.line.get(), data });
        nodes.len() - 1
    }

    fn insert(&self, parent: Id, at: Option<usize>, child: NodeOrText<Handle>) {
        let at = at.unwrap_or(self.nodes.borrow()[parent].children.len());
        let child = match child {
            NodeOrText::AppendNode(handle) => handle.id,
            NodeOrText::AppendText(text) => {
                let mut nodes = self.nodes.borrow_mut();
                let before = at.checked_sub(1).and_then(|at| nodes[parent].children.get(at)).copied();
                if let Some(before) = before
                    && let Data::Text(existing) = &mut nodes[before].data
                {
                    existing.push_str(&text);
                    return;
                }
                drop(nodes);
                self.add(Data::Text(text.to_string()))
            }
        };
        let mut nodes = self.nodes.borrow_mut();
        let depth = nodes[parent].depth + 1;
        if depth > MAX_DEPTH {
            self.problem.set(Some(TooComplex::Depth));
        }
        nodes[child].parent = Some(parent);
        nodes[child].depth = depth;
        nodes[parent].children.insert(at, child);
    }

    fn detach(&self, id: Id) {
        let mut nodes = self.nodes.borrow_mut();
        if let Some(parent) = nodes[id].parent.take()
            && let Some(at) = nodes[parent].children.iter().rposition(|&child| child == id)
        {
            nodes[parent].children.remove(at);
        }
    }
}

impl TreeSink for Sink {
    type Handle = Handle;
    type Output = Result<Dom, TooComplex>;
    type ElemName<'a> = &'a QualName;

    fn finish(self) -> Self::Output {
        let dom = Dom { nodes: self.nodes.into_inner() };
        // Moved subtrees keep the depth they were built at: the true one is measured here.
        let mut waiting = vec![(ROOT, 0_u32)];
        while let Some((id, depth)) = waiting.pop() {
            if depth > MAX_DEPTH {
                return Err(TooComplex::Depth);
            }
            let node = &dom.nodes[id];
            waiting.extend(node.children.iter().map(|&child| (child, depth + 1)));
            if let Data::Element { template: Some(template), .. } = node.data {
                waiting.push((template, depth + 1));
            }
        }
        self.problem.get().map_or(Ok(dom), Err)
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Handle { id: ROOT, name: None }
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> &'a QualName {
        target.name.as_deref().unwrap_or(&self.nameless)
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> Handle {
        let template = flags.template.then(|| self.add(Data::Root));
        let name = Rc::new(name);
        let id = self.add(Data::Element { name: Rc::clone(&name), attributes, template });
        Handle { id, name: Some(name) }
    }

    fn create_comment(&self, text: StrTendril) -> Handle {
        Handle { id: self.add(Data::Comment(text.to_string())), name: None }
    }

    fn create_pi(&self, _target: StrTendril, data: StrTendril) -> Handle {
        Handle { id: self.add(Data::Comment(data.to_string())), name: None }
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.insert(parent.id, None, child);
    }

    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        let has_parent = self.nodes.borrow()[element.id].parent.is_some();
        if has_parent {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_doctype_to_document(&self, _name: StrTendril, _public: StrTendril, _system: StrTendril) {}

    fn get_template_contents(&self, target: &Handle) -> Handle {
        let contents = match self.nodes.borrow()[target.id].data {
            Data::Element { template: Some(template), .. } => template,
            Data::Element { .. } | Data::Root | Data::Text(_) | Data::Comment(_) => target.id,
        };
        Handle { id: contents, name: None }
    }

    fn same_node(&self, one: &Handle, other: &Handle) -> bool {
        one.id == other.id
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        if let NodeOrText::AppendNode(node) = &child {
            self.detach(node.id);
        }
        let place = {
            let nodes = self.nodes.borrow();
            nodes[sibling.id].parent.and_then(|parent| {
                nodes[parent].children.iter().rposition(|&child| child == sibling.id).map(|at| (parent, at))
            })
        };
        if let Some((parent, at)) = place {
            self.insert(parent, Some(at), child);
        }
    }

    fn add_attrs_if_missing(&self, target: &Handle, attributes: Vec<Attribute>) {
        if let Data::Element { attributes: existing, .. } = &mut self.nodes.borrow_mut()[target.id].data {
            for attribute in attributes {
                if !existing.iter().any(|old| old.name == attribute.name) {
                    existing.push(attribute);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.detach(target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        let mut nodes = self.nodes.borrow_mut();
        let children = std::mem::take(&mut nodes[node.id].children);
        let depth = nodes[new_parent.id].depth + 1;
        for &child in &children {
            nodes[child].parent = Some(new_parent.id);
            nodes[child].depth = depth;
        }
        nodes[new_parent.id].children.extend(children);
    }

    fn set_current_line(&self, line: u64) {
        self.line.set(u32::try_from(line).unwrap_or(u32::MAX));
    }
}
