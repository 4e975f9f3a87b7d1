//! Split, trim, join, reverse, speed, loop and rename.

use super::*;
use ligament::report::LossKind;
use serde_json::json;

/// The hip slides from x = 0 by 10 in the first second and by 30 in the next, while the tip turns by half a turn.
fn sliding() -> Scene {
    let mut scene = rig();
    let tracks = vec![
        slide(Interpolation::Linear, &[0.0, 1.0, 2.0], &[0.0, 10.0, 40.0]),
        turn(&[0.0, 2.0], &[0.0, std::f32::consts::PI * 0.999]),
    ];
    scene.clips.push(clip("all", 2.0, tracks));
    scene
}

fn names(scene: &Scene) -> Vec<(&str, f32)> {
    scene.clips.iter().map(|clip| (clip.name.as_str(), clip.duration)).collect()
}

#[test]
fn pieces_of_a_split_are_that_stretch_of_the_source() {
    let source = sliding();
    let (split, report) = proven(&source, &[("split", json!(["all@0.5s-1.5s=mid,1.5s-=end"]))]);
    assert_eq!(names(&split), [("mid", 1.0), ("end", 0.5)]);
    // Keys at the cuts, and the one between them.
    let track = split.clips[0].tracks.iter().find(|track| track.node == NodeId(0)).expect("the hip's");
    assert_eq!(track.times[..], [0.0, 0.5, 1.0]);
    for (time, x) in [(0.0, 5.0), (0.25, 7.5), (0.5, 10.0), (1.0, 25.0)] {
        near(places(&split, "mid", time)[0], [x, 1.0, 0.0]);
        for (a, b) in places(&split, "mid", time).iter().zip(places(&source, "all", time + 0.5)) {
            assert!(a.distance(b) < 1e-5, "{a} instead of {b}");
        }
    }
    near(places(&split, "end", 0.5)[0], [40.0, 1.0, 0.0]);
    let said: Vec<_> = report.losses().iter().filter(|loss| loss.code.id == "RG002").collect();
    assert_eq!(said.len(), 2);
    assert!(
        said.iter().all(|loss| loss.kind == LossKind::Kept && loss.message.contains("posed beside it at"))
    );
}

#[test]
fn frames_count_at_the_rate_of_the_keys() {
    // Keys on every 24th, 25th, 30th frame are on frames of 24 per second first; --fps says otherwise.
    let (split, _) = proven(&sliding(), &[("split", json!(["0-12=walk,13-24=run"]))]);
    assert_eq!(names(&split), [("walk", 0.5), ("run", (11.0_f64 / 24.0) as f32)]);
    let (split, _) = proven(&sliding(), &[("split", json!(["0-12=walk"])), ("fps", json!(12))]);
    assert_eq!(names(&split), [("walk", 1.0)]);
}

/// A cubic key at 0 and one at 2 s, with flat tangents: x = 8 (3u² − 2u³) for u = t / 2. At 0.5 s that is 1.25 with a
/// slope of 4.5 per second, and at 1 s it is 4.
#[test]
fn a_cubic_track_that_is_cut_keeps_its_curve() {
    let mut scene = rig();
    let flat = [0.0, 0.0, 0.0, 0.0, 8.0, 0.0].map(|x| Vec3::new(x, 0.0, 0.0));
    let values = Values::Translation(flat.into());
    scene.clips.push(clip("all", 2.0, vec![track(0, Interpolation::Cubic, &[0.0, 2.0], values)]));
    let (cut, _) = proven(&scene, &[("trim", json!(["all@0.5s-1.5s"]))]);
    let track = &cut.clips[0].tracks[0];
    assert_eq!((track.interpolation, &track.times[..]), (Interpolation::Cubic, &[0.0, 1.0][..]));
    let Values::Translation(values) = &track.values else { panic!("translations") };
    assert!((values[1].x - 1.25).abs() < 1e-6 && (values[2].x - 4.5).abs() < 1e-6, "{values:?}");
    assert!((values[4].x - 6.75).abs() < 1e-6 && (values[3].x - 4.5).abs() < 1e-6, "{values:?}");
    for (time, x) in [(0.25, 8.0 * (3.0 * 0.375_f32.powi(2) - 2.0 * 0.375_f32.powi(3))), (0.5, 4.0)] {
        assert!((places(&cut, "all", time)[0].x - x).abs() < 1e-5);
    }
}

#[test]
fn a_cubic_rotation_that_is_cut_keeps_its_curve_too() {
    let mut scene = rig();
    let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let fast = Quat::from_xyzw(0.0, 0.0, 2.0, -1.0);
    let values = vec![zero, Quat::IDENTITY, fast, fast, Quat::from_rotation_x(2.5), zero];
    scene.clips.push(clip(
        "all",
        2.0,
        vec![track(1, Interpolation::Cubic, &[0.0, 2.0], Values::Rotation(values))],
    ));
    let (cut, _) = proven(&scene, &[("trim", json!(["0.37s-1.61s"]))]);
    for step in 0..=40 {
        let time = 1.24 * step as f32 / 40.0;
        let pairs = places(&cut, "all", time).into_iter().zip(places(&scene, "all", time + 0.37));
        for (a, b) in pairs {
            assert!(a.distance(b) < 1e-5, "{time}: {a} instead of {b}");
        }
    }
}

#[test]
fn steps_stay_steps_forwards_and_backwards() {
    let mut scene = rig();
    let steps = slide(Interpolation::Step, &[0.0, 1.0, 2.0], &[1.0, 2.0, 3.0]);
    scene.clips.push(clip("all", 4.0, vec![steps]));
    let (cut, _) = proven(&scene, &[("trim", json!(["0.5s-3s"]))]);
    let track = &cut.clips[0].tracks[0];
    assert_eq!((track.interpolation, &track.times[..]), (Interpolation::Step, &[0.0, 0.5, 1.5][..]));
    // Backwards, 3 is shown for two seconds, and 2 and 1 for one.
    let (back, _) = proven(&scene, &[("reverse_clips", json!(["all"]))]);
    for (time, x) in [(0.0, 3.0), (1.9, 3.0), (2.0, 2.0), (2.9, 2.0), (3.0, 1.0), (4.0, 1.0)] {
        near(places(&back, "all", time)[0], [x, 1.0, 0.0]);
    }
}

#[test]
fn backwards_faster_and_several_times() {
    let source = sliding();
    let (back, _) = proven(&source, &[("reverse_clips", json!(["*"]))]);
    for (time, x) in [(0.0, 40.0), (0.5, 25.0), (1.0, 10.0), (2.0, 0.0)] {
        near(places(&back, "all", time)[0], [x, 1.0, 0.0]);
    }
    let (fast, _) = proven(&source, &[("speed", json!(["all=4"]))]);
    assert_eq!(names(&fast), [("all", 0.5)]);
    near(places(&fast, "all", 0.125)[0], [5.0, 1.0, 0.0]);
    let (twice, _) = proven(&source, &[("loop_clips", json!(["all=5s"]))]);
    assert_eq!(names(&twice), [("all", 5.0)]);
    for (time, x) in [(1.0, 10.0), (1.999, 39.97), (2.0, 0.0), (3.0, 10.0), (4.5, 5.0), (5.0, 10.0)] {
        near(places(&twice, "all", time)[0], [x, 1.0, 0.0]);
    }
}

#[test]
fn joined_clips_play_one_after_the_other() {
    let mut scene = sliding();
    let held = slide(Interpolation::Step, &[0.0, 0.5], &[7.0, 8.0]);
    scene.clips.push(clip("hop", 1.0, vec![held]));
    let zero = Vec3::ZERO;
    let curve = vec![zero, Vec3::Y, zero, zero, Vec3::new(8.0, 1.0, 0.0), zero];
    scene.clips.push(clip(
        "glide",
        2.0,
        vec![track(0, Interpolation::Cubic, &[0.0, 2.0], Values::Translation(curve))],
    ));
    let (joined, _) = proven(&scene, &[("join", json!(["all,hop,glide=both"]))]);
    assert_eq!(names(&joined), [("both", 5.0)]);
    for (time, x) in [
        (0.5, 5.0),
        (1.99, 39.7),
        (2.0, 7.0),
        (2.4, 7.0),
        (2.5, 8.0),
        (2.9, 8.0),
        (3.0, 0.0),
        (3.5, 1.25),
        (5.0, 8.0),
    ] {
        near(places(&joined, "both", time)[0], [x, 1.0, 0.0]);
    }
    // The tip has no track in the others, so it is at rest there: straight up.
    near(places(&joined, "both", 2.2)[1], [7.0, 3.0, 0.0]);
}

#[test]
fn operations_run_in_their_order() {
    let settings = [
        ("split", json!(["0s-1s=a,1s-2s=b"])),
        ("speed", json!(["a=2"])),
        ("join", json!(["a,b=c"])),
        ("rename_clips", json!(["c=d"])),
        ("clips", json!(["d"])),
    ];
    let (done, _) = proven(&sliding(), &settings);
    assert_eq!(names(&done), [("d", 1.5)]);
    near(places(&done, "d", 0.25)[0], [5.0, 1.0, 0.0]);
    near(places(&done, "d", 1.0)[0], [25.0, 1.0, 0.0]);
}

#[test]
fn what_makes_no_sense_is_refused_and_nothing_is_written() {
    let mut two = sliding();
    two.clips.push(clip("walk", 1.0, Vec::new()));
    for (name, value, message) in [
        (
            "split",
            "all@0-30=a,20-40=b",
            "\"a\" (frame 0 to frame 30 of clip \"all\" at 24 frames per second) and \"b\" (frame 20 to frame 40 of clip \"all\" at 24 frames per second) overlap",
        ),
        (
            "split",
            "all@0-900=a",
            "frame 0 to frame 900 at 24 frames per second leaves clip \"all\", which ends at 2 s, which is frame 48",
        ),
        ("split", "all@0-10=a,11-20=a", "two clips would be called \"a\""),
        ("split", "all@0-10=walk", "two clips would be called \"walk\""),
        (
            "split",
            "al@0-10=a",
            "there is no clip \"al\"; the clips are \"all\", \"walk\" did you mean \"all\"?",
        ),
        ("split", "0-10=a", "the file has 2 clips; name one, as in walk@0-30"),
        ("split", "all@0-10", "a piece of a split needs a name, as in all@0-30=walk"),
        ("trim", "all@10-10", "frame 10 to frame 10 at 24 frames per second of clip \"all\" has no length"),
        ("trim", "all@1-2,3-4", "clip \"all\" is trimmed twice"),
        ("speed", "all=0", "\"all=0\": expected a number from 0.001 to 1000, not \"0\""),
        (
            "loop_clips",
            "all=1e9",
            "\"all=1e9\": expected how often, up to 1000, or how long, such as 3 or 10s, not \"1e9\"",
        ),
        ("join", "all=b", "\"all=b\" joins fewer than two clips; expected A,B=NAME"),
        ("join", "all,all=b", "clip \"all\" is joined twice; --loop repeats a clip"),
        ("rename_clips", "all=walk", "two clips would be called \"walk\""),
        ("rename_clips", "all", "expected A=B, not \"all\""),
    ] {
        assert_eq!(refused(&two, &[(name, json!([value]))]), message);
    }
}

/// COLLADA files move by matrices and curves of their own; the pieces are judged by these, not by tracks.
#[test]
fn a_files_own_motion_is_cut_with_its_tracks() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus");
    let mut files = vec![std::path::PathBuf::from(folder)];
    let mut checked = 0;
    while let Some(path) = files.pop() {
        if path.is_dir() {
            files.extend(std::fs::read_dir(&path).expect("a folder").flatten().map(|entry| entry.path()));
            continue;
        }
        if path.extension().is_none_or(|extension| extension != "dae") {
            continue;
        }
        let Ok((scene, _)) = ligament::read(&path, &Default::default()) else { continue };
        let Some(clip) = scene.clips.first().filter(|clip| clip.duration > 0.1) else { continue };
        if scene.clips.iter().filter(|other| other.name == clip.name).count() > 1 {
            continue;
        }
        let (from, to) = (clip.duration * 0.21, clip.duration * 0.83);
        let out = tempfile::tempdir().expect("a folder");
        let mut options = ConvertOptions::default();
        options.set("trim", json!([format!("{}@{from}s-{to}s", clip.name)])).expect("a list");
        options.set("reverse_clips", json!(["*"])).expect("a list");
        let (done, report) = ligament::convert(&path, out.path().join("out.glb"), &options)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let worst = done.comparison.and_then(|proof| proof.worst).map_or(0.0, |worst| worst.relative);
        let plain = ligament::convert(&path, out.path().join("plain.glb"), &ConvertOptions::default());
        let plain = plain.expect("converted").0.comparison.and_then(|proof| proof.worst);
        let allowed = plain.map_or(0.0, |worst| worst.relative) + 2e-5;
        assert!(worst <= allowed, "{}: {worst:e}, whole {allowed:e}", path.display());
        assert!(report.losses().iter().any(|loss| loss.code.id == "RG003"), "{}", path.display());
        checked += 1;
    }
    assert_eq!(checked, 2);
}
