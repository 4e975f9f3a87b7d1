//! Boxes: the one around the posed model, and those stored in the file.

use crate::Space;
use crate::lines::{Lines, Segment};
use crate::model::Model;
use ligament::Scene;
use ligament::math::{DVec3, Vec3};
use ligament::pose::Bounds;
use ligament::scene::{Clip, Extras};
use serde_json::Value;

const TRUE: [u8; 4] = [40, 150, 70, 255];
const STATED: [u8; 4] = [214, 92, 30, 255];

/// Draws the true box, and the stored one for this pose.
pub(crate) fn draw(model: &Model, stated: Option<Bounds>, space: &Space, thickness: f32, lines: &mut Lines) {
    let places = model.vertices.iter().map(|v| Vec3::from_array(v.position));
    if let Some(own) = Bounds::of(places) {
        cuboid(own.corners().map(|c| c.as_vec3()), TRUE, 2.0 * thickness, lines);
    }
    if let Some(stated) = stated {
        let corners = stated.corners().map(|c: DVec3| space.place(c));
        cuboid(corners, STATED, 2.0 * thickness, lines);
    }
}

fn cuboid(corners: [Vec3; 8], color: [u8; 4], width: f32, lines: &mut Lines) {
    for i in 0..8_usize {
        for axis in 0..3 {
            if i >> axis & 1 == 0 {
                lines.within.push(Segment::new(corners[i], corners[i | 1 << axis], color, width));
            }
        }
    }
}

/// The boxes that a file stores for the model or for each frame of a clip. Readers keep them in the extras as `bounds` of
/// the format's own object: smallest and largest coordinate per axis, box after box, in one string.
pub(crate) fn stated(extras: &Extras) -> Vec<Bounds> {
    let text = extras.values().find_map(|own| own.get("bounds").and_then(Value::as_str));
    let numbers: Vec<f32> = text.unwrap_or_default().split(' ').map_while(|n| n.parse().ok()).collect();
    let boxes = numbers.as_chunks::<6>().0.iter();
    let bounds = boxes.map(|[x0, x1, y0, y1, z0, z1]| Bounds {
        min: Vec3::new(*x0, *y0, *z0),
        max: Vec3::new(*x1, *y1, *z1),
    });
    bounds.filter(|b| b.min.is_finite() && b.max.is_finite()).collect()
}

/// The box that the file stores for a pose: that of the clip's current frame, or of the whole model.
pub fn stated_bounds(scene: &Scene, clip: Option<(&Clip, f32)>) -> Option<Bounds> {
    let of_clip = clip.and_then(|(clip, time)| {
        let boxes = stated(&clip.extras);
        let frame = clip.frames.map_or(0.0, |frames| (time * frames.rate + 0.5).max(0.0)) as usize;
        boxes.get(frame.min(boxes.len().saturating_sub(1))).copied()
    });
    of_clip.or_else(|| stated(&scene.extras).into_iter().reduce(Bounds::union))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_read_from_any_formats_extras() {
        let extras: Extras =
            serde_json::from_str(r#"{"any": {"bounds": "-1 1 0 2 -3 3 0 0 0 0 0 nan"}}"#).expect("JSON");
        let expected = Bounds { min: Vec3::new(-1.0, 0.0, -3.0), max: Vec3::new(1.0, 2.0, 3.0) };
        assert_eq!(stated(&extras), [expected]);
        let scene = Scene { extras, ..Scene::default() };
        assert_eq!(stated_bounds(&scene, Some((&Clip::default(), 0.5))), Some(expected));
        assert_eq!(stated_bounds(&Scene::default(), None), None);
    }
}
