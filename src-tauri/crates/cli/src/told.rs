//! Which failure is told by which sentence, with which exit status.

use ichido_article::DiscoverError as ArticlesError;
use ichido_core::act::Shut;
use ichido_core::apply::Standing;
use ichido_core::tally::{DoneBy, Ending};
use ichido_credentials::KeychainError;
use ichido_engine::{ActError, CannotLink, PlacesError, RunError, SetUpError, SettingError, WatchError};
use ichido_journal::{BeginSendError, LockError, OpenError, SiteError, WriteError};
use ichido_wordpress::{
    AddressError, AskError, ClientError, CredentialsError, DiscoverError, TransportError,
};

use crate::failure::{COULD_NOT_RUN, Failure, HELD, NOT_ASKED, PERSON, REFUSED, Told, USAGE};

impl Failure {
    /// Returns how the failure is told. The sentence stands under `error.<code>`.
    pub(crate) fn told(&self) -> Told {
        match self {
            Self::Run(error) => run(error),
            Self::SetUp(error) => set_up(error),
            Self::Act(error) => act(error),
            Self::Articles(error) => articles(error),
            Self::Read(error) => Told::new("journal_unreadable", COULD_NOT_RUN).because(error),
            Self::Credentials(error) => credentials(*error),
            Self::Keychain(error) => keychain(error),
            Self::Places(error) => places(error),
            Self::NoSites => Told::new("no_sites", USAGE),
            Self::SitesLost => Told::new("sites_lost", PERSON),
            Self::WhichSite { names } => Told::new("which_site", USAGE).with("names", names.join(", ")),
            Self::PasswordUnusable => Told::new("password_unusable", USAGE),
            Self::NoPassword { site } => Told::new("no_password", COULD_NOT_RUN).with("site", site),
            Self::PasswordUnread(source) => Told::new("password_unread", USAGE).because(source),
            Self::NeedsTerminal { act } => match act {
                Some(act) => Told::new("needs_terminal", USAGE).with("act", act.as_str().replace('_', "-")),
                None => Told::new("release_needs_terminal", USAGE),
            },
            Self::NotTyped { expected } => Told::new("not_typed", USAGE).with("expected", expected),
            Self::UnknownSetting { key } => Told::new("unknown_setting", USAGE)
                .with("key", key)
                .with("keys", ichido_engine::Key::ALL.map(ichido_engine::Key::as_str).join(", ")),
            Self::Setting { key, error } => setting(key, *error),
            Self::Practice(error @ ichido_practice::StartError::Listen { port, .. }) => {
                Told::new("practice_port", COULD_NOT_RUN).with("port", port).because(error)
            }
            Self::NothingToExplain { article } => {
                Told::new("nothing_to_explain", USAGE).with("article", article)
            }
            Self::Write { path, source } => {
                Told::new("file_unwritable", COULD_NOT_RUN).with("path", path.display()).because(source)
            }
            Self::Watch(WatchError::Run(error)) => run(error),
            Self::Watch(WatchError::Watched { folder, owner }) => {
                let told = Told::new("watched", HELD).with("path", folder.display());
                match owner {
                    Some(owner) => told.with("program", &owner.program).with("pid", owner.pid),
                    None => told,
                }
            }
            Self::NotAFolder { path } => Told::new("not_a_folder", USAGE).with("path", path.display()),
            Self::TakeOver { path, source } => {
                Told::new("owner_unwritable", COULD_NOT_RUN).with("path", path.display()).because(source)
            }
            Self::NeedsTerminalToTakeOver => Told::new("take_over_needs_terminal", USAGE),
            Self::Start(source) => Told::new("could_not_start", COULD_NOT_RUN).because(source),
            Self::Usage { code, .. } => Told::new(code, USAGE),
        }
    }
}

/// Tells why a run could not go to its end.
pub(crate) fn run(error: &RunError) -> Told {
    match error {
        RunError::Open(error) => open(error),
        RunError::HeldBy { owner } => {
            let told = Told::new("held_by", HELD);
            match owner {
                Some(owner) => {
                    told.with("program", &owner.program).with("pid", owner.pid).with("host", &owner.host)
                }
                None => told,
            }
        }
        RunError::Lock(error) => lock(error),
        RunError::Read(error) => Told::new("journal_unreadable", COULD_NOT_RUN).because(error),
        RunError::Write(error) | RunError::BeginSend(BeginSendError::Write { source: error }) => write(error),
        RunError::BeginSend(BeginSendError::Barrier { barrier }) => {
            Told::new("barrier", PERSON).with("barrier", barrier.as_str())
        }
        RunError::BeginSend(BeginSendError::Pragma { pragma, .. }) => {
            Told::new("journal_unsafe", COULD_NOT_RUN).with("pragma", pragma)
        }
        RunError::NoSuchSite { name } => Told::new("no_such_site", USAGE).with("name", name),
        RunError::NotLooked { sites } => Told::new("not_looked", PERSON).with("sites", sites.join(", ")),
        RunError::Client(error) => client(error),
    }
}

fn open(error: &OpenError) -> Told {
    let unusable = |code, path: &std::path::Path| Told::new(code, COULD_NOT_RUN).with("path", path.display());
    match error {
        OpenError::Folder { path, .. } => unusable("folder_unusable", path).because(error),
        OpenError::Database { path, .. } => unusable("journal_unopenable", path).because(error),
        OpenError::ForeignFile { path, .. } => unusable("journal_foreign", path),
        OpenError::Pragma { pragma, .. } => Told::new("journal_unsafe", COULD_NOT_RUN).with("pragma", pragma),
        OpenError::Migrate { .. } => Told::new("journal_migrate", COULD_NOT_RUN).because(error),
        OpenError::DamagedInUse { path } => unusable("journal_damaged_in_use", path),
        OpenError::Sidecar { path, .. } => unusable("folder_unusable", path).because(error),
    }
}

fn lock(error: &LockError) -> Told {
    match error {
        LockError::HeldBy { .. } => Told::new("held_by", HELD),
        LockError::ReadOnlyNewer => Told::new("journal_newer", COULD_NOT_RUN),
        LockError::LockFile { path, .. } => {
            Told::new("folder_unusable", COULD_NOT_RUN).with("path", path.display()).because(error)
        }
        LockError::Open { source } => open(source),
        LockError::Recover { source } => write(source),
    }
}

fn write(error: &WriteError) -> Told {
    match error {
        WriteError::Database { .. }
        | WriteError::Sidecar { .. }
        | WriteError::Poisoned
        | WriteError::Encode { .. } => Told::new("journal_unwritable", COULD_NOT_RUN).because(error),
        WriteError::Read { source } => Told::new("journal_unreadable", COULD_NOT_RUN).because(source),
        WriteError::Illegal(_) | WriteError::LostClaim { .. } | WriteError::Misused(_) => {
            Told::new("moved_on", COULD_NOT_RUN).because(error)
        }
    }
}

fn set_up(error: &SetUpError) -> Told {
    match error {
        SetUpError::Run(error) => run(error),
        SetUpError::Discover(error) => discover(error),
        SetUpError::Identify(error) => ask(error),
        SetUpError::Site(error) => match error {
            SiteError::NameTaken { home } => Told::new("name_taken", USAGE).with("home", home),
            SiteError::InDoubt { count } => Told::new("site_in_doubt", PERSON).with("count", count),
            SiteError::NoSuchSite => Told::new("no_such_site", USAGE).with("name", ""),
            SiteError::Write { source } => write(source),
        },
    }
}

fn discover(error: &DiscoverError) -> Told {
    match error {
        DiscoverError::Address(error) => address(error),
        DiscoverError::Client(error) => client(error),
        DiscoverError::Unreachable(error) => transport(error),
        DiscoverError::Redirected { to } => Told::new("leads_elsewhere", USAGE).with("to", to),
        DiscoverError::RestOff { status, code } => {
            with_code(Told::new("rest_off", REFUSED), *status, code.as_ref())
        }
        DiscoverError::NotWordPress { status } => Told::new("not_wordpress", USAGE).with("status", status),
        DiscoverError::AskedToWait { after_s, maintenance } => patience(*after_s, *maintenance),
    }
}

fn patience(after_s: u64, maintenance: bool) -> Told {
    Told::new(if maintenance { "maintenance" } else { "rate_limited" }, NOT_ASKED).with("seconds", after_s)
}

fn with_code(told: Told, status: u16, code: Option<&String>) -> Told {
    let told = told.with("status", status);
    match code {
        Some(code) => told.with("code", code),
        None => told,
    }
}

/// Tells why a site could not be asked.
pub(crate) fn ask(error: &AskError) -> Told {
    match error {
        AskError::Transport(error) => transport(error),
        AskError::AskedToWait { after_s, maintenance } => patience(*after_s, *maintenance),
        AskError::CacheHit => Told::new("cache_hit", NOT_ASKED),
        AskError::Redirected { to } => {
            let told = Told::new("redirected", NOT_ASKED);
            match to {
                Some(to) => told.with("to", to),
                None => told,
            }
        }
        AskError::NotOurUser { code } => {
            let told = Told::new("not_our_user", REFUSED);
            match code {
                Some(code) => told.with("code", code),
                None => told,
            }
        }
        AskError::Status { status: status @ (401 | 403), code } => {
            with_code(Told::new("forbidden", REFUSED), *status, code.as_ref())
        }
        AskError::Status { status, code } => {
            with_code(Told::new("status", NOT_ASKED), *status, code.as_ref())
        }
        AskError::Unreadable(_) => Told::new("unreadable", NOT_ASKED),
        AskError::Incomplete => Told::new("incomplete", NOT_ASKED),
        AskError::BrokenOff => Told::new("broken_off", NOT_ASKED),
    }
}

fn transport(error: &TransportError) -> Told {
    use ichido_core::outcome::NotSent;
    match error {
        TransportError::NotSent { stage, .. } => match stage {
            NotSent::Dns => Told::new("no_such_host", NOT_ASKED).because(error),
            NotSent::Tls => Told::new("no_tls", NOT_ASKED).because(error),
            NotSent::Connect | NotSent::Maintenance { .. } | NotSent::NotPrepared => {
                Told::new("no_connection", NOT_ASKED).because(error)
            }
        },
        TransportError::Lost(_) => Told::new("connection_lost", NOT_ASKED).because(error),
        TransportError::TimedOut => Told::new("timed_out", NOT_ASKED),
        TransportError::TooLong => Told::new("too_long", NOT_ASKED),
    }
}

fn client(error: &ClientError) -> Told {
    match error {
        ClientError::Address(error) => address(error),
        ClientError::Trust(_) => Told::new("no_certificates", COULD_NOT_RUN).because(error),
        ClientError::SetUp(_) => Told::new("could_not_start", COULD_NOT_RUN).because(error),
    }
}

fn address(error: &AddressError) -> Told {
    match error {
        AddressError::NotAnAddress => Told::new("not_an_address", USAGE),
        AddressError::UserInfo => Told::new("address_with_password", USAGE),
        AddressError::PlainHttp => Told::new("plain_http", USAGE),
    }
}

fn act(error: &ActError) -> Told {
    match error {
        ActError::Run(error) => run(error),
        ActError::Identify(error) => ask(error),
        ActError::NoSuchArticle { article } => {
            Told::new("no_such_article", USAGE).with("article", article.display())
        }
        ActError::Ambiguous { sites } => Told::new("which_site", USAGE).with("names", sites.join(", ")),
        ActError::NotOffered { act, state } => Told::new("not_offered", USAGE)
            .with("act", act.as_str().replace('_', "-"))
            .with("state", state.reason().unwrap_or(state.as_str())),
        ActError::Shut(shut) => match shut {
            Shut::NotOffered => Told::new("shut_not_offered", USAGE),
            Shut::NotLooked => Told::new("shut_not_looked", PERSON),
            Shut::Window { remaining_ms } => {
                Told::new("shut_window", PERSON).with("minutes", remaining_ms.div_ceil(60_000))
            }
            Shut::NotNegative => Told::new("shut_not_negative", PERSON),
        },
        ActError::NotConfirmed { expected } => Told::new("not_typed", USAGE).with("expected", expected),
        ActError::CannotLink { id, why } => {
            let code = match why {
                CannotLink::NotThere => "link_not_there",
                CannotLink::Forbidden => "link_forbidden",
                CannotLink::InTrash => "link_in_trash",
                CannotLink::OtherRecord => "link_other_record",
            };
            Told::new(code, USAGE).with("id", id)
        }
        ActError::UpdateNotYet => Told::new("update_not_yet", USAGE),
        ActError::Illegal(error) => Told::new("moved_on", COULD_NOT_RUN).because(error),
        ActError::Barrier(barrier) => Told::new("barrier", PERSON).with("barrier", barrier.as_str()),
    }
}

fn places(error: &PlacesError) -> Told {
    match error {
        PlacesError::NoHome => Told::new("no_home", COULD_NOT_RUN),
        PlacesError::Folder { path, source } => {
            Told::new("folder_unusable", COULD_NOT_RUN).with("path", path.display()).because(source)
        }
        PlacesError::StateInside { data_dir, state_dir } => Told::new("state_inside", USAGE)
            .with("data_dir", data_dir.display())
            .with("state_dir", state_dir.display()),
    }
}

fn articles(error: &ArticlesError) -> Told {
    match error {
        ArticlesError::NotFound { path } => Told::new("path_not_found", USAGE).with("path", path.display()),
        ArticlesError::NotAnArticle { path } => {
            Told::new("not_an_article", USAGE).with("path", path.display())
        }
        ArticlesError::Empty { path } => Told::new("no_article_in", USAGE).with("path", path.display()),
        ArticlesError::Read { path, source } => {
            Told::new("path_unreadable", USAGE).with("path", path.display()).because(source)
        }
    }
}

fn credentials(error: CredentialsError) -> Told {
    match error {
        CredentialsError::EmptyUser => Told::new("empty_user", USAGE),
        CredentialsError::UnsendableUser => Told::new("unsendable_user", USAGE),
        CredentialsError::EmptyPassword => Told::new("empty_password", USAGE),
        CredentialsError::UnsendablePassword => Told::new("unsendable_password", USAGE),
    }
}

fn keychain(error: &KeychainError) -> Told {
    match error {
        KeychainError::NoKeychain { source: None } => Told::new("keychain_missing", COULD_NOT_RUN),
        KeychainError::NoKeychain { source: Some(_) } => {
            Told::new("keychain_missing", COULD_NOT_RUN).because(error)
        }
        KeychainError::Locked { .. } => Told::new("keychain_locked", COULD_NOT_RUN).because(error),
        KeychainError::Denied { .. } => Told::new("keychain_denied", COULD_NOT_RUN).because(error),
        KeychainError::NotFound | KeychainError::Damaged => Told::new("password_damaged", COULD_NOT_RUN),
        KeychainError::Unfit { attribute } => {
            Told::new("keychain_unfit", COULD_NOT_RUN).with("attribute", attribute)
        }
        KeychainError::Failed { source: None } => Told::new("keychain_failed", COULD_NOT_RUN),
        KeychainError::Failed { source: Some(_) } => {
            Told::new("keychain_failed", COULD_NOT_RUN).because(error)
        }
    }
}

fn setting(key: &str, error: SettingError) -> Told {
    match error {
        SettingError::Minutes => Told::new("setting_minutes", USAGE)
            .with("key", key)
            .with("shortest", ichido_engine::SHORTEST_WINDOW_MIN)
            .with("longest", ichido_engine::LONGEST_WINDOW_MIN),
        SettingError::Switch => Told::new("setting_switch", USAGE).with("key", key),
        SettingError::Fields => Told::new("setting_fields", USAGE).with("key", key),
        SettingError::Description => Told::new("setting_description", USAGE).with("key", key),
        SettingError::BareUrls => Told::new("setting_bare_urls", USAGE).with("key", key),
        SettingError::Obsidian => Told::new("setting_obsidian", USAGE).with("key", key),
        SettingError::Seconds => Told::new("setting_seconds", USAGE)
            .with("key", key)
            .with("longest", ichido_engine::LONGEST_SETTLE_S),
        SettingError::Characters => Told::new("setting_characters", USAGE)
            .with("key", key)
            .with("most", ichido_engine::MOST_CHARACTERS),
    }
}

/// Returns the exit status that one operation calls for.
pub(crate) fn status_of(standing: Standing) -> u8 {
    let mut tally = ichido_core::tally::Tally::default();
    if standing.state == ichido_core::operation::State::Planned {
        tally.count_as(Ending::Verified);
    } else {
        tally.count(standing, DoneBy::Earlier);
    }
    ichido_core::tally::exit_status(&tally, None, None)
}
