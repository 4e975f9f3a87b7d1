//! Blend shapes: a channel for each morph target, or for those that were in-between shapes of one channel.

use super::KEY;
use super::codes;
use super::file::File;
use super::meshes::Drawn;
use super::points::Points;
use super::tree::{Id, Record, number};
use crate::report::{Loss, Report};
use crate::scene::{Mesh, Morph, MorphDeltas, Scene, Values};
use glam::Vec3;
use std::ops::Range;

/// Weights of one channel and of its shapes differ at most so much.
const ROUNDING: f32 = 1e-4;

/// A channel of a mesh's deformer.
#[derive(Debug, Clone)]
pub(super) struct Channel {
    pub(super) id: Id,
    name: String,
    /// Its morph targets.
    pub(super) targets: Range<usize>,
    /// The channel's weight at which each is fully shown; 1 for a single one.
    full: Vec<f32>,
}

impl Channel {
    /// The channel's weight for weights of all targets.
    pub(super) fn weight(&self, weights: &[f32]) -> f32 {
        let own = weights.get(self.targets.clone()).unwrap_or(&[]);
        own.iter().zip(&self.full).map(|(weight, full)| weight * full).sum()
    }

    /// Whether the weights are those that the channel would give its shapes.
    fn fits(&self, weights: &[f32]) -> bool {
        let (Some(own), weight) = (weights.get(self.targets.clone()), self.weight(weights)) else {
            return false;
        };
        let mut from = 0.0;
        let mut expected = vec![0.0; own.len()];
        for (key, &full) in self.full.iter().enumerate() {
            let is_last = key + 1 == self.full.len();
            if weight <= full || is_last {
                let part = (weight - from) / (full - from);
                expected[key] = part;
                if key > 0 {
                    expected[key - 1] = 1.0 - part;
                }
                break;
            }
            from = full;
        }
        own.iter().zip(&expected).all(|(own, expected)| (own - expected).abs() <= ROUNDING)
    }
}

/// The channels of a mesh: those of the file that it is from if its weights still go through them, otherwise one for
/// each target.
fn channels(scene: &Scene, node: usize, mesh: &Mesh, rest: &[f32], file: &mut File) -> Vec<Channel> {
    let single = |index: usize, morph: &Morph, file: &mut File| {
        let (name, targets) = (morph.name.clone(), index..index + 1);
        Channel { id: file.id(), name, targets, full: vec![1.0] }
    };
    let known = known_channels(mesh, file).filter(|known| {
        let tracks = scene.clips.iter().flat_map(|clip| &clip.tracks);
        let played =
            tracks.filter(|track| track.node.index() == node).flat_map(|track| match &track.values {
                Values::MorphWeights { count, weights } => {
                    let each = track.interpolation.values_per_key();
                    let keys = weights.chunks_exact((*count).max(1));
                    keys.skip(each / 2).step_by(each).collect()
                }
                _ => Vec::new(),
            });
        let mut all = played.chain([rest]);
        all.all(|weights| known.iter().all(|channel| channel.full.len() == 1 || channel.fits(weights)))
    });
    known.unwrap_or_else(|| mesh.morphs.iter().enumerate().map(|(i, morph)| single(i, morph, file)).collect())
}

/// The channels that the reader noted, if they are about as many targets as there are.
fn known_channels(mesh: &Mesh, file: &mut File) -> Option<Vec<Channel>> {
    let noted = mesh.extras.get(KEY)?.get("channels")?.as_array()?;
    let (mut channels, mut start) = (Vec::new(), 0);
    for channel in noted {
        let full = channel.get("full_weights")?.as_array()?.iter();
        let full: Vec<f32> = full.map(|n| Some(n.as_f64()? as f32)).collect::<Option<_>>()?;
        let is_ascending = full.iter().try_fold(0.0, |last, &next| (next > last).then_some(next)).is_some();
        let name = channel.get("name")?.as_str()?.to_owned();
        let end = start + full.len();
        if full.is_empty() || !is_ascending || end > mesh.morphs.len() {
            return None;
        }
        channels.push(Channel { id: file.id(), name, targets: start..end, full });
        start = end;
    }
    (start == mesh.morphs.len()).then_some(channels)
}

/// Writes the morph targets of a mesh. Returns its channels.
pub(super) fn shapes(
    drawn: &Drawn<'_, '_>,
    scene: &Scene,
    length: f64,
    file: &mut File,
    report: &mut Report,
) -> Vec<Channel> {
    let (node, points) = (drawn.model, drawn.points);
    let mesh = points.mesh;
    if mesh.morphs.is_empty() {
        return Vec::new();
    }
    let own = &scene.nodes[node].morph_weights;
    let rest: Vec<f32> = match own.len() == mesh.morphs.len() {
        true => own.clone(),
        false => mesh.morphs.iter().map(|morph| morph.weight).collect(),
    };
    let channels = channels(scene, node, mesh, &rest, file);
    let deformer = file.id();
    file.add(
        Record::object("Deformer", deformer, &*mesh.name, "Deformer", "BlendShape").with("Version", 100),
    );
    file.connect(deformer, drawn.geometry);
    for channel in &channels {
        let percent = f64::from(channel.weight(&rest)) * 100.0;
        let full: Vec<f64> = channel.full.iter().map(|full| f64::from(*full) * 100.0).collect();
        let object =
            Record::object("Deformer", channel.id, &*channel.name, "SubDeformer", "BlendShapeChannel");
        let object = object.with("Version", 100).with("DeformPercent", percent).with("FullWeights", full);
        file.add(object.properties([number("DeformPercent", percent)]));
        file.connect(channel.id, deformer);
        for target in channel.targets.clone() {
            let id = file.id();
            file.add(shape(id, target, &mesh.morphs[target].name, points, length));
            file.connect(id, channel.id);
        }
    }
    let deltas = || mesh.parts.iter().flat_map(|part| &part.morphs);
    let tangents: usize = deltas().map(|deltas| deltas.tangents.len()).sum();
    let message = "changes of tangents by morph targets are dropped; programs compute them";
    report.loss(Loss::dropped(&codes::SHAPES, "", tangents, message));
    let message =
        "where vertices that became one point have different changes of normals, the first one's is kept";
    report.loss(Loss::approximated(&codes::SHAPES, "", blended_normals(mesh, points), None, "", message));
    channels
}

/// A morph target as an object: the points that it moves, or the first one, because some programs fail at empty shapes.
fn shape(id: Id, target: usize, name: &str, points: &Points<'_>, length: f64) -> Record {
    let of = |deltas: &MorphDeltas, index: usize| {
        let at = |list: &[Vec3]| list.get(index).copied().unwrap_or(Vec3::ZERO);
        [at(&deltas.positions), at(&deltas.normals)]
    };
    let (mut indices, mut moved, mut normals) = (Vec::new(), Vec::new(), Vec::new());
    let has_normals =
        points.mesh.parts.iter().any(|part| part.morphs.get(target).is_some_and(|m| !m.normals.is_empty()));
    for (point, &vertex) in points.vertices.iter().enumerate() {
        let (part, index) = points.place(vertex as usize);
        let [position, normal] = part.morphs.get(target).map_or([Vec3::ZERO; 2], |deltas| of(deltas, index));
        let is_last_chance = indices.is_empty() && point + 1 == points.vertices.len();
        if position != Vec3::ZERO || normal != Vec3::ZERO || is_last_chance {
            indices.push(point as i32);
            moved.extend((position.as_dvec3() * length).to_array());
            normals.extend(normal.as_dvec3().to_array());
        }
    }
    let object = Record::object("Geometry", id, name, "Geometry", "Shape").with("Version", 100);
    let object = object.with("Indexes", indices).with("Vertices", moved);
    if has_normals { object.with("Normals", normals) } else { object }
}

/// Vertices whose changes of normals are not those of the vertex that stands for their point.
fn blended_normals(mesh: &Mesh, points: &Points<'_>) -> usize {
    let delta = |vertex: usize, target: usize| {
        let (part, index) = points.place(vertex);
        part.morphs.get(target).and_then(|m| m.normals.get(index)).copied().unwrap_or(Vec3::ZERO)
    };
    let differs = |&vertex: &usize| {
        let first = points.vertices[points.of_vertex[vertex] as usize] as usize;
        first != vertex && (0..mesh.morphs.len()).any(|target| delta(vertex, target) != delta(first, target))
    };
    (0..points.vertex_count()).filter(differs).count()
}
