//! Materials and bounding boxes.

use super::super::codes;
use super::super::document::{Bounds, Material};
use super::Reader;
use super::header::Header;
use super::line::{Context, Keyword, values};
use crate::report::Failure;
use crate::text::{FieldsOf, RawText};
use glam::Vec3;

/// The shortest material: five lines of a key, a space, a value and a line end.
const LEAST_MATERIAL_BYTES: usize = 55;

impl Reader<'_, '_> {
    pub(super) fn materials(&mut self, header: &Header) -> Result<Vec<Material>, Failure> {
        let room = self.text.room_for(header.materials.into(), LEAST_MATERIAL_BYTES);
        let mut materials = Vec::with_capacity(room);
        for i in 0..header.materials {
            let of = Context::Record("material", i as usize, header.materials as usize);
            let Some(line) = self.expect(Keyword::Material, of)? else { break };
            let mut material = Material { name: self.name(values(&line).rest()), ..Material::default() };
            if let Some(line) = self.expect(Keyword::Ambient, of)? {
                [material.ambient] = self.numbers(values(&line), "ambient");
            }
            if let Some(line) = self.expect(Keyword::Diffuse, of)? {
                material.diffuse = self.numbers(values(&line), "diffuse");
            }
            if let Some(line) = self.expect(Keyword::Specular, of)? {
                material.specular = self.numbers(values(&line), "specular");
            }
            if let Some(line) = self.expect(Keyword::Texture, of)? {
                material.texture = self.texture(values(&line));
            }
            materials.push(material);
        }
        Ok(materials)
    }

    fn texture(&mut self, fields: FieldsOf<'_>) -> RawText {
        let field = fields.rest();
        if field.is_empty() {
            self.text.error(&codes::MISSING_FIELD, fields.end().spot(), "texture needs a file name");
            return RawText::default();
        }
        let texture = self.name(field);
        match crate::io::safe_relative(&texture.to_text()) {
            Err(refusal) => {
                let message = format!("texture {texture}: {refusal}");
                self.text.error(&codes::TEXTURE_PATH, field.spot(), message);
            }
            Ok(path) => {
                if self.folder.is_some_and(|folder| !folder.contains(&path)) {
                    let message = format!("the texture {texture} is not in the model's folder");
                    self.text.warning(&codes::TEXTURE_MISSING, field.spot(), message);
                }
            }
        }
        texture
    }

    /// Reads the three lines of a box; `None` if some are missing, which is reported.
    pub(super) fn bounds(&mut self, of: Context) -> Result<Option<Bounds>, Failure> {
        let mut bounds = [[0.0; 2]; 3];
        let mut complete = true;
        for (axis, keyword) in bounds.iter_mut().zip([Keyword::XBounds, Keyword::YBounds, Keyword::ZBounds]) {
            let Some(line) = self.expect(keyword, of)? else {
                complete = false;
                continue;
            };
            *axis = self.numbers(values(&line), "a box's axis");
            if axis[0] > axis[1] {
                let message = format!("the minimum {} is larger than the maximum {}", axis[0], axis[1]);
                self.text.warning(&codes::BOUNDS_ORDER, values(&line).rest().spot(), message);
            }
        }
        Ok(complete.then_some(bounds))
    }

    /// Reads the bounding box of the bind pose, at the end of the file.
    pub(super) fn model_bounds(
        &mut self,
        header: &Header,
        positions: &[Vec3],
    ) -> Result<Option<Bounds>, Failure> {
        let first = self.text.peek()?;
        let there = first.as_ref().is_some_and(|line| Keyword::of(line) == Keyword::XBounds);
        if header.has_collision != Some(true) && !there {
            return Ok(None);
        }
        let Some(bounds) = self.bounds(Context::Model)? else { return Ok(None) };
        if let Some(outside) = farthest_outside(&bounds, positions).filter(|&d| d > 1e-3)
            && let Some(line) = first
        {
            let message = format!("vertices of the bind pose are up to {outside} outside this box");
            self.text.warning(&codes::BOUNDS_OUTSIDE, line.trimmed().up_to(line.whole()).spot(), message);
        }
        Ok(Some(bounds))
    }
}

/// How far the farthest vertex is outside a box, along one axis; `None` if all are inside.
fn farthest_outside(bounds: &Bounds, positions: &[Vec3]) -> Option<f32> {
    let first = *positions.first()?;
    let (least, greatest) = positions.iter().fold((first, first), |(a, b), &p| (a.min(p), b.max(p)));
    let below = |i: usize| bounds[i][0] - least[i];
    let above = |i: usize| greatest[i] - bounds[i][1];
    let outside = (0..3).map(|i| below(i).max(above(i))).fold(0.0, f32::max);
    (outside > 0.0).then_some(outside)
}
