//! Whatever a text refers to, a picture of its own folder is taken or none.
#![no_main]

use std::sync::OnceLock;

use ichido_fuzz::Place;
use libfuzzer_sys::fuzz_target;

static PLACE: OnceLock<Place> = OnceLock::new();

fuzz_target!(|reference: &str| {
    let place = PLACE.get_or_init(|| Place::new("paths", "index.html"));
    let written = reference.replace('&', "&amp;").replace('"', "&quot;");
    let text = format!(
        "---\ntitle: T\ncover: \"{}\"\n---\n<p>x <img src=\"{written}\" srcset=\"{written} 2x\"> <a href=\"{written}\">x</a></p>",
        reference.escape_default()
    );
    place.read(text.as_bytes());
});
