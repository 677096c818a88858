//! Any HTML becomes blocks or findings.
#![no_main]

use std::sync::OnceLock;

use ichido_fuzz::Place;
use libfuzzer_sys::fuzz_target;

static PLACE: OnceLock<Place> = OnceLock::new();

fuzz_target!(|text: &[u8]| {
    PLACE.get_or_init(|| Place::new("html", "index.html")).read(&[b"---\ntitle: T\n---\n", text].concat());
});
