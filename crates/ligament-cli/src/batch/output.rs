//! Output of a batch: one line per file, its losses, and a table at the end.

use super::engine::Outcome;
use super::plan::Job;
use crate::args::TellArgs;
use crate::commands::convert::{base_json, side_files, summary, to_json};
use crate::commands::extend;
use crate::console::Console;
use crate::exit::Exit;
use crate::input::Input;
use crate::render::table::Table;
use crate::render::{markdown, report, style};
use indicatif::{ProgressBar, ProgressStyle};
use ligament::report::LossKind;
use ligament::{Error, Report};
use serde_json::{Value, json};
use std::io::IsTerminal;
use std::path::Path;
use std::time::{Duration, Instant};

/// Prints outcomes as they arrive, and counts them.
pub struct BatchOutput<'a> {
    console: &'a mut Console,
    args: &'a TellArgs,
    /// Whether to report a run in which nothing happened.
    pub tells_idle: bool,
    /// Files that were skipped because they are in the target format already.
    pub same_format: usize,
    bar: Option<ProgressBar>,
    begun: Instant,
    todo: usize,
    count: Count,
    table: Table,
    /// For `--report`.
    files: Vec<Value>,
    /// Outputs whose inputs are gone.
    left_over: Vec<String>,
    exit: Exit,
}

/// The largest number of outputs that are named; the rest is only counted.
const MOST_NAMED: usize = 8;

#[derive(Default)]
struct Count {
    done: usize,
    lossy: usize,
    unchanged: usize,
    failed: usize,
}

impl Count {
    fn all(&self) -> usize {
        self.done + self.unchanged + self.failed
    }
}

impl<'a> BatchOutput<'a> {
    pub fn new(console: &'a mut Console, args: &'a TellArgs) -> Self {
        Self {
            console,
            args,
            tells_idle: true,
            same_format: 0,
            bar: None,
            begun: Instant::now(),
            todo: 0,
            count: Count::default(),
            table: Table::new(&["file", "output", "result", ""]),
            files: Vec::new(),
            left_over: Vec::new(),
            exit: Exit::Done,
        }
    }

    /// Starts the progress bar.
    pub fn begin(&mut self, files: usize, bytes: u64) {
        self.todo = files;
        if files == 0 || self.args.quiet || !std::io::stderr().is_terminal() {
            return;
        }
        let bar = ProgressBar::new(bytes);
        bar.set_style(bar_style("[{bar:24}] {prefix} files  {wide_msg}"));
        bar.set_prefix(format!("0/{files}"));
        bar.enable_steady_tick(Duration::from_millis(200));
        self.bar = Some(bar);
    }

    /// Shows the file that is being converted.
    pub fn begun(&mut self, job: &Job) {
        if let Some(bar) = &self.bar {
            bar.set_message(style::safe(&job.input.display().to_string()));
        }
    }

    /// Advances the progress bar by a number of bytes.
    pub fn advance(&mut self, bytes: u64) {
        if let Some(bar) = &self.bar {
            bar.inc(bytes);
            // The remaining time can be estimated only after the first file.
            bar.set_style(bar_style("[{bar:24}] {prefix} files, {eta} left  {wide_msg}"));
            bar.set_prefix(format!("{}/{}", self.count.done + self.count.failed, self.todo));
        }
    }

    /// Reports one outcome.
    pub fn tell(&mut self, job: &Job, found: &Report, outcome: &Outcome) {
        let input = Input::new(&job.input);
        let lost = found.losses().iter().any(|loss| loss.kind != LossKind::Kept);
        let (exit, word) = match outcome {
            Outcome::Unchanged => (Exit::Done, "unchanged"),
            Outcome::Done(_) => (Exit::Done, "done"),
            Outcome::Failed(failure) => ((*failure).into(), "failed"),
        };
        match outcome {
            Outcome::Unchanged => self.count.unchanged += 1,
            Outcome::Done(_) => {
                self.count.done += 1;
                self.count.lossy += usize::from(lost);
            }
            Outcome::Failed(_) => self.count.failed += 1,
        }
        self.exit = self.exit.max(exit);
        let row = |result: &str, reason: String| {
            [
                style::safe(input.name()),
                style::safe(&job.output.display().to_string()),
                result.to_owned(),
                reason,
            ]
        };
        let text = match outcome {
            Outcome::Unchanged => String::new(),
            Outcome::Done(done) => {
                if lost {
                    self.table.row(row("losses", found.major_tally()));
                }
                if self.args.markdown {
                    let (input, output) = (input.name(), job.output.display().to_string());
                    markdown::conversion(input, &output, &done.conversion, found, self.args.verbose) + "\n"
                } else {
                    summary(&input, &job.output, &done.conversion, found)
                        + &side_files(&done.beside)
                        + &report::worries(found, self.args.verbose)
                }
            }
            Outcome::Failed(failure) => {
                let reason = Error::new(*failure, found.clone()).to_string();
                self.table.row(row("failed", style::safe(&reason)));
                report::failure(found, &input)
            }
        };
        let is_error = matches!(outcome, Outcome::Failed(_));
        if is_error || !self.args.quiet {
            self.say(&text, is_error);
        }
        if self.args.json || self.args.report.is_some() {
            let done = if let Outcome::Done(done) = outcome { Some(&**done) } else { None };
            let mut object = json!({ "result": word });
            extend(
                &mut object,
                match outcome {
                    // Nothing was converted, so there is no report.
                    Outcome::Unchanged => base_json(&input, &job.output, exit),
                    _ => to_json(&input, &job.output, exit, done, found),
                },
            );
            if self.args.json {
                let line = style::json_line(&object);
                self.console.raw(line.as_bytes());
            }
            if self.args.report.is_some() {
                self.files.push(object);
            }
        }
    }

    /// Prints text without disturbing the bar. With JSON on standard output, all text goes to standard error.
    fn say(&mut self, text: &str, is_error: bool) {
        if text.is_empty() {
            return;
        }
        let console = &mut *self.console;
        let to_error = is_error || self.args.json;
        let mut say = || if to_error { console.err(text) } else { console.out(text) };
        match &self.bar {
            Some(bar) => bar.suspend(say),
            None => say(),
        }
    }

    /// The worst exit code so far.
    pub fn exit(&self) -> Exit {
        self.exit
    }

    /// Records another failure.
    pub fn fail(&mut self, exit: Exit, text: &str) {
        self.say(text, true);
        self.exit = self.exit.max(exit);
    }

    /// Records outputs whose inputs are gone. They are reported but not deleted: they may still be wanted.
    pub fn left_over(&mut self, outputs: &[&Path]) {
        let here = std::env::current_dir().unwrap_or_default();
        let name = |path: &&Path| path.strip_prefix(&here).unwrap_or(path).display().to_string();
        self.left_over = outputs.iter().map(name).collect();
    }

    /// Reports an interruption, with the number of files that were not converted.
    pub fn interrupted(&mut self, left: usize) -> Exit {
        self.exit = Exit::Interrupted;
        let text = format!(
            "{}: {} not converted\n",
            style::error("interrupted"),
            style::counted(left, "file", "files")
        );
        self.say(&text, true);
        self.exit
    }

    /// Prints the table and the totals. Returns the report for `--report`.
    pub fn finish(mut self) -> (Exit, Value) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        let count = &self.count;
        let mut text = String::new();
        // In Markdown, each file has said enough.
        if !self.table.is_empty() && !self.args.markdown {
            text += &self.table.render();
        }
        if !self.left_over.is_empty() {
            let named = self.left_over.iter().take(MOST_NAMED).map(|name| style::safe(name));
            let more = self.left_over.len().saturating_sub(MOST_NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let outputs = style::counted(self.left_over.len(), "output was", "outputs were");
            let names = named.collect::<Vec<_>>().join(", ");
            text += &format!("{outputs} made from a file that is gone: {names}{more}\n");
        }
        let lossy = if count.lossy > 0 { format!(" ({} with losses)", count.lossy) } else { String::new() };
        let time = self.begun.elapsed();
        let skipped = match self.same_format {
            0 => String::new(),
            n => format!(", {n} skipped (already in the target format)"),
        };
        text += &format!(
            "{}: {} done{lossy}, {} unchanged, {} failed{skipped}   {:.1} s\n",
            style::bold(&style::counted(count.all(), "file", "files")),
            count.done,
            count.unchanged,
            count.failed,
            time.as_secs_f64()
        );
        let summary = json!({
            "ok": self.exit == Exit::Done,
            "exit": self.exit.name(),
            "summary": {
                "files": count.all(),
                "done": count.done,
                "with_losses": count.lossy,
                "unchanged": count.unchanged,
                "failed": count.failed,
                "skipped": self.same_format,
                "left_over": self.left_over,
                "seconds": time.as_secs_f64(),
            },
        });
        let is_idle = count.done + count.failed == 0 && self.exit == Exit::Done && !self.tells_idle;
        if self.args.json && !is_idle {
            let line = style::json_line(&summary);
            self.console.raw(line.as_bytes());
        }
        let is_quiet = self.args.quiet && self.exit == Exit::Done;
        if !is_quiet && !is_idle {
            self.say(&text, false);
        }
        let mut whole = summary;
        whole["files"] = Value::Array(self.files);
        (self.exit, whole)
    }
}

fn bar_style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.progress_chars("=> ")
}
