//! Runs other programs, and prints the commands and how they ended.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

/// The result of every chore; the error is a sentence for the user.
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

/// The cargo that runs this program.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = command(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()), arguments);
    // Set by `cargo run` for this program, not for those that it starts.
    command.env_remove("CARGO_MANIFEST_DIR").env_remove("CARGO_PKG_NAME");
    command
}

/// The command as typed in a shell.
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

/// Runs a command and returns its output. Its errors are shown only if it fails.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command.output().map_err(|error| format!("cannot run `{}`: {error}", shown(command)))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("`{}` ended with {}\n{errors}", shown(command), output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether a program works: `program --version` (or with the given arguments) succeeds.
pub fn works(program: &str, arguments: &[&str]) -> bool {
    let mut command = command(program, arguments);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Whether this is the CI run, where nothing may be skipped.
pub fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|v| v == "true" || v == "1")
}

/// Applies `work` to a few things in parallel, and returns the results in order.
pub fn at_once<T: Send, R: Send>(things: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let work = &work;
    std::thread::scope(|scope| {
        let threads: Vec<_> = things.into_iter().map(|thing| scope.spawn(move || work(thing))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<R>| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        threads.into_iter().map(join).collect()
    })
}

/// Steps that are announced and timed.
#[derive(Default)]
pub struct Steps {
    done: Vec<(String, Times)>,
}

/// How long something took: clock time, and processor time over all cores, which hardly depends on other load.
#[derive(Clone, Copy, Default)]
struct Times {
    clock: f64,
    processor: f64,
}

impl Times {
    fn shown(self) -> String {
        format!("{:7.1} s {:7.1} s", self.clock, self.processor)
    }
}

/// Processor time in seconds of this process and of the child processes it has waited for; 0 if unknown.
fn processor_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The second field is the program's name in parentheses; times are the 14th to 17th, in hundredths.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    fields.skip(11).take(4).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}

impl Steps {
    /// Runs one step; if it fails, so does the chore.
    pub fn step(&mut self, name: &str, body: impl FnOnce() -> Result) -> Result {
        println!("── {}. {name}", self.done.len() + 1);
        let (start, before) = (Instant::now(), processor_time());
        let outcome = body();
        let times = Times { clock: start.elapsed().as_secs_f64(), processor: processor_time() - before };
        println!("   {} after {:.1} s", if outcome.is_ok() { "done" } else { "failed" }, times.clock);
        self.done.push((name.to_owned(), times));
        outcome.map_err(|error| format!("{name}: {error}"))
    }

    /// Prints the steps and their times.
    pub fn summary(&self) {
        println!("\n       clock  processor");
        let mut total = Times::default();
        for (name, times) in &self.done {
            println!("   {}  {name}", times.shown());
            total.clock += times.clock;
            total.processor += times.processor;
        }
        println!("   {}  total", total.shown());
    }
}
