//! `cargo xtask fuzz`: runs a format's fuzz target for a while.

use crate::corpus::{files_below, shared_files};
use crate::run::{Result, command, root, run, works};
use ligament::formats::{FORMATS, Format, by_id};
use std::fs;
use std::path::Path;

/// Largest input. Small inputs find as many faults and run faster.
const MAX_LEN: u64 = 64 << 10;

/// The parsed arguments.
struct Options {
    format: &'static Format,
    seconds: u64,
    jobs: u64,
}

/// Fuzzes one format. After a crash, the error says how to reproduce it.
pub fn fuzz(arguments: &[&str]) -> Result {
    let options = parse(arguments)?;
    let target = options.format.id;
    let tool = cargo_fuzz()?;
    let corpus = root().join("fuzz/corpus").join(target);
    let seeds = root().join("fuzz/corpus/seeds").join(target);
    let count = collect_seeds(options.format, &seeds)?;
    fs::create_dir_all(&corpus).map_err(|error| format!("cannot create {}: {error}", corpus.display()))?;
    println!("   starting from {count} files; new inputs are kept in fuzz/corpus/{target}");

    let mut fuzz = command(&tool, &["fuzz", "run", target]);
    fuzz.args([&corpus, &seeds]).arg("--");
    fuzz.arg(format!("-max_total_time={}", options.seconds)).arg(format!("-max_len={MAX_LEN}"));
    fuzz.args(["-timeout=10", "-rss_limit_mb=1024", "-malloc_limit_mb=256", "-print_final_stats=1"]);
    if options.jobs > 1 {
        fuzz.arg(format!("-fork={}", options.jobs));
    }
    // Otherwise cargo-fuzz would use the stable cargo that runs this program.
    fuzz.env_remove("CARGO")
        .env("RUSTUP_TOOLCHAIN", "nightly")
        .env("CARGO_TARGET_DIR", root().join("target/fuzz"));
    run(&mut fuzz).map_err(|error| {
        let reproduce = format!("cargo +nightly fuzz run {target} fuzz/artifacts/{target}/FILE");
        format!("{error}\nThe input is the newest file in fuzz/artifacts/{target}. To reproduce it:\n  {reproduce}")
    })
}

fn parse(arguments: &[&str]) -> Result<Options> {
    let known: Vec<_> = FORMATS.iter().map(|f| f.id).collect();
    let known = known.join(", ");
    let [format, rest @ ..] = arguments else { return Err(format!("name a format: {known}")) };
    let format =
        by_id(format).ok_or_else(|| format!("there is no format `{format}`; expected one of: {known}"))?;
    let mut options = Options { format, seconds: 600, jobs: 1 };
    for pair in rest.chunks(2) {
        let [name, value] = pair else { return Err(format!("`{}` needs a number", pair[0])) };
        let number = value.parse().map_err(|_| format!("`{name}` needs a number, not `{value}`"))?;
        match *name {
            "--seconds" => options.seconds = number,
            "--jobs" => options.jobs = number,
            _ => return Err(format!("`{name}` is not an option; expected --seconds or --jobs")),
        }
    }
    Ok(options)
}

/// The cargo-fuzz program, installed into `target/tools` if it is missing.
fn cargo_fuzz() -> Result<String> {
    if !works("rustc", &["+nightly", "--version"]) {
        return Err("fuzzing needs the nightly toolchain: `rustup toolchain install nightly`".into());
    }
    if works("cargo-fuzz", &["fuzz", "--version"]) {
        return Ok("cargo-fuzz".into());
    }
    let tools = root().join("target/tools");
    let program = tools.join("bin/cargo-fuzz").display().to_string();
    if !works(&program, &["fuzz", "--version"]) {
        println!("   cargo-fuzz is missing; installing it into target/tools");
        let mut install = command("cargo", &["install", "cargo-fuzz", "--locked", "--root"]);
        run(install.arg(&tools))?;
    }
    Ok(program)
}

/// Copies every available small file of the format into one folder, and returns their number.
fn collect_seeds(format: &Format, into: &Path) -> Result<usize> {
    let _ = fs::remove_dir_all(into);
    fs::create_dir_all(into).map_err(|error| format!("cannot create {}: {error}", into.display()))?;
    let folders = ["examples", "crates/ligament/tests/fixtures", "corpus"];
    let mut files: Vec<_> = folders.iter().flat_map(|folder| files_below(&root().join(folder))).collect();
    files.extend(shared_files());
    let mut count = 0;
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let fits = format.extensions.iter().any(|e| name.ends_with(&format!(".{e}")));
        let small = fs::metadata(&path).is_ok_and(|file| file.len() <= MAX_LEN);
        if fits && small && fs::copy(&path, into.join(format!("{count:03}-{name}"))).is_ok() {
            count += 1;
        }
    }
    Ok(count)
}
