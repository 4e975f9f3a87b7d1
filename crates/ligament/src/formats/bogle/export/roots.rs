//! Which bone moves. In the file only the first root does, and all other bones rotate about fixed positions. But any bone
//! can be a root: its keys then hold its whole movement, that of the bones above it included. Characters often have a
//! root that never moves, or only in one clip, above the joint that carries the body.

use super::Export;
use super::skeletons::{Joints, RigBone, bones_by_node};
use crate::scene::{MeshId, Values};

/// Another root must improve the result by at least this fraction of the model's size.
const LEAST_GAIN: f64 = 1e-5;

impl Export<'_> {
    /// The bone that becomes the moving root: the one with which the vertices are off the least, because of what the bones
    /// below it and beside it move.
    pub(super) fn moving_root(&self, bones: &[RigBone], mesh: MeshId, joints: &Joints) -> usize {
        let moves = self.movements(bones);
        let natural = || {
            let is_moving = |i: &usize| bones[*i].parent.is_none() && moves[*i] > 0.0;
            (0..bones.len()).find(is_moving).unwrap_or(0)
        };
        let carries = self.carrying(bones, mesh, joints);
        // How far a bone is off if no bone moves: the sum along its way from its root.
        let mut sums: Vec<f64> = Vec::with_capacity(bones.len());
        for (bone, own) in bones.iter().zip(&moves) {
            sums.push(bone.parent.map_or(0.0, |parent| sums[parent]) + own);
        }
        let carried = (0..bones.len()).filter(|&i| carries[i]);
        let Some(worst) = carried.max_by(|&a, &b| sums[a].total_cmp(&sums[b]).then(b.cmp(&a))) else {
            return natural();
        };
        // Only bones above the worst can help it. For each of them, the worst bone that does not follow it.
        let mut way: Vec<usize> = std::iter::successors(Some(worst), |&i| bones[i].parent).collect();
        way.reverse();
        let mut depths: Vec<Option<usize>> = Vec::with_capacity(bones.len());
        let mut beside = vec![0.0_f64; way.len() + 1];
        for (i, bone) in bones.iter().enumerate() {
            let above = bone.parent.and_then(|parent| depths[parent]);
            let next = above.map_or(0, |depth| depth + 1);
            let depth = if way.get(next) == Some(&i) { Some(next) } else { above };
            if carries[i] {
                let first_beside = depth.map_or(0, |depth| depth + 1);
                beside[first_beside] = beside[first_beside].max(sums[i]);
            }
            depths.push(depth);
        }
        let (mut best, mut most): (Option<usize>, f64) = (None, f64::INFINITY);
        let mut outside = 0.0_f64;
        for (depth, &root) in way.iter().enumerate() {
            outside = outside.max(beside[depth]);
            let off = outside.max(sums[worst] - sums[root]);
            if off < most - LEAST_GAIN * self.size || best.is_none() {
                (best, most) = (Some(root), off);
            }
        }
        // A root that is as good stays.
        let natural = natural();
        let of_natural = way.first() == Some(&natural);
        match best {
            Some(best) if of_natural || most + LEAST_GAIN * self.size < sums[worst] => best,
            _ => natural,
        }
    }

    /// How far each bone moves within its parent, at the keys of all clips, in the scene's units.
    fn movements(&self, bones: &[RigBone]) -> Vec<f64> {
        let mut moves = vec![0.0_f64; bones.len()];
        let tracks = bones.iter().enumerate().flat_map(|(i, bone)| {
            let own = &self.tracks[bone.node.index()];
            own.iter().map(move |&(clip, track)| (i, &self.scene.clips[clip].tracks[track]))
        });
        for (bone, track) in tracks {
            let Values::Translation(values) = &track.values else { continue };
            let node = &self.scene.nodes[track.node.index()];
            let rest = node.local.to_matrix().w_axis.truncate();
            let scale = node.parent.map_or(1.0, |parent| {
                let matrix = &self.rest[parent.index()];
                let lengths = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.length());
                lengths.into_iter().fold(0.0, f64::max)
            });
            let farthest = values.iter().map(|v| v.as_dvec3().distance(rest)).fold(0.0, f64::max);
            moves[bone] = moves[bone].max(farthest * scale);
        }
        moves
    }

    /// Whether vertices follow each bone.
    fn carrying(&self, bones: &[RigBone], mesh: MeshId, joints: &Joints) -> Vec<bool> {
        let bone_of = bones_by_node(bones);
        let mut carries = vec![joints.rigid; bones.len()];
        let parts = &self.scene.meshes[mesh.index()].parts;
        let slots = parts.iter().flat_map(|part| part.influences.iter()).flatten();
        for slot in slots.filter(|slot| slot.weight != 0.0 && !joints.rigid) {
            let node = joints.nodes.get(slot.joint as usize);
            if let Some(&bone) = node.and_then(|node| bone_of.get(node)) {
                carries[bone] = true;
            }
        }
        carries
    }
}

/// Makes a bone the first root. Returns the new place of each bone.
pub(super) fn put_first(first: usize, bones: &mut [RigBone]) -> Vec<usize> {
    let places: Vec<usize> = (0..bones.len())
        .map(|bone| match bone.cmp(&first) {
            std::cmp::Ordering::Less => bone + 1,
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Greater => bone,
        })
        .collect();
    if let Some(bone) = bones.get_mut(first) {
        bone.parent = None;
        bones[..=first].rotate_right(1);
    }
    for bone in bones.iter_mut() {
        bone.parent = bone.parent.map(|parent| places[parent]);
        bone.above = bone.above.map(|above| places[above]);
    }
    places
}
