//! Everything that can be set by name, one row per setting.
//!
//! The options of the command line, the keys of a `ligament.toml`, the keywords of the Python module, the panels of
//! other programs and the tables of the manual are made from these rows. A row knows where its value is stored, so a
//! setting is added in one place: its row.
//!
//! | file | what it holds |
//! |---|---|
//! | `general.rs` | rows that apply to every format, or to every format that supports the feature they are about |
//! | `shared.rs` | rows for peculiarities of several formats |
//! | `own.rs` | the values of settings that only some formats have |
//! | `value.rs` | kinds of values: how they are checked, and which Rust types have them |
//!
//! The row of a setting that only one format has is in that format's folder. A format lists the rows of its
//! peculiarities in [`Format::settings`](crate::formats::Format::settings).
//!
//! ```
//! use ligament::ConvertOptions;
//!
//! let mut options = ConvertOptions::default();
//! options.set("influences", 4)?;
//! options.set("bind", "first-key")?;
//! assert_eq!(options.set("bnid", "first-key").unwrap_err(), "there is no option bnid; did you mean bind?");
//! # Ok::<(), String>(())
//! ```

pub mod general;
mod own;
mod shared;
mod value;

pub use own::{Own, OwnSetting};
pub use shared::{POSING, PRECISION, Posing, Precision};
pub(crate) use value::choices;
pub use value::{Choice, Kind, Typed};

use crate::ConvertOptions;
use crate::formats::{Count, FORMATS, Format};
use crate::report::most_similar;
use serde_json::{Value, json};
use std::sync::LazyLock;

/// A setting.
#[derive(Debug)]
#[non_exhaustive]
pub struct Setting {
    /// The name, with underscores.
    pub name: &'static str,
    /// The values it accepts.
    pub kind: Kind,
    /// The name of its value in help texts; empty for flags.
    pub value_name: &'static str,
    /// One or two sentences without a final full stop. [`help`](Self::help) adds the formats.
    pub help: &'static str,
    /// How the command line spells it, if that is not the name with dashes.
    pub spelling: Option<Spelling>,
    /// The value that its option means on the command line when it is given without one.
    pub bare: Option<&'static str>,
    /// The formats it applies to when their files are read.
    pub reads: Scope,
    /// The formats it applies to when their files are written.
    pub writes: Scope,
    /// Whether it changes the model, so that a file cannot be copied as it is.
    pub changes_scene: bool,
    /// The flag that must be on for this setting to have an effect.
    pub needs: Option<&'static Setting>,
    pub(crate) access: Access,
}

/// A name that only the command line uses. There, a flag inverts the setting's default.
#[derive(Debug)]
pub struct Spelling {
    /// The option without its two dashes.
    pub long: &'static str,
    /// The help text, if it differs.
    pub help: Option<&'static str>,
}

/// Where a setting's value is stored.
#[derive(Debug)]
pub(crate) enum Access {
    /// In a field of the options.
    Field { get: fn(&ConvertOptions) -> Value, set: fn(&mut ConvertOptions, &Value) },
    /// In [`Own`] of the read options, the write options or both, with its default value.
    Own { default: fn() -> Value },
}

/// The formats that a setting applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scope {
    /// None.
    Nothing,
    /// All.
    All,
    /// Formats that [list it](Format::settings) because of a peculiarity.
    Listed,
    /// Formats with skins of more than one influence per vertex.
    Skinned,
    /// Formats with textures.
    Textured,
    /// Formats with tangents that are not computed anyway.
    Tangents,
    /// Formats with clips.
    Animated,
}

/// All settings: those for reading first, then the peculiarities of formats, then those for writing.
pub fn settings() -> impl Iterator<Item = &'static Setting> + Clone {
    static ALL: LazyLock<Vec<&'static Setting>> = LazyLock::new(|| {
        let peculiar = FORMATS.iter().flat_map(|format| format.settings);
        let mut all: Vec<&'static Setting> = Vec::new();
        for row in general::READING.iter().chain(peculiar).chain(general::WRITING) {
            if all.iter().all(|known| known.name != row.name) {
                all.push(row);
            }
        }
        all
    });
    ALL.iter().copied()
}

/// The setting with this name.
pub fn find(name: &str) -> Option<&'static Setting> {
    settings().find(|setting| setting.name == name)
}

/// The settings that apply when files of a format are read.
pub fn for_reading(format: &Format) -> impl Iterator<Item = &'static Setting> {
    settings().filter(|setting| setting.reads.holds(setting, format))
}

/// The settings that apply when files of a format are written.
pub fn for_writing(format: &Format) -> impl Iterator<Item = &'static Setting> {
    let writes = format.writes(None);
    settings().filter(move |setting| writes && setting.writes.holds(setting, format))
}

impl ConvertOptions {
    /// Sets the setting `name`; `null` leaves it unchanged. The error message says what was expected.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) -> Result<(), String> {
        let setting = find(name).ok_or_else(|| {
            let known = settings().map(|setting| setting.name);
            match most_similar(name, known.clone()) {
                Some(meant) => format!("there is no option {name}; did you mean {meant}?"),
                None => {
                    let known: Vec<_> = known.collect();
                    format!("there is no option {name}; expected one of: {}", known.join(", "))
                }
            }
        })?;
        setting.set(self, &value.into())
    }
}

impl Scope {
    fn holds(self, setting: &Setting, format: &Format) -> bool {
        let can = format.capabilities(None);
        match self {
            Scope::Nothing => false,
            Scope::All => true,
            Scope::Listed => setting.is_listed_by(format),
            Scope::Skinned => can.skins != Count::None && can.max_influences != Some(1),
            Scope::Textured => can.texture_files || can.embedded_textures,
            Scope::Tangents => can.tangents && !can.computes_tangents,
            Scope::Animated => can.clips != Count::None,
        }
    }
}

impl Setting {
    /// A flag that applies to no format, as a base for rows.
    pub(crate) const BASE: Setting = Setting {
        name: "",
        kind: Kind::Flag,
        value_name: "",
        help: "",
        spelling: None,
        bare: None,
        reads: Scope::Nothing,
        writes: Scope::Nothing,
        changes_scene: false,
        needs: None,
        access: Access::Field { get: |_| Value::Null, set: |_, _| {} },
    };

    /// Whether it affects how files are read.
    pub fn is_read(&self) -> bool {
        self.reads != Scope::Nothing
    }

    /// Whether it affects how files are written.
    pub fn is_written(&self) -> bool {
        self.writes != Scope::Nothing
    }

    /// Its value; `null` if it is not set and each format has its own default.
    pub fn get(&self, options: &ConvertOptions) -> Value {
        match self.access {
            Access::Field { get, .. } => get(options),
            Access::Own { .. } if self.is_written() => options.write.own.value(self),
            Access::Own { .. } => options.read.own.value(self),
        }
    }

    /// Sets it, if the value is acceptable. `null` leaves it unchanged.
    pub fn set(&self, options: &mut ConvertOptions, value: &Value) -> Result<(), String> {
        if value.is_null() {
            return Ok(());
        }
        if !self.kind.has(value) {
            return Err(format!("{}: expected {}, not {value}", self.name, self.kind.expected()));
        }
        match self.access {
            Access::Field { set, .. } => set(options, value),
            Access::Own { .. } => {
                if self.is_read() {
                    options.read.own.insert(self, value);
                }
                if self.is_written() {
                    options.write.own.insert(self, value);
                }
            }
        }
        Ok(())
    }

    /// The default value.
    pub fn default_value(&self) -> Value {
        match self.access {
            Access::Field { get, .. } => get(&ConvertOptions::default()),
            Access::Own { default } => default(),
        }
    }

    /// Whether its value rules out copying the file's contents: the model changes, or the file is read in one way and
    /// written in another.
    pub(crate) fn demands_scene(&self, options: &ConvertOptions) -> bool {
        let is_changed = || self.get(options) != self.default_value();
        let differs = || options.read.own.value(self) != options.write.own.value(self);
        match self.access {
            Access::Own { .. } if self.is_read() && self.is_written() => differs(),
            _ => self.changes_scene && is_changed(),
        }
    }

    fn is_listed_by(&self, format: &Format) -> bool {
        format.settings.iter().any(|listed| listed.name == self.name)
    }

    /// The formats that it applies to, if it is about a peculiarity; empty for settings that apply to others too.
    pub fn formats(&self) -> impl Iterator<Item = &'static Format> {
        let is_peculiar =
            [self.reads, self.writes].iter().all(|scope| matches!(scope, Scope::Nothing | Scope::Listed));
        let listing = FORMATS.iter().copied().filter(|format| self.is_listed_by(format));
        listing.filter(move |_| is_peculiar)
    }

    /// The help text, with the names of the formats that it applies to.
    pub fn help(&self) -> String {
        let names: Vec<_> = self.formats().map(|format| format.name).collect();
        if names.is_empty() { self.help.to_owned() } else { format!("{} ({})", self.help, names.join(", ")) }
    }

    /// The name on the command line, without the two dashes.
    pub fn long(&self) -> String {
        self.spelling
            .as_ref()
            .map_or_else(|| self.name.replace('_', "-"), |spelling| spelling.long.to_owned())
    }

    /// The help text on the command line.
    pub fn long_help(&self) -> String {
        match (self.spelling.as_ref().and_then(|spelling| spelling.help), self.kind) {
            (Some(help), _) => help.to_owned(),
            (None, Kind::Fraction) => format!("{}, such as 0.01% or 0.0001", self.help()),
            (None, _) => self.help(),
        }
    }

    /// All fields, for the table of formats; `scope` is that of reading or of writing.
    pub(crate) fn to_json(&self, scope: Scope) -> Value {
        let choices = self.kind.choices().iter().map(|(id, help)| json!({ "id": id, "help": help }));
        json!({
            "name": self.name,
            "kind": self.kind.name(),
            "default": self.default_value(),
            "choices": choices.collect::<Vec<_>>(),
            "minimum": self.kind.minimum(),
            "help": self.help(),
            "general": scope != Scope::Listed,
        })
    }
}

#[cfg(test)]
mod tests;
