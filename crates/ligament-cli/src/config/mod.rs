//! `ligament.toml`: rules that say which files are converted, into which formats, and where the results go.
//!
//! ```toml
//! [[rule]]
//! glob = ["art/**/*.glb", "art/**/*.bgl"]
//! exclude = "art/old/**"
//! to = "apg"
//! max-error = "0.01%"
//! output = "assets/{dir}/{stem}.{ext}"
//! ```

mod rule;
mod template;

use crate::batch::Cache;
use crate::batch::plan::Plan;
use crate::codes;
use ligament::internal::most_similar;
use ligament::report::{Diagnostic, Place, Severity};
use ligament::{Failure, Report};
use rule::Rule;
use std::ops::Range;
use std::path::Path;
use toml::de::{DeTable, DeValue};

/// What the command line says about outputs.
#[derive(Clone, Copy)]
pub struct Wanted {
    /// Existing files are not replaced.
    pub keep_existing: bool,
    /// Outputs may be outside of the folder of the rules.
    pub allow_outside: bool,
}

/// Reads the rules in `path` and plans their conversions.
pub fn plan(path: &Path, wanted: Wanted, cache: &Cache, report: &mut Report) -> Result<Plan, Failure> {
    let name = path.display().to_string();
    report.set_file(&name);
    let text = std::fs::read(path).map_err(|error| {
        let code = &ligament::io::codes::CANNOT_READ;
        let found = Diagnostic::new(
            Severity::Error,
            code,
            Place::WHOLE,
            match error.kind() {
                std::io::ErrorKind::NotFound => "cannot read: there is no such file".to_owned(),
                _ => format!("cannot read: {error}"),
            },
        );
        let help = "`ligament init` writes one to start from; --config names another file";
        report.push(found.help(help));
        Failure::Io
    })?;
    let mut faults = Faults::new(&text, report);
    let text = match std::str::from_utf8(&text) {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to();
            faults.add(&codes::SYNTAX, at..at + 1, "this is not UTF-8".into());
            return Err(Failure::Usage);
        }
    };
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let span = error.span().unwrap_or(0..0);
        faults.add(&codes::SYNTAX, span, error.message().replace('\n', ", "));
    }
    if !errors.is_empty() {
        return Err(Failure::Usage);
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let rules = rules(table.get_ref(), folder, &mut faults);
    let mut plan = Plan::default();
    let written = cache.all_outputs();
    for rule in &rules {
        rule.plan(folder, wanted, &written, &mut plan, &mut faults);
    }
    if faults.report.has_errors() { Err(Failure::Usage) } else { Ok(plan) }
}

fn rules(table: &DeTable, folder: &Path, faults: &mut Faults) -> Vec<Rule> {
    let mut rules = Vec::new();
    for (key, value) in table.iter() {
        if key.get_ref() != "rule" {
            faults.unknown(key.span(), key.get_ref(), ["rule"].into_iter());
            continue;
        }
        let DeValue::Array(array) = value.get_ref() else {
            faults.add(&codes::BAD_VALUE, key.span(), "rules are written with two brackets: [[rule]]".into());
            continue;
        };
        for entry in array.iter() {
            match entry.get_ref() {
                DeValue::Table(table) => rules.extend(Rule::read(table, entry.span(), folder, faults)),
                _ => faults.add(&codes::BAD_VALUE, entry.span(), "expected a table, [[rule]]".into()),
            }
        }
    }
    if rules.is_empty() && !faults.report.has_errors() {
        faults.add(&codes::MISSING_KEY, 0..0, "there is no [[rule]]".into());
    }
    rules
}

/// Reports faults with their location in the text.
pub struct Faults<'a> {
    /// The offset of each line.
    line_starts: Vec<usize>,
    report: &'a mut Report,
}

impl<'a> Faults<'a> {
    fn new(text: &[u8], report: &'a mut Report) -> Self {
        let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(end, _)| end + 1);
        Self { line_starts: std::iter::once(0).chain(ends).collect(), report }
    }
}

impl Faults<'_> {
    pub fn add(&mut self, code: &'static ligament::report::Code, span: Range<usize>, message: String) {
        self.push(code, span, message, None);
    }

    /// An output that leaves the folder of the rules.
    fn outside(&mut self, span: Range<usize>, input: &Path, output: &Path) {
        let message = format!(
            "{} would be written to {}, outside of the folder of the rules",
            input.display(),
            output.display()
        );
        let help = "choose a path inside, or run `ligament build --allow-outside` if you trust these rules";
        self.push(&codes::OUTSIDE, span, message, Some(help.to_owned()));
    }

    fn unknown<'k>(&mut self, span: Range<usize>, key: &str, known: impl Iterator<Item = &'k str>) {
        // Underscores are taken for dashes.
        let help =
            most_similar(&key.replace('_', "-"), known).map(|known| format!("did you mean `{known}`?"));
        self.push(&codes::UNKNOWN_KEY, span, format!("there is no key `{key}`"), help);
    }

    fn push(
        &mut self,
        code: &'static ligament::report::Code,
        span: Range<usize>,
        message: String,
        help: Option<String>,
    ) {
        let line = self.line_starts.partition_point(|&start| start <= span.start);
        let column = span.start - line.checked_sub(1).map_or(0, |before| self.line_starts[before]) + 1;
        let place = Place::text(span, line as u32, column as u32);
        let mut diagnostic = Diagnostic::new(Severity::Error, code, place, message);
        diagnostic.help = help;
        self.report.push(diagnostic);
    }
}
