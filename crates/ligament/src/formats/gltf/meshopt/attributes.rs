//! Mode ATTRIBUTES: elements of a fixed size.
//!
//! Elements come in blocks of at most 256. Within a block, all first bytes of the elements come first, then all second
//! bytes, and so on, each as the difference to the byte of the element before, in groups of sixteen that take 0, 1, 2, 4
//! or 8 bits per difference. Version 1 adds, for each four bytes of an element, what is subtracted (bytes, pairs of
//! bytes, or bits), and for each byte of a block how its groups are stored.

use super::bytes::{Bytes, unzigzag};
use super::{too_short, version};

const MODE: u8 = 0xa0;
/// Most bytes and elements of a block.
const BLOCK_BYTES: usize = 8192;
const BLOCK: usize = 256;
/// Differences that are stored alike.
const GROUP: usize = 16;

pub(super) fn decode(bytes: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, String> {
    let version = version(bytes, MODE)?;
    // At the end of the stream: the element before the first, and in version 1 a byte for each four of its bytes.
    let (tail, padded) = match version {
        0 => (stride, stride.max(32)),
        _ => (stride + stride / 4, (stride + stride / 4).max(24)),
    };
    let per_block = (BLOCK_BYTES / stride / GROUP * GROUP).min(BLOCK);
    let least = |count: usize| match version {
        0 => stride * count.div_ceil(GROUP).div_ceil(4),
        _ => stride / 4,
    };
    let blocks = (count / per_block).saturating_mul(least(per_block));
    let rest = if !count.is_multiple_of(per_block) { least(1) } else { 0 };
    let too_short = || too_short(bytes, count, &format!("elements of {stride} bytes"));
    if blocks.saturating_add(rest + padded + 1) > bytes.len() {
        return Err(too_short());
    }
    let length = count.checked_mul(stride).ok_or_else(too_short)?;
    let (data, end) = bytes[1..].split_at(bytes.len() - 1 - padded);
    let (before, channels) = end[padded - tail..].split_at(stride);
    let mut decoder = Decoder { data: Bytes(data), is_first: version == 0, previous: before.to_vec() };
    let mut elements = vec![0; length];
    for block in elements.chunks_mut(per_block * stride) {
        decoder.block(block, stride, channels)?;
    }
    decoder.data.end()?;
    Ok(elements)
}

struct Decoder<'b> {
    data: Bytes<'b>,
    is_first: bool,
    /// The element before the next one.
    previous: Vec<u8>,
}

impl Decoder<'_> {
    fn block(&mut self, block: &mut [u8], stride: usize, channels: &[u8]) -> Result<(), String> {
        let count = block.len() / stride;
        let controls = if self.is_first { &[][..] } else { self.data.take(stride / 4)? };
        let mut deltas = [[0; BLOCK]; 4];
        for four in 0..stride / 4 {
            for (byte, deltas) in deltas.iter_mut().enumerate() {
                let control = controls.get(four).map(|control| control >> (byte * 2) & 3);
                self.deltas(control, &mut deltas[..count.next_multiple_of(GROUP)], count)?;
            }
            let previous = &mut self.previous[four * 4..][..4];
            let elements = block[four * 4..].chunks_mut(stride).map(|element| &mut element[..4]);
            add(channels.get(four).copied().unwrap_or(0), &deltas, previous, elements)?;
        }
        Ok(())
    }

    /// The differences of one byte of all elements of a block.
    fn deltas(&mut self, control: Option<u8>, out: &mut [u8], count: usize) -> Result<(), String> {
        let widths = match control {
            None => [0, 2, 4, 8],
            Some(0) => [0, 1, 2, 4],
            Some(1) => [1, 2, 4, 8],
            Some(2) => {
                out.fill(0);
                return Ok(());
            }
            Some(_) => {
                out[..count].copy_from_slice(self.data.take(count)?);
                return Ok(());
            }
        };
        let (groups, _) = out.as_chunks_mut::<GROUP>();
        let header = self.data.take(groups.len().div_ceil(4))?;
        for (index, group) in groups.iter_mut().enumerate() {
            let width = widths[usize::from(header[index / 4] >> (index % 4 * 2) & 3)];
            self.group(width, group)?;
        }
        Ok(())
    }

    /// Sixteen differences of `width` bits. The largest stands for a whole byte that follows the group.
    fn group(&mut self, width: usize, out: &mut [u8; GROUP]) -> Result<(), String> {
        match width {
            0 => out.fill(0),
            8 => out.copy_from_slice(self.data.take(GROUP)?),
            _ => {
                let packed = self.data.take(GROUP * width / 8)?;
                let (per_byte, largest) = (8 / width, (1_u8 << width) - 1);
                for (index, value) in out.iter_mut().enumerate() {
                    // Single bits start at the lowest one of a byte, pairs and halves at the highest.
                    let place = index % per_byte;
                    let place = if width == 1 { place } else { per_byte - 1 - place };
                    *value = packed[index / per_byte] >> (place * width) & largest;
                    if *value == largest {
                        *value = self.data.byte()?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Adds the differences of four bytes to the elements before them.
fn add<'e>(
    channel: u8,
    deltas: &[[u8; BLOCK]; 4],
    previous: &mut [u8],
    elements: impl Iterator<Item = &'e mut [u8]>,
) -> Result<(), String> {
    let mut last = [0; 4];
    last.copy_from_slice(previous);
    let next: fn([u8; 4], [u8; 4], u32) -> [u8; 4] = match channel & 3 {
        0 => |last, delta, _| {
            std::array::from_fn(|i| last[i].wrapping_add(unzigzag(u32::from(delta[i])) as u8))
        },
        1 => |last, delta, _| {
            let pair = |at: usize| {
                let value = |four: [u8; 4]| u16::from_le_bytes([four[at], four[at + 1]]);
                value(last).wrapping_add(unzigzag(u32::from(value(delta))) as u16).to_le_bytes()
            };
            let ([a, b], [c, d]) = (pair(0), pair(2));
            [a, b, c, d]
        },
        2 => |last, delta, turn| {
            (u32::from_le_bytes(last) ^ u32::from_le_bytes(delta).rotate_right(turn)).to_le_bytes()
        },
        _ => return Err(format!("the channel mode {channel:#04x} is unknown")),
    };
    for (index, element) in elements.enumerate() {
        last = next(last, deltas.map(|d| d[index]), u32::from(channel >> 4));
        element.copy_from_slice(&last);
    }
    previous.copy_from_slice(&last);
    Ok(())
}
