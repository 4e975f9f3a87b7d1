//! `cargo xtask new-format NAME`: creates everything that a new format needs, not yet working.

use crate::run::{Result, root};
use ligament::report::all_codes;
use std::path::Path;

/// The files of a format's folder, and of its tests and page.
const FOLDER: [(&str, &str); 7] = [
    ("mod.rs", include_str!("../templates/format/mod.rs")),
    ("codes.rs", include_str!("../templates/format/codes.rs")),
    ("document.rs", include_str!("../templates/format/document.rs")),
    ("read.rs", include_str!("../templates/format/read.rs")),
    ("import.rs", include_str!("../templates/format/import.rs")),
    ("export.rs", include_str!("../templates/format/export.rs")),
    ("write.rs", include_str!("../templates/format/write.rs")),
];
const TESTS: &str = include_str!("../templates/format/tests.rs");
const PAGE: &str = include_str!("../templates/format/page.md");

/// Creates the folder, the row, the page, the fuzz target and tests that fail until the format works.
pub fn new_format(id: &str) -> Result {
    let made = Names::new(id)?.create(&root())?;
    println!("created for {id}:");
    made.iter().for_each(|path| println!("   {path}"));
    println!("\nNext: CONTRIBUTING.md, from \"A new format\" on.");
    Ok(())
}

/// A format's names in code and prose.
struct Names<'a> {
    id: &'a str,
    module: String,
    title: String,
    codes: String,
}

impl<'a> Names<'a> {
    fn new(id: &'a str) -> Result<Self> {
        let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if !id.starts_with(|c: char| c.is_ascii_lowercase()) || !id.chars().all(is_word) || id.len() < 2 {
            return Err(format!(
                "{id:?}: expected lower-case letters, digits and dashes, such as iqm or qmsh-tmp"
            ));
        }
        let title = id.to_ascii_uppercase().replace('-', " ");
        Ok(Self { id, module: id.replace('-', "_"), codes: free_codes(&title)?, title })
    }

    fn fill(&self, template: &str) -> String {
        let filled = template.replace("{ID}", self.id).replace("{MODULE}", &self.module);
        filled.replace("{TITLE}", &self.title).replace("{CODES}", &self.codes)
    }

    /// Writes everything below `root`, and returns the paths. Nothing is written unless everything can be.
    fn create(&self, root: &Path) -> Result<Vec<String>> {
        let Self { id, module, title, .. } = self;
        let mut files: Vec<(String, String)> = FOLDER
            .iter()
            .map(|(name, text)| (format!("crates/ligament/src/formats/{module}/{name}"), self.fill(text)))
            .collect();
        files.push((format!("crates/ligament/tests/{module}/main.rs"), self.fill(TESTS)));
        files.push((format!("docs/formats/{id}.md"), self.fill(PAGE)));
        let target = format!(
            "#![no_main]\n\nlibfuzzer_sys::fuzz_target!(|data: &[u8]| ligament_fuzz::check({id:?}, data));\n"
        );
        files.push((format!("fuzz/fuzz_targets/{id}.rs"), target));
        if let Some((path, _)) = files.iter().find(|(path, _)| root.join(path).exists()) {
            return Err(format!("{path} already exists"));
        }
        let bin = format!(
            "\n[[bin]]\nname = {id:?}\npath = \"fuzz_targets/{id}.rs\"\ntest = false\ndoc = false\nbench = false\n"
        );
        let row = format!("| [{title}](docs/formats/{id}.md) | `.{id}` | not yet | not yet | |\n");
        let line = format!("- {title} (`.{id}`): begun, not read yet.\n");
        for (path, edit) in [
            ("crates/ligament/src/formats/mod.rs", Edit::Before("\nmod ", format!("pub mod {module};\n"))),
            (
                "crates/ligament/src/formats/mod.rs",
                Edit::Before("\n];\n", format!("\n    &{module}::FORMAT,")),
            ),
            ("fuzz/Cargo.toml", Edit::AtEnd(bin)),
            ("README.md", Edit::AfterTable("| format | extensions |", row)),
            ("CHANGELOG.md", Edit::AfterTable("### Added", line)),
        ] {
            let text = match files.iter().position(|(edited, _)| edited == path) {
                Some(index) => files.swap_remove(index).1,
                None => read(root, path)?,
            };
            let edited = edit.apply(&text).ok_or_else(|| format!("{path} has no place for a new format"))?;
            files.push((path.to_owned(), edited));
        }
        files.sort();
        for (path, text) in &files {
            let path = root.join(path);
            let written = path.parent().map_or(Ok(()), std::fs::create_dir_all);
            written
                .and_then(|()| std::fs::write(&path, text))
                .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        }
        Ok(files.into_iter().map(|(path, _)| path).collect())
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
    /// After the block of lines that begins with a line with this prefix.
    AfterTable(&'static str, String),
    AtEnd(String),
}

impl Edit {
    fn apply(&self, text: &str) -> Option<String> {
        let (at, new) = match self {
            Edit::Before(mark, new) => (text.find(mark)?, new),
            Edit::AfterTable(head, new) => {
                let start = text.find(&format!("\n{head}"))?;
                let end = text[start + 1..].find("\n\n").map_or(text.len(), |end| start + 1 + end + 1);
                (end, new)
            }
            Edit::AtEnd(new) => (text.len(), new),
        };
        Some(format!("{}{new}{}", &text[..at], &text[at..]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_made_in_its_place_and_nothing_twice() {
        let tree = std::env::temp_dir().join(format!("ligament-new-format-{}", std::process::id()));
        let edited = ["crates/ligament/src/formats/mod.rs", "fuzz/Cargo.toml", "README.md", "CHANGELOG.md"];
        for path in edited {
            let to = tree.join(path);
            std::fs::create_dir_all(to.parent().expect("a folder")).expect("writable");
            std::fs::copy(root().join(path), to).expect("copied");
        }
        let names = Names::new("zz-test").expect("a good name");
        assert_eq!((names.module.as_str(), names.title.as_str()), ("zz_test", "ZZ TEST"));
        let made = names.create(&tree).expect("made");
        assert_eq!(made.len(), 7 + 3 + edited.len());
        let text = |path: &str| std::fs::read_to_string(tree.join(path)).expect("there");
        let table = text("crates/ligament/src/formats/mod.rs");
        assert!(table.contains("pub mod zz_test;\n") && table.contains("    &zz_test::FORMAT,\n];"));
        assert!(
            text("fuzz/Cargo.toml")
                .ends_with("path = \"fuzz_targets/zz-test.rs\"\ntest = false\ndoc = false\nbench = false\n")
        );
        let readme = text("README.md");
        let row = readme.lines().position(|line| line.starts_with("| [ZZ TEST](docs/formats/zz-test.md)"));
        let above = readme.lines().nth(row.expect("a row") - 1).expect("a line");
        assert!(above.starts_with("| ["), "the row stands among the others: {above}");
        assert!(text("CHANGELOG.md").contains("\n- ZZ TEST (`.zz-test`)"));
        let all: String = made.iter().map(|path| text(path)).collect();
        assert!(!all.contains("{TITLE}") && !all.contains("{ID}") && !all.contains("{CODES}"));
        assert!(names.create(&tree).is_err_and(|error| error.contains("already exists")));
        std::fs::remove_dir_all(tree).expect("removable");
    }

    #[test]
    fn names_that_cannot_be_modules_are_refused() {
        for id in ["", "a", "IQM", "3ds", "a b", "../x", "md5_mesh"] {
            assert!(Names::new(id).is_err(), "{id:?}");
        }
    }

    #[test]
    fn codes_of_others_are_not_taken() {
        assert_ne!(free_codes("PFOBJ").expect("free"), "PF");
        assert_eq!(free_codes("IQM").expect("free"), "IQ");
    }
}
