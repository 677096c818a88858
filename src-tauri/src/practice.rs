//! The practice site inside the program. Its records live in a journal of their own and go with it, so that the
//! journal of the real sites never hears of it.

use std::sync::{Mutex, PoisonError};

use ichido_core::time::Timestamp;
use ichido_credentials::Secret;
use ichido_journal::{Places, Site, SiteId};
use ichido_practice::{Fault, Options, PracticeSite, When};
use tempfile::TempDir;

use crate::desk::Desk;
use crate::passwords::credentials;
use crate::state::App;
use crate::view::{AppError, Language, PracticeSwitch, PracticeSwitches};

/// A practice site that runs.
#[derive(Debug)]
pub(crate) struct Practice {
    running: PracticeSite,
    pub(crate) desk: Desk,
    pub(crate) site: Site,
    /// Two switches pressed at once are switched one after the other.
    switching: Mutex<()>,
    _records: TempDir,
}

impl Practice {
    pub(crate) async fn start(app: &App, language: Language) -> Result<Self, AppError> {
        let language = match language {
            Language::Ja => ichido_practice::Language::Japanese,
            Language::En => ichido_practice::Language::English,
        };
        let failed = |error: &dyn std::error::Error| AppError::internal(error);
        let options = Options { language, ..Options::default() };
        let running = PracticeSite::start(options).await.map_err(|error| failed(&error))?;
        let records =
            tempfile::Builder::new().prefix("ichido-practice-").tempdir().map_err(|error| failed(&error))?;
        let places = Places {
            data_dir: records.path().join("journal"),
            sidecar_dir: records.path().join("state"),
            lock_dir: records.path().join("locks"),
        };
        let desk = Desk::open(places)?;
        let account = running.accounts().first().cloned().ok_or_else(|| AppError::new("internal"))?;
        // The account is this site's alone, and gone with it: no keychain needs to know it.
        let password = Secret::new(account.password);
        let (known, engine_desk) = (credentials(&account.login, &password)?, desk.clone());
        let url = running.url().to_owned();
        let added = app.work.wait(move || async move {
            engine_desk.engine().add_site("practice", &url, known).await.map(|(site, ..)| site)
        });
        let site = added.await.ok_or_else(|| AppError::new("internal"))??;
        app.passwords.keep_for_session(&site, password);
        Ok(Self { running, desk, site, switching: Mutex::default(), _records: records })
    }

    /// What is switched on now: a fault that met its request is off again.
    pub(crate) fn switches(&self) -> PracticeSwitches {
        let waiting = self.running.handle().faults().waiting();
        let waits = |wanted: &Fault| waiting.iter().any(|(_, fault)| fault == wanted);
        PracticeSwitches {
            lose_next_answer: waits(&Fault::CommitThenDropResponse),
            hide_new_drafts: self.running.handle().hides_new_drafts(),
            answer502: waits(&Fault::CommitThenStatus(502)),
        }
    }

    /// Switches one thing on or off, and leaves the others. Showing new drafts again shows those that were
    /// hidden as well.
    pub(crate) fn switch(&self, switch: PracticeSwitch, on: bool) {
        let _alone = self.switching.lock().unwrap_or_else(PoisonError::into_inner);
        let mut wanted = self.switches();
        match switch {
            PracticeSwitch::LoseNextAnswer => wanted.lose_next_answer = on,
            PracticeSwitch::HideNewDrafts => wanted.hide_new_drafts = on,
            PracticeSwitch::Answer502 => wanted.answer502 = on,
        }
        let handle = self.running.handle();
        let next = When::next(ichido_practice::Kind::CreatePost);
        handle.faults().clear();
        if wanted.lose_next_answer {
            handle.faults().push(next, Fault::CommitThenDropResponse);
        }
        if wanted.answer502 {
            handle.faults().push(next, Fault::CommitThenStatus(502));
        }
        handle.hide_new_drafts(wanted.hide_new_drafts);
        if !wanted.hide_new_drafts {
            handle.show_hidden();
        }
    }
}

/// The practice site as it stands in the list before it is started.
pub(crate) fn unstarted() -> Site {
    Site {
        id: SiteId(0),
        name: String::new(),
        home: String::new(),
        rest_root: String::new(),
        user: "practice".to_owned(),
        user_id: None,
        added_at: Timestamp(0),
        removed_at: None,
    }
}
