//! HTML: parsed into a tree that keeps lines, turned into blocks, and written from the tree again.

mod balance;
mod convert;
mod dom;
mod inline;
mod media;
mod page;
mod table;
mod verbatim;

pub(crate) use balance::groups;
pub(crate) use convert::{Converter, Setting};
pub(crate) use dom::{Dom, TooComplex, fragment};
pub(crate) use page::read as read_page;
