//! Documents written without going through a scene.

use super::support::{all_files, document, place, read, try_read};
use ligament::formats::WriteOptions;
use ligament::io::{MemoryOutput, Source};
use ligament::report::Report;
use std::path::Path;

fn rewrite(file: &Path, dialect: &str) -> MemoryOutput {
    let mut report = Report::default();
    let source = Source::open(file, &Default::default(), &mut report).expect("readable");
    let mut output = MemoryOutput::new("out");
    let options = WriteOptions { dialect: Some(dialect.to_owned()), ..Default::default() };
    document(source).write(&options, &mut output, &mut report).expect("written");
    assert!(report.losses().is_empty() && report.diagnostics().is_empty());
    output
}

#[test]
fn the_same_dialect_gives_the_same_bytes() {
    let Some(files) = all_files() else { return };
    for file in &files {
        let dialect = if file.extension().is_some_and(|e| e == "glb") { "glb" } else { "gltf" };
        let output = rewrite(file, dialect);
        assert!(output.main == std::fs::read(file).expect("readable"), "{}", file.display());
        assert!(output.side_files.is_empty());
    }
}

#[test]
fn the_other_dialect_gives_the_same_scene_and_passes_the_validator() {
    let Some(files) = all_files() else { return };
    let mut written = Vec::new();
    let folder = tempfile::tempdir().expect("a folder");
    for file in &files {
        let (scene, _) = read(file);
        let is_glb = file.extension().is_some_and(|e| e == "glb");
        let name = file.file_stem().expect("a name").to_string_lossy();
        let (dialect, place_name) =
            if is_glb { ("gltf", format!("{name}.gltf")) } else { ("glb", format!("{name}.glb")) };
        let mut output = rewrite(file, dialect);
        let (again, report) = try_read(output.source("out"));
        assert_eq!(again.expect("a scene"), scene, "{}: {:?}", file.display(), report.diagnostics());
        if is_glb {
            assert_eq!(output.side_files.len(), 1);
            // One .bin a folder: the validator looks it up by its name.
            let bin = output.side_files.remove("out.bin").expect("named after the stem");
            let text = String::from_utf8(output.main.clone())
                .expect("JSON")
                .replace("out.bin", &format!("{name}.bin"));
            output.main = text.into_bytes();
            output.side_files.insert(format!("{name}.bin"), bin);
        }
        written.push(place(&output, folder.path(), &place_name));
    }
    assert_eq!(written.len(), 7);
    let found = super::support::khronos(&written);
    for (file, (errors, warnings, messages)) in written.iter().zip(found.unwrap_or_default()) {
        // What the source says stays, also that its skinned mesh is below a node.
        let own = u64::from(messages.contains("NODE_SKINNED_MESH_NON_ROOT"));
        assert_eq!((errors, warnings), (0, own), "{}: {messages}", file.display());
    }
}
