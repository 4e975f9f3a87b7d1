//! The boxes of many poses, without posing every vertex in each of them.
//!
//! A skinned vertex lies between the places to which its joints take it. Vertices that are close to each other and have
//! joints in common are a cluster, and a cluster whose box, taken to each of its joints' places, lies within what is known
//! of the pose's box need not be looked at: none of its vertices changes the result. That leaves the few near the surface.

use super::bounds::{Bounds, bounds_of_node};
use super::deform::Deformer;
use super::hierarchy::Pose;
use super::skin::{Blend, joint_matrices};
use crate::scene::{Influence, NodeId, Part, Scene, Skin};
use glam::{Mat4, Vec3, Vec4};
use std::ops::Range;

/// Vertices in a cluster.
const CLUSTER: usize = 64;
/// Where more joints pull a vertex, rounding is not known to stay below [`ROUNDING`].
const MOST_PAIRS: usize = 32;
/// More than the rounding of a posed vertex can be, as part of the largest number that it is computed from.
const ROUNDING: f32 = 1e-5;

/// What of a scene is needed for its boxes.
pub(crate) struct Outline<'a> {
    scene: &'a Scene,
    skinned: Vec<(&'a Skin, Vec<Clusters<'a>>)>,
    /// Nodes whose vertices are all posed.
    others: Vec<NodeId>,
}

/// The clusters of a part.
struct Clusters<'a> {
    part: &'a Part,
    /// The vertices, those of each cluster in a row: an index in the lower half, what it was sorted by in the upper.
    order: Vec<u64>,
    clusters: Vec<Cluster>,
    joints: Vec<u32>,
}

struct Cluster {
    /// In `order`.
    vertices: Range<usize>,
    /// In `joints`: all that pull its vertices. None if a vertex may lie elsewhere than between their places.
    joints: Option<Range<usize>>,
    center: Vec3,
    /// From the center to the sides of the box around the vertices.
    extent: Vec3,
}

impl<'a> Outline<'a> {
    pub(crate) fn of(scene: &'a Scene) -> Self {
        let mut outline = Self { scene, skinned: Vec::new(), others: Vec::new() };
        for id in scene.node_ids() {
            let node = &scene.nodes[id.index()];
            let Some(mesh) = node.mesh.and_then(|mesh| scene.meshes.get(mesh.index())) else { continue };
            let skin = node.skin.and_then(|skin| scene.skins.get(skin.index()));
            match skin.filter(|_| mesh.parts.iter().all(can_be_clustered)) {
                Some(skin) => {
                    let clusters = mesh.parts.iter().map(|part| Clusters::of(part, skin)).collect();
                    outline.skinned.push((skin, clusters));
                }
                None => outline.others.push(id),
            }
        }
        outline
    }

    /// The box around all vertices in a pose; `None` without vertices.
    pub(crate) fn bounds(&self, pose: &Pose) -> Option<Bounds> {
        let mut all = None;
        for (skin, parts) in &self.skinned {
            let matrices = joint_matrices(skin, pose);
            for part in parts {
                all = part.grow(all, &matrices);
            }
        }
        let (mut deformer, mut parts) = (Deformer::positions_only(), Vec::new());
        let others = self
            .others
            .iter()
            .filter_map(|&node| bounds_of_node(self.scene, pose, node, &mut deformer, &mut parts));
        let all = all.into_iter().chain(others).reduce(Bounds::union)?;
        // Which zero is the lesser depends on the order in which they come.
        Some(Bounds { min: all.min + Vec3::ZERO, max: all.max + Vec3::ZERO })
    }
}

fn can_be_clustered(part: &Part) -> bool {
    let count = part.positions.len();
    part.morphs.is_empty() && part.influences.len() == count && u32::try_from(count).is_ok()
}

impl<'a> Clusters<'a> {
    fn of(part: &'a Part, skin: &Skin) -> Self {
        let mut order = sorted(part);
        let mut all = Self { part, order: Vec::new(), clusters: Vec::new(), joints: Vec::new() };
        let mut start = 0;
        for run in order.chunk_by(|a, b| a >> JOINT_SHIFT == b >> JOINT_SHIFT) {
            for vertices in run.chunks(CLUSTER) {
                all.add(vertices, start, skin);
                start += vertices.len();
            }
        }
        order.shrink_to_fit();
        all.order = order;
        all
    }

    fn add(&mut self, vertices: &[u64], start: usize, skin: &Skin) {
        let positions = vertices.iter().map(|&v| self.part.positions[v as u32 as usize]);
        let Some(Bounds { min, max }) = Bounds::of(positions) else { return };
        let center = (min + max) * 0.5;
        let first = self.joints.len();
        let mut joints: Vec<u32> = Vec::new();
        let mut between = true;
        for &vertex in vertices {
            let pairs = self.part.influences.of(vertex as u32 as usize);
            between = between && lies_between(pairs, skin);
            joints.extend(pairs.iter().map(|pair| pair.joint));
        }
        joints.sort_unstable();
        joints.dedup();
        if between {
            self.joints.extend(joints);
        }
        self.clusters.push(Cluster {
            vertices: start..start + vertices.len(),
            joints: between.then_some(first..self.joints.len()),
            center,
            extent: (max - center).max(center - min),
        });
    }

    /// The box around what is known and this part.
    fn grow(&self, known: Option<Bounds>, matrices: &[Mat4]) -> Option<Bounds> {
        let posed = |&vertex: &u64| {
            let vertex = vertex as u32 as usize;
            let position = self.part.positions[vertex];
            Blend::of(matrices, self.part.influences.of(vertex)).map_or(position, |b| b.point(position))
        };
        // One vertex of each cluster first: then most of the box is known.
        let firsts = Bounds::of(self.clusters.iter().map(|c| posed(&self.order[c.vertices.start])));
        let mut known = known.into_iter().chain(firsts).reduce(Bounds::union)?;
        for cluster in &self.clusters {
            let within = cluster.joints.clone().is_some_and(|joints| {
                self.joints[joints].iter().all(|&joint| cluster.is_within(&known, &matrices[joint as usize]))
            });
            if !within && let Some(found) = Bounds::of(self.order[cluster.vertices.clone()].iter().map(posed))
            {
                known = known.union(found);
            }
        }
        Some(known)
    }
}

impl Cluster {
    /// Whether a matrix takes the cluster to a place within a box, however it is rounded.
    #[inline(always)]
    fn is_within(&self, known: &Bounds, matrix: &Mat4) -> bool {
        let [x, y, z, w] = [matrix.x_axis, matrix.y_axis, matrix.z_axis, matrix.w_axis];
        let (center, extent) = (self.center, self.extent);
        let middle = x * center.x + y * center.y + z * center.z + w;
        let [x, y, z] = [x.abs(), y.abs(), z.abs()];
        let reach = x * extent.x + y * extent.y + z * extent.z;
        let center = center.abs();
        let size = x * center.x + y * center.y + z * center.z + w.abs() + reach;
        let reach = reach + size * ROUNDING;
        let (least, greatest): (Vec4, Vec4) = (middle - reach, middle + reach);
        least.truncate().cmpge(known.min).all() && greatest.truncate().cmple(known.max).all()
    }
}

/// Whether a vertex lies between the places to which its joints take it: all exist, none pushes.
fn lies_between(pairs: &[Influence], skin: &Skin) -> bool {
    let joints = skin.joints.len().min(skin.inverse_binds.len());
    let total: f32 = pairs.iter().map(|pair| pair.weight).sum();
    pairs.len() <= MOST_PAIRS
        && (1e-6..1e6).contains(&total)
        && pairs.iter().all(|pair| pair.weight >= 0.0 && (pair.joint as usize) < joints)
}

/// Where the joint is in a sorted vertex; the place is between it and the index.
const JOINT_SHIFT: u32 = 53;
/// Bits of a place along one axis.
const PLACE_BITS: u32 = 7;

/// The vertices sorted by the joint that pulls them most, then by place, along a curve that stays close to itself.
fn sorted(part: &Part) -> Vec<u64> {
    let Some(all) = Bounds::of(part.positions.iter().copied()) else { return Vec::new() };
    let steps = ((1 << PLACE_BITS) - 1) as f32;
    let scale = (all.max - all.min).map(|size| if size > 0.0 { steps / size } else { 0.0 });
    let key = |(index, (position, pairs)): (usize, (&Vec3, &[Influence]))| {
        let most = pairs.iter().max_by(|a, b| a.weight.total_cmp(&b.weight));
        let joint = u64::from(most.map_or(0, |pair| pair.joint)).min((1 << (64 - JOINT_SHIFT)) - 1);
        let steps = ((*position - all.min) * scale).to_array().map(|v| v as u64);
        let place = (0..PLACE_BITS).fold(0, |place, bit| {
            let [x, y, z] = steps.map(|step| step >> bit & 1);
            place | (x | y << 1 | z << 2) << (3 * bit)
        });
        joint << JOINT_SHIFT | place << 32 | index as u64
    };
    let mut order: Vec<u64> =
        part.positions.iter().zip(part.influences.iter()).enumerate().map(key).collect();
    order.sort_unstable();
    order
}

#[cfg(test)]
mod tests {
    use super::super::bounds;
    use super::*;
    use crate::scene::{Influences, Local, Mesh, MeshId, Node, Skin, SkinId, Trs};
    use glam::Quat;

    /// Numbers in −1..1 that look random.
    fn number(seed: &mut u64) -> f32 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    /// 3000 vertices on 20 joints; every `odd`th has weights that are none, negative or of joints that are not there.
    fn scene(odd: usize) -> Scene {
        let seed = &mut 7;
        let mut scene = Scene::default();
        let mut influences = Influences::new();
        let positions =
            (0..3000).map(|_| Vec3::new(number(seed), number(seed) * 3.0, number(seed))).collect();
        for i in 0..3000_u32 {
            let pair = |joint, weight| Influence { joint, weight };
            influences.push(match i as usize % odd {
                0 if i % 3 == 0 => vec![],
                0 if i % 3 == 1 => vec![pair(i % 20, 1.5), pair(3, -0.5)],
                0 => vec![pair(99, 1.0), pair(2, 0.5)],
                _ => vec![pair(i % 20, 0.7), pair(i * 7 % 20, number(seed).abs()), pair(5, 0.1)],
            });
        }
        let part = Part { positions, influences, ..Part::default() };
        scene.meshes.push(Mesh { parts: vec![part], ..Mesh::default() });
        let joints = (0..20).map(|_| scene.add_node(Node::default())).collect();
        let bind = Mat4::from_translation(Vec3::new(0.1, -2.0, 0.3)).to_cols_array();
        scene.skins.push(Skin { joints, inverse_binds: vec![bind; 20], ..Skin::default() });
        scene.add_node(Node { mesh: Some(MeshId(0)), skin: Some(SkinId(0)), ..Node::default() });
        scene
    }

    fn pose(scene: &mut Scene, seed: &mut u64) -> Pose {
        for node in &mut scene.nodes[..20] {
            let rotation = Quat::from_axis_angle(Vec3::Z, number(seed) * 3.0);
            let translation = Vec3::new(number(seed), number(seed), number(seed)) * 2.0;
            node.local =
                Local::Trs(Trs { translation, rotation, scale: Vec3::ONE * (1.0 + number(seed) * 0.5) });
        }
        Pose::rest(scene)
    }

    #[test]
    fn boxes_are_those_of_all_vertices() {
        let seed = &mut 1;
        for odd in [4, 50, usize::MAX] {
            let mut posed = scene(odd);
            for _ in 0..50 {
                let pose = pose(&mut posed, seed);
                let expected = bounds(&posed, &pose);
                assert!(expected.is_some());
                assert_eq!(Outline::of(&posed).bounds(&pose), expected);
            }
        }
    }

    #[test]
    fn most_clusters_of_a_large_mesh_are_not_looked_at() {
        let mut scene = scene(usize::MAX);
        let pose = pose(&mut scene, &mut 1);
        let outline = Outline::of(&scene);
        let (skin, parts) = &outline.skinned[0];
        let matrices = joint_matrices(skin, &pose);
        let known = outline.bounds(&pose).expect("has vertices");
        let clusters = &parts[0];
        let within = clusters.clusters.iter().filter(|cluster| {
            let joints = cluster.joints.clone().expect("all are regular");
            clusters.joints[joints].iter().all(|&j| cluster.is_within(&known, &matrices[j as usize]))
        });
        let (within, all) = (within.count(), clusters.clusters.len());
        assert!(within * 2 > all && within < all, "{within} of {all}");
    }

    #[test]
    fn scenes_without_skins_have_boxes_too() {
        let mut scene = Scene::default();
        assert_eq!(Outline::of(&scene).bounds(&Pose::rest(&scene)), None);
        let part = Part { positions: vec![Vec3::ONE, Vec3::NEG_ONE], ..Part::default() };
        scene.meshes.push(Mesh { parts: vec![part], ..Mesh::default() });
        let local = Local::Trs(Trs { translation: Vec3::X, ..Trs::IDENTITY });
        scene.add_node(Node { mesh: Some(MeshId(0)), local, ..Node::default() });
        let pose = Pose::rest(&scene);
        assert_eq!(Outline::of(&scene).bounds(&pose), bounds(&scene, &pose));
    }
}
