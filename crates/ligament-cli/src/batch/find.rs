//! Finds input files: paths, folders, and patterns such as `art/**/*.glb`.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use ligament::formats::{FORMATS, HEAD_BYTES, Match, by_extension};
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use walkdir::WalkDir;

/// A file that was found.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    pub path: PathBuf,
    /// The folders between the fixed part of the pattern and the file.
    pub below: PathBuf,
}

/// One argument that stands for files.
pub struct Pattern {
    /// The fixed part.
    base: PathBuf,
    kind: Kind,
}

enum Kind {
    File,
    /// Every file in the folder that looks like a model.
    Folder,
    /// The rest of a path below the fixed part must match.
    Glob(GlobSet),
}

impl Pattern {
    /// A path that exists is taken literally, even with special characters. Relative paths start at `folder`.
    pub fn new(word: &Path, folder: &Path) -> Result<Self, String> {
        let path = folder.join(word);
        if path.is_dir() {
            return Ok(Self { base: path, kind: Kind::Folder });
        }
        if path.exists() || !has_wildcards(word) {
            return Ok(Self { base: path, kind: Kind::File });
        }
        let parts: Vec<Component> = word.components().collect();
        let fixed = parts.iter().take_while(|part| !has_wildcards(Path::new(part.as_os_str()))).count();
        let base: PathBuf = parts[..fixed].iter().collect();
        let open: Vec<_> = parts[fixed..].iter().map(|part| part.as_os_str().to_string_lossy()).collect();
        let glob = glob(&open.join("/"))?;
        let base = folder.join(base);
        // An empty path means the current folder, but cannot be walked.
        let base = if base.as_os_str().is_empty() { PathBuf::from(".") } else { base };
        Ok(Self { base, kind: Kind::Glob(glob) })
    }

    /// The folder to watch for changes.
    pub fn folder(&self) -> &Path {
        match self.kind {
            Kind::File => self.base.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")),
            _ => &self.base,
        }
    }

    /// Whether it names a single file.
    pub fn is_file(&self) -> bool {
        matches!(self.kind, Kind::File)
    }

    /// Finds the files, sorted by name. Hidden files, and those for which `skip` is true, are left out. What cannot be
    /// read is added to `unreadable`, and does not stop the search.
    pub fn find(&self, skip: &dyn Fn(&Path) -> bool, unreadable: &mut Vec<String>) -> Vec<Found> {
        if self.is_file() {
            return vec![Found { path: self.base.clone(), below: PathBuf::new() }];
        }
        if !self.base.is_dir() {
            return Vec::new();
        }
        let hidden = |name: &std::ffi::OsStr| name.as_encoded_bytes().first() == Some(&b'.');
        let walk = WalkDir::new(&self.base)
            .sort_by_file_name()
            .into_iter()
            .filter_entry(|entry| entry.depth() == 0 || (!hidden(entry.file_name()) && !skip(entry.path())));
        let mut found = Vec::new();
        for entry in walk {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    unreadable.push(error.to_string());
                    continue;
                }
            };
            let is_file = entry.file_type().is_file();
            let path = entry.into_path();
            // A path may be too long for the system, although the name in its folder is not.
            if let Some(error) = path.metadata().err().filter(|_| is_file) {
                unreadable.push(format!("{}: {error}", path.display()));
                continue;
            }
            let Ok(relative) = path.strip_prefix(&self.base) else { continue };
            let wanted = match &self.kind {
                Kind::Glob(glob) => glob.is_match(relative) && path.is_file(),
                _ => path.is_file() && looks_like_a_model(&path),
            };
            if wanted {
                let below = relative.parent().unwrap_or(Path::new("")).to_owned();
                // As people name the files of the current folder, and as other patterns match them.
                let path = path.strip_prefix(".").map(Path::to_owned).unwrap_or(path);
                found.push(Found { path, below });
            }
        }
        found
    }
}

fn has_wildcards(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().iter().any(|b| b"*?[{".contains(b))
}

/// The longest pattern, in bytes. Paths are shorter, and longer patterns would take much memory and stack.
const LONGEST: usize = 16 << 10;
/// Most alternatives in braces, which may be nested.
const MOST_BRACES: usize = 256;

/// Compiles a pattern in which `*` matches within a folder and `**` across folders.
pub fn glob(text: &str) -> Result<GlobSet, String> {
    if text.len() > LONGEST {
        return Err(format!("the pattern is {} bytes long; at most {LONGEST} are possible", text.len()));
    }
    let braces = text.bytes().filter(|&byte| byte == b'{').count();
    if braces > MOST_BRACES {
        return Err(format!("the pattern has {braces} braces; at most {MOST_BRACES} are possible"));
    }
    let glob = GlobBuilder::new(text).literal_separator(true).build();
    // A set of one, because a glob alone panics if it is too large to be compiled.
    glob.and_then(|glob| GlobSetBuilder::new().add(glob).build()).map_err(|error| error.to_string())
}

/// Decides by the extension, or by content that is unmistakable.
fn looks_like_a_model(path: &Path) -> bool {
    if by_extension(path).is_some() {
        return true;
    }
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD_BYTES as u64).read_to_end(&mut head));
    read.is_ok() && FORMATS.iter().any(|format| format.sniff(&head) == Match::Yes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(word: &str, folder: &Path) -> Vec<(String, String)> {
        let pattern = Pattern::new(Path::new(word), folder).expect("a pattern");
        let mut unreadable = Vec::new();
        let found = pattern.find(&|path| path.ends_with("out"), &mut unreadable);
        assert_eq!(unreadable, [""; 0]);
        let shown = |path: &Path| path.display().to_string();
        found.iter().map(|f| (shown(f.path.strip_prefix(folder).unwrap()), shown(&f.below))).collect()
    }

    #[test]
    fn patterns_keep_what_they_leave_open() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in [
            "art/x.glb",
            "art/a/y.glb",
            "art/a/b/z.glb",
            "art/.git/w.glb",
            "art/out/v.glb",
            "art/n.txt",
            "a[1].glb",
        ] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let pairs = |list: &[(&str, &str)]| -> Vec<(String, String)> {
            list.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect()
        };
        let all = pairs(&[("art/a/b/z.glb", "a/b"), ("art/a/y.glb", "a"), ("art/x.glb", "")]);
        assert_eq!(found("art/**/*.glb", folder.path()), all);
        assert_eq!(found("art", folder.path()), all);
        assert_eq!(found("art/*.glb", folder.path()), pairs(&[("art/x.glb", "")]));
        assert_eq!(found("art/?/*.{glb,bgl}", folder.path()), pairs(&[("art/a/y.glb", "a")]));
        // It exists, so the brackets are part of its name.
        assert_eq!(found("a[1].glb", folder.path()), pairs(&[("a[1].glb", "")]));
        assert_eq!(found("none/*.glb", folder.path()), []);
        assert!(Pattern::new(Path::new("art/[a.glb"), folder.path()).is_err());
    }

    #[test]
    fn patterns_that_are_too_large_are_refused() {
        let (long, nested) = ("*a".repeat(150_000), "{".repeat(300) + &"}".repeat(300));
        let classes = format!("{{{}}}", vec!["[^a]".repeat(40); 90].join(","));
        for (text, reason) in [(&long, "300000 bytes long"), (&nested, "300 braces")] {
            let error = glob(text).expect_err("refused");
            assert!(error.contains(reason), "{error}");
        }
        // Whatever comes of it, it does not panic.
        let _ = glob(&classes);
        assert!(glob("**/*.{glb,bgl}").expect("a glob").is_match("a/b.glb"));
    }
}
