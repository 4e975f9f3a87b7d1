//! The plan: all inputs with their outputs, checked before any work begins.

use super::find::{Found, Pattern};
use ligament::ConvertOptions;
use ligament::formats::{by_extension, by_id};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
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
    pub folders: BTreeSet<PathBuf>,
    /// Why parts of these folders could not be searched.
    pub unreadable: Vec<String>,
    /// Inputs that are in the target format already, and would only be written over themselves.
    pub same_format: BTreeSet<PathBuf>,
}

impl Plan {
    /// Adds the folder of a pattern to those that are watched.
    pub fn watch(&mut self, pattern: &Pattern) {
        self.folders.insert(pattern.folder().to_owned());
    }

    /// Whether two inputs differ in their extensions only, and would be written to the same file.
    pub fn clashes(&self) -> bool {
        let mut seen: BTreeMap<_, _> = self.same_format.iter().map(|path| (key(path), path)).collect();
        self.jobs.iter().any(|job| {
            let before = seen.insert(key(&job.output), &job.input);
            before.is_some_and(|other| *other != job.input && raw_stem(other) == raw_stem(&job.input))
        })
    }

    /// Rejects two inputs with the same output, and outputs that would replace an input.
    pub fn check(&self) -> Result<(), String> {
        let mut inputs: BTreeMap<String, &Job> = BTreeMap::new();
        for job in &self.jobs {
            inputs.insert(key(&job.input), job);
        }
        let skipped: BTreeMap<String, &PathBuf> =
            self.same_format.iter().map(|path| (key(path), path)).collect();
        let mut outputs: BTreeMap<String, &Job> = BTreeMap::new();
        for job in &self.jobs {
            let key = key(&job.output);
            let (input, output) = (job.input.display(), job.output.display());
            if let Some(other) = skipped.get(&key) {
                let other = other.display();
                return Err(format!(
                    "{input} would be written to {output}, which would overwrite the input {other}"
                ));
            }
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
fn stem(path: &Path) -> String {
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

/// Like [`output`], with the input's whole name before the extension.
pub fn output_with_extension(found: &Found, folder: Option<&Path>, extension: &str) -> PathBuf {
    let mut name = found.path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(extension);
    match folder {
        Some(folder) => folder.join(&found.below).join(name),
        None => found.path.with_file_name(name),
    }
}

/// A file's name without the extension, which need not be UTF-8.
pub fn raw_stem(path: &Path) -> OsString {
    let is_text = path.file_name().is_some_and(|name| name.to_str().is_some());
    match path.file_stem() {
        Some(stem) if !is_text => stem.to_owned(),
        _ => stem(path).into(),
    }
}

/// A file's name with another extension.
fn renamed(path: &Path, extension: &str) -> OsString {
    let mut name = raw_stem(path);
    name.push(".");
    name.push(extension);
    name
}

/// A key that is equal for two paths to the same file, also on file systems that ignore case. Bytes that are not text are
/// kept apart.
pub fn key(path: &Path) -> String {
    let path = real(path);
    let mut key = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        key += &chunk.valid().to_lowercase();
        chunk.invalid().iter().for_each(|byte| key += &format!("\0{byte:02x}"));
    }
    key
}

/// Whether writing to a path changes nothing outside of a folder. A path with `..` may lead anywhere once folders are made.
pub fn stays_in(folder: &Path, path: &Path) -> bool {
    let mut target = path.to_owned();
    // Links to files that do not exist are followed when these are written.
    for _ in 0..40 {
        match target.read_link() {
            Ok(next) => target = target.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => break,
        }
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    real(&target).starts_with(real(folder))
        && !real(&target).components().any(|part| part == Component::ParentDir)
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

    #[cfg(unix)]
    #[test]
    fn names_that_are_not_text_are_told_apart() {
        use std::os::unix::ffi::OsStrExt;
        let path = |bytes: &[u8]| PathBuf::from(std::ffi::OsStr::from_bytes(bytes));
        assert_ne!(key(&path(b"/x/a\xff.glb")), key(&path(b"/x/a\xfe.glb")));
        assert_eq!(key(&path(b"/x/A\xff.glb")), key(&path(b"/x/a\xff.GLB")));
        assert_eq!(raw_stem(&path(b"a\xff.glb")).as_bytes(), b"a\xff");
    }

    #[cfg(unix)]
    #[test]
    fn paths_that_leave_a_folder_are_found() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("project");
        std::fs::create_dir_all(project.join("own")).unwrap();
        symlink("..", project.join("up")).unwrap();
        symlink("own", project.join("inside")).unwrap();
        symlink("../new", project.join("dangling")).unwrap();
        for (path, stays) in [
            ("a.glb", true),
            ("new/folder/a.glb", true),
            ("own/../a.glb", true),
            ("inside/a.glb", true),
            ("../a.glb", false),
            ("new/../../a.glb", false),
            ("up/a.glb", false),
            ("up/new/a.glb", false),
            ("dangling", false),
            ("/a.glb", false),
        ] {
            assert_eq!(stays_in(&project, &project.join(path)), stays, "{path}");
        }
        assert!(
            stays_in(Path::new(""), Path::new("a.glb")) && !stays_in(Path::new(""), Path::new("../a.glb"))
        );
    }

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
