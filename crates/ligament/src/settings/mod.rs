//! Everything that can be asked for by name, one row per setting.
//!
//! The options of the command line, the keys of a `ligament.toml`, the keywords of the Python module, the panels of other
//! programs and the tables of the manual are made from these rows. A row knows where its value lives, so a setting is
//! added in one place: its row.
//!
//! | file | what it holds |
//! |---|---|
//! | `general.rs` | rows that hold for every format, or for every format that can hold what they are about |
//! | `shared.rs` | rows about a peculiarity that several formats have |
//! | `own.rs` | the values of settings that only some formats have |
//! | `value.rs` | kinds of values: how they are checked, and which Rust types have them |
//!
//! The row of a setting that only one format has is in that format's folder. A format names the rows of its peculiarities
//! in [`Format::settings`](crate::formats::Format::settings).
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

/// One thing that can be asked for.
#[derive(Debug)]
pub struct Setting {
    /// The name, with underscores.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// What help texts call its value; empty for flags.
    pub value_name: &'static str,
    /// One or two sentences without a full stop at the end. [`help`](Self::help) adds the formats.
    pub help: &'static str,
    /// How the command line spells it, where that is not the name with dashes.
    pub spelling: Option<Spelling>,
    /// Which formats it counts for when their files are read.
    pub reads: Scope,
    /// Which formats it counts for when their files are written.
    pub writes: Scope,
    /// Whether it changes the model, so that a file cannot stay as it is.
    pub changes_scene: bool,
    /// The flag that must not be turned off for this setting to mean anything.
    pub needs: Option<&'static Setting>,
    pub(crate) access: Access,
}

/// A name that only the command line has. A flag there turns over the setting's default.
#[derive(Debug)]
pub struct Spelling {
    /// The option without its two dashes.
    pub long: &'static str,
    /// The help text, if it must be another one.
    pub help: Option<&'static str>,
}

/// Where a setting's value lives.
#[derive(Debug)]
pub(crate) enum Access {
    /// In a field of the options.
    Field { get: fn(&ConvertOptions) -> Value, set: fn(&mut ConvertOptions, &Value) },
    /// In [`Own`], of reading, writing or both; with the value that it has when nobody asks.
    Own { default: fn() -> Value },
}

/// Which formats a setting counts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// None.
    Nothing,
    /// All.
    All,
    /// Those that [list it](Format::settings) because of a peculiarity of theirs.
    Listed,
    /// Those with skins of more than one influence per vertex.
    Skinned,
    /// Those with textures.
    Textured,
    /// Those with tangents that are not computed in any case.
    Tangents,
    /// Those with clips.
    Animated,
}

/// All settings: those about reading first, then the peculiarities of formats, then those about writing.
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

/// The setting of this name.
pub fn find(name: &str) -> Option<&'static Setting> {
    settings().find(|setting| setting.name == name)
}

/// The settings that count when files of a format are read.
pub fn for_reading(format: &Format) -> impl Iterator<Item = &'static Setting> {
    settings().filter(|setting| setting.reads.holds(setting, format))
}

/// The settings that count when files of a format are written.
pub fn for_writing(format: &Format) -> impl Iterator<Item = &'static Setting> {
    let writes = format.writes(None);
    settings().filter(move |setting| writes && setting.writes.holds(setting, format))
}

impl ConvertOptions {
    /// Sets what `name` stands for; `null` leaves it as it is. The message says what would have been right.
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
    /// A flag of no format, which rows build upon.
    pub(crate) const BASE: Setting = Setting {
        name: "",
        kind: Kind::Flag,
        value_name: "",
        help: "",
        spelling: None,
        reads: Scope::Nothing,
        writes: Scope::Nothing,
        changes_scene: false,
        needs: None,
        access: Access::Field { get: |_| Value::Null, set: |_, _| {} },
    };

    /// Whether files are read differently by it.
    pub fn is_read(&self) -> bool {
        self.reads != Scope::Nothing
    }

    /// Whether files are written differently by it.
    pub fn is_written(&self) -> bool {
        self.writes != Scope::Nothing
    }

    /// Its value; `null` where nobody asked and each format has a default of its own.
    pub fn get(&self, options: &ConvertOptions) -> Value {
        match self.access {
            Access::Field { get, .. } => get(options),
            Access::Own { .. } if self.is_written() => options.write.own.value(self),
            Access::Own { .. } => options.read.own.value(self),
        }
    }

    /// Sets it, if the value is one that it takes. `null` leaves it as it is.
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

    /// The value when nobody asks.
    pub fn default_value(&self) -> Value {
        match self.access {
            Access::Field { get, .. } => get(&ConvertOptions::default()),
            Access::Own { default } => default(),
        }
    }

    /// Whether what was asked for cannot be had by copying a file's contents: the model changes, or the file is read in
    /// one way and to be written in another.
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

    /// The formats that it counts for, where it is about a peculiarity; empty for settings that hold for others too.
    pub fn formats(&self) -> impl Iterator<Item = &'static Format> {
        let is_peculiar =
            [self.reads, self.writes].iter().all(|scope| matches!(scope, Scope::Nothing | Scope::Listed));
        let listing = FORMATS.iter().copied().filter(|format| self.is_listed_by(format));
        listing.filter(move |_| is_peculiar)
    }

    /// The help text, with the names of the formats that it counts for.
    pub fn help(&self) -> String {
        let names: Vec<_> = self.formats().map(|format| format.name).collect();
        if names.is_empty() { self.help.to_owned() } else { format!("{} ({})", self.help, names.join(", ")) }
    }

    /// What the command line calls it, without the two dashes.
    pub fn long(&self) -> String {
        self.spelling
            .as_ref()
            .map_or_else(|| self.name.replace('_', "-"), |spelling| spelling.long.to_owned())
    }

    /// The command line's help text.
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
