//! The commands in the `console` blocks of documents are run in a copy of the examples, and must print what is shown.
//!
//! A line `...` stands for any lines, and `...` at the end of a line for the rest of that line. All else must match exactly.
#![cfg(unix)] // the blocks are for a shell

use super::*;

/// A command in a document, and its output.
struct Shown {
    /// Its location in the document.
    line: usize,
    command: String,
    output: Vec<String>,
}

fn shown(text: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    let mut inside = false;
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let (true, Some(command)) = (inside, line.strip_prefix("$ ")) {
            found.push(Shown { line: number + 1, command: command.to_owned(), output: Vec::new() });
        } else if let (true, Some(last)) = (inside, found.last_mut()) {
            last.output.push(line.to_owned());
        }
    }
    found
}

/// Whether lines match those that the document shows.
fn is_as_shown(shown: &[String], printed: &[&str]) -> bool {
    match shown {
        [] => printed.is_empty(),
        [any, rest @ ..] if any.trim() == "..." => {
            (0..=printed.len()).any(|count| is_as_shown(rest, &printed[count..]))
        }
        [line, rest @ ..] => {
            let Some((first, others)) = printed.split_first() else { return false };
            let is_same = match line.strip_suffix("...") {
                Some(start) => first.starts_with(start),
                None => first == line,
            };
            is_same && is_as_shown(rest, others)
        }
    }
}

fn copy(from: &Path, to: &Path) {
    for path in corpus::files_below(from) {
        let target = to.join(path.strip_prefix(from).expect("below it"));
        fs::create_dir_all(target.parent().expect("a folder")).expect("created");
        fs::copy(&path, &target).expect("copied");
    }
}

/// Runs the commands of a document, in order and in one folder, and returns their number.
fn run_document(name: &str) -> usize {
    let root = corpus::workspace();
    let folder = tempfile::tempdir().expect("a folder");
    copy(&root.join("examples"), &folder.path().join("examples"));
    let programs = Path::new(env!("CARGO_BIN_EXE_ligament")).parent().expect("a folder");
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let commands = shown(&fs::read_to_string(root.join(name)).expect("readable"));
    for Shown { line, command, output } in &commands {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("exec 2>&1; {command}")]).current_dir(folder.path()).env("PATH", &path);
        let printed = shell.stdin(Stdio::null()).output().expect("a shell");
        let printed = stdout(&printed);
        let lines: Vec<&str> = printed.lines().map(str::trim_end).collect();
        let wanted: Vec<String> = output.iter().map(|line| line.trim_end().to_owned()).collect();
        assert!(
            is_as_shown(&wanted, &lines),
            "{name}:{line}: `{command}` is shown with\n{}\nand prints\n{printed}",
            output.join("\n")
        );
    }
    commands.len()
}

#[test]
fn the_tour_of_the_readme_can_be_typed() {
    assert!(run_document("README.md") >= 6);
}

#[test]
fn the_page_about_folders_can_be_typed() {
    assert!(run_document("docs/folders.md") >= 2);
}

#[test]
fn every_console_block_is_run() {
    let root = corpus::workspace();
    let documents = corpus::files_below(&root.join("docs")).into_iter().chain([root.join("README.md")]);
    let with_blocks = documents.filter(|path| {
        path.extension().is_some_and(|e| e == "md")
            && fs::read_to_string(path).expect("text").contains("```console")
    });
    let mut names: Vec<_> = with_blocks
        .map(|path| path.strip_prefix(&root).expect("in it").to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["README.md", "docs/folders.md"]);
}

#[test]
fn dots_stand_for_anything_and_nothing_else_does() {
    let shown = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(is_as_shown(&shown("a\n...\nb ..."), &["a", "x", "y", "b 0.1 s"]));
    assert!(is_as_shown(&shown("a\n..."), &["a"]));
    assert!(!is_as_shown(&shown("a"), &["a", "b"]));
    assert!(!is_as_shown(&shown("a\nb"), &["a"]));
    assert!(!is_as_shown(&shown("...\nb"), &["a", "c"]));
}
