//! Every file of the corpus reads, is rewritten without a change, and becomes a sane scene.

use crate::{fixture, models, parse, rewritten, scene_of};

#[test]
fn every_file_reads_and_is_rewritten_to_the_same_values() {
    let files = models();
    assert_eq!(files.len(), 7);
    for path in files {
        let bytes = std::fs::read(&path).expect("readable");
        let (document, report) = parse(&bytes);
        let document = document.unwrap_or_else(|| panic!("{}: {:?}", path.display(), report.diagnostics()));
        let again = rewritten(&document);
        let (same, _) = parse(&again);
        assert_eq!(Some(&document), same.as_ref(), "{}", path.display());
        assert_eq!(rewritten(&document), again);
        scene_of(&bytes);
    }
}

#[test]
fn files_in_the_exporters_layout_come_back_byte_for_byte() {
    let names =
        ["static_cube", "skinned_arm", "carpg_exporter_v15", "carpg_exporter_v19", "carpg_exporter_v21"];
    for name in names {
        let bytes = fixture(&format!("{name}.qmsh.tmp"));
        let (document, _) = parse(&bytes);
        let again = rewritten(&document.expect("readable"));
        assert_eq!(String::from_utf8_lossy(&again), String::from_utf8_lossy(&bytes), "{name}");
    }
    // This file has Windows line endings, and no other difference.
    let bytes = fixture("rigid_envelope.qmsh.tmp");
    let (document, _) = parse(&bytes);
    let unix: Vec<u8> = bytes.iter().copied().filter(|&b| b != b'\r').collect();
    assert!(bytes.len() > unix.len());
    assert_eq!(rewritten(&document.expect("readable")), unix);
}
