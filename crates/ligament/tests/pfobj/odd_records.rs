//! Vertices and frames that are not laid out as the exporter does it, among thousands that are.

use crate::support::*;
use ligament::formats::ReadOptions;
use ligament::formats::pfobj::Document;
use ligament::report::{Diagnostic, Report};

fn read(text: &str) -> (Option<Document>, Vec<Diagnostic>) {
    let mut report = Report::default();
    let document = Document::parse(text.as_bytes(), &ReadOptions::default(), &mut report).ok();
    (document, report.diagnostics().to_vec())
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

    /// The model with ten times its vertices.
    fn large(&self) -> String {
        let ([start, end], text) = (self.vertices, &self.text);
        text[..start].replacen("1098", "10980", 1) + &text[start..end].repeat(10) + &text[end..]
    }

    /// The model with nine times the frames of its first clip, and the given text in their middle.
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
fn odd_vertices_are_read_or_told() {
    let mage = Mage::new();
    let large = mage.large();
    let (document, told) = read(&large);
    assert_eq!(document.map(|d| d.vertex_count()), Some(10_980));
    assert_eq!(told, []);
    let [start, end] = mage.vertices;
    // The header is now longer by one digit.
    let middle = start + 1 + (end - start) * 5 + mage.text[start..end].find("\nvn ").expect("has normals");
    for (what, insert, valid) in [
        ("a blank line", "\n", true),
        ("a stray line", "\nstray", false),
        ("a vertex too many", "\nvn 0 0 1\nvw \nvm 0\nv 1 2 3\nvt 0 0", false),
        ("a bad number", "\nvn 0 x 1\nvw \nvm 0\nv 1 2 3\nvt 0 0", false),
    ] {
        let text = format!("{}{insert}{}", &large[..middle], &large[middle..]);
        let (document, told) = read(&text);
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
        let (_, told) = read(&large.replace(from, to));
        assert_eq!(told.first().map(|d| d.code.id), Some(code), "{what}: {told:?}");
    }
}

#[test]
fn odd_clips_are_read_or_told() {
    let mage = Mage::new();
    for (what, insert, valid, codes) in [
        ("regular", "", true, &[][..]),
        ("a blank line", "\n", true, &[]),
        ("a stray line", "stray\n", false, &["PF107"]),
        ("a box too many", "\tx_bounds 0.000000 1.000000\n", false, &["PF108"]),
        ("a joint twice", "        1 1/1/1 0/0/0/1 0/0/0\n", false, &["PF108", "PF306"]),
    ] {
        let (text, frames) = mage.long(insert);
        let (document, told) = read(&text);
        assert_eq!(document.is_some(), valid, "{what}: {told:?}");
        assert!(document.is_none_or(|d| d.clips[0].frames as usize == frames), "{what}");
        assert_eq!(told.is_empty(), codes.is_empty(), "{what}: {told:?}");
    }
    // Without boxes the last frame ends with the file.
    let bare = mage.text.replace("has_collision  1", "has_collision  0");
    let bare: String = bare.lines().filter(|l| !l.contains("_bounds")).map(|l| format!("{l}\n")).collect();
    assert!(read(&bare).0.is_some(), "no boxes");
    let flat = mage.text.replace("\n        ", "\n").replace("\n\t", "\n");
    assert!(read(&flat).0.is_some_and(|d| !d.layout.indented_frames), "without indentation");
    let spaced = mage.text.replace("\nas ", "\n  as ");
    assert!(read(&spaced).0.is_some(), "other spacing");
    // Messages after the frames name the right line.
    let (text, _) = mage.long("");
    let end = text.rfind("\nx_bounds").expect("has a box") + 1;
    let text = text[..end].to_owned()
        + "x_bounds 0.000000 0.000001\n"
        + text[end..].split_once('\n').expect("lines").1;
    let (_, told) = read(&text);
    let places: Vec<_> =
        told.iter().map(|d| (d.code.id, d.place.line_column, d.place.span.clone())).collect();
    let line = text.lines().count() as u32 - 2;
    let span = end as u64..end as u64 + 26;
    assert_eq!(places, [("PF411", Some((line, 1)), Some(span))]);
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
    let in_memory = import(read(&text).0.expect("valid"));
    assert!(from_disk.meshes[0].parts == in_memory.meshes[0].parts && from_disk.clips == in_memory.clips);
}
