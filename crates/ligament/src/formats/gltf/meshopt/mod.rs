//! The streams of EXT_meshopt_compression and KHR_meshopt_compression, decoded as their specification says.
//!
//! | file | what it does |
//! |---|---|
//! | `attributes.rs` | mode ATTRIBUTES: elements of a fixed size, as differences between neighbours, byte by byte |
//! | `triangles.rs` | mode TRIANGLES: lists of triangles, as edges and vertices that were seen shortly before |
//! | `indices.rs` | mode INDICES: any list of indices, as differences |
//! | `filters.rs` | what is applied to decoded elements: unit vectors, quaternions, floats and colours from fewer bits |
//! | `bytes.rs` | reading a stream |
//!
//! Every length is checked against the stream before anything is allocated: [`Stream::decode`] makes at most 1024 times
//! the stream's bytes, because every block has a byte for each four bytes of an element.

mod attributes;
mod bytes;
mod filters;
mod indices;
mod triangles;

/// What a stream holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::formats::gltf) enum Mode {
    Attributes,
    Triangles,
    Indices,
}

impl Mode {
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "ATTRIBUTES" => Mode::Attributes,
            "TRIANGLES" => Mode::Triangles,
            "INDICES" => Mode::Indices,
            _ => return None,
        })
    }
}

/// What is applied to the elements of [`Mode::Attributes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::formats::gltf) enum Filter {
    None,
    Octahedral,
    Quaternion,
    Exponential,
    Color,
}

impl Filter {
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "NONE" => Filter::None,
            "OCTAHEDRAL" => Filter::Octahedral,
            "QUATERNION" => Filter::Quaternion,
            "EXPONENTIAL" => Filter::Exponential,
            "COLOR" => Filter::Color,
            _ => return None,
        })
    }
}

/// A stream, and what the file says about it.
#[derive(Debug, Clone, Copy)]
pub(in crate::formats::gltf) struct Stream<'b> {
    pub mode: Mode,
    pub filter: Filter,
    pub count: usize,
    /// Bytes per element.
    pub stride: usize,
    pub bytes: &'b [u8],
}

impl Stream<'_> {
    /// The decoded elements, `count` times `stride` bytes; `Err` says what is wrong.
    pub fn decode(&self) -> Result<Vec<u8>, String> {
        self.check()?;
        let Self { count, stride, bytes, .. } = *self;
        match self.mode {
            Mode::Attributes => {
                let mut elements = attributes::decode(bytes, count, stride)?;
                filters::apply(self.filter, &mut elements, stride);
                Ok(elements)
            }
            Mode::Triangles => triangles::decode(bytes, count).and_then(|list| packed(list, stride)),
            Mode::Indices => indices::decode(bytes, count).and_then(|list| packed(list, stride)),
        }
    }

    fn check(&self) -> Result<(), String> {
        let stride = self.stride;
        let (fits, allowed) = match (self.mode, self.filter) {
            (Mode::Triangles | Mode::Indices, Filter::None) => (matches!(stride, 2 | 4), "2 or 4"),
            (Mode::Triangles | Mode::Indices, _) => {
                return Err("only the mode ATTRIBUTES can have a filter".to_owned());
            }
            (_, Filter::Octahedral | Filter::Color) => (matches!(stride, 4 | 8), "4 or 8"),
            (_, Filter::Quaternion) => (stride == 8, "8"),
            (_, Filter::None | Filter::Exponential) => {
                (stride.is_multiple_of(4) && (4..=256).contains(&stride), "a multiple of 4 up to 256")
            }
        };
        if fits {
            Ok(())
        } else {
            Err(format!("the byteStride is {stride}; with this mode and filter it must be {allowed}"))
        }
    }
}

/// Indices in two or four bytes each.
fn packed(indices: Vec<u32>, stride: usize) -> Result<Vec<u8>, String> {
    if stride == 4 {
        return Ok(indices.iter().flat_map(|i| i.to_le_bytes()).collect());
    }
    if let Some(large) = indices.iter().find(|&&i| i > u32::from(u16::MAX)) {
        return Err(format!("the index {large} does not fit into 2 bytes"));
    }
    Ok(indices.iter().flat_map(|&i| (i as u16).to_le_bytes()).collect())
}

/// The version in a stream's first byte, whose upper half states the mode.
fn version(bytes: &[u8], mode: u8) -> Result<u8, String> {
    match bytes.first() {
        Some(&first) if first & 0xf0 == mode && first & 0x0f <= 1 => Ok(first & 0x0f),
        Some(first) => {
            Err(format!("the stream starts with {first:#04x}; expected {mode:#04x} or {:#04x}", mode | 1))
        }
        None => Err("the stream is empty".to_owned()),
    }
}

/// The message for a stream that cannot hold what the file says.
fn too_short(bytes: &[u8], count: usize, what: &str) -> String {
    format!("{} bytes cannot hold {count} {what}", bytes.len())
}

#[cfg(test)]
mod tests;
