//! Reads typed arrays from accessors. Every count and offset is checked against the available bytes before anything is
//! allocated, and the loops are specialised by component type.

use super::import::Import;
use super::views::{Store, View};
use super::{codes, json};
use crate::io::little_endian::to_native;
use bytemuck::{Pod, Zeroable};
use std::fmt::{self, Display};
use std::sync::Arc;

/// Component types by their GL numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    pub fn from_gl(number: u32) -> Option<Self> {
        Some(match number {
            5120 => Component::I8,
            5121 => Component::U8,
            5122 => Component::I16,
            5123 => Component::U16,
            5125 => Component::U32,
            5126 => Component::F32,
            _ => return None,
        })
    }

    /// The name in the specification.
    pub fn name(self) -> &'static str {
        match self {
            Component::I8 => "BYTE",
            Component::U8 => "UNSIGNED_BYTE",
            Component::I16 => "SHORT",
            Component::U16 => "UNSIGNED_SHORT",
            Component::U32 => "UNSIGNED_INT",
            Component::F32 => "FLOAT",
        }
    }

    fn is_normalizable(self) -> bool {
        !matches!(self, Component::F32 | Component::U32)
    }

    pub fn size(self) -> u64 {
        match self {
            Component::I8 | Component::U8 => 1,
            Component::I16 | Component::U16 => 2,
            Component::U32 | Component::F32 => 4,
        }
    }
}

/// Equally spaced elements of a view, checked to lie within it.
#[derive(Debug, Clone)]
struct Run {
    store: Store,
    offset: u64,
    stride: u64,
    element: u64,
    count: u64,
}

/// An accessor whose fields have been checked.
#[derive(Debug, Clone)]
pub(super) struct Checked {
    pub index: usize,
    pub count: usize,
    pub components: usize,
    pub component: Component,
    pub normalized: bool,
    base: Option<Run>,
    sparse: Option<(Run, Component, Run)>,
}

impl Checked {
    /// Whether it has no data, so that all elements are zero.
    pub fn is_blank(&self) -> bool {
        self.base.is_none() && self.sparse.is_none()
    }

    fn path(&self) -> AccessorPath {
        AccessorPath(self.index)
    }

    /// The accessor with decoded data in place of a view's: `count` elements of `components`, without gaps.
    pub fn decoded(&self, component: Component, components: usize, data: Arc<[u8]>) -> Self {
        let element = component.size() * components as u64;
        let count = data.len() as u64 / element;
        let run = Run { store: Store::Decoded(data), offset: 0, stride: element, element, count };
        let normalized = self.normalized && component.is_normalizable();
        let count = count as usize;
        Self { count, components, component, normalized, base: Some(run), sparse: None, ..*self }
    }
}

/// Displays as `accessors[3]`; formatted only when needed.
#[derive(Clone, Copy)]
struct AccessorPath(usize);

impl Display for AccessorPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "accessors[{}]", self.0)
    }
}

pub(super) fn components(kind: &str) -> Option<usize> {
    Some(match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" | "MAT2" => 4,
        "MAT3" => 9,
        "MAT4" => 16,
        _ => return None,
    })
}

impl Import<'_, '_, '_> {
    /// Checks an accessor that `user` refers to. Errors are reported once, however many objects refer to it.
    pub fn accessor(&mut self, index: u32, user: impl Display) -> Option<Checked> {
        if let Some(decoded) = self.decoded.accessors.get(&index) {
            return Some(decoded.clone());
        }
        let root = self.root;
        let Some(accessor) = root.accessors.get(index as usize) else {
            let message = format!("there is no accessor {index}; the file has {}", root.accessors.len());
            self.error(&codes::INDEX, user, message);
            return None;
        };
        if let Some(known) = self.accessors.get(&index) {
            return known.clone();
        }
        let checked = self.check(index as usize, accessor);
        self.accessors.insert(index, checked.clone());
        checked
    }

    fn check(&mut self, index: usize, accessor: &json::Accessor) -> Option<Checked> {
        let path = AccessorPath(index);
        let Some(component) = accessor.component_type.and_then(Component::from_gl) else {
            let message = "componentType must be 5120, 5121, 5122, 5123, 5125 or 5126";
            return self.fault(&codes::ACCESSOR, format_args!("{path}.componentType"), message);
        };
        let Some(components) = components(&accessor.kind) else {
            let message = "type must be SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4";
            return self.fault(&codes::ACCESSOR, format_args!("{path}.type"), message);
        };
        let Some(count) = accessor.count.filter(|&c| c > 0 && c <= u64::from(u32::MAX)) else {
            let message = "count must be at least 1 and below 2^32";
            return self.fault(&codes::ACCESSOR, format_args!("{path}.count"), message);
        };
        let element = component.size() * components as u64;
        let base = match accessor.buffer_view {
            Some(view) => {
                let offset = accessor.byte_offset.unwrap_or(0);
                Some(self.run(view, accessor.byte_stride, offset, element, count, path)?)
            }
            None => None,
        };
        let sparse = match &accessor.sparse {
            Some(sparse) => Some(self.check_sparse(sparse, element, count, path)?),
            None => None,
        };
        let normalized = accessor.normalized && component.is_normalizable();
        let count = count as usize;
        Some(Checked { index, count, components, component, normalized, base, sparse })
    }

    fn check_sparse(
        &mut self,
        sparse: &json::Sparse,
        element: u64,
        count: u64,
        path: AccessorPath,
    ) -> Option<(Run, Component, Run)> {
        let path = format!("{path}.sparse");
        let Some(changed) = sparse.count.filter(|&c| c > 0 && c <= count) else {
            let message = format!("count must be from 1 to the accessor's {count}");
            return self.fault(&codes::ACCESSOR, format_args!("{path}.count"), message);
        };
        let component = match sparse.indices.component_type.and_then(Component::from_gl) {
            Some(c @ (Component::U8 | Component::U16 | Component::U32)) => c,
            _ => {
                let message = "componentType of sparse indices must be 5121, 5123 or 5125";
                return self.fault(&codes::ACCESSOR, format_args!("{path}.indices.componentType"), message);
            }
        };
        let mut array = |array: &json::SparseArray, element: u64, name: &str| {
            let path = format!("{path}.{name}");
            match array.buffer_view {
                Some(view) => self.run(view, None, array.byte_offset.unwrap_or(0), element, changed, &path),
                None => self.fault(&codes::ACCESSOR, &path, "bufferView is missing"),
            }
        };
        let indices = array(&sparse.indices, component.size(), "indices")?;
        let values = array(&sparse.values, element, "values")?;
        Some((indices, component, values))
    }

    /// The elements of a view from `offset` on, if they all lie within it; `own` is the accessor's own stride, if it has one.
    fn run(
        &mut self,
        view: u32,
        own: Option<u64>,
        offset: u64,
        element: u64,
        count: u64,
        path: impl Display,
    ) -> Option<Run> {
        let View { store, start, length, stride } = self.view(view, format_args!("{path}.bufferView"))?;
        let stride_path = || match own {
            Some(_) => format!("{path}.byteStride"),
            None => format!("bufferViews[{view}].byteStride"),
        };
        if let Some(stride) = own.filter(|s| !(1..=255).contains(s)) {
            let message = format!("a stride of {stride} is outside 0 to 255");
            return self.fault(&codes::ACCESSOR, stride_path(), message);
        }
        let stride = own.or(stride).unwrap_or(element);
        if stride < element {
            let message = format!("elements of {element} bytes do not fit a stride of {stride}");
            return self.fault(&codes::ACCESSOR, stride_path(), message);
        }
        let end = (count - 1).checked_mul(stride).and_then(|n| n.checked_add(element)?.checked_add(offset));
        if end.is_none_or(|end| end > length) {
            let view = self.places.name(&format!("bufferViews[{view}]"));
            let message = format!(
                "{count} elements of {element} bytes every {stride} from byte {offset} reach past the {length} bytes of {view}"
            );
            return self.fault(&codes::ACCESSOR, path, message);
        }
        Some(Run { store, offset: start + offset, stride, element, count })
    }

    /// Reads vectors of `T`'s size as floats from any component type, normalised if the accessor says so.
    pub fn floats<T: Pod + Zeroable>(&mut self, accessor: &Checked) -> Option<Vec<T>> {
        let width = size_of::<T>() / 4;
        let elements = accessor.count * accessor.components / width;
        self.spend(elements as u64 * size_of::<T>() as u64, accessor.path())?;
        if let Some(values) = self.floats_in_place(accessor) {
            return Some(values);
        }
        let mut values = vec![T::zeroed(); elements];
        self.fill(accessor, bytemuck::cast_slice_mut(&mut values))?;
        Some(values)
    }

    /// Copies finite floats that are already in memory in the right layout, without zeroing the destination first.
    fn floats_in_place<T: Pod>(&self, accessor: &Checked) -> Option<Vec<T>> {
        let run = accessor.base.as_ref().filter(|run| run.stride == run.element)?;
        if accessor.component != Component::F32 || accessor.sparse.is_some() || cfg!(target_endian = "big") {
            return None;
        }
        let bytes = run.store.in_memory(self.buffers, run.offset, run.count * run.element)?;
        let values: &[T] = bytemuck::try_cast_slice(bytes).ok()?;
        all_finite(bytemuck::cast_slice(values)).then(|| values.to_vec())
    }

    /// Like [`floats`](Self::floats), for scalars that several objects share.
    pub fn shared_floats(&mut self, accessor: &Checked) -> Option<Arc<[f32]>> {
        let key = accessor.index as u32;
        if let Some(known) = self.times.get(&key) {
            return Some(Arc::clone(known));
        }
        let values: Arc<[f32]> = self.floats::<f32>(accessor)?.into();
        self.times.insert(key, Arc::clone(&values));
        Some(values)
    }

    fn fill(&mut self, accessor: &Checked, out: &mut [f32]) -> Option<()> {
        let (component, width) = (accessor.component, accessor.components);
        if let Some(run) = &accessor.base {
            if component == Component::F32 && run.stride == run.element {
                self.read(run, bytemuck::cast_slice_mut(out), accessor)?;
                to_native(out);
            } else {
                self.blocks(run, accessor, |at, bytes| {
                    let out = &mut out[at * width..];
                    convert(bytes, run, component, accessor.normalized, out);
                })?;
            }
        }
        if let Some((indices, index_component, values)) = &accessor.sparse {
            let places = self.integers(indices, *index_component, accessor)?;
            let mut changed = vec![0.0_f32; places.len() * width];
            self.blocks(values, accessor, |at, bytes| {
                convert(bytes, values, component, accessor.normalized, &mut changed[at * width..]);
            })?;
            self.replace(out, &places, &changed, accessor)?;
        }
        if !all_finite(out) {
            let at = out.iter().position(|v| !v.is_finite()).unwrap_or(0) / width;
            let message = format!("element {at} is not a finite number");
            return self.fault(&codes::NOT_FINITE, accessor.path(), message);
        }
        Some(())
    }

    /// Reads unsigned integers: indices and joints.
    pub fn unsigned(&mut self, accessor: &Checked, user: impl Display) -> Option<Vec<u32>> {
        let (component, width) = (accessor.component, accessor.components);
        if !matches!(component, Component::U8 | Component::U16 | Component::U32) {
            return self.fault(&codes::ACCESSOR_TYPE, user, "the accessor must hold unsigned integers");
        }
        self.spend((accessor.count * width) as u64 * 4, accessor.path())?;
        let mut out = match &accessor.base {
            Some(run) => self.integers(run, component, accessor)?,
            None => vec![0; accessor.count * width],
        };
        if let Some((indices, index_component, values)) = &accessor.sparse {
            let places = self.integers(indices, *index_component, accessor)?;
            let changed = self.integers(values, component, accessor)?;
            self.replace(&mut out, &places, &changed, accessor)?;
        }
        Some(out)
    }

    /// Overwrites elements with the values of a sparse accessor.
    fn replace<T: Copy>(
        &mut self,
        out: &mut [T],
        places: &[u32],
        values: &[T],
        accessor: &Checked,
    ) -> Option<()> {
        let width = accessor.components;
        for (&place, value) in places.iter().zip(values.chunks_exact(width)) {
            let start = place as usize * width;
            let Some(target) = out.get_mut(start..start + width) else {
                let message = format!("sparse index {place} is past the {} elements", accessor.count);
                let path = format!("{}.sparse.indices", accessor.path());
                return self.fault(&codes::ACCESSOR, path, message);
            };
            target.copy_from_slice(value);
        }
        Some(())
    }

    fn integers(&mut self, run: &Run, component: Component, accessor: &Checked) -> Option<Vec<u32>> {
        let width = (run.element / component.size()) as usize;
        let mut out = vec![0_u32; run.count as usize * width];
        if component == Component::U32 && run.stride == run.element {
            self.read(run, bytemuck::cast_slice_mut(&mut out), accessor)?;
            to_native(&mut out);
            return Some(out);
        }
        self.blocks(run, accessor, |at, bytes| {
            let out = &mut out[at * width..];
            match component {
                Component::U8 => each(bytes, run, out, |b: [u8; 1]| u32::from(b[0])),
                Component::U16 => each(bytes, run, out, |b: [u8; 2]| u32::from(u16::from_le_bytes(b))),
                _ => each(bytes, run, out, |b: [u8; 4]| u32::from_le_bytes(b)),
            }
        })?;
        Some(out)
    }

    fn read(&mut self, run: &Run, out: &mut [u8], accessor: &Checked) -> Option<()> {
        run.store.read_into(self.buffers, run.offset, out).map_err(|e| self.io_error(accessor, &e)).ok()
    }

    /// Reads a run block by block, so that interleaved data are never in memory as a whole. Calls `take(first element, bytes)`.
    fn blocks(&mut self, run: &Run, accessor: &Checked, mut take: impl FnMut(usize, &[u8])) -> Option<()> {
        let per_block = ((1 << 20) / run.stride).max(1);
        let mut first = 0;
        while first < run.count {
            let count = per_block.min(run.count - first);
            let length = (count - 1) * run.stride + run.element;
            match run.store.range(self.buffers, run.offset + first * run.stride, length) {
                Ok(bytes) => take(first as usize, &bytes),
                Err(error) => {
                    self.io_error(accessor, &error);
                    return None;
                }
            }
            first += count;
        }
        Some(())
    }

    fn io_error(&mut self, accessor: &Checked, error: &std::io::Error) {
        let place = self.places.of(&accessor.path().to_string());
        super::buffers::failed_read(place, error, self.report);
    }
}

/// Converts the elements of a block to floats, with one loop per component type.
fn convert(bytes: &[u8], run: &Run, component: Component, normalized: bool, out: &mut [f32]) {
    match (component, normalized) {
        (Component::F32, _) => each(bytes, run, out, f32::from_le_bytes),
        (Component::I8, false) => each(bytes, run, out, |b: [u8; 1]| f32::from(b[0] as i8)),
        (Component::U8, false) => each(bytes, run, out, |b: [u8; 1]| f32::from(b[0])),
        (Component::I16, false) => each(bytes, run, out, |b| f32::from(i16::from_le_bytes(b))),
        (Component::U16, false) => each(bytes, run, out, |b| f32::from(u16::from_le_bytes(b))),
        (Component::I8, true) => {
            each(bytes, run, out, |b: [u8; 1]| (f32::from(b[0] as i8) / 127.0).max(-1.0));
        }
        (Component::U8, true) => each(bytes, run, out, |b: [u8; 1]| f32::from(b[0]) / 255.0),
        (Component::I16, true) => {
            each(bytes, run, out, |b| (f32::from(i16::from_le_bytes(b)) / 32767.0).max(-1.0));
        }
        (Component::U16, true) => each(bytes, run, out, |b| f32::from(u16::from_le_bytes(b)) / 65535.0),
        (Component::U32, _) => each(bytes, run, out, |b| u32::from_le_bytes(b) as f32),
    }
}

/// Reads every component of a block's elements, which may be interleaved with other data.
fn each<const N: usize, T>(bytes: &[u8], run: &Run, out: &mut [T], read: impl Fn([u8; N]) -> T) {
    let copy = |bytes: &[u8], out: &mut [T]| {
        bytes.as_chunks::<N>().0.iter().zip(out).for_each(|(bytes, value)| *value = read(*bytes));
    };
    if run.stride == run.element {
        return copy(bytes, out);
    }
    let width = run.element as usize / N;
    for (element, out) in bytes.chunks(run.stride as usize).zip(out.chunks_exact_mut(width)) {
        copy(element, out);
    }
}

/// Whether all values are finite, written so that the compiler can vectorise it.
fn all_finite(values: &[f32]) -> bool {
    const EXPONENT: u32 = 0x7F80_0000;
    values.chunks(4096).all(|c| !c.iter().fold(false, |bad, v| bad | (v.to_bits() & EXPONENT == EXPONENT)))
}
