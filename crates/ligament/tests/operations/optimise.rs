//! Triangles and vertices in an order that graphics cards like.

use super::*;
use serde_json::json;

/// The triangles by the bits of their corners' positions, each from its smallest corner on.
fn triangles(scene: &Scene) -> Vec<[[u32; 3]; 3]> {
    let mut all = Vec::new();
    for part in scene.meshes.iter().flat_map(|mesh| &mesh.parts) {
        let at = |corner: u32| part.positions[corner as usize].to_array().map(f32::to_bits);
        for corners in part.faces.corners().chunks_exact(3) {
            let mut triangle = [at(corners[0]), at(corners[1]), at(corners[2])];
            let first = (0..3).min_by_key(|&i| triangle[i]).expect("three");
            triangle.rotate_left(first);
            all.push(triangle);
        }
    }
    all.sort_unstable();
    all
}

fn said(report: &Report) -> Vec<f64> {
    let said = report.losses().iter().find(|loss| loss.code.id == "PS012").expect("told");
    let numbers = said.message.split(": ").nth(1).expect("numbers").split(';').next().expect("numbers");
    numbers.split(", ").filter_map(|number| number.split(' ').next()?.parse().ok()).collect()
}

#[test]
fn real_models_keep_their_triangles_and_poses() {
    let mut models = 0;
    for name in ["CesiumMan.glb", "RiggedSimple.glb", "Fox.glb"] {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/real/gltf/").to_owned() + name;
        if !std::path::Path::new(&path).is_file() {
            continue;
        }
        let (source, _) = ligament::read(&path, &Default::default()).expect("read");
        let (result, report) = proven(&source, &[("optimise", json!(true))]);
        assert_eq!(triangles(&result), triangles(&source), "{name}");
        let [before, after] = said(&report)[..] else { panic!("two numbers") };
        assert!(after <= before, "{name}: {before} became {after}");
        // Vertices are in the order of their first use.
        for part in result.meshes.iter().flat_map(|mesh| &mesh.parts) {
            let mut next = 0;
            for &corner in part.faces.corners() {
                assert!(corner <= next, "{name}");
                next = next.max(corner + 1);
            }
        }
        models += 1;
    }
    assert!(models >= 1);
}

/// A strip of quads whose triangles are in the worst order, with attributes that must go along.
fn strip() -> Scene {
    let mut scene = rig();
    let count = 300_u32;
    let mut part = Part::default();
    for index in 0..=count {
        for y in [0.0, 1.0] {
            part.positions.push(Vec3::new(index as f32, y, 0.0));
            part.uvs.resize(1, Vec::new());
            part.uvs[0].push(ligament::math::Vec2::new(index as f32, y));
            part.influences.push([Influence { joint: index % 2, weight: 1.0 }]);
        }
    }
    let mut corners = Vec::new();
    for index in 0..count {
        // 7 and 300 have no common factor, so every quad comes once.
        let a = index * 7 % count * 2;
        corners.extend([a, a + 2, a + 1, a + 1, a + 2, a + 3]);
    }
    part.faces = Faces::Triangles(corners);
    scene.meshes[0].parts = vec![part];
    scene
}

#[test]
fn fewer_vertices_are_posed_twice_and_attributes_go_along() {
    let source = strip();
    let (result, report) = proven(&source, &[("optimise", json!(true))]);
    let [before, after] = said(&report)[..] else { panic!("two numbers") };
    assert!(before > 1.9 && after < 1.1, "{before} {after}");
    assert_eq!(triangles(&result), triangles(&source));
    let part = &result.meshes[0].parts[0];
    for (vertex, position) in part.positions.iter().enumerate() {
        assert_eq!(part.uvs[0][vertex], position.truncate());
        assert_eq!(part.influences.of(vertex)[0].joint, position.x as u32 % 2);
    }
}

#[test]
fn blended_triangles_stay_in_their_order() {
    let mut source = strip();
    source.materials.push(Material { alpha: AlphaMode::Blend, ..Material::default() });
    source.meshes[0].parts[0].material = Some(MaterialId(0));
    let (result, _) = proven(&source, &[("optimise", json!(true))]);
    let places = |scene: &Scene| -> Vec<Vec3> {
        let part = &scene.meshes[0].parts[0];
        part.faces.corners().iter().map(|&corner| part.positions[corner as usize]).collect()
    };
    assert_eq!(places(&result), places(&source));
}

#[test]
fn polygons_are_cut_first() {
    let mut source = strip();
    source.meshes[0].parts[0].faces =
        Faces::Polygons { starts: vec![0, 4, 8], corners: vec![0, 2, 3, 1, 4, 6, 7, 5] };
    let (result, report) = proven(&source, &[("optimise", json!(true))]);
    assert_eq!(triangles(&result).len(), 4);
    assert_eq!(said(&report).len(), 2);
    assert!(written(&Scene::default(), &[("optimise", json!(true))]).is_ok());
}
