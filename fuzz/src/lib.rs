//! Properties that hold for arbitrary bytes. A target is a format's id, or a kind of stream, and these few functions.

use ligament::formats::{Document, FORMATS, Format, ReadOptions, WriteOptions, by_id};
use ligament::io::{MemoryOutput, Source};
use ligament::passes::{PrepareOptions, prepare};
use ligament::pose::{Pose, bounds, deform};
use ligament::report::{Report, Severity};
use ligament::{Limits, Scene};

#[path = "../../crates/ligament/tests/support/scenes.rs"]
mod made;
#[path = "../../crates/ligament/tests/support/through.rs"]
mod through;

/// Makes a scene of `data` and sends it through every writer, its reader and the proof.
pub fn scenes(data: &[u8]) {
    let scene = made::scene(data);
    for target in FORMATS.iter().filter(|f| f.writes(None)) {
        if let Err(fault) = through::through(&scene, target) {
            panic!("{}: {fault}", target.id);
        }
    }
}

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
    let limits = Limits { max_file_bytes: 1 << 20, max_diagnostics: 20, max_depth: 64, ..Limits::default() };
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

/// Reads `data` as a Draco stream, in the smallest file around it.
pub fn draco(data: &[u8]) {
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"extensionsRequired":["KHR_draco_mesh_compression"],
        "buffers":[{{"byteLength":{length}}}],"bufferViews":[{{"buffer":0,"byteLength":{length}}}],
        "accessors":[{{"componentType":5126,"type":"VEC3","count":25}},{{"componentType":5126,"type":"VEC2","count":25}},
        {{"componentType":5123,"type":"VEC4","count":25}},{{"componentType":5126,"type":"VEC4","count":25}},
        {{"componentType":5125,"type":"SCALAR","count":96}}],
        "meshes":[{{"primitives":[{{"indices":4,"attributes":{{"POSITION":0,"TEXCOORD_0":1,"JOINTS_0":2,"WEIGHTS_0":3}},
        "extensions":{{"KHR_draco_mesh_compression":{{"bufferView":0,
        "attributes":{{"POSITION":0,"TEXCOORD_0":1,"JOINTS_0":2,"WEIGHTS_0":3}}}}}}}}]}}],
        "skins":[{{"joints":[1,2]}}],"nodes":[{{"mesh":0,"skin":0}},{{}},{{}}],"scenes":[{{"nodes":[0,1,2]}}]}}"#,
        length = data.len(),
    );
    check("gltf", &glb(json, data));
}

/// Reads `data` as a stream of meshopt: three bytes that choose the filter, the stride and the count, then the stream.
pub fn meshopt(data: &[u8]) {
    let [filter, stride, count, stream @ ..] = data else { return };
    let mode = match stream.first().map_or(0, |first| first >> 4) {
        0xe => "TRIANGLES",
        0xd => "INDICES",
        _ => "ATTRIBUTES",
    };
    let filters = ["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"];
    let filter = filters[usize::from(*filter) % filters.len()];
    let (positions, indices) = if mode == "ATTRIBUTES" { (0, "") } else { (1, r#","indices":0"#) };
    let (kind, component) = match (mode, filter, *stride) {
        ("ATTRIBUTES", "EXPONENTIAL", _) => ("SCALAR", 5126),
        ("ATTRIBUTES", ..) => ("VEC3", 5120),
        (.., 2) => ("SCALAR", 5123),
        _ => ("SCALAR", 5125),
    };
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"extensionsRequired":["EXT_meshopt_compression"],
        "buffers":[{{"byteLength":{length}}},{{"byteLength":{decoded}}}],
        "bufferViews":[{{"buffer":1,"byteLength":{decoded},"byteStride":{stride},"extensions":{{"EXT_meshopt_compression":
        {{"buffer":0,"byteLength":{length},"byteStride":{stride},"count":{count},"mode":"{mode}","filter":"{filter}"}}}}}}],
        "accessors":[{{"bufferView":0,"componentType":{component},"type":"{kind}","count":{count}}},
        {{"componentType":5126,"type":"VEC3","count":300}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":{positions}}}{indices}}}]}}],"nodes":[{{"mesh":0}}]}}"#,
        length = stream.len(),
        decoded = usize::from(*stride) * usize::from(*count),
    );
    check("gltf", &glb(json, stream));
}

/// Decodes `data` as a KTX2 image. The result is an image of the size that the header says, or a reason. A panic of the
/// decoder, which the library turns into a reason, ends the fuzzer: it is to be known.
pub fn ktx2(data: &[u8]) {
    const MAGIC: &[u8] = b"\xabKTX 20\xbb\r\n\x1a\n";
    // Other inputs would test the decoders of other types.
    if !data.starts_with(MAGIC) {
        return;
    }
    match ligament::internal::decode_image(data, "image.ktx2") {
        Ok(image) => {
            let number = |at| u32::from_le_bytes(*data[at..].first_chunk().expect("a whole header"));
            assert_eq!((image.width(), image.height()), (number(20), number(24)));
        }
        Err(reason) => assert!(!reason.is_empty(), "no reason"),
    }
}

/// A GLB file.
fn glb(mut json: String, bin: &[u8]) -> Vec<u8> {
    json.push_str(&" ".repeat(json.len().next_multiple_of(4) - json.len()));
    let padded = bin.len().next_multiple_of(4);
    let mut file = b"glTF".to_vec();
    let number = |file: &mut Vec<u8>, value: usize| file.extend((value as u32).to_le_bytes());
    number(&mut file, 2);
    number(&mut file, 28 + json.len() + padded);
    number(&mut file, json.len());
    file.extend(b"JSON");
    file.extend(json.as_bytes());
    number(&mut file, padded);
    file.extend(b"BIN\0");
    file.extend(bin);
    file.resize(28 + json.len() + padded, 0);
    file
}
