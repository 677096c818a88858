//! Sites that call themselves by the name of another.

use ichido_practice::{Account, Language, Options, PracticeSite, Role};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::{program, run};

const PASSWORD: &str = "abcd EFGH ijkl MNOP qrst UVWX";
const USER: &str = "author";

/// Describes itself as the site at `home`, and takes anybody for its user.
async fn impostor(home: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a loopback port is free");
    let root = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                let Ok(byte) = stream.read_u8().await else { break };
                head.push(byte);
            }
            let who = head.windows(9).any(|window| window == b"/users/me");
            let body = if who {
                serde_json::json!({ "id": 2, "username": USER, "roles": ["author"],
                    "capabilities": { "edit_posts": true, "upload_files": true } })
            } else {
                serde_json::json!({ "name": "Blog", "home": home, "url": home, "namespaces": ["wp/v2"] })
            };
            let body = body.to_string();
            let answer = format!(
                "HTTP/1.1 200 OK\r\nCache-Control: no-cache\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
            drop(stream.write_all(answer.as_bytes()).await);
        }
    });
    root
}

#[tokio::test]
async fn a_site_cannot_take_the_place_of_another() {
    let folder: TempDir = tempfile::tempdir().expect("a folder can be made");
    let accounts = vec![Account::new(USER, Role::Author, PASSWORD)];
    let options = Options { language: Language::English, accounts, ..Options::default() };
    let site = PracticeSite::start(options).await.expect("a loopback port is free");
    let add = async |name: &str, url: &str, password: &str| {
        let args = ["site", "add", name, url, "--user", USER, "--json"];
        run(&folder, program(&folder, &args).with("ICHIDO_PASSWORD", password)).await.ended
    };
    assert_eq!(add("blog", site.url(), PASSWORD).await.status, Some(0));
    let sites = || async { run(&folder, program(&folder, &["site", "list", "--json"])).await.ended.stdout };
    let before = sites().await;
    assert!(before.contains(site.url()), "{before}");

    let impostor = impostor(site.url().to_owned()).await;
    for name in ["blog", "other"] {
        let ended = add(name, &impostor, "another password entirely").await;
        assert_eq!(ended.status, Some(2), "{ended:?}");
        assert!(ended.stdout.contains("leads_elsewhere") && ended.stdout.contains(site.url()), "{ended:?}");
        assert_eq!(sites().await, before, "nothing of what was known has changed");
    }
}
