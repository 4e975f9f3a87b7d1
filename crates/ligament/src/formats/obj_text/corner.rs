//! One corner of a face: indices separated by slashes, some of which may be missing.

use crate::text::parse_u32_prefix;

/// An absent index: `1//3` has no second, `1` only a first.
pub(crate) const ABSENT: i32 = i32::MIN;

/// The reason why a field is not a corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CornerError {
    /// A part is not an integer, or too large.
    NotWhole,
    /// There are more parts than a corner has.
    TooMany,
    /// The first part, the position, is missing.
    NoPosition,
}

/// Reads a corner of at most `N` parts in the usual layout (all digits) at `at`, and returns it with the offset after it.
/// `None` for every other layout.
#[inline(always)]
pub(crate) fn parse_corner_prefix<const N: usize>(bytes: &[u8], mut at: usize) -> Option<([i32; N], usize)> {
    let mut corner = [ABSENT; N];
    for part in &mut corner {
        let (value, next) = parse_u32_prefix(bytes, at)?;
        *part = value as i32;
        at = next;
        match bytes.get(at) {
            Some(b'/') => at += 1,
            None | Some(b' ' | b'\t' | b'\r' | b'\n') => return Some((corner, at)),
            Some(_) => return None,
        }
    }
    None
}

/// Reads a field as a corner of at most `N` parts. Missing parts are [`ABSENT`].
pub(crate) fn parse_corner<const N: usize>(field: &[u8]) -> Result<[i32; N], CornerError> {
    let mut corner = [ABSENT; N];
    let mut parts = field.split(|&b| b == b'/');
    for part in &mut corner {
        match parts.next() {
            Some([]) => {}
            Some(text) => {
                let text = std::str::from_utf8(text).map_err(|_| CornerError::NotWhole)?;
                let value: i32 = text.parse().map_err(|_| CornerError::NotWhole)?;
                *part = if value == ABSENT { return Err(CornerError::NotWhole) } else { value };
            }
            None => break,
        }
    }
    if parts.next().is_some() {
        Err(CornerError::TooMany)
    } else if N > 0 && corner[0] == ABSENT {
        Err(CornerError::NoPosition)
    } else {
        Ok(corner)
    }
}

/// Converts an OBJ index, which counts from 1, or backwards from the end of the list so far if it is negative, to an
/// index from 0. It may lie beyond the list, because elements may be listed after the faces that use them. `None` for 0
/// and for anything before the first element.
#[inline(always)]
pub(crate) fn resolve(index: i32, so_far: usize) -> Option<i32> {
    if index > 0 {
        return Some(index - 1);
    }
    let from_end = index.unsigned_abs() as usize;
    (from_end > 0).then(|| so_far.checked_sub(from_end)).flatten().and_then(|i| i32::try_from(i).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_have_up_to_so_many_parts() {
        assert_eq!(parse_corner_prefix(b"5/1/3 6", 0), Some(([5, 1, 3, ABSENT, ABSENT], 5)));
        assert_eq!(parse_corner_prefix::<3>(b"5/1/3/0/0", 0), None);
        assert_eq!(parse_corner_prefix::<3>(b"5//3", 0), None);
        assert_eq!(parse_corner(b"5//3"), Ok([5, ABSENT, 3]));
        assert_eq!(parse_corner(b"-1/-2"), Ok([-1, -2, ABSENT]));
        assert_eq!(parse_corner::<3>(b"1/2/3/4"), Err(CornerError::TooMany));
        assert_eq!(parse_corner::<3>(b"/2/3"), Err(CornerError::NoPosition));
        for bad in ["a", "1.5", "1/x", "99999999999", "-2147483648", "\u{fffd}"] {
            assert_eq!(parse_corner::<3>(bad.as_bytes()), Err(CornerError::NotWhole), "{bad}");
        }
    }

    #[test]
    fn negative_indices_count_from_the_end() {
        assert_eq!(resolve(1, 0), Some(0));
        assert_eq!(resolve(-1, 8), Some(7));
        assert_eq!(resolve(-8, 8), Some(0));
        assert_eq!(resolve(-9, 8), None);
        assert_eq!(resolve(0, 8), None);
    }
}
