//! Truncated, mutated and lying input, for every format of the table. A new format is covered as soon as it has a row
//! and a test file.

mod support;

use ligament::formats::{FORMATS, Format};
use ligament::report::Report;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use support::memory::{Counting, peak_during};
use support::seeds::{Seed, files, refused_with, variants};
use support::{Random, exercise, import};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The memory that reading, importing, rewriting and posing an input may take: a small multiple of its size.
fn allowed_memory(bytes: usize) -> usize {
    40 * bytes + (1 << 20)
}

/// Runs an input, and names it if a promise is broken.
fn run(format: &Format, path: &Path, bytes: &[u8], what: &str) -> bool {
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

/// The step between the places where a file is cut: every byte of small files; in large ones, as many places as keep
/// the sweep short, with an odd stride so that they fall everywhere in a line or record. A greater `effort` cuts large
/// files more often.
fn stride(length: usize, effort: usize) -> usize {
    (length * length / (40_000_000 * effort)).max(length / (4096 * effort)).max(1) | 1
}

fn cut_count(seeds: &[Seed], effort: usize) -> usize {
    seeds.iter().map(|seed| seed.bytes.len().div_ceil(stride(seed.bytes.len(), effort))).sum()
}

/// The least number of cuts in a format's models. A read-only format has fewer models.
fn least_cuts(format: &Format) -> usize {
    if format.writes(None) { 67_000 } else { 28_000 }
}

/// A format's files and, if they are few, small variants until there are enough places to cut.
fn seeds(format: &'static Format) -> Vec<Seed> {
    let mut seeds = files(format);
    let mut cuts = cut_count(&seeds, 1);
    let mut more = variants(format);
    while cuts < least_cuts(format)
        && let Some(seed) = more.next()
    {
        cuts += seed.bytes.len();
        seeds.push(seed);
    }
    seeds
}

#[test]
fn every_test_file_is_read_within_its_memory() {
    for format in FORMATS {
        let seeds = files(format);
        assert!(!seeds.is_empty(), "{} has no test files", format.id);
        let mut refused = 0;
        for Seed { path, bytes } in &seeds {
            let accepted = run(format, path, bytes, "as it is");
            if let Some(code) = refused_with(path) {
                let mut report = Report::default();
                import(format, bytes, path.parent().unwrap_or(path), &mut report);
                let is_why = report.diagnostics().iter().any(|d| d.code.id == code);
                assert!(!accepted && is_why, "{}: not refused with {code}", path.display());
                refused += 1;
            } else {
                assert!(accepted || !is_known(path), "{}", path.display());
            }
        }
        println!("{}: {} files, {refused} of them refused as they must be", format.id, seeds.len());
    }
}

/// Whether a file belongs to this project or is named by it. Other files beside the clone may be anything.
fn is_known(path: &Path) -> bool {
    support::shared().is_none_or(|shared| !path.starts_with(shared))
        || support::extras().iter().any(|p| p == path)
}

#[test]
fn truncation_at_any_byte_is_refused_or_read_sanely() {
    for format in FORMATS {
        let seeds = seeds(format);
        // A format with a few small files has no more places than bytes.
        let least = least_cuts(format).min(seeds.iter().map(|seed| seed.bytes.len()).sum());
        // Without enough variants the files are cut more often.
        let effort = (0..8).map(|n| 1 << n).find(|effort| cut_count(&seeds, *effort) >= least);
        let effort = effort.unwrap_or_else(|| panic!("{}: too few files", format.id));
        let mut cases = 0;
        for Seed { path, bytes } in &seeds {
            for end in (0..bytes.len()).step_by(stride(bytes.len(), effort)) {
                run(format, path, &bytes[..end], &format!("cut at byte {end}"));
                cases += 1;
            }
        }
        println!("{}: {cases} truncations of {} models", format.id, seeds.len());
        assert!(cases >= least, "{}: only {cases} truncations", format.id);
    }
}

#[test]
fn seeded_mutations_are_refused_or_read_sanely() {
    const PER_FORMAT: usize = 10_000;
    for format in FORMATS {
        let seeds = seeds(format);
        // Small files get more of the mutations: they cost less, and a change is more likely to hit something that
        // matters.
        let share = |bytes: &[u8]| 1.0 / (bytes.len() as f64 + 4096.0);
        let total: f64 = seeds.iter().map(|seed| share(&seed.bytes)).sum();
        let (mut cases, mut accepted) = (0, 0);
        for (file, Seed { path, bytes }) in seeds.iter().enumerate() {
            let count = ((PER_FORMAT as f64 * share(bytes) / total).ceil() as usize).max(25);
            for number in 0..count {
                let seed = (file * 1_000_003 + number) as u64;
                let mutated = mutate(bytes, &seeds[Random::new(seed).below(seeds.len())].bytes, seed);
                accepted += usize::from(run(format, path, &mutated, &format!("mutation {seed}")));
                cases += 1;
            }
        }
        println!("{}: {cases} mutations, {accepted} still readable", format.id);
        assert!(cases >= PER_FORMAT);
        assert!(accepted > 0 && accepted < cases, "mutations are too weak or too strong to tell anything");
    }
}

/// Makes one to four changes of the kinds that break parsers: bytes, numbers, words, and ranges removed, doubled or
/// copied from another file.
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
            // Changing a digit keeps text well formed and makes counts, indices and parents lie.
            _ => {
                if let Some(digit) = out[at..].iter().position(u8::is_ascii_digit) {
                    out[at + digit] = b'0' + random.below(10) as u8;
                }
            }
        }
    }
    out
}
