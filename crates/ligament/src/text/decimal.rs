//! Decimal numbers of any length at any place of a line, for formats whose numbers have no fixed layout.

use super::number::eight_digits;

/// Powers of ten that an f64 holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// Powers of ten for digits that come in words of eight.
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
    match parse_words(bytes, at) {
        Some(read) => Some(read),
        None => parse_any(bytes, at),
    }
}

/// Up to seven digits, a point and up to fifteen digits, eight at a time and without a branch on how many there are.
/// `None` for every other number, and within the last bytes of the file.
#[inline(always)]
fn parse_words(bytes: &[u8], at: usize) -> Option<(f32, usize)> {
    let negative = *bytes.get(at)? == b'-';
    let start = at + usize::from(negative);
    let window = bytes.get(start..)?.first_chunk::<25>()?;
    let (whole, before) = word(window, 0);
    if before == 0 || before > 7 {
        return None;
    }
    if window[before] != b'.' {
        let next = start + before;
        // Whole numbers of seven digits are f32.
        return (!continues(window[before])).then(|| (signed(leading(whole, before) as f32, negative), next));
    }
    let (first, head) = word(window, before + 1);
    let (second, tail) = word(window, before + 9);
    let tail = if head == 8 { tail } else { 0 };
    let decimals = head + tail;
    if decimals > 15 - before || continues(window[before + 1 + decimals]) {
        return None;
    }
    let mantissa =
        leading(whole, before) * STEPS[decimals] + leading(first, head) * STEPS[tail] + leading(second, tail);
    let value = rounded(mantissa as i64 as f64 / POWERS[decimals])?;
    Some((signed(value, negative), start + before + 1 + decimals))
}

/// Eight bytes as digits, and how many of them are.
#[inline(always)]
fn word(window: &[u8; 25], at: usize) -> (u64, usize) {
    let bytes = window.get(at..).and_then(|rest| rest.first_chunk::<8>()).copied().unwrap_or_default();
    let digits = u64::from_le_bytes(bytes) ^ 0x3030_3030_3030_3030;
    // The high bit of every byte above 9; what it carries over reaches only bytes after the first such.
    let others = (digits.wrapping_add(0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080;
    (digits, others.trailing_zeros() as usize / 8)
}

/// The value of the first `count` of eight digits.
#[inline(always)]
fn leading(digits: u64, count: usize) -> u64 {
    // In two steps, because a shift by 64 is none.
    let half = 4 * (8 - count);
    u64::from(eight_digits(digits << half << half))
}

#[inline(always)]
fn signed(value: f32, negative: bool) -> f32 {
    f32::from_bits(value.to_bits() | u32::from(negative) << 31)
}

/// The nearest f32, unless a midpoint between two is too near to tell.
#[inline(always)]
fn rounded(value: f64) -> Option<f32> {
    let to_midpoint = (value.to_bits() & 0x1fff_ffff).abs_diff(0x1000_0000);
    (to_midpoint >= 4).then_some(value as f32)
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
    if value > 1e38 {
        return None;
    }
    Some((signed(rounded(value)?, negative), next))
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
