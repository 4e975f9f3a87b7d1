//! The values that settings accept, and the Rust types that have them.

use crate::Memory;
use serde_json::{Value, json};

/// The values that a setting accepts.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// `true` or `false`.
    Flag,
    /// One of these words, each with a one-line description.
    Word(&'static [(&'static str, &'static str)]),
    /// A number greater than this.
    Above(f64),
    /// A fraction of the model's size, at most 1; in text also a percentage.
    Fraction,
    /// An integer that is at least this.
    Integer(u64),
    /// An amount of memory: a number of MiB, or text such as `4GiB`.
    Memory,
    /// A text.
    Text,
    /// A list of texts.
    Texts,
}

impl Kind {
    /// Its name in JSON.
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Flag => "flag",
            Kind::Word(_) => "word",
            Kind::Above(_) | Kind::Fraction => "number",
            // A number of MiB is always accepted.
            Kind::Integer(_) | Kind::Memory => "integer",
            Kind::Text => "text",
            Kind::Texts => "texts",
        }
    }

    /// The words that it accepts.
    pub fn choices(self) -> &'static [(&'static str, &'static str)] {
        if let Kind::Word(words) = self { words } else { &[] }
    }

    /// The smallest number.
    pub(super) fn minimum(self) -> Option<f64> {
        match self {
            Kind::Above(least) => Some(least),
            Kind::Fraction => Some(0.0),
            Kind::Integer(least) => Some(least as f64),
            Kind::Memory => Some(1.0),
            Kind::Flag | Kind::Word(_) | Kind::Text | Kind::Texts => None,
        }
    }

    /// Whether it accepts this value.
    pub(super) fn has(self, value: &Value) -> bool {
        match self {
            Kind::Flag => value.is_boolean(),
            Kind::Word(words) => {
                value.as_str().is_some_and(|value| words.iter().any(|(word, _)| *word == value))
            }
            Kind::Above(least) => value.as_f64().is_some_and(|n| {
                // Checked as the f32 that it becomes.
                let rounded = f64::from(n as f32);
                rounded.is_finite() && rounded > least
            }),
            Kind::Fraction => value.as_f64().is_some_and(|n| (0.0..=1.0).contains(&n)),
            Kind::Integer(least) => value.as_u64().is_some_and(|n| n >= least && usize::try_from(n).is_ok()),
            Kind::Memory => Memory::typed(value).is_some(),
            Kind::Text => value.as_str().is_some_and(|text| !text.is_empty()),
            Kind::Texts => value.as_array().is_some_and(|list| list.iter().all(Value::is_string)),
        }
    }

    /// Describes the accepted values, for messages.
    pub(super) fn expected(self) -> String {
        match self {
            Kind::Flag => "true or false".to_owned(),
            Kind::Word(words) => {
                let words: Vec<_> = words.iter().map(|(word, _)| json!(word).to_string()).collect();
                format!("one of: {}", words.join(", "))
            }
            Kind::Above(least) => format!("a number above {least}"),
            Kind::Fraction => "a number from 0 to 1, a fraction of the model's size".to_owned(),
            Kind::Integer(least) => format!("an integer of at least {least}"),
            Kind::Memory => "a size such as \"4GiB\" or \"500MiB\", or a number of MiB".to_owned(),
            Kind::Text => "a text".to_owned(),
            Kind::Texts => "a list of texts".to_owned(),
        }
    }

    /// Parses a value as people type it.
    pub fn parse(self, text: &str) -> Result<Value, String> {
        let value = match self {
            Kind::Flag => text.parse().map_or(Value::Null, Value::Bool),
            Kind::Word(_) | Kind::Text => json!(text),
            Kind::Above(_) => text.parse::<f64>().map_or(Value::Null, Value::from),
            Kind::Fraction => parse_fraction(text).map_or(Value::Null, Value::from),
            Kind::Integer(_) => text.parse::<u64>().map_or(Value::Null, Value::from),
            Kind::Memory => Memory::parse(text).map_or(Value::Null, |memory| memory.value()),
            Kind::Texts => json!([text]),
        };
        match self {
            _ if self.has(&value) => Ok(value),
            Kind::Above(least) if value.as_f64().is_some_and(|n| n > least) => {
                Err(format!("expected {}; 32 bits cannot hold {text}", self.expected()))
            }
            Kind::Memory => Err("expected a size such as 4GiB or 500MiB, or a number of MiB".to_owned()),
            // Who types 5 means percent.
            Kind::Fraction
                if !text.contains('%') && parse_fraction(text).is_some_and(|n| n > 1.0 && n <= 100.0) =>
            {
                let text = text.trim();
                Err(format!("{text} is {text} times the model's size; did you mean {text}%?"))
            }
            Kind::Fraction => {
                Err("expected a percentage of the model's size such as 0.01%, or a fraction such as 0.0001"
                    .to_owned())
            }
            _ => Err(format!("expected {}", self.expected())),
        }
    }
}

/// `0.01%` is a percentage, `0.0001` the same as a fraction.
fn parse_fraction(text: &str) -> Option<f64> {
    let (number, unit) = match text.trim().strip_suffix('%') {
        Some(number) => (number.trim_end(), 0.01),
        None => (text.trim(), 1.0),
    };
    Some(number.parse::<f64>().ok()? * unit)
}

/// A type that the values of settings can have.
pub trait Typed: Sized {
    /// The values that it accepts.
    const KIND: Kind;
    /// Converts a value of this kind.
    fn typed(value: &Value) -> Option<Self>;
    /// As a value; `null` if it has no name in the settings.
    fn value(&self) -> Value;
}

/// An enum whose values are chosen by a word.
pub trait Choice: Copy + PartialEq + 'static {
    /// The values that have a word.
    const VALUES: &'static [Self];
    /// Their words, each with a one-line description.
    const WORDS: &'static [(&'static str, &'static str)];
}

/// Assigns words to the values of an enum: `choices! { Up { Y = "y": "+Y", Z = "z": "+Z" } }`. With `enum` before its
/// name, also declares the enum.
macro_rules! choices {
    ($(#[$meta:meta])* $vis:vis enum $name:ident {
        $($(#[$doc:meta])* $value:ident = $word:literal: $help:literal,)+
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        $vis enum $name {
            $(#[doc = concat!($help, ".")] $(#[$doc])* $value,)+
        }
        $crate::settings::choices! { $name { $($value = $word: $help),+ } }
    };
    ($type:ty { $($value:ident = $word:literal: $help:literal),+ $(,)? }) => {
        impl $crate::settings::Choice for $type {
            const VALUES: &'static [Self] = &[$(Self::$value),+];
            const WORDS: &'static [(&'static str, &'static str)] = &[$(($word, $help)),+];
        }
    };
}
pub(crate) use choices;

impl<T: Choice> Typed for T {
    const KIND: Kind = Kind::Word(T::WORDS);

    fn typed(value: &Value) -> Option<Self> {
        let index = T::WORDS.iter().position(|(word, _)| value == word)?;
        T::VALUES.get(index).copied()
    }

    fn value(&self) -> Value {
        let index = T::VALUES.iter().position(|value| value == self);
        index.and_then(|index| T::WORDS.get(index)).map_or(Value::Null, |(word, _)| json!(word))
    }
}

impl<T: Typed> Typed for Option<T> {
    const KIND: Kind = T::KIND;

    fn typed(value: &Value) -> Option<Self> {
        T::typed(value).map(Some)
    }

    fn value(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::value)
    }
}

macro_rules! typed {
    ($($type:ty = $kind:expr),+) => {$(
        impl Typed for $type {
            const KIND: Kind = $kind;

            fn typed(value: &Value) -> Option<Self> {
                serde_json::from_value(value.clone()).ok()
            }

            fn value(&self) -> Value {
                Some(json!(self)).filter(|value| *value != json!([])).unwrap_or_default()
            }
        }
    )+};
}

typed! {
    bool = Kind::Flag,
    f32 = Kind::Above(0.0),
    f64 = Kind::Fraction,
    usize = Kind::Integer(1),
    String = Kind::Text,
    Vec<String> = Kind::Texts
}
