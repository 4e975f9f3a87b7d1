//! Files that pass by in pieces give the same document and the same messages as those read at once.

use crate::support::*;
use ligament::formats::ReadOptions;
use ligament::pfobj::Document;
use ligament::report::{Diagnostic, Report};

type Read = (Option<Document>, Vec<Diagnostic>, u64);

fn read(bytes: &[u8], piece: Option<usize>) -> Read {
    let mut report = Report::default();
    let document = Document::parse_in_pieces(bytes, &ReadOptions::default(), piece, &mut report).ok();
    (document, report.diagnostics().to_vec(), report.omitted())
}

/// Runs something on one core and on three.
fn on_cores(mut work: impl FnMut() + Send) {
    work();
    #[cfg(feature = "parallel")]
    rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("threads can be started").install(work);
}

/// Reads text at once and in pieces of several sizes; returns what was read.
fn same(bytes: &[u8], what: &str) -> Read {
    let whole = read(bytes, None);
    on_cores(|| {
        for piece in [1, 777, 4096, 1 << 20] {
            assert!(read(bytes, Some(piece)) == whole, "{what} in pieces of {piece} bytes");
        }
    });
    whole
}

/// The mage of the corpus.
struct Mage {
    text: String,
    /// Where its vertices start and end.
    vertices: [usize; 2],
    /// Where its first clip, its frames and the next clip start.
    clip: [usize; 3],
}

impl Mage {
    fn new() -> Self {
        let text = std::fs::read_to_string(corpus("real/pfobj/mage.pfobj")).expect("readable");
        let find = |what, from| text[from..].find(what).map_or(text.len(), |n: usize| from + n + 1);
        let (vertices, clip) = ([find("\nv ", 0), find("\nmaterial", 0)], find("\nas ", 0));
        let frames = find("\n", clip);
        Self { vertices, clip: [clip, frames, find("\nas ", frames)], text }
    }

    /// With ten times its vertices.
    fn large(&self) -> String {
        let ([start, end], text) = (self.vertices, &self.text);
        text[..start].replacen("1098", "10980", 1) + &text[start..end].repeat(10) + &text[end..]
    }

    /// With nine times the frames of its first clip, and something in their middle.
    fn long(&self, insert: &str) -> (String, usize) {
        let ([clip, frames, end], text) = (self.clip, &self.text);
        let count: usize =
            text[clip..frames].split_whitespace().last().and_then(|n| n.parse().ok()).expect("a count");
        let line = text[clip..frames].replace(&format!(" {count}\n"), &format!(" {}\n", count * 9));
        let again = text[frames..end].repeat(4);
        let counts = format!("frame_counts   {count}");
        let head = text[..clip].replacen(&counts, &format!("frame_counts   {}", count * 9), 1);
        let text = format!("{head}{line}{again}{}{insert}{again}{}", &text[frames..end], &text[end..]);
        (text, count * 9)
    }
}

#[test]
fn every_file_of_the_corpus_reads_the_same_in_pieces() {
    let (real, own) = (corpus("real/pfobj"), corpus("own/pfobj"));
    let files = [pfobj_files(&real), pfobj_files(&real.join("old_header")), pfobj_files(&own)].concat();
    assert_eq!(files.len(), 15);
    for file in files {
        let bytes = std::fs::read(&file).expect("readable");
        let name = file.display().to_string();
        assert!(same(&bytes, &name).0.is_some(), "{name}");
        let windows = String::from_utf8_lossy(&bytes).replace('\n', "\r\n");
        assert!(same(windows.as_bytes(), "with Windows line ends").0.is_some(), "{name}");
    }
}

#[test]
fn vertices_that_are_odd_read_the_same_in_pieces() {
    let mage = Mage::new();
    let large = mage.large();
    let (document, told, _) = same(large.as_bytes(), "many vertices");
    assert_eq!(document.map(|d| d.vertex_count()), Some(10_980));
    assert_eq!(told, []);
    let [start, end] = mage.vertices;
    // The header has become longer by one digit.
    let middle = start + 1 + (end - start) * 5 + mage.text[start..end].find("\nvn ").expect("has normals");
    for (what, insert, valid) in [
        ("a blank line", "\n", true),
        ("a stray line", "\nstray", false),
        ("a vertex too many", "\nvn 0 0 1\nvw \nvm 0\nv 1 2 3\nvt 0 0", false),
        ("a bad number", "\nvn 0 x 1\nvw \nvm 0\nv 1 2 3\nvt 0 0", false),
    ] {
        let text = format!("{}{insert}{}", &large[..middle], &large[middle..]);
        let (document, told, _) = same(text.as_bytes(), what);
        assert_eq!((document.is_some(), told.is_empty()), (valid, valid), "{what}: {told:?}");
    }
    for (what, from, to, code) in [
        ("too few vertices", "num_verts      10980", "num_verts      10977", "PF204"),
        ("too many vertices", "num_verts      10980", "num_verts      10983", "PF203"),
        ("a joint too few", "num_joints     47", "num_joints     46", "PF302"),
        ("no boxes", "has_collision  1", "has_collision  0", "PF108"),
        (
            "many weights",
            "vw  26/1.000000",
            "vw  1/0.100000 2/0.100000 3/0.100000 4/0.100000 5/0.100000 6/0.100000 26/1.000000",
            "PF405",
        ),
    ] {
        assert!(large.contains(from), "{from}");
        let (_, told, _) = same(large.replace(from, to).as_bytes(), what);
        assert_eq!(told.first().map(|d| d.code.id), Some(code), "{what}: {told:?}");
    }
}

#[test]
fn clips_that_are_odd_read_the_same_in_pieces() {
    let mage = Mage::new();
    for (what, insert, valid, codes) in [
        ("regular", "", true, &[][..]),
        ("a blank line", "\n", true, &[]),
        ("a stray line", "stray\n", false, &["PF107"]),
        ("a box too many", "\tx_bounds 0.000000 1.000000\n", false, &["PF108"]),
        ("a joint twice", "        1 1/1/1 0/0/0/1 0/0/0\n", false, &["PF108", "PF306"]),
    ] {
        let (text, frames) = mage.long(insert);
        let (document, told, _) = same(text.as_bytes(), what);
        assert_eq!(document.is_some(), valid, "{what}: {told:?}");
        assert!(document.is_none_or(|d| d.clips[0].frames as usize == frames), "{what}");
        assert_eq!(told.is_empty(), codes.is_empty(), "{what}: {told:?}");
    }
    // Without boxes the last frame ends with the file.
    let bare = mage.text.replace("has_collision  1", "has_collision  0");
    let bare: String = bare.lines().filter(|l| !l.contains("_bounds")).map(|l| format!("{l}\n")).collect();
    assert!(same(bare.as_bytes(), "no boxes").0.is_some());
    let flat = mage.text.replace("\n        ", "\n").replace("\n\t", "\n");
    assert!(same(flat.as_bytes(), "without indentation").0.is_some_and(|d| !d.layout.indented_frames));
    let spaced = mage.text.replace("\nas ", "\n  as ");
    assert!(same(spaced.as_bytes(), "other spacing").0.is_some());
    // What is told after frames have passed by names the right line.
    let (text, _) = mage.long("");
    let end = text.rfind("\nx_bounds").expect("has a box") + 1;
    let text = text[..end].to_owned()
        + "x_bounds 0.000000 0.000001\n"
        + text[end..].split_once('\n').expect("lines").1;
    let (_, told, _) = same(text.as_bytes(), "a small box");
    let places: Vec<_> =
        told.iter().map(|d| (d.code.id, d.place.line_column, d.place.span.clone())).collect();
    let line = text.lines().count() as u32 - 2;
    let span = end as u64..end as u64 + 26;
    assert_eq!(places, [("PF411", Some((line, 1)), Some(span))]);
}

#[test]
fn damaged_files_read_the_same_in_pieces() {
    let mage = Mage::new();
    let [clip, _, end] = mage.clip;
    // Short enough for many rounds: a tenth of the vertices, one clip.
    let [start, materials] = mage.vertices;
    let vertices = mage.text[start..materials].match_indices("\nv ").nth(107).expect("has many").0 + 1;
    let counts = mage.text.find("frame_counts").expect("has counts");
    let counts_end = counts + mage.text[counts..].find('\n').expect("a line");
    let count = mage.text[clip..].split_whitespace().nth(2).expect("a count");
    let bounds = mage.text.rfind("\nx_bounds").expect("has a box") + 1;
    let seed = format!(
        "{}frame_counts   {count}{}{}{}{}",
        mage.text[..counts].replace("1098", "108").replace("num_as         5", "num_as         1"),
        &mage.text[counts_end..start],
        &mage.text[start..start + vertices],
        &mage.text[materials..end.min(bounds)],
        &mage.text[bounds..],
    );
    assert!(same(seed.as_bytes(), "the short file").0.is_some());
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    const WORDS: [&str; 12] =
        ["\n", " ", "x", "0", "-", "\nas ", "\nv ", "as", "\n        1 ", "/", "\nmaterial", "9e9"];
    let (mut valid, mut told) = (0, 0);
    for round in 0..400 {
        let mut bytes = seed.clone().into_bytes();
        // The interesting lines are few: half of the changes are made there.
        let short = [0..start, start + vertices..start + vertices + 4000, 0..bytes.len(), 0..bytes.len()];
        let range = short[round % 4].clone();
        let at = range.start + random(range.len().min(bytes.len() - range.start));
        match random(4) {
            0 => drop(bytes.drain(at..(at + 1 + random(200)).min(seed.len()))),
            1 => bytes.truncate(at),
            2 => bytes[at] = b"0 9\nx./-"[random(8)],
            _ => drop(bytes.splice(at..at, WORDS[random(WORDS.len())].bytes())),
        }
        let whole = read(&bytes, None);
        for piece in [100, 5000] {
            assert!(read(&bytes, Some(piece)) == whole, "round {round} in pieces of {piece} bytes");
        }
        valid += usize::from(whole.0.is_some());
        told += usize::from(!whole.1.is_empty());
    }
    assert!(valid > 20 && told > 200, "{valid} were valid, {told} had something to tell");
}

#[test]
fn large_files_are_read_from_the_disk_in_pieces() {
    let mage = Mage::new();
    let text = mage.large();
    assert!(text.len() > 1 << 20, "else it is read at once");
    let path = std::env::temp_dir().join(format!("ligament-pieces-{}.pfobj", std::process::id()));
    std::fs::write(&path, &text).expect("writable");
    let from_disk = scene(&path);
    std::fs::remove_file(&path).expect("removable");
    let in_memory = import(read(text.as_bytes(), None).0.expect("valid"));
    assert!(from_disk.meshes[0].parts == in_memory.meshes[0].parts && from_disk.clips == in_memory.clips);
}
