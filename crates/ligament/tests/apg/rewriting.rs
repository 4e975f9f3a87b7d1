//! Files that stay APG.

use crate::{codes, corpus, fixture, parse, support, valid, valid_file, write, write_with};
use ligament::formats::Document as _;
use ligament::formats::apg::{Animation, Channel, Dialect, Document, Kind, Node, Values, Vertices};
use ligament::math::{Quat, Vec2, Vec3, Vec4};
use ligament::report::LossKind;
use ligament::settings::{PRECISION, Precision};
use ligament::{ConvertOptions, convert};
use support::Random;

/// The document in the other dialect.
fn through(document: &Document, dialect: Dialect) -> Document {
    let again = valid(&write(document, dialect));
    assert_eq!(again.dialect, dialect);
    Document { name: document.name.clone(), dialect: document.dialect, ..again }
}

#[test]
fn a_rewrite_keeps_every_value() {
    let files = corpus();
    for path in files {
        let name = path.display();
        let document = valid_file(&path);
        for dialect in [Dialect::Text, Dialect::Binary] {
            assert!(through(&document, dialect) == document, "{name} in {dialect:?}");
            let written = write(&document, dialect);
            assert!(write(&valid(&written), dialect) == written, "{name} in {dialect:?}");
        }
        let text = write(&document, Dialect::Text);
        let back = write(&valid(&write(&valid(&text), Dialect::Binary)), Dialect::Text);
        assert!(text == back, "{name} changes on its way through binary");
    }
}

#[test]
fn the_example_is_rewritten_byte_for_byte() {
    let path = support::workspace().join("examples/creature.apg");
    let bytes = std::fs::read(&path).expect("made by cargo xtask examples");
    assert!(write(&valid(&bytes), Dialect::Text) == bytes);
    let folder = tempfile::tempdir().expect("a folder");
    let (binary, text) = (folder.path().join("a.apg"), folder.path().join("b.apg"));
    let mut options = ConvertOptions { dialect: Some("binary".to_owned()), ..ConvertOptions::default() };
    let (done, report) = convert(&path, &binary, &options).expect("converts");
    assert!(done.rewritten && report.losses().is_empty());
    options.dialect = Some("text".to_owned());
    let (done, report) = convert(&binary, &text, &options).expect("converts");
    assert!(done.rewritten && report.losses().is_empty());
    assert!(std::fs::read(&text).expect("written") == bytes);
}

#[test]
fn the_binary_header_is_as_documented() {
    let bytes = write(&valid(&fixture("bend_flat_conv.apg")), Dialect::Binary);
    assert_eq!(&bytes[..25], b"BINAPGv27DEC2014\0LIGAMENT");
    assert_eq!(bytes[25], 1);
    // All sections are present except the weights, which a file with one bone per vertex does not list.
    assert_eq!((bytes[26], bytes[27]), (8, 1));
    assert!(bytes[28..256].iter().all(|&b| b == 0));
    assert_eq!(bytes[256..260], 144_u32.to_le_bytes());
    // The sections up to the animations are as long as the historical ones in the same model of the corpus.
    let twin = fixture("bend_conv_bin.apg");
    let hierarchy = 260 + 144 * (12 + 12 + 8) + 4 + 144 * (16 + 4 + 4) + 8 + 4 + 64 + 4 + 2 * 64;
    assert_eq!(bytes[hierarchy..hierarchy + 44], twin[hierarchy..hierarchy + 44]);
    assert_eq!(bytes[hierarchy..hierarchy + 4], 5_u32.to_le_bytes());
}

#[test]
fn the_historical_binary_says_what_its_text_twin_says() {
    let files = corpus();
    let text = valid_file(files.iter().find(|f| f.ends_with("bend_conv.apg")).expect("there"));
    let (binary, report) = parse(&fixture("bend_conv_bin.apg"));
    let binary = binary.expect("valid");
    assert_eq!(codes(&report), ["AP410"]);
    assert_eq!((binary.bones, &binary.nodes), (text.bones, &text.nodes));
    assert_eq!(binary.vertices.bones, text.vertices.bones);
    let near = |a: f32, b: f32, by: f32| (a - b).abs() <= by;
    for (a, b) in binary.vertices.positions.iter().zip(&text.vertices.positions) {
        assert!(a.distance(*b) < 0.01);
    }
    for (a, b) in binary.offsets.iter().flatten().zip(text.offsets.iter().flatten()) {
        assert!(near(*a, *b, 1e-6));
    }
    let ([a], [b]) = (&binary.animations[..], &text.animations[..]) else { panic!("one animation") };
    assert_eq!(a.channels.len(), 3);
    for (a, b) in a.channels.iter().zip(&b.channels) {
        assert_eq!((a.node, a.values.kind()), (b.node, b.values.kind()));
        // The model has 24 frames per second, and so do the made-up times.
        assert!(
            a.times.iter().zip(b.times.iter()).all(|(a, b)| near(*a, *b, 1e-6)),
            "{:?} {:?}",
            a.times,
            b.times
        );
        match (&a.values, &b.values) {
            (Values::Rotation(a), Values::Rotation(b)) => {
                assert!(a.iter().zip(b).all(|(a, b)| (*a - *b).length() < 2e-6));
            }
            (Values::Translation(a), Values::Translation(b)) | (Values::Scale(a), Values::Scale(b)) => {
                assert!(a.iter().zip(b).all(|(a, b)| a.distance(*b) < 2e-6));
            }
            _ => panic!("different kinds"),
        }
    }
    assert_eq!(a.duration, 1.0);
    assert_eq!(
        a.channels.iter().map(|c| c.values.kind()).collect::<Vec<_>>(),
        [Kind::Translation, Kind::Scale, Kind::Rotation]
    );
    // Read to the last byte: one more is too many, one less too few.
    let mut longer = fixture("bend_conv_bin.apg");
    longer.push(b't');
    assert!(parse(&longer).0.is_none());
    longer.truncate(longer.len() - 2);
    assert!(parse(&longer).0.is_none());
}

/// A document with everything in it, and numbers of all magnitudes.
fn random(seed: u64) -> Document {
    let mut random = Random::new(seed);
    let mut number = || {
        let bits = random.next() as u32;
        let value = f32::from_bits(bits);
        if value.abs() <= 1e15 { value } else { (bits >> 8) as f32 / 1e4 - 800.0 }
    };
    let mut numbers = |count: usize| (0..count).map(|_| number()).collect::<Vec<f32>>();
    let (count, comps) = (1 + seed as usize % 7, 1 + seed as usize % 4);
    let mut vectors = |count: usize| numbers(3 * count).chunks(3).map(Vec3::from_slice).collect::<Vec<_>>();
    let (positions, normals, uvs, tangents) =
        (vectors(count), vectors(count), vectors(count), vectors(count));
    let keys = |kind: Kind, values: Vec<Vec3>| Channel {
        node: 1,
        times: (0..values.len()).map(|i| i as f32 / 24.0).collect(),
        values: match kind {
            Kind::Translation => Values::Translation(values),
            Kind::Scale => Values::Scale(values),
            Kind::Rotation => {
                Values::Rotation(values.iter().map(|v| Quat::from_xyzw(v.x, v.y, v.z, v.x)).collect())
            }
        },
    };
    let channels =
        [Kind::Rotation, Kind::Translation, Kind::Scale].map(|kind| keys(kind, vectors(4))).to_vec();
    let matrix = |v: Vec<Vec3>| std::array::from_fn(|i| v[i / 3][i % 3]);
    Document {
        header: if seed.is_multiple_of(3) {
            "Anton's mesh, Blender 2.74".into()
        } else {
            ligament::formats::apg::HEADER.into()
        },
        vertices: Vertices {
            normals: if seed.is_multiple_of(2) { normals } else { Vec::new() },
            uvs: uvs.iter().map(|v| Vec2::new(v.x, v.y)).collect(),
            tangents: tangents.iter().map(|v| Vec4::new(v.x, v.y, v.z, 1.0)).collect(),
            short_tangents: seed.is_multiple_of(5),
            bones_per_vertex: comps,
            bones: (0..count * comps).map(|i| i as i32 % 3 - 1).collect(),
            weights: if comps > 1 {
                (0..count * comps).map(|i| i as f32 / 7.0).collect()
            } else {
                Vec::new()
            },
            positions,
            ..Vertices::default()
        },
        bones: 2,
        root_transform: Some(matrix(vectors(6))),
        offsets: vec![matrix(vectors(6)), matrix(vectors(6))],
        nodes: vec![Node { parent: -1, bone: 1 }, Node { parent: 0, bone: 0 }],
        animations: vec![
            Animation { name: "Walk slowly duration 5".into(), duration: 2.5, channels },
            Animation { name: (&b"\xff\xfe"[..]).into(), duration: 0.0, channels: Vec::new() },
            Animation::default(),
        ],
        bounding_radius: (!seed.is_multiple_of(4)).then_some(1.25),
        ..Document::default()
    }
}

#[test]
fn text_and_binary_keep_every_value_of_made_up_documents() {
    for seed in 0..300 {
        let document = random(seed);
        for dialect in [Dialect::Text, Dialect::Binary] {
            assert_eq!(through(&document, dialect), document, "seed {seed}");
            let written = write(&document, dialect);
            assert!(write(&valid(&written), dialect) == written, "seed {seed}");
        }
    }
}

#[test]
fn what_binary_cannot_hold_goes_through_a_scene_with_a_loss() {
    let text = "@Anton's custom mesh format v.27DEC2014 http://antongerdelan.net/\n@vert_count 3\n@vp comps 3\n\
        0 0 0\n1 0 0\n0 1 0\n@vc comps 3\n1 0 0\n0 1 0\n0 0 1\n@material red\nshiny 1\n";
    let document = valid(text.as_bytes());
    assert_eq!(document.unknown.len(), 2);
    assert!(document.can_write("text") && !document.can_write("binary"));
    assert_eq!(write(&document, Dialect::Text), text.as_bytes());
    let folder = tempfile::tempdir().expect("a folder");
    let (input, output) = (folder.path().join("a.apg"), folder.path().join("b.apg"));
    std::fs::write(&input, text).expect("written");
    let options = ConvertOptions { dialect: Some("binary".to_owned()), ..ConvertOptions::default() };
    let (done, report) = convert(&input, &output, &options).expect("converts");
    assert!(!done.rewritten);
    assert!(report.losses().iter().any(|l| l.code.id == "LS005"), "{:?}", report.losses());
}

#[test]
fn the_documents_rounding_is_announced_with_its_size() {
    let files = corpus();
    let path = files[0].parent().expect("own/apg").join("../amo/bend.gltf");
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("bend.apg");
    let mut options = ConvertOptions::default();
    options.write.own.set(&PRECISION, Precision::Document);
    options.write.influences = Some(4);
    let (done, report) = convert(&path, &target, &options).expect("converts");
    let losses = report.losses().iter().filter(|l| l.code.id == "AP503");
    let sizes: Vec<_> = losses.map(|l| (&l.kind, l.message.as_str())).collect();
    let (LossKind::Approximated { size: Some(points), unit: "units" }, _) = sizes[0] else {
        panic!("{sizes:?}")
    };
    // 0.125 is written as 0.12, 0.2165 as 0.22.
    assert!((points - (0.005_f64.powi(2) + 0.003_493_653_f64.powi(2)).sqrt()).abs() < 1e-6, "{sizes:?}");
    let worst = done.comparison.and_then(|c| c.worst).expect("compared");
    assert!(worst.distance <= points + 1e-5, "{} is more than the {points} announced", worst.distance);
    // The original converter rounds the same mesh to the same lines.
    let lines = |text: &[u8], tag: &str| {
        let text = String::from_utf8(text.to_vec()).expect("text");
        let rest = text.split_once(&format!("{tag}\n")).expect("the block").1.to_owned();
        let mut lines: Vec<_> = rest.lines().take(144).map(|l| l.replace("-0.00", "0.00")).collect();
        lines.sort();
        lines
    };
    let ours = std::fs::read(&target).expect("written");
    assert_eq!(lines(&ours, "@vp comps 3"), lines(&fixture("bend_flat_conv.apg"), "@vp comps 3"));
    let (_, report) = write_with(&valid(&ours), Dialect::Text, Precision::Document);
    assert!(report.losses().is_empty(), "what is rounded is not rounded again: {:?}", report.losses());
}

#[test]
fn not_a_number_survives_a_rewrite() {
    let text = b"@Anton's custom mesh format v.7NOV2014 http://antongerdelan.net/\n@vert_count 1\n@vp comps 3\n0 0 0\n\
        @vtan comps 4\nnan nan nan 1\n";
    let (document, report) = parse(text);
    assert_eq!(codes(&report), ["AP401"]);
    assert_eq!(write(&document.expect("valid"), Dialect::Text), text);
}
