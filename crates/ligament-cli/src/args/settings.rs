//! Options made from the library's settings, one per row.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use ligament::ConvertOptions;
use ligament::settings::{Kind, Setting, general, settings};
use serde_json::Value;
use std::marker::PhantomData;
use std::sync::LazyLock;

/// The options for the settings that `W` selects, and the values that were given.
#[derive(Debug, Clone)]
pub struct Settings<W> {
    given: Vec<(&'static Setting, Value)>,
    which: PhantomData<W>,
}

/// Selects settings.
pub trait Which {
    /// The heading under which help shows them, if not among a command's own options.
    const HEADING: Option<&'static str> = None;

    fn takes(setting: &Setting) -> bool;
}

/// Settings for reading.
#[derive(Debug, Clone)]
pub struct Reading;

/// Settings for writing only.
#[derive(Debug, Clone)]
pub struct Writing;

/// Settings that only `convert` and rules have, because they make no sense for a single pose.
#[derive(Debug, Clone)]
pub struct Converting;

/// Whether existing files are replaced, which rules cannot set.
#[derive(Debug, Clone)]
pub struct Replacing;

impl Which for Reading {
    const HEADING: Option<&'static str> = Some("Reading");

    fn takes(setting: &Setting) -> bool {
        setting.is_read()
    }
}

impl Which for Writing {
    const HEADING: Option<&'static str> = Some("Writing");

    fn takes(setting: &Setting) -> bool {
        !Reading::takes(setting) && !Converting::takes(setting) && !Replacing::takes(setting)
    }
}

impl Which for Converting {
    fn takes(setting: &Setting) -> bool {
        [general::CLIPS.name, general::REENCODE.name].contains(&setting.name)
    }
}

impl Which for Replacing {
    fn takes(setting: &Setting) -> bool {
        setting.name == general::KEEP_EXISTING.name
    }
}

impl<W> Settings<W> {
    /// Applies the given values to the library's options.
    pub fn apply(&self, options: &mut ConvertOptions) {
        for (setting, value) in &self.given {
            // The option's parser has checked the value.
            let _ = setting.set(options, value);
        }
    }
}

impl<W: Which> Args for Settings<W> {
    fn augment_args(command: Command) -> Command {
        let taken = ROWS.iter().filter(|row| W::takes(row.setting));
        taken.fold(command, |command, row| command.arg(row.arg().help_heading(W::HEADING)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<W: Which> FromArgMatches for Settings<W> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let taken = settings().filter(|setting| W::takes(setting));
        let given = taken.filter_map(|setting| Some((setting, given(setting, matches)?))).collect();
        Ok(Self { given, which: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// A setting with the strings that clap borrows for as long as the program runs.
struct Row {
    setting: &'static Setting,
    long: String,
    default: Option<String>,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let default = |setting: &Setting| match setting.default_value() {
        Value::String(word) => Some(word),
        Value::Number(number) => number.as_f64().map(|number| number.to_string()),
        _ => None,
    };
    settings().map(|setting| Row { setting, long: setting.long(), default: default(setting) }).collect()
});

impl Row {
    fn arg(&'static self) -> Arg {
        let Setting { name, kind, value_name, needs, bare, .. } = *self.setting;
        let arg = Arg::new(name).long(self.long.as_str()).help(self.setting.long_help());
        let arg = match kind {
            Kind::Flag => return arg.action(ArgAction::SetTrue),
            Kind::Word(words) => {
                let words = words.iter().map(|(word, help)| PossibleValue::new(*word).help(*help));
                arg.value_parser(PossibleValuesParser::new(words).map(Value::from))
            }
            Kind::Texts => arg.action(ArgAction::Append),
            _ => arg.value_parser(move |text: &str| kind.parse(text)),
        };
        let arg = arg.value_name(value_name).default_value(self.default.as_deref());
        // The value comes after `=`: what follows a bare option is a file.
        let arg = match bare {
            Some(word) => arg.num_args(0..=1).require_equals(true).default_missing_value(word),
            None => arg,
        };
        // The needed flag is on by default, and giving its option turns it off.
        if let Some(needed) = needs { arg.conflicts_with(needed.name) } else { arg }
    }
}

/// The value that the command line gives for a setting.
fn given(setting: &Setting, matches: &ArgMatches) -> Option<Value> {
    match setting.kind {
        Kind::Flag => matches.get_flag(setting.name).then(|| Value::Bool(setting.default_value() != true)),
        Kind::Texts => {
            let texts = matches.get_many::<String>(setting.name)?;
            Some(texts.cloned().map(Value::from).collect())
        }
        _ => matches.get_one::<Value>(setting.name).cloned(),
    }
}
