//! `.zae` archives that lie, are damaged or inflate.

use super::import;
use ligament::io::Source;
use ligament::report::Report;
use ligament::scene::{ImageData, Scene};

/// A file for an archive, and the archive's statements about it.
struct Entry {
    name: &'static str,
    deflated: bool,
    packed: Vec<u8>,
    claims: u32,
    check: u32,
}

impl Entry {
    fn new(name: &'static str, content: &[u8], deflated: bool) -> Self {
        let packed =
            if deflated { miniz_oxide::deflate::compress_to_vec(content, 9) } else { content.to_vec() };
        Self { name, deflated, packed, claims: content.len() as u32, check: crc32(content) }
    }
}

/// Bit by bit, as in the definition.
fn crc32(bytes: &[u8]) -> u32 {
    let one = |crc: u32| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| one(crc)))
}

fn zip(entries: &[Entry]) -> Vec<u8> {
    let (mut bytes, mut list) = (Vec::new(), Vec::new());
    for entry in entries {
        let header = bytes.len() as u32;
        let method = if entry.deflated { 8_u16 } else { 0 };
        let mut common = Vec::new();
        for half in [20, 0, method, 0, 0] {
            common.extend(half.to_le_bytes());
        }
        for word in [entry.check, entry.packed.len() as u32, entry.claims] {
            common.extend(word.to_le_bytes());
        }
        common.extend((entry.name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&common);
        bytes.extend(entry.name.as_bytes());
        bytes.extend(&entry.packed);
        list.extend(b"PK\x01\x02\x14\x00");
        list.extend(&common);
        list.extend([0; 10]);
        list.extend(header.to_le_bytes());
        list.extend(entry.name.as_bytes());
    }
    let start = bytes.len() as u32;
    bytes.extend(&list);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend([entries.len() as u16; 2].map(u16::to_le_bytes).concat());
    bytes.extend((list.len() as u32).to_le_bytes());
    bytes.extend(start.to_le_bytes());
    bytes.extend([0, 0]);
    bytes
}

fn read(entries: &[Entry]) -> (Option<Scene>, Report) {
    import(Source::from_bytes("model.zae", zip(entries)))
}

const MODEL: &str = "<COLLADA version=\"1.4.1\"><library_images><image id=\"i\" name=\"skin\"><init_from>skin.tga</init_from></image></library_images>\
    <library_effects><effect id=\"e\"><profile_COMMON><technique sid=\"t\"><lambert><diffuse><texture texture=\"i\" texcoord=\"T\"/></diffuse></lambert></technique></profile_COMMON></effect></library_effects>\
    <library_materials><material id=\"m\"><instance_effect url=\"#e\"/></material></library_materials>\
    <library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array id=\"a\" count=\"9\">0 0 0 1 0 0 0 1 0</float_array></source>\
    <vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices><triangles count=\"1\" material=\"m\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>\
    <library_visual_scenes><visual_scene id=\"s\"><node><instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>";

const PICTURE: &[u8] = &[0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0, 1, 2, 3];

#[track_caller]
fn refused((scene, report): (Option<Scene>, Report), why: &str) {
    let says = |d: &ligament::report::Diagnostic| d.code.id == "DA109" && d.message.contains(why);
    assert!(scene.is_none() && report.diagnostics().iter().any(says), "{:?}", report.diagnostics());
}

#[test]
fn a_model_and_its_picture_are_unpacked() {
    for deflated in [false, true] {
        let manifest = b"<dae_root>./art/model.dae</dae_root>";
        let (scene, report) = read(&[
            Entry::new("manifest.xml", manifest, deflated),
            Entry::new("decoy.dae", b"<COLLADA/>", deflated),
            Entry::new("art/model.dae", MODEL.as_bytes(), deflated),
            Entry::new("art/skin.tga", PICTURE, deflated),
        ]);
        let scene = scene.unwrap_or_else(|| panic!("{:?}", report.diagnostics()));
        assert!(report.diagnostics().is_empty(), "{:?}", report.diagnostics());
        let ImageData::Embedded { mime, bytes } = &scene.images[0].data else { panic!("embedded") };
        assert_eq!((mime.as_str(), &bytes[..]), ("image/x-tga", PICTURE));
        assert_eq!(scene.images[0].file_name(), "skin.tga");
    }
}

#[test]
fn entries_that_lie_about_their_size_are_refused() {
    let model = || Entry::new("a.dae", MODEL.as_bytes(), true);
    // Claims little and inflates to more.
    refused(read(&[Entry { claims: 100, ..model() }]), "larger than it claims");
    // Claims more than it has.
    refused(read(&[Entry { claims: MODEL.len() as u32 + 1, ..model() }]), "shorter than it claims");
    let stored = Entry::new("a.dae", MODEL.as_bytes(), false);
    refused(read(&[Entry { claims: MODEL.len() as u32 + 1, ..stored }]), "shorter than it claims");
    // Claims more than any archive of this size should hold.
    refused(read(&[Entry { claims: u32::MAX, ..model() }]), "out of proportion");
}

#[test]
fn a_bomb_is_not_unpacked() {
    // 40 MB of blanks in 40 kB.
    let blanks = vec![b' '; 40 << 20];
    let bomb = || Entry::new("a.dae", &blanks, true);
    assert!(bomb().packed.len() < 100_000);
    refused(read(&[bomb()]), "out of proportion");
    refused(read(&[Entry { claims: 1000, ..bomb() }]), "larger than it claims");
}

#[test]
fn damage_is_found_by_the_check_sum() {
    let mut damaged = Entry::new("a.dae", MODEL.as_bytes(), false);
    let at = MODEL.find("0 0 0 1").expect("positions");
    damaged.packed[at] = b'7';
    refused(read(&[damaged]), "checksum");
    // A damaged image is left out, and the model is read.
    let mut picture = Entry::new("skin.tga", PICTURE, false);
    picture.packed[20] ^= 1;
    let (scene, report) = read(&[Entry::new("a.dae", MODEL.as_bytes(), true), picture]);
    assert_eq!(scene.expect("read").images[0].data, ImageData::File("skin.tga".to_owned()));
    for code in ["DA109", "DA221"] {
        assert_eq!(report.diagnostics().iter().filter(|d| d.code.id == code).count(), 1, "{code}");
    }
}

#[test]
fn archives_that_are_cut_off_never_panic() {
    let whole = zip(&[Entry::new("a.dae", MODEL.as_bytes(), true), Entry::new("skin.tga", PICTURE, false)]);
    // The last two bytes are the length of a comment, which is not needed.
    for end in 0..whole.len() - 2 {
        let (scene, report) = import(Source::from_bytes("model.zae", whole[..end].to_vec()));
        assert!(scene.is_none() && report.has_errors(), "{end}");
    }
}
