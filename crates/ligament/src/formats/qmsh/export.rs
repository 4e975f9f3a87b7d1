//! Scene to document.
//!
//! The scene has been brought within the format's [capabilities](super::FORMAT): objects in model space, and one
//! skeleton whose rest pose is its bind pose. Parts of an object with the same material form one submesh.
//!
//! Keys are made from the scene's tracks while they are written; see [`Exported`].

mod clips;
mod materials;
mod skeleton;
mod vertices;

pub(super) use skeleton::modelled;

use super::codes;
use super::document::{Camera, Document, Key, Version, flags};
use super::space::mirrored;
use super::write::Lists;
use super::{CAMERA_FAR, CAMERA_FOV, CAMERA_NEAR};
use crate::formats::{Encoded, WriteOptions};
use crate::limits::FARTHEST;
use crate::pose::Pose;
use crate::report::{Diagnostic, Failure, Loss, Place, Remedy, Report, Severity, counted};
use crate::scene::{Extras, Projection, Scene};
use crate::text::{RawText, name_in_cp1250};
use glam::{DVec3, Vec3};
use serde_json::Value;
use skeleton::Skeleton;
use std::borrow::Cow;

/// Makes a file from a scene within the format's [capabilities](super::FORMAT).
pub(super) fn export(
    scene: Scene,
    dialect: Option<&str>,
    _: &WriteOptions,
    report: &mut Report,
) -> Result<Encoded, Failure> {
    let version = dialect.and_then(Version::by_id).unwrap_or_default();
    let made = Exported::from_scene(scene, version, report)?;
    Ok(Encoded::new(version.id(), move |output, report| made.document.write_with(&made, output, report)))
}

/// A document whose keys are still the scene's tracks. They are sampled while they are written, because the keys of all
/// bones at all times take more memory than the tracks.
struct Exported {
    /// Everything but the keys.
    document: Document,
    /// Nodes and clips.
    scene: Scene,
    skeleton: Skeleton,
}

/// A file under construction.
struct Export<'r> {
    document: Document,
    scene: Scene,
    skeleton: Skeleton,
    names: Names,
    report: &'r mut Report,
}

impl Exported {
    fn from_scene(mut scene: Scene, version: Version, report: &mut Report) -> Result<Self, Failure> {
        let document = Document { name: scene.name.clone(), version, ..Document::default() };
        let skeleton = Skeleton::of(&scene);
        let objects = vertices::take_objects(&mut scene);
        let mut export = Export { document, scene, skeleton, names: Names::default(), report };
        export.check_limits(&objects)?;
        let sound = export.bones(&objects)?;
        export.document.camera = export.camera();
        export.objects(&objects);
        export.names.report(export.report);
        check_numbers(&export.document, sound, export.report)?;
        let Export { document, scene, skeleton, .. } = export;
        Ok(Self { document, scene, skeleton })
    }
}

impl Lists for Exported {
    fn frame(&self, animation: usize, time: usize) -> Cow<'_, [Key]> {
        let seconds = self.document.animations[animation].times[time];
        let moved = self.skeleton.at(&self.scene, &self.scene.clips[animation], seconds);
        Cow::Owned(moved.iter().map(|moved| clips::key(moved, self.document.version)).collect())
    }
}

impl Export<'_> {
    /// Checks all counts of the file before anything is made.
    fn check_limits(&mut self, objects: &vertices::Objects) -> Result<(), Failure> {
        let version = self.document.version;
        let carpg = version != Version::Original;
        let most = usize::from(u16::MAX);
        let mut exceeded = false;
        for (count, most, one, many) in [
            (objects.vertex_count(), most, "vertex", "vertices"),
            (objects.triangle_count(), most, "triangle", "triangles"),
            (objects.submesh_count(), most, "submesh", "submeshes"),
            (self.skeleton.bones.len(), version.max_bones(), "bone", "bones"),
            (self.scene.clips.len(), if carpg { 255 } else { most }, "animation", "animations"),
        ] {
            if count > most {
                let message = format!("{}; {version} can hold {most}", counted(count as u64, one, many));
                let newer = Version::Carpg(Version::NEWEST);
                let helps = one == "bone" && !carpg && count <= newer.max_bones();
                let error = Diagnostic::new(Severity::Error, &codes::LIMIT, Place::WHOLE, message);
                self.report.push(match helps {
                    true => error.remedy(Remedy::new("dialect", "qmsh22", "holds them")),
                    false => error,
                });
                exceeded = true;
            }
        }
        if exceeded { Err(Failure::Invalid) } else { Ok(()) }
    }

    /// Makes the bones and animations. Returns whether all numbers in the keys can be read back.
    fn bones(&mut self, objects: &vertices::Objects) -> Result<bool, Failure> {
        let Self { document, scene, skeleton, names, report } = self;
        if skeleton.bones.is_empty() {
            let message = "QMSH animates bones only, and the model has none";
            for (i, clip) in scene.clips.iter().enumerate() {
                report.loss(Loss::dropped(&codes::NO_BONES, clip.label(i), 1, message));
            }
            return Ok(true);
        }
        document.flags |= flags::SKINNED;
        document.bones = skeleton.written(scene, document.version, names);
        document.groups = skeleton.groups(scene, document.version);
        let boxes = objects.boxes(skeleton);
        self.animations(&boxes)
    }

    /// The first camera of the scene; a file without one has zeros.
    fn camera(&mut self) -> Camera {
        let (scene, original) = (&self.scene, self.document.version == Version::Original);
        let mut placed = scene.nodes.iter().enumerate().filter_map(|(n, node)| Some((n, node.camera?)));
        let Some((node, camera)) = placed.next().filter(|_| !original) else { return Camera::default() };
        let others = placed.count();
        let message = "a file has one camera; only the first was kept";
        self.report.loss(Loss::dropped(&codes::CAMERAS, "", others, message));
        let lens = &scene.cameras[camera.index()];
        let is_usual =
            matches!(lens.projection, Projection::Perspective { fov_y, .. } if fov_y == CAMERA_FOV);
        if !is_usual || lens.near != CAMERA_NEAR || lens.far != Some(CAMERA_FAR) {
            let message = "the camera's lens was dropped; the game uses a fixed one";
            let object = format!("camera {:?}", lens.name);
            self.report.loss(Loss::approximated(&codes::CAMERA_LENS, object, 1, None, "", message));
        }
        let global = Pose::rest(scene).globals[node];
        let distance = own(&scene.nodes[node].extras, "distance").and_then(Value::as_f64);
        let distance = distance.filter(|d| d.is_finite() && *d > 0.0).unwrap_or(1.0);
        let axis = |v: DVec3| global.transform_vector3(v).try_normalize().unwrap_or(v);
        let position = global.w_axis.truncate();
        let target = position + axis(DVec3::NEG_Z) * distance;
        let [position, target, up] = [position, target, axis(DVec3::Y)].map(|v| written(v.as_vec3()));
        Camera { position, target, up }
    }
}

/// Whether all numbers are finite and not too large.
fn fine(values: &[f32], most: f32) -> bool {
    values.iter().all(|v| v.is_finite() && v.abs() <= most)
}

/// Refuses numbers that the reader would refuse; `keys` says whether those of the keys are acceptable.
fn check_numbers(document: &Document, keys: bool, report: &mut Report) -> Result<(), Failure> {
    let vertices = document.vertices.iter().all(|v| {
        fine(&v.position, FARTHEST)
            && [&v.normal[..], &v.uv, &v.tangent, &v.binormal].iter().all(|values| fine(values, f32::MAX))
    });
    let bones = document.bones.iter().all(|b| fine(&b.matrix, FARTHEST));
    if vertices && bones && keys {
        return Ok(());
    }
    let message = format!("the model has coordinates, matrices or keys beyond {FARTHEST:e}");
    Err(report.invalid(&codes::NOT_FINITE, Place::WHOLE, message))
}

/// Returns a value of this format that travelled with an object.
fn own<'a>(extras: &'a Extras, key: &str) -> Option<&'a Value> {
    extras.get("qmsh")?.get(key)
}

/// Converts a vector to the engine's space.
fn written(v: Vec3) -> [f32; 3] {
    mirrored(v.to_array()).to_array()
}

/// Makes names of at most 255 bytes in Windows-1250.
#[derive(Default)]
struct Names {
    changed: usize,
}

impl Names {
    fn cut(&mut self, name: &str) -> RawText {
        let (mut bytes, mut changed) = name_in_cp1250(name);
        changed |= bytes.len() > 255;
        bytes.truncate(255);
        self.changed += usize::from(changed);
        RawText::from(&bytes[..])
    }

    fn report(&self, report: &mut Report) {
        let message = "names were cut to 255 bytes, numbered to make them unique, or had characters outside Windows-1250 replaced";
        report.loss(Loss::approximated(&codes::NAME, "", self.changed, None, "", message));
    }
}
