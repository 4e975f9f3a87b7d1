//! Truncated, mutated and lying input, for every format of the table. A new format is covered as soon as it has a row
//! and a test file.

mod support;

use ligament::formats::{FORMATS, Format};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use support::memory::{Counting, peak_during};
use support::{Random, exercise, seeds};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What reading, importing, rewriting and posing an input may cost: a small multiple of its size.
fn allowed_memory(bytes: usize) -> usize {
    40 * bytes + (1 << 20)
}

/// Runs an input and names it if a promise breaks.
fn run(format: &dyn Format, path: &Path, bytes: &[u8], what: &str) -> bool {
    let folder = path.parent().unwrap_or(path);
    let (outcome, peak) = peak_during(|| catch_unwind(AssertUnwindSafe(|| exercise(format, bytes, folder))));
    let name = format!("{} {what}", path.display());
    let Ok(accepted) = outcome else { panic!("{name}: see the message above") };
    let allowed = allowed_memory(bytes.len());
    assert!(
        peak <= allowed,
        "{name}: {peak} bytes allocated for {} of input, {allowed} allowed",
        bytes.len()
    );
    accepted
}

#[test]
fn every_test_file_is_read_within_its_memory() {
    for format in FORMATS {
        let seeds = seeds(*format);
        assert!(!seeds.is_empty(), "{} has no test files", format.info().id);
        for (path, bytes) in &seeds {
            // The corpus holds broken files too, in folders that say so.
            let is_bad = path.components().any(|c| c.as_os_str() == "bad");
            assert_eq!(run(*format, path, bytes, "as it is"), !is_bad, "{}", path.display());
        }
        println!("{}: {} files", format.info().id, seeds.len());
    }
}

#[test]
fn truncation_at_any_byte_is_refused_or_read_sanely() {
    for format in FORMATS {
        let mut cases = 0;
        for (path, bytes) in seeds(*format) {
            // Every byte of small files; of large ones as many places as keep the sweep short, on an odd stride so that
            // they fall everywhere in a line or record.
            let stride = (bytes.len() * bytes.len() / 40_000_000).max(bytes.len() / 4096).max(1) | 1;
            for end in (0..bytes.len()).step_by(stride) {
                run(*format, &path, &bytes[..end], &format!("cut at byte {end}"));
                cases += 1;
            }
        }
        println!("{}: {cases} truncations", format.info().id);
        assert!(cases >= 1000, "{}: only {cases} truncations", format.info().id);
    }
}

#[test]
fn seeded_mutations_are_refused_or_read_sanely() {
    const PER_FORMAT: usize = 10_000;
    for format in FORMATS {
        let seeds = seeds(*format);
        // Small files get more of the mutations: they cost less, and a change hits something that matters more often.
        let share = |bytes: &[u8]| 1.0 / (bytes.len() as f64 + 4096.0);
        let total: f64 = seeds.iter().map(|(_, b)| share(b)).sum();
        let (mut cases, mut accepted) = (0, 0);
        for (file, (path, bytes)) in seeds.iter().enumerate() {
            let count = ((PER_FORMAT as f64 * share(bytes) / total).ceil() as usize).max(25);
            for number in 0..count {
                let seed = (file * 1_000_003 + number) as u64;
                let mutated = mutate(bytes, &seeds[Random::new(seed).below(seeds.len())].1, seed);
                accepted += usize::from(run(*format, path, &mutated, &format!("mutation {seed}")));
                cases += 1;
            }
        }
        println!("{}: {cases} mutations, {accepted} still readable", format.info().id);
        assert!(cases >= PER_FORMAT);
        assert!(accepted > 0 && accepted < cases, "mutations are too weak or too strong to tell anything");
    }
}

/// One to four changes of the kinds that break parsers: bytes, numbers, words, ranges gone, doubled or from elsewhere.
fn mutate(bytes: &[u8], other: &[u8], seed: u64) -> Vec<u8> {
    const WORDS: [&[u8]; 16] = [
        b"nan",
        b"inf",
        b"-1",
        b"0",
        b"1e999",
        b"-1e-999",
        b"4294967295",
        b"4294967296",
        b"18446744073709551616",
        b"\r\n",
        b"\n",
        b" ",
        b"/",
        b"\0",
        b"\xff\xfe",
        b"99999999",
    ];
    const NUMBERS: [u32; 8] =
        [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0xFFFF_FFFC, 0x7FC0_0000, 0x7F80_0000];
    let mut random = Random::new(seed);
    let mut out = bytes.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(out.len());
        let longest = 1 << random.below(9);
        let length = random.below(longest).min(out.len() - at);
        match random.below(8) {
            0 if !out.is_empty() => out[at] ^= 1 << random.below(8),
            1 if !out.is_empty() => out[at] = random.next() as u8,
            2 => drop(out.drain(at..at + length)),
            3 => {
                let doubled = out[at..at + length].to_vec();
                out.splice(at..at, doubled);
            }
            4 => drop(out.splice(at..at + length.min(3), WORDS[random.below(WORDS.len())].iter().copied())),
            5 if out.len() >= at + 4 => {
                out[at..at + 4].copy_from_slice(&NUMBERS[random.below(NUMBERS.len())].to_le_bytes());
            }
            6 => {
                let from = random.below(other.len());
                let piece = &other[from..(from + length).min(other.len())];
                out.splice(at..at, piece.iter().copied());
            }
            // A digit changed keeps text well formed and makes counts, indices and parents lie.
            _ => {
                if let Some(digit) = out[at..].iter().position(u8::is_ascii_digit) {
                    out[at + digit] = b'0' + random.below(10) as u8;
                }
            }
        }
    }
    out
}
