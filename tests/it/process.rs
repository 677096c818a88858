//! The program as a process of its own, which a test stops at a named point and kills there.

use std::path::Path;
use std::process::Stdio;

use ichido_tests::{Desk, SITE, Site};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStderr, ChildStdout, Command};

/// The number of the signal that cannot be caught.
const SIGKILL: i32 = 9;

/// A command line that has not been started yet. It knows nothing of the machine but what it is told.
pub(crate) struct Program(Command);

impl Program {
    /// The program with these arguments.
    pub(crate) fn new(args: &[&str]) -> Program {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ichido-under-test"));
        command.args(args).env_clear().kill_on_drop(true);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Program(command)
    }

    /// The program of a desk.
    pub(crate) fn of(desk: &Desk, args: &[&str]) -> Program {
        let program = Program::new(args).with("HOME", desk.folder());
        program
            .with("ICHIDO_DATA_DIR", &desk.places.data_dir)
            .with("ICHIDO_STATE_DIR", &desk.places.sidecar_dir)
    }

    /// Registers everything of a desk; what is in doubt is not looked for again in the same run.
    pub(crate) fn register(desk: &Desk, site: &Site) -> Program {
        Program::register_waiting(desk, site, 0)
    }

    /// Registers everything of a desk, waiting so many seconds for another runner.
    pub(crate) fn register_waiting(desk: &Desk, site: &Site, seconds: u32) -> Program {
        let articles = desk.articles.to_str().expect("a folder with a plain name");
        let args = ["register", articles, "--site", SITE, "--create-tags", "--poll", "none", "--json"];
        Program::of(desk, &args)
            .and(&["--wait", &seconds.to_string()])
            .with("ICHIDO_PASSWORD", site.credentials(desk.who()).password)
    }

    /// Adds the desk's site.
    pub(crate) fn add_site(desk: &Desk, site: &Site) -> Program {
        let url = site.url();
        let args = ["site", "add", SITE, &url, "--user", desk.who().login(), "--json"];
        Program::of(desk, &args).with("ICHIDO_PASSWORD", site.credentials(desk.who()).password)
    }

    /// Sets a variable of its environment.
    pub(crate) fn with(mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) -> Program {
        self.0.env(name, value);
        self
    }

    /// Adds arguments.
    pub(crate) fn and(mut self, args: &[&str]) -> Program {
        self.0.args(args);
        self
    }

    /// Lets another program start it, which gets it as its last arguments.
    pub(crate) fn within(self, outer: &[&str]) -> Program {
        let inner = self.0.as_std();
        let mut command = Command::new(outer[0]);
        command.args(&outer[1..]).arg(inner.get_program()).args(inner.get_args());
        command.env_clear().kill_on_drop(true);
        for (name, value) in inner.get_envs() {
            command.env(name, value.expect("variables are set, not taken away"));
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Program(command)
    }

    /// Runs it to its end.
    pub(crate) async fn run(self) -> Ended {
        self.start().end().await
    }

    /// Starts it.
    pub(crate) fn start(mut self) -> Running {
        let mut child = self.0.spawn().expect("the program starts");
        let stdout = child.stdout.take().expect("a pipe");
        let stderr = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        Running { child, stdout, stderr, told: String::new() }
    }

    /// Starts it, waits until it stands at a point, and kills it there.
    pub(crate) async fn kill_at(self, point: &str) {
        let mut running = self.with("ICHIDO_FAILPOINT", point).start();
        running.stands_at(point).await;
        running.kill().await;
    }
}

/// A program at work.
pub(crate) struct Running {
    child: Child,
    stdout: ChildStdout,
    stderr: Lines<BufReader<ChildStderr>>,
    /// What was read of its output so far.
    told: String,
}

/// What a program that ended left.
#[derive(Debug)]
pub(crate) struct Ended {
    /// Its exit status.
    pub(crate) status: Option<i32>,
    /// What it wrote.
    pub(crate) stdout: String,
    /// What it wrote for people alone.
    pub(crate) stderr: String,
}

impl Running {
    /// Waits until it says that it stands at a point.
    pub(crate) async fn stands_at(&mut self, point: &str) {
        let wanted = format!("failpoint {point}");
        let mut before = Vec::new();
        while let Some(line) = self.stderr.next_line().await.expect("it can be heard") {
            if line == wanted {
                return;
            }
            before.push(line);
        }
        self.stdout.read_to_string(&mut self.told).await.expect("it can be heard");
        panic!("it ended without reaching {point}:\n{}\n{}", self.told, before.join("\n"));
    }

    /// Waits until its output holds a text.
    pub(crate) async fn tells(&mut self, text: &str) {
        while !self.told.contains(text) {
            let byte = self.stdout.read_u8().await.unwrap_or_else(|_| panic!("no {text} in {}", self.told));
            self.told.push(char::from(byte));
        }
    }

    /// The number of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id().expect("it runs")
    }

    /// Kills it as a power cut would, but for what the disk holds back.
    pub(crate) async fn kill(mut self) {
        use std::os::unix::process::ExitStatusExt as _;
        self.child.start_kill().expect("it can be killed");
        let status = self.child.wait().await.expect("it ends");
        assert_eq!(status.signal(), Some(SIGKILL), "it was at work until then");
    }

    /// Kills it, unless it has ended already.
    pub(crate) async fn kill_or_end(mut self) {
        self.child.start_kill().expect("it can be killed");
        self.child.wait().await.expect("it ends");
    }

    /// Waits for its end.
    pub(crate) async fn end(mut self) -> Ended {
        let mut aside = Vec::new();
        let (read, ()) = tokio::join!(self.stdout.read_to_string(&mut self.told), async {
            while let Some(line) = self.stderr.next_line().await.expect("it can be heard") {
                aside.push(line);
            }
        });
        read.expect("it can be heard");
        let status = self.child.wait().await.expect("it ends").code();
        Ended { status, stdout: self.told, stderr: aside.join("\n") }
    }
}

impl Ended {
    /// The last object of a run: its counts.
    #[track_caller]
    pub(crate) fn summary(&self) -> Value {
        let last = self.stdout.lines().last().unwrap_or_default();
        let summary: Value = serde_json::from_str(last).unwrap_or_default();
        assert_eq!(summary["event"], "summary", "{self:?}");
        summary
    }
}

/// A copy of the journal as it lies on the disk, opened: looking at the journal itself would change it.
pub(crate) fn journal_as_it_lies(desk: &Desk) -> (tempfile::TempDir, rusqlite::Connection) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for entry in std::fs::read_dir(&desk.places.data_dir).expect("a data folder").flatten() {
        if entry.path().is_file() {
            std::fs::copy(entry.path(), folder.path().join(entry.file_name())).expect("a copy");
        }
    }
    let journal = rusqlite::Connection::open(folder.path().join("journal.sqlite3")).expect("a journal");
    (folder, journal)
}

/// The journal is whole. Gives the kinds of what it says is being sent.
#[track_caller]
pub(crate) fn sending_in_whole_journal(desk: &Desk) -> Vec<String> {
    let (_folder, journal) = journal_as_it_lies(desk);
    let whole: String =
        journal.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("it can be checked");
    assert_eq!(whole, "ok");
    let sql = "SELECT kind FROM operations WHERE state = 'sending' ORDER BY op_id";
    let mut asked = journal.prepare(sql).expect("operations");
    let kinds = asked.query_map([], |row| row.get(0)).expect("operations");
    kinds.map(|kind| kind.expect("a kind")).collect()
}

/// Every file below a folder.
pub(crate) fn files_below(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { found.extend(files_below(&path)) } else { found.push(path) }
    }
    found
}
