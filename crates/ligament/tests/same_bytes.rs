//! The same bytes everywhere: each small model of the project, converted to each format, has the hash that is committed.
//! On one core and on eight, in any folder, on any processor.

mod support;

use ligament::convert::{ConvertOptions, Input, Target, convert_to};
use ligament::formats::{FORMATS, Format};
use ligament::io::{DirFolder, MemoryOutput, Source};
use ligament::report::{Report, Severity};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Larger models take too long without optimisation.
const LARGEST: u64 = 48 << 10;

/// FNV-1a, which is the same everywhere.
struct Hash(u64);

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
        // Between two parts, so that moving a byte from one to the other counts.
        self.0 = self.0.wrapping_mul(0x0000_0100_0000_01B3) ^ 0xFF;
    }
}

/// The small models of the project.
fn models() -> Vec<PathBuf> {
    let folders = ["corpus/own", "examples"].map(|folder| support::workspace().join(folder));
    let files = folders.iter().flat_map(|folder| support::files_below(folder)).filter(|path| is_model(path));
    files.filter(|path| path.metadata().is_ok_and(|file| file.len() <= LARGEST)).collect()
}

fn is_model(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    FORMATS.iter().any(|format| format.extensions.contains(&extension))
}

/// The hash of everything that a conversion writes; the code of the error if it writes nothing.
fn hash(path: &Path, format: &'static Format) -> String {
    let Ok(bytes) = std::fs::read(path) else { return "unreadable".to_owned() };
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut source = Source::from_bytes(&name, &bytes);
    source.folder = Arc::new(DirFolder::new(path.parent().unwrap_or(Path::new("."))));
    let options = ConvertOptions { verify: false, reencode: true, ..ConvertOptions::default() };
    let mut report = Report::default();
    let target = Target { format, dialect: None };
    let done = convert_to(
        Input::Source(source, Some(path)),
        target,
        MemoryOutput::new("model"),
        &options,
        &mut report,
    );
    let Ok(done) = done else {
        let error = report.diagnostics().iter().find(|found| found.severity == Severity::Error);
        return error.map_or("refused".to_owned(), |found| found.code.id.to_owned());
    };
    let mut hash = Hash(0xCBF2_9CE4_8422_2325);
    hash.add(&done.output.main);
    for (name, bytes) in &done.output.side_files {
        hash.add(name.as_bytes());
        hash.add(bytes);
    }
    format!("{:016x}", hash.0)
}

/// The hashes of all conversions, a line for each model and format.
fn hashes(models: &[PathBuf]) -> BTreeMap<String, String> {
    let mut hashes = BTreeMap::new();
    for path in models {
        let shown =
            path.strip_prefix(support::workspace()).unwrap_or(path).to_string_lossy().replace('\\', "/");
        for format in FORMATS.iter().filter(|format| format.writes(None)) {
            hashes.insert(format!("{shown} {}", format.id), hash(path, format));
        }
    }
    hashes
}

#[test]
fn every_conversion_has_the_hash_that_is_committed() {
    let models = models();
    assert!(models.len() >= 40, "{}", models.len());
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/same_bytes.txt");
    let found = hashes(&models);
    if std::env::var_os("UPDATE_PAGES").is_some() {
        let mut text = String::new();
        for (what, hash) in &found {
            let _ = writeln!(text, "{what} {hash}");
        }
        std::fs::write(&list, text).expect("the list can be written");
        return;
    }
    let text = std::fs::read_to_string(&list).expect("the list is committed");
    // Without the feature `fbx`, there are fewer formats.
    let is_there = |(what, _): &(&str, &str)| found.contains_key(*what) || cfg!(feature = "fbx");
    let wanted: BTreeMap<&str, &str> =
        text.lines().filter_map(|line| line.rsplit_once(' ')).filter(is_there).collect();
    let mut wrong: Vec<&String> = Vec::new();
    for (what, hash) in &found {
        if wanted.get(what.as_str()) != Some(&hash.as_str()) {
            wrong.push(what);
        }
    }
    assert!(
        wrong.is_empty() && wanted.len() == found.len(),
        "{} of {} conversions write other bytes than before ({} are listed), first {:?}. If that is intended: \
         UPDATE_PAGES=1 cargo test --test same_bytes",
        wrong.len(),
        found.len(),
        wanted.len(),
        wrong.first()
    );
}

#[cfg(feature = "parallel")]
#[test]
fn the_number_of_cores_changes_nothing() {
    let is_large = |path: &PathBuf| is_model(path) && path.metadata().is_ok_and(|file| file.len() > LARGEST);
    let large: Vec<PathBuf> =
        support::files_below(&support::corpus("real")).into_iter().filter(is_large).collect();
    assert!(large.len() >= 8, "{}", large.len());
    let on = |cores: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(cores).build().expect("threads");
        pool.install(|| hashes(&large))
    };
    let one = on(1);
    assert_eq!(one, on(2));
    assert_eq!(one, on(8));
}
