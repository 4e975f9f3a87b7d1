//! Builds the fuzz targets and runs libFuzzer.
//!
//! The flags are those with which rustc counts the edges of the control flow for libFuzzer. They are stable, so neither
//! nightly nor cargo-fuzz is needed; `cargo fuzz` understands the folder all the same.

use super::{MAX_LEN, error_at};
use crate::run::{Result, cargo, output, root, run};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing";

/// A target with more findings than this has a fault that must be fixed before fuzzing it further is of use.
const MOST_FINDINGS: usize = 20;

/// What a run of a target came to.
#[derive(Default)]
pub struct Outcome {
    pub seconds: u64,
    pub executions: u64,
    /// Edges of the control flow that were reached.
    pub edges: u64,
    /// Inputs that reach something which the others do not.
    pub inputs: u64,
    /// Inputs that broke a promise.
    pub findings: Vec<PathBuf>,
}

/// Builds all targets and returns the folder that they are in.
pub fn build() -> Result<PathBuf> {
    let version = output(&mut crate::run::command("rustc", &["-vV"]))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    let folder = root().join("target/fuzz");
    // With a named target, the flags do not apply to build scripts and macros.
    let arguments = ["build", "--release", "--locked", "--bins", "--manifest-path", "fuzz/Cargo.toml"];
    let mut build = cargo(&[&arguments[..], &["--target", host]].concat());
    run(build.env("RUSTFLAGS", FLAGS).env("CARGO_TARGET_DIR", &folder))?;
    Ok(folder.join(host).join("release"))
}

/// A fuzz target, ready to run.
pub struct Engine {
    name: &'static str,
    program: PathBuf,
}

impl Engine {
    pub fn new(programs: &Path, name: &'static str) -> Self {
        Self { name, program: programs.join(name) }
    }

    /// Runs the target for a while. After a finding it goes on with the remaining time.
    pub fn run(&self, corpora: &[&Path], seconds: u64) -> Result<Outcome> {
        let artifacts = root().join("fuzz/artifacts").join(self.name);
        let log = root().join("target/fuzz/logs").join(format!("{}.log", self.name));
        for folder in [Some(artifacts.as_path()), log.parent()].into_iter().flatten() {
            fs::create_dir_all(folder).map_err(|error| error_at("create", folder, error))?;
        }
        let before = files_in(&artifacts);
        let (start, mut outcome) = (Instant::now(), Outcome::default());
        while let Some(left) = Duration::from_secs(seconds).checked_sub(start.elapsed()) {
            // libFuzzer takes zero for no limit.
            let seconds = left.as_secs().max(1);
            let mut command = self.command(&log)?;
            command.args(corpora).arg(format!("-max_total_time={seconds}"));
            command.arg(format!("-artifact_prefix={}/", artifacts.display()));
            let status = command.status().map_err(|error| error_at("run", &self.program, error))?;
            outcome.add(&String::from_utf8_lossy(&fs::read(&log).unwrap_or_default()));
            let found = files_in(&artifacts).into_iter().filter(|path| !before.contains(path)).collect();
            let repeats = found == outcome.findings;
            outcome.findings = found;
            if status.success() || outcome.findings.len() >= MOST_FINDINGS {
                break;
            }
            if repeats {
                return Err(format!("{} ended with {status}; see {}", self.name, log.display()));
            }
        }
        outcome.seconds = start.elapsed().as_secs();
        Ok(outcome)
    }

    /// The program with the limits that every run has. Its output goes to a file.
    fn command(&self, log: &Path) -> Result<Command> {
        let folder = log.parent().unwrap_or(log);
        fs::create_dir_all(folder).map_err(|error| error_at("create", folder, error))?;
        let file = File::create(log).map_err(|error| error_at("create", log, error))?;
        let mut command = Command::new(&self.program);
        command.current_dir(root()).stderr(file).arg(format!("-max_len={MAX_LEN}"));
        command.args(["-timeout=10", "-rss_limit_mb=1024", "-malloc_limit_mb=256", "-print_final_stats=1"]);
        let words = root().join(format!("fuzz/dictionaries/{}.dict", self.name));
        if words.is_file() {
            command.arg(format!("-dict={}", words.display()));
        }
        Ok(command)
    }
}

impl Outcome {
    /// Adds what libFuzzer printed: lines like `#2048 NEW cov: 12 ft: 34 corp: 5/6b ...`, and the final statistics. A run
    /// that ends with a finding prints them, too.
    fn add(&mut self, log: &str) {
        let mut executions = 0;
        for line in log.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let number = |word: &str| word.split('/').next().and_then(|word| word.parse().ok()).unwrap_or(0);
            let after = |name| words.windows(2).find(|pair| pair[0] == name).map(|pair| number(pair[1]));
            if let Some(done) = line.strip_prefix('#').and_then(|rest| rest.split_whitespace().next()) {
                executions = number(done).max(executions);
                self.edges = self.edges.max(after("cov:").unwrap_or(0));
                self.inputs = self.inputs.max(after("corp:").unwrap_or(0));
            } else if let Some(done) = after("stat::number_of_executed_units:") {
                executions = done;
            }
        }
        self.executions += executions;
    }
}

/// The files of a folder, oldest name first.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    crate::corpus::files_below(folder)
}

#[cfg(test)]
mod tests {
    use super::Outcome;

    #[test]
    fn the_figures_of_several_runs_are_added_up() {
        let mut outcome = Outcome::default();
        outcome.add("INFO: Seed: 1\n#8 INITED cov: 100 ft: 200 corp: 3/40b exec/s: 0 rss: 40Mb\n#9\tNEW    cov: 120 ft: 230 corp: 4/55b lim: 9");
        outcome.add("#2\tINITED cov: 110 ft: 1 corp: 9/1Kb\nstat::number_of_executed_units: 1000\n");
        assert_eq!((outcome.executions, outcome.edges, outcome.inputs), (1009, 120, 9));
    }
}
