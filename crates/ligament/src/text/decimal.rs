//! Parses decimal numbers of any length at any offset of a line, for formats whose numbers have no fixed layout.

use super::number::{digit_count, eight_values};

/// Powers of ten that an f64 holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// Powers of ten by which a value is scaled before further digits are added.
const STEPS: [u64; 16] = [
    1,
    10,
    100,
    1_000,
    10_000,
    100_000,
    1_000_000,
    10_000_000,
    100_000_000,
    1_000_000_000,
    10_000_000_000,
    100_000_000_000,
    1_000_000_000_000,
    10_000_000_000_000,
    100_000_000_000_000,
    1_000_000_000_000_000,
];

/// The number of digits that always fit into 64 bits.
const MOST_DIGITS: usize = 19;

/// The number of bytes examined: a sign, seven digits, a point, two words of digits, and the byte after them.
const WINDOW: usize = 26;

/// Reads the decimal number at `at`, and returns its value and the offset after it. Returns `None` if there is no such
/// number, or if only `std` can round it correctly; [`parse_f32`](super::parse_f32) on the field distinguishes the two.
///
/// The caller has to check what follows the number. It is never a digit, a point or the letter of an exponent.
///
/// With at most 19 digits and a power of ten of at most 44, the f64 is off by at most two units in the last place. It
/// rounds to the right f32 unless it is that close to a midpoint between two f32; those few are left to `std`.
#[inline(always)]
pub fn parse_decimal(bytes: &[u8], at: usize) -> Option<(f32, usize)> {
    match parse_words(bytes, at) {
        Some(read) => Some(read),
        None => parse_any(bytes, at),
    }
}

/// Reads a number of up to seven digits, optionally with a point and up to fifteen decimals. `None` for every other
/// number, before bytes that rarely follow a number, and within the last bytes of the file.
///
/// Digits are counted and read eight at a time, without a branch for each. Most numbers have one digit before the point;
/// these need no counting.
#[inline(always)]
fn parse_words(bytes: &[u8], at: usize) -> Option<(f32, usize)> {
    let window = bytes.get(at..)?.first_chunk::<WINDOW>()?;
    let negative = window[0] == b'-';
    let sign = usize::from(negative);
    let first = window[sign].wrapping_sub(b'0');
    let (value, end) = if first <= 9 && window[sign + 1] == b'.' {
        decimals::<7>(window, u64::from(first), sign + 1)?
    } else {
        let digits = word(window, sign)?;
        let before = digit_count(digits);
        if before.wrapping_sub(1) > 6 {
            return None;
        }
        let whole = u64::from(eight_values(digits << (64 - 8 * before)));
        let point = sign + before;
        match window[point] {
            b'.' => decimals::<3>(window, whole, point)?,
            // An f32 holds every integer of seven digits.
            next => (next < b'.').then_some((whole as f32, point))?,
        }
    };
    Some((signed(value, negative), at + end))
}

/// Reads up to `8 + MORE` digits after a point. Returns the number and the offset of its end.
#[inline(always)]
fn decimals<const MORE: usize>(window: &[u8; WINDOW], whole: u64, point: usize) -> Option<(f32, usize)> {
    let head = word(window, point + 1)?;
    let mut count = digit_count(head);
    let mantissa = if count < 8 {
        // The mask avoids a shift by 64 if there is no digit; the result is not used then.
        let shift = (64 - 8 * count) & 63;
        whole * STEPS[count] + u64::from(eight_values(head << shift))
    } else {
        let tail = word(window, point + 9)?;
        let more = digit_count(tail);
        if more > MORE {
            return None;
        }
        count = 8 + more;
        // In two steps, because a shift by 64 is not possible.
        let half = 4 * (8 - more);
        let head = whole * STEPS[8] + u64::from(eight_values(head));
        head * STEPS[more] + u64::from(eight_values(tail << half << half))
    };
    let end = point + 1 + count;
    // Blanks, line ends and commas are below a point in ASCII; digits and the letters of exponents are above.
    if count == 0 || *window.get(end)? >= b'.' {
        return None;
    }
    // Up to eighteen digits fit into an i64. The conversion to f64 rounds, and so does the division.
    Some((rounded(mantissa as i64 as f64 / POWERS[count & 15])?, end))
}

/// Eight bytes, with ASCII digits converted to their values.
#[inline(always)]
fn word(window: &[u8; WINDOW], at: usize) -> Option<u64> {
    let bytes = window.get(at..)?.first_chunk::<8>()?;
    Some(u64::from_le_bytes(*bytes) ^ 0x3030_3030_3030_3030)
}

#[inline(always)]
fn signed(value: f32, negative: bool) -> f32 {
    f32::from_bits(value.to_bits() | u32::from(negative) << 31)
}

/// The nearest f32; `None` if the value is too close to a midpoint between two.
#[inline(always)]
fn rounded(value: f64) -> Option<f32> {
    // The values from three units in the last place below a midpoint to three above it become 0 to 6.
    let from_midpoint = value.to_bits().wrapping_sub(0x1000_0000 - 3) & 0x1fff_ffff;
    (from_midpoint > 6).then_some(value as f32)
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
    if count == 0 || count > MOST_DIGITS && count - leading_zeros(&bytes[start..next]) > MOST_DIGITS {
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
    // Two factors, each of which is exact in f64.
    let power_size = power.unsigned_abs() as usize;
    let (first, second) = (power_size.min(22), power_size.saturating_sub(22));
    let (first, second) = (POWERS[first], *POWERS.get(second)?);
    let value = if power < 0 { mantissa as f64 / first / second } else { mantissa as f64 * first * second };
    // Numbers beyond these may be infinite, or subnormal and rounded at another digit.
    if value > 1e38 || value < 1e-37 && mantissa != 0 {
        return None;
    }
    Some((signed(rounded(value)?, negative), next))
}

/// The number of leading zeros, which do not count as digits that must fit.
fn leading_zeros(number: &[u8]) -> usize {
    let front = number.iter().take_while(|b| matches!(b, b'0' | b'.'));
    front.filter(|&&b| b == b'0').count()
}

/// Appends the digits at `at` to those of `value`. Returns the value, which wraps around if it overflows, and the offset
/// after the digits.
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
            ("-0.000000000000000027755576", -0.000000000000000027755576, 27),
            ("000000000000000000000012.5", 12.5, 26),
            ("9223400.000000000000", 9223400.0, 20),
            ("0.00000000000000000000000000000000000000000", 0.0, 43),
        ] {
            // Without and with room after the number, as at the end of a file and within a line.
            for room in ["", " . . . . . ."] {
                let text = format!("{text}{room}");
                let (found, next) = parse_decimal(text.as_bytes(), 0).unwrap_or_else(|| panic!("{text}"));
                assert_eq!((found.to_bits(), next), (value.to_bits(), end), "{text}");
            }
        }
        for text in [
            "",
            "-",
            ".",
            "--1",
            "+1",
            "1e",
            "1.2.3",
            "1e5e5",
            "nan",
            "1e99",
            "1e-40",
            "12345678901234567890",
        ] {
            assert_eq!(parse_decimal(text.as_bytes(), 0), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn numbers_read_as_std_reads_them(text in "-?[0-9]{1,10}(\\.[0-9]{0,16})?([eE][+-]?[0-9]{1,2})?") {
            let expected: f32 = text.parse().expect("std reads it");
            for room in ["", " 1.5 2.25 and so on, up to here"] {
                if let Some((value, end)) = parse_decimal(format!("{text}{room}").as_bytes(), 0) {
                    prop_assert_eq!((value.to_bits(), end), (expected.to_bits(), text.len()));
                }
            }
        }

        #[test]
        fn the_usual_layouts_are_read_by_words(text in "-?[0-9]{1,7}(\\.[0-9]{1,11})?") {
            let line = format!("{text} 1.5 2.25 and so on, up to here");
            // `None` only if `std` has to round the number.
            if let Some((value, end)) = parse_words(line.as_bytes(), 0) {
                let expected: f32 = text.parse().expect("std reads it");
                prop_assert_eq!((value.to_bits(), end), (expected.to_bits(), text.len()));
            } else {
                prop_assert!(parse_any(line.as_bytes(), 0).is_none(), "{}", text);
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
