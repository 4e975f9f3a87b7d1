//! Blocks with a line for each vertex.

use super::super::codes;
use super::bulk::Run;
use super::rows::Numbers;
use super::tags::Attribute;
use super::text::Reader;
use crate::report::Failure;
use crate::text::{Fields, Line, RawText, parse_u32_prefix};
use glam::{Vec2, Vec3, Vec4};

impl Reader<'_, '_> {
    pub(super) fn vertex_block(&mut self, attribute: Attribute, line: Line) -> Result<(), Failure> {
        let Some(count) = self.vertex_count else {
            let message = format!("`{}` comes before `@vert_count`", attribute.tag());
            return Err(self.fatal(&codes::NO_COUNT, line.start..line.end, message));
        };
        let first = self.once(attribute.tag(), line);
        let Some(comps) = self.comps(attribute, line).filter(|_| first) else {
            self.skip_data();
            return Ok(());
        };
        let count = u64::from(count);
        let room = self.room_for(count, 2 * comps as usize);
        let found = match attribute {
            Attribute::Points => {
                let mut points =
                    self.runs.take(self.at, Run::three).unwrap_or_else(|| Vec::with_capacity(room));
                let read = points.len();
                let found = self.rows(read, count, Numbers::Places, |row| points.push(Vec3::from_array(row)));
                self.document.vertices.positions = points;
                found
            }
            Attribute::Normals => {
                let mut normals =
                    self.runs.take(self.at, Run::three).unwrap_or_else(|| Vec::with_capacity(room));
                let read = normals.len();
                let found = self.rows(read, count, Numbers::Any, |row| normals.push(Vec3::from_array(row)));
                self.document.vertices.normals = normals;
                found
            }
            Attribute::Colors => {
                let mut colors = Vec::with_capacity(room);
                let found = self.rows(0, count, Numbers::Any, |row| colors.push(Vec3::from_array(row)));
                self.document.vertices.colors = colors;
                found
            }
            Attribute::TextureCoordinates => {
                let mut uvs = self.runs.take(self.at, Run::two).unwrap_or_else(|| Vec::with_capacity(room));
                let read = uvs.len();
                let found = self.rows(read, count, Numbers::Any, |row| uvs.push(Vec2::from_array(row)));
                self.document.vertices.uvs = uvs;
                found
            }
            Attribute::Tangents => self.tangents(count, comps, room),
            Attribute::Bones => self.bones(count, comps as usize, room),
            Attribute::Weights => self.weights(count, comps as usize, room, line),
        };
        if found == 0 && count > 0 && attribute != Attribute::Points {
            let message = format!("there is nothing below `{}`", attribute.tag());
            self.warning(&codes::NO_DATA, line.start..line.end, message);
        } else if (found as u64) < count {
            self.ends_early(attribute.tag(), found, count);
        }
        Ok(())
    }

    fn tangents(&mut self, count: u64, comps: u32, room: usize) -> usize {
        let mut tangents = self.runs.take(self.at, Run::four).unwrap_or_else(|| Vec::with_capacity(room));
        let read = tangents.len();
        let found = if comps == 3 {
            self.rows(read, count, Numbers::Any, |row| tangents.push(Vec3::from_array(row).extend(1.0)))
        } else {
            self.rows(read, count, Numbers::Any, |row| tangents.push(Vec4::from_array(row)))
        };
        self.document.vertices.tangents = tangents;
        self.document.vertices.short_tangents = comps == 3;
        found
    }

    fn weights(&mut self, count: u64, comps: usize, room: usize, tag: Line) -> usize {
        let mut weights = self
            .runs
            .take(self.at, Run::weights)
            .unwrap_or_else(|| Vec::with_capacity(room.saturating_mul(comps)));
        let read = weights.len() / comps.max(1);
        let found = match comps {
            1 => self.rows(read, count, Numbers::Bounded, |row: [f32; 1]| weights.extend(row)),
            2 => self.rows(read, count, Numbers::Bounded, |row: [f32; 2]| weights.extend(row)),
            3 => self.rows(read, count, Numbers::Bounded, |row: [f32; 3]| weights.extend(row)),
            _ => self.rows(read, count, Numbers::Bounded, |row: [f32; 4]| weights.extend(row)),
        };
        let bones = self.document.vertices.bones_per_vertex;
        if found > 0 && bones != comps {
            let message = match bones {
                0 => "weights without bones: `@vw` comes after `@vb`".to_owned(),
                bones => format!("{comps} weights a vertex, and {bones} bones"),
            };
            self.error(&codes::WEIGHTS, tag.start..tag.end, message);
        }
        self.document.vertices.weights = weights;
        found
    }

    fn bones(&mut self, count: u64, comps: usize, room: usize) -> usize {
        let mut bones = Vec::with_capacity(room.saturating_mul(comps));
        let mut found = 0;
        self.origins.bones = self.at;
        while found < count {
            let plain = if comps == 1 { plain_bone(self.bytes, self.at) } else { None };
            if let Some((bone, next)) = plain {
                bones.push(bone);
                self.at = next;
            } else {
                let Some(line) = self.data_line() else { break };
                self.at = line.next;
                self.bone_row(line, comps, &mut bones);
            }
            found += 1;
        }
        self.document.vertices.bones_per_vertex = if found > 0 { comps } else { 0 };
        self.document.vertices.bones = bones;
        found as usize
    }

    fn bone_row(&mut self, line: Line, comps: usize, bones: &mut Vec<i32>) {
        let mut fields = Fields::new(self.bytes, line.start, line.end);
        for i in 0..comps {
            let bone = match fields.next() {
                Some(field) => self.index(field),
                None => {
                    let message = format!("expected {comps} bones, found {i}");
                    self.error(&codes::FIELDS, line.start..line.end, message);
                    bones.extend(std::iter::repeat_n(-1, comps - i));
                    return;
                }
            };
            bones.push(bone.unwrap_or(-1));
        }
        if let Some(extra) = fields.next() {
            let text = RawText::from(&self.bytes[extra.clone()]);
            self.error(&codes::FIELDS, extra, format!("expected {comps} bones, found {text} after them"));
        }
    }
}

/// A whole number on a line of its own.
#[inline(always)]
fn plain_bone(bytes: &[u8], at: usize) -> Option<(i32, usize)> {
    let (bone, end) = parse_u32_prefix(bytes, at)?;
    // Nine digits always fit.
    (*bytes.get(end)? == b'\n').then_some((bone as i32, end + 1))
}
