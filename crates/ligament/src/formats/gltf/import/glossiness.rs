//! KHR_materials_pbrSpecularGlossiness, converted to metallic-roughness in the usual way: find the metal that reflects
//! as much as the material does. Textures are not looked into.

use super::super::codes;
use super::super::extensions::SPECULAR_GLOSSINESS;
use super::super::json::{self, plain};
use super::super::json_error;
use super::Import;
use crate::report::Loss;
use crate::scene::Pbr;
use std::fmt::Arguments;

/// What a dielectric reflects.
const DIELECTRIC: f32 = 0.04;

impl Import<'_, '_, '_> {
    /// The metallic-roughness values of a material that only has specular and glossiness.
    pub(super) fn glossy(&mut self, source: &json::Material, path: Arguments<'_>) -> Option<Pbr> {
        let path = format_args!("{path}.extensions.{SPECULAR_GLOSSINESS}");
        let found = json::typed_extension::<json::Glossiness>(&source.extensions, SPECULAR_GLOSSINESS);
        let block = match found {
            Ok(block) => block?,
            Err(error) => return self.fault(&codes::JSON, path, json_error::message(&error)),
        };
        if source.pbr_metallic_roughness.as_deref().is_some_and(states_something) {
            let message =
                "materials with specular and glossiness are read by their metallic-roughness values";
            self.report.loss(Loss::kept(&codes::GLOSSINESS, "", 1, message));
            return None;
        }
        let [red, green, blue, alpha] = block.diffuse_factor.map_or([1.0; 4], plain);
        let diffuse = [red, green, blue];
        let specular = block.specular_factor.map_or([1.0; 3], plain);
        let glossiness = block.glossiness_factor.map_or(1.0, |v| v.0);
        let is_textured = block.specular_glossiness_texture.is_some();
        // The factors multiply a texture that is not looked into, so they say little: assume a dielectric.
        let (color, metallic) = if is_textured { (diffuse, 0.0) } else { as_metal(diffuse, specular) };
        let roughness = if is_textured { 1.0 - 0.5 * glossiness } else { 1.0 - glossiness };
        let message = match is_textured {
            true => {
                "specular-glossiness textures are not converted; the materials are read as rough dielectrics"
            }
            false => "specular and glossiness are converted to metallic and roughness",
        };
        self.report.loss(Loss::approximated(&codes::GLOSSINESS, "", 1, None, "", message));
        Some(Pbr {
            base_color: [color[0], color[1], color[2], alpha],
            metallic,
            roughness: roughness.clamp(0.0, 1.0),
            base_color_texture: self.texture(block.diffuse_texture.as_ref(), path, "diffuseTexture"),
            ..Pbr::default()
        })
    }
}

/// Whether a metallic-roughness block was meant for programs without the extension: some exporters write an empty one.
fn states_something(block: &json::Pbr) -> bool {
    let has_factor = block.base_color_factor.is_some() || block.metallic_factor.is_some();
    let has_texture = block.base_color_texture.is_some() || block.metallic_roughness_texture.is_some();
    has_factor || has_texture || block.roughness_factor.is_some()
}

/// The base colour and the metallic factor of a surface with a diffuse and a specular colour.
fn as_metal(diffuse: [f32; 3], specular: [f32; 3]) -> ([f32; 3], f32) {
    let strength = specular.into_iter().fold(0.0, f32::max);
    let kept = (1.0 - strength).max(0.0);
    let metallic = metallic(brightness(diffuse), brightness(specular), kept);
    let mut color = [0.0; 3];
    for ((color, diffuse), specular) in color.iter_mut().zip(diffuse).zip(specular) {
        let of_dielectric = diffuse * kept / (1.0 - DIELECTRIC) / (1.0 - metallic).max(1e-6);
        let of_metal = (specular - DIELECTRIC * (1.0 - metallic)) / metallic.max(1e-6);
        let part = metallic * metallic;
        *color = (of_dielectric + (of_metal - of_dielectric) * part).clamp(0.0, 1.0);
    }
    (color, metallic)
}

fn brightness([red, green, blue]: [f32; 3]) -> f32 {
    (0.299 * red * red + 0.587 * green * green + 0.114 * blue * blue).sqrt()
}

/// Solves for the metallic factor at which a metallic-roughness surface has this diffuse and specular brightness.
fn metallic(diffuse: f32, specular: f32, kept: f32) -> f32 {
    if specular < DIELECTRIC {
        return 0.0;
    }
    let b = diffuse * kept / (1.0 - DIELECTRIC) + specular - 2.0 * DIELECTRIC;
    let root = (b * b - 4.0 * DIELECTRIC * (DIELECTRIC - specular)).max(0.0).sqrt();
    ((root - b) / (2.0 * DIELECTRIC)).clamp(0.0, 1.0)
}
