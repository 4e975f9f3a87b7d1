//! Everything that can be asked for by name: the options of the command line, the keywords of the Python module, and what
//! panels of other programs are made from.
//!
//! [`SETTINGS`] says what each is called, what values it takes and which formats it counts for; [`set`] puts a value into
//! [`ConvertOptions`].

mod table;

pub use table::SETTINGS;

use super::ConvertOptions;
use crate::formats::{AxesConversion, BindPose, Count, EulerOrder, Format, IndexBase, Posing, Precision};
use crate::passes::Sharing;
use crate::passes::axes::{AxesOptions, Up};
use crate::passes::by_material::Way;
use crate::passes::textures::TextureMode;
use crate::report::most_similar;
use crate::scene::Interpolation;
use serde_json::{Value, json};

/// One thing that can be asked for.
#[derive(Debug)]
pub struct Setting {
    /// The name, with underscores; the command line has dashes.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// The value it has when nobody asks; `None` where each format has its own or it is off.
    pub default: Option<&'static str>,
    /// One or two sentences without a full stop at the end.
    pub help: &'static str,
    /// Which formats it counts for when their files are read.
    pub reads: Scope,
    /// Which formats it counts for when their files are written.
    pub writes: Scope,
}

/// What values a setting takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// `true` or `false`.
    Flag,
    /// One of these words; each with one line about it.
    Word(&'static [(&'static str, &'static str)]),
    /// A number that is no smaller than this, or, where `above`, greater.
    Number {
        /// The bound.
        least: f64,
        /// Whether the bound itself is too small.
        above: bool,
    },
    /// A whole number from this on.
    Integer(u64),
    /// A list of texts.
    Texts,
}

/// Which formats a setting counts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// None.
    Nothing,
    /// All.
    All,
    /// Those that [list it](crate::formats::Info::options) because of a peculiarity of theirs.
    Listed,
    /// Those, and those that store clips as frames.
    ListedOrSampled,
    /// Those with skins of more than one influence a vertex.
    Skinned,
    /// Those with textures.
    Textured,
    /// Those with tangents.
    Tangents,
    /// Those with clips.
    Animated,
}

impl Scope {
    /// Whether it holds for a format.
    pub fn holds(self, name: &str, format: &dyn Format) -> bool {
        let can = format.capabilities(None);
        let listed = || format.info().options.contains(&name);
        match self {
            Scope::Nothing => false,
            Scope::All => true,
            Scope::Listed => listed(),
            Scope::ListedOrSampled => listed() || (can.sampled_clips && can.clips != Count::None),
            Scope::Skinned => can.skins != Count::None && can.max_influences != Some(1),
            Scope::Textured => can.texture_files || can.embedded_textures,
            Scope::Tangents => can.tangents && !can.computes_tangents,
            Scope::Animated => can.clips != Count::None,
        }
    }
}

/// The settings that count when files of a format are read.
pub fn for_reading(format: &dyn Format) -> impl Iterator<Item = &'static Setting> {
    SETTINGS.iter().filter(|setting| setting.reads.holds(setting.name, format))
}

/// The settings that count when files of a format are written.
pub fn for_writing(format: &dyn Format) -> impl Iterator<Item = &'static Setting> {
    let writes = format.capabilities(None).write;
    SETTINGS.iter().filter(move |setting| writes && setting.writes.holds(setting.name, format))
}

/// Sets what `name` stands for; `null` is its default. The message says what would have been right.
pub fn set(options: &mut ConvertOptions, name: &str, value: &Value) -> Result<(), String> {
    let Some(setting) = SETTINGS.iter().find(|setting| setting.name == name) else {
        let known = SETTINGS.iter().map(|setting| setting.name);
        return Err(match most_similar(name, known.clone()) {
            Some(meant) => format!("there is no option {name}; did you mean {meant}?"),
            None => format!("there is no option {name}; known are {}", known.collect::<Vec<_>>().join(", ")),
        });
    };
    if value.is_null() {
        return Ok(());
    }
    setting.check(value)?;
    setting.put(options, value);
    Ok(())
}

impl Setting {
    fn check(&self, value: &Value) -> Result<(), String> {
        let expected = match self.kind {
            Kind::Flag if value.is_boolean() => return Ok(()),
            Kind::Flag => "true or false".to_owned(),
            Kind::Word(words) => {
                if value.as_str().is_some_and(|value| words.iter().any(|(word, _)| *word == value)) {
                    return Ok(());
                }
                let words: Vec<_> = words.iter().map(|(word, _)| json!(word).to_string()).collect();
                words.join(" or ")
            }
            Kind::Number { least, above } => {
                // As the f32 that it may become.
                let fits = |n: f64| {
                    let rounded = f64::from(n as f32);
                    rounded.is_finite() && if above { rounded > least } else { n >= least }
                };
                if value.as_f64().is_some_and(fits) {
                    return Ok(());
                }
                format!("a number {} {least}", if above { "above" } else { "from" })
            }
            Kind::Integer(least) => {
                if value.as_u64().is_some_and(|n| n >= least && usize::try_from(n).is_ok()) {
                    return Ok(());
                }
                format!("a whole number from {least} on")
            }
            Kind::Texts => {
                if value.as_array().is_some_and(|list| list.iter().all(Value::is_string)) {
                    return Ok(());
                }
                "a list of texts".to_owned()
            }
        };
        Err(format!("{}: expected {expected}, not {value}", self.name))
    }

    /// Puts a value that was checked into the options.
    fn put(&self, options: &mut ConvertOptions, value: &Value) {
        let word = value.as_str().unwrap_or_default();
        let flag = value.as_bool().unwrap_or_default();
        let number = value.as_f64();
        let axes = || options.axes.unwrap_or_default();
        match self.name {
            "fps" => {
                options.fps = number.map(|n| n as f32);
                options.read.fps = options.fps;
            }
            "interpolation" => {
                let linear = word == "linear";
                options.read.interpolation =
                    Some(if linear { Interpolation::Linear } else { Interpolation::Step });
            }
            "posing" => {
                options.read.posing = if word == "engine" { Posing::Engine } else { Posing::Author };
                options.write.posing = options.read.posing;
            }
            "euler_order" => {
                options.read.euler_order = if word == "xyz" { EulerOrder::Xyz } else { EulerOrder::Zyx };
                options.write.euler_order = options.read.euler_order;
            }
            "index_base" => {
                options.read.index_base = Some(if word == "1" { IndexBase::One } else { IndexBase::Zero });
            }
            "bind" => {
                let first = word == "first-key";
                options.read.bind = if first { BindPose::FirstKey } else { BindPose::Identity };
            }
            "axes" => {
                options.read.axes = match word {
                    "root" => AxesConversion::Root,
                    "none" => AxesConversion::None,
                    _ => AxesConversion::Geometry,
                };
            }
            "lenient" => options.read.lenient = flag,
            "clips" => {
                let texts = value.as_array().into_iter().flatten().filter_map(Value::as_str);
                options.clips = texts.map(str::to_owned).collect();
            }
            "influences" => options.write.influences = value.as_u64().map(|n| n as usize),
            "precision" => {
                let rounded = word == "document";
                options.write.precision = if rounded { Precision::Document } else { Precision::Full };
            }
            "up" => {
                options.axes = Some(AxesOptions { up: if word == "z" { Up::Z } else { Up::Y }, ..axes() })
            }
            "scale" => options.axes = Some(AxesOptions { scale: number.unwrap_or(1.0) as f32, ..axes() }),
            "mirror_x" => options.axes = Some(AxesOptions { mirror_x: flag, ..axes() }),
            "reduce_keys" => options.asked.reduce_keys = number,
            "by_material" => {
                options.asked.by_material = Some(if word == "split" { Way::Split } else { Way::Merge })
            }
            "vertices" => {
                options.asked.vertices = Some(if word == "weld" { Sharing::Weld } else { Sharing::Unweld });
            }
            "normalise_weights" => options.asked.normalise_weights = flag,
            "tangents" => options.asked.tangents = flag,
            "textures" => {
                options.textures = match word {
                    "embed" => TextureMode::Embed,
                    "copy" => TextureMode::Copy,
                    "reference" => TextureMode::Reference,
                    _ => TextureMode::None,
                };
            }
            "strict" => options.strict = flag,
            "max_error" => options.max_error = number,
            "verify" => options.verify = flag,
            "keep_existing" => options.keep_existing = flag,
            "reencode" => options.reencode = flag,
            other => debug_assert!(false, "the table has {other}, and nobody knows what it does"),
        }
        // A turn that changes nothing is none, so that a file may still be rewritten as it is.
        options.axes = options.axes.filter(|axes| *axes != AxesOptions::default());
    }

    /// All fields, for the table of formats; `scope` is that of reading or of writing.
    pub(crate) fn to_json(&self, scope: Scope) -> Value {
        let (kind, choices, least): (_, &[_], _) = match self.kind {
            Kind::Flag => ("flag", &[], None),
            Kind::Word(words) => ("word", words, None),
            Kind::Number { least, .. } => ("number", &[], Some(least)),
            Kind::Integer(least) => ("integer", &[], Some(least as f64)),
            Kind::Texts => ("texts", &[], None),
        };
        let default = match (self.kind, self.default) {
            (_, None) => Value::Null,
            (Kind::Flag, Some(word)) => json!(word == "true"),
            (Kind::Number { .. }, Some(word)) => json!(word.parse::<f64>().ok()),
            (_, Some(word)) => json!(word),
        };
        let choices: Vec<_> = choices.iter().map(|(id, help)| json!({ "id": id, "help": help })).collect();
        json!({
            "name": self.name,
            "kind": kind,
            "default": default,
            "choices": choices,
            "minimum": least,
            "help": self.help,
            "general": !matches!(scope, Scope::Listed | Scope::ListedOrSampled),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value that is not the default.
    fn other(setting: &Setting) -> Value {
        match setting.kind {
            Kind::Flag => json!(setting.default != Some("true")),
            Kind::Word(words) => {
                let word = words.iter().find(|(word, _)| Some(*word) != setting.default);
                json!(word.expect("a word alone would be no choice").0)
            }
            Kind::Number { .. } => json!(2.5),
            Kind::Integer(_) => json!(3),
            Kind::Texts => json!(["Walk"]),
        }
    }

    #[test]
    fn every_setting_changes_the_options_and_its_default_does_not() {
        let plain = format!("{:?}", ConvertOptions::default());
        for setting in SETTINGS {
            let mut options = ConvertOptions::default();
            set(&mut options, setting.name, &other(setting)).expect("a value of its kind");
            assert_ne!(format!("{options:?}"), plain, "{}", setting.name);
            let default = setting.to_json(setting.writes)["default"].clone();
            let mut options = ConvertOptions::default();
            set(&mut options, setting.name, &default).expect("its own default");
            assert_eq!(format!("{options:?}"), plain, "{}", setting.name);
        }
    }

    #[test]
    fn wrong_values_and_names_are_told() {
        let mut options = ConvertOptions::default();
        let mut told = |name: &str, value: Value| set(&mut options, name, &value).expect_err("wrong");
        assert_eq!(told("up", json!("x")), r#"up: expected "y" or "z", not "x""#);
        assert_eq!(told("scale", json!(0)), "scale: expected a number above 0, not 0");
        assert_eq!(told("scale", json!(1e300)), "scale: expected a number above 0, not 1e+300");
        assert_eq!(told("max_error", json!(-1)), "max_error: expected a number from 0, not -1");
        assert_eq!(told("influences", json!(0)), "influences: expected a whole number from 1 on, not 0");
        assert_eq!(told("strict", json!("yes")), r#"strict: expected true or false, not "yes""#);
        assert_eq!(told("clips", json!("Walk")), r#"clips: expected a list of texts, not "Walk""#);
        assert_eq!(told("max_eror", json!(1)), "there is no option max_eror; did you mean max_error?");
    }

    #[test]
    fn formats_list_only_settings_that_exist() {
        for format in crate::formats::FORMATS {
            for option in format.info().options {
                assert!(SETTINGS.iter().any(|s| s.name == *option), "{}: {option}", format.info().id);
            }
        }
    }
}
