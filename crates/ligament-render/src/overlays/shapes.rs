//! The points and lines of models.

use crate::Shot;
use crate::lines::{Lines, Segment};
use crate::model::{Kind, Model};
use crate::passes::is_shown;
use crate::select::{COLOR, is_marked};
use ligament::math::Vec3;
use ligament::scene::Faces;

pub(crate) fn draw(model: &Model, shot: &Shot, thickness: f32, lines: &mut Lines) {
    let scene = model.scene();
    for part in &model.parts {
        if part.kind == Kind::Triangles || !is_shown(part, shot) {
            continue;
        }
        let source = &scene.meshes[part.mesh].parts[part.part];
        let marked = is_marked(scene, part, shot.selected);
        let color = if marked { COLOR } else { model.materials[part.material].color };
        let place = |corner: u32| {
            let vertex = model.vertices.get(part.first + corner as usize);
            vertex.map_or(Vec3::ZERO, |v| Vec3::from_array(v.position))
        };
        // The vertex's own colour, if it has one.
        let tinted = |corner: u32| {
            let own = source.colors.first().filter(|_| !marked).and_then(|set| set.get(corner as usize));
            own.map_or(color, |c| {
                let [r, g, b] = [c.x, c.y, c.z].map(crate::color::to_srgb);
                [r, g, b, 255]
            })
        };
        match &source.faces {
            Faces::Lines(corners) => lines.within.extend(
                corners
                    .as_chunks::<2>()
                    .0
                    .iter()
                    .map(|&[a, b]| Segment::new(place(a), place(b), tinted(a), 1.8 * thickness)),
            ),
            Faces::Points(corners) => lines
                .within
                .extend(corners.iter().map(|&c| Segment::dot(place(c), tinted(c), 3.5 * thickness))),
            _ => lines
                .within
                .extend((0..part.count as u32).map(|c| Segment::dot(place(c), tinted(c), 3.5 * thickness))),
        }
    }
}
