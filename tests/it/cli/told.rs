//! What the command line says, and what it does not say twice.

use super::*;

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn a_dry_run_speaks_of_what_would_be() {
    let bench = Bench::new();
    let article = bench.plain("tried");
    let said = bench.run(&["register", text(&article), "--dry-run"]).ends(0).stdout;
    assert!(said.contains("would be created") && said.contains("1 article on"), "{said}");
    for done in ["+ created", "created 1", "Registering"] {
        assert!(!said.replace("would be created", "").contains(done), "{said}");
    }
    let said = bench.run(&["register", text(&article), "--dry-run", "--lang", "ja"]).ends(0).stdout;
    assert!(said.contains("作成の見込み 1") && said.contains("見込みです"), "{said}");
}

#[test]
fn status_tells_each_article_that_is_named_and_what_needs_a_person() {
    let bench = Bench::new();
    let (good, lost, new) = (bench.plain("good"), bench.plain("lost"), bench.plain("new"));
    bench.run(&["register", text(&good)]).ends(0);
    bench.fault(Kind::CreatePost, Fault::DropBeforeCommit);
    bench.run(&["register", text(&lost), "--poll", "none"]).ends(3);
    let articles = good.parent().unwrap();
    let said = bench.run(&["status", text(articles)]).ends(3).stdout;
    for line in [
        "+ verified         Title of good  (good)",
        "? outcome unknown  Title of lost  (lost)",
        "  not registered   new/index.md",
    ] {
        assert!(said.lines().any(|told| told.starts_with(line)), "{line}: {said}");
    }
    assert!(said.contains("Needs your check") && said.contains("ichido resolve lost"), "{said}");
    let objects = bench.run(&["status", text(articles), "--json"]).ends(3).objects();
    let states: Vec<(&str, &str)> = objects
        .iter()
        .filter(|object| object["event"] == "article")
        .map(|object| (object["article"].as_str().unwrap(), object["state"].as_str().unwrap_or("-")))
        .collect();
    assert_eq!(states.len(), 3, "{objects:?}");
    for (article, state) in [(&good, "done"), (&lost, "halted"), (&new, "-")] {
        assert!(
            states.iter().any(|(path, told)| Path::new(path).starts_with(article) && told == &state),
            "{states:?}"
        );
    }
    // One article alone is told alone.
    let alone = bench.run(&["status", text(&good)]).ends(0).stdout;
    assert!(alone.contains("Title of good") && !alone.contains("lost"), "{alone}");
}

#[test]
fn what_a_run_at_work_is_sending_needs_nobody() {
    let bench = Bench::new();
    let article = bench.plain("slow");
    let mut first = bench.command(&["register", text(&article), "--poll", "none"]);
    let mut first = first.env("ICHIDO_FAILPOINT", "post:after_begin_send").spawn().unwrap();
    wait_for(first.stderr.take().unwrap(), "failpoint");
    let status = bench.run(&["status"]);
    let named = bench.run(&["status", text(&article)]);
    first.kill().unwrap();
    first.wait().unwrap();
    for said in [status.ends(6).stdout, named.ends(6).stdout] {
        assert!(said.contains("A run is at work (1 being sent)"), "{said}");
        assert!(!said.contains("Needs your check") && !said.contains("outcome unknown"), "{said}");
    }
    // Once nobody is at work, it is in doubt.
    let said = bench.run(&["status"]).ends(3).stdout;
    assert!(said.contains("Needs your check") && !said.contains("A run is at work"), "{said}");
}

#[test]
fn what_a_reason_means_is_told_once_with_the_command_that_explains_it() {
    let bench = Bench::new();
    let articles: Vec<PathBuf> = ["one", "two"].iter().map(|slug| bench.plain(slug)).collect();
    for article in &articles {
        bench.fault(Kind::CreatePost, Fault::DropBeforeCommit);
        bench.run(&["register", text(article), "--poll", "none"]).ends(3);
    }
    let said = bench.run(&["status"]).ends(3).stdout;
    assert_eq!((count(&said, "This is not a failure"), count(&said, "ichido resolve ")), (1, 2), "{said}");
    assert_eq!(count(&said, "ichido explain outcome_unknown"), 1, "{said}");
    let page = bench.run(&["explain", "two"]).ends(0).stdout;
    assert!(page.starts_with("Outcome unknown (outcome_unknown)") && page.contains("--send-again"), "{page}");
    assert_eq!(bench.run(&["explain", "nobody", "--json"]).ends(2).code(), "nothing_to_explain");
}

#[test]
fn a_slug_that_was_changed_on_the_site_is_named() {
    let bench = Bench::new();
    let article = bench.plain("before");
    bench.run(&["register", text(&article)]).ends(0);
    let id = bench.site.handle().posts()[0].id;
    bench.site.handle().rename_post(id, "afterwards").unwrap();
    let said = bench.run(&["register", text(&article)]).ends(3).stdout;
    assert!(said.contains("Slug on the site: afterwards"), "{said}");
    assert!(bench.run(&["status"]).ends(3).stdout.contains("Slug on the site: afterwards"));
}

#[test]
fn numbers_go_with_their_words_and_what_is_not_there_is_one_line() {
    let bench = Bench::new();
    let article = bench.plain("plain");
    let said = bench.run(&["check", text(&article)]).ends(0).stdout;
    assert_eq!(count(&said, "Not given: excerpt, tags, categories"), 1, "{said}");
    assert_eq!(count(&said, "warning"), 1, "{said}");
    let said = bench.run(&["register", text(&article)]).ends(0).stdout;
    assert!(said.contains("Registering 1 article as drafts") && !said.contains("1 articles"), "{said}");
    let one =
        bench.article("one", "---\ntitle: One\nexcerpt: x\ntags: []\ncategories: []\ntag: x\n---\n\nText.\n");
    let said = bench.run(&["register", text(&one), "--dry-run"]).ends(4).stdout;
    assert!(said.contains("1 warning; see"), "{said}");
}

#[test]
fn a_colon_in_a_title_is_told_with_its_cure() {
    let bench = Bench::new();
    let article = bench.article("coffee", "---\ntitle: Coffee: the best\n---\n\nText.\n");
    for (language, cure) in
        [("en", "Put it in quotes: title: \"Coffee: the best\""), ("ja", "title: \"Coffee: the best\"")]
    {
        let said = bench.run(&["check", text(&article), "--lang", language]).ends(4).stdout;
        assert!(said.contains(cure) && !said.contains("mapping"), "{said}");
    }
}

#[test]
fn a_finding_carries_its_sentence_and_an_article_has_one_form() {
    let bench = Bench::new();
    let article = bench.article("odd", "---\ntitle: Odd\ncolour: blue\n---\n\nText.\n");
    let objects = bench.run(&["register", text(&article), "--json"]).ends(0).objects();
    let findings =
        objects.iter().flat_map(|object| object["findings"].as_array().cloned().unwrap_or_default());
    let messages: Vec<String> =
        findings.map(|finding| finding["message"].as_str().expect("a sentence").to_owned()).collect();
    assert!(messages.iter().any(|message| message.contains("colour")), "{messages:?}");
    let named: Vec<&Value> = objects.iter().filter(|object| object.get("article").is_some()).collect();
    assert!(named.len() >= 3, "{objects:?}");
    for object in named {
        assert!(
            object["article"]
                .as_str()
                .is_some_and(|path| path.ends_with("index.md") || path.ends_with("odd")),
            "{object}"
        );
        assert_eq!(object["slug"], "odd", "{object}");
    }
    let steps: Vec<&str> = objects.iter().filter_map(|object| object["step"]["step"].as_str()).collect();
    assert!(
        steps.contains(&"draft") && !steps.contains(&"attaching"),
        "nothing is to be attached: {steps:?}"
    );
}
