//! Lists without duplicates. Numbers are equal if their bits are.

use crate::formats::obj::codes;
use crate::formats::obj::color::to_srgb;
use crate::formats::obj_text::Distinct;
use crate::report::{Failure, Place, Report};
use crate::scene::Part;
use glam::Vec4;

/// The lists being filled.
pub(super) struct Lists {
    positions: Positions,
    uvs: Distinct<2>,
    normals: Distinct<3>,
    lengths: [usize; 3],
}

/// Positions, which include their colour.
enum Positions {
    Plain(Distinct<3>),
    Colored(Distinct<7>),
}

/// The lists as written to the file.
pub(in crate::formats::obj) struct Finished {
    /// `v`.
    pub(in crate::formats::obj) positions: Vec<[f32; 3]>,
    /// The colours of positions; empty if there are none.
    pub(in crate::formats::obj) colors: Vec<[f32; 4]>,
    /// `vt`, V up.
    pub(in crate::formats::obj) uvs: Vec<[f32; 2]>,
    /// `vn`.
    pub(in crate::formats::obj) normals: Vec<[f32; 3]>,
}

fn bits<const N: usize>(values: [f32; N]) -> [i32; N] {
    values.map(|v| v.to_bits() as i32)
}

fn floats<const N: usize>(records: Vec<[i32; N]>) -> Vec<[f32; N]> {
    records.into_iter().map(|record| record.map(|v| f32::from_bits(v as u32))).collect()
}

impl Lists {
    pub(super) fn new(colored: bool) -> Self {
        let positions = match colored {
            true => Positions::Colored(Distinct::new()),
            false => Positions::Plain(Distinct::new()),
        };
        Self { positions, uvs: Distinct::new(), normals: Distinct::new(), lengths: [0; 3] }
    }

    /// Returns the corner of each vertex of a part.
    pub(super) fn corners(&mut self, part: &Part, report: &mut Report) -> Result<Vec<[i32; 3]>, Failure> {
        let corners: Option<Vec<_>> =
            (0..part.positions.len()).map(|vertex| self.corner(part, vertex)).collect();
        corners.ok_or_else(|| {
            let message = "the model has more vertices than readers of the format can count";
            report.invalid(&codes::TOO_MANY, Place::WHOLE, message)
        })
    }

    fn corner(&mut self, part: &Part, vertex: usize) -> Option<[i32; 3]> {
        let [x, y, z] = part.positions[vertex].to_array();
        let position = match &mut self.positions {
            Positions::Plain(list) => list.number(&bits([x, y, z])),
            Positions::Colored(list) => {
                let color = part.colors.first().and_then(|set| set.get(vertex)).copied().unwrap_or(Vec4::ONE);
                let [r, g, b] = [color.x, color.y, color.z].map(to_srgb);
                list.number(&bits([x, y, z, r, g, b, color.w]))
            }
        };
        let uv = part.uvs.first().and_then(|set| set.get(vertex));
        let uv = uv.map(|uv| self.uvs.number(&bits([uv.x, 1.0 - uv.y])));
        let normal = part.normals.get(vertex).map(|normal| self.normals.number(&bits(normal.to_array())));
        let numbers = [Some(position), uv, normal];
        let mut corner = [-1; 3];
        for ((part, number), length) in corner.iter_mut().zip(numbers).zip(&mut self.lengths) {
            if let Some(number) = number {
                *part = i32::try_from(number?).ok().filter(|&n| n < i32::MAX)?;
                *length = (*length).max(*part as usize + 1);
            }
        }
        Some(corner)
    }

    pub(super) fn lengths(&self) -> [usize; 3] {
        self.lengths
    }

    pub(super) fn finish(self) -> Finished {
        let (positions, colors) = match self.positions {
            Positions::Plain(list) => (floats(list.into_records()), Vec::new()),
            Positions::Colored(list) => {
                let records = floats(list.into_records());
                let positions = records.iter().map(|[x, y, z, ..]| [*x, *y, *z]).collect();
                (positions, records.iter().map(|[_, _, _, r, g, b, a]| [*r, *g, *b, *a]).collect())
            }
        };
        Finished {
            positions,
            colors,
            uvs: floats(self.uvs.into_records()),
            normals: floats(self.normals.into_records()),
        }
    }
}
