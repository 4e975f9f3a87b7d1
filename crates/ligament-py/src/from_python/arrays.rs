//! Arrays of numbers, of any type and layout.

use super::object::Object;
use crate::values::kind;
use bytemuck::Pod;
use numpy::{
    Element, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::prelude::*;

/// Numbers and their shape.
pub struct Array<T> {
    /// In row-major order.
    pub data: Vec<T>,
    /// The length of each dimension.
    pub shape: Vec<usize>,
}

impl<'py> Object<'_, 'py> {
    /// Vectors, one per row.
    pub fn rows<T: Pod>(&self, name: &str, columns: usize) -> PyResult<Vec<T>> {
        self.rows_of(name, &self.get(name)?, columns)
    }

    /// Vectors, one per row; empty for `None`.
    pub fn rows_or_none<T: Pod>(&self, name: &str, columns: usize) -> PyResult<Vec<T>> {
        self.some(name)?.map_or_else(|| Ok(Vec::new()), |value| self.rows_of(name, &value, columns))
    }

    /// A list of sets of vectors.
    pub fn sets<T: Pod>(&self, name: &str, columns: usize) -> PyResult<Vec<Vec<T>>> {
        let sets = self.values(name, "a list of arrays")?.into_iter().enumerate();
        sets.map(|(index, set)| self.rows_of(&format!("{name}[{index}]"), &set, columns)).collect()
    }

    fn rows_of<T: Pod>(&self, name: &str, value: &Bound<'py, PyAny>, columns: usize) -> PyResult<Vec<T>> {
        let array = self.array::<f32>(name, value)?;
        match array.shape[..] {
            [_, found] if found == columns => Ok(collect(&array.data)),
            // An empty list has no columns.
            [0] => Ok(Vec::new()),
            _ => Err(self.shape(name, &format!("(n, {columns})"), &array.shape)),
        }
    }

    /// A one-dimensional array of numbers.
    pub fn floats(&self, name: &str) -> PyResult<Vec<f32>> {
        let array = self.array::<f32>(name, &self.get(name)?)?;
        if array.shape.len() == 1 { Ok(array.data) } else { Err(self.shape(name, "(n,)", &array.shape)) }
    }

    /// Numbers with their shape.
    pub fn shaped(&self, name: &str) -> PyResult<Array<f32>> {
        self.array::<f32>(name, &self.get(name)?)
    }

    /// A one-dimensional array of integers.
    pub fn indices(&self, name: &str) -> PyResult<Vec<u32>> {
        let array = self.whole_numbers(name)?;
        if array.shape.len() == 1 { Ok(array.data) } else { Err(self.shape(name, "(n,)", &array.shape)) }
    }

    /// Integers in one dimension, or `columns` of them per row.
    pub fn grouped_indices(&self, name: &str, columns: usize) -> PyResult<Vec<u32>> {
        let array = self.whole_numbers(name)?;
        match array.shape[..] {
            [_] => Ok(array.data),
            [_, found] if found == columns => Ok(array.data),
            _ => Err(self.shape(name, &format!("(n,) or (n, {columns})"), &array.shape)),
        }
    }

    /// A matrix for `matrix @ vector`, converted to column-major order; `None` for `None`.
    pub fn matrix(&self, name: &str) -> PyResult<Option<[f32; 16]>> {
        let Some(value) = self.some(name)? else { return Ok(None) };
        let array = self.array::<f32>(name, &value)?;
        match array.shape[..] {
            [4, 4] => Ok(Some(transposed(&array.data))),
            _ => Err(self.shape(name, "(4, 4)", &array.shape)),
        }
    }

    /// Matrices, converted to column-major order.
    pub fn matrices(&self, name: &str) -> PyResult<Vec<[f32; 16]>> {
        let array = self.array::<f32>(name, &self.get(name)?)?;
        match array.shape[..] {
            [_, 4, 4] => Ok(array.data.chunks_exact(16).map(transposed).collect()),
            [0] => Ok(Vec::new()),
            _ => Err(self.shape(name, "(n, 4, 4)", &array.shape)),
        }
    }

    fn whole_numbers(&self, name: &str) -> PyResult<Array<u32>> {
        let value = self.get(name)?;
        if let Some(array) = as_it_is::<u32>(&value) {
            return Ok(array);
        }
        // Checked as 64 bits, so that a negative number is reported instead of wrapped around.
        let array = self.array::<i64>(name, &value)?;
        if let Some((index, number)) =
            array.data.iter().enumerate().find(|(_, n)| u32::try_from(**n).is_err())
        {
            let place = format!("{name}[{index}]");
            return Err(self.wrong(&place, format!("{number} is not an index; expected 0 to {}", u32::MAX)));
        }
        Ok(Array { data: array.data.iter().map(|n| *n as u32).collect(), shape: array.shape })
    }

    fn array<T: Element + Copy + Kind>(&self, name: &str, value: &Bound<'py, PyAny>) -> PyResult<Array<T>> {
        if let Some(array) = as_it_is(value) {
            return Ok(array);
        }
        let numpy = value.py().import("numpy")?;
        let wrong = || self.wrong(name, format!("expected an array of {}, not a {}", T::NAME, kind(value)));
        let array = numpy.call_method1("asarray", (value,)).map_err(|_| wrong())?;
        let untyped = array.cast::<PyUntypedArray>().map_err(|_| wrong())?;
        let (element, empty) = (untyped.dtype().kind(), untyped.is_empty());
        if element == b'O' {
            return Err(wrong());
        }
        if !empty && !T::FROM.contains(&element) {
            let dtype = untyped.dtype();
            return Err(self.wrong(name, format!("expected an array of {}, not of {dtype}", T::NAME)));
        }
        let converted = numpy.call_method1("ascontiguousarray", (&array, T::WORD)).map_err(|_| wrong())?;
        let shape = untyped.shape().to_vec();
        let array = as_it_is::<T>(&converted).ok_or_else(wrong)?;
        // A single number has become a list of one.
        if shape.is_empty() { Err(wrong()) } else { Ok(Array { shape, ..array }) }
    }

    fn shape(&self, name: &str, expected: &str, found: &[usize]) -> PyErr {
        let found: Vec<_> = found.iter().map(ToString::to_string).collect();
        let comma = if found.len() == 1 { "," } else { "" };
        self.wrong(name, format!("expected an array of shape {expected}, not ({}{comma})", found.join(", ")))
    }
}

/// A copy of an array that already has the right type and layout.
fn as_it_is<T: Element + Copy>(value: &Bound<'_, PyAny>) -> Option<Array<T>> {
    let array = value.cast::<PyArrayDyn<T>>().ok()?;
    // `as_slice` also accepts arrays in column-major order.
    if !array.is_c_contiguous() {
        return None;
    }
    let shape = array.shape().to_vec();
    let view = array.try_readonly().ok()?;
    let data = view.as_slice().ok()?.to_vec();
    Some(Array { data, shape })
}

/// Types of elements.
trait Kind {
    /// Its name in messages.
    const NAME: &'static str;
    /// Its name in numpy.
    const WORD: &'static str;
    /// Kinds of numpy types that may be converted to it.
    const FROM: &'static [u8];
}

impl Kind for f32 {
    const NAME: &'static str = "numbers";
    const WORD: &'static str = "float32";
    const FROM: &'static [u8] = b"fiub";
}

impl Kind for i64 {
    const NAME: &'static str = "integers";
    const WORD: &'static str = "int64";
    const FROM: &'static [u8] = b"iu";
}

/// Groups numbers into vectors.
fn collect<T: Pod>(numbers: &[f32]) -> Vec<T> {
    bytemuck::pod_collect_to_vec(numbers)
}

/// Transposes a matrix.
fn transposed(rows: &[f32]) -> [f32; 16] {
    std::array::from_fn(|i| rows.get(i % 4 * 4 + i / 4).copied().unwrap_or_default())
}
