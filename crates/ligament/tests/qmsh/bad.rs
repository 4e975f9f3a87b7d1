//! Bad input: each fault is refused with its code, its offset and its field. Offsets are counted by hand from the field
//! table: twelve vertices, sixteen triangles, two submeshes and three bones, see `fixtures/qmsh/make.py`.

use crate::{bytes, import, read, valid, written};
use ligament::formats::qmsh::FORMAT;
use ligament::formats::{Document as _, ReadOptions, WriteOptions};
use ligament::io::MemoryOutput;
use ligament::report::{Report, Severity};

/// Where the records of `tf_skinned` begin.
mod tf {
    pub const COUNTS: usize = 9;
    pub const OFFSETS: usize = 47;
    pub const VERTICES: usize = 67;
    pub const VERTEX: usize = 40;
    pub const TRIANGLES: usize = VERTICES + 1 + 12 * VERTEX;
    pub const SUBMESHES: usize = TRIANGLES + 1 + 16 * 6;
    /// Four numbers, `Bar.Wood`, `Wood`; four numbers, `Bar.Steel`, `Steel`.
    pub const BONES: usize = SUBMESHES + 1 + (8 + 9 + 5) + (8 + 10 + 6);
    /// Parent, twelve floats and the names `Root`, `Tip`, `Flag`.
    pub const TIP: usize = BONES + 1 + 50 + 5;
    pub const ANIMATIONS: usize = BONES + 1 + 3 * 50 + 5 + 4 + 5;
    /// `Bend`, length, number of keys.
    pub const KEYS: usize = ANIMATIONS + 1 + 5 + 4 + 2;
    pub const KEY: usize = 4 + 3 * 32;
    /// `Wave`, length, number of keys.
    pub const WAVE_KEYS: usize = KEYS + 3 * KEY + 5 + 4 + 2;
    pub const END: usize = WAVE_KEYS + KEY;
}

/// Where the records of `v22` begin.
mod v22 {
    pub const VERTICES: usize = 48 + 4 + 36;
    pub const TRIANGLES: usize = VERTICES + 12 * 64;
    pub const SUBMESHES: usize = TRIANGLES + 16 * 6;
    /// Four numbers, names, highlight, normal map with factor, specular map with two.
    pub const STEEL: usize = SUBMESHES + 8 + 9 + 9 + 20 + (11 + 4) + (11 + 8);
    pub const BONES: usize = STEEL + 8 + 10 + 1 + 20 + 1 + 1;
    pub const BONE: usize = 2 + 48 + 64 + 32 + 1;
    pub const GROUPS: usize = BONES + 3 * BONE + 5 + 4 + 5;
    pub const ANIMATIONS: usize = GROUPS + (5 + 2 + 1 + 2) + (5 + 2 + 1 + 1);
    pub const POINTS: usize = ANIMATIONS + (5 + 4 + 2 + 3 * (4 + 120)) + (5 + 4 + 2 + (4 + 120));
    pub const POINT: usize = 64 + 4 + 12 + 12;
    pub const SPLITS: usize = POINTS + (5 + POINT) + (4 + POINT);
    pub const END: usize = SPLITS + 2 * 40;
}

fn changed(name: &str, at: usize, new: &[u8]) -> Vec<u8> {
    let mut bytes = bytes(name);
    bytes[at..at + new.len()].copy_from_slice(new);
    bytes
}

/// Asserts that the file is refused and that this is the first error.
fn refused(bytes: &[u8], code: &str, offset: usize, field: &str) {
    let (document, report) = read(bytes);
    assert!(document.is_none(), "{code} was accepted");
    let error = report.diagnostics().iter().find(|d| d.severity == Severity::Error).expect("an error");
    let found = (error.code.id, error.place.span.as_ref().map(|s| s.start), error.place.field.as_deref());
    assert_eq!(found, (code, Some(offset as u64), Some(field)), "{error}");
}

/// Asserts that the file is read with this warning.
fn warned(bytes: &[u8], code: &str, offset: usize, field: &str) {
    let (document, report) = read(bytes);
    assert!(document.is_some(), "{:?}", report.diagnostics());
    let warning = report.diagnostics().iter().find(|d| d.code.id == code).expect("the warning");
    let found = (warning.place.span.as_ref().map(|s| s.start), warning.place.field.as_deref());
    assert_eq!(found, (Some(offset as u64), Some(field)), "{warning}");
    assert_eq!(written(&document.expect("read")), bytes, "a rewrite changed it");
}

#[test]
fn the_offsets_that_were_counted_by_hand_are_those_of_the_files() {
    assert_eq!(bytes("tf_skinned").len(), tf::END);
    assert_eq!(bytes("v22").len(), v22::END);
    let file = bytes("tf_skinned");
    let stated = |i: usize| u32::from_le_bytes(file[tf::OFFSETS + 4 * i..][..4].try_into().unwrap()) as usize;
    let counted = [tf::VERTICES, tf::TRIANGLES, tf::SUBMESHES, tf::BONES, tf::ANIMATIONS];
    assert_eq!([0, 1, 2, 3, 4].map(stated), counted);
}

#[test]
fn headers_that_cannot_be_read() {
    refused(b"", "QM001", 0, "header.magic");
    refused(b"QMS", "QM001", 0, "header.magic");
    refused(b"TFQMSH11", "QM002", 0, "header.magic");
    refused(b"QMSH", "QM003", 4, "header.version");
    for version in [0, 11, 23, 255] {
        refused(&changed("v22", 4, &[version]), "QM002", 4, "header.version");
    }
    refused(&bytes("tf_plain")[..12], "QM003", 11, "header.triangles");
    refused(&bytes("v22")[..50], "QM003", 48, "header.points offset");
}

#[test]
fn every_section_that_is_cut_off_is_told_where_it_ends() {
    let file = bytes("tf_skinned");
    for (cut, code, offset, field) in [
        (tf::VERTICES, "QM003", tf::VERTICES, "vertices"),
        (tf::VERTICES + 100, "QM004", tf::VERTICES + 1, "vertices"),
        (tf::TRIANGLES, "QM003", tf::TRIANGLES, "triangles"),
        (tf::TRIANGLES + 50, "QM004", tf::TRIANGLES + 1, "triangles"),
        (tf::SUBMESHES + 12, "QM004", tf::SUBMESHES + 1, "submeshes"),
        (tf::SUBMESHES + 1 + 22 + 8 + 4, "QM005", tf::SUBMESHES + 1 + 22 + 8, "submeshes[1].name"),
        (tf::BONES + 60, "QM004", tf::BONES + 1, "bones"),
        (tf::ANIMATIONS - 1, "QM005", tf::ANIMATIONS - 5, "bones[2].name"),
        (tf::ANIMATIONS + 5, "QM004", tf::ANIMATIONS + 1, "animations"),
        (tf::KEYS + 20, "QM004", tf::KEYS, "animations[0].keys"),
        (tf::END - 1, "QM004", tf::WAVE_KEYS, "animations[1].keys"),
    ] {
        refused(&file[..cut], code, offset, field);
    }
    let file = bytes("v22");
    for (cut, code, offset, field) in [
        (v22::STEEL + 4, "QM003", v22::STEEL + 4, "submeshes[1].first vertex"),
        (v22::BONES + 9, "QM004", v22::BONES, "bones"),
        (v22::GROUPS + 7, "QM004", v22::GROUPS, "groups"),
        (v22::POINTS + 80, "QM004", v22::POINTS, "points"),
        (v22::END - 1, "QM004", v22::SPLITS, "splits"),
    ] {
        refused(&file[..cut], code, offset, field);
    }
}

#[test]
fn counts_that_lie() {
    for (i, field, offset) in [
        (0, "vertices", tf::VERTICES + 1),
        (1, "triangles", tf::TRIANGLES + 1),
        (2, "submeshes", tf::SUBMESHES + 1),
        (3, "bones", tf::BONES + 1),
        (4, "animations", tf::ANIMATIONS + 1),
    ] {
        refused(&changed("tf_skinned", tf::COUNTS + 2 * i, &[0xFF; 2]), "QM004", offset, field);
    }
    refused(&changed("tf_skinned", tf::KEYS - 2, &[0xFF; 2]), "QM004", tf::KEYS, "animations[0].keys");
    // A count that is too small shifts the next section.
    let at = tf::OFFSETS + 4;
    refused(&changed("tf_skinned", tf::COUNTS, &[11, 0]), "QM006", at, "header.triangles offset");
    refused(&changed("v22", 16, &[0xFF; 2]), "QM004", v22::POINTS, "points");
    refused(&changed("v22", 18, &[0xFF; 2]), "QM004", v22::GROUPS, "groups");
}

#[test]
fn offsets_that_lie() {
    for (i, section) in ["vertices", "triangles", "submeshes", "bones", "animations"].iter().enumerate() {
        for lie in [0_u32, 1, 66, 5000, u32::MAX] {
            let at = tf::OFFSETS + 4 * i;
            refused(
                &changed("tf_skinned", at, &lie.to_le_bytes()),
                "QM006",
                at,
                &format!("header.{section} offset"),
            );
        }
    }
    refused(&changed("tf_plain", tf::OFFSETS + 12, &[9]), "QM006", tf::OFFSETS + 12, "header.bones offset");
    refused(&changed("tf_skinned", tf::TRIANGLES, &[1]), "QM007", tf::TRIANGLES, "triangles");
    warned(&changed("v22", 48, &[0xDE, 0xAD, 0xC0, 0xDE]), "QM401", 48, "header.points offset");
}

#[test]
fn strings_past_the_end() {
    let file = changed("tf_skinned", tf::ANIMATIONS - 5, &[0xFF]);
    // The 255 bytes exist, but they are not animations.
    let (document, _) = read(&file);
    assert!(document.is_none());
    let name = v22::STEEL + 8;
    let cut = &changed("v22", name, &[0xFF])[..name + 200];
    refused(cut, "QM005", name, "submeshes[1].name");
    let mut file = bytes("tf_plain");
    let last = file.len() - 6;
    file[last] = 200;
    refused(&file, "QM005", last, "submeshes[1].material");
}

#[test]
fn numbers_that_mean_nothing() {
    let nan = f32::NAN.to_le_bytes();
    let far = 1e20_f32.to_le_bytes();
    let vertex = tf::VERTICES + 1 + 2 * tf::VERTEX;
    refused(&changed("tf_skinned", vertex + 4, &nan), "QM101", vertex + 4, "vertices[2].position");
    refused(&changed("tf_skinned", vertex + 4, &far), "QM101", vertex + 4, "vertices[2].position");
    refused(&changed("tf_skinned", vertex + 12, &nan), "QM101", vertex + 12, "vertices[2].weight");
    refused(&changed("tf_skinned", vertex + 20, &nan), "QM101", vertex + 20, "vertices[2].normal");
    refused(&changed("tf_skinned", vertex + 36, &nan), "QM101", vertex + 36, "vertices[2].uv");
    let tangent = v22::VERTICES + 40 + 12;
    refused(&changed("v22", tangent, &nan), "QM101", tangent, "vertices[0].binormal");
    refused(&changed("tf_skinned", tf::TIP + 10, &far), "QM101", tf::TIP + 10, "bones[1].matrix");
    let key = tf::KEYS + tf::KEY;
    refused(&changed("tf_skinned", key, &nan), "QM101", key, "animations[0].keys");
    let tip = key + 4 + 32;
    refused(&changed("tf_skinned", tip, &nan), "QM101", tip, "animations[0].keys[1].bones[1].translation");
    refused(
        &changed("tf_skinned", tip + 12, &[0; 16]),
        "QM102",
        tip + 12,
        "animations[0].keys[1].bones[1].rotation",
    );
    refused(
        &changed("tf_skinned", tip + 28, &nan),
        "QM101",
        tip + 28,
        "animations[0].keys[1].bones[1].scale",
    );
    refused(
        &changed("tf_skinned", key, &(-1.0_f32).to_le_bytes()),
        "QM103",
        key,
        "animations[0].keys[1].time",
    );
    refused(
        &changed("tf_skinned", key, &2.0_f32.to_le_bytes()),
        "QM103",
        key + tf::KEY,
        "animations[0].keys[2].time",
    );
    warned(&changed("tf_skinned", key, &[0; 4]), "QM404", key, "animations[0].keys[1].time");
    warned(
        &changed("tf_skinned", vertex + 12, &1.5_f32.to_le_bytes()),
        "QM406",
        vertex + 12,
        "vertices[2].weight",
    );
}

#[test]
fn references_that_lead_nowhere() {
    let triangle = tf::TRIANGLES + 1 + 6 * 3 + 2;
    refused(&changed("tf_skinned", triangle, &[12, 0]), "QM201", triangle, "triangles[3]");
    let submesh = tf::SUBMESHES + 1;
    refused(&changed("tf_skinned", submesh, &[7, 0]), "QM202", submesh, "submeshes[0].first triangle");
    refused(
        &changed("tf_skinned", submesh + 2, &[12, 0]),
        "QM204",
        submesh + 22 + 2,
        "submeshes[1].triangles",
    );
    refused(&changed("tf_skinned", submesh + 6, &[13, 0]), "QM203", submesh + 4, "submeshes[0].first vertex");
    warned(&changed("tf_skinned", submesh + 6, &[9, 0]), "QM407", submesh + 4, "submeshes[0].first vertex");
    // A parent after its child, and a bone that is its own parent.
    for parent in [2, 3, 0xFF] {
        refused(&changed("tf_skinned", tf::TIP, &[parent, 0]), "QM205", tf::TIP, "bones[1].parent");
    }
    refused(&changed("tf_skinned", tf::BONES + 1, &[1, 0]), "QM205", tf::BONES + 1, "bones[0].parent");
    let bones = tf::VERTICES + 1 + 5 * tf::VERTEX + 16;
    refused(&changed("tf_skinned", bones + 1, &[4]), "QM206", bones + 1, "vertices[5].bones");
    let group = v22::GROUPS + 5;
    refused(&changed("v22", group, &[2, 0]), "QM207", group, "groups[0].parent");
    refused(&changed("v22", group + 4, &[4]), "QM206", group + 4, "groups[0].bones");
    let point = v22::POINTS + 5 + 64;
    refused(&changed("v22", point, &[4, 0]), "QM206", point, "points[0].bone");
}

#[test]
fn several_faults_are_all_told() {
    let mut file = changed("tf_skinned", tf::TIP, &[9, 0]);
    file[tf::TRIANGLES + 1] = 99;
    let (_, report) = read(&file);
    let codes: Vec<_> = report.diagnostics().iter().map(|d| d.code.id).collect();
    assert_eq!(codes, ["QM201", "QM407", "QM205"]);
}

#[test]
fn a_rest_pose_without_an_inverse_is_refused_where_it_moves_something() {
    let mut document = valid("tf_skinned");
    document.bones[1].matrix = [0.0; 12];
    let mut report = Report::default();
    assert!(Box::new(document.clone()).import(&ReadOptions::default(), &mut report).is_err());
    assert_eq!(report.diagnostics()[0].code.id, "QM104");
    document.vertices.iter_mut().for_each(|v| v.bone_word = 0);
    import(document);
}

#[test]
fn textures_outside_the_folder_are_left_out() {
    let mut document = valid("v22");
    document.submeshes[0].material = "../../secret.png".into();
    let (scene, report) = import(document);
    let names: Vec<_> = scene.images.iter().map(|i| i.file_name()).collect();
    assert_eq!(names, ["wood_n.png", "wood_s.png"]);
    assert!(report.diagnostics().iter().any(|d| d.code.id == "QM408"));
    assert!(report.losses().iter().any(|l| l.code.id == "QM408"));
}

#[test]
fn names_are_bytes_in_windows_1250() {
    let mut document = valid("tf_skinned");
    document.bones[0].name = (&b"ko\xb3\x07"[..]).into();
    let bytes = written(&document);
    let (again, report) = read(&bytes);
    assert!(report.diagnostics().is_empty(), "{:?}", report.diagnostics());
    let again = again.expect("nothing is wrong with it");
    assert_eq!(written(&again), bytes);
    let (scene, _) = import(again);
    assert!(scene.nodes.iter().any(|n| n.name == "ko\u{142}\x07"), "l with stroke is b3");
    let written = FORMAT.export(scene, None, &WriteOptions::default(), &mut Report::default());
    let mut output = MemoryOutput::new("names");
    written.expect("exportable").write(&mut output, &mut Report::default()).expect("written");
    assert!(output.main.windows(5).any(|bytes| bytes == b"\x04ko\xb3\x07"));
}
