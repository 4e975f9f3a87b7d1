//! Removes scale from joints, for formats whose joints only rotate and move.
//!
//! A joint's global matrix is split into a rigid frame and the remaining scales above it: `G = F · M`. The frame of a
//! child is `F · T(M · t) · R`, so rotations stay the same, translations take the scale of the joints above, and `M' =
//! R⁻¹ · M · R · S`. At rest, `M` moves into the inverse bind matrices, so the rest pose is exact, and so is every pose
//! in which `M` is the same as at rest. This is always so if scales are uniform and do not change.

use super::codes;
use super::deviation::{Probes, UNIT, moments, some_key_times};
use super::transform::{Mover, flip_faces, transform_part};
use crate::pose::{Player, locals_at};
use crate::report::{Loss, Report};
use crate::scene::{Clip, Interpolation, Local, MeshId, Node, NodeId, Scene, Track, Trs, Values};
use glam::{DMat3, DMat4, DQuat, DVec3, Vec3};
use std::sync::Arc;

/// Options for removing scales.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RemoveScaleOptions {
    /// Deviations below this fraction of the model's size are not reported.
    pub tolerance: f64,
}

impl Default for RemoveScaleOptions {
    fn default() -> Self {
        Self { tolerance: 1e-7 }
    }
}

/// Limit of the matrices sampled per clip; beyond it, times are thinned out evenly.
const MOST_MATRICES: usize = 8 << 20;

/// Gives every joint a scale of one as described in the [module](self). The loss of each clip is an upper bound of how
/// far any vertex is off. Nodes that are not joints keep their scale.
///
/// ```
/// use ligament::passes::remove_scale::{RemoveScaleOptions, remove_scale};
/// use ligament::scene::{Local, Node, NodeId, Scene, Skin, Trs};
/// use ligament::math::Vec3;
///
/// let root = Node { local: Local::Trs(Trs { scale: Vec3::splat(2.0), ..Trs::IDENTITY }), ..Node::default() };
/// let local = Local::Trs(Trs { translation: Vec3::Y, ..Trs::IDENTITY });
/// let child = Node { parent: Some(NodeId(0)), local, ..Node::default() };
/// let bind = ligament::math::Mat4::IDENTITY.to_cols_array();
/// let joints = vec![NodeId(0), NodeId(1)];
/// let skin = Skin { joints, inverse_binds: vec![bind; 2], ..Skin::default() };
/// let mut scene = Scene { nodes: vec![root, child], skins: vec![skin], ..Scene::default() };
/// remove_scale(&mut scene, &RemoveScaleOptions::default(), &mut Default::default());
/// assert_eq!(scene.nodes[1].local.trs().unwrap().translation, Vec3::new(0.0, 2.0, 0.0));
/// assert_eq!(scene.skins[0].inverse_binds[0][0], 2.0);
/// ```
pub fn remove_scale(scene: &mut Scene, options: &RemoveScaleOptions, report: &mut Report) {
    let is_joint = scene.are_joints();
    let scaled = count_scaled(scene, &is_joint);
    if scaled == 0 {
        return;
    }
    let before = Scene { nodes: scene.nodes.clone(), skins: scene.skins.clone(), ..Scene::default() };
    let probes = Probes::new(scene);
    let rest = residuals(scene, &is_joint, scene.nodes.iter().map(|n| &n.local));
    let clips = std::mem::take(&mut scene.clips);
    let unscaled: Vec<Clip> =
        clips.iter().map(|clip| clip_without_scale(scene, clip, &is_joint, &rest)).collect();
    rest_without_scale(scene, &is_joint, &rest);
    let after = Probes::new(scene);

    let mut lost = false;
    for (index, (source, result)) in clips.iter().zip(&unscaled).enumerate() {
        let players = (Player::of_clip(&before, source), Player::of_clip(scene, result));
        let times = moments(source.tracks.iter().chain(&result.tracks));
        let size = probes.between_scenes(&after, &times, players);
        if let Some(size) = size.filter(|&size| size > options.tolerance) {
            let message =
                "joints of the format only rotate and move, so the clip's changes of scale are lost";
            let object = source.label(index);
            report.loss(Loss::approximated(&codes::JOINT_SCALE, object, scaled, size, UNIT, message));
            lost = true;
        }
    }
    if !lost {
        let message = "joints of the format only rotate and move; their scale is baked into the bind pose";
        report.loss(Loss::kept(&codes::JOINT_SCALE, "", scaled, message));
    }
    scene.clips = unscaled;
}

/// Counts the joints that have a scale at rest or in a clip.
fn count_scaled(scene: &Scene, is_joint: &[bool]) -> usize {
    let rests_scaled = |node: &Node| node.local.trs().is_none_or(|trs| trs.scale != Vec3::ONE);
    let mut scaled: Vec<bool> = scene.nodes.iter().map(rests_scaled).collect();
    for track in scene.clips.iter().flat_map(|c| &c.tracks) {
        if let Values::Scale(values) = &track.values {
            let each = track.interpolation.values_per_key();
            let is_one =
                track.interpolation != Interpolation::Cubic && values.iter().all(|v| *v == Vec3::ONE);
            scaled[track.node.index()] |= each > 0 && !is_one;
        }
    }
    scaled.iter().zip(is_joint).filter(|&(&scaled, &joint)| scaled && joint).count()
}

/// A transform's rotation, and its whole 3×3 block.
fn rotation_and_block(local: &Local) -> (DQuat, DMat3) {
    let (trs, _) = local.nearest_trs();
    (trs.rotation.as_dquat().normalize(), DMat3::from_mat4(local.to_matrix()))
}

/// `M` of every node; it is the identity for nodes that are not joints.
fn residuals<'a>(scene: &Scene, is_joint: &[bool], locals: impl Iterator<Item = &'a Local>) -> Vec<DMat3> {
    let mut all: Vec<DMat3> = Vec::with_capacity(scene.nodes.len());
    for (index, local) in locals.enumerate() {
        let residual = if is_joint[index] {
            let (rotation, block) = rotation_and_block(local);
            DMat3::from_quat(rotation.inverse()) * above(scene, &all, index) * block
        } else {
            DMat3::IDENTITY
        };
        all.push(residual);
    }
    all
}

/// `M` of a node's parent.
fn above(scene: &Scene, residuals: &[DMat3], node: usize) -> DMat3 {
    scene.nodes[node].parent.map_or(DMat3::IDENTITY, |p| residuals[p.index()])
}

/// Brings nodes, meshes on joints, and bind matrices into the rigid frames.
fn rest_without_scale(scene: &mut Scene, is_joint: &[bool], rest: &[DMat3]) {
    for index in 0..scene.nodes.len() {
        let above = above(scene, rest, index);
        let local = &scene.nodes[index].local;
        if is_joint[index] {
            let (rotation, _) = rotation_and_block(local);
            let translation = above * local.to_matrix().w_axis.truncate();
            let trs =
                Trs { translation: translation.as_vec3(), rotation: rotation.as_quat(), scale: Vec3::ONE };
            scene.nodes[index].local = trs.into();
            scale_mesh(scene, index, &rest[index]);
        } else if above != DMat3::IDENTITY {
            scene.nodes[index].local = Local::from_matrix(&(DMat4::from_mat3(above) * local.to_matrix()));
        }
    }
    for skin in &mut scene.skins {
        for (joint, bind) in skin.joints.iter().zip(&mut skin.inverse_binds) {
            let exact = DMat4::from_mat3(rest[joint.index()]) * DMat4::from_cols_array(&bind.map(f64::from));
            *bind = exact.to_cols_array().map(|v| v as f32);
        }
    }
}

/// Scales a mesh that is attached to a joint without a skin.
fn scale_mesh(scene: &mut Scene, node: usize, scale: &DMat3) {
    let Node { mesh: Some(mesh), skin: None, .. } = scene.nodes[node] else { return };
    let matrix = DMat4::from_mat3(*scale);
    let mut copy = scene.meshes[mesh.index()].clone();
    for part in &mut copy.parts {
        transform_part(part, &matrix);
        if Mover::new(&matrix).mirrors() {
            flip_faces(&mut part.faces);
        }
    }
    scene.nodes[node].mesh = Some(MeshId::push(&mut scene.meshes, copy));
}

/// The clip for joints in rigid frames. Translations below a constant scale keep their keys; others are sampled at
/// every key of the clip.
fn clip_without_scale(scene: &Scene, clip: &Clip, is_joint: &[bool], rest: &[DMat3]) -> Clip {
    let varies = varying(scene, clip, is_joint, rest);
    let below = |node: usize| scene.nodes[node].parent.is_some_and(|p| varies[p.index()]) && is_joint[node];
    let mut tracks = Vec::with_capacity(clip.tracks.len());
    for track in &clip.tracks {
        let node = track.node.index();
        match &track.values {
            Values::Scale(_) if is_joint[node] => {}
            Values::Translation(_) if below(node) => {}
            Values::Translation(values) if is_joint[node] => {
                let above = above(scene, rest, node);
                let values = values.iter().map(|v| (above * v.as_dvec3()).as_vec3()).collect();
                tracks.push(Track { values: Values::Translation(values), ..track.clone() });
            }
            _ => tracks.push(track.clone()),
        }
    }
    let sampled: Vec<usize> = (0..scene.nodes.len()).filter(|&n| below(n)).collect();
    tracks.extend(sampled_translations(scene, clip, is_joint, &sampled));
    Clip { tracks, name: clip.name.clone(), extras: clip.extras.clone(), ..*clip }
}

/// The nodes whose `M` changes in the clip.
fn varying(scene: &Scene, clip: &Clip, is_joint: &[bool], rest: &[DMat3]) -> Vec<bool> {
    let (mut turns, mut scales) = (vec![false; scene.nodes.len()], vec![false; scene.nodes.len()]);
    for track in &clip.tracks {
        match track.values {
            Values::Rotation(_) => turns[track.node.index()] = true,
            Values::Scale(_) => scales[track.node.index()] = true,
            _ => {}
        }
    }
    let is_uniform = |m: DMat3| {
        let off = m - DMat3::from_diagonal(DVec3::splat(m.x_axis.x));
        off.to_cols_array().iter().all(|v| v.abs() <= 1e-7 * m.x_axis.x.abs())
    };
    let mut varies = vec![false; scene.nodes.len()];
    for node in (0..scene.nodes.len()).filter(|&n| is_joint[n]) {
        let from_above = scene.nodes[node].parent.is_some_and(|p| varies[p.index()]);
        varies[node] = scales[node] || from_above || (turns[node] && !is_uniform(above(scene, rest, node)));
    }
    varies
}

fn sampled_translations(scene: &Scene, clip: &Clip, is_joint: &[bool], nodes: &[usize]) -> Vec<Track> {
    if nodes.is_empty() {
        return Vec::new();
    }
    let times: Arc<[f32]> = some_key_times(clip.tracks.iter(), MOST_MATRICES / scene.nodes.len()).into();
    let mut values: Vec<Vec<Vec3>> = vec![Vec::with_capacity(times.len()); nodes.len()];
    for &time in times.iter() {
        let locals = locals_at(scene, clip, time);
        let residuals = residuals(scene, is_joint, locals.iter());
        for (&node, values) in nodes.iter().zip(&mut values) {
            let translation = locals[node].to_matrix().w_axis.truncate();
            values.push((above(scene, &residuals, node) * translation).as_vec3());
        }
    }
    let steps = clip.tracks.iter().all(|t| t.interpolation == Interpolation::Step);
    let interpolation = if steps { Interpolation::Step } else { Interpolation::Linear };
    let track = |(&node, values): (&usize, Vec<Vec3>)| Track {
        node: NodeId::new(node),
        interpolation,
        times: Arc::clone(&times),
        values: Values::Translation(values),
    };
    nodes.iter().zip(values).map(track).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::{self, apart, loss_of, places, same_places, size_of};
    use crate::report::LossKind;

    fn run(before: &Scene) -> (Scene, Report) {
        let (mut after, mut report) = (before.clone(), Report::default());
        remove_scale(&mut after, &RemoveScaleOptions::default(), &mut report);
        let is_joint = after.are_joints();
        for (node, _) in after.nodes.iter().zip(&is_joint).filter(|(_, joint)| **joint) {
            assert_eq!(node.local.trs().expect("a joint").scale, Vec3::ONE);
        }
        let is_scale = |t: &Track| matches!(t.values, Values::Scale(_)) && is_joint[t.node.index()];
        assert!(!after.clips.iter().flat_map(|c| &c.tracks).any(is_scale));
        (after, report)
    }

    /// A chain of joints with uniform, constant scales at rest.
    fn uniform() -> Scene {
        let mut scene = testing::bend();
        scene.clips[1].tracks.pop();
        for (index, node) in scene.nodes.iter_mut().enumerate().skip(2) {
            let Local::Trs(trs) = &mut node.local else { panic!("a joint") };
            trs.scale = Vec3::splat(0.5 + 0.4 * index as f32);
        }
        scene
    }

    #[test]
    fn constant_uniform_scales_move_into_the_bind_pose() {
        let before = uniform();
        let (after, report) = run(&before);
        same_places("uniform", &before, &after, |v| v, 1e-6);
        let [loss] = report.losses() else { panic!("{:?}", report.losses()) };
        assert_eq!((&loss.kind, loss.count), (&LossKind::Kept, 3));
        let keys =
            |s: &Scene| s.clips.iter().flat_map(|c| &c.tracks).map(|t| t.times.clone()).collect::<Vec<_>>();
        assert_eq!(keys(&before), keys(&after), "no track is sampled");
    }

    #[test]
    fn a_leaf_may_be_squashed_and_mirrored() {
        let mut before = testing::bend();
        before.clips[1].tracks.pop();
        let Local::Trs(trs) = &mut before.nodes[4].local else { panic!("a joint") };
        trs.scale = Vec3::new(-2.0, 0.5, 1.0);
        let (after, report) = run(&before);
        same_places("leaf", &before, &after, |v| v, 1e-6);
        assert_eq!(report.losses()[0].kind, LossKind::Kept);
    }

    #[test]
    fn the_rest_pose_is_exact_and_what_clips_lose_is_announced() {
        let mut lost = 0;
        for (name, before) in testing::scenes() {
            let (after, report) = run(&before);
            let (a, b) = (places(&before, None, 0.0).0, places(&after, None, 0.0).0);
            assert!(a.iter().zip(&b).all(|(a, b)| a.distance(*b) < 1e-5), "{name}: at rest");
            for (index, clip) in before.clips.iter().enumerate() {
                let off = apart(&before, &after, Some(index), &testing::times(clip));
                match loss_of(&report, clip).and_then(size_of) {
                    Some(size) => {
                        assert!(
                            off <= size + 1e-6 && off > size / 20.0,
                            "{name}: {off:e}, announced {size:e}"
                        );
                        lost += 1;
                    }
                    None => assert!(off < 1e-5, "{name}: {off:e} unannounced"),
                }
            }
        }
        assert!(lost >= 3, "{lost}");
    }

    #[test]
    fn rigid_joints_are_not_touched() {
        let mut before = testing::bend();
        before.clips[1].tracks.pop();
        let (after, report) = run(&before);
        assert_eq!(before, after);
        assert!(report.losses().is_empty());
    }
}
