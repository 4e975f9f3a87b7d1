//! Documents written without going through a scene.

use super::support::{all_files, assert_valid, document, place, read, try_read};
use ligament::formats::WriteOptions;
use ligament::formats::gltf::FORMAT;
use ligament::io::{MemoryOutput, Output, Source, WriteContent};
use ligament::report::Report;
use ligament::scene::ImageData;
use std::path::Path;

fn rewrite(file: &Path, dialect: &str) -> MemoryOutput {
    let mut report = Report::default();
    let source = Source::open(file, &Default::default(), &mut report).expect("readable");
    let mut output = MemoryOutput::new("out");
    let written = document(source).write(dialect, &WriteOptions::default(), &mut output, &mut report);
    written.expect("written");
    assert!(report.losses().is_empty() && report.diagnostics().is_empty());
    output
}

#[test]
fn the_same_dialect_gives_the_same_bytes() {
    let files = all_files();
    for file in &files {
        let dialect = if file.extension().is_some_and(|e| e == "glb") { "glb" } else { "gltf" };
        let output = rewrite(file, dialect);
        assert!(output.main == std::fs::read(file).expect("readable"), "{}", file.display());
        assert!(output.side_files.is_empty());
    }
}

#[test]
fn the_other_dialect_gives_the_same_scene_and_passes_the_validator() {
    let files = all_files();
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
            // One .bin per folder: the validator looks it up by its name.
            let bin = output.side_files.remove("out.bin").expect("named after the stem");
            let text = String::from_utf8(output.main.clone())
                .expect("JSON")
                .replace("out.bin", &format!("{name}.bin"));
            output.main = text.into_bytes();
            output.side_files.insert(format!("{name}.bin"), bin);
        }
        written.push(place(&output, folder.path(), &place_name));
    }
    assert_eq!(written.len(), files.len());
    let found = super::support::khronos(&written);
    for (file, (errors, warnings, messages)) in written.iter().zip(found.unwrap_or_default()) {
        // Warnings about the source remain, for example that its skinned mesh is below a node.
        let own = u64::from(messages.contains("NODE_SKINNED_MESH_NON_ROOT"));
        assert_eq!((errors, warnings), (0, own), "{}: {messages}", file.display());
    }
}

/// An output that is a stream, so no file can be beside it.
struct Stream(MemoryOutput);

impl Output for Stream {
    fn main(&mut self) -> &mut dyn std::io::Write {
        self.0.main()
    }

    fn stem(&self) -> &str {
        "stream"
    }

    fn takes_side_files(&self) -> bool {
        false
    }

    fn side_file(&mut self, _: &str, _: &mut WriteContent<'_>) -> std::io::Result<()> {
        panic!("a stream has no side files")
    }
}

#[test]
fn a_stream_gets_its_buffers_as_data_uris() {
    let files = all_files();
    let folder = tempfile::tempdir().expect("a folder");
    let mut written = Vec::new();
    let stream = || Stream(MemoryOutput::new("stream"));
    for file in &files {
        let (scene, _) = read(file);
        let mut report = Report::default();
        let options = WriteOptions::default();
        let (mut first, mut second) = (stream(), stream());
        let exported = FORMAT.export(scene.clone(), Some("gltf"), &options, &mut report).expect("an export");
        exported.write(&mut first, &mut report).expect("written");
        let source = Source::open(file, &Default::default(), &mut report).expect("readable");
        document(source).write("gltf", &options, &mut second, &mut report).expect("written");
        for (kind, output) in [("exported", first), ("rewritten", second)] {
            let (again, report) = try_read(Source::from_bytes("stream.gltf", output.0.main.clone()));
            assert_eq!(again.expect("a scene"), scene, "{kind}: {:?}", report.diagnostics());
            if kind == "exported" {
                let name = format!("{}.gltf", written.len());
                written.push(place(&output.0, folder.path(), &name));
            }
        }
    }
    assert_eq!(written.len(), files.len());
    assert_valid(&written);
}

#[test]
fn image_files_go_along_or_in() {
    let folder = tempfile::tempdir().expect("a folder");
    let png = include_bytes!("white.png");
    std::fs::create_dir(folder.path().join("maps")).expect("a folder");
    std::fs::write(folder.path().join("maps/a b.png"), png).expect("writable");
    let text = r#"{"asset": {"version": "2.0"}, "images": [{"uri": "maps/a%20b.png", "name": "skin", "extras": 7}],
        "textures": [{"source": 0}]}"#;
    std::fs::write(folder.path().join("model.gltf"), text).expect("writable");
    let input = folder.path().join("model.gltf");

    // Into the binary chunk, with all properties of the image but its URI.
    let output = rewrite(&input, "glb");
    assert!(output.side_files.is_empty());
    let (scene, report) = try_read(output.source("out.glb"));
    let image = &scene.unwrap_or_else(|f| panic!("{f:?} {:?}", report.diagnostics())).images[0];
    let expected = ImageData::Embedded { mime: "image/png".to_owned(), bytes: png[..].into() };
    assert_eq!((&image.data, image.name.as_str()), (&expected, "skin"));
    assert!(String::from_utf8_lossy(&output.main).contains("\"extras\":7"));
    assert_valid(&[place(&output, folder.path(), "out.glb")]);

    // Beside the file, at the same path, when the whole pipeline rewrites it in another folder.
    let there = folder.path().join("there");
    std::fs::create_dir(&there).expect("a folder");
    let (done, _) =
        ligament::convert(&input, there.join("out.gltf"), &Default::default()).expect("converted");
    assert!(done.rewritten);
    assert_eq!(std::fs::read(there.join("maps/a b.png")).expect("copied"), png);
    assert_eq!(std::fs::read_to_string(there.join("out.gltf")).expect("written"), text);
    assert_valid(&[there.join("out.gltf")]);

    // And when a binary file that refers to an image beside it becomes text.
    let json = format!("{text:<width$}", width = text.len().next_multiple_of(4));
    let lengths = [0x46546C67, 2, 20 + json.len() as u32, json.len() as u32, 0x4E4F534A];
    let glb: Vec<u8> = lengths.iter().flat_map(|v: &u32| v.to_le_bytes()).chain(json.bytes()).collect();
    std::fs::write(folder.path().join("model.glb"), glb).expect("writable");
    let elsewhere = folder.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).expect("a folder");
    let input = folder.path().join("model.glb");
    let (done, _) =
        ligament::convert(&input, elsewhere.join("out.gltf"), &Default::default()).expect("converted");
    assert!(done.rewritten);
    assert_eq!(std::fs::read(elsewhere.join("maps/a b.png")).expect("copied"), png);
    assert_valid(&[elsewhere.join("out.gltf")]);
}
