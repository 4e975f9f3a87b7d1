//! Streams that meshoptimizer encoded (`tests/fixtures/gltf/meshopt.mjs`), compared with what its own decoder makes of them.

use super::*;
use base64::Engine;

/// A stream of the fixture, and the hash of its decoded bytes.
struct Golden {
    mode: Mode,
    filter: Filter,
    count: usize,
    stride: usize,
    hash: u64,
    bytes: Vec<u8>,
}

impl Golden {
    fn parse(line: &str) -> Self {
        let words: Vec<_> = line.split(' ').collect();
        let [mode, filter, count, stride, hash, bytes] = words[..] else { panic!("{line}") };
        Self {
            mode: Mode::from_name(mode).unwrap(),
            filter: Filter::from_name(filter).unwrap(),
            count: count.parse().unwrap(),
            stride: stride.parse().unwrap(),
            hash: u64::from_str_radix(hash, 16).unwrap(),
            bytes: base64::engine::general_purpose::STANDARD.decode(bytes).unwrap(),
        }
    }

    /// Every byte of a small stream is tried, and some of a large one.
    fn step(&self) -> usize {
        if self.bytes.len() < 300 { 1 } else { 23 }
    }

    fn stream<'b>(&self, bytes: &'b [u8]) -> Stream<'b> {
        let Self { mode, filter, count, stride, .. } = *self;
        Stream { mode, filter, count, stride, bytes }
    }
}

fn golden() -> Vec<Golden> {
    include_str!("../../../../tests/fixtures/gltf/meshopt.txt").lines().map(Golden::parse).collect()
}

fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &b| (hash ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}

#[test]
fn every_kind_of_stream_decodes_to_the_same_bits_as_in_meshoptimizer() {
    let golden = golden();
    for (line, golden) in (1..).zip(&golden) {
        let decoded =
            golden.stream(&golden.bytes).decode().unwrap_or_else(|why| panic!("line {line}: {why}"));
        assert_eq!(decoded.len(), golden.count * golden.stride, "line {line}");
        assert_eq!(fnv(&decoded), golden.hash, "line {line}");
    }
    let starts = |byte: u8| golden.iter().filter(|g| g.bytes[0] == byte).count();
    assert_eq!((golden.len(), [0xa0, 0xa1, 0xe1, 0xd1].map(starts)), (162, [73, 73, 8, 8]));
}

#[test]
fn no_prefix_of_a_stream_is_a_stream() {
    for golden in golden() {
        for length in (0..golden.bytes.len()).step_by(golden.step()) {
            assert!(golden.stream(&golden.bytes[..length]).decode().is_err(), "{:?} {length}", golden.mode);
        }
    }
}

/// A changed byte gives other elements or an error, but never a panic, and never another amount.
#[test]
fn changed_bytes_do_no_harm() {
    let (mut tried, mut refused) = (0, 0);
    for golden in golden() {
        for at in (0..golden.bytes.len()).step_by(golden.step()) {
            for change in [0x01, 0x80, 0xff] {
                let mut bytes = golden.bytes.clone();
                bytes[at] ^= change;
                tried += 1;
                match golden.stream(&bytes).decode() {
                    Ok(decoded) => assert_eq!(decoded.len(), golden.count * golden.stride),
                    Err(_) => refused += 1,
                }
            }
        }
    }
    assert!(tried > 50_000 && refused > 1000, "{tried} {refused}");
}

#[test]
fn a_count_that_the_stream_cannot_hold_is_refused_before_anything_is_allocated() {
    for golden in golden() {
        for count in [usize::MAX / 3 * 3, 3 << 40, golden.bytes.len() * 1024 * 3 + 3] {
            let error = Stream { count, ..golden.stream(&golden.bytes) }.decode().expect_err("too many");
            assert!(error.contains("cannot hold"), "{error}");
        }
    }
}

#[test]
fn a_stride_that_the_mode_or_filter_does_not_have_is_refused() {
    let decode = |mode, filter, stride, bytes: &[u8]| {
        Stream { mode, filter, count: 3, stride, bytes }.decode().expect_err("refused")
    };
    for (mode, filter, strides) in [
        (Mode::Attributes, Filter::None, &[0, 2, 6, 260][..]),
        (Mode::Attributes, Filter::Octahedral, &[0, 12]),
        (Mode::Attributes, Filter::Quaternion, &[4, 16]),
        (Mode::Attributes, Filter::Exponential, &[0, 6]),
        (Mode::Attributes, Filter::Color, &[0, 12]),
        (Mode::Triangles, Filter::None, &[0, 1, 8]),
        (Mode::Indices, Filter::None, &[0, 3]),
    ] {
        for &stride in strides {
            let error = decode(mode, filter, stride, &[0xa0; 600]);
            assert!(error.starts_with(&format!("the byteStride is {stride}; ")), "{error}");
        }
    }
    assert!(decode(Mode::Indices, Filter::Color, 4, &[0xd1; 60]).contains("filter"));
    assert!(decode(Mode::Indices, Filter::None, 4, &[0xa1; 60]).contains("expected 0xd0 or 0xd1"));
    assert!(decode(Mode::Attributes, Filter::None, 4, &[0xa2; 60]).contains("expected 0xa0 or 0xa1"));
}

/// Large indices in a stream that is said to have two bytes each.
#[test]
fn an_index_that_does_not_fit_is_refused() {
    let stream = |stride| Stream {
        mode: Mode::Indices,
        filter: Filter::None,
        count: 1,
        stride,
        // 70000 as a difference to zero: twice for its sign, twice for the choice of two earlier indices.
        bytes: &[0xd1, 0xc0, 0x8b, 0x11, 0, 0, 0, 0],
    };
    assert_eq!(stream(4).decode(), Ok(70_000_u32.to_le_bytes().to_vec()));
    assert_eq!(stream(2).decode(), Err("the index 70000 does not fit into 2 bytes".to_owned()));
}
