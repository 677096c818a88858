//! Faults that can be switched on, and the queue in which they wait for their request.

use std::time::Duration;

use crate::route::Kind;

/// What goes wrong. Unless the name says otherwise, the request has its effect and only the answer suffers.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The request has its effect; the connection closes without an answer.
    CommitThenDropResponse,
    /// The request is read, has no effect, and the connection closes without an answer.
    DropBeforeCommit,
    /// The connection closes without an answer; the effect comes this much later, by the site's clock.
    CommitLater(Duration),
    /// The request has its effect; the answer is an HTML error page with this status.
    CommitThenStatus(u16),
    /// The request has no effect and is answered with this status.
    StatusBeforeCommit {
        /// The HTTP status.
        status: u16,
        /// The code of a JSON error, where it is one.
        code: Option<String>,
        /// Whether the body is an HTML page; without `code` it is one anyway.
        html: bool,
    },
    /// The request has its effect, then the answer is a WordPress error with this status and code
    /// (terms and meta are written after the row).
    CommitThenError {
        /// The HTTP status.
        status: u16,
        /// The code of the JSON error.
        code: String,
    },
    /// The answer breaks off in the middle of its body.
    TruncateBody,
    /// A PHP notice stands before the JSON.
    NoticeBeforeJson,
    /// A byte order mark stands before the JSON.
    BomBeforeJson,
    /// An HTML page with status 200 comes instead of the JSON.
    HtmlInsteadOfJson,
    /// `[]` with status 200 comes instead of the object.
    EmptyListInsteadOfObject,
    /// No body at all, status 200 (a plugin left early).
    EmptyBody,
    /// The web server sends the request elsewhere; WordPress never sees it.
    Redirect {
        /// The HTTP status, 301 to 308.
        status: u16,
        /// The `Location`.
        location: String,
    },
    /// The row that the request makes is left out of the next `n` look-ups that would find it
    /// (lists of all kinds; reading by id shows it). Goes together with any other fault.
    HideFromLookups(u32),
    /// Each of the next `n` look-ups is answered with 503.
    RefuseLookups(u32),
    /// The upload is stored, then PHP dies while making the sizes: 500 with `X-WP-Upload-Attachment-ID`.
    MediaFatalAfterInsert,
    /// The request has its effect, and nothing is ever answered; the connection stays open.
    CommitThenSilence,
    /// The request has no effect, and nothing is ever answered; the connection stays open.
    SilenceBeforeCommit,
    /// The answer's body never ends.
    EndlessBody,
    /// The answer's body comes one byte at a time, with this pause between two.
    SlowBody(Duration),
    /// The answer's body is this many nested lists.
    DeepJson(usize),
    /// The answer's body is not UTF-8.
    InvalidUtf8,
}

impl Fault {
    /// The names of all faults.
    pub const NAMES: [&str; 22] = [
        "commit_then_drop_response",
        "drop_before_commit",
        "commit_later",
        "commit_then_status",
        "status_before_commit",
        "commit_then_error",
        "truncate_body",
        "notice_before_json",
        "bom_before_json",
        "html_instead_of_json",
        "empty_list_instead_of_object",
        "empty_body",
        "redirect",
        "hide_from_lookups",
        "refuse_lookups",
        "media_fatal_after_insert",
        "commit_then_silence",
        "silence_before_commit",
        "endless_body",
        "slow_body",
        "deep_json",
        "invalid_utf8",
    ];

    /// The name without what is particular to one.
    pub const fn name(&self) -> &'static str {
        match self {
            Fault::CommitThenDropResponse => "commit_then_drop_response",
            Fault::DropBeforeCommit => "drop_before_commit",
            Fault::CommitLater(_) => "commit_later",
            Fault::CommitThenStatus(_) => "commit_then_status",
            Fault::StatusBeforeCommit { .. } => "status_before_commit",
            Fault::CommitThenError { .. } => "commit_then_error",
            Fault::TruncateBody => "truncate_body",
            Fault::NoticeBeforeJson => "notice_before_json",
            Fault::BomBeforeJson => "bom_before_json",
            Fault::HtmlInsteadOfJson => "html_instead_of_json",
            Fault::EmptyListInsteadOfObject => "empty_list_instead_of_object",
            Fault::EmptyBody => "empty_body",
            Fault::Redirect { .. } => "redirect",
            Fault::HideFromLookups(_) => "hide_from_lookups",
            Fault::RefuseLookups(_) => "refuse_lookups",
            Fault::MediaFatalAfterInsert => "media_fatal_after_insert",
            Fault::CommitThenSilence => "commit_then_silence",
            Fault::SilenceBeforeCommit => "silence_before_commit",
            Fault::EndlessBody => "endless_body",
            Fault::SlowBody(_) => "slow_body",
            Fault::DeepJson(_) => "deep_json",
            Fault::InvalidUtf8 => "invalid_utf8",
        }
    }
}

/// The kinds of request that a fault waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// Whatever comes to the REST API.
    Any,
    /// Whatever creates: posts, media, terms.
    Creating,
    /// One kind.
    Kind(Kind),
}

/// Which request a fault waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct When {
    /// The kinds of request that count.
    pub which: Which,
    /// How many matching requests go by unharmed before.
    pub skip: u32,
}

impl When {
    /// The next request of whatever kind.
    pub const ANY: When = When { which: Which::Any, skip: 0 };

    /// The next request of this kind.
    pub fn next(kind: Kind) -> When {
        When::after(kind, 0)
    }

    /// The request of this kind after `skip` others of it.
    pub fn after(kind: Kind, skip: u32) -> When {
        When { which: Which::Kind(kind), skip }
    }

    /// The next request that creates something.
    pub fn creating() -> When {
        When { which: Which::Creating, skip: 0 }
    }

    fn fits(&self, kind: Kind) -> bool {
        match self.which {
            Which::Any => true,
            Which::Creating => kind.creates(),
            Which::Kind(wanted) => wanted == kind,
        }
    }
}

/// What meets one request.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Met {
    pub(crate) fault: Option<Fault>,
    pub(crate) hide: Option<u32>,
}

/// Faults in the order in which they were asked for. Each meets one request.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    waiting: Vec<(When, Fault)>,
}

impl Queue {
    pub(crate) fn push(&mut self, when: When, fault: Fault) {
        self.waiting.push((when, fault));
    }

    pub(crate) fn clear(&mut self) {
        self.waiting.clear();
    }

    pub(crate) fn waiting(&self) -> &[(When, Fault)] {
        &self.waiting
    }

    /// Takes what meets a request: the first fitting fault and the first fitting hiding.
    pub(crate) fn meet(&mut self, kind: Kind) -> Met {
        let mut met = Met::default();
        if kind == Kind::Page {
            return met;
        }
        let mut kept = Vec::with_capacity(self.waiting.len());
        for (mut when, fault) in self.waiting.drain(..) {
            let fits = when.fits(kind);
            if fits && when.skip > 0 {
                when.skip -= 1;
                kept.push((when, fault));
                continue;
            }
            if let Fault::HideFromLookups(times) = fault {
                if fits && kind.creates() && met.hide.is_none() {
                    met.hide = Some(times);
                } else {
                    kept.push((when, fault));
                }
            } else if let Fault::RefuseLookups(times) = fault {
                // It meets look-ups only, whatever it was told to wait for, and stays until it is used up.
                let here = kind == Kind::LookUp && met.fault.is_none() && times > 0;
                if here {
                    met.fault = Some(Fault::RefuseLookups(times));
                }
                let left = if here { times - 1 } else { times };
                if left > 0 {
                    kept.push((when, Fault::RefuseLookups(left)));
                }
            } else if fits && met.fault.is_none() {
                met.fault = Some(fault);
            } else {
                kept.push((when, fault));
            }
        }
        self.waiting = kept;
        met
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_meets_the_request_it_waits_for_once() {
        let mut queue = Queue::default();
        queue.push(When::after(Kind::CreatePost, 1), Fault::DropBeforeCommit);
        assert_eq!(queue.meet(Kind::LookUp), Met::default());
        assert_eq!(queue.meet(Kind::CreatePost), Met::default());
        assert_eq!(queue.meet(Kind::CreatePost).fault, Some(Fault::DropBeforeCommit));
        assert_eq!(queue.meet(Kind::CreatePost), Met::default());
    }

    #[test]
    fn hiding_goes_together_with_another_fault() {
        let mut queue = Queue::default();
        queue.push(When::next(Kind::CreatePost), Fault::HideFromLookups(2));
        queue.push(When::next(Kind::CreatePost), Fault::CommitThenDropResponse);
        queue.push(When::next(Kind::CreatePost), Fault::EmptyBody);
        let met = queue.meet(Kind::CreatePost);
        assert_eq!(met, Met { fault: Some(Fault::CommitThenDropResponse), hide: Some(2) });
        assert_eq!(queue.waiting().len(), 1);
    }

    #[test]
    fn refusing_lookups_lasts_as_long_as_it_says() {
        let mut queue = Queue::default();
        queue.push(When::ANY, Fault::RefuseLookups(2));
        assert_eq!(queue.meet(Kind::CreatePost), Met::default());
        assert!(queue.meet(Kind::LookUp).fault.is_some());
        assert!(queue.meet(Kind::LookUp).fault.is_some());
        assert_eq!(queue.meet(Kind::LookUp), Met::default());
    }
}
