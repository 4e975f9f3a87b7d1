//! Vertices that are the same in both scenes and need not be measured.

use super::*;
use ligament::compare::SideBySide;
use ligament::math::{DVec3, Vec4Swizzles};
use ligament::pose::{Pose, joint_matrices};

/// Replaces the influences of each vertex by a function of them.
fn influences(scene: &mut Scene, change: impl Fn(&[Influence]) -> Vec<Influence>) {
    for part in &mut scene.meshes[0].parts {
        let changed: Vec<_> = part.influences.iter().map(&change).collect();
        part.influences = Influences::new();
        changed.into_iter().for_each(|pairs| part.influences.push(pairs));
    }
}

#[test]
fn vertices_that_need_not_be_measured_are_told_what_measuring_would_tell() {
    let first = strip();
    let (mut noted, mut halved) = (first.clone(), first.clone());
    // Nothing drawn has changed, but the scenes are no longer equal.
    noted.nodes[2].extras.insert("note".into(), "x".into());
    // The same joint twice, half each: not equal, but at exactly the same position.
    influences(&mut halved, |own| vec![Influence { weight: 0.5, ..own[0] }; 2]);
    let long = against(&first, &halved);
    for short in [against(&first, &first.clone()), against(&first, &noted)] {
        assert_eq!(
            (short.size, &short.worst, &short.worst_at_keys),
            (long.size, &long.worst, &long.worst_at_keys)
        );
        assert_eq!((short.mean, short.poses, short.skipped), (long.mean, long.poses, long.skipped));
        assert_eq!((short.points, short.pairing), (long.points, long.pairing));
        assert_eq!((worst(&short), short.points), (0.0, 12));
    }
    assert!(against(&first, &first.clone()).differences.is_empty());
}

/// The strip with two joints per vertex, whose weights do not sum to one.
fn blended() -> Scene {
    let mut scene = strip();
    influences(&mut scene, |own| vec![own[0], Influence { joint: 1 - own[0].joint, weight: 0.31 }]);
    let part = &mut scene.meshes[0].parts[0];
    // Each vertex has other weights, and so another rounding.
    let (starts, mut pairs) = std::mem::take(&mut part.influences).into_raw();
    pairs.iter_mut().enumerate().for_each(|(i, pair)| pair.weight += 0.013 * i as f32);
    part.influences = Influences::from_raw(starts, pairs).expect("as it was");
    scene
}

fn divided(scene: &Scene) -> Scene {
    let mut divided = scene.clone();
    influences(&mut divided, |own| {
        let total: f64 = own.iter().map(|pair| f64::from(pair.weight)).sum();
        own.iter()
            .map(|pair| Influence { weight: (f64::from(pair.weight) / total) as f32, ..*pair })
            .collect()
    });
    divided
}

/// The distances between the vertices of a pose, computed with more digits than are stored.
fn exactly(first: &Scene, second: &Scene, pose: &Pose) -> f64 {
    let matrices = joint_matrices(&first.skins[0], pose);
    let place = |part: &Part, vertex: usize| -> DVec3 {
        let pulls = part.influences.of(vertex);
        let total: f64 = pulls.iter().map(|pull| f64::from(pull.weight)).sum();
        let moved = |joint: u32| {
            let matrix = matrices[joint as usize].as_dmat4();
            (matrix * part.positions[vertex].as_dvec3().extend(1.0)).xyz()
        };
        pulls.iter().map(|pull| moved(pull.joint) * f64::from(pull.weight) / total).sum()
    };
    let parts = first.meshes[0].parts.iter().zip(&second.meshes[0].parts);
    let distances =
        parts.flat_map(|(a, b)| (0..a.positions.len()).map(|v| place(a, v).distance(place(b, v))));
    distances.fold(0.0, f64::max)
}

#[test]
fn rounded_weights_are_measured_with_more_digits_than_a_position_has() {
    let first = blended();
    let second = divided(&first);
    let found = against(&first, &second);
    let clip = &first.clips[0];
    let poses = [0.0, 0.5, 1.0].map(|time| Pose::at(&first, clip, time));
    let truth = poses.iter().map(|pose| exactly(&first, &second, pose)).fold(0.0, f64::max);
    assert!(truth > 0.0 && truth < 1e-6 * found.size);
    assert!((worst(&found) - truth).abs() < 1e-6 * truth, "{} instead of {truth}", worst(&found));
    assert!(found.mean > 0.0 && found.mean <= worst(&found));
    assert_eq!((found.poses, found.points), (4, 12));
}

#[test]
fn weights_that_differ_are_measured() {
    let first = blended();
    for change in [1e-6, 1e-5, 1e-3] {
        let mut second = divided(&first);
        let (starts, mut pairs) = std::mem::take(&mut second.meshes[0].parts[1].influences).into_raw();
        pairs[3].weight += change;
        second.meshes[0].parts[1].influences = Influences::from_raw(starts, pairs).expect("as it was");
        let found = against(&first, &second);
        let both = SideBySide::new(&first, &second);
        let at = |time: f32| {
            let poses = [&first, &second].map(|scene| Pose::at(scene, &scene.clips[0], time));
            let distances = both.distances(&poses[0], &poses[1]);
            distances.into_iter().flatten().fold(0.0, f64::max)
        };
        let measured = [0.0, 0.5, 1.0].map(at).into_iter().fold(0.0, f64::max);
        // Posed positions are rounded.
        assert!((worst(&found) - measured).abs() < 1e-6, "{change}: {} or {measured}", worst(&found));
        let poses = [0.0, 0.5, 1.0].map(|time| Pose::at(&first, &first.clips[0], time));
        let truth = poses.iter().map(|pose| exactly(&first, &second, pose)).fold(0.0, f64::max);
        assert!((worst(&found) - truth).abs() < 1e-6 * truth, "{change}: {} or {truth}", worst(&found));
    }
    // A joint replaced by another, a vertex without weights, and weights that sum to zero.
    type Change = fn(&mut Vec<Influence>);
    let changes: [Change; 3] = [
        |pairs| pairs[3].joint = 0,
        |pairs| (pairs[2].weight, pairs[3].weight) = (0.0, 0.0),
        |pairs| (pairs[2].weight, pairs[3].weight) = (0.5, -0.5),
    ];
    for change in changes {
        let mut second = divided(&first);
        let (starts, mut pairs) = std::mem::take(&mut second.meshes[0].parts[0].influences).into_raw();
        change(&mut pairs);
        second.meshes[0].parts[0].influences = Influences::from_raw(starts, pairs).expect("as it was");
        assert!(worst(&against(&first, &second)) > 0.1);
    }
}

#[test]
fn the_least_change_of_what_moves_a_vertex_is_measured() {
    let mut first = strip();
    first.meshes[0].morphs.push(Morph { weight: 1.0, ..Morph::default() });
    for part in &mut first.meshes[0].parts {
        let positions = vec![Vec3::Z; part.positions.len()];
        part.morphs.push(MorphDeltas { positions, ..MorphDeltas::default() });
        // Two joints per vertex, so that the weights between them matter.
        let both =
            part.influences.iter().map(|own| [own[0], Influence { joint: 1 - own[0].joint, weight: 0.3 }]);
        let both: Vec<_> = both.collect();
        part.influences = Influences::new();
        both.into_iter().for_each(|pair| part.influences.push(pair));
    }
    let placed = first.nodes[2].clone();
    first.add_node(Node { skin: None, ..placed });
    type Change = (&'static str, fn(&mut Scene));
    let changes: [Change; 7] = [
        ("a position", |scene| scene.meshes[0].parts[1].positions[5].x += 1e-3),
        ("a weight", |scene| {
            let (starts, mut pairs) = std::mem::take(&mut scene.meshes[0].parts[0].influences).into_raw();
            pairs[3].weight += 1e-3;
            scene.meshes[0].parts[0].influences = Influences::from_raw(starts, pairs).expect("as it was");
        }),
        ("a morph target", |scene| scene.meshes[0].parts[0].morphs[0].positions[2].y += 1e-3),
        ("a morph weight", |scene| scene.nodes[3].morph_weights = vec![1.001]),
        ("a bind matrix", |scene| scene.skins[0].inverse_binds[1][12] += 1e-3),
        ("a node", |scene| {
            scene.nodes[3].local = Local::Trs(Trs { translation: Vec3::X * 1e-3, ..Trs::IDENTITY });
        }),
        ("a key", |scene| {
            let end = Quat::from_rotation_z(FRAC_PI_2 - 1e-3);
            scene.clips[0] = bend(Interpolation::Linear, end);
        }),
    ];
    assert_eq!(worst(&against(&first, &first.clone())), 0.0);
    for (what, change) in changes {
        let mut second = first.clone();
        change(&mut second);
        let found = worst(&against(&first, &second));
        assert!((1e-4..1e-2).contains(&found), "{what}: {found}");
    }
}
