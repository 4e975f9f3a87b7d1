//! Bytes to early document.
//!
//! A file does not say which layout it has. It is read in each of them, and the right one is the only one in which
//! everything makes sense up to the last byte: counts, names, indices, lengths of normals and axes.

use super::shape::{self, HEAD};
use super::{Early, LAYOUTS, Layout, Object};
use crate::formats::bogle::codes;
use crate::formats::bogle::read::FAULTS;
use crate::io::{Fields, Source};
use crate::limits::FARTHEST;
use crate::report::{Code, Diagnostic, Failure, Place, Report, Severity};
use crate::text::RawText;

/// The least bytes of an object: its counts, a triangle of three vertices.
const LEAST: u64 = 9 + 3 * 20 + 3 * 4;

/// How far the length of a normal or axis may be from 1.
const UNIT: f32 = 1e-3;

/// What a file that is not in today's layout is.
pub(in crate::formats::bogle) enum Found {
    /// A file in an early layout.
    Read(Early),
    /// A file in an older layout that cannot be read; the reason is reported.
    Refused,
    /// Not in an older layout, as far as can be told.
    Other,
}

/// Looks whether a file is in an older layout, and reads it if it can be read.
pub(in crate::formats::bogle) fn read(source: &Source<'_>, name: String, report: &mut Report) -> Found {
    let head = source.content.range(0, HEAD.min(source.content.len())).unwrap_or_default();
    if !head.starts_with(b"BOGLE\0") {
        return Found::Other;
    }
    if !shape::is_early(&head) {
        if !shape::is_older(&head) {
            return Found::Other;
        }
        let message = "the file is in one of BOGLE's layouts from before March 2021, which claim the same version \
            as today's but cannot be read";
        refuse(&codes::OLDER_LAYOUT, message, report);
        return Found::Refused;
    }
    let mut attempts: Vec<_> = LAYOUTS.iter().map(|layout| Attempt::new(source, layout)).collect();
    let complete = attempts.iter_mut().filter_map(|attempt| Some((attempt.layout, attempt.objects.take()?)));
    let mut read: Vec<_> = complete.collect();
    if let (1, Some((layout, objects))) = (read.len(), read.pop()) {
        let message = format!("the file is in a layout of April 2020: {}", layout.about);
        report.note(&codes::EARLY_LAYOUT, Place::WHOLE, message);
        return Found::Read(Early { name, layout, objects });
    }
    let message = "the file is in one of BOGLE's layouts of April 2020, but it is cut off or damaged";
    refuse(&codes::EARLY_DAMAGED, message, report);
    // The right layout is probably the one in which the most objects and bytes make sense.
    attempts.reverse();
    if let Some(best) = attempts.into_iter().max_by_key(|attempt| attempt.sound) {
        report.append(best.report);
    }
    Found::Refused
}

fn refuse(code: &'static Code, message: &str, report: &mut Report) {
    let error = Diagnostic::new(Severity::Error, code, Place::WHOLE, message);
    report.push(error.help("export the scene again with a current exporter"));
}

/// A file read in one layout.
struct Attempt {
    layout: &'static Layout,
    /// All objects, if the file is in this layout.
    objects: Option<Vec<Object>>,
    /// The objects before the first fault, and where the last of them ends.
    sound: (usize, u64),
    /// The fault.
    report: Report,
}

impl Attempt {
    fn new(source: &Source<'_>, layout: &'static Layout) -> Self {
        let mut report = Report::new(&source.name, 16);
        let (mut objects, mut end) = (Vec::new(), 0);
        let mut fields = Fields::new(&source.content, &FAULTS, &mut report);
        let read = read_objects(&mut fields, layout, |object, at| {
            objects.push(object);
            end = at;
        });
        let sound = (objects.len(), end);
        let objects = (read.is_ok() && !report.has_errors()).then_some(objects);
        Self { layout, objects, sound, report }
    }
}

/// Calls `each` with every object and where it ends.
fn read_objects(
    fields: &mut Fields<'_, '_>,
    layout: &'static Layout,
    mut each: impl FnMut(Object, u64),
) -> Result<(), Failure> {
    fields.take("header", 6)?;
    let count = fields.word("nobj")?;
    let count = fields.room("nobj", format_args!("nobj announces {count} objects"), count, LEAST)?;
    for i in 0..count {
        fields.record = format!("objects[{i}]");
        let object = object(fields, layout)?;
        fields.report.check()?;
        each(object, fields.at());
    }
    fields.record.clear();
    let left = fields.left();
    if left > 0 {
        let message = format!("{left} bytes after the last object");
        return Err(fields.invalid(fields.at(), &codes::TRAILING, "objects", message));
    }
    Ok(())
}

fn object(fields: &mut Fields<'_, '_>, layout: &Layout) -> Result<Object, Failure> {
    let length = fields.byte("namelen")?;
    let counts_at = fields.at();
    let (vertices, indices) = (fields.word("nvert")?, fields.word("nidx")?);
    let name_at = fields.at();
    let name = RawText::from(&*fields.take("name", length.into())?);
    if !shape::is_printable(name.as_bytes()) {
        let message = format!("the name {name} has characters outside ASCII");
        return Err(fields.invalid(name_at, &codes::EARLY_DAMAGED, "name", message));
    }
    if vertices < 3 || indices < 3 || indices % 3 != 0 {
        let message = format!("{vertices} vertices and {indices} indices make no triangles");
        return Err(fields.invalid(counts_at, &codes::TRIANGLES, "nidx", message));
    }
    let bytes = 4 * layout.floats as u64;
    let room = format_args!("nvert announces {vertices} vertices");
    let count = fields.room("nvert", room, vertices, bytes)?;
    let at = fields.at();
    let vertices: Vec<f32> = fields.array("vertices", count * layout.floats)?;
    fields.check(at, "vertices", &vertices, FARTHEST);
    if layout.floats == 8 {
        check_normals(fields, at, &vertices)?;
    }
    let claim = format_args!("nidx announces {indices} indices");
    let indices = fields.room("nidx", claim, indices, 4)?;
    let at = fields.at();
    let indices: Vec<u32> = fields.array("indices", indices)?;
    if let Some(i) = indices.iter().position(|&index| index as usize >= count) {
        let message = format!("index {} of {count} vertices", indices[i]);
        return Err(fields.invalid(at + 4 * i as u64, &codes::VERTEX_INDEX, "indices", message));
    }
    let placement = if layout.is_placed { Some(placement(fields)?) } else { None };
    Ok(Object { name, vertices, indices, placement })
}

/// A normal has the length 1, or 0 at a vertex without faces.
fn check_normals(fields: &mut Fields<'_, '_>, at: u64, vertices: &[f32]) -> Result<(), Failure> {
    let is_fine = |normal: &[f32]| normal == [0.0; 3] || is_unit(normal);
    match vertices.chunks_exact(8).position(|vertex| !is_fine(&vertex[5..])) {
        None => Ok(()),
        Some(i) => {
            let at = at + 32 * i as u64 + 20;
            let message = format!("the normal of vertex {i} is not of length 1");
            Err(fields.invalid(at, &codes::EARLY_DAMAGED, "vertices", message))
        }
    }
}

fn placement(fields: &mut Fields<'_, '_>) -> Result<[f32; 10], Failure> {
    let at = fields.at();
    let placement: [f32; 10] = fields.places("placement")?;
    let (axis, angle) = (&placement[3..6], placement[6]);
    if angle != 0.0 && !is_unit(axis) || angle.abs() > std::f32::consts::TAU + UNIT {
        let message =
            format!("a rotation by {angle} about {axis:?}: expected an axis of length 1 and radians");
        return Err(fields.invalid(at + 12, &codes::EARLY_DAMAGED, "placement", message));
    }
    Ok(placement)
}

fn is_unit(vector: &[f32]) -> bool {
    let squared: f32 = vector.iter().map(|x| x * x).sum();
    (squared.sqrt() - 1.0).abs() < UNIT
}
