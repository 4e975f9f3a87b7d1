//! `cargo xtask fuzz`: runs the fuzz targets of formats and of compressed data for a while, and prints what they came to.

mod engine;
mod seeds;
mod targets;

use crate::run::{Result, root};
use engine::{Engine, Outcome};
use std::fs;
use std::path::Path;
use targets::Target;

/// Largest input. Small inputs find as many faults and run faster.
const MAX_LEN: u64 = 64 << 10;

/// The parsed arguments.
struct Options {
    targets: Vec<Target>,
    seconds: u64,
}

/// Fuzzes one target or all in turn. Findings are an error that says where they are.
pub fn fuzz(arguments: &[&str]) -> Result {
    let options = parse(arguments)?;
    let programs = engine::build()?;
    let mut findings = Vec::new();
    println!(
        "\n{:10} {:>8} {:>12} {:>8} {:>8} {:>8} {:>9}",
        "target", "seconds", "executions", "per s", "edges", "inputs", "findings"
    );
    for target in options.targets {
        let outcome = run(&Engine::new(&programs, target.name()), target, options.seconds)?;
        print(target.name(), &outcome);
        findings.extend(outcome.findings);
    }
    if findings.is_empty() {
        return Ok(());
    }
    let name = |path: &Path| path.strip_prefix(root()).unwrap_or(path).display().to_string();
    let list: Vec<String> = findings.iter().map(|path| format!("  {}", name(path))).collect();
    let programs = name(&programs);
    Err(format!(
        "inputs that break a promise:\n{}\nTo reproduce one: {programs}/TARGET FILE",
        list.join("\n")
    ))
}

/// Fuzzes a target, starting from its seeds and from what earlier runs found.
fn run(engine: &Engine, target: Target, seconds: u64) -> Result<Outcome> {
    let corpus = root().join("fuzz/corpus").join(target.name());
    let seeds = root().join("target/fuzz/seeds").join(target.name());
    fs::create_dir_all(&corpus).map_err(|error| error_at("create", &corpus, error))?;
    seeds::collect(target, &seeds)?;
    engine.run(&[&corpus, &seeds], seconds)
}

fn print(name: &str, outcome: &Outcome) {
    let Outcome { seconds, executions, edges, inputs, findings } = outcome;
    let rate = executions / seconds.max(&1);
    println!("{name:10} {seconds:8} {executions:12} {rate:8} {edges:8} {inputs:8} {:9}", findings.len());
}

fn parse(arguments: &[&str]) -> Result<Options> {
    let [name, rest @ ..] = arguments else {
        return Err(format!("name a target, or --all: {}", Target::names()));
    };
    let targets = if *name == "--all" { Target::all() } else { vec![Target::named(name)?] };
    let mut options = Options { targets, seconds: 600 };
    for pair in rest.chunks(2) {
        let [name, value] = pair else { return Err(format!("`{}` needs a number", pair[0])) };
        let number: u64 = value.parse().map_err(|_| format!("`{name}` needs a number, not `{value}`"))?;
        options.seconds = match *name {
            "--seconds" => number,
            "--minutes" => number.saturating_mul(60),
            _ => return Err(format!("`{name}` is not an option; expected --minutes or --seconds")),
        };
    }
    Ok(options)
}

/// An error about a file or folder.
fn error_at(verb: &str, path: &Path, error: std::io::Error) -> String {
    format!("cannot {verb} {}: {error}", path.display())
}
