//! The list of recent files, kept between runs.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The length of the list.
const MOST: usize = 12;

/// The list, the latest first.
#[derive(Debug, Default)]
pub struct Recent {
    files: Vec<PathBuf>,
    /// The file it is kept in; `None` if the system has no folder for application state.
    place: Option<PathBuf>,
}

impl Recent {
    /// This user's list.
    pub fn of_user() -> Self {
        Self::at(folder(|name| std::env::var_os(name)).map(|folder| folder.join("ligament").join("recent")))
    }

    /// The list stored in a file, or only in memory.
    pub fn at(place: Option<PathBuf>) -> Self {
        let bytes = place.as_ref().and_then(|place| fs::read(place).ok()).unwrap_or_default();
        let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        Self { files: lines.filter_map(path_of).take(MOST).collect(), place }
    }

    /// The files, the latest first.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The folder for the viewer's own files.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.place.as_deref()?.parent()
    }

    /// Whether the user wants the dark theme, if that was ever chosen.
    pub(crate) fn theme(&self) -> Option<bool> {
        match fs::read(self.folder()?.join("theme")).ok()?.trim_ascii() {
            b"dark" => Some(true),
            b"light" => Some(false),
            _ => None,
        }
    }

    /// Keeps the theme for the next time. As with the list, it is no error if that is not possible.
    pub(crate) fn keep_theme(&self, is_dark: bool) {
        let Some(folder) = self.folder() else { return };
        let _ = fs::create_dir_all(folder);
        let _ = ligament::io::write_file(&folder.join("theme"), if is_dark { b"dark" } else { b"light" });
    }

    /// Puts a file at the front. A list that cannot be saved is not an error: it is a convenience.
    pub fn add(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        if path.as_os_str().as_encoded_bytes().contains(&b'\n') || self.files.first() == Some(&path) {
            return;
        }
        self.files.retain(|known| *known != path);
        self.files.insert(0, path);
        self.files.truncate(MOST);
        let _ = self.save();
    }

    fn save(&self) -> io::Result<()> {
        let Some(place) = &self.place else { return Ok(()) };
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder)?;
        }
        let lines: Vec<&[u8]> = self.files.iter().map(|file| file.as_os_str().as_encoded_bytes()).collect();
        // Another viewer may be reading it.
        ligament::io::write_file(place, &lines.join(&b'\n'))
    }
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(OsString::from_vec(bytes.to_vec()).into())
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    String::from_utf8(bytes.to_vec()).ok().map(|text| OsString::from(text).into())
}

/// The system's folder for application state.
fn folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if cfg!(windows) {
        return absolute("LOCALAPPDATA");
    }
    if cfg!(target_vendor = "apple") {
        return Some(absolute("HOME")?.join("Library/Application Support"));
    }
    absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_is_first_and_the_list_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("state/ligament/recent");
        let mut recent = Recent::at(Some(place.clone()));
        assert!(recent.files().is_empty());
        for name in ["/a", "/b", "/a"] {
            recent.add(Path::new(name));
        }
        assert_eq!(recent.files(), [Path::new("/a"), Path::new("/b")]);
        let again = Recent::at(Some(place));
        assert_eq!(again.files(), recent.files());
        for number in 0..30 {
            recent.add(Path::new(&format!("/{number}")));
        }
        assert_eq!(recent.files().len(), MOST);
    }

    #[test]
    fn without_a_place_nothing_is_kept_and_nothing_breaks() {
        let mut recent = Recent::at(None);
        recent.add(Path::new("/a"));
        assert_eq!(recent.files().len(), 1);
        let mut nowhere = Recent::at(Some("/proc/nothing/here".into()));
        nowhere.add(Path::new("/a"));
        assert_eq!(nowhere.files().len(), 1);
    }

    #[cfg(all(unix, not(target_vendor = "apple")))]
    #[test]
    fn the_folder_is_the_one_that_the_user_chose() {
        let of = |state: Option<&str>, home: Option<&str>| {
            folder(|name| match name {
                "XDG_STATE_HOME" => state.map(OsString::from),
                "HOME" => home.map(OsString::from),
                _ => None,
            })
        };
        assert_eq!(of(Some("/s"), Some("/h")), Some("/s".into()));
        assert_eq!(of(Some("relative"), Some("/h")), Some("/h/.local/state".into()));
        assert_eq!(of(None, None), None);
    }
}
