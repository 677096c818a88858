//! Brings the window up to date from the journals: rows, counts, banners, sites.

use ichido_core::id::OpId;
use ichido_core::tally::Ending;
use ichido_journal::{BarrierEntry, Journal};
use serde_json::Value;

use crate::desk::SiteKey;
use crate::practice::unstarted;
use crate::state::{App, Facts};
use crate::view::{AppError, BackendEvent, BarrierView, CredentialsKept, SiteView};

impl App {
    /// Reads anew where every article stands, and tells what changed.
    pub(crate) fn refresh_rows(&self) -> Result<(), AppError> {
        let place = self.current_place();
        let mut inner = self.lock();
        let (journal, site) = match &place {
            Some(place) => (Some(place.desk.journal()), Some(place.site.id)),
            None => (None, None),
        };
        let real;
        let journal = match journal {
            Some(journal) => journal,
            None => {
                drop(inner);
                real = self.real()?;
                inner = self.lock();
                real.journal()
            }
        };
        let rows = ichido_engine::rows(journal, site, inner.list.sheets())?;
        let changed = inner.list.take(rows);
        if !changed.is_empty() {
            let revision = inner.list.next_revision();
            self.tell(&BackendEvent::Rows { revision, rows: changed });
        }
        Ok(())
    }

    /// Reads anew where one article stands, and tells it if it changed.
    pub(crate) fn refresh_row(
        &self,
        journal: &Journal,
        site: ichido_journal::SiteId,
        id: u32,
        ending: Option<Ending>,
    ) {
        let mut inner = self.lock();
        let Some(entry) = inner.list.by_id_mut(id) else { return };
        if ending == Some(Ending::Verified) {
            entry.row.ending = ending;
        }
        let sheet = entry.sheet.clone();
        let Ok(rows) = ichido_engine::rows(journal, Some(site), [&sheet]) else { return };
        let changed: Vec<_> = rows.into_iter().filter_map(|row| inner.list.take_one(id, row)).collect();
        if !changed.is_empty() {
            let revision = inner.list.next_revision();
            self.tell(&BackendEvent::Rows { revision, rows: changed });
        }
    }

    /// The site that is in use, if it can be reached at all.
    pub(crate) fn current_place(&self) -> Option<crate::desk::Place> {
        let current = self.lock().current?;
        self.place(current).ok()
    }

    /// Counts what needs a person, and tells it if it changed; names the article that was halted.
    pub(crate) fn refresh_attention(&self, halted_title: Option<String>) -> Result<(), AppError> {
        let count = self.attention()?;
        let mut inner = self.lock();
        let grown = count > inner.attention;
        if count != inner.attention || halted_title.is_some() {
            inner.attention = count;
            self.tell(&BackendEvent::Attention { count, halted_title: halted_title.filter(|_| grown) });
        }
        Ok(())
    }

    pub(crate) fn attention(&self) -> Result<usize, AppError> {
        let mut count = 0;
        for (desk, practice) in self.marked_desks()? {
            let sending = self.is_sending(&desk, practice);
            count += ichido_engine::attention(desk.journal(), !sending)?;
        }
        Ok(count)
    }

    /// Tells whether anybody sends, here or in another program: what is in flight then needs no person yet.
    pub(crate) fn is_sending(&self, desk: &crate::desk::Desk, practice: bool) -> bool {
        self.lock().is_sending(practice) || desk.journal().is_at_work()
    }

    /// The open journals, and whether each is the practice site's.
    pub(crate) fn marked_desks(&self) -> Result<Vec<(crate::desk::Desk, bool)>, AppError> {
        let practice = self.lock().practice.as_ref().map(|practice| practice.desk.clone());
        let practice = practice.into_iter().map(|desk| (desk, true));
        Ok(practice.chain([(self.real()?, false)]).collect())
    }

    pub(crate) fn tell_barriers(&self) -> Result<(), AppError> {
        let barriers = self.barriers()?;
        self.lock().barriers = barriers.len();
        self.tell(&BackendEvent::Barriers { barriers });
        Ok(())
    }

    /// What shuts creating, wherever it stands.
    pub(crate) fn barriers(&self) -> Result<Vec<BarrierView>, AppError> {
        let mut views = Vec::new();
        for (desk, practice) in self.marked_desks()? {
            for entry in desk.journal().barriers(None)? {
                let mut view = barrier(desk.journal(), &entry)?;
                view.site_id = match (practice, entry.site) {
                    (true, _) => Some(SiteKey::Practice.to_string()),
                    (false, site) => site.map(|site| SiteKey::Real(site).to_string()),
                };
                views.push(view);
            }
        }
        Ok(views)
    }

    pub(crate) fn tell_sites(&self) -> Result<(), AppError> {
        let sites = self.site_views()?;
        let current_site = self.lock().current.map(|current| current.to_string());
        self.tell(&BackendEvent::Sites { sites, current_site });
        Ok(())
    }

    /// The sites as the window shows them: the practice site is always among them.
    pub(crate) fn site_views(&self) -> Result<Vec<SiteView>, AppError> {
        let sites = self.real()?.journal().sites()?;
        let inner = self.lock();
        let facts = |key| inner.facts.get(&key).cloned().unwrap_or_default();
        let mut views: Vec<SiteView> = sites
            .iter()
            .map(|site| {
                let key = SiteKey::Real(site.id);
                site_view(key, site, facts(key))
            })
            .collect();
        let practice = inner.practice.clone();
        let site = practice.as_ref().map_or_else(unstarted, |practice| practice.site.clone());
        views.push(SiteView {
            practice: true,
            running: practice.is_some(),
            role: Some("author".to_owned()),
            switches: Some(practice.map(|practice| practice.switches()).unwrap_or_default()),
            credentials: CredentialsKept::Session,
            ..site_view(SiteKey::Practice, &site, facts(SiteKey::Practice))
        });
        Ok(views)
    }

    /// Changes what is known of a site, and tells it.
    pub(crate) fn know(&self, key: SiteKey, change: impl FnOnce(&mut Facts)) -> Result<(), AppError> {
        change(self.lock().facts.entry(key).or_default());
        self.tell_sites()
    }
}

fn site_view(key: SiteKey, site: &ichido_journal::Site, facts: Facts) -> SiteView {
    let home = site.home.split_once("://").map_or(site.home.as_str(), |(_, home)| home);
    SiteView {
        id: key.to_string(),
        name: site.name.clone(),
        home: home.to_owned(),
        user: site.user.clone(),
        role: facts.role,
        practice: false,
        running: true,
        switches: None,
        credentials: facts.kept.unwrap_or(CredentialsKept::Missing),
        pause: facts.pause,
        checked_at: facts.checked_at,
        checks: facts.checks,
    }
}

fn barrier(journal: &Journal, entry: &BarrierEntry) -> Result<BarrierView, AppError> {
    let detail = |name: &str| entry.detail.as_ref().and_then(|detail| detail.get(name));
    let listed = detail("operations").and_then(Value::as_array);
    let ids = listed.into_iter().flatten().filter_map(Value::as_str).filter_map(OpId::parse);
    let (mut in_doubt, mut settled, mut articles) = (0, 0, Vec::new());
    for op_id in ids {
        let Some(operation) = journal.operation(op_id)? else { continue };
        in_doubt += 1;
        settled += usize::from(!operation.standing.state.is_in_doubt());
        articles.push(if operation.title.is_empty() { operation.slug } else { operation.title });
    }
    let owner = detail("owner").and_then(|owner| owner.get("host")).and_then(Value::as_str);
    Ok(BarrierView {
        code: entry.barrier,
        site_id: None,
        at: Some(entry.since.0),
        owner: owner.map(str::to_owned),
        in_doubt,
        settled,
        articles,
        may_release: true,
    })
}
