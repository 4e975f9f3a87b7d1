//! Dialects and counting.

use crate::*;
use ligament::formats::amo::{Bases, Keys};
use ligament::formats::amo::{INDEX_BASE, IndexBase};
use ligament::settings::Own;
use std::fs;

const ZERO: Bases = Bases { joint_sets: 0, weight_sets: 0, joints: 0, parents: 0, keys: 0 };
const ONE: Bases = Bases { joint_sets: 1, weight_sets: 1, joints: 1, parents: 1, keys: 1 };

/// The field notes on each file: dialect, bases, and positions, distinct corners, joints, clips.
const FILES: [(&str, Dialect, Bases, [usize; 4]); 6] = [
    ("bend_addonHEAD.amo", Dialect::Counted, ZERO, [30, 60, 2, 1]),
    ("bend_addon_kdialect_88115c9.amo", Dialect::Keyed, Bases { joints: 0, ..ONE }, [30, 60, 2, 1]),
    ("bend_editamo.amo", Dialect::OneBased, Bases { parents: 0, ..ONE }, [88, 88, 2, 1]),
    ("cube_addonHEAD.amo", Dialect::Counted, ZERO, [8, 24, 0, 0]),
    ("spec_example_0based.amo", Dialect::Document, ZERO, [8, 36, 2, 1]),
    ("spec_example_1based.amo", Dialect::OneBased, ONE, [8, 36, 2, 1]),
];

#[test]
fn dialect_and_counting_of_every_file_are_found_out() {
    let own = own();
    let mut models: Vec<_> =
        fs::read_dir(&own).expect("readable").map(|e| e.expect("readable").path()).collect();
    assert_eq!(models.len(), 8, "the folder has six models, their source and their poses");
    models.retain(|path| path.extension().is_some_and(|e| e == "amo"));
    assert_eq!(models.len(), FILES.len());
    for (name, dialect, bases, counts) in FILES {
        let (document, report) = parse(&fs::read(own.join(name)).expect("readable"));
        let document = document.unwrap_or_else(|| panic!("{name}: {:?}", report.diagnostics()));
        assert_eq!((document.dialect, document.bases), (dialect, bases), "{name}");
        let model = &document.models[0];
        let found = [model.positions.len(), model.vertices.len(), model.joints.len(), model.clips.len()];
        assert_eq!(found, counts, "{name}");
        // If something was detected, a note says what and why.
        let codes: Vec<_> = report.diagnostics().iter().map(|d| d.code.id).collect();
        assert!(codes.contains(&"AM201") || codes.contains(&"AM202"), "{name}: {codes:?}");
        support::check_promise(&import(document));
    }
}

#[test]
fn the_documents_example_reads_with_warnings_for_what_is_odd() {
    let own = own();
    let (document, report) = parse(&fs::read(own.join("spec_example_0based.amo")).expect("readable"));
    let found = places(&report);
    assert_eq!(
        found,
        [
            "note AM202",
            "warning AM403 42:1",
            "note AM413 46:1",
            "warning AM404 61:1",
            "warning AM412 63:3",
            "note AM206"
        ]
    );
    let model = &document.expect("valid").models[0];
    assert_eq!(model.objects[0].texture.as_ref().map(|t| t.to_text()).as_deref(), Some("image.png"));
    let Keys::Single(keys) = &model.clips[0].keys else { panic!("keys of one joint each") };
    assert_eq!(keys.iter().map(|k| k.joint).collect::<Vec<_>>(), [1, 1, 0]);
}

#[test]
fn each_kind_of_index_is_decided_by_itself() {
    assert_eq!(valid(SMALL.as_bytes()).bases, ZERO);
    let parents = SMALL.replace("j tip 0", "j tip 1");
    let document = valid(parents.as_bytes());
    assert_eq!((document.bases, document.dialect), (Bases { parents: 1, ..ZERO }, Dialect::Document));
    assert_eq!(document.models[0].joints[1].parent, 0);
    let faces = SMALL.replace("f 1/1/1/0/0 2/1/1/1/1 3/1/1/0/0", "f 1/1/1/1/1 2/1/1/2/2 3/1/1/1/1");
    let document = valid(faces.as_bytes());
    assert_eq!(document.bases, Bases { joint_sets: 1, weight_sets: 1, ..ZERO });
    assert_eq!(document.models[0].vertices[1].joints, 1);
    // All roots are 0 and there is no -1: counting from 1, with 0 for none.
    let roots = SMALL.replace("j root -1", "j root 0").replace("j tip 0", "j tip 1");
    let document = valid(roots.as_bytes());
    assert_eq!(document.bases.parents, 1);
    assert_eq!(document.models[0].joints.iter().map(|j| j.parent).collect::<Vec<_>>(), [-1, 0]);
}

#[test]
fn what_nothing_decides_is_told_and_can_be_chosen() {
    let open = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvj 1 -1 -1 -1\nvj 1 -1 -1 -1\nvj 1 -1 -1 -1\n\
        vw 1 0 0 0\nvw 1 0 0 0\nvw 1 0 0 0\nf 1/1/1/1/1 2/1/1/1/1 3/1/1/1/1\n\
        vt 0 0\nvn 0 0 1\nj a -1\nj b -1\nj c -1\n";
    let (document, report) = parse(open.as_bytes());
    assert_eq!(document.expect("valid").bases, ZERO);
    assert!(places(&report).contains(&"warning AM203".to_owned()), "{:?}", report.diagnostics());
    let own = Own::with(&INDEX_BASE, Some(IndexBase::One));
    let options = ReadOptions { own, ..ReadOptions::default() };
    let (document, report) = parse_with(open.as_bytes(), &options);
    let document = document.expect("valid");
    assert_eq!((document.bases, document.dialect), (ONE, Dialect::OneBased));
    assert_eq!(document.models[0].joint_sets[0], [0, -1, -1, -1]);
    assert!(!places(&report).contains(&"warning AM203".to_owned()));
}

#[test]
fn fill_without_weight_does_not_count() {
    // editamo fills unused slots with 1, others with 0 or -1: only the first slot has a weight.
    for fill in ["0", "1", "-1"] {
        let text =
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nvj 2 F F F\nvw 1 0 0 0\nf 1///1/1 2///1/1 3///1/1\nj a -1\nj b 1\n"
                .replace('F', fill);
        let document = valid(text.as_bytes());
        assert_eq!(document.bases.joints, 1, "fill {fill}");
        assert_eq!(document.models[0].joint_sets[0][0], 1);
    }
}

#[test]
fn lines_of_obj_are_accepted_and_kept() {
    let text = SMALL
        .replace("v 0 0 0\n", "mtllib leaf.mtl\nv 0 0 0 # the origin, 0\u{b0}\n")
        .replace("f 1/1/1/0/0 ", "g top\ns off\nusemtl green\nf -3/-1/-1/0/0 ")
        + "l 1 2\np 1\nvp 0.5\n";
    let (document, report) = parse(text.as_bytes());
    let document = document.expect("valid");
    let obj = report.diagnostics().iter().filter(|d| d.code.id == "AM109").count();
    assert_eq!(obj, 1, "one note for all of them");
    let (model, small) = (&document.models[0], &valid(SMALL.as_bytes()).models[0]);
    assert_eq!((&model.vertices, &model.faces), (&small.vertices, &small.faces));
    let again = crate::text(&document, Dialect::Document);
    for line in ["mtllib leaf.mtl", "g top", "s off", "usemtl green", "l 1 2", "p 1", "vp 0.5"] {
        assert!(again.lines().any(|l| l == line), "{line} is gone");
    }
    assert_eq!(crate::text(&valid(again.as_bytes()), Dialect::Document), again);
}

#[test]
fn faces_of_any_size_and_short_corners_are_read() {
    let text =
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 2 0\nf 1 2 3 4\nf 4 3 5\nf 1 2\no second\nf 1 2 3 5 4\n";
    let (document, report) = parse(text.as_bytes());
    let document = document.expect("valid");
    assert_eq!(places(&report), ["warning AM112 8:1"]);
    assert_eq!(document.models[0].faces.starts, [0, 4, 7, 12]);
    let scene = import(document);
    let counts: Vec<_> = scene.meshes[0].parts.iter().map(|p| (p.positions.len(), p.faces.count())).collect();
    assert_eq!(counts, [(5, 2), (5, 1)]);
    support::check_promise(&scene);
}

#[test]
fn early_keyed_files_count_frames_and_have_five_values() {
    let text = "ao c 7\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvj 0 1 -1 -1 -1\nvw 0.5 0.5 0 0 0\n\
        f 1///1/1 2///1/1 3///1/1\nj a -1\nj b 1\na walk\nk 0\nap 2 0 0 0\nk 12\nar 2 0 1 0 0\nap 2 0 0 1\n";
    let (document, report) = parse(text.as_bytes());
    let document = document.expect("valid");
    assert_eq!(document.dialect, Dialect::Keyed);
    let codes: Vec<_> = report.diagnostics().iter().map(|d| d.code.id).collect();
    assert!(codes.contains(&"AM106") && codes.contains(&"AM414"), "{codes:?}");
    let clip = &document.models[0].clips[0];
    assert_eq!(clip.duration, Some(500.0));
    let Keys::Poses(poses) = &clip.keys else { panic!("groups of keys") };
    assert_eq!((poses[1].progress, poses[1].joints.len()), (1.0, 1));
    assert_eq!(poses[1].joints[0].rotation, [1.0, 0.0, 0.0, 0.0], "the file writes w first");
    assert_eq!(poses[1].joints[0].position, [0.0, 0.0, 1.0]);
}
