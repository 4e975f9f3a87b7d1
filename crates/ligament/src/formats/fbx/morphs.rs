//! Blend shapes: every shape of a channel becomes a morph target, including in-between shapes.

use super::codes;
use super::import::Import;
use super::numbers::{Finite, dvec3};
use crate::report::Failure;
use crate::scene::{Morph, MorphDeltas};
use glam::Vec3;
use serde_json::{Value, json};

/// Marks the absence of an offset.
const NONE: u32 = u32::MAX;

/// A shape of a channel as a morph target.
pub(super) struct Target<'f> {
    pub(super) channel: &'f ufbx::BlendChannel,
    /// Which of the channel's shapes.
    key: usize,
    shape: &'f ufbx::BlendShape,
}

/// The shapes of all channels of a mesh, in order.
pub(super) fn targets(mesh: &ufbx::Mesh) -> Vec<Target<'_>> {
    let channels = mesh.blend_deformers.as_ref().iter().flat_map(|deformer| deformer.channels.as_ref());
    channels
        .flat_map(|channel| {
            let keys = channel.keyframes.as_ref().iter().enumerate();
            keys.map(move |(key, frame)| Target { channel, key, shape: &frame.shape })
        })
        .collect()
}

/// The channels with in-between shapes, and the others of the mesh, for a conversion back: each with its name and the
/// weights at which its shapes are fully shown. `None` if every channel has one shape.
pub(super) fn noted_channels(mesh: &ufbx::Mesh) -> Option<Value> {
    let channels = || mesh.blend_deformers.as_ref().iter().flat_map(|deformer| deformer.channels.as_ref());
    if !channels().any(|channel| channel.keyframes.len() > 1) {
        return None;
    }
    let note = |channel: &ufbx::Ref<ufbx::BlendChannel>| {
        let full: Vec<f64> = channel.keyframes.as_ref().iter().map(|frame| frame.target_weight).collect();
        json!({ "name": &*channel.element.name, "full_weights": full })
    };
    Some(channels().map(note).collect())
}

impl Target<'_> {
    pub(super) fn morph(&self, finite: &mut Finite) -> Morph {
        let keys = self.channel.keyframes.len();
        let name = if keys == 1 { &self.channel.element.name } else { &self.shape.element.name };
        Morph { name: name.to_string(), weight: finite.real(self.weight(self.channel.weight)) }
    }

    /// The weight of this shape when its channel is at `weight`: linear from shape to shape, and on beyond the last.
    /// A channel that has no shape on one side of zero follows the line through the nearest one on the other side.
    pub(super) fn weight(&self, weight: f64) -> f64 {
        let keys: &[ufbx::BlendKeyframe] = &self.channel.keyframes;
        let at = |key: usize| keys[key].target_weight;
        let positive = keys.iter().take_while(|key| key.target_weight < 0.0).count();
        // The two shapes that the weight is between, going away from zero; `None` is the mesh without a shape.
        let (mut previous, mut next) = (None, None);
        let (outwards, other): (Vec<usize>, _) = if weight > 0.0 {
            ((positive..keys.len()).collect(), positive.checked_sub(1))
        } else {
            ((0..positive).rev().collect(), Some(positive).filter(|&key| key < keys.len()))
        };
        if outwards.is_empty() {
            previous = other;
        }
        for key in outwards {
            previous = next;
            next = Some(key);
            if at(key).abs() > weight.abs() {
                break;
            }
        }
        let from = previous.map_or(0.0, at);
        let span = next.map_or(0.0, at) - from;
        let part = if span == 0.0 { 0.0 } else { (weight - from) / span };
        match self.key {
            _ if span == 0.0 => 0.0,
            key if next == Some(key) => part,
            key if previous == Some(key) => 1.0 - part,
            _ => 0.0,
        }
    }
}

/// Looks up a shape's offset at a point.
pub(super) struct Shapes<'f> {
    targets: &'f [Target<'f>],
    /// For each point, the index of the current shape's offset.
    offsets: Vec<u32>,
}

impl<'f> Shapes<'f> {
    pub(super) fn new(mesh: &ufbx::Mesh, targets: &'f [Target<'f>]) -> Self {
        let points = if targets.is_empty() { 0 } else { mesh.num_vertices };
        Self { targets, offsets: vec![NONE; points] }
    }

    /// The deltas of each target for the vertices of a part, which are at these points.
    pub(super) fn deltas(
        &mut self,
        import: &mut Import<'_, '_, '_>,
        points: &[u32],
    ) -> Result<Vec<MorphDeltas>, Failure> {
        let targets = self.targets.iter();
        targets.map(|target| self.of(target.shape, import, points)).collect()
    }

    fn of(
        &mut self,
        shape: &ufbx::BlendShape,
        import: &mut Import<'_, '_, '_>,
        points: &[u32],
    ) -> Result<MorphDeltas, Failure> {
        for (number, &point) in shape.offset_vertices.as_ref().iter().enumerate() {
            if let Some(offset) = self.offsets.get_mut(point as usize) {
                *offset = number as u32;
            }
        }
        let mut deltas = MorphDeltas::default();
        let offset = |point: u32| self.offsets.get(point as usize).copied().filter(|&o| o != NONE);
        if points.iter().any(|&point| offset(point).is_some()) {
            let arrays = if shape.normal_offsets.is_empty() { 1 } else { 2 };
            import.spend(12 * arrays * points.len() as u64, "morph targets")?;
            let finite = &mut import.finite;
            // Blender's vertex group of a shape: how far each point takes part.
            let share = |o: u32| shape.offset_weights.get(o as usize).copied().unwrap_or(1.0);
            let mut at = |list: &[ufbx::Vec3]| -> Vec<Vec3> {
                let value = |&point: &u32| {
                    let value = offset(point).and_then(|o| Some(dvec3(*list.get(o as usize)?) * share(o)));
                    value.map_or(Vec3::ZERO, |v| finite.dvec3(v))
                };
                points.iter().map(value).collect()
            };
            deltas.positions = at(&shape.position_offsets);
            if !shape.normal_offsets.is_empty() {
                deltas.normals = at(&shape.normal_offsets);
            }
        }
        for &point in shape.offset_vertices.as_ref() {
            if let Some(offset) = self.offsets.get_mut(point as usize) {
                *offset = NONE;
            }
        }
        Ok(deltas)
    }
}

/// Reports channels with in-between shapes.
pub(super) fn losses(import: &mut Import<'_, '_, '_>) {
    let channels = import.fbx.blend_channels.as_ref();
    let between: usize = channels.iter().map(|c| c.keyframes.len().saturating_sub(1)).sum();
    let message = "in-between shapes became morph targets, whose weights follow the channel's";
    import.kept(&codes::IN_BETWEEN, between, message);
}
