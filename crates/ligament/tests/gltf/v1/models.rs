//! Assimp's models, and the positions of their triangles according to Assimp.

use super::*;

const BOX: &str = "glTF/BoxTextured-glTF/BoxTextured.gltf";
const BINARY: &str = "glTF/BoxTextured-glTF-Binary/BoxTextured.glb";
const EMBEDDED: &str = "glTF/BoxTextured-glTF-Embedded/BoxTextured.gltf";
const COMMON: &str = "glTF/BoxTextured-glTF-MaterialsCommon/BoxTextured.gltf";
const TRUCK: &str = "glTF/CesiumMilkTruck/CesiumMilkTruck.gltf";
const ARRAYS: &str = "glTF/IncorrectVertexArrays/Cube_v1.gltf";
const TWO: &str = "glTF/TwoBoxes/TwoBoxes.gltf";
const TECHNIQUE: &str = "glTF2/BoxTextured-glTF-techniqueWebGL/BoxTextured.gltf";
/// The same box in 2.0, from its own exporter.
const BOX_2: &str = "glTF2/BoxTextured-glTF/BoxTextured.gltf";

fn faces(scene: &Scene) -> usize {
    let parts = scene.meshes.iter().flat_map(|m| &m.parts);
    parts
        .map(|part| match &part.faces {
            Faces::Triangles(c) => c.len() / 3,
            Faces::Lines(c) => c.len() / 2,
            other => panic!("{other:?}"),
        })
        .sum()
}

/// Assimp finds the same numbers, except for the arrays, where it merges equal meshes (58).
#[test]
fn every_file_of_assimps_models_is_read() {
    let Some(models) = assimp_models("every_file_of_assimps_models_is_read") else { return };
    let expected = [
        (BOX, 12),
        (EMBEDDED, 12),
        (COMMON, 12),
        (TRUCK, 2856),
        (ARRAYS, 2 * 58),
        (TWO, 12),
        (TECHNIQUE, 12),
    ];
    for (file, count) in expected {
        let (scene, report) = read(&models.join(file));
        assert_eq!(faces(&scene), count, "{file}");
        let noted = report.diagnostics().iter().any(|d| d.code.id == "GL007" && d.severity == Severity::Note);
        assert_eq!(noted, file != TECHNIQUE, "{file}");
        let warnings = report.count(Severity::Warning);
        // The arrays deliberately do not make whole faces.
        assert_eq!(warnings, if file == ARRAYS { 4 } else { 0 }, "{file}: {:?}", report.diagnostics());
        let mut promise = Report::default();
        ligament::validate::validate(&scene, &mut promise);
        assert!(!promise.has_errors(), "{file}: {:?}", promise.diagnostics());
    }
}

/// Debian's copy of the binary file was packed as text: every CR LF of its shaders and image became LF, and 33 bytes
/// are missing. Assimp refuses it too. With its length restored, the box can be read.
#[test]
fn a_binary_file_that_lost_bytes_is_refused() {
    let Some(models) = assimp_models("a_binary_file_that_lost_bytes_is_refused") else { return };
    let mut bytes = std::fs::read(models.join(BINARY)).expect("the file");
    let error = first_error(&bytes);
    assert_eq!((error.code.id, error.place.field.as_deref()), ("GL001", Some("header.length")));
    bytes.resize(bytes.len() + 33, 0);
    let (scene, report) = try_read(Source::from_bytes("box.glb", bytes));
    let scene = scene.unwrap_or_else(|f| panic!("{f:?} {:?}", report.diagnostics()));
    let (second, _) = read(&models.join(BOX_2));
    assert_eq!(corners(&scene), corners(&second));
    assert_same(&triangles(&scene), &triangles(&second), BINARY);
    assert!(matches!(&scene.images[0].data, ImageData::Embedded { mime, .. } if mime == "image/jpeg"));
}

/// Posed triangles, each starting with its smallest corner.
fn triangles(scene: &Scene) -> Vec<[Vec3; 3]> {
    let pose = Pose::rest(scene);
    let mut found = Vec::new();
    for node in scene.node_ids() {
        let Some(mesh) = scene.nodes[node.index()].mesh else { continue };
        for (part, posed) in scene.meshes[mesh.index()].parts.iter().zip(deform(scene, &pose, node)) {
            let Faces::Triangles(corners) = &part.faces else { continue };
            let (faces, _) = corners.as_chunks::<3>();
            found.extend(faces.iter().map(|f| f.map(|c| posed.positions[c as usize])));
        }
    }
    found
}

/// Asserts that two lists hold the same triangles, in any order and starting from any corner.
fn assert_same(ours: &[[Vec3; 3]], theirs: &[[Vec3; 3]], file: &str) {
    assert_eq!(ours.len(), theirs.len(), "{file}");
    let mut left = theirs.to_vec();
    for one in ours {
        let is_same = |other: &[Vec3; 3]| {
            (0..3).any(|turn| (0..3).all(|i| one[i].distance(other[(i + turn) % 3]) < 1e-5))
        };
        let at = left.iter().position(is_same).unwrap_or_else(|| panic!("{file}: {one:?} is not there"));
        left.swap_remove(at);
    }
}

/// Assimp reads each file and writes it as 2.0; every triangle is where Assimp has it.
#[test]
fn triangles_are_where_assimp_has_them() {
    let Some(models) = assimp_models("triangles_are_where_assimp_has_them") else { return };
    if Command::new("assimp").arg("version").output().is_err() {
        assert!(std::env::var_os("CI").is_none(), "assimp-utils is missing");
        eprintln!("skipped triangles_are_where_assimp_has_them: assimp is not installed");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.glb");
    for (file, count) in [(BOX, 12), (EMBEDDED, 12), (COMMON, 12), (TRUCK, 3624), (TWO, 24), (TECHNIQUE, 12)]
    {
        let path = models.join(file);
        let run = Command::new("assimp").arg("export").arg(&path).arg(&out).arg("-fglb2").output();
        assert!(run.expect("assimp runs").status.success(), "{file}");
        let (mut ours, mut theirs) = (read(&path).0, read(&out).0);
        if file == TRUCK {
            // Assimp rotates the translations of the wheels by their rotation, which puts one axle below the road. In
            // the file both are at the same height.
            for (name, x) in [("Wheels", 1.43267), ("Wheels__2_", -1.35233)] {
                let place = Pose::rest(&ours).globals[named(&ours, name).index()].w_axis.truncate().as_vec3();
                assert!(place.distance(Vec3::new(x, 0.427722, 0.0)) < 1e-6, "{place}");
            }
            for node in ours.nodes.iter_mut().chain(&mut theirs.nodes) {
                node.local = Local::default();
            }
        }
        let (ours, theirs) = (triangles(&ours), triangles(&theirs));
        assert_eq!(ours.len(), count, "{file}");
        assert_same(&ours, &theirs, file);
    }
}

/// Positions with their texture coordinates, sorted.
fn corners(scene: &Scene) -> Vec<[u32; 5]> {
    let part = &scene.meshes[0].parts[0];
    let bits = |(p, uv): (&Vec3, &Vec2)| [p.x, p.y, p.z, uv.x, uv.y].map(f32::to_bits);
    let mut corners: Vec<_> = part.positions.iter().zip(&part.uvs[0]).map(bits).collect();
    corners.sort_unstable();
    corners
}

/// 1.0 and 2.0 measure V from the same side: the same exporter wrote the same numbers for both.
#[test]
fn texture_coordinates_are_those_of_2_0() {
    let Some(models) = assimp_models("texture_coordinates_are_those_of_2_0") else { return };
    let second = corners(&read(&models.join(BOX_2)).0);
    for file in [BOX, EMBEDDED, COMMON, TECHNIQUE] {
        assert_eq!(corners(&read(&models.join(file)).0), second, "{file}");
    }
}

#[test]
fn values_of_techniques_become_phong() {
    let Some(models) = assimp_models("values_of_techniques_become_phong") else { return };
    for file in [BOX, EMBEDDED, COMMON, TECHNIQUE] {
        let (scene, report) = read(&models.join(file));
        let material = &scene.materials[0];
        let phong = material.phong.as_ref().expect("a Phong block");
        assert_eq!((phong.specular, phong.shininess, phong.opacity), ([0.2; 3], Some(256.0), 1.0), "{file}");
        assert_eq!((phong.diffuse, phong.diffuse_texture.is_some()), ([1.0; 3], true), "{file}");
        assert!(material.pbr.is_none() && !material.double_sided && !material.unlit, "{file}");
        assert_eq!(material.alpha, AlphaMode::Opaque, "{file}");
        match &scene.images[0].data {
            ImageData::File(name) => assert_eq!(name, "CesiumLogoFlat.png", "{file}"),
            ImageData::Embedded { mime, .. } => assert_eq!(mime, "image/png", "{file}"),
        }
        let lost = report.losses().iter().find(|l| l.code.id == "GL318");
        assert_eq!(lost.is_some(), file != COMMON, "{file}");
        assert_eq!(report.losses().len(), usize::from(lost.is_some()), "{file}: {:?}", report.losses());
    }
    let (truck, report) = read(&models.join(TRUCK));
    let glass = truck.materials.iter().find(|m| m.name == "glass").and_then(|m| m.phong.as_ref());
    assert_eq!(glass.expect("the glass").diffuse, [0.0, 0.0405063, 0.0212407]);
    // COLLADA2GLTF's two animations, one per axle, become one clip of 31 keys.
    assert_eq!((truck.clips.len(), truck.clips[0].tracks.len()), (1, 2));
    assert!(truck.clips[0].tracks.iter().all(|t| t.times.len() == 31));
    let joined = report.losses().iter().find(|l| l.code.id == "GL319").expect("a note of it");
    assert_eq!((joined.count, &joined.kind), (2, &LossKind::Kept));
}

/// A file written from 1.0 is one of 2.0, made through a scene, in the container that was asked for.
#[test]
fn a_file_that_stays_gltf_becomes_2_0() {
    let Some(models) = assimp_models("a_file_that_stays_gltf_becomes_2_0") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    for (file, name) in [(BOX, "a.gltf"), (BOX, "a.glb"), (EMBEDDED, "b.glb"), (TRUCK, "c.gltf")] {
        let out = folder.path().join(name);
        let (done, report) =
            convert(models.join(file), &out, &ConvertOptions::default()).expect("a conversion");
        assert!(!done.rewritten, "{file}");
        assert_eq!(done.dialect, name.rsplit('.').next().expect("an extension"));
        assert!(report.diagnostics().iter().any(|d| d.code.id == "GL007"), "{file}");
        let (again, report) = read(&out);
        assert!(report.diagnostics().is_empty(), "{file}: {:?}", report.diagnostics());
        assert_same(&triangles(&again), &triangles(&read(&models.join(file)).0), file);
    }
}
