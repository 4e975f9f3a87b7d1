//! Converts the values that a material passes to a shader, by their usual names, to a Phong block: for glTF 1.0, and
//! for 2.0 with KHR_technique_webgl or KHR_techniques_webgl.

use super::super::extensions::store;
use super::super::json::{self, Shading};
use super::super::{TECHNIQUE, TECHNIQUES, codes};
use super::Import;
use super::extras::number;
use crate::formats::stated::Stated;
use crate::scene::{AlphaMode, Material, Phong};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::fmt::Arguments;

/// The meaning of a material's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Slot {
    Ambient,
    Diffuse,
    Specular,
    Shininess,
    Emission,
    Opacity,
    Normal,
    Bump,
}

/// The slot that usually has this name; `u_` marks a uniform of a shader.
pub(in super::super) fn slot(name: &str) -> Option<Slot> {
    let name = name.strip_prefix("u_").unwrap_or(name);
    let (name, _) = name.split_once("Texture").unwrap_or((name, ""));
    let (name, _) = name.split_once("Color").unwrap_or((name, ""));
    Some(match name {
        "ambient" => Slot::Ambient,
        "diffuse" => Slot::Diffuse,
        "specular" => Slot::Specular,
        "shininess" => Slot::Shininess,
        "emission" | "emissive" => Slot::Emission,
        "transparency" => Slot::Opacity,
        "normalMap" | "normalmap" | "normal" => Slot::Normal,
        "bump" => Slot::Bump,
        _ => return None,
    })
}

impl Import<'_, '_, '_> {
    /// The values that a material passes to its technique.
    pub(super) fn shading<'m>(&self, source: &'m json::Material) -> Option<Cow<'m, Shading>> {
        if let Some(shading) = source.shading.as_deref() {
            return Some(Cow::Borrowed(shading));
        }
        let uses = |name: &str| self.used.contains(name);
        let object = |value: &Value| value.as_object().cloned();
        let values = if uses(TECHNIQUES) {
            json::extension(&source.extensions, TECHNIQUES)?.get("values").and_then(object)
        } else if uses(TECHNIQUE) {
            source.values.as_deref().and_then(object)
        } else {
            return None;
        };
        Some(Cow::Owned(Shading { values: values?, technique: String::new() }))
    }

    /// Reports once that the shaders themselves are dropped.
    pub(super) fn lose_techniques(&mut self) {
        let root = self.root;
        let list = |value: &Value| value.as_array().map_or(0, Vec::len);
        let extension = json::extension(&root.extensions, TECHNIQUES).and_then(|e| e.get("techniques"));
        let count = extension.or(root.techniques.as_deref()).map_or(0, list);
        let message = "shaders and techniques are dropped; materials keep the values that they pass to them";
        self.lose(&codes::SHADERS, "", count, message);
    }

    /// Fills in a material that has only such values.
    pub(super) fn shade(
        &mut self,
        shading: &Shading,
        material: &mut Material,
        path: Arguments<'_>,
        at: usize,
    ) {
        let path = format!("{path}.values");
        let mut of = |wanted: Slot| self.stated(&shading.values, wanted, &path);
        let [ambient, diffuse, specular, emission] =
            [Slot::Ambient, Slot::Diffuse, Slot::Specular, Slot::Emission].map(&mut of);
        let [normal, bump] = [Slot::Normal, Slot::Bump].map(&mut of);
        let single = |wanted: Slot| {
            let value = shading.values.iter().find(|(name, _)| slot(name) == Some(wanted))?.1;
            number(value.as_array().and_then(|list| list.first()).unwrap_or(value))
        };
        let unlit = material.unlit;
        let has_specular = !matches!(shading.technique.as_str(), "LAMBERT" | "CONSTANT");
        let shown = if unlit { &emission } else { &diffuse };
        let alpha = shown.color.filter(|_| shown.texture.is_none()).map_or(1.0, |c| c[3]);
        let opacity = (single(Slot::Opacity).unwrap_or(1.0) * alpha).clamp(0.0, 1.0);
        // If nothing says whether it is blended, a material that is not opaque is.
        let is_blended = material.alpha == AlphaMode::Blend;
        let is_opaque = self.root.materials[at].alpha_mode.is_some() && !is_blended;
        material.alpha =
            if is_blended || (!is_opaque && opacity < 1.0) { AlphaMode::Blend } else { AlphaMode::Opaque };
        material.phong = Some(Phong {
            ambient: ambient.rgb([1.0; 3]),
            diffuse: shown.rgb([1.0; 3]),
            specular: if has_specular { specular.rgb([0.0; 3]) } else { [0.0; 3] },
            shininess: single(Slot::Shininess).filter(|s| *s >= 0.0 && has_specular),
            opacity: if is_opaque { 1.0 } else { opacity },
            ambient_texture: ambient.texture,
            diffuse_texture: shown.texture.clone(),
            specular_texture: specular.texture.filter(|_| has_specular),
            bump_texture: bump.texture,
            ..Phong::default()
        });
        material.normal_texture = normal.texture;
        if !unlit {
            material.emissive = emission.rgb([0.0; 3]).map(|v| v.max(0.0));
            material.emissive_texture = emission.texture;
        }
        if shading.technique == "BLINN" {
            store(&mut material.extras, "technique", json!("BLINN"));
        }
        self.lose_values(&shading.values);
    }

    /// Reads a colour, or a texture: its index, alone, in a list or in an object.
    fn stated(&mut self, values: &Map<String, Value>, wanted: Slot, path: &str) -> Stated {
        let mut stated = Stated::default();
        for (name, value) in values.iter().filter(|(name, _)| slot(name) == Some(wanted)) {
            let info = match value {
                Value::Array(list) if list.len() == 1 => index(&list[0]),
                Value::Array(list) => {
                    let get = |i: usize| list.get(i).and_then(number);
                    if let (Some(r), Some(g), Some(b)) = (get(0), get(1), get(2)) {
                        stated.color = Some([r, g, b, get(3).unwrap_or(1.0)]);
                        continue;
                    }
                    None
                }
                Value::Object(_) => <json::TextureInfo as Deserialize>::deserialize(value).ok(),
                value => index(value),
            };
            match info {
                Some(info) => stated.texture = self.texture(Some(&info), path, name),
                None => {
                    let message = "neither a colour nor a texture; it is ignored";
                    self.warning(&codes::VALUE, format_args!("{path}.{name}"), message);
                }
            }
        }
        stated
    }

    /// Reports values that a Phong material does not have.
    fn lose_values(&mut self, values: &Map<String, Value>) {
        let switches = ["doubleSided", "transparent"];
        let others = values.keys().filter(|name| slot(name).is_none() && !switches.contains(&name.as_str()));
        let message = "values that only the materials' shaders use are dropped";
        self.lose(&codes::SHADERS, "", others.count(), message);
    }
}

fn index(value: &Value) -> Option<json::TextureInfo> {
    let index = u32::try_from(value.as_u64()?).ok()?;
    Some(json::TextureInfo { index: Some(index), ..json::TextureInfo::default() })
}
