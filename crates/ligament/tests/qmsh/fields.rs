//! The scene that the fields of files become.

use crate::{import, scene, valid};
use ligament::formats::qmsh::{Version, flags};
use ligament::math::{Vec3, Vec4};
use ligament::pose::Pose;
use ligament::scene::{Faces, ImageData, Projection, Scene};

#[test]
fn the_document_says_what_the_script_wrote() {
    let document = valid("v22");
    assert_eq!(document.version, Version::Carpg(22));
    assert_eq!(document.flags, flags::SKINNED | flags::TANGENTS | flags::SPLIT);
    assert_eq!((document.vertices.len(), document.triangles.len()), (12, 16));
    assert_eq!(document.bounds, [[-0.25, 0.0, -0.25], [0.25, 2.0, 0.25]]);
    assert_eq!(document.camera.position, [3.0, 2.0, -4.0]);
    assert_eq!(document.camera.up, [0.0, 1.0, 0.0]);
    let vertex = document.vertices[6];
    assert_eq!(vertex.position, [0.25, 1.0, 0.25]);
    assert_eq!(vertex.bones(), [(2, 0.25), (1, 0.75)]);
    assert_eq!(vertex.uv, [0.5, 0.5]);
    let submesh = &document.submeshes[0];
    assert_eq!((submesh.first_triangle, submesh.triangles), (0, 10));
    assert_eq!((submesh.first_vertex, submesh.vertices), (0, 12));
    assert_eq!((submesh.name.to_text(), submesh.material.to_text()), ("Bar.Wood".into(), "wood.png".into()));
    assert_eq!((submesh.specular_color, submesh.specular_intensity), ([1.0, 0.5, 0.25], 0.2));
    assert_eq!((submesh.specular_hardness, submesh.normal_factor), (10, 0.75));
    assert_eq!(submesh.specular_factors, [0.5, 0.25]);
    let names: Vec<_> = document.bones.iter().map(|b| (b.name.to_text(), b.parent)).collect();
    assert_eq!(names, [("Root".into(), 0), ("Tip".into(), 1), ("Flag".into(), 0)]);
    assert_eq!(document.bones[1].modelled.connected, 1);
    assert_eq!(document.groups[0].bones, [1, 2]);
    assert_eq!(document.animations[0].times, [0.0, 0.5, 1.25]);
    assert_eq!(document.animations[0].keys[3].scale, [1.5, 0.5, 1.0]);
    let point = &document.points[0];
    assert_eq!((point.bone, point.kind, point.size), (2, 0, [0.1, 0.2, 0.3]));
    assert_eq!(document.splits.len(), 2);
    assert_eq!(valid("v21").animations[0].keys[3].scale, [1.5; 3]);
    assert_eq!(valid("v12").points[0].size, [0.1; 3]);
}

/// Faces are counter-clockwise seen from outside, where the normals point.
fn faces_look_outwards(scene: &Scene) {
    let mut count = 0;
    for part in scene.meshes.iter().flat_map(|m| &m.parts) {
        let Faces::Triangles(corners) = &part.faces else { panic!("triangles") };
        for t in corners.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|i| part.positions[t[i] as usize]);
            let middle = ((a + b + c) / 3.0) * Vec3::new(1.0, 0.0, 1.0);
            assert!((b - a).cross(c - a).dot(middle) > 0.0);
            count += 1;
        }
    }
    assert_eq!(count, 16);
}

#[test]
fn submeshes_of_an_object_are_its_parts() {
    for name in ["tf_plain", "tf_both", "v16", "v22", "v22_plain"] {
        let scene = scene(name);
        assert_eq!(scene.meshes.len(), 1, "{name}");
        assert_eq!((scene.meshes[0].name.as_str(), scene.meshes[0].parts.len()), ("Bar", 2), "{name}");
        let names: Vec<_> = scene.materials.iter().map(|m| m.name.as_str()).collect();
        assert_eq!(names, ["Wood", "Steel"], "{name}");
        faces_look_outwards(&scene);
        // The engine's Z points the other way.
        assert_eq!(scene.meshes[0].parts[0].positions[0], Vec3::new(-0.25, 0.0, 0.25));
        let part = &scene.meshes[0].parts[0];
        assert!(part.normals[0].distance(Vec3::new(-0.5_f32.sqrt(), 0.0, 0.5_f32.sqrt())) < 1e-6);
        assert_eq!(part.uvs[0][1].to_array(), [0.25, 1.0]);
    }
}

#[test]
fn submeshes_with_names_or_vertices_of_their_own_are_objects() {
    let mut document = valid("tf_plain");
    document.submeshes[1].name = "Blade".into();
    document.submeshes[1].material = "Blade".into();
    let names = |d| import(d).0.nodes.iter().map(|n| n.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(document.clone()), ["Bar.Wood", "Blade"]);
    document.submeshes[1].triangles = 0;
    let (scene, report) = import(document);
    assert_eq!(scene.meshes.len(), 1);
    assert!(report.losses().iter().any(|l| l.code.id == "QM513"), "{:?}", report.losses());
}

#[test]
fn tangents_point_along_u_and_bitangents_up_the_image() {
    let scene = scene("tf_tangents");
    let part = &scene.meshes[0].parts[0];
    assert_eq!(part.tangents.len(), part.positions.len());
    for (v, tangent) in part.tangents.iter().enumerate() {
        let bitangent = part.normals[v].cross(tangent.truncate()) * tangent.w;
        // V is 1 at the bottom and 0 at the top, so it grows down and the image's up is the model's.
        assert!(bitangent.distance(Vec3::Y) < 1e-6, "{bitangent}");
    }
    assert_ne!(part.tangents[0], Vec4::ZERO);
}

#[test]
fn textures_highlights_and_maps_of_carpg() {
    let scene = scene("v22");
    let material = &scene.materials[0];
    let phong = material.phong.as_ref().expect("a highlight");
    assert_eq!(phong.shininess, Some(10.0));
    for (found, expected) in phong.specular.iter().zip([0.2, 0.1, 0.05]) {
        assert!((found - expected).abs() < 1e-7);
    }
    let file = |texture: &Option<ligament::scene::TextureRef>| {
        let texture = texture.as_ref().expect("a texture");
        match &scene.images[scene.textures[texture.texture.index()].image.index()].data {
            ImageData::File(path) => path.clone(),
            ImageData::Embedded { .. } => panic!("a file"),
        }
    };
    assert_eq!(file(&phong.diffuse_texture), "wood.png");
    assert_eq!(file(&phong.specular_texture), "wood_s.png");
    assert_eq!(file(&material.normal_texture), "wood_n.png");
    assert_eq!(material.normal_texture.as_ref().map(|t| t.strength), Some(0.75));
    assert!(scene.materials[1].textures().is_empty());
}

#[test]
fn points_and_the_camera_are_nodes() {
    for name in ["v12", "v13", "v15", "v19", "v22"] {
        let scene = scene(name);
        let rest = Pose::rest(&scene);
        let node = |name: &str| scene.nodes.iter().position(|n| n.name == name).expect("a node");
        for point in ["hand", "hit"] {
            let place = rest.globals[node(point)].w_axis.truncate().as_vec3();
            assert!(place.distance(Vec3::new(0.0, 2.0, 0.0)) < 1e-5, "{name} {point}: {place}");
        }
        let parent = scene.nodes[node("hand")].parent.expect("a bone");
        assert_eq!(scene.nodes[parent.index()].name, "Tip", "{name}");
        assert_eq!(scene.nodes[node("hit")].parent, None);
        let values = &scene.nodes[node("hit")].extras["qmsh"]["point"];
        assert_eq!(values["type"], 2);
        let angle = match name {
            "v12" | "v13" | "v15" => 0.0,
            "v19" => -0.25,
            _ => 0.25,
        };
        assert_eq!(values["rotation"][1], angle, "{name}");
        if name == "v12" {
            assert!(scene.cameras.is_empty());
            continue;
        }
        let camera = &rest.globals[node("camera")];
        assert_eq!(camera.w_axis.truncate().as_vec3(), Vec3::new(3.0, 2.0, 4.0));
        let forward = Vec3::new(-3.0, -1.0, -4.0).normalize();
        assert!((-camera.z_axis).truncate().as_vec3().distance(forward) < 1e-6);
        assert!(camera.y_axis.y > 0.9 && camera.x_axis.y.abs() < 1e-7);
        assert!(matches!(scene.cameras[0].projection, Projection::Perspective { .. }));
    }
}

#[test]
fn bones_of_another_file_leave_the_model_at_rest() {
    let (scene, report) = import(valid("v22_shared"));
    assert!(scene.skins.is_empty() && scene.clips.is_empty());
    assert!(scene.meshes[0].parts.iter().all(|p| p.influences.is_empty()));
    let loss = report.losses().iter().find(|l| l.code.id == "QM508").expect("announced");
    assert_eq!(loss.count, 11);
}

#[test]
fn physics_meshes_have_positions_only() {
    let scene = scene("v20_physics");
    let part = &scene.meshes[0].parts[0];
    assert!(part.normals.is_empty() && part.uvs.is_empty() && !part.positions.is_empty());
    faces_look_outwards(&scene);
}

#[test]
fn groups_travel_with_the_skin() {
    let (scene, report) = import(valid("v22"));
    assert_eq!(scene.skins[0].extras["qmsh"]["groups"][0]["bones"][1], "Tip");
    assert!(report.losses().iter().any(|l| l.code.id == "QM510"));
}
