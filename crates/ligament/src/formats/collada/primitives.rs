//! `<triangles>`, `<polylist>`, `<polygons>`, strips, fans and lines: index tuples and the faces that they form.

use super::codes;
use super::import::Import;
use super::xml::{Xml, child, children, label, tag};
use crate::scene::Faces;

/// A primitive's corners before they are joined into vertices.
#[derive(Debug, Default)]
pub(super) struct Corners {
    /// Indices, `stride` per corner.
    pub indices: Vec<i32>,
    pub stride: usize,
    /// The faces, as corners.
    pub faces: Faces,
}

impl Corners {
    /// The number of corners.
    pub fn len(&self) -> usize {
        self.indices.len() / self.stride.max(1)
    }
}

impl<'d> Import<'d, '_> {
    /// Reads the corners of a primitive element; `None` if it is not a primitive.
    pub(super) fn corners(&mut self, primitive: Xml<'d>, stride: usize) -> Option<Corners> {
        let mut corners = Corners { stride, ..Corners::default() };
        match tag(primitive) {
            "triangles" => corners.faces = Faces::Triangles(self.all_corners(primitive, &mut corners, 3)),
            "lines" => corners.faces = Faces::Lines(self.all_corners(primitive, &mut corners, 2)),
            "polylist" => self.polylist(primitive, &mut corners),
            "polygons" => self.polygons(primitive, &mut corners),
            "tristrips" | "trifans" | "linestrips" => self.strips(primitive, &mut corners),
            _ => return None,
        }
        Some(corners)
    }

    /// Reads elements that each have `size` corners. Returns the corners of the complete ones.
    fn all_corners(&mut self, primitive: Xml<'d>, corners: &mut Corners, size: usize) -> Vec<u32> {
        self.one_list(primitive, corners);
        let rest = corners.len() % size;
        if rest > 0 {
            let message = format!("the last face has only {rest} of {size} corners; it is left out");
            self.warning(&codes::COUNT, primitive, message);
        }
        self.check_count(primitive, corners.len() / size);
        (0..(corners.len() - rest) as u32).collect()
    }

    /// Reads all indices of the primitive's `<p>` elements into one list.
    fn one_list(&mut self, primitive: Xml<'d>, corners: &mut Corners) {
        for list in children(primitive, "p") {
            self.list(list, corners);
        }
    }

    /// Adds one `<p>`; returns how many corners it has.
    fn list(&mut self, list: Xml<'d>, corners: &mut Corners) -> usize {
        let mut indices = self.wholes(list);
        let rest = indices.len() % corners.stride;
        if rest > 0 {
            let message =
                format!("{} indices are not a multiple of the {} per corner", indices.len(), corners.stride);
            self.warning(&codes::COUNT, list, message);
            indices.truncate(indices.len() - rest);
        }
        let count = indices.len() / corners.stride;
        if corners.indices.is_empty() {
            corners.indices = indices;
        } else {
            corners.indices.append(&mut indices);
        }
        count
    }

    fn polylist(&mut self, primitive: Xml<'d>, corners: &mut Corners) {
        self.one_list(primitive, corners);
        let counts = child(primitive, "vcount").map(|list| self.wholes(list)).unwrap_or_default();
        self.check_count(primitive, counts.len());
        let total = corners.len();
        let (mut at, mut cut) = (0_usize, false);
        let mut ends = Vec::with_capacity(counts.len());
        for count in counts {
            let end = at.saturating_add(usize::try_from(count).unwrap_or(0));
            if end > total {
                cut = true;
                break;
            }
            ends.push((at as u32, end as u32));
            at = end;
        }
        if cut || at < total {
            let message =
                format!("vcount does not match the {total} corners in <p>; only complete faces are read");
            self.warning(&codes::COUNT, primitive, message);
        }
        corners.faces = self.faces(primitive, &ends);
    }

    fn polygons(&mut self, primitive: Xml<'d>, corners: &mut Corners) {
        let (mut ends, mut holes) = (Vec::new(), 0);
        for element in primitive.children().filter(|n| n.is_element()) {
            let list = match tag(element) {
                "p" => Some(element),
                "ph" => {
                    holes += children(element, "h").count();
                    child(element, "p")
                }
                _ => None,
            };
            if let Some(list) = list {
                let start = corners.len() as u32;
                self.list(list, corners);
                ends.push((start, corners.len() as u32));
            }
        }
        self.lose(&codes::HOLES, label_of_mesh(primitive), holes, "holes of polygons are filled");
        self.check_count(primitive, ends.len());
        corners.faces = self.faces(primitive, &ends);
    }

    /// The faces of the given corner ranges; those with fewer than three corners are left out.
    fn faces(&mut self, primitive: Xml<'d>, ranges: &[(u32, u32)]) -> Faces {
        let small = ranges.iter().filter(|(start, end)| end - start < 3).count();
        let message = "faces with fewer than three corners are left out";
        self.lose(&codes::SMALL_FACES, label_of_mesh(primitive), small, message);
        let kept = ranges.iter().filter(|(start, end)| end - start >= 3);
        if ranges.iter().all(|(start, end)| end - start == 3) {
            return Faces::Triangles(kept.flat_map(|&(start, end)| start..end).collect());
        }
        let (mut starts, mut corners) = (vec![0], Vec::new());
        for &(start, end) in kept {
            corners.extend(start..end);
            starts.push(corners.len() as u32);
        }
        Faces::Polygons { starts, corners }
    }

    fn strips(&mut self, primitive: Xml<'d>, corners: &mut Corners) {
        let mut out = Vec::new();
        let mut lists = 0;
        for list in children(primitive, "p") {
            let start = corners.len() as u32;
            let count = self.list(list, corners) as u32;
            lists += 1;
            match tag(primitive) {
                "tristrips" => {
                    for i in 0..count.saturating_sub(2) {
                        let (a, b, c) = (start + i, start + i + 1, start + i + 2);
                        // Every other triangle of a strip has the opposite winding.
                        out.extend(if i % 2 == 0 { [a, b, c] } else { [b, a, c] });
                    }
                }
                "trifans" => {
                    (1..count.saturating_sub(1)).for_each(|i| out.extend([start, start + i, start + i + 1]))
                }
                _ => (1..count).for_each(|i| out.extend([start + i - 1, start + i])),
            }
        }
        self.check_count(primitive, lists);
        corners.faces =
            if tag(primitive) == "linestrips" { Faces::Lines(out) } else { Faces::Triangles(out) };
    }
}

/// The name of the geometry around a primitive, for losses.
fn label_of_mesh(primitive: Xml<'_>) -> String {
    primitive.ancestors().find(|n| tag(*n) == "geometry").map(label).unwrap_or_default()
}
