//! Our posed vertices beside Blender's.

use super::support::blender::{has_blender, posed, run};
use super::{corpus, scene, support};
use ligament::math::Vec3;
use ligament::pose::{Pose, deform};
use ligament::scene::Scene;
use serde_json::Value;
use std::path::Path;

/// A vertex at every time that was compared.
type Path3 = Vec<Vec3>;

/// Maps clips to Blender's timeline, which holds all clips one after the other.
struct Timeline<'a> {
    /// Name and start of each clip; if empty, the only clip is played.
    clips: &'a [(&'a str, f64)],
    /// Nothing moves.
    rest: bool,
}

impl Timeline<'_> {
    fn pose(&self, scene: &Scene, time: f64) -> Option<Pose> {
        if self.rest {
            return Some(Pose::rest(scene));
        }
        if self.clips.is_empty() {
            return Some(
                scene.clips.first().map_or_else(|| Pose::rest(scene), |c| Pose::at(scene, c, time as f32)),
            );
        }
        self.clips.iter().find_map(|(name, start)| {
            let clip = scene.clips.iter().find(|c| c.name == *name).expect("a clip of that name");
            let inside = time >= start - 1e-4 && time <= start + f64::from(clip.duration) + 1e-4;
            inside.then(|| Pose::at(scene, clip, (time - start) as f32))
        })
    }
}

/// Blender's vertices and ours at the same times.
fn paths(scene: &Scene, oracle: &Value, timeline: &Timeline<'_>) -> (Vec<Path3>, Vec<Path3>) {
    let fps = oracle["fps"].as_f64().expect("fps");
    let (mut theirs, mut ours): (Vec<Path3>, Vec<Path3>) = (Vec::new(), Vec::new());
    for clip in oracle["clips"].as_array().expect("clips") {
        for (moment, frame) in clip["frames"].as_array().expect("frames").iter().enumerate() {
            let Some(pose) = timeline.pose(scene, frame.as_f64().expect("a frame") / fps) else { continue };
            let objects = clip["objects"].as_array().expect("objects").iter();
            let points = objects.flat_map(|o| o["positions"][moment].as_array().expect("positions"));
            let numbers: Vec<f64> = points.map(|v| v.as_f64().expect("a number")).collect();
            // Blender has Z up.
            let points = numbers.chunks_exact(3).map(|p| Vec3::new(p[0] as f32, p[2] as f32, -p[1] as f32));
            append(&mut theirs, points);
            let placements = scene.node_ids().filter(|n| scene.nodes[n.index()].mesh.is_some());
            append(&mut ours, placements.flat_map(|n| deform(scene, &pose, n)).flat_map(|p| p.positions));
        }
    }
    (theirs, ours)
}

fn append(paths: &mut Vec<Path3>, points: impl Iterator<Item = Vec3>) {
    for (index, point) in points.enumerate() {
        if index == paths.len() {
            paths.push(Vec::new());
        }
        paths[index].push(point);
    }
}

/// The largest distance of a path of `of` from the nearest path of `to`. Whole paths are compared, so that a vertex
/// that follows a wrong joint finds no partner.
fn farthest(of: &[Path3], to: &[Path3]) -> f32 {
    let mut sorted: Vec<&Path3> = to.iter().collect();
    sorted.sort_by(|a, b| a[0].x.total_cmp(&b[0].x));
    let distance = |a: &Path3, b: &Path3, most: f32| {
        let mut worst = 0.0_f32;
        for (a, b) in a.iter().zip(b) {
            worst = worst.max(a.distance(*b));
            if worst >= most {
                break;
            }
        }
        worst
    };
    of.iter().fold(0.0_f32, |worst, path| {
        let middle = sorted.partition_point(|p| p[0].x < path[0].x);
        let mut best = f32::MAX;
        let near = |other: &&&Path3, best: f32| (other[0].x - path[0].x).abs() < best;
        for other in &sorted[middle..] {
            if !near(&other, best) {
                break;
            }
            best = best.min(distance(path, other, best));
        }
        for other in sorted[..middle].iter().rev() {
            if !near(&other, best) {
                break;
            }
            best = best.min(distance(path, other, best));
        }
        worst.max(best)
    })
}

/// The worst difference of a scene from Blender's vertices in both directions, relative to the model's size.
fn difference(name: &str, scene: &Scene, oracle: &Value, timeline: &Timeline<'_>) -> f32 {
    let (theirs, ours) = paths(scene, oracle, timeline);
    assert!(!theirs.is_empty() && !ours.is_empty(), "{name}: nothing to compare");
    let all = || theirs.iter().flatten();
    let (low, high) = all().fold((Vec3::MAX, Vec3::MIN), |(l, h), p| (l.min(*p), h.max(*p)));
    let size = (high - low).length().max(1e-6);
    let worst = farthest(&ours, &theirs).max(farthest(&theirs, &ours)) / size;
    println!(
        "{name}: {} of {} vertices, {} moments, worst {worst:.1e}",
        ours.len(),
        theirs.len(),
        theirs[0].len()
    );
    worst
}

fn vertex_count(oracle: &Value) -> usize {
    let objects = oracle["clips"].as_array().expect("clips").iter().flat_map(|c| c["objects"].as_array());
    objects.flatten().map(|o| o["positions"][0].as_array().map_or(0, Vec::len) / 3).sum()
}

#[test]
fn assimps_models_stand_and_move_as_in_blender() {
    let test = "assimps_models_stand_and_move_as_in_blender";
    let Some(models) = corpus::models(test) else { return };
    if !has_blender(test) {
        return;
    }
    let (mut compared, mut moving) = (0, 0);
    for path in support::files_below(&models) {
        if !corpus::is_model(&path, "dae") && !corpus::is_model(&path, "zae") {
            continue;
        }
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        let (ours, theirs) = (scene(&path), posed(&path, ""));
        let timeline = match name.as_str() {
            // Nothing is visible.
            "cameras.dae" | "lights.dae" => {
                assert_eq!((ours.vertex_count(), vertex_count(&theirs)), (0, 0), "{name}");
                continue;
            }
            // Blender imports no vertex of these: it supports neither tristrips nor decimal commas.
            "cube_tristrips.dae" | "earthCylindrical.DAE" | "teapots.DAE" => {
                assert_eq!(vertex_count(&theirs), 0, "{name}: Blender has learnt it");
                continue;
            }
            // Blender drops the curves of this file as unused, and shows the rest pose. `corpus.rs` computes the
            // motion.
            "anims_with_full_rotations_between_keys.DAE" => Timeline { clips: &[], rest: true },
            // Blender mixes up two clips that move the same bones; see below.
            "library_animation_clips.dae" => continue,
            _ => Timeline { clips: &[], rest: false },
        };
        let worst = difference(&name, &ours, &theirs, &timeline);
        assert!(worst < 1e-4, "{name}: {worst:e}");
        compared += 1;
        moving += usize::from(!ours.clips.is_empty() && !timeline.rest);
    }
    assert_eq!((compared, moving), (22, 1));
}

/// Blender reads no clips: two animations of one bone at the same times become one. So it gets the file twice, each
/// time with the animations of one clip.
#[test]
fn clips_of_the_same_bones_move_as_in_blender() {
    let test = "clips_of_the_same_bones_move_as_in_blender";
    let Some(models) = corpus::models(test) else { return };
    if !has_blender(test) {
        return;
    }
    let path = models.join("library_animation_clips.dae");
    let (ours, text) = (scene(&path), std::fs::read_to_string(&path).expect("readable"));
    for (name, start, others) in [("bend", 1.0 / 24.0, 19..=24), ("turn", 0.0, 13..=18)] {
        let mut one = text.clone();
        for number in others {
            let from = one.find(&format!("<animation id=\"id-anim-{number}\"")).expect("an animation");
            let to = from + one[from..].find("</animation>").expect("its end") + "</animation>".len();
            one.replace_range(from..to, "");
        }
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.dae"));
        std::fs::write(&file, one).expect("the target folder can be written");
        let timeline = Timeline { clips: &[(name, start)], rest: false };
        let worst = difference(name, &ours, &posed(&file, ""), &timeline);
        assert!(worst < 1e-4, "{name}: {worst:e}");
    }
}

/// Frames at which both files have keys: Blender's exporter samples every frame.
const FRAMES: &str = "0,3,7,11,12,15,16";

#[test]
fn what_blender_exports_of_gltf_moves_as_the_gltf_does() {
    let test = "what_blender_exports_of_gltf_moves_as_the_gltf_does";
    if !has_blender(test) {
        return;
    }
    for name in ["RiggedSimple.glb", "CesiumMan.glb", "Fox.glb"] {
        let Some(original) = support::find(&format!("real/gltf/{name}")) else { continue };
        let exported = run("convert.py", &original, "dae", "");
        let ours = scene(&exported);
        // Compared with the original, not with Blender's reading of its own export.
        let mut theirs = posed(&original, FRAMES);
        // Only the first clip was exported.
        theirs["clips"].as_array_mut().expect("clips").truncate(1);
        let timeline = Timeline { clips: &[], rest: false };
        let worst = difference(name, &ours, &theirs, &timeline);
        assert!(worst < 1e-4, "{name}: {worst:e}");
        // The comparison can fail: with two joints swapped, it does.
        let mut wrong = ours.clone();
        let joints = &mut wrong.skins[0].joints;
        let last = joints.len() - 1;
        joints.swap(0, last);
        let worst = difference("with joints exchanged", &wrong, &theirs, &timeline);
        assert!(worst > 1e-2, "{name}: exchanged joints are not noticed");
    }
}

/// Files that we write, in Blender: beside the source as we pose it, at times that are keys in both.
#[test]
fn what_we_write_moves_in_blender_as_the_source_does() {
    let test = "what_we_write_moves_in_blender_as_the_source_does";
    if !has_blender(test) {
        return;
    }
    let mut compared = 0;
    // The first stands below nodes that turn it, the last has joints that turn by much.
    for (name, clip) in [("RiggedSimple.glb", 0), ("CesiumMan.glb", 0), ("Fox.glb", 1)] {
        let Some(original) = support::find(&format!("real/gltf/{name}")) else { continue };
        let (mut source, _) = ligament::read(&original, &Default::default()).expect("a model");
        // Blender mixes up the clips of a file.
        source.clips = vec![source.clips.swap_remove(clip)];
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).with_extension("written.dae");
        std::fs::write(&file, super::written::write(&source).0).expect("the target folder can be written");
        // On frames: seconds between them are interpolated in another way.
        let oracle = posed(&file, "0,5,10,15");
        let timeline = Timeline { clips: &[], rest: false };
        let worst = difference(name, &source, &oracle, &timeline);
        assert!(worst < 1e-4, "{name}: {worst:e}");
        let still = Timeline { clips: &[], rest: true };
        assert!(difference("at rest", &source, &oracle, &still) > 1e-2, "{name}: nothing moves");
        compared += 1;
    }
    assert!(compared >= 2, "{compared}");
}
