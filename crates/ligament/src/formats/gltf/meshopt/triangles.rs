//! Mode TRIANGLES: a list of triangles.
//!
//! A byte per triangle says whether it continues one of the last edges, and which of the last vertices it uses. What
//! these cannot express comes from a second part of the stream. The last sixteen bytes are a table of frequent pairs.

use super::bytes::{Bytes, unzigzag};
use super::{too_short, version};

const MODE: u8 = 0xe0;
const TABLE: usize = 16;

pub(super) fn decode(bytes: &[u8], count: usize) -> Result<Vec<u32>, String> {
    let version = version(bytes, MODE)?;
    if !count.is_multiple_of(3) {
        return Err(format!("{count} indices do not make complete triangles"));
    }
    let triangles = count / 3;
    let rest = bytes[1..].split_at_checked(triangles);
    let rest = rest.and_then(|(codes, rest)| Some((codes, rest.split_last_chunk::<TABLE>()?)));
    let Some((codes, (data, table))) = rest else { return Err(too_short(bytes, count, "indices")) };
    let mut decoder = Decoder {
        data: Bytes(data),
        table,
        nearest: if version == 0 { 15 } else { 13 },
        edges: Recent::new([u32::MAX; 2]),
        vertices: Recent::new(u32::MAX),
        next: 0,
        last: 0,
    };
    let mut indices = Vec::with_capacity(count);
    for &code in codes {
        indices.extend(decoder.triangle(code)?);
    }
    decoder.data.end()?;
    Ok(indices)
}

/// The last sixteen of something.
struct Recent<T> {
    items: [T; 16],
    at: usize,
}

impl<T: Copy> Recent<T> {
    fn new(item: T) -> Self {
        Self { items: [item; 16], at: 0 }
    }

    fn push(&mut self, item: T) {
        self.items[self.at % 16] = item;
        self.at = (self.at + 1) % 16;
    }

    /// The item before `back` later ones.
    fn get(&self, back: u8) -> T {
        self.items[(self.at + 15 - usize::from(back)) % 16]
    }
}

struct Decoder<'b> {
    data: Bytes<'b>,
    table: &'b [u8; TABLE],
    /// The first code of a third vertex that is not among the recent ones.
    nearest: u8,
    edges: Recent<[u32; 2]>,
    vertices: Recent<u32>,
    /// The next vertex that was not used before.
    next: u32,
    /// The last vertex that was stored as a difference.
    last: u32,
}

impl Decoder<'_> {
    fn triangle(&mut self, code: u8) -> Result<[u32; 3], String> {
        let (high, low) = (code >> 4, code & 15);
        if high < 15 {
            let [a, b] = self.edges.get(high);
            let c = self.third(low)?;
            self.edges.push([c, b]);
            self.edges.push([a, c]);
            return Ok([a, b, c]);
        }
        let [a, b, c] =
            if low < 14 { self.unconnected(self.table[usize::from(low)]) } else { self.explicit(low)? };
        self.edges.push([b, a]);
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        Ok([a, b, c])
    }

    /// The third vertex of a triangle that continues an edge.
    fn third(&mut self, code: u8) -> Result<u32, String> {
        if code > 0 && code < self.nearest {
            return Ok(self.vertices.get(code));
        }
        let vertex = match code {
            0 => self.fresh(),
            13 => self.near(u32::MAX),
            14 => self.near(1),
            _ => self.stored()?,
        };
        self.vertices.push(vertex);
        Ok(vertex)
    }

    /// A triangle with a fresh vertex, and two that are fresh or recent.
    fn unconnected(&mut self, pair: u8) -> [u32; 3] {
        let a = self.fresh();
        let [(b, b_is_fresh), (c, c_is_fresh)] = [pair >> 4, pair & 15].map(|code| match code {
            0 => (self.fresh(), true),
            back => (self.vertices.get(back - 1), false),
        });
        let pushed = [(a, true), (b, b_is_fresh), (c, c_is_fresh)];
        pushed.iter().filter(|p| p.1).for_each(|p| self.vertices.push(p.0));
        [a, b, c]
    }

    /// A triangle whose vertices may be anything.
    fn explicit(&mut self, code: u8) -> Result<[u32; 3], String> {
        let pair = self.data.byte()?;
        if pair == 0 {
            self.next = 0;
        }
        let codes = [if code == 14 { 0 } else { 15 }, pair >> 4, pair & 15];
        // The fresh and recent ones first: differences follow in the stream.
        let mut vertices = codes.map(|code| match code {
            0 => self.fresh(),
            15 => 0,
            back => self.vertices.get(back - 1),
        });
        for (vertex, code) in vertices.iter_mut().zip(codes) {
            if code == 15 {
                *vertex = self.stored()?;
            }
        }
        for (vertex, code) in vertices.into_iter().zip(codes) {
            if matches!(code, 0 | 15) {
                self.vertices.push(vertex);
            }
        }
        Ok(vertices)
    }

    fn fresh(&mut self) -> u32 {
        let vertex = self.next;
        self.next = self.next.wrapping_add(1);
        vertex
    }

    fn near(&mut self, difference: u32) -> u32 {
        self.last = self.last.wrapping_add(difference);
        self.last
    }

    fn stored(&mut self) -> Result<u32, String> {
        let difference = unzigzag(self.data.number()?);
        Ok(self.near(difference))
    }
}
