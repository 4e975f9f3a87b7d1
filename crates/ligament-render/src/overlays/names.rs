//! Names of joints, placed so that none covers another. A line leads from a joint to a name that is not beside it.

use super::skeleton::{origin, shown};
use crate::camera::View;
use crate::lines::{Lines, Segment};
use crate::text::{Anchor, Label, Text};
use crate::{NoteKind, Notes, Shot};
use ligament::Scene;
use ligament::math::Vec3;
use std::collections::HashMap;

const INK: [u8; 4] = [16, 18, 28, 255];
const RIM: [u8; 4] = [255, 255, 255, 215];
const LEADER: [u8; 4] = [16, 18, 28, 150];

/// Maximum number of joints considered.
const MOST: usize = 4000;

type Rectangle = [f32; 4];

/// The names that fit, and a note about how many do not.
pub(crate) fn place(
    scene: &Scene,
    shot: &Shot,
    view: &View,
    size: [f32; 2],
    text: &mut Text,
    lines: &mut Lines,
    notes: &mut Notes,
) -> Vec<Label> {
    let height = (size[1] / 44.0).clamp(11.0, 24.0);
    let (pose, space) = (shot.pose, &shot.stage.space);
    let joints = shown(scene, shot);
    let names: Vec<&str> = joints.iter().map(|joint| scene.nodes[joint.index()].name.as_str()).collect();
    // A namespace that all share, such as `mixamorig:`, would only take room.
    let prefix = shared_prefix(&names);
    let mut dots: Vec<([f32; 2], Vec3, String)> = joints
        .into_iter()
        .filter_map(|joint| {
            let place = origin(pose, space, joint);
            let label = scene.node_label(joint);
            let short = label.strip_prefix(prefix).map(str::to_owned).unwrap_or(label);
            Some((view.pixel(place, size)?, place, short))
        })
        .collect();
    dots.retain(|(at, ..)| at[0] >= 0.0 && at[1] >= 0.0 && at[0] < size[0] && at[1] < size[1]);
    // There is never room for more, and comparing each with all others takes time.
    let too_many = dots.len().saturating_sub(MOST);
    dots.truncate(MOST);
    let mut taken: Vec<Rectangle> = Vec::new();
    let (mut labels, mut left_out) = (Vec::new(), too_many);
    for (at, place, name) in dots {
        let name = shortened(&name);
        let width = text.width(&name, height);
        match free_place(at, width, height, size, &taken) {
            Some(rectangle) => {
                taken.push(rectangle);
                let end = nearest(at, &rectangle);
                if distance(at, end) > height {
                    let end = view.beside(place, end, size);
                    lines.on_top.push(Segment::new(place, end, LEADER, 1.2));
                }
                labels.push(Label {
                    text: name,
                    at: [rectangle[0], rectangle[1]],
                    size: height,
                    color: INK,
                    rim: Some(RIM),
                    anchor: Anchor::Left,
                });
            }
            None => left_out += 1,
        }
    }
    if left_out > 0 {
        notes.add(
            NoteKind::Overlay,
            format!("{left_out} joint names hidden: no room (a larger picture shows more)"),
        );
    }
    labels
}

/// A name, shortened to leave room for others.
fn shortened(name: &str) -> String {
    const MOST: usize = 28;
    if name.chars().count() <= MOST {
        return name.to_owned();
    }
    name.chars().take(MOST - 1).chain(['…']).collect()
}

/// What comes before the names' own parts: the namespace of most of them (`mixamorig:`, `rig|`), or the words that all
/// begin with (`Bip01 `, `b_`).
pub fn shared_prefix<'a>(names: &[&'a str]) -> &'a str {
    let namespace = |name: &'a str| name.rfind([':', '|']).map_or("", |at| &name[..=at]);
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for own in names.iter().map(|name| namespace(name)).filter(|own| !own.is_empty()) {
        *counts.entry(own).or_default() += 1;
    }
    if let Some((own, _)) = counts.into_iter().find(|(_, count)| *count > 1 && count * 2 > names.len()) {
        return own;
    }
    let Some((first, others)) = names.split_first().filter(|(_, others)| others.len() > 1) else { return "" };
    let shared = others.iter().fold(first.len(), |shared, name| {
        first.bytes().zip(name.bytes()).take(shared).take_while(|(a, b)| a == b).count()
    });
    let word = first.as_bytes()[..shared].iter().rposition(|byte| b"_ .-".contains(byte));
    let prefix = word.and_then(|at| first.get(..=at)).unwrap_or("");
    if names.iter().all(|name| name.len() > prefix.len()) { prefix } else { "" }
}

/// The point of a rectangle that is nearest to another point.
fn nearest([x, y]: [f32; 2], own: &Rectangle) -> [f32; 2] {
    [x.clamp(own[0], own[2]), y.clamp(own[1], own[3])]
}

fn distance(a: [f32; 2], b: [f32; 2]) -> f32 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// A free rectangle for a joint's name: right of it, left, below, above, or farther away.
fn free_place(
    [x, y]: [f32; 2],
    width: f32,
    height: f32,
    size: [f32; 2],
    taken: &[Rectangle],
) -> Option<Rectangle> {
    let gap = height * 0.45;
    let right = [x + gap, y - height * 0.5];
    let left = [x - gap - width, y - height * 0.5];
    let middle = x - width * 0.5;
    let near = [right, left, [middle, y + gap], [middle, y - gap - height]];
    let far = [-1.1, 1.1, -2.2, 2.2]
        .into_iter()
        .flat_map(|way: f32| [[right[0], right[1] + way * height], [left[0], left[1] + way * height]]);
    // Around the joint, where a line can lead to it; to the sides first, because names are wide.
    let around = [3.0_f32, 5.0, 8.0].into_iter().flat_map(|radius| {
        (0..10).map(move |i| {
            let (sin, cos) = (i as f32 / 10.0 * std::f32::consts::TAU).sin_cos();
            let left = x + cos * radius * height - if cos < 0.0 { width } else { 0.0 };
            [left, y + sin * radius * height - height * 0.5]
        })
    });
    near.into_iter().chain(far).chain(around).map(|[l, t]| [l, t, l + width, t + height]).find(|own| {
        let inside = own[0] >= 0.0 && own[1] >= 0.0 && own[2] <= size[0] && own[3] <= size[1];
        inside && !taken.iter().any(|other| overlap(own, other))
    })
}

fn overlap(a: &Rectangle, b: &Rectangle) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_joints_at_one_place_do_not_cover_each_other() {
        let mut taken = Vec::new();
        for _ in 0..8 {
            let own = free_place([100.0, 100.0], 40.0, 10.0, [200.0, 200.0], &taken).expect("room for eight");
            assert!(!taken.iter().any(|other| overlap(&own, other)));
            taken.push(own);
        }
        assert_eq!(free_place([5.0, 5.0], 400.0, 10.0, [200.0, 200.0], &[]), None);
    }

    #[test]
    fn names_share_a_namespace_or_words() {
        for (names, prefix) in [
            (&["mixamorig:Hips", "mixamorig:Spine", "Camera"][..], "mixamorig:"),
            (&["b_Head_05", "b_Root_00", "b_Hip"], "b_"),
            (&["Bip01 Spine", "Bip01 Head", "Bip01 Neck"], "Bip01 "),
            (&["arm_l", "arm_r"], ""),
            (&["a:x", "b:y", "c:z"], ""),
            (&["b_", "b_x", "b_y"], ""),
            (&["ä_x", "ä_y", "ö_z"], ""),
            (&["root"], ""),
            (&[], ""),
        ] {
            assert_eq!(shared_prefix(names), prefix, "{names:?}");
        }
    }

    #[test]
    fn long_names_are_cut() {
        assert_eq!(shortened("arm"), "arm");
        assert_eq!(shortened(&"ä".repeat(100)).chars().count(), 28);
    }
}
