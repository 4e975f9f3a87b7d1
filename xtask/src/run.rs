//! Running other programs, with what is run and how it ended said aloud.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What every chore returns; the error is a sentence for the person who ran it.
pub type Result<T = ()> = std::result::Result<T, String>;

/// The workspace's folder.
pub fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    here.parent().map_or(here.clone(), |parent| parent.to_owned())
}

/// A command that runs in the workspace's folder.
pub fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

/// The cargo that runs us.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = command(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()), arguments);
    // Set by `cargo run` for this program, not for those that it starts.
    command.env_remove("CARGO_MANIFEST_DIR").env_remove("CARGO_PKG_NAME");
    command
}

/// The command as one would type it.
pub fn shown(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let mut words = vec![program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|a| a.to_string_lossy().into_owned()));
    words.join(" ")
}

/// Runs a command with its output shown.
pub fn run(command: &mut Command) -> Result {
    println!("   $ {}", shown(command));
    let status = command.status().map_err(|error| format!("cannot run `{}`: {error}", shown(command)))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` ended with {status}", shown(command))) }
}

/// Runs a command and returns what it printed. Its errors are shown only if it fails.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command.output().map_err(|error| format!("cannot run `{}`: {error}", shown(command)))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("`{}` ended with {}\n{errors}", shown(command), output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether a program can be started: `program --version` (or the given arguments) ends well.
pub fn works(program: &str, arguments: &[&str]) -> bool {
    let mut command = command(program, arguments);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Whether this is the CI run, where nothing may be skipped.
pub fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|v| v == "true" || v == "1")
}

/// Steps that are announced and timed.
#[derive(Default)]
pub struct Steps {
    done: Vec<(String, Duration)>,
}

impl Steps {
    /// Runs one step; its failure is the chore's.
    pub fn step(&mut self, name: &str, body: impl FnOnce() -> Result) -> Result {
        println!("── {}. {name}", self.done.len() + 1);
        let start = Instant::now();
        let outcome = body();
        let time = start.elapsed();
        println!("   {} after {:.1} s", if outcome.is_ok() { "done" } else { "failed" }, time.as_secs_f64());
        self.done.push((name.to_owned(), time));
        outcome.map_err(|error| format!("{name}: {error}"))
    }

    /// What was done and how long it took.
    pub fn summary(&self) {
        println!();
        for (name, time) in &self.done {
            println!("   {:7.1} s  {name}", time.as_secs_f64());
        }
        let total: Duration = self.done.iter().map(|(_, time)| *time).sum();
        println!("   {:7.1} s  in all", total.as_secs_f64());
    }
}
