//! `cargo xtask new-format NAME [--read-only]`: creates everything that a new format needs, not yet working.

use crate::run::{Result, command, root, run};
use ligament::formats::by_id;
use ligament::report::all_codes;
use std::path::Path;

/// The files of a format's folder. A line that begins with `{RW}` or `{RO}` is only in a format that is written, or in
/// a read-only one.
const FOLDER: [(&str, &str); 7] = [
    ("mod.rs", include_str!("../templates/format/mod.rs")),
    ("codes.rs", include_str!("../templates/format/codes.rs")),
    ("document.rs", include_str!("../templates/format/document.rs")),
    ("read.rs", include_str!("../templates/format/read.rs")),
    ("import.rs", include_str!("../templates/format/import.rs")),
    ("export.rs", include_str!("../templates/format/export.rs")),
    ("write.rs", include_str!("../templates/format/write.rs")),
];
/// The files that a read-only format does not have.
const ONLY_WRITTEN: [&str; 2] = ["export.rs", "write.rs"];
const TESTS: &str = include_str!("../templates/format/tests.rs");
const PAGE: &str = include_str!("../templates/format/page.md");

/// Names that no Rust module can have.
const KEYWORDS: [&str; 47] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "unsafe", "use", "where", "while",
];

/// Creates the folder, the row, the page, the fuzz target and tests that fail until the format works.
pub fn new_format(id: &str, is_written: bool) -> Result {
    let Created { new, edited } = Names::new(id, is_written)?.create(&root())?;
    // Sorts the names of modules, and wraps what a long name made too long.
    run(&mut command("cargo", &["fmt"]))?;
    println!("created for {id}:");
    new.iter().for_each(|path| println!("   {path}"));
    println!("changed:");
    edited.iter().for_each(|path| println!("   {path}"));
    println!(
        "\nNext: CONTRIBUTING.md, from \"A new format\" on. To undo all of it, and any other change to these files:"
    );
    println!("   git restore {} && git clean -fd {}", edited.join(" "), folders(&new).join(" "));
    Ok(())
}

/// The files that a new format needs.
struct Created {
    new: Vec<String>,
    edited: Vec<String>,
}

/// The new files, or the folders that contain nothing else.
fn folders(new: &[String]) -> Vec<&str> {
    let is_own = |path: &str| path.starts_with("crates/");
    let folder = |path: &'_ String| path.rsplit_once('/').map_or("", |(folder, _)| folder).len();
    let mut all: Vec<&str> =
        new.iter().map(|path| if is_own(path) { &path[..folder(path)] } else { path.as_str() }).collect();
    all.dedup();
    all
}

/// A format's names in code and prose.
struct Names<'a> {
    id: &'a str,
    is_written: bool,
    module: String,
    title: String,
    codes: String,
}

impl<'a> Names<'a> {
    fn new(id: &'a str, is_written: bool) -> Result<Self> {
        let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if !id.starts_with(|c: char| c.is_ascii_lowercase()) || !id.chars().all(is_word) || id.len() < 2 {
            return Err(format!(
                "{id:?}: expected lower-case letters, digits and dashes, such as iqm or qmsh-tmp"
            ));
        }
        if KEYWORDS.contains(&id) {
            return Err(format!("{id:?} is a word of Rust, so no module can have that name"));
        }
        if let Some(format) = by_id(id) {
            return Err(format!("{id:?} already names {}: ids and extensions are unique", format.name));
        }
        let title = id.to_ascii_uppercase().replace('-', " ");
        Ok(Self { id, is_written, module: id.replace('-', "_"), codes: free_codes(&title)?, title })
    }

    fn fill(&self, template: &str) -> String {
        let (ours, others) = if self.is_written { ("{RW}", "{RO}") } else { ("{RO}", "{RW}") };
        let lines = template.lines().filter(|line| !line.starts_with(others));
        let kept: String = lines.flat_map(|line| [line.strip_prefix(ours).unwrap_or(line), "\n"]).collect();
        let filled = kept.replace("{ID}", self.id).replace("{MODULE}", &self.module);
        filled.replace("{TITLE}", &self.title).replace("{CODES}", &self.codes)
    }

    /// The new files and their content.
    fn files(&self) -> Vec<(String, String)> {
        let Self { id, module, .. } = self;
        let folder = FOLDER.iter().filter(|(name, _)| self.is_written || !ONLY_WRITTEN.contains(name));
        let mut files: Vec<(String, String)> = folder
            .map(|(name, text)| (format!("crates/ligament/src/formats/{module}/{name}"), self.fill(text)))
            .collect();
        files.push((format!("crates/ligament/tests/{module}/main.rs"), self.fill(TESTS)));
        files.push((format!("docs/formats/{id}.md"), self.fill(PAGE)));
        let target = format!(
            "#![no_main]\n\nlibfuzzer_sys::fuzz_target!(|data: &[u8]| ligament_fuzz::check({id:?}, data));\n"
        );
        files.push((format!("fuzz/fuzz_targets/{id}.rs"), target));
        files
    }

    /// The changes to existing files.
    fn edits(&self) -> Vec<(&'static str, Vec<Edit>)> {
        let Self { id, module, title, .. } = self;
        let bin = format!(
            "[[bin]]\nname = {id:?}\npath = \"fuzz_targets/{id}.rs\"\ntest = false\ndoc = false\nbench = false\n\n"
        );
        let written = if self.is_written { "not yet" } else { "read-only" };
        let row = format!("| [{title}](docs/formats/{id}.md) | `.{id}` | not yet | {written} | |\n");
        let line = format!("- {title} (`.{id}`): begun, not read yet.\n");
        vec![
            (
                "crates/ligament/src/formats/mod.rs",
                vec![
                    Edit::Before("pub mod ", format!("pub mod {module};\n")),
                    Edit::Before("\n];\n", format!("\n    &{module}::FORMAT,")),
                ],
            ),
            ("fuzz/Cargo.toml", vec![Edit::Before("# Its own workspace", bin)]),
            ("README.md", vec![Edit::AfterTable("## Formats", "| format | extensions |", row)]),
            ("CHANGELOG.md", vec![Edit::AfterTable("## Unreleased", "### Added", line)]),
        ]
    }

    /// Writes everything below `root`, and returns the paths. Nothing is written unless everything can be.
    fn create(&self, root: &Path) -> Result<Created> {
        let mut files = self.files();
        let module = format!("crates/ligament/src/formats/{}.rs", self.module);
        let new: Vec<String> = files.iter().map(|(path, _)| path.clone()).collect();
        if let Some(path) = new.iter().chain([&module]).find(|path| root.join(path).exists()) {
            return Err(format!("{path} already exists"));
        }
        let mut edited = Vec::new();
        for (path, edits) in self.edits() {
            let mut text = read(root, path)?;
            for edit in edits {
                text = edit.apply(&text).ok_or_else(|| format!("{path} has no place for a new format"))?;
            }
            edited.push(path.to_owned());
            files.push((path.to_owned(), text));
        }
        for (path, text) in &files {
            let path = root.join(path);
            let written = path.parent().map_or(Ok(()), std::fs::create_dir_all);
            written
                .and_then(|()| std::fs::write(&path, text))
                .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        }
        Ok(Created { new, edited })
    }
}

fn read(root: &Path, path: &str) -> Result<String> {
    std::fs::read_to_string(root.join(path)).map_err(|error| format!("cannot read {path}: {error}"))
}

/// Two letters that no code begins with yet: from the name itself, if they are free.
fn free_codes(title: &str) -> Result<String> {
    let letters: Vec<char> = title.chars().filter(char::is_ascii_uppercase).chain('A'..='Z').collect();
    let pairs = letters.iter().skip(1).map(|second| format!("{}{second}", letters[0]));
    let is_free = |pair: &String| !all_codes().any(|code| code.id.starts_with(pair.as_str()));
    pairs
        .into_iter()
        .find(is_free)
        .ok_or_else(|| format!("all code prefixes that begin like {title} are taken"))
}

/// Text to insert into a file, and where.
enum Edit {
    /// Before the first occurrence of the mark.
    Before(&'static str, String),
    /// In the section with this heading, after the block of lines that begins with a line with this prefix.
    AfterTable(&'static str, &'static str, String),
}

impl Edit {
    fn apply(&self, text: &str) -> Option<String> {
        let (at, new) = match self {
            Edit::Before(mark, new) => (text.find(mark)?, new),
            Edit::AfterTable(heading, head, new) => {
                let section = text.find(&format!("\n{heading}\n"))? + 1;
                let end = text[section..].find("\n## ").map_or(text.len(), |end| section + end);
                let start = section + text[section..end].find(&format!("\n{head}"))? + 1;
                let block = text[start..end].find("\n\n").map_or(end, |end| start + end + 1);
                (block, new)
            }
        };
        Some(format!("{}{new}{}", &text[..at], &text[at..]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;
    use std::process::Command;

    /// A copy of the files that are changed.
    fn tree(name: &str) -> PathBuf {
        let tree = std::env::temp_dir().join(format!("ligament-new-format-{name}-{}", std::process::id()));
        for path in EDITED {
            let to = tree.join(path);
            std::fs::create_dir_all(to.parent().expect("a folder")).expect("writable");
            std::fs::copy(root().join(path), to).expect("copied");
        }
        tree
    }

    const EDITED: [&str; 4] =
        ["crates/ligament/src/formats/mod.rs", "fuzz/Cargo.toml", "README.md", "CHANGELOG.md"];

    #[test]
    fn everything_is_made_in_its_place_and_nothing_twice() {
        for (is_written, files) in [(true, 7), (false, 5)] {
            let tree = tree(if is_written { "written" } else { "read" });
            let names = Names::new("zz-test", is_written).expect("a good name");
            assert_eq!((names.module.as_str(), names.title.as_str()), ("zz_test", "ZZ TEST"));
            let Created { new, edited } = names.create(&tree).expect("made");
            assert_eq!((new.len(), &edited[..]), (files + 3, &EDITED.map(str::to_owned)[..]));
            let text = |path: &str| std::fs::read_to_string(tree.join(path)).expect("there");
            let table = text("crates/ligament/src/formats/mod.rs");
            assert!(table.contains("pub mod zz_test;\n") && table.contains("    &zz_test::FORMAT,\n];"));
            let target =
                "path = \"fuzz_targets/zz-test.rs\"\ntest = false\ndoc = false\nbench = false\n\n# Its own";
            assert!(text("fuzz/Cargo.toml").contains(target));
            let readme = text("README.md");
            let row =
                readme.lines().position(|line| line.starts_with("| [ZZ TEST](docs/formats/zz-test.md)"));
            let above = readme.lines().nth(row.expect("a row") - 1).expect("a line");
            assert!(above.starts_with("| ["), "the row stands among the others: {above}");
            let changes = text("CHANGELOG.md");
            let line = changes.find("\n- ZZ TEST (`.zz-test`)").expect("a line");
            let section = changes[..line].rfind("\n## ").expect("a section");
            assert!(changes[section..].starts_with("\n## Unreleased\n"), "the line is in the newest section");
            let mut all = new.iter().chain(&edited).map(|path| text(path));
            assert!(all.all(|text| {
                !["{TITLE}", "{ID}", "{CODES}", "{MODULE}", "{RW}", "{RO}"].iter().any(|m| text.contains(m))
            }));
            assert!(names.create(&tree).is_err_and(|error| error.contains("already exists")));
            std::fs::remove_dir_all(tree).expect("removable");
        }
    }

    /// Without a place for its row, a format is not begun at all.
    #[test]
    fn nothing_is_written_if_a_place_is_missing() {
        for path in EDITED {
            let tree = tree(&path.replace('/', "-"));
            std::fs::write(tree.join(path), "nothing is left here").expect("writable");
            let names = Names::new("zz-test", true).expect("a good name");
            let refused = names.create(&tree).err();
            assert_eq!(refused, Some(format!("{path} has no place for a new format")));
            assert!(!tree.join("docs").exists() && !tree.join("crates/ligament/tests").exists());
            std::fs::remove_dir_all(tree).expect("removable");
        }
    }

    /// The files parse and are formatted, so that the first commit passes the format check.
    #[test]
    fn the_templates_are_formatted() {
        for is_written in [true, false] {
            let names = Names::new("zz-test", is_written).expect("a good name");
            for (path, text) in names.files().into_iter().filter(|(path, _)| path.ends_with(".rs")) {
                // With empty modules, so that `rustfmt` does not look for the other files.
                let empty =
                    |line: &str| if is_module(line) { line.replace(';', " {}") } else { line.to_owned() };
                let alone: String = text.lines().map(|line| empty(line) + "\n").collect();
                let file = std::env::temp_dir().join(format!("ligament-template-{}.rs", std::process::id()));
                std::fs::write(&file, alone).expect("writable");
                let mut rustfmt = Command::new("rustfmt");
                rustfmt.args(["--edition", "2024", "--check", "--config-path"]).arg(root()).arg(&file);
                let done = rustfmt.output().expect("rustfmt is installed");
                assert!(done.status.success(), "{path}: {}", String::from_utf8_lossy(&done.stdout));
                std::fs::remove_file(file).expect("removable");
            }
        }
    }

    fn is_module(line: &str) -> bool {
        line.ends_with(';') && (line.starts_with("mod ") || line.starts_with("pub mod "))
    }

    #[test]
    fn names_that_cannot_be_modules_are_refused() {
        for id in ["", "a", "IQM", "3ds", "a b", "../x", "md5_mesh", "match", "dae", "pfobj"] {
            assert!(Names::new(id, true).is_err(), "{id:?}");
        }
        let names = Names::new("sniff", true).expect("a good name elsewhere");
        assert!(names.create(&root()).is_err_and(|error| error.contains("formats/sniff.rs already exists")));
    }

    #[test]
    fn codes_of_others_are_not_taken() {
        assert_ne!(free_codes("PFOBJ").expect("free"), "PF");
        assert_eq!(free_codes("ZZ TEST").expect("free"), "ZZ");
    }

    /// What is printed to undo a format names nothing that others need.
    #[test]
    fn undoing_removes_only_what_is_new() {
        let new: Vec<String> = Names::new("zz-test", true)
            .expect("a good name")
            .files()
            .into_iter()
            .map(|(path, _)| path)
            .collect();
        let expected = [
            "crates/ligament/src/formats/zz_test",
            "crates/ligament/tests/zz_test",
            "docs/formats/zz-test.md",
            "fuzz/fuzz_targets/zz-test.rs",
        ];
        assert_eq!(folders(&new), expected);
    }
}
