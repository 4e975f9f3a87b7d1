//! Nearly all of a large file is vertices and frames of one layout. This pass reads those straight into their arrays
//! while the file passes by in pieces, and keeps the text of everything else, which is little. The tolerant reader then
//! reads that text, and finds the arrays where vertices or frames were left out.
//!
//! A piece may be read on several cores: it is cut where records begin, and counting line ends tells where the records
//! of each part go. Whatever is irregular ends the run of vertices or frames and stays in the text with all that follows
//! it, up to the next clip.

mod frames;
mod parts;
mod vertices;

pub(super) use frames::Frames;

use super::header::Header;
use super::vertices::VertexArrays;
use super::{ReadSettings, Reader};
use crate::cores::threads;
use crate::io::Content;
use crate::report::Report;
use crate::text::{Gap, Lines, Window, next_line};
use frames::FrameLayout;
use memchr::{memchr, memmem};
use std::collections::VecDeque;
use std::io;

/// A header or the line of a clip that is longer is left to the tolerant reader.
const MOST_LINE_BYTES: usize = 1 << 16;

/// A core that something else keeps busy leaves its parts to the others.
const PARTS_A_THREAD: usize = 4;

/// A file's text without its regular vertices and frames, and what was read of those.
#[derive(Default)]
pub(super) struct Condensed {
    pub text: Vec<u8>,
    /// What was left out of the text.
    pub gaps: Vec<Gap>,
    pub arrays: Arrays,
}

/// What the bulk pass read, each with the offset in the condensed text where it was left out.
#[derive(Default)]
pub(super) struct Arrays {
    vertices: Option<(usize, VertexArrays)>,
    frames: VecDeque<(usize, Frames)>,
}

impl Arrays {
    /// The vertices that were left out at this offset.
    pub fn take_vertices(&mut self, at: usize) -> Option<VertexArrays> {
        self.vertices.take_if(|(place, _)| *place == at).map(|(_, vertices)| vertices)
    }

    /// The frames that were left out at this offset, to look at.
    pub fn frames(&self, at: usize) -> Option<&Frames> {
        self.frames.front().filter(|(place, _)| *place == at).map(|(_, frames)| frames)
    }

    /// The same, to keep.
    pub fn take_frames(&mut self, at: usize) -> Option<Frames> {
        self.frames(at)?;
        self.frames.pop_front().map(|(_, frames)| frames)
    }

    /// Whether everything was taken.
    pub fn is_empty(&self) -> bool {
        self.vertices.is_none() && self.frames.is_empty()
    }
}

/// Reads a file in pieces of so many bytes for each core; `None` if its header is odd or the file cannot be read, which
/// whoever reads all of it finds out too.
pub(super) fn condense(content: &Content, settings: &ReadSettings, piece: usize) -> Option<Condensed> {
    let threads = threads();
    let parts = if threads > 1 { threads * PARTS_A_THREAD } else { 1 };
    let mut window = Window::new(content, piece.saturating_mul(threads))?;
    let header = header(&mut window, settings)?;
    let mut pass = Pass { window, parts, condensed: Condensed::default() };
    pass.copy(header.end);
    pass.vertices(&header).ok()?;
    if header.joints > 0 {
        for &frames in &header.frame_counts {
            if !pass.clip(&header, frames).ok()? {
                break;
            }
        }
    }
    pass.copy_rest().ok()?;
    Some(pass.condensed)
}

/// The header, of which nothing is consumed. What is wrong with it is not told here.
fn header(window: &mut Window, settings: &ReadSettings) -> Option<Header> {
    let mut least = 1;
    loop {
        window.fill(least).ok()?;
        let text = window.text();
        let mut unheard = Report::default();
        let mut reader = Reader::new(text, Lines::new(text), settings, &mut unheard);
        reader.byte_order_mark();
        let header = reader.header().ok();
        // The last line is optional: only the line after it shows that the header is all there.
        let ends = |header: &Header| next_line(text, header.end).is_some_and(|line| line.next < text.len());
        if let Some(header) = header.filter(ends) {
            return Some(header);
        }
        if window.holds_end() || text.len() > MOST_LINE_BYTES {
            return None;
        }
        least = text.len() + 1;
    }
}

/// The pass over a file.
struct Pass<'a> {
    window: Window<'a>,
    /// Into how many parts a piece is cut.
    parts: usize,
    condensed: Condensed,
}

impl Pass<'_> {
    fn vertices(&mut self, header: &Header) -> io::Result<()> {
        let (vertices, bytes) = vertices::read(&mut self.window, header, self.parts)?;
        if vertices.left_out > 0 {
            let at = self.leave_out(bytes, vertices.left_out * vertices::LINES);
            self.condensed.arrays.vertices = Some((at, vertices));
        }
        Ok(())
    }

    /// Everything up to a clip, its line, and its frames. False if it is so irregular that the next clips are better
    /// left alone: trying them costs memory for all the frames that they announce.
    fn clip(&mut self, header: &Header, announced: u32) -> io::Result<bool> {
        self.copy_up_to_clip()?;
        self.window.fill(MOST_LINE_BYTES)?;
        let Some(line_end) = memchr(b'\n', self.window.text()) else { return Ok(false) };
        self.copy(line_end + 1);
        let layout =
            FrameLayout { joints: header.joints as usize, boxes: header.has_collision == Some(true) };
        let read = frames::read(&mut self.window, layout, announced, self.parts)?;
        let count = read.as_ref().map_or(0, |frames| frames.count);
        if let Some(frames) = read {
            let at = self.leave_out(frames.bytes, frames.lines);
            self.condensed.arrays.frames.push_back((at, frames));
        }
        Ok(count >= announced / 2)
    }

    /// Notes what was left out here, and returns where that is in the text.
    fn leave_out(&mut self, bytes: usize, lines: usize) -> usize {
        let at = self.condensed.text.len();
        self.condensed.gaps.push(Gap { at, bytes, lines: u32::try_from(lines).unwrap_or(u32::MAX) });
        at
    }

    /// Copies text from the start of a line to the next line that begins with `as`, or to the end of the file.
    fn copy_up_to_clip(&mut self) -> io::Result<()> {
        const CLIP: &[u8] = b"\nas ";
        self.window.fill(CLIP.len())?;
        if self.window.text().starts_with(&CLIP[1..]) {
            return Ok(());
        }
        loop {
            self.window.fill(CLIP.len())?;
            let text = self.window.text();
            if let Some(line_end) = memmem::find(text, CLIP) {
                self.copy(line_end + 1);
                return Ok(());
            }
            if self.window.holds_end() {
                self.copy(text.len());
                return Ok(());
            }
            // The word may go on in the next piece.
            self.copy(text.len() + 1 - CLIP.len());
        }
    }

    fn copy_rest(&mut self) -> io::Result<()> {
        while self.window.rest() > 0 {
            self.window.fill(1)?;
            self.copy(self.window.text().len());
        }
        Ok(())
    }

    /// Copies so many bytes of the window.
    fn copy(&mut self, bytes: usize) {
        self.condensed.text.extend_from_slice(&self.window.text()[..bytes]);
        self.window.advance(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Pieces, ReadSettings};
    use super::*;
    use crate::formats::ReadOptions;

    const HEADER: &str = "version        1.0\nnum_verts      60\nnum_joints     1\nnum_materials  1\nnum_as         2\n\
        frame_counts   30 2\nhas_collision  1\n";
    const VERTEX: &str = "v 1.000000 2.000000 3.000000\nvt 0.000000 0.000000\nvn 0.000000 0.000000 1.000000\n\
        vw  0/1.000000\nvm 0\n";
    const SKIN: &str = "material Skin\n    ambient 1.000000\n    diffuse 1.000000 1.000000 1.000000\n    \
        specular 0.000000 0.000000 0.000000\n    texture skin.png\nj 0 Root 1.000000/1.000000/1.000000 \
        0.000000/0.000000/0.000000/1.000000 0.000000/0.000000/0.000000 0.000000/1.000000/0.000000\n";
    const FRAME: &str = "        1 1.000000/1.000000/1.000000 0.000000/0.000000/0.000000/1.000000 \
        0.000000/0.000000/0.000000\n\tx_bounds 0.000000 1.000000\n\ty_bounds 0.000000 1.000000\n\t\
        z_bounds 0.000000 1.000000\n";
    const BOX: &str = "x_bounds 0.000000 1.000000\ny_bounds 0.000000 2.000000\nz_bounds 0.000000 3.000000\n";

    fn condensed(text: &str, piece: usize) -> Condensed {
        let options = ReadOptions::default();
        let settings =
            ReadSettings { name: String::new(), options: &options, folder: None, pieces: Pieces::Usual };
        let content = Content::Memory(text.as_bytes().into());
        condense(&content, &settings, piece).expect("the header is good")
    }

    /// Runs something on one core and on three.
    fn on_cores(work: impl Fn() + Send + Sync) {
        #[cfg(feature = "parallel")]
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads can be started").install(&work);
        }
        #[cfg(not(feature = "parallel"))]
        work();
    }

    #[test]
    fn only_regular_vertices_and_frames_are_left_out() {
        let (vertices, walk, run) = (VERTEX.repeat(60), FRAME.repeat(30), FRAME.repeat(2));
        let all = format!("{HEADER}{vertices}{SKIN}as Walk 30\n{walk}as Run 2\n{run}{BOX}");
        let walk_at = HEADER.len() + SKIN.len() + "as Walk 30\n".len();
        let gaps = [
            Gap { at: HEADER.len(), bytes: vertices.len(), lines: 300 },
            Gap { at: walk_at, bytes: walk.len(), lines: 120 },
            Gap { at: walk_at + "as Run 2\n".len(), bytes: run.len(), lines: 8 },
        ];
        on_cores(|| {
            for piece in [1, 100, 300, 1000, 1 << 20] {
                let found = condensed(&all, piece);
                assert_eq!(found.text, format!("{HEADER}{SKIN}as Walk 30\nas Run 2\n{BOX}").as_bytes());
                assert_eq!(found.gaps, gaps);
            }
        });
    }

    #[test]
    fn what_is_odd_ends_a_run_and_stays() {
        let (odd_vertex, odd_frame) = (VERTEX.replace("1.000000", "1"), FRAME.replace('\t', " "));
        let rest = format!("{odd_vertex}{}{SKIN}as Walk 30\n", VERTEX.repeat(57));
        let start = format!("{HEADER}{}{rest}", VERTEX.repeat(2));
        let run = FRAME.repeat(2);
        let walk_end = format!("{odd_frame}{FRAME}\nas Run 2\n");
        let lines = |gaps: &[Gap]| gaps.iter().map(|gap| gap.lines).collect::<Vec<_>>();
        on_cores(|| {
            for piece in [1, 1000, 1 << 20] {
                let half = condensed(&format!("{start}{}{walk_end}{run}{BOX}", FRAME.repeat(15)), piece);
                assert_eq!(half.text, format!("{HEADER}{rest}{walk_end}{BOX}").as_bytes());
                assert_eq!(lines(&half.gaps), [10, 60, 8]);
                let little = condensed(&format!("{start}{FRAME}{walk_end}{run}{BOX}"), piece);
                assert_eq!(little.text, format!("{HEADER}{rest}{walk_end}{run}{BOX}").as_bytes());
                assert_eq!(lines(&little.gaps), [10, 4], "the next clip is left alone");
            }
        });
    }
}
