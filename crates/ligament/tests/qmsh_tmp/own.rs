//! Bones whose poses no track can hold: the exact motion is the file's, and what the scene's clip loses is announced.

use crate::grammar::file;
use ligament::formats::{self, ReadOptions};
use ligament::io::Source;
use ligament::math::{DMat4, DQuat, DVec3, DVec4};
use ligament::pose::{OwnMotion, Pose, bounds, deform};
use ligament::report::{LossKind, Report};
use ligament::scene::Scene;

const VERTICES: [[f64; 3]; 5] =
    [[0.0, 0.0, 0.0], [1.0, 0.5, 0.0], [0.5, 1.5, 0.25], [1.5, 2.0, 1.0], [0.0, 2.5, -0.5]];

/// The bones of the vertices: the first three follow the upper bone, the others the lower one.
const BONES: [usize; 5] = [0, 0, 0, 1, 1];

/// A rotation by a quarter about Z, in rows, and a place.
const LOWER: [[f64; 4]; 4] =
    [[0.0, 1.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [1.0, 1.0, 0.5, 1.0]];

/// The curves of each bone: name, first value, last value, over ten frames.
type Curves = [&'static [(&'static str, f64, f64)]; 2];

const CURVES: Curves = [
    &[("QuatW", 1.0, 0.5), ("QuatX", 0.0, 0.75), ("QuatY", 0.0, -0.2), ("LocX", 0.0, 0.5)],
    &[("QuatW", 1.0, 1.0), ("QuatZ", 0.0, 2.0), ("ScaleY", 1.0, 1.5)],
];

fn text(upper: &[[f64; 4]; 4], curves: &Curves) -> String {
    let list = |values: &[f64]| values.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
    let rows = |rows: &[[f64; 4]; 4]| rows.iter().map(|row| list(row) + "; ").collect::<String>();
    let vertices: String = VERTICES.iter().map(|v| list(v) + " ").collect();
    let group =
        |bone: usize| -> String { (0..5).filter(|&i| BONES[i] == bone).map(|i| format!("{i} 1 ")).collect() };
    let bone = |name: &str, parent: &str, matrix: &[[f64; 4]; 4]| {
        format!(
            "bone \"{name}\" {{ \"{parent}\" head 0,0,0 0,0,0 0.1 tail 0,1,0 0,1,0 0.1 0 0 1 1 \
             1,0,0; 0,1,0; 0,0,1; {} }} ",
            rows(matrix)
        )
    };
    let channel = |name: &str, curves: &[(&str, f64, f64)]| {
        let curve =
            |(name, from, to): &(&str, f64, f64)| format!("\"{name}\" LINEAR CONST {{ 0,{from} 10,{to} }} ");
        format!("\"{name}\" {{ {} }} ", curves.iter().map(curve).collect::<String>())
    };
    let objects = format!(
        "mesh \"M\" {{ 0,0,0 0,0,0 1,1,1 \"A\" \"\" 30 materials 0 {{ }} vertices 5 {{ {vertices} }} \
         faces 3 {{ 3 0 0 0 0,0 1 1,0 2 0,1 3 0 0 1 0,0 3 1,0 2 0,1 3 0 0 2 0,0 3 1,0 4 0,1 }} \
         vertex_groups {{ \"U\" {{ {} }} \"L\" {{ {} }} }} }} \
         armature \"A\" {{ 0,0,0 0,0,0 1,1,1 1 0 {}{} }}",
        group(0),
        group(1),
        bone("U", "", upper),
        bone("L", "U", &LOWER)
    );
    let actions = format!("\"act\" {{ {}{} }}", channel("U", curves[0]), channel("L", curves[1]));
    file(&objects, &actions, "fps = 10")
}

/// Where the page says that the vertices are, in the scene's axes.
fn expected(upper: &[[f64; 4]; 4], curves: &Curves, part: f64) -> Vec<DVec3> {
    let matrix = |rows: &[[f64; 4]; 4]| DMat4::from_cols_array_2d(rows);
    let rest = [matrix(upper), matrix(&LOWER)];
    let local = [rest[0], rest[0].inverse() * rest[1]];
    let mut above = DMat4::IDENTITY;
    let mut skins = Vec::new();
    for bone in 0..2 {
        let value = |name: &str, usual: f64| {
            let curve = curves[bone].iter().find(|curve| curve.0 == name);
            curve.map_or(usual, |(_, from, to)| from + (to - from) * part)
        };
        let turn =
            DVec4::new(value("QuatX", 0.0), value("QuatY", 0.0), value("QuatZ", 0.0), value("QuatW", 1.0));
        let turn = DQuat::from_vec4(turn.normalize());
        let place = DVec3::new(value("LocX", 0.0), value("LocY", 0.0), value("LocZ", 0.0));
        let scale = DVec3::new(value("ScaleX", 1.0), value("ScaleY", 1.0), value("ScaleZ", 1.0));
        above = above * local[bone] * DMat4::from_scale_rotation_translation(scale, turn, place);
        skins.push(above * rest[bone].inverse());
    }
    let place = |(vertex, bone): (&[f64; 3], usize)| {
        let DVec3 { x, y, z } = skins[bone].transform_point3(DVec3::from_array(*vertex));
        DVec3::new(x, z, -y)
    };
    VERTICES.iter().zip(BONES).map(place).collect()
}

fn import(text: &str) -> (Scene, OwnMotion, Report) {
    let (options, mut report) = (ReadOptions::default(), Report::default());
    let format = formats::by_id("qmsh-tmp").expect("it has a row");
    let document = format.read(Source::from_bytes("m.qmsh.tmp", text.as_bytes()), &options, &mut report);
    let (scene, own) =
        document.and_then(|d| d.import_with_motion(&options, &mut report)).expect("it can be read");
    (scene, own.expect("it has its own motion"), report)
}

/// How far the farthest vertex is from where it should be.
fn worst(scene: &Scene, pose: &Pose, expected: &[DVec3]) -> f64 {
    let node = scene.node_ids().find(|id| scene.nodes[id.index()].mesh.is_some()).expect("the mesh");
    let rest = Pose::rest(scene);
    let (posed, rest) = (deform(scene, pose, node), deform(scene, &rest, node));
    let own = VERTICES.map(|[x, y, z]| DVec3::new(x, z, -y));
    let pairs = posed.iter().zip(&rest).flat_map(|(a, b)| a.positions.iter().zip(&b.positions));
    let distance = |(posed, rest): (&ligament::math::Vec3, &ligament::math::Vec3)| {
        let vertex =
            own.iter().position(|v| v.distance(rest.as_dvec3()) < 1e-5).expect("at rest nothing moves");
        posed.as_dvec3().distance(expected[vertex])
    };
    pairs.map(distance).fold(0.0, f64::max)
}

/// The largest deviation of the own motion and of the clip from the page's formula, and the announced one, all relative
/// to the model's size.
fn deviations(upper: &[[f64; 4]; 4], curves: &Curves) -> (f64, f64, f64) {
    let (scene, own, report) = import(&text(upper, curves));
    let size = bounds(&scene, &Pose::rest(&scene)).expect("a model").diagonal();
    let (mut exact, mut played) = (0.0_f64, 0.0_f64);
    for step in 0..=97 {
        let part = f64::from(step) / 97.0;
        let expected = expected(upper, curves, part);
        exact = exact.max(worst(&scene, &own.pose(&scene, 0, part as f32), &expected));
        played = played.max(worst(&scene, &Pose::at(&scene, &scene.clips[0], part as f32), &expected));
    }
    let sizes = report.losses().iter().filter_map(|loss| match &loss.kind {
        LossKind::Approximated { size, unit } => {
            assert_eq!(*unit, "of the model's size", "{}", loss.code.id);
            *size
        }
        _ => None,
    });
    (exact / size, played / size, sizes.sum())
}

#[test]
fn quaternions_of_uneven_lengths_are_followed() {
    let upright = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.5, 0.0, 1.0]];
    let (exact, played, announced) = deviations(&upright, &CURVES);
    assert!(exact < 1e-6, "{exact}");
    assert!(played < 3e-5 && played <= announced + 1e-6, "{played}, announced {announced}");
}

/// A scale of 2 along the axis that the bone turns about commutes with its rotation; only the order of the scale's axes
/// could be wrong.
#[test]
fn an_uneven_rest_scale_is_exact_where_it_can_be() {
    let long = [[1.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    let about_y: Curves = [&[("QuatW", 1.0, 0.6), ("QuatY", 0.0, 0.8)], &[]];
    let (exact, played, announced) = deviations(&long, &about_y);
    assert!(exact < 1e-6 && played < 2e-5 && announced < 5e-5, "{exact} {played}, announced {announced}");
    // A quarter about Z, which stands still, puts the scale on another axis, without shear.
    let about_z: Curves = [&[("QuatW", 1.0, 1.0), ("QuatZ", 1.0, 1.0)], &[]];
    let (exact, played, announced) = deviations(&long, &about_z);
    assert!(exact < 1e-6 && played < 1e-6 && announced < 1e-6, "{exact} {played}, announced {announced}");
}

#[test]
fn shear_is_announced_as_a_length() {
    let long = [[1.0, 0.0, 0.0, 0.0], [0.0, 3.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    let skew = [[1.0, 0.0, 0.0, 0.0], [0.5, 1.0, 0.0, 0.0], [0.0, 0.25, 2.0, 0.0], [0.5, 0.0, 0.0, 1.0]];
    for upper in [long, skew] {
        let (exact, played, announced) = deviations(&upper, &CURVES);
        assert!(exact < 2e-6, "{exact}");
        assert!(played > 0.01 && played <= announced, "{played}, announced {announced}");
        assert!(announced < 30.0 * played, "{played}, announced {announced}");
    }
}
