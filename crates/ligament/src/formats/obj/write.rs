//! Writes an exported scene: for each object its lists, then its elements.

use super::export::{Elements, Exported};
use super::{codes, mtl};
use crate::formats::line::parts;
use crate::io::Output;
use crate::report::{Failure, Loss, Report};
use crate::scene::Faces;
use crate::settings::Precision;
use crate::text::{RawText, TextWriter};
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
            writer.line(("mtllib ", library));
        }
        // Groups and materials stay in effect until others are named, even across objects.
        let (mut starts, mut current) = ([0; 3], (None, None));
        for object in &self.objects {
            writer.line(("o ", &object.name));
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
            let color = lists.colors.get(i).map(|color| if has_alpha { &color[..] } else { &color[..3] });
            writer.line(("v", &lists.positions[i][..], color));
        }
        lists.uvs[starts[1]..ends[1]].iter().for_each(|uv| writer.line(("vt", &uv[..])));
        lists.normals[starts[2]..ends[2]].iter().for_each(|normal| writer.line(("vn", &normal[..])));
    }

    fn part<'e>(
        &self,
        writer: &mut Writer<'_>,
        part: &'e Elements,
        current: &mut (Option<&'e RawText>, Option<usize>),
    ) {
        let groups = part.groups.as_ref();
        if current.0 != groups {
            writer.line(("g", groups.map(|groups| (" ", groups))));
        }
        if let Some(material) =
            part.material.and_then(|m| self.materials.get(m)).filter(|_| current.1 != part.material)
        {
            writer.line(("usemtl ", &material.name));
        }
        *current = (groups, part.material.or(current.1));
        match &part.faces {
            Faces::Points(corners) => corners.chunks(1).for_each(|c| writer.element("p", part, c, 1)),
            Faces::Lines(corners) => corners.chunks_exact(2).for_each(|c| writer.element("l", part, c, 2)),
            Faces::Triangles(corners) => {
                corners.chunks_exact(3).for_each(|c| writer.element("f", part, c, 3))
            }
            Faces::Polygons { starts, corners } => {
                for face in starts.windows(2) {
                    writer.element("f", part, &corners[face[0] as usize..face[1] as usize], 3);
                }
            }
        }
    }
}

parts! { Writer:
    &RawText = |writer, text| writer.out.text(text.as_bytes());
    &[f32] = |writer, values| values.iter().for_each(|&value| writer.put((" ", value)));
    f32 = |writer, value| match writer.precision {
        Precision::Full => writer.out.shortest(value),
        Precision::Document => writer.out.fixed6(value),
    };
}

impl Writer<'_> {
    /// Writes a line of corners with at most `parts` parts each.
    fn element(&mut self, keyword: &str, part: &Elements, vertices: &[u32], parts: usize) {
        self.put(keyword);
        for &vertex in vertices {
            let Some([position, uv, normal]) = part.corners.get(vertex as usize) else { continue };
            let [uv, normal] = [(uv, 1), (normal, 2)]
                .map(|(index, least)| (parts > least && *index >= 0).then(|| (index + 1) as u32));
            let slash = (uv.is_some() || normal.is_some()).then_some("/");
            self.put((" ", (position + 1) as u32, slash, uv, normal.map(|normal| ("/", normal))));
        }
        self.line("");
    }
}
