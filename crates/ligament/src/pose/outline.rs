//! The boxes of many poses, without posing every vertex in each of them.
//!
//! Vertices that are close to each other and have nearly the same weights form a cluster, which moves nearly as a rigid
//! body: its box, moved by the mean of the weights and enlarged by their differences, contains its vertices. If that
//! lies within the pose's box so far, none of them changes the result and none is posed. That leaves the few near the
//! surface.

use super::bounds::{Bounds, bounds_of_node};
use super::deform::Deformer;
use super::hierarchy::Pose;
use super::skin::{Blend, joint_matrices};
use crate::scene::{Influence, NodeId, Part, Scene, Skin};
use glam::{Mat4, Vec3, Vec4};
use std::ops::Range;

/// Vertices per cluster.
const CLUSTER: usize = 64;
/// With more influences on a vertex, rounding may exceed [`ROUNDING`].
const MOST_PAIRS: usize = 32;
/// An upper bound of a posed vertex's rounding, relative to the largest number it is computed from.
const ROUNDING: f32 = 1e-5;

/// The part of a scene that its boxes depend on.
pub(crate) struct Outline<'a> {
    scene: &'a Scene,
    skinned: Vec<(&'a Skin, Vec<Clusters<'a>>)>,
    /// Nodes whose vertices are all posed.
    others: Vec<NodeId>,
}

/// The clusters of a part.
struct Clusters<'a> {
    part: &'a Part,
    /// The vertices, cluster by cluster: the index in the lower half, the sort key in the upper.
    order: Vec<u64>,
    clusters: Vec<Cluster>,
    pulls: Vec<Pull>,
}

/// The influence of a joint on the vertices of a cluster. Each vertex's weights sum to one.
struct Pull {
    joint: u32,
    mean: f32,
    /// The largest difference of a vertex's weight from the mean.
    spread: f32,
}

struct Cluster {
    /// Range in `order`.
    vertices: Range<usize>,
    /// Range in `pulls`; `None` if the vertices have irregular influences, so that they must be posed.
    pulls: Option<Range<usize>>,
    center: Vec3,
    /// Half the size of the box around the vertices.
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

    /// The box around all vertices in a pose; `None` if there are no vertices.
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
        // Adding zero removes −0: which zero is the lesser depends on their order.
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
        let mut all = Self { part, order: Vec::new(), clusters: Vec::new(), pulls: Vec::new() };
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
        let first = self.pulls.len();
        let pairs = |&vertex: &u64| self.part.influences.of(vertex as u32 as usize);
        let regular = vertices.iter().all(|vertex| is_regular(pairs(vertex), skin));
        if regular {
            let mut weights: Vec<Influence> = Vec::new();
            for vertex in vertices {
                let total: f32 = pairs(vertex).iter().map(|pair| pair.weight).sum();
                weights.extend(pairs(vertex).iter().map(|&p| Influence { weight: p.weight / total, ..p }));
            }
            weights.sort_unstable_by_key(|pair| pair.joint);
            let pulls = weights.chunk_by(|a, b| a.joint == b.joint).map(|of| Pull::of(of, vertices.len()));
            self.pulls.extend(pulls);
        }
        self.clusters.push(Cluster {
            vertices: start..start + vertices.len(),
            pulls: regular.then_some(first..self.pulls.len()),
            center,
            extent: (max - center).max(center - min),
        });
    }

    /// Extends the box by this part.
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
            let pulls = cluster.pulls.clone().map(|pulls| &self.pulls[pulls]);
            let within = pulls.is_some_and(|pulls| cluster.is_within(&known, pulls, matrices));
            if !within && let Some(found) = Bounds::of(self.order[cluster.vertices.clone()].iter().map(posed))
            {
                known = known.union(found);
            }
        }
        Some(known)
    }
}

impl Pull {
    /// Takes the weights of one joint, at most one per vertex; vertices without one have a weight of zero.
    fn of(weights: &[Influence], vertices: usize) -> Self {
        let mean = weights.iter().map(|pair| pair.weight).sum::<f32>() / vertices as f32;
        let away = weights.iter().map(|pair| (pair.weight - mean).abs()).fold(0.0, f32::max);
        let spread = if weights.len() < vertices { away.max(mean) } else { away };
        Self { joint: weights[0].joint, mean, spread }
    }
}

impl Cluster {
    /// Whether the cluster stays within a box, whatever the rounding.
    ///
    /// With the mean weights, a vertex `p` goes to `Σ mean·M·p`. Its own weights differ from them by amounts that sum
    /// to zero, so it is at most `Σ spread·|M·p − q|` away from there for any `q`; here `q` is the cluster's center.
    #[inline(always)]
    fn is_within(&self, known: &Bounds, pulls: &[Pull], matrices: &[Mat4]) -> bool {
        let mut blend = [Vec4::ZERO; 4];
        for pull in pulls {
            let matrix = &matrices[pull.joint as usize];
            let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis, matrix.w_axis];
            blend.iter_mut().zip(columns).for_each(|(sum, column)| *sum += column * pull.mean);
        }
        let middle = moved(&blend, self.center);
        let mut reach = turned(&blend, self.extent);
        let mut size = Vec4::ZERO;
        for pull in pulls {
            let matrix = &matrices[pull.joint as usize];
            let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis, matrix.w_axis];
            let extent = turned(&columns, self.extent);
            reach += ((moved(&columns, self.center) - middle).abs() + extent) * pull.spread;
            let largest = turned(&columns, self.center.abs()) + extent + matrix.w_axis.abs();
            size += largest * (pull.mean + pull.spread);
        }
        let reach = reach + size * ROUNDING;
        let (least, greatest) = ((middle - reach).truncate(), (middle + reach).truncate());
        least.cmpge(known.min).all() && greatest.cmple(known.max).all()
    }
}

/// Transforms a point by a matrix.
#[inline(always)]
fn moved([x, y, z, w]: &[Vec4; 4], v: Vec3) -> Vec4 {
    *x * v.x + *y * v.y + *z * v.z + *w
}

/// Half the size of a box along each axis after a matrix has rotated it.
#[inline(always)]
fn turned([x, y, z, _]: &[Vec4; 4], extent: Vec3) -> Vec4 {
    x.abs() * extent.x + y.abs() * extent.y + z.abs() * extent.z
}

/// Whether a vertex goes to the weighted mean of its joints' positions for it: all joints exist, each is named once,
/// and the weights have a sum to divide by.
fn is_regular(pairs: &[Influence], skin: &Skin) -> bool {
    let joints = skin.joints.len().min(skin.inverse_binds.len());
    let total: f32 = pairs.iter().map(|pair| pair.weight).sum();
    let named_before = |i: usize| pairs[..i].iter().any(|before| before.joint == pairs[i].joint);
    pairs.len() <= MOST_PAIRS
        && (1e-6..1e6).contains(&total)
        && pairs.iter().all(|pair| pair.weight >= 0.0 && (pair.joint as usize) < joints)
        && !(0..pairs.len()).any(named_before)
}

/// Where the joint's bits are in a sort key; those of the position are between it and the index.
const JOINT_SHIFT: u32 = 53;
/// Bits of a position along one axis.
const PLACE_BITS: u32 = 7;

/// Sorts the vertices by their strongest joint, then by position along a space-filling curve.
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

    /// Pseudo-random numbers in −1..1.
    fn number(seed: &mut u64) -> f32 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    /// 12,000 vertices on 20 joints; every `odd`th has no weights, negative ones, or ones of missing joints.
    fn scene(odd: usize) -> Scene {
        let seed = &mut 7;
        let mut scene = Scene::default();
        let mut influences = Influences::new();
        let positions =
            (0..12_000).map(|_| Vec3::new(number(seed), number(seed) * 3.0, number(seed))).collect();
        for i in 0..12_000_u32 {
            let pair = |joint, weight| Influence { joint, weight };
            influences.push(match (i as usize + 1) % odd {
                0 if i % 3 == 0 => vec![],
                0 if i % 3 == 1 => vec![pair(i % 20, 1.5), pair(3, -0.5)],
                0 => vec![pair(99, 1.0), pair(2, 0.5)],
                _ if i % 2 == 0 => vec![pair(i % 20, 0.7), pair((i + 1) % 20, 0.3 + number(seed) * 0.05)],
                _ => vec![pair(i % 20, 7.0), pair((i + 1) % 20, 3.0)],
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
            let pulls = cluster.pulls.clone().expect("all are regular");
            cluster.is_within(&known, &clusters.pulls[pulls], &matrices)
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
