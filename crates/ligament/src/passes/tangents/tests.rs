use super::*;
use crate::report::LossKind;
use crate::scene::{Faces, Part};
use glam::{Vec2, Vec3, Vec4};

fn run(part: Part) -> (Part, Report) {
    let mut scene = crate::passes::testing::of_part(part);
    let mut report = Report::default();
    tangents(&mut scene, &TangentsOptions::default(), &mut report);
    (scene.meshes.remove(0).parts.remove(0), report)
}

/// A square in the XY plane seen from +Z, from (0, 0) to (1, 1), as two triangles of shared vertices.
fn square(uv: impl Fn(f32, f32) -> Vec2) -> Part {
    let at = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
    Part {
        positions: at.map(|(x, y)| Vec3::new(x, y, 0.0)).into(),
        normals: vec![Vec3::Z; 4],
        uvs: vec![at.map(|(x, y)| uv(x, y)).into()],
        faces: Faces::Triangles(vec![0, 1, 2, 0, 2, 3]),
        ..Part::default()
    }
}

#[test]
fn tangents_follow_u_and_bitangents_go_up_the_picture() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    type Map = fn(f32, f32) -> Vec2;
    // V runs down: an image that is upright on the square has its bottom at V = 1.
    let cases: [(Map, [f32; 4]); 5] = [
        (|x, y| Vec2::new(x, 1.0 - y), [1.0, 0.0, 0.0, 1.0]),
        (|x, y| Vec2::new(-x, 1.0 - y), [-1.0, 0.0, 0.0, -1.0]),
        (|x, y| Vec2::new(x, y), [1.0, 0.0, 0.0, -1.0]),
        (|x, y| Vec2::new(y, x), [0.0, 1.0, 0.0, 1.0]),
        // Rotated by 45 degrees: U grows along (1, 1), the image's up is (-1, 1).
        (|x, y| Vec2::new(x + y, x - y), [half, half, 0.0, 1.0]),
    ];
    for (uv, expected) in cases {
        let (part, report) = run(square(uv));
        let expected = Vec4::from_array(expected);
        assert!(part.tangents.iter().all(|t| t.distance(expected) < 1e-6), "{:?}", part.tangents);
        assert_eq!(part.positions.len(), 4);
        assert_eq!(report.losses()[0].kind, LossKind::Kept);
    }
}

/// Face 1 has U along +X. Face 2 (corners 0, 2 and 3 at (-1, 1)) has U = x and the image's up 2y - x, so that U alone
/// grows along (2, 1). The angles of the two faces are 45 and 90 degrees at vertex 0, and both 45 at vertex 2.
#[test]
fn a_shared_vertex_gets_the_mean_weighted_by_angles() {
    let mut part = square(|x, y| Vec2::new(x, -y));
    (part.positions[3], part.uvs[0][3]) = (Vec3::new(-1.0, 1.0, 0.0), Vec2::new(-1.0, -3.0));
    let (part, _) = run(part);
    let (first, second) = (Vec3::X, Vec3::new(2.0, 1.0, 0.0).normalize());
    let expected = [(first + 2.0 * second).normalize(), first, (first + second).normalize(), second];
    assert_eq!(part.positions.len(), 4);
    for (found, expected) in part.tangents.iter().zip(expected) {
        assert!(found.distance(expected.extend(1.0)) < 1e-6, "{found}, not {expected}");
    }
}

/// As above, but vertex 3 mirrors the texture in face 2: U = y, the image's up is x.
#[test]
fn vertices_are_split_where_the_texture_is_mirrored() {
    let mut part = square(|x, y| Vec2::new(x, -y));
    part.uvs[0][3] = Vec2::new(1.0, 0.0);
    let (part, _) = run(part);
    assert_eq!(part.positions.len(), 6);
    for (corner, &vertex) in part.faces.corners().iter().enumerate() {
        let expected = if corner < 3 { [1.0, 0.0, 0.0, 1.0] } else { [0.0, 1.0, 0.0, -1.0] };
        assert!(part.tangents[vertex as usize].distance(Vec4::from_array(expected)) < 1e-6);
    }
}

#[test]
fn what_has_tangents_or_lacks_coordinates_stays_as_it_is() {
    let made = Part { tangents: vec![Vec4::Y; 4], ..square(Vec2::new) };
    let bare = Part { uvs: Vec::new(), ..square(Vec2::new) };
    let flat = Part { normals: Vec::new(), ..square(Vec2::new) };
    for part in [made, bare, flat] {
        let (after, report) = run(part.clone());
        assert_eq!(part, after);
        assert!(report.losses().is_empty());
    }
}

#[test]
fn degenerate_faces_get_unit_tangents_along_the_surface() {
    // No texture area, no area at all, numbers near the limits of f32, and a polygon.
    let flat = square(|_, _| Vec2::ONE);
    let point = Part { positions: vec![Vec3::ONE; 4], ..square(Vec2::new) };
    let mut huge = square(|x, y| Vec2::new(x, y) * 3e38);
    huge.positions.iter_mut().for_each(|p| *p *= 3e38);
    let mut polygon = square(|x, y| Vec2::new(x, 1.0 - y));
    polygon.faces = Faces::Polygons { starts: vec![0, 3, 8], corners: vec![0, 1, 2, 0, 1, 1, 2, 3] };
    for part in [flat, point, huge, polygon] {
        let (part, _) = run(part);
        for (tangent, normal) in part.tangents.iter().zip(&part.normals) {
            let t = tangent.truncate();
            assert!((t.length() - 1.0).abs() < 1e-5 && t.dot(*normal).abs() < 1e-5, "{tangent}");
            assert!(tangent.w.abs() == 1.0);
        }
    }
}

/// A hundred thousand triangles around one point: MikkTSpace alone would take hours, or overflow the stack.
#[test]
fn crowded_places_are_quick() {
    let count = 100_000;
    let rim = |i: u32| {
        let (sin, cos) = (i as f32 / count as f32 * std::f32::consts::TAU).sin_cos();
        Vec3::new(cos, sin, 0.0)
    };
    let positions: Vec<Vec3> = [Vec3::ZERO].into_iter().chain((0..count).map(rim)).collect();
    let uvs = positions.iter().map(|p| Vec2::new(p.x, -p.y)).collect();
    let faces = (0..count - 1).flat_map(|i| [0, i + 1, i + 2]).collect();
    let normals = vec![Vec3::Z; positions.len()];
    let part = Part { positions, normals, uvs: vec![uvs], faces: Faces::Triangles(faces), ..Part::default() };
    let (part, _) = run(part);
    assert!(part.tangents.iter().skip(1).all(|t| t.distance(Vec4::new(1.0, 0.0, 0.0, 1.0)) < 1e-2));
}
