//! Poses two scenes side by side: measures how far each vertex is from its counterpart, and lists the features in which
//! the scenes differ.
//!
//! # What is compared
//!
//! Both scenes are posed at rest, at every key time of either, between neighbouring keys, and just before a track steps.
//! Clips are matched as [`ClipMatch`] describes. Only drawn geometry counts. Conversions
//! may weld or split vertices, split and merge meshes, reorder parts and cut polygons into triangles. Vertices are
//! therefore paired through the corners of the faces, as [`Pairing`] describes, and each pair is measured once per
//! pose. Scenes without faces are compared by their joints.
//!
//! ```
//! use ligament::{Scene, compare, compare::CompareOptions};
//! # let (source, result) = (Scene::default(), Scene::default());
//! let comparison = compare(&source, &result, &CompareOptions::default());
//! if let Some(worst) = &comparison.worst {
//!     println!("{} at {} s: {:.4} %", worst.mesh, worst.time, worst.relative * 100.0);
//! }
//! # assert!(comparison.worst.is_none() && comparison.differences.is_empty());
//! ```
//!
//! | file | what it does |
//! |---|---|
//! | `clips.rs` | matches clips, and compares their properties |
//! | `moments.rs` | picks the times to pose them at |
//! | `surface.rs` | all drawn vertices and faces of a scene, and their positions in a pose |
//! | `pairing.rs` | pairs vertices of the two scenes |
//! | `both.rs` | the two scenes in a few poses, and how well two vertices fit |
//! | `order.rs` | pairs that follow from the order of the faces |
//! | `nearest.rs`, `kd_tree.rs` | pairs that follow from positions |
//! | `measure.rs` | finds how far apart the pairs are over all poses |
//! | `movers.rs` | the joints and nodes that move vertices |
//! | `coupling.rs` | a distance as a sum of small differences |
//! | `region.rs` | the bound of a distance over a region of vertices |
//! | `clusters.rs` | pairs that are near each other and move alike |
//! | `frame.rs` | both scenes in one pose: bounds, and the distance of any pair |
//! | `search.rs` | finds the largest distances by bounds, without computing most of the others |
//! | `parallel_map.rs` | spreads the poses over several cores |
//! | `side_by_side.rs` | the distance of every vertex in one pose |
//! | `over_time.rs` | the largest distance over the time of a clip |
//! | `features.rs`, `materials.rs`, `attributes.rs` | all other differences |

mod attributes;
mod both;
mod clips;
mod clusters;
mod coupling;
mod features;
mod frame;
mod json;
mod kd_tree;
mod materials;
mod measure;
mod moments;
mod movers;
mod nearest;
#[cfg(test)]
mod oracle;
mod order;
mod over_time;
mod pairing;
mod parallel_map;
mod region;
mod search;
mod side_by_side;
mod surface;

pub use side_by_side::SideBySide;

use crate::pose::{Bounds, OwnMotion, Player, Pose};
use crate::progress::Progress;
use crate::report::counted;
use crate::report::shown::{percent, short};
use crate::scene::Scene;

/// Poses between two keys where a file moves by its own rules.
const BETWEEN_BENT_KEYS: usize = 3;

/// A model to compare: a scene and, where its tracks only approximate the file that it is from, the file's own motion.
/// A plain scene is posed by its tracks.
#[derive(Debug, Clone, Copy)]
pub struct Model<'a> {
    /// The scene.
    pub scene: &'a Scene,
    /// The motion by the file's own rules; `None` if that is the scene's.
    pub own: Option<&'a OwnMotion>,
}

impl<'a> From<&'a Scene> for Model<'a> {
    fn from(scene: &'a Scene) -> Self {
        Self { scene, own: None }
    }
}

impl Model<'_> {
    /// How far the scene is from the file that it was read from, at worst; `None` if its tracks say all that the file
    /// does.
    pub fn reading_cost(&self, options: &CompareOptions) -> Option<Deviation> {
        self.own.and_then(|_| compare(*self, self.scene, options).worst)
    }

    /// The model, to be posed at one time after the other.
    fn player(&self) -> Player<'_> {
        Player::new(self.scene, self.own)
    }

    /// The model at a time of one of its clips, or just `before` the step that is there.
    fn pose(&self, clip: usize, seconds: f32, before: bool) -> Pose {
        let seconds = if before { seconds.next_down() } else { seconds };
        match self.own {
            Some(own) => own.pose(self.scene, clip, seconds),
            None => Pose::at(self.scene, &self.scene.clips[clip], seconds),
        }
    }
}

/// How thoroughly to compare.
#[derive(Debug, Clone)]
pub struct CompareOptions {
    /// Poses between two neighbouring keys, besides the keys themselves.
    pub between_keys: usize,
    /// Maximum number of poses per clip. Beyond it, keys are thinned out evenly; [`Comparison::skipped`] counts the
    /// poses left out.
    pub max_poses_per_clip: usize,
    /// Maximum number of vertices, and of corners of faces. Meshes beyond it are left out;
    /// [`Comparison::uncompared`] counts their vertices. Equal scenes have no limit.
    pub max_corners: usize,
    /// Watches the comparison and can stop it. Poses not compared by then count as skipped.
    pub progress: Progress,
}

impl Default for CompareOptions {
    fn default() -> Self {
        let (max_corners, progress) = (48_000_000, Progress::default());
        Self { between_keys: 1, max_poses_per_clip: 1_000_000, max_corners, progress }
    }
}

/// The result of a comparison.
///
/// Distances follow from the matrices of the joints and are computed in f64. They do not contain the rounding of posed
/// positions.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
#[non_exhaustive]
pub struct Comparison {
    /// The model's size: the diagonal of the first scene's bounding box at rest. If that is a point, it is the box over
    /// all clips; without vertices, the box of the joints; otherwise 1.
    pub size: f64,
    /// The largest deviation over everything compared; `None` if there was nothing to compare.
    pub worst: Option<Deviation>,
    /// The largest deviation at rest and at times where both scenes have keys. It covers what is stored, and not how it
    /// is interpolated.
    pub worst_at_keys: Option<Deviation>,
    /// The largest at rest, and then of each clip that both scenes have.
    pub by_clip: Vec<Deviation>,
    /// Mean over all poses and, in each, over [some of the vertices](Self::mean_points), in scene units.
    pub mean: f64,
    /// How many vertices the mean is taken over in each pose: all of them, or others in each pose, evenly spread.
    pub mean_points: usize,
    /// Poses compared.
    pub poses: usize,
    /// Poses left out to stay within the limit.
    pub skipped: usize,
    /// Vertices (or, in scenes without faces, joints) compared in each pose.
    pub points: usize,
    /// Vertices left out to stay within [the limit](CompareOptions::max_corners). Nothing is known about them.
    pub uncompared: usize,
    /// How many times its size at rest the first model has in the pose of the worst deviation, if that is more than
    /// twice: sizes and deviations are relative to the model at rest.
    pub growth: Option<f64>,
    /// How the vertices were paired; `None` if there was nothing to compare.
    pub pairing: Option<Pairing>,
    /// Pairs of vertices that may not belong together: several vertices of the second scene fit equally well and may move
    /// differently, or neither the order nor the positions explain where the vertices are. A deviation may then be that of
    /// the pairing.
    pub doubtful: usize,
    /// The clips that were compared, in the order of the first scene.
    pub clips: Vec<ClipPair>,
    /// Features that differ.
    pub differences: Vec<Difference>,
}

impl Comparison {
    /// Whether no vertex is farther off than a fraction of the model's size. If vertices could not be compared, nothing
    /// is proven about them.
    pub fn is_within(&self, allowed: f64) -> bool {
        self.uncompared == 0 && self.worst.as_ref().is_some_and(|worst| worst.relative <= allowed)
    }

    /// A sentence about [`uncompared`](Self::uncompared) vertices, if there are any.
    pub fn gap(&self) -> Option<String> {
        let vertices = counted(self.uncompared, "vertex was", "vertices were");
        (self.uncompared > 0).then(|| format!("{vertices} not compared, because there are too many"))
    }

    /// A sentence about the [`growth`](Self::growth) of the model, if there is a deviation that it explains.
    pub fn grown(&self) -> Option<String> {
        let (growth, worst) = (self.growth?, self.worst.as_ref()?);
        let then = percent(worst.relative / growth);
        (worst.relative > 1e-5 && worst.relative.is_finite()).then(|| {
            format!(
                "the model is then {} times as large as at rest, so that is {then} of its size there",
                short(growth)
            )
        })
    }

    /// A sentence about [`doubtful`](Self::doubtful) pairs, if there are any.
    pub fn doubt(&self) -> Option<String> {
        let pairs = counted(self.doubtful, "vertex was", "vertices were");
        (self.doubtful > 0)
            .then(|| format!("{pairs} paired by guess, so the deviation may be that of the pairing"))
    }
}

crate::words! {
    /// How vertices of the two scenes were paired.
    pub enum Pairing(name) {
        /// Face corners were paired in the order in which both scenes list their faces, material by material. A polygon
        /// may be cut in one of the scenes, and a face may start at another corner.
        InOrder = "in order",
        /// Vertices, at least those of some parts, were paired with the nearest ones of the other scene in several poses;
        /// among several at one position, with the one of the same material, texture coordinates and joints. A vertex that
        /// moved to where another one was may go unnoticed, so this is used only where the order does not fit.
        Nearest = "nearest",
        /// Joints were paired by name, because there are no faces to compare.
        Joints = "joints",
    }
}

/// Two clips that were compared.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClipPair {
    /// The first scene's clip.
    pub first: String,
    /// The second scene's clip.
    pub second: String,
    /// Why they belong together.
    pub by: ClipMatch,
}

crate::words! {
    /// How clips of the two scenes were matched. Each way is tried for the clips that those before it left.
    pub enum ClipMatch(name) {
        /// They have the same name.
        Name = "name",
        /// Their names are the same after the last `|`, as in `Armature|Walk` and `Walk`, and those of no other clip are.
        LastPart = "part after |",
        /// They last equally long, and no other clip does.
        Duration = "duration",
        /// Both scenes had equally many clips left, which were matched in order.
        Order = "order",
    }
}

/// One vertex's distance between the two scenes.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Deviation {
    /// In scene units.
    pub distance: f64,
    /// As a fraction of the model's size.
    pub relative: f64,
    /// The clip that was playing; `None` at rest.
    pub clip: Option<String>,
    /// Seconds into the clip. Where a track steps, the largest deviation is often just before: then this is the last
    /// moment before the step.
    pub time: f64,
    /// The mesh; empty where joints were compared.
    pub mesh: String,
    /// The vertex, counted over the mesh's parts in the first scene.
    pub vertex: usize,
    /// The joint with the largest weight on it.
    pub joint: Option<String>,
}

/// A feature in which the scenes differ.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// The feature's name: `vertices`, `joints`, `clip "Walk"`, `clip "Walk": frames per second`, `materials "Skin",
    /// "Hair": blocks`...
    pub feature: String,
    /// The first scene's value.
    pub first: String,
    /// The second scene's value.
    pub second: String,
}

/// Compares two models.
pub fn compare<'a>(
    first: impl Into<Model<'a>>,
    second: impl Into<Model<'a>>,
    options: &CompareOptions,
) -> Comparison {
    let models = (first.into(), second.into());
    // A motion by a file's own rules bends between keys.
    let bends = models.0.own.is_some() || models.1.own.is_some();
    let between_keys = if bends { options.between_keys.max(BETWEEN_BENT_KEYS) } else { options.between_keys };
    let options = &CompareOptions { between_keys, ..options.clone() };
    let (first, second) = (models.0.scene, models.1.scene);
    let mut differences = features::Differences::default();
    let (matched, ways) = clips::matched(first, second);
    // For example after a rewrite. Equal scenes have equal features, and equal vertices in every pose.
    let equal = first == second;
    let moves_alike = equal && models.0.own.is_none() && models.1.own.is_none();
    if !equal {
        features::compare(first, second, &mut differences);
        clips::compare(first, second, &matched, &mut differences);
        materials::compare(first, second, &mut differences);
    }
    let size = measure::size(first);
    let surface = |model| match moves_alike {
        true => surface::Surface::first_faces(model),
        false => surface::Surface::new(model, options.max_corners),
    };
    let surfaces = (surface(models.0), surface(models.1));
    let uncompared = if moves_alike { 0 } else { surfaces.0.left_out.max(surfaces.1.left_out) };
    let measured = if surfaces.0.corners.is_empty() || surfaces.1.corners.is_empty() {
        measure::joints(models, &matched, size, options)
    } else if moves_alike {
        measure::equal(&surfaces.0, &matched, size, options)
    } else {
        let pairs = match equal {
            true => pairing::with_itself(&surfaces.0),
            false => pairing::pair(&surfaces.0, &surfaces.1, &matched, size),
        };
        attributes::compare(&surfaces.0, &surfaces.1, &pairs, &mut differences);
        measure::surfaces(&surfaces.0, &surfaces.1, &pairs, &matched, size, options)
    };
    let growth = measured.worst.as_ref().and_then(|worst| growth(&surfaces.0, worst, size));
    Comparison {
        size,
        growth,
        worst: measured.worst,
        worst_at_keys: measured.worst_at_keys,
        by_clip: measured.by_clip,
        mean: measured.mean,
        mean_points: measured.mean_points,
        poses: measured.poses,
        skipped: measured.skipped,
        points: measured.points,
        uncompared,
        pairing: measured.pairing,
        doubtful: measured.doubtful,
        clips: clips::described(first, second, &matched, &ways),
        differences: differences.0,
    }
}

/// How many times its size at rest a model has in the pose of a deviation, if that is more than twice.
fn growth(surface: &surface::Surface<'_>, worst: &Deviation, size: f64) -> Option<f64> {
    let name = worst.clip.as_ref().filter(|_| worst.distance > 0.0)?;
    let clip = surface.scene.clips.iter().position(|clip| clip.name == *name)?;
    let pose = surface.model.pose(clip, worst.time as f32, false);
    let mut positions = Vec::new();
    surface.pose(&pose, &mut surface::Buffers::default(), &mut positions);
    let growth = Bounds::of(positions)?.diagonal() / size;
    (growth.is_finite() && growth > 2.0).then_some(growth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::{Moved, OwnClip};
    use crate::scene::{
        Clip, Faces, Interpolation, Local, Mesh, MeshId, Node, NodeId, Part, Track, Trs, Values,
    };
    use glam::Vec3;
    use serde_json::{Value, json};

    /// A triangle that moves along x by one unit within a second, evenly.
    fn moving() -> Scene {
        let part = Part {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            faces: Faces::Triangles(vec![0, 1, 2]),
            ..Part::default()
        };
        let values = Values::Translation(vec![Vec3::ZERO, Vec3::X]);
        let (node, interpolation, times) = (NodeId(0), Interpolation::Linear, [0.0, 1.0].into());
        let tracks = vec![Track { node, interpolation, times, values }];
        let mut scene =
            Scene { meshes: vec![Mesh { parts: vec![part], ..Mesh::default() }], ..Scene::default() };
        scene.add_node(Node { mesh: Some(MeshId(0)), ..Node::default() });
        scene.clips.push(Clip { name: "Go".into(), duration: 1.0, tracks, ..Clip::default() });
        scene
    }

    fn own(x: fn(f64) -> f64) -> OwnMotion {
        let mut clip = OwnClip::new([0.0, 1.0]);
        clip.add(NodeId(0), move |time| {
            Moved::Local(Local::Trs(Trs { translation: Vec3::X * x(time) as f32, ..Trs::IDENTITY }))
        });
        let mut own = OwnMotion::default();
        own.push(clip);
        own
    }

    #[test]
    fn a_file_is_judged_by_its_own_rules_on_either_side() {
        let (scene, options) = (moving(), CompareOptions::default());
        let eased = own(|time| time * time);
        let file = Model { scene: &scene, own: Some(&eased) };
        for found in [compare(file, &scene, &options), compare(&scene, file, &options)] {
            let worst = found.worst.expect("something moves");
            assert_eq!((worst.distance, worst.time), (0.25, 0.5));
            assert_eq!(found.worst_at_keys.map(|worst| worst.distance), Some(0.0));
        }
        assert_eq!(file.reading_cost(&options).map(|worst| worst.distance), Some(0.25));
        let both = compare(file, file, &options);
        assert_eq!(both.worst.map(|worst| worst.distance), Some(0.0));
    }

    #[test]
    fn vertices_beyond_the_limit_are_counted_unless_the_scenes_are_equal() {
        let mut scene = moving();
        for _ in 0..2 {
            scene.add_node(Node { mesh: Some(MeshId(0)), ..Node::default() });
        }
        let mut other = scene.clone();
        other.meshes[0].parts[0].positions[0].z = 0.5;
        for (most, points, uncompared) in [(9, 9, 0), (8, 6, 3), (2, 1, 9)] {
            let options = CompareOptions { max_corners: most, ..CompareOptions::default() };
            let found = compare(&scene, &other, &options);
            // Where no mesh is left, the nodes are compared, of which one has this name.
            assert_eq!((found.points.min(points), found.uncompared), (points, uncompared), "{most}");
            assert_eq!((found.is_within(1.0), found.gap().is_some()), (uncompared == 0, uncompared > 0));
            let same = compare(&scene, &scene.clone(), &options);
            assert_eq!((same.points, same.uncompared, same.is_within(0.0)), (9, 0, true), "{most}");
        }
    }

    #[test]
    fn json_tells_an_infinite_deviation_from_none() {
        let (scene, mut far) = (moving(), moving());
        far.meshes[0].parts[0].positions[0].x = f32::INFINITY;
        let json = compare(&scene, &far, &CompareOptions::default()).to_json();
        assert_eq!((&json["worst"]["distance"], &json["worst"]["finite"]), (&Value::Null, &json!(false)));
        let json = compare(&scene, &scene.clone(), &CompareOptions::default()).to_json();
        assert_eq!((&json["worst"]["distance"], &json["worst"]["finite"]), (&json!(0.0), &json!(true)));
        let nothing = Scene::default();
        assert_eq!(compare(&nothing, &nothing, &CompareOptions::default()).to_json()["worst"], Value::Null);
    }

    #[test]
    fn tracks_that_say_all_cost_nothing() {
        let (scene, options) = (moving(), CompareOptions::default());
        let even = own(|time| time);
        let cost = Model { scene: &scene, own: Some(&even) }.reading_cost(&options);
        assert_eq!(cost.map(|worst| worst.distance), Some(0.0));
        assert_eq!(Model::from(&scene).reading_cost(&options), None);
    }

    #[test]
    fn a_model_that_grows_is_compared_with_its_size_at_rest_and_there() {
        let scaled = |end: f32| {
            let mut scene = moving();
            scene.clips[0].tracks[0].values = Values::Scale(vec![Vec3::ONE, Vec3::splat(end)]);
            scene
        };
        let (first, second) = (scaled(100.0), scaled(101.0));
        let found = compare(&first, &second, &CompareOptions::default());
        let worst = found.worst.as_ref().expect("a deviation");
        // One unit of a triangle whose longest side is the square root of two.
        assert!((worst.relative - 0.5_f64.sqrt()).abs() < 1e-6, "{worst:?}");
        assert!(found.growth.is_some_and(|growth| (growth - 100.0).abs() < 1e-4), "{:?}", found.growth);
        let said = found.grown().expect("a sentence");
        assert_eq!(
            said,
            "the model is then 100 times as large as at rest, so that is 0.71 % of its size there"
        );
        let found = compare(&scaled(1.5), &scaled(1.4), &CompareOptions::default());
        assert_eq!((found.growth, found.grown()), (None, None));
    }
}
