//! The command line as people, scripts and agents use it: the program itself, against the practice site.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use ichido_practice::{Account, Fault, Kind, Options, PracticeSite, Role, When};
use serde_json::Value;
use tempfile::TempDir;
use tokio::runtime::Runtime;

mod agents;
#[cfg(unix)]
mod content;
mod person;
mod told;

const PASSWORD: &str = "canary4711canary4711cana";

/// A practice site, folders of its own, and the program.
struct Bench {
    site: PracticeSite,
    /// Runs the site.
    _runtime: Runtime,
    folder: TempDir,
}

/// What a command came to.
struct Ran {
    status: i32,
    stdout: String,
    stderr: String,
}

impl Ran {
    fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self {
            status: output.status.code().unwrap_or(-1),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    #[track_caller]
    fn ends(self, status: i32) -> Self {
        assert_eq!(self.status, status, "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        assert!(!self.stdout.contains(PASSWORD) && !self.stderr.contains(PASSWORD), "the password was shown");
        self
    }

    fn objects(&self) -> Vec<Value> {
        self.stdout
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}")))
            .collect()
    }

    /// Returns the last object, which sums a batch up.
    fn summary(&self) -> Value {
        let last = self.objects().pop().unwrap();
        assert_eq!(last["event"], "summary");
        last
    }

    fn code(&self) -> String {
        let last = self.objects().pop().unwrap();
        assert_eq!(last["event"], "error", "{last}");
        assert!(last["message"].as_str().unwrap().len() > 20, "{last}");
        last["code"].as_str().unwrap().to_owned()
    }
}

impl Bench {
    fn new() -> Self {
        let bench = Self::without_site();
        let url = bench.site.url().to_owned();
        bench.run(&["site", "add", "practice", &url, "--user", "practice"]).ends(0);
        bench
    }

    fn without_site() -> Self {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let accounts = vec![Account::new("practice", Role::Author, PASSWORD)];
        let site = runtime.block_on(PracticeSite::start(Options { accounts, ..Options::default() })).unwrap();
        Self { site, _runtime: runtime, folder: TempDir::new().unwrap() }
    }

    /// The program without anything of the computer's own: no keychain, no folders, no locale.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ichido-under-test"));
        command
            .args(args)
            .env_clear()
            .env("ICHIDO_DATA_DIR", self.folder.path().join("data"))
            .env("ICHIDO_STATE_DIR", self.folder.path().join("state"))
            .env("ICHIDO_PASSWORD", PASSWORD)
            .env("LANG", "en_US.UTF-8")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.command(args).output().unwrap())
    }

    fn article(&self, slug: &str, text: &str) -> PathBuf {
        let folder = self.folder.path().join("articles").join(slug);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("index.md"), text).unwrap();
        folder
    }

    fn plain(&self, slug: &str) -> PathBuf {
        self.article(slug, &format!("---\ntitle: Title of {slug}\n---\n\nText of {slug}.\n"))
    }

    fn fault(&self, kind: Kind, fault: Fault) {
        self.site.handle().faults().push(When::next(kind), fault);
    }

    fn creates(&self) -> usize {
        self.site.handle().creates_by_operation().values().map(|count| *count as usize).sum()
    }
}

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("samples")
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn samples_become_drafts_once() {
    let bench = Bench::new();
    let samples = samples();
    let register = ["register", text(&samples), "--create-tags", "--json"];
    let first = bench.run(&register).ends(0).summary();
    let articles = first["created"].as_u64().unwrap();
    assert!(articles >= 4, "{first}");
    let (posts, media, creates) = (bench.site.handle().posts(), bench.site.handle().media(), bench.creates());
    assert_eq!(posts.len() as u64, articles);
    assert!(posts.iter().all(|post| !post.content.contains(text(&samples))));

    let second = bench.run(&register).ends(0).summary();
    assert_eq!((second["verified"].as_u64(), second["created"].as_u64()), (Some(articles), Some(0)));
    let after = (bench.site.handle().posts().len(), bench.site.handle().media().len(), bench.creates());
    assert_eq!(after, (posts.len(), media.len(), creates));

    let status = bench.run(&["status", "--json"]).ends(0).summary();
    assert_eq!(status["verified"].as_u64(), Some(articles));
    let history = bench.run(&["history", text(&samples.join("tea-for-two"))]).ends(0);
    assert!(history.stdout.contains("created"), "{}", history.stdout);
}

#[test]
fn a_dry_run_sends_nothing_and_tells_what_would_be() {
    let bench = Bench::new();
    let article = bench.plain("tried");
    let foreseen = bench.run(&["register", text(&article), "--dry-run", "--json"]).ends(0);
    assert_eq!(foreseen.summary()["created"], 1);
    assert!(
        foreseen
            .objects()
            .iter()
            .any(|object| object["event"] == "foreseen" && object["ending"] == "created")
    );
    assert_eq!((bench.creates(), bench.site.handle().posts().len()), (0, 0));
}

#[test]
fn a_lost_answer_is_looked_for_and_adopted() {
    let bench = Bench::new();
    let article = bench.plain("lost");
    bench.fault(Kind::CreatePost, Fault::CommitThenDropResponse);
    let ran = bench.run(&["register", text(&article), "--poll", "1", "--json"]).ends(0);
    assert_eq!(ran.summary()["adopted"], 1);
    assert_eq!((bench.creates(), bench.site.handle().posts().len()), (1, 1));
}

#[test]
fn an_outcome_that_stays_unknown_needs_a_person_and_is_never_sent_again() {
    let bench = Bench::new();
    let article = bench.plain("unseen");
    bench.fault(Kind::CreatePost, Fault::CommitThenDropResponse);
    bench.fault(Kind::CreatePost, Fault::HideFromLookups(1_000));
    let register = ["register", text(&article), "--poll", "none", "--json"];
    let summary = bench.run(&register).ends(3).summary();
    let entry = &summary["needs_attention"][0];
    assert_eq!((summary["unknown"].as_u64(), entry["slug"].as_str()), (Some(1), Some("unseen")));
    assert_eq!(entry["reason"], "outcome_unknown");
    assert!(entry["links"]["drafts"].as_str().unwrap().contains("edit.php"), "{entry}");
    assert!(entry["links"]["media"].as_str().unwrap().contains("upload.php"), "{entry}");

    bench.run(&register).ends(3);
    let said = bench.run(&["status"]).ends(3).stdout;
    for part in
        ["not a failure", "Not resent automatically", "ichido reconcile", "ichido resolve unseen", "edit.php"]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
    let said = bench.run(&["status", "--lang", "ja"]).ends(3).stdout;
    for part in
        ["結果不明", "失敗ではありません", "自動では再送しません", "ichido reconcile", "ichido resolve"]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
    bench.run(&["resolve", "unseen", "--look"]).ends(3);
    bench.run(&["resolve", "unseen", "--leave"]).ends(0);
    assert_eq!(bench.run(&["status", "--json"]).ends(0).summary()["left"], 1);
    bench.run(&["resolve", "unseen", "--unleave"]).ends(3);

    bench.site.handle().show_hidden();
    assert_eq!(bench.run(&["reconcile", "--json"]).ends(0).summary()["adopted"], 1);
    assert_eq!((bench.creates(), bench.site.handle().posts().len()), (1, 1));
}

#[test]
fn acts_of_a_person_are_not_done_for_a_script() {
    let bench = Bench::new();
    for act in [
        &["--link", "1"][..],
        &["--none", "1"],
        &["--send-again"],
        &["--try-again"],
        &["--keep-site"],
        &["--update"],
        &["--accept-slug"],
        &["--same"],
        &["--new"],
    ] {
        let args = [&["resolve", "any", "--json"], act].concat();
        assert_eq!(bench.run(&args).ends(2).code(), "needs_terminal", "{act:?}");
    }
    assert_eq!(bench.run(&["resolve", "any", "--look", "--json"]).ends(2).code(), "no_such_article");
}

#[test]
fn a_site_says_what_is_wrong_with_it() {
    let bench = Bench::new();
    let article = bench.plain("kept");
    let wrong =
        |args: &[&str]| Ran::of(bench.command(args).env("ICHIDO_PASSWORD", "wrong").output().unwrap());
    assert_eq!(wrong(&["site", "check", "practice", "--json"]).ends(5).code(), "not_our_user");
    let summary = wrong(&["register", text(&article), "--json"]).ends(5).summary();
    assert_eq!(summary["waiting"], 1);

    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let add = ["site", "add", "gone", &format!("http://{closed}"), "--user", "practice", "--json"];
    assert_eq!(bench.run(&add).ends(6).code(), "no_connection");
    let add = ["site", "add", "x", "http://example.com", "--user", "practice", "--json"];
    assert_eq!(bench.run(&add).ends(2).code(), "plain_http");
    let add = ["site", "add", "x", "https://a:b@example.com", "--user", "practice", "--json"];
    assert_eq!(bench.run(&add).ends(2).code(), "address_with_password");
    bench.site.handle().maintenance(true);
    assert_eq!(bench.run(&["site", "check", "practice", "--json"]).ends(6).code(), "maintenance");
    assert_eq!(bench.creates(), 0);
}

#[test]
fn without_a_keychain_and_a_password_the_cure_is_named() {
    let bench = Bench::new();
    let ran = Ran::of(
        bench.command(&["site", "check", "practice"]).env_remove("ICHIDO_PASSWORD").output().unwrap(),
    );
    let ran = ran.ends(1);
    assert!(ran.stderr.contains("ICHIDO_PASSWORD"), "{}", ran.stderr);
}

#[test]
fn a_password_on_stdin_reaches_the_site_and_is_not_told() {
    use std::io::Write as _;
    let bench = Bench::without_site();
    let url = bench.site.url().to_owned();
    let mut command = bench.command(&["site", "add", "practice", &url, "--user", "practice", "--json"]);
    let mut child = command.env_remove("ICHIDO_PASSWORD").stdin(Stdio::piped()).spawn().unwrap();
    writeln!(child.stdin.take().unwrap(), "{PASSWORD}").unwrap();
    let ran = Ran::of(child.wait_with_output().unwrap());
    // Without a keychain the site is added all the same, and the command says what was not done.
    let added = ran.ends(1);
    assert_eq!(added.objects()[0]["event"], "site_added");
    assert_eq!(added.objects()[0]["password_stored"], false);
    assert_eq!(bench.run(&["site", "list", "--json"]).ends(0).objects().len(), 1);
}

#[test]
fn bad_articles_are_told_and_the_others_go_on() {
    let bench = Bench::new();
    let broken = bench.article("broken", "---\ntitle: [x\n---\n\nText.\n");
    let good = bench.plain("good");
    let check = bench.run(&["check", text(&broken), text(&good), "--json"]).ends(4);
    assert_eq!(check.summary()["needs_work"], 1);
    let finding = check.objects().into_iter().find_map(|object| object["findings"].get(0).cloned()).unwrap();
    assert_eq!(
        (finding["severity"].as_str(), finding["code"].as_str()),
        (Some("error"), Some("front_matter_syntax"))
    );
    for language in ["ja", "en"] {
        let said = bench.run(&["check", text(&broken), "--lang", language]).ends(4).stdout;
        assert!(said.contains("broken/index.md"), "{said}");
    }
    let summary = bench.run(&["register", text(&broken), text(&good), "--json"]).ends(4).summary();
    assert_eq!((summary["created"].as_u64(), summary["needs_work"].as_u64()), (Some(1), Some(1)));
}

#[test]
fn what_is_not_there_is_an_error_of_usage_in_both_languages() {
    let bench = Bench::new();
    let empty = bench.folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let missing = bench.folder.path().join("missing");
    for (args, code) in [
        (vec!["register", text(&missing)], "path_not_found"),
        (vec!["check", text(&empty)], "no_article_in"),
        (vec!["register", text(&empty), "--site", "nobody"], "no_such_site"),
        (vec!["set", "colour", "blue"], "unknown_setting"),
        (vec!["set", "window", "0"], "setting_minutes"),
        (vec!["set", "classic", "perhaps"], "setting_switch"),
        (vec!["registr"], "unknown_command"),
        (vec!["register"], "missing_argument"),
    ] {
        let json = bench.run(&[&args[..], &["--json"]].concat()).ends(2);
        assert_eq!(json.code(), code, "{args:?}");
        let said: Vec<String> = ["ja", "en"]
            .iter()
            .map(|lang| bench.run(&[&args[..], &["--lang", lang]].concat()).ends(2).stderr)
            .collect();
        assert!(said[0] != said[1] && said.iter().all(|said| said.len() > 20), "{said:?}");
    }
}

#[test]
fn settings_are_kept_and_listed() {
    let bench = Bench::new();
    bench.run(&["set", "window", "25", "--site", "practice"]).ends(0);
    let listed = bench.run(&["set", "--site", "practice", "--json"]).ends(0).objects();
    assert!(
        listed.iter().any(|setting| setting["key"] == "window" && setting["value"] == "25"),
        "{listed:?}"
    );
    let global = bench.run(&["set", "--json"]).ends(0).objects();
    assert!(
        global.iter().any(|setting| setting["key"] == "window" && setting["value"] == "10"),
        "{global:?}"
    );
}

#[test]
fn an_export_holds_everything_but_the_password() {
    let bench = Bench::new();
    bench.run(&["register", text(&bench.plain("one"))]).ends(0);
    let objects = bench.run(&["export"]).ends(0).objects();
    let has = |event: &str, name: &str, value: &str| {
        objects.iter().any(|object| object["event"] == event && object[name] == value)
    };
    assert!(has("operation", "slug", "one") && has("history", "code", "created"), "{objects:?}");
    let csv = bench.run(&["export", "--csv"]).ends(0).stdout;
    assert!(csv.lines().next().unwrap().starts_with("record,at,site"), "{csv}");
    assert!(csv.lines().any(|line| line.starts_with("operation,") && line.contains(",done,")), "{csv}");
    for entry in fs::read_dir(bench.folder.path().join("data")).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        assert!(!bytes.windows(PASSWORD.len()).any(|window| window == PASSWORD.as_bytes()));
    }
}

#[test]
fn a_state_folder_inside_the_data_folder_is_refused() {
    let bench = Bench::new();
    let inside = bench.folder.path().join("data/state");
    let ran = Ran::of(bench.command(&["status", "--json"]).env("ICHIDO_STATE_DIR", inside).output().unwrap());
    assert_eq!(ran.ends(2).code(), "state_inside");
}

#[test]
fn a_reader_that_goes_away_does_no_harm() {
    let bench = Bench::new();
    let article = bench.plain("unread");
    let mut child = bench.command(&["register", text(&article), "--json"]).spawn().unwrap();
    drop(child.stdout.take());
    let ran = Ran::of(child.wait_with_output().unwrap());
    ran.ends(0);
    assert_eq!(bench.site.handle().posts().len(), 1);
}

#[test]
fn a_second_runner_is_told_who_is_at_work() {
    let bench = Bench::new();
    let article = bench.plain("slow");
    let mut first = bench.command(&["register", text(&article)]);
    let mut first = first.env("ICHIDO_FAILPOINT", "post:after_begin_send").spawn().unwrap();
    wait_for(first.stderr.take().unwrap(), "failpoint");
    let second = bench.run(&["register", text(&article), "--wait", "0", "--json"]);
    first.kill().unwrap();
    first.wait().unwrap();
    let second = second.ends(7);
    assert_eq!(second.code(), "held_by");
    assert!(second.stdout.contains(&first.id().to_string()), "{}", second.stdout);
}

/// Reads until a text comes, so that nothing depends on time.
fn wait_for(mut stream: impl std::io::Read, text: &str) {
    let (mut seen, mut byte) = (Vec::new(), [0]);
    while stream.read(&mut byte).unwrap() == 1 {
        seen.push(byte[0]);
        if seen.ends_with(text.as_bytes()) {
            return;
        }
    }
    panic!("the program ended before it said {text:?}: {}", String::from_utf8_lossy(&seen));
}
