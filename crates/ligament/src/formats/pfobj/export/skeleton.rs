//! Joints, and clips without their frames.

use super::super::{codes, rotation, stated};
use super::boxes::{Boxes, tight};
use super::names::Names;
use super::{Angles, Clip, Joint, Transform, frames_of};
use crate::pose::{Bone, Outline, Rig};
use crate::report::{Loss, Report};
use crate::scene::{Local, Scene, Trs};
use glam::Vec3;

/// Converts the bones to the file's joints.
pub(super) fn joints(
    scene: &Scene,
    rig: &Rig,
    angles: Angles,
    names: &mut Names,
    shear: &mut Shear,
    report: &mut Report,
) -> Vec<Joint> {
    let mut joints = Vec::with_capacity(rig.bones.len());
    for (i, bone) in rig.bones.iter().enumerate() {
        let source = &scene.nodes[bone.node.index()];
        joints.push(Joint {
            parent: bone.parent.map_or(0, |parent| parent as u32 + 1),
            name: names.word(&source.name, "joint", i, report),
            bind: transform(&source.local, angles, shear),
            tip: tip(scene, rig, bone),
        });
    }
    joints
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

/// The end of the bone, for drawing: the source's, else the first child, else as far away as the parent.
fn tip(scene: &Scene, rig: &Rig, bone: &Bone) -> Vec3 {
    let offset = |bone: &Bone| scene.nodes[bone.node.index()].local.nearest_trs().0.translation;
    match (scene.nodes[bone.node.index()].tip, bone.first_child) {
        (Some(tip), _) => Vec3::from_array(tip),
        (None, Some(child)) => offset(&rig.bones[child]),
        (None, None) => Vec3::Y * offset(bone).length(),
    }
}

pub(super) fn transform(local: &Local, angles: Angles, shear: &mut Shear) -> Transform {
    let (Trs { translation, rotation, scale }, error) = local.nearest_trs();
    shear.see(error);
    let rotation = rotation::from_scene(angles.dialect, angles.order, rotation);
    Transform { scale, rotation, translation }
}

/// Counts transforms that cannot be decomposed into scale, rotation and translation.
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
            let message = "joints with shear were written with the nearest scale, rotation and translation";
            let Self { count, worst } = *self;
            report.loss(Loss::approximated(&codes::SHEAR, "", count, worst, "of the matrix", message));
        }
    }
}
