//! Merges identical vertices, and splits them again.

use crate::mesh::vertices::{corners_mut, gather};
use crate::mesh::weld::weld_part;
use crate::scene::Scene;

/// Merges the vertices of each part that are identical bit by bit in every attribute, including influences and morph
/// deltas. The first of them stays, so the order of vertices is kept. Takes time linear in the vertices.
///
/// ```
/// use ligament::passes::weld::{unweld, weld};
/// use ligament::scene::{Faces, Mesh, Part, Scene};
/// use ligament::math::Vec3;
///
/// let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Y, Vec3::X, Vec3::ONE];
/// let part = Part { positions, faces: Faces::Triangles((0..6).collect()), ..Part::default() };
/// let mut scene = Scene { meshes: vec![Mesh { parts: vec![part], ..Mesh::default() }], ..Scene::default() };
/// weld(&mut scene);
/// assert_eq!(scene.meshes[0].vertex_count(), 4);
/// unweld(&mut scene);
/// assert_eq!(scene.meshes[0].vertex_count(), 6);
/// ```
pub fn weld(scene: &mut Scene) {
    scene.meshes.iter_mut().flat_map(|m| &mut m.parts).for_each(weld_part);
}

/// Gives every corner of every face its own vertex, in the order of the faces. Vertices that no face uses are removed.
pub fn unweld(scene: &mut Scene) {
    for part in scene.meshes.iter_mut().flat_map(|m| &mut m.parts) {
        let corners = corners_mut(&mut part.faces);
        if corners.iter().enumerate().all(|(i, &c)| i == c as usize) && corners.len() == part.positions.len()
        {
            continue;
        }
        let chosen: Vec<u32> = (0..corners.len() as u32).collect();
        let chosen = std::mem::replace(corners, chosen);
        gather(part, &chosen);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing;
    use crate::scene::{Faces, Influence, Influences, MorphDeltas, Part};
    use glam::{Vec2, Vec3};

    fn corners(scene: &Scene) -> Vec<Vec3> {
        let parts = scene.meshes.iter().flat_map(|m| &m.parts);
        parts.flat_map(|p| p.faces.corners().iter().map(|&c| p.positions[c as usize])).collect()
    }

    #[test]
    fn unweld_and_weld_keep_every_corner() {
        for (name, before) in testing::scenes() {
            let mut after = before.clone();
            unweld(&mut after);
            assert_eq!(corners(&before), corners(&after), "{name}");
            weld(&mut after);
            assert_eq!(corners(&before), corners(&after), "{name}");
            let mut again = before.clone();
            weld(&mut again);
            if again.vertex_count() == before.vertex_count() {
                assert_eq!(again, before, "{name}: nothing to weld, nothing to change");
            }
        }
    }

    #[test]
    fn a_difference_in_any_attribute_keeps_vertices_apart() {
        let same = || Part {
            positions: vec![Vec3::ONE; 2],
            uvs: vec![vec![Vec2::ZERO; 2]],
            influences: {
                let mut influences = Influences::new();
                (0..2).for_each(|_| influences.push([Influence { joint: 1, weight: 1.0 }]));
                influences
            },
            morphs: vec![MorphDeltas { positions: vec![Vec3::X; 2], ..MorphDeltas::default() }],
            faces: Faces::Lines(vec![0, 1]),
            ..Part::default()
        };
        let mut part = same();
        weld_part(&mut part);
        assert_eq!((part.positions.len(), part.faces.corners()), (1, &[0, 0][..]));
        assert_eq!((part.uvs[0].len(), part.influences.len(), part.morphs[0].positions.len()), (1, 1, 1));
        let changes: [fn(&mut Part); 4] = [
            |p| p.positions[1].x = 2.0,
            |p| p.uvs[0][1].y = -0.0,
            |p| p.influences.pairs_mut()[1].joint = 0,
            |p| p.morphs[0].positions[1].z = 1.0,
        ];
        for change in changes {
            let mut part = same();
            change(&mut part);
            weld_part(&mut part);
            assert_eq!(part.positions.len(), 2);
        }
    }
}
