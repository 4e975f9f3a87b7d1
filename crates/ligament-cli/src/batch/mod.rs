//! Many conversions at once: `ligament build`, and `ligament convert` with an output folder.
//!
//! | file | what |
//! |---|---|
//! | `find.rs` | finds the input files |
//! | `plan.rs` | all inputs and outputs, checked before any work |
//! | `engine.rs` | converts what changed, on all cores, with results that do not depend on their number |
//! | `workers.rs` | the threads |
//! | `tracked.rs` | one conversion that records what it read and wrote |
//! | `cache.rs`, `fingerprint.rs` | records of earlier runs, and whether they are still valid |
//! | `output.rs` | messages, tables and JSON |
//! | `depfile.rs` | dependencies for make and ninja |
//! | `own_files.rs` | reports and depfiles that would replace a model |
//! | `watch.rs` | waits until a file is saved |

mod cache;
pub mod depfile;
mod engine;
pub mod find;
mod fingerprint;
mod output;
pub mod own_files;
pub mod plan;
pub mod tracked;
mod watch;
mod workers;

pub use cache::Cache;

use crate::args::{RunArgs, TellArgs};
use crate::console::Console;
use crate::exit::Exit;
use crate::interrupt;
use crate::render::style;
use engine::Settings;
use ligament::io::FileOutput;
use output::BatchOutput;
use plan::Plan;
use std::fmt::Display;
use std::path::Path;
use watch::Watch;

/// Makes a new plan before each run. If it fails, it has already reported why.
pub type Planner<'a> = dyn FnMut(&Cache, &mut Console) -> Result<Plan, Exit> + 'a;

/// Runs the planner's plan, once or whenever a file is saved. The cache is in `folder`; the plan itself depends on the
/// file `cause`.
pub fn run(
    args: &RunArgs,
    tell: &TellArgs,
    folder: Option<&Path>,
    cause: Option<&Path>,
    planner: &mut Planner,
    console: &mut Console,
) -> Exit {
    interrupt::catch();
    let mut cache = Cache::open(folder);
    if !args.watch {
        let planned = planner(&cache, console).and_then(|plan| checked(plan, cause, args, tell, console));
        return match planned {
            Ok(plan) => once(&plan, cause, args, tell, &mut cache, true, console),
            Err(exit) => exit,
        };
    }
    let watch = match Watch::new() {
        Ok(watch) => watch,
        Err(error) => return complain(Exit::Io, format!("cannot watch files: {error}"), console),
    };
    if let Some(cause) = cause {
        watch.look_at_file(cause);
    }
    let mut first = true;
    loop {
        match planner(&cache, console).and_then(|plan| checked(plan, cause, args, tell, console)) {
            Ok(plan) => {
                // Before the work, so that files saved meanwhile are noticed.
                watch.look_at(&plan);
                let exit = once(&plan, cause, args, tell, &mut cache, first, console);
                if exit == Exit::Interrupted {
                    return exit;
                }
                if first && !tell.quiet {
                    console.err(&style::dim("watching for changes (Ctrl-C to stop)\n"));
                }
            }
            // A faulty plan may be fixed by a later save, but only if files are being watched already.
            Err(exit) if watch.is_idle() => return exit,
            Err(_) => {}
        }
        first = false;
        if watch.wait(&cache.all_outputs()).is_err() {
            return Exit::Interrupted;
        }
    }
}

/// The requested number of threads. The parts of large files are spread over the same number.
pub fn threads(args: &RunArgs) -> usize {
    match args.jobs {
        Some(jobs) => {
            ligament::internal::start_threads(Some(jobs));
            jobs.get()
        }
        None => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
    }
}

fn checked(
    plan: Plan,
    cause: Option<&Path>,
    args: &RunArgs,
    tell: &TellArgs,
    console: &mut Console,
) -> Result<Plan, Exit> {
    let files = plan.jobs.iter().flat_map(|job| [("the input", &*job.input), ("the output", &*job.output)]);
    let files = files.chain(cause.map(|cause| ("the rules", cause)));
    let own = [("--report", tell.report.as_deref()), ("--depfile", args.depfile.as_deref())];
    match plan.check().and_then(|()| own_files::check(&own, files)) {
        Ok(()) => Ok(plan),
        Err(message) => Err(complain(Exit::Usage, message, console)),
    }
}

fn once(
    plan: &Plan,
    cause: Option<&Path>,
    args: &RunArgs,
    tell: &TellArgs,
    cache: &mut Cache,
    tells_idle: bool,
    console: &mut Console,
) -> Exit {
    let settings = Settings { threads: threads(args), force: args.force && tells_idle };
    let mut output = BatchOutput::new(console, tell);
    output.tells_idle = tells_idle;
    output.same_format = plan.same_format.len();
    for what in &plan.unreadable {
        output.fail(Exit::Io, &problem(format!("cannot search {what}")));
    }
    let exit = engine::run(plan, &settings, cache, &mut output);
    output.left_over(&cache.left_over());
    if let Err(error) = cache.save() {
        output.fail(Exit::Io, &problem(format!("cannot write the cache: {error}")));
    }
    if let Some(path) = args.depfile.as_deref().filter(|_| exit != Exit::Interrupted)
        && let Err(error) = write_depfile(path, plan, cause, cache)
    {
        output.fail(Exit::Io, &problem(format!("{}: cannot write: {error}", path.display())));
    }
    let (mut exit, report) = output.finish();
    if let Some(path) = tell.report.as_deref().filter(|_| exit != Exit::Interrupted)
        && let Err(error) = depfile::write(path, &style::json(&report))
    {
        exit = exit.max(complain(Exit::Io, format!("{}: cannot write: {error}", path.display()), console));
    }
    exit
}

fn write_depfile(path: &Path, plan: &Plan, cause: Option<&Path>, cache: &Cache) -> std::io::Result<()> {
    let records: Vec<_> = cache.of_plan(plan).collect();
    let outputs = depfile::present(records.iter().flat_map(|record| &record.outputs));
    let inputs = depfile::present(records.iter().flat_map(|record| &record.read));
    depfile::write(path, &depfile::rule(outputs, inputs.chain(cause)))
}

/// Creates a folder and checks that it is writable.
pub fn prepare_folder(folder: &Path, console: &mut Console) -> Result<(), Exit> {
    // The temporary file of an output that is never written.
    let made = std::fs::create_dir_all(folder)
        .and_then(|()| FileOutput::create(&folder.join(".ligament-test")).map(drop));
    made.map_err(|error| complain(Exit::Io, format!("{}: cannot write: {error}", folder.display()), console))
}

/// Reports an error before any work was done.
pub fn complain(exit: Exit, message: impl Display, console: &mut Console) -> Exit {
    console.err(&problem(message));
    exit
}

fn problem(message: impl Display) -> String {
    format!("{}: {}\n", style::error("error"), style::safe(&message.to_string()))
}
