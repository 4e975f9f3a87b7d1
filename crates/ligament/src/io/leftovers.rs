//! Temporary files of processes that were killed. The next process that writes into the folder removes them.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

const PREFIX: &str = ".ligament-";
const SUFFIX: &str = ".tmp";

/// A file whose process cannot be looked for is left alone for this long.
const OLD: Duration = Duration::from_secs(24 * 60 * 60);

/// The name of a temporary file of this process: `.ligament-PID-NUMBER-SYSTEM.tmp`.
pub(super) fn name(number: u64) -> String {
    named(std::process::id(), number, system())
}

fn named(process: u32, number: u64, system: u32) -> String {
    format!("{PREFIX}{process}-{number}-{system:08x}{SUFFIX}")
}

/// The process and the system in the name of a temporary file.
fn parse(name: &str) -> Option<(u32, u32)> {
    let mut parts = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?.split('-');
    let (process, number, system) = (parts.next()?, parts.next()?, parts.next()?);
    number.parse::<u64>().ok().filter(|_| parts.next().is_none())?;
    Some((process.parse().ok()?, u32::from_str_radix(system, 16).ok()?))
}

/// Stands for everything within which process ids are unique: one start of one computer, and one container. Folders may
/// be shared between several.
fn system() -> u32 {
    static SYSTEM: OnceLock<u32> = OnceLock::new();
    *SYSTEM.get_or_init(|| {
        let start = fs::read("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let container = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
        let mut hasher = DefaultHasher::new();
        (start, container).hash(&mut hasher);
        hasher.finish() as u32
    })
}

/// Removes the temporary files in a folder whose processes are gone.
pub(super) fn remove(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some((process, of)) = name.to_str().and_then(parse) else { continue };
        let Ok(metadata) = entry.metadata() else { continue };
        let is_gone = is_alive(process, of, &metadata).map_or(is_old(&metadata), |alive| !alive);
        if metadata.is_file() && is_gone {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether the process of a file is running. `None` if that cannot be known: on another computer, in another container,
/// or where the processes of other users are hidden.
fn is_alive(process: u32, of: u32, file: &fs::Metadata) -> Option<bool> {
    let own = fs::metadata("/proc/self").ok()?;
    (of == system() && same_user(&own, file)).then(|| Path::new(&format!("/proc/{process}")).exists())
}

#[cfg(unix)]
fn same_user(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    one.uid() == other.uid()
}

#[cfg(not(unix))]
fn same_user(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    false
}

fn is_old(metadata: &fs::Metadata) -> bool {
    let changed = metadata.modified().ok();
    changed.and_then(|time| SystemTime::now().duration_since(time).ok()).is_some_and(|age| age > OLD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_dead_processes_and_old_ones_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let write = |name: &str| fs::write(path(name), "half").unwrap();
        // Above the largest id that Linux gives to a process.
        let dead = named(u32::MAX, 3, system());
        let (own, elsewhere) = (name(7), named(u32::MAX, 4, !system()));
        let old = named(u32::MAX, 5, !system());
        let old_but_alive = name(8);
        let others = [".ligament-cache", ".ligament-1-2.tmp", ".ligament-x-1-0.tmp", "a.tmp"];
        for name in [&dead, &own, &elsewhere, &old, &old_but_alive] {
            write(name);
        }
        others.iter().for_each(|name| write(name));
        fs::create_dir(path(&named(u32::MAX, 6, system()))).unwrap();
        for name in [&old, &old_but_alive] {
            let file = fs::File::options().write(true).open(path(name)).unwrap();
            file.set_modified(SystemTime::now() - 2 * OLD).unwrap();
        }
        remove(folder.path());
        let can_look = Path::new("/proc/self").exists();
        assert_eq!((path(&dead).exists(), path(&old_but_alive).exists()), (!can_look, can_look));
        assert!(!path(&old).exists());
        for name in [&own, &elsewhere].into_iter().map(String::as_str).chain(others) {
            assert!(path(name).exists(), "{name}");
        }
        assert!(path(&named(u32::MAX, 6, system())).is_dir());
    }

    #[test]
    fn names_are_short_and_can_be_read() {
        let longest = named(u32::MAX, u64::MAX, u32::MAX);
        assert!(longest.len() < 60);
        assert_eq!(parse(&longest), Some((u32::MAX, u32::MAX)));
        assert_eq!(parse(&name(0)), Some((std::process::id(), system())));
        for other in
            [".ligament-cache", ".ligament-1-2-3-4.tmp", ".ligament-1-2-zz.tmp", "ligament-1-2-3.tmp"]
        {
            assert_eq!(parse(other), None, "{other}");
        }
    }
}
