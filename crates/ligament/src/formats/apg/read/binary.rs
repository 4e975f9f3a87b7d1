//! Binary files: ours, and the original converter's.

use super::super::codes;
use super::super::document::{Animation, Channel, Dialect, Document, HEADER, IDENTITY, Kind, Node, Values};
use super::super::layout::{self, Found, Header};
use super::FARTHEST;
use super::check::{BinaryOrigins, Origins, check};
use super::skeleton::Keys;
use crate::formats::ReadOptions;
use crate::io::Source;
use crate::report::{Failure, Place, Report};
use crate::text::RawText;
use bytemuck::Pod;
use glam::Vec3;
use std::collections::HashSet;

/// Frames a second where key times are lost and nobody says otherwise.
const FRAME_RATE: f32 = 24.0;

struct Reader<'a, 'r> {
    source: &'a Source<'a>,
    at: u64,
    report: &'r mut Report,
    origins: BinaryOrigins,
}

pub(super) fn read(
    source: &Source<'_>,
    name: String,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<Document, Failure> {
    let mut reader = Reader { source, at: 0, report, origins: BinaryOrigins::default() };
    let header: Vec<u8> = reader.array("header", layout::LENGTH)?;
    let header = match header.first_chunk().map(layout::parse) {
        Some(Found::Ours(header)) => Some(header),
        Some(Found::Version(version)) => {
            let message = format!("version {version} of the binary layout, and only 1 is known");
            return Err(reader.report.invalid(&codes::VERSION, Place::binary(25, "version"), message));
        }
        Some(Found::Historical) | None => None,
    };
    let mut document = Document { name, dialect: Dialect::Binary, ..Document::default() };
    match header {
        Some(header) => reader.ours(&mut document, header)?,
        None => reader.historical(&mut document, options)?,
    }
    let left = reader.source.content.len() - reader.at;
    if left > 0 {
        let place = Place::binary(reader.at, "end");
        reader.report.error(&codes::TRAILING, place, format!("{left} bytes after the end"));
    }
    let Reader { report, origins, .. } = reader;
    check(&document, &Origins::Binary(origins), options, report);
    report.check().map(|()| document)
}

impl Reader<'_, '_> {
    fn ours(&mut self, document: &mut Document, header: Header) -> Result<(), Failure> {
        if header.bones_per_vertex > 4 {
            let message = format!("{} bones a vertex, and there are at most 4", header.bones_per_vertex);
            return Err(self.report.invalid(&codes::COMPS, Place::binary(27, "bones a vertex"), message));
        }
        let text = header.text.as_bytes();
        if text.contains(&b'\n')
            || text.contains(&b'\r')
            || !(text.is_empty() || text.starts_with(b"Anton's"))
        {
            let message = format!("expected the first line of a text file, found {}", header.text);
            return Err(self.report.invalid(&codes::BAD_TAG, Place::binary(32, "header"), message));
        }
        let is_filler = |bit: u8| header.fillers & bit != 0;
        let animations = self.geometry(document, header.bones_per_vertex)?;
        for _ in 0..animations {
            let animation = self.animation()?;
            document.animations.push(animation);
        }
        let radius = self.float("bounding_radius")?;
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
        let at = self.at;
        let animations = self.geometry(document, 1)?;
        // They are all zero, and the text form does not have them.
        document.vertices.weights.clear();
        if document.bones == 0 && document.nodes.is_empty() {
            document.vertices.bones.clear();
            document.vertices.bones_per_vertex = 0;
        }
        match animations {
            0 => return Ok(()),
            1 => {}
            n => {
                let place = Place::binary(at, "animations");
                let message = format!("{n} animations, which cannot be told apart in this kind of file");
                return Err(self.report.invalid(&codes::ANIMATIONS, place, message));
            }
        }
        let start = self.at;
        let rate = options.fps.filter(|fps| fps.is_finite() && *fps > 0.0).unwrap_or(FRAME_RATE);
        self.float_bits("duration")?;
        let mut animation = Animation { name: "TODO".into(), ..Animation::default() };
        let mut translated = HashSet::new();
        let mut scales = false;
        while self.at < self.source.content.len() {
            let mut channel = self.channel(false)?;
            // Scale has the same letter as translation, and comes after all translations.
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
        let message = format!("the times of keys are lost; they are taken to be frames at {rate} a second");
        self.report.warning(&codes::NO_TIMES, Place::binary(start, "duration"), message);
        document.animations.push(animation);
        Ok(())
    }

    /// All before the animations; returns how many of these there are.
    fn geometry(&mut self, document: &mut Document, bones_per_vertex: usize) -> Result<u32, Failure> {
        let count = self.count("vert_count")?;
        let vertices = &mut document.vertices;
        vertices.positions = self.vectors("vp", count, FARTHEST)?;
        vertices.normals = self.vectors("vn", count, f32::MAX)?;
        vertices.uvs = self.vectors("vt", count, f32::MAX)?;
        let at = self.at;
        match self.word("vtan comps")? {
            0 => {}
            3 => {
                let tangents: Vec<Vec3> = self.vectors("vtan", count, f32::MAX)?;
                vertices.tangents = tangents.into_iter().map(|t| t.extend(1.0)).collect();
                vertices.short_tangents = true;
            }
            4 => vertices.tangents = self.vectors("vtan", count, f32::MAX)?,
            comps => {
                let message = format!("tangents have 3 or 4 components, not {comps}");
                return Err(self.report.invalid(&codes::COMPS, Place::binary(at, "vtan comps"), message));
            }
        }
        self.origins.bones = self.at;
        vertices.bones_per_vertex = if count > 0 { bones_per_vertex } else { 0 };
        vertices.bones = self.array("vb", count.saturating_mul(bones_per_vertex))?;
        if let Some(i) = vertices.bones.iter().position(|&b| b < -1) {
            let message = format!("there is no bone {}", vertices.bones[i]);
            self.report.error(
                &codes::BAD_WHOLE,
                Place::binary(self.origins.bones + 4 * i as u64, "vb"),
                message,
            );
        }
        let at = self.at;
        vertices.weights = self.array("vw", count.saturating_mul(bones_per_vertex))?;
        self.finite("vw", at, &vertices.weights);
        self.origins.skeleton = self.at;
        document.bones = self.word("bones")?;
        let animations = self.word("animations")?;
        self.matrix_comps("root_transform")?;
        document.root_transform = Some(self.matrix("root_transform")?);
        self.matrix_comps("offset_mat")?;
        let at = self.at;
        document.offsets = self.array("offset_mat", document.bones as usize)?;
        self.finite("offset_mat", at, document.offsets.as_flattened());
        let nodes = self.count("nodes")?;
        self.origins.hierarchy = self.at;
        let nodes: Vec<[i32; 2]> = self.array("hierarchy", nodes)?;
        for (i, &[parent, bone]) in nodes.iter().enumerate() {
            if parent < -1 || bone < -1 {
                let place = Place::binary(self.origins.hierarchy + 8 * i as u64, "hierarchy");
                self.report.error(
                    &codes::BAD_WHOLE,
                    place,
                    format!("node {i}: parent {parent}, bone {bone}"),
                );
            }
            document.nodes.push(Node { parent, bone });
        }
        Ok(animations)
    }

    fn animation(&mut self) -> Result<Animation, Failure> {
        let duration = self.float("duration")?;
        let channels = self.word("channels")?;
        let length = self.count("name")?;
        let name: Vec<u8> = self.array("name", length)?;
        if name.contains(&b'\n') || name.contains(&b'\r') {
            let place = Place::binary(self.at - length as u64, "name");
            self.report.error(&codes::BAD_TAG, place, "a name with a line end in it");
        }
        let mut animation = Animation { name: RawText::from(&name[..]), duration, channels: Vec::new() };
        for _ in 0..channels {
            let channel = self.channel(true)?;
            animation.channels.push(channel);
        }
        Ok(animation)
    }

    fn channel(&mut self, has_times: bool) -> Result<Channel, Failure> {
        let at = self.at;
        self.origins.channels.push(at);
        let kind = match self.array::<u8>("keys", 1)?[..] {
            [b't'] => Kind::Translation,
            [b's'] if has_times => Kind::Scale,
            [b'r'] => Kind::Rotation,
            ref other => {
                let message = format!("expected t, s or r, found {}", RawText::from(other));
                return Err(self.report.invalid(&codes::TAG_BYTE, Place::binary(at, "keys"), message));
            }
        };
        let node = self.word("node")?;
        let count = self.count("count")?;
        let width = 1 + kind.comps();
        let start = self.at;
        let words: Vec<f32> = self.array("keys", count.saturating_mul(width))?;
        let mut keys = Keys::with_capacity(kind, count);
        for (key, row) in words.chunks_exact(width).enumerate() {
            let time = if has_times { row[0] } else { 0.0 };
            let at = start + 4 * (key * width) as u64;
            self.finite("keys", if has_times { at } else { at + 4 }, if has_times { row } else { &row[1..] });
            let mut values = [0.0; 4];
            values.iter_mut().zip(&row[1..]).for_each(|(value, word)| *value = *word);
            keys.push(time, values);
        }
        Ok(keys.into_channel(node))
    }

    fn matrix_comps(&mut self, field: &str) -> Result<(), Failure> {
        let at = self.at;
        match self.word(field)? {
            16 => Ok(()),
            comps => {
                let message = format!("a matrix has 16 components, not {comps}");
                Err(self.report.invalid(&codes::COMPS, Place::binary(at, field), message))
            }
        }
    }

    fn matrix(&mut self, field: &str) -> Result<[f32; 16], Failure> {
        let at = self.at;
        let matrix: Vec<f32> = self.array(field, 16)?;
        self.finite(field, at, &matrix);
        Ok(matrix.try_into().unwrap_or(IDENTITY))
    }

    /// Values of vertices up to `most`, which may be NaN.
    fn vectors<T: Pod>(&mut self, field: &str, count: usize, most: f32) -> Result<Vec<T>, Failure> {
        let at = self.at;
        let values: Vec<T> = self.array(field, count)?;
        let numbers: &[f32] = bytemuck::cast_slice(&values);
        if let Some(i) = numbers.iter().position(|v| v.abs() > most) {
            self.far(field, at + 4 * i as u64, numbers[i]);
        }
        let nans = numbers.iter().filter(|v| v.is_nan()).count();
        if nans > 0 {
            let numbers =
                crate::report::counted(nans, "number is NaN and counts", "numbers are NaN and count");
            self.report.warning(&codes::NAN, Place::binary(at, field), format!("{numbers} as 0"));
        }
        Ok(values)
    }

    /// Reports the first number that cannot be used.
    fn finite(&mut self, field: &str, at: u64, numbers: &[f32]) {
        if let Some(i) = numbers.iter().position(|v| v.is_nan() || v.abs() > FARTHEST) {
            self.far(field, at + 4 * i as u64, numbers[i]);
        }
    }

    fn far(&mut self, field: &str, at: u64, number: f32) {
        let message = format!("{number} is not finite, or too large");
        self.report.error(&codes::NOT_FINITE, Place::binary(at, field), message);
    }

    fn float(&mut self, field: &str) -> Result<f32, Failure> {
        let at = self.at;
        let value = f32::from_bits(self.float_bits(field)?);
        self.finite(field, at, &[value]);
        Ok(value)
    }

    fn float_bits(&mut self, field: &str) -> Result<u32, Failure> {
        let bytes: Vec<u32> = self.array(field, 1)?;
        Ok(bytes.first().copied().unwrap_or(0))
    }

    /// A count with 31 bits.
    fn word(&mut self, field: &str) -> Result<u32, Failure> {
        let at = self.at;
        let word = self.float_bits(field)?;
        if word > i32::MAX as u32 {
            let message = format!("expected a count, found {}", word as i32);
            return Err(self.report.invalid(&codes::BAD_WHOLE, Place::binary(at, field), message));
        }
        Ok(word)
    }

    fn count(&mut self, field: &str) -> Result<usize, Failure> {
        Ok(self.word(field)? as usize)
    }

    /// So many elements, if the rest of the file has them.
    fn array<T: Pod>(&mut self, field: &str, count: usize) -> Result<Vec<T>, Failure> {
        let left = self.source.content.len() - self.at;
        let length = (count as u64).saturating_mul(size_of::<T>() as u64);
        if length > left {
            let message = format!("the file ends here: {left} of {length} bytes are left");
            let place = Place::binary(self.at, field);
            return Err(self.report.invalid(&codes::UNEXPECTED_END, place, message));
        }
        let mut values = vec![T::zeroed(); count];
        if let Err(error) = self.source.content.read_into(self.at, bytemuck::cast_slice_mut(&mut values)) {
            self.report.error(&crate::io::codes::CANNOT_READ, Place::WHOLE, format!("cannot read: {error}"));
            return Err(Failure::Io);
        }
        if cfg!(target_endian = "big") && size_of::<T>() >= 4 {
            let words: &mut [u32] = bytemuck::cast_slice_mut(&mut values);
            words.iter_mut().for_each(|word| *word = u32::from_le(*word));
        }
        self.at += length;
        Ok(values)
    }
}
