//! Writes the manual pages, in both languages, and the completions of shells below a folder, laid out as below `/usr/share`.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Command;
use clap_complete::Shell;

fn main() -> Result<(), Box<dyn Error>> {
    let to = PathBuf::from(std::env::args_os().nth(1).ok_or("name the folder to write below")?);
    for (language, in_japanese) in [("", false), ("ja", true)] {
        let folder = to.join("man").join(language).join("man1");
        fs::create_dir_all(&folder)?;
        write_manual(&ichido_cli::described(in_japanese), &folder)?;
    }
    for (shell, folder, name) in [
        (Shell::Bash, "bash-completion/completions", "ichido"),
        (Shell::Fish, "fish/vendor_completions.d", "ichido.fish"),
        (Shell::Zsh, "zsh/vendor-completions", "_ichido"),
    ] {
        let folder = to.join(folder);
        fs::create_dir_all(&folder)?;
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut ichido_cli::described(false), "ichido", &mut script);
        fs::write(folder.join(name), script)?;
    }
    Ok(())
}

/// Writes the page of the program, with each command in it: one page to read and to search.
fn write_manual(command: &Command, folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut whole = command.clone();
    whole.build();
    let manual =
        clap_mangen::Man::new(whole.clone()).date("").source(format!("ichido {}", env!("CARGO_PKG_VERSION")));
    let mut page = Vec::new();
    manual.render_title(&mut page)?;
    manual.render_name_section(&mut page)?;
    manual.render_synopsis_section(&mut page)?;
    manual.render_options_section(&mut page)?;
    write_commands(&whole, &mut page)?;
    manual.render_extra_section(&mut page)?;
    fs::write(folder.join("ichido.1"), page)?;
    Ok(())
}

/// Writes what each command and each command of a command does and takes.
fn write_commands(of: &Command, page: &mut Vec<u8>) -> Result<(), Box<dyn Error>> {
    for command in of.get_subcommands() {
        // What every command takes stands with the program.
        let own = command.clone().mut_args(|arg| if arg.is_global_set() { arg.hide(true) } else { arg });
        let manual = clap_mangen::Man::new(own);
        let title = command.get_bin_name().unwrap_or_else(|| command.get_name()).to_uppercase();
        page.extend(format!(".SH \"{title}\"\n").bytes());
        let mut about = Vec::new();
        manual.render_description_section(&mut about)?;
        manual.render_synopsis_section(&mut about)?;
        manual.render_options_section(&mut about)?;
        // Its own headings stand one step below the command's.
        let about = String::from_utf8(about)?.replace("\n.SH ", "\n.SS ");
        page.extend(about.strip_prefix(".SH ").map_or(about.clone(), |rest| format!(".SS {rest}")).bytes());
        write_commands(command, page)?;
    }
    Ok(())
}
