//! Collections: the skeleton of each skin, and of each mesh that moves without one.
//!
//! A bone in the file rotates about a fixed position in its parent, and only the first root moves (`roots.rs`). So a skeleton is
//! made in a space `M` that does not move: that of the nearest common ancestor of all joints that no clip moves. All
//! nodes from there down to the joints become bones, each reduced to a position and a rotation. Whatever else the bind
//! matrices hold, mostly scale, is constant in a sound rig and cancels out; the remaining error is measured.

use super::probes::Probe;
use super::{Export, bounded, floats, roots};
use crate::formats::bogle::codes;
use crate::formats::bogle::document::{Bone, Collection};
use crate::formats::bogle::posing::Skeleton;
use crate::known::bits;
use crate::pose;
use crate::report::Loss;
use crate::scene::{Interpolation, Local, MeshId, NodeId, Scene, Track, Values, decompose};
use crate::settings::Posing;
use glam::{DMat4, DQuat, DVec3};
use std::collections::{BTreeSet, HashMap};

/// The skeleton of a node's mesh.
pub(super) struct Rig {
    /// The collection's number, counted from 1.
    pub(super) collection: u32,
    /// The node whose geometry binds the same vertices to the same bones.
    pub(super) shape_of: NodeId,
    pub(super) bones: Vec<RigBone>,
    /// For each joint of the skin, its bone in the file; `None` for the joint that represents the object itself.
    pub(super) joint_bones: Vec<Option<u32>>,
    /// Maps the object's space to the scene's.
    pub(super) world: DMat4,
    /// Maps the skeleton's space to the object's.
    pub(super) matrix: DMat4,
    /// The common ancestor of all bones.
    pub(super) anchor: Option<NodeId>,
    /// All vertices follow the only joint, whatever influences they have.
    pub(super) rigid: bool,
    /// Bounding boxes of the vertices of each joint, with the joint's inverse bind.
    pub(super) probes: Vec<Probe>,
    /// The diagonal of the bounding box of all vertices, in the scene's units.
    pub(super) size: f64,
}

/// Everything a geometry depends on: the mesh, rigidity, the bones of its joints, and the space of loose vertices.
pub(super) type Shape = (MeshId, bool, Vec<Option<u32>>, DMat4);

/// A node as a bone, in the skeleton's space at bind time.
pub(super) struct RigBone {
    pub(super) node: NodeId,
    /// Index of the parent bone in the file.
    pub(super) parent: Option<usize>,
    /// Index of the bone of the parent node. The bone that moves is a root in the file wherever its node is.
    pub(super) above: Option<usize>,
    /// The node's matrix in the skeleton's space, including what a bone cannot hold.
    pub(super) bind: DMat4,
    /// The inverse of `bind`.
    pub(super) unbind: DMat4,
    pub(super) place: DVec3,
    pub(super) rotation: DQuat,
}

/// The joints of a skeleton with their inverse binds.
pub(super) struct Joints {
    pub(super) nodes: Vec<NodeId>,
    pub(super) inverse_binds: Vec<DMat4>,
    pub(super) rigid: bool,
}

impl Export<'_> {
    /// Makes the rig of a node that draws a skinned or moving mesh.
    pub(super) fn rig(&mut self, node: NodeId) -> Option<Rig> {
        let mesh = self.scene.nodes[node.index()].mesh?;
        let joints = self.joints(node)?;
        let stands_for_object = self.object_joint(node, mesh, &joints);
        let used: Vec<usize> = (0..joints.nodes.len()).filter(|&j| Some(j) != stands_for_object).collect();
        // All vertices follow the object itself.
        if used.is_empty() {
            return None;
        }
        let anchor = self.anchor(used.iter().map(|&j| joints.nodes[j]));
        let anchored = anchor.map_or(DMat4::IDENTITY, |a| self.rest[a.index()]);
        let world = self.world(node, &joints, &used);
        let inverse = world.inverse();
        let matrix = if inverse.is_finite() { inverse * anchored } else { anchored };
        let below = self.bones_below(&joints, &used, anchor);
        let mut bones = self.bones(&below, &joints, &used, &matrix, &anchored);
        let order = roots::put_first(self.moving_root(&bones, mesh, &joints), &mut bones);
        let stride = if self.posing == Posing::Engine { 2 } else { 1 };
        let joint_bones = (0..joints.nodes.len())
            .map(|j| {
                let bone = below.bone_of(joints.nodes[j]).filter(|_| Some(j) != stands_for_object)?;
                Some((order[bone] * stride + stride - 1) as u32)
            })
            .collect();
        let (probes, size) = self.probes(mesh, &joints, &bones, &world, stands_for_object);
        let mut rig = Rig {
            collection: 0,
            shape_of: node,
            bones,
            joint_bones,
            world,
            matrix,
            anchor,
            rigid: joints.rigid,
            probes,
            size,
        };
        self.report_rest(node, &rig);
        let name = match self.scene.nodes[node.index()].skin {
            Some(skin) => self.scene.skins[skin.index()].name.clone(),
            None => self.scene.node_label(node),
        };
        let mut collection = self.collection(name, &rig);
        if !is_bindable(&collection, self.posing) {
            let object = format!("object {:?}", self.scene.node_label(node));
            let message = "its skeleton is too far away, or scaled too small, to bind vertices to it";
            self.report.loss(Loss::dropped(&codes::MATRICES, object, 1, message));
            return None;
        }
        collection.animations = self.animations(&rig);
        rig.collection = self.add_collection(collection);
        rig.shape_of = self.same_shape(mesh, &rig);
        Some(rig)
    }

    fn joints(&self, node: NodeId) -> Option<Joints> {
        match self.scene.nodes[node.index()].skin {
            Some(skin) => {
                let (nodes, inverse_binds): (Vec<_>, _) = self.scene.skins[skin.index()].binds().unzip();
                (!nodes.is_empty()).then_some(Joints { nodes, inverse_binds, rigid: false })
            }
            None if self.moved[node.index()] => {
                // The nearest node that moves by itself carries the mesh: a bone for each node between them would only
                // make the keys longer.
                let (mut joint, mut to_joint) = (node, DMat4::IDENTITY);
                while let Some(parent) = self.scene.nodes[joint.index()].parent
                    && !self.moves[joint.index()]
                {
                    to_joint = self.scene.nodes[joint.index()].local.to_matrix() * to_joint;
                    joint = parent;
                }
                let (joint, inverse_bind) =
                    if to_joint.inverse().is_finite() { (joint, to_joint) } else { (node, DMat4::IDENTITY) };
                Some(Joints { nodes: vec![joint], inverse_binds: vec![inverse_bind], rigid: true })
            }
            None => None,
        }
    }

    /// Finds the joint that represents the object. The importer binds vertices without weight to the node that draws
    /// them, as a joint that stays where the object is and shares no vertex.
    fn object_joint(&self, node: NodeId, mesh: MeshId, joints: &Joints) -> Option<usize> {
        if joints.rigid || self.moved[node.index()] || joints.nodes.len() < 2 {
            return None;
        }
        let joint = joints.nodes.iter().position(|&j| j == node)?;
        if !joints.inverse_binds[joint].abs_diff_eq(DMat4::IDENTITY, 1e-6) {
            return None;
        }
        let parts = &self.scene.meshes[mesh.index()].parts;
        let shared = parts.iter().flat_map(|p| p.influences.iter()).any(|slots| {
            let used = slots.iter().filter(|s| s.weight != 0.0);
            used.clone().any(|s| s.joint as usize == joint) && used.count() > 1
        });
        (!shared).then_some(joint)
    }

    /// The nearest common ancestor of all joints that does not move.
    fn anchor(&self, joints: impl Iterator<Item = NodeId>) -> Option<NodeId> {
        let mut above: HashMap<NodeId, usize> = HashMap::new();
        let mut count = 0;
        for joint in joints {
            count += 1;
            self.scene.ancestors(joint).for_each(|node| *above.entry(node).or_default() += 1);
        }
        // Children come after their parents: the last match is the nearest.
        let fits = |(node, below): &(NodeId, usize)| *below == count && !self.moved[node.index()];
        above.into_iter().filter(fits).map(|(node, _)| node).max()
    }

    /// The object's matrix: its node's, unless the skin's bind pose is elsewhere.
    fn world(&self, node: NodeId, joints: &Joints, used: &[usize]) -> DMat4 {
        let own = self.rest[node.index()];
        let Some(&first) = used.first() else { return own };
        let bound = self.rest[joints.nodes[first].index()] * joints.inverse_binds[first];
        let size = bound.to_cols_array().iter().fold(1.0_f64, |m, v| m.max(v.abs()));
        if joints.rigid || own.abs_diff_eq(bound, 1e-5 * size) || !bound.inverse().is_finite() {
            own
        } else {
            bound
        }
    }

    /// All nodes from the anchor down to the joints, in the skin's own order if the skin has them all.
    fn bones_below(&self, joints: &Joints, used: &[usize], anchor: Option<NodeId>) -> pose::Rig {
        let nodes = &self.scene.nodes;
        let mut all = BTreeSet::new();
        for &joint in used {
            let mut node = Some(joints.nodes[joint]);
            while let Some(n) = node.filter(|&n| Some(n) != anchor && all.insert(n)) {
                node = nodes[n.index()].parent;
            }
        }
        let all: Vec<NodeId> = all.into_iter().collect();
        let skin_order: Vec<NodeId> = used.iter().map(|&j| joints.nodes[j]).collect();
        let mut distinct = skin_order.clone();
        distinct.sort();
        distinct.dedup();
        pose::Rig::at_rest(&self.scene, if distinct == all { &skin_order } else { &all }, &self.rest)
    }

    fn bones(
        &self,
        rig: &pose::Rig,
        joints: &Joints,
        used: &[usize],
        matrix: &DMat4,
        anchored: &DMat4,
    ) -> Vec<RigBone> {
        let to_skeleton = matrix.inverse();
        let from_anchor = anchored.inverse();
        let mut bones: Vec<RigBone> = Vec::with_capacity(rig.bones.len());
        // Of joints on one node, the first counts.
        let joint_of: HashMap<NodeId, usize> = used.iter().rev().map(|&j| (joints.nodes[j], j)).collect();
        for &pose::Bone { node, parent, .. } in &rig.bones {
            // Bind matrices give the positions of joints; nodes between them keep their rest position.
            let bound = joint_of
                .get(&node)
                .map(|&j| to_skeleton * joints.inverse_binds[j].inverse())
                .filter(|b| b.is_finite());
            let rest = || match parent {
                Some(parent) => {
                    let parent: &RigBone = &bones[parent];
                    parent.bind * self.scene.nodes[node.index()].local.to_matrix()
                }
                None => from_anchor * self.rest[node.index()],
            };
            let bind = bound.unwrap_or_else(rest);
            let (place, rotation) = (bind.w_axis.truncate(), rotation_of(&bind));
            bones.push(RigBone {
                node,
                parent,
                above: parent,
                bind,
                unbind: bind.inverse(),
                place,
                rotation,
            });
        }
        bones
    }

    /// Makes the bones of a collection. The engine's posing needs two for each: one at the joint's position, and below
    /// it one that rotates.
    fn collection(&mut self, name: String, rig: &Rig) -> Collection {
        let mut bones = Vec::new();
        for bone in &rig.bones {
            let parent = bone.parent.map(|p| &rig.bones[p]);
            let (above, from) = parent.map_or((DQuat::IDENTITY, DVec3::ZERO), |p| (p.rotation, p.place));
            let turn = (above.inverse() * bone.rotation).normalize();
            let offset = above.inverse() * (bone.place - from);
            let floats = |v: DVec3| v.to_array().map(bounded);
            let rotation = sound(turn).as_quat().to_array();
            match self.posing {
                Posing::Author => {
                    let position = if parent.is_some() { turn.inverse() * offset } else { offset };
                    let parent = bone.parent.map_or(0, |p| p as u32 + 1);
                    bones.push(Bone { position: floats(position), rotation, parent });
                }
                Posing::Engine => {
                    let parent = bone.parent.map_or(0, |p| 2 * p as u32 + 2);
                    let still = [0.0, 0.0, 0.0, 1.0];
                    bones.push(Bone { position: floats(offset), rotation: still, parent });
                    let parent = bones.len() as u32;
                    bones.push(Bone { position: [0.0; 3], rotation, parent });
                }
            }
        }
        if self.posing == Posing::Engine {
            let message = "two bones per joint, so that the engine rotates each about its own position";
            let (object, count) = (format!("skeleton {name:?}"), rig.bones.len());
            self.report.loss(Loss::kept(&codes::HELPER_BONES, object, count, message));
        }
        if bones.len() > 256 {
            let message = format!("{} bones; the engine supports 256", bones.len());
            let place = crate::report::Place::field(format!("skeleton {name:?}"));
            self.report.warning(&codes::ENGINE_LIMIT, place, message);
        }
        let matrix = floats(&rig.matrix);
        Collection { name: name.into(), matrix, bones, animations: Vec::new() }
    }

    /// Returns the number of a collection, reusing an equal one.
    fn add_collection(&mut self, collection: Collection) -> u32 {
        let collections = &mut self.document.collections;
        let bones =
            collection.bones.iter().map(|bone| (bits(&bone.position), bits(&bone.rotation), bone.parent));
        let animations = collection.animations.iter().map(|played| (&played.name, bits(&played.frames)));
        let (bones, animations): (Vec<_>, Vec<_>) = (bones.collect(), animations.collect());
        let key = (&collection.name, bits(&collection.matrix), bones, animations);
        let same =
            self.known_collections.find(key, collections.len(), |known| collections[known] == collection);
        let index = same.unwrap_or_else(|| {
            collections.push(collection);
            collections.len() - 1
        });
        index as u32 + 1
    }

    /// The first node with the same mesh whose vertices are bound to the same bones: both share one geometry.
    fn same_shape(&mut self, mesh: MeshId, rig: &Rig) -> NodeId {
        let parts = &self.scene.meshes[mesh.index()].parts;
        let weightless = |slots: &[crate::scene::Influence]| slots.iter().all(|s| s.weight == 0.0);
        let loose = parts.iter().any(|p| p.influences.is_empty() || p.influences.iter().any(weightless));
        // Vertices without a bone depend on where the object is.
        let world = if loose && !rig.rigid { rig.world } else { DMat4::IDENTITY };
        let shape = (mesh, rig.rigid, rig.joint_bones.clone(), world);
        let shapes = &mut self.shapes;
        let key = (mesh, rig.rigid, &shape.2, world.to_cols_array().map(|v| (v + 0.0).to_bits()));
        match self.known_shapes.find(key, shapes.len(), |known| shapes[known].0 == shape) {
            Some(same) => shapes[same].1,
            None => {
                shapes.push((shape, rig.shape_of));
                rig.shape_of
            }
        }
    }
}

/// The bone of each node that is one.
pub(super) fn bones_by_node(bones: &[RigBone]) -> HashMap<NodeId, usize> {
    bones.iter().enumerate().map(|(i, bone)| (bone.node, i)).collect()
}

/// Whether the importer could bind vertices to these bones.
fn is_bindable(collection: &Collection, posing: Posing) -> bool {
    let fits = |m: &DMat4| m.inverse().to_cols_array().iter().all(|v| v.abs() < f64::from(f32::MAX));
    let matrix = DMat4::from_cols_array(&collection.matrix.map(f64::from));
    fits(&matrix) && Skeleton::new(collection, posing).bind().iter().all(fits)
}

/// Returns the identity for a rotation that could not be computed.
pub(super) fn sound(q: DQuat) -> DQuat {
    if q.is_finite() && q.length() > 0.5 { q } else { DQuat::IDENTITY }
}

/// The rotation of a matrix, without its scale.
pub(super) fn rotation_of(matrix: &DMat4) -> DQuat {
    decompose(matrix).map_or(DQuat::IDENTITY, |(trs, _)| trs.rotation.as_dquat().normalize())
}

/// For each node, whether a clip moves it away from its rest. Formats that store all joints in every frame have tracks
/// for joints that never move.
pub(super) fn moving_nodes(scene: &Scene) -> Vec<bool> {
    let mut moves = vec![false; scene.nodes.len()];
    for track in scene.clips.iter().flat_map(|clip| &clip.tracks).filter(|track| track.moves_node()) {
        moves[track.node.index()] |= !stays(track, &scene.nodes[track.node.index()].local);
    }
    moves
}

/// Whether a track holds the value that its node has at rest.
fn stays(track: &Track, rest: &Local) -> bool {
    let Local::Trs(rest) = rest else { return true };
    match &track.values {
        Values::MorphWeights { .. } => true,
        _ if track.interpolation == Interpolation::Cubic => false,
        Values::Translation(all) => all.iter().all(|v| *v == rest.translation),
        Values::Rotation(all) => all.iter().all(|q| *q == rest.rotation || *q == -rest.rotation),
        Values::Scale(all) => all.iter().all(|v| *v == rest.scale),
    }
}
