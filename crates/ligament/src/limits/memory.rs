use crate::settings::{Kind, Typed};
use serde_json::{Value, json};
use std::fmt;

const MIB: u64 = 1 << 20;

/// An amount of memory.
///
/// ```
/// use ligament::Memory;
///
/// assert_eq!(Memory::parse("1.5 GiB"), Some(Memory::new(1536 << 20)));
/// assert_eq!(Memory::parse("500"), Memory::parse("500MiB"));
/// assert_eq!(Memory::new(61 << 30).to_string(), "61 GiB");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Memory(u64);

/// Units, largest first: what follows a number in text, and its bytes.
const UNITS: [(&str, u64); 5] =
    [("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", MIB), ("KiB", 1 << 10), ("B", 1)];

impl Memory {
    /// This many bytes.
    pub const fn new(bytes: u64) -> Self {
        Self(bytes)
    }

    /// In bytes.
    pub const fn bytes(self) -> u64 {
        self.0
    }

    /// Parses a number with a unit such as `GiB`, `G`, `GB` (a power of ten) or `B`, in any case. Without a unit, it is a
    /// number of MiB. An amount is at least one byte.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let bytes = match unit.trim_start().to_ascii_lowercase().as_str() {
            "" | "m" | "mib" => MIB as f64,
            "b" => 1.0,
            "k" | "kib" => 1024.0,
            "g" | "gib" => (1_u64 << 30) as f64,
            "t" | "tib" => (1_u64 << 40) as f64,
            "kb" => 1e3,
            "mb" => 1e6,
            "gb" => 1e9,
            "tb" => 1e12,
            _ => return None,
        };
        let bytes = number.parse::<f64>().ok()? * bytes;
        (1.0..1e18).contains(&bytes).then_some(Self(bytes as u64))
    }

    /// As an option's value that is at least this much: `64GiB`.
    pub(crate) fn rounded_up(self) -> String {
        let (name, unit) = if self.0 >= 1 << 30 { ("GiB", 1 << 30) } else { ("MiB", MIB) };
        format!("{}{name}", self.0.div_ceil(unit).max(1))
    }
}

impl fmt::Display for Memory {
    /// `61 GiB`, `1.5 MiB`, `900 B`: at most one decimal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, unit) = UNITS.into_iter().find(|(_, unit)| self.0 >= *unit).unwrap_or(("B", 1));
        let tenths = (self.0 as f64 / unit as f64 * 10.0).round() / 10.0;
        write!(f, "{tenths} {name}")
    }
}

impl Typed for Memory {
    const KIND: Kind = Kind::Memory;

    fn typed(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Self::parse(text),
            number => number.as_u64()?.checked_mul(MIB).filter(|bytes| *bytes > 0).map(Self),
        }
    }

    /// A number of MiB; text if it is not a whole number of them.
    fn value(&self) -> Value {
        if self.0.is_multiple_of(MIB) { json!(self.0 / MIB) } else { json!(format!("{}B", self.0)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_type_them() {
        let bytes = |text| Memory::parse(text).map(Memory::bytes);
        for (text, expected) in [
            ("4GiB", 4 << 30),
            ("500MiB", 500 << 20),
            ("500 mib", 500 << 20),
            ("64", 64 << 20),
            ("0.5g", 1 << 29),
            ("2GB", 2_000_000_000),
            ("1kb", 1000),
            ("7b", 7),
            ("1TiB", 1 << 40),
        ] {
            assert_eq!(bytes(text), Some(expected), "{text}");
        }
        for wrong in ["", "0", "-1", "GiB", "1e3", "4 GiBs", "1.2.3G", "nan", "inf", "99999999999TiB", "0.1b"]
        {
            assert_eq!(bytes(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn sizes_are_shown_with_a_unit_and_survive_settings() {
        let shown = [900, 1 << 10, 1536 << 20, 61 << 30, 3 << 40].map(|bytes| Memory(bytes).to_string());
        assert_eq!(shown, ["900 B", "1 KiB", "1.5 GiB", "61 GiB", "3 TiB"]);
        assert_eq!(Memory((61 << 30) + 1).rounded_up(), "62GiB");
        assert_eq!(Memory(5).rounded_up(), "1MiB");
        for bytes in [1, 1 << 20, (3 << 20) + 5, 61 << 30] {
            assert_eq!(Memory::typed(&Memory(bytes).value()), Some(Memory(bytes)));
        }
        assert_eq!(Memory::typed(&json!(0)), None);
        assert_eq!(Memory::typed(&json!(u64::MAX)), None);
    }
}
