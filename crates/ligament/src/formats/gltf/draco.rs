//! Draco streams, decoded with the crate `draco-core`.
//!
//! This is the one place that calls it. A stream is hostile input to code that is not ours, so a panic in there becomes
//! an error here, and what it may allocate is limited before it starts.

use super::accessor::Component;
use draco_core::draco_types::DataType;
use draco_core::{DecodeLimits, DecoderBuffer, MeshDecoder, PointAttribute, PointIndex};
use std::sync::Arc;

/// Memory that the decoder needs for a face and for a point besides their values: tables of corners and maps.
const BYTES_PER_FACE: u64 = 128;
const BYTES_PER_POINT: u64 = 32;

/// A decoded stream.
pub(super) struct Geometry(draco_core::Mesh);

/// The values of an attribute, one per point and without gaps.
pub(super) struct Values {
    pub component: Component,
    pub components: usize,
    /// Whether integers stand for numbers from -1 or 0 to 1.
    pub is_normalized: bool,
    pub bytes: Arc<[u8]>,
}

impl Geometry {
    /// Decodes a stream that takes at most about `most` bytes of memory; `Err` says what is wrong.
    pub fn decode(bytes: &[u8], most: u64) -> Result<Self, String> {
        let limits = DecodeLimits::default()
            .with_max_points(most / BYTES_PER_POINT)
            .with_max_faces(most / BYTES_PER_FACE)
            .with_max_decoded_bytes(most);
        let decoded = std::panic::catch_unwind(|| {
            let mut mesh = draco_core::Mesh::new();
            let mut buffer = DecoderBuffer::new(bytes).with_limits(limits);
            MeshDecoder::new().decode(&mut buffer, &mut mesh).map(|()| mesh)
        });
        match decoded {
            Ok(Ok(mesh)) => Ok(Self(mesh)),
            Ok(Err(error)) => Err(format!("the Draco stream cannot be decoded: {error}")),
            Err(_) => Err("the Draco stream is damaged: its decoder gave up".to_owned()),
        }
    }

    /// The number of vertices.
    pub fn points(&self) -> usize {
        self.0.num_points()
    }

    /// Bytes of all values and faces.
    pub fn size(&self) -> u64 {
        let strides = (0..self.0.num_attributes()).filter_map(|id| self.0.try_attribute(id).ok());
        let strides: u64 = strides.map(|a| a.byte_stride().unsigned_abs()).sum();
        strides.saturating_mul(self.points() as u64).saturating_add(self.0.num_faces() as u64 * 12)
    }

    /// The corners of the triangles; empty for a point cloud.
    pub fn corners(&self) -> Vec<u32> {
        self.0.faces().iter().flatten().map(|point| point.0).collect()
    }

    /// The values of the attribute with a unique id, if there is one, as `wanted` if they can be that.
    pub fn values(&self, id: u32, wanted: Component) -> Option<Result<Values, String>> {
        let attribute = self.0.attribute_by_unique_id(id)?;
        Some(self.values_of(attribute, wanted))
    }

    fn values_of(&self, attribute: &PointAttribute, wanted: Component) -> Result<Values, String> {
        let (stored, components) = (attribute.data_type(), usize::from(attribute.num_components()));
        let own = component(stored);
        // Integers fit into another type or not; between integers and floats, only the stream knows what they mean.
        let is_float = |c: Component| c == Component::F32;
        let component = own.filter(|&own| is_float(own) != is_float(wanted)).unwrap_or(wanted);
        let is_normalized = attribute.normalized();
        let (size, stride) = (stored.byte_length(), attribute.byte_stride().unsigned_abs() as usize);
        let data = attribute.buffer().data();
        let mut bytes = Vec::with_capacity(self.points() * components * component.size() as usize);
        for point in 0..self.points() as u32 {
            let at = attribute.mapped_index(PointIndex(point)).0 as usize;
            let value =
                at.checked_mul(stride).and_then(|at| data.get(at..at.checked_add(size * components)?));
            let value = value.ok_or_else(|| format!("the Draco stream has no value for vertex {point}"))?;
            if own == Some(component) {
                bytes.extend_from_slice(value);
                continue;
            }
            for number in value.chunks_exact(size) {
                let number = read(stored, number);
                if !write(number, component, &mut bytes) {
                    return Err(format!(
                        "{number} in the Draco stream does not fit the accessor's componentType"
                    ));
                }
            }
        }
        Ok(Values { component, components, is_normalized, bytes: bytes.into() })
    }
}

/// The type that glTF has for a type of Draco.
fn component(stored: DataType) -> Option<Component> {
    Some(match stored {
        DataType::Int8 => Component::I8,
        DataType::Uint8 | DataType::Bool => Component::U8,
        DataType::Int16 => Component::I16,
        DataType::Uint16 => Component::U16,
        DataType::Uint32 => Component::U32,
        DataType::Float32 => Component::F32,
        _ => return None,
    })
}

fn read(stored: DataType, bytes: &[u8]) -> f64 {
    macro_rules! number {
        ($type:ty) => {
            bytes.first_chunk().map_or(0.0, |bytes| <$type>::from_le_bytes(*bytes) as f64)
        };
    }
    match stored {
        DataType::Invalid => 0.0,
        DataType::Int8 => number!(i8),
        DataType::Uint8 | DataType::Bool => number!(u8),
        DataType::Int16 => number!(i16),
        DataType::Uint16 => number!(u16),
        DataType::Int32 => number!(i32),
        DataType::Uint32 => number!(u32),
        DataType::Int64 => number!(i64),
        DataType::Uint64 => number!(u64),
        DataType::Float32 => number!(f32),
        DataType::Float64 => number!(f64),
    }
}

/// Appends a number as another type. Returns whether it is that number there.
fn write(number: f64, component: Component, out: &mut Vec<u8>) -> bool {
    macro_rules! append {
        ($type:ty) => {{
            out.extend_from_slice(&(number as $type).to_le_bytes());
            (number as $type) as f64 == number
        }};
    }
    match component {
        Component::I8 => append!(i8),
        Component::U8 => append!(u8),
        Component::I16 => append!(i16),
        Component::U16 => append!(u16),
        Component::U32 => append!(u32),
        Component::F32 => {
            out.extend_from_slice(&(number as f32).to_le_bytes());
            true
        }
    }
}
