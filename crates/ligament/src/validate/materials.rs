//! Materials, textures and images.

use super::{Rules, codes};
use crate::io::safe_relative;
use crate::scene::{AlphaMode, ImageData, Material, Scene};

pub(super) fn check(scene: &Scene, rules: &mut Rules) {
    for (i, material) in scene.materials.iter().enumerate() {
        let path = format!("materials[{i}]");
        numbers(material, &path, rules);
        textures(scene, material, &path, rules);
    }
    for (i, texture) in scene.textures.iter().enumerate() {
        rules.index("image", texture.image.index(), scene.images.len(), || format!("textures[{i}].image"));
    }
    for (i, image) in scene.images.iter().enumerate() {
        if let ImageData::File(path) = &image.data
            && let Err(refusal) = safe_relative(path)
        {
            rules.error(&codes::IMAGE_PATH, format!("images[{i}].data"), format!("{path:?}: {refusal}"));
        }
    }
}

fn numbers(material: &Material, path: &str, rules: &mut Rules) {
    rules.all_finite(&material.emissive, || format!("{path}.emissive"));
    rules.finite(material.emissive_strength, || format!("{path}.emissive_strength"));
    if let AlphaMode::Mask(cutoff) = material.alpha {
        rules.finite(cutoff, || format!("{path}.alpha"));
    }
    if let Some(phong) = &material.phong {
        rules.all_finite(&phong.ambient, || format!("{path}.phong.ambient"));
        rules.all_finite(&phong.diffuse, || format!("{path}.phong.diffuse"));
        rules.all_finite(&phong.specular, || format!("{path}.phong.specular"));
        rules.finite(phong.shininess.unwrap_or(0.0), || format!("{path}.phong.shininess"));
        rules.finite(phong.opacity, || format!("{path}.phong.opacity"));
    }
    if let Some(pbr) = &material.pbr {
        rules.all_finite(&pbr.base_color, || format!("{path}.pbr.base_color"));
        rules.finite(pbr.metallic, || format!("{path}.pbr.metallic"));
        rules.finite(pbr.roughness, || format!("{path}.pbr.roughness"));
        if let Some(specular) = &pbr.specular {
            rules.finite(specular.factor, || format!("{path}.pbr.specular.factor"));
            rules.all_finite(&specular.color, || format!("{path}.pbr.specular.color"));
        }
    }
}

fn textures(scene: &Scene, material: &Material, path: &str, rules: &mut Rules) {
    for (slot, texture) in material.textures() {
        let field = || format!("{path}, {slot} texture");
        rules.index("texture", texture.texture.index(), scene.textures.len(), field);
        rules.finite(texture.strength, field);
        if let Some(t) = &texture.transform {
            rules.all_finite(&[t.offset[0], t.offset[1], t.rotation, t.scale[0], t.scale[1]], field);
        }
    }
}
