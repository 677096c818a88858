//! Site generators whose sources hold much that is no article, such as layouts and built pages.

use std::ffi::OsString;

/// A generator, by names that lie at the top of its sources.
struct Generator {
    /// Of each list one must be there.
    known_by: &'static [&'static [&'static str]],
    /// Where the articles lie.
    articles: &'static [&'static str],
}

const GENERATORS: &[Generator] = &[
    // Hugo.
    Generator {
        known_by: &[
            &[
                "hugo.toml",
                "hugo.yaml",
                "hugo.yml",
                "hugo.json",
                "config.toml",
                "config.yaml",
                "config.yml",
                "config",
            ],
            &["content"],
        ],
        articles: &["content"],
    },
    // Jekyll.
    Generator {
        known_by: &[&["_config.yml", "_config.yaml", "_config.toml"], &["_posts"]],
        articles: &["_posts", "_drafts"],
    },
    // Hexo.
    Generator { known_by: &[&["_config.yml"], &["source"], &["themes", "scaffolds"]], articles: &["source"] },
    // Astro.
    Generator {
        known_by: &[
            &["astro.config.mjs", "astro.config.ts", "astro.config.js", "astro.config.cjs"],
            &["src"],
        ],
        articles: &["src"],
    },
    // Zenn: books are no articles.
    Generator { known_by: &[&["articles"], &["books"]], articles: &["articles"] },
    // Qiita.
    Generator { known_by: &[&["qiita.config.json"], &["public"]], articles: &["public"] },
];

/// Answers what to look into where a folder is the top of a generator's sources.
pub(crate) fn articles_of(names: impl Iterator<Item = OsString>) -> Option<&'static [&'static str]> {
    let names: Vec<OsString> = names.collect();
    let has = |wanted: &&str| names.iter().any(|name| name == *wanted);
    GENERATORS
        .iter()
        .find(|generator| generator.known_by.iter().all(|one_of| one_of.iter().any(&has)))
        .map(|generator| generator.articles)
}
