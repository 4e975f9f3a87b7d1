//! Prepares a scene for drawing: adds missing normals and tangents, and triangulates polygons.

use crate::{NoteKind, Notes};
use ligament::passes::normals::{NormalsOptions, normals};
use ligament::passes::tangents::{TangentsOptions, tangents};
use ligament::passes::triangulate::{TriangulateOptions, triangulate};
use ligament::scene::{Faces, Mesh, Part};
use ligament::{Report, Scene};

/// For each mesh and part, the edges of its polygons as pairs of vertices; empty for parts of triangles, whose edges are
/// those of the triangles.
pub(crate) type Edges = Vec<Vec<Vec<u32>>>;

/// Prepares a scene and returns the edges that triangulation would hide.
pub(crate) fn prepare(scene: &mut Scene, notes: &mut Notes) -> Edges {
    let mut report = Report::default();
    drop_broken_faces(scene, notes);
    normals(scene, &NormalsOptions::default(), &mut report);
    if scene.materials.iter().any(|m| m.normal_texture.is_some()) {
        let bumpy = |part: &Part| {
            let material = part.material.and_then(|m| scene.materials.get(m.index()));
            material.is_some_and(|m| m.normal_texture.is_some())
        };
        // Only normal maps need tangents, and computing them takes time: parts without one are set aside.
        let wanted: Vec<Vec<bool>> =
            scene.meshes.iter().map(|mesh| mesh.parts.iter().map(bumpy).collect()).collect();
        let mut aside = std::mem::take(&mut scene.meshes);
        for (mesh, wanted) in aside.iter_mut().zip(&wanted) {
            let mut chosen = Mesh::default();
            for (part, _) in mesh.parts.iter_mut().zip(wanted).filter(|(_, wanted)| **wanted) {
                chosen.parts.push(std::mem::take(part));
            }
            let mut only = Scene { meshes: vec![chosen], ..Scene::default() };
            tangents(&mut only, &TangentsOptions::default(), &mut report);
            let mut done = only.meshes.pop().unwrap_or_default().parts.into_iter();
            for (part, _) in mesh.parts.iter_mut().zip(wanted).filter(|(_, wanted)| **wanted) {
                *part = done.next().unwrap_or_default();
            }
        }
        scene.meshes = aside;
    }
    let edges = scene.meshes.iter().map(|mesh| mesh.parts.iter().map(polygon_edges).collect()).collect();
    triangulate(scene, &TriangulateOptions::default(), &mut report);
    edges
}

/// Removes faces with vertices that do not exist. Readers never return such faces, but hand-made scenes may have them.
fn drop_broken_faces(scene: &mut Scene, notes: &mut Notes) {
    for mesh in &mut scene.meshes {
        for part in &mut mesh.parts {
            let count = part.positions.len();
            let sound = part.faces.corners().iter().all(|&corner| (corner as usize) < count)
                && match &part.faces {
                    Faces::Polygons { starts, corners } => {
                        starts.is_sorted() && starts.last().is_none_or(|&end| end as usize <= corners.len())
                    }
                    _ => true,
                };
            if !sound {
                part.faces = Faces::default();
                notes.add(NoteKind::Model, "faces with vertices that do not exist are skipped");
            }
        }
    }
}

fn polygon_edges(part: &Part) -> Vec<u32> {
    let Faces::Polygons { starts, corners } = &part.faces else { return Vec::new() };
    let faces = starts.windows(2).filter_map(|ends| corners.get(ends[0] as usize..ends[1] as usize));
    distinct(faces.flat_map(|face| (0..face.len()).map(move |i| [face[i], face[(i + 1) % face.len()]])))
}

/// The edges of triangles.
pub(crate) fn triangle_edges(triangles: &[u32]) -> Vec<u32> {
    let triangles = triangles.as_chunks::<3>().0;
    distinct(triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]))
}

/// Each edge once.
fn distinct(edges: impl Iterator<Item = [u32; 2]>) -> Vec<u32> {
    let mut edges: Vec<[u32; 2]> = edges.map(|[a, b]| if a < b { [a, b] } else { [b, a] }).collect();
    edges.sort_unstable();
    edges.dedup();
    edges.into_flattened()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament::math::Vec3;

    #[test]
    fn edges_of_a_quad_have_no_diagonal() {
        let part = Part {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::ONE, Vec3::Y],
            faces: Faces::Polygons { starts: vec![0, 4], corners: vec![0, 1, 2, 3] },
            ..Part::default()
        };
        assert_eq!(polygon_edges(&part), [0, 1, 0, 3, 1, 2, 2, 3]);
        assert_eq!(triangle_edges(&[0, 1, 2, 0, 2, 3]), [0, 1, 0, 2, 0, 3, 1, 2, 2, 3]);
    }

    #[test]
    fn faces_of_vertices_that_do_not_exist_are_left_out() {
        let broken =
            [Faces::Triangles(vec![0, 1, 9]), Faces::Polygons { starts: vec![0, 7], corners: vec![0, 0, 0] }];
        for faces in broken {
            let part = Part { positions: vec![Vec3::ZERO; 3], faces, ..Part::default() };
            let mesh = Mesh { parts: vec![part], ..Mesh::default() };
            let mut scene = Scene { meshes: vec![mesh], ..Scene::default() };
            let mut notes = Notes::default();
            prepare(&mut scene, &mut notes);
            assert_eq!(scene.meshes[0].parts[0].faces.count(), 0);
            assert_eq!(notes.iter().count(), 1);
        }
    }
}
