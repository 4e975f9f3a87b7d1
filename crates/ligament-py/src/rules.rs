//! Settings as the rules of a `ligament.toml` spell them.

use crate::values;
use ligament::internal::most_similar;
use ligament::settings::{Kind, settings};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{Value, json};

/// The name and value of a setting from a key and its value in a rule; no value leaves the default.
#[pyfunction]
pub fn rule_setting<'py>(
    py: Python<'py>,
    key: &str,
    value: &Bound<'py, PyAny>,
) -> PyResult<(&'static str, Bound<'py, PyAny>)> {
    let wrong = |message: String| PyValueError::new_err(message);
    let Some(setting) = settings().find(|setting| setting.long() == key) else {
        let known: Vec<String> = settings().map(|setting| setting.long()).collect();
        let meant = most_similar(&key.replace('_', "-"), known.iter().map(String::as_str));
        let help = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
        return Err(wrong(format!("there is no key `{key}`{help}")));
    };
    let value = values::from_python(value).map_err(wrong)?;
    let made = match (setting.kind, &value) {
        (Kind::Flag, Value::Bool(true)) => json!(setting.default_value() != true),
        (Kind::Flag, Value::Bool(false)) => Value::Null,
        (Kind::Texts, Value::Array(list)) => {
            let texts: Option<Vec<_>> = list.iter().map(plain).collect();
            match texts {
                Some(texts) if !texts.is_empty() => json!(texts),
                _ => {
                    return Err(wrong(format!("`{key}`: expected a list of at least one text, not {value}")));
                }
            }
        }
        (Kind::Flag, _) => return Err(wrong(format!("`{key}`: expected true or false, not {value}"))),
        (kind, value) => {
            let text = plain(value).ok_or_else(|| {
                PyValueError::new_err(format!("`{key}`: expected a text or number, not {value}"))
            })?;
            kind.parse(&text).map_err(|message| wrong(format!("`{key}`: {message}")))?
        }
    };
    Ok((setting.name, values::to_python(py, &made)?))
}

/// A text or number as people type it.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
