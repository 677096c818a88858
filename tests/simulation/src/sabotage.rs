//! Deliberately wrong behaviour, to see that the properties notice it.

use std::path::Path;

use ichido_core::tally::Ending;
use ichido_engine::{Event, Report};
use ichido_practice::{Post, Status};
use rusqlite::Connection;

use crate::blog::Blog;
use crate::ledger::Intent;

/// What is wrong on purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sabotage {
    /// Nothing.
    #[default]
    None,
    /// The site carries a creating request out twice.
    SecondPost,
    /// A draft goes away without a word when everything is over.
    SilentRemoval,
    /// The program sends a creating request again that was not answered.
    SentAgain,
    /// The program makes a draft anew, as another operation, whose request was not answered.
    MadeAnew,
    /// The journal loses the rows of what is in doubt.
    LostRows,
    /// What is in doubt may be sent again before the site has had its time.
    HastyWindow,
    /// The program writes over a stranger's post.
    Overwrites,
    /// A draft comes with the path of a local image.
    LocalImage,
    /// An article that was given is skipped without a word.
    Skips,
    /// An article is missing from the report.
    Forgets,
    /// What is told of an article is not what the journal says.
    Lies,
}

impl Sabotage {
    /// What goes wrong while the program runs.
    pub(crate) fn meanwhile(self, blog: &Blog, event: &Event) {
        let Event::Ended { end, .. } = event else { return };
        let (Ending::Created, Some(id)) = (end.ending, end.id) else { return };
        let Some(post) = blog.handle.post(id.0) else { return };
        match self {
            Self::SecondPost => {
                let known = blog.handle.posts();
                if known.iter().filter(|other| other.title == post.title).count() == 1 {
                    let Post { author, title, slug, content, .. } = post;
                    blog.handle.write_draft(author, &title, &slug, &content);
                }
            }
            Self::Overwrites => {
                let theirs = blog.handle.posts().into_iter().find(|post| post.title == "Notes");
                if let Some(theirs) = theirs {
                    blog.handle.edit_post(theirs.id, |post| post.content.push_str("<p>Ours.</p>"));
                }
            }
            Self::LocalImage => {
                blog.handle.edit_post(id.0, |post| {
                    let local = post.content.replacen(" src=\"http", " src=\"images/http", 1);
                    post.content = local;
                });
            }
            Self::None
            | Self::SilentRemoval
            | Self::SentAgain
            | Self::MadeAnew
            | Self::LostRows
            | Self::HastyWindow
            | Self::Skips
            | Self::Forgets
            | Self::Lies => {}
        }
    }

    pub(crate) fn spoil_report(self, report: &mut Report) {
        match self {
            Self::Forgets => drop(report.articles.pop()),
            Self::Lies => {
                let first = report.articles.iter_mut().find(|(_, end)| end.ending != Ending::Waiting);
                first.into_iter().for_each(|(_, end)| end.ending = Ending::Waiting);
            }
            Self::None
            | Self::SecondPost
            | Self::SilentRemoval
            | Self::SentAgain
            | Self::MadeAnew
            | Self::LostRows
            | Self::HastyWindow
            | Self::Skips
            | Self::Overwrites
            | Self::LocalImage => {}
        }
    }

    /// What goes wrong after a round.
    pub(crate) async fn afterwards(self, blog: &Blog, database: &Path) {
        match self {
            Self::SentAgain => send_again(blog, None).await,
            Self::MadeAnew => send_again(blog, Some("018f0000-0000-7000-8000-00000000beef")).await,
            Self::LostRows => lose_rows(database),
            Self::None
            | Self::SecondPost
            | Self::SilentRemoval
            | Self::HastyWindow
            | Self::Overwrites
            | Self::LocalImage
            | Self::Skips
            | Self::Forgets
            | Self::Lies => {}
        }
    }

    /// What goes wrong when everything is over.
    pub(crate) fn at_the_end(self, blog: &Blog) {
        if self != Self::SilentRemoval {
            return;
        }
        let posts = blog.handle.posts();
        let ours = posts.iter().find(|post| {
            let ledger = blog.ledger.borrow();
            let intent = ledger.posts.get(&post.id).and_then(|known| known.intent);
            matches!(intent, Some(Intent::Article(_))) && post.status != Status::Trash
        });
        ours.into_iter().for_each(|post| blog.handle.delete_post(post.id));
    }
}

/// Sends the first draft again whose request was not answered, as its own operation or as another one.
async fn send_again(blog: &Blog, as_another: Option<&str>) {
    let requests = blog.handle.requests();
    let unanswered = requests.iter().find_map(|request| {
        let sent = request.kind == ichido_practice::Kind::CreatePost && request.answered.is_none();
        Some((request.path.as_str(), request.operation.as_deref()?, request.created.filter(|_| sent)?))
    });
    let Some((path, operation, id)) = unanswered else { return };
    let title = blog.handle.post(id).map(|post| post.title).unwrap_or_default();
    blog.send_raw(path, as_another.unwrap_or(operation), &title).await;
}

/// Takes the rows of posts in doubt out of the journal, as if they had never been durable.
fn lose_rows(database: &Path) {
    let lost = Connection::open(database).and_then(|conn| {
        conn.pragma_update(None, "foreign_keys", false)?;
        conn.execute("DELETE FROM operations WHERE kind = 'post' AND state IN ('sending', 'halted')", [])
    });
    lost.expect("the journal can be written");
}
