//! Conversions of real models, whose true deviation is known from another program or because nothing moves.

use crate::support;
use ligament::compare::Comparison;
use ligament::{ConvertOptions, convert};
use std::path::Path;

fn converted(source: &Path, extension: &str) -> Comparison {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join(format!("model.{extension}"));
    let (done, _) = convert(source, target, &ConvertOptions::default())
        .unwrap_or_else(|e| panic!("{}: {e}", source.display()));
    done.comparison.expect("verified by default")
}

/// What a separate program finds that reads the GLB by itself, poses it in f64 and takes the largest distance between
/// the start of each of 24 frames per second and any key or end within it.
#[test]
fn clips_that_became_steps_are_measured_where_the_steps_end() {
    for (file, clip, expected) in
        [("BoxAnimated", 0, 0.050_169_9), ("Fox", 1, 0.108_142), ("Fox", 2, 0.117_059)]
    {
        let source = support::corpus(&format!("real/gltf/{file}.glb"));
        let found = converted(&source, "pfobj").by_clip[1 + clip].relative;
        assert!((found - expected).abs() < 1e-6, "{file}: {found}");
    }
}
