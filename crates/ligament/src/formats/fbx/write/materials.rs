//! Materials: the Phong block.

use super::file::File;
use super::tree::{Id, Record, color, double, number, property};
use crate::scene::{Material, Scene};

/// Writes all materials.
pub(super) fn materials(scene: &Scene, file: &mut File) -> Vec<Id> {
    scene.materials.iter().map(|material| one(material, file)).collect()
}

/// A white material for faces without one, in meshes where others have one.
pub(super) fn default(file: &mut File) -> Id {
    one(&Material { name: "default".to_owned(), ..Material::default() }, file)
}

fn one(material: &Material, file: &mut File) -> Id {
    let phong = material.phong.clone().unwrap_or_default();
    let has_highlight = phong.shininess.is_some() || phong.specular != [0.0; 3];
    let emissive = material.emissive.map(|value| value * material.emissive_strength);
    let transparency = f64::from(1.0 - phong.opacity);
    let mut rows = vec![
        color("EmissiveColor", emissive),
        number("EmissiveFactor", 1.0),
        color("AmbientColor", phong.ambient),
        number("AmbientFactor", 1.0),
        color("DiffuseColor", phong.diffuse),
        number("DiffuseFactor", 1.0),
        color("TransparentColor", [1.0; 3]),
        number("TransparencyFactor", transparency),
        double("Opacity", f64::from(phong.opacity)),
    ];
    if has_highlight {
        rows.extend([color("SpecularColor", phong.specular), number("SpecularFactor", 1.0)]);
    }
    if let Some(shininess) = phong.shininess {
        rows.push(number("ShininessExponent", shininess));
        rows.push(property("Shininess", ["double", "Number", ""], [f64::from(shininess)]));
    }
    let id = file.id();
    let shading = if has_highlight { "Phong" } else { "Lambert" };
    let object = Record::object("Material", id, &*material.name, "Material", "").with("Version", 102);
    file.add(object.with("ShadingModel", shading).with("MultiLayer", 0).properties(rows));
    id
}
