//! Tests over whole articles.
