//! A small poser of its own, in f64 and straight from the definitions, to check results with something else than the
//! library's.

use ligament::math::{DMat4, DQuat, DVec3};
use ligament::scene::*;

/// The vertices of all meshes at a time of a clip, in the order of the nodes that draw them; at rest without a clip.
pub fn posed(scene: &Scene, clip: Option<&Clip>, seconds: f64) -> Vec<DVec3> {
    let mut globals: Vec<DMat4> = Vec::new();
    for (index, node) in scene.nodes.iter().enumerate() {
        let local = match &node.local {
            Local::Matrix(matrix) => DMat4::from_cols_array(&matrix.map(f64::from)),
            Local::Trs(trs) => {
                let mut translation = trs.translation.as_dvec3();
                let mut rotation = trs.rotation.as_dquat();
                let mut scale = trs.scale.as_dvec3();
                let of_node = |track: &&Track| track.node.index() == index;
                for track in clip.iter().flat_map(|clip| &clip.tracks).filter(of_node) {
                    match &track.values {
                        Values::Translation(v) => translation = vector(track, v, seconds),
                        Values::Scale(v) => scale = vector(track, v, seconds),
                        Values::Rotation(v) => rotation = turn(track, v, seconds),
                        Values::MorphWeights { .. } => {}
                    }
                }
                DMat4::from_scale_rotation_translation(scale, rotation.normalize(), translation)
            }
        };
        globals.push(node.parent.map_or(local, |parent| globals[parent.index()] * local));
    }
    let mut places = Vec::new();
    for (node, global) in scene.nodes.iter().zip(&globals) {
        for part in node.mesh.iter().flat_map(|mesh| &scene.meshes[mesh.index()].parts) {
            for (vertex, position) in part.positions.iter().enumerate() {
                let position = position.as_dvec3();
                let pairs = part.influences.of(vertex);
                let sum: f64 = pairs.iter().map(|pair| f64::from(pair.weight)).sum();
                places.push(match node.skin.map(|skin| &scene.skins[skin.index()]) {
                    Some(skin) if sum > 0.0 => pairs
                        .iter()
                        .map(|pair| {
                            let joint = pair.joint as usize;
                            let bind = DMat4::from_cols_array(&skin.inverse_binds[joint].map(f64::from));
                            let matrix = globals[skin.joints[joint].index()] * bind;
                            matrix.transform_point3(position) * (f64::from(pair.weight) / sum)
                        })
                        .sum(),
                    Some(_) => position,
                    None => global.transform_point3(position),
                });
            }
        }
    }
    places
}

/// The key before a time, and how far it is to the next.
fn between(track: &Track, seconds: f64) -> (usize, usize, f64) {
    let times: Vec<f64> = track.times.iter().map(|&time| f64::from(time)).collect();
    let last = times.len() - 1;
    match times.iter().rposition(|&time| time <= seconds) {
        None => (0, 0, 0.0),
        Some(key) if key == last || track.interpolation == Interpolation::Step => (key, key, 0.0),
        Some(key) => (key, key + 1, (seconds - times[key]) / (times[key + 1] - times[key])),
    }
}

fn vector(track: &Track, values: &[ligament::math::Vec3], seconds: f64) -> DVec3 {
    assert_ne!(track.interpolation, Interpolation::Cubic, "not needed so far");
    let (a, b, u) = between(track, seconds);
    values[a].as_dvec3() * (1.0 - u) + values[b].as_dvec3() * u
}

fn turn(track: &Track, values: &[ligament::math::Quat], seconds: f64) -> DQuat {
    assert_ne!(track.interpolation, Interpolation::Cubic, "not needed so far");
    let (a, b, u) = between(track, seconds);
    let (a, mut b) = (values[a].as_dquat().normalize(), values[b].as_dquat().normalize());
    if a.dot(b) < 0.0 {
        b = -b;
    }
    let angle = a.dot(b).min(1.0).acos();
    if angle < 1e-6 {
        return (a * (1.0 - u) + b * u).normalize();
    }
    (a * ((1.0 - u) * angle).sin() + b * (u * angle).sin()) * (1.0 / angle.sin())
}

/// How far any vertex of two scenes is apart at most, as a fraction of the model's size: at rest, and at 97 times of every
/// clip. Clips are found by their names.
pub fn apart(a: &Scene, b: &Scene, with_rest: bool) -> f64 {
    let rest = posed(a, None, 0.0);
    let min = rest.iter().copied().reduce(DVec3::min).expect("vertices");
    let size = rest.iter().copied().reduce(DVec3::max).expect("vertices").distance(min);
    let off = |a: Vec<DVec3>, b: Vec<DVec3>| {
        assert_eq!(a.len(), b.len(), "number of vertices");
        a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max) / size
    };
    let mut worst = if with_rest { off(rest, posed(b, None, 0.0)) } else { 0.0 };
    assert_eq!(a.clips.len(), b.clips.len());
    for clip in &a.clips {
        let other = b.clips.iter().find(|other| other.name == clip.name).expect("the clip");
        for step in 0..97 {
            let time = f64::from(clip.duration) * f64::from(step) / 96.0;
            worst = worst.max(off(posed(a, Some(clip), time), posed(b, Some(other), time)));
        }
    }
    worst
}
