//! Triangles and vertices in an order that graphics cards like.

use super::codes;
use super::triangulate::{TriangulateOptions, triangulate};
use crate::mesh::order::{by_use, misses, ordered};
use crate::mesh::vertices::{corners_mut, gather};
use crate::report::{Loss, Report, shown::short};
use crate::scene::{AlphaMode, Faces, Part, Scene};

/// Orders the triangles of every part for the vertex cache and against overdraw, and the vertices by their first use. Faces with more
/// corners are cut first. Triangles
/// of blended materials stay in their order, because it can be seen.
pub fn optimise(scene: &mut Scene, report: &mut Report) {
    if scene
        .meshes
        .iter()
        .flat_map(|mesh| &mesh.parts)
        .any(|part| matches!(part.faces, Faces::Polygons { .. }))
    {
        triangulate(scene, &TriangulateOptions::default(), report);
    }
    let is_blended: Vec<bool> =
        scene.materials.iter().map(|material| matches!(material.alpha, AlphaMode::Blend)).collect();
    let (mut count, mut before, mut after) = (0, 0.0, 0.0);
    for part in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.parts) {
        let vertices = part.positions.len();
        let stays = part.material.is_some_and(|id| is_blended.get(id.index()) == Some(&true));
        if let Faces::Triangles(corners) = &mut part.faces {
            let triangles = (corners.len() / 3) as f64;
            let own = misses(corners, vertices);
            before += own * triangles;
            let made = if stays { corners.clone() } else { ordered(corners, &part.positions) };
            let made_misses = misses(&made, vertices);
            // An order that an artist's tool has found may be better for the cache.
            let is_better = made_misses <= own;
            if is_better {
                *corners = made;
            }
            after += if is_better { made_misses } else { own } * triangles;
            count += corners.len() / 3;
        }
        fetch(part);
    }
    let message = format!(
        "vertices posed per triangle with a cache of 16: {} before, {} now; vertices are in the order of their first use",
        short(before / (count as f64).max(1.0)),
        short(after / (count as f64).max(1.0))
    );
    report.loss(Loss::kept(&codes::OPTIMISED, "", count, message));
}

/// Puts vertices in the order of their first use.
fn fetch(part: &mut Part) {
    let order = by_use(part.faces.corners(), part.positions.len());
    if order.iter().enumerate().all(|(new, old)| new as u32 == *old) {
        return;
    }
    let mut new = vec![0_u32; order.len()];
    order.iter().enumerate().for_each(|(index, old)| new[*old as usize] = index as u32);
    corners_mut(&mut part.faces).iter_mut().for_each(|corner| *corner = new[*corner as usize]);
    gather(part, &order);
}
