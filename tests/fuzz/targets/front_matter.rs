//! Any beginning of a text is read as front matter, or told why it is none.
#![no_main]

use std::sync::OnceLock;

use ichido_fuzz::Place;
use libfuzzer_sys::fuzz_target;

static PLACE: OnceLock<Place> = OnceLock::new();

fuzz_target!(|text: &[u8]| {
    let place = PLACE.get_or_init(|| Place::new("front-matter", "index.md"));
    place.read(text);
    for fence in ["---\n", "+++\n"] {
        place.read(&[fence.as_bytes(), text, b"\n", fence.as_bytes(), b"\nx\n"].concat());
    }
});
