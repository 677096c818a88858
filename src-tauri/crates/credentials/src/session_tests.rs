//! The keychain as it is on Linux: a real gnome-keyring on a session bus of its own, with its own
//! home folder. Each scene runs in a child process of this test, since a process has one environment.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::{Keychain, KeychainError, NotText, PASSWORD_VARIABLE, Secret};

const SCENE: &str = "ICHIDO_CREDENTIALS_TEST_SCENE";
const SITE: &str = "https://blog.example/日本語";
const USER: &str = "writer@example";

fn secret(text: &str) -> Secret {
    Secret::new(text.to_owned())
}

#[track_caller]
fn fails<T>(result: Result<T, KeychainError>, code: &str) {
    match result {
        Ok(_) => panic!("succeeded instead of {code}"),
        Err(error) => assert_eq!(error.code(), code, "{error:?}"),
    }
}

/// Starts gnome-keyring on this session's bus; it ends with the bus.
fn start_gnome_keyring() {
    let mut daemon = Command::new("gnome-keyring-daemon")
        .args(["--daemonize", "--unlock", "--components=secrets"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("this test needs gnome-keyring-daemon (Debian: apt install gnome-keyring)");
    daemon.stdin.take().unwrap().write_all(b"keyring-password").unwrap();
    assert!(daemon.wait().unwrap().success(), "gnome-keyring-daemon did not start");
}

fn kept_and_deleted() {
    start_gnome_keyring();
    let keychain = Keychain::new();
    fails(keychain.load(SITE, USER), "password_not_found");
    fails(keychain.delete(SITE, USER), "password_not_found");
    for password in ["abcd EFGH ijkl MNOP qrst UVWX", "秘密 の 言葉", ""] {
        keychain.store(SITE, USER, &secret(password)).unwrap();
        assert_eq!(keychain.load(SITE, USER).unwrap().expose(), password);
    }
    keychain.store(SITE, "other", &secret("another")).unwrap();
    keychain.store("https://blog.example", USER, &secret("elsewhere")).unwrap();
    keychain.delete(SITE, USER).unwrap();
    fails(keychain.load(SITE, USER), "password_not_found");
    assert_eq!(keychain.load(SITE, "other").unwrap().expose(), "another");
    assert_eq!(keychain.load("https://blog.example", USER).unwrap().expose(), "elsewhere");
}

fn locked() {
    use secret_service::EncryptionType;
    use secret_service::blocking::SecretService;
    start_gnome_keyring();
    let keychain = Keychain::new();
    keychain.store(SITE, USER, &secret("kept")).unwrap();
    let service = SecretService::connect(EncryptionType::Plain).unwrap();
    service.get_default_collection().unwrap().lock().unwrap();
    // Nobody can be asked here: the session has no display.
    for result in [keychain.load(SITE, USER).map(drop), keychain.store(SITE, USER, &secret("new"))] {
        let code = result.unwrap_err().code();
        assert!(["keychain_locked", "keychain_denied"].contains(&code), "{code}");
    }
}

fn no_keychain() {
    let keychain = Keychain::new();
    for result in [
        keychain.load(SITE, USER).map(drop),
        keychain.store(SITE, USER, &secret("canary-4711")),
        keychain.delete(SITE, USER),
    ] {
        let error = result.unwrap_err();
        assert_eq!(error.code(), "no_keychain", "{error:?}");
        assert!(!format!("{error:?}").contains("canary"));
    }
}

fn password_from_environment() {
    match std::env::var_os(PASSWORD_VARIABLE).as_ref().map(|value| value.as_encoded_bytes()) {
        None | Some(b"") => assert!(Secret::from_env().unwrap().is_none()),
        Some(b"\xff") => assert_eq!(Secret::from_env().unwrap_err(), NotText),
        Some(other) => assert_eq!(Secret::from_env().unwrap().unwrap().expose().as_bytes(), other),
    }
}

#[test]
fn scene() {
    match std::env::var(SCENE).as_deref() {
        Err(_) => {}
        Ok("kept_and_deleted") => kept_and_deleted(),
        Ok("locked") => locked(),
        Ok("no_keychain") => no_keychain(),
        Ok("password_from_environment") => password_from_environment(),
        Ok(other) => panic!("no scene {other}"),
    }
}

/// A command that plays a scene in this test's executable, with a home folder of its own.
fn playing(scene: &str, home: &Path, mut command: Command) -> Command {
    let runtime = home.join("runtime");
    fs::create_dir_all(&runtime).unwrap();
    fs::set_permissions(&runtime, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    command
        .args(["--exact", "session_tests::scene", "--nocapture"])
        .env(SCENE, scene)
        .env("HOME", home)
        .env("XDG_DATA_HOME", home.join("data"))
        .env("XDG_CONFIG_HOME", home.join("config"))
        .env("XDG_CACHE_HOME", home.join("cache"))
        .env("XDG_RUNTIME_DIR", &runtime)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("GNOME_KEYRING_CONTROL")
        .env_remove("DBUS_SESSION_BUS_ADDRESS")
        .env_remove(PASSWORD_VARIABLE);
    command
}

fn on_a_bus_of_its_own(configuration: Option<&Path>) -> Command {
    let mut command = Command::new("dbus-run-session");
    if let Some(file) = configuration {
        command.arg(format!("--config-file={}", file.display()));
    }
    command.arg("--").arg(std::env::current_exe().unwrap());
    command
}

#[track_caller]
fn passes(mut command: Command) {
    let Output { status, stdout, stderr } =
        command.output().expect("this test needs dbus-run-session (Debian: apt install dbus)");
    let said = format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success() && said.contains("1 passed"), "{said}");
}

#[test]
fn a_real_keychain_keeps_replaces_and_deletes() {
    let home = tempfile::tempdir().unwrap();
    passes(playing("kept_and_deleted", home.path(), on_a_bus_of_its_own(None)));
    assert!(home.path().join("data/keyrings").exists(), "the keyring was kept in the test's own folder");
}

#[test]
fn a_locked_keychain_is_not_an_empty_one() {
    let home = tempfile::tempdir().unwrap();
    passes(playing("locked", home.path(), on_a_bus_of_its_own(None)));
}

#[test]
fn a_session_without_a_secret_service_has_no_keychain() {
    let home = tempfile::tempdir().unwrap();
    let configuration = home.path().join("bus.conf");
    let text = format!(
        "<!DOCTYPE busconfig PUBLIC \"-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN\" \
         \"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd\">\n<busconfig><type>session</type>\
         <listen>unix:tmpdir={}</listen><auth>EXTERNAL</auth><policy context=\"default\">\
         <allow send_destination=\"*\" eavesdrop=\"true\"/><allow eavesdrop=\"true\"/><allow own=\"*\"/>\
         </policy></busconfig>\n",
        home.path().display()
    );
    fs::write(&configuration, text).unwrap();
    passes(playing("no_keychain", home.path(), on_a_bus_of_its_own(Some(&configuration))));
}

#[test]
fn a_computer_without_a_session_bus_has_no_keychain() {
    let home = tempfile::tempdir().unwrap();
    passes(playing("no_keychain", home.path(), Command::new(std::env::current_exe().unwrap())));
    let mut nowhere = playing("no_keychain", home.path(), Command::new(std::env::current_exe().unwrap()));
    nowhere.env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus");
    passes(nowhere);
}

#[test]
fn a_password_comes_from_the_environment_where_there_is_one() {
    use std::os::unix::ffi::OsStrExt;
    let home = tempfile::tempdir().unwrap();
    for value in [None, Some(&b""[..]), Some(b"abcd EFGH ijkl"), Some("秘密".as_bytes()), Some(b"\xff")] {
        let mut child =
            playing("password_from_environment", home.path(), Command::new(std::env::current_exe().unwrap()));
        if let Some(value) = value {
            child.env(PASSWORD_VARIABLE, std::ffi::OsStr::from_bytes(value));
        }
        passes(child);
    }
}
