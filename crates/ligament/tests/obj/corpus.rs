//! Every OBJ of Assimp's own test models, read by us and by tobj.

use crate::*;
use ligament::math::{Vec2, Vec3};
use ligament::passes::triangulate::{TriangulateOptions, triangulate};
use ligament::report::Severity;
use ligament::scene::Faces;
use std::collections::HashMap;

/// Position, texture coordinate (V up) and unit normal.
type Corner = (Vec3, Option<Vec2>, Option<Vec3>);
type Triangle = [Corner; 3];

/// Broken files, and the fault of each.
const REFUSED: [(&str, &str); 3] =
    [("invalid/empty.obj", "OB112"), ("invalid/malformed.obj", "OB201"), ("invalid/malformed2.obj", "OB107")];

/// Files that tobj does not read: UTF-16, a `usemtl` without a name, invalid exponents, names that are not UTF-8.
const NOT_TOBJ: [&str; 4] =
    ["OBJ/box_UTF16BE.obj", "OBJ/empty_mat.obj", "OBJ/number_formats.obj", "OBJ/regr01.obj"];

/// Files with concave faces, which tobj cuts as fans: only the number of triangles is the same.
const CONCAVE: [&str; 3] =
    ["OBJ/box_longline.obj", "OBJ/concave_polygon.obj", "OBJ/space_in_material_name.obj"];

/// Lists texture coordinates that its faces do not use; tobj makes some up for them.
const UNNAMED: &str = "OBJ/multiple_spaces.obj";

/// Files whose lines and points tobj takes for faces, and their real numbers of triangles.
const LINES_AND_POINTS: [(&str, usize); 3] =
    [("OBJ/testline.obj", 0), ("OBJ/testmixed.obj", 12), ("OBJ/testpoints.obj", 0)];

fn ours(scene: &mut Scene) -> Vec<Triangle> {
    triangulate(scene, &TriangulateOptions::default(), &mut Report::default());
    let mut triangles = Vec::new();
    for part in scene.meshes.iter().flat_map(|mesh| &mesh.parts) {
        let Faces::Triangles(corners) = &part.faces else { continue };
        let corner = |&vertex: &u32| {
            let vertex = vertex as usize;
            let uv = part.uvs.first().map(|set| Vec2::new(set[vertex].x, 1.0 - set[vertex].y));
            (part.positions[vertex], uv, part.normals.get(vertex).copied())
        };
        triangles.extend(corners.chunks_exact(3).map(|face| [0, 1, 2].map(|i| corner(&face[i]))));
    }
    triangles
}

fn theirs(models: &[tobj::Model]) -> Vec<Triangle> {
    let mut triangles = Vec::new();
    for mesh in models.iter().map(|model| &model.mesh) {
        let three = |list: &[f32], i: u32| Vec3::from_slice(&list[3 * i as usize..]);
        let two = |list: &[f32], i: u32| Vec2::from_slice(&list[2 * i as usize..]);
        let corner = |at: usize| {
            let uv = mesh.texcoord_indices.get(at).map(|&i| two(&mesh.texcoords, i));
            let normal = mesh.normal_indices.get(at).map(|&i| three(&mesh.normals, i).normalize_or_zero());
            (three(&mesh.positions, mesh.indices[at]), uv, normal)
        };
        triangles.extend((0..mesh.indices.len() / 3).map(|face| [0, 1, 2].map(|i| corner(3 * face + i))));
    }
    triangles
}

/// The positions of a triangle, starting with the smallest.
fn places(triangle: &Triangle) -> [[u32; 3]; 3] {
    let mut places = triangle.map(|corner| corner.0.to_array().map(f32::to_bits));
    let least = (0..3).min_by_key(|&i| places[i]).unwrap_or(0);
    places.rotate_left(least);
    places
}

/// Whether two triangles are the same, whichever corner each starts with. `made` means that we computed the normals,
/// since tobj does not support smoothing groups. We also replace normals of length zero, of which spider.obj has one.
fn same(name: &str, made: bool, ours: &Triangle, theirs: &Triangle) -> bool {
    let corner = |a: &Corner, b: &Corner| {
        let uv = a.1.zip(b.1).map_or(a.1 == b.1 || name == UNNAMED, |(a, b)| a.distance(b) < 1e-6);
        let normal = a.2.zip(b.2).is_none_or(|(a, b)| b == Vec3::ZERO || a.distance(b) < 1e-4);
        a.0 == b.0 && uv && (made || normal)
    };
    (0..3).any(|turn| (0..3).all(|i| corner(&ours[(i + turn) % 3], &theirs[i])))
}

fn assert_same(name: &str, ours: Vec<Triangle>, theirs: Vec<Triangle>) -> usize {
    if let Some((_, triangles)) = LINES_AND_POINTS.iter().find(|(file, _)| *file == name) {
        assert_eq!(ours.len(), *triangles, "{name}: triangles");
        return 0;
    }
    assert_eq!(ours.len(), theirs.len(), "{name}: triangles");
    if CONCAVE.contains(&name) {
        return 0;
    }
    let count = ours.len();
    let made = theirs.iter().flatten().all(|corner| corner.2.is_none());
    let mut at_places: HashMap<_, Vec<Triangle>> = HashMap::new();
    ours.into_iter().for_each(|triangle| at_places.entry(places(&triangle)).or_default().push(triangle));
    for triangle in &theirs {
        let there = at_places.get_mut(&places(triangle)).unwrap_or_else(|| panic!("{name}: no {triangle:?}"));
        let found = there.iter().position(|ours| same(name, made, ours, triangle));
        let found = found.unwrap_or_else(|| panic!("{name}: {triangle:?} is not in {there:?}"));
        there.swap_remove(found);
    }
    count
}

#[test]
fn assimps_models_read_as_tobj_reads_them() {
    let Some(folder) = support::assimp_models("assimps_models_read_as_tobj_reads_them") else { return };
    let files: Vec<_> = support::files_below(&folder)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("obj")))
        .collect();
    assert_eq!(files.len(), 25, "{files:?}");
    let (mut compared, mut triangles) = (0, 0);
    for path in &files {
        let name = path.strip_prefix(&folder).expect("below").to_string_lossy().into_owned();
        let read = ligament::read(path, &Default::default());
        if let Some((_, code)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
            let error = read.expect_err("is broken");
            let mut errors = error.report.diagnostics().iter().filter(|d| d.severity == Severity::Error);
            assert!(errors.any(|d| d.code.id == *code), "{name}: {:?}", error.report.diagnostics());
            continue;
        }
        let (mut scene, _) = read.unwrap_or_else(|error| panic!("{name}: {error}"));
        support::check_promise(&scene);
        assert!(scene.vertex_count() > 0, "{name}");
        let options = tobj::LoadOptions {
            triangulate: true,
            ignore_points: true,
            ignore_lines: true,
            ..Default::default()
        };
        // Without libraries: tobj refuses some.
        let mut bytes = std::io::Cursor::new(std::fs::read(path).expect("is there"));
        match tobj::load_obj_buf(&mut bytes, &options, |_| Ok(Default::default())) {
            Ok((models, _)) => {
                assert!(!NOT_TOBJ.contains(&&*name), "{name} is read by tobj");
                let count = assert_same(&name, ours(&mut scene), theirs(&models));
                (compared, triangles) = (compared + 1, triangles + count);
            }
            Err(error) => assert!(NOT_TOBJ.contains(&&*name), "{name}: {error}"),
        }
    }
    println!("{compared} files, {triangles} triangles");
    assert_eq!(compared, 25 - REFUSED.len() - NOT_TOBJ.len());
    assert!(triangles > 5000, "{triangles}");
}

/// The UTF-16 file has the same content as the plain one.
#[test]
fn utf_16_reads_as_the_plain_file() {
    let Some(folder) = support::assimp_models("utf_16_reads_as_the_plain_file") else { return };
    let read =
        |name: &str| ligament::read(folder.join("OBJ").join(name), &Default::default()).expect("is read").0;
    let (plain, wide) = (read("box.obj"), read("box_UTF16BE.obj"));
    assert_eq!(plain.meshes[0].parts, wide.meshes[0].parts);
}

#[test]
fn rewriting_gives_the_same_bytes_and_carries_libraries() {
    let Some(folder) = support::assimp_models("rewriting_gives_the_same_bytes_and_carries_libraries") else {
        return;
    };
    let out = tempfile::tempdir().expect("a folder");
    for (name, library) in [("spider", true), ("WusonOBJ", false), ("box_UTF16BE", false)] {
        let (from, to) = (folder.join(format!("OBJ/{name}.obj")), out.path().join(format!("{name}.obj")));
        let (done, _) =
            ligament::convert(&from, &to, &Default::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(done.rewritten);
        assert_eq!(std::fs::read(&from).expect("there"), std::fs::read(&to).expect("written"), "{name}");
        let carried = std::fs::read(out.path().join(format!("{name}.mtl")));
        assert_eq!(carried.is_ok(), library, "{name}");
    }
}
