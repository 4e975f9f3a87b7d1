//! Advice about clips and weights: what keeps [the promise](crate::scene#the-promise) but may not be what was meant.
//!
//! | file | looks for |
//! |---|---|
//! | `loops.rs` | clips that look like loops but jump where they start again |
//! | `flips.rs` | quaternions that change their sign from one key to the next |
//! | `feet.rs` | feet that slide over the ground while the model walks |
//! | `keys.rs` | joints without keys that other clips animate |
//! | `weights.rs` | weights that do not sum to one |
//!
//! Each finds at most one thing per clip or part, names the worst joint and time, and counts the others.

pub mod codes;
mod feet;
mod flips;
mod keys;
mod loops;
mod weights;

use crate::pose::{Pose, bounds};
use crate::report::{Place, Report, label};
use crate::scene::{NodeId, Scene, Track, Values};
use glam::{Quat, Vec3};

/// Reports what is worth a look in a scene that keeps the promise.
pub fn advise(scene: &Scene, report: &mut Report) {
    let size = bounds(scene, &Pose::rest(scene)).map_or(0.0, |bounds| bounds.diagonal());
    flips::check(scene, report);
    loops::check(scene, size, report);
    keys::check(scene, report);
    feet::check(scene, size, report);
    weights::check(scene, report);
}

/// The name of a clip in a message.
fn clip_name(scene: &Scene, clip: usize) -> String {
    scene.clips[clip].label(clip)
}

/// The name of a joint in a message.
fn joint_name(scene: &Scene, node: NodeId) -> String {
    label("joint", scene.nodes.get(node.index()).map_or("", |node| &node.name), node.index())
}

fn place(clip: usize, track: usize) -> Place {
    Place::field(format!("clips[{clip}].tracks[{track}]"))
}

/// A number of further joints, for the end of a message.
fn others(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => " (and 1 other joint)".to_owned(),
        count => format!(" (and {count} other joints)"),
    }
}

/// The rotation at each key, without tangents.
fn rotations(track: &Track) -> Option<Vec<Quat>> {
    let Values::Rotation(values) = &track.values else { return None };
    Some(at_keys(values, track))
}

/// The translation at each key, without tangents.
fn translations(track: &Track) -> Option<Vec<Vec3>> {
    let Values::Translation(values) = &track.values else { return None };
    Some(at_keys(values, track))
}

fn at_keys<T: Copy>(values: &[T], track: &Track) -> Vec<T> {
    let each = track.interpolation.values_per_key();
    values.iter().copied().skip(each / 2).step_by(each).take(track.times.len()).collect()
}

/// The angle between two rotations, in degrees.
fn degrees(a: Quat, b: Quat) -> f64 {
    let (a, b) = (a.as_dquat(), b.as_dquat());
    // Accurate for small angles, where the arc cosine of the dot product is not.
    let (sum, difference) = ((a + b).length(), (a - b).length());
    (4.0 * difference.min(sum).atan2(difference.max(sum))).to_degrees()
}
