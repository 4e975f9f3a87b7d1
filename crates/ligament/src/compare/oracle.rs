//! Tests the search: thousands of generated pairs of scenes are searched, measured exhaustively, and posed in another
//! way.

use super::clips::matched;
use super::measure::{self, Measured};
use super::pairing::{Pairs, pair};
use super::surface::Surface;
use super::{CompareOptions, Deviation, Model};
use crate::ConvertOptions;
use crate::formats::FORMATS;
use crate::pose::{Player, Pose, deform, joint_matrices};
use crate::scene::{
    Clip, Faces, Influence, Influences, Interpolation, Local, Mesh, MeshId, Morph, MorphDeltas, Node, NodeId,
    Part, Scene, Skin, SkinId, Track, Trs, Values,
};
use glam::{DVec3, Mat4, Quat, Vec3};

/// Pseudo-random numbers.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, count: usize) -> usize {
        self.next() as usize % count.max(1)
    }

    fn is(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// From −1 to 1.
    fn number(&mut self) -> f32 {
        self.next() as f32 / (1_u64 << 30) as f32 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }

    fn rotation(&mut self) -> Quat {
        Quat::from_axis_angle(self.vector().try_normalize().unwrap_or(Vec3::X), self.number() * 3.0)
    }

    fn trs(&mut self) -> Trs {
        let scale = if self.is(20) { Vec3::ONE + self.vector() * 0.5 } else { Vec3::ONE };
        Trs { translation: self.vector(), rotation: self.rotation(), scale }
    }
}

fn track(random: &mut Random, node: usize, times: &[f32]) -> Track {
    let interpolation = [Interpolation::Linear, Interpolation::Step, Interpolation::Cubic][random.below(3)];
    let count = times.len() * interpolation.values_per_key();
    let values = match random.below(3) {
        0 => Values::Translation((0..count).map(|_| random.vector()).collect()),
        1 => Values::Rotation((0..count).map(|_| random.rotation()).collect()),
        _ => Values::Scale((0..count).map(|_| Vec3::ONE + random.vector() * 0.2).collect()),
    };
    Track { node: NodeId(node as u32), interpolation, times: times.into(), values }
}

/// A rig of a few joints, meshes with and without skins and morph targets, and clips of all kinds of keys.
fn scene(random: &mut Random) -> Scene {
    let mut scene = Scene::default();
    let joints = 1 + random.below(7);
    for i in 0..joints {
        let parent = (i > 0 && random.is(85)).then(|| NodeId(random.below(i) as u32));
        let local = Local::Trs(random.trs());
        scene.add_node(Node { name: format!("joint{i}"), parent, local, ..Node::default() });
    }
    let rest = Pose::rest(&scene);
    let bind = |i: usize| rest.globals[i].inverse().as_mat4().to_cols_array();
    scene.skins.push(Skin {
        joints: (0..joints as u32).map(NodeId).collect(),
        inverse_binds: (0..joints).map(bind).collect(),
        ..Skin::default()
    });
    for number in 0..1 + random.below(3) {
        let targets = if random.is(30) { 1 + random.below(3) } else { 0 };
        let parts = (0..1 + random.below(2)).map(|_| part(random, joints, targets)).collect();
        let morphs = (0..targets).map(|i| Morph { name: i.to_string(), weight: random.number() }).collect();
        scene.meshes.push(Mesh { name: format!("mesh{number}"), parts, morphs, ..Mesh::default() });
        let parent = random.is(30).then(|| NodeId(random.below(joints) as u32));
        let node = Node {
            name: format!("body{number}"),
            mesh: Some(MeshId(number as u32)),
            skin: random.is(75).then_some(SkinId(0)),
            parent,
            local: Local::Trs(random.trs()),
            ..Node::default()
        };
        scene.add_node(node);
    }
    for name in 0..random.below(3) {
        let count = 1 + random.below(6);
        let times: Vec<f32> = (0..count).map(|i| i as f32 * 0.25).collect();
        let mut clip = Clip { name: format!("clip{name}"), duration: 2.0, ..Clip::default() };
        for node in 0..scene.nodes.len() {
            if random.is(60) {
                clip.tracks.push(track(random, node, &times));
            }
            let targets = scene.nodes[node].mesh.map_or(0, |mesh| scene.meshes[mesh.index()].morphs.len());
            if targets > 0 && random.is(60) {
                let weights = (0..count * targets).map(|_| random.number()).collect();
                let values = Values::MorphWeights { count: targets, weights };
                let (interpolation, times) = (Interpolation::Linear, times[..].into());
                clip.tracks.push(Track { node: NodeId(node as u32), interpolation, times, values });
            }
        }
        scene.clips.push(clip);
    }
    scene
}

fn part(random: &mut Random, joints: usize, targets: usize) -> Part {
    let count = 3 * (1 + random.below(20));
    let mut influences = Influences::new();
    for _ in 0..count {
        let odd = random.is(4);
        let each: Vec<Influence> = (0..random.below(5))
            .map(|_| {
                let joint = (random.below(joints) + if odd && random.is(30) { joints } else { 0 }) as u32;
                let weight = random.number();
                Influence { joint, weight: if odd { weight } else { weight.abs() } }
            })
            .collect();
        influences.push(each);
    }
    let mut deltas = |count: usize| (0..count).map(|_| random.vector() * 0.1).collect::<Vec<_>>();
    let morphs = (0..targets).map(|_| MorphDeltas { positions: deltas(count), ..MorphDeltas::default() });
    let morphs = morphs.collect();
    Part {
        positions: (0..count).map(|_| random.vector()).collect(),
        influences,
        morphs,
        faces: Faces::Triangles((0..count as u32).collect()),
        ..Part::default()
    }
}

/// The scene after one or a few of the things that happen to scenes.
fn changed(random: &mut Random, scene: &Scene) -> Scene {
    let mut other = scene.clone();
    let tiny = [0.0, 1e-7, 1e-5, 1e-2][random.below(4)];
    for _ in 0..1 + random.below(3) {
        match random.below(10) {
            // Everything that moves is rounded otherwise.
            0 => {
                for track in other.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
                    match &mut track.values {
                        Values::Translation(v) | Values::Scale(v) => {
                            v.iter_mut().for_each(|v| *v += random.vector() * tiny);
                        }
                        Values::Rotation(v) => v.iter_mut().for_each(|v| {
                            *v = (*v * Quat::from_rotation_x(random.number() * tiny)).normalize();
                        }),
                        Values::MorphWeights { weights, .. } => {
                            weights.iter_mut().for_each(|w| *w += random.number() * tiny);
                        }
                    }
                }
            }
            1 => other.nodes.iter_mut().for_each(|node| {
                if let Local::Trs(trs) = &mut node.local {
                    trs.translation += random.vector() * tiny;
                }
            }),
            // Weights that sum to one.
            2 => each_part(&mut other, |part| {
                let (starts, mut pairs) = std::mem::take(&mut part.influences).into_raw();
                for w in starts.windows(2) {
                    let own = &mut pairs[w[0] as usize..w[1] as usize];
                    let total: f32 = own.iter().map(|pair| pair.weight).sum();
                    if total.abs() > 0.1 {
                        own.iter_mut().for_each(|pair| pair.weight /= total);
                    }
                }
                part.influences = Influences::from_raw(starts, pairs).expect("as it was");
            }),
            3 => each_part(&mut other, |part| {
                part.positions.iter_mut().for_each(|p| *p += random.vector() * tiny);
            }),
            // One vertex that moved, or lost its place.
            4 => each_part(&mut other, |part| {
                let vertex = random.below(part.positions.len());
                part.positions[vertex] += random.vector() * tiny.max(1e-3);
                if random.is(5) {
                    part.positions[vertex].x = [f32::NAN, f32::INFINITY][random.below(2)];
                }
            }),
            // Joints in another order.
            5 => {
                let count = other.skins[0].joints.len() as u32;
                other.skins[0].joints.reverse();
                other.skins[0].inverse_binds.reverse();
                each_part(&mut other, |part| {
                    part.influences.pairs_mut().iter_mut().for_each(|pair| {
                        pair.joint = if pair.joint < count { count - 1 - pair.joint } else { pair.joint };
                    });
                });
            }
            // Missing joints.
            6 => {
                other.skins[0].joints.pop();
                other.skins[0].inverse_binds.pop();
            }
            // Another rest position of the same shape.
            7 => {
                let by = random.trs();
                let by = Mat4::from_scale_rotation_translation(by.scale, by.rotation, by.translation);
                other.skins[0].inverse_binds.iter_mut().for_each(|bind| {
                    *bind = (Mat4::from_cols_array(bind) * by.inverse()).to_cols_array();
                });
                let is_skinned = |mesh: usize| {
                    let drawn = |node: &&Node| node.mesh == Some(MeshId(mesh as u32));
                    scene.nodes.iter().find(drawn).is_some_and(|node| node.skin.is_some())
                };
                for (_, mesh) in other.meshes.iter_mut().enumerate().filter(|(i, _)| is_skinned(*i)) {
                    for part in &mut mesh.parts {
                        part.positions.iter_mut().for_each(|p| *p = by.transform_point3(*p));
                        for morph in &mut part.morphs {
                            morph.positions.iter_mut().for_each(|p| *p = by.transform_vector3(*p));
                        }
                    }
                }
            }
            // No morph targets.
            8 => {
                other.meshes.iter_mut().for_each(|mesh| mesh.morphs.clear());
                each_part(&mut other, |part| part.morphs.clear());
            }
            // Skins that are nodes.
            _ => other.nodes.iter_mut().for_each(|node| node.skin = node.skin.filter(|_| random.is(80))),
        }
    }
    // Huge numbers overflow in a pose.
    if random.is(3) {
        let joint = random.below(other.skins[0].joints.len().max(1));
        other.nodes[joint].local = Local::Trs(Trs { scale: Vec3::splat(1e38), ..random.trs() });
    }
    other
}

fn each_part(scene: &mut Scene, change: impl FnMut(&mut Part)) {
    scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.parts).for_each(change);
}

/// The scenes with their vertices paired, searched and measured exhaustively.
fn both_ways<'a>(models: (Model<'a>, Model<'a>), ways: [bool; 2]) -> (Pairs, [Measured; 2], f64) {
    let options = &CompareOptions::default();
    let (matched, _) = matched(models.0.scene, models.1.scene);
    let size = measure::size(models.0.scene);
    let surfaces = (Surface::new(models.0, usize::MAX), Surface::new(models.1, usize::MAX));
    let pairs = pair(&surfaces.0, &surfaces.1, &matched, size);
    let found = ways.map(|is_exhaustive| {
        measure::search(&surfaces.0, &surfaces.1, &pairs, &matched, size, options, is_exhaustive)
    });
    (pairs, found, size)
}

fn same(pairs: &Pairs, [found, all]: &[Measured; 2], what: &str) {
    assert_eq!(found.worst, all.worst, "{what}");
    assert_eq!(found.worst_at_keys, all.worst_at_keys, "{what}");
    assert_eq!(found.by_clip, all.by_clip, "{what}");
    assert_eq!((found.poses, found.skipped), (all.poses, all.skipped), "{what}");
    let Some(worst) = &all.worst else { return assert!(pairs.list.is_empty(), "{what}") };
    assert!(found.mean <= worst.distance && all.mean <= worst.distance, "{what}");
    // Small scenes are measured in full.
    let is_all = found.mean_points == found.points;
    assert!(!is_all || (found.mean - all.mean).abs() <= all.mean * 1e-9 || !all.mean.is_finite(), "{what}");
}

/// The positions of a scene's vertices, posed in the simplest way, in f64.
fn posed(scene: &Scene, pose: &Pose) -> Vec<DVec3> {
    let mut positions = Vec::new();
    for (id, node) in scene.node_ids().zip(&scene.nodes) {
        let Some(mesh) = node.mesh else { continue };
        let weights = &pose.morph_weights[id.index()];
        for part in &scene.meshes[mesh.index()].parts {
            for (vertex, position) in part.positions.iter().enumerate() {
                let morphs = part.morphs.iter().zip(weights);
                let morphed = morphs.fold(position.as_dvec3(), |sum, (morph, weight)| {
                    sum + morph.positions[vertex].as_dvec3() * f64::from(*weight)
                });
                let Some(skin) = node.skin else {
                    positions.push(pose.globals[id.index()].transform_point3(morphed));
                    continue;
                };
                let matrices = joint_matrices(&scene.skins[skin.index()], pose);
                let known = |pair: &&Influence| (pair.joint as usize) < matrices.len();
                let pulls = part.influences.of(vertex).iter().filter(known);
                let total: f64 = pulls.clone().map(|pair| f64::from(pair.weight)).sum();
                let place = |pair: &Influence| {
                    let matrix = matrices[pair.joint as usize].as_dmat4();
                    matrix.transform_point3(morphed) * f64::from(pair.weight)
                };
                positions.push(if total == 0.0 { morphed } else { pulls.map(place).sum::<DVec3>() / total });
            }
        }
    }
    positions
}

/// The distance of the pair that was found, and the largest of all in that pose, posed in f64 and in f32.
fn posed_again(first: &Scene, second: &Scene, pairs: &Pairs, worst: &Deviation) -> [f64; 2] {
    let pose = |scene: &Scene| match &worst.clip {
        None => Pose::rest(scene),
        Some(name) => {
            let clip = scene.clips.iter().find(|clip| clip.name == *name).expect("the clip that was found");
            Pose::at(scene, clip, worst.time as f32)
        }
    };
    let poses = (pose(first), pose(second));
    let (a, b) = (posed(first, &poses.0), posed(second, &poses.1));
    let single = |scene: &Scene, pose: &Pose| -> Vec<DVec3> {
        let parts = scene.node_ids().flat_map(|id| deform(scene, pose, id));
        parts.flat_map(|part| part.positions).map(|p| p.as_dvec3()).collect()
    };
    let (c, d) = (single(first, &poses.0), single(second, &poses.1));
    let most = |a: &[DVec3], b: &[DVec3]| {
        pairs.list.iter().map(|&(i, j)| a[i as usize].distance(b[j as usize])).fold(0.0, f64::max)
    };
    [most(&a, &b), most(&c, &d)]
}

#[test]
fn what_the_search_finds_is_what_measuring_everything_finds() {
    let (mut measured, mut computed, mut infinite) = (0_usize, 0_usize, 0);
    for seed in 0..2000 {
        let random = &mut Random(seed * 7919 + 1);
        let first = scene(random);
        let second = changed(random, &first);
        let (pairs, found, size) = both_ways((Model::from(&first), Model::from(&second)), [false, true]);
        let what = format!("seed {seed}");
        same(&pairs, &found, &what);
        let [found, all] = found;
        (measured, computed) = (measured + all.computed, computed + found.computed);
        for worst in found.by_clip {
            infinite += usize::from(!worst.distance.is_finite());
            // Where posing overflows, f64 does not.
            if size > 1e6 || worst.distance > 1e6 {
                continue;
            }
            let [exact, rounded] = posed_again(&first, &second, &pairs, &worst);
            let reach = size + worst.distance;
            assert!((exact - worst.distance).abs() <= 1e-5 * reach, "{what}: {exact} {worst:?}");
            assert!((rounded - worst.distance).abs() <= 1e-4 * reach, "{what}: {rounded} {worst:?}");
        }
    }
    println!("{computed} of {measured} distances, {infinite} infinite");
    // Small scenes are measured in full for the mean.
    assert!(infinite > 25 && computed < measured, "{computed} of {measured}, {infinite}");
}

#[test]
fn a_player_poses_as_looking_up_each_time_does() {
    let mut poses = 0;
    for seed in 0..300 {
        let random = &mut Random(seed * 104_729 + 5);
        let scene = scene(random);
        let mut player = Player::new(&scene, None);
        for step in 0..if scene.clips.is_empty() { 0 } else { 30 } {
            let clip = if random.is(10) { random.below(scene.clips.len()) } else { 0 };
            let time = if random.is(20) { random.number() * 3.0 } else { step as f32 * 0.125 };
            let time = if random.is(20) { time.next_down() } else { time };
            assert_eq!(*player.pose(clip, time), Pose::at(&scene, &scene.clips[clip], time), "{seed} {time}");
            poses += 1;
        }
    }
    assert!(poses > 4000, "{poses}");
}

/// Converts a model to every format: the search finds what measuring everything finds. Returns how many distances it
/// computed, and how many there are.
fn converted(file: &str, is_small: bool) -> (usize, usize) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    let (first, _) = crate::read(&path, &Default::default()).expect("a valid model");
    let (mut computed, mut all) = (0, 0);
    for format in FORMATS.iter().filter(|format| format.writes(None)) {
        let place = tempfile::tempdir().expect("a folder");
        let target = place.path().join(format!("model.{}", format.extensions[0]));
        let options = ConvertOptions { verify: false, ..ConvertOptions::default() };
        if crate::convert(&path, &target, &options).is_err() {
            continue;
        }
        let (second, _) = crate::read(&target, &Default::default()).expect("it was written");
        let models = (Model::from(&first), Model::from(&second));
        let (pairs, found, _) = both_ways(models, [false, is_small]);
        let what = format!("{file} to {}", format.id);
        same(&pairs, &found, &what);
        let found = &found[0];
        println!("{what}: {} of {}", found.computed, found.points * found.poses);
        (computed, all) = (computed + found.computed, all + found.points * found.poses);
    }
    (computed, all)
}

#[test]
fn few_distances_are_computed_of_usual_conversions() {
    for (file, is_small) in [("corpus/real/gltf/Fox.glb", true), ("examples/creature.glb", false)] {
        let (computed, all) = converted(file, is_small);
        assert!(computed * 20 < all, "{file}: {computed} of {all}");
    }
}
