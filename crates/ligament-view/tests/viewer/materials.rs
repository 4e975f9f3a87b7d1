//! Swatches, textures and the layout of texture coordinates.

use super::desk::Desk;
use super::*;
use ligament::scene::{ImageData, MaterialId};
use ligament_render::Selected;
use ligament_view::egui::{Key, Modifiers};
use ligament_view::{TextureView, Thumbnail};

#[test]
fn textures_are_shown_with_their_layout() {
    let Some(mut desk) = Desk::open("textures_are_shown_with_their_layout", &[example("creature.glb")])
    else {
        return;
    };
    desk.look("materials");
    // Each image is decoded, with the size that its own decoder finds.
    let (scene, _) = ligament::read(example("creature.glb"), &Default::default()).expect("read");
    let pictures = &desk.viewer.state.slots[0].pictures;
    assert_eq!(pictures.all.len(), scene.images.len());
    for (image, about) in scene.images.iter().zip(&pictures.about) {
        let ImageData::Embedded { bytes, .. } = &image.data else { panic!("embedded") };
        let info = png::Decoder::new(std::io::Cursor::new(&bytes[..])).read_info().expect("a PNG");
        let (width, height) = info.info().size();
        assert!(about.starts_with(&format!("{width}×{height}, ")), "{about}");
    }
    assert!(pictures.all.iter().all(|picture| matches!(picture, Thumbnail::Drawn(_))));
    desk.click_on("base colour texture");
    let with = desk.look("texture");
    let view = desk.viewer.state.panels.texture.clone().expect("a window");
    assert!(view.layout && desk.viewer.state.slots[0].layout.is_some());
    desk.viewer.state.update(Event::Texture(Some(TextureView { layout: false, ..view })));
    assert!(differing(&with, &desk.settle()) > 2000, "the layout is seen");
    desk.key(Key::Escape, Modifiers::NONE);
    assert!(desk.viewer.state.panels.texture.is_none());
}

/// Without materials, textures or coordinates, and with a texture that is no picture.
#[test]
fn materials_without_textures_and_broken_ones_are_no_trouble() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("bad.png"), b"no picture").expect("written");
    std::fs::write(
        folder.path().join("m.mtl"),
        "newmtl a\nKd 1 0 0\nmap_Kd bad.png\nnewmtl b\nmap_Kd gone.png\n",
    )
    .expect("written");
    let path = folder.path().join("m.obj");
    let text = "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\nusemtl b\nf 1 3 2\n";
    std::fs::write(&path, text).expect("written");
    let test = "materials_without_textures_and_broken_ones_are_no_trouble";
    let Some(mut desk) = Desk::open(test, &[path]) else { return };
    desk.look("materials-broken");
    let slot = &desk.viewer.state.slots[0];
    assert!(slot.pictures.all.iter().all(|picture| matches!(picture, Thumbnail::Nothing)));
    assert!(slot.pictures.about.iter().all(|about| about.contains("cannot be")), "{:?}", slot.pictures.about);
    let view = TextureView { slot: 0, material: MaterialId(0), which: 0, layout: true, zoom: 1.0 };
    desk.viewer.state.update(Event::Texture(Some(view)));
    desk.settle();
    assert!(desk.viewer.state.panels.texture.is_some());
    desk.viewer.state.update(Event::Select(0, Selected::Material(MaterialId(0))));
    desk.settle();
    // Things that are not there.
    let nowhere = TextureView { slot: 7, material: MaterialId(9), which: 3, layout: true, zoom: 1.0 };
    desk.viewer.state.update(Event::Texture(Some(nowhere.clone())));
    desk.settle();
    desk.viewer.state.update(Event::Texture(Some(TextureView { slot: 0, ..nowhere })));
    desk.settle();
}
