//! JSON that breaks glTF's types in ways that other programs read: `null` for an absent value, and `1.0` for an integer.

use serde_json::{Number, Value};

/// JSON whose odd values were replaced.
pub(super) struct Mended {
    pub value: Value,
    /// The first fields that were null, with what became of them.
    pub nulls: Nulls,
}

/// Fields that were null, and what became of them.
type Nulls = Vec<(String, &'static str)>;

/// Number of null fields that are remembered. Paths may be long, and each is looked for in the text.
const MOST: usize = 20;

/// The field of view of a camera that has null for it: that of most programs' new cameras.
const FIELD_OF_VIEW: f64 = std::f64::consts::FRAC_PI_4;

/// Parses a text and replaces odd values; `None` if it is not JSON. Extras and extensions are left alone.
pub(super) fn mend(text: &str) -> Option<Mended> {
    let mut value = serde_json::from_str(text).ok()?;
    let mut nulls = Vec::new();
    visit(&mut value, &mut String::new(), &mut nulls);
    Some(Mended { value, nulls })
}

fn visit(value: &mut Value, path: &mut String, nulls: &mut Nulls) {
    let length = path.len();
    match value {
        Value::Object(members) => members.retain(|name, member| {
            if matches!(name.as_str(), "extras" | "extensions") {
                return true;
            }
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(name);
            // Bounds only repeat what the data says.
            let has_null = |list: &Vec<Value>| list.iter().any(Value::is_null);
            let is_lost_bound =
                matches!(name.as_str(), "min" | "max") && member.as_array().is_some_and(has_null);
            let mut note = |meaning| {
                if nulls.len() < MOST {
                    nulls.push((path.clone(), meaning));
                }
            };
            let is_kept = if member.is_null() && name == "yfov" {
                note("45 degrees are used");
                *member = Value::from(FIELD_OF_VIEW);
                true
            } else if member.is_null() || is_lost_bound {
                note("it is read as absent");
                false
            } else {
                visit(member, path, nulls);
                true
            };
            path.truncate(length);
            is_kept
        }),
        Value::Array(list) => {
            for (index, element) in list.iter_mut().enumerate() {
                path.push_str(&format!("[{index}]"));
                visit(element, path, nulls);
                path.truncate(length);
            }
        }
        Value::Number(number) => {
            // Floats that are integers become integers, which every field of floats accepts.
            let float = number.as_f64().filter(|f| number.is_f64() && f.fract() == 0.0 && f.abs() < 9e15);
            if let Some(float) = float {
                *number = Number::from(float as i64);
            }
        }
        _ => {}
    }
}
