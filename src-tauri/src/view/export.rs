//! Writes the types of [`super`] down for the window.

use ichido_core::act::Act;
use ichido_core::operation::{HaltReason, Kind, WaitReason};
use ichido_core::tally::{Barrier, Ending, Pause};
use ichido_engine::{Light, NoEvents, RowState};
use serde::Serialize;
use ts_rs::{Config, TS};

use super::*;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/ui/src/lib/backend/generated/view.ts");
/// Set to write the file anew instead of comparing it.
const WRITE: &str = "ICHIDO_WRITE_TYPES";

fn union<T: Serialize>(name: &str, codes: &[T]) -> String {
    let codes: Vec<String> = codes.iter().map(|code| serde_json::to_string(code).unwrap()).collect();
    format!("export type {name} = {};\n", codes.join(" | "))
}

fn declared<T: TS>(config: &Config) -> String {
    format!("export {}\n", T::decl(config))
}

macro_rules! all {
    ($config:expr, $($type:ty),* $(,)?) => { [$(declared::<$type>($config)),*].concat() };
}

fn types() -> String {
    use Barrier::{JournalLost, SiteRestored, UncleanStop};
    use ichido_article::Severity::{Error, Note, Warning};
    let endings = [
        Ending::Created,
        Ending::Adopted,
        Ending::Verified,
        Ending::Skipped,
        Ending::Unknown,
        Ending::Halted,
        Ending::Waiting,
        Ending::Refused,
        Ending::NeedsWork,
        Ending::Left,
    ];
    let pauses = [
        Pause::NotOurUser,
        Pause::Refused,
        Pause::Redirected,
        Pause::UnknownInARow,
        Pause::Unreachable,
        Pause::Maintenance,
    ];
    let lights =
        [Light::NeedsYou, Light::Working, Light::Paused, Light::Offline, Light::Watching, Light::Off];
    let mut text = String::from("// Written by a test of src-tauri/src/view; not to be changed by hand.\n\n");
    for line in [
        union("Kind", &Kind::ALL),
        union("HaltReason", &HaltReason::ALL),
        union("WaitReason", &WaitReason::ALL),
        union("Act", &Act::ALL.map(Act::as_str)),
        union("Ending", &endings),
        union("BarrierCode", &[UncleanStop, JournalLost, SiteRestored]),
        union("PauseCode", &pauses),
        union("RowState", &RowState::ALL),
        union("Severity", &[Error, Warning, Note]),
        union("Light", &lights),
        union("NoEvents", &[NoEvents::Limit, NoEvents::Unsupported, NoEvents::Network]),
    ] {
        text.push_str(&line);
    }
    text.push_str(
        "/** Particulars of a code, by name. Text from files and sites is shown as text only. */\n",
    );
    text.push_str("export type Params = Record<string, string | number>;\n");
    let config = Config::new().with_large_int("number");
    text.push_str(&all!(
        &config,
        Language,
        Theme,
        RowStep,
        TimelineTone,
        LinkKind,
        BatchState,
        LookPart,
        LookFound,
        LookBy,
        DifferenceField,
        PostStatus,
        ShutCode,
        CredentialsKept,
        KeychainState,
        HistoryAbout,
        ExportForm,
        DescriptionUse,
        BareUrlUse,
        ObsidianUse,
        Plan,
        Screen,
        ArticleRow,
        ArticlePage,
        Finding,
        TimelineEntry,
        ArticleDetail,
        Preview,
        HistoryLine,
        HistoryPage,
        BatchView,
        Tally,
        LookResult,
        Look,
        Sent,
        Difference,
        Candidate,
        SendAgain,
        AttentionCard,
        BarrierView,
        PermissionCheck,
        PracticeSwitches,
        PracticeSwitch,
        SiteView,
        SiteAdded,
        NewSite,
        Connecting,
        Settings,
        FolderView,
        Rejected,
        ScanView,
        DryRunLine,
        DryRun,
        WatchWorking,
        WatchedFolderView,
        WatchView,
        GoalView,
        Bootstrap,
        AppError,
        ActRequest,
        LinkTarget,
        BackendEvent,
    ));
    // The particulars have a name of their own.
    text.replace("{ [key in string]: string }", "Params").replace("{ [key in string]?: string }", "Params")
}

#[test]
fn the_window_knows_these_types() {
    let types = types();
    if std::env::var_os(WRITE).is_some() {
        std::fs::create_dir_all(std::path::Path::new(PATH).parent().unwrap()).unwrap();
        std::fs::write(PATH, &types).unwrap();
    }
    let written = std::fs::read_to_string(PATH).unwrap_or_default();
    assert!(written == types, "{PATH} is not what src-tauri/src/view says: run this test with {WRITE}=1");
}

#[test]
fn codes_are_serialised_as_the_window_reads_them() {
    let event = BackendEvent::Attention { count: 2, halted_title: Some("秋".into()) };
    let json = serde_json::to_value(event).unwrap();
    assert_eq!(json, serde_json::json!({ "type": "attention", "count": 2, "haltedTitle": "秋" }));
    let switches = serde_json::to_value(PracticeSwitches { answer502: true, ..Default::default() }).unwrap();
    let expected = serde_json::json!({ "loseNextAnswer": false, "hideNewDrafts": false, "answer502": true });
    assert_eq!(switches, expected);
    let one: PracticeSwitch = serde_json::from_str("\"hide_new_drafts\"").unwrap();
    assert_eq!(one, PracticeSwitch::HideNewDrafts);
}

#[test]
fn a_password_on_its_way_in_is_not_printed() {
    let new: NewSite =
        serde_json::from_str(r#"{"address":"https://a.example","user":"ann","password":"canary-4711"}"#)
            .unwrap();
    assert!(!format!("{new:?}").contains("canary"));
    assert_eq!(new.password.0.expose(), "canary-4711");
}
