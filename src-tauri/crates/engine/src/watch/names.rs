//! Names and marks by which files are told that are not to be read: what editors and downloads leave while they
//! work, what lies in a cloud only, and copies that a synchronising program made of a conflict.

/// Whether a name is one that nobody writes articles under: hidden, or a file that a program is still writing.
///
/// Such files neither make an article restless nor are they looked into.
pub(super) fn is_passed_over(name: &str) -> bool {
    const ENDINGS: [&str; 12] = [
        "~",
        ".tmp",
        ".temp",
        ".swp",
        ".swx",
        ".bak",
        ".part",
        ".partial",
        ".filepart",
        ".crdownload",
        ".download",
        ".unconfirmed",
    ];
    let lower = name.to_lowercase();
    lower.starts_with('.')
        || lower.starts_with("~$")
        || (lower.starts_with('#') && lower.ends_with('#'))
        || lower == "node_modules"
        || ENDINGS.iter().any(|ending| lower.ends_with(ending))
        // What vim writes to see whether it may.
        || name.parse::<u32>().is_ok_and(|number| number >= 4913 && (number - 4913).is_multiple_of(123))
}

/// Whether a name stands for a file that lies in a cloud only: `.name.icloud`, `name.cloud` and their kin.
pub(super) fn stands_for_cloud_file(name: &str) -> bool {
    let lower = name.to_lowercase();
    (lower.starts_with('.') && lower.ends_with(".icloud"))
        || [".cloud", ".cloudf", ".nextcloud", ".owncloud"].iter().any(|ending| lower.ends_with(ending))
}

/// Whether a file of this size and so many blocks has no content on this disk.
///
/// Very small files may lie in the file system's own records, without a block.
#[cfg(unix)]
pub(super) const fn has_no_content(size: u64, blocks: u64) -> bool {
    const IN_RECORDS: u64 = 512;
    blocks == 0 && size > IN_RECORDS
}

/// Whether reading a file with these attributes would fetch it from elsewhere.
#[cfg(windows)]
pub(super) const fn is_recalled(attributes: u32) -> bool {
    const OFFLINE: u32 = 0x1000;
    const RECALL_ON_OPEN: u32 = 0x4_0000;
    const RECALL_ON_DATA_ACCESS: u32 = 0x40_0000;
    attributes & (OFFLINE | RECALL_ON_OPEN | RECALL_ON_DATA_ACCESS) != 0
}

/// Whether a name is that of a copy which a synchronising program made of a conflict.
///
/// `exists` tells whether a name lies beside it: some programs add no more than a machine's name, which says
/// something only beside the original.
pub(super) fn is_conflict_copy(name: &str, exists: impl Fn(&str) -> bool) -> bool {
    const SAYING: [&str; 5] =
        ["conflicted copy", "sync-conflict", "競合コピー", "競合するコピー", "case conflict"];
    let lower = name.to_lowercase();
    if SAYING.iter().any(|saying| lower.contains(saying)) {
        return true;
    }
    let (stem, extension) = match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem, Some(extension)),
        Some(_) | None => (name, None),
    };
    let Some((original, machine)) = machine_of(stem) else { return false };
    is_machine(machine)
        && exists(
            &extension.map_or_else(|| original.to_owned(), |extension| format!("{original}.{extension}")),
        )
}

/// Parts `tea-DESKTOP-1A2B3C4` into the name before the machine's, and the machine's.
fn machine_of(stem: &str) -> Option<(&str, &str)> {
    const KINDS: [&str; 4] = ["-DESKTOP-", "-LAPTOP-", "-WIN-", "-MacBook"];
    let at = KINDS.iter().filter_map(|kind| stem.rfind(kind)).max()?;
    let (original, machine) = stem.split_at(at);
    Some((original, &machine[1..])).filter(|(original, _)| !original.is_empty())
}

fn is_machine(name: &str) -> bool {
    name.len() <= 24 && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_programs_leave_while_they_work_is_passed_over() {
        for name in [
            ".index.md.swp",
            "index.md~",
            "#index.md#",
            ".#index.md",
            "~$記事.docx",
            "4913",
            "5036",
            "a.png.part",
            "a.png.crdownload",
            ".goutputstream-AB12CD",
            ".a.png.Xy3k9Q",
            "Unbestätigt 1.crdownload",
            ".git",
            "node_modules",
            ".ichido",
            "a.tmp",
            ".DS_Store",
            ".~tmp~",
            "a.PNG.PARTIAL",
        ] {
            assert!(is_passed_over(name), "{name}");
        }
        for name in
            ["index.md", "a.png", "記事", "2026", "4914", "template.md", "a~b.md", "#1.md", "partial.md"]
        {
            assert!(!is_passed_over(name), "{name}");
        }
    }

    #[test]
    fn what_lies_in_a_cloud_only_is_known_by_its_name_or_its_blocks() {
        for name in [".index.md.icloud", "a.png.cloud", "index.md.nextcloud", "a.jpg.owncloud", "X.CLOUD"] {
            assert!(stands_for_cloud_file(name), "{name}");
        }
        for name in ["icloud.md", "cloud.png", "a.icloud.md", "sky.cloud.jpg"] {
            assert!(!stands_for_cloud_file(name), "{name}");
        }
        #[cfg(unix)]
        {
            assert!(has_no_content(5000, 0) && has_no_content(513, 0));
            assert!(!has_no_content(5000, 16) && !has_no_content(0, 0) && !has_no_content(60, 0));
        }
    }

    #[test]
    fn copies_of_conflicts_are_known_and_series_are_not() {
        let beside = |name: &str| ["tea.md", "tea", "index.md"].contains(&name);
        for name in [
            "tea (Mac's conflicted copy 2026-12-01).md",
            "tea (conflicted copy 2026-12-01 120000).md",
            "tea.sync-conflict-20261201-120000-ABCDEFG.md",
            "tea (DESKTOP の競合コピー 2026-12-01).md",
            "tea (Case Conflict).md",
            "tea-DESKTOP-1A2B3C4.md",
            "tea-LAPTOP-XYZ.md",
            "tea-MacBook-Pro.md",
            "tea-DESKTOP-1A2B3C4",
        ] {
            assert!(is_conflict_copy(name, beside), "{name}");
        }
        for name in ["tea-2.md", "tea.md", "coffee-DESKTOP-1A2B3C4.md", "my-MacBook-Pro.md", "conflict.md"] {
            assert!(!is_conflict_copy(name, beside), "{name}");
        }
    }
}
