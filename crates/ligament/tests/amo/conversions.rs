//! Conversions to and from other formats: every deviation is reported.

use crate::*;
use ligament::formats::WriteOptions;
use ligament::report::LossKind;
use ligament::{Conversion, ConvertOptions};
use std::path::Path;

fn convert(input: &Path, output: &Path, dialect: Option<&str>) -> (Conversion, Report) {
    let options = ConvertOptions { dialect: dialect.map(str::to_owned), ..ConvertOptions::default() };
    ligament::convert(input, output, &options).unwrap_or_else(|e| panic!("{}: {e}", input.display()))
}

/// The deviation that the losses report, as a fraction of the model's size.
fn announced(report: &Report) -> f64 {
    let sizes = report.losses().iter().filter_map(|loss| match loss.kind {
        LossKind::Approximated { size, unit: "of the model's size" } => size,
        _ => None,
    });
    sizes.sum()
}

fn worst(done: &Conversion) -> f64 {
    done.comparison.as_ref().and_then(|c| c.worst.as_ref()).map_or(0.0, |w| w.relative)
}

#[test]
fn models_go_to_every_dialect_as_announced() {
    let root = support::workspace();
    let mut inputs = vec![root.join("examples/creature.glb"), root.join("examples/creature.pfobj")];
    inputs.push(own().join("bend.gltf"));
    let folder = tempfile::tempdir().expect("a folder");
    for input in &inputs {
        for dialect in ["document", "one-based", "counted"] {
            let output = folder.path().join(format!("{dialect}.amo"));
            let (done, report) = convert(input, &output, Some(dialect));
            let (worst, announced) = (worst(&done), announced(&report));
            println!("{} as {dialect}: {worst:e}, announced {announced:e}", input.display());
            assert_eq!(done.dialect, dialect);
            assert!(worst <= announced.max(1e-5), "{} as {dialect}: {worst}", input.display());
            let first = std::fs::read_to_string(&output).expect("written");
            assert!(first.starts_with(&format!("# amo dialect: {dialect}\n")));
            // And back, with no further loss.
            let (back, _) = convert(&output, &folder.path().join("back.glb"), None);
            assert!(self::worst(&back) <= 1e-5, "{} from {dialect}: {:?}", input.display(), back.comparison);
        }
    }
}

#[test]
fn the_counted_dialect_is_exact_for_turning_joints() {
    let own = own();
    let folder = tempfile::tempdir().expect("a folder");
    let (done, report) = convert(&own.join("bend.gltf"), &folder.path().join("bend.amo"), Some("counted"));
    assert!(worst(&done) < 1e-6, "{:?}", done.comparison);
    let approximated = |l: &&ligament::report::Loss| matches!(l.kind, LossKind::Approximated { .. });
    assert_eq!(report.losses().iter().filter(approximated).count(), 0);
}

#[test]
fn every_file_becomes_a_glb_that_poses_the_same() {
    let own = own();
    let folder = tempfile::tempdir().expect("a folder");
    let mut count = 0;
    for path in support::files_below(&own).iter().filter(|p| p.extension().is_some_and(|e| e == "amo")) {
        let (done, _) = convert(path, &folder.path().join("out.glb"), None);
        assert!(worst(&done) <= 1e-6, "{}: {:?}", path.display(), done.comparison);
        count += 1;
    }
    assert_eq!(count, 6);
}

#[test]
fn textures_make_objects() {
    let text = "ao a\nt one.png\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nao b\nt two.png\nf 3 2 1\nao c\nt one.png\nf 1 3 2\n";
    let scene = import(valid(text.as_bytes()));
    assert_eq!((scene.materials.len(), scene.images.len(), scene.meshes[0].parts.len()), (2, 2, 3));
    let format = formats::by_id("amo").expect("known");
    let mut report = Report::default();
    let document = format.export(scene, None, &WriteOptions::default(), &mut report).expect("exports");
    let mut output = ligament::io::MemoryOutput::new("x");
    document.write(&mut output, &mut report).expect("writes");
    let written = String::from_utf8(output.main).expect("text");
    let objects: Vec<_> = written.lines().filter(|l| l.starts_with("ao ") || l.starts_with("t ")).collect();
    assert_eq!(objects, ["ao a", "t one.png", "ao b", "t two.png", "ao c", "t one.png"]);
    assert!(!report.losses().iter().any(|l| l.code.id == "AM504"), "{:?}", report.losses());
}

#[test]
fn a_clip_keeps_its_length_even_if_nothing_moves() {
    let still = SMALL.replace("ap 1 1 0 2 0", "ap 2.5 1 0 0 0");
    for dialect in ["document", "counted"] {
        let scene = import(valid(still.as_bytes()));
        assert_eq!(scene.clips[0].duration, 2.5);
        let format = formats::by_id("amo").expect("known");
        let (options, mut report) = (WriteOptions::default(), Report::default());
        let file = format.export(scene, Some(dialect), &options, &mut report).expect("exports");
        let mut output = ligament::io::MemoryOutput::new("still");
        file.write(&mut output, &mut report).expect("writes");
        let again = import(valid(&output.main));
        assert_eq!(again.clips[0].duration, 2.5, "{dialect}");
    }
}
