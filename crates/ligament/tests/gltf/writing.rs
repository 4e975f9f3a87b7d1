//! What is written comes back equal, and the Khronos validator has nothing against it.

use super::support::{all_files, assert_valid, place, read, try_read, write};

#[test]
fn every_corpus_scene_comes_back_equal_in_both_dialects() {
    let Some(files) = all_files() else { return };
    for file in &files {
        let (scene, _) = read(file);
        for dialect in ["glb", "gltf"] {
            let (output, _) = write(scene.clone(), dialect);
            let (again, report) = try_read(output.source("out"));
            let again = again.unwrap_or_else(|f| panic!("{f:?} {:?}", report.diagnostics()));
            assert!(report.diagnostics().is_empty(), "{:?}", report.diagnostics());
            assert_eq!(again, scene, "{} as {dialect}", file.display());
        }
    }
}

#[test]
fn the_khronos_validator_finds_nothing_in_what_is_written() {
    let Some(files) = all_files() else { return };
    let mut written = Vec::new();
    let folders: Vec<_> = files.iter().map(|_| tempfile::tempdir().expect("a folder")).collect();
    for (file, folder) in files.iter().zip(&folders) {
        let (scene, _) = read(file);
        written.push(place(&write(scene.clone(), "glb").0, folder.path(), "out.glb"));
        written.push(place(&write(scene, "gltf").0, folder.path(), "out.gltf"));
    }
    assert_eq!(written.len(), 14);
    assert_valid(&written);
}
