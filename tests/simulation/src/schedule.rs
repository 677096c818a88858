//! What goes wrong, when, and to whom.

use ichido_practice::{Fault, Permalinks, Release, When};

use crate::draw;
use crate::life::KillAt;

/// In how many rounds something goes wrong; after them everything is left in peace.
pub const ROUNDS: usize = 4;

/// Everything that one simulation is made of. The same schedule gives the same trace.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// Where the texts, the people's minds and everything else that is not listed come from.
    pub seed: u64,
    /// How many articles there are.
    pub articles: usize,
    /// The sites.
    pub sites: Vec<Manners>,
    /// What goes wrong.
    pub troubles: Vec<Trouble>,
}

/// How a site behaves.
#[derive(Clone, Copy, Debug)]
pub struct Manners {
    /// The release of WordPress.
    pub release: Release,
    /// The form of its addresses.
    pub permalinks: Permalinks,
    /// Whether our user is an editor, who sees everybody's posts, or an author.
    pub editor: bool,
}

/// One thing that goes wrong, or that somebody does.
#[derive(Clone, Debug)]
pub struct Trouble {
    /// In which round.
    pub round: usize,
    /// On which site, where it is about one.
    pub site: usize,
    /// What.
    pub what: What,
}

/// What goes wrong, or what somebody does.
#[derive(Clone, Debug)]
pub enum What {
    /// The site or the line to it misbehaves.
    Fault(When, Fault),
    /// The program is killed.
    Kill(KillAt),
    /// The program is asked to stop when it has told this many things.
    Stop(u32),
    /// A person does something on the site when the program has told this many things.
    Hand(u32, Hand),
    /// The articles change while the program does not run.
    Edit(usize, Edit),
    /// Something happens to the journal while the program does not run.
    Journal(JournalTrouble),
    /// The site is in maintenance for this round.
    Maintenance,
    /// The site leaves new drafts out of its lists for this round.
    HidesNewDrafts,
    /// Our password is not accepted in this round.
    WrongPassword,
    /// Our user may not upload in this round.
    Contributor,
    /// The computer's wall clock is wrong by this many milliseconds from now on.
    WrongClock(i64),
    /// The computer starts anew.
    Reboot,
}

/// What a person does on a site by hand.
#[derive(Clone, Copy, Debug)]
pub enum Hand {
    /// Replaces the content of this article's draft.
    EditContent(usize),
    /// Replaces the title of this article's draft.
    EditTitle(usize),
    /// Gives this article's draft another slug.
    Rename(usize),
    /// Puts this article's draft into the trash.
    Trash(usize),
    /// Takes this article's draft out of the trash.
    Untrash(usize),
    /// Deletes this article's draft for good.
    Delete(usize),
    /// Publishes this article's draft.
    Publish(usize),
    /// Deletes one of our images for good.
    DeleteImage(usize),
    /// Puts the site back to before the last of our drafts, this many and one more.
    RestoreSite(usize),
    /// Somebody else writes a post with the slug of this article.
    Stranger {
        /// The article.
        article: usize,
        /// Whether it is published at once.
        published: bool,
    },
}

/// What happens to an article's folder.
#[derive(Clone, Copy, Debug)]
pub enum Edit {
    /// Its text changes.
    Text,
    /// One of its images is replaced.
    Image,
    /// Its folder gets another name.
    Folder,
    /// It names another slug.
    Slug,
    /// It goes away.
    Remove,
    /// It comes back.
    Restore,
}

/// What happens to the journal.
#[derive(Clone, Copy, Debug)]
pub enum JournalTrouble {
    /// It is gone.
    Missing,
    /// It is put back to how it was at an earlier moment.
    Older,
    /// What vouches for it is gone.
    NoSidecar,
    /// It is damaged.
    Damaged,
}

impl Schedule {
    /// Draws a whole schedule: twenty articles, one or two sites, one to six faults, and what people do meanwhile.
    #[must_use]
    pub fn of(seed: u64) -> Self {
        draw::schedule(seed)
    }

    /// The same schedule without one of its troubles.
    #[must_use]
    pub fn without(&self, index: usize) -> Self {
        let mut less = self.clone();
        less.troubles.remove(index);
        less
    }

    pub(crate) fn troubles_of(&self, round: usize) -> impl Iterator<Item = &Trouble> {
        self.troubles.iter().filter(move |trouble| trouble.round == round)
    }
}

impl std::fmt::Display for Schedule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "seed {}, {} articles", self.seed, self.articles)?;
        for site in &self.sites {
            writeln!(f, "  on {site:?}")?;
        }
        for trouble in &self.troubles {
            writeln!(f, "  round {} site {}: {:?}", trouble.round, trouble.site, trouble.what)?;
        }
        Ok(())
    }
}
