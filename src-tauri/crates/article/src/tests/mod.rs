//! Tests over whole articles.

mod discovery;
mod front_matter;
#[cfg(unix)]
mod hostile;
mod html;
mod images;
mod markdown;
mod property;
mod reparse;
mod samples;
mod support;
