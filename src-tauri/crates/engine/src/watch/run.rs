//! Batches and look-ups that the watcher begins. They go the way of those that a person begins.

use std::cell::RefCell;
use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Duration;

use ichido_core::operation::WaitReason;
use ichido_core::tally::{Ending, Pause};
use ichido_journal::{ReadError, Site};

use super::Order;
use super::articles::{Read, path_of};
use super::back_off::BackOff;
use super::round::{Due, is_as_seen, key_of};
use super::status::{FolderState, Light, Working};
use super::watcher::Watching;
use crate::engine::Batch;
use crate::errors::RunError;
use crate::event::{Event, Reason};
use crate::preflight::is_sendable;
use crate::report::Report;
use crate::stop::Stop;

/// How soon what is in doubt is looked up again after the last time, at the earliest.
const LOOKS_APART: Duration = Duration::from_secs(30);

/// When what is in doubt is looked up.
#[derive(Debug, Default)]
pub(super) struct Looks {
    /// When the next one may be made, by the monotonic clock.
    pub(super) not_before: u64,
    back_off: BackOff,
    begun: bool,
}

impl Watching<'_> {
    /// Has articles registered.
    pub(super) async fn register(&mut self, at: usize, due: Due) {
        let Due { site, settings, articles } = due;
        let Some(credentials) = self.credentials.of(&site).await else {
            self.try_later(at, FolderState::NeedsCredentials);
            return;
        };
        let create_tags = self.options.create_tags || settings.create_tags;
        let read = tokio::task::spawn_blocking(move || {
            let locations: Vec<_> = articles.iter().map(|read| read.location.clone()).collect();
            let loaded = ichido_article::load_all(&locations, &super::reading(&settings));
            // What changed since is restless again, and comes back when it is quiet.
            articles
                .into_iter()
                .zip(loaded)
                .filter(|(seen, loaded)| is_sendable(loaded) && is_as_seen(seen, loaded))
                .unzip::<Read, ichido_article::Loaded, Vec<_>, Vec<_>>()
        });
        let (seen, articles) = match read.await {
            Ok(read) => read,
            Err(error) => {
                tracing::error!(%error, "articles could not be read to their end");
                self.try_later(at, FolderState::Unreadable);
                return;
            }
        };
        let still_there = self
            .folders
            .get(at)
            .and_then(|(_, folder)| folder.sight.as_ref())
            .is_some_and(super::folder::Sight::is_there);
        if articles.is_empty() || !still_there {
            self.folders[at].1.next_scan = 0;
            return;
        }
        let keys: HashSet<PathBuf> = articles.iter().map(key_of).collect();
        let batch = Batch {
            articles,
            site: site.name.clone(),
            credentials,
            create_tags,
            polls: self.options.polls.clone(),
            wait: Duration::ZERO,
            dry_run: false,
        };
        let ran = self.run_batch(&site, batch, keys.len()).await;
        self.working = None;
        self.take_report(at, &site, &seen, ran);
    }

    /// Runs a batch, and hears orders meanwhile.
    async fn run_batch(
        &mut self,
        site: &Site,
        batch: Batch,
        count: usize,
    ) -> Option<Result<Report, RunError>> {
        let stop = Stop::default();
        self.working = Some(Working { site: site.name.clone(), ended: 0, articles: count });
        self.tell_status();
        let (engine, listener, turn) = (self.engine, self.listener, self.options.turn.clone());
        let ended: RefCell<HashSet<PathBuf>> = RefCell::default();
        let status = &self.status;
        let hear = |event: &Event| {
            listener.hear(&site.name, event);
            if let Event::Ended { article, .. } = event
                && ended.borrow_mut().insert(article.path.clone())
            {
                let ended = ended.borrow().len();
                status.send_modify(|status| {
                    status.light = Light::Working.min(status.light);
                    if let Some(working) = &mut status.working {
                        working.ended = ended;
                    }
                });
            }
        };
        let work = async {
            let _turn = match turn {
                Some(turn) => tokio::select! {
                    turn = turn.lock_owned() => Some(turn),
                    () = stop.requested() => return None,
                },
                None => None,
            };
            Some(engine.register(batch, &hear, &stop).await)
        };
        // A whole run is too large a thing for a stack.
        let mut work = Box::pin(work);
        loop {
            tokio::select! {
                biased;
                ran = &mut work => return ran,
                order = self.orders.recv(), if !self.stopping => {
                    match &order {
                        // A pause lets the request in flight finish; so does the end.
                        Some(Order::Pause(until)) => {
                            self.paused = Some(*until);
                            status.send_modify(|status| status.paused = Some(*until));
                            stop.request();
                        }
                        Some(Order::Stop) | None => {
                            self.stopping = true;
                            stop.request();
                        }
                        Some(Order::Folders(_) | Order::TakeOver(..)) => stop.request(),
                        Some(Order::Resume | Order::CheckNow) => {}
                    }
                    self.put_off.extend(order);
                }
            }
        }
    }

    /// Notes what a batch came to.
    fn take_report(&mut self, at: usize, site: &Site, seen: &[Read], ran: Option<Result<Report, RunError>>) {
        let Some((_, folder)) = self.folders.get_mut(at) else { return };
        folder.to_sort = true;
        folder.tried = true;
        let report = match ran {
            None => return,
            Some(Ok(report)) => report,
            Some(Err(error)) => {
                self.listener.failed(&site.name, &error);
                let state = match &error {
                    RunError::HeldBy { .. } => FolderState::OtherRunner,
                    RunError::NoSuchSite { .. } => FolderState::NoSite,
                    RunError::Open(_)
                    | RunError::Lock(_)
                    | RunError::Read(_)
                    | RunError::Write(_)
                    | RunError::BeginSend(_)
                    | RunError::NotLooked { .. }
                    | RunError::Client(_) => FolderState::JournalFailed,
                };
                tracing::warn!(%error, "a batch could not be run");
                self.try_later(at, state);
                return;
            }
        };
        self.listener.ended(&site.name, &report);
        let ended: HashSet<_> = report
            .articles
            .iter()
            .filter(|(_, end)| end.ending != Ending::Waiting)
            .map(|(name, _)| name.path.clone())
            .collect();
        for read in seen.iter().filter(|read| ended.contains(&PathBuf::from(read.location.key()))) {
            folder.taken.insert(path_of(&read.location), read.digest);
        }
        match later(&report) {
            Some(state) => self.try_later(at, state),
            None => folder.back_off.reset(),
        }
        self.last.retain(|(name, _)| *name != site.name);
        self.last.push((site.name.clone(), report));
    }

    /// Returns when the next look-up of what is in doubt is due, by the wall clock.
    pub(super) fn next_look(&self) -> Option<ichido_core::time::Timestamp> {
        if !self.options.looks {
            return None;
        }
        self.journal.next_look_at().unwrap_or_else(|error| {
            tracing::warn!(%error, "nobody knows when a look is due");
            None
        })
    }

    /// Looks up what is in doubt, where that is due, and everything of it at the beginning. Sends nothing.
    pub(super) async fn look_for_doubts(&mut self) {
        let now = self.now();
        if !self.options.looks || self.looks.not_before > now {
            return;
        }
        let sites = match self.sites_in_doubt() {
            Ok(sites) => sites,
            Err(error) => {
                tracing::warn!(%error, "nobody knows what is in doubt");
                return;
            }
        };
        self.looks.begun = true;
        // What is due on a site that was taken off the list stays due.
        let mut failed = sites.is_empty() && self.next_look().is_some_and(|at| at <= self.engine.clock.now());
        for site in sites {
            let Some(credentials) = self.credentials.of(&site).await else {
                failed = true;
                continue;
            };
            let (engine, listener, turn) = (self.engine, self.listener, self.options.turn.clone());
            let hear = |event: &Event| listener.hear(&site.name, event);
            let mut look = Box::pin(async {
                let _turn = match turn {
                    Some(turn) => Some(turn.lock_owned().await),
                    None => None,
                };
                engine.reconcile(&site.name, credentials, Duration::ZERO, &hear).await
            });
            let looked = tokio::select! {
                looked = &mut look => looked,
                // A look that is given up changes nothing.
                order = self.orders.recv() => {
                    self.stopping |= matches!(order, Some(Order::Stop) | None);
                    self.put_off.extend(order);
                    return;
                }
            };
            match looked {
                Ok(report) => failed |= report.pause.is_some(),
                Err(error) => {
                    tracing::warn!(%error, "a look that was due failed");
                    failed = true;
                }
            }
            for (_, folder) in &mut self.folders {
                folder.to_sort = true;
            }
        }
        let wait = if failed { self.looks.back_off.next().max(LOOKS_APART) } else { LOOKS_APART };
        if !failed {
            self.looks.back_off.reset();
        }
        self.looks.not_before = now.saturating_add(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
    }

    fn sites_in_doubt(&self) -> Result<Vec<Site>, ReadError> {
        let operations = if self.looks.begun {
            self.journal.due_looks(self.engine.clock.now())?
        } else {
            self.journal.in_doubt(None)?
        };
        let mut sites: Vec<Site> = Vec::new();
        for operation in operations {
            if sites.iter().any(|site| site.id == operation.site) {
                continue;
            }
            sites.extend(self.journal.site(operation.site)?.filter(|site| site.removed_at.is_none()));
        }
        Ok(sites)
    }
}

/// Returns why a batch is to be tried again later, if so.
fn later(report: &Report) -> Option<FolderState> {
    match report.pause {
        Some(Pause::NotOurUser) => Some(FolderState::NeedsCredentials),
        Some(reason @ (Pause::Unreachable | Pause::Maintenance)) => Some(FolderState::Offline { reason }),
        Some(reason @ (Pause::Refused | Pause::Redirected | Pause::UnknownInARow)) => {
            Some(FolderState::Refused { reason })
        }
        // What shuts creating is told by the journal; it goes on when a person has released it.
        None if report.barrier.is_some() => None,
        None => report.articles.iter().find_map(|(_, end)| match end.reason {
            Some(Reason::Wait(WaitReason::CouldNotAsk | WaitReason::NotSent)) => {
                Some(FolderState::Offline { reason: Pause::Unreachable })
            }
            Some(Reason::Wait(WaitReason::Maintenance)) => {
                Some(FolderState::Offline { reason: Pause::Maintenance })
            }
            Some(Reason::Wait(WaitReason::Credentials)) => Some(FolderState::NeedsCredentials),
            Some(Reason::Wait(WaitReason::ImageInDoubt)) => Some(FolderState::Watching),
            Some(
                Reason::Wait(WaitReason::SitePaused | WaitReason::ReleaseNeeded | WaitReason::Stopped)
                | Reason::Halt(_)
                | Reason::Refusal(_),
            )
            | None => None,
        }),
    }
}
