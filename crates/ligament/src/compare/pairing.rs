//! Pairs vertices of the first scene with those of the second.

use super::Pairing;
use super::attributes::{normal, uv};
use super::clips::Matched;
use super::kd_tree::KdTree;
use super::surface::{Buffers, Surface};
use crate::pose::Pose;
use crate::scene::{NodeId, Scene};
use glam::Vec3;
use std::collections::HashMap;

/// The pairs of vertices to measure, each once.
pub(super) struct Pairs {
    pub(super) pairing: Pairing,
    pub(super) list: Vec<(u32, u32)>,
    /// Vertices of the second scene that are far from every vertex of the first.
    pub(super) uncovered: usize,
}

/// Deviations above this fraction of the model's size make the order of the corners doubtful.
const DOUBT: f64 = 1e-3;

/// Up to this fraction of the model's size, two positions are the same.
const SAME: f64 = 1e-5;

pub(super) fn pair(first: &Surface, second: &Surface, matched: &Matched, size: f64) -> Pairs {
    let probes = probes(first, second, matched);
    let ordered = order(first, second).map(|corners| {
        let fits = has_same_topology(&corners, first, second) || has_same_uvs(&corners, first, second);
        let list = distinct(corners);
        (worst(&list, &probes), fits, Pairs { pairing: Pairing::InOrder, list, uncovered: 0 })
    });
    if ordered.as_ref().is_some_and(|(worst, ..)| *worst <= DOUBT * size) {
        return ordered.map_or_else(nothing, |(_, _, pairs)| pairs);
    }
    let joints = joints_by_name(first.scene, second.scene);
    // The other format may not store a scene's rest pose, but it stores the clips, so the pose of a clip is tried
    // first.
    let near = probes.iter().rev().map(|probe| {
        let pairs = nearest(first, second, probe, &joints, size);
        (worst(&pairs.list, &probes), pairs)
    });
    let near = near.reduce(|a, b| if b.0 < a.0 { b } else { a });
    match (ordered, near) {
        // The order is right, at most with whole meshes swapped.
        (Some((_, true, pairs)), Some((worst, near))) => {
            // A mirrored model covers itself too, but with different texture coordinates or joints.
            let alike = |&(a, b): &(u32, u32)| unlike(first, a, second, b, &joints) <= 1e-3;
            let moved = worst <= SAME * size && near.uncovered == 0 && near.list.iter().all(alike);
            if moved { near } else { pairs }
        }
        (Some((least, false, pairs)), Some((worst, near))) => {
            if worst < least {
                near
            } else {
                pairs
            }
        }
        (Some((.., pairs)), None) | (None, Some((_, pairs))) => pairs,
        (None, None) => nothing(),
    }
}

fn nothing() -> Pairs {
    Pairs { pairing: Pairing::InOrder, list: Vec::new(), uncovered: 0 }
}

/// Both scenes in one pose.
struct Probe {
    first: Vec<Vec3>,
    second: Vec<Vec3>,
}

/// At rest, and at the start of the first clip that both have.
fn probes(first: &Surface, second: &Surface, matched: &Matched) -> Vec<Probe> {
    let mut buffers = Buffers::default();
    let mut probe = |a: &Pose, b: &Pose| {
        let mut probe = Probe { first: Vec::new(), second: Vec::new() };
        first.pose(a, &mut buffers, &mut probe.first);
        second.pose(b, &mut buffers, &mut probe.second);
        probe
    };
    let mut probes = vec![probe(&Pose::rest(first.scene), &Pose::rest(second.scene))];
    if let Some(&(i, j)) = matched.first() {
        let (a, b) = (&first.scene.clips[i], &second.scene.clips[j]);
        probes.push(probe(&Pose::at(first.scene, a, 0.0), &Pose::at(second.scene, b, 0.0)));
    }
    probes
}

fn worst(pairs: &[(u32, u32)], probes: &[Probe]) -> f64 {
    let distance = |probe: &Probe, &(a, b): &(u32, u32)| {
        probe.first[a as usize].as_dvec3().distance_squared(probe.second[b as usize].as_dvec3())
    };
    let all = probes.iter().flat_map(|probe| pairs.iter().map(move |pair| distance(probe, pair)));
    all.fold(0.0, f64::max).sqrt()
}

/// Pairs the corners of both scenes in order: material by material or, if that does not fit, as listed.
fn order(first: &Surface, second: &Surface) -> Option<Vec<(u32, u32)>> {
    if first.corners.len() != second.corners.len() {
        return None;
    }
    let (own, other) = material_keys(first.scene, second.scene);
    let keyed = |surface: &Surface, keys: &[u32]| -> Vec<(u32, u32)> {
        let key = |material: u32| keys.get(material as usize).copied().unwrap_or(u32::MAX);
        let mut corners: Vec<_> = surface.corners.iter().map(|c| (key(c.material), c.vertex)).collect();
        corners.sort_by_key(|c| c.0);
        corners
    };
    let (a, b) = (keyed(first, &own), keyed(second, &other));
    if a.iter().zip(&b).all(|(a, b)| a.0 == b.0) {
        Some(a.iter().zip(&b).map(|(a, b)| (a.1, b.1)).collect())
    } else {
        Some(first.corners.iter().zip(&second.corners).map(|(a, b)| (a.vertex, b.vertex)).collect())
    }
}

/// Numbers the materials of both scenes. Materials of the same name share a number; the others are numbered by their
/// position.
fn material_keys(first: &Scene, second: &Scene) -> (Vec<u32>, Vec<u32>) {
    let mut names: HashMap<&str, u32> = HashMap::new();
    for (i, material) in first.materials.iter().enumerate().filter(|(_, m)| !m.name.is_empty()) {
        names.entry(&material.name).or_insert(i as u32);
    }
    let keys = |scene: &Scene| {
        let key = |(i, name): (usize, &str)| names.get(name).copied().unwrap_or(i as u32);
        scene.materials.iter().map(|m| m.name.as_str()).enumerate().map(key).collect()
    };
    (keys(first), keys(second))
}

/// Each pair once, in order. Nearly all corners of a vertex have the same partner, so few pairs need sorting.
fn distinct(corners: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    let vertices = corners.iter().map(|c| c.0 as usize + 1).max().unwrap_or(0);
    let mut partners: Vec<Option<u32>> = vec![None; vertices];
    let mut more = Vec::new();
    for (a, b) in corners {
        let partner = *partners[a as usize].get_or_insert(b);
        if partner != b {
            more.push((a, b));
        }
    }
    let mut pairs: Vec<_> = (0..).zip(partners).filter_map(|(a, b)| Some((a, b?))).collect();
    if !more.is_empty() {
        pairs.extend(more);
        pairs.sort_unstable();
        pairs.dedup();
    }
    pairs
}

/// The pairs of two equal scenes: each drawn vertex with itself.
pub(super) fn with_itself(surface: &Surface) -> Pairs {
    let list = distinct(surface.corners.iter().map(|c| (c.vertex, c.vertex)).collect());
    Pairs { pairing: Pairing::InOrder, list, uncovered: 0 }
}

/// Whether corners that share a vertex in one scene share one in the other. If so, the order is right wherever the
/// vertices went. Faces that share no vertices prove nothing.
fn has_same_topology(corners: &[(u32, u32)], first: &Surface, second: &Surface) -> bool {
    let mut partner = vec![u32::MAX; first.vertex_count];
    let mut seen = vec![false; second.vertex_count];
    let mut used = 0;
    for &(a, b) in corners {
        let known = &mut partner[a as usize];
        if *known == u32::MAX {
            if std::mem::replace(&mut seen[b as usize], true) {
                return false;
            }
            *known = b;
            used += 1;
        } else if *known != b {
            return false;
        }
    }
    used * 2 <= corners.len()
}

/// Whether nearly all corners have the same texture coordinates in both scenes, and these tell vertices apart.
fn has_same_uvs(corners: &[(u32, u32)], first: &Surface, second: &Surface) -> bool {
    let mut same = 0;
    let (mut least, mut most) = (glam::Vec2::MAX, glam::Vec2::MIN);
    for &(a, b) in corners {
        if let (Some(a), Some(b)) = (uv(first, a, 0), uv(second, b, 0)) {
            same += usize::from(a.abs_diff_eq(b, 1e-4));
            (least, most) = (least.min(a), most.max(a));
        }
    }
    same >= corners.len() - corners.len() / 100 && (most - least).max_element() > 0.01
}

/// For each joint of the second scene, the node of the same name in the first.
fn joints_by_name(first: &Scene, second: &Scene) -> HashMap<NodeId, NodeId> {
    let mut names: HashMap<&str, NodeId> = HashMap::new();
    for id in first.node_ids() {
        names.entry(&first.nodes[id.index()].name).or_insert(id);
    }
    let node = |id: NodeId| names.get(second.nodes[id.index()].name.as_str()).map(|&other| (id, other));
    second.node_ids().filter_map(node).collect()
}

/// Pairs each used vertex of the first scene with the nearest of the second.
fn nearest(
    first: &Surface,
    second: &Surface,
    probe: &Probe,
    joints: &HashMap<NodeId, NodeId>,
    size: f64,
) -> Pairs {
    let (own, other) = (used(first), used(second));
    let tree = KdTree::new(&other, &probe.second);
    let (own_keys, other_keys) = material_keys(first.scene, second.scene);
    let mut near = Vec::new();
    let mut list = Vec::with_capacity(own.len());
    for &a in &own {
        let place = probe.first[a as usize];
        // Vertices this close to the nearest are at the same position but for rounding.
        let reach = tree.distance(place) + 1e-6 * size;
        tree.within(place, reach, 64, &mut near);
        let differs = |b: u32| {
            let away = place.distance(probe.second[b as usize]) as f64 / size;
            let material = key_of(first, a, &own_keys) != key_of(second, b, &other_keys);
            away + unlike(first, a, second, b, joints) + if material { 10.0 } else { 0.0 }
        };
        let best = match near[..] {
            [] => continue,
            [only] => only,
            _ => {
                let scored = near.iter().map(|&b| (differs(b), b));
                scored.reduce(|x, y| if y.0 < x.0 { y } else { x }).map_or(near[0], |s| s.1)
            }
        };
        list.push((a, best));
    }
    let known = KdTree::new(&own, &probe.first);
    let far = |&&b: &&u32| known.distance(probe.second[b as usize]) > DOUBT * size;
    Pairs { pairing: Pairing::Nearest, list, uncovered: other.iter().filter(far).count() }
}

/// The vertices that faces use, each once.
fn used(surface: &Surface) -> Vec<u32> {
    let mut vertices: Vec<u32> = surface.corners.iter().map(|c| c.vertex).collect();
    vertices.sort_unstable();
    vertices.dedup();
    vertices
}

fn key_of(surface: &Surface, vertex: u32, keys: &[u32]) -> Option<u32> {
    let material = surface.locate(vertex).0.part.material?;
    keys.get(material.index()).copied()
}

/// How much two vertices at one position differ in texture coordinates, normal and joints.
fn unlike(first: &Surface, a: u32, second: &Surface, b: u32, joints: &HashMap<NodeId, NodeId>) -> f64 {
    let mut sum = 0.0;
    if let (Some(a), Some(b)) = (uv(first, a, 0), uv(second, b, 0)) {
        sum += f64::from(a.distance(b));
    }
    if let (Some(a), Some(b)) = (normal(first, a), normal(second, b)) {
        sum += f64::from(a.distance(b));
    }
    let (ours, theirs) = (first.joints(a), second.joints(b));
    let of =
        |list: &[(NodeId, f32)], joint| -> f32 { list.iter().filter(|j| j.0 == joint).map(|j| j.1).sum() };
    let renamed: Vec<_> = theirs.iter().filter_map(|&(j, w)| Some((*joints.get(&j)?, w))).collect();
    sum + ours.iter().map(|&(joint, share)| f64::from((share - of(&renamed, joint)).abs())).sum::<f64>()
}
