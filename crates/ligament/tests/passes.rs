//! The passes on real files: what fits a format is left alone, and what does not keeps every posed vertex.

mod support;

use ligament::Report;
use ligament::formats;
use ligament::math::Vec3;
use ligament::passes::{PrepareOptions, prepare};
use ligament::pose::{Pose, bounds, deform};
use ligament::report::LossKind;
use ligament::scene::{Clip, Scene};

fn places(scene: &Scene, clip: &Clip, seconds: f32) -> Vec<Vec3> {
    let pose = Pose::at(scene, clip, seconds);
    let parts = scene.node_ids().flat_map(|node| deform(scene, &pose, node));
    parts.flat_map(|p| p.positions).collect()
}

#[test]
fn pfobj_scenes_fit_pfobj() {
    let Some(corpus) = support::corpus("pfobj_scenes_fit_pfobj") else { return };
    let target = formats::by_id("pfobj").unwrap().capabilities(Some("engine"));
    let mut files = 0;
    for path in support::files_below(&corpus).iter().filter(|p| p.extension().is_some_and(|e| e == "pfobj")) {
        let Ok((before, _)) = ligament::read(path) else { continue };
        let (mut after, mut report) = (before.clone(), Report::default());
        prepare(&mut after, &target, &PrepareOptions::default(), &mut report).unwrap();
        let limited = report.losses().iter().any(|l| l.code.id == "LS010");
        for loss in report.losses() {
            assert!(loss.kind == LossKind::Kept || limited, "{}: {loss:?}", path.display());
        }
        assert!(limited || before.meshes == after.meshes, "{}: vertices changed", path.display());
        assert_eq!(before.extras, after.extras, "{}", path.display());
        assert_eq!(before.clips.len(), after.clips.len());
        for (a, b) in before.clips.iter().zip(&after.clips) {
            let values = |c: &Clip| c.tracks.iter().map(|t| t.values.clone()).collect::<Vec<_>>();
            assert!(values(a) == values(b) && a.frames == b.frames, "{}: {:?}", path.display(), a.name);
        }
        files += 1;
    }
    assert!(files >= 15, "only {files} files");
}

#[test]
fn gltf_scenes_keep_every_frame_in_pfobj() {
    let Some(corpus) = support::corpus("gltf_scenes_keep_every_frame_in_pfobj") else { return };
    let target = formats::by_id("pfobj").unwrap().capabilities(Some("engine"));
    let (mut files, mut poses) = (0, 0);
    for path in support::files_below(&corpus.join("real/gltf")) {
        let Ok((before, _)) = ligament::read(&path) else { continue };
        let (mut after, mut report) = (before.clone(), Report::default());
        prepare(&mut after, &target, &PrepareOptions::default(), &mut report).unwrap();
        assert!(report.losses().iter().all(|l| l.code.id != "LS010"), "{}", path.display());
        let size = bounds(&before, &Pose::rest(&before)).unwrap().diagonal();
        for (a, b) in before.clips.iter().zip(&after.clips) {
            for &time in b.frames.expect("sampled").times().iter() {
                let (x, mut y) = (places(&before, a, time), places(&after, b, time));
                // Computed flat normals may split vertices; the copies stand behind those that were there.
                y.truncate(x.len());
                assert_eq!(x.len(), y.len());
                let apart =
                    x.iter().zip(&y).map(|(x, y)| f64::from(x.distance(*y))).fold(0.0, f64::max) / size;
                assert!(apart < 3e-6, "{}: {:?} at {time}: {apart:e}", path.display(), a.name);
                poses += 1;
            }
        }
        files += 1;
    }
    assert!(files >= 6 && poses > 200, "only {files} files, {poses} poses");
}
