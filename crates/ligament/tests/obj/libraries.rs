//! Material libraries.

use crate::*;
use ligament::scene::{AlphaMode, ImageData, Material, Wrap};
use std::fs;

/// Reads an OBJ with a library beside it.
fn with_library(library: &str, lenient: bool) -> (Option<Scene>, Report) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("my own.mtl"), library).expect("writable");
    fs::write(folder.path().join("near.png"), "").expect("writable");
    let names: Vec<&str> = library.lines().filter_map(|l| l.strip_prefix("newmtl ")).collect();
    let uses: String = names.iter().map(|name| format!("usemtl {name}\nf 1 2 3\n")).collect();
    let path = folder.path().join("a.obj");
    fs::write(&path, format!("mtllib my own.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\n{uses}")).expect("writable");
    let options = ReadOptions { lenient, ..ReadOptions::default() };
    match ligament::read(&path, &options) {
        Ok((scene, report)) => (Some(scene), report),
        Err(error) => (None, *error.report),
    }
}

fn material(lines: &str) -> (Material, Scene) {
    let (scene, report) = with_library(&format!("newmtl m\n{lines}"), false);
    let scene = scene.unwrap_or_else(|| panic!("{:?}", report.diagnostics()));
    (scene.materials[0].clone(), scene)
}

#[test]
fn colours_and_values_are_read() {
    let (m, _) = material("Ka 0.1 0.2 0.3\nKd 0.5\nKs 1 1 1\nKe 0 0 2\nNs 12.5\nd 0.25\n");
    let phong = m.phong.expect("a Phong block");
    assert_eq!((phong.ambient, phong.diffuse, phong.specular), ([0.1, 0.2, 0.3], [0.5; 3], [1.0; 3]));
    assert_eq!((phong.shininess, phong.opacity, m.emissive), (Some(12.5), 0.25, [0.0, 0.0, 2.0]));
    assert_eq!((m.alpha, m.pbr), (AlphaMode::Blend, None));
    assert_eq!(material("Tr 0.75\n").0.phong.map(|p| p.opacity), Some(0.25));
    assert_eq!(material("d 1\nTr 0.75\n").0.phong.map(|p| p.opacity), Some(1.0), "d counts");
    // D65 white becomes white.
    let white = material("Kd xyz 0.9505 1.0 1.089\n").0.phong.map(|p| p.diffuse).expect("is there");
    assert!(white.iter().all(|v| (v - 1.0).abs() < 1e-3), "{white:?}");
    let (m, _) = material("Ni 1.5\nTf 1 0.5 0\nPc 0.5\nillum 7\nsharpness 60\naniso 0.5\n");
    let kept = serde_json::json!({"Ni": 1.5, "illum": 7.0, "sharpness": 60.0, "Pc": 0.5, "aniso": 0.5, "Tf": [1.0, 0.5, 0.0]});
    assert_eq!(m.extras["obj"], kept);
    assert!(material("illum 0\n").0.unlit);
}

#[test]
fn metallic_roughness_values_are_read() {
    let (m, scene) = material(
        "Kd 1 0.5 0\nPr 0.25\nPm 1\nnorm -bm 2 n.png\nmap_Pr -imfchan g rm.png\nmap_Pm -imfchan b rm.png\n",
    );
    let pbr = m.pbr.expect("a metallic-roughness block");
    assert_eq!((pbr.base_color, pbr.metallic, pbr.roughness), ([1.0, 0.5, 0.0, 1.0], 1.0, 0.25));
    let path = |texture: ligament::scene::TextureId| {
        scene.images[scene.textures[texture.index()].image.index()].data.clone()
    };
    let rough = pbr.metallic_roughness_texture.expect("in one image");
    assert_eq!(path(rough.texture), ImageData::File("rm.png".into()));
    assert_eq!(
        m.normal_texture.map(|t| (path(t.texture), t.strength)),
        Some((ImageData::File("n.png".into()), 2.0))
    );
}

#[test]
fn options_of_textures_are_read() {
    let (m, scene) =
        material("map_Kd -blendu on -o 0.25 0.5 -s 2 4 1 -mm 0 1 -clamp on -texres 64 my brick wall.png\n");
    let texture = m.phong.and_then(|p| p.diffuse_texture).expect("is there");
    let moves = texture.transform.expect("moves");
    // With V down: v' = 1 - (4 * (1 - v) + 0.5) = 4 v - 3.5.
    assert_eq!((moves.offset, moves.scale), ([0.25, -3.5], [2.0, 4.0]));
    assert_eq!(scene.images[0].data, ImageData::File("my brick wall.png".into()));
    assert_eq!(scene.textures[0].sampler.wrap_u, Wrap::Clamp);
    let (m, scene) = material("map_bump -bm 0.5 -2.png\nmap_Ka .\\sub\\a.png\n");
    assert_eq!(m.phong.and_then(|p| p.bump_texture).map(|t| t.strength), Some(0.5));
    let files: Vec<_> = scene.images.iter().map(|i| i.file_name()).collect();
    assert_eq!(files, ["-2.png", "a.png"]);
}

#[test]
fn faults_are_told_in_the_library_and_refuse_nothing() {
    let text = "Kd 1 1 1\nnewmtl a\nKd 1 x 1\nNs nan\nPr\nKm 1\nKm 2\nmtllib my own.mtl\ncall me.mtl\nKs spectral f.rfl\nnewmtl a\n";
    let (scene, report) = with_library(text, false);
    assert!(scene.is_some());
    let found = places(&report);
    for expected in [
        "warning OB307 1:1",
        "warning OB101 3:6",
        "warning OB102 4:4",
        "warning OB104 5:3",
        "warning OB306 6:1",
        "warning OB308 8:1",
        "warning OB309 10:4",
        "warning OB312",
    ] {
        assert!(found.iter().any(|p| p == expected), "{expected} in {found:?}");
    }
    let in_library = report.diagnostics().iter().filter(|d| d.file.ends_with("my own.mtl")).count();
    assert_eq!(in_library, 7, "{:?}", report.diagnostics());
}

#[test]
fn paths_that_lead_out_are_refused() {
    for path in ["../../secret.png", "/etc/passwd", "C:\\textures\\a.png", "http://host/a.png"] {
        let text = format!("newmtl a\nmap_Kd {path}\n");
        let (scene, report) = with_library(&text, false);
        assert!(scene.is_none() && places(&report).contains(&"error OB304 2:8".to_owned()), "{path}");
        let (scene, report) = with_library(&text, true);
        assert!(scene.is_some_and(|s| s.images.is_empty()), "{path}");
        assert!(report.losses().iter().any(|l| l.code.id == "OB503"), "{path}");
    }
    let (scene, report) = with_library("newmtl a\nmap_Kd D:\\art\\near.png\n", false);
    let image = scene.map(|s| s.images[0].data.clone());
    assert_eq!(image, Some(ImageData::File("near.png".into())), "beside the model");
    assert!(places(&report).contains(&"warning OB304 2:8".to_owned()));
}

#[test]
fn a_missing_library_is_a_warning_and_names_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.obj");
    fs::write(&path, "mtllib gone.mtl other.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl Bark\nf 1 2 3\n")
        .expect("writable");
    let (scene, report) = ligament::read(&path, &Default::default()).expect("is read");
    assert_eq!(scene.materials[0].name, "Bark");
    assert!(places(&report).contains(&"warning OB302 1:8".to_owned()), "{:?}", places(&report));
    assert!(places(&report).contains(&"warning OB302 1:17".to_owned()), "{:?}", places(&report));
}
