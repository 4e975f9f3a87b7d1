//! Posed vertices compared with Blender's, whose importer and exporter are not ours.
//!
//! Blender keeps the order of a file's points, so every corner of every face has its partner by index.

use super::support::blender::{has_blender, posed, run};
use super::{document, support};
use ligament::Scene;
use ligament::formats::{Document as _, ReadOptions};
use ligament::math::DVec3;
use ligament::pose::{Pose, deform};
use ligament::report::Report;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// For each node that draws a mesh: its name, and the index of each corner's point.
type Pairs = Vec<(String, Vec<u32>)>;

fn pairs(fbx: &ufbx::Scene) -> Pairs {
    let of_node = |node: &ufbx::Node| {
        let mesh = node.mesh.as_ref()?;
        let faces = mesh.material_parts.as_ref().iter().flat_map(|part| part.face_indices.as_ref());
        let faces = faces.map(|&f| mesh.faces[f as usize]).filter(|face| face.num_indices >= 3);
        let corners = faces.flat_map(|face| face.index_begin..face.index_begin + face.num_indices);
        Some((node.element.name.to_string(), corners.map(|c| mesh.vertex_indices[c as usize]).collect()))
    };
    fbx.nodes.as_ref().iter().filter_map(|node| of_node(node)).collect()
}

struct Difference {
    /// The largest distance of a corner from its partner, relative to the model's size.
    worst: f64,
    corners: usize,
    clips: usize,
}

/// Poses a scene at Blender's frames. `starts` are the times in the file at which our clips begin.
fn difference(scene: &Scene, pairs: &[(String, Vec<u32>)], starts: &[f64], oracle: &Value) -> Difference {
    let fps = oracle["fps"].as_f64().unwrap();
    let (mut worst, mut low, mut high, mut corners) = (0.0_f64, DVec3::MAX, DVec3::MIN, 0);
    let clips = oracle["clips"].as_array().unwrap();
    for clip in clips {
        // Blender's name is that of an action: the animated object, then the take.
        let name = clip["name"].as_str().unwrap_or("");
        let number = scene.clips.iter().position(|c| name.contains(&c.name)).unwrap_or(0);
        for (moment, frame) in clip["frames"].as_array().unwrap().iter().enumerate() {
            let time = frame.as_f64().unwrap() / fps - starts.get(number).unwrap_or(&0.0);
            let pose = match scene.clips.get(number) {
                Some(clip) => Pose::at(scene, clip, time as f32),
                None => Pose::rest(scene),
            };
            for (name, points) in pairs {
                let object = clip["objects"].as_array().unwrap().iter().find(|o| o["name"] == **name);
                let object = object.unwrap_or_else(|| panic!("Blender has no object {name:?}"));
                let theirs: Vec<f64> = object["positions"][moment]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|v| v.as_f64().unwrap())
                    .collect();
                let node = scene.node_ids().find(|n| {
                    let node = &scene.nodes[n.index()];
                    node.name == *name && node.mesh.is_some()
                });
                let node = node.expect("a node of that name");
                let mesh = &scene.meshes[scene.nodes[node.index()].mesh.unwrap().index()];
                let posed = deform(scene, &pose, node);
                let ours = mesh.parts.iter().zip(&posed).flat_map(|(part, posed)| {
                    part.faces.corners().iter().map(|&v| posed.positions[v as usize].as_dvec3())
                });
                let ours: Vec<DVec3> = ours.collect();
                assert_eq!(ours.len(), points.len(), "{name}");
                for (&point, our) in points.iter().zip(&ours) {
                    let at = point as usize * 3;
                    // Blender has Z up.
                    let their = DVec3::new(theirs[at], theirs[at + 2], -theirs[at + 1]);
                    worst = worst.max(their.distance(*our));
                    (low, high) = (low.min(their), high.max(their));
                    corners += 1;
                }
            }
        }
    }
    Difference { worst: worst / low.distance(high), corners, clips: clips.len() }
}

fn load(path: &Path) -> (Scene, Pairs, Vec<f64>) {
    let bytes = std::fs::read(path).unwrap();
    let options = ReadOptions::default();
    let document = document(&bytes, &options).0.unwrap();
    let pairs = pairs(document.scene());
    let starts = document.scene().anim_stacks.as_ref().iter().map(|stack| stack.time_begin).collect();
    let scene = Box::new(document).import(&options, &mut Report::default()).unwrap();
    (scene, pairs, starts)
}

#[test]
fn test_models_pose_as_blender_poses_them() {
    const TEST: &str = "test_models_pose_as_blender_poses_them";
    let Some(files) = super::test_models(TEST) else { return };
    if !has_blender(TEST) {
        return;
    }
    // The files that Blender imports: it does not support text files.
    let wanted = ["animation_with_skeleton", "huesitos", "spider", "phong_cube", "box", "column"];
    let fixture = support::workspace().join("crates/ligament/tests/fixtures/fbx/column.fbx");
    let stem = |path: &PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let binary = files.iter().filter(|p| p.extension().is_some_and(|e| e == "fbx")).chain([&fixture]);
    let mut compared = 0;
    for path in binary.filter(|p| wanted.contains(&&*stem(p))) {
        let oracle = posed(path, "");
        let (scene, pairs, starts) = load(path);
        let found = difference(&scene, &pairs, &starts, &oracle);
        println!(
            "{}: {:.1e} over {} corners, {} clips",
            path.display(),
            found.worst,
            found.corners,
            found.clips
        );
        assert!(found.worst < 1e-4, "{}: {:e}", path.display(), found.worst);
        assert!(found.corners > 0 && found.clips >= scene.clips.len());
        compared += 1;
        // The comparison can fail: one wrong joint is noticed.
        if let Some(skin) = scene.skins.first().filter(|skin| skin.joints.len() > 1) {
            let mut wrong = scene.clone();
            wrong.skins[0].joints.swap(0, skin.joints.len() - 1);
            assert!(difference(&wrong, &pairs, &starts, &oracle).worst > 1e-2, "{}", path.display());
        }
    }
    assert_eq!(compared, wanted.len());
}

/// Blender converts glTF to FBX, and we read it: compared with Blender's reading of that FBX, and with the glTF as we
/// pose it.
#[test]
fn what_blender_exports_poses_like_its_source() {
    const TEST: &str = "what_blender_exports_poses_like_its_source";
    if !has_blender(TEST) {
        return;
    }
    for name in ["RiggedSimple", "CesiumMan", "Fox"] {
        let Some(source) = support::find(&format!("real/gltf/{name}.glb")) else { continue };
        let path = run("convert.py", &source, "fbx", "");
        let oracle = posed(&path, "");
        let (scene, pairs, starts) = load(&path);
        let found = difference(&scene, &pairs, &starts, &oracle);
        let (gltf, _) = ligament::read(&source, &Default::default()).unwrap();
        let apart = from_source(&gltf, &scene, &oracle);
        println!(
            "{name}: {:.1e} from Blender over {} corners of {} clips, {apart:.1e} from the glTF",
            found.worst, found.corners, found.clips
        );
        assert!(found.worst < 1e-4, "{name}: {:e}", found.worst);
        assert_eq!(found.clips, gltf.clips.len(), "{name}");
        assert!(apart < 1e-4, "{name}: {apart:e}");
        let mut wrong = scene.clone();
        let last = wrong.skins[0].joints.len() - 1;
        wrong.skins[0].joints.swap(0, last);
        assert!(difference(&wrong, &pairs, &starts, &oracle).worst > 1e-2, "{name}");
    }
}

/// What we write, as Blender reads it: compared with our reading of it, and with the source as we pose it.
#[test]
fn what_we_write_poses_in_blender_like_its_source() {
    const TEST: &str = "what_we_write_poses_in_blender_like_its_source";
    if !has_blender(TEST) {
        return;
    }
    let example = support::workspace().join("examples/creature.glb");
    let models =
        ["RiggedSimple", "CesiumMan", "Fox"].map(|name| support::find(&format!("real/gltf/{name}.glb")));
    let mut compared = 0;
    for source in models.into_iter().flatten().chain([example]) {
        let name = source.file_stem().unwrap().to_string_lossy().into_owned();
        let (original, _) = ligament::read(&source, &Default::default()).unwrap();
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.written.fbx"));
        std::fs::write(&path, super::written::export(&original, "binary").0).unwrap();
        let oracle = posed(&path, "");
        let (scene, pairs, starts) = load(&path);
        let found = difference(&scene, &pairs, &starts, &oracle);
        let apart = ligament::compare(&original, &scene, &Default::default()).worst.unwrap().relative;
        println!(
            "{name}: {:.1e} from Blender over {} corners of {} clips, {apart:.1e} from the source",
            found.worst, found.corners, found.clips
        );
        assert_eq!(found.clips, original.clips.len(), "{name}");
        assert!(found.worst < 1e-4 && apart < 1e-4, "{name}: {:e} {apart:e}", found.worst);
        compared += 1;
    }
    assert!(compared >= 2, "{compared}");
}

/// The largest distance of a glTF vertex's path over the frames of a clip from the nearest path of an FBX vertex,
/// relative to the model's size. Whole paths are compared, so that a vertex that follows a wrong joint has no partner.
fn from_source(gltf: &Scene, fbx: &Scene, oracle: &Value) -> f64 {
    let fps = oracle["fps"].as_f64().unwrap();
    let mut worst = 0.0_f64;
    for clip in oracle["clips"].as_array().unwrap() {
        let name = clip["name"].as_str().unwrap();
        let ours = fbx.clips.iter().find(|c| name.contains(&c.name)).expect("a clip of that name");
        // Blender's clip names contain those of the glTF; a clip without a name is the only one.
        let theirs = gltf
            .clips
            .iter()
            .find(|c| !c.name.is_empty() && name.contains(&c.name))
            .unwrap_or(&gltf.clips[0]);
        // Blender's exporter starts a take at its first frame, whichever frame that is.
        let first = theirs.tracks.iter().filter_map(|t| t.times.first()).fold(f32::MAX, |a, &b| a.min(b));
        let start = (first * fps as f32 + 1e-3).floor() / fps as f32;
        // At keys of the glTF: between keys Blender blends rotations differently.
        let keys: Vec<f32> = theirs.tracks.iter().flat_map(|t| t.times.iter().copied()).collect();
        let is_key = |t: &f32| keys.iter().any(|key| (key - (t + start)).abs() < 1e-4);
        let frames = clip["frames"].as_array().unwrap().iter().map(|f| (f.as_f64().unwrap() / fps) as f32);
        let frames: Vec<f32> = frames.filter(is_key).collect();
        assert!(frames.len() >= 3, "{name}: {frames:?}");
        let of_source: Vec<f32> = frames.iter().map(|t| t + start).collect();
        let (of, to) = (paths(gltf, theirs, &of_source), paths(fbx, ours, &frames));
        let (low, high) =
            of.iter().fold((DVec3::MAX, DVec3::MIN), |(low, high), p| (low.min(p[0]), high.max(p[0])));
        worst = worst.max(farthest(&of, &to) / low.distance(high));
    }
    worst
}

fn paths(scene: &Scene, clip: &ligament::scene::Clip, times: &[f32]) -> Vec<Vec<DVec3>> {
    let mut paths: Vec<Vec<DVec3>> = Vec::new();
    for &time in times {
        let pose = Pose::at(scene, clip, time);
        let drawn = scene.node_ids().filter(|n| scene.nodes[n.index()].mesh.is_some());
        let points = drawn.flat_map(|n| deform(scene, &pose, n)).flat_map(|part| part.positions);
        for (number, point) in points.enumerate() {
            if number == paths.len() {
                paths.push(Vec::new());
            }
            paths[number].push(point.as_dvec3());
        }
    }
    paths
}

fn farthest(of: &[Vec<DVec3>], to: &[Vec<DVec3>]) -> f64 {
    let mut sorted: Vec<&Vec<DVec3>> = to.iter().collect();
    sorted.sort_by(|a, b| a[0].x.total_cmp(&b[0].x));
    let apart = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    let nearest = |path: &Vec<DVec3>| {
        let middle = sorted.partition_point(|p| p[0].x < path[0].x);
        let mut best = f64::MAX;
        for p in sorted[middle..].iter().take_while(|p| p[0].x - path[0].x < 0.01 * path[0].length().max(1.0))
        {
            best = best.min(apart(path, p));
        }
        for p in sorted[..middle]
            .iter()
            .rev()
            .take_while(|p| path[0].x - p[0].x < 0.01 * path[0].length().max(1.0))
        {
            best = best.min(apart(path, p));
        }
        best
    };
    of.iter().map(nearest).fold(0.0, f64::max)
}
