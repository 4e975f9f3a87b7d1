//! Memory as numpy arrays, without a copy.
#![allow(unsafe_code)] // numpy takes a pointer and an owner, and cannot see that they belong together

use bytemuck::Pod;
use ligament::scene::{Influence, Influences};
use numpy::ndarray::{ArrayView1, ArrayViewMutD, Axis, IxDyn};
use numpy::{Element, PyArray1, PyArrayDyn};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyMemoryView;
use std::sync::Arc;

/// Memory behind arrays; it lives as long as the last of them.
#[pyclass]
struct Memory(Box<dyn Bytes>);

trait Bytes: Send + Sync {
    fn bytes(&mut self) -> &mut [u8];
}

impl<T: Pod + Send + Sync> Bytes for Vec<T> {
    fn bytes(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(self)
    }
}

/// Numbers shared by several objects, and therefore read-only.
#[pyclass(frozen)]
struct SharedNumbers(Arc<[f32]>);

/// Bytes shared by several objects.
#[pyclass(frozen)]
struct SharedBytes(Arc<[u8]>);

type View<'a, E> = ArrayViewMutD<'a, E>;

/// An array of `shape` that takes over the memory of `data`.
pub fn adopt<'py, E: Element + Pod, T: Pod + Send + Sync>(
    py: Python<'py>,
    data: Vec<T>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let memory = Bound::new(py, Memory(Box::new(data)))?;
    look_into::<E>(&memory, shape, |view| view)
}

/// Matrices that are stored column by column, as `(.., 4, 4)` arrays for `matrix @ vector`.
pub fn adopt_matrices<'py, E: Element + Pod, T: Pod + Send + Sync>(
    py: Python<'py>,
    data: Vec<T>,
) -> PyResult<Bound<'py, PyAny>> {
    let shape = [data.len(), 4, 4];
    let memory = Bound::new(py, Memory(Box::new(data)))?;
    look_into::<E>(&memory, &shape, |view| view.permuted_axes(IxDyn(&[0, 2, 1])))
}

/// Starts, joints and weights; the last two are views of the same pairs.
pub fn adopt_influences<'py>(py: Python<'py>, influences: Influences) -> PyResult<[Bound<'py, PyAny>; 3]> {
    let (starts, pairs): (Vec<u32>, Vec<Influence>) = influences.into_raw();
    let shape = [pairs.len(), 2];
    let starts_shape = [starts.len()];
    let memory = Bound::new(py, Memory(Box::new(pairs)))?;
    Ok([
        adopt::<u32, _>(py, starts, &starts_shape)?,
        look_into::<u32>(&memory, &shape, |view| view.index_axis_move(Axis(1), 0))?,
        look_into::<f32>(&memory, &shape, |view| view.index_axis_move(Axis(1), 1))?,
    ])
}

fn look_into<'py, E: Element + Pod>(
    memory: &Bound<'py, Memory>,
    shape: &[usize],
    arrange: impl for<'a> FnOnce(View<'a, E>) -> View<'a, E>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut owner = memory.borrow_mut();
    let elements: &mut [E] = bytemuck::cast_slice_mut(owner.0.bytes());
    let view = View::from_shape(IxDyn(shape), elements);
    let view = arrange(view.map_err(|error| PyRuntimeError::new_err(error.to_string()))?);
    // SAFETY: the memory is on the heap and owned by `memory`, which the array keeps alive; nothing but arrays touches it
    // from here on, so it is neither moved nor freed before. Every bit pattern is a valid `E`, and of the `Vec`'s type.
    let array = unsafe { PyArrayDyn::borrow_from_array(&view, memory.clone().into_any()) };
    Ok(array.into_any())
}

/// Shared numbers as a read-only array.
pub fn share<'py>(py: Python<'py>, numbers: Arc<[f32]>) -> PyResult<Bound<'py, PyAny>> {
    let owner = Bound::new(py, SharedNumbers(numbers))?;
    let view = ArrayView1::from(&*owner.get().0);
    // SAFETY: as above; and since the array is read-only, sharing it is sound.
    let array = unsafe { PyArray1::borrow_from_array(&view, owner.clone().into_any()) };
    read_only(array.into_any())
}

/// Shared bytes as a read-only memoryview.
pub fn share_bytes<'py>(py: Python<'py>, bytes: Arc<[u8]>) -> PyResult<Bound<'py, PyAny>> {
    let owner = Bound::new(py, SharedBytes(bytes))?;
    let view = ArrayView1::from(&*owner.get().0);
    // SAFETY: as above.
    let array = unsafe { PyArray1::borrow_from_array(&view, owner.clone().into_any()) };
    Ok(PyMemoryView::from(&read_only(array.into_any())?)?.into_any())
}

/// Makes an array read-only before it is handed out.
fn read_only(array: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyAny>> {
    array.call_method1("setflags", (false,))?;
    Ok(array)
}
