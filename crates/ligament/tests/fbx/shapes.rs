//! Blend shapes, skins and takes that small files have, with numbers worked out by hand.

use super::sweep::{TOLERANCE, stated, sweep};
use super::{scene, support};
use ligament::Scene;
use ligament::formats::ReadOptions;
use ligament::math::Vec3;
use ligament::pose::{Pose, deform};
use ligament::report::Report;
use ligament::scene::NodeId;

fn read(text: &str) -> (Scene, Report) {
    let (scene, report) = scene(text.as_bytes(), &ReadOptions::default());
    (scene.unwrap_or_else(|| panic!("{:?}", report.diagnostics())), report)
}

/// A triangle with a shape that moves two of its points: by 10 along Z and by 10 along X, in centimetres.
fn triangle(creator: &str, percent: f64, weights: &str) -> String {
    let count = weights.split(',').count();
    format!(
        "; FBX 7.4.0 project file\nFBXHeaderExtension: {{\nFBXVersion: 7400\nCreator: \"{creator}\"\n}}\n\
         Objects: {{\nGeometry: 1, \"Geometry::g\", \"Mesh\" {{\nVertices: *9 {{\na: 0,0,0,100,0,0,0,100,0\n}}\n\
         PolygonVertexIndex: *3 {{\na: 0,1,-3\n}}\n}}\nModel: 2, \"Model::m\", \"Mesh\" {{\nVersion: 232\n}}\n\
         Deformer: 3, \"Deformer::\", \"BlendShape\" {{\nVersion: 100\n}}\n\
         Deformer: 4, \"SubDeformer::c\", \"BlendShapeChannel\" {{\nDeformPercent: {percent}\nFullWeights: *{count} {{\na: {weights}\n}}\n}}\n\
         Geometry: 5, \"Geometry::s\", \"Shape\" {{\nIndexes: *2 {{\na: 1,2\n}}\nVertices: *6 {{\na: 0,0,10,10,0,0\n}}\n}}\n}}\n\
         Connections: {{\nC: \"OO\",2,0\nC: \"OO\",1,2\nC: \"OO\",3,1\nC: \"OO\",4,3\nC: \"OO\",5,4\n}}\n"
    )
}

fn positions(scene: &Scene) -> Vec<Vec3> {
    deform(scene, &Pose::rest(scene), NodeId(0)).remove(0).positions
}

fn assert_near(found: &[Vec3], expected: [Vec3; 3]) {
    let off = found.iter().zip(expected).map(|(a, b)| a.distance(b)).fold(0.0, f32::max);
    assert!(found.len() == 3 && off < 1e-6, "{found:?}");
}

#[test]
fn a_negative_weight_goes_on_through_zero() {
    // The shape counts whole at half of the channel's weight.
    let (scene, _) = read(&triangle("x", -25.0, "50"));
    assert_near(&positions(&scene), [Vec3::ZERO, Vec3::new(1.0, 0.0, -0.05), Vec3::new(-0.05, 1.0, 0.0)]);
}

#[test]
fn points_take_part_as_much_as_blender_s_vertex_group_says() {
    let creator = "Blender (stable FBX IO) - 4.0.2 - 5.8.13";
    let (scene, _) = read(&triangle(creator, 50.0, "100,20"));
    assert_near(&positions(&scene), [Vec3::ZERO, Vec3::new(1.0, 0.0, 0.05), Vec3::new(0.01, 1.0, 0.0)]);
    assert!(sweep(triangle(creator, 50.0, "100,20").as_bytes()).unwrap().0.worst() < 1e-6);
}

/// FBX 6.1: the take animates a property of the model that has the shape's name.
const OLD: &str = "; FBX 6.1.0 project file
FBXHeaderExtension: {
FBXVersion: 6100
}
Objects: {
Model: \"Model::m\", \"Mesh\" {
Version: 232
Properties60: {
Property: \"Tip\", \"Number\", \"A+\",50
}
Vertices: 0,0,0,100,0,0,0,100,0
PolygonVertexIndex: 0,1,-3
Shape: \"Tip\" {
Indexes: 1,2
Vertices: 0,0,10,10,0,0
}
}
}
Connections: {
Connect: \"OO\", \"Model::m\", \"Model::Scene\"
}
Takes: {
Current: \"Take 001\"
Take: \"Take 001\" {
LocalTime: 0,46186158000
ReferenceTime: 0,46186158000
Model: \"Model::m\" {
Version: 1.1
Channel: \"Tip\" {
Default: 50
KeyVer: 4005
KeyCount: 2
Key: 0,50,L,46186158000,-100,L
}
}
}
}
";

#[test]
fn old_files_animate_their_shapes() {
    let (scene, report) = read(OLD);
    assert!(report.losses().iter().all(|loss| loss.code.id != "FB512"), "{:?}", report.losses());
    let clip = &scene.clips[0];
    assert_eq!((clip.tracks.len(), clip.duration), (1, 1.0));
    let at = |time| deform(&scene, &Pose::at(&scene, clip, time), NodeId(0)).remove(0).positions;
    assert_near(&at(0.0), [Vec3::ZERO, Vec3::new(1.0, 0.0, 0.05), Vec3::new(0.05, 1.0, 0.0)]);
    assert_near(&at(1.0), [Vec3::ZERO, Vec3::new(1.0, 0.0, -0.1), Vec3::new(-0.1, 1.0, 0.0)]);
    assert!(sweep(OLD.as_bytes()).unwrap().0.worst() < 1e-6);
}

fn everything() -> String {
    let path = support::workspace().join("crates/ligament/tests/fixtures/fbx/everything.fbx");
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn a_dual_quaternion_skin_says_how_far_it_is_off() {
    let text = everything();
    let dual = text.replacen("Link_DeformAcuracy: 50", "SkinningType: \"DualQuaternion\"", 1);
    assert_ne!(dual, text);
    let (found, report) = sweep(dual.as_bytes()).unwrap();
    let stated = stated(&report, "FB507").expect("a loss");
    // The times that the importer looks at are not those of the comparison.
    assert!(found.worst() > 1e-3 && (stated - found.worst()).abs() < 0.1 * stated, "{stated} {found:?}");
    assert!(sweep(text.as_bytes()).unwrap().0.worst() < TOLERANCE);
}

#[test]
fn takes_that_move_nothing_come_last() {
    let names =
        |text: &str| -> Vec<String> { read(text).0.clips.into_iter().map(|clip| clip.name).collect() };
    let text = everything();
    assert_eq!(names(&text), ["Wave", "Jump"]);
    let empty = "Objects:  {\n    AnimationStack: 199, \"AnimStack::Nothing\", \"\" {\n    }\n";
    let text = text.replacen("Objects:  {\n", empty, 1);
    assert_eq!(names(&text), ["Wave", "Jump", "Nothing"]);
}

#[test]
fn mixamo_s_empty_take_is_not_the_first() {
    let Some(path) = support::shared().map(|shared| shared.join("real/three/Samba Dancing.fbx")) else {
        return;
    };
    let (scene, _) = scene(&std::fs::read(path).unwrap(), &ReadOptions::default());
    let names: Vec<String> = scene.unwrap().clips.into_iter().map(|clip| clip.name).collect();
    assert_eq!(names, ["mixamo.com", "Take 001"]);
}
