use std::collections::HashSet;

use ichido_core::digest::Digest;
use proptest::prelude::*;

use super::*;

const POST: &str = r#"{"id":7,"type":"post","slug":"a","status":"draft","content":{"raw":"x"}}"#;
const IMAGE: &str = r#"{"id":7,"type":"attachment","slug":"a","status":"inherit","missing_image_sizes":[]}"#;
const TAG: &str = r#"{"id":7,"taxonomy":"post_tag","name":"a"}"#;
const TAGS: Expected = Expected::Term(Taxonomy::Tag);
const CHANGE: Expected = Expected::Change(RemoteId(7));
const POST_CHANGE: Expected = Expected::PostChange(RemoteId(7));
const ALL: [Expected; 6] =
    [Expected::Post, Expected::Image, TAGS, Expected::Term(Taxonomy::Category), CHANGE, POST_CHANGE];

fn heard(status: u16, body: &str) -> Heard<'_> {
    Heard { status, location: None, upload_id: None, retry_after: None, body: Some(body.as_bytes()) }
}

fn id_of(outcome: &Outcome) -> Option<u64> {
    match outcome {
        Outcome::Created(created) => Some(created.id.0),
        Outcome::NotSent(_) | Outcome::Refused(_) | Outcome::Unknown(_) => None,
    }
}

fn unreadable(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Unknown(UnknownCause::Unreadable { .. }))
}

fn error(code: &str) -> String {
    format!(r#"{{"code":"{code}","message":"m","data":{{"status":400}}}}"#)
}

fn refusal(expected: Expected, status: u16, code: &str, four: bool) -> Option<RefusalCode> {
    match classify(expected, &heard(status, &error(code)), four) {
        Outcome::Refused(refusal) => Some(refusal.code),
        Outcome::Created(_) | Outcome::NotSent(_) | Outcome::Unknown(_) => None,
    }
}

#[test]
fn the_object_that_was_asked_for_is_created() {
    let Outcome::Created(created) = classify(Expected::Post, &heard(201, POST), false) else { panic!() };
    assert_eq!((created.id, created.needs_post_process), (RemoteId(7), false));
    let row = created.row.unwrap();
    assert_eq!((row.slug.as_str(), row.status.as_str()), ("a", "draft"));
    assert_eq!(row.content, Some(Digest::of_bytes(b"x")));
    assert_eq!(id_of(&classify(Expected::Image, &heard(201, IMAGE), false)), Some(7));
    assert_eq!(id_of(&classify(TAGS, &heard(201, TAG), false)), Some(7));
    assert_eq!(id_of(&classify(CHANGE, &heard(200, IMAGE), false)), Some(7));
}

#[test]
fn an_object_of_another_type_or_without_a_right_id_proves_nothing() {
    let location = Some("https://example.com/wp-json/wp/v2/posts/7");
    for body in [
        "{}",
        "[]",
        "null",
        "7",
        "\"x\"",
        "[{\"id\":7,\"type\":\"post\"}]",
        r#"{"id":7}"#,
        r#"{"id":7,"type":"page"}"#,
        r#"{"id":"7","type":"post"}"#,
        r#"{"id":0,"type":"post"}"#,
        r#"{"id":-7,"type":"post"}"#,
        r#"{"id":7.5,"type":"post"}"#,
        // The head names another row.
        r#"{"id":8,"type":"post"}"#,
    ] {
        let outcome = classify(Expected::Post, &Heard { location, ..heard(201, body) }, false);
        assert!(unreadable(&outcome), "{body}: {outcome:?}");
    }
    assert!(unreadable(&classify(Expected::Image, &heard(201, POST), false)));
    assert!(unreadable(&classify(Expected::Term(Taxonomy::Category), &heard(201, TAG), false)));
    assert!(unreadable(&classify(Expected::Change(RemoteId(8)), &heard(200, IMAGE), false)));
}

#[test]
fn where_the_body_cannot_be_read_the_head_tells_the_id() {
    let location = Some("https://example.com/?rest_route=/wp/v2/posts/7");
    for body in [
        Some(&b"<b>Warning</b>: x{\"id\":9,\"type\":\"post\"}"[..]),
        Some(b"\xef\xbb\xbf{\"id\":9}"),
        Some(b"{\"id\":9,"),
        Some(b""),
        Some(b"\xff"),
        None,
    ] {
        let heard = Heard { location, body, ..heard(201, "") };
        let Outcome::Created(created) = classify(Expected::Post, &heard, false) else { panic!("{body:?}") };
        assert_eq!((created.id, created.row), (RemoteId(7), None));
        // The head of another kind of row, or none.
        assert!(unreadable(&classify(Expected::Image, &heard, false)));
        assert!(unreadable(&classify(Expected::Post, &Heard { location: None, ..heard }, false)));
        // Only 201 counts.
        assert!(unreadable(&classify(Expected::Post, &Heard { status: 200, ..heard }, false)));
    }
}

#[test]
fn a_nested_body_is_not_read() {
    let deep = "[".repeat(100_000);
    assert!(unreadable(&classify(Expected::Post, &heard(201, &deep), false)));
}

#[test]
fn another_success_proves_nothing() {
    for (expected, body) in [(Expected::Post, POST), (Expected::Image, IMAGE), (TAGS, TAG)] {
        for status in [200, 202, 204, 206, 207, 299] {
            assert!(unreadable(&classify(expected, &heard(status, body), false)), "{status}");
        }
    }
    assert!(unreadable(&classify(CHANGE, &heard(201, IMAGE), false)));
}

#[test]
fn a_redirect_proves_nothing() {
    for status in [300, 301, 302, 303, 304, 307, 308] {
        for expected in ALL {
            let outcome = classify(expected, &heard(status, POST), true);
            assert_eq!(outcome, Outcome::Unknown(UnknownCause::Redirect { status }));
        }
    }
}

#[test]
fn a_file_that_the_head_names_is_there_whatever_the_status() {
    for status in [200, 201, 302, 400, 413, 500, 503] {
        let body = error("rest_invalid_param");
        let heard = Heard { upload_id: Some("7"), ..heard(status, &body) };
        let Outcome::Created(created) = classify(Expected::Image, &heard, true) else { panic!("{status}") };
        assert_eq!((created.id, created.needs_post_process), (RemoteId(7), status >= 300), "{status}");
        // Only an upload can have made a file.
        assert_ne!(id_of(&classify(Expected::Post, &heard, true)), Some(7));
    }
    for upload_id in ["", "0", "-7", "7x", "+7", "99999999999999999999"] {
        let heard = Heard { upload_id: Some(upload_id), ..heard(500, "") };
        assert_eq!(id_of(&classify(Expected::Image, &heard, false)), None, "{upload_id}");
    }
    let with_row = Heard { upload_id: Some("7"), ..heard(201, IMAGE) };
    let Outcome::Created(created) = classify(Expected::Image, &with_row, false) else { panic!() };
    assert!(created.row.is_some() && !created.needs_post_process);
    let other_row = Heard { upload_id: Some("8"), ..heard(201, IMAGE) };
    let Outcome::Created(created) = classify(Expected::Image, &other_row, false) else { panic!() };
    assert_eq!((created.id, created.row), (RemoteId(8), None));
    // Only an upload that went well, and shows a file, tells what is to be recorded of it.
    let of_a_post = IMAGE.replace("attachment", "post");
    for (status, body) in [(500, IMAGE), (200, IMAGE), (201, of_a_post.as_str())] {
        let unfinished = Heard { upload_id: Some("7"), ..heard(status, body) };
        let Outcome::Created(created) = classify(Expected::Image, &unfinished, false) else { panic!() };
        assert_eq!((created.id, created.row), (RemoteId(7), None), "{status} {body}");
    }
}

#[test]
fn sizes_that_are_still_missing_are_to_be_made() {
    let body = IMAGE.replace("[]", r#"["thumbnail"]"#);
    let Outcome::Created(created) = classify(Expected::Image, &heard(201, &body), false) else { panic!() };
    assert!(created.needs_post_process);
}

#[test]
fn maintenance_was_not_executed() {
    let page = "<!DOCTYPE html><p>Briefly unavailable for scheduled maintenance. Check back in a minute.";
    for (body, retry_after, seconds) in [
        (error("wp_die"), Some("600"), Some(600)),
        (page.to_owned(), None, None),
        (page.to_owned(), Some("600"), Some(600)),
    ] {
        for expected in ALL {
            let heard = Heard { retry_after, ..heard(503, &body) };
            assert_eq!(
                classify(expected, &heard, false),
                Outcome::NotSent(NotSent::Maintenance { retry_after_s: seconds })
            );
        }
    }
    for (status, body, retry_after) in [
        (503, error("wp_die"), None),
        (503, error("wp_die"), Some("60")),
        (503, error("internal_server_error"), Some("600")),
        (503, String::new(), Some("600")),
        (500, error("wp_die"), Some("600")),
        (500, page.to_owned(), None),
        (502, page.to_owned(), Some("600")),
    ] {
        let outcome = classify(Expected::Post, &Heard { retry_after, ..heard(status, &body) }, false);
        assert!(
            matches!(outcome, Outcome::Unknown(UnknownCause::Status { .. })),
            "{status} {body}: {outcome:?}"
        );
    }
    let broken = Heard { retry_after: Some("600"), body: None, ..heard(503, "") };
    assert!(matches!(classify(Expected::Post, &broken, false), Outcome::Unknown(_)));
}

#[test]
fn each_refusal_of_the_closed_list_counts_where_wordpress_raises_it() {
    for code in RefusalCode::ALL.iter().copied() {
        let name = code.as_str();
        let (at_400, at_500) =
            (refusal(Expected::Image, 400, name, false), refusal(Expected::Image, 500, name, false));
        let (post_at_400, post_at_500) =
            (refusal(Expected::Post, 400, name, false), refusal(Expected::Post, 500, name, false));
        let expected = match name {
            "rest_upload_unknown_error" | "rest_upload_sideload_error" => {
                (Some(code), Some(code), None, None)
            }
            "payload_too_large" | "db_insert_error" => (None, None, None, None),
            _ if name.starts_with("rest_upload_") => (Some(code), None, None, None),
            _ => (Some(code), None, Some(code), None),
        };
        assert_eq!((at_400, at_500, post_at_400, post_at_500), expected, "{name}");
    }
    assert_eq!(refusal(Expected::Post, 500, "db_insert_error", true), Some(RefusalCode::DbInsertError));
    assert_eq!(refusal(TAGS, 403, "rest_cannot_create", false), Some(RefusalCode::CannotCreate));
    assert_eq!(
        refusal(Expected::Image, 412, "rest_upload_hash_mismatch", false),
        Some(RefusalCode::UploadHashMismatch)
    );
}

#[test]
fn a_size_that_the_web_server_refuses_counts_for_files_only() {
    for body in [Some(&b"<html>413</html>"[..]), Some(b""), None] {
        let heard = Heard { body, ..heard(413, "") };
        let Outcome::Refused(refusal) = classify(Expected::Image, &heard, false) else { panic!() };
        assert_eq!((refusal.code, refusal.status), (RefusalCode::PayloadTooLarge, 413));
        assert!(matches!(classify(Expected::Post, &heard, false), Outcome::Unknown(_)));
    }
}

#[test]
fn what_can_follow_an_insert_proves_nothing_and_keeps_its_code() {
    for (status, code) in [
        (400, "rest_invalid_type"),
        (403, "rest_cannot_update"),
        (403, "rest_cannot_edit"),
        (404, "rest_post_invalid_id"),
        (500, "internal_server_error"),
        (500, "wp_die"),
        (500, "rest_meta_database_error"),
        (400, "invalid_taxonomy"),
        (400, "term_exists"),
        (500, "db_insert_error"),
        (500, "rest_invalid_param"),
        (429, "too_many_requests"),
    ] {
        let outcome = classify(Expected::Post, &heard(status, &error(code)), false);
        assert_eq!(outcome, Outcome::Unknown(UnknownCause::Status { status, code: Some(code.into()) }));
    }
    for (status, body) in
        [(403, "<html>"), (500, ""), (504, "[]"), (400, "{\"code\":7}"), (100, ""), (999, "")]
    {
        let outcome = classify(Expected::Post, &heard(status, body), true);
        assert_eq!(outcome, Outcome::Unknown(UnknownCause::Status { status, code: None }), "{status} {body}");
    }
}

#[test]
fn a_code_that_is_kept_is_short_and_plain() {
    let body = format!(r#"{{"code":"a\u001b[31m{}"}}"#, "x".repeat(500));
    let Outcome::Unknown(UnknownCause::Status { code: Some(code), .. }) =
        classify(Expected::Post, &heard(400, &body), false)
    else {
        panic!()
    };
    assert_eq!(code.len(), LONGEST_NAME);
    assert!(!code.contains('\u{1b}'));
}

#[test]
fn refused_parameters_are_named_within_bounds() {
    let names = (0..50).map(|n| format!(r#""p{n}":"why""#)).collect::<Vec<_>>().join(",");
    let body = format!(r#"{{"code":"rest_invalid_param","data":{{"status":400,"params":{{{names}}}}}}}"#);
    let Outcome::Refused(refusal) = classify(Expected::Post, &heard(400, &body), false) else { panic!() };
    assert_eq!(refusal.parameters.len(), MOST_PARAMETERS);
    assert_eq!(refusal.parameters[0], "p0");
}

#[test]
fn a_term_that_exists_is_as_good_as_created() {
    let body = r#"{"code":"term_exists","message":"m","data":{"status":400,"term_id":9}}"#;
    assert_eq!(id_of(&classify(TAGS, &heard(400, body), false)), Some(9));
    assert_eq!(id_of(&classify(TAGS, &heard(500, body), false)), None);
    assert_eq!(id_of(&classify(Expected::Post, &heard(400, body), false)), None);
    let without = r#"{"code":"term_exists","data":{"status":400,"term_id":"9"}}"#;
    assert_eq!(id_of(&classify(TAGS, &heard(400, without), false)), None);
}

#[test]
fn a_change_that_may_not_be_made_concerns_its_file_alone() {
    assert_eq!(refusal(CHANGE, 403, "rest_cannot_edit", false), Some(RefusalCode::CannotEditOthers));
    assert_eq!(refusal(CHANGE, 404, "rest_post_invalid_id", false), Some(RefusalCode::InvalidParam));
    assert_eq!(refusal(CHANGE, 500, "rest_cannot_edit", false), None);
    assert_eq!(refusal(CHANGE, 403, "rest_post_invalid_id", false), None);
    for code in ["rest_cannot_edit", "rest_post_invalid_id"] {
        assert_eq!(refusal(Expected::Image, 404, code, false), None);
    }
}

#[test]
fn a_change_of_fields_ends_where_the_site_does_not_take_them() {
    assert_eq!(id_of(&classify(POST_CHANGE, &heard(200, POST), false)), Some(7));
    assert!(unreadable(&classify(POST_CHANGE, &heard(200, IMAGE), false)));
    assert!(unreadable(&classify(Expected::PostChange(RemoteId(8)), &heard(200, POST), false)));
    for (status, code, wanted) in [
        (403, "rest_cannot_update", Some(RefusalCode::CannotEditOthers)),
        (400, "rest_invalid_type", Some(RefusalCode::InvalidParam)),
        (403, "rest_cannot_edit", Some(RefusalCode::CannotEditOthers)),
        (404, "rest_post_invalid_id", Some(RefusalCode::InvalidParam)),
        (500, "rest_meta_database_error", None),
        (500, "rest_cannot_update", None),
        (500, "rest_cannot_edit", None),
    ] {
        assert_eq!(refusal(POST_CHANGE, status, code, false), wanted, "{code}");
        // After a create the same codes can follow the insert.
        assert_eq!(refusal(Expected::Post, status, code, false), None, "{code}");
    }
}

proptest! {
    #[test]
    fn no_answer_outside_the_list_proves_anything(
        status in prop_oneof![0_u16..=200, 202_u16..=1000],
        code in prop_oneof!["[a-z_]{0,30}", Just(String::from("rest_invalid_parameter")), Just(String::from("REST_INVALID_PARAM"))],
        body in prop_oneof![Just(None), any::<Vec<u8>>().prop_map(Some)],
        location in prop_oneof![Just(None), Just(Some("/wp/v2/posts/7")), Just(Some("/wp/v2/media/7"))],
        retry_after in prop_oneof![Just(None), Just(Some("600")), Just(Some("1"))],
        which in 0..ALL.len(),
        four in any::<bool>(),
    ) {
        let known: HashSet<_> = RefusalCode::ALL.iter().map(|code| code.as_str()).collect();
        prop_assume!(!known.contains(code.as_str()) && code != "wp_die" && code != "term_exists");
        prop_assume!(status != 413);
        let expected = ALL[which];
        let changes = matches!(expected, Expected::Change(_) | Expected::PostChange(_));
        prop_assume!(!(changes && code.starts_with("rest_")));
        let json = error(&code);
        for body in [body.as_deref(), Some(json.as_bytes())] {
            let heard = Heard { status, location, upload_id: None, retry_after, body };
            prop_assert!(matches!(classify(expected, &heard, four), Outcome::Unknown(_)), "{heard:?}");
        }
    }
}
