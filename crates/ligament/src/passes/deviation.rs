//! How far a pass moves vertices: an upper bound for joints that move differently, without posing the vertices, and
//! measurements for vertices that the same joints move differently.

use crate::motion::key_times;
use crate::pose::{Bounds, Deformer, Player, Pose, bounds, joint_bounds, joint_matrices};
use crate::scene::{Clip, Influence, Mesh, NodeId, Scene, SkinId, Track};
use glam::{DMat4, DVec3, Mat4, Vec3};
use std::collections::{BTreeMap, BTreeSet};

/// Limit of the key times at which a clip is measured.
const MOST_KEYS: usize = 512;
/// Limit of vertices (or corners of boxes) times poses per measurement; beyond it, poses are thinned out evenly.
pub(super) const MOST_WORK: usize = 16 << 20;

/// The unit of the sizes here.
pub(super) const UNIT: &str = "of the model's size";

/// The model's size: the diagonal of its box at rest.
pub(super) fn size(scene: &Scene) -> f64 {
    bounds(scene, &Pose::rest(scene)).map_or(0.0, |b| b.diagonal())
}

/// The key times of the tracks, thinned out evenly if there are more than `most`.
pub(super) fn some_key_times<'a>(tracks: impl Iterator<Item = &'a Track>, most: usize) -> Vec<f32> {
    let times = key_times(tracks);
    let every = times.len().div_ceil(most.max(2)).max(1);
    times.into_iter().step_by(every).collect()
}

/// The key times, and three times between each two of them.
pub(super) fn moments<'a>(tracks: impl Iterator<Item = &'a Track>) -> Vec<f32> {
    let keys = some_key_times(tracks, MOST_KEYS);
    let between = keys.windows(2).flat_map(|w| [0.25, 0.5, 0.75].map(|part| w[0] + (w[1] - w[0]) * part));
    keys.iter().copied().chain(between).collect()
}

/// Thins out moments evenly to at most `most`; returns whether there were more.
pub(super) fn thin(moments: &mut Vec<f32>, most: usize) -> bool {
    let every = moments.len().div_ceil(most.max(8)).max(1);
    let mut index = 0;
    moments.retain(|_| {
        index += 1;
        (index - 1) % every == 0
    });
    every > 1
}

/// How far apart two clips put any vertex drawn by the nodes at these times, as a fraction of the model's size.
pub(super) fn posed(scene: &Scene, nodes: &[NodeId], a: &Clip, b: &Clip, mut times: Vec<f32>) -> f64 {
    let mesh = |n: &NodeId| scene.nodes[n.index()].mesh.map_or(0, |m| scene.meshes[m.index()].vertex_count());
    thin(&mut times, MOST_WORK / nodes.iter().map(mesh).sum::<usize>().max(1));
    let mut deformer = Deformer::positions_only();
    let (mut first, mut second) = (Vec::new(), Vec::new());
    let mut worst = 0.0_f64;
    let (mut a, mut b) = (Player::of_clip(scene, a), Player::of_clip(scene, b));
    for time in times {
        let poses = (a.at(time), b.at(time));
        for &node in nodes {
            deformer.deform(scene, poses.0, node, &mut first);
            deformer.deform(scene, poses.1, node, &mut second);
            let pairs = first.iter().zip(&second).flat_map(|(a, b)| a.positions.iter().zip(&b.positions));
            worst = pairs.map(|(a, b)| a.as_dvec3().distance(b.as_dvec3())).fold(worst, f64::max);
        }
    }
    relative(worst, size(scene))
}

fn relative(distance: f64, size: f64) -> f64 {
    if size > 0.0 { distance / size } else { 0.0 }
}

/// The joint matrices of meshes in every pose, to measure the effect of other weights on their vertices.
pub(super) struct Palettes {
    /// For each skin that a mesh is drawn with, its matrices in each pose.
    of_skin: BTreeMap<SkinId, Vec<Vec<Mat4>>>,
    /// The skins that each mesh is drawn with.
    skins: Vec<BTreeSet<SkinId>>,
    size: f64,
}

/// Those of one mesh.
pub(super) struct OfMesh<'p> {
    palettes: Vec<&'p Vec<Mat4>>,
    size: f64,
}

impl Palettes {
    /// Takes the rest pose and all clips, for every skin that one of these meshes is drawn with.
    pub(super) fn new(scene: &Scene, wanted: &[bool]) -> Self {
        let mut skins = vec![BTreeSet::new(); scene.meshes.len()];
        for node in &scene.nodes {
            if let Some((mesh, skin)) = node.mesh.zip(node.skin).filter(|(mesh, _)| wanted[mesh.index()]) {
                skins[mesh.index()].insert(skin);
            }
        }
        let vertices = |(mesh, skins): (&Mesh, &BTreeSet<SkinId>)| mesh.vertex_count() * skins.len();
        let vertices: usize = scene.meshes.iter().zip(&skins).map(vertices).sum();
        let mut of_skin: BTreeMap<SkinId, Vec<Vec<Mat4>>> =
            skins.iter().flatten().map(|&skin| (skin, Vec::new())).collect();
        let joints: usize = of_skin.keys().map(|skin| scene.skins[skin.index()].joints.len()).sum();
        let work = vertices.max(scene.nodes.len()).max(joints) * scene.clips.len().max(1);
        let mut add = |pose: &Pose| {
            for (skin, palettes) in &mut of_skin {
                palettes.push(joint_matrices(&scene.skins[skin.index()], pose));
            }
        };
        add(&Pose::rest(scene));
        for clip in &scene.clips {
            let mut times = moments(clip.tracks.iter());
            thin(&mut times, MOST_WORK / work.max(1));
            let mut player = Player::of_clip(scene, clip);
            times.into_iter().for_each(|time| add(player.at(time)));
        }
        Self { of_skin, skins, size: size(scene) }
    }

    pub(super) fn of(&self, mesh: usize) -> OfMesh<'_> {
        let palettes = self.skins[mesh].iter().filter_map(|skin| self.of_skin.get(skin)).flatten();
        OfMesh { palettes: palettes.collect(), size: self.size }
    }
}

impl OfMesh<'_> {
    /// How far other influences move a vertex at most, as a fraction of the model's size.
    pub(super) fn moved(&self, position: Vec3, before: &[Influence], after: &[Influence]) -> f64 {
        let sum = |pairs: &[Influence]| pairs.iter().map(|p| f64::from(p.weight)).sum::<f64>();
        let (sum_before, sum_after) = (sum(before), sum(after));
        let place = |palette: &[Mat4], pairs: &[Influence], sum: f64| {
            let of_pair = |pair: &Influence| {
                let point = palette[pair.joint as usize].transform_point3(position).as_dvec3();
                point * (f64::from(pair.weight) / sum)
            };
            if sum == 0.0 { position.as_dvec3() } else { pairs.iter().map(of_pair).sum::<DVec3>() }
        };
        let apart = |palette: &&Vec<Mat4>| {
            place(palette, before, sum_before).distance(place(palette, after, sum_after))
        };
        relative(self.palettes.iter().map(apart).fold(0.0, f64::max), self.size)
    }
}

/// Boxes around the vertices that each node moves. The corners of a box move at least as far as anything in it, and a
/// blend of several joints is never farther off than the worst of them.
pub(super) struct Probes {
    probes: Vec<Probe>,
    /// The model's size: the diagonal of its box at rest.
    size: f64,
}

struct Probe {
    node: usize,
    /// From the mesh's space to the node's.
    bind: DMat4,
    corners: [DVec3; 8],
}

impl Probes {
    pub(super) fn new(scene: &Scene) -> Self {
        let mut probes = Vec::new();
        for (index, node) in scene.nodes.iter().enumerate() {
            let Some(mesh) = node.mesh else { continue };
            let parts = &scene.meshes[mesh.index()].parts;
            let mut add = |node, bind, own: Option<Bounds>| {
                probes.extend(own.map(|own| Probe { node, bind, corners: own.corners() }));
            };
            match node.skin.map(|s| &scene.skins[s.index()]) {
                Some(skin) => {
                    let boxes = joint_bounds(parts, skin.joints.len());
                    skin.binds().zip(boxes).for_each(|((joint, bind), own)| add(joint.index(), bind, own));
                }
                None => {
                    let positions = parts.iter().flat_map(|part| &part.positions).copied();
                    add(index, DMat4::IDENTITY, Bounds::of(positions));
                }
            }
        }
        Self { probes, size: size(scene) }
    }

    /// The model's size.
    pub(super) fn size(&self) -> f64 {
        self.size
    }

    /// The number of times at which clips of the scene can be compared in reasonable time.
    pub(super) fn affordable(&self, scene: &Scene) -> usize {
        MOST_WORK / (scene.nodes.len() + self.probes.len() * 8).max(1)
    }

    /// The largest distance between two poses, as a fraction of the model's size; `None` if nothing is drawn.
    pub(super) fn apart(&self, a: &Pose, b: &Pose) -> Option<f64> {
        if self.probes.is_empty() || self.size <= 0.0 {
            return None;
        }
        let of_probe = |probe: &Probe| {
            let difference = (a.globals[probe.node] - b.globals[probe.node]) * probe.bind;
            probe.corners.iter().map(|c| (difference * c.extend(1.0)).truncate().length()).fold(0.0, f64::max)
        };
        Some(self.probes.iter().map(of_probe).fold(0.0, f64::max) / self.size)
    }

    /// The largest distance at any of the times, as a fraction of the model's size; `None` if nothing is drawn.
    pub(super) fn between(&self, scene: &Scene, a: &Clip, b: &Clip, times: &[f32]) -> Option<f64> {
        self.between_scenes(self, times, (Player::of_clip(scene, a), Player::of_clip(scene, b)))
    }

    /// The same for two scenes with the same nodes and vertices whose joints are bound differently.
    pub(super) fn between_scenes(
        &self,
        other: &Probes,
        times: &[f32],
        (mut first, mut second): (Player<'_>, Player<'_>),
    ) -> Option<f64> {
        if self.probes.is_empty() || self.size <= 0.0 {
            return None;
        }
        let mut at_time = |&time: &f32| {
            let (a, b) = (first.at(time), second.at(time));
            let of_pair = |(p, q): (&Probe, &Probe)| {
                let difference = a.globals[p.node] * p.bind - b.globals[q.node] * q.bind;
                p.corners.iter().map(|c| (difference * c.extend(1.0)).truncate().length()).fold(0.0, f64::max)
            };
            self.probes.iter().zip(&other.probes).map(of_pair).fold(0.0, f64::max)
        };
        Some(times.iter().map(&mut at_time).fold(0.0, f64::max) / self.size)
    }
}
