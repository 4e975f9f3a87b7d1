//! One rule. Its options are those of the command line and are parsed by the same code, so that the two cannot differ.

use super::template::Template;
use super::{Faults, Wanted};
use crate::args::RuleArgs;
use crate::batch::find::{Pattern, glob};
use crate::batch::plan::{Job, Plan, extension, key, stays_in};
use crate::codes;
use clap::{ArgAction, CommandFactory, Parser};
use globset::GlobSet;
use ligament::ConvertOptions;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

/// The keys that are not options.
const OWN_KEYS: [&str; 3] = ["glob", "exclude", "output"];

/// A valid rule.
pub struct Rule {
    patterns: Vec<(Pattern, String, Range<usize>)>,
    excludes: Vec<GlobSet>,
    /// The options per output format, with its extension.
    targets: Vec<(ConvertOptions, &'static str)>,
    output: Template,
    output_span: Range<usize>,
}

type Words = Vec<(String, Range<usize>)>;

impl Rule {
    /// Reads a rule, and reports its faults.
    pub fn read(table: &DeTable, span: Range<usize>, folder: &Path, faults: &mut Faults) -> Option<Self> {
        let command = RuleArgs::command();
        let options: Vec<_> = command.get_arguments().filter(|arg| arg.get_long().is_some()).collect();
        let (mut globs, mut excludes, mut output) = (Words::new(), Words::new(), None);
        let (mut arguments, mut is_whole) = (Vec::new(), true);
        for (name, value) in table.iter() {
            let text = &**name.get_ref();
            let read = match text {
                "glob" => words(value.get_ref(), value.span()).map(|words| globs = words),
                "exclude" => words(value.get_ref(), value.span()).map(|words| excludes = words),
                "output" => {
                    value.get_ref().as_str().ok_or("expected a path in quotes".to_owned()).and_then(|text| {
                        output = Some((Template::new(text)?, value.span()));
                        Ok(())
                    })
                }
                _ => match options.iter().find(|arg| arg.get_long() == Some(text)) {
                    Some(arg) => argument(text, arg, value.get_ref()).map(|more| arguments.extend(more)),
                    None => {
                        let known = options.iter().filter_map(|arg| arg.get_long()).chain(OWN_KEYS);
                        faults.unknown(name.span(), text, known);
                        is_whole = false;
                        continue;
                    }
                },
            };
            if let Err(message) = read {
                faults.add(&codes::BAD_VALUE, value.span(), message);
                is_whole = false;
            }
        }
        for missing in ["glob", "to", "output"].iter().filter(|name| !table.contains_key(**name)) {
            faults.add(&codes::MISSING_KEY, span.clone(), format!("the rule has no `{missing}`"));
            is_whole = false;
        }
        if !is_whole {
            return None;
        }
        let mut compiled = Vec::new();
        let mut fault = |result: Result<(), String>, span: &Range<usize>| {
            if let Err(message) = result {
                faults.add(&codes::BAD_VALUE, span.clone(), message);
                is_whole = false;
            }
        };
        let mut patterns = Vec::new();
        for (word, span) in globs {
            let pattern = Pattern::new(Path::new(&word), folder);
            fault(pattern.map(|pattern| patterns.push((pattern, word, span.clone()))), &span);
        }
        for (word, span) in &excludes {
            fault(glob(word).map(|glob| compiled.push(glob)), span);
        }
        // Conflicts between options are found only by parsing all of them together.
        let options = match RuleArgs::try_parse_from(arguments) {
            Ok(args) => {
                let mut options = args.options.options();
                options.iter_mut().for_each(|options| options.operations.start_at(folder));
                Some(options)
            }
            Err(error) => {
                fault(Err(complaint(&error)), &span);
                None
            }
        };
        if !is_whole {
            return None;
        }
        let targets = options?.into_iter().map(|options| extension(&options).map(|known| (options, known)));
        let targets = targets.collect::<Option<_>>()?;
        let (output, output_span) = output?;
        Some(Self { patterns, excludes: compiled, targets, output, output_span })
    }

    /// Adds a job for every file that matches, except for outputs of earlier runs.
    pub fn plan(
        &self,
        folder: &Path,
        wanted: Wanted,
        written: &BTreeSet<String>,
        plan: &mut Plan,
        faults: &mut Faults,
    ) {
        let Wanted { keep_existing, allow_outside } = wanted;
        let targets = self.targets.iter().map(|(options, extension)| {
            (Arc::new(ConvertOptions { keep_existing, ..options.clone() }), *extension)
        });
        let targets: Vec<_> = targets.collect();
        for word in targets.iter().flat_map(|(options, _)| options.operations.words()) {
            Pattern::new(word, Path::new("")).iter().for_each(|pattern| plan.watch(pattern));
        }
        let mut known = BTreeSet::new();
        for (pattern, word, span) in &self.patterns {
            plan.watch(pattern);
            let is_written = |path: &Path| path.is_file() && written.contains(&key(path));
            let found = pattern.find(&is_written, &mut plan.unreadable);
            if found.is_empty() {
                let place = pattern.folder().display();
                let message = format!("no file matches {word:?} (looked in {place} and below)");
                faults.add(&codes::NO_MATCH, span.clone(), message);
            }
            for found in found {
                let relative = found.path.strip_prefix(folder).unwrap_or(&found.path);
                // Two patterns of a rule may match the same file.
                if self.excludes.iter().any(|glob| glob.is_match(relative))
                    || !known.insert(found.path.clone())
                {
                    continue;
                }
                for (options, extension) in &targets {
                    let output = folder.join(self.output.fill(&found, extension));
                    if !allow_outside && !stays_in(folder, &output) {
                        // Once is enough: the others follow the same pattern.
                        faults.outside(self.output_span.clone(), &found.path, &output);
                        return;
                    }
                    plan.jobs.push(Job { input: found.path.clone(), output, options: Arc::clone(options) });
                }
            }
        }
    }
}

/// One string or a list of strings.
fn words(value: &DeValue, span: Range<usize>) -> Result<Words, String> {
    let wrong = || "expected a pattern in quotes, or a list of them".to_owned();
    match value {
        DeValue::String(text) => Ok(vec![(text.to_string(), span)]),
        DeValue::Array(array) if !array.is_empty() => {
            array.iter().map(|v| Ok((v.get_ref().as_str().ok_or_else(wrong)?.to_owned(), v.span()))).collect()
        }
        _ => Err(wrong()),
    }
}

/// A key and its value as command line arguments, checked alone so that an error has its location.
fn argument(name: &str, arg: &clap::Arg, value: &DeValue) -> Result<Vec<String>, String> {
    let arguments = match (arg.get_action(), value) {
        (ArgAction::SetTrue, DeValue::Boolean(true)) => vec![format!("--{name}")],
        (ArgAction::SetTrue, DeValue::Boolean(false)) => Vec::new(),
        (ArgAction::SetTrue, _) => return Err("expected true or false".to_owned()),
        (ArgAction::Append, DeValue::Array(array)) if array.is_empty() => {
            return Err("the list is empty; expected at least one value".to_owned());
        }
        (ArgAction::Append, DeValue::Array(array)) => array
            .iter()
            .map(|value| plain(value.get_ref()).map(|value| format!("--{name}={value}")))
            .collect::<Result<_, _>>()?,
        (_, value) => vec![format!("--{name}={}", plain(value)?)],
    };
    RuleArgs::try_parse_from(&arguments).map(|_| arguments).map_err(|error| complaint(&error))
}

fn plain(value: &DeValue) -> Result<String, String> {
    match value {
        DeValue::String(text) => Ok(text.to_string()),
        DeValue::Integer(number) => Ok(number.to_string()),
        DeValue::Float(number) => Ok(number.to_string()),
        _ => Err("expected a string or a number".to_owned()),
    }
}

/// Clap's message in one line, without the parts that only make sense on a command line.
fn complaint(error: &clap::Error) -> String {
    let text = error.to_string();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines =
        lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"));
    lines.collect::<Vec<_>>().join("; ").trim_start_matches("error: ").replace("'--", "'")
}
