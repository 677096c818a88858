//! Any answer is judged, and what it shows of a site is read or refused.
#![no_main]

use ichido_core::id::RemoteId;
use ichido_core::outcome::Outcome;
use ichido_wordpress::answer::{Expected, Heard, classify};
use ichido_wordpress::{Taxonomy, fuzzing};
use libfuzzer_sys::fuzz_target;

/// Statuses that are judged by rules of their own, and some that are not.
const STATUSES: [u16; 16] = [200, 201, 202, 204, 301, 307, 400, 401, 403, 404, 409, 413, 429, 500, 503, 999];

// A byte that chooses, three lines of headers, and the body.
fuzz_target!(|input: &[u8]| {
    let mut parts = input.splitn(4, |byte| *byte == b'\n');
    let first = parts.next().and_then(|part| part.split_first());
    let Some((&choice, location)) = first else { return };
    let header = |part: Option<&'_ [u8]>| part.and_then(|part| str::from_utf8(part).ok()).filter(|part| !part.is_empty()).map(str::to_owned);
    let (location, upload_id, retry_after) = (header(Some(location)), header(parts.next()), header(parts.next()));
    let body = parts.next().unwrap_or_default();
    let status = STATUSES[usize::from(choice & 15)];
    let expected = match choice >> 4 & 3 {
        0 => Expected::Post,
        1 => Expected::Image,
        2 => Expected::Term(Taxonomy::Tag),
        _ => Expected::Change(RemoteId(7)),
    };
    let (location, upload_id, retry_after) = (location.as_deref(), upload_id.as_deref(), retry_after.as_deref());
    let heard = Heard { status, location, upload_id, retry_after, body: Some(body) };
    let outcome = classify(expected, &heard, choice & 64 == 0);
    // Nothing that could have been made is ever called unsent or refused.
    let may_have_made = (200..=299).contains(&status);
    assert!(!may_have_made || matches!(outcome, Outcome::Created(_) | Outcome::Unknown(_)), "{outcome:?}");
    if let Outcome::Created(created) = &outcome {
        assert!(created.id.0 > 0 && created.id.0 < 1 << 53, "{created:?}");
    }
    if !matches!(outcome, Outcome::Created(_)) {
        let cut = classify(expected, &Heard { body: None, ..heard }, choice & 64 == 0);
        let is_safe = matches!(cut, Outcome::Unknown(_) | Outcome::Created(_))
            || (status == 413 && expected == Expected::Image);
        assert!(is_safe, "{cut:?}");
    }
    fuzzing::read(body);
});
