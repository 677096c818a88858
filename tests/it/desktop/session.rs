//! A desktop of one test's own: a display, a session bus, a keychain, a home folder, and the window on them.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use ichido_journal::Places;
use serde_json::Value;
use tempfile::TempDir;

use super::driver::Driver;

/// Names the program to be driven, in place of the one that was built here.
const PROGRAM: &str = "ICHIDO_DESKTOP";

/// Whether the desktop has a keychain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keychain {
    Unlocked,
    None,
}

/// A desktop with nobody at it yet. Everything on it ends with it.
pub(crate) struct Desktop {
    home: TempDir,
    display: String,
    bus: String,
    language: &'static str,
    driver_port: u16,
    children: Vec<Child>,
}

impl Desktop {
    pub(crate) fn new(language: &'static str, keychain: Keychain) -> Desktop {
        let home = tempfile::tempdir().expect("a folder can be made");
        for folder in ["runtime", "tmp"] {
            std::fs::create_dir(home.path().join(folder)).expect("a folder can be made");
        }
        let runtime = home.path().join("runtime");
        std::fs::set_permissions(runtime, std::fs::Permissions::from_mode(0o700))
            .expect("its mode can be set");
        let mut desktop = Desktop {
            home,
            display: String::new(),
            bus: String::new(),
            language,
            driver_port: free_port(),
            children: Vec::new(),
        };
        // Without -noreset a display that the last program left would begin anew under the next.
        let screen = ["-displayfd", "1", "-screen", "0", "1400x900x24", "-nolisten", "tcp", "-noreset"];
        desktop.display = format!(":{}", desktop.first_line("Xvfb", "xvfb", &screen));
        let mut bus = vec!["--nofork".to_owned(), "--nopidfile".to_owned(), "--print-address=1".to_owned()];
        bus.push(match keychain {
            Keychain::Unlocked => "--session".to_owned(),
            Keychain::None => format!("--config-file={}", desktop.bus_without_services().display()),
        });
        let bus: Vec<&str> = bus.iter().map(String::as_str).collect();
        desktop.bus = desktop.first_line("dbus-daemon", "dbus", &bus);
        if keychain == Keychain::Unlocked {
            desktop.start_keyring();
        }
        desktop.start_driver();
        desktop
    }

    /// Starts the window.
    pub(crate) async fn open(&self, args: &[&str]) -> Driver {
        Driver::open(self.driver_port, program().to_str().expect("its path is text"), args).await
    }

    /// A command on this desktop.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        let at = |name: &str| self.home.path().join(name);
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.home.path())
            .env("XDG_RUNTIME_DIR", at("runtime"))
            .env("XDG_DATA_HOME", at("data"))
            .env("XDG_CONFIG_HOME", at("config"))
            .env("XDG_CACHE_HOME", at("cache"))
            .env("TMPDIR", at("tmp"))
            .env("DISPLAY", &self.display)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.bus)
            .env("LANG", if self.language == "ja" { "ja_JP.UTF-8" } else { "en_US.UTF-8" })
            .env("TAURI_AUTOMATION", "true")
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .env("WEBKIT_DISABLE_COMPOSITING_MODE", "1")
            .env("NO_AT_BRIDGE", "1")
            .env("ICHIDO_DATA_DIR", at("journal"))
            .env("ICHIDO_STATE_DIR", at("state"))
            .env("ICHIDO_OPENER", self.opener())
            .env("ICHIDO_POLL", "none")
            .env("ICHIDO_LOG", "trace");
        command
    }

    /// The address of the session bus.
    pub(crate) fn bus(&self) -> &str {
        &self.bus
    }

    /// The name of the display.
    pub(crate) fn display(&self) -> &str {
        &self.display
    }

    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// Where the window keeps its journal.
    pub(crate) fn places(&self) -> Places {
        let state = self.home.path().join("state");
        Places {
            data_dir: self.home.path().join("journal"),
            sidecar_dir: state.clone(),
            lock_dir: state.join("locks"),
        }
    }

    /// What the window said in a language.
    pub(crate) fn said(&self) -> Messages {
        Messages::of(self.language)
    }

    /// The pages that were opened, in their order.
    pub(crate) fn opened(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.home.path().join("opened")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// What the program logged.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.home.path().join("program.log")).unwrap_or_default()
    }

    /// The processes of the program on this desktop.
    pub(crate) fn running(&self) -> Vec<u32> {
        let program = program().canonicalize().expect("the program is there");
        let mine = format!("DISPLAY={}", self.display);
        let processes = std::fs::read_dir("/proc").expect("there are processes").flatten();
        let is_mine = |process: &PathBuf| {
            std::fs::read_link(process.join("exe")).is_ok_and(|exe| exe == program)
                && std::fs::read(process.join("environ")).is_ok_and(|environment| {
                    environment.split(|byte| *byte == 0).any(|entry| entry == mine.as_bytes())
                })
        };
        let running = processes.map(|entry| entry.path()).filter(is_mine);
        running.filter_map(|process| process.file_name()?.to_str()?.parse().ok()).collect()
    }

    /// Every file below the home folder that holds these bytes.
    pub(crate) fn files_with(&self, bytes: &[u8]) -> Vec<PathBuf> {
        let mut folders = vec![self.home.path().to_owned()];
        let mut found = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_dir() {
                    folders.push(entry.path());
                } else if kind.is_file() {
                    let content = std::fs::read(entry.path()).unwrap_or_default();
                    if content.windows(bytes.len()).any(|window| window == bytes) {
                        found.push(entry.path());
                    }
                }
            }
        }
        found
    }

    fn opener(&self) -> PathBuf {
        self.home.path().join("opener")
    }

    fn start_keyring(&mut self) {
        let mut daemon = self
            .command("gnome-keyring-daemon")
            .args(["--daemonize", "--unlock", "--components=secrets"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the window's tests need gnome-keyring-daemon (Debian: apt install gnome-keyring)");
        daemon.stdin.take().expect("it is piped").write_all(b"keyring-password").expect("it reads");
        assert!(daemon.wait().expect("it ends").success(), "gnome-keyring-daemon did not start");
    }

    fn start_driver(&mut self) {
        let opened = self.home.path().join("opened");
        let opener = format!("#!/bin/sh\nprintf '%s\\n' \"$1\" >> '{}'\n", opened.display());
        std::fs::write(self.opener(), opener).expect("a file can be written");
        std::fs::set_permissions(self.opener(), std::fs::Permissions::from_mode(0o700))
            .expect("its mode can be set");
        let log = std::fs::File::create(self.home.path().join("program.log")).expect("a file can be made");
        let driver = self
            .command("WebKitWebDriver")
            .args([format!("--port={}", self.driver_port), "--host=127.0.0.1".to_owned()])
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a file can be shared"))
            .stderr(log)
            .spawn()
            .expect("the window's tests need WebKitWebDriver (Debian: apt install webkit2gtk-driver)");
        self.children.push(driver);
    }

    /// Starts a server of the desktop, and returns the first line that it prints: it is ready then.
    fn first_line(&mut self, program: &str, package: &str, args: &[&str]) -> String {
        let mut child = self
            .command(program)
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| {
                panic!("the window's tests need {program} (Debian: apt install {package}): {error}")
            });
        let mut line = String::new();
        let said = child.stdout.take().expect("it is piped");
        BufReader::new(said).read_line(&mut line).expect("it says where it is");
        self.children.push(child);
        line.trim().to_owned()
    }

    /// On such a bus nothing starts by itself, a keychain neither.
    fn bus_without_services(&self) -> PathBuf {
        let file = self.home.path().join("bus.conf");
        let text = format!(
            "<!DOCTYPE busconfig PUBLIC \"-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN\" \
             \"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd\">\n<busconfig><type>session</type>\
             <listen>unix:tmpdir={}</listen><auth>EXTERNAL</auth><policy context=\"default\">\
             <allow send_destination=\"*\" eavesdrop=\"true\"/><allow eavesdrop=\"true\"/><allow own=\"*\"/>\
             </policy></busconfig>\n",
            self.home.path().join("tmp").display()
        );
        std::fs::write(&file, text).expect("a file can be written");
        file
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        for process in self.running() {
            drop(Command::new("kill").arg("-KILL").arg(process.to_string()).status());
        }
        for child in self.children.iter_mut().rev() {
            drop(child.kill());
            drop(child.wait());
        }
    }
}

/// The program that is driven, with the window's files inside it.
pub(crate) fn program() -> PathBuf {
    let built = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/debug/ichido-desktop");
    let program = std::env::var_os(PROGRAM).map_or_else(|| PathBuf::from(built), PathBuf::from);
    assert!(
        program.is_file(),
        "the window's tests need {}: (cd ui && npm ci && npm run build) && \
         cargo build -p ichido-desktop --features custom-protocol",
        program.display()
    );
    program
}

fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a loopback port is free");
    listener.local_addr().expect("a listener has an address").port()
}

/// The sentences of the window.
pub(crate) struct Messages(Value);

impl Messages {
    fn of(language: &str) -> Messages {
        let file = format!("{}/../ui/messages/{language}.json", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(file).expect("the window has messages");
        Messages(serde_json::from_str(&text).expect("they are JSON"))
    }

    /// A message without parameters, or the part before the first of them.
    pub(crate) fn get(&self, key: &str) -> String {
        let message = self.0[key].as_str().unwrap_or_else(|| panic!("no message {key}"));
        message.split('{').next().expect("there is a part").trim().to_owned()
    }

    /// A message in the form for one.
    pub(crate) fn one(&self, key: &str) -> String {
        let one = &self.0[key];
        let message = one["one"].as_str().map_or_else(|| self.with(key, &[("count", "1")]), str::to_owned);
        message.replace("{count}", "1")
    }

    /// A message with its parameters.
    pub(crate) fn with(&self, key: &str, params: &[(&str, &str)]) -> String {
        let one = &self.0[key];
        let message =
            one.as_str().or_else(|| one["other"].as_str()).unwrap_or_else(|| panic!("no message {key}"));
        params
            .iter()
            .fold(message.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
    }
}
