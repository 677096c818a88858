//! What a batch came to.

use ichido_core::operation::WaitReason;
use ichido_core::tally::{Barrier, Ending, Pause, Tally, exit_status};

use crate::event::{ArticleName, End, Reason};

/// What a batch came to: how every article ended, and what stands in the way.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How each article ended, in the order given.
    pub articles: Vec<(ArticleName, End)>,
    /// Disjoint counts.
    pub tally: Tally,
    /// Why creating is shut until a person releases it.
    pub barrier: Option<Barrier>,
    /// Why creating stopped in this run.
    pub pause: Option<Pause>,
}

impl Report {
    /// Returns the articles that need a person, in the order given; those that wait for an image at which
    /// a person must look are among them.
    pub fn needs_attention(&self) -> impl Iterator<Item = &(ArticleName, End)> {
        let image = self.tally.halted_images > 0;
        self.articles.iter().filter(move |(_, end)| {
            matches!(end.ending, Ending::Halted | Ending::Unknown)
                || (image && end.reason == Some(Reason::Wait(WaitReason::ImageInDoubt)))
        })
    }

    /// Returns the exit status that the batch calls for.
    #[must_use]
    pub fn exit_status(&self) -> u8 {
        exit_status(&self.tally, self.barrier, self.pause)
    }
}
