//! The whole pipeline on real files: what must survive, what must be reported, and what must not be left behind.

mod support;

use ligament::formats::ReadOptions;
use ligament::passes::axes::{AxesOptions, Up};
use ligament::passes::textures::TextureMode;
use ligament::report::LossKind;
use ligament::scene::{Interpolation, Scene};
use ligament::{Conversion, ConvertOptions, Failure, Report, convert, read};
use std::fs;
use std::path::{Path, PathBuf};

fn pfobj_files() -> Vec<PathBuf> {
    let folders = ["real/pfobj", "own/pfobj"];
    let files = folders.iter().flat_map(|f| support::files_below(&support::corpus(f)));
    files.filter(|p| p.extension().is_some_and(|e| e == "pfobj")).collect()
}

fn file_names(folder: &Path) -> Vec<String> {
    support::files_below(folder)
        .iter()
        .map(|p| p.file_name().unwrap().to_string_lossy().into_owned())
        .collect()
}

fn relative(done: &Conversion) -> f64 {
    let comparison = done.comparison.as_ref().expect("verified by default");
    assert!(comparison.poses > 0 && comparison.points > 0, "nothing was compared");
    comparison.worst.as_ref().map_or(0.0, |w| w.relative)
}

fn lossless(report: &Report) -> bool {
    report.losses().iter().all(|l| l.kind == LossKind::Kept)
}

/// The creature's image is beside it, and both dialects only refer to it.
#[test]
fn textures_go_along_when_only_the_dialect_changes() {
    let folder = tempfile::tempdir().unwrap();
    let source = support::workspace().join("examples/creature.bgl");
    let options = ConvertOptions { dialect: Some("engine".to_owned()), ..ConvertOptions::default() };
    let (done, _) = convert(&source, folder.path().join("creature.bgl"), &options).unwrap();
    assert!(done.rewritten && done.dialect == "engine");
    assert_eq!(file_names(folder.path()), ["creature.bgl", "creature.png"]);
}

#[test]
fn pfobj_to_glb_and_back_keeps_materials_names_frames_and_posed_vertices() {
    let mut files = 0;
    for path in pfobj_files() {
        let folder = tempfile::tempdir().unwrap();
        let (glb, back) = (folder.path().join("model.glb"), folder.path().join("model.pfobj"));
        let (there, _) = convert(&path, &glb, &ConvertOptions::default())
            .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(relative(&there) < 1e-6, "{}: {}", path.display(), relative(&there));
        // The engine keeps six influences; worm has seven on some vertices.
        let is_worm = path.ends_with("worm.pfobj");
        let options = ConvertOptions { dialect: Some("engine".to_owned()), ..ConvertOptions::default() };
        let (again, report) =
            convert(&glb, &back, &options).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let name = path.display();
        if !is_worm {
            assert!(relative(&again) < 1e-6, "{name}: {}", relative(&again));
            assert!(lossless(&report), "{name}: {:?}", report.losses());
        }
        let (first, _) = read(&path, &Default::default()).unwrap();
        let (last, _) = read(&back, &Default::default()).unwrap();
        assert_same_description(&first, &last, &path);
        files += 1;
    }
    assert_eq!(files, 15);
}

/// Compares everything but the vertices: material values, names, clips with their frames, joints, the declared boxes.
fn assert_same_description(first: &Scene, last: &Scene, path: &Path) {
    let name = path.display();
    let materials = |scene: &Scene| {
        let describe = |m: &ligament::scene::Material| {
            let phong = m.phong.clone().unwrap();
            let texture = phong.diffuse_texture.as_ref().map(|t| scene.textures[t.texture.index()].image);
            let texture = texture.map(|image| scene.images[image.index()].file_name());
            (m.name.clone(), phong.ambient, phong.diffuse, phong.specular, texture)
        };
        scene.materials.iter().map(describe).collect::<Vec<_>>()
    };
    assert_eq!(materials(first), materials(last), "{name}");
    let clips = |scene: &Scene| -> Vec<_> {
        scene.clips.iter().map(|c| (c.name.clone(), c.frames, c.duration, c.extras.clone())).collect()
    };
    if first.extras["pfobj"]["has_collision"] == 1 {
        assert_eq!(clips(first), clips(last), "{name}");
    }
    let joints = |scene: &Scene| -> Vec<_> {
        let joints = scene.skins.iter().flat_map(|s| &s.joints);
        joints.map(|j| (scene.node_label(*j), scene.nodes[j.index()].tip)).collect()
    };
    assert_eq!(joints(first), joints(last), "{name}");
}

#[test]
fn glb_to_pfobj_announces_every_deviation() {
    let mut files = 0;
    for path in support::corpus_files("real/gltf") {
        let folder = tempfile::tempdir().unwrap();
        let read = ReadOptions { interpolation: Some(Interpolation::Linear), ..ReadOptions::default() };
        let options = ConvertOptions { read, ..ConvertOptions::default() };
        let target = folder.path().join("model.pfobj");
        let (done, report) =
            convert(&path, &target, &options).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        println!("{}: {:.1e}", path.display(), relative(&done));
        let announced = report.losses().iter().any(|l| l.kind != LossKind::Kept);
        assert!(relative(&done) < 1e-5 || announced, "{}: {} unannounced", path.display(), relative(&done));
        files += 1;
    }
    assert_eq!(files, 5 + usize::from(support::extra("real/gltf/CesiumMan.glb").is_some()));
}

#[test]
fn a_tiny_model_says_what_six_decimals_cost() {
    let folder = tempfile::tempdir().unwrap();
    let (source, target) = (folder.path().join("ring.obj"), folder.path().join("ring.pfobj"));
    let text =
        "v 0.0012345649 0 0\nv 0.0082345649 0.0031234561 0\nv 0.0000000004 0.0081111115 0.0000005\nf 1 2 3\n";
    std::fs::write(&source, text).unwrap();
    let (done, report) = convert(&source, &target, &ConvertOptions::default()).unwrap();
    let loss = report.losses().iter().find(|loss| loss.code.id == "PF515").expect("announced");
    let LossKind::Approximated { size: Some(size), .. } = loss.kind else { panic!("{loss:?}") };
    assert!(relative(&done) > 1e-6 && relative(&done) <= size && size < 1e-4, "{} {size}", relative(&done));
    // As the message says.
    let axes = AxesOptions { scale: 100.0, ..AxesOptions::default() };
    let (done, report) =
        convert(&source, &target, &ConvertOptions { axes, ..ConvertOptions::default() }).unwrap();
    assert!(relative(&done) < 1e-6 && report.losses().iter().all(|loss| loss.code.id != "PF515"));
}

#[test]
fn a_rewrite_in_the_same_format_is_the_same_file() {
    let mut files = 0;
    for path in pfobj_files() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("model.pfobj");
        let (done, _) = convert(&path, &target, &ConvertOptions::default()).unwrap();
        assert!(done.rewritten);
        assert!(fs::read(&path).unwrap() == fs::read(&target).unwrap(), "{} changed", path.display());
        files += 1;
    }
    assert_eq!(files, 15);
}

/// A model of our own with joints, clips and a texture.
fn tube(folder: &Path) -> PathBuf {
    let corpus = support::corpus("own/pfobj");
    for name in ["bend_tube.pfobj", "tube.png"] {
        fs::copy(corpus.join(name), folder.join(name)).unwrap();
    }
    folder.join("bend_tube.pfobj")
}

#[test]
fn checks_that_fail_leave_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let source = tube(folder.path());
    let before = file_names(folder.path());
    let glb = folder.path().join("tube.glb");
    convert(&source, &glb, &ConvertOptions::default()).unwrap();
    fs::remove_file(folder.path().join("bend_tube.pfobj")).unwrap();

    // A stepped clip of 24 frames per second, sampled at 7, cannot be exact.
    let mut coarse = ConvertOptions::default();
    coarse.write.fps = Some(7.0);
    let target = folder.path().join("bend_tube.pfobj");
    for options in [
        ConvertOptions { max_error: Some(1e-6), ..coarse.clone() },
        ConvertOptions { strict: true, ..coarse.clone() },
    ] {
        let error = convert(&glb, &target, &options).unwrap_err();
        assert_eq!(error.failure, Failure::Check, "{error}");
        assert!(!target.exists());
    }
    let (done, report) = convert(&glb, &target, &coarse).unwrap();
    assert!(relative(&done) > 1e-3);
    assert!(!lossless(&report), "a coarser grid is a loss");
    let after: Vec<_> = file_names(folder.path()).into_iter().filter(|n| n != "tube.glb").collect();
    assert_eq!(before, after);
}

#[test]
fn only_the_clips_asked_for_are_kept_and_a_wrong_name_lists_the_right_ones() {
    let folder = tempfile::tempdir().unwrap();
    let source = tube(folder.path());
    let target = folder.path().join("tube.glb");
    let options = ConvertOptions { clips: Some(vec!["TwistStretch".into()]), ..ConvertOptions::default() };
    let (done, _) = convert(&source, &target, &options).unwrap();
    assert_eq!(done.counts.map(|counts| counts.clips), Some(1));
    assert_eq!(read(&target, &Default::default()).unwrap().0.clips[0].name, "TwistStretch");

    let options = ConvertOptions { clips: Some(vec!["Bent".into()]), ..ConvertOptions::default() };
    let error = convert(&source, &target, &options).unwrap_err();
    assert_eq!(error.failure, Failure::Usage);
    assert!(error.to_string().contains("Bend"), "{error}");

    let mut none = ConvertOptions::default();
    none.set("clips", Vec::<String>::new()).unwrap();
    let (done, _) = convert(&source, &target, &none).unwrap();
    assert_eq!(done.counts.map(|counts| counts.clips), Some(0), "an empty list keeps none");
    assert!(read(&target, &Default::default()).unwrap().0.clips.is_empty());
}

#[test]
fn up_and_scale_move_every_posed_vertex_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let source = tube(folder.path());
    for name in ["z.glb", "z.pfobj"] {
        let target = folder.path().join(name);
        let turn = AxesOptions { up: Up::Z, scale: 100.0, ..AxesOptions::default() };
        let (done, _) =
            convert(&source, &target, &ConvertOptions { axes: turn, ..ConvertOptions::default() }).unwrap();
        assert!(relative(&done) < 1e-6, "{name}: {}", relative(&done));
        let (before, _) = read(&source, &Default::default()).unwrap();
        let (after, _) = read(&target, &Default::default()).unwrap();
        for (clip, turned) in before.clips.iter().zip(&after.clips) {
            let boxes = |scene: &Scene, clip, time| {
                ligament::pose::bounds(scene, &ligament::pose::Pose::at(scene, clip, time)).unwrap()
            };
            let (a, b) = (boxes(&before, clip, 0.2), boxes(&after, turned, 0.2));
            let expected_max = ligament::math::Vec3::new(a.max.x, -a.min.z, a.max.y) * 100.0;
            assert!(b.max.distance(expected_max) < 1e-2, "{name}: {} instead of {expected_max}", b.max);
        }
    }
}

#[test]
fn a_mirrored_model_poses_as_the_mirror_image_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let source = tube(folder.path());
    let mirrored = |input: &Path, name: &str| {
        let target = folder.path().join(name);
        let axes = AxesOptions { mirror_x: true, ..AxesOptions::default() };
        let mut options = ConvertOptions { axes, ..ConvertOptions::default() };
        options.dialect = name.ends_with("pfobj").then(|| "engine".to_owned());
        let (done, _) = convert(input, &target, &options).unwrap();
        assert!(relative(&done) < 1e-6, "{name}: {}", relative(&done));
        target
    };
    let (before, _) = read(&source, &Default::default()).unwrap();
    for name in ["mirrored.glb", "mirrored.pfobj"] {
        let target = mirrored(&source, name);
        let (after, _) = read(&target, &Default::default()).unwrap();
        let mut vertices = 0;
        for (clip, other) in before.clips.iter().zip(&after.clips) {
            for time in [0.0, 0.1, 0.25] {
                let corners = |scene: &Scene, clip| -> Vec<ligament::math::Vec3> {
                    let pose = ligament::pose::Pose::at(scene, clip, time);
                    let node = scene.node_ids().find(|n| scene.nodes[n.index()].mesh.is_some()).unwrap();
                    let posed = ligament::pose::deform(scene, &pose, node);
                    let part = &scene.meshes[0].parts[0];
                    part.faces.corners().iter().map(|&c| posed[0].positions[c as usize]).collect()
                };
                let (a, b) = (corners(&before, clip), corners(&after, other));
                for (a, b) in a.chunks_exact(3).zip(b.chunks_exact(3)) {
                    // The second and third corner are swapped.
                    for (a, b) in [(a[0], b[0]), (a[1], b[2]), (a[2], b[1])] {
                        let expected = ligament::math::Vec3::new(-a.x, a.y, a.z);
                        assert!(b.distance(expected) < 1e-6, "{name}: {b} instead of {expected}");
                        vertices += 1;
                    }
                }
            }
        }
        assert_eq!(vertices, 324 * 2 * 3, "{name}");
    }
    // The boxes are computed from the mirror image's vertices, so only they may differ.
    let twice = mirrored(&folder.path().join("mirrored.pfobj"), "twice.pfobj");
    let same = |text: String| text.lines().filter(|l| !l.contains("_bounds")).map(unsigned_zeros).collect();
    let [once, twice]: [Vec<String>; 2] = [source, twice].map(|path| same(fs::read_to_string(path).unwrap()));
    assert!(once == twice);
}

fn unsigned_zeros(line: &str) -> String {
    line.replace("-0.000000", "0.000000")
}

#[test]
fn textures_go_where_they_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let source = tube(folder.path());
    let out = tempfile::tempdir().unwrap();
    let run = |name: &str, textures| {
        let target = out.path().join(name);
        convert(&source, &target, &ConvertOptions { textures, ..ConvertOptions::default() }).unwrap();
        target
    };
    let embedded = |path: &Path| {
        let (scene, _) = read(path, &Default::default()).unwrap();
        scene.images.iter().filter(|i| matches!(i.data, ligament::scene::ImageData::Embedded { .. })).count()
    };
    assert_eq!(embedded(&run("auto.glb", TextureMode::Auto)), 1);
    assert_eq!(file_names(out.path()), ["auto.glb"]);
    assert_eq!(read(run("none.glb", TextureMode::None), &Default::default()).unwrap().0.images.len(), 0);
    assert_eq!(file_names(out.path()), ["auto.glb", "none.glb"]);
    assert_eq!(embedded(&run("copy.glb", TextureMode::Copy)), 0);
    assert_eq!(file_names(out.path()), ["auto.glb", "copy.glb", "none.glb", "tube.png"]);
    // And out of the file again, since PFOBJ has no other way.
    let back = tempfile::tempdir().unwrap();
    convert(out.path().join("auto.glb"), back.path().join("b.pfobj"), &ConvertOptions::default()).unwrap();
    assert_eq!(file_names(back.path()), ["b.pfobj", "tube.png"]);
    assert_eq!(
        fs::read(back.path().join("tube.png")).unwrap(),
        fs::read(folder.path().join("tube.png")).unwrap()
    );
}

#[test]
fn content_decides_the_format_before_the_extension() {
    let folder = tempfile::tempdir().unwrap();
    let source = tube(folder.path());
    for name in ["tube.txt", "tube.glb", "tube"] {
        let renamed = folder.path().join(name);
        fs::copy(&source, &renamed).unwrap();
        let (scene, _) = read(&renamed, &Default::default()).unwrap();
        assert_eq!(scene.joint_count(), 2, "{name}");
    }
    let forced = ReadOptions { format: Some("glb".into()), ..ReadOptions::default() };
    assert_eq!(read(&source, &forced).unwrap_err().failure, Failure::Invalid);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let source = tube(folder.path());
    for format in ligament::formats::FORMATS.iter().filter(|f| f.writes(None)) {
        let extension = format.extensions[0];
        // Under the same name, because a file may name its side files after itself.
        let write = |place: &str| {
            let place = folder.path().join(place);
            fs::create_dir_all(&place).unwrap();
            let target = place.join(format!("tube.{extension}"));
            convert(&source, &target, &ConvertOptions { reencode: true, ..ConvertOptions::default() })
                .unwrap();
            fs::read(target).unwrap()
        };
        assert!(write("one") == write("two"), "{extension}");
    }
}

#[test]
fn a_rewritten_model_takes_its_images_along_and_replaces_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let source = tube(folder.path());
    let picture = fs::read(folder.path().join("tube.png")).unwrap();
    let out = tempfile::tempdir().unwrap();
    let (done, _) = convert(&source, out.path().join("copy.pfobj"), &ConvertOptions::default()).unwrap();
    assert!(done.rewritten);
    assert_eq!(fs::read(out.path().join("tube.png")).unwrap(), picture);

    let options = ConvertOptions { textures: TextureMode::Copy, ..ConvertOptions::default() };
    let text = folder.path().join("tube.gltf");
    convert(&source, &text, &options).unwrap();
    for (path, name) in [(&source, "other.pfobj"), (&text, "other.gltf")] {
        fs::write(out.path().join("tube.png"), "mine").unwrap();
        let (_, report) = convert(path, out.path().join(name), &ConvertOptions::default()).unwrap();
        assert!(report.diagnostics().iter().any(|d| d.code.id == "PS020"), "{name}");
        assert_eq!(fs::read(out.path().join("tube.png")).unwrap(), b"mine", "{name}");
    }
}

#[test]
fn work_that_is_stopped_writes_nothing() {
    use ligament::progress::{Progress, Stage};
    use std::ops::ControlFlow;
    use std::sync::{Arc, Mutex};
    let folder = tempfile::tempdir().expect("a folder");
    let source = support::workspace().join("examples/creature.pfobj");
    let target = folder.path().join("creature.glb");
    let seen: Arc<Mutex<Vec<Stage>>> = Arc::default();
    for last in Stage::ALL.into_iter().map(Some).chain([None]) {
        seen.lock().expect("not poisoned").clear();
        let told = Arc::clone(&seen);
        let progress = Progress::new(move |stage| {
            told.lock().expect("not poisoned").extend(stage);
            if stage.is_some() && stage == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let options = ConvertOptions { progress, ..ConvertOptions::default() };
        let done = convert(&source, &target, &options);
        let told = seen.lock().expect("not poisoned").clone();
        let count = last.map_or(Stage::ALL.len(), |last| {
            1 + Stage::ALL.iter().position(|s| *s == last).expect("one of all")
        });
        assert_eq!(told, Stage::ALL[..count]);
        let left = std::fs::read_dir(folder.path()).expect("a folder").count();
        match last {
            Some(_) => {
                let error = done.expect_err("was stopped");
                assert_eq!(error.failure, Failure::Cancelled, "{error}");
                assert!(error.to_string().contains("CV007"), "{error}");
                assert_eq!(left, 0, "nothing is left behind");
            }
            None => {
                done.expect("nobody stopped it");
                assert_eq!(left, 1);
            }
        }
    }
}

#[test]
fn the_proof_and_writing_are_stopped_within() {
    use ligament::progress::{Progress, Stage};
    use std::ops::ControlFlow;
    use std::sync::Mutex;
    for stage in [Stage::Write, Stage::Verify] {
        let folder = tempfile::tempdir().expect("a folder");
        let source = support::workspace().join("examples/creature.glb");
        let current = Mutex::new(None);
        let progress = Progress::new(move |entered| {
            let mut current = current.lock().expect("not poisoned");
            if entered.is_some() {
                *current = entered;
                return ControlFlow::Continue(());
            }
            if *current == Some(stage) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let options = ConvertOptions { progress, ..ConvertOptions::default() };
        let error = convert(&source, folder.path().join("creature.amo"), &options).expect_err("was stopped");
        assert_eq!(error.failure, Failure::Cancelled, "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }
}

/// BOGLE names its textures without their extension, and its engine loads PNG files only.
#[test]
fn a_jpeg_texture_is_written_as_png_where_the_target_takes_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let picture = image::DynamicImage::new_rgb8(4, 2);
    let mut jpeg = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut jpeg, image::ImageFormat::Jpeg).unwrap();
    fs::write(folder.path().join("skin.jpg"), jpeg.into_inner()).unwrap();
    fs::write(folder.path().join("a.mtl"), "newmtl a\nmap_Kd skin.jpg\n").unwrap();
    let source = folder.path().join("a.obj");
    let text = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl a\nf 1/1 2/1 3/1\n";
    fs::write(&source, text).unwrap();
    let out = tempfile::tempdir().unwrap();
    let target = out.path().join("a.bgl");
    let (_, report) = convert(&source, &target, &ConvertOptions::default()).unwrap();
    assert!(fs::read(out.path().join("skin.png")).unwrap().starts_with(b"\x89PNG"));
    let losses: Vec<_> = report.losses().iter().map(|l| (l.code.id, l.kind.name())).collect();
    assert!(losses.contains(&("LS031", "kept")), "{losses:?}");
    assert!(!report.losses().iter().any(|l| l.message.contains("file type")), "{:?}", report.losses());
    let (scene, report) = read(&target, &Default::default()).unwrap();
    assert_eq!(scene.images[0].data, ligament::scene::ImageData::File("skin.png".into()));
    assert!(report.diagnostics().iter().all(|d| d.severity != ligament::report::Severity::Warning));
}
