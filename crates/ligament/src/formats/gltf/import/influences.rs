//! Joints and weights: all sets of a vertex together.

use super::super::accessor::{Checked, Component};
use super::super::codes;
use super::meshes::Sets;
use super::skins::{Remap, Skinning};
use super::{Import, label};
use crate::scene::{Influence, Influences};
use std::fmt;

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
            let message = "no node draws the mesh with a skin, so its joints and weights are dropped";
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
                // Attributes of WebGL's first version are floats, and so are joints of glTF 1.0.
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
        let (influences, largest) = join(&read, count, pairs, remap);
        if let Some(largest) = largest {
            self.check_joints(mesh, at, largest, skinning);
        }
        Some(influences)
    }

    /// Numbers of joints that are written as floats.
    fn whole(&mut self, accessor: &Checked, path: fmt::Arguments<'_>) -> Option<Vec<u32>> {
        let values = self.floats::<f32>(accessor)?;
        let is_odd = |v: &&f32| !(0.0..=65535.0).contains(*v) || v.fract() != 0.0;
        if let Some(odd) = values.iter().find(is_odd) {
            let message = format!("{odd} is no number of a joint");
            return self.fault(&codes::ACCESSOR_TYPE, path, message);
        }
        Some(values.into_iter().map(|v| v as u32).collect())
    }
}

/// Puts all sets of a vertex together; also gives the largest joint number in use, as the file counts.
fn join(
    sets: &[(Vec<u32>, Vec<[f32; 4]>)],
    count: usize,
    pairs: usize,
    remap: &Remap,
) -> (Influences, Option<u32>) {
    let mut starts = Vec::with_capacity(count + 1);
    let mut kept = Vec::with_capacity(pairs);
    let mut largest = None;
    let plain = remap.iter().enumerate().all(|(i, r)| *r == Some(i as u32));
    starts.push(0);
    for vertex in 0..count {
        for (joints, weights) in sets {
            let joints = &joints[vertex * 4..vertex * 4 + 4];
            for (&joint, &weight) in joints.iter().zip(&weights[vertex]) {
                if weight == 0.0 {
                    continue;
                }
                largest = largest.max(Some(joint));
                if plain {
                    kept.push(Influence { joint, weight });
                } else if let Some(joint) = remap.get(joint as usize).copied().unwrap_or(Some(joint)) {
                    kept.push(Influence { joint, weight });
                }
            }
        }
        starts.push(kept.len() as u32);
    }
    if kept.is_empty() {
        // Every vertex stays at rest: that is what a part without influences does.
        return (Influences::new(), largest);
    }
    (Influences::from_raw(starts, kept).unwrap_or_default(), largest)
}
