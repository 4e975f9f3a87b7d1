//! Blocks with one line per vertex.

use super::super::codes;
use super::rows::Numbers;
use super::tags::Attribute;
use super::text::Reader;
use crate::report::Failure;
use crate::text::{Field, parse_u32_prefix};
use glam::{Vec2, Vec3, Vec4};

impl Reader<'_, '_> {
    pub(super) fn vertex_block(&mut self, attribute: Attribute, tag: Field<'_>) -> Result<(), Failure> {
        let Some(count) = self.vertex_count else {
            let message = format!("`{}` comes before `@vert_count`", attribute.tag());
            return Err(self.text.fatal(&codes::NO_COUNT, tag.spot(), message));
        };
        let first = self.once(attribute.tag(), tag);
        let Some(comps) = self.comps(attribute, tag).filter(|_| first) else { return self.skip_data() };
        let found = match attribute {
            Attribute::Points => {
                self.document.vertices.positions = self.rows(count, Numbers::Places, Vec3::from_array)?;
                self.document.vertices.positions.len()
            }
            Attribute::Normals => {
                self.document.vertices.normals = self.rows(count, Numbers::Any, Vec3::from_array)?;
                self.document.vertices.normals.len()
            }
            Attribute::Colors => {
                self.document.vertices.colors = self.rows(count, Numbers::Any, Vec3::from_array)?;
                self.document.vertices.colors.len()
            }
            Attribute::TextureCoordinates => {
                self.document.vertices.uvs = self.rows(count, Numbers::Any, Vec2::from_array)?;
                self.document.vertices.uvs.len()
            }
            Attribute::Tangents => self.tangents(count, comps)?,
            Attribute::Bones => self.bones(count as usize, comps as usize)?,
            Attribute::Weights => self.weights(count, comps as usize, tag)?,
        };
        if found == 0 && count > 0 && attribute != Attribute::Points {
            let message = format!("there is nothing below `{}`", attribute.tag());
            self.text.warning(&codes::NO_DATA, tag.spot(), message);
        } else if found < count as usize {
            self.ends_early(attribute.tag(), found, count)?;
        }
        Ok(())
    }

    fn tangents(&mut self, count: u32, comps: u32) -> Result<usize, Failure> {
        let tangents = match comps {
            3 => self.rows(count, Numbers::Any, |row| Vec3::from_array(row).extend(1.0))?,
            _ => self.rows(count, Numbers::Any, Vec4::from_array)?,
        };
        let found = tangents.len();
        self.document.vertices.tangents = tangents;
        self.document.vertices.short_tangents = comps == 3;
        Ok(found)
    }

    fn weights(&mut self, count: u32, comps: usize, tag: Field<'_>) -> Result<usize, Failure> {
        let weights = match comps {
            1 => self.rows::<1, _>(count, Numbers::Bounded, |row| row)?.into_flattened(),
            2 => self.rows::<2, _>(count, Numbers::Bounded, |row| row)?.into_flattened(),
            3 => self.rows::<3, _>(count, Numbers::Bounded, |row| row)?.into_flattened(),
            _ => self.rows::<4, _>(count, Numbers::Bounded, |row| row)?.into_flattened(),
        };
        let bones = self.document.vertices.bones_per_vertex;
        let found = weights.len() / comps.max(1);
        if found > 0 && bones != comps {
            let message = match bones {
                0 => "weights without bones: `@vw` comes after `@vb`".to_owned(),
                bones => format!("{comps} weights per vertex, but {bones} bones"),
            };
            self.text.error(&codes::WEIGHTS, tag.spot(), message);
        }
        self.document.vertices.weights = weights;
        Ok(found)
    }

    fn bones(&mut self, count: usize, comps: usize) -> Result<usize, Failure> {
        let room = self.text.room_for(count as u64, 2 * comps);
        let mut bones = Vec::with_capacity(room.saturating_mul(comps));
        let all = count.saturating_mul(comps);
        let mut largest = -1;
        while bones.len() < all {
            self.text.run(&mut |text: &[u8], at: usize| {
                if bones.len() == all { None } else { plain_bones(text, at, comps, largest, &mut bones) }
            })?;
            if bones.len() == all {
                break;
            }
            let Some(line) = self.data_line()? else { break };
            self.text.pass(&line);
            let first = bones.len();
            self.bone_row(line.trimmed(), comps, &mut bones);
            if let Some(&bone) = bones[first..].iter().max().filter(|&&bone| bone > largest) {
                largest = bone;
                self.origins.bones.push((bone, line.trimmed().spot()));
            }
        }
        let found = bones.len() / comps;
        self.document.vertices.bones_per_vertex = if found > 0 { comps } else { 0 };
        self.document.vertices.bones = bones;
        Ok(found)
    }

    fn bone_row(&mut self, line: Field<'_>, comps: usize, bones: &mut Vec<i32>) {
        let mut fields = line.fields();
        for i in 0..comps {
            let Some(field) = fields.next() else {
                let message = format!("expected {comps} bones, found {i}");
                self.text.error(&codes::FIELDS, line.spot(), message);
                bones.extend(std::iter::repeat_n(-1, comps - i));
                return;
            };
            bones.push(self.index(field).unwrap_or(-1));
        }
        if let Some(extra) = fields.next() {
            let message = format!("expected {comps} bones, found {} after them", extra.raw());
            self.text.error(&codes::FIELDS, extra.spot(), message);
        }
    }
}

/// Reads a line of `comps` bones, none larger than `largest`.
#[inline(always)]
fn plain_bones(
    text: &[u8],
    mut at: usize,
    comps: usize,
    largest: i32,
    bones: &mut Vec<i32>,
) -> Option<usize> {
    let mut found = [0; 4];
    let found = found.get_mut(..comps)?;
    for (i, bone) in found.iter_mut().enumerate() {
        // Nine digits always fit.
        let (number, end) = parse_u32_prefix(text, at)?;
        let separator = if i + 1 < comps { b' ' } else { b'\n' };
        if *text.get(end)? != separator || number as i32 > largest {
            return None;
        }
        *bone = number as i32;
        at = end + 1;
    }
    bones.extend_from_slice(found);
    Some(at)
}
