//! `ligament validate`: shows every problem of every file.

mod github;
mod sarif;

use super::{extend, new_report, outcome, reading_json};
use crate::args::{Deny, ValidateArgs};
use crate::console::Console;
use crate::exit::Exit;
use crate::input::Input;
use crate::progress::Progress;
use crate::render::{report, style};
use ligament::compare::{CompareOptions, Deviation};
use ligament::convert::validate_from;
use ligament::formats::ReadOptions;
use ligament::report::Severity;
use ligament::scene::Counts;
use ligament::{Failure, Report};
use serde_json::{Value, json};
use std::path::Path;

pub fn run(args: &ValidateArgs, console: &mut Console) -> Exit {
    let options = args.read.options();
    let mut worst = Exit::Done;
    let annotates = github::is_workflow();
    let mut all = Vec::new();
    let mut valid = 0;
    for path in &args.files {
        let checked = Checked::new(path, &options, args.deny);
        worst = worst.max(checked.exit);
        valid += usize::from(checked.exit < Exit::Invalid);
        if args.json || args.sarif {
            all.push(checked);
            continue;
        }
        if checked.exit == Exit::Io {
            console.err(&report::failure(&checked.report, &checked.input));
        } else {
            console.out(&checked.text());
        }
        if annotates {
            console.out(&github::annotations(&checked.report));
        }
    }
    if args.sarif {
        console.json(&sarif::log(&all));
    } else if args.json {
        console.json(&all.iter().map(Checked::to_json).collect());
    } else if args.files.len() > 1 {
        let all = style::counted(args.files.len(), "file", "files");
        console.out(&format!("{all}: {valid} valid, {} not\n", args.files.len() - valid));
    }
    worst
}

fn refuses(deny: Deny, report: &Report) -> bool {
    let least = match deny {
        Deny::Warnings => Severity::Warning,
        Deny::Notes => Severity::Note,
    };
    report.diagnostics().iter().any(|diagnostic| diagnostic.severity >= least)
}

/// A file and the problems found in it.
struct Checked {
    name: String,
    input: Input,
    report: Report,
    found: Option<Found>,
    exit: Exit,
}

/// Format and contents of a readable file.
struct Found {
    format: &'static str,
    format_name: &'static str,
    dialect: &'static str,
    counts: Counts,
    /// How far the scene is from the file; `None` if it says all that the file does.
    reading: Option<Deviation>,
}

impl Checked {
    fn new(path: &Path, options: &ReadOptions, deny: Option<Deny>) -> Self {
        let mut report = new_report(options);
        let input = Input::new(path);
        let found = Self::read(&input, options, &mut report);
        let exit = match &found {
            Err(failure) => (*failure).into(),
            Ok(_) if report.has_errors() => Exit::Invalid,
            Ok(_) if deny.is_some_and(|deny| refuses(deny, &report)) => Exit::Check,
            Ok(_) => Exit::Done,
        };
        Self { name: path.display().to_string(), input, report, found: found.ok(), exit }
    }

    fn read(input: &Input, options: &ReadOptions, report: &mut Report) -> Result<Found, Failure> {
        let _progress = Progress::start(format!("reading {}", style::safe(input.name())), false);
        let source = input.source(&options.limits, report)?;
        let unwatched = ligament::progress::Progress::default();
        let imported = validate_from(source, input.path(), options, &unwatched, report)?;
        Ok(Found {
            format: imported.format.id,
            format_name: imported.format.name,
            dialect: imported.dialect,
            counts: imported.scene.counts(),
            reading: imported.model().reading_cost(&CompareOptions::default()),
        })
    }

    fn text(&self) -> String {
        let mut text = report::full(&self.report, &self.input);
        let verdict = match self.exit {
            Exit::Done => style::note("valid"),
            Exit::Check => style::error("denied"),
            Exit::Unsupported => style::error("unsupported"),
            _ => style::error("invalid"),
        };
        let mut parts = vec![format!("{}: {verdict}", style::bold(&style::safe(&self.name)))];
        if let Some(found) = &self.found {
            parts.push(found.format_name.to_owned());
            parts.push(found.counts.to_string());
            if let Some(worst) = &found.reading {
                parts.push(format!("worst deviation of reading {}", style::percent(worst.relative)));
            }
        }
        let tally = self.report.tally();
        if !tally.is_empty() {
            parts.push(tally);
        }
        text += &(parts.join("   ") + "\n");
        text += &report::losses(&self.report);
        text += &report::more(self.report.diagnostics().iter().filter(|d| d.severity > Severity::Note));
        text
    }

    fn to_json(&self) -> Value {
        let mut object = json!({ "file": self.name });
        extend(&mut object, outcome(self.exit));
        if let Some(found) = &self.found {
            extend(
                &mut object,
                json!({
                    "format": found.format,
                    "dialect": found.dialect,
                    "counts": found.counts.to_json(),
                }),
            );
            extend(&mut object, reading_json(found.reading.as_ref()));
        }
        extend(
            &mut object,
            json!({
                "errors": self.report.count(Severity::Error),
                "warnings": self.report.count(Severity::Warning),
                "notes": self.report.count(Severity::Note),
            }),
        );
        extend(&mut object, self.report.to_json());
        object
    }
}
