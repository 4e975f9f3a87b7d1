//! A conversion as a line of text, and as JSON.

use super::Conversion;
use crate::compare::{Comparison, Deviation};
use crate::report::shown::{percent, safe, short};
use crate::report::{Paint, Report};
use crate::scene::Counts;
use serde_json::{Value, json};

impl Conversion {
    /// `mage.pfobj → mage.glb   1098 vertices, 47 joints, 5 clips   worst deviation 2.1e-6 (0.00001 %)   1 note`, and a
    /// line end.
    pub fn summary(&self, input: &str, output: &str, report: &Report, paint: &dyn Paint) -> String {
        let mut parts = vec![paint.heading(&format!("{} → {}", safe(input), safe(output)))];
        parts.extend(self.counts.as_ref().map(Counts::to_string));
        if self.rewritten {
            parts.push("same format: rewritten without going through a scene".to_owned());
        }
        parts.push(self.comparison.as_ref().map_or("not verified".to_owned(), deviation));
        let tally = report.tally();
        if !tally.is_empty() {
            parts.push(tally);
        }
        parts.join("   ") + "\n"
    }

    /// All fields.
    pub fn to_json(&self) -> Value {
        json!({
            "from": self.from,
            "to": self.to,
            "dialect": self.dialect,
            "rewritten": self.rewritten,
            "counts": self.counts.as_ref().map(Counts::to_json),
            "comparison": self.comparison.as_ref().map(Comparison::to_json),
        })
    }
}

/// `worst deviation 2.1e-6 (0.00001 %)`, or separately at and between keys if these differ much.
fn deviation(comparison: &Comparison) -> String {
    let size = |d: &Deviation| {
        if d.distance == 0.0 {
            "0".to_owned()
        } else {
            format!("{} ({})", short(d.distance), percent(d.relative))
        }
    };
    let Some(worst) = &comparison.worst else {
        return comparison.gap().unwrap_or_else(|| "nothing to compare".to_owned());
    };
    let doubt = comparison.doubt().map_or(String::new(), |doubt| format!("; {doubt}"));
    let text = match &comparison.worst_at_keys {
        Some(at_keys) if worst.relative > 1e-5 && at_keys.distance * 10.0 < worst.distance => {
            format!("worst deviation {} at shared keys, {} between", size(at_keys), size(worst))
        }
        _ => format!("worst deviation {}", size(worst)),
    };
    let gap = comparison.gap().map_or(String::new(), |gap| format!("; {gap}"));
    text + &doubt + &gap
}
