//! What a person sets about the content of articles, and is asked about it.

use super::person::typed;
use super::{Bench, text};

#[test]
fn new_tags_are_listed_and_asked_about_at_a_terminal() {
    let bench = Bench::new();
    let article = bench.article("tagged", "---\ntitle: Tagged\ntags: [猫, R&D]\n---\n\nText.\n");
    let register = ["register", text(&article)];

    let left = typed(bench.command(&register), "").ends(4);
    let said = left.stdout + &left.stderr;
    assert!(
        said.contains("    R&D") && said.contains("    猫") && said.contains("does not have: 2"),
        "{said}"
    );
    assert_eq!(
        (bench.creates(), bench.site.handle().terms().iter().filter(|term| term.name == "猫").count()),
        (0, 0)
    );

    typed(bench.command(&register), "yes").ends(0);
    let made: Vec<String> = bench.site.handle().terms().into_iter().map(|term| term.name).collect();
    assert!(made.iter().any(|name| name == "猫"), "{made:?}");
    assert_eq!(bench.site.handle().posts().len(), 1);

    // Nothing is new any more: nobody is asked.
    let again = typed(bench.command(&register), "").ends(0);
    assert!(!(again.stdout + &again.stderr).contains("does not have"));
}

#[test]
fn a_script_is_not_asked_and_a_dry_run_tells_what_would_be_made() {
    let bench = Bench::new();
    let article = bench.article("tagged", "---\ntitle: Tagged\ntags: [猫]\n---\n\nText.\n");
    bench.run(&["register", text(&article)]).ends(4);
    let foretold = bench.run(&["register", text(&article), "--create-tags", "--dry-run"]).ends(0);
    assert!(foretold.stdout.contains("猫"), "{}", foretold.stdout);
    assert_eq!(bench.site.handle().posts().len(), 0);
    bench.run(&["set", "create_tags", "on"]).ends(0);
    bench.run(&["register", text(&article)]).ends(0);
}

#[test]
fn checks_are_set_for_all_sites_or_for_one() {
    let bench = Bench::new();
    let article =
        bench.article("words", "---\ntitle: Words\n---\n\nTODO: write.\n\n[here](http://localhost/)\n");
    let check = ["check", text(&article)];
    let of_site = ["check", text(&article), "--site", "practice"];
    let first = bench.run(&check).ends(0).stdout;
    assert!(first.contains("index.md:7") && first.contains("http://localhost/"), "{first}");

    bench.run(&["set", "forbidden_words", "todo, fixme"]).ends(0);
    bench.run(&["set", "check_local_links", "off"]).ends(0);
    let second = bench.run(&check).ends(4).stdout;
    assert!(second.contains("index.md:5") && second.contains("\"todo\""), "{second}");
    assert!(!second.contains("http://localhost/"), "{second}");
    assert_eq!(bench.run(&["register", text(&article)]).ends(4).status, 4);

    bench.run(&["set", "forbidden_words", "", "--site", "practice"]).ends(0);
    bench.run(&of_site).ends(0);
    bench.run(&check).ends(4);
    bench.run(&["register", text(&article)]).ends(0);
    let shown = bench.run(&["set", "forbidden_words"]).ends(0).stdout;
    assert!(shown.contains("todo, fixme"), "{shown}");
}

#[test]
fn a_value_that_a_setting_cannot_take_is_said_so() {
    let bench = Bench::new();
    for (key, value, told) in [
        ("title_length", "many", "0 to 100000"),
        ("description_is", "meta", "excerpt, seo or ignore"),
        ("check_alt", "perhaps", "on or off"),
        ("bare_urls", "card", "embed, line or link"),
        ("obsidian", "perhaps", "auto, on or off"),
    ] {
        let refused = bench.run(&["set", key, value]).ends(2);
        assert!(refused.stderr.contains(told), "{}", refused.stderr);
    }
}

#[test]
fn what_description_is_for_can_be_set() {
    let bench = Bench::new();
    let article =
        bench.article("described", "---\ntitle: Described\ndescription: For engines.\n---\n\nText.\n");
    bench.run(&["set", "description_is", "seo"]).ends(0);
    let said = bench.run(&["check", text(&article)]).ends(0).stdout;
    assert!(said.contains("search engines"), "{said}");
    bench.run(&["register", text(&article)]).ends(0);
    assert_eq!(bench.site.handle().posts()[0].excerpt, "");
    bench.run(&["set", "default_categories", "Nowhere"]).ends(0);
    let other = bench.plain("other");
    let unknown = bench.run(&["register", text(&other)]).ends(4);
    assert!((unknown.stdout + &unknown.stderr).contains("Nowhere"));
}

#[test]
fn marks_that_tools_do_not_agree_on_are_read_as_set() {
    let bench = Bench::new();
    let body = "https://youtu.be/abcdefghijk\n\n==light==\nnext\n";
    let plain = bench.article("plain", &format!("---\ntitle: Plain\n---\n\n{body}"));
    let set = bench.article("set", &format!("---\ntitle: Set\n---\n\n{body}"));
    bench.run(&["register", text(&plain)]).ends(0);
    bench.run(&["set", "bare_urls", "link"]).ends(0);
    bench.run(&["set", "obsidian", "on"]).ends(0);
    bench.run(&["set", "line_breaks", "on"]).ends(0);
    bench.run(&["register", text(&set)]).ends(0);
    let posts = bench.site.handle().posts();
    let content = |title: &str| posts.iter().find(|post| post.title == title).unwrap().content.clone();
    assert!(content("Plain").contains("<!-- wp:embed "), "{}", content("Plain"));
    assert!(content("Plain").contains("<p>==light== next</p>"), "{}", content("Plain"));
    let link = "<a href=\"https://youtu.be/abcdefghijk\">https://youtu.be/abcdefghijk</a>";
    assert!(content("Set").contains(link), "{}", content("Set"));
    assert!(content("Set").contains("<mark>light</mark><br>next"), "{}", content("Set"));
}

#[test]
fn an_article_that_says_so_is_passed_over() {
    let bench = Bench::new();
    let kept = bench.plain("kept");
    bench.article("left", "---\ntitle: Left\nignorePublish: true\n---\n\nText.\n");
    let folder = kept.parent().unwrap();
    let ran = bench.run(&["register", text(folder), "--json"]).ends(0);
    let passed_over = ran.objects().iter().filter(|object| object["event"] == "passed_over").count();
    assert_eq!((passed_over, bench.site.handle().posts().len()), (1, 1), "{}", ran.stdout);
}
