//! The person in front of Ichido, who looks at what is halted and acts.

use std::path::PathBuf;

use ichido_core::act::Act;
use ichido_core::id::RemoteId;
use ichido_core::operation::{HaltReason, Kind, State};
use ichido_engine::{ActError, Card, Event, Wish, cards, confirmation};
use ichido_journal::{Filter, Journal, Operation, Page};

use crate::blog::{Blog, event_line};
use crate::dice::Dice;
use crate::ledger::Intent;
use crate::schedule::ROUNDS;
use crate::verdict::{Property, Violation};
use crate::world::World;

/// How a person goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mood {
    /// Does something about some of it, wise or not.
    Busy,
    /// Does what helps.
    Patient,
    /// Leaves what has not come to rest by now.
    Tired,
}

impl World<'_> {
    /// Acts on everything that a person is asked to look at.
    pub(crate) async fn person(&self, blog: &Blog, mood: Mood) {
        self.release(blog, mood).await;
        let Ok(journal) = Journal::open(&self.places) else { return };
        let mut all = match cards(&journal, true, self.clock.look()) {
            Ok(all) => all,
            Err(error) => return self.find(Property::Failed, format!("cards: {error:?}")),
        };
        // Who has time takes up again what somebody left.
        let takes_up = mood == Mood::Patient && self.round < ROUNDS + 2;
        all.retain(|card| card.site.name == blog.name && (takes_up || !card.operation.standing.left));
        all.sort_by_key(|card| card.operation.op_id);
        let refused = Filter { states: vec!["refused"], kind: Some(Kind::Post), ..Filter::default() };
        let mut refused = journal.list(&refused, Page { offset: 0, limit: 1000 }).unwrap_or_default();
        refused.sort_by_key(|operation| operation.op_id);
        let here = journal.site_by_name(&blog.name).ok().flatten().map(|site| site.id);
        refused.retain(|operation| Some(operation.site) == here);
        drop(journal);
        for card in all {
            self.count(format!("halt {}", card.reason.as_str()));
            let mut dice = self.dice_for(&card.operation);
            if mood == Mood::Busy && dice.percent(40) {
                continue;
            }
            for (act, id) in self.choose(blog, &card, mood, &mut dice) {
                self.act(blog, &card.operation, act, id).await;
            }
        }
        for operation in refused {
            if mood != Mood::Busy || self.dice_for(&operation).percent(50) {
                self.act(blog, &operation, Act::TryAgain, None).await;
            }
        }
    }

    fn dice_for(&self, operation: &Operation) -> Dice {
        let who =
            operation.slug.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
        Dice::of(&[self.schedule.seed, 3, self.round as u64, who])
    }

    async fn release(&self, blog: &Blog, mood: Mood) {
        let barriers = Journal::open(&self.places).map(|journal| {
            let site = journal.site_by_name(&blog.name).ok().flatten();
            journal.barriers(site.map(|site| site.id)).unwrap_or_default()
        });
        for entry in barriers.unwrap_or_default() {
            let mut dice = Dice::of(&[self.schedule.seed, 4, self.round as u64]);
            if mood == Mood::Busy && dice.percent(40) {
                continue;
            }
            let released = self.life.live(self.engine().release(entry.barrier)).await;
            self.note(format!(
                "released {:?} {:?}",
                entry.barrier,
                released.map(|released| released.is_ok())
            ));
        }
    }

    fn choose(&self, blog: &Blog, card: &Card, mood: Mood, dice: &mut Dice) -> Vec<(Act, Option<RemoteId>)> {
        let alone = |act: Act| vec![(act, None)];
        let mine = self.mine(blog, &card.operation);
        if card.operation.standing.state == State::Sending {
            return alone(Act::Look);
        }
        if card.operation.standing.left {
            return alone(Act::Unleave);
        }
        match mood {
            Mood::Tired => return alone(Act::Leave),
            Mood::Busy if dice.percent(30) => {
                let act = dice.pick(&card.acts);
                // Nobody links what is plainly something else.
                let other = card.candidates.iter().map(|seen| seen.id).find(|id| Some(*id) != mine);
                let id = match act {
                    Act::Link => mine,
                    Act::NoneOfThese => other,
                    Act::Look
                    | Act::SendAgain
                    | Act::TryAgain
                    | Act::KeepSite
                    | Act::Update
                    | Act::AcceptSlug
                    | Act::Same
                    | Act::New
                    | Act::Leave
                    | Act::Unleave => None,
                };
                return vec![(act, id)];
            }
            Mood::Busy | Mood::Patient => {}
        }
        match (card.reason, mine) {
            (HaltReason::OutcomeUnknown, Some(id)) => vec![(Act::Link, Some(id))],
            (HaltReason::OutcomeUnknown, None) => vec![(Act::Look, None), (Act::SendAgain, None)],
            (HaltReason::CouldNotAsk, _) => alone(Act::Look),
            (HaltReason::Candidates, mine) => {
                let other = card.candidates.iter().filter(|seen| !seen.dismissed && Some(seen.id) != mine);
                let mut acts: Vec<_> = other.map(|seen| (Act::NoneOfThese, Some(seen.id))).collect();
                acts.extend(mine.map(|id| (Act::Link, Some(id))));
                if acts.is_empty() {
                    acts.extend([(Act::Look, None), (Act::SendAgain, None)]);
                }
                acts
            }
            (HaltReason::ContentDiffers | HaltReason::Incomplete, _) => alone(Act::KeepSite),
            (HaltReason::ExistsNotOurs | HaltReason::Duplicates, Some(id)) => vec![(Act::Link, Some(id))],
            (HaltReason::ExistsNotOurs | HaltReason::Duplicates, None) => alone(Act::Leave),
            (HaltReason::InTrash | HaltReason::Missing, _) => {
                alone(if dice.percent(60) { Act::SendAgain } else { Act::Leave })
            }
            (HaltReason::Renamed, _) => alone(Act::AcceptSlug),
            (HaltReason::SlugChanged, _) => alone(if dice.percent(60) { Act::Same } else { Act::New }),
            (HaltReason::Hidden, Some(id)) => vec![(Act::Look, None), (Act::Link, Some(id))],
            (HaltReason::Hidden, None) => {
                alone(if card.operation.looks > 3 { Act::Leave } else { Act::Look })
            }
        }
    }

    /// What an operation is for.
    pub(crate) fn intent(&self, operation: &Operation) -> Option<Intent> {
        self.articles.borrow().intent_of(operation)
    }

    /// The row that a person sees to be what the operation made: there, and no other record's.
    fn mine(&self, blog: &Blog, operation: &Operation) -> Option<RemoteId> {
        let live = blog.ledger.borrow().live(self.intent(operation)?);
        let ids: Vec<RemoteId> = live.into_iter().map(RemoteId).collect();
        let journal = Journal::open(&self.places).ok()?;
        let owned = journal.by_remote_ids(operation.site, operation.kind, &ids).ok()?;
        ids.into_iter().find(|id| owned.get(id).is_none_or(|owner| *owner == operation.op_id))
    }

    async fn act(&self, blog: &Blog, operation: &Operation, act: Act, id: Option<RemoteId>) {
        blog.observe(&self.trace);
        let (article, image) = if operation.kind == Kind::Image {
            let Some(article) = self.article_with(operation) else { return };
            (article, operation.source_path.clone())
        } else {
            (PathBuf::from(&operation.slug), None)
        };
        let wish = Wish { article, image, act, id, typed: Some(confirmation(operation).to_owned()) };
        let hear = |event: &Event| {
            self.life.step();
            self.note(event_line(event));
        };
        let engine = self.engine();
        let acted = self.life.live(engine.act(&blog.name, blog.credentials(), &wish, &hear)).await;
        let said = match &acted {
            None => "killed".to_owned(),
            Some(Ok(operation)) => {
                self.count(format!("act {}", act.as_str()));
                format!("{:?}", operation.standing.state)
            }
            Some(Err(error)) => self.judge_error(error),
        };
        self.note(format!("{} act {} {:?} {id:?}: {said}", blog.name, act.as_str(), operation.slug));
        // A person who is cut off may have had their way.
        let had_their_way = !matches!(acted, Some(Err(_)));
        if had_their_way
            && matches!(act, Act::SendAgain | Act::New)
            && let Some(intent) = self.intent(operation)
        {
            let mut ledger = blog.ledger.borrow_mut();
            if act == Act::New { ledger.allow_another(intent) } else { ledger.allow(intent) }
        }
        blog.observe(&self.trace);
    }

    /// An article that uses the image.
    fn article_with(&self, image: &Operation) -> Option<PathBuf> {
        let journal = Journal::open(&self.places).ok()?;
        let used = journal.posts_using(image.op_id).ok()?;
        let posts = used.iter().filter_map(|used| journal.operation(used.post).ok().flatten());
        let mut slugs: Vec<String> =
            posts.filter(|post| post.standing.state != State::Abandoned).map(|post| post.slug).collect();
        slugs.sort();
        slugs.into_iter().next().map(PathBuf::from)
    }

    fn judge_error(&self, error: &ActError) -> String {
        match error {
            ActError::Run(_)
            | ActError::NotConfirmed { .. }
            | ActError::Illegal(_)
            | ActError::Ambiguous { .. } => {
                self.find(Property::Failed, format!("an act: {error:?}"));
                "failed".to_owned()
            }
            ActError::Shut(shut) => format!("shut {shut:?}"),
            ActError::Identify(_) => "could not ask".to_owned(),
            ActError::CannotLink { why, .. } => format!("cannot link: {why:?}"),
            ActError::NoSuchArticle { .. }
            | ActError::NotOffered { .. }
            | ActError::UpdateNotYet
            | ActError::Barrier(_) => format!("{error}"),
        }
    }

    pub(crate) fn find(&self, property: Property, detail: String) {
        self.found.borrow_mut().push(Violation { property, detail });
    }
}
