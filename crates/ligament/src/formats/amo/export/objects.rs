//! Objects with their textures, and the losses of materials.

use super::names::Names;
use crate::formats::amo::codes;
use crate::formats::amo::document::{Dialect, Object};
use crate::formats::amo::import::KEY;
use crate::report::{Loss, Remedy, Report};
use crate::scene::{Extras, Material, Part, Phong, Scene};
use crate::text::RawText;

/// Makes an object for each run of parts with the same texture and name; `first_face` counts triangles.
pub(super) fn objects(
    scene: &Scene,
    dialect: Dialect,
    names: &mut Names,
    report: &mut Report,
) -> Vec<Object> {
    let parts: Vec<&Part> = scene.meshes.iter().flat_map(|mesh| &mesh.parts).collect();
    let textures = textures(scene, dialect, report);
    let mesh_name = scene.meshes.first().map_or("", |mesh| mesh.name.as_str());
    let model = if mesh_name.is_empty() { scene.name.as_str() } else { mesh_name };
    let mut objects: Vec<Object> = Vec::new();
    let (mut face, mut last) = (0_u32, None);
    for part in &parts {
        let texture = part.material.and_then(|m| textures.get(m.index()).cloned().flatten());
        let own = part.extras.get(KEY).and_then(|v| v.get("object")?.as_str());
        let key = (texture.clone(), own.map(str::to_owned));
        if objects.is_empty() || (dialect != Dialect::Counted && last.as_ref() != Some(&key)) {
            let name = own.filter(|name| !name.is_empty()).unwrap_or(model);
            let name = names.line(name, "object", objects.len(), report);
            objects.push(Object { still: false, name, mask: None, texture, first_face: face });
        }
        last = Some(key);
        face = face.saturating_add(part.faces.count() as u32);
    }
    if objects.is_empty() {
        objects.push(Object { name: names.line(model, "object", 0, report), ..Object::default() });
    }
    objects
}

/// The texture of each material, if the dialect stores them.
fn textures(scene: &Scene, dialect: Dialect, report: &mut Report) -> Vec<Option<RawText>> {
    if dialect != Dialect::Document {
        let loss =
            Loss::dropped(&codes::MATERIALS, "", scene.materials.len(), "this dialect has no materials");
        report.loss(loss.remedy(Remedy::new("dialect", "document", "keeps textures")));
        return Vec::new();
    }
    let mut textures = Vec::with_capacity(scene.materials.len());
    for (i, material) in scene.materials.iter().enumerate() {
        let label = RawText::from(material.name.as_str());
        let object =
            if material.name.is_empty() { format!("material{i}") } else { format!("material {label}") };
        if has_more(material) {
            let message = "only the texture of a material can be stored";
            report.loss(Loss::dropped(&codes::MATERIALS, object.clone(), 1, message));
        }
        textures.push(texture(scene, material, object, report));
    }
    textures
}

/// Whether a material is more than a texture on white.
fn has_more(material: &Material) -> bool {
    let plain = |phong: &Phong| Phong { diffuse_texture: None, ..phong.clone() } == Phong::default();
    let (name, extras) = (String::new(), Extras::new());
    let bare = Material { name, phong: None, extras, ..material.clone() };
    bare != Material::default() || !material.phong.as_ref().is_none_or(plain)
}

fn texture(scene: &Scene, material: &Material, object: String, report: &mut Report) -> Option<RawText> {
    let phong = material.phong.as_ref().and_then(|p| p.diffuse_texture.as_ref());
    let reference = phong.or_else(|| material.pbr.as_ref()?.base_color_texture.as_ref())?;
    let leave_out = |message| report.loss(Loss::dropped(&codes::TEXTURE_LEFT_OUT, object, 1, message));
    match scene.image_file(reference) {
        None => leave_out("the image is embedded in the source, so there is no file to name"),
        Some(file) if file.contains(" #") => {
            leave_out("the image's path has a `#` after a space, which begins a comment");
        }
        Some(file) if file.starts_with('#') => return Some(format!("./{file}").into()),
        Some(file) => return Some(file.into()),
    }
    None
}
