//! Binary files: ligament's, and the original converter's.

use super::super::codes;
use super::super::document::{Animation, Channel, Dialect, Document, HEADER, Kind, Node, Values};
use super::super::layout::{self, Found, Header};
use super::check::{BinaryOrigins, Origins, check};
use super::skeleton::Keys;
use crate::formats::ReadOptions;
use crate::io::{FieldFaults, Fields, Source};
use crate::limits::FARTHEST;
use crate::report::{Failure, Report};
use crate::text::RawText;
use bytemuck::Pod;
use glam::Vec3;
use std::collections::HashSet;

/// Default frames per second for files whose key times are lost.
const FRAME_RATE: f32 = 24.0;

static FAULTS: FieldFaults = FieldFaults {
    end: &codes::UNEXPECTED_END,
    // A count or length that is too large is noticed at the end of the file.
    count: &codes::UNEXPECTED_END,
    string: &codes::UNEXPECTED_END,
    help: None,
    number: &codes::NOT_FINITE,
    not_finite: "is not finite or too large",
    too_large: "is not finite or too large",
};

struct Reader<'a, 'r> {
    fields: Fields<'a, 'r>,
    origins: BinaryOrigins,
}

pub(super) fn read(
    source: &Source<'_>,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<Document, Failure> {
    let fields = Fields::new(&source.content, &FAULTS, report);
    let mut reader = Reader { fields, origins: BinaryOrigins::default() };
    let header: Vec<u8> = reader.fields.array("header", layout::LENGTH)?;
    let header = match header.first_chunk().map(layout::parse) {
        Some(Found::Ours(header)) => Some(header),
        Some(Found::Version(version)) => {
            let message = format!("version {version} of the binary layout; only 1 is supported");
            return Err(reader.fields.invalid(25, &codes::VERSION, "version", message));
        }
        Some(Found::Historical) | None => None,
    };
    let mut document = Document { dialect: Dialect::Binary, ..Document::default() };
    match header {
        Some(header) => reader.ours(&mut document, header)?,
        None => reader.historical(&mut document, options)?,
    }
    let Reader { mut fields, origins } = reader;
    if fields.left() > 0 {
        let message = format!("{} bytes after the end", fields.left());
        fields.error(fields.at(), &codes::TRAILING, "end", message);
    }
    check(&document, &Origins::Binary(origins), options, fields.report);
    fields.report.check().map(|()| document)
}

impl Reader<'_, '_> {
    fn ours(&mut self, document: &mut Document, header: Header) -> Result<(), Failure> {
        if header.bones_per_vertex > 4 {
            let message = format!("{} bones per vertex; at most 4 are supported", header.bones_per_vertex);
            return Err(self.fields.invalid(27, &codes::COMPS, "bones a vertex", message));
        }
        let text = header.text.as_bytes();
        if text.contains(&b'\n')
            || text.contains(&b'\r')
            || !(text.is_empty() || text.starts_with(b"Anton's"))
        {
            let message = format!("expected the first line of a text file, found {}", header.text);
            return Err(self.fields.invalid(32, &codes::BAD_TAG, "header", message));
        }
        let is_filler = |bit: u8| header.fillers & bit != 0;
        let animations = self.geometry(document, header.bones_per_vertex)?;
        for _ in 0..animations {
            let animation = self.animation()?;
            document.animations.push(animation);
        }
        let [radius] = self.fields.places("bounding_radius")?;
        document.bounding_radius = Some(radius).filter(|_| !is_filler(layout::NO_RADIUS));
        document.header = header.text;
        if is_filler(layout::NO_ROOT) {
            document.root_transform = None;
        }
        if is_filler(layout::NO_OFFSETS) {
            document.offsets.clear();
        }
        let vertices = &mut document.vertices;
        if is_filler(layout::NO_NORMALS) {
            vertices.normals.clear();
        }
        if is_filler(layout::NO_UVS) {
            vertices.uvs.clear();
        }
        if is_filler(layout::NO_BONES) {
            vertices.bones.clear();
            vertices.bones_per_vertex = 0;
        }
        if is_filler(layout::NO_WEIGHTS) || is_filler(layout::NO_BONES) {
            vertices.weights.clear();
        }
        Ok(())
    }

    fn historical(&mut self, document: &mut Document, options: &ReadOptions) -> Result<(), Failure> {
        document.header = HEADER.into();
        let at = self.fields.at();
        let animations = self.geometry(document, 1)?;
        // The weights are all zero, and the text form does not have them.
        document.vertices.weights.clear();
        if document.bones == 0 && document.nodes.is_empty() {
            document.vertices.bones.clear();
            document.vertices.bones_per_vertex = 0;
        }
        match animations {
            0 => return Ok(()),
            1 => {}
            n => {
                let message = format!("{n} animations, which cannot be separated in this kind of file");
                return Err(self.fields.invalid(at, &codes::ANIMATIONS, "animations", message));
            }
        }
        let start = self.fields.at();
        let rate = options.fps.filter(|fps| fps.is_finite() && *fps > 0.0).unwrap_or(FRAME_RATE);
        self.fields.word("duration")?;
        let mut animation = Animation { name: "TODO".into(), ..Animation::default() };
        let mut translated = HashSet::new();
        let mut scales = false;
        while self.fields.left() > 0 {
            let mut channel = self.channel(false)?;
            // Scale has the same letter as translation and comes after all translations.
            if let Values::Translation(values) = &mut channel.values {
                scales |= !translated.insert(channel.node);
                if scales {
                    channel.values = Values::Scale(std::mem::take(values));
                }
            }
            let time = |frame: usize| (frame as f64 / f64::from(rate)) as f32;
            channel.times = (0..channel.times.len()).map(time).collect();
            animation.duration = channel.times.iter().copied().fold(animation.duration, f32::max);
            animation.channels.push(channel);
        }
        let message = format!("the times of keys are lost; they are treated as frames at {rate} per second");
        self.fields.warning(start, &codes::NO_TIMES, "duration", message);
        document.animations.push(animation);
        Ok(())
    }

    /// Reads everything before the animations; returns their number.
    fn geometry(&mut self, document: &mut Document, bones_per_vertex: usize) -> Result<u32, Failure> {
        let count = self.count("vert_count")?;
        let vertices = &mut document.vertices;
        vertices.positions = self.vectors("vp", count, FARTHEST)?;
        vertices.normals = self.vectors("vn", count, f32::MAX)?;
        vertices.uvs = self.vectors("vt", count, f32::MAX)?;
        let at = self.fields.at();
        match self.number("vtan comps")? {
            0 => {}
            3 => {
                let tangents: Vec<Vec3> = self.vectors("vtan", count, f32::MAX)?;
                vertices.tangents = tangents.into_iter().map(|t| t.extend(1.0)).collect();
                vertices.short_tangents = true;
            }
            4 => vertices.tangents = self.vectors("vtan", count, f32::MAX)?,
            comps => {
                let message = format!("tangents have 3 or 4 components, not {comps}");
                return Err(self.fields.invalid(at, &codes::COMPS, "vtan comps", message));
            }
        }
        self.origins.bones = self.fields.at();
        vertices.bones_per_vertex = if count > 0 { bones_per_vertex } else { 0 };
        vertices.bones = self.fields.array("vb", count.saturating_mul(bones_per_vertex))?;
        if let Some(i) = vertices.bones.iter().position(|&b| b < -1) {
            let message = format!("there is no bone {}", vertices.bones[i]);
            self.fields.error(self.origins.bones + 4 * i as u64, &codes::BAD_WHOLE, "vb", message);
        }
        let at = self.fields.at();
        vertices.weights = self.fields.array("vw", count.saturating_mul(bones_per_vertex))?;
        self.fields.check(at, "vw", &vertices.weights, FARTHEST);
        self.origins.skeleton = self.fields.at();
        document.bones = self.number("bones")?;
        let animations = self.number("animations")?;
        self.matrix_comps("root_transform")?;
        document.root_transform = Some(self.fields.places("root_transform")?);
        self.matrix_comps("offset_mat")?;
        let at = self.fields.at();
        document.offsets = self.fields.array("offset_mat", document.bones as usize)?;
        self.fields.check(at, "offset_mat", document.offsets.as_flattened(), FARTHEST);
        let nodes = self.count("nodes")?;
        self.origins.hierarchy = self.fields.at();
        let nodes: Vec<[i32; 2]> = self.fields.array("hierarchy", nodes)?;
        for (i, &[parent, bone]) in nodes.iter().enumerate() {
            if parent < -1 || bone < -1 {
                let at = self.origins.hierarchy + 8 * i as u64;
                let message = format!("node {i}: parent {parent}, bone {bone}");
                self.fields.error(at, &codes::BAD_WHOLE, "hierarchy", message);
            }
            document.nodes.push(Node { parent, bone });
        }
        Ok(animations)
    }

    fn animation(&mut self) -> Result<Animation, Failure> {
        let [duration] = self.fields.places("duration")?;
        let channels = self.number("channels")?;
        let length = self.count("name")?;
        let name: Vec<u8> = self.fields.array("name", length)?;
        if name.contains(&b'\n') || name.contains(&b'\r') {
            let at = self.fields.at() - length as u64;
            self.fields.error(at, &codes::BAD_TAG, "name", "a name with a line end in it");
        }
        let mut animation = Animation { name: RawText::from(&name[..]), duration, channels: Vec::new() };
        for _ in 0..channels {
            let channel = self.channel(true)?;
            animation.channels.push(channel);
        }
        Ok(animation)
    }

    fn channel(&mut self, has_times: bool) -> Result<Channel, Failure> {
        let at = self.fields.at();
        self.origins.channels.push(at);
        let kind = match self.fields.byte("keys")? {
            b't' => Kind::Translation,
            b's' if has_times => Kind::Scale,
            b'r' => Kind::Rotation,
            other => {
                let message = format!("expected t, s or r, found {}", RawText::from(&[other][..]));
                return Err(self.fields.invalid(at, &codes::TAG_BYTE, "keys", message));
            }
        };
        let node = self.number("node")?;
        let count = self.count("count")?;
        let width = 1 + kind.comps();
        let start = self.fields.at();
        let words: Vec<f32> = self.fields.array("keys", count.saturating_mul(width))?;
        let mut keys = Keys::with_capacity(kind, count);
        for (key, row) in words.chunks_exact(width).enumerate() {
            let (time, first) = if has_times { (row[0], 0) } else { (0.0, 1) };
            let at = start + 4 * (key * width + first) as u64;
            self.fields.check(at, "keys", &row[first..], FARTHEST);
            let mut values = [0.0; 4];
            values.iter_mut().zip(&row[1..]).for_each(|(value, word)| *value = *word);
            keys.push(time, values);
        }
        Ok(keys.into_channel(node))
    }

    fn matrix_comps(&mut self, field: &str) -> Result<(), Failure> {
        let at = self.fields.at();
        match self.number(field)? {
            16 => Ok(()),
            comps => {
                let message = format!("a matrix has 16 components, not {comps}");
                Err(self.fields.invalid(at, &codes::COMPS, field, message))
            }
        }
    }

    /// Reads vertex values up to `most`; they may be NaN.
    fn vectors<T: Pod>(&mut self, field: &str, count: usize, most: f32) -> Result<Vec<T>, Failure> {
        let at = self.fields.at();
        let values: Vec<T> = self.fields.array(field, count)?;
        let numbers: &[f32] = bytemuck::cast_slice(&values);
        if let Some(i) = numbers.iter().position(|v| v.abs() > most) {
            self.fields.unusable(at + 4 * i as u64, field, numbers[i]);
        }
        let nans = numbers.iter().filter(|v| v.is_nan()).count();
        if nans > 0 {
            let numbers =
                crate::report::counted(nans, "number is NaN and counts", "numbers are NaN and count");
            self.fields.warning(at, &codes::NAN, field, format!("{numbers} as 0"));
        }
        Ok(values)
    }

    /// Reads a 31-bit count.
    fn number(&mut self, field: &str) -> Result<u32, Failure> {
        let at = self.fields.at();
        let word = self.fields.word(field)?;
        if word > i32::MAX as u32 {
            let message = format!("expected a count, found {}", word as i32);
            return Err(self.fields.invalid(at, &codes::BAD_WHOLE, field, message));
        }
        Ok(word)
    }

    fn count(&mut self, field: &str) -> Result<usize, Failure> {
        Ok(self.number(field)? as usize)
    }
}
