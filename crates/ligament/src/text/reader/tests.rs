//! The result of reading a file and the messages about it depend neither on the size of the pieces nor on the number of
//! cores. Some tests use lines alone, the others every text format.

use super::{Joined, SIZES, Shared, Sizes, TextReader, Usual};
use crate::formats::{FORMATS, Format, ReadOptions, WriteOptions};
use crate::io::{Content, MemoryOutput, NoFolder, Source};
use crate::report::{Diagnostic, Failure, Loss, Report};
use crate::scene::Scene;
use std::cell::Cell;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

thread_local! {
    static USED: Cell<Option<Sizes>> = const { Cell::new(None) };
}

pub(super) fn sizes() -> Option<Sizes> {
    USED.get()
}

/// The way a file is fetched and read.
#[derive(Debug, Clone, Copy)]
struct Way {
    sizes: Sizes,
    cores: usize,
}

/// In one piece, on one core.
const WHOLE: Way = Way { sizes: Sizes { piece: usize::MAX / 4, ..SIZES }, cores: 1 };

const fn way(piece: usize, longest: usize, cores: usize) -> Way {
    Way { sizes: Sizes { piece, share: piece, least_shared: 0, longest }, cores }
}

/// Calls a function while files are read in this way.
fn reading<R: Send>(way: Way, work: impl FnOnce() -> R + Send) -> R {
    let work = || {
        USED.set(Some(way.sizes));
        let done = work();
        USED.set(None);
        done
    };
    #[cfg(feature = "parallel")]
    if way.cores > 1 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(way.cores).build();
        return pool.expect("threads can be started").install(work);
    }
    work()
}

fn on_disk(bytes: &[u8]) -> Content<'static> {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(bytes).expect("writable");
    Content::File(file, bytes.len() as u64)
}

/// The sums of the usual lines.
#[derive(Default, PartialEq, Debug)]
struct Sums {
    sums: Vec<u64>,
    most: usize,
}

impl Usual for Sums {
    fn usual(&mut self, text: &[u8], at: usize) -> Option<usize> {
        let (value, end) = crate::text::parse_u32_prefix(text, at)?;
        (text.get(end) == Some(&b'\n')).then(|| {
            self.sums.push(value.into());
            end + 1
        })
    }
}

impl Shared for Sums {
    type Aside = Sums;
    const SHARES_PER_CORE: usize = 2;

    fn aside(&self, _: usize) -> Sums {
        Sums::default()
    }

    fn add(&mut self, aside: Sums) -> bool {
        let fits = self.sums.len() + aside.sums.len() <= self.most;
        self.sums.extend(aside.sums.iter().filter(|_| fits));
        fits
    }

    fn last_start(&self, text: &[u8]) -> Option<usize> {
        Some(text.len())
    }
}

#[test]
fn lines_and_runs_alternate_whatever_the_pieces() {
    let rows: String = (0..3000).map(|i| format!("{i}\n")).collect();
    let text =
        format!("\u{feff} one two \r\n{rows}\n\n\tthree\n{rows}x{}\n7\n8\n{rows}end", "y".repeat(9000));
    let mut expected = None;
    for way in
        [WHOLE, way(1, 1, 1), way(100, 5, 1), way(1 << 14, 1 << 12, 1), way(50, 5, 3), way(5000, 64, 2)]
    {
        for content in [Content::Memory(text.as_bytes().into()), on_disk(text.as_bytes())] {
            let found = reading(way, || {
                let mut report = Report::default();
                let reader = TextReader::new(&content, &Default::default(), &mut report);
                let mut reader = reader.expect("readable").with_other_cores();
                assert!(reader.skip_mark().expect("readable").is_some());
                let (mut sums, mut lines) = (Sums { most: usize::MAX, ..Sums::default() }, Vec::new());
                loop {
                    reader.run_shared(&mut sums).expect("readable");
                    let Some(line) = reader.line().expect("readable") else { break };
                    for field in line.fields() {
                        // A run may leave a usual line at the end of a piece.
                        match std::str::from_utf8(field.text()).expect("text").parse::<u64>() {
                            Ok(number) => sums.sums.push(number),
                            Err(_) => lines.push((field.raw(), field.spot())),
                        }
                    }
                }
                let end = reader.here();
                (sums, lines, end)
            });
            assert_eq!(found.0.sums.len(), 9002);
            let spots: Vec<_> = found.1.iter().map(|(_, spot)| (spot.line, spot.column)).collect();
            assert_eq!(spots, [(1, 5), (1, 9), (3004, 2), (6005, 1), (9008, 1)]);
            let expected = expected.get_or_insert_with(|| format!("{found:?}"));
            assert!(*expected == format!("{found:?}"), "{way:?}");
        }
    }
}

/// Records that are all different, and whose starts cannot be found.
struct Different {
    looked: Cell<usize>,
}

impl Usual for Different {
    fn usual(&mut self, _: &[u8], _: usize) -> Option<usize> {
        None
    }
}

impl Shared for Different {
    type Aside = Sums;

    fn aside(&self, _: usize) -> Sums {
        Sums::default()
    }

    fn add(&mut self, _: Sums) -> bool {
        false
    }

    fn last_start(&self, _: &[u8]) -> Option<usize> {
        self.looked.set(self.looked.get() + 1);
        None
    }
}

#[test]
fn a_piece_is_cut_once_however_many_records_are_different() {
    let text = "not a number\n".repeat(20_000);
    let content = Content::Memory(text.as_bytes().into());
    let (lines, looked) = reading(way(5000, 64, 2), || {
        let mut report = Report::default();
        let reader = TextReader::new(&content, &Default::default(), &mut report);
        let mut reader = reader.expect("in memory").with_other_cores();
        let (mut records, mut lines) = (Different { looked: Cell::new(0) }, 0);
        loop {
            reader.run_shared(&mut records).expect("in memory");
            let Some(_) = reader.line().expect("in memory") else { break };
            lines += 1;
        }
        (lines, records.looked.get())
    });
    assert_eq!(lines, 20_000);
    // Two shares of each piece of 10,000 bytes.
    assert!(looked <= 3 * (text.len() / 5000), "{looked}");
}

/// The fields of a text with joined lines, with their lines and columns, followed by the end of the file.
fn joined_fields(text: &str, joined: Joined, way: Way) -> Vec<String> {
    let content = on_disk(text.as_bytes());
    reading(way, || {
        let mut report = Report::default();
        let reader: Result<TextReader<'_, '_>, _> =
            TextReader::new(&content, &Default::default(), &mut report);
        let mut reader = reader.expect("readable").with_joined_lines(joined);
        let mut found = Vec::new();
        while let Some(line) = reader.line().expect("readable") {
            found.extend(line.whole().fields().map(|field| {
                let spot = field.spot();
                format!("{}:{} {}", spot.line, spot.column, field.raw().to_text())
            }));
        }
        let end = reader.here();
        assert_eq!(end.start, text.len());
        found.push(format!("{}:{}", end.line, end.column));
        found
    })
}

#[test]
fn lines_are_joined_by_a_backslash_but_for_comments() {
    for (text, expected) in [
        ("a \\\nb\\\r\n c\nd", &["1:1 a", "2:1 b", "3:2 c", "4:1 d", "4:2"][..]),
        ("a\\\n\nb", &["1:1 a", "3:1 b", "3:2"]),
        ("a \\\nb", &["1:1 a", "2:1 b", "2:2"]),
        ("a \\\n", &["1:1 a", "2:1"]),
        ("a \\", &["1:1 a", "1:4"]),
        ("\\\n\\\n", &["3:1"]),
        (" # a \\\nb\\c", &["1:2 #", "1:4 a", "1:6 \\", "2:1 b\\c", "2:4"]),
    ] {
        for way in [WHOLE, way(1, 1, 1)] {
            assert_eq!(joined_fields(text, Joined::AllBut(b'#'), way), expected, "{text:?}");
        }
    }
}

#[test]
fn words_go_on_where_all_lines_are_joined() {
    for (text, expected) in [
        ("ab\\\ncd \\\r\nef \\\\\n g\\x", &["1:1 abcd", "3:1 ef", "3:4 \\", "4:2 g\\x", "4:5"][..]),
        ("\\\n\\\n a\\\n", &["3:2 a", "4:1"]),
        ("a\\", &["1:1 a\\", "1:3"]),
    ] {
        for way in [WHOLE, way(1, 1, 1)] {
            assert_eq!(joined_fields(text, Joined::All, way), expected, "{text:?}");
        }
    }
    let content = Content::Memory(b"ab\\\ncd\\\nef\n"[..].into());
    let mut report = Report::default();
    let reader: Result<TextReader<'_, '_>, _> = TextReader::new(&content, &Default::default(), &mut report);
    let mut reader = reader.expect("readable").with_joined_lines(Joined::All);
    let line = reader.line().expect("readable").expect("there is one");
    assert_eq!(line.text(), b"abcdef\n");
    let span = |from, to| (line.whole().part(from..to).spot().start, line.whole().part(from..to).spot().end);
    assert_eq!([span(0, 4), span(0, 2), span(2, 2), span(4, 7)], [(0, 6), (0, 2), (4, 4), (8, 11)]);
}

/// Everything that reading a file results in.
#[derive(PartialEq)]
struct Read {
    scene: Result<Scene, Failure>,
    rewritten: Option<Vec<u8>>,
    said: Vec<Diagnostic>,
    omitted: u64,
    losses: Vec<Loss>,
}

fn read(format: &Format, content: Content<'_>) -> Read {
    let source = Source { name: "model".into(), content, folder: Arc::new(NoFolder) };
    let (options, mut report) = (ReadOptions::default(), Report::new("model", 50));
    let (mut output, mut aside) = (MemoryOutput::default(), Report::default());
    let document = format.read(source, &options, &mut report);
    let written = document.as_ref().is_ok_and(|document| {
        document.write(document.dialect(), &WriteOptions::default(), &mut output, &mut aside).is_ok()
    });
    let scene = document.and_then(|document| document.import(&options, &mut report));
    Read {
        scene,
        rewritten: written.then_some(output.main),
        said: report.diagnostics().to_vec(),
        omitted: report.omitted(),
        losses: report.losses().to_vec(),
    }
}

const WAYS: [Way; 4] = [way(1, 1, 1), way(100, 40, 3), way(777, 1 << 12, 1), way(5000, 1 << 12, 2)];

/// Checks that a file reads the same in several ways. Returns whether it is readable.
fn same(format: &Format, bytes: &[u8], ways: &[Way], what: &str) -> bool {
    let whole = reading(WHOLE, || read(format, Content::Memory(bytes.into())));
    for &way in ways {
        let found = reading(way, || read(format, on_disk(bytes)));
        let id = format.id;
        assert!(found.said == whole.said, "{id}, {what}, {way:?}: {:#?}\n{:#?}", found.said, whole.said);
        assert!(found == whole, "{id}, {what}, {way:?}");
    }
    whole.scene.is_ok()
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() { files_below(&path, found) } else { found.push(path) }
    }
}

/// The files of a text format with at most `most` bytes.
fn files_of(format: &Format, most: usize) -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in ["tests/fixtures", "../../examples", "../../corpus"] {
        files_below(&root.join(folder), &mut found);
    }
    let extensions = format.extensions;
    let is_one = |path: &&PathBuf| {
        let name = path.to_string_lossy();
        extensions.iter().any(|extension| name.ends_with(&format!(".{extension}")))
    };
    let read = |path: &PathBuf| Some((path.display().to_string(), std::fs::read(path).ok()?));
    found.iter().filter(is_one).filter_map(read).filter(|(_, bytes)| bytes.len() <= most).collect()
}

fn text_formats() -> impl Iterator<Item = &'static Format> {
    let is_read_here = |format: &&&Format| format.is_text && format.id != "collada";
    FORMATS.iter().filter(is_read_here).copied()
}

#[test]
fn every_file_reads_the_same_in_pieces() {
    for format in text_formats() {
        let files = files_of(format, 1 << 20);
        let good = files.iter().filter(|(name, bytes)| same(format, bytes, &WAYS, name)).count();
        assert!(good > 0, "{} has {} files, and none is good", format.id, files.len());
        for (name, bytes) in files.iter().filter(|(_, bytes)| bytes.len() < 1 << 17) {
            let windows = String::from_utf8_lossy(bytes).replace('\n', "\r\n");
            same(format, windows.as_bytes(), &WAYS[1..3], &format!("{name} with Windows line ends"));
        }
    }
}

const SPOILERS: [&str; 16] = [
    "x",
    " ",
    "\n",
    "-",
    ".",
    "1e400",
    "// #",
    "\\\n",
    "nan ",
    "\r",
    "0",
    "\"a\" {\n",
    "\n# aside\n\n",
    "end\n",
    "9e9",
    "/",
];

/// Tests files with something inserted, a line removed, or the end cut off.
#[test]
fn damaged_files_read_the_same_in_pieces() {
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below.max(1)
    };
    for format in text_formats() {
        let (mut good, mut bad) = (0, 0);
        for (name, bytes) in files_of(format, 60_000) {
            let ends = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(i, _)| i + 1);
            let lines: Vec<usize> = std::iter::once(0).chain(ends).collect();
            for round in 0..24 {
                let (line, mut spoilt) = (random(lines.len()), bytes.clone());
                let at = (lines[line] + random(6)).min(bytes.len());
                match round % 4 {
                    0 => spoilt.truncate(at),
                    1 => drop(spoilt.drain(lines[line]..*lines.get(line + 1).unwrap_or(&bytes.len()))),
                    _ => drop(spoilt.splice(at..at, SPOILERS[random(SPOILERS.len())].bytes())),
                }
                let what = format!("{name} in round {round} at {at}");
                match same(format, &spoilt, &[WAYS[round % 2], WAYS[2 + round % 2]], &what) {
                    true => good += 1,
                    false => bad += 1,
                }
            }
        }
        assert!(good > 3 && bad > 3, "{}: {good} good, {bad} bad", format.id);
    }
}
