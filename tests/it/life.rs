//! What may happen to an article after its first run, in every state in which that run can leave it: never a second
//! post, and nothing of anybody's is overwritten.

use ichido_core::operation::{HaltReason, State, WaitReason};
use ichido_core::tally::{Ending, Pause};
use ichido_engine::{Batch, Event, Report, Settings, Stop};
use ichido_practice::{Fault, Kind as Request, When};
use ichido_tests::{Desk, Place, SITE, Site, Who, ending};

use crate::contract::on_every_site;
use crate::sight::{assert_sent_once, changing};

/// How the first run left the article.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    /// The run was stopped before its turn.
    Waiting,
    /// The answer was lost, and no look found the draft in time.
    InDoubt,
    Done,
    /// The answer was lost, and a person replaced the text before anybody looked.
    Differs,
    /// Somebody else's post had the slug.
    Skipped,
    /// The site refused it.
    Refused,
    /// Its category is unknown.
    NeedsWork,
}

/// What happens then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    FolderRenamed,
    SlugEdited,
    TextEdited,
    ImageEdited,
    ContentByHand,
    TitleByHand,
    Trashed,
    Published,
    RenamedThere,
    Deleted,
    PasswordRefused,
    SecondSite,
}

const CHANGES: [Change; 12] = [
    Change::FolderRenamed,
    Change::SlugEdited,
    Change::TextEdited,
    Change::ImageEdited,
    Change::ContentByHand,
    Change::TitleByHand,
    Change::Trashed,
    Change::Published,
    Change::RenamedThere,
    Change::Deleted,
    Change::PasswordRefused,
    Change::SecondSite,
];

/// The state in which the record of the article's slug ends, and how many posts of ours the site then has; nothing
/// where there is no post to which the change could happen.
fn expected(start: Start, change: Change) -> Option<(State, usize)> {
    use Change::*;
    use HaltReason::*;
    let halted = |reason, posts| Some((State::Halted(reason), posts));
    let done = Some((State::Done, 1));
    match (start, change) {
        (
            Start::Waiting | Start::Refused | Start::NeedsWork,
            ContentByHand | TitleByHand | Trashed | Published | RenamedThere | Deleted,
        )
        | (Start::Skipped, Published) => None,

        (Start::Waiting, _) => done,

        (Start::Done | Start::InDoubt | Start::Differs, FolderRenamed | SlugEdited) => halted(SlugChanged, 1),
        (Start::Done | Start::InDoubt | Start::Differs, Trashed) => halted(InTrash, 1),

        (Start::Done, RenamedThere) => halted(Renamed, 1),
        (Start::Done, Deleted) => halted(Missing, 0),
        (Start::Done, _) => done,

        (Start::InDoubt, TextEdited | ImageEdited | ContentByHand) => halted(ContentDiffers, 1),
        (Start::InDoubt | Start::Differs, Deleted) => halted(OutcomeUnknown, 0),
        (Start::InDoubt, _) => done,

        (Start::Differs, RenamedThere) => halted(Candidates, 1),
        (Start::Differs, _) => halted(ContentDiffers, 1),

        (Start::Skipped, FolderRenamed | SlugEdited | RenamedThere | Deleted) => done,
        // Somebody else's post in the trash is counted and not shown.
        (Start::Skipped, Trashed) => halted(Hidden, 0),
        (Start::Skipped, _) => Some((State::Skipped, 0)),

        (Start::Refused, PasswordRefused | SecondSite) => Some((State::Refused, 0)),
        (Start::Refused, _) => done,

        (Start::NeedsWork, TextEdited) => done,
        (Start::NeedsWork, _) => Some((State::NeedsWork, 0)),
    }
}

/// One article of one desk in one of the cases.
struct Life<'a> {
    site: &'a Site,
    desk: Desk,
    start: Start,
    change: Change,
    /// The slug that the article has now.
    slug: String,
    /// The post that people see at its slug.
    post: Option<u64>,
}

impl<'a> Life<'a> {
    async fn begin(site: &'a Site, start: Start, change: Change) -> Life<'a> {
        let mut desk = Desk::at(site).await;
        desk.polls.clear();
        let slug = format!("{start:?}-{change:?}").to_lowercase();
        let mut life = Life { site, desk, start, change, slug, post: None };
        life.write("", "As it was written.");
        life.desk.picture(&life.slug, "a.png", life.seed());
        life.first_run().await;
        life
    }

    /// A picture that no other case has.
    fn seed(&self) -> u8 {
        2 * u8::try_from(CHANGES.iter().position(|change| *change == self.change).expect("one of them"))
            .expect("few")
    }

    fn write(&self, more: &str, text: &str) {
        let front = format!("title: Title of {}{more}", self.slug);
        let category =
            if self.start == Start::NeedsWork && text.starts_with("As") { "\ncategory: Nowhere" } else { "" };
        self.desk.write_with(&self.slug, &format!("{front}{category}"), &format!("{text}\n\n![a](a.png)"));
    }

    async fn first_run(&mut self) {
        let create = When::next(Request::CreatePost);
        let state = match self.start {
            Start::Waiting => {
                let stop = Stop::default();
                stop.request();
                self.desk
                    .register_until(std::slice::from_ref(&self.desk.articles), &stop)
                    .await
                    .expect("it runs");
                State::Waiting(WaitReason::Stopped)
            }
            Start::InDoubt | Start::Differs => {
                // One look by the list and one by the slug.
                self.site.inject(create, Fault::HideFromLookups(2));
                self.site.inject(create, Fault::CommitThenDropResponse);
                self.desk.register().await;
                State::Halted(HaltReason::OutcomeUnknown)
            }
            Start::Done => {
                self.desk.register().await;
                State::Done
            }
            Start::Skipped => {
                let id =
                    self.site.write_draft(Who::OtherAuthor, "Theirs", &self.slug, "<p>Theirs.</p>").await;
                self.site.publish(id).await;
                self.desk.register().await;
                State::Skipped
            }
            Start::Refused => {
                let code = Some("rest_invalid_param".to_owned());
                self.site.inject(create, Fault::StatusBeforeCommit { status: 400, code, html: false });
                self.desk.register().await;
                // The site said no before it made anything: what is put right may be sent as the same operation.
                self.site.forget_requests();
                State::Refused
            }
            Start::NeedsWork => {
                self.desk.register().await;
                State::NeedsWork
            }
        };
        assert_eq!(self.desk.state(&self.slug), state, "{:?} {:?}", self.start, self.desk.heard);
        self.post = self.site.posts().await.iter().find(|post| post.slug == self.slug).map(|post| post.id);
        if self.start == Start::Differs {
            self.site.edit_content(self.post.expect("a draft"), "<p>Written by a person.</p>").await;
            self.desk.register().await;
            assert_eq!(
                self.desk.state(&self.slug),
                State::Halted(HaltReason::ContentDiffers),
                "{:?}",
                self.desk.heard
            );
        }
        self.desk.forget();
    }

    async fn happen(&mut self, second: &Site) {
        let new = format!("{}-new", self.slug);
        let post = || self.post.expect("there is a post");
        match self.change {
            Change::FolderRenamed => {
                let (from, to) = (self.desk.articles.join(&self.slug), self.desk.articles.join(&new));
                std::fs::rename(from, to).expect("a folder can be renamed");
                self.slug = new;
            }
            Change::SlugEdited => {
                self.write(&format!("\nslug: {new}"), "As it was written.");
                self.slug = new;
            }
            Change::TextEdited => self.write("", "Edited here."),
            Change::ImageEdited => drop(self.desk.picture(&self.slug, "a.png", self.seed() + 1)),
            Change::ContentByHand => self.site.edit_content(post(), "<p>Another hand.</p>").await,
            Change::TitleByHand => self.site.edit_title(post(), "Another title").await,
            Change::Trashed => self.site.trash(post()).await,
            Change::Published => self.site.publish(post()).await,
            Change::RenamedThere => drop(self.site.rename(post(), &format!("{}-there", self.slug)).await),
            Change::Deleted => self.site.delete(post()).await,
            Change::PasswordRefused => self.with_a_wrong_password().await,
            Change::SecondSite => self.on_a_second_site(second).await,
        }
    }

    async fn with_a_wrong_password(&self) {
        let right = self.site.credentials(self.desk.who()).password;
        let (before, sent) = (self.desk.record(&self.slug), self.site.creates());
        self.desk.use_password("not the password");
        let report = self.desk.register().await;
        assert_eq!((report.pause, report.exit_status() == 0), (Some(Pause::NotOurUser), false), "{report:?}");
        assert_eq!(
            self.desk.record(&self.slug).standing,
            before.standing,
            "a wrong password changes no record"
        );
        assert_eq!(self.site.creates(), sent);
        self.desk.use_password(&right);
    }

    async fn on_a_second_site(&self, second: &Site) {
        let here = self.desk.record(&self.slug);
        let (known, posts) = (second.credentials(Who::Author), second.posts().await.len());
        let credentials = ichido_wordpress::Credentials::new(&known.login, &known.password.into())
            .expect("credentials of the site");
        let engine = self.desk.engine();
        engine.add_site("second", &second.url(), credentials.clone()).await.expect("it can be added");
        let report = register(&self.desk, "second", credentials, false).await;
        let made = usize::from(self.start != Start::NeedsWork);
        assert_eq!((report.tally.created, second.posts().await.len()), (made, posts + made), "{report:?}");
        assert_eq!(self.desk.record(&self.slug), here, "what happens there changes nothing here");
    }

    async fn assert_ended(&self, report: &Report, state: State, posts: usize) {
        let case = format!("{:?} {:?}: {report:?} {:?}", self.start, self.change, self.desk.heard);
        assert_eq!(self.desk.state(&self.slug), state, "{case}");
        let ours: Vec<_> =
            self.site.posts().await.into_iter().filter(|post| post.author == "author").collect();
        let ours = ours.iter().filter(|post| post.slug.starts_with(self.first_slug())).count();
        assert_eq!(ours, posts, "{case}");
        assert_eq!(report.tally.total(), 1, "{case}");
        assert_eq!(ending(report, &self.slug), ending_of(state, ending(report, &self.slug)), "{case}");
        assert_sent_once(self.site);
    }

    fn first_slug(&self) -> &str {
        self.slug.trim_end_matches("-new")
    }
}

/// What a state counts as; done is done however it came to be.
fn ending_of(state: State, told: Ending) -> Ending {
    match state {
        State::Done if matches!(told, Ending::Created | Ending::Adopted | Ending::Verified) => told,
        State::Done => Ending::Verified,
        State::Halted(HaltReason::OutcomeUnknown) => Ending::Unknown,
        State::Halted(_) => Ending::Halted,
        State::Skipped => Ending::Skipped,
        State::Refused => Ending::Refused,
        State::NeedsWork => Ending::NeedsWork,
        State::Planned | State::Waiting(_) | State::Sending | State::Abandoned => Ending::Waiting,
    }
}

/// Registers everything of a desk on the site of this name.
async fn register(
    desk: &Desk,
    site: &str,
    credentials: ichido_wordpress::Credentials,
    dry_run: bool,
) -> Report {
    let (articles, _) = ichido_engine::check(std::slice::from_ref(&desk.articles), Settings::default())
        .expect("there are articles");
    let batch = Batch {
        articles,
        site: site.to_owned(),
        credentials,
        create_tags: desk.create_tags,
        polls: Vec::new(),
        wait: std::time::Duration::ZERO,
        dry_run,
    };
    desk.engine().register(batch, &|_: &Event| {}, &Stop::default()).await.expect("the batch runs")
}

/// Everything that the journal of a desk holds.
fn journal(desk: &Desk) -> (Vec<ichido_journal::Operation>, Vec<ichido_journal::HistoryEntry>) {
    let journal = desk.journal();
    (
        journal.operations_after(None, 1000).expect("records"),
        journal.history_after(0, 1000).expect("a history"),
    )
}

/// Every change, each to an article of its own that was left in this state.
async fn everything_that_may_happen(site: &Site, start: Start) {
    let second = Site::start(Place::PracticeNew).await;
    for change in CHANGES {
        let Some((state, posts)) = expected(start, change) else { continue };
        let mut life = Life::begin(site, start, change).await;
        life.happen(&second).await;
        let (known, sent) = (journal(&life.desk), changing(site));
        let foretold = register(&life.desk, SITE, life.desk.credentials(), true).await;
        assert_eq!(journal(&life.desk), known, "{start:?} {change:?}: foretelling writes nothing down");
        assert_eq!(changing(site), sent, "{start:?} {change:?}: foretelling changes nothing");
        let report = life.desk.register().await;
        life.assert_ended(&report, state, posts).await;
        assert_eq!(
            ending(&foretold, &life.slug),
            ending(&report, &life.slug),
            "foretold otherwise: {start:?} {change:?} {foretold:?} {report:?} {:?}",
            life.desk.heard
        );
        let sent = changing(site);
        let again = life.desk.register().await;
        life.assert_ended(&again, state, posts).await;
        assert_eq!(changing(site), sent, "{start:?} {change:?}: registering again changes nothing");
    }
}

on_every_site! {
    async fn an_article_that_waits(site: &Site) {
        everything_that_may_happen(site, Start::Waiting).await;
    }

    async fn an_article_in_doubt(site: &Site) {
        everything_that_may_happen(site, Start::InDoubt).await;
    }

    async fn an_article_that_is_done(site: &Site) {
        everything_that_may_happen(site, Start::Done).await;
    }

    async fn an_article_halted_for_its_content(site: &Site) {
        everything_that_may_happen(site, Start::Differs).await;
    }

    async fn an_article_that_was_skipped(site: &Site) {
        everything_that_may_happen(site, Start::Skipped).await;
    }

    async fn an_article_that_was_refused(site: &Site) {
        everything_that_may_happen(site, Start::Refused).await;
    }

    async fn an_article_that_needs_work(site: &Site) {
        everything_that_may_happen(site, Start::NeedsWork).await;
    }
}
