//! A browser without a screen, signed in on a real WordPress, with the editor open.

use std::net::TcpListener;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

use ichido_tests::{RealWordPress, Who};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::desktop::driver::Driver;

/// A browser of one test's own. It ends with the test, however that ends.
pub(crate) struct Browser {
    pub(crate) driver: Driver,
    // In this order: the browser writes into its profile until it is dead.
    _group: Group,
    _profile: TempDir,
}

/// A program and all that it started.
struct Group(Child);

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = rustix::process::Pid::from_raw(self.0.id().cast_signed()) {
            // Where it has ended by itself, there is nobody left to be told.
            let _: rustix::io::Result<()> =
                rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        drop(self.0.wait());
    }
}

impl Browser {
    /// Starts it, signed in as somebody.
    pub(crate) async fn signed_in(site: &RealWordPress, who: Who) -> Browser {
        let profile = tempfile::tempdir().expect("a folder can be made");
        let port = TcpListener::bind(("127.0.0.1", 0))
            .and_then(|listener| listener.local_addr())
            .expect("a loopback port is free")
            .port();
        let driver = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .env("HOME", profile.path())
            .env("XDG_CONFIG_HOME", profile.path())
            .env("XDG_CACHE_HOME", profile.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .unwrap_or_else(|error| panic!("chromedriver does not start ({error}): run scripts/setup test"));
        let group = Group(driver);
        let args = [
            "--headless=new".to_owned(),
            format!("--user-data-dir={}", profile.path().join("profile").display()),
            "--no-sandbox".to_owned(),
            "--disable-gpu".to_owned(),
            "--disable-quic".to_owned(),
            "--disable-dev-shm-usage".to_owned(),
            "--no-first-run".to_owned(),
            "--disable-background-networking".to_owned(),
            "--disable-component-update".to_owned(),
            "--disable-sync".to_owned(),
            // Loopback or nothing.
            "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1".to_owned(),
        ];
        let capabilities = json!({
            "goog:chromeOptions": { "args": args },
            "timeouts": { "script": 60_000, "pageLoad": 120_000 },
            "unhandledPromptBehavior": "accept",
        });
        let driver = Driver::of(port, capabilities).await;
        driver.visit(&format!("{}/wp-includes/images/blank.gif", site.url())).await;
        for (name, value) in cookies(site, who).await {
            driver.cookie(&name, &value).await;
        }
        Browser { driver, _group: group, _profile: profile }
    }

    /// Opens a post in the editor, and waits until its blocks are there.
    pub(crate) async fn edit(&self, site: &RealWordPress, id: u64) {
        self.driver.visit(&format!("{}/wp-admin/post.php?post={id}&action=edit", site.url())).await;
        let ready = "const editor = window.wp?.data?.select('core/editor');
            return editor?.getCurrentPostId?.() === arguments[0]
                && (wp.data.select('core/block-editor')?.getBlockCount() ?? 0) > 0";
        self.driver.wait("the editor", ready, json!([id])).await;
    }

    /// What the editor that is open finds wrong with a text: nothing when every block is a valid one of its own.
    pub(crate) async fn problems(&self, content: &str) -> Value {
        let code = "const found = [];
            const visit = (blocks) => blocks.forEach((block) => {
                if (['core/freeform', 'core/missing'].includes(block.name)) found.push(block.name + ': ' + (block.originalContent ?? ''));
                else if (!block.isValid) found.push(block.name + ' is invalid: ' + (block.originalContent ?? ''));
                visit(block.innerBlocks);
            });
            visit(wp.blocks.parse(arguments[0]));
            return found;";
        self.driver.script(code, json!([content])).await
    }

    /// Saves the open post as the editor writes it. Returns what was saved.
    pub(crate) async fn save(&self) -> String {
        let code = "const editor = wp.data.dispatch('core/editor');
            const content = wp.blocks.serialize(wp.data.select('core/block-editor').getBlocks());
            await editor.editPost({ content });
            await editor.savePost();
            if (!wp.data.select('core/editor').didPostSaveRequestSucceed()) throw new Error('the post was not saved');
            return content;";
        self.driver.promise(code, Value::Null).await.as_str().expect("content is text").to_owned()
    }

    pub(crate) async fn close(self) {
        self.driver.close().await;
    }
}

/// What WordPress would set when somebody signs in.
async fn cookies(site: &RealWordPress, who: Who) -> Vec<(String, String)> {
    let code = "$user = get_user_by('login', $args[0]);
        $until = time() + DAY_IN_SECONDS;
        $token = WP_Session_Tokens::get_instance($user->ID)->create($until);
        return [
            [AUTH_COOKIE, wp_generate_auth_cookie($user->ID, $until, 'auth', $token)],
            [LOGGED_IN_COOKIE, wp_generate_auth_cookie($user->ID, $until, 'logged_in', $token)],
        ];";
    let made = site.php(code, json!([who.login()])).await;
    serde_json::from_value(made).expect("cookies have a name and a value")
}
