//! Compressed streams as hostile input: every prefix of a Draco stream of every kind, and thousands of changed bytes. A
//! foreign decoder reads them, so nothing is taken for granted: no panic, and memory within limits.
//! `fixtures/gltf/draco_streams.mjs` made the streams. The tests of meshopt's own decoder are in its folder.

mod support;

use base64::Engine;
use ligament::Scene;
use ligament::formats::ReadOptions;
use ligament::formats::gltf::FORMAT;
use ligament::io::Source;
use ligament::report::Report;
use ligament::scene::Faces;
use serde_json::json;
use std::panic::{AssertUnwindSafe, catch_unwind};
use support::memory::{Counting, peak_during};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A stream of the fixture, and what Google's decoder says about it.
struct Stream {
    kind: &'static str,
    vertices: usize,
    triangles: usize,
    ids: Vec<u32>,
    positions: &'static str,
    bytes: Vec<u8>,
}

fn streams() -> Vec<Stream> {
    let parse = |line: &'static str| {
        let words: Vec<_> = line.split(' ').collect();
        let [kind, vertices, triangles, ids, positions, bytes] = words[..] else { panic!("{line}") };
        Stream {
            kind,
            vertices: vertices.parse().unwrap(),
            triangles: triangles.parse().unwrap(),
            ids: ids.split(',').map(|id| id.parse().unwrap()).collect(),
            positions,
            bytes: base64::engine::general_purpose::STANDARD.decode(bytes).unwrap(),
        }
    };
    include_str!("fixtures/gltf/draco_streams.txt").lines().map(parse).collect()
}

impl Stream {
    /// A file whose only primitive is the stream.
    fn file(&self, bytes: &[u8]) -> String {
        let count = self.vertices;
        let accessor = |component: u32, kind: &str, count: usize| json!({ "componentType": component, "type": kind, "count": count });
        let mut primitive = json!({
            "attributes": { "POSITION": 0, "TEXCOORD_0": 1, "JOINTS_0": 2, "WEIGHTS_0": 3 },
            "mode": if self.triangles == 0 { 0 } else { 4 },
            "extensions": { "KHR_draco_mesh_compression": { "bufferView": 0, "attributes": {
                "POSITION": self.ids[0], "TEXCOORD_0": self.ids[1], "JOINTS_0": self.ids[2], "WEIGHTS_0": self.ids[3],
            } } },
        });
        if self.triangles > 0 {
            primitive["indices"] = json!(4);
        }
        let data = base64::engine::general_purpose::STANDARD.encode(bytes);
        json!({
            "asset": { "version": "2.0" },
            "extensionsUsed": ["KHR_draco_mesh_compression"],
            "extensionsRequired": ["KHR_draco_mesh_compression"],
            "buffers": [{ "byteLength": bytes.len(), "uri": format!("data:application/octet-stream;base64,{data}") }],
            "bufferViews": [{ "buffer": 0, "byteLength": bytes.len() }],
            "accessors": [
                accessor(5126, "VEC3", count), accessor(5126, "VEC2", count), accessor(5123, "VEC4", count),
                accessor(5126, "VEC4", count), accessor(5125, "SCALAR", (self.triangles * 3).max(1)),
            ],
            "meshes": [{ "primitives": [primitive] }],
            "skins": [{ "joints": [1, 2] }],
            "nodes": [{ "mesh": 0, "skin": 0 }, {}, {}],
            "scenes": [{ "nodes": [0, 1, 2] }],
        })
        .to_string()
    }
}

fn read(text: &str) -> (Option<Scene>, Report) {
    let (options, mut report) = (ReadOptions::default(), Report::default());
    let source = Source::from_bytes("stream.gltf", text.as_bytes());
    let scene = FORMAT.read(source, &options, &mut report).and_then(|d| d.import(&options, &mut report));
    (scene.ok(), report)
}

fn fnv(bytes: impl IntoIterator<Item = u8>) -> String {
    let hash = bytes
        .into_iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, b| (hash ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    format!("{hash:016x}")
}

#[test]
fn every_kind_of_stream_is_read_with_all_its_attributes() {
    let streams = streams();
    for stream in &streams {
        let (scene, report) = read(&stream.file(&stream.bytes));
        assert!(report.diagnostics().is_empty(), "{}: {:?}", stream.kind, report.diagnostics());
        let scene = scene.expect("readable");
        let part = &scene.meshes[0].parts[0];
        let bytes = part.positions.iter().flat_map(|p| p.to_array()).flat_map(f32::to_le_bytes);
        assert_eq!(
            (part.positions.len(), fnv(bytes).as_str()),
            (stream.vertices, stream.positions),
            "{}",
            stream.kind
        );
        match &part.faces {
            Faces::Triangles(corners) => assert_eq!(corners.len(), stream.triangles * 3),
            Faces::Points(points) => assert_eq!((points.len(), stream.triangles), (stream.vertices, 0)),
            other => panic!("{other:?}"),
        }
        // The sheet's U is the weight of its first joint.
        for (vertex, influences) in part.influences.iter().enumerate() {
            let first: f32 = influences.iter().filter(|i| i.joint == 0).map(|i| i.weight).sum();
            let u = part.uvs[0][vertex].x;
            assert!((first - u).abs() < 2e-3, "{}: {first} {u}", stream.kind);
            assert!((part.positions[vertex].x / 4.0 - u).abs() < 2e-3, "{}", stream.kind);
        }
    }
    assert_eq!(streams.len(), 6);
}

/// What reading a file of a few hundred bytes may take. The decoder's tables are larger than the stream.
const MOST_BYTES: usize = 80 << 20;

/// Reads a stream in its file; returns whether it is still readable.
fn survives(stream: &Stream, bytes: &[u8], what: &str) -> bool {
    let text = stream.file(bytes);
    let (outcome, peak) = peak_during(|| catch_unwind(AssertUnwindSafe(|| read(&text))));
    let Ok((scene, report)) = outcome else { panic!("{} {what}: see the message above", stream.kind) };
    assert!(scene.is_some() || report.has_errors(), "{} {what}: refused without an error", stream.kind);
    assert!(peak <= MOST_BYTES, "{} {what}: {peak} bytes", stream.kind);
    scene.is_some()
}

#[test]
fn every_prefix_of_a_stream_is_refused_or_read() {
    let mut tried = 0;
    for stream in streams() {
        for length in 0..stream.bytes.len() {
            survives(&stream, &stream.bytes[..length], &format!("cut at {length}"));
            tried += 1;
        }
    }
    assert!(tried > 2000, "{tried}");
}

#[test]
fn changed_bytes_of_a_stream_do_no_harm() {
    let (mut tried, mut read) = (0, 0);
    for stream in streams() {
        for at in 0..stream.bytes.len() {
            for change in [0x01, 0x10, 0x80, 0xff] {
                let mut bytes = stream.bytes.clone();
                bytes[at] ^= change;
                read += usize::from(survives(&stream, &bytes, &format!("byte {at} ^ {change:#x}")));
                tried += 1;
            }
        }
    }
    assert!(tried > 8000 && (500..tried - 500).contains(&read), "{read} of {tried}");
}

/// Headers that claim enormous geometry over a few bytes.
#[test]
fn a_stream_cannot_ask_for_memory_that_it_does_not_justify() {
    for stream in streams() {
        // The counts follow the eleven bytes of the header.
        for at in 11..16 {
            for value in [0x7f, 0xff] {
                let mut bytes = stream.bytes.clone();
                bytes[at..at + 4].fill(value);
                survives(&stream, &bytes, &format!("counts at {at}"));
            }
        }
    }
}
