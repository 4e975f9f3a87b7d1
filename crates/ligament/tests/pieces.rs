//! Large text files are read in pieces, and binary ones range by range. Whatever the pieces, the content and the report
//! must be the same as when the whole file is read at once, for good files and for bad ones.

use ligament::ConvertOptions;
use ligament::formats::amo;
use ligament::formats::{ReadOptions, by_id};
use ligament::io::{Content, NoFolder, Source};
use ligament::report::{Failure, Report};
use ligament::scene::Scene;
use std::borrow::Cow;
use std::fmt::Debug;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

type Read<D> = fn(&[u8], &ReadOptions, &mut Report) -> Result<D, Failure>;
type ReadInPieces<D> = fn(&[u8], &ReadOptions, usize, &mut Report) -> Result<D, Failure>;

fn path(extension: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/creature").with_extension(extension)
}

fn example(extension: &str) -> Vec<u8> {
    let path = path(extension);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Reads both ways, and returns whether the file was accepted.
fn same<D: PartialEq + Debug>(bytes: &[u8], piece: usize, read: Read<D>, in_pieces: ReadInPieces<D>) -> bool {
    let options = ReadOptions::default();
    let (mut first, mut second) = (Report::new("model", 50), Report::new("model", 50));
    let whole = read(bytes, &options, &mut first);
    let pieces = in_pieces(bytes, &options, piece, &mut second);
    assert!(whole == pieces, "the documents differ with pieces of {piece} bytes");
    assert_eq!(first.diagnostics(), second.diagnostics(), "with pieces of {piece} bytes");
    whole.is_ok()
}

/// Reads the example unchanged, and with one of its lines spoilt in many ways at many places.
fn check<D: PartialEq + Debug>(extension: &str, read: Read<D>, in_pieces: ReadInPieces<D>) {
    check_bytes(&example(extension), read, in_pieces);
}

fn check_bytes<D: PartialEq + Debug>(bytes: &[u8], read: Read<D>, in_pieces: ReadInPieces<D>) {
    let bytes = bytes.to_vec();
    for piece in [1, 5000, 1 << 18] {
        assert!(same(&bytes, piece, read, in_pieces), "the example is good");
    }
    let lines: Vec<usize> = line_starts(&bytes);
    let spoilers: [&[u8]; 14] = [
        b"x",
        b" ",
        b"\n",
        b"-",
        b".",
        b"1e400",
        b"// #",
        b"\\\n",
        b"nan ",
        b"\r",
        b"0",
        b"\"a\" {\n",
        b"\n# aside\n\n",
        b"end\n",
    ];
    let (mut good, mut bad) = (0, 0);
    for i in 0..42_usize {
        let line = lines[i * 7919 % lines.len()];
        let at = (line + i % 5).min(bytes.len());
        let mut spoilt = bytes.clone();
        let spoiler = spoilers[i % spoilers.len()];
        spoilt.splice(at..at, spoiler.iter().copied());
        match same(&spoilt, 5000, read, in_pieces) {
            true => good += 1,
            false => bad += 1,
        }
        // A missing line, and a file that ends here.
        let end = lines.iter().copied().find(|&next| next > line).unwrap_or(bytes.len());
        let mut without = bytes.clone();
        without.drain(line..end);
        same(&without, 5000, read, in_pieces);
        same(&bytes[..at], 5000, read, in_pieces);
    }
    assert!(good > 3 && bad > 3, "{good} good, {bad} bad");
}

fn line_starts(bytes: &[u8]) -> Vec<usize> {
    let ends = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(i, _)| i + 1);
    std::iter::once(0).chain(ends).filter(|&at| at < bytes.len()).collect()
}

#[test]
fn amo_reads_the_same_in_pieces() {
    check("amo", amo::Document::parse, amo::Document::parse_in_pieces);
}

fn scene(format: &str, content: Content<'_>) -> (Result<Scene, Failure>, Report) {
    let source = Source { name: "model".into(), content, folder: Arc::new(NoFolder) };
    let (options, mut report) = (ReadOptions::default(), Report::new("model", 50));
    let document = by_id(format).expect("in the table").read(source, &options, &mut report);
    let scene = document.and_then(|document| document.import(&options, &mut report));
    (scene, report)
}

/// The whole files, and files cut off at many places.
#[test]
fn binary_files_read_the_same_from_disk_and_from_memory() {
    for (format, extension) in [("bogle", "bgl"), ("qmsh", "qmsh")] {
        let bytes = example(extension);
        let mut good = 0;
        for cut in (0..bytes.len()).step_by(bytes.len() / 60) {
            let length = bytes.len() - cut;
            let file = File::open(path(extension)).expect("the example");
            let (on_disk, disk_report) = scene(format, Content::File(file, length as u64));
            let (in_memory, report) = scene(format, Content::Memory(Cow::Borrowed(&bytes[..length])));
            assert!(on_disk == in_memory, "{format}: the scenes differ with {length} bytes");
            assert_eq!(disk_report.diagnostics(), report.diagnostics(), "{format} with {length} bytes");
            good += usize::from(in_memory.is_ok());
        }
        assert_eq!(good, 1, "only the whole file is good");
    }
}

/// The example in another dialect.
fn counted() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/creature.glb");
    let (scene, _) = ligament::read(&path, &Default::default()).expect("the example is good");
    let folder = tempfile::tempdir().expect("writable");
    let out = folder.path().join("creature.amo");
    let options = ConvertOptions { dialect: Some("counted".into()), ..ConvertOptions::default() };
    ligament::write(scene, &out, &options).expect("AMO holds it");
    std::fs::read(out).expect("it was written")
}

#[test]
fn counted_amo_reads_the_same_in_pieces() {
    let bytes = counted();
    check_bytes(&bytes, amo::Document::parse, amo::Document::parse_in_pieces);
    // Without the first line, which names the dialect, more is examined and reported.
    let bare = &bytes[memchr_line(&bytes)..];
    assert!(same(bare, 5000, amo::Document::parse, amo::Document::parse_in_pieces));
    // Two models, and lists in two pieces.
    let text = String::from_utf8(bytes).expect("ASCII");
    let (head, rest) = text.split_once("\nvt ").expect("has texture coordinates");
    let twice = format!("{head}\nv 2\n0 0 0\n1 2 3\nvt {rest}{text}");
    assert!(same(twice.as_bytes(), 5000, amo::Document::parse, amo::Document::parse_in_pieces));
}

fn memchr_line(bytes: &[u8]) -> usize {
    bytes.iter().position(|&b| b == b'\n').map_or(0, |at| at + 1)
}

/// Warnings have their lines although the text has already been dropped.
#[test]
fn warnings_about_amo_that_passed_by_have_their_lines() {
    for (bytes, odd) in [(example("amo"), "vn 0 0 2\n"), (counted(), "# none\n0 0 2\n")] {
        let text = String::from_utf8(bytes).expect("ASCII");
        let keyword = text.find("\nvn ").expect("has normals") + 1;
        let is_list = odd.starts_with('#');
        // In place of the first normal.
        let at = if is_list { keyword + text[keyword..].find('\n').expect("a line") + 1 } else { keyword };
        let next = at + text[at..].find('\n').expect("a line") + 1;
        let odd = format!("{}{odd}zz top\n{}", &text[..at], &text[next..]);
        // A line that is unknown in one dialect is a fault in the list of the other.
        let odd = if is_list { odd.replace("zz top\n", "") } else { odd };
        let (options, mut report) = (ReadOptions::default(), Report::default());
        amo::Document::parse_in_pieces(odd.as_bytes(), &options, 5000, &mut report).expect("only odd");
        let line = text[..at].lines().count() as u32 + 1 + u32::from(is_list);
        let places: Vec<_> = report.diagnostics().iter().filter_map(|d| d.place.line_column).collect();
        assert!(places.contains(&(line, 1)), "{places:?} lack line {line}");
        assert!(same(odd.as_bytes(), 5000, amo::Document::parse, amo::Document::parse_in_pieces));
    }
}
