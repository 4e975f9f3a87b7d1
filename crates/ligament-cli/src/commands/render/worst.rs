//! Two models in the pose in which they differ most, and the second coloured by its distance from the first.

use super::choose::Wish;
use super::diff::measure;
use super::encode::{self, Kind};
use super::{Studio, refused};
use crate::render::html::Pictures;
use crate::render::style;
use ligament::compare::Deviation;
use ligament::io::Folder;
use ligament::report::Severity;
use ligament::{Failure, Report, Scene};
use ligament_render::{Look, Shot, Side, Stage, deviations, heat};

/// Pixels of each picture.
const SIZE: [u32; 2] = [640, 640];

/// Colours of the scale.
const SHADES: usize = 21;

/// A scene and the folder of its images.
pub type Drawn<'a> = (&'a Scene, &'a dyn Folder);

/// Draws both; the error is a sentence.
pub fn pictures(models: [Drawn<'_>; 2], worst: Option<&Deviation>) -> Result<Pictures, String> {
    let mut report = Report::default();
    draw(models, worst, &mut report).map_err(|_| {
        let error = report.diagnostics().iter().find(|found| found.severity == Severity::Error);
        error.map_or("drawing failed".to_owned(), |error| match &error.help {
            Some(help) => format!("{}; {help}", error.message),
            None => error.message.clone(),
        })
    })
}

fn draw(models: [Drawn<'_>; 2], worst: Option<&Deviation>, report: &mut Report) -> Result<Pictures, Failure> {
    let (first, worst) = (models[0].0, worst.filter(|worst| worst.distance > 0.0));
    let name = worst.and_then(|worst| worst.clip.as_deref());
    let clip = name.and_then(|name| first.clips.iter().position(|clip| clip.name == name));
    let at = worst.map_or(0.0, |worst| worst.time as f32);
    // Where there are no faces, there are at least bones.
    let has_faces = first.meshes.iter().flat_map(|mesh| &mesh.parts).any(|part| part.faces.count() > 0);
    let look = Look { skeleton: !has_faces, ..Look::default() };
    let wish = Wish { clip, at, side: Side::ThreeQuarter, camera: None, look };
    let mut studio = Studio::open(report)?;
    let [mut first, mut second] = {
        let [first, second] = models;
        let mut load = |(scene, folder): Drawn<'_>| studio.load_scene(scene.clone(), folder, report);
        [load(first)?, load(second)?]
    };
    let measured = measure(&first, &second, &wish, report);
    // One frame for all pictures, so that a displaced model is seen to be displaced. One that is far away would make both
    // tiny.
    let both = [first.scene(), second.scene()].into_iter().zip(measured.poses.iter().cloned());
    let framed = if measured.worst <= measured.size { 2 } else { 1 };
    let stage = Stage::around(both.take(framed), wish.side, 1.0, (&wish.look).into());
    let camera = stage.camera_of(first.scene(), &measured.poses[0], None);
    let distances = measured.distances.iter().copied();
    let paint = deviations(distances, measured.worst, measured.worst, measured.size);
    let mut images = [Vec::new(), Vec::new(), Vec::new()];
    for (number, image) in images.iter_mut().enumerate() {
        let (model, pose) = match number {
            0 => (&mut first, &measured.poses[0]),
            _ => (&mut second, &measured.poses[1]),
        };
        let paint = (number == 2).then_some(&paint[..]);
        let shot = Shot { camera: &camera, paint, ..Shot::new(pose, &stage, &wish.look) };
        let drawn = studio.renderer.picture(model, &shot, SIZE);
        let (picture, notes) = drawn.map_err(|error| refused(&error, report))?;
        notes.tell(report);
        *image = encode::still(&picture, Kind::Jpeg).map_err(|error| report.cannot_write(error))?;
    }
    let most = (!measured.is_identical() && measured.size > 0.0).then(|| measured.worst / measured.size);
    let scale = (0..SHADES).map(|i| heat(i as f32 / (SHADES - 1) as f32)).collect();
    let pose = match name.filter(|_| clip.is_some()) {
        Some(name) => format!("clip {} at {at:.3} s", style::name(name)),
        None => "at rest".to_owned(),
    };
    let mut notes: Vec<_> = report.diagnostics().iter().map(|found| found.message.clone()).collect();
    notes.dedup();
    Ok(Pictures { size: SIZE, images, pose, most, scale, notes })
}
