//! The models that hostile input is made from: every available file of a format, and small ones that the library makes.

use super::{files_below, shared_files, workspace};
use ligament::formats::{self, Format, HEAD_BYTES, Match};
use ligament::{ConvertOptions, convert};
use std::path::{Path, PathBuf};

/// A model's bytes, and their origin.
pub struct Seed {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
}

/// Files that readers refuse, by a part of the path, with the code of the reason: a damaged file, and unsupported
/// features.
const REFUSED: [(&str, &str); 3] = [
    ("examples/broken.pfobj", "PF101"),
    ("own/bogle/bad/", "BG103"),
    // Its buffer is above its folder.
    ("real/three/instancing/", "GL101"),
];

/// The code with which a model of the corpus must be refused; `None` if it must be read.
pub fn refused_with(path: &Path) -> Option<&'static str> {
    let path = path.to_string_lossy().replace('\\', "/");
    REFUSED.iter().find(|(piece, _)| path.contains(piece)).map(|(_, code)| *code)
}

/// Every file of a format: fixtures, examples, the corpus, and other files beside the clone.
pub fn files(format: &Format) -> Vec<Seed> {
    let folders = ["crates/ligament/tests/fixtures", "examples", "corpus"];
    let mut paths: Vec<_> = folders.iter().flat_map(|f| files_below(&workspace().join(f))).collect();
    paths.extend(shared_files());
    let seed = |path: PathBuf| {
        let bytes = std::fs::read(&path).ok()?;
        let head = &bytes[..bytes.len().min(HEAD_BYTES)];
        // The oracles beside the models are JSON too, and only the extension distinguishes them from .gltf files.
        let is_model = formats::by_extension(&path).is_some_and(|f| f.id == format.id);
        (is_model || format.sniff(head) == Match::Yes).then_some(Seed { path, bytes })
    };
    paths.into_iter().filter_map(seed).collect()
}

/// Small enough that a cut at every byte costs little.
const MOST_BYTES: u64 = 8000;

/// Small models of a format. For a written format, the library makes them from models of other formats, in each
/// dialect; for a read-only format, they are excerpts of its files.
pub fn variants(format: &'static Format) -> Box<dyn Iterator<Item = Seed>> {
    if format.writes(None) {
        Box::new(conversions(format))
    } else {
        Box::new(files(format).into_iter().flat_map(|seed| excerpts(&seed)))
    }
}

/// Excerpts of a text that keep everything but the blocks indented by four spaces, and some of those blocks: objects
/// without those that they belong to.
fn excerpts(seed: &Seed) -> Vec<Seed> {
    const KEPT: usize = 8;
    let Ok(text) = std::str::from_utf8(&seed.bytes) else { return Vec::new() };
    let is_start = |line: &str| line.starts_with("    ") && !line.starts_with("     ") && line.ends_with('{');
    let count = text.lines().filter(|line| is_start(line)).count();
    let excerpt = |first: usize| {
        let (mut seen, mut inside, mut kept) = (0, false, String::new());
        for line in text.lines() {
            seen += usize::from(is_start(line));
            inside |= is_start(line);
            if !inside || (first..first + KEPT).contains(&(seen - 1)) {
                kept += line;
                kept += "\n";
            }
            inside &= line != "    }";
        }
        let path = seed.path.with_extension(format!("from block {first}"));
        Seed { path, bytes: kept.into_bytes() }
    };
    let excerpts = (0..count).step_by(KEPT / 2).map(excerpt);
    excerpts.filter(|excerpt| excerpt.bytes.len() as u64 <= MOST_BYTES).collect()
}

fn conversions(format: &'static Format) -> impl Iterator<Item = Seed> {
    let folders = ["corpus/own", "crates/ligament/tests/fixtures"];
    let mut sources: Vec<_> = folders.iter().flat_map(|f| files_below(&workspace().join(f))).collect();
    sources.retain(|path| {
        let is_other = formats::by_extension(path).is_some_and(|f| f.id != format.id);
        let is_small = path.metadata().is_ok_and(|about| about.len() <= MOST_BYTES);
        is_other && is_small
    });
    let mut dialects: Vec<_> = format.dialects.iter().map(|d| Some(d.id.to_owned())).collect();
    dialects.retain(|d| format.writes(d.as_deref()));
    if dialects.is_empty() {
        dialects.push(None);
    }
    let pairs = sources
        .into_iter()
        .flat_map(move |source| dialects.clone().into_iter().map(move |dialect| (source.clone(), dialect)));
    pairs.filter_map(move |(source, dialect)| {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join(format!("model.{}", format.extensions[0]));
        let mut options = ConvertOptions { verify: false, ..ConvertOptions::default() };
        options.dialect = dialect.clone();
        // Not every model fits every format, which does not matter here.
        convert(&source, &target, &options).ok()?;
        let bytes = std::fs::read(&target).expect("written");
        let name = format!("{} made {} {}", source.display(), format.id, dialect.unwrap_or_default());
        (bytes.len() as u64 <= MOST_BYTES).then(|| Seed { path: name.trim_end().into(), bytes })
    })
}
