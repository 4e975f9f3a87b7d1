//! The plan: all inputs with their outputs, checked before any work begins.

use super::find::{Found, Pattern};
use ligament::ConvertOptions;
use ligament::formats::{by_extension, by_id};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One conversion.
#[derive(Clone)]
pub struct Job {
    pub input: PathBuf,
    pub output: PathBuf,
    pub options: Arc<ConvertOptions>,
}

/// All conversions of a run.
#[derive(Default)]
pub struct Plan {
    pub jobs: Vec<Job>,
    /// Folders to watch for changes, with everything below them.
    pub folders: Vec<PathBuf>,
}

impl Plan {
    /// Adds the folder of a pattern to those that are watched.
    pub fn watch(&mut self, pattern: &Pattern) {
        let folder = pattern.folder().to_owned();
        if !self.folders.contains(&folder) {
            self.folders.push(folder);
        }
    }

    /// Rejects two inputs with the same output, and outputs that would replace an input.
    pub fn check(&self) -> Result<(), String> {
        let mut inputs: BTreeMap<String, &Job> = BTreeMap::new();
        for job in &self.jobs {
            inputs.insert(key(&job.input), job);
        }
        let mut outputs: BTreeMap<String, &Job> = BTreeMap::new();
        for job in &self.jobs {
            let key = key(&job.output);
            let (input, output) = (job.input.display(), job.output.display());
            if let Some(other) = inputs.get(&key) {
                let which = if other.input == job.input {
                    "itself".into()
                } else {
                    other.input.display().to_string()
                };
                return Err(format!(
                    "{input} would be written to {output}, which would overwrite the input {which}"
                ));
            }
            if let Some(other) = outputs.insert(key, job) {
                let first = other.input.display();
                let how = if other.output == job.output {
                    format!("would both be written to {output}")
                } else {
                    format!(
                        "would be written to {} and {output}, which some file systems do not tell apart",
                        other.output.display()
                    )
                };
                return Err(format!("{first} and {input} {how}"));
            }
        }
        Ok(())
    }
}

/// The extension of a target's files: the dialect's or `--to`'s own name if that is an extension (`glb`), otherwise the
/// format's usual one.
pub fn extension(options: &ConvertOptions) -> Option<&'static str> {
    let word = options.to.as_deref()?;
    let known = by_id(word)?.extensions;
    let named = |word: &str| known.iter().find(|e| e.eq_ignore_ascii_case(word.trim_start_matches('.')));
    let dialect = options.dialect.as_deref().and_then(named);
    dialect.or_else(|| named(word)).or(known.first()).copied()
}

/// A file's name without the extension, which may itself contain a dot.
pub fn stem(path: &Path) -> String {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let extensions = by_extension(path).map_or(&[][..], |format| format.extensions);
    let lower = name.to_ascii_lowercase();
    let known = extensions.iter().filter(|e| lower.ends_with(&format!(".{e}"))).map(|e| e.len() + 1).max();
    match known {
        Some(length) => name[..name.len() - length].to_owned(),
        None => path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default(),
    }
}

/// The output path for a file that was found: below `folder`, or beside the input.
pub fn output(found: &Found, folder: Option<&Path>, extension: &str) -> PathBuf {
    let name = renamed(&found.path, extension);
    match folder {
        Some(folder) => folder.join(&found.below).join(name),
        None => found.path.with_file_name(name),
    }
}

/// A file's name with another extension. Names need not be UTF-8.
fn renamed(path: &Path, extension: &str) -> std::ffi::OsString {
    let is_text = path.file_name().is_some_and(|name| name.to_str().is_some());
    let mut name = match path.file_stem() {
        Some(stem) if !is_text => stem.to_owned(),
        _ => stem(path).into(),
    };
    name.push(".");
    name.push(extension);
    name
}

/// A key that is equal for two paths to the same file, also on file systems that ignore case.
pub fn key(path: &Path) -> String {
    real(path).to_string_lossy().to_lowercase()
}

/// Resolves links and `..` in a path, even if its last parts do not exist.
pub fn real(path: &Path) -> PathBuf {
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    let parent = path.parent().map(|p| if p.as_os_str().is_empty() { Path::new(".") } else { p });
    match (parent, path.file_name()) {
        (Some(parent), Some(name)) => real(parent).join(name),
        _ => std::path::absolute(path).unwrap_or_else(|_| path.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_their_whole_extension() {
        for (name, wanted) in [
            ("a/x.glb", "x"),
            ("x.qmsh.tmp", "x"),
            ("x.QMSH.TMP", "x"),
            ("x.y.glb", "x.y"),
            ("x.unknown", "x"),
            ("x", "x"),
        ] {
            assert_eq!(stem(Path::new(name)), wanted, "{name}");
        }
    }

    #[test]
    fn targets_have_the_extension_that_was_meant() {
        for (to, dialect, wanted) in [
            ("gltf", None, "gltf"),
            ("glb", None, "glb"),
            ("gltf", Some("glb"), "glb"),
            ("bogle", None, "bgl"),
        ] {
            let mut options = ConvertOptions { to: Some(to.into()), ..ConvertOptions::default() };
            options.dialect = dialect.map(str::to_owned);
            assert_eq!(extension(&options), Some(wanted));
        }
    }
}
