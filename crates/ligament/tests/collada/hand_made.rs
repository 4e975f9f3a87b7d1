//! Files whose numbers can be computed by hand.

use super::{scene, support};
use ligament::math::{Vec2, Vec3, Vec4};
use ligament::pose::{Pose, deform};
use ligament::scene::{
    AlphaMode, Faces, Filter, ImageData, Interpolation, LightKind, Local, Projection, Scene, Values, Wrap,
};

fn fixture(name: &str) -> Scene {
    scene(&support::workspace().join("crates/ligament/tests/fixtures/collada").join(name))
}

/// The vertices of the only mesh.
pub fn posed(scene: &Scene, pose: &Pose) -> Vec<Vec3> {
    let node = scene.node_ids().find(|n| scene.nodes[n.index()].mesh.is_some()).expect("a mesh");
    deform(scene, pose, node).into_iter().flat_map(|p| p.positions).collect()
}

#[track_caller]
pub fn close(found: &[Vec3], expected: &[[f32; 3]]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.abs_diff_eq((*expected).into(), 2e-5), "{found} is not {expected:?}");
    }
}

#[test]
fn every_primitive_becomes_faces() {
    let scene = fixture("primitives.dae");
    let parts = &scene.meshes[0].parts;
    let faces: Vec<&Faces> = parts.iter().map(|p| &p.faces).collect();
    assert_eq!(*faces[0], Faces::Triangles(vec![0, 1, 2]));
    // Vertices are numbered in the order in which the file uses them.
    let polygons = |starts: [u32; 3], corners: &[u32]| Faces::Polygons {
        starts: starts.into(),
        corners: corners.into(),
    };
    assert_eq!(*faces[1], polygons([0, 4, 7], &[0, 1, 2, 3, 3, 2, 4]));
    assert_eq!(*faces[2], polygons([0, 3, 7], &[0, 1, 2, 0, 1, 2, 3]));
    // 0 1 3, then 1 3 2 the other way round, then 3 2 4.
    assert_eq!(*faces[3], Faces::Triangles(vec![0, 1, 2, 2, 1, 3, 2, 3, 4]));
    assert_eq!(*faces[4], Faces::Triangles(vec![0, 1, 2, 0, 2, 3]));
    assert_eq!(*faces[5], Faces::Lines(vec![0, 1, 2, 3]));
    assert_eq!(*faces[6], Faces::Lines(vec![0, 1, 1, 2]));
    let part = &parts[0];
    // Centimetres became metres; the axes are converted at the root.
    close(&part.positions, &[[0., 0., 0.], [1., 0., 0.], [1., 1., 0.]]);
    // The accessor starts at the second number, and a normal of length two was normalised.
    assert_eq!(part.normals, [Vec3::Z; 3]);
    assert_eq!(
        part.uvs,
        [vec![Vec2::new(0., 1.), Vec2::new(1., 1.), Vec2::new(0., 0.)], vec![Vec2::new(0.25, 0.25); 3]]
    );
    assert_eq!(part.colors, [vec![Vec4::new(1., 0.5, 0.25, 1.); 3]]);
    // (1, 1, 3) with Z up is (1, 3, -1) with Y up.
    assert!(posed(&scene, &Pose::rest(&scene))[2].abs_diff_eq(Vec3::new(1., 3., -1.), 1e-6));
}

#[test]
fn a_skin_over_a_morph_at_rest() {
    let scene = fixture("arm.dae");
    // Half of the morph: vertex 2 is at z 0.5 and vertex 3 at z 2. All vertices but that of joint −1 follow joints
    // whose binds undo the bind shape's shift by 10; that one stays where the shift puts it.
    let rest = posed(&scene, &Pose::rest(&scene));
    close(&rest, &[[0., 0., 0.], [11., 0., 0.], [0., 1., 0.5], [0., 2., 2.]]);
    assert_eq!(scene.meshes[0].parts[0].influences.of(2).len(), 2);
}

#[test]
fn a_whole_turn_between_two_keys_is_turned() {
    let scene = fixture("arm.dae");
    let clip = scene.clips.iter().find(|c| c.name == "whirl").expect("the clip");
    assert_eq!(clip.duration, 2.0);
    let at = |time: f32| posed(&scene, &Pose::at(&scene, clip, time));
    // Half a second of two is a quarter turn about the hip: vertex 3, with full weight on the upper joint, goes from
    // (0, 2) to (−2, 0). Vertex 2 follows the hip, which does not rotate, by one quarter and the shin by three
    // quarters.
    close(&at(0.5), &[[0., 0., 0.], [11., 0., 0.], [-0.75, 0.25, 0.5], [-2., 0., 2.]]);
    close(&at(1.0)[3..], &[[0., -2., 2.]]);
    close(&at(2.0)[3..], &[[0., 2., 2.]]);
}

#[test]
fn a_clip_starts_in_the_middle_of_a_bezier_curve() {
    let scene = fixture("arm.dae");
    let clip = scene.clips.iter().find(|c| c.name == "glide").expect("the clip");
    // From time 2 on, where the S-curve from 0 to 8 is halfway; the step of the morph weight comes at its end.
    assert_eq!(clip.duration, 1.0);
    let at = |time: f32| posed(&scene, &Pose::at(&scene, clip, time));
    close(&at(0.0)[..1], &[[4., 0., 0.]]);
    // The parameter 3/4 is at time (1 + 2·9 + 2·27 + 3·27)/64 = 154/64, and the value is 8·54/64. The curve is baked to
    // within 5e-5 of its range.
    assert!((at(154.0 / 64.0 - 2.0)[0].x - 6.75).abs() < 8.0 * 5e-5);
    close(&at(1.0), &[[8., 0., 0.], [11., 0., 0.], [8., 1., 1.], [8., 2., 4.]]);
    close(&at(0.99)[3..], &[[at(0.99)[0].x, 2., 0.]]);
    let weights =
        clip.tracks.iter().find(|t| matches!(t.values, Values::MorphWeights { .. })).expect("weights");
    assert_eq!(weights.interpolation, Interpolation::Step);
}

#[test]
fn nodes_cameras_and_lights() {
    let scene = fixture("arm.dae");
    let node = |name: &str| scene.nodes.iter().find(|n| n.name == name).expect("a node of that name");
    assert_eq!(scene.name, "stage");
    // Shear cannot be expressed by translation, rotation and scale.
    assert!(matches!(node("here").local, Local::Matrix(_)));
    assert_eq!(node("there").local.trs().expect("a rotation").translation, Vec3::new(4., 0., 0.));
    assert_eq!(scene.nodes.iter().filter(|n| n.name == "prop").count(), 2);
    assert_eq!((scene.cameras.len(), scene.lights.len()), (1, 1));
    let Projection::Perspective { fov_y, aspect } = scene.cameras[0].projection else {
        panic!("perspective")
    };
    // tan(45°) is one for the width, and half of it is for the height.
    assert!((fov_y - 2.0 * 0.5_f32.atan()).abs() < 1e-6 && aspect == Some(2.0));
    assert_eq!((scene.cameras[0].near, scene.cameras[0].far), (0.5, Some(50.0)));
    let LightKind::Spot { outer_angle, .. } = scene.lights[0].kind else { panic!("a spot") };
    assert!((outer_angle - 30_f32.to_radians()).abs() < 1e-6);
    assert_eq!(scene.ambient, Some([0.1, 0.2, 0.3, 1.0]));
}

#[test]
fn a_material_with_everything() {
    let scene = fixture("arm.dae");
    let material = &scene.materials[0];
    let phong = material.phong.as_ref().expect("a Phong block");
    assert_eq!((phong.diffuse, phong.specular, phong.shininess), ([1.0; 3], [0.5; 3], Some(20.0)));
    assert_eq!(material.emissive, [0.0, 0.0, 0.5]);
    // Half transparent with a grey of one half.
    assert!((phong.opacity - 0.75).abs() < 1e-6 && material.alpha == AlphaMode::Blend);
    assert!(material.double_sided);
    let diffuse = phong.diffuse_texture.as_ref().expect("a texture");
    // Set 3 of the file is the second of the part.
    assert_eq!(diffuse.uv_set, 1);
    assert_eq!(material.normal_texture.as_ref().map(|t| t.uv_set), Some(0));
    let texture = &scene.textures[diffuse.texture.index()];
    assert_eq!((texture.sampler.wrap_u, texture.sampler.wrap_v), (Wrap::Clamp, Wrap::Repeat));
    assert_eq!((texture.sampler.minify, texture.sampler.mip), (Some(Filter::Linear), Some(Filter::Nearest)));
    // A path on somebody's disk: only the file name counts.
    assert_eq!(scene.images[0].data, ImageData::File("hide skin.png".to_owned()));
}
