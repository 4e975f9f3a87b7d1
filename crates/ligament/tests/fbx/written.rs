//! Scenes written as FBX, and read back.

use super::{scene, support};
use ligament::compare::{CompareOptions, compare};
use ligament::formats::fbx::FORMAT;
use ligament::formats::{ReadOptions, WriteOptions};
use ligament::io::MemoryOutput;
use ligament::report::{LossKind, Report};
use ligament::{ConvertOptions, Scene, convert, read};
use std::path::{Path, PathBuf};

/// Larger files would take most of the time and show nothing else.
const MOST_BYTES: u64 = 1 << 20;

/// Every model of the corpus that can be read.
pub fn models() -> Vec<PathBuf> {
    let mut files = support::files_below(&support::corpus(""));
    files.extend(support::extras());
    files.retain(|path| {
        let is_small = path.metadata().is_ok_and(|about| about.len() <= MOST_BYTES);
        let is_sound = support::seeds::refused_with(path).is_none();
        is_small && is_sound && ligament::formats::by_extension(path).is_some()
    });
    files.retain(|path| read(path, &Default::default()).is_ok());
    files
}

/// Converts a model; returns the written file's bytes, how far it is off, and how far that was announced.
pub fn written(path: &Path, dialect: &str) -> (Vec<u8>, f64, f64) {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("model.fbx");
    let options = ConvertOptions { dialect: Some(dialect.to_owned()), ..ConvertOptions::default() };
    let (done, report) =
        convert(path, &target, &options).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let worst = done.comparison.expect("a proof").worst.map_or(0.0, |worst| worst.relative);
    let announced = report.losses().iter().filter_map(|loss| match loss.kind {
        LossKind::Approximated { size: Some(size), unit: "of the model's size" } => Some(size),
        _ => None,
    });
    (std::fs::read(&target).expect("a file"), worst, announced.sum())
}

pub fn export(scene: &Scene, dialect: &str) -> (Vec<u8>, Report) {
    let (mut output, mut report) = (MemoryOutput::new("out"), Report::default());
    let file = FORMAT.export(scene.clone(), Some(dialect), &WriteOptions::default(), &mut report);
    file.expect("an export").write(&mut output, &mut report).expect("a file");
    (output.main, report)
}

#[test]
fn models_come_back_as_they_were() {
    let models = models();
    for path in &models {
        let (bytes, worst, announced) = written(path, "binary");
        println!(
            "{:50} {:8} bytes, off by {worst:.1e}, announced {announced:.1e}",
            path.file_name().unwrap().display(),
            bytes.len()
        );
        // Reading this file is as far off, which is known; see `tests/file_to_file.rs`.
        let known = if path.ends_with("maya_extrapolate_cube_7700_ascii.fbx") { 4e-5 } else { 2e-5 };
        assert!(worst <= announced + known, "{}: {worst:e}", path.display());
        let (again, report) = super::scene(&bytes, &ReadOptions::default());
        assert!(report.diagnostics().is_empty(), "{}: {:?}", path.display(), report.diagnostics());
        support::check_promise(&again.expect("a scene"));
    }
    assert!(models.len() > 50, "{}", models.len());
}

#[test]
fn text_and_binary_say_the_same_every_time() {
    for name in ["real/gltf/CesiumMan.glb", "own/bogle/skin3.bgl", "real/gltf/InterpolationTest.glb"] {
        let Some(path) = support::find(name) else { continue };
        let [binary, text] = ["binary", "ascii"].map(|dialect| written(&path, dialect).0);
        assert_eq!(written(&path, "binary").0, binary, "{name}");
        assert_eq!(written(&path, "ascii").0, text, "{name}");
        let [one, other] = [&binary, &text].map(|bytes| {
            let (scene, report) = scene(bytes, &ReadOptions::default());
            assert!(report.diagnostics().is_empty(), "{name}: {:?}", report.diagnostics());
            scene.expect("a scene")
        });
        assert!(std::str::from_utf8(&text).is_ok_and(|text| text.starts_with("; FBX 7.4.0 project file\n")));
        let found = compare(&one, &other, &CompareOptions::default());
        assert!(found.is_within(1e-6) && found.differences.is_empty(), "{name}: {found:?}");
        let names = |scene: &Scene| {
            scene.nodes.iter().map(|node| (node.name.clone(), node.parent)).collect::<Vec<_>>()
        };
        assert_eq!(names(&one), names(&other), "{name}");
    }
}
