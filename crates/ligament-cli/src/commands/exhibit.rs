//! Gathers what an HTML report shows of two models, and writes the report.

use crate::render::html::{Curve, Page, Pictures, Shown};
use ligament::compare::{Comparison, Deviation, Model, SideBySide};
use ligament::convert::{Exhibit, Witness};
use ligament::facts::triangles;
use ligament::internal::cannot_write;
use ligament::io::{FileOutput, Folder, Output};
use ligament::{Failure, Report, Scene};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Clips whose deviation is drawn over time; the others have less of it.
const CURVES: usize = 6;

/// Beside a larger one, deviations below this part of the size are not worth a curve.
const INVISIBLE: f64 = 1e-4;

/// Vertices posed for all curves together, few enough for a second or two, and poses of one clip.
const MOST_VERTICES: usize = 40_000_000;
const POSES: [usize; 2] = [12, 240];

/// A report that was asked for, and what a proof has shown for it.
pub struct HtmlReport {
    path: PathBuf,
    file: FileOutput,
    seen: Arc<Mutex<Option<Seen>>>,
}

/// What a proof has shown.
pub struct Seen {
    pub shown: Shown,
    pub comparison: Comparison,
}

impl HtmlReport {
    /// Opens the file before the work, so that a report that cannot be written fails early.
    pub fn open(path: &Path, report: &mut Report) -> Result<Self, Failure> {
        let file = FileOutput::create(path).map_err(|error| cannot_write(path, error, report))?;
        Ok(Self { path: path.to_owned(), file, seen: Arc::default() })
    }

    /// Looks at the models of a proof.
    pub fn witness(&self) -> Witness {
        let seen = Arc::clone(&self.seen);
        Witness::new(move |exhibit: &Exhibit<'_>| {
            let models = [(exhibit.source, exhibit.source_folder), (exhibit.result, exhibit.result_folder)];
            let found =
                Seen { shown: shown(models, exhibit.comparison), comparison: exhibit.comparison.clone() };
            *seen.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
        })
    }

    /// Takes what the proof has shown; `None` without a proof.
    pub fn take_seen(&self) -> Option<Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Writes the page.
    pub fn write(mut self, page: &Page<'_>, report: &mut Report) -> Result<(), Failure> {
        let written = self.file.main().write_all(page.to_html().as_bytes());
        let placed = written.and_then(|()| self.file.commit());
        placed.map_err(|error| cannot_write(&self.path, error, report))
    }
}

/// What there is to see of two models.
pub fn shown(models: [(Model<'_>, &dyn Folder); 2], comparison: &Comparison) -> Shown {
    let [(first, first_folder), (second, second_folder)] = models;
    let (curves, without_curve) = curves(first, second, comparison);
    let drawn = [(first.scene, first_folder), (second.scene, second_folder)];
    Shown {
        features: features([first.scene, second.scene]),
        curves,
        without_curve,
        pictures: pictures(drawn, comparison.worst.as_ref()),
    }
}

#[cfg(feature = "render")]
fn pictures(models: [(&Scene, &dyn Folder); 2], worst: Option<&Deviation>) -> Result<Pictures, String> {
    super::render::worst::pictures(models, worst)
}

#[cfg(not(feature = "render"))]
fn pictures(_: [(&Scene, &dyn Folder); 2], _: Option<&Deviation>) -> Result<Pictures, String> {
    Err("this ligament was built without its renderer".to_owned())
}

/// Prepares for drawing, before there are other threads.
pub fn prepare() {
    #[cfg(feature = "render")]
    super::render::keep_driver_quiet();
}

/// The deviation over the clips with the largest, and how many others there are.
fn curves(first: Model<'_>, second: Model<'_>, comparison: &Comparison) -> (Vec<Curve>, usize) {
    let mut worst: Vec<&Deviation> =
        comparison.by_clip.iter().filter(|worst| worst.clip.is_some() && worst.distance > 0.0).collect();
    worst.sort_by(|a, b| b.relative.total_cmp(&a.relative));
    let all = worst.len();
    let visible = worst.partition_point(|worst| worst.relative >= INVISIBLE).max(1);
    worst.truncate(visible.min(CURVES));
    let others = all - worst.len();
    if worst.is_empty() || comparison.size <= 0.0 {
        return (Vec::new(), 0);
    }
    let both = SideBySide::of_models(first, second);
    let vertices = (first.scene.vertex_count() + second.scene.vertex_count()).max(1);
    let most = (MOST_VERTICES / vertices / worst.len()).clamp(POSES[0], POSES[1]);
    let curve = |worst: &Deviation| {
        let clip = worst.clip.clone()?;
        let is_it = |pair: &&(usize, usize)| first.scene.clips[pair.0].name == clip;
        let pair = *both.clips().iter().find(is_it)?;
        let mut points = both.over_time(pair, most);
        if points.is_empty() {
            return None;
        }
        // Posed positions are rounded, and the comparison is exact. It also has looked at every moment.
        points.iter_mut().for_each(|point| point.1 = point.1.min(worst.distance) / comparison.size);
        let at = points.partition_point(|point| point.0 < worst.time);
        points.insert(at, (worst.time, worst.relative));
        Some(Curve { clip, points })
    };
    (worst.into_iter().filter_map(curve).collect(), others)
}

/// The features that at least one model has.
fn features(scenes: [&Scene; 2]) -> Vec<[String; 3]> {
    let [first, second] = scenes.map(counts);
    let counts = first.into_iter().zip(second).filter(|(a, b)| a.1 > 0 || b.1 > 0);
    counts.map(|(a, b)| [a.0.to_owned(), a.1.to_string(), b.1.to_string()]).collect()
}

fn counts(scene: &Scene) -> [(&'static str, usize); 13] {
    let parts = || scene.meshes.iter().flat_map(|mesh| &mesh.parts);
    let counts = scene.counts();
    [
        ("vertices", counts.vertices),
        ("triangles", parts().map(|part| triangles(&part.faces)).sum()),
        ("meshes", scene.meshes.len()),
        ("morph targets", scene.meshes.iter().map(|m| m.parts.first().map_or(0, |p| p.morphs.len())).sum()),
        ("nodes", scene.nodes.len()),
        ("skins", scene.skins.len()),
        ("joints", counts.joints),
        ("clips", counts.clips),
        ("tracks", scene.clips.iter().map(|clip| clip.tracks.len()).sum()),
        ("materials", scene.materials.len()),
        ("images", scene.images.len()),
        ("cameras", scene.cameras.len()),
        ("lights", scene.lights.len()),
    ]
}
