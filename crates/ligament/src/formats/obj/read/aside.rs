//! Reads lines on another core, before it is known what precedes them.

use super::Built;
use super::usual::{MOST_CORNERS, Taker, usual_line};
use crate::text::{Shared, Usual};
use memchr::memrchr;

/// The content of usual lines.
#[derive(Default)]
pub(super) struct Aside {
    positions: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    normals: Vec<[f32; 3]>,
    corners: Vec<[i32; 3]>,
    /// The number of corners of each face.
    sizes: Vec<u8>,
    /// How many positions, texture coordinates and normals must precede these lines.
    reach: [u32; 3],
    has_colors: bool,
}

impl Usual for Aside {
    /// Leaves colours to the caller, which knows whether earlier positions have any.
    #[inline(always)]
    fn usual(&mut self, text: &[u8], at: usize) -> Option<usize> {
        usual_line(self, text, at).filter(|_| !self.has_colors)
    }
}

const _: () = assert!(MOST_CORNERS <= u8::MAX as usize);

impl Taker for Aside {
    /// The preceding counts are unknown: [`Aside::reach`] records what is needed.
    #[inline(always)]
    fn counts(&self) -> [u32; 3] {
        [i32::MAX as u32; 3]
    }

    #[inline(always)]
    fn take_position(&mut self, position: [f32; 3]) {
        self.positions.push(position);
    }

    fn take_colored(&mut self, _: [f32; 3], _: [f32; 4]) {
        self.has_colors = true;
    }

    #[inline(always)]
    fn take_uv(&mut self, uv: [f32; 2]) {
        self.uvs.push(uv);
    }

    #[inline(always)]
    fn take_normal(&mut self, normal: [f32; 3]) {
        self.normals.push(normal);
    }

    #[inline(always)]
    fn take_face(&mut self, corners: &[[i32; 3]]) {
        let own = [self.positions.len(), self.uvs.len(), self.normals.len()];
        for corner in corners {
            for ((reach, &index), own) in self.reach.iter_mut().zip(corner).zip(own) {
                // −1 (none) requires nothing.
                *reach = (*reach).max(((index + 1) as u32).saturating_sub(own as u32));
            }
        }
        self.corners.extend_from_slice(corners);
        self.sizes.push(corners.len() as u8);
    }
}

impl Shared for Built {
    type Aside = Aside;

    fn aside(&self, _: usize) -> Aside {
        Aside::default()
    }

    /// Fails if something refers to an element that does not exist yet.
    fn add(&mut self, aside: Aside) -> bool {
        if aside.reach.iter().zip(self.counts()).any(|(&reach, count)| reach > count) {
            return false;
        }
        let model = &mut self.model;
        model.positions.extend_from_slice(&aside.positions);
        if !model.colors.is_empty() {
            model.colors.resize(model.positions.len(), [1.0; 4]);
        }
        model.uvs.extend_from_slice(&aside.uvs);
        model.normals.extend_from_slice(&aside.normals);
        let mut corners = &aside.corners[..];
        for &size in &aside.sizes {
            let (face, rest) = corners.split_at(usize::from(size));
            self.take_face(face);
            corners = rest;
        }
        true
    }

    /// The offset after the last line break that is not a continuation.
    fn last_start(&self, text: &[u8]) -> Option<usize> {
        let mut end = text.len();
        loop {
            let at = memrchr(b'\n', &text[..end])?;
            if !text[..at].strip_suffix(b"\r").unwrap_or(&text[..at]).ends_with(b"\\") {
                return Some(at + 1);
            }
            end = at;
        }
    }
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use crate::formats::obj::{Document, Model};
    use crate::report::Report;
    use std::fmt::Write;

    fn read(text: &str, threads: usize) -> (Option<Model>, String) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut report = Report::default();
            let document = Document::parse(text.as_bytes(), &Default::default(), &mut report);
            (
                document.ok().map(|document| document.model),
                format!("{:?} {:?}", report.diagnostics(), report.losses()),
            )
        })
    }

    /// Strips of triangles, with occasional lines made by `odd`; longer than what is read on one core.
    fn strips(odd: impl Fn(&mut String, u32)) -> String {
        let mut text = String::from("\u{feff}o strips\nv 0 0 0\nv 1 0 0\nvt 0 0\nvn 0 0 1\n");
        for i in 1..90_000_u32 {
            let _ = writeln!(text, "v {}.125 {} -0.5\nvt 0.{i} 0.25\nvn 0 1 0", i % 77, i / 3);
            let (a, b) = (i, i + 2);
            let _ = match i % 3 {
                0 => writeln!(text, "f {a}/{i}/1 {}/1/{i} {b}/2/1", a + 1),
                1 => writeln!(text, "f {a}//1 {} {b}/1 {a}", a + 1),
                _ => writeln!(text, "f {a} {} {b}", a + 1),
            };
            odd(&mut text, i);
        }
        assert!(text.len() > 4 << 20, "{}", text.len());
        text
    }

    #[test]
    fn several_cores_read_what_one_reads() {
        let odd = [
            strips(|_, _| ()),
            strips(|text, i| text.push_str(if i % 20_011 == 0 { "usemtl other\ns 3\n" } else { "" })),
            strips(|text, i| text.push_str(if i % 30_011 == 0 { "v 1 2 3 0.5 0.25 1\n" } else { "" })),
            strips(|text, i| text.push_str(if i == 60_000 { "f -1 -2 \\\n-3\n" } else { "" })),
            // Elements that are used before they are defined.
            strips(|text, i| text.push_str(if i % 25_000 == 7 { "f 1 2 89000\n" } else { "" })),
            strips(|text, i| {
                text.push_str(if i > 80_000 && i % 100 == 0 { "f 1 2 99999999\nv x 0 0\n" } else { "" })
            }),
        ];
        for (i, text) in odd.iter().enumerate() {
            let one = read(text, 1);
            assert_eq!(one.0.is_some(), i < 5, "{}", one.1);
            for threads in [2, 3, 7] {
                let many = read(text, threads);
                assert!(many == one, "text {i} on {threads} cores:\n{}\nand on one:\n{}", many.1, one.1);
            }
        }
    }
}
