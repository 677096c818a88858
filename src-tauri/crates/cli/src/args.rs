//! What can be typed. The texts of the help stand with the other messages.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, Parser, Subcommand};
use ichido_core::act::Act;
use ichido_core::id::RemoteId;

use crate::faults::Arming;
use crate::language::Language;

#[derive(Clone, Debug, Parser)]
#[command(name = "ichido", version, disable_help_subcommand = true, disable_help_flag = true)]
#[command(disable_version_flag = true, max_term_width = 100)]
pub(crate) struct Cli {
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[arg(long, global = true, value_name = "DIR", env = "ICHIDO_DATA_DIR", hide_env_values = true)]
    pub(crate) data_dir: Option<PathBuf>,
    #[arg(long, global = true, value_name = "ja|en", hide_possible_values = true)]
    pub(crate) lang: Option<Language>,
    #[command(subcommand)]
    pub(crate) task: Task,
}

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Task {
    Site {
        #[command(subcommand)]
        task: SiteTask,
    },
    Check(Check),
    Register(Register),
    Status {
        #[arg(value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
    Reconcile {
        #[arg(long, value_name = "NAME")]
        site: Option<String>,
    },
    Resolve(Resolve),
    Release,
    Explain {
        #[arg(value_name = "REASON|ARTICLE")]
        about: Option<String>,
    },
    Set(Set),
    History {
        #[arg(value_name = "ARTICLE")]
        article: Option<PathBuf>,
    },
    Export {
        #[arg(long)]
        csv: bool,
    },
    Watch(Watch),
    Practice(Practice),
}

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum SiteTask {
    Add {
        #[arg(value_name = "NAME")]
        name: String,
        #[arg(value_name = "URL")]
        url: String,
        #[arg(long, value_name = "USER")]
        user: String,
    },
    List,
    Remove {
        #[arg(value_name = "NAME")]
        name: String,
    },
    Check {
        #[arg(value_name = "NAME")]
        name: String,
    },
}

#[derive(Args, Clone, Debug)]
pub(crate) struct Check {
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    #[arg(long, value_name = "NAME")]
    pub(crate) site: Option<String>,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct Register {
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    #[arg(long, value_name = "NAME")]
    pub(crate) site: Option<String>,
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[arg(long)]
    pub(crate) create_tags: bool,
    #[arg(long, value_name = "SECONDS,..", value_parser = polls)]
    pub(crate) poll: Option<Polls>,
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) wait: Option<Duration>,
}

#[derive(Args, Clone, Debug)]
#[command(group = ArgGroup::new("act").required(true).multiple(false))]
pub(crate) struct Resolve {
    #[arg(value_name = "ARTICLE")]
    pub(crate) article: PathBuf,
    #[arg(long, value_name = "NAME")]
    pub(crate) site: Option<String>,
    #[arg(long, value_name = "FILE")]
    pub(crate) image: Option<PathBuf>,
    #[arg(long, group = "act")]
    look: bool,
    #[arg(long, group = "act", value_name = "ID", value_parser = remote_id)]
    link: Option<RemoteId>,
    #[arg(long, group = "act", value_name = "ID", value_parser = remote_id)]
    none: Option<RemoteId>,
    #[arg(long, group = "act")]
    send_again: bool,
    #[arg(long, group = "act")]
    try_again: bool,
    #[arg(long, group = "act")]
    keep_site: bool,
    #[arg(long, group = "act")]
    update: bool,
    #[arg(long, group = "act")]
    accept_slug: bool,
    #[arg(long, group = "act")]
    same: bool,
    #[arg(long, group = "act")]
    new: bool,
    #[arg(long, group = "act")]
    leave: bool,
    #[arg(long, group = "act")]
    unleave: bool,
}

impl Resolve {
    /// Returns the act that was chosen, and the row of the site that it is about.
    pub(crate) fn act(&self) -> (Act, Option<RemoteId>) {
        let plain = [
            (self.send_again, Act::SendAgain),
            (self.try_again, Act::TryAgain),
            (self.keep_site, Act::KeepSite),
            (self.update, Act::Update),
            (self.accept_slug, Act::AcceptSlug),
            (self.same, Act::Same),
            (self.new, Act::New),
            (self.leave, Act::Leave),
            (self.unleave, Act::Unleave),
        ];
        match (self.link, self.none) {
            (Some(id), _) => (Act::Link, Some(id)),
            (None, Some(id)) => (Act::NoneOfThese, Some(id)),
            // A look is what is left, and harmless.
            (None, None) => {
                (plain.into_iter().find(|(chosen, _)| *chosen).map_or(Act::Look, |(_, act)| act), None)
            }
        }
    }
}

#[derive(Args, Clone, Debug)]
pub(crate) struct Set {
    #[arg(value_name = "KEY")]
    pub(crate) key: Option<String>,
    #[arg(value_name = "VALUE", requires = "key")]
    pub(crate) value: Option<String>,
    #[arg(long, value_name = "NAME")]
    pub(crate) site: Option<String>,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct Watch {
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
    #[arg(long, value_name = "NAME")]
    pub(crate) site: Option<String>,
    #[arg(long)]
    pub(crate) register: bool,
    #[arg(long)]
    pub(crate) once: bool,
    #[arg(long)]
    pub(crate) take_over: bool,
    #[arg(long)]
    pub(crate) create_tags: bool,
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) settle: Option<Duration>,
    #[arg(long, value_name = "SECONDS,..", value_parser = polls)]
    pub(crate) poll: Option<Polls>,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct Practice {
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
    #[arg(long, value_name = "[KIND:]FAULT[@N]")]
    pub(crate) fault: Vec<Arming>,
    #[arg(long, value_name = "FILE")]
    pub(crate) ready_file: Option<PathBuf>,
}

/// When an unknown outcome is looked up again inside a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Polls(pub(crate) Vec<Duration>);

/// Why a value cannot be used; the sentence for people is made where usage errors are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ValueError {
    #[error("read whole seconds, at most a day")]
    Seconds,
    #[error("read an id of WordPress")]
    Id,
}

const LONGEST_WAIT_S: u64 = 24 * 60 * 60;
const MOST_POLLS: usize = 20;

fn seconds(text: &str) -> Result<Duration, ValueError> {
    let seconds = text.trim().parse::<u64>().ok().filter(|seconds| *seconds <= LONGEST_WAIT_S);
    seconds.map(Duration::from_secs).ok_or(ValueError::Seconds)
}

/// Reads seconds with commas between them; `none` for no look inside the run.
fn polls(text: &str) -> Result<Polls, ValueError> {
    if text == "none" {
        return Ok(Polls(Vec::new()));
    }
    let mut waits = text.split(',').map(seconds).collect::<Result<Vec<_>, _>>()?;
    waits.sort_unstable();
    if waits.len() > MOST_POLLS { Err(ValueError::Seconds) } else { Ok(Polls(waits)) }
}

/// Reads an id, or finds it in the address of an edit page or a preview.
fn remote_id(text: &str) -> Result<RemoteId, ValueError> {
    let named = |name: &str| {
        let (_, query) = text.split_once('?')?;
        let value = query.split(['&', '#']).find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))?;
        value.parse().ok()
    };
    let id = text
        .trim()
        .parse::<u64>()
        .ok()
        .or_else(|| ["post", "p", "item", "preview_id"].into_iter().find_map(named));
    id.filter(|id| *id > 0).map(RemoteId).ok_or(ValueError::Id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    fn read(line: &str) -> Result<Cli, clap::Error> {
        Cli::try_parse_from(line.split(' '))
    }

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn polls_are_seconds_in_order_or_none() {
        let secs = |seconds: &[u64]| Ok(Polls(seconds.iter().copied().map(Duration::from_secs).collect()));
        assert_eq!(polls("5,20,60"), secs(&[5, 20, 60]));
        assert_eq!(polls("60,5"), secs(&[5, 60]));
        assert_eq!(polls("none"), secs(&[]));
        for text in ["", "5,", "-1", "5s", "86401", &["1"; 21].join(",")] {
            assert_eq!(polls(text), Err(ValueError::Seconds), "{text}");
        }
    }

    #[test]
    fn an_id_is_read_from_a_number_or_an_address() {
        for text in
            ["12", "https://a.example/wp-admin/post.php?post=12&action=edit", "https://a.example/?p=12"]
        {
            assert_eq!(remote_id(text), Ok(RemoteId(12)), "{text}");
        }
        for text in ["0", "-3", "", "https://a.example/12", "x?post=0"] {
            assert_eq!(remote_id(text), Err(ValueError::Id), "{text}");
        }
    }

    #[test]
    fn resolve_takes_exactly_one_act() {
        assert!(read("ichido resolve a").is_err());
        assert!(read("ichido resolve a --look --leave").is_err());
        assert!(read("ichido resolve a --link").is_err());
        for (flag, act) in [
            ("--look", Act::Look),
            ("--link 7", Act::Link),
            ("--none 7", Act::NoneOfThese),
            ("--send-again", Act::SendAgain),
            ("--try-again", Act::TryAgain),
            ("--keep-site", Act::KeepSite),
            ("--update", Act::Update),
            ("--accept-slug", Act::AcceptSlug),
            ("--same", Act::Same),
            ("--new", Act::New),
            ("--leave", Act::Leave),
            ("--unleave", Act::Unleave),
        ] {
            let cli = read(&format!("ichido resolve a --site s --image b.png {flag}")).unwrap();
            let Task::Resolve(resolve) = cli.task else { panic!("{flag}") };
            assert_eq!(resolve.act(), (act, flag.ends_with('7').then_some(RemoteId(7))));
        }
    }

    #[test]
    fn common_options_stand_before_and_after_the_command() {
        for line in ["ichido --json --lang en status", "ichido status --json --lang en"] {
            let cli = read(line).unwrap();
            assert!(cli.json && cli.lang == Some(Language::English));
        }
        assert!(read("ichido register").is_err());
        assert!(read("ichido site add a https://a.example").is_err());
        assert!(read("ichido").is_err());
    }
}
