//! What `validate` finds beyond reading: one faulty file per error of the Khronos validator, and that validator's own
//! verdict on them and on hundreds of files made by changing a valid one.

mod cases;
mod model;

use crate::shared;
use crate::support::{khronos, khronos_where_it_works};
use ligament::Report;
use ligament::convert::validate_from;
use ligament::io::Source;
use ligament::progress::Progress;
use ligament::report::Severity;
use model::{Model, sane};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn validate(path: &Path) -> Report {
    let options = crate::support::options();
    let mut report = Report::default();
    let source = Source::open(path, &options.limits, &mut report).expect("readable");
    // A failure is in the report, too.
    let _ = validate_from(source, Some(path), &options, &Progress::default(), &mut report);
    report
}

fn errors(report: &Report) -> Vec<String> {
    let errors = report.diagnostics().iter().filter(|d| d.severity == Severity::Error);
    errors.map(ToString::to_string).collect()
}

/// The errors that the Khronos validator can find in a file, from the list in its package.
const KHRONOS_ERRORS: usize = 123;

#[test]
fn every_error_of_the_khronos_validator_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut files, mut missed) = (Vec::new(), Vec::new());
    for (name, bytes) in cases::all() {
        let is_glb = bytes.starts_with(b"glTF") || name.starts_with("GLB");
        let path = folder.path().join(format!("{name}.{}", if is_glb { "glb" } else { "gltf" }));
        std::fs::write(&path, bytes).expect("writable");
        let report = validate(&path);
        if errors(&report).is_empty() {
            missed.push(format!("{name}: {:?}", report.diagnostics()));
        }
        let is_placed = |d: &ligament::report::Diagnostic| d.place.span.is_some() || d.place.field.is_some();
        assert!(
            report.diagnostics().iter().filter(|d| d.severity == Severity::Error).all(is_placed),
            "{name}"
        );
        files.push((name, path));
    }
    assert!(missed.is_empty(), "{missed:#?}");
    let codes: BTreeSet<_> = files.iter().map(|(name, _)| name.split('.').next().expect("a code")).collect();
    assert_eq!(codes.len(), KHRONOS_ERRORS);

    let paths: Vec<PathBuf> = files.iter().map(|(_, path)| path.clone()).collect();
    let Some(found) = khronos(&paths) else { return };
    for ((name, _), (errors, _, messages)) in files.iter().zip(found) {
        let code = name.split('.').next().expect("a code");
        if errors == 0 || !messages.contains(&format!("{code:?}")) {
            missed.push(format!("{name}: {messages}"));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn a_valid_file_breaks_no_rule() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = [folder.path().join("sane.gltf"), folder.path().join("sane.glb")];
    std::fs::write(&files[0], sane().text()).expect("writable");
    std::fs::write(&files[1], sane().glb()).expect("writable");
    for file in &files {
        assert_eq!(errors(&validate(file)), Vec::<String>::new());
    }
    for (errors, _, messages) in khronos(&files).unwrap_or_default() {
        assert_eq!(errors, 0, "{messages}");
    }
}

/// Compressed files have accessors without a view, and views into a buffer without data. Both are sound where an
/// extension gives the data, and the Khronos validator agrees.
#[test]
fn compressed_files_break_no_rule() {
    let fixtures = shared::workspace().join("crates/ligament/tests/fixtures/gltf");
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["RiggedSimple-meshopt.bin", "RiggedSimple-meshopt.fallback.bin"] {
        std::fs::copy(fixtures.join(name), folder.path().join(name)).expect("copied");
    }
    let text = std::fs::read(fixtures.join("RiggedSimple-meshopt.gltf")).expect("readable");
    let mut without: Value = serde_json::from_slice(&text).expect("JSON");
    without["extensionsRequired"] = json!(["EXT_meshopt_compression", "KHR_mesh_quantization"]);
    let is_fallback = |buffer: &Value| buffer["extensions"]["EXT_meshopt_compression"]["fallback"] == true;
    let buffers = without["buffers"].as_array_mut().expect("a list");
    let fallback = buffers.iter_mut().find(|b| is_fallback(b)).expect("a fallback");
    fallback.as_object_mut().expect("an object").remove("uri").expect("a uri");
    let path = folder.path().join("without.gltf");
    std::fs::write(&path, without.to_string()).expect("writable");

    let files = [
        path.clone(),
        fixtures.join("RiggedSimple-meshopt.gltf"),
        fixtures.join("RiggedSimple-meshopt-khr.glb"),
        shared::corpus("real/gltf_compressed/RiggedSimple-draco/RiggedSimple.gltf"),
    ];
    for file in &files {
        let report = validate(file);
        // All of them have a skinned mesh below another node.
        let codes: Vec<_> = report.diagnostics().iter().map(|d| (d.code.id, d.severity)).collect();
        assert_eq!(codes, [("GL425", Severity::Warning)], "{}: {:?}", file.display(), report.diagnostics());
    }
    for (errors, _, messages) in khronos(&files).unwrap_or_default() {
        assert_eq!(errors, 0, "{messages}");
    }

    // A view that reads the buffer itself finds nothing there.
    without["bufferViews"][0].as_object_mut().expect("an object").remove("extensions").expect("compressed");
    std::fs::write(&path, without.to_string()).expect("writable");
    let found = errors(&validate(&path));
    assert!(found.len() == 1 && found[0].contains("GL101"), "{found:?}");
}

#[test]
fn a_buffer_on_the_network_is_a_fault_only_if_something_reads_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("remote.gltf");
    let uri = "https://example.com/a.bin";
    let mut model = json!({ "asset": { "version": "2.0" }, "buffers": [{ "byteLength": 4, "uri": uri }] });
    std::fs::write(&file, model.to_string()).expect("writable");
    let report = validate(&file);
    assert_eq!(errors(&report), Vec::<String>::new());
    assert!(report.diagnostics().iter().any(|d| d.code.id == "GL410" && d.severity == Severity::Warning));
    model["bufferViews"] = json!([{ "buffer": 0, "byteLength": 4 }]);
    std::fs::write(&file, model.to_string()).expect("writable");
    assert!(errors(&validate(&file))[0].contains("GL101"));
}

/// Every place of a JSON value.
fn places(value: &Value, at: &mut Vec<String>, out: &mut Vec<Vec<String>>) {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(map) => map.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(list) => list.iter().enumerate().map(|(i, value)| (i.to_string(), value)).collect(),
        _ => Vec::new(),
    };
    for (name, child) in children {
        at.push(name);
        out.push(at.clone());
        places(child, at, out);
        at.pop();
    }
}

/// The same file with one value changed or left out.
fn changed(model: &Model, place: &[String], value: Option<&Value>) -> Vec<u8> {
    let mut file = model.whole();
    let (last, parents) = place.split_last().expect("a place");
    let parent = file.pointer_mut(&parents.iter().map(|step| format!("/{step}")).collect::<String>());
    match (parent.expect("there"), value) {
        (Value::Object(map), Some(value)) => drop(map.insert(last.clone(), value.clone())),
        (Value::Object(map), None) => drop(map.remove(last)),
        (Value::Array(list), Some(value)) => list[last.parse::<usize>().expect("an index")] = value.clone(),
        (Value::Array(list), None) => drop(list.remove(last.parse().expect("an index"))),
        _ => unreachable!("parents have children"),
    }
    file.to_string().into_bytes()
}

/// Changes that only warn in the Khronos validator, but make a file unreadable for ligament.
fn is_unreadable(place: &str) -> bool {
    let ends = ["Filter", "wrapS", "wrapT", "target", "omponentType", "interpolation", "path"];
    ends.iter().any(|end| place.ends_with(end)) || (place.starts_with("cameras") && place.ends_with("type"))
}

#[test]
fn verdicts_agree_with_the_khronos_validator() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = sane();
    let mut all = Vec::new();
    places(&model.whole(), &mut Vec::new(), &mut all);
    let values =
        [None, Some(json!(null)), Some(json!(-1)), Some(json!(999)), Some(json!([])), Some(json!("x"))];
    let mut files = Vec::new();
    for (i, place) in all.iter().enumerate() {
        let name = place.join(".");
        if name == "buffers.0.uri" {
            continue;
        }
        // Two of the changes for each place, in turn, are enough for every kind of place to meet every change.
        for (j, value) in values.iter().enumerate().filter(|(j, _)| (i + j) % 3 == 0) {
            let path = folder.path().join(format!("{i}-{j}.gltf"));
            std::fs::write(&path, changed(&model, place, value.as_ref())).expect("writable");
            files.push((format!("{name} = {value:?}"), name.clone(), path));
        }
    }
    let paths: Vec<PathBuf> = files.iter().map(|(.., path)| path.clone()).collect();
    assert!(paths.len() > 900, "{}", paths.len());
    let Some(found) = khronos_where_it_works(&paths) else { return };
    let (mut faulty, mut wrong) = (0, Vec::new());
    for ((what, place, path), found) in files.iter().zip(found) {
        // The validator itself fails on a few files.
        let Ok((khronos_errors, _, messages)) = found else { continue };
        faulty += usize::from(khronos_errors > 0);
        let ours = errors(&validate(path));
        if khronos_errors > 0 && ours.is_empty() {
            wrong.push(format!("{what} is accepted: {messages}"));
        } else if khronos_errors == 0 && !ours.is_empty() && !is_unreadable(place) {
            wrong.push(format!("{what} is refused: {ours:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), paths.len());
    assert!(faulty > 600, "{faulty} of {} are faulty", paths.len());
}
