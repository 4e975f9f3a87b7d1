//! Properties of real files that the published document does not mention.

use crate::{codes, corpus, fixture, parse, scene, valid, write};
use ligament::formats::apg::{Dialect, Values};
use ligament::formats::{Document as _, ReadOptions};
use ligament::math::{DMat4, Vec3};
use ligament::pose::{Pose, deform};
use ligament::report::Report;

const HEADER: &str = "@Anton's custom mesh format v.27DEC2014 http://antongerdelan.net/\n";
const TRIANGLE: &str = "@vert_count 3\n@vp comps 3\n0 0 0\n1 0 0\n0 1 0\n";

#[test]
fn the_spellings_of_the_first_blender_script_are_read() {
    let text = "@Anton's mesh format v.27DEC2014. Blender 2.74 export script v0.1.\n@vert_count 3\n@vp_comps 3\n\
        0.00 0.00 0.00\n1.00 0.00 0.00\n0.00 0.00 1.00\n@vn_comps 3\n@vt_comps 2\n@vtan_comps 4\n@vc_comps 3\n\
        1 0 0\n0 1 0\n0 0 1\n@bounding radius 1.00\n";
    let (document, report) = parse(text.as_bytes());
    let document = document.expect("valid");
    assert_eq!(codes(&report), ["AP203", "AP203", "AP203"]);
    assert_eq!((document.bounding_radius, document.vertices.colors.len()), (Some(1.0), 3));
    assert!(document.vertices.normals.is_empty() && document.vertices.tangents.is_empty());
    // Z up: Blender's (0, 0, 1) is above.
    let (scene, report) = scene(text.as_bytes());
    assert!(codes(&report).contains(&"AP411"));
    assert_eq!(scene.meshes[0].parts[0].positions[2], Vec3::Y);
    assert_eq!(scene.meshes[0].parts[0].colors[0][1].to_array(), [0.0, 1.0, 0.0, 1.0]);
    let again = valid(&write(&document, Dialect::Text));
    assert_eq!(again, document);
}

#[test]
fn the_blender_scripts_miscounted_keys_are_all_read() {
    let bytes = fixture("bend_blenderexp.apg");
    let (document, report) = parse(&bytes);
    let document = document.expect("valid");
    assert!(document.animations[0].channels.iter().all(|c| c.times.len() == 25));
    let all = codes(&report);
    assert_eq!(all.iter().filter(|c| **c == "AP202").count(), 6, "{all:?}");
    assert_eq!(all.iter().filter(|c| **c == "AP107").count(), 2, "{all:?}");
    let place = report.diagnostics()[0].place.line_column;
    assert_eq!(place, Some((758, 1)), "the twenty-fifth key");
    let (scene, report) = scene(&bytes);
    assert!(codes(&report).contains(&"AP406"), "not posable without matrices");
    let (low, high) = scene.meshes[0].parts[0]
        .positions
        .iter()
        .fold((f32::MAX, f32::MIN), |(a, b), p| (a.min(p.y), b.max(p.y)));
    assert_eq!((low, high), (0.0, 2.0), "turned to Y up");
}

#[test]
fn a_skeleton_may_be_missing_though_vertices_have_bones() {
    let files = corpus();
    let path = files.iter().find(|f| f.ends_with("cube_blenderexp.apg")).expect("there");
    let (scene, report) = scene(&std::fs::read(path).expect("readable"));
    assert!(codes(&report).contains(&"AP405"));
    assert!(scene.skins.is_empty() && scene.meshes[0].parts[0].influences.is_empty());
}

#[test]
fn tangents_are_turned_where_the_converter_forgot_it() {
    for name in ["bend_flat_conv.apg", "bend_conv_bin.apg"] {
        let (scene, report) = scene(&fixture(name));
        assert!(codes(&report).contains(&"AP409"), "{name}");
        let part = &scene.meshes[0].parts[0];
        let dots = part.tangents.iter().zip(&part.normals).map(|(t, n)| t.truncate().dot(*n).abs());
        let worst = dots.fold(0.0, f32::max);
        assert!(worst < 0.01, "{name}: {worst}");
    }
    // Meshes from .obj files have them right.
    let files = corpus();
    let path = files.iter().find(|f| f.ends_with("amphora.apg")).expect("there");
    let (scene, report) = scene(&std::fs::read(path).expect("readable"));
    assert!(!codes(&report).contains(&"AP409") && !scene.meshes[0].parts[0].tangents.is_empty());
}

/// Corners of a scene whose bitangent points up in the image, and those where it points down.
fn bitangents(scene: &ligament::Scene) -> (usize, usize) {
    let part = &scene.meshes[0].parts[0];
    let (mut up, mut down) = (0, 0);
    for corner in part.faces.corners().chunks_exact(3) {
        let [a, b, c] = [corner[0] as usize, corner[1] as usize, corner[2] as usize];
        let (e, f) = (part.positions[b] - part.positions[a], part.positions[c] - part.positions[a]);
        let (g, h) = (part.uvs[0][b] - part.uvs[0][a], part.uvs[0][c] - part.uvs[0][a]);
        let area = g.x * h.y - g.y * h.x;
        if area.abs() < 1e-4 {
            continue;
        }
        let v_grows = (f * g.x - e * h.x) / area;
        for i in [a, b, c] {
            let bitangent = part.normals[i].cross(part.tangents[i].truncate()) * part.tangents[i].w;
            if bitangent.dot(v_grows) < 0.0 { up += 1 } else { down += 1 }
        }
    }
    (up, down)
}

#[test]
fn the_sign_of_tangents_is_ours_whichever_converter_wrote_it() {
    let files = corpus();
    for (name, turned) in [
        ("amphora.apg", true),
        ("coins.apg", true),
        ("coins_7NOV2014.apg", true),
        ("cube_conv.apg", false),
        ("bend_flat_conv.apg", false),
    ] {
        let path = files.iter().find(|f| f.ends_with(name)).expect("there");
        let (scene, report) = scene(&std::fs::read(path).expect("readable"));
        assert_eq!(codes(&report).contains(&"AP415"), turned, "{name}");
        let (up, down) = bitangents(&scene);
        assert!(up > 30 && down == 0, "{name}: {up} up, {down} down");
    }
}

#[test]
fn tangents_that_nothing_puts_right_are_computed_anew() {
    let (scene, report) = scene(&fixture("bend_blenderexp.apg"));
    assert!(codes(&report).contains(&"AP409"));
    let part = &scene.meshes[0].parts[0];
    let dots = part.tangents.iter().zip(&part.normals).map(|(t, n)| t.truncate().dot(*n).abs());
    assert!(part.tangents.len() == part.positions.len() && dots.fold(0.0, f32::max) < 1e-3);
    let (up, down) = bitangents(&scene);
    assert!(up > 30 && down == 0, "{up} up, {down} down");
}

#[test]
fn faces_that_are_no_triangles_leave_a_rest() {
    let text = format!("{HEADER}@vert_count 5\n@vp comps 3\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1");
    let (scene, report) = scene(text.as_bytes());
    assert_eq!(codes(&report), ["AP402"]);
    assert_eq!(scene.meshes[0].parts[0].faces.count(), 1);
}

#[test]
fn transposed_matrices_are_turned_one_by_one() {
    let text = format!(
        "{HEADER}{TRIANGLE}@vb comps 1\n0\n0\n1\n@skeleton bones 2 animations 0\n@root_transform comps 16\n\
        1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n@offset_mat comps 16\n1 0 0 -2 0 1 0 3 0 0 1 0 0 0 0 1\n\
        1 0 0 0 0 1 0 0 0 0 1 0 0 -1 0 1\n@hierarchy nodes 2\nparent -1 bone_id 0\nparent 0 bone_id 1\n"
    );
    let document = valid(text.as_bytes());
    assert_eq!(document.offsets[0][3], -2.0, "a rewrite keeps them");
    let (scene, report) = scene(text.as_bytes());
    assert_eq!(codes(&report), ["AP408"]);
    assert_eq!(scene.skins[0].inverse_binds[0][12..15], [-2.0, 3.0, 0.0]);
    assert_eq!(scene.skins[0].inverse_binds[1][12..15], [0.0, -1.0, 0.0]);
    // The bones rest where the matrices put them.
    let rest = Pose::rest(&scene);
    let joints = &scene.skins[0].joints;
    assert_eq!(rest.globals[joints[0].index()], DMat4::from_translation([2.0, -3.0, 0.0].into()));
    assert_eq!(rest.globals[joints[1].index()], DMat4::from_translation([0.0, 1.0, 0.0].into()));
}

#[test]
fn names_of_animations_may_hold_anything_but_line_ends() {
    let text = format!(
        "{HEADER}@vert_count 0\n@skeleton bones 0 animations 3\n@animation name my long duration name duration 1.5\n\
        @animation name  duration 2\n@animation name b\u{e9} duration 3\n"
    );
    let document = valid(text.as_bytes());
    let names: Vec<_> = document.animations.iter().map(|a| (a.name.to_text(), a.duration)).collect();
    let expected = [("my long duration name", 1.5), ("", 2.0), ("b\u{e9}", 3.0)];
    assert_eq!(names, expected.map(|(name, seconds)| (name.to_owned(), seconds)));
    assert_eq!(write(&document, Dialect::Text), text.as_bytes());
}

#[test]
fn several_bones_a_vertex_are_read() {
    let skeleton = "@skeleton bones 2 animations 0\n@offset_mat comps 16\n1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n\
        1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n@hierarchy nodes 2\nparent -1 bone_id 0\nparent 0 bone_id 1\n";
    let bones = "@vb comps 2\n0 1\n1 0\n-1 0\n";
    let weighted = format!("{HEADER}{TRIANGLE}{bones}@vw comps 2\n0.25 0.75\n1 0\n0 0\n{skeleton}");
    let (scene, report) = scene(weighted.as_bytes());
    assert!(report.diagnostics().is_empty(), "{:?}", report.diagnostics());
    let of = |vertex: usize| {
        let pairs = scene.meshes[0].parts[0].influences.of(vertex);
        pairs.iter().map(|p| (p.joint, p.weight)).collect::<Vec<_>>()
    };
    assert_eq!([of(0), of(1), of(2)], [vec![(0, 0.25), (1, 0.75)], vec![(1, 1.0)], vec![]]);
    let unweighted = format!("{HEADER}{TRIANGLE}{bones}{skeleton}");
    let (scene, report) = crate::scene(unweighted.as_bytes());
    assert_eq!(codes(&report), ["AP414"]);
    assert_eq!(scene.meshes[0].parts[0].influences.of(0).len(), 1);
    // The converter's block of zeros has no meaning.
    let zeros = format!(
        "{HEADER}{TRIANGLE}@vb comps 1\n0\n1\n1\n@vw comps 1\n0.000000\n0.000000\n0.000000\n{skeleton}"
    );
    let (scene, _) = crate::scene(zeros.as_bytes());
    assert_eq!(scene.meshes[0].parts[0].influences.of(1)[0].weight, 1.0);
}

#[test]
fn nodes_may_stand_before_their_parents() {
    let text = format!(
        "{HEADER}{TRIANGLE}@vb comps 1\n0\n0\n1\n@skeleton bones 2 animations 1\n@offset_mat comps 16\n\
        1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n@hierarchy nodes 3\n\
        parent 2 bone_id 1\nparent -1 bone_id -1\nparent 1 bone_id 0\n@animation name a duration 1\n\
        @tra_keys node 2 count 1 comps 3\nt 0 TRA 0 0 5\n"
    );
    let (scene, _) = scene(text.as_bytes());
    let node = scene.node_ids().find(|n| scene.nodes[n.index()].mesh.is_some()).expect("a mesh");
    let posed = deform(&scene, &Pose::at(&scene, &scene.clips[0], 0.5), node);
    assert!(posed[0].positions.iter().all(|p| p.z == 5.0), "{:?}", posed[0].positions);
}

#[test]
fn keys_out_of_order_are_sorted_and_durations_stretched() {
    let text = format!(
        "{HEADER}@vert_count 0\n@skeleton bones 0 animations 1\n@hierarchy nodes 1\nparent -1 bone_id -1\n\
        @animation name a duration 0.5\n@tra_keys node 0 count 5 comps 3\nt 1 TRA 1 0 0\nt -2 TRA 9 0 0\n\
        t -1 TRA 8 0 0\nt 0.5 TRA 2 0 0\nt 1 TRA 3 0 0\n@rot_keys node 0 count 1 comps 4\nt 0 ROT 0 0 0 0\n"
    );
    let (scene, report) = scene(text.as_bytes());
    assert_eq!(codes(&report), ["AP412", "AP413"]);
    let clip = &scene.clips[0];
    assert_eq!(clip.duration, 1.0);
    let track = clip.tracks.iter().find(|t| t.values.property() == "translation").expect("there");
    assert_eq!(track.times[..], [0.0, 0.5, 1.0]);
    let ligament::scene::Values::Translation(values) = &track.values else { panic!("translations") };
    assert_eq!(values.iter().map(|v| v.x).collect::<Vec<_>>(), [8.0, 2.0, 3.0]);
}

#[test]
fn bones_without_nodes_stay_and_shared_ones_follow_the_last() {
    let text = format!(
        "{HEADER}{TRIANGLE}@vb comps 1\n0\n1\n1\n@skeleton bones 2 animations 1\n@offset_mat comps 16\n\
        1 0 0 0 0 1 0 0 0 0 1 0 7 0 0 1\n1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n@hierarchy nodes 2\n\
        parent -1 bone_id 1\nparent -1 bone_id 1\n@animation name a duration 1\n\
        @tra_keys node 1 count 1 comps 3\nt 0 TRA 0 0 5\n"
    );
    let (scene, report) = scene(text.as_bytes());
    assert_eq!(codes(&report), ["AP407", "AP407"]);
    let node = scene.node_ids().find(|n| scene.nodes[n.index()].mesh.is_some()).expect("a mesh");
    let posed = deform(&scene, &Pose::at(&scene, &scene.clips[0], 0.0), node);
    assert_eq!(posed[0].positions.iter().map(|p| p.z).collect::<Vec<_>>(), [0.0, 5.0, 5.0]);
}

#[test]
fn lost_key_times_follow_the_frame_rate_asked_for() {
    let options = ReadOptions { fps: Some(12.0), ..ReadOptions::default() };
    let document = ligament::formats::apg::Document::parse(
        &fixture("bend_conv_bin.apg"),
        &options,
        &mut Report::default(),
    );
    let document = document.expect("valid");
    let channel = &document.animations[0].channels[0];
    assert!(matches!(channel.values, Values::Translation(_)));
    assert_eq!((channel.times[1], document.animations[0].duration), (1.0 / 12.0, 2.0));
    assert!(document.can_write("binary"), "in our layout, never in the historical one");
}

#[test]
fn layout_does_not_matter() {
    let plain = format!("{HEADER}{TRIANGLE}@vn comps 3\n0 0 1\n0 0 1\n0 0 1\n");
    let odd = format!("\u{feff}{}", plain.replace('\n', "  \r\n\r\n").replace("0 0 1", "\t0.0   0e0 +1.0E0"));
    let (odd, report) = parse(odd.as_bytes());
    assert!(report.diagnostics().is_empty(), "{:?}", report.diagnostics());
    assert_eq!(odd, Some(valid(plain.as_bytes())));
    assert_eq!(odd, Some(valid(plain.trim_end().as_bytes())));
}
