//! The real binary, as a shell would run it: exit codes, output on both streams, and files left behind.

mod building;
mod checks;
mod converting;
#[path = "../../../ligament/tests/support/corpus.rs"]
#[allow(dead_code)] // shared with the library's tests
mod corpus;
mod depfiles;
mod faults;
mod folders;
mod html;
mod limits;
mod listings;
mod messages;
mod outputs;
mod rendering;
mod rigs;
mod running;
mod settings;
mod streams;
mod tour;
mod window;

use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const COMMANDS: [&str; 15] = [
    "convert",
    "build",
    "init",
    "info",
    "validate",
    "compare",
    "rig",
    "pose",
    "render",
    "view",
    "diff-driver",
    "formats",
    "explain",
    "completions",
    "man",
];

/// A folder with copies of some models, so that a test may write beside them.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let models = corpus::corpus("own/pfobj");
    for name in ["bend_tube.pfobj", "tube.png", "multi_mat_cube.pfobj"] {
        fs::copy(models.join(name), folder.path().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    folder
}

fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ligament"));
    command
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("GITHUB_ACTIONS")
        .stdin(Stdio::null());
    command
}

fn run<S: AsRef<OsStr>>(folder: &TempDir, args: impl IntoIterator<Item = S>) -> Output {
    command(folder.path()).args(args).output().expect("the binary runs")
}

/// Runs a command line that is split at spaces.
fn ligament(folder: &TempDir, line: &str) -> Output {
    run(folder, line.split_whitespace())
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// Checks the exit code, and that errors and only errors go to standard error.
#[track_caller]
fn expect(output: &Output, code: i32) {
    let both = format!("stdout: {}\nstderr: {}", stdout(output), stderr(output));
    assert_eq!(output.status.code(), Some(code), "{both}");
    if code == 0 {
        assert_eq!(stderr(output), "", "{both}");
    }
}

#[track_caller]
fn expect_error(output: &Output, code: i32, pieces: &[&str]) {
    expect(output, code);
    for piece in pieces {
        assert!(stderr(output).contains(piece), "{piece:?} is not in: {}", stderr(output));
    }
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", stdout(output)))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let mut names: Vec<_> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn write(folder: &TempDir, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, content).expect("written");
    path
}
