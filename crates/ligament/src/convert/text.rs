//! A conversion as a line of text, and as JSON.

use super::Conversion;
use crate::compare::{Comparison, Deviation};
use crate::report::shown::{percent, safe};
use crate::report::{Paint, Plain, Report};
use crate::scene::Counts;
use serde_json::{Value, json};

/// The widest line of a summary, if its paths are short enough.
const WIDTH: usize = 120;

/// The space between the parts of a summary.
const GAP: &str = "   ";

impl Conversion {
    /// `mage.pfobj → mage.glb   1098 vertices, 47 joints, 5 clips   worst deviation 0.00001 %   1 note`, and a line end.
    /// What does not fit into a line of usual width is on the next one, indented.
    pub fn summary(&self, input: &str, output: &str, report: &Report, paint: &dyn Paint) -> String {
        let paths = format!("{} → {}", safe(input), safe(output));
        let mut out = paint.heading(&paths);
        let mut width = paths.chars().count();
        let mut add = |plain: &str, painted: &str| {
            let length = plain.chars().count();
            if width + GAP.len() + length > WIDTH {
                out += "\n  ";
                width = 2;
            } else {
                out += GAP;
                width += GAP.len();
            }
            out += painted;
            width += length;
        };
        if let Some(counts) = self.counts.as_ref().map(Counts::to_string) {
            add(&counts, &counts);
        }
        if self.rewritten {
            let how = "same format: rewritten without going through a scene";
            add(how, how);
        }
        match &self.comparison {
            Some(comparison) => add(&deviation(comparison, &Plain), &deviation(comparison, paint)),
            None => add("not verified", "not verified"),
        }
        let tally = report.major_tally();
        if !tally.is_empty() {
            add(&tally, &tally);
        }
        out + "\n"
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

/// `worst deviation 0.00001 %`, and how much of it is at the keys if that is much less.
fn deviation(comparison: &Comparison, paint: &dyn Paint) -> String {
    let size = |d: &Deviation| match d.distance == 0.0 {
        true => "0".to_owned(),
        false => paint.size(d.relative, &percent(d.relative)),
    };
    let Some(worst) = &comparison.worst else {
        return comparison.gap().unwrap_or_else(|| "nothing to compare".to_owned());
    };
    let mut text = format!("worst deviation {}", size(worst));
    if let Some(at_keys) = &comparison.worst_at_keys
        && worst.relative > 1e-5
        && at_keys.distance * 10.0 < worst.distance
    {
        text += &format!(" ({} at keys)", size(at_keys));
    }
    for more in [comparison.grown(), comparison.doubt(), comparison.gap()].into_iter().flatten() {
        text += &format!("; {more}");
    }
    text
}
