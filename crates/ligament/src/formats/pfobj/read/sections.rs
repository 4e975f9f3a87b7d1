//! Materials and bounding boxes.

use super::super::codes;
use super::super::document::{Bounds, Material};
use super::Reader;
use super::header::Header;
use super::line::{Context, Keyword};
use crate::report::Failure;
use crate::text::RawText;
use glam::Vec3;

/// The shortest material: five lines of a key, a blank, a value and a line end.
const LEAST_MATERIAL_BYTES: usize = 55;

impl Reader<'_, '_> {
    pub(super) fn materials(&mut self, header: &Header) -> Result<Vec<Material>, Failure> {
        let mut materials = Vec::with_capacity(self.room_for(header.materials.into(), LEAST_MATERIAL_BYTES));
        for i in 0..header.materials {
            let of = Context::Material(i as usize, header.materials);
            let Some(fields) = self.expect(Keyword::Material, of)? else { break };
            let mut material = Material { name: self.name(fields.rest()), ..Material::default() };
            if let Some(mut fields) = self.expect(Keyword::Ambient, of)? {
                [material.ambient] = self.numbers(&mut fields, "ambient");
            }
            if let Some(mut fields) = self.expect(Keyword::Diffuse, of)? {
                material.diffuse = self.numbers(&mut fields, "diffuse");
            }
            if let Some(mut fields) = self.expect(Keyword::Specular, of)? {
                material.specular = self.numbers(&mut fields, "specular");
            }
            if let Some(fields) = self.expect(Keyword::Texture, of)? {
                material.texture = self.texture(fields.rest(), fields.end());
            }
            materials.push(material);
        }
        Ok(materials)
    }

    fn texture(&mut self, span: std::ops::Range<usize>, line_end: usize) -> RawText {
        if span.is_empty() {
            self.error(&codes::MISSING_FIELD, line_end..line_end, "texture needs a file name");
            return RawText::default();
        }
        let texture = self.name(span.clone());
        match crate::io::safe_relative(&texture.to_text()) {
            Err(refusal) => self.error(&codes::TEXTURE_PATH, span, format!("texture {texture}: {refusal}")),
            Ok(path) => {
                if self.folder.is_some_and(|folder| !folder.contains(&path)) {
                    let message = format!("the texture {texture} is not in the model's folder");
                    self.warning(&codes::TEXTURE_MISSING, span, message);
                }
            }
        }
        texture
    }

    /// The three lines of a box; `None` if they are not all there, which is reported.
    pub(super) fn bounds(&mut self, of: Context) -> Result<Option<Bounds>, Failure> {
        let mut bounds = [[0.0; 2]; 3];
        let mut complete = true;
        for (axis, keyword) in bounds.iter_mut().zip([Keyword::XBounds, Keyword::YBounds, Keyword::ZBounds]) {
            let Some(mut fields) = self.expect(keyword, of)? else {
                complete = false;
                continue;
            };
            let span = fields.rest();
            *axis = self.numbers(&mut fields, "a box's axis");
            if axis[0] > axis[1] {
                self.warning(&codes::BOUNDS_ORDER, span, format!("{} is above {}", axis[0], axis[1]));
            }
        }
        Ok(complete.then_some(bounds))
    }

    /// The box of the bind pose, at the end of the file.
    pub(super) fn model_bounds(
        &mut self,
        header: &Header,
        positions: &[Vec3],
    ) -> Result<Option<Bounds>, Failure> {
        let there = self.peek().is_some_and(|(_, keyword)| keyword == Keyword::XBounds);
        if header.has_collision != Some(true) && !there {
            return Ok(None);
        }
        let start = self.peek().map_or(self.at, |(line, _)| line.start);
        let Some(bounds) = self.bounds(Context::Model)? else { return Ok(None) };
        let end = self.at.max(start);
        if let Some(outside) = farthest_outside(&bounds, positions).filter(|&d| d > 1e-3) {
            let message = format!("vertices of the bind pose lie up to {outside} outside of this box");
            let line_end = memchr::memchr(b'\n', &self.bytes[start..end]).map_or(end, |n| start + n);
            self.warning(&codes::BOUNDS_OUTSIDE, start..line_end, message);
        }
        Ok(Some(bounds))
    }
}

/// How far the farthest vertex is outside of a box, along one axis; `None` if none is.
fn farthest_outside(bounds: &Bounds, positions: &[Vec3]) -> Option<f32> {
    let first = *positions.first()?;
    let (least, greatest) = positions.iter().fold((first, first), |(a, b), &p| (a.min(p), b.max(p)));
    let below = |i: usize| bounds[i][0] - least[i];
    let above = |i: usize| greatest[i] - bounds[i][1];
    let outside = (0..3).map(|i| below(i).max(above(i))).fold(0.0, f32::max);
    (outside > 0.0).then_some(outside)
}
