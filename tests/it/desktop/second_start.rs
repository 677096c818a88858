//! The program is started while it runs.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_second_start_hands_its_folder_to_the_first_and_ends() {
    let desktop = Desktop::new("en", Keychain::Unlocked);
    let said = desktop.said();
    let (first, second) = (desktop.home().join("first"), desktop.home().join("second"));
    write(&first, "one", "The first");
    write(&second, "two", "The second");
    let window = desktop.open(&[first.to_str().expect("a path of text")]).await;
    window.press(&said.get("first.skip")).await;
    window.read("The first").await;

    let mut again = desktop.command(session::program());
    // Relative to where it is started, as a shell names it.
    let again = again.current_dir(desktop.home()).arg("second").output().expect("it starts");
    assert!(again.status.success(), "{again:?}");
    window.read("The second").await;
    assert_eq!(desktop.running().len(), 1, "the first goes on alone");
    assert_eq!(rows(&window).await.len(), 2);
    window.close().await;
}
