//! The layout of texture coordinates as a picture.

use ligament::Scene;
use ligament::math::Vec2;
use ligament::scene::{Faces, MaterialId, UvTransform};
use ligament_render::Picture;
use std::collections::HashSet;

/// Edges beyond this many would only fill the picture.
const MOST: usize = 300_000;
/// The colour of an edge, and of the dark rim that makes it visible on anything.
const EDGE: [u8; 4] = [255, 255, 255, 255];
const RIM: [u8; 4] = [20, 24, 36, 170];

/// The edges of everything that has a material, in texture coordinates.
pub fn edges(
    scene: &Scene,
    material: MaterialId,
    set: usize,
    transform: Option<UvTransform>,
) -> Vec<[Vec2; 2]> {
    let mut edges = Vec::new();
    let parts = scene.meshes.iter().flat_map(|mesh| &mesh.parts);
    for part in parts.filter(|part| part.material == Some(material)) {
        let (Some(uvs), Faces::Triangles(corners)) = (part.uvs.get(set), &part.faces) else { continue };
        let mut known: HashSet<[u32; 2]> = HashSet::new();
        for &[a, b, c] in corners.as_chunks::<3>().0 {
            for [from, to] in [[a, b], [b, c], [c, a]] {
                let is_new = known.insert(if from < to { [from, to] } else { [to, from] });
                let ends = [from, to].map(|corner| uvs.get(corner as usize).copied().unwrap_or_default());
                let ends = ends.map(|uv| transform.map_or(uv, |transform| moved(uv, &transform)));
                if is_new && ends.iter().all(|uv| uv.is_finite()) {
                    edges.push(ends);
                }
                if edges.len() >= MOST {
                    return edges;
                }
            }
        }
    }
    edges
}

/// As KHR_texture_transform defines it: scale, then rotation, then offset.
fn moved(uv: Vec2, transform: &UvTransform) -> Vec2 {
    let scaled = uv * Vec2::from(transform.scale);
    let (sin, cos) = transform.rotation.sin_cos();
    Vec2::new(cos * scaled.x + sin * scaled.y, cos * scaled.y - sin * scaled.x) + Vec2::from(transform.offset)
}

/// Draws edges on a transparent square. Those outside of the texture are drawn where it repeats.
pub fn draw(edges: &[[Vec2; 2]], side: u32) -> Picture {
    let mut picture = Picture { width: side, height: side, rgba: vec![0; side as usize * side as usize * 4] };
    let size = side as f32;
    let pixels = edges.iter().map(|ends| {
        let tile = (ends[0].min(ends[1]) + 1e-5).floor();
        ends.map(|uv| (uv - tile) * size)
    });
    let pixels: Vec<[Vec2; 2]> = pixels.collect();
    for &[from, to] in &pixels {
        for step in [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y] {
            line(&mut picture, from + step, to + step, RIM);
        }
    }
    pixels.iter().for_each(|&[from, to]| line(&mut picture, from, to, EDGE));
    picture
}

fn line(picture: &mut Picture, from: Vec2, to: Vec2, color: [u8; 4]) {
    let side = picture.width as f32;
    // An edge across many tiles is cut at the border of the first.
    let length = (to - from).abs().max_element().min(side * 4.0);
    let steps = length.ceil().max(1.0) as u32;
    for step in 0..=steps {
        let at = from.lerp(to, step as f32 / steps as f32);
        let (x, y) = (at.x.floor().min(side - 1.0), at.y.floor().min(side - 1.0));
        // The end of a texture is within its last pixel.
        if x >= 0.0 && y >= 0.0 && at.x <= side && at.y <= side {
            let index = (y as usize * picture.width as usize + x as usize) * 4;
            if let Some(pixel) = picture.rgba.get_mut(index..index + 4) {
                pixel.copy_from_slice(&color);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament::scene::{Mesh, Part};

    fn scene(uvs: Vec<Vec2>) -> Scene {
        let part = Part {
            material: Some(MaterialId(0)),
            uvs: vec![uvs],
            faces: Faces::Triangles(vec![0, 1, 2, 2, 1, 3]),
            ..Part::default()
        };
        Scene { meshes: vec![Mesh { parts: vec![part], ..Mesh::default() }], ..Scene::default() }
    }

    #[test]
    fn edges_are_drawn_once_where_their_coordinates_are() {
        let square = scene(vec![Vec2::ZERO, Vec2::X * 0.5, Vec2::Y * 0.5, Vec2::splat(0.5)]);
        let all = edges(&square, MaterialId(0), 0, None);
        assert_eq!(all.len(), 5, "the diagonal is shared");
        assert!(edges(&square, MaterialId(1), 0, None).is_empty());
        assert!(edges(&square, MaterialId(0), 1, None).is_empty());
        let picture = draw(&all, 64);
        for (x, y, is_edge) in
            [(16, 0, true), (0, 16, true), (32, 16, true), (16, 32, true), (8, 40, false), (8, 8, false)]
        {
            assert_eq!(picture.pixel(x, y) == Some(EDGE), is_edge, "{x} {y}");
        }
        // The same one tile further.
        let far = scene(
            [Vec2::ZERO, Vec2::X * 0.5, Vec2::Y * 0.5, Vec2::splat(0.5)]
                .map(|uv| uv + Vec2::new(3.0, -2.0))
                .to_vec(),
        );
        let far = draw(&edges(&far, MaterialId(0), 0, None), 64);
        let apart = far.rgba.iter().zip(&picture.rgba).filter(|(a, b)| a != b).count();
        assert!(apart < 200, "{apart}");
    }

    #[test]
    fn wild_coordinates_are_left_out_or_cut() {
        let wild = scene(vec![Vec2::NAN, Vec2::splat(1e30), Vec2::splat(-1e30), Vec2::INFINITY]);
        let picture = draw(&edges(&wild, MaterialId(0), 0, None), 32);
        assert_eq!(picture.rgba.len(), 32 * 32 * 4);
        let quarter =
            UvTransform { offset: [0.0, 1.0], rotation: std::f32::consts::FRAC_PI_2, scale: [2.0, 1.0] };
        let turned = moved(Vec2::new(0.25, 0.0), &quarter);
        // A turn by 90 degrees in the texture's coordinates, whose V points down.
        assert!((turned - Vec2::new(0.0, 0.5)).length() < 1e-6, "{turned}");
    }
}
