//! A journal with its engine: that of the real sites, and that of the practice site.

use std::sync::Arc;

use ichido_core::time::Timestamp;
use ichido_engine::{Clock as _, Engine, RunError, SystemClock};
use ichido_journal::{Journal, Places, Site, SiteId};

/// Where one journal is, open for reading.
#[derive(Clone, Debug)]
pub(crate) struct Desk {
    places: Places,
    journal: Arc<Journal>,
}

/// A site together with the journal that knows it.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) key: SiteKey,
    pub(crate) desk: Desk,
    pub(crate) site: Site,
}

/// Names a site towards the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SiteKey {
    Practice,
    Real(SiteId),
}

const PRACTICE: &str = "practice";

impl SiteKey {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text == PRACTICE {
            return Some(Self::Practice);
        }
        text.parse().ok().map(|id| Self::Real(SiteId(id)))
    }
}

impl std::fmt::Display for SiteKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Practice => f.write_str(PRACTICE),
            Self::Real(id) => id.0.fmt(f),
        }
    }
}

impl Desk {
    pub(crate) fn open(places: Places) -> Result<Self, RunError> {
        let journal = Arc::new(Journal::open(&places)?);
        Ok(Self { places, journal })
    }

    pub(crate) fn journal(&self) -> &Journal {
        &self.journal
    }

    /// An engine for one errand; it stays on the thread on which it is made.
    pub(crate) fn engine(&self) -> Engine {
        Engine::new(self.places.clone(), "ichido-desktop", env!("CARGO_PKG_VERSION"))
    }
}

pub(crate) fn now() -> Timestamp {
    SystemClock::new().now()
}
