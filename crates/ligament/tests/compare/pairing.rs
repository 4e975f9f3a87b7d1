//! Scenes whose vertices are easily paired with the wrong ones, and deviations that a wrong pairing would hide.

use super::{against, strip, worst};
use ligament::compare::Pairing;
use ligament::math::{Mat4, Vec2, Vec3};
use ligament::scene::*;

/// A box of quads that moves on its own: a node per box, each with a mesh and a material, all at one place.
fn boxes(names: &[&str], travel: impl Fn(usize) -> Vec3) -> Scene {
    let mut scene = Scene::default();
    let mut tracks = Vec::new();
    for (i, name) in names.iter().enumerate() {
        scene.materials.push(Material::default());
        let corner = |n: usize| Vec3::new((n & 1) as f32, (n >> 1 & 1) as f32, (n >> 2) as f32);
        let part = Part {
            material: Some(MaterialId(i as u32)),
            positions: (0..8).map(corner).collect(),
            faces: quads(&[
                [0, 2, 3, 1],
                [4, 5, 7, 6],
                [0, 1, 5, 4],
                [2, 6, 7, 3],
                [0, 4, 6, 2],
                [1, 3, 7, 5],
            ]),
            ..Part::default()
        };
        scene.meshes.push(Mesh { name: (*name).into(), parts: vec![part], ..Mesh::default() });
        let node = scene.add_node(Node { mesh: Some(MeshId(i as u32)), ..Node::default() });
        let values = Values::Translation(vec![Vec3::ZERO, travel(i)]);
        tracks.push(Track { node, interpolation: Interpolation::Linear, times: [0.0, 1.0].into(), values });
    }
    scene.clips.push(Clip { name: "go".into(), duration: 1.0, tracks, ..Clip::default() });
    scene
}

fn quads(faces: &[[u32; 4]]) -> Faces {
    let starts = (0..=faces.len() as u32).map(|i| 4 * i).collect();
    Faces::Polygons { starts, corners: faces.concat() }
}

fn apart(i: usize) -> Vec3 {
    [Vec3::X, Vec3::Y, Vec3::Z, Vec3::ZERO][i % 4] * 3.0
}

/// Changes the order of the nodes, and of what they draw.
fn reversed(mut scene: Scene) -> Scene {
    let count = scene.nodes.len() as u32;
    scene.nodes.reverse();
    for track in &mut scene.clips[0].tracks {
        track.node = NodeId(count - 1 - track.node.0);
    }
    scene
}

#[test]
fn meshes_at_one_place_are_told_apart_by_their_motion() {
    for bare in [false, true] {
        let mut first = boxes(&["a", "b", "c", "d"], apart);
        if bare {
            first.meshes.iter_mut().for_each(|mesh| mesh.parts[0].material = None);
        }
        let comparison = against(&first, &reversed(first.clone()));
        assert_eq!((worst(&comparison), comparison.doubtful), (0.0, 0));
    }
}

/// Some formats do not store the rest pose. The order is right as long as the clips say so, and what changed is the
/// pose without a clip.
#[test]
fn another_rest_pose_does_not_spoil_the_order() {
    let first = boxes(&["a", "b", "c"], apart);
    let mut second = first.clone();
    for (i, node) in second.nodes.iter_mut().enumerate() {
        node.local = Local::Trs(Trs { translation: Vec3::X * i as f32 * 0.1, ..Trs::IDENTITY });
    }
    // Split vertices: no two faces share one.
    for mesh in &mut second.meshes {
        let part = &mut mesh.parts[0];
        let corners = part.faces.corners().to_vec();
        part.positions = corners.iter().map(|&c| part.positions[c as usize]).collect();
        let cut = |quad: u32| [0, 1, 2, 0, 2, 3].map(|c| 4 * quad + c);
        part.faces = Faces::Triangles((0..6).flat_map(cut).collect());
    }
    let comparison = against(&first, &second);
    assert_eq!(comparison.pairing, Some(Pairing::InOrder));
    assert!((comparison.by_clip[0].distance - 0.2).abs() < 1e-6, "{:?}", comparison.by_clip);
    assert_eq!((comparison.by_clip[1].distance, comparison.doubtful), (0.0, 0));
}

/// One polygon on a node that moves, with texture coordinates or without.
fn polygon(outline: &[[f32; 2]], faces: Faces, textured: bool) -> Scene {
    let mut scene = boxes(&["a"], apart);
    let part = &mut scene.meshes[0].parts[0];
    part.positions = outline.iter().map(|&[x, y]| Vec3::new(x, y, 0.0)).collect();
    part.uvs = if textured { vec![outline.iter().map(|&p| Vec2::from(p)).collect()] } else { vec![] };
    part.faces = faces;
    scene
}

const DART: [[f32; 2]; 4] = [[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]];
const HOUSE: [[f32; 2]; 5] = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 3.0], [0.0, 1.0]];

#[test]
fn polygons_may_be_cut_in_any_way() {
    let whole = |outline: &[[f32; 2]]| {
        let corners: Vec<u32> = (0..outline.len() as u32).collect();
        Faces::Polygons { starts: vec![0, corners.len() as u32], corners }
    };
    let cuts: [(&[[f32; 2]], &[u32]); 4] = [
        (&DART, &[1, 2, 0, 2, 3, 0]),
        (&DART, &[2, 3, 0, 0, 1, 2]),
        (&HOUSE, &[2, 3, 4, 4, 0, 1, 1, 2, 4]),
        (&HOUSE, &[0, 1, 2, 0, 2, 4, 2, 3, 4]),
    ];
    for (outline, triangles) in cuts {
        for textured in [false, true] {
            let first = polygon(outline, whole(outline), textured);
            let second = polygon(outline, Faces::Triangles(triangles.to_vec()), textured);
            for (first, second) in [(&first, &second), (&second, &first)] {
                let comparison = against(first, second);
                assert_eq!((worst(&comparison), comparison.doubtful), (0.0, 0), "{triangles:?}");
                assert_eq!(comparison.pairing, Some(Pairing::InOrder));
                assert_eq!(comparison.points, outline.len());
            }
        }
    }
}

#[test]
fn a_face_may_start_at_another_corner() {
    let first = boxes(&["a", "b"], apart);
    let mut second = first.clone();
    for mesh in &mut second.meshes {
        let Faces::Polygons { corners, .. } = &mut mesh.parts[0].faces else { panic!("quads") };
        corners.chunks_mut(4).for_each(|face| face.rotate_left(1));
    }
    let comparison = against(&first, &second);
    assert_eq!((worst(&comparison), comparison.pairing), (0.0, Some(Pairing::InOrder)));
}

/// Without its node, a mirrored mesh has its vertices mirrored, and its faces run the other way round to be seen from
/// the same side.
#[test]
fn a_mirrored_copy_stays_the_copy_that_it_is() {
    let mut first = boxes(&["a", "b"], apart);
    first.nodes[1].local =
        Local::Trs(Trs { translation: Vec3::X, scale: Vec3::new(-1.0, 1.0, 1.0), ..Trs::IDENTITY });
    first.clips.clear();
    let mut second = first.clone();
    second.nodes[1].local = Local::default();
    let part = &mut second.meshes[1].parts[0];
    part.positions.iter_mut().for_each(|p| p.x = 1.0 - p.x);
    let Faces::Polygons { corners, .. } = &mut part.faces else { panic!("quads") };
    corners.chunks_mut(4).for_each(|face| face[1..].reverse());
    let comparison = against(&first, &second);
    assert_eq!((worst(&comparison), comparison.pairing), (0.0, Some(Pairing::InOrder)));
}

#[test]
fn faces_without_area_may_be_dropped() {
    let mut first = boxes(&["a", "b"], apart);
    let Faces::Polygons { starts, corners } = &mut first.meshes[0].parts[0].faces else { panic!("quads") };
    corners.splice(4..4, [1, 1, 2]);
    starts.splice(2.., [7, 11, 15, 19, 23, 27]);
    let second = boxes(&["a", "b"], apart);
    for (first, second) in [(&first, &second), (&second, &first)] {
        let comparison = against(first, second);
        assert_eq!((worst(&comparison), comparison.pairing), (0.0, Some(Pairing::InOrder)));
    }
}

/// Vertices 0 and 7, at opposite corners, in each other's place: every position is still taken, but the faces changed.
#[test]
fn vertices_that_swapped_places_are_found() {
    for turned in [false, true] {
        let first = boxes(&["a"], apart);
        let mut second = first.clone();
        let part = &mut second.meshes[0].parts[0];
        part.positions.swap(0, 7);
        if turned {
            let Faces::Polygons { corners, .. } = &mut part.faces else { panic!("quads") };
            let faces: Vec<u32> = corners.chunks(4).rev().flatten().copied().collect();
            *corners = faces;
        }
        let comparison = against(&first, &second);
        assert!(worst(&comparison) > 0.9 || comparison.doubtful > 0, "{:?}", comparison.worst);
        assert!(turned || (worst(&comparison) - 3_f64.sqrt()).abs() < 1e-6);
    }
}

#[test]
fn a_vertex_that_moved_to_where_another_one_is_is_found() {
    let first = boxes(&["a", "b"], apart);
    let mut second = first.clone();
    second.meshes[1].parts[0].positions[0] = Vec3::ONE;
    assert!((worst(&against(&first, &second)) - 3_f64.sqrt()).abs() < 1e-6);
    assert!(worst(&against(&first, &reversed(second))) > 0.9);
}

/// Boxes that look different and move in each other's place.
#[test]
fn meshes_with_the_wrong_motion_are_found() {
    let mut first = boxes(&["red", "blue"], apart);
    for (material, name) in first.materials.iter_mut().zip(["red", "blue"]) {
        material.name = name.into();
    }
    let mut second = first.clone();
    second.clips[0].tracks[0].node = NodeId(1);
    second.clips[0].tracks[1].node = NodeId(0);
    let comparison = against(&first, &second);
    assert!((worst(&comparison) - 18_f64.sqrt()).abs() < 1e-5, "{:?}", comparison.worst);
}

#[test]
fn swapped_joints_are_found() {
    let mut second = strip();
    for part in &mut second.meshes[0].parts {
        part.influences.pairs_mut().iter_mut().for_each(|pair| pair.joint = 1 - pair.joint);
    }
    let binds = &mut second.skins[0].inverse_binds;
    *binds = vec![Mat4::IDENTITY.to_cols_array(), Mat4::from_translation(Vec3::Y * -2.0).to_cols_array()];
    let comparison = against(&strip(), &second);
    // The lower half now follows the knee: its farthest corner, (1, 0), turns by 90° about (0, 2).
    assert!(worst(&comparison) >= (5_f64.sqrt() * 2_f64.sqrt()) - 1e-5, "{:?}", comparison.worst);
}

/// Two copies that part at a single key of a hundred, and a third mesh that only the second scene has: neither order,
/// nor place, nor looks tell the copies apart.
#[test]
fn a_pairing_that_is_a_guess_says_so() {
    let times: Vec<f32> = (0..100).map(|i| i as f32).collect();
    let mut first = boxes(&["a", "a"], apart);
    for (i, track) in first.clips[0].tracks.iter_mut().enumerate() {
        let mut places = vec![Vec3::ZERO; 100];
        places[7] = Vec3::X * i as f32;
        (track.times, track.values) = (times.clone().into(), Values::Translation(places));
    }
    first.clips[0].duration = 99.0;
    first.meshes.iter_mut().for_each(|mesh| mesh.parts[0].material = None);
    let mut second = reversed(first.clone());
    second.meshes.push(boxes(&["far"], apart).meshes.remove(0));
    let local = Local::Trs(Trs { translation: Vec3::Y * 9.0, ..Trs::IDENTITY });
    second.add_node(Node { mesh: Some(MeshId(2)), local, ..Node::default() });
    let comparison = against(&first, &second);
    assert_eq!((comparison.pairing, comparison.doubtful), (Some(Pairing::Nearest), 16));
    assert!(comparison.doubt().is_some_and(|text| text.starts_with("16 vertices were paired by guess")));
    assert_eq!(comparison.to_json()["doubtful"], 16);
}
