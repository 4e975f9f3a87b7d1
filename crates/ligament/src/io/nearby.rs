//! Suggests the file that was meant by a name that does not exist.

use crate::formats::by_extension;
use crate::report::similar::{most_similar, typing_errors};
use std::path::Path;

/// Entries of a folder that are looked at; in larger folders, searching would take longer than it helps.
const MOST_ENTRIES: usize = 10_000;

/// The path of a file in the same folder with nearly the same name, or of a model with the same name and another
/// extension.
pub(super) fn file_nearby(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?;
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let entries = parent.unwrap_or(Path::new(".")).read_dir().ok()?;
    let mut names: Vec<String> = entries
        .take(MOST_ENTRIES)
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    let is_model = |name: &&str| by_extension(Path::new(name)).is_some();
    let names = || names.iter().map(String::as_str);
    let stem = |name: &str| Path::new(name).file_stem().map(|stem| stem.to_string_lossy().to_lowercase());
    let near = most_similar(wanted, names().filter(is_model)).or_else(|| most_similar(wanted, names()));
    // Of several models with one name, the one whose extension is most like that given.
    let named = || names().filter(is_model).filter(|name| stem(name) == stem(wanted));
    let meant = near.or_else(|| named().min_by_key(|name| typing_errors(wanted, name)))?;
    Some(parent.map_or(meant.to_owned(), |parent| parent.join(meant).display().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_that_was_meant_is_found() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["creature.glb", "creature.txt", "other.obj"] {
            std::fs::write(folder.path().join(name), "").expect("written");
        }
        let near = |name: &str| {
            let found = file_nearby(&folder.path().join(name))?;
            Path::new(&found).file_name().map(|name| name.to_string_lossy().into_owned())
        };
        assert_eq!(near("creatur.glb").as_deref(), Some("creature.glb"));
        assert_eq!(near("Creature.GLB").as_deref(), Some("creature.glb"));
        assert_eq!(near("other.gltf").as_deref(), Some("other.obj"));
        assert_eq!(near("mage.glb"), None);
        assert_eq!(file_nearby(Path::new("no/such/folder/creature.glb")), None);
    }
}
