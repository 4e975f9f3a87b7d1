//! Writes an exported scene: for each object its lists, then its elements.

use super::export::{Elements, Exported};
use super::{codes, mtl};
use crate::io::Output;
use crate::report::{Failure, Loss, Report};
use crate::scene::Faces;
use crate::settings::Precision;
use crate::text::TextWriter;
use std::io;

impl Exported {
    /// Writes the file, and its materials beside it.
    pub(super) fn write(
        &self,
        precision: Precision,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let mut library = None;
        if !self.materials.is_empty() {
            if output.takes_side_files() {
                let name = format!("{}.mtl", output.stem());
                let written = output.side_file(&name, &mut |file| mtl::write(&self.materials, file));
                written.map_err(|error| report.cannot_write(error))?;
                library = Some(name);
            } else {
                let message =
                    "the output has no folder for a material library; only the materials' names are written";
                report.loss(Loss::dropped(&codes::NO_LIBRARY, "", self.materials.len(), message));
            }
        }
        self.text(library.as_deref(), precision, output.main()).map_err(|error| report.cannot_write(error))
    }
}

/// Writes lines of models and of libraries.
pub(super) struct Writer<'w> {
    pub(super) out: TextWriter<'w>,
    pub(super) precision: Precision,
}

impl Exported {
    fn text(&self, library: Option<&str>, precision: Precision, sink: &mut dyn io::Write) -> io::Result<()> {
        let mut writer = Writer { out: TextWriter::new(sink), precision };
        if let Some(library) = library {
            writer.name(b"mtllib ", library.as_bytes());
        }
        // Groups and materials stay in effect until others are named, even across objects.
        let (mut starts, mut current) = ([0; 3], (None, None));
        for object in &self.objects {
            writer.name(b"o ", object.name.as_bytes());
            self.lists(&mut writer, starts, object.ends);
            starts = object.ends;
            for part in &object.parts {
                self.part(&mut writer, part, &mut current);
            }
        }
        writer.out.finish()
    }

    fn lists(&self, writer: &mut Writer<'_>, starts: [usize; 3], ends: [usize; 3]) {
        let lists = &self.lists;
        let has_alpha = lists.colors.iter().any(|color| color[3] != 1.0);
        for i in starts[0]..ends[0] {
            writer.out.text(b"v");
            writer.numbers(&lists.positions[i]);
            if let Some(color) = lists.colors.get(i) {
                writer.numbers(if has_alpha { color } else { &color[..3] });
            }
            writer.out.end_line();
        }
        lists.uvs[starts[1]..ends[1]].iter().for_each(|uv| writer.row(b"vt", uv));
        lists.normals[starts[2]..ends[2]].iter().for_each(|normal| writer.row(b"vn", normal));
    }

    fn part<'e>(
        &self,
        writer: &mut Writer<'_>,
        part: &'e Elements,
        current: &mut (Option<&'e [u8]>, Option<usize>),
    ) {
        let groups = part.groups.as_ref().map(|groups| groups.as_bytes());
        if current.0 != groups {
            match groups {
                Some(groups) => writer.name(b"g ", groups),
                None => writer.name(b"g", b""),
            }
        }
        if let Some(material) =
            part.material.and_then(|m| self.materials.get(m)).filter(|_| current.1 != part.material)
        {
            writer.name(b"usemtl ", material.name.as_bytes());
        }
        *current = (groups, part.material.or(current.1));
        match &part.faces {
            Faces::Points(corners) => corners.chunks(1).for_each(|c| writer.element(b"p", part, c, 1)),
            Faces::Lines(corners) => corners.chunks_exact(2).for_each(|c| writer.element(b"l", part, c, 2)),
            Faces::Triangles(corners) => {
                corners.chunks_exact(3).for_each(|c| writer.element(b"f", part, c, 3))
            }
            Faces::Polygons { starts, corners } => {
                for face in starts.windows(2) {
                    writer.element(b"f", part, &corners[face[0] as usize..face[1] as usize], 3);
                }
            }
        }
    }
}

impl Writer<'_> {
    pub(super) fn name(&mut self, keyword: &[u8], name: &[u8]) {
        self.out.text(keyword);
        self.out.text(name);
        self.out.end_line();
    }

    pub(super) fn row(&mut self, keyword: &[u8], values: &[f32]) {
        self.out.text(keyword);
        self.numbers(values);
        self.out.end_line();
    }

    pub(super) fn numbers(&mut self, values: &[f32]) {
        for &value in values {
            self.out.text(b" ");
            match self.precision {
                Precision::Full => self.out.shortest(value),
                Precision::Document => self.out.fixed6(value),
            }
        }
    }

    /// Writes a line of corners with at most `parts` parts each.
    fn element(&mut self, keyword: &[u8], part: &Elements, vertices: &[u32], parts: usize) {
        self.out.text(keyword);
        for &vertex in vertices {
            let Some([position, uv, normal]) = part.corners.get(vertex as usize) else { continue };
            self.out.text(b" ");
            self.out.whole((position + 1) as u32);
            let (uv, normal) = (if parts > 1 { *uv } else { -1 }, if parts > 2 { *normal } else { -1 });
            if uv >= 0 || normal >= 0 {
                self.out.text(b"/");
            }
            if uv >= 0 {
                self.out.whole((uv + 1) as u32);
            }
            if normal >= 0 {
                self.out.text(b"/");
                self.out.whole((normal + 1) as u32);
            }
        }
        self.out.end_line();
    }
}
