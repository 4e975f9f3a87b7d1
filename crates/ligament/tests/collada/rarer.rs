//! Rare features, with numbers computed by hand.

use super::{hand_made::close, hand_made::posed, import};
use ligament::convert::{ConvertOptions, convert};
use ligament::io::Source;
use ligament::math::Vec3;
use ligament::pose::Pose;
use ligament::report::{LossKind, Report};
use ligament::scene::{ImageData, Projection, Scene};

fn read(text: &str) -> (Scene, Report) {
    let (scene, report) = import(Source::from_bytes("rarer.dae", text.to_owned().into_bytes()));
    (scene.unwrap_or_else(|| panic!("{:?}", report.diagnostics())), report)
}

/// A file whose unit is half a metre.
fn file(libraries: &str, nodes: &str) -> String {
    format!(
        "<COLLADA version=\"1.5.0\"><asset><unit meter=\"0.5\"/></asset>{libraries}\
         <library_visual_scenes><visual_scene id=\"s\">{nodes}</visual_scene></library_visual_scenes>\
         <scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>"
    )
}

fn floats(id: &str, width: usize, values: &str) -> String {
    let total = values.split_whitespace().count();
    let params: String = (0..width).map(|i| format!("<param name=\"P{i}\" type=\"float\"/>")).collect();
    format!(
        "<source id=\"{id}\"><float_array id=\"{id}-a\" count=\"{total}\">{values}</float_array><technique_common>\
         <accessor source=\"#{id}-a\" count=\"{}\" stride=\"{width}\">{params}</accessor></technique_common></source>",
        total / width
    )
}

fn words(id: &str, kind: &str, values: &str) -> String {
    let count = values.split_whitespace().count();
    format!("<source id=\"{id}\"><{kind} id=\"{id}-a\" count=\"{count}\">{values}</{kind}></source>")
}

fn triangle(id: &str, positions: &str, material: &str) -> String {
    format!(
        "<geometry id=\"{id}\"><mesh>{}<vertices id=\"{id}-v\"><input semantic=\"POSITION\" source=\"#{id}-p\"/></vertices>\
         <triangles count=\"1\" {material}><input semantic=\"VERTEX\" source=\"#{id}-v\" offset=\"0\"/><p>0 1 2</p></triangles>\
         </mesh></geometry>",
        floats(&format!("{id}-p"), 3, positions)
    )
}

const BASE: &str = "0 0 0  1 0 0  0 1 0";

fn loss(report: &Report, code: &str, message: &str) -> u64 {
    let found = report.losses().iter().find(|l| l.code.id == code && l.message.contains(message));
    let found = found.unwrap_or_else(|| panic!("no {code} {message:?} in {:?}", report.losses()));
    assert_eq!(found.kind, LossKind::Dropped);
    found.count
}

#[test]
fn morphs_of_both_methods() {
    let morphed = |method: &str| {
        let meshes = triangle("base", BASE, "")
            + &triangle("a", "0 0 2  1 0 0  0 1 4", "")
            + &triangle("b", "4 0 0  1 0 0  0 5 0", "");
        let morph = format!(
            "<controller id=\"m\"><morph source=\"#base\" {method}>{}{}<targets><input semantic=\"MORPH_TARGET\" source=\"#t\"/>\
             <input semantic=\"MORPH_WEIGHT\" source=\"#w\"/></targets></morph></controller>",
            words("t", "IDREF_array", "a b"),
            floats("w", 1, "0.5 0.25")
        );
        let libraries = format!(
            "<library_geometries>{meshes}</library_geometries><library_controllers>{morph}</library_controllers>"
        );
        let (scene, report) = read(&file(&libraries, "<node><instance_controller url=\"#m\"/></node>"));
        assert!(report.losses().is_empty(), "{:?}", report.losses());
        posed(&scene, &Pose::rest(&scene))
    };
    // base + 0.5 (a − base) + 0.25 (b − base) is (1, 0, 1), (1, 0, 0) and (0, 2, 2), in units of half a metre.
    let normalized = [[0.5, 0., 0.5], [0.5, 0., 0.], [0., 1., 1.]];
    close(&morphed("method=\"NORMALIZED\""), &normalized);
    close(&morphed(""), &normalized);
    // base + 0.5 a + 0.25 b is (1, 0, 1), (1.75, 0, 0) and (0, 2.75, 2).
    close(&morphed("method=\"RELATIVE\""), &[[0.5, 0., 0.5], [0.875, 0., 0.], [0., 1.375, 1.]]);
}

#[test]
fn orthographic_cameras() {
    let sizes = |lens: &str| {
        let camera = format!(
            "<library_cameras><camera id=\"c\"><optics><technique_common><orthographic>{lens}<znear>0.2</znear>\
             <zfar>8</zfar></orthographic></technique_common></optics></camera></library_cameras>"
        );
        let (scene, _) = read(&file(&camera, "<node><instance_camera url=\"#c\"/></node>"));
        assert_eq!((scene.cameras[0].near, scene.cameras[0].far), (0.1, Some(4.0)));
        match scene.cameras[0].projection {
            Projection::Orthographic { half_width, half_height } => (half_width, half_height),
            Projection::Perspective { .. } => panic!("perspective"),
        }
    };
    let expected = (1.5, 1.0);
    assert_eq!(sizes("<xmag>3</xmag><ymag>2</ymag>"), expected);
    assert_eq!(sizes("<ymag>2</ymag><aspect_ratio>1.5</aspect_ratio>"), expected);
    assert_eq!(sizes("<xmag>3</xmag><aspect_ratio>1.5</aspect_ratio>"), expected);
}

/// A triangle with one material, which has the given effect.
fn with_effect(images: &str, effect: &str) -> String {
    let libraries = format!(
        "<library_images>{images}</library_images><library_effects><effect id=\"e\">{effect}</effect></library_effects>\
         <library_materials><material id=\"m\"><instance_effect url=\"#e\"/></material></library_materials>\
         <library_geometries>{}</library_geometries>",
        triangle("g", BASE, "material=\"m\"")
    );
    file(&libraries, "<node><instance_geometry url=\"#g\"/></node>")
}

fn with_texture(images: &str, texture: &str) -> String {
    let sampler = "<newparam sid=\"samp\"><sampler2D><instance_image url=\"#i\"/></sampler2D></newparam>";
    with_effect(
        images,
        &format!(
            "<profile_COMMON>{sampler}<technique sid=\"t\"><lambert><diffuse>{texture}</diffuse></lambert></technique></profile_COMMON>"
        ),
    )
}

#[test]
fn images_as_version_1_5_has_them() {
    let plain = "<texture texture=\"samp\" texcoord=\"T\"/>";
    let (scene, _) = read(&with_texture(
        "<image id=\"i\"><init_from><ref>./art/a%20b.png</ref></init_from></image>",
        plain,
    ));
    let phong = scene.materials[0].phong.as_ref().expect("Phong");
    assert_eq!(phong.diffuse_texture.as_ref().map(|t| t.texture.index()), Some(0));
    assert_eq!(scene.images[0].data, ImageData::File("art/a b.png".to_owned()));
    // Images in the file itself. A TGA has no signature, so the file has to state the type.
    let hex = "<image id=\"i\" name=\"dot\"><init_from><hex format=\"TGA\">0000 02 00\nFf</hex></init_from></image>";
    let (scene, _) = read(&with_texture(hex, plain));
    let ImageData::Embedded { mime, bytes } = &scene.images[0].data else { panic!("embedded") };
    assert_eq!((mime.as_str(), &bytes[..]), ("image/x-tga", &[0, 0, 2, 0, 0xFF][..]));
    assert_eq!(scene.images[0].file_name(), "dot.tga");
}

#[test]
fn textures_are_placed_as_maya_places_them() {
    let placed = |values: &str| {
        let texture = format!(
            "<texture texture=\"samp\" texcoord=\"T\"><extra><technique profile=\"MAYA\">{values}</technique></extra></texture>"
        );
        let (scene, _) =
            read(&with_texture("<image id=\"i\"><init_from><ref>a.png</ref></init_from></image>", &texture));
        let texture =
            scene.materials[0].phong.as_ref().and_then(|p| p.diffuse_texture.clone()).expect("a texture");
        texture.transform.expect("a placement")
    };
    // V points down in a scene: up by half an image is down by −½.
    let shifted = placed("<offsetV>0.5</offsetV>");
    assert_eq!((shifted.offset, shifted.rotation, shifted.scale), ([0.0, -0.5], 0.0, [1.0, 1.0]));
    let turned = placed(
        "<repeatU>2</repeatU><repeatV>3</repeatV><offsetU>0.25</offsetU><offsetV>0.5</offsetV><rotateUV>90</rotateUV>",
    );
    // (½, ¼) with V up: times (2, 3) plus (¼, ½) is (1¼, 1¼); a quarter turn about the middle turns it into (−¼, 1¼).
    // With V down, (½, ¾) becomes (−¼, −¼). The scene's transform is offset · rotation · scale, as in
    // KHR_texture_transform, whose quarter turn takes (u, v) to (v, −u).
    let [u, v] = [0.5 * turned.scale[0], 0.75 * turned.scale[1]];
    assert!((turned.rotation - std::f32::consts::FRAC_PI_2).abs() < 1e-6);
    let found = [v + turned.offset[0], -u + turned.offset[1]];
    assert!((found[0] + 0.25).abs() < 1e-6 && (found[1] + 0.25).abs() < 1e-6, "{found:?}");
    assert!((turned.offset[0] + 2.5).abs() < 1e-6 && (turned.offset[1] - 0.75).abs() < 1e-6);
}

#[test]
fn what_stands_beside_a_texture_is_counted() {
    let texture = "<texture texture=\"samp\" texcoord=\"T\"><extra><technique profile=\"MAYA\"><wrapU>1</wrapU><wrapV>TRUE</wrapV><mirrorU>0</mirrorU>\
        <mirrorV>1</mirrorV><repeatU>2</repeatU><blend_mode>ADD</blend_mode><strange/></technique></extra></texture>";
    let image = "<image id=\"i\"><init_from><ref>a.png</ref></init_from></image>";
    let (_, report) = read(&with_texture(image, texture));
    assert_eq!(loss(&report, "DA313", "extra values of textures are dropped"), 3);
}

#[test]
fn other_shader_profiles_are_announced() {
    let shader = "<profile_CG><newparam sid=\"DiffuseColour\"><float4>0.25 0.5 0.75 1</float4></newparam><technique sid=\"t\"/></profile_CG>";
    let (scene, report) = read(&with_effect("", shader));
    assert_eq!(scene.materials[0].phong.as_ref().map(|p| p.diffuse), Some([0.25, 0.5, 0.75]));
    assert_eq!(loss(&report, "DA312", "profile_CG is not read, except for a colour and a texture"), 1);
    let common = "<profile_COMMON><technique sid=\"t\"><lambert><diffuse><color>1 0 0 1</color></diffuse></lambert></technique></profile_COMMON>";
    let (scene, report) = read(&with_effect("", &format!("{shader}{common}<profile_GLSL/>")));
    assert_eq!(scene.materials[0].phong.as_ref().map(|p| p.diffuse), Some([1.0, 0.0, 0.0]));
    assert_eq!(loss(&report, "DA312", "profile_CG is not read; profile_COMMON is"), 1);
    assert_eq!(loss(&report, "DA312", "profile_GLSL is not read; profile_COMMON is"), 1);
}

/// A skin of two joints with the given names; the third vertex has no weights.
fn skinned(joints: &str, skeletons: &str) -> String {
    let one = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 ";
    let skin = format!(
        "<controller id=\"c\"><skin source=\"#g\">{joints}{}{}<joints><input semantic=\"JOINT\" source=\"#j\"/>\
         <input semantic=\"INV_BIND_MATRIX\" source=\"#ib\"/></joints><vertex_weights count=\"3\">\
         <input semantic=\"JOINT\" source=\"#j\" offset=\"0\"/><input semantic=\"WEIGHT\" source=\"#w\" offset=\"1\"/>\
         <vcount>1 1 0</vcount><v>0 0 1 0</v></vertex_weights></skin></controller>",
        floats("ib", 16, &one.repeat(2)),
        floats("w", 1, "1")
    );
    let libraries = format!(
        "<library_geometries>{}</library_geometries><library_controllers>{skin}</library_controllers>",
        triangle("g", BASE, "")
    );
    let joint = |id: &str, sid: &str, place: &str| {
        format!("<node id=\"{id}\" sid=\"{sid}\" type=\"JOINT\"><translate>{place}</translate></node>")
    };
    let nodes = format!(
        "<node id=\"decoy\">{}{}</node><node id=\"left\">{}</node><node id=\"right\">{}</node>\
         <node><instance_controller url=\"#c\">{skeletons}</instance_controller></node>",
        joint("d1", "arm", "99 0 0"),
        joint("d2", "leg", "99 0 0"),
        joint("a", "arm", "2 0 0"),
        joint("b", "leg", "0 20 0")
    );
    file(&libraries, &nodes)
}

#[test]
fn joints_below_several_skeletons_and_by_id() {
    // Two units are a metre. The third vertex stays.
    let expected = [[1., 0., 0.], [0.5, 10., 0.], [0., 0.5, 0.]];
    let names = words("j", "Name_array", "arm leg");
    let two = "<skeleton>#left</skeleton><skeleton>#right</skeleton>";
    let ids = words("j", "IDREF_array", "a b");
    // With ids nothing else is needed; a sid that is an id elsewhere does not count then.
    for text in [skinned(&names, two), skinned(&ids, ""), skinned(&ids, "<skeleton>#decoy</skeleton>")] {
        let (scene, report) = read(&text);
        close(&posed(&scene, &Pose::rest(&scene)), &expected);
        assert!(report.diagnostics().is_empty(), "{:?}", report.diagnostics());
    }
    // With one root only, the other joint is looked up anywhere, and the first one found is used.
    let (scene, _) = read(&skinned(&names, "<skeleton>#left</skeleton>"));
    close(&posed(&scene, &Pose::rest(&scene)), &[expected[0], [50., 0., 0.], expected[2]]);
}

/// A node with a matrix and a translation, moved by one sampler of two keys at 0 and 2 seconds.
fn moved(sampler: &str, target: &str) -> (Scene, Report) {
    moved_node("n", sampler, target)
}

/// The same, with any id of the node.
fn moved_node(id: &str, sampler: &str, target: &str) -> (Scene, Report) {
    let animation = format!(
        "<library_animations><animation id=\"an\">{}{sampler}<channel source=\"#sa\" target=\"{target}\"/></animation></library_animations>",
        floats("in", 1, "0 2")
    );
    let geometry = format!("<library_geometries>{}</library_geometries>", triangle("g", BASE, ""));
    let node = format!(
        "<node id=\"{id}\"><translate sid=\"place\">0 0 6</translate><matrix sid=\"mat\">1 0 0 0 0 1 0 10 0 0 1 0 0 0 0 1</matrix>\
         <instance_geometry url=\"#g\"/></node>"
    );
    read(&file(&(geometry + &animation), &node))
}

fn first_vertex(scene: &Scene, time: f32) -> Vec3 {
    posed(scene, &Pose::at(scene, &scene.clips[0], time))[0]
}

/// As in three.js's example pump.dae.
#[test]
fn a_node_with_the_id_of_its_geometry_moves() {
    let sampler = format!(
        "{}{}<sampler id=\"sa\"><input semantic=\"INPUT\" source=\"#in\"/><input semantic=\"OUTPUT\" source=\"#out\"/>\
         <input semantic=\"INTERPOLATION\" source=\"#way\"/></sampler>",
        floats("out", 1, "0 8"),
        words("way", "Name_array", "LINEAR LINEAR")
    );
    let (scene, report) = moved_node("g", &sampler, "g/place.X");
    assert_eq!((first_vertex(&scene, 0.0).x, first_vertex(&scene, 2.0).x), (0.0, 4.0));
    let codes: Vec<_> = report.diagnostics().iter().map(|found| found.code.id).collect();
    assert_eq!(codes, ["DA206"]);
    assert!(report.losses().is_empty(), "{:?}", report.losses());
    // A channel that names nothing is a loss.
    let (scene, report) = moved_node("g", &sampler, "g/place.W");
    assert!(scene.clips.is_empty() && report.losses().len() == 1, "{:?}", report.losses());
}

#[test]
fn hermite_curves_with_tangents_of_one_and_two_numbers() {
    // Tangents of two seconds make time run evenly; the values leave with 4 and arrive with 0.
    let two = floats("ti", 2, "2 0 2 0") + &floats("to", 2, "2 4 2 4");
    let one = floats("ti", 1, "0 0") + &floats("to", 1, "4 4");
    for tangents in [two, one] {
        let sampler = format!(
            "{}{}{tangents}<sampler id=\"sa\"><input semantic=\"INPUT\" source=\"#in\"/><input semantic=\"OUTPUT\" source=\"#out\"/>\
             <input semantic=\"INTERPOLATION\" source=\"#way\"/><input semantic=\"IN_TANGENT\" source=\"#ti\"/>\
             <input semantic=\"OUT_TANGENT\" source=\"#to\"/></sampler>",
            floats("out", 1, "0 8"),
            words("way", "Name_array", "HERMITE HERMITE")
        );
        let (scene, report) = moved(&sampler, "n/place.X");
        // 4 (s³ − 2s² + s) + 8 (3s² − 2s³): 36/64 + 80/64 at a quarter, 12/64 + 432/64 at three quarters.
        for (time, units) in [(0.0, 0.0), (0.5, 116.0 / 64.0), (1.5, 444.0 / 64.0), (2.0, 8.0)] {
            let found = first_vertex(&scene, time);
            // Half a metre per unit; curves are within 5e-5 of their range.
            assert!(found.abs_diff_eq(Vec3::new(units * 0.5, 5.0, 3.0), 4.0 * 5e-5), "{found} at {time}");
        }
        assert!(report.losses().iter().any(|l| l.code.id == "DA310"));
    }
}

#[test]
fn single_numbers_of_matrices_and_vectors_move() {
    let sampler = format!(
        "{}<sampler id=\"sa\"><input semantic=\"INPUT\" source=\"#in\"/><input semantic=\"OUTPUT\" source=\"#out\"/></sampler>",
        floats("out", 1, "0 8")
    );
    // Column 3, row 0 of the matrix is its translation along X; (2) is the translation's Z.
    for (target, half_way) in
        [("n/mat(3)(0)", [2., 5., 3.]), ("n/mat(3)(1)", [0., 2., 3.]), ("n/place(2)", [0., 5., 2.])]
    {
        let (scene, _) = moved(&sampler, target);
        close(&[first_vertex(&scene, 1.0)], &[half_way]);
    }
    let (scene, report) = moved(&sampler, "n/mat(4)(0)");
    assert!(scene.clips.is_empty() && report.diagnostics().iter().any(|d| d.code.id == "DA214"));
}

#[test]
fn what_nothing_uses_is_counted() {
    let extra = "<extra><technique profile=\"X\"><a/><b>1</b></technique></extra>";
    let libraries = format!(
        "<library_images><image id=\"i\"><init_from><ref>a.png</ref></init_from></image></library_images>\
         <library_materials><material id=\"m\"/><material id=\"n\"/></library_materials>\
         <library_geometries>{}{}{}</library_geometries>\
         <library_controllers><controller id=\"c\"><skin source=\"#g\"/></controller></library_controllers>\
         <library_nodes><node id=\"lone\"/><node id=\"outer\"><node id=\"inner\"/></node></library_nodes>\
         <library_animations><animation>{}{}<sampler id=\"sa\"><input semantic=\"INPUT\" source=\"#in\"/>\
         <input semantic=\"OUTPUT\" source=\"#out\"/></sampler><channel source=\"#sa\" target=\"moved/t.X\"/></animation></library_animations>\
         <library_visual_scenes><visual_scene><node id=\"moved\"><translate sid=\"t\">0 0 0</translate></node></visual_scene></library_visual_scenes>",
        triangle("g", BASE, ""),
        triangle("h", BASE, ""),
        triangle("k", BASE, ""),
        floats("in", 1, "0 1"),
        floats("out", 1, "0 1")
    );
    let nodes = format!(
        "<node>{extra}<instance_geometry url=\"#g\"/><instance_node url=\"#inner\"/></node><node>{extra}</node>"
    );
    let (_, report) = read(&file(&libraries, &nodes));
    for (what, count) in [
        ("geometries", 2),
        ("controllers", 1),
        ("materials", 2),
        ("images", 1),
        ("library nodes", 1),
        ("animation channels", 1),
    ] {
        assert_eq!(loss(&report, "DA315", what), count, "{what}");
    }
    assert_eq!(loss(&report, "DA313", "extra values of <node> are dropped"), 4);
}

#[test]
fn a_file_that_stays_collada_is_copied() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let text = file(
        &format!("<library_geometries>{}</library_geometries>", triangle("g", BASE, "")),
        "<node><instance_geometry url=\"#g\"/></node>",
    );
    std::fs::write(at("a.dae"), &text).expect("written");
    let (done, report) = convert(at("a.dae"), at("b.dae"), &ConvertOptions::default()).expect("copied");
    assert!(done.rewritten && report.diagnostics().iter().any(|d| d.code.id == "DA401"));
    assert_eq!(std::fs::read_to_string(at("b.dae")).expect("there"), text);
    let again = ConvertOptions { reencode: true, ..ConvertOptions::default() };
    let (done, _) = convert(at("a.dae"), at("c.dae"), &again).expect("written");
    assert!(!done.rewritten && std::fs::read_to_string(at("c.dae")).expect("there") != text);
    // Archives are read, not written.
    let failed = convert(at("a.dae"), at("d.zae"), &ConvertOptions::default());
    assert!(failed.is_err() && !at("d.zae").exists());
}
