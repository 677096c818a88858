//! The help and the errors of usage, in the language chosen.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command, CommandFactory as _, FromArgMatches as _};

use crate::args::Cli;
use crate::failure::Failure;
use crate::faults;
use crate::text::Texts;

/// Why there is no command to run.
#[derive(Debug)]
pub(crate) enum Unread {
    /// The help or the version was asked for, and shown.
    HelpShown,
    /// Nothing was asked for: the help was shown as an error.
    NothingAsked,
    /// The command was not understood.
    NotUnderstood(Failure),
}

/// Reads the command.
pub(crate) fn read(args: &[OsString], texts: Texts) -> Result<Cli, Unread> {
    let matches = command(texts).try_get_matches_from(args);
    matches.and_then(|matches| Cli::from_arg_matches(&matches)).map_err(|error| unread(&error, texts))
}

fn unread(error: &clap::Error, texts: Texts) -> Unread {
    let kind = error.kind();
    if matches!(kind, ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // Nobody reads any more: nothing to be done.
        drop(error.print());
        return Unread::HelpShown;
    }
    if kind == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        drop(error.print());
        return Unread::NothingAsked;
    }
    Unread::NotUnderstood(usage(error, texts))
}

fn usage(error: &clap::Error, texts: Texts) -> Failure {
    let shown = |kind: ContextKind| error.get(kind).map(shown).unwrap_or_default();
    let argument = shown(ContextKind::InvalidArg);
    let value = shown(ContextKind::InvalidValue);
    let other = shown(ContextKind::PriorArg);
    let valid =
        if argument.starts_with("--fault") { faults::names() } else { shown(ContextKind::ValidValue) };
    let suggested =
        [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue]
            .into_iter()
            .find_map(|kind| error.get(kind).map(shown_best))
            .unwrap_or_default();
    let subcommand = shown(ContextKind::InvalidSubcommand);
    let code = code(error.kind(), &argument, value.is_empty());
    let mut particulars =
        vec![("argument", argument.as_str()), ("value", value.as_str()), ("command", subcommand.as_str())];
    let optional = [("other", &other), ("suggested", &suggested), ("valid", &valid)];
    particulars.extend(
        optional.into_iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| (name, text.as_str())),
    );
    let sentence = format!("{} {}", texts.say(code, &particulars), texts.get("usage.see_help"));
    Failure::Usage { code: code.trim_start_matches("usage."), sentence }
}

fn code(kind: ErrorKind, argument: &str, is_empty: bool) -> &'static str {
    const BY_KIND: [(ErrorKind, &str); 5] = [
        (ErrorKind::UnknownArgument, "usage.unknown_argument"),
        (ErrorKind::InvalidSubcommand, "usage.unknown_command"),
        (ErrorKind::MissingSubcommand, "usage.missing_command"),
        (ErrorKind::MissingRequiredArgument, "usage.missing_argument"),
        (ErrorKind::ArgumentConflict, "usage.conflict"),
    ];
    if let Some((_, code)) = BY_KIND.iter().find(|(known, _)| *known == kind) {
        code
    } else if !matches!(kind, ErrorKind::InvalidValue | ErrorKind::ValueValidation) {
        "usage.other"
    } else if is_empty {
        "usage.missing_value"
    } else {
        value_code(argument)
    }
}

fn value_code(argument: &str) -> &'static str {
    match argument.split(' ').next() {
        Some("--poll") => "usage.poll",
        Some("--wait") => "usage.seconds",
        Some("--link" | "--none") => "usage.id",
        Some("--fault") => "usage.fault",
        _ => "usage.value",
    }
}

fn shown(value: &ContextValue) -> String {
    if let ContextValue::Strings(texts) = value {
        texts.join(", ")
    } else if let ContextValue::StyledStrs(texts) = value {
        texts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    } else {
        value.to_string()
    }
}

/// Of several suggestions the last is the likeliest.
fn shown_best(value: &ContextValue) -> String {
    if let ContextValue::Strings(texts) = value {
        texts.last().cloned().unwrap_or_default()
    } else {
        value.to_string()
    }
}

/// Returns the command with all its texts.
pub(crate) fn command(texts: Texts) -> Command {
    let mut command = localise(Cli::command(), "help", texts);
    command = command.after_help(texts.get("help.after"));
    command.arg(
        Arg::new("version")
            .long("version")
            .short('V')
            .action(ArgAction::Version)
            .help(texts.get("help.arg.version"))
            .help_heading(texts.get("help.options")),
    )
}

fn localise(command: Command, key: &str, texts: Texts) -> Command {
    let arguments: Vec<(String, bool)> =
        command.get_arguments().map(|arg| (arg.get_id().to_string(), arg.is_positional())).collect();
    let subcommands: Vec<String> =
        command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let template =
        format!("{{about}}\n\n{}\n  {{usage}}\n\n{{all-args}}{{after-help}}\n", texts.get("help.usage"));
    let mut command = command
        .about(texts.get(key))
        .help_template(template)
        .subcommand_help_heading(texts.get("help.commands"))
        .subcommand_value_name(texts.get("help.command"));
    for (id, is_positional) in arguments {
        let heading = texts.get(if is_positional { "help.arguments" } else { "help.options" });
        // One option may mean different things to two commands; most mean the same everywhere.
        let of_command = texts.find(&format!("{key}.{id}"));
        let help = of_command.unwrap_or_else(|| texts.find(&format!("help.arg.{id}")).unwrap_or_default());
        let help = match id.as_str() {
            "fault" => format!("{help} {}", texts.say("help.faults", &[("names", &faults::names())])),
            _ => help.to_owned(),
        };
        command = command.mut_arg(&id, |arg| arg.help(help).help_heading(heading));
    }
    for name in subcommands {
        let key = format!("{key}.{name}");
        command = command.mut_subcommand(&name, |command| localise(command, &key, texts));
    }
    command.arg(
        Arg::new("help")
            .long("help")
            .short('h')
            .action(ArgAction::Help)
            .help(texts.get("help.arg.help"))
            .help_heading(texts.get("help.options")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    fn each(command: &Command, see: &mut impl FnMut(&Command)) {
        see(command);
        for command in command.get_subcommands() {
            each(command, see);
        }
    }

    #[test]
    fn every_command_and_argument_is_explained_in_both_languages() {
        for language in [Language::Japanese, Language::English] {
            each(&command(Texts::of(language)), &mut |command| {
                let about = command.get_about().map(ToString::to_string).unwrap_or_default();
                assert!(!about.is_empty() && about != "?", "{language:?} {}", command.get_name());
                for arg in command.get_arguments() {
                    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
                    assert!(!help.is_empty(), "{language:?} {} {}", command.get_name(), arg.get_id());
                }
            });
        }
    }

    #[test]
    fn the_help_of_the_practice_site_names_the_faults() {
        let mut seen = String::new();
        each(&command(Texts::of(Language::English)), &mut |command| {
            let fault = command.get_arguments().find(|arg| arg.get_id() == "fault");
            seen = fault.and_then(Arg::get_help).map_or(std::mem::take(&mut seen), ToString::to_string);
        });
        for name in faults::names().split(", ") {
            assert!(seen.contains(name), "{name} is not in: {seen}");
        }
    }

    #[test]
    fn errors_of_usage_name_what_was_wrong_in_both_languages() {
        for language in [Language::Japanese, Language::English] {
            for (line, names, code) in [
                ("ichido registr", "registr", "unknown_command"),
                ("ichido status --jsn", "--jsn", "unknown_argument"),
                ("ichido register", "PATH", "missing_argument"),
                ("ichido register a --poll 5x", "5x", "poll"),
                ("ichido register a --wait x", "--wait", "seconds"),
                ("ichido resolve a --look --leave", "--l", "conflict"),
                ("ichido resolve a --link x", "--link", "id"),
                ("ichido practice --fault x", "--fault", "fault"),
                ("ichido status --lang fr", "--lang", "value"),
                ("ichido register a --site", "--site", "missing_value"),
                ("ichido site", "site", "missing_command"),
            ] {
                let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
                match read(&args, Texts::of(language)) {
                    Err(Unread::NotUnderstood(Failure::Usage { sentence, code: told })) => {
                        assert_eq!(told, code, "{line}");
                        assert!(sentence.contains(names) && !sentence.contains('{'), "{line}: {sentence}");
                    }
                    Err(Unread::NothingAsked) => assert_eq!(code, "missing_command"),
                    other => panic!("{line}: {other:?}"),
                }
            }
        }
    }
}
