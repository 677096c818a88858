//! In which language people are spoken to.

use std::ffi::OsString;

/// A language of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Language {
    /// Japanese.
    #[value(name = "ja")]
    Japanese,
    /// English.
    #[value(name = "en")]
    English,
}

impl Language {
    /// Chooses the language: `--lang`, looked for before anything is read so that the help and errors
    /// of usage speak it too, then the locale.
    pub(crate) fn choose(args: &[OsString]) -> Self {
        Self::asked_for(args).unwrap_or_else(Self::of_locale)
    }

    fn asked_for(args: &[OsString]) -> Option<Self> {
        let mut args = args.iter().filter_map(|arg| arg.to_str()).take_while(|arg| *arg != "--");
        let mut asked = None;
        while let Some(arg) = args.next() {
            let code = if arg == "--lang" { args.next() } else { arg.strip_prefix("--lang=") };
            asked = code.and_then(Self::parse).or(asked);
        }
        asked
    }

    fn of_locale() -> Self {
        let set = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
        let locale = set.or_else(sys_locale::get_locale).unwrap_or_default();
        Self::parse(&locale).unwrap_or(Self::English)
    }

    fn parse(code: &str) -> Option<Self> {
        match code.get(..2)? {
            "ja" => Some(Self::Japanese),
            "en" => Some(Self::English),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_found_wherever_it_stands() {
        let asked =
            |line: &str| Language::asked_for(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(asked("ichido status --lang en"), Some(Language::English));
        assert_eq!(asked("ichido --lang=ja status"), Some(Language::Japanese));
        assert_eq!(asked("ichido status -- --lang=en"), None);
        assert_eq!(asked("ichido --lang fr"), None);
        assert_eq!(asked("ichido --lang"), None);
    }

    #[test]
    fn locales_are_known_by_their_language() {
        assert_eq!(Language::parse("ja_JP.UTF-8"), Some(Language::Japanese));
        assert_eq!(Language::parse("en-GB"), Some(Language::English));
        assert_eq!(Language::parse("C"), None);
    }
}
