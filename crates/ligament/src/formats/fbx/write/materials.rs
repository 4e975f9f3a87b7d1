//! Materials: the Phong block, which every program reads, and metallic-roughness values as custom properties.

use super::file::File;
use super::properties::with_extras;
use super::textures::Textures;
use super::tree::{Id, Record, color, double, number, property};
use super::{codes, shading};
use crate::report::{Loss, Report, label};
use crate::scene::{AlphaMode, Material, Phong, Scene, TextureRef, pbr_from_phong, phong_from_pbr};

/// Writes all materials, with their textures.
pub(super) fn materials(scene: &Scene, sets: Vec<String>, file: &mut File, report: &mut Report) -> Vec<Id> {
    let mut textures = Textures::new(scene, sets);
    let ids = scene.materials.iter().map(|material| one(material, &mut textures, file, report)).collect();
    textures.report(report);
    ids
}

/// A white material for faces without one, in meshes where others have one.
pub(super) fn default(file: &mut File) -> Id {
    let id = file.id();
    let rows = phong_rows(&Phong::default(), [0.0; 3]);
    file.add(object(id, "default", "Lambert", rows));
    id
}

fn object(id: Id, name: &str, shading: &'static str, rows: Vec<Record>) -> Record {
    let object = Record::object("Material", id, name, "Material", "").with("Version", 102);
    object.with("ShadingModel", shading).with("MultiLayer", 0).properties(rows)
}

fn has_highlight(phong: &Phong) -> bool {
    phong.shininess.is_some() || phong.specular != [0.0; 3]
}

fn phong_rows(phong: &Phong, emissive: [f32; 3]) -> Vec<Record> {
    let mut rows = vec![
        color("EmissiveColor", emissive),
        number("EmissiveFactor", 1.0),
        color("AmbientColor", phong.ambient),
        number("AmbientFactor", 1.0),
        color("DiffuseColor", phong.diffuse),
        number("DiffuseFactor", 1.0),
        color("TransparentColor", [1.0; 3]),
        number("TransparencyFactor", f64::from(1.0 - phong.opacity)),
        double("Opacity", f64::from(phong.opacity)),
    ];
    if has_highlight(phong) {
        rows.extend([color("SpecularColor", phong.specular), number("SpecularFactor", 1.0)]);
    }
    if let Some(shininess) = phong.shininess {
        rows.extend([number("ShininessExponent", shininess), double("Shininess", shininess)]);
    }
    rows
}

/// What the reader cannot tell from FBX's own words, as custom properties. Returns whether metallic-roughness values are
/// among them.
fn custom_rows(material: &Material, phong: &Phong) -> (Vec<Record>, bool) {
    let number =
        |name: &'static str, value: f32| property(name, ["double", "Number", "U"], [f64::from(value)]);
    let flag = |name: &'static str| property(name, ["bool", "", "U"], [1]);
    let color =
        |name: &'static str, value: [f32; 3]| property(name, ["Color", "", "AU"], value.map(f64::from));
    let mut rows = Vec::new();
    let implied = if phong.opacity < 1.0 || phong.opacity_texture.is_some() {
        AlphaMode::Blend
    } else {
        AlphaMode::Opaque
    };
    if material.alpha != implied {
        let word = match material.alpha {
            AlphaMode::Opaque => "opaque",
            AlphaMode::Mask(_) => "mask",
            AlphaMode::Blend => "blend",
        };
        rows.push(property(shading::ALPHA, ["KString", "", "U"], [word]));
    }
    if let AlphaMode::Mask(cutoff) = material.alpha {
        rows.push(number(shading::CUTOFF, cutoff));
    }
    rows.extend(material.double_sided.then(|| flag(shading::DOUBLE_SIDED)));
    rows.extend(material.unlit.then(|| flag(shading::UNLIT)));
    if material.emissive_strength != 1.0 {
        rows.push(number(shading::EMISSIVE_STRENGTH, material.emissive_strength));
    }
    let strength = |used: &Option<TextureRef>| used.as_ref().map(|used| used.strength);
    rows.extend(
        strength(&material.normal_texture).filter(|s| *s != 1.0).map(|s| number(shading::NORMAL_STRENGTH, s)),
    );
    rows.extend(strength(&material.occlusion_texture).map(|s| number(shading::OCCLUSION, s)));
    // Values derived from the Phong block say nothing of their own.
    let own = material
        .pbr
        .as_ref()
        .filter(|pbr| material.phong.as_ref().is_none_or(|phong| pbr_from_phong(phong) != **pbr));
    if let Some(pbr) = own {
        rows.push(property(shading::BASE_COLOR, ["ColorAndAlpha", "", "AU"], pbr.base_color.map(f64::from)));
        rows.push(number(shading::METALLIC, pbr.metallic));
        rows.push(number(shading::ROUGHNESS, pbr.roughness));
        if pbr.metallic_roughness_texture.is_some() {
            rows.push(color(shading::METALLIC_ROUGHNESS, [0.0; 3]));
        }
        if let Some(specular) = &pbr.specular {
            rows.push(number(shading::SPECULAR, specular.factor));
            rows.push(color(shading::SPECULAR_COLOR, specular.color));
        }
    }
    (rows, own.is_some())
}

fn one(material: &Material, textures: &mut Textures<'_>, file: &mut File, report: &mut Report) -> Id {
    let derived = material.pbr.as_ref().map(|pbr| phong_from_pbr(pbr, material.alpha));
    let phong = material.phong.clone().or(derived).unwrap_or_default();
    let emissive = material.emissive.map(|value| value * material.emissive_strength);
    let mut rows = phong_rows(&phong, emissive);
    let (custom, has_pbr) = custom_rows(material, &phong);
    rows.extend(custom);
    let rows = with_extras(rows, &material.extras, report);
    let object_label = label("material", &material.name, 0);
    if has_pbr {
        let message = "metallic-roughness values are custom properties; other programs show Phong values derived from them";
        report.loss(Loss::kept(&codes::PBR, object_label, 1, message));
    }
    let id = file.id();
    file.add(object(id, &material.name, if has_highlight(&phong) { "Phong" } else { "Lambert" }, rows));
    let pbr = material.pbr.as_ref().filter(|_| has_pbr);
    let specular = pbr.and_then(|pbr| pbr.specular.as_ref());
    let base = pbr.and_then(|pbr| pbr.base_color_texture.as_ref());
    let slots: [(&str, Option<&TextureRef>); 13] = [
        ("DiffuseColor", phong.diffuse_texture.as_ref()),
        ("AmbientColor", phong.ambient_texture.as_ref()),
        ("SpecularColor", phong.specular_texture.as_ref()),
        ("ShininessExponent", phong.shininess_texture.as_ref()),
        ("Bump", phong.bump_texture.as_ref()),
        ("TransparentColor", phong.opacity_texture.as_ref()),
        ("EmissiveColor", material.emissive_texture.as_ref()),
        ("NormalMap", material.normal_texture.as_ref()),
        (shading::OCCLUSION, material.occlusion_texture.as_ref()),
        (shading::BASE_COLOR, base.filter(|base| phong.diffuse_texture.as_ref() != Some(*base))),
        (shading::METALLIC_ROUGHNESS, pbr.and_then(|pbr| pbr.metallic_roughness_texture.as_ref())),
        (shading::SPECULAR, specular.and_then(|specular| specular.texture.as_ref())),
        (shading::SPECULAR_COLOR, specular.and_then(|specular| specular.color_texture.as_ref())),
    ];
    for (slot, texture) in slots {
        if let Some(texture) = texture.and_then(|used| textures.of(used, file)) {
            file.connect_property(texture, id, slot);
        }
    }
    id
}
