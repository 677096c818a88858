//! HTML: parsed into a tree that keeps lines, turned into blocks, and written from the tree again.

mod balance;
mod convert;
pub(crate) mod dom;
mod figure;
mod filtered;
mod inline;
mod media;
mod page;
mod player;
mod table;
mod text;
mod verbatim;

pub(crate) use balance::groups;
pub(crate) use convert::{Converter, Setting};
pub(crate) use dom::{Dom, TooComplex, fragment};
pub(crate) use page::{main_part, one_line, read as read_page, take_heading_if};
