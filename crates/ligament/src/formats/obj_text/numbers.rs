//! Reads a whole line of numbers at once. These functions accept only the usual layout; if one returns `None`, the slow
//! path finds out what is wrong, if anything.

use crate::text::{parse_decimal, parse_u32_prefix, parse_u32_then};

/// The offset of the first byte at or after `at` that is not a space or tab.
#[inline(always)]
pub(crate) fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t') = bytes.get(at) {
        at += 1;
    }
    at
}

/// The offset of the next line, if only blanks remain on this one.
#[inline(always)]
pub(crate) fn end_of_line(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at) {
        Some(b'\n') => Some(at + 1),
        None => Some(at),
        Some(b' ' | b'\t' | b'\r') => {
            let mut at = at + 1;
            while let Some(b' ' | b'\t' | b'\r') = bytes.get(at) {
                at += 1;
            }
            match bytes.get(at) {
                Some(b'\n') => Some(at + 1),
                None => Some(at),
                Some(_) => None,
            }
        }
        Some(_) => None,
    }
}

/// Reads `N` numbers from `at` to the end of the line; returns them and the offset of the next line.
#[inline(always)]
pub(crate) fn numbers_to_end<const N: usize>(bytes: &[u8], at: usize) -> Option<([f32; N], usize)> {
    match single_spaced_numbers(bytes, at) {
        Some(read) => Some(read),
        None => spaced_numbers(bytes, at),
    }
}

/// Reads numbers in the most common layout: one space after each, and a line feed after the last.
#[inline(always)]
fn single_spaced_numbers<const N: usize>(bytes: &[u8], mut at: usize) -> Option<([f32; N], usize)> {
    let mut values = [0.0; N];
    for (i, value) in values.iter_mut().enumerate() {
        (*value, at) = parse_decimal(bytes, at)?;
        if *bytes.get(at)? != if i + 1 < N { b' ' } else { b'\n' } {
            return None;
        }
        at += 1;
    }
    Some((values, at))
}

/// Like [`single_spaced_numbers`], for integers.
#[inline(always)]
fn single_spaced_wholes<const N: usize>(bytes: &[u8], mut at: usize) -> Option<([i32; N], usize)> {
    let mut values = [0; N];
    for (i, value) in values.iter_mut().enumerate() {
        let end = if i + 1 < N { b' ' } else { b'\n' };
        let digits;
        if let Some(read) = parse_u32_then(bytes, at, end) {
            (digits, at) = read;
            *value = digits as i32;
        } else if bytes.get(at) == Some(&b'-') {
            (digits, at) = parse_u32_then(bytes, at + 1, end)?;
            *value = -(digits as i32);
        } else {
            return None;
        }
    }
    Some((values, at))
}

#[inline(never)]
fn spaced_numbers<const N: usize>(bytes: &[u8], at: usize) -> Option<([f32; N], usize)> {
    let (values, at) = numbers(bytes, at)?;
    Some((values, end_of_line(bytes, at)?))
}

/// Reads `N` numbers, each preceded by blanks; returns them and the offset after the last one.
#[inline(always)]
pub(crate) fn numbers<const N: usize>(bytes: &[u8], mut at: usize) -> Option<([f32; N], usize)> {
    let mut values = [0.0; N];
    for value in &mut values {
        (*value, at) = parse_decimal(bytes, skip_blanks(bytes, at))?;
        if !matches!(bytes.get(at), None | Some(b' ' | b'\t' | b'\r' | b'\n')) {
            return None;
        }
    }
    Some((values, at))
}

/// Reads a number at or after `at` that is followed by a blank; returns it and the offset of that blank.
#[inline(always)]
pub(crate) fn number_then_blank(bytes: &[u8], at: usize) -> Option<(f32, usize)> {
    let (value, next) = parse_decimal(bytes, skip_blanks(bytes, at))?;
    matches!(bytes.get(next), Some(b' ' | b'\t')).then_some((value, next))
}

/// Reads an integer (as in [`wholes_to_end`]) at or after `at` that is followed by a blank; returns it and the blank's offset.
#[inline(always)]
pub(crate) fn whole_then_blank(bytes: &[u8], at: usize) -> Option<(i32, usize)> {
    let (value, next) = whole(bytes, at)?;
    matches!(bytes.get(next), Some(b' ' | b'\t')).then_some((value, next))
}

/// Reads `N` integers (up to nine digits, with an optional minus sign) from `at` to the end of the line; returns them
/// and the offset of the next line.
#[inline(always)]
pub(crate) fn wholes_to_end<const N: usize>(bytes: &[u8], at: usize) -> Option<([i32; N], usize)> {
    match single_spaced_wholes(bytes, at) {
        Some(read) => Some(read),
        None => spaced_wholes(bytes, at),
    }
}

#[inline(never)]
fn spaced_wholes<const N: usize>(bytes: &[u8], mut at: usize) -> Option<([i32; N], usize)> {
    let mut values = [0; N];
    for value in &mut values {
        (*value, at) = whole(bytes, at)?;
        if !matches!(bytes.get(at), None | Some(b' ' | b'\t' | b'\r' | b'\n')) {
            return None;
        }
    }
    Some((values, end_of_line(bytes, at)?))
}

#[inline(always)]
fn whole(bytes: &[u8], at: usize) -> Option<(i32, usize)> {
    let at = skip_blanks(bytes, at);
    if bytes.get(at) == Some(&b'-') {
        let (digits, next) = parse_u32_prefix(bytes, at + 1)?;
        return Some((-(digits as i32), next));
    }
    let (digits, next) = parse_u32_prefix(bytes, at)?;
    Some((digits as i32, next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_numbers_end_with_the_line() {
        assert_eq!(numbers_to_end(b" 1.0 -2 0.5\r\nv", 0), Some(([1.0, -2.0, 0.5], 13)));
        assert_eq!(numbers_to_end(b"1 2", 0), Some(([1.0, 2.0], 3)));
        assert_eq!(numbers_to_end(b"1 -2.5\n3", 0), Some(([1.0, -2.5], 7)));
        assert_eq!(numbers_to_end(b"1  2\t\n3", 0), Some(([1.0, 2.0], 6)));
        assert_eq!(wholes_to_end(b"1 -2\n3", 0), Some(([1, -2], 5)));
        assert_eq!(wholes_to_end(b"1 -2 12345678 3\n1 -2 3 4\n", 16), Some(([1, -2, 3, 4], 25)));
        assert_eq!(wholes_to_end(b"1 -2 12345678 3\n1 -2 3 4\n", 0), Some(([1, -2, 12_345_678, 3], 16)));
        for other in ["1", "1 2 3", "1 2x", "1 2 # two", "1\n2", "a b"] {
            assert_eq!(numbers_to_end::<2>(other.as_bytes(), 0), None, "{other}");
        }
        assert_eq!(wholes_to_end(b"0 -1\t12 \n", 0), Some(([0, -1, 12], 9)));
        for other in ["1 2", "1 2 3 4", "1 2 3.0", "1 2 -", "1 2 1234567890"] {
            assert_eq!(wholes_to_end::<3>(other.as_bytes(), 0), None, "{other}");
        }
    }

    #[test]
    fn a_blank_stands_between_values() {
        assert_eq!(number_then_blank(b" 1.5 -2", 0), Some((1.5, 4)));
        assert_eq!(whole_then_blank(b"\t-12\t3", 0), Some((-12, 4)));
        for other in ["1.5", "1.5-2", "1.5\n", "x "] {
            assert_eq!(number_then_blank(other.as_bytes(), 0), None, "{other}");
        }
        for other in ["12", "1.0 ", "1-2 ", "1\n", "- "] {
            assert_eq!(whole_then_blank(other.as_bytes(), 0), None, "{other}");
        }
    }
}
