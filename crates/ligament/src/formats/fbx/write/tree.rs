//! The tree of records that a file is made of, before it is encoded.

use std::sync::Arc;

/// An object's number, which connections refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Id(pub(super) i64);

impl Id {
    /// The parent of the topmost models.
    pub(super) const ROOT: Self = Self(0);
}

/// A record: a name, values, and records within it.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) name: &'static str,
    pub(super) values: Vec<Value>,
    pub(super) children: Vec<Record>,
}

/// A value of a record.
#[derive(Debug)]
pub(super) enum Value {
    I32(i32),
    I64(i64),
    F64(f64),
    Text(String),
    /// An object's name and its class, which binary and text join in different ways.
    Name(String, &'static str),
    Bytes(Arc<[u8]>),
    Array(Array),
}

/// A list of numbers.
#[derive(Debug)]
pub(super) enum Array {
    I32(Vec<i32>),
    I64(Vec<i64>),
    F32(Vec<f32>),
    F64(Vec<f64>),
    /// 32-bit numbers that are floats in binary files, and the integers of the same bits in text.
    Bits(Vec<u32>),
}

impl Value {
    /// Whether this is a certain text.
    pub(super) fn is_text(&self, text: &str) -> bool {
        matches!(self, Value::Text(own) if own == text)
    }
}

impl Array {
    pub(super) fn len(&self) -> usize {
        match self {
            Array::I32(v) => v.len(),
            Array::I64(v) => v.len(),
            Array::F32(v) => v.len(),
            Array::F64(v) => v.len(),
            Array::Bits(v) => v.len(),
        }
    }
}

impl Record {
    pub(super) fn new(name: &'static str) -> Self {
        Self { name, values: Vec::new(), children: Vec::new() }
    }

    /// A record with one value.
    pub(super) fn of(name: &'static str, value: impl Into<Value>) -> Self {
        Self::new(name).value(value)
    }

    /// An object: a record of `Objects`.
    pub(super) fn object(
        kind: &'static str,
        id: Id,
        name: impl Into<String>,
        class: &'static str,
        subclass: &'static str,
    ) -> Self {
        let mut name = name.into();
        if name.contains('\0') {
            name = name.replace('\0', "_");
        }
        Self::of(kind, id.0).value(Value::Name(name, class)).value(subclass)
    }

    pub(super) fn value(mut self, value: impl Into<Value>) -> Self {
        self.values.push(value.into());
        self
    }

    pub(super) fn child(mut self, child: Record) -> Self {
        self.children.push(child);
        self
    }

    /// Adds a record with one value.
    pub(super) fn with(self, name: &'static str, value: impl Into<Value>) -> Self {
        self.child(Self::of(name, value))
    }

    pub(super) fn children(mut self, children: impl IntoIterator<Item = Record>) -> Self {
        self.children.extend(children);
        self
    }

    /// Adds properties.
    pub(super) fn properties(self, rows: impl IntoIterator<Item = Record>) -> Self {
        self.child(Self::new("Properties70").children(rows))
    }

    /// Whether the record is written with a block, even an empty one.
    pub(super) fn has_block(&self) -> bool {
        !self.children.is_empty() || self.values.is_empty()
    }
}

/// A property: its name, type, label, flags, and values.
pub(super) fn property(
    name: impl Into<String>,
    [kind, label, flags]: [&'static str; 3],
    values: impl IntoIterator<Item = impl Into<Value>>,
) -> Record {
    let record = Record::new("P").value(name.into()).value(kind).value(label).value(flags);
    values.into_iter().fold(record, Record::value)
}

pub(super) fn integer(name: &'static str, value: i32) -> Record {
    property(name, ["int", "Integer", ""], [value])
}

pub(super) fn choice(name: &'static str, value: i32) -> Record {
    property(name, ["enum", "", ""], [value])
}

pub(super) fn flag(name: &'static str, value: bool) -> Record {
    property(name, ["bool", "", ""], [i32::from(value)])
}

pub(super) fn number(name: &'static str, value: impl Into<f64>) -> Record {
    property(name, ["Number", "", "A"], [value.into()])
}

pub(super) fn double(name: &'static str, value: impl Into<f64>) -> Record {
    property(name, ["double", "Number", ""], [value.into()])
}

pub(super) fn color(name: &'static str, value: [f32; 3]) -> Record {
    property(name, ["Color", "", "A"], value.map(f64::from))
}

pub(super) fn time(name: &'static str, ticks: i64) -> Record {
    property(name, ["KTime", "Time", ""], [ticks])
}

macro_rules! values {
    ($($type:ty => $make:expr,)*) => {$(
        impl From<$type> for Value {
            fn from(value: $type) -> Self {
                $make(value)
            }
        }
    )*};
}

values! {
    i32 => Value::I32,
    i64 => Value::I64,
    f64 => Value::F64,
    String => Value::Text,
    Arc<[u8]> => Value::Bytes,
    Vec<i32> => |v| Value::Array(Array::I32(v)),
    Vec<i64> => |v| Value::Array(Array::I64(v)),
    Vec<f32> => |v| Value::Array(Array::F32(v)),
    Vec<f64> => |v| Value::Array(Array::F64(v)),
    Array => Value::Array,
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Value::Text(value.to_owned())
    }
}
