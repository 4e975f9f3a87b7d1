//! Weights that do not sum to one.

use super::codes;
use crate::report::{Place, Report, label};
use crate::scene::Scene;

/// What a sum may be off by: more than rounding to bytes explains.
const TOLERANCE: f32 = 0.01;

pub(super) fn check(scene: &Scene, report: &mut Report) {
    for (m, mesh) in scene.meshes.iter().enumerate() {
        for (p, part) in mesh.parts.iter().enumerate() {
            let sums = part.influences.iter().enumerate().filter(|(_, influences)| !influences.is_empty());
            let sums = sums.map(|(v, influences)| (v, influences.iter().map(|i| i.weight).sum::<f32>()));
            let mut off = sums.filter(|(_, sum)| (sum - 1.0).abs() > TOLERANCE);
            let Some(first) = off.next() else { continue };
            let (mut worst, mut count) = (first, 1);
            for other in off {
                count += 1;
                if (other.1 - 1.0).abs() > (worst.1 - 1.0).abs() {
                    worst = other;
                }
            }
            let more = match count - 1 {
                0 => String::new(),
                1 => " (and those of 1 other vertex do not, either)".to_owned(),
                more => format!(" (and those of {more} other vertices do not, either)"),
            };
            let (v, sum) = worst;
            let message = format!(
                "{}: the weights of vertex {v} sum to {sum}, not 1{more}",
                label("mesh", &mesh.name, m)
            );
            report.note(
                &codes::WEIGHT_SUM,
                Place::field(format!("meshes[{m}].parts[{p}].influences")),
                message,
            );
        }
    }
}
