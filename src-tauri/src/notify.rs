//! Notifications: one summary a batch, and at once only for a halt. They go over the session bus of Linux; elsewhere
//! there are none yet.

use std::sync::Arc;

use ichido_core::id::OpId;
use ichido_core::tally::{Ending, Tally};
use ichido_engine::{ArticleName, End, Report};

use crate::desk::SiteKey;
use crate::setup;
use crate::state::App;
use crate::view::{Language, Settings};
use crate::words::{Word, fill, names, plain};

/// What a press on a notification leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// The card of an article that needs a person.
    Card(OpId),
    /// Everything that needs a person.
    Attention,
    /// The drafts on a site.
    Drafts(SiteKey),
    /// The settings.
    Settings,
    /// The window as it is.
    Window,
}

/// One notification, in the person's language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Notification {
    title: String,
    /// Plain text.
    body: String,
    /// The button, and what it leads to.
    button: Word,
    goal: Goal,
}

/// An article was halted: told at once, unless the person sees it anyway.
pub(crate) fn halted(app: &Arc<App>, title: &str, op_id: Option<OpId>) {
    let (language, on) = switched(app, |settings| settings.notify_halts);
    if !on || setup::is_looked_at(app) {
        return;
    }
    let notification = Notification {
        title: fill(Word::HaltTitle.of(language), &[("name", &plain(title))]),
        body: Word::HaltBody.of(language).to_owned(),
        button: Word::Review,
        goal: op_id.map_or(Goal::Attention, Goal::Card),
    };
    send(app, language, notification);
}

/// A batch has ended: one summary, unless the person sees it anyway or nothing came of it.
pub(crate) fn ended(app: &Arc<App>, key: SiteKey, report: &Report) {
    let (language, on) = switched(app, |settings| settings.notify_batches);
    if !on || setup::is_looked_at(app) {
        return;
    }
    if let Some(notification) = summary(language, key, &report.tally, &report.articles) {
        send(app, language, notification);
    }
}

fn switched(app: &App, switch: impl Fn(&Settings) -> bool) -> (Language, bool) {
    let inner = app.lock();
    (inner.settings.language, switch(&inner.settings))
}

/// Returns the summary of a batch, if there is anything to tell.
fn summary(
    language: Language,
    key: SiteKey,
    tally: &Tally,
    articles: &[(ArticleName, End)],
) -> Option<Notification> {
    let made = tally.created + tally.adopted;
    let titled = |wanted: fn(Ending) -> bool| -> Vec<String> {
        let of = |name: &ArticleName| name.title.clone().or_else(|| name.slug.clone()).unwrap_or_default();
        articles.iter().filter(|(_, end)| wanted(end.ending)).map(|(name, _)| of(name)).collect()
    };
    let needing = titled(|ending| matches!(ending, Ending::Halted | Ending::Unknown));
    if made == 0 && needing.is_empty() && tally.refused == 0 && tally.waiting == 0 {
        return None;
    }
    let said = |word: Word, count: usize| fill(word.of(language), &[("count", &count.to_string())]);
    let title = match made {
        0 => Word::BatchNone.of(language).to_owned(),
        1 => Word::BatchMadeOne.of(language).to_owned(),
        _ => said(Word::BatchMade, made),
    };
    let mut lines = Vec::new();
    if !needing.is_empty() {
        lines.push(fill(Word::BatchNeeds.of(language), &[("names", &names(language, &needing))]));
    }
    if tally.refused > 0 {
        lines.push(said(Word::BatchRefused, tally.refused));
    }
    if tally.waiting > 0 {
        lines.push(said(Word::BatchWaiting, tally.waiting));
    }
    if lines.is_empty() {
        lines.push(names(language, &titled(|ending| matches!(ending, Ending::Created | Ending::Adopted))));
    }
    let (button, goal) = if needing.is_empty() {
        (Word::OpenDrafts, Goal::Drafts(key))
    } else {
        (Word::Review, Goal::Attention)
    };
    Some(Notification { title, body: lines.join("\n"), button, goal })
}

/// What became of the window that was closed while folders are watched.
pub(crate) fn stays(app: &Arc<App>, title: Word, body: Word) {
    let language = app.lock().settings.language;
    let notification = Notification {
        title: title.of(language).to_owned(),
        body: body.of(language).to_owned(),
        button: Word::Open,
        goal: Goal::Window,
    };
    send(app, language, notification);
}

fn send(app: &Arc<App>, language: Language, notification: Notification) {
    #[cfg(target_os = "linux")]
    {
        let app = Arc::clone(app);
        tauri::async_runtime::spawn(async move {
            if let Err(error) = app.clone().bus.notify(&app, language, &notification).await {
                tracing::info!(%error, "nobody shows notifications");
            }
        });
    }
    #[cfg(not(target_os = "linux"))]
    drop((app, language, notification));
}

#[cfg(target_os = "linux")]
pub(crate) use bus::Bus;

#[cfg(target_os = "linux")]
mod bus {
    use std::collections::HashMap;
    use std::sync::{Mutex, PoisonError};

    use futures_util::StreamExt as _;
    use zbus::zvariant::Value;
    use zbus::{Connection, MatchRule, Message, MessageStream};

    use super::*;

    const NAME: &str = "org.freedesktop.Notifications";
    const PATH: &str = "/org/freedesktop/Notifications";
    const WATCHER: &str = "org.kde.StatusNotifierWatcher";

    /// The session bus, opened when it is needed first.
    #[derive(Debug, Default)]
    pub(crate) struct Bus {
        connection: tokio::sync::Mutex<Option<Connection>>,
        /// What each notification that is shown leads to.
        goals: Mutex<HashMap<u32, Goal>>,
    }

    impl Bus {
        /// Tells whether anything shows the icons of programs.
        pub(crate) async fn has_tray(&self, app: &Arc<App>) -> bool {
            let asked = async {
                let connection = self.connected(app).await?;
                let name = (WATCHER, "IsStatusNotifierHostRegistered");
                let properties = Some("org.freedesktop.DBus.Properties");
                let answer = connection
                    .call_method(Some(WATCHER), "/StatusNotifierWatcher", properties, "Get", &name)
                    .await?;
                answer.body().deserialize::<Value<'_>>()?.downcast::<bool>().map_err(zbus::Error::from)
            };
            asked.await.unwrap_or(false)
        }

        pub(super) async fn notify(
            &self,
            app: &Arc<App>,
            language: Language,
            notification: &Notification,
        ) -> zbus::Result<()> {
            let connection = self.connected(app).await?;
            let label = notification.button.of(language);
            let actions = ["default", label, "open", label];
            let hints: HashMap<&str, Value<'_>> =
                [("desktop-entry", Value::from("Ichido")), ("category", Value::from("transfer"))].into();
            let title = notification.title.as_str();
            let (body, lasts) = (markup(&notification.body), -1_i32);
            let asked = ("Ichido", 0_u32, "ichido-desktop", title, body, &actions[..], hints, lasts);
            let answer = connection.call_method(Some(NAME), PATH, Some(NAME), "Notify", &asked).await?;
            let id: u32 = answer.body().deserialize()?;
            self.goals().insert(id, notification.goal);
            Ok(())
        }

        fn goals(&self) -> std::sync::MutexGuard<'_, HashMap<u32, Goal>> {
            self.goals.lock().unwrap_or_else(PoisonError::into_inner)
        }

        async fn connected(&self, app: &Arc<App>) -> zbus::Result<Connection> {
            let mut known = self.connection.lock().await;
            if let Some(connection) = &*known {
                return Ok(connection.clone());
            }
            let connection = Connection::session().await?;
            let rule =
                MatchRule::builder().msg_type(zbus::message::Type::Signal).interface(NAME)?.path(PATH)?;
            let presses = MessageStream::for_match_rule(rule.build(), &connection, None).await?;
            tauri::async_runtime::spawn(hear(Arc::downgrade(app), presses));
            Ok(known.insert(connection).clone())
        }
    }

    /// Follows the presses on what is shown.
    async fn hear(app: std::sync::Weak<App>, mut presses: MessageStream) {
        while let Some(Ok(message)) = presses.next().await {
            let Some(app) = app.upgrade() else { return };
            if let Some((id, pressed)) = read(&message) {
                let goal = app.bus.goals().remove(&id);
                if let Some(goal) = goal.filter(|_| pressed) {
                    setup::go(&app, goal);
                }
            }
        }
    }

    /// Which notification a signal is about, and whether it was pressed.
    fn read(message: &Message) -> Option<(u32, bool)> {
        let header = message.header();
        let body = message.body();
        match header.member()?.as_str() {
            "ActionInvoked" => body.deserialize::<(u32, String)>().ok().map(|(id, _)| (id, true)),
            "NotificationClosed" => body.deserialize::<(u32, u32)>().ok().map(|(id, _)| (id, false)),
            _ => None,
        }
    }

    /// The text as the body of a notification, where marks of HTML may mean something.
    fn markup(text: &str) -> String {
        text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn article(title: &str, ending: Ending) -> (ArticleName, End) {
        let name = ArticleName { path: "a".into(), slug: None, title: Some(title.to_owned()) };
        (name, End { op_id: None, ending, reason: None, id: None, links: None })
    }

    #[test]
    fn one_summary_says_what_was_made_and_who_is_needed() {
        let tally = Tally { created: 12, halted: 1, ..Tally::default() };
        let articles = [article("京都", Ending::Halted), article("a", Ending::Created)];
        let told = |language| summary(language, SiteKey::Practice, &tally, &articles).unwrap();
        let english = told(Language::En);
        assert_eq!(english.title, "12 drafts made");
        assert_eq!((english.body.as_str(), english.goal), ("“京都”: your check is needed.", Goal::Attention));
        assert_eq!(told(Language::Ja).body, "「京都」は確認が必要です。");
    }

    #[test]
    fn where_nothing_came_of_it_nothing_is_told() {
        let tally = Tally { verified: 200, skipped: 3, needs_work: 2, ..Tally::default() };
        assert_eq!(summary(Language::En, SiteKey::Practice, &tally, &[]), None);
    }

    #[test]
    fn what_was_made_is_named_and_leads_to_the_drafts() {
        let tally = Tally { created: 1, ..Tally::default() };
        let told =
            summary(Language::Ja, SiteKey::Practice, &tally, &[article("秋", Ending::Created)]).unwrap();
        assert_eq!((told.title.as_str(), told.body.as_str()), ("下書きを1件作りました", "「秋」"));
        assert_eq!(told.goal, Goal::Drafts(SiteKey::Practice));
    }
}
