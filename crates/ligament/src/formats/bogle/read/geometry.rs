//! Geometries: vertices and indices in blocks, in the scene file or in their own.

use super::{FAULTS, Reader};
use crate::formats::bogle::codes;
use crate::formats::bogle::document::{BoneIndices, Geometry, Vertex};
use crate::formats::bogle::write::is_plain_file;
use crate::io::{Content, Fields};
use crate::report::{Failure, Place};
use std::borrow::Cow;

/// Number of vertices that are copied and then checked, small enough to stay in the cache.
const BLOCK: usize = 800;

/// The upper limit for bone indices, however they are stored.
const BONES_END: u32 = 1 << 16;

const INFINITY: u32 = 0x7F80_0000;

/// The storage of the bone indices seen so far.
#[derive(Default)]
pub(super) struct Encoding {
    found: Option<BoneIndices>,
}

impl Encoding {
    /// `None` while all indices were zero, which is ambiguous.
    pub(super) fn found(&self) -> Option<BoneIndices> {
        self.found
    }

    /// Whether all indices of the vertices are stored in the same way, and like those before them.
    fn fits(&mut self, vertices: &[Vertex]) -> bool {
        let all = vertices.iter().fold(0, |all, v| all | v.bones[0] | v.bones[1] | v.bones[2]);
        if all == 0 {
            return true;
        }
        let kind = if all < BONES_END { BoneIndices::Whole } else { BoneIndices::Float };
        let alike = kind == BoneIndices::Whole
            || vertices.iter().all(|v| v.bones.iter().all(|&word| is_float_index(word)));
        alike && *self.found.get_or_insert(kind) == kind
    }

    fn fits_word(&self, word: u32) -> bool {
        match self.found {
            None => word < BONES_END || is_float_index(word),
            Some(BoneIndices::Whole) => word < BONES_END,
            Some(BoneIndices::Float) => is_float_index(word),
        }
    }
}

fn is_float_index(word: u32) -> bool {
    let value = f32::from_bits(word);
    let whole = value as u32;
    whole as f32 == value && whole < BONES_END && word >> 31 == 0
}

/// A geometry, with the facts that checks of objects need.
#[derive(Default)]
pub(super) struct Loaded {
    pub(super) geometry: Geometry,
    pub(super) largest_bone: LargestBone,
}

/// The largest stored bone index that has a weight, and its position.
pub(super) type LargestBone = Option<(u32, u64)>;

impl Reader<'_, '_> {
    pub(super) fn geometry(&mut self) -> Result<Loaded, Failure> {
        self.kind(0)?;
        let name = self.string("name")?;
        if !self.external {
            let mut loaded = self.geometry_data()?;
            loaded.geometry.name = name;
            return Ok(loaded);
        }
        let at = self.fields.at();
        let file = self.string("file")?;
        let path = format!("geometries/{}.bgg", file.to_text());
        // A fault in the other file does not affect the structure of this one, so reading continues.
        let mut loaded = if !is_plain_file(&file) {
            let message = format!("{file} is not a plain file name");
            self.fields.error(at, &codes::GEOMETRY_NAME, "file", message);
            Loaded::default()
        } else {
            match self.folder.read(&path, self.limits.max_file_bytes) {
                Ok(bytes) => self.geometry_file(&path, bytes)?,
                Err(error) => {
                    let message = format!("{path} cannot be read: {error}");
                    self.fields.error(at, &codes::GEOMETRY_FILE, "file", message);
                    Loaded::default()
                }
            }
        };
        loaded.geometry.name = name;
        loaded.geometry.file = file;
        Ok(loaded)
    }

    /// Reads a file of one geometry; places in messages refer to that file.
    fn geometry_file(&mut self, path: &str, bytes: Vec<u8>) -> Result<Loaded, Failure> {
        let content = Content::Memory(Cow::Owned(bytes));
        let folder = std::path::Path::new(self.file).parent();
        self.fields.report.set_file(&folder.map_or(path.into(), |f| f.join(path).display().to_string()));
        let mut reader = Reader {
            fields: Fields::new(&content, &FAULTS, self.fields.report),
            folder: self.folder,
            file: self.file,
            limits: self.limits,
            external: true,
            encoding: std::mem::take(&mut self.encoding),
        };
        let loaded = reader.geometry_data().and_then(|loaded| {
            let left = reader.fields.left();
            if left > 0 {
                let message = format!("{left} bytes after the last index");
                return Err(reader.fields.invalid(reader.fields.at(), &codes::TRAILING, "indices", message));
            }
            Ok(loaded)
        });
        self.encoding = reader.encoding;
        self.fields.report.set_file(self.file);
        match loaded {
            Err(Failure::Invalid) => Ok(Loaded::default()),
            loaded => loaded,
        }
    }

    fn geometry_data(&mut self) -> Result<Loaded, Failure> {
        let [vertices, indices] = [self.fields.word("nvert")?, self.fields.word("nidx")?];
        let vertices = self.room("nvert", vertices, 80)?;
        let mut loaded = Loaded::default();
        let mut list = Vec::with_capacity(vertices);
        while list.len() < vertices {
            let at = self.fields.at();
            let start = list.len();
            self.fields.extend("vertices", &mut list, BLOCK.min(vertices - start))?;
            self.check_vertices(at, start, &list[start..], &mut loaded);
        }
        let indices = self.room("nidx", indices, 4)?;
        let at = self.fields.at();
        let mut corners = Vec::with_capacity(indices);
        while corners.len() < indices {
            let start = corners.len();
            self.fields.extend("indices", &mut corners, (20 * BLOCK).min(indices - start))?;
            let largest = corners[start..].iter().fold(0, |m: u32, &i| m.max(i));
            if largest as usize >= vertices {
                self.vertex_index(at, start, &corners[start..], vertices);
            }
        }
        if !indices.is_multiple_of(3) {
            let message = format!("{indices} indices, which is not a multiple of 3");
            self.fields.error(at, &codes::TRIANGLES, "nidx", message);
        }
        loaded.geometry.vertices = list;
        loaded.geometry.indices = corners;
        Ok(loaded)
    }

    fn check_vertices(&mut self, at: u64, start: usize, vertices: &[Vertex], loaded: &mut Loaded) {
        let words: &[[u32; 20]] = bytemuck::cast_slice(vertices);
        // Counted without branches, so that the compiler can vectorise the loop. Bone indices stored as integers are
        // far below the bit patterns of infinite numbers.
        let odd = words.iter().fold([0_u32; 20], |mut odd, vertex| {
            for (odd, word) in odd.iter_mut().zip(vertex) {
                *odd |= u32::from(word & INFINITY == INFINITY);
            }
            odd
        });
        if odd.iter().any(|&odd| odd != 0) {
            self.report_not_finite(at, start, words);
        }
        if !self.encoding.fits(vertices) {
            self.report_encoding(at, start, vertices);
        }
        let mut largest = 0;
        for vertex in vertices {
            for (&bone, &weight) in vertex.bones.iter().zip(&vertex.weights) {
                largest = largest.max(if weight != 0.0 { bone } else { 0 });
            }
        }
        // Both encodings sort in the same order as the words.
        if loaded.largest_bone.is_none_or(|(bone, _)| largest > bone) {
            let weighted = |v: &Vertex| (0..3).find(|&i| v.weights[i] != 0.0 && v.bones[i] == largest);
            let found = vertices.iter().enumerate().find_map(|(i, v)| Some((i, weighted(v)?)));
            if let Some((vertex, slot)) = found {
                loaded.largest_bone = Some((largest, at + 80 * vertex as u64 + 56 + 4 * slot as u64));
            }
        }
    }

    fn report_not_finite(&mut self, at: u64, start: usize, words: &[[u32; 20]]) {
        let all = words.as_flattened().iter().enumerate();
        let mut odd = all.filter(|(_, word)| **word & INFINITY == INFINITY);
        if let Some((i, &word)) = odd.next() {
            let field = format!("vertices[{}].{}", start + i / 20, field_of_word(i % 20));
            let more = odd.count();
            let message = match more {
                0 => format!("{} is not a finite number", f32::from_bits(word)),
                _ => format!("{} is not a finite number, nor are {more} more nearby", f32::from_bits(word)),
            };
            self.fields.error(at + 4 * i as u64, &codes::NOT_FINITE, field, message);
        }
    }

    fn report_encoding(&mut self, at: u64, start: usize, vertices: &[Vertex]) {
        let mut words = vertices.iter().enumerate().flat_map(|(v, vertex)| {
            vertex.bones.iter().enumerate().map(move |(slot, &word)| (v, slot, word))
        });
        // If there were none before, the first nonzero index decides the encoding.
        if self.encoding.found.is_none() {
            let first = words.clone().map(|(_, _, word)| word).find(|&word| word != 0).unwrap_or_default();
            self.encoding.found = Some(match first {
                0..BONES_END => BoneIndices::Whole,
                _ => BoneIndices::Float,
            });
        }
        let Some((v, slot, word)) = words.find(|&(_, _, word)| word != 0 && !self.encoding.fits_word(word))
        else {
            return;
        };
        let others = match self.encoding.found {
            Some(BoneIndices::Float) => "floats",
            _ => "integers",
        };
        let message = format!(
            "the bone index has the bytes {:02x?}; expected one below {BONES_END}, and the file's other indices are {others}",
            word.to_le_bytes()
        );
        let field = format!("vertices[{}].bones[{slot}]", start + v);
        self.fields.error(at + 80 * v as u64 + 56 + 4 * slot as u64, &codes::BONE_ENCODING, field, message);
    }

    fn vertex_index(&mut self, at: u64, start: usize, indices: &[u32], vertices: usize) {
        if let Some(i) = indices.iter().position(|&index| index as usize >= vertices) {
            let message = format!("there is no vertex {}; the geometry has {vertices}", indices[i]);
            let field = format!("indices[{}]", start + i);
            self.fields.error(at + 4 * (start + i) as u64, &codes::VERTEX_INDEX, field, message);
        }
    }

    /// Checks that every weighted bone of the geometry is in the skeleton.
    pub(super) fn check_largest_bone(
        &mut self,
        object: usize,
        geometry: usize,
        largest: LargestBone,
        bones: usize,
    ) {
        let Some((word, at)) = largest else { return };
        let index = self.encoding.found().unwrap_or_default().decode(word);
        if index as usize >= bones {
            let message = format!("there is no bone {index}; the skeleton of object {object} has {bones}");
            let field = format!("geometries[{geometry}].vertices.bones");
            // Offsets refer to this file.
            let place = if self.external { Place::field(field) } else { Place::binary(at, field) };
            self.fields.report.error(&codes::BONE_INDEX, place, message);
        }
    }
}

fn field_of_word(word: usize) -> &'static str {
    match word {
        0..3 => "position",
        3..5 => "uv",
        5..8 => "normal",
        8..11 => "tangent",
        11..14 => "binormal",
        14..17 => "bones",
        _ => "weights",
    }
}
