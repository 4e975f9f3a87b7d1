//! The passes on real files: a scene that fits a format is not changed, and others keep every posed vertex in place.

mod support;

use ligament::Report;
use ligament::formats;
use ligament::internal::{Envelope, envelopes};
use ligament::math::{DMat4, DVec3, Vec3};
use ligament::passes::tangents::{TangentsOptions, tangents};
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
    let target = formats::by_id("pfobj").unwrap().capabilities(Some("engine"));
    let mut files = 0;
    for path in support::files_below(&support::corpus(""))
        .iter()
        .filter(|p| p.extension().is_some_and(|e| e == "pfobj"))
    {
        let Ok((before, _)) = ligament::read(path, &Default::default()) else { continue };
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
    assert_eq!(files, 15);
}

#[test]
fn gltf_scenes_keep_every_frame_in_pfobj() {
    let target = formats::by_id("pfobj").unwrap().capabilities(Some("engine"));
    let (mut files, mut poses) = (0, 0);
    for path in support::corpus_files("real/gltf") {
        let Ok((before, _)) = ligament::read(&path, &Default::default()) else { continue };
        let (mut after, mut report) = (before.clone(), Report::default());
        prepare(&mut after, &target, &PrepareOptions::default(), &mut report).unwrap();
        assert!(report.losses().iter().all(|l| l.code.id != "LS010"), "{}", path.display());
        let size = bounds(&before, &Pose::rest(&before)).unwrap().diagonal();
        for (a, b) in before.clips.iter().zip(&after.clips) {
            for &time in b.frames.expect("sampled").times().iter() {
                let (x, mut y) = (places(&before, a, time), places(&after, b, time));
                // Computing flat normals may split vertices; the copies come after the original ones.
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
    assert_eq!(files, 5 + usize::from(support::extra("real/gltf/CesiumMan.glb").is_some()));
    assert!(poses > 200, "only {poses} poses");
}

/// Blender computed the tangents of these files, by MikkTSpace. Two files are left out because they no longer hold what
/// Blender saw: the exporter clamped the texture coordinates of one, and flipped the faces of the other against its
/// normals.
#[test]
fn tangents_agree_with_blenders() {
    let (mut files, mut corners) = (0, 0);
    for path in support::files_below(&support::corpus("own/bogle")) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.ends_with(".bgl") || ["uvclamp.bgl", "cw.bgl"].contains(&name.as_str()) {
            continue;
        }
        let Ok((before, _)) = ligament::read(&path, &Default::default()) else { continue };
        let mut after = before.clone();
        after.meshes.iter_mut().flat_map(|m| &mut m.parts).for_each(|p| p.tangents.clear());
        tangents(&mut after, &TangentsOptions::default(), &mut Report::default());
        let parts = |scene: &Scene| scene.meshes.iter().flat_map(|m| m.parts.clone()).collect::<Vec<_>>();
        for (a, b) in parts(&before).iter().zip(&parts(&after)).filter(|(a, _)| !a.tangents.is_empty()) {
            for (&x, &y) in a.faces.corners().iter().zip(b.faces.corners()) {
                let (x, y) = (a.tangents[x as usize], b.tangents[y as usize]);
                assert!(x.distance(y) < 1e-5, "{name}: {x} became {y}");
                corners += 1;
            }
        }
        files += 1;
    }
    assert!(files >= 16 && corners > 1500, "only {files} files, {corners} corners");
}

/// The reference weights come from an independent implementation of the format's converter. The bones are those of the
/// file: head, tail and radii in the space of an armature at the origin.
#[test]
fn envelopes_give_the_reference_weights() {
    let corpus = support::corpus("own/qmsh");
    let text = std::fs::read_to_string(corpus.join("rigid_envelope.envelope_expected.json")).unwrap();
    let expected: serde_json::Value = serde_json::from_str(&text).unwrap();
    let file = std::fs::read(corpus.join("rigid_envelope.qmsh.tmp")).unwrap();
    let file = String::from_utf8_lossy(&file).into_owned();
    let numbers = |line: &str| -> Vec<f64> {
        line.split([',', ' ', '\t', '\r']).filter_map(|word| word.parse().ok()).collect()
    };
    let body = file.split("mesh \"").nth(2).unwrap().split("vertices 14 {").nth(1).unwrap();
    let points: Vec<Vec3> = body
        .lines()
        .skip(1)
        .take(14)
        .map(numbers)
        .map(|n| Vec3::new(n[0] as f32, n[1] as f32, n[2] as f32))
        .collect();
    let end = |line: &str| {
        let n = numbers(line);
        (DVec3::new(n[3], n[4], n[5]), n[6])
    };
    let ends: Vec<_> = file
        .lines()
        .filter(|l| l.trim().starts_with("head") || l.trim().starts_with("tail"))
        .map(end)
        .collect();
    let bones: Vec<Envelope> = ends
        .chunks(2)
        .zip(0..)
        .map(|(ends, joint)| Envelope::of_bone(joint, &DMat4::IDENTITY, ends[0], ends[1]))
        .collect();
    let found = envelopes(&points, &bones);
    let mut compared = 0;
    let names = ["Kość główna", "Ramie.L"];
    for (vertex, expected) in expected["raw_top2_envelope_weights"].as_array().unwrap().iter().enumerate() {
        let expected = expected.as_array().unwrap();
        assert_eq!(found.of(vertex).len(), expected.len(), "vertex {vertex}");
        for pair in found.of(vertex) {
            let same = expected.iter().find(|e| e[1] == names[pair.joint as usize]).unwrap();
            let off = (f64::from(pair.weight) - same[0].as_f64().unwrap()).abs();
            assert!(off <= 1e-6, "vertex {vertex}: {} instead of {same}", pair.weight);
            compared += 1;
        }
    }
    assert_eq!((found.len(), compared), (14, 11));
}
