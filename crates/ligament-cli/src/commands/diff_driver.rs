//! `ligament diff-driver`: shows git what is in models.

use crate::args::DiffDriverArgs;
use crate::batch::complain;
use crate::console::Console;
use crate::exit::Exit;
use crate::render::style;
use ligament::formats::FORMATS;
use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::Command;

/// What is set in git's configuration: `git diff` compares the texts that the first command prints, and `git difftool -t
/// ligament` runs the last.
const CONFIG: [(&str, &str); 3] = [
    ("diff.ligament.textconv", "ligament info --tree --text"),
    ("diff.ligament.cachetextconv", "false"),
    ("difftool.ligament.cmd", "ligament compare \"$LOCAL\" \"$REMOTE\""),
];

pub fn run(args: &DiffDriverArgs, console: &mut Console) -> Exit {
    if !args.install {
        let config = CONFIG.map(|(key, value)| format!("git config {key} '{value}'\n")).concat();
        console.out(&format!("{}{config}\n{}", heading("in the repository"), heading("in .gitattributes")));
        console.out(&attributes().concat());
        return Exit::Done;
    }
    match install() {
        Ok((path, added)) => {
            let path = style::safe(&path.display().to_string());
            console.out(&format!(
                "git's configuration is set, and {} to {path}\n`git diff` now shows what is in models, `git difftool -t ligament` \
                 what moved\n",
                style::counted(added, "line was added", "lines were added")
            ));
            Exit::Done
        }
        Err(message) => complain(Exit::Io, message, console),
    }
}

fn heading(text: &str) -> String {
    style::dim(&format!("# {text}")) + "\n"
}

/// A line of `.gitattributes` per extension.
fn attributes() -> Vec<String> {
    let extensions: BTreeSet<_> = FORMATS.iter().flat_map(|format| format.extensions).collect();
    extensions.into_iter().map(|extension| format!("*.{extension} diff=ligament\n")).collect()
}

/// Registers with the repository of the current folder. Returns its attributes file and the number of lines added to it.
fn install() -> Result<(PathBuf, usize), String> {
    let root = PathBuf::from(git(&["rev-parse", "--show-toplevel"])?.trim_end());
    for (key, value) in CONFIG {
        git(&["config", "--local", key, value])?;
    }
    let path = root.join(".gitattributes");
    let cannot = |what: &str, error: std::io::Error| format!("{}: cannot {what}: {error}", path.display());
    let mut text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(cannot("read", error)),
    };
    // A line about the same files says what the user wants, whatever it is.
    let known: BTreeSet<String> =
        text.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect();
    let is_new =
        |line: &String| line.split_whitespace().next().is_some_and(|pattern| !known.contains(pattern));
    let new: Vec<String> = attributes().into_iter().filter(is_new).collect();
    if !new.is_empty() {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text += &new.concat();
        fs::write(&path, text).map_err(|error| cannot("write", error))?;
    }
    Ok((path, new.len()))
}

fn git(args: &[&str]) -> Result<String, String> {
    let output =
        Command::new("git").args(args).output().map_err(|error| format!("cannot run git: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("git {}: {}", args.join(" "), String::from_utf8_lossy(&output.stderr).trim()))
}
