//! What a person's desktop has around the window, on the test's own bus and display: a tray, notifications, and the
//! button that closes a window.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConnectionExt as _, EventMask, InputFocus, Window,
};
use zbus::message::Header;
use zbus::zvariant::{OwnedValue, Value};
use zbus::{Connection, connection, interface};

use super::session::Desktop;

const ITEM: &str = "org.kde.StatusNotifierItem";
const MENU: &str = "com.canonical.dbusmenu";
const NOTIFICATIONS: &str = "/org/freedesktop/Notifications";

/// One notification as it was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) id: u32,
    pub(crate) title: String,
    pub(crate) body: String,
    pub(crate) actions: Vec<String>,
}

type Items = Arc<Mutex<Vec<(String, String)>>>;
type Notes = Arc<Mutex<Vec<Shown>>>;

/// A tray and a place for notifications.
pub(crate) struct Shell {
    bus: Connection,
    items: Items,
    notes: Notes,
}

struct Watcher(Items);

#[interface(name = "org.kde.StatusNotifierWatcher")]
impl Watcher {
    fn register_status_notifier_item(&self, service: &str, #[zbus(header)] header: Header<'_>) {
        let sender = header.sender().map(ToString::to_string).unwrap_or_default();
        let (name, path) = match service.starts_with('/') {
            true => (sender, service.to_owned()),
            false => (service.to_owned(), "/StatusNotifierItem".to_owned()),
        };
        self.0.lock().expect("nobody panicked").push((name, path));
    }

    #[zbus(property)]
    fn is_status_notifier_host_registered(&self) -> bool {
        true
    }

    #[zbus(property)]
    fn protocol_version(&self) -> i32 {
        0
    }

    #[zbus(property)]
    fn registered_status_notifier_items(&self) -> Vec<String> {
        self.0.lock().expect("nobody panicked").iter().map(|(name, path)| format!("{name}{path}")).collect()
    }
}

struct Notifications(Notes);

#[interface(name = "org.freedesktop.Notifications")]
impl Notifications {
    #[expect(clippy::too_many_arguments, reason = "the specification has so many")]
    fn notify(
        &self,
        _program: &str,
        _replaces: u32,
        _icon: &str,
        title: &str,
        body: &str,
        actions: Vec<String>,
        _hints: HashMap<String, OwnedValue>,
        _lasts: i32,
    ) -> u32 {
        let mut notes = self.0.lock().expect("nobody panicked");
        let id = u32::try_from(notes.len() + 1).expect("a small number");
        notes.push(Shown { id, title: title.to_owned(), body: body.to_owned(), actions });
        id
    }

    fn close_notification(&self, _id: u32) {}

    fn get_capabilities(&self) -> Vec<String> {
        vec!["actions".to_owned(), "body".to_owned()]
    }

    fn get_server_information(&self) -> (String, String, String, String) {
        ("shell".to_owned(), "tests".to_owned(), "1".to_owned(), "1.2".to_owned())
    }
}

impl Shell {
    /// A shell with a tray, or without.
    pub(crate) async fn start(desktop: &Desktop, tray: bool) -> Shell {
        let (items, notes) = (Items::default(), Notes::default());
        let mut builder = connection::Builder::address(desktop.bus())
            .expect("the bus has an address")
            .serve_at(NOTIFICATIONS, Notifications(Arc::clone(&notes)))
            .and_then(|builder| builder.name("org.freedesktop.Notifications"))
            .expect("a name");
        if tray {
            builder = builder
                .serve_at("/StatusNotifierWatcher", Watcher(Arc::clone(&items)))
                .and_then(|builder| builder.name("org.kde.StatusNotifierWatcher"))
                .expect("a name");
        }
        let bus = builder.build().await.expect("the bus takes a shell");
        Shell { bus, items, notes }
    }

    pub(crate) fn notes(&self) -> Vec<Shown> {
        self.notes.lock().expect("nobody panicked").clone()
    }

    /// Presses a button of a notification.
    pub(crate) async fn press(&self, id: u32, action: &str) {
        let pressed = (id, action);
        let (interface, signal) = ("org.freedesktop.Notifications", "ActionInvoked");
        let told = self.bus.emit_signal(None::<&str>, NOTIFICATIONS, interface, signal, &pressed);
        told.await.expect("the bus takes it");
    }

    fn item(&self) -> Option<(String, String)> {
        self.items.lock().expect("nobody panicked").last().cloned()
    }

    /// The name of the icon in the tray.
    pub(crate) async fn icon(&self) -> Option<String> {
        let (name, path) = self.item()?;
        self.property(&name, &path, "IconName").await.and_then(|value| String::try_from(value).ok())
    }

    async fn property(&self, name: &str, path: &str, property: &str) -> Option<OwnedValue> {
        let asked = (ITEM, property);
        let properties = Some("org.freedesktop.DBus.Properties");
        let answer = self.bus.call_method(Some(name), path, properties, "Get", &asked).await.ok()?;
        answer.body().deserialize::<OwnedValue>().ok()
    }

    /// The entries of the menu in their order, each with its number, its text, and whether it can be chosen.
    pub(crate) async fn menu(&self) -> Vec<(i32, String, bool)> {
        let Some((name, path)) = self.item() else { return Vec::new() };
        let Some(menu) = self.property(&name, &path, "Menu").await else { return Vec::new() };
        let Ok(menu) = zbus::zvariant::OwnedObjectPath::try_from(menu) else { return Vec::new() };
        let asked = (0_i32, -1_i32, Vec::<&str>::new());
        let Ok(answer) =
            self.bus.call_method(Some(name.as_str()), menu.as_str(), Some(MENU), "GetLayout", &asked).await
        else {
            return Vec::new();
        };
        let body = answer.body();
        let layout: (u32, Layout) = body.deserialize().expect("a layout");
        let mut entries = Vec::new();
        flatten(&layout.1.2, &mut entries);
        entries
    }

    /// The texts of the menu.
    pub(crate) async fn labels(&self) -> Vec<String> {
        self.menu().await.into_iter().map(|(_, label, _)| label).collect()
    }

    /// Chooses an entry by its text.
    pub(crate) async fn choose(&self, label: &str) {
        let menu = self.menu().await;
        let (number, _, on) =
            menu.iter().find(|(_, known, _)| known == label).unwrap_or_else(|| panic!("{label} in {menu:?}"));
        assert!(on, "{label} can be chosen");
        let (name, path) = self.item().expect("there is a tray");
        let at = self.property(&name, &path, "Menu").await.expect("it has a menu");
        let at = zbus::zvariant::OwnedObjectPath::try_from(at).expect("a path");
        let event = (*number, "clicked", Value::from(0_i32), 0_u32);
        let chosen = self.bus.call_method(Some(name.as_str()), at.as_str(), Some(MENU), "Event", &event);
        chosen.await.expect("the menu takes it");
    }
}

type Layout = (i32, HashMap<String, OwnedValue>, Vec<OwnedValue>);

fn flatten(children: &[OwnedValue], entries: &mut Vec<(i32, String, bool)>) {
    for child in children {
        let child: Layout = child.try_clone().expect("a value").try_into().expect("an entry");
        let (number, properties, below) = child;
        let text = |name: &str| properties.get(name).and_then(|value| <&str>::try_from(&**value).ok());
        let on = properties.get("enabled").and_then(|value| bool::try_from(&**value).ok()).unwrap_or(true);
        if let Some(label) = text("label").filter(|label| !label.is_empty()) {
            entries.push((number, label.replace("__", "\u{0}").replace('_', "").replace('\u{0}', "_"), on));
        }
        flatten(&below, entries);
    }
}

/// The program's windows that are on the screen.
pub(crate) fn windows(desktop: &Desktop) -> Vec<Window> {
    windows_named(desktop, b"Ichido")
}

/// The windows on the screen that have this title and can be closed.
pub(crate) fn windows_named(desktop: &Desktop, title: &[u8]) -> Vec<Window> {
    let (display, screen) = x11rb::connect(Some(desktop.display())).expect("there is a display");
    let root = display.setup().roots[screen].root;
    let tree = display.query_tree(root).expect("asked").reply().expect("the windows");
    let protocols = display.intern_atom(false, b"WM_PROTOCOLS").expect("asked").reply().expect("a name").atom;
    let is_ours = |window: &Window| {
        let titled = display
            .get_property(false, *window, AtomEnum::WM_NAME, AtomEnum::ANY, 0, 64)
            .ok()
            .and_then(|asked| asked.reply().ok())
            .is_some_and(|property| property.value == title);
        let closable = display
            .get_property(false, *window, protocols, AtomEnum::ATOM, 0, 64)
            .ok()
            .and_then(|asked| asked.reply().ok())
            .is_some_and(|property| property.value_len > 0);
        let mapped = display
            .get_window_attributes(*window)
            .ok()
            .and_then(|asked| asked.reply().ok())
            .is_some_and(|seen| seen.map_state == x11rb::protocol::xproto::MapState::VIEWABLE);
        titled && closable && mapped
    };
    tree.children.into_iter().filter(is_ours).collect()
}

/// Takes the focus away from the window, as when a person works in another one.
pub(crate) fn look_away(desktop: &Desktop) {
    let (display, screen) = x11rb::connect(Some(desktop.display())).expect("there is a display");
    let root = display.setup().roots[screen].root;
    let away = display.set_input_focus(InputFocus::PARENT, root, x11rb::CURRENT_TIME);
    away.expect("sent").check().expect("taken");
}

/// Presses the button that closes the window, as a window manager tells it.
pub(crate) fn close(desktop: &Desktop) {
    let window = *windows(desktop).first().expect("there is a window");
    let (display, _) = x11rb::connect(Some(desktop.display())).expect("there is a display");
    let atom = |name: &[u8]| display.intern_atom(false, name).expect("asked").reply().expect("a name").atom;
    let message = ClientMessageEvent::new(
        32,
        window,
        atom(b"WM_PROTOCOLS"),
        [atom(b"WM_DELETE_WINDOW"), x11rb::CURRENT_TIME, 0, 0, 0],
    );
    display.send_event(false, window, EventMask::NO_EVENT, message).expect("sent").check().expect("taken");
}
