//! Scene to document.
//!
//! The scene has been brought within the format's [capabilities](super::FORMAT): one mesh in model space, one skeleton
//! whose rest pose is its bind pose, clips on a grid of frames. Shared vertices stay shared; the writer repeats them.
//!
//! Bounding boxes are computed from the posed vertices. Those of a source file travel in `extras` under `pfobj`
//! (`bounds`: minimum and maximum x, y, z of the model, or of each frame of a clip) and are kept if they still fit.

mod boxes;
mod materials;
mod skeleton;
mod vertices;

use super::codes;
use super::document::{Dialect, Document, Joint, Layout, Transform, Vertices};
use super::import::bind_globals;
use super::write::Lists;
use super::{EULER_ORDER, EulerOrder, FRAME_RATE, WHITE_TEXTURE, stated};
use crate::formats::bind::inverse_bind;
use crate::formats::obj_text::NameCleaner;
use crate::formats::{Encoded, WriteOptions};
use crate::pose::{self, Pose, Rig};
use crate::report::{Failure, Loss, Place, Remedy, Report};
use crate::scene::{self, Frames, Scene};
use boxes::Boxes;
use materials::default_material;
use skeleton::{Shear, transform};
use vertices::{join, take_parts};

/// The dialect and order in which rotations are written.
#[derive(Clone, Copy)]
struct Angles {
    dialect: Dialect,
    order: EulerOrder,
}

/// Makes a file from a scene within the format's [capabilities](super::FORMAT).
pub(super) fn export(
    scene: Scene,
    dialect: Option<&str>,
    options: &WriteOptions,
    report: &mut Report,
) -> Result<Encoded, Failure> {
    let dialect = dialect.and_then(Dialect::by_id).unwrap_or_default();
    let made = Exported::from_scene(scene, Angles { dialect, order: options.own.get(&EULER_ORDER) }, report)?;
    Ok(Encoded::new(dialect.id(), move |output, report| made.document.write_to(&made, output, report)))
}

/// A document made from a scene. Its frames are sampled only while they are written: in the file they take many times
/// as much room as the keys in the scene.
struct Exported {
    /// Everything but the transforms of its clips.
    document: Document,
    /// Only the nodes and clips of the scene.
    scene: Scene,
    rig: Rig,
    angles: Angles,
}

/// A document under construction.
struct Export<'r> {
    scene: Scene,
    rig: Rig,
    angles: Angles,
    names: NameCleaner,
    boxes: Boxes,
    shear: Shear,
    report: &'r mut Report,
}

impl Exported {
    fn from_scene(scene: Scene, angles: Angles, report: &mut Report) -> Result<Self, Failure> {
        let (names, mut boxes, shear) =
            (NameCleaner::new(&codes::NAME_CHANGED), Boxes::default(), Shear::default());
        let stated = stated::from_extras(&scene.extras).first().copied();
        let found = pose::bounds(&scene, &Pose::rest(&scene));
        let bounds = boxes.choose(found, stated);
        let rig = Rig::of_skin(&scene);
        check_digits(found.map(|b| b.diagonal()), scene.vertex_count(), &rig, report);
        let mut export = Export { scene, rig, angles, names, boxes, shear, report };
        let (joints, clips) = (export.joints(), export.clips());
        export.shear.report(&export.scene, export.report);
        let mut materials: Vec<_> = (0..export.scene.materials.len()).map(|i| export.material(i)).collect();
        let Export { mut scene, rig, names, boxes, report, .. } = export;
        let parts = take_parts(&mut scene);
        if materials.is_empty() || parts.iter().any(|p| p.material.is_none()) {
            materials.push(default_material());
        }
        let vertices = join(parts, &rig, materials.len() - 1, report)?;
        check_binds(&joints, &vertices, angles.order, report)?;
        names.report("joint, clip or material", "joints, clips or materials", report);
        boxes.report(report);
        let document = Document {
            name: scene.name,
            dialect: angles.dialect,
            layout: Layout { singular_materials: angles.dialect == Dialect::Document, ..Layout::default() },
            version: "1.0".into(),
            has_collision: Some(bounds.is_some()),
            needs_white_texture: materials.iter().any(|m| m.texture.as_bytes() == WHITE_TEXTURE.as_bytes()),
            vertices,
            materials,
            joints,
            clips,
            bounds,
        };
        let scene = Scene { nodes: scene.nodes, clips: scene.clips, ..Scene::default() };
        Ok(Self { document, scene, rig, angles })
    }
}

impl Lists for Exported {
    fn frame(&self, clip: usize, frame: usize, transforms: &mut Vec<Transform>) {
        let clip = &self.scene.clips[clip];
        let locals = pose::locals_at(&self.scene, clip, frames_of(clip).time(frame as u32));
        // Joints with shear were already counted at rest; tracks cannot hold any.
        let mut counted = Shear::default();
        let bones = self.rig.bones.iter();
        transforms
            .extend(bones.map(|b| transform(b.node, &locals[b.node.index()], self.angles, &mut counted)));
    }
}

/// Reports a model so small that six decimals move its vertices noticeably: by half a unit of the last one, on each axis
/// of its position, and of each joint above it as it is bound and as it is posed.
fn check_digits(size: Option<f64>, vertices: usize, rig: &Rig, report: &mut Report) {
    let Some(size) = size.filter(|size| *size > 0.0) else { return };
    let mut depths: Vec<u32> = Vec::with_capacity(rig.bones.len());
    for bone in &rig.bones {
        depths.push(1 + bone.parent.map_or(0, |parent| depths[parent]));
    }
    // Roundings are independent, so they rarely add up: their squares do.
    let rounded = 1 + 2 * depths.into_iter().max().unwrap_or(0);
    let off = 0.5e-6 * (3.0 * f64::from(rounded)).sqrt() / size;
    if off > 1e-5 {
        let message = "positions are rounded to the format's six decimals";
        let unit = "of the model's size";
        let loss = Loss::approximated(&codes::DIGITS, "mesh", vertices, off, unit, message);
        report.loss(loss.remedy(Remedy::new("scale", 100, "writes a larger model")));
    }
}

/// Reports joints with vertices whose bind transform has no inverse after rounding to the file's six decimals.
fn check_binds(
    joints: &[Joint],
    vertices: &Vertices,
    order: EulerOrder,
    report: &mut Report,
) -> Result<(), Failure> {
    let printed = |v: f32| ((f64::from(v) * 1e6).round_ties_even() / 1e6) as f32;
    let printed_scale = |joint: &Joint| {
        let bind = Transform { scale: joint.bind.scale.map(printed), ..joint.bind };
        Joint { bind, ..joint.clone() }
    };
    let globals = bind_globals(&joints.iter().map(printed_scale).collect::<Vec<_>>(), order);
    let broken: Vec<usize> = (0..joints.len()).filter(|&i| inverse_bind(&globals[i]).is_none()).collect();
    if broken.is_empty() {
        return Ok(());
    }
    let pulls = |joint: usize| {
        let mut pairs = vertices.influences.iter().flatten();
        pairs.any(|pair| pair.joint as usize == joint && printed(pair.weight) != 0.0)
    };
    match broken.into_iter().find(|&joint| pulls(joint)) {
        None => Ok(()),
        Some(joint) => {
            let name = &joints[joint].name;
            let message = format!(
                "the rest transform of joint {name} has no inverse at the file's six decimals; a scale is zero or \
                 too small, here or in an ancestor"
            );
            Err(report.invalid(&codes::NOT_INVERTIBLE, Place::WHOLE, message))
        }
    }
}

/// Whether names of joints and clips cannot contain a character.
fn is_blank(c: char, _: &str) -> bool {
    c.is_whitespace() || c.is_control()
}

/// The frame grid of a prepared clip.
fn frames_of(clip: &scene::Clip) -> Frames {
    clip.frames.unwrap_or(Frames { rate: FRAME_RATE, count: 1 })
}
