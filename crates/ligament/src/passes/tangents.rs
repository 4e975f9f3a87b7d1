//! Computes missing tangents from the texture coordinates.

use super::{codes, label};
use crate::mesh::tangents::add_tangents;
use crate::report::{Loss, Report};
use crate::scene::Scene;

/// How tangents are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TangentsOptions {
    /// The texture coordinate set that tangents follow. Parts that lack it get none.
    pub uv_set: usize,
}

/// Adds tangents to the parts that have texture coordinates and normals but no tangents, by MikkTSpace, as modelling
/// programs do to bake normal maps and as glTF prescribes. Vertices are split where two faces at a vertex have
/// different tangents.
///
/// ```
/// use ligament::passes::tangents::{TangentsOptions, tangents};
/// use ligament::scene::{Faces, Mesh, Part, Scene};
/// use ligament::math::{Vec2, Vec3, Vec4};
///
/// let part = Part {
///     positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
///     normals: vec![Vec3::Z; 3],
///     uvs: vec![vec![Vec2::new(0.0, 1.0), Vec2::new(1.0, 1.0), Vec2::new(0.0, 0.0)]],
///     faces: Faces::Triangles(vec![0, 1, 2]),
///     ..Part::default()
/// };
/// let mut scene = Scene { meshes: vec![Mesh { parts: vec![part], ..Mesh::default() }], ..Scene::default() };
/// tangents(&mut scene, &TangentsOptions::default(), &mut Default::default());
/// assert_eq!(scene.meshes[0].parts[0].tangents, [Vec4::new(1.0, 0.0, 0.0, 1.0); 3]);
/// ```
pub fn tangents(scene: &mut Scene, options: &TangentsOptions, report: &mut Report) {
    for (index, mesh) in scene.meshes.iter_mut().enumerate() {
        let mut count = 0;
        for part in &mut mesh.parts {
            count += if add_tangents(part, options.uv_set) { part.positions.len() } else { 0 };
        }
        let object = label("mesh", &mesh.name, index);
        let message = "the source has no tangents; they are computed by MikkTSpace";
        report.loss(Loss::kept(&codes::TANGENTS_COMPUTED, object, count, message));
    }
}

#[cfg(test)]
mod tests;
