//! The settings that people can change, and their bounds.

use std::time::Duration;

use ichido_core::window;
use thiserror::Error;

/// A setting by its stable key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// The settle window in minutes.
    Window,
    /// Whether unknown tags are created without asking.
    CreateTags,
    /// Whether content is sent without block delimiters, for sites with the classic editor.
    Classic,
    /// Whether camera and GPS data are stripped from images.
    StripCamera,
}

impl Key {
    /// All keys.
    pub const ALL: [Self; 4] = [Self::Window, Self::CreateTags, Self::Classic, Self::StripCamera];

    /// Returns the stable key.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Window => "window",
            Self::CreateTags => "create_tags",
            Self::Classic => "classic",
            Self::StripCamera => "strip_camera",
        }
    }

    /// Finds a setting by its key.
    #[must_use]
    pub fn parse(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.as_str() == key)
    }
}

/// The settings in force for a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How long a site is given to finish a request whose answer was lost.
    pub window: Duration,
    /// Whether unknown tags are created without asking.
    pub create_tags: bool,
    /// Whether content is sent without block delimiters.
    pub classic: bool,
    /// Whether camera and GPS data are stripped from images.
    pub strip_camera: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            window: Duration::from_millis(window::DEFAULT_MS),
            create_tags: false,
            classic: false,
            strip_camera: true,
        }
    }
}

/// The shortest settle window that can be set: 1 minute.
pub const SHORTEST_WINDOW_MIN: u64 = 1;
/// The longest settle window that can be set: 1 day.
pub const LONGEST_WINDOW_MIN: u64 = 24 * 60;

/// A value that a setting cannot take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SettingError {
    /// Not a whole number of minutes within the bounds.
    #[error("read a whole number of minutes from {SHORTEST_WINDOW_MIN} to {LONGEST_WINDOW_MIN}")]
    Minutes,
    /// Neither on nor off.
    #[error("read on or off")]
    Switch,
}

impl Settings {
    /// Changes one setting by its text.
    ///
    /// # Errors
    /// Returns what values the setting takes.
    pub fn set(&mut self, key: Key, value: &str) -> Result<(), SettingError> {
        match key {
            Key::Window => {
                let minutes = value.parse::<u64>().map_err(|_| SettingError::Minutes)?;
                if !(SHORTEST_WINDOW_MIN..=LONGEST_WINDOW_MIN).contains(&minutes) {
                    return Err(SettingError::Minutes);
                }
                self.window = Duration::from_secs(minutes * 60);
            }
            Key::CreateTags => self.create_tags = switch(value)?,
            Key::Classic => self.classic = switch(value)?,
            Key::StripCamera => self.strip_camera = switch(value)?,
        }
        Ok(())
    }

    /// Returns a setting as text, as [`Settings::set`] reads it.
    #[must_use]
    pub fn get(&self, key: Key) -> String {
        let on_off = |on: bool| if on { "on" } else { "off" }.to_owned();
        match key {
            Key::Window => (self.window.as_secs() / 60).to_string(),
            Key::CreateTags => on_off(self.create_tags),
            Key::Classic => on_off(self.classic),
            Key::StripCamera => on_off(self.strip_camera),
        }
    }
}

fn switch(value: &str) -> Result<bool, SettingError> {
    match value.to_ascii_lowercase().as_str() {
        "on" | "yes" | "true" | "1" => Ok(true),
        "off" | "no" | "false" | "0" => Ok(false),
        _ => Err(SettingError::Switch),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_reads_back_what_it_writes() {
        let mut settings = Settings::default();
        for (key, value) in
            [(Key::Window, "25"), (Key::CreateTags, "on"), (Key::Classic, "on"), (Key::StripCamera, "off")]
        {
            settings.set(key, value).unwrap();
            assert_eq!(settings.get(key), value);
            assert_eq!(Key::parse(key.as_str()), Some(key));
        }
    }

    #[test]
    fn a_value_out_of_bounds_changes_nothing() {
        let mut settings = Settings::default();
        for value in ["0", "-1", "1441", "ten", "99999999999999999999"] {
            assert_eq!(settings.set(Key::Window, value), Err(SettingError::Minutes));
        }
        assert_eq!(settings.set(Key::Classic, "maybe"), Err(SettingError::Switch));
        assert_eq!(settings, Settings::default());
    }
}
