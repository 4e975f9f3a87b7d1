//! Key-value data and options: JSON in the library, dictionaries and lists in Python.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde_json::{Map, Number, Value};

/// Maximum nesting depth of data; Python objects may contain themselves.
const MAX_DEPTH: usize = 100;

/// Converts a JSON value to Python.
pub fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(truth) => PyBool::new(py, *truth).to_owned().into_any(),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(n), _) => n.into_pyobject(py)?.into_any(),
            (None, Some(n)) => n.into_pyobject(py)?.into_any(),
            (None, None) => PyFloat::new(py, number.as_f64().unwrap_or(f64::NAN)).into_any(),
        },
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(list) => {
            let items = list.iter().map(|item| to_python(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_any()
        }
        Value::Object(map) => object_to_python(py, map)?.into_any(),
    })
}

/// Key-value data as a dictionary.
pub fn object_to_python<'py>(py: Python<'py>, map: &Map<String, Value>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (key, value) in map {
        dict.set_item(key, to_python(py, value)?)?;
    }
    Ok(dict)
}

/// Converts a Python value to JSON, or returns a message that says why JSON cannot hold it.
pub fn from_python(value: &Bound<'_, PyAny>) -> Result<Value, String> {
    nested(value, MAX_DEPTH)
}

fn nested(value: &Bound<'_, PyAny>, depth: usize) -> Result<Value, String> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(format!("the data is nested more than {MAX_DEPTH} levels deep, or contains itself"));
    };
    if value.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(truth) = value.cast::<PyBool>() {
        return Ok(Value::Bool(truth.is_true()));
    }
    if value.cast::<PyInt>().is_ok() {
        let small = value.extract::<i64>().map(Number::from);
        let number = small.or_else(|_| value.extract::<u64>().map(Number::from));
        return number.map(Value::Number).map_err(|_| "integers can have at most 64 bits".to_owned());
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        let finite = Number::from_f64(number.value());
        return finite.map(Value::Number).ok_or_else(|| format!("{} is not finite", number.value()));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return text.to_str().map(Value::from).map_err(|_| "a string is not valid Unicode".to_owned());
    }
    if value.cast::<PyList>().is_ok() || value.cast::<PyTuple>().is_ok() {
        let items = value.try_iter().map_err(|error| error.to_string())?;
        return items
            .map(|item| nested(&item.map_err(|error| error.to_string())?, depth))
            .collect::<Result<_, _>>()
            .map(Value::Array);
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        let mut map = Map::new();
        for (key, value) in dict.iter() {
            let key = key.extract::<String>().map_err(|_| "keys must be strings".to_owned())?;
            map.insert(key, nested(&value, depth)?);
        }
        return Ok(Value::Object(map));
    }
    // Scalars of numpy are not Python numbers, but can be converted.
    match value.getattr("ndim").and_then(|n| n.extract::<usize>()) {
        Ok(0) => match value.call_method0("item") {
            Ok(item) => nested(&item, depth),
            Err(error) => Err(error.to_string()),
        },
        _ => Err(format!("expected a value that JSON can hold, not a {}", kind(value))),
    }
}

/// The name of a value's type in Python.
pub fn kind(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string())
}
