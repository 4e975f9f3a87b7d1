//! One file per command. A command writes its results to the console and returns the exit code.

mod build;
mod compare;
pub mod convert;
mod diff_driver;
mod exhibit;
mod explain;
mod formats;
mod info;
mod init;
mod plan;
mod pose;
#[cfg(feature = "render")]
mod render;
mod resolve;
mod rig;
mod shell;
mod validate;
#[cfg(feature = "view")]
mod view;

use crate::args::Command;
use crate::console::Console;
use crate::exit::Exit;
use crate::fence::fenced;
use crate::input::Input;
use crate::progress::Progress;
use ligament::compare::{CompareOptions, Deviation};
use ligament::convert::{Imported, read_from};
use ligament::facts::facts;
use ligament::formats::ReadOptions;
use ligament::io::Folder;
use ligament::report::{Diagnostic, Place, Severity};
use ligament::{Failure, Report};
use serde_json::{Value, json};
use std::sync::Arc;

/// Runs a command.
pub fn run(command: Command, console: &mut Console) -> Exit {
    match command {
        Command::Convert(args) => convert::run(&args, console),
        Command::Build(args) => build::run(&args, console),
        Command::Init(args) => init::run(&args, console),
        Command::Info(args) => info::run(&args, console),
        Command::Validate(args) => validate::run(&args, console),
        Command::Compare(args) => compare::run(&args, console),
        Command::Rig(args) => rig::run(&args, console),
        Command::Pose(args) => pose::run(&args, console),
        #[cfg(feature = "render")]
        Command::Render(args) => render::run(&args, console),
        #[cfg(feature = "view")]
        Command::View(args) => view::run(&args, console),
        Command::DiffDriver(args) => diff_driver::run(&args, console),
        Command::Formats(args) => formats::run(&args, console),
        Command::Explain(args) => explain::run(&args, console),
        Command::Completions(args) => shell::completions(args.shell, console),
        Command::Man(args) => shell::man(&args.folder, console),
    }
}

/// A file that was read.
struct Loaded<'a> {
    imported: Imported,
    bytes: u64,
    folder: Arc<dyn Folder + Send + Sync + 'a>,
}

impl Loaded<'_> {
    /// What is in it.
    fn facts(&self, name: &str) -> Value {
        facts(name, self.bytes, &self.imported, &*self.folder)
    }

    /// How far the scene is from the file; `None` if it says all that the file does.
    fn reading_cost(&self) -> Option<Deviation> {
        self.imported.model().reading_cost(&CompareOptions::default())
    }
}

/// Reads an input into a scene.
fn load<'a>(input: &'a Input, options: &ReadOptions, report: &mut Report) -> Result<Loaded<'a>, Failure> {
    let _progress = Progress::start(format!("reading {}", crate::render::style::safe(input.name())), false);
    fenced(report, |report| {
        let source = input.source(&options.limits, report)?;
        let (bytes, folder) = (source.content.len(), Arc::clone(&source.folder));
        let unwatched = ligament::progress::Progress::default();
        let imported = read_from(source, input.path(), options, &unwatched, report)?;
        Ok(Loaded { imported, bytes, folder })
    })
}

/// `{"reading": ..}`: how far the scene is from the file, or `null` if it says all that the file does.
fn reading_json(worst: Option<&Deviation>) -> Value {
    json!({ "reading": worst.map(Deviation::to_json) })
}

/// An empty report with the limits of `options`.
fn new_report(options: &ReadOptions) -> Report {
    Report::new("", options.limits.max_diagnostics)
}

/// Adds an error that the command itself found in a file.
fn complain(
    report: &mut Report,
    file: &str,
    code: &'static ligament::report::Code,
    message: String,
    help: &str,
) {
    report.set_file(file);
    report.push(Diagnostic::new(Severity::Error, code, Place::WHOLE, message).help(help));
}

/// Adds the members of one JSON object to another.
pub fn extend(object: &mut Value, more: Value) {
    if let (Value::Object(object), Value::Object(more)) = (object, more) {
        object.extend(more);
    }
}

/// `{"ok": .., "exit": ..}`: the beginning of every JSON result of a command that can fail.
fn outcome(exit: Exit) -> Value {
    json!({ "ok": exit == Exit::Done, "exit": exit.name() })
}
