//! Detects changed files: by length and time first, by content where these are not conclusive.

use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use xxhash_rust::xxh3::Xxh3;

/// A file that was saved this recently could be saved again without getting a newer time.
const CLOCK_STEP: Duration = Duration::from_secs(2);

/// The state of a file at some moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint {
    pub path: PathBuf,
    /// `None` if it did not exist.
    pub was: Option<Was>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Was {
    pub length: u64,
    /// Nanoseconds since 1970.
    pub modified: u64,
    pub hash: u128,
}

impl Fingerprint {
    /// The current state of a file. One that cannot be read counts as missing.
    pub fn of(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            was: look(path)
                .and_then(|(length, modified)| Some(Was { length, modified, hash: hash_file(path).ok()? })),
        }
    }

    /// The current state of a file whose content has this hash.
    pub fn written(path: &Path, hash: u128) -> Self {
        Self {
            path: path.to_owned(),
            was: look(path).map(|(length, modified)| Was { length, modified, hash }),
        }
    }

    /// Whether the file is unchanged since this fingerprint was taken at the time `seen`.
    pub fn holds(&self, seen: SystemTime) -> bool {
        match (self.was, look(&self.path)) {
            (None, None) => true,
            (Some(was), Some((length, modified))) => {
                was.length == length
                    && ((was.modified == modified && is_settled(modified, seen))
                        || hash_file(&self.path).is_ok_and(|hash| hash == was.hash))
            }
            _ => false,
        }
    }

    pub fn to_json(&self, name: impl Fn(&Path) -> Option<String>) -> Option<Value> {
        let was = self.was.map(|was| json!([was.length, was.modified, format!("{:032x}", was.hash)]));
        Some(json!({ "path": name(&self.path)?, "was": was }))
    }

    pub fn from_json(value: &Value, path: impl Fn(&str) -> PathBuf) -> Option<Self> {
        let was = match value.get("was")? {
            Value::Null => None,
            was => Some(Was {
                length: was.get(0)?.as_u64()?,
                modified: was.get(1)?.as_u64()?,
                hash: u128::from_str_radix(was.get(2)?.as_str()?, 16).ok()?,
            }),
        };
        Some(Self { path: path(value.get("path")?.as_str()?), was })
    }
}

/// Length and time of a regular file.
fn look(path: &Path) -> Option<(u64, u64)> {
    let metadata = path.metadata().ok().filter(std::fs::Metadata::is_file)?;
    Some((metadata.len(), nanoseconds(metadata.modified().ok()?)))
}

fn is_settled(modified: u64, seen: SystemTime) -> bool {
    let step = CLOCK_STEP.as_nanos() as u64;
    modified.saturating_add(step) < nanoseconds(seen)
}

/// Nanoseconds since 1970; enough until 2554.
pub fn nanoseconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
}

fn hash_file(path: &Path) -> io::Result<u128> {
    let mut file = File::open(path)?;
    let mut hash = Xxh3::new();
    let mut piece = vec![0; 1 << 16];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(hash.digest128()),
            length => hash.update(&piece[..length]),
        }
    }
}

/// Hashes text, to detect different options.
pub fn hash_text(text: &str) -> u128 {
    xxhash_rust::xxh3::xxh3_128(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_noticed_and_a_touch_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        assert!(Fingerprint::of(&path).holds(SystemTime::now()), "still not there");
        std::fs::write(&path, "one").unwrap();
        let print = Fingerprint::of(&path);
        let back =
            Fingerprint::from_json(&print.to_json(|p| Some(p.display().to_string())).unwrap(), |p| p.into());
        assert_eq!(back.as_ref(), Some(&print));
        let file = File::options().write(true).open(&path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(100)).unwrap();
        assert!(print.holds(SystemTime::now()), "another time, the same content");

        // Same length and time, saved within one step of the clock.
        let print = Fingerprint::of(&path);
        std::fs::write(&path, "two").unwrap();
        let file = File::options().write(true).open(&path).unwrap();
        file.set_modified(UNIX_EPOCH + Duration::from_nanos(print.was.unwrap().modified)).unwrap();
        let seen = UNIX_EPOCH + Duration::from_nanos(print.was.unwrap().modified);
        assert!(!print.holds(seen));
        std::fs::remove_file(&path).unwrap();
        assert!(!print.holds(SystemTime::now()));
    }
}
