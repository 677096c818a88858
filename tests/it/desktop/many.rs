//! Ten thousand articles.

use super::*;

/// The most elements of the page, however many articles there are.
const MOST_ELEMENTS: u64 = 1500;

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_articles_are_listed_by_few_elements() {
    let desktop = Desktop::new("ja", Keychain::Unlocked);
    let said = desktop.said();
    let articles = desktop.home().join("articles");
    std::fs::create_dir(&articles).expect("a folder can be made");
    for number in 0..10_000 {
        let text = format!("---\ntitle: Article number {number:05}\n---\n\nText.\n");
        std::fs::write(articles.join(format!("a-{number:05}.md")), text).expect("a file can be written");
    }
    let window = desktop.open(&[articles.to_str().expect("a path of text")]).await;
    window.press(&said.get("first.skip")).await;
    window.read(&said.with("articles.shown", &[("count", "10,000")])).await;
    window.read("Article number 00000").await;
    let elements = async || {
        window
            .script("return document.querySelectorAll('*').length", json!([]))
            .await
            .as_u64()
            .expect("a number")
    };
    assert!(elements().await < MOST_ELEMENTS, "{}", elements().await);

    let to_the_end = "const scrolled = [...document.querySelectorAll('*')]
            .filter((one) => one.scrollHeight > one.clientHeight + 1000).pop();
        if (!scrolled) return false;
        scrolled.scrollTop = scrolled.scrollHeight;
        return document.body.innerText.includes('Article number 09999');";
    window.wait("the last article", to_the_end, json!([])).await;
    assert!(elements().await < MOST_ELEMENTS, "{}", elements().await);
    window.fill("input[type=search]", "04321").await;
    window.read("Article number 04321").await;
    window.gone("Article number 09999").await;
    window.close().await;
}
