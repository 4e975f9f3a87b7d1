//! Names of joints, placed so that none covers another.

use super::skeleton::{origin, shown};
use crate::camera::View;
use crate::text::{Anchor, Label, Text};
use crate::{NoteKind, Notes, Shot};
use ligament::Scene;

const INK: [u8; 4] = [16, 18, 28, 255];
const RIM: [u8; 4] = [255, 255, 255, 215];

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
    notes: &mut Notes,
) -> Vec<Label> {
    let height = (size[1] / 44.0).clamp(11.0, 24.0);
    let (pose, space) = (shot.pose, &shot.stage.space);
    let mut dots: Vec<([f32; 2], String)> = shown(scene, shot)
        .into_iter()
        .filter_map(|joint| Some((view.pixel(origin(pose, space, joint), size)?, scene.node_label(joint))))
        .collect();
    dots.retain(|(at, _)| at[0] >= 0.0 && at[1] >= 0.0 && at[0] < size[0] && at[1] < size[1]);
    // There is never room for more, and comparing each with all others takes time.
    let too_many = dots.len().saturating_sub(MOST);
    dots.truncate(MOST);
    let mut taken: Vec<Rectangle> = Vec::new();
    let (mut labels, mut left_out) = (Vec::new(), too_many);
    for (at, name) in dots {
        let name = shortened(&name);
        let width = text.width(&name, height);
        match free_place(at, width, height, size, &taken) {
            Some(rectangle) => {
                taken.push(rectangle);
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

/// A free rectangle beside a joint: right of it, left, below, above, or a little farther away.
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
    near.into_iter().chain(far).map(|[l, t]| [l, t, l + width, t + height]).find(|own| {
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
    fn long_names_are_cut() {
        assert_eq!(shortened("arm"), "arm");
        assert_eq!(shortened(&"ä".repeat(100)).chars().count(), 28);
    }
}
