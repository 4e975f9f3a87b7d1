//! An object of a scene with access to its attributes by name. Values of the wrong type are reported with their location.

use crate::errors::{self, WRONG_VALUE};
use crate::values::{from_python, kind};
use ligament::report::Place;
use ligament::scene::Extras;
use pyo3::prelude::*;
use serde_json::Value;
use std::fmt;

/// The location of an object: `meshes[0].parts[1]`.
#[derive(Clone, Copy)]
pub struct At<'a> {
    above: Option<&'a At<'a>>,
    name: &'a str,
    index: Option<usize>,
}

impl At<'_> {
    /// The scene itself.
    pub const ROOT: At<'static> = At { above: None, name: "", index: None };
}

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(above) = self.above.filter(|above| !above.name.is_empty()) {
            write!(f, "{above}.")?;
        }
        f.write_str(self.name)?;
        self.index.map_or(Ok(()), |index| write!(f, "[{index}]"))
    }
}

/// An object and its location.
pub struct Object<'a, 'py> {
    value: Bound<'py, PyAny>,
    at: At<'a>,
}

impl<'a, 'py> Object<'a, 'py> {
    /// An object that should be a `class`.
    pub fn new(value: Bound<'py, PyAny>, at: &At<'a>, class: &str) -> PyResult<Self> {
        let object = Self { value, at: *at };
        // Duck typing: attributes are checked one by one. Values that cannot be such an object are rejected at once.
        let found = object.class();
        if matches!(
            found.as_str(),
            "NoneType" | "str" | "int" | "float" | "dict" | "list" | "tuple" | "ndarray"
        ) {
            return Err(object.fault(format!("expected a {class}, not a {found}")));
        }
        Ok(object)
    }

    /// The name of its class in Python.
    pub fn class(&self) -> String {
        kind(&self.value)
    }

    /// An error about the object.
    pub fn fault(&self, message: String) -> PyErr {
        let place = match self.at.to_string() {
            path if path.is_empty() => Place::WHOLE,
            path => Place::field(path),
        };
        errors::fault(self.value.py(), "SceneError", &WRONG_VALUE, place, message)
    }

    /// An error about one of its attributes.
    pub fn wrong(&self, name: &str, message: String) -> PyErr {
        let at = At { above: Some(&self.at), name, index: None };
        errors::fault(self.value.py(), "SceneError", &WRONG_VALUE, Place::field(at.to_string()), message)
    }

    /// An attribute.
    pub fn get(&self, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.value
            .getattr(name)
            .map_err(|_| self.fault(format!("expected an object with {name}, not a {}", self.class())))
    }

    /// An attribute that may be `None`.
    pub fn some(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(Some(self.get(name)?).filter(|value| !value.is_none()))
    }

    /// An attribute that is an object itself.
    pub fn child<'b>(&'b self, name: &'b str, class: &str) -> PyResult<Object<'b, 'py>> {
        Object::new(self.get(name)?, &At { above: Some(&self.at), name, index: None }, class)
    }

    /// An attribute that is an object or `None`.
    pub fn maybe<T>(
        &self,
        name: &str,
        class: &str,
        take: impl FnOnce(&Object<'_, 'py>) -> PyResult<T>,
    ) -> PyResult<Option<T>> {
        if self.get(name)?.is_none() { Ok(None) } else { take(&self.child(name, class)?).map(Some) }
    }

    /// A list of objects.
    pub fn list<T>(
        &self,
        name: &str,
        class: &str,
        mut take: impl FnMut(&Object<'_, 'py>) -> PyResult<T>,
    ) -> PyResult<Vec<T>> {
        let values = self.values(name, &format!("a list of {class}"))?;
        let mut taken = Vec::with_capacity(values.len());
        for (index, value) in values.into_iter().enumerate() {
            let at = At { above: Some(&self.at), name, index: Some(index) };
            taken.push(take(&Object::new(value, &at, class)?)?);
        }
        Ok(taken)
    }

    /// The items of any iterable.
    pub fn values(&self, name: &str, expected: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let value = self.get(name)?;
        let items = value.try_iter().and_then(|items| items.collect::<PyResult<Vec<_>>>());
        items.map_err(|_| self.wrong(name, format!("expected {expected}, not a {}", kind(&value))))
    }

    /// A string.
    pub fn text(&self, name: &str) -> PyResult<String> {
        let value = self.get(name)?;
        value.extract().map_err(|_| match kind(&value).as_str() {
            "str" => self.wrong(name, "the string is not valid Unicode".to_owned()),
            other => self.wrong(name, format!("expected a str, not a {other}")),
        })
    }

    /// One of these words.
    pub fn word(&self, name: &str, words: &[&'static str]) -> PyResult<&'static str> {
        let value = self.get(name)?;
        let text = value.extract::<String>().ok();
        let found = words.iter().find(|word| text.as_deref() == Some(**word)).copied();
        found.ok_or_else(|| {
            let shown = value.repr().map_or_else(|_| kind(&value), |text| text.to_string());
            self.wrong(name, format!("expected one of: {}, not {shown}", words.join(", ")))
        })
    }

    /// `True` or `False`.
    pub fn flag(&self, name: &str) -> PyResult<bool> {
        let value = self.get(name)?;
        value.extract().map_err(|_| self.wrong(name, format!("expected a bool, not a {}", kind(&value))))
    }

    /// The index of another object, or `None`.
    pub fn index(&self, name: &str) -> PyResult<Option<u32>> {
        let Some(value) = self.some(name)? else { return Ok(None) };
        value.extract().map(Some).map_err(|_| {
            let shown = value.repr().map_or_else(|_| kind(&value), |text| text.to_string());
            self.wrong(name, format!("expected an index or None, not {shown}"))
        })
    }

    /// A required integer.
    pub fn whole(&self, name: &str) -> PyResult<u32> {
        self.index(name)?.ok_or_else(|| self.wrong(name, "expected an integer, not None".to_owned()))
    }

    /// A number.
    pub fn number(&self, name: &str) -> PyResult<f32> {
        let value = self.get(name)?;
        self.single(name, &value)
    }

    /// A number or `None`.
    pub fn optional_number(&self, name: &str) -> PyResult<Option<f32>> {
        self.some(name)?.map(|value| self.single(name, &value)).transpose()
    }

    fn single(&self, name: &str, value: &Bound<'py, PyAny>) -> PyResult<f32> {
        let number = value.extract::<f64>();
        number
            .map(|n| n as f32)
            .map_err(|_| self.wrong(name, format!("expected a number, not a {}", kind(value))))
    }

    /// `N` numbers.
    pub fn numbers<const N: usize>(&self, name: &str) -> PyResult<[f32; N]> {
        let numbers = self.any_numbers(name)?;
        let found = numbers.len();
        numbers.try_into().map_err(|_| self.wrong(name, format!("expected {N} numbers, not {found}")))
    }

    /// `N` numbers, or `None`.
    pub fn optional_numbers<const N: usize>(&self, name: &str) -> PyResult<Option<[f32; N]>> {
        if self.get(name)?.is_none() { Ok(None) } else { self.numbers(name).map(Some) }
    }

    /// Any number of numbers.
    pub fn any_numbers(&self, name: &str) -> PyResult<Vec<f32>> {
        self.values(name, "numbers")?.iter().map(|value| self.single(name, value)).collect()
    }

    /// The object's key-value data.
    pub fn extras(&self) -> PyResult<Extras> {
        let value = self.get("extras")?;
        match from_python(&value) {
            Ok(Value::Object(map)) => Ok(map),
            Ok(Value::Null) => Ok(Extras::new()),
            Ok(_) => Err(self.wrong("extras", format!("expected a dict, not a {}", kind(&value)))),
            Err(message) => Err(self.wrong("extras", message)),
        }
    }
}
