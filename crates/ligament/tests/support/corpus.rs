//! Finds test models: in `corpus/` of this project, and more of them in `../shared/corpus`, which may exist beside the
//! clone. No other Rust code knows that folder, and no test may need it.

use std::path::{Path, PathBuf};

/// The workspace's root.
pub fn workspace() -> PathBuf {
    // Cargo tells which clone it runs in; several may share a target folder.
    let here = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    let root = here.ancestors().find(|folder| folder.join("corpus/extra.txt").is_file());
    root.expect("every crate is below the workspace").to_owned()
}

/// A file or folder of the project's own corpus.
pub fn corpus(part: &str) -> PathBuf {
    let path = workspace().join("corpus").join(part);
    assert!(path.exists(), "corpus/{part} is missing");
    path
}

/// The folder with more models, if it exists and `LIGAMENT_SHARED=none` does not hide it.
pub fn shared() -> Option<PathBuf> {
    let is_hidden = std::env::var_os("LIGAMENT_SHARED").is_some_and(|value| value == "none");
    let path = workspace().join("../shared/corpus");
    (!is_hidden && path.is_dir()).then_some(path)
}

/// The models that `corpus/extra.txt` names, relative to a corpus. Their licences keep them out of the project's own.
pub fn named_extras() -> Vec<String> {
    let list = std::fs::read_to_string(corpus("extra.txt")).expect("the list of extra models is text");
    list.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

/// The extra models that exist.
pub fn extras() -> Vec<PathBuf> {
    let Some(shared) = shared() else { return Vec::new() };
    named_extras().iter().map(|name| shared.join(name)).filter(|path| path.is_file()).collect()
}

/// A line about the missing extra models; `None` if all exist.
pub fn missing_extras() -> Option<String> {
    let (named, there) = (named_extras().len(), extras().len());
    match shared() {
        _ if named == there => None,
        Some(_) => Some(format!("{} of the {named} extra models are not in ../shared/corpus", named - there)),
        None => Some(format!("the tests ran without {named} extra models: there is no ../shared/corpus")),
    }
}

/// An extra model, if it exists.
pub fn extra(part: &str) -> Option<PathBuf> {
    assert!(named_extras().iter().any(|name| name == part), "{part} is not in corpus/extra.txt");
    shared().map(|shared| shared.join(part)).filter(|path| path.is_file())
}

/// A model of the project's own corpus, or else an extra model, if it exists.
pub fn find(part: &str) -> Option<PathBuf> {
    let own = workspace().join("corpus").join(part);
    if own.exists() { Some(own) } else { extra(part) }
}

/// Every file below a folder of the project's own corpus, then the existing extra models of that folder.
pub fn corpus_files(folder: &str) -> Vec<PathBuf> {
    let mut files = files_below(&corpus(folder));
    if let Some(shared) = shared() {
        files.extend(extras().into_iter().filter(|path| path.starts_with(shared.join(folder))));
    }
    files
}

/// Every file beside the clone that is not in the project's own corpus, named or not.
pub fn shared_files() -> Vec<PathBuf> {
    let (own, Some(shared)) = (workspace().join("corpus"), shared()) else { return Vec::new() };
    let is_new = |path: &PathBuf| path.strip_prefix(&shared).is_ok_and(|name| !own.join(name).exists());
    files_below(&shared).into_iter().filter(is_new).collect()
}

/// Every file below a folder, sorted, so that all runs are the same.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.flatten().map(|e| e.path()) {
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}
