//! A real WordPress: its own database server, its own web server on a free loopback port, a proxy in front.

mod keeper;
mod template;

use std::collections::BTreeMap;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::proxy::FaultProxy;
use crate::site::{Credentials, Who};
use crate::trees::{Tree, Version};
use keeper::{Keeper, wait_for};

#[derive(Deserialize)]
struct Installed {
    version: String,
    users: BTreeMap<String, Credentials>,
}

/// A freshly installed WordPress of one test. Servers and folder go when it is dropped.
pub struct RealWordPress {
    proxy: FaultProxy,
    installed: Installed,
    address: SocketAddr,
    token: String,
    folder: PathBuf,
    http: reqwest::Client,
    // Last: the servers end after everything that talks to them.
    _keeper: Keeper,
}

impl RealWordPress {
    /// Starts a site with pretty permalinks.
    ///
    /// # Panics
    ///
    /// When no WordPress is prepared, or it does not start.
    pub async fn start(version: Version) -> RealWordPress {
        let tree = Tree::find(version);
        let template = template::ready(&tree);
        let folder = template::new_folder();
        // Straight into the folder that is there already.
        template::copy(&template.join("."), folder.path());
        let installed =
            std::fs::read_to_string(folder.path().join("users.json")).expect("a template names its users");
        let installed: Installed = serde_json::from_str(&installed).expect("a template names its users");

        let address = free_address();
        let token = uuid::Uuid::new_v4().simple().to_string();
        let folder = folder.keep();
        let keeper = Keeper::start(&folder, &tree.www(), Some(address.port()), &token);
        // A connection is refused until the servers listen; the first request then waits for the database by itself.
        wait_for("the web server", &folder.join("access.log"), || std::net::TcpStream::connect(address).ok());
        wait_for("the database", &folder.join("db.log"), || {
            std::os::unix::net::UnixStream::connect(folder.join("db.sock")).ok()
        });
        let proxy = FaultProxy::start(address).await;
        let http = crate::rest::http();
        let site = RealWordPress { proxy, installed, address, token, folder, http, _keeper: keeper };
        let version = site.php("return $GLOBALS['wp_version'];", Value::Null).await;
        assert_eq!(version, site.installed.version.as_str(), "another site answers on this port");
        site
    }

    /// The address: that of the proxy, which WordPress takes for its own.
    pub fn url(&self) -> String {
        self.proxy.url()
    }

    /// The proxy in front.
    pub fn proxy(&self) -> &FaultProxy {
        &self.proxy
    }

    /// The version, such as `7.1.4`.
    pub fn version(&self) -> &str {
        &self.installed.version
    }

    /// A user's login, application password and id.
    pub fn credentials(&self, who: Who) -> Credentials {
        self.installed.users[who.login()].clone()
    }

    /// Runs PHP inside WordPress, as the administrator, past the proxy. The code sees `args` as `$args`; what it
    /// returns comes back as JSON.
    ///
    /// # Panics
    ///
    /// When the code throws or WordPress does not answer.
    pub async fn php(&self, code: &str, args: Value) -> Value {
        let answer = self
            .http
            .post(format!("http://{}/.ichido/php", self.address))
            .header("Host", self.proxy.address().to_string())
            .header("X-Ichido-Token", &self.token)
            .body(json!({ "code": code, "args": args }).to_string())
            .send()
            .await
            .expect("the site answers");
        let status = answer.status();
        let text = answer.text().await.expect("the answer is whole");
        let parsed: Value = serde_json::from_str(&text).unwrap_or_default();
        assert!(
            status.is_success() && parsed.get("value").is_some(),
            "PHP failed with {status}: {text}\n{}",
            self.php_log()
        );
        parsed["value"].clone()
    }

    /// Installs a plugin that cannot be switched off. The code starts without `<?php`.
    pub fn install_plugin(&self, name: &str, code: &str) {
        let file = self.folder.join("wp-content/mu-plugins").join(format!("{name}.php"));
        std::fs::write(file, format!("<?php\n{code}\n")).expect("the plugin's file can be written");
    }

    /// Removes a plugin again.
    pub fn remove_plugin(&self, name: &str) {
        std::fs::remove_file(self.folder.join("wp-content/mu-plugins").join(format!("{name}.php")))
            .expect("the plugin is installed");
    }

    /// Switches to plain permalinks: the REST API is at `?rest_route=` only.
    pub async fn use_plain_permalinks(&self) {
        self.php("update_option('permalink_structure', ''); return true;", Value::Null).await;
    }

    /// Puts the site into maintenance, as an update of WordPress does, or ends it.
    pub fn maintenance(&self, on: bool) {
        let file = self.folder.join("www/.maintenance");
        if on {
            std::fs::write(file, "<?php $upgrading = time();").expect("a file can be written");
        } else {
            std::fs::remove_file(file).expect("the site is in maintenance");
        }
    }

    /// What PHP has complained of.
    pub fn php_log(&self) -> String {
        std::fs::read_to_string(self.folder.join("php.log")).unwrap_or_default()
    }
}

/// Takes a port that is free now. Another process could take it before PHP does: the token tells.
fn free_address() -> SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a loopback port is free");
    listener.local_addr().expect("a listener has an address")
}
