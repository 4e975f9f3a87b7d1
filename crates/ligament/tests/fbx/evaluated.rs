//! Poses compared with `ufbx`'s own: it evaluates transforms, blend shapes and skins in its own code, in f64, from the
//! curves of the file. Vertices are paired by the corners of faces.

use super::sweep::key_times;
use super::{support, test_models};
use ligament::Scene;
use ligament::formats::fbx::Document;
use ligament::formats::fbx::{AXES, AxesConversion};
use ligament::formats::{Document as _, ReadOptions};
use ligament::math::DVec3;
use ligament::pose::{Pose, deform};
use ligament::report::{LossKind, Report};
use ligament::scene::NodeId;
use ligament::settings::Own;

/// Every corner of every drawn face as `ufbx` places it, node by node, in the order in which the importer draws them.
pub fn corners(fbx: &ufbx::Scene, anim: &ufbx::Anim, time: f64) -> Vec<Vec<DVec3>> {
    let options = ufbx::EvaluateOpts { evaluate_skinning: true, ..ufbx::EvaluateOpts::default() };
    let posed = ufbx::evaluate_scene(fbx, anim, time, options).unwrap();
    let mut waiting = vec![&*posed.root_node];
    let mut all = Vec::new();
    while let Some(node) = waiting.pop() {
        waiting.extend(node.children.as_ref().iter().rev().map(|n| &**n));
        all.extend(node.mesh.as_ref().map(|mesh| drawn(node, mesh)));
    }
    // Additional meshes of a node come last.
    for node in posed.nodes.as_ref() {
        let meshes = node.all_attribs.as_ref().iter().filter_map(|a| ufbx::as_mesh(a));
        all.extend(meshes.skip(1).map(|mesh| drawn(node, mesh)));
    }
    all
}

fn drawn(node: &ufbx::Node, mesh: &ufbx::Mesh) -> Vec<DVec3> {
    let place = |corner: u32| {
        let point = mesh.skinned_position[corner as usize];
        let local = mesh.skinned_is_local;
        let point = if local { ufbx::transform_position(&node.geometry_to_world, point) } else { point };
        DVec3::new(point.x, point.y, point.z)
    };
    let faces = mesh.material_parts.as_ref().iter().flat_map(|part| part.face_indices.as_ref());
    let faces = faces.map(|&f| mesh.faces[f as usize]).filter(|face| face.num_indices >= 3);
    let corners = faces.flat_map(|face| face.index_begin..face.index_begin + face.num_indices);
    corners.map(place).collect()
}

/// The same for our scene.
pub fn ours(scene: &Scene, pose: &Pose) -> Vec<Vec<DVec3>> {
    let of_node = |node: NodeId| {
        let mesh = scene.nodes[node.index()].mesh?;
        let parts = &scene.meshes[mesh.index()].parts;
        let posed = deform(scene, pose, node);
        let places = parts.iter().zip(&posed).flat_map(|(part, posed)| {
            part.faces.corners().iter().map(|&v| posed.positions[v as usize].as_dvec3())
        });
        Some(places.collect())
    };
    scene.node_ids().filter_map(of_node).collect()
}

/// The largest distance of a corner from its partner, as a fraction of the model's size, and the number compared.
fn worst(theirs: &[Vec<DVec3>], ours: &[Vec<DVec3>]) -> (f64, usize) {
    assert_eq!(theirs.len(), ours.len(), "drawn nodes");
    let (mut worst, mut low, mut high, mut count) = (0.0_f64, DVec3::MAX, DVec3::MIN, 0);
    for (theirs, ours) in theirs.iter().zip(ours) {
        assert_eq!(theirs.len(), ours.len(), "corners");
        for (a, b) in theirs.iter().zip(ours) {
            worst = worst.max(a.distance(*b));
            (low, high) = (low.min(*a), high.max(*a));
            count += 1;
        }
    }
    (worst / low.distance(high), count)
}

/// A file, its scene, and how far its baked curves move any vertex according to the report.
pub fn load(bytes: &[u8], options: &ReadOptions) -> Option<(Document<'static>, Scene, f64)> {
    let first = super::document(bytes, options).0?;
    let again = super::document(bytes, options).0?;
    let mut report = Report::default();
    let scene = Box::new(again).import(options, &mut report).unwrap();
    let baked = report.losses().iter().filter(|loss| loss.code.id == "FB511");
    let stated = baked.map(|loss| match loss.kind {
        LossKind::Approximated { size: Some(size), unit: "of the model's size" } => size,
        _ => panic!("not measured: {loss:?}"),
    });
    Some((first, scene, stated.fold(0.0, f64::max)))
}

/// The worst difference at rest and during every take: at frames, and between them.
pub fn compare(document: &Document<'_>, scene: &Scene) -> (f64, f64, usize) {
    let fbx = document.scene();
    let rest = worst(&corners(fbx, &fbx.anim, -1e6), &ours(scene, &Pose::rest(scene)));
    let (mut at_keys, mut between, mut count) = (0.0_f64, 0.0_f64, rest.1);
    if fbx.anim_stacks.is_empty() {
        at_keys = rest.0;
    }
    for (stack, clip) in fbx.anim_stacks.as_ref().iter().zip(&scene.clips) {
        let begin = stack.time_begin;
        let last = clip.duration;
        let keys = key_times(stack).into_iter().map(|time| (time - begin) as f32);
        let keys: Vec<f32> = keys.filter(|time| (0.0..=last).contains(time)).collect();
        for step in 0..=8 {
            let wanted = last * step as f32 / 8.0;
            let nearest =
                keys.iter().copied().min_by(|a, b| (a - wanted).abs().total_cmp(&(b - wanted).abs()));
            for (time, worst_of) in [(nearest.unwrap_or(wanted), &mut at_keys), (wanted, &mut between)] {
                let theirs = corners(fbx, &stack.anim, begin + f64::from(time));
                let (off, compared) = worst(&theirs, &ours(scene, &Pose::at(scene, clip, time)));
                *worst_of = worst_of.max(off);
                count += compared;
            }
        }
    }
    (at_keys, between, count)
}

#[test]
fn posed_corners_agree_with_the_evaluation_of_ufbx() {
    let Some(mut files) = test_models("posed_corners_agree_with_the_evaluation_of_ufbx") else { return };
    let fixtures = support::files_below(&support::workspace().join("crates/ligament/tests/fixtures/fbx"));
    files.extend(fixtures.into_iter().filter(|path| path.extension().is_some_and(|e| e == "fbx")));
    let mut compared = 0;
    for path in &files {
        let bytes = std::fs::read(path).unwrap();
        for axes in [AxesConversion::Geometry, AxesConversion::Root, AxesConversion::None] {
            let options = ReadOptions { own: Own::with(&AXES, axes), ..ReadOptions::default() };
            let Some((document, scene, stated)) = load(&bytes, &options) else { continue };
            let (at_keys, between, corners) = compare(&document, &scene);
            println!(
                "{} {axes:?}: {corners} corners, {at_keys:.1e} at keys, {between:.1e} between",
                path.display()
            );
            assert!(corners > 0);
            assert!(at_keys < 1e-6, "{}", path.display());
            assert!(between < 1e-4 && stated < 1e-4, "{}: {between}, {stated}", path.display());
            compared += 1;
        }
    }
    assert_eq!(compared, 20 * 3);
}
