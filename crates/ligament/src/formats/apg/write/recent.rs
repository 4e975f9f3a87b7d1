//! Lines of vertices that were written recently.

use crate::formats::apg::document::Vertices;

/// The number of lines that are kept, and their maximum length.
const KEPT: usize = 4096;
const LONGEST: usize = 79;

/// The text of shared vertices. A corner's vertex is usually one of the faces just before it, whose text is copied:
/// printing its numbers again would take longer than everything else.
pub(super) struct Recent {
    /// The line of a vertex is at its index modulo the length. None are kept where every vertex occurs once.
    lines: Vec<Line>,
}

#[derive(Clone)]
struct Line {
    /// The vertex plus one; 0 if there is none.
    vertex: usize,
    off: f64,
    length: u8,
    text: [u8; LONGEST],
}

impl Recent {
    pub(super) fn new(vertices: &Vertices) -> Self {
        let count = if vertices.corners.len() > vertices.positions.len() { KEPT } else { 0 };
        Self { lines: vec![Line { vertex: 0, off: 0.0, length: 0, text: [0; LONGEST] }; count] }
    }

    /// The text of a vertex, and its rounding error.
    pub(super) fn find(&self, vertex: usize) -> Option<(&[u8], f64)> {
        let line = self.lines.get(vertex % KEPT).filter(|line| line.vertex == vertex + 1)?;
        Some((&line.text[..usize::from(line.length)], line.off))
    }

    /// Keeps the text of a vertex, if there is one and it is short enough.
    pub(super) fn add(&mut self, vertex: usize, text: Option<&[u8]>, off: f64) {
        let Some(line) = self.lines.get_mut(vertex % KEPT) else { return };
        let Some(text) = text.filter(|text| text.len() <= LONGEST) else { return };
        line.text[..text.len()].copy_from_slice(text);
        (line.vertex, line.off, line.length) = (vertex + 1, off, text.len() as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::apg::document::{Dialect, Document};
    use crate::io::MemoryOutput;
    use crate::report::{LossKind, Report};
    use crate::settings::Precision;
    use glam::{Vec2, Vec3};

    fn write(vertices: Vertices, precision: Precision) -> (Vec<u8>, Vec<(u64, LossKind)>) {
        let document = Document { vertices, bones: 3, ..Document::default() };
        let (mut output, mut report) = (MemoryOutput::new("model"), Report::default());
        document
            .write_to(Dialect::Text, precision, &mut output, &mut report)
            .expect("memory takes everything");
        (output.main, report.losses().iter().map(|loss| (loss.count, loss.kind.clone())).collect())
    }

    #[test]
    fn shared_vertices_are_written_as_if_they_were_not_shared() {
        let count = KEPT + 500;
        let number = |i: usize| (i * 7919 % 10_007) as f32 / 317.0 - 10.0;
        let all = |n: usize| (0..count * n).map(move |i| number(i + n));
        let shared = Vertices {
            positions: (0..count)
                .map(|i| Vec3::new(number(i), number(i * 3), 1e30 * number(i * 5)))
                .collect(),
            normals: vec![Vec3::Z; count],
            uvs: (0..count).map(|i| Vec2::new(number(i * 11), 0.5)).collect(),
            bones_per_vertex: 2,
            bones: (0..2 * count).map(|i| (i % 4) as i32 - 1).collect(),
            weights: all(2).collect(),
            // Near and far, so that lines are found and replaced.
            corners: (0..6 * count as u32).map(|i| (i / 5 + i % 3 * 2000) % count as u32).collect(),
            ..Vertices::default()
        };
        let at = |i: &u32| *i as usize;
        let corners = &shared.corners;
        let apart = Vertices {
            positions: corners.iter().map(|i| shared.positions[at(i)]).collect(),
            normals: corners.iter().map(|i| shared.normals[at(i)]).collect(),
            uvs: corners.iter().map(|i| shared.uvs[at(i)]).collect(),
            bones: corners.iter().flat_map(|i| [0, 1].map(|slot| shared.bones[at(i) * 2 + slot])).collect(),
            weights: corners
                .iter()
                .flat_map(|i| [0, 1].map(|slot| shared.weights[at(i) * 2 + slot]))
                .collect(),
            corners: Vec::new(),
            ..shared.clone()
        };
        for precision in [Precision::Full, Precision::Document] {
            let (text, losses) = write(shared.clone(), precision);
            let (expected, expected_losses) = write(apart.clone(), precision);
            assert!(text == expected, "{precision:?}");
            assert_eq!(losses, expected_losses);
            assert_eq!(losses.is_empty(), precision == Precision::Full);
        }
    }
}
