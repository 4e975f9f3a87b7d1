//! Small files that would become enormous ones: each is refused with a sentence, in a process that may not take much
//! memory.

use super::*;
use serde_json::json;

/// Runs a command line with little address space, of which threads and libraries take a part.
fn limited(folder: &TempDir, line: &str) -> Output {
    let mut command = Command::new("sh");
    let script = format!("ulimit -v 3000000; exec '{}' {line}", env!("CARGO_BIN_EXE_ligament"));
    command.args(["-c", &script]).current_dir(folder.path()).stdin(Stdio::null());
    command.output().expect("a shell")
}

/// `validate` shows errors on standard output, all others on standard error.
#[track_caller]
fn refused(output: &Output, code: i32, pieces: &[&str]) {
    let both = stdout(output) + &stderr(output);
    assert_eq!(output.status.code(), Some(code), "{both}");
    for piece in pieces {
        assert!(both.contains(piece), "{piece:?} is not in: {both}");
    }
}

/// Numbers as a data URI.
fn uri(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::from("data:application/octet-stream;base64,");
    for chunk in bytes.chunks(3) {
        let word = (0..3).fold(0, |word, i| word << 8 | u32::from(*chunk.get(i).unwrap_or(&0)));
        for i in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * i) & 63) as usize];
            text.push(if i <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

fn floats(numbers: impl IntoIterator<Item = f32>) -> Vec<u8> {
    numbers.into_iter().flat_map(f32::to_le_bytes).collect()
}

/// A glTF file with one mesh of `vertices` vertices that `nodes` nodes draw.
fn instances(vertices: usize, nodes: usize) -> String {
    let positions = floats((0..vertices * 3).map(|i| (i % 7) as f32));
    let document = json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": (0..nodes).collect::<Vec<_>>() }],
        "nodes": vec![json!({ "mesh": 0 }); nodes],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "count": vertices, "type": "VEC3",
            "min": [0.0, 0.0, 0.0], "max": [6.0, 6.0, 6.0] }],
        "bufferViews": [{ "buffer": 0, "byteLength": positions.len() }],
        "buffers": [{ "byteLength": positions.len(), "uri": uri(&positions) }],
    });
    document.to_string()
}

/// A glTF file with a triangle that turns in some clips of two keys.
fn clips(clips: usize, seconds: f32) -> String {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let numbers = [
        [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].as_slice(),
        &[0.0, seconds],
        &[0.0, 0.0, 0.0, 1.0, half, 0.0, 0.0, half],
    ];
    let bytes = floats(numbers.concat());
    let clip = |i: usize| {
        json!({ "name": format!("Turn{i}"), "samplers": [{ "input": 1, "output": 2 }],
        "channels": [{ "sampler": 0, "target": { "node": 0, "path": "rotation" } }] })
    };
    let document = json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
        "animations": (0..clips).map(clip).collect::<Vec<_>>(),
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                "min": [0.0, 0.0, 0.0], "max": [1.0, 1.0, 0.0] },
            { "bufferView": 1, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0.0], "max": [seconds] },
            { "bufferView": 2, "componentType": 5126, "count": 2, "type": "VEC4" },
        ],
        "bufferViews": [
            { "buffer": 0, "byteLength": 36 },
            { "buffer": 0, "byteOffset": 36, "byteLength": 8 },
            { "buffer": 0, "byteOffset": 44, "byteLength": 32 },
        ],
        "buffers": [{ "byteLength": bytes.len(), "uri": uri(&bytes) }],
    });
    document.to_string()
}

/// At least `count` zero bytes, packed by DEFLATE to thirteen bits for 258 of them; and how many there are.
fn zeros(count: usize) -> (Vec<u8>, usize) {
    let (mut bytes, mut bits, mut filled) = (Vec::new(), 0_u64, 0);
    let mut put = |code: u64, length: u32| {
        bits |= code << filled;
        filled += length;
        while filled >= 8 {
            bytes.push(bits as u8);
            (bits, filled) = (bits >> 8, filled - 8);
        }
    };
    // The last block, with the fixed codes: a zero byte, and then copies of the byte before, as long as they can be.
    put(0b011, 3);
    put(0b0000_1100, 8);
    let copies = count.div_ceil(258);
    for _ in 0..copies {
        put(0b1010_0011, 8);
        put(0, 5);
    }
    put(0, 7 + 7);
    (bytes, 1 + copies * 258)
}

/// A binary FBX file with one array of zeros.
fn fbx(count: usize) -> Vec<u8> {
    let (packed, length) = zeros(count);
    let sum = ((length % 65521) as u32) << 16 | 1;
    let stream = [&[0x78, 0x01], &packed[..], &sum.to_be_bytes()].concat();
    let header = [(length / 4) as u32, 1, stream.len() as u32].map(u32::to_le_bytes).concat();
    let property = [b"i", &header[..], &stream].concat();
    let mut bytes = [b"Kaydara FBX Binary  \0\x1a\0" as &[u8], &7400_u32.to_le_bytes()].concat();
    let end = bytes.len() + 13 + 1 + property.len();
    for number in [end as u32, 1, property.len() as u32] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend([1, b'A']);
    bytes.extend(property);
    bytes.extend([0; 13]);
    bytes
}

/// A zip archive with one packed file of zeros.
fn zae(count: usize) -> Vec<u8> {
    let (packed, length) = zeros(count);
    let sizes = [0, packed.len() as u32, length as u32].map(u32::to_le_bytes).concat();
    let common = [&[20, 0, 0, 0, 8, 0, 0, 0, 0, 0][..], &sizes, &[5, 0, 0, 0]].concat();
    let mut bytes = [b"PK\x03\x04" as &[u8], &common, b"a.dae", &packed].concat();
    let list = bytes.len() as u32;
    let entry = [b"PK\x01\x02\x14\0" as &[u8], &common, &[0; 14], b"a.dae"].concat();
    bytes.extend(&entry);
    bytes.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    bytes.extend([entry.len() as u32, list].map(u32::to_le_bytes).concat());
    bytes.extend([0, 0]);
    bytes
}

#[test]
fn meshes_are_counted_once_per_instance_before_they_are_copied() {
    let folder = folder();
    write(&folder, "many.gltf", instances(3000, 3000));
    for line in ["convert many.gltf o.pfobj", "pose many.gltf o.glb"] {
        let output = limited(&folder, line);
        refused(
            &output,
            3,
            &["LM001", "a copy for every instance", "the limit is 1 GiB", "--max-memory 2GiB"],
        );
    }
    // The option lowers and raises the limit.
    write(&folder, "few.gltf", instances(300, 100));
    refused(&limited(&folder, "convert few.gltf o.pfobj --max-memory 1500KiB"), 3, &["the limit is 1.5 MiB"]);
    expect(&limited(&folder, "convert few.gltf o.pfobj --max-memory 64"), 0);
    refused(&limited(&folder, "convert few.gltf o.pfobj --max-memory lots"), 2, &["such as 4GiB"]);
    // glTF and BOGLE keep instances, which take no copies, and all of them are compared.
    for target in ["o.glb --reencode", "o.bgl"] {
        let line = format!("convert few.gltf {target} --max-memory 4MiB --max-error 0 --json");
        let output = limited(&folder, &line);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(super::json(&output)["comparison"]["points"], 30_000, "{target}");
    }
    assert!(folder.path().join("o.bgl").metadata().expect("written").len() < 100 << 10, "one geometry");
    // The same in a rule of a project.
    let rule = "[[rule]]\nglob = \"few.gltf\"\nto = \"pfobj\"\noutput = \"out/{stem}.{ext}\"\nmax-memory = \"1MiB\"\n";
    write(&folder, "ligament.toml", rule);
    refused(&limited(&folder, "build"), 3, &["LM001"]);
}

#[test]
fn frames_of_all_clips_are_counted_before_they_are_made() {
    let folder = folder();
    write(&folder, "week.gltf", clips(1, 690_000.0));
    write(&folder, "three.gltf", clips(3, 300_000.0));
    for name in ["week", "three"] {
        let output = limited(&folder, &format!("convert {name}.gltf o.pfobj"));
        refused(&output, 3, &["LM001", "the frames of all clips", "--max-memory"]);
    }
    refused(&limited(&folder, "convert three.gltf o.pfobj --no-verify"), 3, &["LM001"]);
    write(&folder, "minute.gltf", clips(3, 60.0));
    expect(&limited(&folder, "convert minute.gltf o.pfobj"), 0);
}

#[test]
fn packed_arrays_and_archives_are_not_unpacked_beyond_their_limits() {
    let folder = folder();
    write(&folder, "bomb.fbx", fbx(400_000_000));
    for line in ["validate bomb.fbx", "convert bomb.fbx o.pfobj"] {
        refused(&limited(&folder, line), 3, &["FB107", "1.5 GiB of memory", "--max-memory 2GiB"]);
    }
    write(&folder, "endless.fbx", fbx(2_400_000));
    refused(&limited(&folder, "convert endless.fbx o.pfobj"), 3, &["FB107"]);
    write(&folder, "bomb.zae", zae(900_000_000));
    refused(&limited(&folder, "validate bomb.zae"), 3, &["unpacking the archive's model", "--max-memory"]);
}
