//! An installed site of each version, made once and copied for every test.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::keeper::{Keeper, wait_for};
use crate::trees::Tree;

const INSTALL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/support/wordpress/install.php");

/// What a site's folder starts with. A change of one of these makes a new template.
const FILES: [(&str, &str); 4] = [
    ("www/wp-config.php", include_str!("../wordpress/wp-config.php")),
    ("wp-content/themes/plain/style.css", include_str!("../wordpress/theme/style.css")),
    ("wp-content/themes/plain/index.php", include_str!("../wordpress/theme/index.php")),
    ("wp-content/mu-plugins/faults.php", include_str!("../wordpress/faults.php")),
];

/// Returns the folder of the version's template; the first to ask makes it, others wait.
pub(crate) fn ready(tree: &Tree) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    FILES.hash(&mut hasher);
    include_str!("../wordpress/install.php").hash(&mut hasher);
    include_str!("../wordpress/serve.sh").hash(&mut hasher);
    // Its links are absolute.
    tree.folder.hash(&mut hasher);
    let template = tree.folder.join(format!("template-{:016x}", hasher.finish()));

    let lock = File::create(tree.folder.join("template.lock"))
        .expect("the folder of the WordPress versions is writable");
    lock.lock().expect("a file can be locked");
    if !template.is_dir() {
        make(tree, &template);
    }
    template
}

fn make(tree: &Tree, template: &Path) {
    // Elsewhere than the template: the path of a socket may have 107 bytes only.
    let folder = new_folder();
    let site = folder.path().to_owned();
    for (name, text) in FILES {
        let file = site.join(name);
        fs::create_dir_all(file.parent().expect("a file has a folder")).expect("a folder can be made");
        fs::write(file, text).expect("a file can be written");
    }
    for name in ["uploads", "plugins"] {
        fs::create_dir_all(site.join("wp-content").join(name)).expect("a folder can be made");
    }
    for entry in fs::read_dir(tree.www()).expect("the WordPress tree can be read") {
        let entry = entry.expect("the WordPress tree can be read");
        let link = site.join("www").join(entry.file_name());
        std::os::unix::fs::symlink(entry.path(), link).expect("a link can be made");
    }

    let mut install_database = Command::new("mariadb-install-db");
    install_database
        .args([
            "--no-defaults",
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
            "--innodb-log-file-size=8M",
        ])
        .arg(format!("--datadir={}", site.join("data").display()));
    if is_root() {
        install_database.arg("--user=root");
    }
    run(&mut install_database);

    let keeper = Keeper::start(&folder.keep(), &tree.www(), None, "");
    let socket = site.join("db.sock");
    wait_for("the database", &site.join("db.log"), || database(&socket, "SELECT 1").then_some(()));

    let mut install = Command::new("php");
    install.arg(INSTALL).env("ICHIDO_SITE", &site).env("ICHIDO_WORDPRESS", tree.www());
    let users = run(&mut install);
    fs::write(site.join("users.json"), users).expect("a file can be written");

    // Shut down in order: each copy then starts without recovery.
    assert!(database(&socket, "SHUTDOWN"), "the database does not shut down");
    wait_for("the end of the database", &site.join("db.log"), || {
        (!site.join("db.pid").exists()).then_some(())
    });

    let unfinished = template.with_extension("new");
    drop(fs::remove_dir_all(&unfinished));
    copy(&site, &unfinished);
    fs::rename(&unfinished, template).expect("a folder can be renamed");
    drop(keeper);
}

/// Makes an empty folder whose path is short. It goes with its guard, until the servers' keeper is given it to remove.
pub(crate) fn new_folder() -> tempfile::TempDir {
    tempfile::Builder::new().prefix("ichido-").tempdir().expect("a temporary folder can be made")
}

/// Copies a folder with everything in it to a path where nothing is.
pub(crate) fn copy(from: &Path, to: &Path) {
    run(Command::new("cp").args(["-a", "--reflink=auto"]).arg(from).arg(to));
}

fn database(socket: &Path, statement: &str) -> bool {
    let status = Command::new("mariadb")
        .args(["--no-defaults", "--user=root"])
        .arg(format!("--socket={}", socket.display()))
        .args(["--execute", statement])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

fn is_root() -> bool {
    run(Command::new("id").arg("-u")).trim() == "0"
}

/// Runs a program to its end and returns what it printed.
fn run(command: &mut Command) -> String {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().unwrap_or_else(|error| {
        panic!("{name} does not start ({error}): run scripts/setup test, then this test again")
    });
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{name} failed ({}): {printed}{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    printed
}
