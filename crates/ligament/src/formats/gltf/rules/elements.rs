//! The elements of an accessor, read block by block.

use super::layout::{Array, Arrays, View};
use crate::formats::gltf::accessor::Component;
use crate::formats::gltf::buffers::Buffers;

/// Elements per block.
pub(super) const BLOCK: u64 = 1 << 11;

/// Replaced elements that are in memory at once; more are not looked at.
const MOST_SPARSE: u64 = 1 << 22;

/// An accessor whose data is there.
pub(super) struct Elements<'x> {
    array: &'x Array<'x>,
    view: Option<View>,
    /// Ascending indices of replaced elements, and their components.
    pub replaced: Vec<u64>,
    values: Vec<f64>,
}

impl<'x> Elements<'x> {
    /// `None` if the accessor has no data, or data that does not fit or cannot be understood.
    pub fn open(array: &'x Array<'x>, arrays: &Arrays<'_>, buffers: &Buffers<'_, '_>) -> Option<Self> {
        if array.has_gaps()
            || array.is_sparse != array.sparse.is_some()
            || (array.view.is_none() && !array.is_sparse)
        {
            return None;
        }
        let fits = |view: &View, offset: u64, length: u64| {
            let end = view.offset.checked_add(view.length)?;
            let is_within = offset.checked_add(length)? <= view.length;
            let is_there = buffers.is_there(view.buffer) && buffers.length(view.buffer)? >= end;
            (is_within && is_there).then_some(())
        };
        let view = match array.view {
            Some(view) => {
                let view = (*arrays.views.get(view)?)?;
                if array.stride(&view) < array.element() {
                    return None;
                }
                fits(&view, array.offset, array.length(&view))?;
                Some(view)
            }
            None => None,
        };
        let (mut replaced, mut values) = (Vec::new(), Vec::new());
        if let Some(sparse) = array.sparse.filter(|s| s.count <= array.count && s.count <= MOST_SPARSE) {
            let read =
                |(view, offset): (usize, u64), component: Component, width: u64, out: &mut Vec<f64>| {
                    let view = (*arrays.views.get(view)?)?;
                    let length = component.size().checked_mul(width)?.checked_mul(sparse.count)?;
                    fits(&view, offset, length)?;
                    let bytes = buffers.range(view.buffer, view.offset + offset, length).ok()?;
                    decode(&bytes, component, out);
                    Some(())
                };
            let mut indices = Vec::new();
            read((sparse.indices.0, sparse.indices.1), sparse.indices.2, 1, &mut indices)?;
            read(sparse.values, array.component, array.width as u64, &mut values)?;
            replaced = indices.iter().map(|index| *index as u64).collect();
        }
        Some(Self { array, view, replaced, values })
    }

    /// Whether the replaced elements are in order, as those of `block` must be.
    pub fn is_ordered(&self) -> bool {
        self.replaced.windows(2).all(|pair| pair[0] < pair[1])
    }

    /// The components of the elements from `first` on, without normalisation.
    pub fn block(&self, buffers: &Buffers<'_, '_>, first: u64, count: u64, out: &mut Vec<f64>) -> Option<()> {
        let width = self.array.width;
        out.clear();
        match &self.view {
            None => out.resize(count as usize * width, 0.0),
            Some(view) => {
                let (stride, element) = (self.array.stride(view), self.array.element());
                let start = view.offset + self.array.offset + first * stride;
                let bytes = buffers.range(view.buffer, start, (count - 1) * stride + element).ok()?;
                for element_bytes in bytes.chunks(stride as usize) {
                    decode(element_bytes.get(..element as usize)?, self.array.component, out);
                }
            }
        }
        let from = self.replaced.partition_point(|index| *index < first);
        for (k, index) in self.replaced.iter().enumerate().skip(from).take_while(|(_, i)| **i < first + count)
        {
            let target = (index - first) as usize * width;
            out.get_mut(target..target + width)?
                .copy_from_slice(self.values.get(k * width..(k + 1) * width)?);
        }
        Some(())
    }
}

fn decode(bytes: &[u8], component: Component, out: &mut Vec<f64>) {
    match component {
        Component::I8 => out.extend(bytes.iter().map(|b| f64::from(*b as i8))),
        Component::U8 => out.extend(bytes.iter().map(|b| f64::from(*b))),
        Component::I16 => out.extend(bytes.as_chunks().0.iter().map(|b| f64::from(i16::from_le_bytes(*b)))),
        Component::U16 => out.extend(bytes.as_chunks().0.iter().map(|b| f64::from(u16::from_le_bytes(*b)))),
        Component::U32 => out.extend(bytes.as_chunks().0.iter().map(|b| f64::from(u32::from_le_bytes(*b)))),
        Component::F32 => out.extend(bytes.as_chunks().0.iter().map(|b| f64::from(f32::from_le_bytes(*b)))),
    }
}

/// The factor that turns an integer of a normalised accessor into its value; 1 for others.
pub(super) fn scale(array: &Array<'_>) -> f64 {
    match array.component {
        Component::I8 if array.normalized => 1.0 / 127.0,
        Component::U8 if array.normalized => 1.0 / 255.0,
        Component::I16 if array.normalized => 1.0 / 32767.0,
        Component::U16 if array.normalized => 1.0 / 65535.0,
        _ => 1.0,
    }
}
