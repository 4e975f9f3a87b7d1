//! The boxes around clips and joints.

use crate::render::style;
use crate::render::table::Table;
use serde_json::Value;

/// The facts as two tables.
pub fn text(facts: &Value) -> String {
    let vector = |value: &Value| {
        let values = value.as_array().map_or(&[][..], Vec::as_slice);
        values.iter().map(super::number).collect::<Vec<_>>().join(" ")
    };
    let mut out = String::new();
    for (key, what) in [("clips", "clip"), ("joints", "joint")] {
        let mut table = Table::new(&[&format!("box of {what}"), "from", "to"]);
        for own in facts[key].as_array().into_iter().flatten() {
            let from = if own["min"].is_null() { "no vertices".to_owned() } else { vector(&own["min"]) };
            table.row([style::name(own[what].as_str().unwrap_or_default()), from, vector(&own["max"])]);
        }
        if !table.is_empty() {
            out += &format!("\n{}", table.render());
        }
    }
    out
}
