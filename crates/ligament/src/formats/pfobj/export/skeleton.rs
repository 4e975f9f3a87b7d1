//! Joints, and clips without their frames.

use super::super::document::{Clip, Joint, Transform};
use super::super::{codes, rotation, stated};
use super::boxes::tight;
use super::{Angles, Export, frames_of, is_blank};
use crate::motion::{Reach, TrackFits};
use crate::pose::{Bone, Outline, Rig};
use crate::report::Report;
use crate::scene::{self, Local, NodeId, Scene, Trs};
use glam::{DVec3, Vec3};

impl Export<'_> {
    /// Converts the bones to the file's joints.
    pub(super) fn joints(&mut self) -> Vec<Joint> {
        let Self { scene, rig, angles, names, shear, report, .. } = self;
        let joint = |(i, bone): (usize, &Bone)| {
            let source = &scene.nodes[bone.node.index()];
            Joint {
                parent: bone.parent.map_or(0, |parent| parent as u32 + 1),
                name: names.clean(&source.name, "joint", i, is_blank, report),
                bind: transform(bone.node, &source.local, *angles, shear),
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

pub(super) fn transform(node: NodeId, local: &Local, angles: Angles, shear: &mut Shear) -> Transform {
    let (Trs { translation, rotation, scale }, error) = local.nearest_trs();
    if error > 1e-6 {
        shear.joints.push((node, error, scale.as_dvec3()));
    }
    let rotation = rotation::from_scene(angles.dialect, angles.order, rotation);
    Transform { scale, rotation, translation }
}

/// Joints whose transforms cannot be decomposed into scale, rotation and translation, and the largest difference in
/// their matrices, and their scales.
#[derive(Default)]
pub(super) struct Shear {
    joints: Vec<(NodeId, f64, DVec3)>,
}

impl Shear {
    pub(super) fn report(&self, scene: &Scene, report: &mut Report) {
        if self.joints.is_empty() {
            return;
        }
        let (reach, mut left) = (Reach::of(scene), TrackFits::default());
        for &(node, error, scale) in &self.joints {
            left.add_error(node, reach.shear(node, error, scale));
        }
        let message = "joints with shear were written with the nearest scale, rotation and translation";
        left.report(scene, &codes::SHEAR, "", message, report);
    }
}
