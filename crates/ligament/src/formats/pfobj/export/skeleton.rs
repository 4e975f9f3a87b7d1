//! Joints, and what clips say beside their frames.

use super::super::import::nearest_trs;
use super::super::{codes, rotation, stated};
use super::boxes::{Boxes, tight};
use super::names::Names;
use super::{Angles, Clip, Joint, Transform, frames_of};
use crate::pose::Outline;
use crate::report::{Loss, Report};
use crate::scene::{Local, NodeId, Scene, Trs};
use glam::Vec3;

/// The joints in the file's order: the skin's, unless a parent comes after its child there.
pub(super) struct Skeleton {
    pub(super) nodes: Vec<NodeId>,
    /// For each node of the scene, the number of its joint in the file, counted from 1; 0 for other nodes.
    numbers: Vec<u32>,
    /// For each joint of the skin, its index in the file; only if the order changed.
    pub(super) renumbered: Option<Vec<u32>>,
}

impl Skeleton {
    pub(super) fn of(scene: &Scene) -> Self {
        let mut skeleton = Self { nodes: Vec::new(), numbers: vec![0; scene.nodes.len()], renumbered: None };
        let Some(skin) = scene.skins.first() else { return skeleton };
        skeleton.set_order(skin.joints.clone());
        let late = |(i, &joint): (usize, &NodeId)| skeleton.parent(scene, joint) as usize > i;
        if skin.joints.iter().enumerate().any(late) {
            // A scene's nodes stand parents first.
            let mut order = skin.joints.clone();
            order.sort();
            skeleton.set_order(order);
            let index = |joint: &NodeId| skeleton.numbers[joint.index()].saturating_sub(1);
            skeleton.renumbered = Some(skin.joints.iter().map(index).collect());
        }
        skeleton
    }

    fn set_order(&mut self, nodes: Vec<NodeId>) {
        for (node, number) in nodes.iter().zip(1..) {
            self.numbers[node.index()] = number;
        }
        self.nodes = nodes;
    }

    /// The number of the nearest ancestor that is a joint; 0 without one.
    fn parent(&self, scene: &Scene, node: NodeId) -> u32 {
        let mut next = scene.nodes[node.index()].parent;
        while let Some(node) = next.filter(|n| self.numbers[n.index()] == 0) {
            next = scene.nodes[node.index()].parent;
        }
        next.map_or(0, |node| self.numbers[node.index()])
    }

    pub(super) fn joints(
        &self,
        scene: &Scene,
        angles: Angles,
        names: &mut Names,
        shear: &mut Shear,
        report: &mut Report,
    ) -> Vec<Joint> {
        let mut first_child = vec![None; self.nodes.len()];
        for &node in self.nodes.iter().rev() {
            if let Some(parent) = (self.parent(scene, node) as usize).checked_sub(1) {
                first_child[parent] = Some(node);
            }
        }
        let mut joints = Vec::with_capacity(self.nodes.len());
        for (i, &node) in self.nodes.iter().enumerate() {
            let source = &scene.nodes[node.index()];
            joints.push(Joint {
                parent: self.parent(scene, node),
                name: names.word(&source.name, "joint", i, report),
                bind: transform(&source.local, angles, shear),
                tip: tip(scene, node, first_child[i]),
            });
        }
        joints
    }
}

/// The clips without their transforms.
pub(super) fn clips(scene: &Scene, boxes: &mut Boxes, names: &mut Names, report: &mut Report) -> Vec<Clip> {
    if scene.clips.is_empty() {
        return Vec::new();
    }
    let outline = Outline::of(scene);
    (0..scene.clips.len()).map(|i| clip(scene, i, &outline, boxes, names, report)).collect()
}

/// A clip without its transforms.
fn clip(
    scene: &Scene,
    index: usize,
    outline: &Outline,
    boxes: &mut Boxes,
    names: &mut Names,
    report: &mut Report,
) -> Clip {
    let clip = &scene.clips[index];
    let frames = frames_of(clip);
    let mut exported =
        Clip { name: names.word(&clip.name, "clip", index, report), frames: frames.count, ..Clip::default() };
    let mut stated = stated::from_extras(&clip.extras).into_iter();
    for tight in tight(outline, scene, clip, frames) {
        exported.bounds.extend(boxes.choose(tight, stated.next()));
    }
    exported
}

/// Where the bone ends, for drawing: as the source says, else at the first child, else as far as from its parent.
fn tip(scene: &Scene, node: NodeId, first_child: Option<NodeId>) -> Vec3 {
    let offset = |id: NodeId| nearest_trs(&scene.nodes[id.index()].local).0.translation;
    match (scene.nodes[node.index()].tip, first_child) {
        (Some(tip), _) => Vec3::from_array(tip),
        (None, Some(child)) => offset(child),
        (None, None) => Vec3::Y * offset(node).length(),
    }
}

pub(super) fn transform(local: &Local, angles: Angles, shear: &mut Shear) -> Transform {
    let (Trs { translation, rotation, scale }, error) = nearest_trs(local);
    shear.see(error);
    let rotation = rotation::from_scene(angles.dialect, angles.order, rotation);
    Transform { scale, rotation, translation }
}

/// Transforms that do not come apart into scale, rotation and translation.
#[derive(Default)]
pub(super) struct Shear {
    count: usize,
    worst: f64,
}

impl Shear {
    fn see(&mut self, error: f64) {
        if error > 1e-6 {
            self.count += 1;
            self.worst = self.worst.max(error);
        }
    }

    pub(super) fn report(&self, report: &mut Report) {
        if self.count > 0 {
            let message = "joints with shear got the nearest scale, rotation and translation";
            report.loss(Loss::approximated(
                &codes::SHEAR,
                "",
                self.count,
                self.worst,
                "of the matrix",
                message,
            ));
        }
    }
}
