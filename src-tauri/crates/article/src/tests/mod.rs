//! Tests over whole articles.

mod content;
mod discovery;
mod documents;
mod front_matter;
mod gates;
#[cfg(unix)]
mod hostile;
mod html;
mod images;
mod layouts;
mod markdown;
mod preview;
mod property;
#[cfg(unix)]
mod references;
mod reparse;
mod samples;
mod support;
#[cfg(target_os = "linux")]
mod traversal;
mod words;
