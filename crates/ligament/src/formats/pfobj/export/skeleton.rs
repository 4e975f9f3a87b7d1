//! Joints, and clips without their frames.

use super::super::document::{Clip, Joint, Transform};
use super::super::{codes, rotation, stated};
use super::boxes::tight;
use super::{Angles, Export, frames_of, is_blank};
use crate::pose::{Bone, Outline, Rig};
use crate::report::{Loss, Report};
use crate::scene::{self, Local, Scene, Trs};
use glam::Vec3;

impl Export<'_> {
    /// Converts the bones to the file's joints.
    pub(super) fn joints(&mut self) -> Vec<Joint> {
        let Self { scene, rig, angles, names, shear, report, .. } = self;
        let joint = |(i, bone): (usize, &Bone)| {
            let source = &scene.nodes[bone.node.index()];
            Joint {
                parent: bone.parent.map_or(0, |parent| parent as u32 + 1),
                name: names.clean(&source.name, "joint", i, is_blank, report),
                bind: transform(&source.local, *angles, shear),
                tip: tip(scene, rig, bone),
            }
        };
        rig.bones.iter().enumerate().map(joint).collect()
    }

    /// Makes the clips without their transforms.
    pub(super) fn clips(&mut self) -> Vec<Clip> {
        let Self { scene, boxes, names, report, .. } = self;
        if scene.clips.is_empty() {
            return Vec::new();
        }
        let outline = Outline::of(scene);
        let clip = |(i, clip): (usize, &scene::Clip)| {
            let (frames, name) = (frames_of(clip), names.clean(&clip.name, "clip", i, is_blank, report));
            let mut stated = stated::from_extras(&clip.extras).into_iter();
            let tight = tight(&outline, scene, clip, frames).into_iter();
            let bounds = tight.filter_map(|tight| boxes.choose(tight, stated.next())).collect();
            Clip { name, frames: frames.count, bounds, ..Clip::default() }
        };
        scene.clips.iter().enumerate().map(clip).collect()
    }
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
        let message = "joints with shear were written with the nearest scale, rotation and translation";
        let Self { count, worst } = *self;
        report.loss(Loss::approximated(&codes::SHEAR, "", count, worst, "of the matrix", message));
    }
}
