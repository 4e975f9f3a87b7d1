//! Joints and weights, with all sets of a vertex combined.

use super::super::accessor::{Checked, Component};
use super::super::codes;
use super::Import;
use super::meshes::Sets;
use super::skins::{Remap, Skinning};
use crate::report::label;
use crate::scene::{Influence, Influences};
use glam::Vec4;
use std::fmt;

/// Joints and weights of one set, four per vertex.
type Set = (Vec<u32>, Vec<[f32; 4]>);

impl Import<'_, '_, '_> {
    pub(super) fn influences(
        &mut self,
        mesh: usize,
        at: usize,
        count: usize,
        sets: &Sets,
        path: fmt::Arguments<'_>,
        skinning: &Skinning,
    ) -> Option<Influences> {
        let joints = sets.list("JOINTS", self, path)?;
        let weights = sets.list("WEIGHTS", self, path)?;
        if joints.iter().map(|j| j.0).ne(weights.iter().map(|w| w.0)) {
            let message = "every JOINTS set needs a WEIGHTS set of the same number";
            return self.fault(&codes::MESH, format_args!("{path}.attributes"), message);
        }
        if joints.is_empty() {
            return Some(Influences::new());
        }
        let Some(remap) = skinning.joints_of(mesh) else {
            let object = label("mesh", &self.root.meshes[mesh].name, mesh);
            let message = "no node draws the mesh with a skin; its joints and weights are dropped";
            self.lose(&codes::UNSKINNED, &object, count, message);
            return Some(Influences::new());
        };
        let mut read = Vec::new();
        for (&(set, joints), &(_, weights)) in joints.iter().zip(&weights) {
            let joints_path = format_args!("{path}.attributes.JOINTS_{set}");
            let joints = self.accessor(joints, joints_path)?;
            self.check_attribute(&joints, &[4], count, joints_path)?;
            let joints = match joints.component {
                Component::U8 | Component::U16 => self.unsigned(&joints, joints_path)?,
                // Attributes in WebGL 1 are floats, and so are the joints of glTF 1.0.
                Component::F32 if self.document.first.is_some() => self.whole(&joints, joints_path)?,
                _ => {
                    let message = "joints must be unsigned bytes or shorts";
                    return self.fault(&codes::ACCESSOR_TYPE, joints_path, message);
                }
            };
            let path = format_args!("{path}.attributes.WEIGHTS_{set}");
            let weights = self.accessor(weights, path)?;
            let weights: Vec<[f32; 4]> = self.attribute(&weights, 4, count, path)?;
            read.push((joints, weights));
        }
        let pairs = read.iter().flat_map(|r| r.1.as_flattened()).filter(|&&w| w != 0.0).count();
        self.spend(pairs as u64 * 8 + count as u64 * 4, path)?;
        let largest = read.iter().flat_map(|set| &set.0).fold(0, |most, &joint| most.max(joint));
        // The largest joint may have no weight, in which case it does not matter, so check again.
        if skinning.lacking(mesh, largest).is_some()
            && let Some(used) = largest_used(&read)
        {
            self.check_joints(mesh, at, used, skinning);
        }
        let influences = join(&read, count, pairs);
        let is_plain = remap.iter().enumerate().all(|(i, r)| *r == Some(i as u32));
        Some(if is_plain { influences } else { remapped(&influences, remap) })
    }

    /// Reads joint indices that are stored as floats.
    fn whole(&mut self, accessor: &Checked, path: fmt::Arguments<'_>) -> Option<Vec<u32>> {
        let values = self.floats::<f32>(accessor)?;
        let is_odd = |v: &&f32| !(0.0..=65535.0).contains(*v) || v.fract() != 0.0;
        if let Some(odd) = values.iter().find(is_odd) {
            let message = format!("{odd} is not a joint index");
            return self.fault(&codes::ACCESSOR_TYPE, path, message);
        }
        Some(values.into_iter().map(|v| v as u32).collect())
    }
}

/// The largest index of a joint that has a weight.
fn largest_used(sets: &[Set]) -> Option<u32> {
    let pairs = sets.iter().flat_map(|(joints, weights)| joints.iter().zip(weights.as_flattened()));
    pairs.filter(|(_, weight)| **weight != 0.0).map(|(joint, _)| *joint).max()
}

/// Combines all sets of each vertex and leaves out zero weights. `pairs` is the number of influences that remain.
fn join(sets: &[Set], count: usize, pairs: usize) -> Influences {
    if pairs == 0 {
        // Every vertex stays at rest, as in a part without influences.
        return Influences::new();
    }
    let sets: Vec<_> = sets.iter().map(|(joints, weights)| (joints.as_chunks::<4>().0, weights)).collect();
    // A whole set is written at a time; the next one overwrites the influences without weight at its end.
    let mut kept = bytemuck::zeroed_vec::<Influence>(pairs + 4);
    let mut at = 0;
    let ends = (0..count).map(|vertex| {
        for (joints, weights) in &sets {
            let (joints, weights) = (joints[vertex], weights[vertex]);
            let used = Vec4::from_array(weights).cmpne(Vec4::ZERO).bitmask();
            let room = &mut kept[at..at + 4];
            for i in 0..4 {
                room[i] = Influence { joint: joints[i], weight: weights[i] };
            }
            // The zeros are nearly always at the end.
            if used & (used + 1) != 0 {
                let mut to = 0;
                for i in 0..4 {
                    room[to] = room[i];
                    to += usize::from(weights[i] != 0.0);
                }
            }
            at += used.count_ones() as usize;
        }
        at as u32
    });
    let starts = std::iter::once(0).chain(ends).collect();
    kept.truncate(pairs);
    Influences::from_raw(starts, kept).unwrap_or_default()
}

/// The influences with the scene's joint indices, without the joints that the writer added.
fn remapped(influences: &Influences, remap: &Remap) -> Influences {
    let number = |joint: u32| remap.get(joint as usize).copied().unwrap_or(Some(joint));
    let mut kept = Influences::with_capacity(influences.len(), influences.pairs().len());
    for vertex in influences.iter() {
        kept.push(vertex.iter().filter_map(|i| Some(Influence { joint: number(i.joint)?, ..*i })));
    }
    if kept.pairs().is_empty() { Influences::new() } else { kept }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Zeros in every position, in two sets: the remaining influences keep the file's order.
    #[test]
    fn what_has_no_weight_is_left_out() {
        let weight = |vertex: usize, i: usize| if vertex >> i & 1 == 1 { (i + 1) as f32 } else { 0.0 };
        let set = |first: usize| -> Set {
            let joints = (0..256 * 4).map(|i| (first * 10 + i % 4) as u32).collect();
            (joints, (0..256).map(|v| std::array::from_fn(|i| weight(v, first + i))).collect())
        };
        let sets = [set(0), set(4)];
        let expected = |vertex: usize| -> Vec<Influence> {
            let joint = |i: usize| (i / 4 * 40 + i % 4) as u32;
            let all = (0..8).map(|i| Influence { joint: joint(i), weight: weight(vertex, i) });
            all.filter(|influence| influence.weight != 0.0).collect()
        };
        let joined = join(&sets, 256, 4 * 256);
        assert_eq!(joined.len(), 256);
        for (vertex, influences) in joined.iter().enumerate() {
            assert_eq!(influences, expected(vertex), "{vertex}");
        }
        assert_eq!(largest_used(&sets), Some(43));
        // The writer added joint 2; without it, joint 3 becomes 2.
        let mut remap: Remap = (0..44).map(Some).collect();
        (remap[2], remap[3]) = (None, Some(2));
        let remapped = remapped(&joined, &remap);
        for (vertex, influences) in remapped.iter().enumerate() {
            let kept = expected(vertex).into_iter().filter(|i| i.joint != 2);
            let kept: Vec<_> =
                kept.map(|i| Influence { joint: if i.joint == 3 { 2 } else { i.joint }, ..i }).collect();
            assert_eq!(influences, kept, "{vertex}");
        }
    }

    #[test]
    fn without_any_weight_there_are_no_influences() {
        let sets = [(vec![7; 8], vec![[0.0; 4]; 2])];
        assert_eq!(join(&sets, 2, 0), Influences::new());
        assert_eq!(largest_used(&sets), None);
    }
}
