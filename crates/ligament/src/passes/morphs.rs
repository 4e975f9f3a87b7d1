//! Bakes morph targets into the vertices.

use super::deviation::{UNIT, moments, posed};
use super::{codes, label};
use crate::known::{Known, bits};
use crate::report::{Loss, Report};
use crate::scene::{Clip, Mesh, MeshId, NodeId, Scene, Track};
use glam::Vec3;
use std::collections::HashMap;

/// Bakes the weights at rest into positions, normals and tangents, and removes all morph targets and weight tracks.
/// Reports a loss per mesh, and one per clip that says how far its vertices are off. A mesh that is placed twice with
/// different weights becomes two.
///
/// ```
/// use ligament::passes::morphs::bake_morphs;
/// use ligament::scene::{Mesh, MeshId, Morph, MorphDeltas, Node, Part, Scene};
/// use ligament::math::Vec3;
///
/// let deltas = MorphDeltas { positions: vec![Vec3::Y], ..MorphDeltas::default() };
/// let part = Part { positions: vec![Vec3::X], morphs: vec![deltas], ..Part::default() };
/// let morphs = vec![Morph { name: "smile".into(), weight: 0.5 }];
/// let mesh = Mesh { parts: vec![part], morphs, ..Mesh::default() };
/// let node = Node { mesh: Some(MeshId(0)), ..Node::default() };
/// let mut scene = Scene { nodes: vec![node], meshes: vec![mesh], ..Scene::default() };
/// bake_morphs(&mut scene, &mut Default::default());
/// assert_eq!(scene.meshes[0].parts[0].positions, [Vec3::new(1.0, 0.5, 0.0)]);
/// ```
pub fn bake_morphs(scene: &mut Scene, report: &mut Report) {
    if scene.meshes.iter().all(|m| m.morphs.is_empty()) {
        return;
    }
    report_clips(scene, report);
    let tracks = drop_weight_tracks(scene);
    for (index, mesh) in scene.meshes.iter().enumerate().filter(|(_, m)| !m.morphs.is_empty()) {
        let tracks = tracks.get(&MeshId::new(index)).copied().unwrap_or(0);
        let message = format!("morph targets are baked at rest; weight tracks dropped: {tracks}");
        let object = label("mesh", &mesh.name, index);
        report.loss(Loss::dropped(&codes::MORPHS, object, mesh.morphs.len(), message));
    }
    let mut placed: Vec<Vec<NodeId>> = vec![Vec::new(); scene.meshes.len()];
    for node in scene.node_ids() {
        if let Some(mesh) = scene.nodes[node.index()].mesh {
            placed[mesh.index()].push(node);
        }
    }
    for (index, placed) in placed.iter().enumerate() {
        let mesh = &scene.meshes[index];
        if mesh.morphs.is_empty() {
            continue;
        }
        let usual: Vec<f32> = mesh.morphs.iter().map(|m| m.weight).collect();
        let mut shapes = shapes(scene, placed, &usual).into_iter();
        // The first shape takes the mesh itself, so that a mesh that is placed once is not copied.
        let first = shapes.next().map_or(usual, |(weights, _)| weights);
        for (weights, nodes) in shapes {
            let mut copy = scene.meshes[index].clone();
            bake(&mut copy, &weights);
            scene.meshes.push(copy);
            let id = MeshId::new(scene.meshes.len() - 1);
            nodes.iter().for_each(|node| scene.nodes[node.index()].mesh = Some(id));
        }
        bake(&mut scene.meshes[index], &first);
    }
    scene.nodes.iter_mut().for_each(|n| n.morph_weights.clear());
}

/// Reports how far the vertices of each clip are off without its weight tracks.
fn report_clips(scene: &Scene, report: &mut Report) {
    for (index, clip) in scene.clips.iter().enumerate() {
        let (lost, kept): (Vec<&Track>, Vec<&Track>) = clip.tracks.iter().partition(|t| !t.moves_node());
        if lost.is_empty() {
            continue;
        }
        let nodes: Vec<NodeId> = lost.iter().map(|t| t.node).collect();
        let without = Clip { tracks: kept.into_iter().cloned().collect(), ..Clip::default() };
        let size = posed(scene, &nodes, clip, &without, moments(clip.tracks.iter()));
        let message = "morph targets keep their weights at rest";
        let object = clip.label(index);
        report.loss(Loss::approximated(&codes::MORPHS, object, lost.len(), size, UNIT, message));
    }
}

/// The different weights at rest of a mesh's placements, and the nodes that have them.
fn shapes(scene: &Scene, placed: &[NodeId], usual: &[f32]) -> Vec<(Vec<f32>, Vec<NodeId>)> {
    let (mut shapes, mut known): (Vec<(Vec<f32>, Vec<NodeId>)>, _) = (Vec::new(), Known::default());
    for &node in placed {
        let own = &scene.nodes[node.index()].morph_weights;
        let weights = if own.is_empty() { usual } else { own };
        match known.find(bits(weights), shapes.len(), |known| shapes[known].0 == weights) {
            Some(same) => shapes[same].1.push(node),
            None => shapes.push((weights.to_vec(), vec![node])),
        }
    }
    shapes
}

/// Removes the weight tracks; returns how many each mesh had.
fn drop_weight_tracks(scene: &mut Scene) -> HashMap<MeshId, usize> {
    let mut counts = HashMap::new();
    for clip in &mut scene.clips {
        clip.tracks.retain(|track| {
            if let Some(mesh) = scene.nodes[track.node.index()].mesh.filter(|_| !track.moves_node()) {
                *counts.entry(mesh).or_insert(0) += 1;
            }
            track.moves_node()
        });
    }
    counts
}

fn bake(mesh: &mut Mesh, weights: &[f32]) {
    for part in &mut mesh.parts {
        let morphs = std::mem::take(&mut part.morphs);
        let active = || morphs.iter().zip(weights).filter(|&(_, &weight)| weight != 0.0);
        for (deltas, &weight) in active() {
            add(part.positions.iter_mut(), &deltas.positions, weight);
        }
        if active().any(|(d, _)| !d.normals.is_empty()) {
            active().for_each(|(deltas, &weight)| add(part.normals.iter_mut(), &deltas.normals, weight));
            part.normals.iter_mut().for_each(|n| *n = n.try_normalize().unwrap_or(*n));
        }
        for (vertex, tangent) in part.tangents.iter_mut().enumerate() {
            let sum = |v: Vec3| {
                active().fold(v, |v, (d, &w)| v + w * d.tangents.get(vertex).copied().unwrap_or(Vec3::ZERO))
            };
            let moved = sum(tangent.truncate());
            if moved != tangent.truncate() {
                *tangent = moved.try_normalize().unwrap_or(tangent.truncate()).extend(tangent.w);
            }
        }
    }
    mesh.morphs.clear();
}

fn add<'a>(values: impl Iterator<Item = &'a mut Vec3>, deltas: &[Vec3], weight: f32) {
    values.zip(deltas).for_each(|(value, &delta)| *value += weight * delta);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::{self, apart, loss_of};
    use crate::pose::{Pose, deform};
    use crate::report::LossKind;

    #[test]
    fn the_rest_pose_stays_and_the_tracks_are_counted() {
        let mut ran = 0;
        for (name, before) in testing::scenes() {
            let (mut after, mut report) = (before.clone(), Report::default());
            bake_morphs(&mut after, &mut report);
            let had: usize = before.meshes.iter().map(|m| m.morphs.len()).sum();
            let dropped = report.losses().iter().filter(|l| l.kind == LossKind::Dropped);
            assert_eq!(dropped.map(|l| l.count as usize).sum::<usize>(), had);
            assert!(after.meshes.iter().all(|m| m.morphs.is_empty()));
            let (a, b) = (Pose::rest(&before), Pose::rest(&after));
            for node in before.node_ids() {
                for (x, y) in deform(&before, &a, node).iter().zip(deform(&after, &b, node)) {
                    assert!(
                        x.positions.iter().zip(&y.positions).all(|(x, y)| x.distance(*y) < 1e-6),
                        "{name}"
                    );
                    assert!(x.normals.iter().zip(&y.normals).all(|(x, y)| x.distance(*y) < 1e-5), "{name}");
                }
            }
            ran += usize::from(had > 0);
        }
        assert!(ran > 0, "some scene has morph targets");
    }

    #[test]
    fn what_a_clip_loses_is_measured() {
        let (before, mut after, mut report) = (testing::morphs(), testing::morphs(), Report::default());
        bake_morphs(&mut after, &mut report);
        let smile = &before.clips[0];
        let worst = apart(&before, &after, Some(0), &testing::times(smile));
        let loss = loss_of(&report, smile).expect("announced");
        let LossKind::Approximated { size: Some(announced), unit: "of the model's size" } = loss.kind else {
            panic!("{loss:?}")
        };
        assert!(worst > 0.05 && (worst - announced).abs() < 1e-6, "{worst}, {announced} announced");
    }
}
