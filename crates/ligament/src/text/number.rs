/// The reason why a field is not a usable number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberError {
    /// It is not written like a decimal number.
    Malformed,
    /// It is NaN or infinity.
    NotFinite,
    /// It is a number, but too large for an f32.
    TooLarge,
}

#[inline(always)]
fn all_digits(word: u64) -> bool {
    const HIGH: u64 = 0xf0f0_f0f0_f0f0_f0f0;
    (word & HIGH) | ((word.wrapping_add(0x0606_0606_0606_0606) & HIGH) >> 4) == 0x3333_3333_3333_3333
}

/// The value of eight ASCII digits, the first in the lowest byte. Combines pairs, then fours, then all eight.
#[inline(always)]
fn eight_digits(word: u64) -> u32 {
    eight_values(word & 0x0f0f_0f0f_0f0f_0f0f)
}

/// Like [`eight_digits`], for bytes that are digit values already.
#[inline(always)]
pub(super) fn eight_values(word: u64) -> u32 {
    let pairs = word.wrapping_mul(2561) >> 8;
    let fours = (pairs & 0x00ff_00ff_00ff_00ff).wrapping_mul(6_553_601) >> 16;
    ((fours & 0x0000_ffff_0000_ffff).wrapping_mul(42_949_672_960_001) >> 32) as u32
}

/// The number of digits before the first other byte, out of eight bytes that hold digit values.
#[inline(always)]
pub(super) fn digit_count(word: u64) -> usize {
    // The high bit of every byte above 9. Carries of the sum only reach bytes after the first such byte.
    let others = (word.wrapping_add(0x7676_7676_7676_7676) | word) & 0x8080_8080_8080_8080;
    others.trailing_zeros() as usize / 8
}

/// Reads a number written as `-?d.dddddd` or `-?dd.dddddd`, the layout of nearly every number in such files, at `at`.
/// Returns the value and the offset after it; `None` for any other layout (which may still be a number), and within
/// the last bytes of the file. The caller has to check what follows the sixth decimal.
///
/// The result is correctly rounded, although it is rounded twice. Let `i` be the digits without the point, so that the
/// number is `i / 10⁶`. A midpoint `m` between two f32 near `2ᵉ` is a multiple of `2^(e-24)`, so a number that is not
/// `m` itself is at least `2^(e-24) / 10⁶ > 2^(e-44)` away from it, farther than an f64 quotient can be off
/// (`2^(e-53)`). Rounding to f64 therefore never moves a number onto or across a midpoint.
#[inline(always)]
pub fn parse_fixed6(bytes: &[u8], at: usize) -> Option<(f32, usize)> {
    let (value, next) = parse_fixed6_f64(bytes, at)?;
    Some((value as f32, next))
}

/// Like [`parse_fixed6`], as f64. Printing the value with six decimals restores the text.
///
/// The end of the number depends only on the position of its point. The CPU can therefore begin with the next number
/// before the digits of this one are done.
#[inline(always)]
pub fn parse_fixed6_f64(bytes: &[u8], at: usize) -> Option<(f64, usize)> {
    let window = bytes.get(at..)?.first_chunk::<12>()?;
    let head = u32::from_le_bytes(*window.first_chunk::<4>()?);
    let point = first_point(head);
    if !(1..=3).contains(&point) {
        return None;
    }
    let decimals = u64::from_le_bytes(*window[point + 1..].first_chunk::<8>()?);
    let negative = head as u8 == b'-';
    // The two bytes before the point, with a zero in front of a single digit.
    let mut whole = (head << 8 | u32::from(b'0')) >> (8 * (point - 1)) & 0xffff;
    if point == 2 && negative {
        whole = whole & 0xff00 | u32::from(b'0');
    }
    let word = decimals << 16 | u64::from(whole);
    if !all_digits(word) || (point == 3 && !negative) {
        return None;
    }
    let value = f64::from(eight_digits(word)) / 1e6;
    let sign = u64::from(negative) << 63;
    Some((f64::from_bits(value.to_bits() | sign), at + point + 7))
}

/// The index of the first point in four bytes; 4 if there is none.
#[inline(always)]
fn first_point(head: u32) -> usize {
    // A byte that was a point is zero now. Only zeros, and some bytes above them, borrow into their high bit.
    let zero_at_point = head ^ 0x2e2e_2e2e;
    let marks = zero_at_point.wrapping_sub(0x0101_0101) & !zero_at_point & 0x8080_8080;
    marks.trailing_zeros() as usize / 8
}

/// Reads a decimal number of any layout, with or without an exponent. The number must fill the whole field.
pub fn parse_f32(field: &[u8]) -> Result<f32, NumberError> {
    if let Some(value) = parse_fixed6_field(field) {
        return Ok(value as f32);
    }
    let value: f32 = decimal(field)?.parse().map_err(|_| NumberError::Malformed)?;
    if value.is_finite() { Ok(value) } else { Err(NumberError::TooLarge) }
}

/// Like [`parse_f32`], as f64. Numbers beyond the range of f32 are errors too.
pub fn parse_f64(field: &[u8]) -> Result<f64, NumberError> {
    if let Some(value) = parse_fixed6_field(field) {
        return Ok(value);
    }
    let value: f64 = decimal(field)?.parse().map_err(|_| NumberError::Malformed)?;
    if (value as f32).is_finite() { Ok(value) } else { Err(NumberError::TooLarge) }
}

/// Reads the fast layout in a field of its own. Its buffer need not have room after it.
fn parse_fixed6_field(field: &[u8]) -> Option<f64> {
    let mut padded = [0; 24];
    padded.get_mut(..field.len())?.copy_from_slice(field);
    parse_fixed6_f64(&padded, 0).filter(|&(_, end)| end == field.len()).map(|(value, _)| value)
}

/// The field as text, if it is written like a decimal number.
fn decimal(field: &[u8]) -> Result<&str, NumberError> {
    if is_decimal(field) {
        return std::str::from_utf8(field).map_err(|_| NumberError::Malformed);
    }
    Err(if is_not_finite(field) { NumberError::NotFinite } else { NumberError::Malformed })
}

/// `[+-] digits [. digits] [e [+-] digits]` with at least one digit before the exponent.
fn is_decimal(field: &[u8]) -> bool {
    fn digits(text: &[u8]) -> (usize, &[u8]) {
        let count = text.iter().take_while(|b| b.is_ascii_digit()).count();
        (count, &text[count..])
    }
    let unsigned = field.strip_prefix(b"-").or(field.strip_prefix(b"+")).unwrap_or(field);
    let (whole, mut rest) = digits(unsigned);
    let mut decimals = 0;
    if let [b'.', tail @ ..] = rest {
        (decimals, rest) = digits(tail);
    }
    if whole + decimals == 0 {
        return false;
    }
    if let [b'e' | b'E', tail @ ..] = rest {
        let tail = tail.strip_prefix(b"-").or(tail.strip_prefix(b"+")).unwrap_or(tail);
        let (exponent, end) = digits(tail);
        return exponent > 0 && end.is_empty();
    }
    rest.is_empty()
}

fn is_not_finite(field: &[u8]) -> bool {
    let word = field.strip_prefix(b"-").or(field.strip_prefix(b"+")).unwrap_or(field);
    let is = |name: &[u8]| word.get(..name.len()).is_some_and(|w| w.eq_ignore_ascii_case(name));
    // Also the spellings of C libraries: `nan(0x8000)`, `1.#INF`, `-1.#IND`.
    is(b"nan") || is(b"inf") || is(b"1.#")
}

/// Reads an integer from 0 to `u32::MAX`. The field must consist of digits only.
pub fn parse_u32(field: &[u8]) -> Option<u32> {
    if field.is_empty() || !field.iter().all(u8::is_ascii_digit) {
        return None;
    }
    field.iter().try_fold(0_u32, |value, &b| value.checked_mul(10)?.checked_add(u32::from(b - b'0')))
}

/// Reads up to nine digits at `at` and returns their value and the offset after them; `None` without a digit.
///
/// Up to seven digits are read without branching on their number.
#[inline(always)]
pub fn parse_u32_prefix(bytes: &[u8], at: usize) -> Option<(u32, usize)> {
    if let Some(window) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let digits = u64::from_le_bytes(*window) ^ 0x3030_3030_3030_3030;
        let count = digit_count(digits);
        match count {
            0 => return None,
            1..8 => return Some((eight_values(digits << (64 - 8 * count)), at + count)),
            _ => {}
        }
    }
    parse_u32_digits(bytes, at)
}

/// Reads up to seven digits at `at`, followed by the byte `end`. Returns their value and the offset after that byte;
/// `None` for every other layout, and within the last bytes of the file.
#[inline(always)]
pub fn parse_u32_then(bytes: &[u8], at: usize, end: u8) -> Option<(u32, usize)> {
    let word = u64::from_le_bytes(*bytes.get(at..)?.first_chunk::<8>()?);
    let digits = word ^ 0x3030_3030_3030_3030;
    let count = digit_count(digits);
    let fits = matches!(count, 1..8) && (word >> (8 * count)) as u8 == end;
    fits.then(|| (eight_values(digits << (64 - 8 * count)), at + count + 1))
}

fn parse_u32_digits(bytes: &[u8], at: usize) -> Option<(u32, usize)> {
    let mut value = u32::from(bytes.get(at)?.wrapping_sub(b'0'));
    if value > 9 {
        return None;
    }
    for next in at + 1..at + 9 {
        let digit = u32::from(bytes.get(next)?.wrapping_sub(b'0'));
        if digit > 9 {
            return Some((value, next));
        }
        value = value * 10 + digit;
    }
    Some((value, at + 9))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fast(text: &str) -> Option<(f32, usize)> {
        parse_fixed6(format!("{text}        ").as_bytes(), 0)
    }

    #[test]
    fn digits_end_with_the_byte_that_is_asked_for() {
        assert_eq!(parse_u32_then(b"1234567 8901234", 0, b' '), Some((1_234_567, 8)));
        assert_eq!(parse_u32_then(b"a7\n       ", 1, b'\n'), Some((7, 3)));
        for other in ["12\n45678", " 1234567", "-1 34567", "12345678 ", "12 ", "12/45678"] {
            assert_eq!(parse_u32_then(other.as_bytes(), 0, b' '), None, "{other}");
        }
    }

    #[test]
    fn the_fast_layout_is_recognised_and_nothing_else() {
        assert_eq!(fast("0.000000").map(|(v, e)| (v.to_bits(), e)), Some((0, 8)));
        assert_eq!(fast("-0.000000").map(|(v, e)| (v.to_bits(), e)), Some((0x8000_0000, 9)));
        assert_eq!(fast("27.887138"), Some((27.887138, 9)));
        assert_eq!(fast("-99.999999"), Some((-99.999999, 10)));
        for other in [
            "1.00000",
            "123.000000",
            "1e5",
            ".5000000",
            "--1.000000",
            "+1.000000",
            "1,500000",
            "1.00000x",
            "",
        ] {
            assert_eq!(fast(other), None, "{other}");
        }
    }

    #[test]
    fn fields_that_are_no_numbers_are_told_apart() {
        use NumberError::*;
        for (field, error) in [
            ("", Malformed),
            ("-", Malformed),
            (".", Malformed),
            ("1,5", Malformed),
            ("0x10", Malformed),
            ("1e", Malformed),
            ("1e+", Malformed),
            ("1.0f", Malformed),
            ("1.000000x", Malformed),
            ("1.2.3", Malformed),
            ("nan", NotFinite),
            ("-NaN", NotFinite),
            ("inf", NotFinite),
            ("-Infinity", NotFinite),
            ("1.#QNAN", NotFinite),
            ("1e39", TooLarge),
            ("-340282350000000000000000000000000000000000.0", TooLarge),
        ] {
            assert_eq!(parse_f32(field.as_bytes()), Err(error), "{field}");
        }
        assert_eq!(parse_f32(b"1.\xff"), Err(Malformed));
        for (field, value) in
            [("1e3", 1000.0), ("+.5", 0.5), ("5.", 5.0), ("-0", -0.0), ("1.17549435E-38", f32::MIN_POSITIVE)]
        {
            assert_eq!(parse_f32(field.as_bytes()).map(f32::to_bits), Ok(f32::to_bits(value)), "{field}");
        }
    }

    #[test]
    fn whole_numbers_do_not_overflow() {
        assert_eq!(parse_u32(b"4294967295"), Some(u32::MAX));
        assert_eq!(parse_u32(b"4294967296"), None);
        assert_eq!(parse_u32(b"-1"), None);
        assert_eq!(parse_u32(b""), None);
        assert_eq!(parse_u32_prefix(b"12/3", 0), Some((12, 2)));
        assert_eq!(parse_u32_prefix(b"123456789012", 0), Some((123_456_789, 9)));
        assert_eq!(parse_u32_prefix(b"/", 0), None);
        assert_eq!(parse_u32_prefix(b"/1234567", 0), None);
        let digits = b"123456789";
        for count in 1..=9 {
            let value = std::str::from_utf8(&digits[..count]).ok().and_then(|text| text.parse().ok());
            // With and without room for eight bytes, followed by bytes that could be mistaken for a digit.
            for after in ["/", " 12345678", ":xxxxxxxx", "\u{b0}xxxxxxxx"] {
                let text = [&digits[..count], after.as_bytes()].concat();
                assert_eq!(parse_u32_prefix(&text, 0), value.map(|v| (v, count)), "{text:?}");
            }
        }
    }

    /// Confirms the proof at `parse_fixed6` for every number up to 0.999999, and for an even sample of the rest.
    #[test]
    fn the_fast_path_rounds_correctly() {
        let all = (0..1_000_000_u32).chain((1_000_000..100_000_000).step_by(61));
        let mut tried = 0;
        for i in all {
            let text = format!("{}.{:06} ......", i / 1_000_000, i % 1_000_000);
            let number = &text[..text.len() - 7];
            let (value, end) = parse_fixed6(text.as_bytes(), 0).expect("the fast layout");
            let expected: f32 = number.parse().expect("a number");
            assert_eq!((value.to_bits(), end), (expected.to_bits(), number.len()), "{number}");
            tried += 1;
        }
        assert!(tried > 2_000_000);
    }

    proptest! {
        #[test]
        fn any_decimal_reads_as_std_reads_it(text in "[+-]?[0-9]{1,12}(\\.[0-9]{0,9})?([eE][+-]?[0-9]{1,2})?") {
            let expected: f32 = text.parse().expect("std reads it");
            match parse_f32(text.as_bytes()) {
                Ok(value) => prop_assert_eq!(value.to_bits(), expected.to_bits()),
                Err(error) => prop_assert!(error == NumberError::TooLarge && expected.is_infinite()),
            }
            let expected: f64 = text.parse().expect("std reads it");
            match parse_f64(text.as_bytes()) {
                Ok(value) => prop_assert_eq!(value.to_bits(), expected.to_bits()),
                Err(error) => prop_assert!(error == NumberError::TooLarge && (expected as f32).is_infinite()),
            }
        }

        #[test]
        fn any_bytes_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..40), at in 0_usize..45) {
            let _ = parse_f32(&bytes);
            let _ = parse_fixed6(&bytes, at);
            let _ = parse_u32_prefix(&bytes, at);
            let _ = parse_u32(&bytes);
        }
    }
}
