//! Asking a person.

use std::io::{IsTerminal as _, Write as _};

use ichido_core::act::Act;

use crate::failure::Failure;
use crate::out::Out;

/// Makes sure that a person can be asked: what a person alone may do is not done for a script.
pub(crate) fn needed(act: Option<Act>) -> Result<(), Failure> {
    if is_there() { Ok(()) } else { Err(Failure::NeedsTerminal { act }) }
}

/// Whether a person can be asked.
pub(crate) fn is_there() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Asks whether to do something; anything but a yes is a no.
pub(crate) fn says_yes(out: &Out, question: &str) -> bool {
    const YES: [&str; 5] = ["yes", "y", "Y", "YES", "はい"];
    YES.contains(&answer(out, question).trim())
}

/// Asks for a line, and takes it if it is one of those accepted.
pub(crate) fn typed(out: &Out, question: &str, accepted: &[&str]) -> Result<String, Failure> {
    let line = answer(out, question);
    let typed = line.trim();
    if accepted.contains(&typed) {
        Ok(typed.to_owned())
    } else {
        Err(Failure::NotTyped { expected: accepted.join(" / ") })
    }
}

fn answer(out: &Out, question: &str) -> String {
    out.clear_progress();
    let mut stderr = std::io::stderr().lock();
    drop(write!(stderr, "{question} ").and_then(|()| stderr.flush()));
    drop(stderr);
    let mut line = String::new();
    // An answer that cannot be read is none.
    drop(std::io::stdin().read_line(&mut line));
    line
}
