use crate::settings::{Kind, Setting, find};
use serde_json::{Value, json};

/// A value of a setting that avoids a loss or an error, at least in part.
///
/// Each program spells it in its own way: the command line as [`option`](Self::option), Python as
/// [`keyword`](Self::keyword).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Remedy {
    /// The setting's name, with underscores; `dialect` is not a row of the settings.
    pub setting: &'static str,
    /// The value to set.
    pub value: Value,
    /// What that does, as a continuation of the setting: `keeps them all`.
    pub effect: String,
}

impl Remedy {
    pub(crate) fn new(setting: &'static str, value: impl Into<Value>, effect: impl Into<String>) -> Self {
        Self { setting, value: value.into(), effect: effect.into() }
    }

    /// The setting's row.
    pub fn row(&self) -> Option<&'static Setting> {
        find(self.setting)
    }

    /// As on the command line: `--influences 4`.
    pub fn option(&self) -> String {
        let long = self.row().map_or_else(|| self.setting.replace('_', "-"), Setting::long);
        if self.row().is_some_and(|row| row.kind == Kind::Flag) {
            return format!("--{long}");
        }
        match &self.value {
            Value::String(text) => format!("--{long} {text}"),
            Value::Array(texts) => {
                let texts = texts.iter().filter_map(Value::as_str);
                texts.map(|text| format!("--{long} {text:?}")).collect::<Vec<_>>().join(" ")
            }
            value => format!("--{long} {}", plain(value)),
        }
    }

    /// As a keyword of Python: `influences=4`.
    pub fn keyword(&self) -> String {
        let value = match &self.value {
            Value::Bool(true) => "True".to_owned(),
            Value::Bool(false) => "False".to_owned(),
            value => plain(value),
        };
        format!("{}={value}", self.setting)
    }

    /// All fields.
    pub(super) fn to_json(&self) -> Value {
        json!({ "setting": self.setting, "value": self.value, "effect": self.effect })
    }
}

/// JSON, with whole numbers as such.
fn plain(value: &Value) -> String {
    match value.as_f64() {
        Some(number) => number.to_string(),
        None => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn each_program_spells_a_remedy_in_its_own_way() {
        for (setting, value, option, keyword) in [
            ("influences", json!(4), "--influences 4", "influences=4"),
            ("max_error", json!(0.5), "--max-error 0.5", "max_error=0.5"),
            ("fps", json!(60.0), "--fps 60", "fps=60"),
            ("dialect", json!("qmsh22"), "--dialect qmsh22", "dialect=\"qmsh22\""),
            ("clips", json!(["a b"]), "--clip \"a b\"", "clips=[\"a b\"]"),
            ("reencode", json!(true), "--reencode", "reencode=True"),
        ] {
            let remedy = Remedy::new(setting, value, "helps");
            assert_eq!((remedy.option().as_str(), remedy.keyword().as_str()), (option, keyword));
        }
    }

    /// The names in `Remedy::new("name", ...)` of all source files.
    fn used(folder: &Path, names: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                used(&path, names);
            } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("remedy.rs") {
                let text = std::fs::read_to_string(&path).expect("text");
                let calls = text.split("Remedy::new(").skip(1);
                names.extend(calls.filter_map(|call| {
                    Some(call.trim_start().strip_prefix('"')?.split_once('"')?.0.to_owned())
                }));
            }
        }
    }

    #[test]
    fn every_remedy_names_a_setting() {
        let mut names = Vec::new();
        used(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut names);
        assert!(names.len() > 5, "{names:?}");
        for name in names {
            assert!(name == "dialect" || find(&name).is_some(), "there is no setting {name}");
        }
    }
}
