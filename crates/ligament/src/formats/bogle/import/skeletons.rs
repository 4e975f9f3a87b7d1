//! Joints and skins: each object with a skeleton gets its own joints below its node, unless an object at the same place
//! has them already.

use super::{Import, reference};
use crate::formats::bogle::codes;
use crate::formats::bogle::document::Collection;
use crate::formats::bogle::posing::{self, Moment, Skeleton, Stretch};
use crate::report::{Failure, Loss, Place};
use crate::scene::{Local, Node, NodeId, Skin, SkinId, Trs, affine};
use crate::settings::Posing;
use glam::{DMat4, DQuat, DVec3, Quat, Vec3};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The skeleton of an object.
#[derive(Debug, Clone)]
pub(super) struct Placed {
    pub(super) skin: SkinId,
    pub(super) collection: usize,
    /// Whether an object before has the same skeleton.
    pub(super) is_shared: bool,
    /// The node of each bone.
    pub(super) joints: Rc<[NodeId]>,
    /// For each bone that the engine stretches, a node above that rotates and scales; the bone's own rotates back.
    pub(super) stretched: Rc<[Option<NodeId>]>,
}

/// Collection, parent and matrix of an object. Objects that agree in them share a skeleton: those of one mesh that was
/// split by material, for example.
type Key = (usize, Option<NodeId>, [u32; 16]);

impl Placed {
    /// Maps each node of the skeleton to the node of the same bone in another.
    pub(super) fn nodes_of(&self, other: &Placed) -> BTreeMap<NodeId, NodeId> {
        let joints = self.joints.iter().copied().zip(other.joints.iter().copied());
        let stretched =
            self.stretched.iter().flatten().copied().zip(other.stretched.iter().flatten().copied());
        joints.chain(stretched).collect()
    }
}

/// Approximate bytes that a joint takes in nodes and skin.
pub(super) const JOINT_BYTES: usize = 400;

impl Import<'_> {
    /// Makes the skeleton of each object.
    pub(super) fn skeletons(&mut self) -> Result<Vec<Option<Placed>>, Failure> {
        let wanted: Vec<Option<usize>> = self
            .document
            .objects
            .iter()
            .zip(&self.nodes)
            .map(|(object, node)| {
                node.as_ref()?;
                reference(object.geometry, self.document.geometries.len())?;
                let collection = reference(object.collection, self.document.collections.len())?;
                (!self.document.collections[collection].bones.is_empty()).then_some(collection)
            })
            .collect();
        self.report_unused(&wanted);
        let keys: Vec<Option<Key>> = wanted
            .into_iter()
            .enumerate()
            .map(|(object, collection)| self.key(object, collection?))
            .collect();
        let single = keys.iter().flatten().collect::<BTreeSet<_>>().len() == 1;
        let mut placed = Vec::with_capacity(keys.len());
        let mut made: BTreeMap<Key, Placed> = BTreeMap::new();
        for (object, key) in keys.into_iter().enumerate() {
            let (Some(node), Some(key)) = (self.nodes[object], key) else {
                placed.push(None);
                continue;
            };
            placed.push(Some(match made.get(&key) {
                Some(same) => Placed { is_shared: true, ..same.clone() },
                None => {
                    let skeleton = self.skeleton(object, node, key.0, single)?;
                    made.insert(key, skeleton.clone());
                    skeleton
                }
            }));
        }
        Ok(placed)
    }

    fn key(&self, object: usize, collection: usize) -> Option<Key> {
        let parent = self.scene.nodes[self.nodes[object]?.index()].parent;
        Some((collection, parent, self.document.objects[object].matrix.map(f32::to_bits)))
    }

    fn report_unused(&mut self, wanted: &[Option<usize>]) {
        for (i, collection) in self.document.collections.iter().enumerate() {
            if !wanted.contains(&Some(i)) {
                let message = "no drawn object with a geometry uses the collection";
                let place = Place::field(format!("collections[{i}]"));
                self.report.warning(&codes::UNUSED, place, message);
                let object = format!("collection {}", collection.name);
                self.report.loss(Loss::dropped(&codes::UNUSED, object, 1, message));
            }
        }
    }

    fn skeleton(
        &mut self,
        object: usize,
        node: NodeId,
        index: usize,
        single: bool,
    ) -> Result<Placed, Failure> {
        let bones = self.document.collections[index].bones.len();
        self.spend(bones * JOINT_BYTES, object)?;
        let collection = &self.document.collections[index];
        let skeleton = Skeleton::new(collection, self.posing);
        // Bone names are not stored. Generated names are unique within the scene.
        let prefix =
            if single { String::new() } else { format!("{}.", self.document.objects[object].name.to_text()) };
        let root = self.scene.add_node(Node {
            name: collection.name.to_text(),
            parent: Some(node),
            local: Local::from_matrix(&affine(&collection.matrix)),
            ..Node::default()
        });
        let mut joints = vec![root; bones];
        let mut stretched = vec![None; bones];
        let axes = stretch_axes(collection, self.posing);
        for &bone in skeleton.order() {
            let mut parent = posing::parent(&collection.bones, bone).map_or(root, |parent| joints[parent]);
            let sample = Sample::new(&skeleton, bone, None, axes[bone]);
            let mut local = sample.outer;
            if axes[bone].is_some() {
                let name = format!("{prefix}bone{bone}.stretch");
                let node = Node { name, parent: Some(parent), local: local.into(), ..Node::default() };
                parent = self.scene.add_node(node);
                stretched[bone] = Some(parent);
                local = Trs { rotation: sample.inner, ..Trs::IDENTITY };
            }
            joints[bone] = self.scene.add_node(Node {
                name: format!("{prefix}bone{bone}"),
                parent: Some(parent),
                local: local.into(),
                ..Node::default()
            });
        }
        let inverse = |bind: &DMat4| bind.inverse().to_cols_array().map(|v| v as f32);
        let inverse_binds: Vec<_> = skeleton.bind().iter().map(inverse).collect();
        let finite = inverse_binds.as_flattened().iter().all(|v| v.is_finite())
            && joints.iter().all(|j| self.scene.nodes[j.index()].local.to_matrix().as_mat4().is_finite());
        if !finite {
            let place = Place::field(format!("collections[{index}].bones"));
            let message = "the bones are too far away, or scaled too small, to bind vertices to them";
            return Err(self.report.invalid(&codes::SINGULAR, place, message));
        }
        let (name, bound) = (collection.name.to_text(), joints.clone());
        let skin = Skin { name, joints: bound, inverse_binds, ..Skin::default() };
        let skin = SkinId::push(&mut self.scene.skins, skin);
        let (joints, stretched) = (joints.into(), stretched.into());
        Ok(Placed { skin, collection: index, is_shared: false, joints, stretched })
    }
}

/// A bone at one time, as scene nodes express it.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    /// The transform of the bone's own node, or for a stretched bone of the node above it.
    pub(super) outer: Trs,
    /// For a stretched bone, the rotation of its own node, which rotates back.
    pub(super) inner: Quat,
    /// The matrix that the two should produce.
    pub(super) exact: DMat4,
}

impl Sample {
    /// Makes a sample. `axis` is that of a stretched bone.
    pub(super) fn new(
        skeleton: &Skeleton<'_>,
        bone: usize,
        moment: Option<Moment>,
        axis: Option<DVec3>,
    ) -> Self {
        let exact = skeleton.local(bone, moment);
        let translation = exact.w_axis.truncate().as_vec3();
        let Some(axis) = axis else {
            let rotation = DQuat::from_mat4(&exact).normalize().as_quat();
            let outer = Trs { translation, rotation, ..Trs::IDENTITY };
            return Self { outer, inner: Quat::IDENTITY, exact };
        };
        let stretch = Stretch::of(skeleton.engine_turn(bone, moment), axis);
        let across = stretch.across as f32;
        let outer =
            Trs { translation, rotation: stretch.turn.as_quat(), scale: Vec3::new(across, across, 1.0) };
        Self { outer, inner: stretch.turn_back.as_quat(), exact }
    }

    /// The result of the nodes' tracks between two keys.
    pub(super) fn between(a: &Self, b: &Self, t: f64) -> Self {
        let slerp = |a: Quat, b: Quat| a.as_dquat().normalize().slerp(b.as_dquat().normalize(), t);
        let lerp = |a: Vec3, b: Vec3| a.as_dvec3().lerp(b.as_dvec3(), t);
        let scale = lerp(a.outer.scale, b.outer.scale);
        let rotation = slerp(a.outer.rotation, b.outer.rotation);
        let translation = lerp(a.outer.translation, b.outer.translation);
        let inner = slerp(a.inner, b.inner);
        let outer = DMat4::from_scale_rotation_translation(scale, rotation, translation);
        Self {
            outer: Trs {
                translation: translation.as_vec3(),
                rotation: rotation.as_quat(),
                scale: scale.as_vec3(),
            },
            inner: inner.as_quat(),
            exact: outer * DMat4::from_quat(inner),
        }
    }
}

/// The axis of the largest rotation of each bone that the engine stretches (by quaternions not of unit length).
pub(super) fn stretch_axes(collection: &Collection, posing: Posing) -> Vec<Option<DVec3>> {
    let bones = &collection.bones;
    let mut axes = vec![None; bones.len()];
    if posing == Posing::Author {
        return axes;
    }
    let skeleton = Skeleton::new(collection, posing);
    let keys = collection.animations.iter().flat_map(|a| a.keys(bones.len())).map(Some);
    let mut largest = vec![-1.0; bones.len()];
    let mut odd = vec![false; bones.len()];
    for key in keys.chain([None]) {
        for bone in 0..bones.len() {
            let q = skeleton.engine_turn(bone, key.as_ref().map(|key| Moment::of_key(key, bone)));
            odd[bone] |= (q.length() - 1.0).abs() > 1e-6;
            if q.xyz().length() > largest[bone] {
                largest[bone] = q.xyz().length();
                axes[bone] = Some(q.xyz().normalize_or(DVec3::Z));
            }
        }
    }
    axes.iter_mut().zip(odd).filter(|(_, odd)| !odd).for_each(|(axis, _)| *axis = None);
    axes
}
