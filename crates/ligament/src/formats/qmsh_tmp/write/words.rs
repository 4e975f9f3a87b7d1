//! Labels, numbers and strings.

use super::Writer;
use crate::formats::line::parts;
use crate::settings::Precision;
use crate::text::{RawText, is_fixed6};
use glam::Vec3;

/// An indented field name, with a colon in some versions. An empty name only indents.
pub(super) struct Label<'n>(pub &'n str);

parts! { Writer:
    &RawText = |writer, name| writer.string(name);
    f32 = |writer, value| writer.number(value);
    f64 = |writer, value| writer.degrees(value);
    Vec3 = |writer, value| writer.numbers(&value.to_array(), ",");
    Label<'_> = |writer, label| {
        let colon = if writer.version.colons() { ": " } else { " " };
        writer.put(("\t\t", (!label.0.is_empty()).then_some((label.0, colon))));
    };
}

impl Writer<'_> {
    pub(super) fn list(&mut self, name: &str, count: usize) {
        let colon = if self.version.list_colons() { ": " } else { " " };
        // The cast is safe: a list that was read has at most as many entries as its u32 count, and an export checks the length.
        self.line(("\t\t", name, colon, count as u32, " {"));
    }

    pub(super) fn numbers(&mut self, values: &[f32], separator: &str) {
        for (i, &value) in values.iter().enumerate() {
            self.put(((i > 0).then_some(separator), value));
        }
    }

    /// Writes six decimals if they are exact (or requested), otherwise as many digits as needed to restore the number:
    /// with an exponent if there would be many zeros, and always with a point or an exponent, because a number without
    /// them is an integer, which must fit 32 bits.
    #[inline(always)]
    fn number(&mut self, value: f32) {
        self.finite &= value.is_finite();
        if self.precision == Precision::Document || is_fixed6(value) {
            self.out.fixed6(value);
        } else if (1e-5..1e9).contains(&value.abs()) {
            if may_be_halfway(value) {
                self.out.text(format!("{value}").as_bytes());
            } else {
                self.out.text(zmij::Buffer::new().format_finite(value).as_bytes());
            }
        } else {
            self.out.text(format!("{value:e}").as_bytes());
        }
    }

    /// Writes a number with more digits than an f32 has.
    fn degrees(&mut self, value: f64) {
        self.finite &= (value as f32).is_finite();
        let six_decimals = format!("{value:.6}");
        let exact = self.precision == Precision::Document || six_decimals.parse() == Ok(value);
        // Everything that was read fits an f32, so there are not too many digits without an exponent.
        self.out.text(if exact { six_decimals } else { format!("{value:?}") }.as_bytes());
    }

    fn string(&mut self, name: &RawText) {
        self.out.text(b"\"");
        for &byte in name.as_bytes() {
            match byte {
                b'\r' => self.out.text(b"\\r"),
                b'\n' => self.out.text(b"\\n"),
                b'\t' => self.out.text(b"\\t"),
                0x0b => self.out.text(b"\\v"),
                0x08 => self.out.text(b"\\b"),
                0x0c => self.out.text(b"\\f"),
                0x07 => self.out.text(b"\\a"),
                0 => self.out.text(b"\\0"),
                b'"' | b'\'' | b'\\' => self.out.text(&[b'\\', byte]),
                0x01..0x20 | 0x7f => {
                    let digit = |v: u8| b"0123456789abcdef"[usize::from(v & 15)];
                    self.out.text(&[b'\\', b'x', digit(byte >> 4), digit(byte)]);
                }
                _ => self.out.text(&[byte]),
            }
        }
        self.out.text(b"\"");
    }
}

/// Whether a number between 10⁻⁵ and 10⁹ may be exactly between two shortest decimals. The two ways to print them choose
/// differently then: 2.44140625 is 2.4414063 or 2.4414062. Such a number has at most ten digits, 15 of them decimals at
/// most, and thus as many binary places.
fn may_be_halfway(value: f32) -> bool {
    let shifted = f64::from(value) * 65536.0;
    shifted as i64 as f64 == shifted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::qmsh_tmp::version::Version;
    use crate::text::TextWriter;

    #[test]
    fn numbers_come_back_to_the_bit() {
        let numbers =
            [0.0, -0.0, 1.0, 0.1, 1.0 / 3.0, 123.456, 1e-7, 1.5e-30, 7e30, 123_456_790.0, -98_765.43];
        let more = (0..100_000_u32).map(|i| f32::from_bits(i.wrapping_mul(2_147_001)));
        let usual = (0..20_000_u32).map(|i| i as f32 * 0.037 - 300.0);
        let halfway = (0..40_000_u32).map(|i| (i * 37 + 1) as f32 / (512 << (i % 8)) as f32);
        let all = numbers.into_iter().chain(more).chain(usual).chain(halfway);
        for value in all.filter(|v| v.is_finite()) {
            let mut written = Vec::new();
            let out = TextWriter::new(&mut written);
            let mut writer =
                Writer { out, version: Version::DOCUMENT, precision: Precision::Full, finite: true };
            writer.number(value);
            writer.out.finish().expect("memory takes everything");
            let text = String::from_utf8(written).expect("ASCII");
            let first = text.trim_start_matches('-').as_bytes()[0];
            assert!(first.is_ascii_digit() && text.contains(['.', 'e']), "{text}");
            let again = crate::text::parse_f32(text.as_bytes()).expect("a number");
            assert_eq!(again.to_bits(), value.to_bits(), "{text}");
            let magnitude = value.abs();
            let six_decimals = format!("{value:.6}");
            let expected = match magnitude {
                _ if magnitude < 1e9 && six_decimals.parse() == Ok(value) => six_decimals,
                1e-5..1e9 => format!("{value}"),
                _ => format!("{value:e}"),
            };
            assert_eq!(text, expected);
        }
    }
}
