//! `cargo xtask fuzz`: runs the fuzz target of a format, or of a kind of compressed data, for a while.

use crate::corpus::{files_below, shared_files};
use crate::run::{Result, command, root, run, works};
use base64::Engine;
use ligament::formats::{FORMATS, Format, by_id};
use std::fs;
use std::path::Path;

/// Largest input. Small inputs find as many faults and run faster.
const MAX_LEN: u64 = 64 << 10;

/// What is fuzzed.
#[derive(Clone, Copy)]
enum Target {
    Format(&'static Format),
    Stream(&'static Stream),
}

impl Target {
    fn name(self) -> &'static str {
        match self {
            Target::Format(format) => format.id,
            Target::Stream(stream) => stream.name,
        }
    }
}

/// A kind of compressed data inside of models or beside them.
struct Stream {
    name: &'static str,
    seeds: Seeds,
}

enum Seeds {
    /// A list of streams: the last word of each line, in base64. The function makes the first bytes of a seed from the
    /// line's words.
    List(&'static str, fn(&[&str]) -> Vec<u8>),
    /// Files with an extension.
    Files(&'static [&'static str]),
}

static STREAMS: [Stream; 3] = [
    Stream { name: "draco", seeds: Seeds::List("draco_streams.txt", |_| Vec::new()) },
    Stream { name: "meshopt", seeds: Seeds::List("meshopt.txt", filter_stride_and_count) },
    Stream { name: "ktx2", seeds: Seeds::Files(&["ktx2"]) },
];

/// The bytes with which the target `meshopt` expects its input to start.
fn filter_stride_and_count(words: &[&str]) -> Vec<u8> {
    let filters = ["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"];
    let filter = filters.iter().position(|filter| *filter == words[1]).unwrap_or(0);
    let number = |word: &str| word.parse::<usize>().unwrap_or(0) as u8;
    vec![filter as u8, number(words[3]), number(words[2])]
}

/// The parsed arguments.
struct Options {
    target: Target,
    seconds: u64,
    jobs: u64,
}

/// Fuzzes one target. After a crash, the error says how to reproduce it.
pub fn fuzz(arguments: &[&str]) -> Result {
    let options = parse(arguments)?;
    let target = options.target.name();
    let tool = cargo_fuzz()?;
    let corpus = root().join("fuzz/corpus").join(target);
    let seeds = root().join("fuzz/corpus/seeds").join(target);
    let count = collect_seeds(options.target, &seeds)?;
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
    let known: Vec<_> = FORMATS.iter().map(|f| f.id).chain(STREAMS.iter().map(|s| s.name)).collect();
    let known = known.join(", ");
    let [name, rest @ ..] = arguments else { return Err(format!("name a target: {known}")) };
    let stream = || STREAMS.iter().find(|stream| stream.name == *name).map(Target::Stream);
    let target = by_id(name).map(Target::Format).or_else(stream);
    let target = target.ok_or_else(|| format!("there is no target `{name}`; expected one of: {known}"))?;
    let mut options = Options { target, seconds: 600, jobs: 1 };
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

/// Puts seeds into an empty folder, and returns their number.
fn collect_seeds(target: Target, into: &Path) -> Result<usize> {
    let _ = fs::remove_dir_all(into);
    fs::create_dir_all(into).map_err(|error| format!("cannot create {}: {error}", into.display()))?;
    match target {
        Target::Format(format) => Ok(copy_files(format.extensions, into)),
        Target::Stream(Stream { seeds: Seeds::Files(extensions), .. }) => Ok(copy_files(extensions, into)),
        Target::Stream(Stream { seeds: Seeds::List(list, head), .. }) => write_streams(list, *head, into),
    }
}

/// Writes the streams of a test's list.
fn write_streams(list: &str, head: fn(&[&str]) -> Vec<u8>, into: &Path) -> Result<usize> {
    let list = root().join("crates/ligament/tests/fixtures/gltf").join(list);
    let text =
        fs::read_to_string(&list).map_err(|error| format!("cannot read {}: {error}", list.display()))?;
    let mut count = 0;
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let bytes = base64::engine::general_purpose::STANDARD.decode(words[words.len() - 1]);
        let bytes = bytes.map_err(|error| format!("{}: {error}", list.display()))?;
        let seed = [head(&words), bytes].concat();
        if fs::write(into.join(format!("{count:03}")), seed).is_ok() {
            count += 1;
        }
    }
    Ok(count)
}

/// Copies every available small file with one of these extensions, and returns their number.
fn copy_files(extensions: &[&str], into: &Path) -> usize {
    let folders = ["examples", "crates/ligament/tests/fixtures", "corpus"];
    let mut files: Vec<_> = folders.iter().flat_map(|folder| files_below(&root().join(folder))).collect();
    files.extend(shared_files());
    let mut count = 0;
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let fits = extensions.iter().any(|e| name.ends_with(&format!(".{e}")));
        let small = fs::metadata(&path).is_ok_and(|file| file.len() <= MAX_LEN);
        if fits && small && fs::copy(&path, into.join(format!("{count:03}-{name}"))).is_ok() {
            count += 1;
        }
    }
    count
}
