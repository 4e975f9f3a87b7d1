//! Properties that hold for arbitrary bytes. A target is a format's id and these few functions.

use ligament::formats::{Document, FORMATS, Format, ReadOptions, WriteOptions, by_id};
use ligament::io::{MemoryOutput, Source};
use ligament::passes::{PrepareOptions, prepare};
use ligament::pose::{Pose, bounds, deform};
use ligament::report::{Report, Severity};
use ligament::{Limits, Scene};

/// Reads `data` as the format. A file that can be read must also rewrite, import to a valid scene, pose, and convert to
/// every writable format and back.
pub fn check(id: &str, data: &[u8]) {
    let format = by_id(id).expect("a target is named after its format");
    format.sniff(data);
    let Some(document) = read(format, Source::from_bytes("input", data)) else { return };
    document.check(&options(), &mut Report::new("input", 20));
    let rewritten = rewrite(&*document);
    if let Some(rewritten) = &rewritten {
        assert!(read(format, rewritten.source("rewritten")).is_some(), "a rewritten document cannot be read");
    }
    let Some(scene) = import(document) else { return };
    assert!(rewritten.is_some(), "imports, but cannot be rewritten");
    pose(&scene);
    for target in FORMATS.iter().filter(|f| f.writes(None)) {
        round_trip(scene.clone(), target);
    }
}

fn options() -> ReadOptions {
    let limits = Limits { max_file_bytes: 1 << 20, max_diagnostics: 20, max_depth: 64 };
    ReadOptions { limits, ..ReadOptions::default() }
}

fn read<'a>(format: &Format, source: Source<'a>) -> Option<Box<dyn Document + 'a>> {
    let mut report = Report::new("input", 20);
    match format.read(source, &options(), &mut report) {
        Ok(document) => Some(document),
        Err(failure) => {
            assert!(report.has_errors(), "{failure:?} without an error that says why");
            None
        }
    }
}

/// Writes the document again. Formats that read parts of a file lazily may find a fault only here.
fn rewrite(document: &dyn Document) -> Option<MemoryOutput> {
    let mut output = MemoryOutput::new("output");
    let (options, mut report) = (WriteOptions::default(), Report::default());
    let written = document.write(document.dialect(), &options, &mut output, &mut report);
    assert!(written.is_ok() || report.has_errors(), "cannot be written, without an error that says why");
    written.ok().map(|()| output)
}

/// Imports the scene, which must keep the model's guarantees.
fn import(document: Box<dyn Document + '_>) -> Option<Scene> {
    let mut report = Report::new("input", 20);
    let scene = match document.import(&options(), &mut report) {
        Ok(scene) => scene,
        Err(failure) => {
            assert!(report.has_errors(), "{failure:?} without an error that says why");
            return None;
        }
    };
    let mut report = Report::new("scene", 20);
    ligament::validate::validate(&scene, &mut report);
    let broken = report.diagnostics().iter().find(|d| d.severity == Severity::Error);
    assert!(broken.is_none(), "the scene breaks a rule: {broken:?}");
    ligament::validate::advise(&scene, &mut report);
    Some(scene)
}

/// Poses at rest and in the middle of the first clip.
fn pose(scene: &Scene) {
    let rest = Pose::rest(scene);
    let moving = scene.clips.first().map(|clip| Pose::at(scene, clip, clip.duration / 2.0));
    for pose in std::iter::once(&rest).chain(&moving) {
        bounds(scene, pose);
        for node in scene.node_ids() {
            deform(scene, pose, node);
        }
    }
}

/// Converts to a format and back to a valid scene.
fn round_trip(mut scene: Scene, target: &Format) {
    let mut report = Report::default();
    let capabilities = target.capabilities(None);
    let prepared = prepare(&mut scene, &capabilities, &PrepareOptions::default(), &mut report);
    let file = prepared.and_then(|()| target.export(scene, None, &WriteOptions::default(), &mut report));
    // This may fail, for example because a clip lasts a year, but there must be an error that says why.
    let Ok(file) = file else {
        assert!(report.has_errors(), "cannot be converted to {}, without an error that says why", target.id);
        return;
    };
    // Lists that are generated while writing can be refused only then.
    let mut output = MemoryOutput::new("output");
    if file.write(&mut output, &mut report).is_err() {
        assert!(report.has_errors(), "cannot be written, without an error that says why");
        return;
    }
    let again = read(target, output.source("output")).and_then(import);
    assert!(again.is_some(), "the file written as {} cannot be read", target.id);
}
