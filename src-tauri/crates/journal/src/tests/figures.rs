use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::time::Instant;

use super::{Desk, at, done, site};
use crate::{Health, Journal};

/// A finished run and many more records like it.
fn with_records(count: u32) -> Desk {
    let desk = Desk::new();
    let runner = desk.runner();
    let site = site(&runner, "one");
    let pattern = done(&runner, site, "pattern", 1);
    runner
        .db
        .lock()
        .execute(
            "WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i <= ?2) \
             INSERT INTO operations (op_id, site_id, kind, post_type, key, state, is_left, may_have_left, remote_id, \
             recorded, slug, title, source_path, created_at) \
             SELECT printf('01890a5d-ac96-774b-bcce-%012x', i), site_id, kind, post_type, key || i, state, is_left, \
             may_have_left, i, recorded, slug || i, title || i, source_path || i, created_at \
             FROM operations, n WHERE op_id = ?1",
            (pattern.to_string(), count),
        )
        .unwrap();
    runner.close_run(&at(2)).unwrap();
    drop(runner);
    desk
}

#[test]
fn a_start_after_a_clean_end_does_not_read_the_records() {
    let desk = with_records(2000);
    let database = desk.places.database();
    let as_it_was = fs::metadata(&database).unwrap();
    let mut file = fs::OpenOptions::new().write(true).open(&database).unwrap();
    file.seek(SeekFrom::Start(as_it_was.len() / 2)).unwrap();
    file.write_all(&[0x5a; 4096]).unwrap();
    file.set_modified(as_it_was.modified().unwrap()).unwrap();
    drop(file);
    assert_eq!(desk.open().health().unwrap(), Health::Sound, "nobody looked there");
    fs::OpenOptions::new()
        .write(true)
        .open(&database)
        .unwrap()
        .set_modified(std::time::SystemTime::now())
        .unwrap();
    assert!(matches!(desk.open().health().unwrap(), Health::Lost(_)), "touched, therefore checked");
}

#[test]
fn starting_with_many_records_costs_about_what_it_costs_with_few() {
    let (few, many) = (with_records(1_000), with_records(50_000));
    let time = |desk: &Desk| {
        let begin = Instant::now();
        let journal = Journal::open(&desk.places).unwrap();
        assert_eq!(journal.next_look_at().unwrap(), None);
        assert_eq!(journal.needs_attention(None).unwrap(), []);
        begin.elapsed()
    };
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..9 {
        times[0].push(time(&few));
        times[1].push(time(&many));
    }
    let [few, many] = times.map(|mut of| {
        of.sort_unstable();
        of[of.len() / 2]
    });
    println!(
        "start: {few:?} with 1,000 records, {many:?} with 50,000: {:.2}x",
        many.as_secs_f64() / few.as_secs_f64()
    );
}
