//! What Autodesk's own SDK makes of our files: FBX2glTF, into which it is linked, converts them to GLB, which is posed
//! beside the source.

use super::support;
use super::written::{export, models, written};
use ligament::Scene;
use ligament::compare::{CompareOptions, compare};
use ligament::passes::influences::{InfluenceOptions, influences};
use ligament::pose::{Pose, locals_at};
use ligament::scene::{Clip, Interpolation, Local, NodeId, Track, Trs, Values};
use ligament::{read, scene};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// The frame rate at which FBX2glTF samples clips.
const FPS: f64 = 60.0;

/// The converter, made executable in a folder of its own. `None` if it is not installed.
struct Sdk {
    folder: tempfile::TempDir,
}

impl Sdk {
    fn find() -> Option<Self> {
        let tool = support::workspace().join("tools/fbx-sdk");
        let binary = tool.join("node_modules/fbx2gltf/bin/Linux/FBX2glTF");
        if !cfg!(all(target_os = "linux", target_arch = "x86_64")) || !binary.is_file() {
            let is_expected =
                std::env::var_os("CI").is_some() && cfg!(all(target_os = "linux", target_arch = "x86_64"));
            assert!(!is_expected, "run `npm ci` in tools/fbx-sdk first");
            println!("skipped: Autodesk's SDK is not installed in tools/fbx-sdk");
            return None;
        }
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::copy(binary, folder.path().join("sdk")).expect("a copy");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(folder.path().join("sdk"), mode).expect("executable");
        }
        Some(Self { folder })
    }

    /// Reads a file with the SDK. Returns the scene, and the first frame of each clip.
    fn read(&self, bytes: &[u8]) -> (Scene, BTreeMap<String, f64>) {
        let [input, output] = ["in.fbx", "out.glb"].map(|name| self.folder.path().join(name));
        std::fs::write(&input, bytes).expect("writable");
        let _ = std::fs::remove_file(&output);
        let mut run = Command::new(self.folder.path().join("sdk"));
        run.args(["--binary", "--anim-framerate", "bake60", "--long-indices", "auto", "--input"]);
        let run = run.arg(&input).arg("--output").arg(&output).current_dir(self.folder.path()).output();
        let run = run.expect("the SDK runs");
        let said = String::from_utf8_lossy(&run.stdout).into_owned();
        assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stderr));
        let (scene, _) = read(&output, &Default::default()).unwrap_or_else(|error| panic!("{said}: {error}"));
        // `Animation Walk: [0 - 21]`
        let span = |line: &str| {
            let (name, frames) = line.strip_prefix("Animation ")?.rsplit_once(": [")?;
            Some((name.to_owned(), frames.split_once(" - ")?.0.parse().ok()?))
        };
        (scene, said.lines().filter_map(span).collect())
    }
}

/// The source as it is at the frames that FBX2glTF took, from the first of each clip on.
fn sampled(source: &Scene, theirs: &Scene, first: &BTreeMap<String, f64>) -> Scene {
    let mut result = source.clone();
    result.clips = Vec::new();
    for clip in &theirs.clips {
        let own = source.clips.iter().find(|own| own.name == clip.name).expect("a clip of that name");
        // The converter counts frames from the file's time 0, and writes them from the clip's first.
        let own_start = own.extras.get("fbx").and_then(|own| own.get("start")?.as_f64()).unwrap_or(0.0);
        let start = first.get(&clip.name).map_or(0.0, |first| first - own_start * FPS);
        let frames = (f64::from(clip.duration) * FPS).round() as usize + 1;
        let times: Arc<[f32]> = (0..frames).map(|frame| (frame as f64 / FPS) as f32).collect();
        let at = |frame: usize| ((start + frame as f64) / FPS) as f32;
        let poses: Vec<Vec<Local>> = (0..frames).map(|frame| locals_at(source, own, at(frame))).collect();
        let weights: Vec<Vec<Vec<f32>>> =
            (0..frames).map(|frame| Pose::at(source, own, at(frame)).morph_weights).collect();
        let moved: Vec<NodeId> = own.tracks.iter().map(|track| track.node).collect();
        let mut tracks: BTreeMap<(NodeId, &str), Values> = BTreeMap::new();
        for &node in &moved {
            let local = |frame: usize| poses[frame][node.index()].trs().copied().unwrap_or(Trs::IDENTITY);
            let all = || (0..frames).map(local);
            for values in [
                Values::Translation(all().map(|trs| trs.translation).collect()),
                Values::Rotation(all().map(|trs| trs.rotation).collect()),
                Values::Scale(all().map(|trs| trs.scale).collect()),
            ] {
                if own.tracks.iter().any(|t| t.node == node && t.values.property() == values.property()) {
                    tracks.insert((node, values.property()), values);
                }
            }
            let count = weights[0][node.index()].len();
            if count > 0 {
                let weights = weights.iter().flat_map(|at| &at[node.index()]).copied().collect();
                tracks.insert((node, "weights"), Values::MorphWeights { count, weights });
            }
        }
        let track = |((node, _), values): ((NodeId, &str), Values)| Track {
            node,
            interpolation: Interpolation::Linear,
            times: Arc::clone(&times),
            values,
        };
        let tracks = tracks.into_iter().map(track).collect();
        result.clips.push(Clip {
            name: own.name.clone(),
            duration: clip.duration,
            tracks,
            ..Clip::default()
        });
    }
    result
}

/// Clips with names, each once: FBX2glTF drops those without.
fn named(mut scene: Scene) -> Scene {
    for (index, clip) in scene.clips.iter_mut().enumerate() {
        clip.name = format!("{} {index}", clip.name);
    }
    scene
}

/// FBX2glTF keeps four influences per vertex.
fn limited(mut scene: Scene) -> Scene {
    let four = InfluenceOptions { max: Some(4), ..InfluenceOptions::default() };
    influences(&mut scene, &four, &mut Default::default());
    scene
}

fn moves(clip: &scene::Clip) -> bool {
    clip.tracks.iter().any(|track| track.times.len() > 1)
}

#[test]
fn autodesks_sdk_poses_our_files_as_the_source() {
    let Some(sdk) = Sdk::find() else { return };
    let (mut files, mut clips, mut failed) = (0, 0, Vec::new());
    for path in models() {
        let (source, _) = read(&path, &Default::default()).unwrap();
        let drawn = source.meshes.iter().flat_map(|mesh| &mesh.parts).any(|part| part.faces.count() > 0);
        if !drawn {
            continue;
        }
        let source = limited(named(source));
        let (bytes, _) = export(&prepared(&source, &path), "binary");
        let (theirs, first) = sdk.read(&bytes);
        let expected = sampled(&source, &theirs, &first);
        let options = CompareOptions { between_keys: 0, ..CompareOptions::default() };
        let found = compare(&expected, &theirs, &options);
        let worst = found.worst.as_ref().map_or(f64::NAN, |worst| worst.relative);
        let name = path.file_name().unwrap().display().to_string();
        let moving = source.clips.iter().filter(|clip| moves(clip)).count();
        println!(
            "{name:46} {} of {moving} clips, {} vertices, off by {worst:.1e}",
            theirs.clips.len(),
            found.points
        );
        if !found.is_within(1e-4) {
            failed.push(format!(
                "{name}: {worst:e} {} doubtful {:?} {:?}",
                found.doubtful, found.pairing, found.worst
            ));
        }
        files += 1;
        clips += theirs.clips.len();
    }
    println!("{files} files, {clips} clips");
    assert!(failed.is_empty(), "{failed:#?}");
    assert!(files > 40 && clips > 40, "{files} {clips}");
}

/// The scene as a conversion would prepare it.
fn prepared(scene: &Scene, path: &Path) -> Scene {
    let mut scene = scene.clone();
    let options = ligament::passes::PrepareOptions::default();
    let can = ligament::formats::fbx::FORMAT.capabilities(None);
    ligament::passes::prepare(&mut scene, &can, &options, &mut Default::default())
        .unwrap_or_else(|error| panic!("{}: {error:?}", path.display()));
    scene
}

/// The judge judges: without the footer's checksum, it reads an empty scene and reports success.
#[test]
fn without_the_footers_id_the_sdk_reads_nothing() {
    let Some(sdk) = Sdk::find() else { return };
    let path: PathBuf = support::corpus("real/gltf/RiggedSimple.glb");
    let (mut bytes, _, _) = written(&path, "binary");
    let (scene, _) = sdk.read(&bytes);
    assert_eq!((scene.meshes.len(), scene.skins.len(), scene.clips.len()), (1, 1, 1));
    let id = [0xfa, 0xbc, 0xab, 0x09, 0xd0, 0xc8, 0xd4, 0x66];
    let at = bytes.windows(8).rposition(|window| window == id).expect("a footer");
    bytes[at..at + 16].fill(0);
    let (empty, _) = sdk.read(&bytes);
    assert_eq!((empty.meshes.len(), empty.skins.len(), empty.clips.len()), (0, 0, 0));
}
