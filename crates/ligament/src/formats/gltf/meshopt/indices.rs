//! Mode INDICES: any list of indices, as differences to one of two earlier ones.

use super::bytes::{Bytes, unzigzag};
use super::{too_short, version};

const MODE: u8 = 0xd0;
/// Unused bytes at the end of a stream.
const TAIL: usize = 4;

pub(super) fn decode(bytes: &[u8], count: usize) -> Result<Vec<u32>, String> {
    version(bytes, MODE)?;
    let data = bytes[1..].len().checked_sub(TAIL).filter(|&length| length >= count);
    let Some(length) = data else { return Err(too_short(bytes, count, "indices")) };
    let mut data = Bytes(&bytes[1..=length]);
    let mut last = [0_u32; 2];
    let mut indices = Vec::with_capacity(count);
    for _ in 0..count {
        let value = data.number()?;
        let last = &mut last[(value & 1) as usize];
        *last = last.wrapping_add(unzigzag(value >> 1));
        indices.push(*last);
    }
    data.end()?;
    Ok(indices)
}
