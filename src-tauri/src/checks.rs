//! What works on a site and what does not: a list of codes, each with the code of its cure.

use ichido_core::outcome::NotSent;
use ichido_engine::{Checkup, SetUpError};
use ichido_wordpress::{AskError, DiscoverError, TransportError};

use crate::view::{AppError, Params, PermissionCheck};

/// What is asked, in this order.
const ALL: [&str; 8] = [
    "reachable",
    "secure",
    "rest_api",
    "signed_in",
    "create_drafts",
    "upload_images",
    "see_drafts",
    "assign_terms",
];

/// The list for a site that answered.
pub(crate) fn checks(checkup: &Checkup) -> Vec<PermissionCheck> {
    let can = &checkup.identity.can;
    // Whatever is not encrypted has been refused unless it stays on this computer.
    let encrypted = checkup.discovered.rest_root.starts_with("https://");
    let problem = |code: &str| match code {
        "create_drafts" | "see_drafts" if !can.edit_posts() => Some("role_too_low"),
        "upload_images" if !can.upload_files() => Some("upload_not_allowed"),
        "assign_terms" if !can.manage_categories() => Some("terms_not_allowed"),
        _ => None,
    };
    let named = |code| if code == "secure" && !encrypted { "local" } else { code };
    ALL.into_iter().map(|code| check(named(code), problem(code))).collect()
}

/// The list for a site that did not answer as it should: it ends where something is wrong.
///
/// # Errors
/// What is not the site's fault.
pub(crate) fn of_failure(error: SetUpError) -> Result<Vec<PermissionCheck>, AppError> {
    let (failed, problem) = match &error {
        SetUpError::Discover(DiscoverError::Address(_)) | SetUpError::Run(_) | SetUpError::Site(_) => {
            return Err(error.into());
        }
        SetUpError::Discover(found) => match found {
            DiscoverError::Unreachable(TransportError::NotSent { stage: NotSent::Tls, .. }) => {
                ("secure", "tls_invalid")
            }
            DiscoverError::RestOff { .. } => ("rest_api", "rest_blocked"),
            DiscoverError::NotWordPress { .. } | DiscoverError::Redirected { .. } => {
                ("rest_api", "not_wordpress")
            }
            DiscoverError::Unreachable(_)
            | DiscoverError::Client(_)
            | DiscoverError::AskedToWait { .. }
            | DiscoverError::Address(_) => ("reachable", "unreachable"),
        },
        SetUpError::Identify(asked) => match asked {
            AskError::NotOurUser { .. } | AskError::Status { .. } => ("signed_in", "credentials"),
            AskError::CacheHit => ("rest_api", "cached"),
            AskError::Redirected { .. } | AskError::Unreadable(_) | AskError::Incomplete => {
                ("rest_api", "rest_blocked")
            }
            AskError::Transport(_) | AskError::AskedToWait { .. } | AskError::BrokenOff => {
                ("reachable", "unreachable")
            }
        },
    };
    let before = ALL.into_iter().take_while(|code| *code != failed).map(|code| check(code, None));
    Ok(before.chain([check(failed, Some(problem))]).collect())
}

fn check(code: &'static str, problem: Option<&'static str>) -> PermissionCheck {
    PermissionCheck { code, ok: problem.is_none(), problem, params: Params::new() }
}
