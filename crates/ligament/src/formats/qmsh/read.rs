//! Bytes to document. A file is read in ranges, so that it is never in memory together with the document made from it.

mod check;
mod geometry;
mod skeleton;

use super::codes;
use super::document::{Absent, Camera, Document, Key, Split, Submesh, Version, Vertex, flags};
use super::write::VertexLayout;
use crate::Limits;
use crate::io::{FieldFaults, Fields, Source};
use crate::report::{Failure, Report};

static FAULTS: FieldFaults = FieldFaults {
    end: &codes::UNEXPECTED_END,
    count: &codes::COUNT,
    string: &codes::STRING_LENGTH,
    help: None,
    number: &codes::NOT_FINITE,
    not_finite: "is not a finite number",
    too_large: "is too large to be posed; the limit is 1e15",
};

/// Reads a whole file.
pub(super) fn read(source: &Source<'_>, limits: &Limits, report: &mut Report) -> Result<Document, Failure> {
    // Earlier diagnostics are not about this file.
    let mut own = Report::new(&source.name, limits.max_diagnostics);
    let mut reader = Reader { fields: Fields::new(&source.content, &FAULTS, &mut own), vertices_at: 0 };
    let document = reader.document(crate::formats::stem(&source.name));
    let document = document.and_then(|document| own.check().map(|()| document));
    report.append(own);
    document
}

/// One pass over a file.
struct Reader<'a, 'r> {
    fields: Fields<'a, 'r>,
    /// The offset of the vertices.
    vertices_at: u64,
}

/// The counts of a header.
#[derive(Default)]
struct Counts {
    vertices: u16,
    triangles: u16,
    submeshes: u16,
    bones: u16,
    animations: u16,
    points: u16,
    groups: u16,
}

impl Reader<'_, '_> {
    fn document(&mut self, name: String) -> Result<Document, Failure> {
        let mut document = Document { name, version: self.version()?, ..Document::default() };
        self.fields.record = "header".into();
        document.flags = self.fields.byte("flags")?;
        match document.version {
            Version::Original => self.original(&mut document)?,
            Version::Carpg(_) => self.carpg(&mut document)?,
        }
        self.fields.record.clear();
        let left = self.fields.left();
        if left > 0 {
            let message = format!("{left} bytes after the last record");
            self.fields.warning(self.fields.at(), &codes::TRAILING, "end", message);
            document.trailing = self.fields.take("end", left)?.into_owned();
        }
        Ok(document)
    }

    fn version(&mut self) -> Result<Version, Failure> {
        let magic = self.fields.peek(8);
        if magic == b"TFQMSH10" {
            self.fields.take("header.magic", 8)?;
            return Ok(Version::Original);
        }
        if !magic.starts_with(b"QMSH") {
            let (code, message) = if magic.starts_with(b"TFQMSH") {
                (&codes::VERSION, "the only supported version of the original format is TFQMSH10")
            } else {
                (&codes::NOT_QMSH, "the file begins with neither TFQMSH10 nor QMSH")
            };
            return Err(self.fields.invalid(0, code, "header.magic", message));
        }
        self.fields.take("header.magic", 4)?;
        let number = self.fields.byte("header.version")?;
        if !(Version::OLDEST..=Version::NEWEST).contains(&number) {
            let message = format!("version {number}; only versions 12 to 22 (and TFQMSH10) are supported");
            return Err(self.fields.invalid(4, &codes::VERSION, "header.version", message));
        }
        Ok(Version::Carpg(number))
    }

    fn original(&mut self, document: &mut Document) -> Result<(), Failure> {
        let counts = self.counts(document)?;
        self.bounds(document)?;
        let mut offsets = [0; 5];
        for (offset, section) in offsets.iter_mut().zip(SECTIONS) {
            *offset = self.fields.word(&format!("{section} offset"))?;
        }
        self.section(&offsets, 0)?;
        self.vertices(document, counts.vertices)?;
        self.section(&offsets, 1)?;
        self.triangles(document, counts.triangles)?;
        self.section(&offsets, 2)?;
        self.submeshes(document, counts.submeshes)?;
        if document.has_bones() {
            self.section(&offsets, 3)?;
            self.bones(document, counts.bones)?;
            self.section(&offsets, 4)?;
            self.animations(document, counts.animations)?;
        } else {
            for (section, offset) in offsets.iter().enumerate().skip(3).filter(|(_, offset)| **offset != 0) {
                let message = format!("the offset is {offset}; without the flag for bones it must be 0");
                self.fields.record = "header".into();
                self.offset_error(section, message);
            }
            document.absent = Absent { bones: counts.bones, animations: counts.animations, groups: 0 };
        }
        self.check_bones_of_vertices(document);
        Ok(())
    }

    /// Reads the zero at the beginning of a section of `TFQMSH10`, which must be where the header says.
    fn section(&mut self, offsets: &[u32; 5], section: usize) -> Result<(), Failure> {
        self.fields.record.clear();
        let (offset, at) = (offsets[section], self.fields.at());
        if u64::from(offset) != at {
            let message = format!("the header says byte {offset}, but the data before it ends at {at}");
            self.fields.record = "header".into();
            return Err(self.offset_error(section, message));
        }
        let mark = self.fields.byte(SECTIONS[section])?;
        if mark != 0 {
            let message = format!("the section begins with {mark} instead of 0");
            let at = self.fields.at() - 1;
            return Err(self.fields.invalid(at, &codes::SECTION_MARK, SECTIONS[section], message));
        }
        Ok(())
    }

    fn offset_error(&mut self, section: usize, message: String) -> Failure {
        let field = format!("{} offset", SECTIONS[section]);
        self.fields.invalid(OFFSET_TABLE + 4 * section as u64, &codes::SECTION_OFFSET, &field, message)
    }

    fn carpg(&mut self, document: &mut Document) -> Result<(), Failure> {
        let mut counts = self.counts(document)?;
        counts.points = self.fields.half("points")?;
        counts.groups = self.fields.half("groups")?;
        self.bounds(document)?;
        let offset_at = self.fields.at();
        let points_offset =
            if document.version.since(20) { Some(self.fields.word("points offset")?) } else { None };
        let mut camera = Camera::default();
        if document.version.since(13) {
            camera.position = self.fields.raw_floats("camera position")?;
            camera.target = self.fields.raw_floats("camera target")?;
        }
        if document.version.since(15) {
            camera.up = self.fields.raw_floats("camera up")?;
        }
        document.camera = camera;
        self.vertices(document, counts.vertices)?;
        self.triangles(document, counts.triangles)?;
        self.submeshes(document, counts.submeshes)?;
        if document.has_bones() {
            self.bones(document, counts.bones)?;
            if document.version.since(21) {
                self.groups(document, counts.groups)?;
            }
            self.animations(document, counts.animations)?;
        } else {
            let Counts { bones, animations, groups, .. } = counts;
            document.absent = Absent { bones, animations, groups };
        }
        self.check_bones_of_vertices(document);
        let found = self.fields.at();
        document.points_offset = points_offset.filter(|&offset| u64::from(offset) != found);
        if let Some(wrong) = document.points_offset {
            let message = format!("the header says byte {wrong}, but the points begin at {found}");
            self.fields.record = "header".into();
            self.fields.warning(offset_at, &codes::POINTS_OFFSET, "points offset", message);
        }
        self.points(document, counts.points)?;
        if document.has_bones() && !document.version.since(21) {
            self.groups(document, counts.groups)?;
        }
        if document.has(flags::SPLIT) {
            let count = self.room("splits", counts.submeshes, size_of::<Split>())?;
            document.splits = self.fields.array("splits", count)?;
        }
        Ok(())
    }

    fn counts(&mut self, document: &Document) -> Result<Counts, Failure> {
        let counts = Counts {
            vertices: self.fields.half("vertices")?,
            triangles: self.fields.half("triangles")?,
            submeshes: self.fields.half("submeshes")?,
            bones: self.fields.half("bones")?,
            animations: self.fields.half("animations")?,
            ..Counts::default()
        };
        let most = document.version.max_bones();
        if document.has_bones() && usize::from(counts.bones) > most {
            let message = format!("{} bones; the engine supports {most}", counts.bones);
            self.fields.warning(self.fields.at() - 4, &codes::MANY_BONES, "bones", message);
        }
        Ok(counts)
    }

    /// Converts a count to a length, if the rest of the file has room for that many records of at least `least` bytes.
    fn room(&mut self, list: &str, count: u16, least: usize) -> Result<usize, Failure> {
        self.fields.room(list, format_args!("the count is {count}, each"), count.into(), least as u64)
    }

    fn bounds(&mut self, document: &mut Document) -> Result<(), Failure> {
        [document.radius] = self.fields.raw_floats("radius")?;
        document.bounds = [self.fields.raw_floats("box")?, self.fields.raw_floats("box")?];
        Ok(())
    }
}

/// The sections of `TFQMSH10` in file order.
const SECTIONS: [&str; 5] = ["vertices", "triangles", "submeshes", "bones", "animations"];
/// The offset of the table of section offsets.
const OFFSET_TABLE: u64 = 47;
