//! Values as they were written.

/// A value. Numbers, dates and truth values are text: a title may be any of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Null,
    Text(String),
    List(Vec<Self>),
    Map(Vec<Entry>),
}

/// A key with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) key: String,
    /// The line of the file, where the format tells it.
    pub(crate) line: Option<u32>,
    pub(crate) value: Value,
}

impl Value {
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Null | Self::Text(_) => 1,
            Self::List(values) => 1 + values.iter().map(Self::count).sum::<usize>(),
            Self::Map(entries) => 1 + entries.iter().map(|entry| 1 + entry.value.count()).sum::<usize>(),
        }
    }

    /// The text under a key of a map.
    pub(crate) fn under(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Map(entries) => {
                entries.iter().find(|entry| entry.key.eq_ignore_ascii_case(key)).map(|entry| &entry.value)
            }
            Self::Null | Self::Text(_) | Self::List(_) => None,
        }
    }
}
