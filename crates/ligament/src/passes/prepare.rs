use super::bake_rest::bake_rest;
use super::drop_features::drop_features;
use super::flatten::{FlattenOptions, Objects, flatten};
use super::influences::{InfluenceOptions, influences};
use super::limit_clips::limit_clips;
use super::materials::materials;
use super::normals::{NormalsOptions, are_of_some_parts, normals};
use super::remove_scale::{RemoveScaleOptions, remove_scale};
use super::resample::{ResampleOptions, frames_to_make, resample};
use super::tangents::{TangentsOptions, tangents};
use super::triangulate::{TriangulateOptions, triangulate};
use crate::Limits;
use crate::formats::{Capabilities, Count, Joints, Keys, Normals};
use crate::limits::{frames_bytes, placed, scene_bytes};
use crate::report::{Failure, Report};
use crate::scene::{Interpolation, Scene};

/// The user's options for bringing a scene within a format's capabilities.
#[derive(Debug, Clone, Default)]
pub struct PrepareOptions {
    /// Frames per second for clips that must be sampled; `None` is the rate at which the format's frames are played, or
    /// the clip's own rate if the format stores it, or 24 if there is neither.
    pub fps: Option<f32>,
    /// How frames are played if the format does not store it; `None` is the format's own way.
    pub interpolation: Option<Interpolation>,
    /// Influences per vertex, if not the format's default.
    pub influences: Option<usize>,
    /// Limits on what is made of the scene.
    pub limits: Limits,
    /// Whether the result will be read back and compared, which takes memory too.
    pub is_proven: bool,
}

/// Brings a scene within what a format can hold. Picks the passes by comparing the two; a scene that fits is not
/// touched.
///
/// The order matters. Features are dropped first, so that they need not be transformed. Polygons are cut while their
/// corners are where the author put them. Flattening depends on the clips that are left and may add tracks. Sampling
/// comes last because it takes the most memory.
pub fn prepare(
    scene: &mut Scene,
    target: &Capabilities,
    options: &PrepareOptions,
    report: &mut Report,
) -> Result<(), Failure> {
    limit_clips(scene, target.clips, report);
    drop_features(scene, target, report);
    if !target.polygons {
        triangulate(scene, &TriangulateOptions::default(), report);
    }
    let held = scene_bytes(scene);
    if !target.instances || needs_flattening(scene, target) {
        allow_copies(scene, held, &options.limits, options.is_proven, report)?;
    }
    if target.skins == Count::None {
        bake_rest(scene, report);
    }
    if needs_flattening(scene, target) {
        flatten(scene, &FlattenOptions { objects: objects(target) }, report);
    }
    if target.joints == Joints::Move {
        remove_scale(scene, &RemoveScaleOptions::default(), report);
    }
    let max = most_influences(target, options);
    let possible = target.max_influences;
    influences(scene, &InfluenceOptions { max, possible, normalise: false }, report);
    let completes = target.normals == Normals::AllOrNone && are_of_some_parts(scene);
    if completes || target.normals == Normals::Always {
        normals(scene, &NormalsOptions::default(), report);
    }
    if target.tangents && target.computes_tangents {
        tangents(scene, &TangentsOptions::default(), report);
    }
    materials(scene, target, report);
    if target.keys == Keys::Poses {
        return Ok(());
    }
    let played = played(target, options);
    let clips = ResampleOptions {
        fps: options.fps.or(target.frame_rate),
        grid: target.keys == Keys::Frames,
        interpolations: played.as_ref().map_or(target.interpolations, std::slice::from_ref),
        straight_rotations: target.straight_rotations,
    };
    allow_frames(scene, &clips, held, options, report)?;
    resample(scene, &clips, report)
}

/// Fails if the scene's meshes take too much memory once every node that draws one has its own copy.
pub(crate) fn allow_copies(
    scene: &Scene,
    held: u64,
    limits: &Limits,
    is_proven: bool,
    report: &mut Report,
) -> Result<(), Failure> {
    let what = "the scene's meshes, with a copy for every instance,";
    limits.allow_made(placed(scene, is_proven), held, what, report)
}

/// Fails if the frames of all clips together take too much memory.
fn allow_frames(
    scene: &Scene,
    sampling: &ResampleOptions,
    held: u64,
    options: &PrepareOptions,
    report: &mut Report,
) -> Result<(), Failure> {
    let (joints, mut needed) = (scene.joint_count(), 0_u64);
    for (clip, frames) in frames_to_make(scene, sampling, report)? {
        needed = needed.saturating_add(frames_bytes(clip, joints, frames.count, options.is_proven));
    }
    let what = "the frames of all clips, with all joints in each,";
    options.limits.allow_made(needed, held, what, report)
}

/// The number asked for, but no more than the format can hold; otherwise the format's default.
fn most_influences(target: &Capabilities, options: &PrepareOptions) -> Option<usize> {
    let asked = options.influences.map(|asked| asked.min(target.max_influences.unwrap_or(asked)));
    asked.or(target.default_influences).or(target.max_influences)
}

/// All frames of a grid are played the same way: as asked for, otherwise the first way of the format.
fn played(target: &Capabilities, options: &PrepareOptions) -> Option<Interpolation> {
    let asked = options.interpolation.filter(|i| target.interpolations.contains(i));
    asked.or(target.interpolations.first().copied()).filter(|_| target.keys == Keys::Frames)
}

fn objects(target: &Capabilities) -> Objects {
    match target.meshes {
        Count::Many if target.placed_objects => Objects::Placed,
        Count::Many => Objects::Apart,
        Count::One | Count::None => Objects::Joined,
    }
}

/// Formats with a node hierarchy need no flattening, unless they limit the number of meshes or skins and there are
/// more.
fn needs_flattening(scene: &Scene, target: &Capabilities) -> bool {
    let exceeds = |most: Count, count: usize| match most {
        Count::None => count > 0,
        Count::One => count > 1,
        Count::Many => false,
    };
    !target.hierarchy
        || exceeds(target.meshes, scene.meshes.len())
        || exceeds(target.skins, scene.skins.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::{self, everything, places};
    use crate::scene::Faces;

    /// A format with minimal features: one mesh, one skeleton, stepped frames.
    fn plain() -> Capabilities {
        Capabilities {
            meshes: Count::One,
            skins: Count::One,
            max_influences: Some(2),
            joints: Joints::Scale,
            clips: Count::Many,
            keys: Keys::Frames,
            interpolations: &[Interpolation::Step, Interpolation::Linear],
            uv_sets: 1,
            normals: Normals::Always,
            needs_materials: true,
            phong: true,
            texture_files: true,
            embedded_textures: true,
            ..Capabilities::default()
        }
    }

    #[test]
    fn a_scene_that_fits_is_not_touched() {
        for (name, before) in testing::scenes() {
            let (mut after, mut report) = (before.clone(), Report::default());
            prepare(&mut after, &everything(), &PrepareOptions::default(), &mut report).unwrap();
            assert_eq!(before, after, "{name}");
            assert!(report.losses().is_empty() && report.diagnostics().is_empty());
        }
    }

    #[test]
    fn a_plain_format_gets_every_frame_right() {
        for (name, before) in testing::scenes() {
            let (mut after, mut report) = (before.clone(), Report::default());
            prepare(
                &mut after,
                &plain(),
                &PrepareOptions { fps: Some(20.0), ..PrepareOptions::default() },
                &mut report,
            )
            .unwrap();
            assert_eq!((after.meshes.len(), after.skins.len().max(1)), (1, 1), "{name}");
            let parts = &after.meshes[0].parts;
            assert!(parts.iter().all(|p| matches!(p.faces, Faces::Triangles(_)) && p.tangents.is_empty()));
            if before.meshes.iter().any(|m| !m.morphs.is_empty()) {
                assert!(report.losses().iter().any(|l| l.code.id == "LS009"), "{name}");
                continue;
            }
            for (index, clip) in after.clips.iter().enumerate() {
                for &time in clip.frames.expect("sampled").times().iter() {
                    let ((a, _), (b, _)) =
                        (places(&before, Some(index), time), places(&after, Some(index), time));
                    for (a, b) in a.iter().zip(&b) {
                        assert!(a.distance(*b) < 1e-5, "{name}: {a} became {b} in {:?} at {time}", clip.name);
                    }
                }
            }
        }
    }

    #[test]
    fn frames_are_played_as_asked_else_as_the_format_does() {
        let asked = [None, Some(Interpolation::Linear), Some(Interpolation::Cubic)];
        let played = [Interpolation::Step, Interpolation::Linear, Interpolation::Step];
        for (interpolation, played) in asked.into_iter().zip(played) {
            let (mut scene, mut report) = (testing::bend(), Report::default());
            let options = PrepareOptions { interpolation, ..PrepareOptions::default() };
            prepare(&mut scene, &plain(), &options, &mut report).unwrap();
            let mut tracks = scene.clips.iter().flat_map(|c| &c.tracks);
            assert!(tracks.all(|t| t.interpolation == played));
            let losses = report.losses().iter().filter(|l| l.code.id == "LS015");
            let objects: Vec<_> = losses.map(|l| l.object.as_str()).collect();
            match played {
                Interpolation::Step => assert_eq!(objects, ["clip \"Bend\"", "clip \"Twist\""]),
                // Only the second clip has steps, which are now interpolated.
                _ => assert_eq!(objects, ["clip \"Twist\""]),
            }
        }
    }

    #[test]
    fn frames_without_a_rate_are_sampled_at_the_rate_at_which_they_are_played() {
        let rate = |own: Option<f32>, frame_rate: Option<f32>, fps: Option<f32>| {
            let (mut scene, mut report) = (testing::bend(), Report::default());
            for clip in &mut scene.clips {
                clip.frames = own.map(|rate| crate::scene::Frames { rate, count: 31 });
            }
            let target = Capabilities { frame_rate, ..plain() };
            prepare(&mut scene, &target, &PrepareOptions { fps, ..PrepareOptions::default() }, &mut report)
                .unwrap();
            scene.clips[0].frames.unwrap().rate
        };
        assert_eq!(rate(Some(30.0), Some(24.0), None), 24.0);
        assert_eq!(rate(Some(30.0), Some(24.0), Some(30.0)), 30.0);
        assert_eq!(rate(Some(30.0), None, None), 30.0);
        assert_eq!(rate(None, Some(15.0), None), 15.0);
    }

    #[test]
    fn the_option_that_keeps_more_influences_is_named() {
        for (max, named) in [(4, true), (1, false)] {
            let target = Capabilities { max_influences: Some(max), default_influences: Some(1), ..plain() };
            let (mut scene, mut report) = (testing::bend(), Report::default());
            prepare(&mut scene, &target, &PrepareOptions::default(), &mut report).unwrap();
            let loss = report.losses().iter().find(|l| l.code.id == "LS010").expect("a loss");
            let option = loss.remedy.as_ref().map(|remedy| remedy.option());
            assert_eq!(option.as_deref(), named.then_some("--influences 4"));
        }
    }

    #[test]
    fn influences_are_as_many_as_asked_for_and_possible() {
        let most = |max, default, asked| {
            let target = Capabilities { max_influences: max, default_influences: default, ..plain() };
            most_influences(&target, &PrepareOptions { influences: asked, ..PrepareOptions::default() })
        };
        assert_eq!(most(Some(4), Some(1), None), Some(1));
        assert_eq!(most(Some(4), Some(1), Some(3)), Some(3));
        assert_eq!(most(Some(4), Some(1), Some(9)), Some(4));
        assert_eq!(most(None, None, Some(2)), Some(2));
        assert_eq!(most(None, None, None), None);
    }

    #[test]
    fn what_was_prepared_once_is_not_touched_again() {
        for (name, mut scene) in testing::scenes() {
            prepare(&mut scene, &plain(), &PrepareOptions::default(), &mut Report::default()).unwrap();
            let (mut again, mut report) = (scene.clone(), Report::default());
            prepare(&mut again, &plain(), &PrepareOptions::default(), &mut report).unwrap();
            assert_eq!(scene, again, "{name}");
            assert!(report.losses().is_empty(), "{name}: {:?}", report.losses());
        }
    }
}
