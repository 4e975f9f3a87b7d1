//! Helpers of the integration tests: test files, seeded random numbers, and a check that any input can go through.
#![allow(dead_code)] // each test binary uses its own part

pub mod blender;
pub mod corpus;
pub mod memory;
pub mod scenes;
pub mod seeds;
pub mod through;

pub use corpus::*;

use ligament::compare::{CompareOptions, compare};
use ligament::formats::{Format, ReadOptions, WriteOptions};
use ligament::io::{DirFolder, MemoryOutput, Source};
use ligament::pose::{self, Pose};
use ligament::report::{Report, Severity};
use ligament::scene::Scene;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The models of Assimp's own tests, which Debian packages. Without them the test is skipped with a message, except on
/// CI, where they must exist.
pub fn assimp_models(test: &str) -> Option<PathBuf> {
    let path = Path::new("/usr/share/assimp/models");
    if path.is_dir() {
        return Some(path.to_owned());
    }
    assert!(std::env::var_os("CI").is_none(), "{test}: assimp-testmodels is missing");
    eprintln!("skipped {test}: assimp-testmodels is not installed");
    None
}

/// A small generator of random numbers that are the same in every run (xorshift64*).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `end` (0 if `end` is 0).
    pub fn below(&mut self, end: usize) -> usize {
        if end == 0 { 0 } else { (self.next() % end as u64) as usize }
    }
}

/// Reads bytes in a format, into a scene.
pub fn import(format: &Format, bytes: &[u8], folder: &Path, report: &mut Report) -> Option<Scene> {
    let options = ReadOptions::default();
    let mut source = Source::from_bytes("input", bytes);
    source.folder = Arc::new(DirFolder::new(folder));
    format.read(source, &options, report).and_then(|document| document.import(&options, report)).ok()
}

/// Does everything with an input that a user could, and checks the promises: a failure says why; an accepted scene is
/// sane, can be posed, and its document can be written. Returns whether it was accepted.
pub fn exercise(format: &Format, bytes: &[u8], folder: &Path) -> bool {
    let options = ReadOptions::default();
    let mut report = Report::default();
    let source = || {
        let mut source = Source::from_bytes("input", bytes);
        source.folder = Arc::new(DirFolder::new(folder));
        source
    };
    let Ok(document) = format.read(source(), &options, &mut report) else {
        assert!(report.has_errors(), "refused without a reason");
        return false;
    };
    document.check(&options, &mut Report::default());
    let (write, mut output) = (WriteOptions::default(), MemoryOutput::new("output"));
    let written = document.write(document.dialect(), &write, &mut output, &mut report);
    let Ok(scene) = document.import(&options, &mut report) else {
        assert!(report.has_errors(), "refused without a reason");
        return false;
    };
    assert!(!report.has_errors(), "accepted with errors: {:?}", report.diagnostics());
    assert!(written.is_ok(), "readable, but cannot be rewritten: {:?}", report.diagnostics());
    check_promise(&scene);
    ligament::validate::advise(&scene, &mut report);
    let first = scene.clips.first();
    for pose in [Some(Pose::rest(&scene)), first.map(|clip| Pose::at(&scene, clip, clip.duration * 0.4))] {
        pose.map(|pose| pose::bounds(&scene, &pose));
    }
    true
}

/// Asserts that a scene returned by a reader keeps every rule.
pub fn check_promise(scene: &Scene) {
    let mut report = Report::default();
    ligament::validate::validate(scene, &mut report);
    let broken: Vec<_> = report.diagnostics().iter().filter(|d| d.severity == Severity::Error).collect();
    assert!(broken.is_empty(), "the scene breaks its promise: {broken:?}");
}

/// The worst deviation between two scenes, relative to the first one's size.
pub fn worst(first: &Scene, second: &Scene) -> f64 {
    let comparison = compare(first, second, &CompareOptions::default());
    assert!(comparison.points > 0, "nothing was compared");
    comparison.worst.map_or(0.0, |w| w.relative)
}
