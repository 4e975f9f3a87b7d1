//! The files that operations read: paths, folders and patterns.

use crate::formats::by_extension;
use crate::io::target::is_same_file;
use std::path::{Path, PathBuf};

/// A file that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) path: PathBuf,
    /// Whether it was named itself, and not found in a folder or by a pattern.
    pub(super) is_named: bool,
}

/// The files that a word stands for, sorted by name: a file, the models in a folder, or those whose name matches a
/// pattern with `*` and `?`.
pub(super) fn files(word: &str) -> Result<Vec<Asked>, String> {
    let path = Path::new(word);
    if path.is_dir() {
        return listed(path, word, |name| by_extension(Path::new(name)).is_some());
    }
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if path.exists() || !name.contains(['*', '?']) {
        return Ok(vec![Asked { path: path.to_owned(), is_named: true }]);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let pattern: Vec<char> = name.chars().collect();
    listed(folder, word, |name| matches(&pattern, &name.chars().collect::<Vec<_>>()))
}

fn listed(folder: &Path, word: &str, takes: impl Fn(&str) -> bool) -> Result<Vec<Asked>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("cannot search {word}: {error}"))?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.') && takes(name)).collect();
    names.sort();
    let files = names.into_iter().map(|name| folder.join(name)).filter(|path| path.is_file());
    let files: Vec<_> = files.map(|path| Asked { path, is_named: false }).collect();
    if files.is_empty() { Err(format!("no model matches {word}")) } else { Ok(files) }
}

/// All files of several words, each once. Those found by a pattern are left out if they are one of `others`: the input and
/// the output of the conversion.
pub(super) fn all(words: &[String], others: &[&Path]) -> Result<Vec<Asked>, String> {
    let mut all: Vec<Asked> = Vec::new();
    let mut known = std::collections::HashSet::new();
    for word in words {
        for file in files(word)? {
            let is_other = || others.iter().any(|other| is_same_file(&file.path, other));
            if (file.is_named || !is_other()) && known.insert(file.path.clone()) {
                all.push(file);
            }
        }
    }
    Ok(all)
}

/// Whether a name matches a pattern in which `*` stands for any characters and `?` for one. Takes no more steps than the
/// product of the lengths.
fn matches(pattern: &[char], name: &[char]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(&c) if c == '?' || c == name[n] => (p, n) = (p + 1, n + 1),
            _ => {
                let Some((at, from)) = star else { return false };
                star = Some((at, from + 1));
                (p, n) = (at + 1, from + 1);
            }
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_match_names() {
        let is = |pattern: &str, name: &str| {
            matches(&pattern.chars().collect::<Vec<_>>(), &name.chars().collect::<Vec<_>>())
        };
        assert!(is("*.fbx", "walk.fbx") && is("w?lk*", "walk.fbx") && is("*a*a*", "banana") && is("*", ""));
        assert!(!is("*.fbx", "walk.glb") && !is("?", "") && !is("a*b", "ab c"));
        let long = "a".repeat(20_000);
        assert!(!is(&("*a".repeat(50) + "b"), &long));
    }
}
