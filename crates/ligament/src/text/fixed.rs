/// The maximum number of bytes that [`fixed6`] writes: a sign, 39 digits, the point and six decimals.
pub const FIXED6_MAX: usize = 48;

/// Adding it leaves the nearest integer in the low bits of the sum.
const TWO_52: f64 = 4_503_599_627_370_496.0;

/// The eight decimal digits of a number below 10⁸ as ASCII, the first in the lowest byte. Splits into fours, then pairs,
/// then single digits, in all lanes at once.
#[inline(always)]
fn eight_digits(value: u32) -> u64 {
    let value = u64::from(value);
    let fours = (value / 10_000) | ((value % 10_000) << 32);
    let hundreds = (fours.wrapping_mul(10_486) >> 20) & 0x0000_007f_0000_007f;
    let pairs = hundreds | (fours.wrapping_sub(hundreds.wrapping_mul(100))) << 16;
    let tens = (pairs.wrapping_mul(103) >> 10) & 0x000f_000f_000f_000f;
    let digits = tens | (pairs.wrapping_sub(tens.wrapping_mul(10))) << 8;
    digits | 0x3030_3030_3030_3030
}

/// Writes a number exactly like `printf("%.6f")`, and returns its length. The sign of zero is kept. NaN, infinity and
/// values beyond the range of f32 are written as zero; documents never contain them.
///
/// An f32 has 24 significant bits and 10⁶ has 14 (apart from a power of two), so their product is exact in f64. Adding
/// 2⁵² leaves the integer nearest to the product, ties to even, in the low bits of the sum. For other f64, the last bit
/// of the product may be wrong, which only matters within 10⁻¹⁵ of a tie. Numbers that were read from six decimals are
/// never that close to one, so their decimals are restored.
#[inline(always)]
pub fn fixed6(value: f64, out: &mut [u8; FIXED6_MAX]) -> usize {
    let magnitude = value.abs();
    if magnitude >= 4e9 || magnitude.is_nan() {
        return fixed6_large(value, out);
    }
    let millionths = (magnitude * 1e6 + TWO_52).to_bits() & ((1 << 52) - 1);
    out[0] = b'-';
    let at = (value.to_bits() >> 63) as usize;
    if millionths < 100_000_000 {
        let digits = eight_digits(millionths as u32);
        let two = usize::from(millionths >= 10_000_000);
        // If the tens are not shown, the ones overwrite them. The point goes between the ones and the decimals.
        out[at] = digits as u8;
        let rest = (digits >> 8) & 0xff | u64::from(b'.') << 8 | digits & !0xffff;
        out[at + two..at + two + 8].copy_from_slice(&rest.to_le_bytes());
        return at + two + 8;
    }
    let (digits, first) = whole((millionths / 1_000_000) as u32);
    let decimals = (millionths % 1_000_000) as u32;
    let length = digits.len() - first;
    out[at..at + length].copy_from_slice(&digits[first..]);
    let decimals = eight_digits(decimals).to_le_bytes();
    out[at + length] = b'.';
    out[at + length + 1..at + length + 7].copy_from_slice(&decimals[2..]);
    at + length + 7
}

/// Whether the text of [`fixed6`] restores the number. Only for numbers below 10⁹; larger ones never count as restored.
///
/// [`parse_fixed6`](super::parse_fixed6) explains why the quotient is rounded correctly.
#[inline(always)]
pub fn is_fixed6(value: f32) -> bool {
    let magnitude = f64::from(value.abs());
    let millionths = (magnitude * 1e6 + TWO_52) - TWO_52;
    magnitude < 1e9 && (millionths / 1e6) as f32 == value.abs()
}

/// The digits of a number at the end of an array, and the index of the first one.
#[inline(always)]
pub(super) fn whole(mut value: u32) -> ([u8; 10], usize) {
    let mut digits = [b'0'; 10];
    let mut first = digits.len();
    while value > 0 {
        first -= 1;
        digits[first] = b'0' + (value % 10) as u8;
        value /= 10;
    }
    (digits, first.min(digits.len() - 1))
}

#[cold]
fn fixed6_large(value: f64, out: &mut [u8; FIXED6_MAX]) -> usize {
    use std::io::Write;
    let value = if (value as f32).is_finite() { value } else { 0.0 };
    let mut rest: &mut [u8] = out;
    // The longest f32 fits into the buffer, so this cannot fail.
    let _ = write!(rest, "{value:.6}");
    let left = rest.len();
    FIXED6_MAX - left
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn print(value: f32) -> String {
        let mut out = [0; FIXED6_MAX];
        let length = fixed6(f64::from(value), &mut out);
        String::from_utf8(out[..length].to_vec()).expect("ASCII")
    }

    #[test]
    fn numbers_print_as_printf_prints_them() {
        for (value, text) in [
            (0.0, "0.000000"),
            (-0.0, "-0.000000"),
            (1.0, "1.000000"),
            (-9.999_999, "-9.999999"),
            (99.999_99, "99.999992"),
            (100.0, "100.000000"),
            (-123_456.79, "-123456.789062"),
            (0.5e-6, "0.000000"),
            (1.5e-6, "0.000002"),
            (-1e-9, "-0.000000"),
            (3_999_999_744.0, "3999999744.000000"),
            (4e9, "4000000000.000000"),
            (f32::MAX, "340282346638528859811704183484516925440.000000"),
            (f32::MIN, "-340282346638528859811704183484516925440.000000"),
            (f32::NAN, "0.000000"),
        ] {
            assert_eq!(print(value), text);
        }
        // Ties go to the even neighbour: 2⁻⁷ is 0.0078125, and its odd multiples end in 5 at the seventh decimal.
        for (i, text) in [(1, "0.007812"), (3, "0.023438"), (5, "0.039062"), (7, "0.054688")] {
            assert_eq!(print(i as f32 / 128.0), text);
        }
    }

    #[test]
    fn numbers_of_all_sizes_print_exactly() {
        // `{:.6}` of an f64 prints its exact decimal value, rounded half to even.
        for bits in (0..=u32::MAX).step_by(4099) {
            let value = f32::from_bits(bits);
            if value.is_finite() {
                assert_eq!(print(value), format!("{:.6}", f64::from(value)), "{bits:#x}");
            }
        }
    }

    #[test]
    fn six_decimals_come_back_from_f64() {
        for i in (0..3_600_000_000_u64).step_by(9973) {
            let text = format!("{}.{:06}", i / 1_000_000, i % 1_000_000);
            let value = crate::text::parse_f64(text.as_bytes()).expect("a number");
            let mut out = [0; FIXED6_MAX];
            let length = fixed6(value, &mut out);
            assert_eq!(&out[..length], text.as_bytes());
        }
    }

    proptest! {
        #[test]
        fn what_is_printed_reads_back(value in -99.0_f32..99.0) {
            let text = print(value);
            prop_assert_eq!(&text, &format!("{:.6}", f64::from(value)));
            let again = crate::text::parse_f32(text.as_bytes()).expect("a number");
            prop_assert_eq!(print(again), text);
        }
    }
}
