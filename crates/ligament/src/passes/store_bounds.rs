//! Boxes around clips and joints, as extras.

use super::codes;
use crate::pose::{Bounds, Pose, bounds, clip_bounds, joint_boxes};
use crate::report::{Loss, Report, shown};
use crate::scene::Scene;
use serde_json::{Value, json};

/// The key in the extras of the scene, clips and skins.
const EXTRA: &str = "bounds";

/// Stores the box around the model at rest in the scene's extras, the one around everything that a clip shows in the clip's, and
/// those around the vertices of each joint, in the joint's own space, in the skin's.
pub fn store_bounds(scene: &mut Scene, report: &mut Report) {
    let rest = bounds(scene, &Pose::rest(scene));
    let clips: Vec<_> = (0..scene.clips.len()).map(|clip| clip_bounds(scene, clip)).collect();
    let skins = joint_boxes(scene);
    let Some(rest) = rest else { return };
    scene.extras.insert(EXTRA.to_owned(), to_json(&rest));
    let (mut count, mut slack) = (1, 0.0_f64);
    for (clip, found) in scene.clips.iter_mut().zip(clips) {
        if let Some(found) = found {
            clip.extras.insert(EXTRA.to_owned(), to_json(&found.bounds));
            slack = slack.max(found.slack);
            count += 1;
        }
    }
    for (skin, boxes) in scene.skins.iter_mut().zip(boxes_json(skins)) {
        skin.extras.insert(EXTRA.to_owned(), boxes);
        count += 1;
    }
    let size = rest.diagonal();
    let part = if size > 0.0 { slack / size } else { 0.0 };
    let message = format!(
        "in the extras {EXTRA:?} of the scene, of clips and of skins; boxes of clips hold every vertex at all times, and are at most {} of the model's size larger than needed",
        shown::percent(part)
    );
    report.loss(Loss::kept(&codes::BOUNDS_STORED, "", count, message));
}

fn boxes_json(skins: Vec<Vec<Option<Bounds>>>) -> impl Iterator<Item = Value> {
    skins.into_iter().map(|boxes| {
        let one = |own: Option<Bounds>| own.map_or(Value::Null, |own| to_json(&own));
        Value::Array(boxes.into_iter().map(one).collect())
    })
}

fn to_json(bounds: &Bounds) -> Value {
    json!({ "min": bounds.min.to_array(), "max": bounds.max.to_array() })
}
