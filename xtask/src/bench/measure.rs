//! Times two programs alternately, so that other load on the machine affects both alike.

use crate::run::{Result, output, shown};
use std::process::Command;
use std::time::Instant;

/// The result of a comparison.
pub struct Compared {
    /// Shortest time of ours, in seconds.
    pub ours: f64,
    /// Shortest time of the baseline.
    pub baseline: f64,
    /// Median over the rounds of the baseline's time divided by ours: how many times as fast we are.
    pub ratio: f64,
}

/// Runs both alternately.
pub fn in_turns(
    rounds: usize,
    mut ours: impl FnMut() -> Result<f64>,
    mut baseline: impl FnMut() -> Result<f64>,
) -> Result<Compared> {
    let mut pairs = Vec::new();
    for _ in 0..rounds {
        pairs.push((ours()?, baseline()?));
    }
    Ok(Compared::of(pairs))
}

impl Compared {
    /// Summarises at least one round: the seconds of ours and of the baseline.
    pub fn of(pairs: Vec<(f64, f64)>) -> Self {
        let best = |pick: fn(&(f64, f64)) -> f64| pairs.iter().map(pick).fold(f64::INFINITY, f64::min);
        let mut ratios: Vec<f64> = pairs.iter().map(|(ours, baseline)| baseline / ours).collect();
        ratios.sort_by(f64::total_cmp);
        Self { ours: best(|p| p.0), baseline: best(|p| p.1), ratio: ratios[ratios.len() / 2] }
    }
}

/// The seconds that a program reports: a line `seconds N`.
pub fn told(command: &mut Command) -> Result<f64> {
    word_after(command, "seconds")
}

/// The seconds that a C program prints first (on standard error if its text goes to standard output), and its output.
pub fn printed(command: &mut Command) -> Result<(f64, Vec<u8>)> {
    let done = command.output().map_err(|error| format!("cannot run `{}`: {error}", shown(command)))?;
    let first = |bytes: &[u8]| String::from_utf8_lossy(bytes).split_whitespace().next()?.parse().ok();
    let seconds = if done.stderr.is_empty() { first(&done.stdout) } else { first(&done.stderr) };
    let seconds = seconds.filter(|_| done.status.success());
    Ok((seconds.ok_or_else(|| format!("`{}` did not print its seconds", shown(command)))?, done.stdout))
}

/// The number after a word at the start of a line of a program's output.
pub fn word_after(command: &mut Command, word: &str) -> Result<f64> {
    let text = output(command)?;
    let number =
        text.lines().find_map(|line| line.strip_prefix(word)?.split_whitespace().next()?.parse().ok());
    number.ok_or_else(|| format!("`{}` did not print `{word} N`", shown(command)))
}

/// The seconds of a whole process, from start to end.
pub fn whole(command: &mut Command) -> Result<f64> {
    let start = Instant::now();
    output(command)?;
    Ok(start.elapsed().as_secs_f64())
}
