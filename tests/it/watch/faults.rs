//! Faults 44 and 46 of a watched folder: folders that come and go, names that change their form, hostile articles.

use ichido_core::operation::{HaltReason, State};
use ichido_engine::{Light, NoEvents};

use super::*;
use crate::sight::assert_sent_once;

/// Another folder lies in the place of the watched one, as it does where a drive is not mounted.
#[tokio::test]
async fn fault_44_an_unmounted_folder_is_away_and_nothing_in_it_is_gone() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    for name in ["tea", "coffee"] {
        desk.write(name, name, "Text.");
    }
    let aside = desk.folder().join("aside");
    watched(&site, &desk, options(&desk, true), async |keeper| {
        keeper.begin().await;
        keeper.until_counts("both drafts", |counts| counts.settled == 2).await;
        for empty in [true, false] {
            std::fs::rename(&desk.articles, &aside).unwrap();
            if empty {
                std::fs::create_dir(&desk.articles).unwrap();
            }
            keeper.advance(Duration::from_secs(60));
            let folder = keeper.until_state(FolderState::Away).await;
            assert_eq!((folder.counts.settled, keeper.watch.status().light), (2, Light::Offline));
            keeper.advance(Duration::from_secs(3600));
            keeper.until_state(FolderState::Away).await;
            if empty {
                assert_eq!(
                    std::fs::read_dir(&desk.articles).unwrap().count(),
                    0,
                    "nothing is written into it"
                );
                std::fs::remove_dir(&desk.articles).unwrap();
            }
            std::fs::rename(&aside, &desk.articles).unwrap();
            keeper.advance(Duration::from_secs(60));
            keeper.until("its return", |status| status.folders[0].state != FolderState::Away).await;
            let folder = keeper.rest().await;
            assert_eq!((folder.state, folder.counts.settled), (FolderState::Watching, 2), "{folder:?}");
            assert_eq!(keeper.sent(), 2);
        }
        // It is watched again, not only read.
        desk.write("milk", "milk", "Text.");
        keeper.settle().await;
        assert_eq!(keeper.sent(), 3);
    })
    .await;
    assert_eq!(desk.state("tea"), State::Done);
    assert_sent_once(&site);
}

#[tokio::test]
async fn fault_44_a_renamed_article_is_not_created_again() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    // The slug is the folder's name: the same text under another name.
    write(&desk.articles, "tea/index.md", "---\ntitle: Tea\n---\n\nText.\n");
    desk.write("coffee", "Coffee", "Text.");
    watched(&site, &desk, options(&desk, true), async |keeper| {
        keeper.begin().await;
        keeper.until_counts("both drafts", |counts| counts.settled == 2).await;
        std::fs::rename(desk.articles.join("tea"), desk.articles.join("green-tea")).unwrap();
        std::fs::rename(desk.articles.join("coffee"), desk.articles.join("black-coffee")).unwrap();
        keeper.settle().await;
        keeper.until("the question whether it is the same", |status| status.attention == 1).await;
        assert_eq!(keeper.sent(), 2);
    })
    .await;
    assert_eq!(desk.state("tea"), State::Done);
    assert_eq!(desk.state("green-tea"), State::Halted(HaltReason::SlugChanged));
    assert_eq!(desk.state("coffee"), State::Done, "its slug stands in its text");
    assert_sent_once(&site);
}

#[tokio::test]
async fn fault_44_names_in_another_form_or_case_are_the_same_article() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    let (composed, decomposed) = ("がく", "か\u{3099}く");
    write(&desk.articles, &format!("{composed}/index.md"), "---\ntitle: A\n---\n\nText A.\n\n![a](が.png)\n");
    desk.picture(composed, "か\u{3099}.png", 1);
    write(&desk.articles, "Tea/index.md", "---\ntitle: B\n---\n\nText B.\n");
    watched(&site, &desk, options(&desk, true), async |keeper| {
        keeper.begin().await;
        keeper.until_counts("both drafts", |counts| counts.settled == 2).await;
        std::fs::rename(desk.articles.join(composed), desk.articles.join(decomposed)).unwrap();
        std::fs::rename(desk.articles.join("Tea"), desk.articles.join("tea")).unwrap();
        let folder = keeper.settle().await;
        assert_eq!((folder.counts.settled, keeper.watch.status().attention), (2, 0), "{folder:?}");
        // Both at once, as a synchronising program may leave them: neither is a new article.
        write(&desk.articles, &format!("{composed}/index.md"), "---\ntitle: A\n---\n\nText A.\n");
        keeper.settle().await;
        assert_eq!((keeper.sent(), keeper.watch.status().attention), (2, 0));
    })
    .await;
    assert_sent_once(&site);
}

/// What lies in a cloud only is fetched when it is read: it is not.
#[tokio::test]
async fn fault_44_what_lies_in_a_cloud_only_and_copies_of_conflicts_are_set_aside() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    let hollow = |path: &Path| std::fs::File::create(path).unwrap().set_len(5000).unwrap();
    desk.write("tea", "Tea", "Text.\n\n![a](a.png)");
    hollow(&desk.articles.join("tea/a.png"));
    write(&desk.articles, "milk/.index.md.icloud", "placeholder");
    desk.write("juice", "Juice", "Text.");
    write(&desk.articles, "juice/more.png.cloud", "placeholder");
    write(&desk.articles, "loose.md", "---\ntitle: Loose\n---\n\nText.\n");
    write(
        &desk.articles,
        "loose (Mac's conflicted copy 2026-12-01).md",
        "---\ntitle: Loose\n---\n\nOther.\n",
    );
    write(&desk.articles, "loose-DESKTOP-1A2B3C4.md", "---\ntitle: Loose\n---\n\nOther.\n");
    write(&desk.articles, "tea (conflicted copy)/index.md", "---\ntitle: Tea\nslug: tea-2\n---\n\nText.\n");
    std::fs::create_dir(desk.articles.join("water")).unwrap();
    hollow(&desk.articles.join("water/index.md"));
    watched(&site, &desk, options(&desk, true), async |keeper| {
        keeper.begin().await;
        let folder = keeper.until_counts("the loose one", |counts| counts.settled == 1).await;
        // Tea with its hollow image, juice, the copy of a folder, the copy with a machine's name, the hollow text.
        assert_eq!((folder.counts.set_aside, folder.counts.needs_work), (5, 0), "{folder:?}");
        assert_eq!(keeper.sent(), 1);
        std::fs::remove_file(desk.articles.join("juice/more.png.cloud")).unwrap();
        desk.picture("tea", "a.png", 1);
        let folder = keeper.settle().await;
        assert_eq!((folder.counts.settled, keeper.sent()), (3, 3), "{folder:?}");
    })
    .await;
}

/// The system's limit, set for this program alone.
#[tokio::test]
async fn fault_44_where_the_system_cannot_watch_so_many_folders_everything_is_read_again_and_again() {
    let site = practice().await;
    let desk = Desk::at(&site).await;
    for number in 0..12 {
        desk.write(&format!("a{number}"), &format!("A {number}"), "Text.");
    }
    let articles = desk.articles.to_str().expect("a plain name");
    let limited = "echo 4 > /proc/sys/user/max_inotify_watches && exec \"$@\"";
    let ended = crate::process::Program::of(
        &desk,
        &["watch", articles, "--site", SITE, "--register", "--once", "--json", "--settle", "1"],
    )
    .within(&["unshare", "--user", "--map-root-user", "sh", "-c", limited, "sh"])
    .with("PATH", std::env::var_os("PATH").expect("a path"))
    .with("ICHIDO_PASSWORD", site.credentials(desk.who()).password)
    .run()
    .await;
    let limit = format!("\"why\":\"{}\"", NoEvents::Limit.as_str());
    assert!(ended.stdout.contains(&limit), "{ended:?}");
    assert_eq!((ended.status, ended.summary()["created"].as_u64()), (Some(0), Some(12)), "{ended:?}");
}

#[cfg(unix)]
#[tokio::test]
async fn fault_46_a_hostile_folder_leads_nowhere_and_the_others_go_on() {
    use std::os::unix::fs::symlink;
    let site = practice().await;
    let desk = Desk::at(&site).await;
    let outside = desk.folder().join("outside");
    write(&outside, "index.md", "---\ntitle: Secret\n---\n\nSecret.\n");
    std::fs::write(outside.join("secret.png"), ichido_tests::png(9)).unwrap();
    desk.write("up", "Up", "![a](../../outside/secret.png)");
    desk.write("absolute", "Absolute", "![a](/etc/passwd)");
    desk.write("scheme", "Scheme", "![a](file:///etc/passwd)");
    desk.write("linked", "Linked", "![a](a.png)");
    symlink(outside.join("secret.png"), desk.articles.join("linked/a.png")).unwrap();
    symlink(&outside, desk.articles.join("folder")).unwrap();
    symlink(outside.join("index.md"), desk.articles.join("loose.md")).unwrap();
    symlink(&desk.articles, desk.articles.join("up/loop")).unwrap();
    write(
        &desk.articles,
        "bomb/index.md",
        "---\ntitle: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b, *b]\n---\n\nText.\n",
    );
    std::fs::File::create(desk.articles.join("huge.md")).unwrap().set_len(1 << 30).unwrap();
    desk.write("tea", "Tea", "Text.");
    watched(&site, &desk, options(&desk, true), async |keeper| {
        keeper.begin().await;
        let folder = keeper.until_counts("the good one", |counts| counts.settled == 1).await;
        assert_eq!(keeper.sent(), 1, "{folder:?}");
        assert_eq!(
            folder.counts.needs_work + folder.counts.set_aside,
            folder.counts.articles - 1,
            "{folder:?}"
        );
        // Nothing is noticed of what lies outside.
        std::fs::write(outside.join("index.md"), "changed").unwrap();
        let before = keeper.watch.status();
        keeper.read_now().await;
        assert_eq!(keeper.watch.status().folders[0].counts, before.folders[0].counts);
    })
    .await;
    assert_eq!((site.posts().await.len(), site.media().await.len()), (1, 0));
}
