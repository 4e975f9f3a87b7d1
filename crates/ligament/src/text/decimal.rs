//! Decimal numbers of any length at any place of a line, for formats whose numbers have no fixed layout.

use super::number::parse_fixed6;

/// Powers of ten that an f64 holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// The most digits that always fit into 64 bits.
const MOST_DIGITS: usize = 19;

/// Reads the decimal number at `at` and returns its value and the offset after it. `None` where it is no such number, or
/// where only `std` can round it correctly: [`parse_f32`](super::parse_f32) on the field tells the two apart.
///
/// What follows the number is the caller's to check, but it is not a digit, a point or a letter of an exponent.
///
/// With at most 19 digits and a power of ten of at most 22, the f64 is off by less than two units of its last place. It
/// rounds to the right f32 unless a midpoint between two f32 is as near; those few are left to `std`.
#[inline(always)]
pub fn parse_decimal(bytes: &[u8], at: usize) -> Option<(f32, usize)> {
    if let Some((value, next)) = parse_fixed6(bytes, at)
        && !bytes.get(next).is_some_and(|&b| continues(b))
    {
        return Some((value, next));
    }
    parse_any(bytes, at)
}

#[inline(always)]
fn continues(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E')
}

fn parse_any(bytes: &[u8], at: usize) -> Option<(f32, usize)> {
    let negative = *bytes.get(at)? == b'-';
    let start = at + usize::from(negative);
    let (whole, mut next) = digits(bytes, start, 0);
    let mut count = next - start;
    let (mut mantissa, mut power) = (whole, 0_i32);
    if bytes.get(next) == Some(&b'.') {
        let first = next + 1;
        (mantissa, next) = digits(bytes, first, whole);
        count += next - first;
        power = -((next - first) as i32);
    }
    if count == 0 || count > MOST_DIGITS {
        return None;
    }
    if let Some(b'e' | b'E') = bytes.get(next) {
        let minus = bytes.get(next + 1) == Some(&b'-');
        let first = next + 1 + usize::from(minus || bytes.get(next + 1) == Some(&b'+'));
        let (exponent, end) = digits(bytes, first, 0);
        if end == first || end - first > 3 {
            return None;
        }
        power += if minus { -(exponent as i32) } else { exponent as i32 };
        next = end;
    }
    if bytes.get(next).is_some_and(|&b| continues(b)) {
        return None;
    }
    let factor = *POWERS.get(power.unsigned_abs() as usize)?;
    let value = if power < 0 { mantissa as f64 / factor } else { mantissa as f64 * factor };
    let to_midpoint = (value.to_bits() & 0x1fff_ffff).abs_diff(0x1000_0000);
    if to_midpoint < 4 || value > 1e38 {
        return None;
    }
    let value = value as f32;
    Some((if negative { -value } else { value }, next))
}

/// The value of the digits at `at`, after those of `value`, and the offset after them. More than fit wrap around.
#[inline(always)]
fn digits(bytes: &[u8], mut at: usize, mut value: u64) -> (u64, usize) {
    while let Some(digit) = bytes.get(at).map(|b| b.wrapping_sub(b'0')).filter(|&d| d < 10) {
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    (value, at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_number_ends_where_it_ends() {
        for (text, value, end) in [
            ("1", 1.0_f32, 1),
            ("-0 x", -0.0, 2),
            ("0.25/3", 0.25, 4),
            ("5.", 5.0, 2),
            (".5", 0.5, 2),
            ("0.250000 1", 0.25, 8),
            ("0.2500001", 0.2500001, 9),
            ("-3.06e-17 0", -3.06e-17, 9),
            ("1e+3", 1000.0, 4),
        ] {
            // Room after the number, as in a line, and none, as at the end of a file.
            for room in ["", " . . . . . ."] {
                let text = format!("{text}{room}");
                let (found, next) = parse_decimal(text.as_bytes(), 0).unwrap_or_else(|| panic!("{text}"));
                assert_eq!((found.to_bits(), next), (value.to_bits(), end), "{text}");
            }
        }
        for text in ["", "-", ".", "--1", "+1", "1e", "1.2.3", "1e5e5", "nan", "1e99", "12345678901234567890"]
        {
            assert_eq!(parse_decimal(text.as_bytes(), 0), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn numbers_read_as_std_reads_them(text in "-?[0-9]{1,10}(\\.[0-9]{0,10})?([eE][+-]?[0-9]{1,2})?") {
            if let Some((value, end)) = parse_decimal(text.as_bytes(), 0) {
                let expected: f32 = text.parse().expect("std reads it");
                prop_assert_eq!((value.to_bits(), end), (expected.to_bits(), text.len()));
            }
        }

        #[test]
        fn what_is_printed_in_full_reads_back(bits in any::<u32>()) {
            let value = f32::from_bits(bits);
            prop_assume!(value.is_finite());
            let text = value.to_string();
            if let Some((found, _)) = parse_decimal(text.as_bytes(), 0) {
                prop_assert_eq!(found.to_bits(), bits);
            }
        }

        #[test]
        fn any_bytes_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..40), at in 0_usize..45) {
            let _ = parse_decimal(&bytes, at);
        }

        #[test]
        fn numbers_near_midpoints_round_correctly(bits in 0x3000_0000_u32..0x4f00_0000, off in -3_i64..4) {
            let below = f64::from(f32::from_bits(bits));
            let above = f64::from(f32::from_bits(bits + 1));
            let middle = f64::from_bits(((below + (above - below) / 2.0).to_bits() as i64 + off) as u64);
            let text = middle.to_string();
            if let Some((found, _)) = parse_decimal(text.as_bytes(), 0) {
                let expected: f32 = text.parse().expect("std reads it");
                prop_assert_eq!(found.to_bits(), expected.to_bits(), "{}", text);
            }
        }
    }
}
