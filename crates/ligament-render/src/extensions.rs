//! What glTF's extensions say about a surface beyond what a scene's material has fields for: clearcoat, sheen, transmission,
//! the index of refraction. They travel as JSON in a material's extras.

use ligament::Scene;
use ligament::scene::{Material, TextureId, TextureRef, UvTransform};
use serde_json::Value;

/// The values that are drawn; all zero for most materials.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Extended {
    /// Strength and roughness of a clear coat over the surface.
    pub(crate) coat: f32,
    pub(crate) coat_roughness: f32,
    /// Colour and roughness of the sheen of cloth.
    pub(crate) sheen: [f32; 3],
    pub(crate) sheen_roughness: f32,
    /// How much light passes through, and its tint.
    pub(crate) transmission: f32,
    pub(crate) tint: [f32; 3],
    /// What is reflected head-on, in parts of what glass of the usual index of refraction does.
    pub(crate) reflectance: f32,
    pub(crate) coat_texture: Option<TextureRef>,
    pub(crate) sheen_texture: Option<TextureRef>,
    pub(crate) transmission_texture: Option<TextureRef>,
}

impl Extended {
    /// Reads the extensions of a material.
    pub(crate) fn of(scene: &Scene, material: &Material) -> Self {
        let all = material.extras.get("gltf").and_then(|own| own.get("extensions"));
        let get = |name: &str| all.and_then(|all| all.get(name));
        let number = |name: &str, key: &str, or: f32| {
            let value = get(name).and_then(|own| own.get(key)).and_then(Value::as_f64);
            value.map_or(or, |v| v as f32)
        };
        let unit = |name: &str, key: &str| number(name, key, 0.0).clamp(0.0, 1.0);
        let color = |name: &str, key: &str, or: f32| {
            let list = get(name).and_then(|own| own.get(key)).and_then(Value::as_array);
            std::array::from_fn(|i| {
                let value = list.and_then(|list| list.get(i)).and_then(Value::as_f64);
                (value.map_or(or, |v| v as f32)).clamp(0.0, 1.0)
            })
        };
        let texture = |name: &str, key: &str| texture(scene, get(name)?.get(key)?);
        const COAT: &str = "KHR_materials_clearcoat";
        const SHEEN: &str = "KHR_materials_sheen";
        const GLASS: &str = "KHR_materials_transmission";
        const VOLUME: &str = "KHR_materials_volume";
        // The colour that light has after a long way counts only where there is a way.
        let is_thick = number(VOLUME, "thicknessFactor", 0.0) > 0.0;
        // An index of 0 means that everything is reflected.
        let index = number("KHR_materials_ior", "ior", 1.5);
        let mirrored = if index >= 1.0 { ((index - 1.0) / (index + 1.0)).powi(2) } else { 1.0 };
        Self {
            coat: unit(COAT, "clearcoatFactor"),
            coat_roughness: unit(COAT, "clearcoatRoughnessFactor"),
            sheen: color(SHEEN, "sheenColorFactor", 0.0),
            sheen_roughness: unit(SHEEN, "sheenRoughnessFactor"),
            transmission: unit(GLASS, "transmissionFactor"),
            tint: if is_thick { color(VOLUME, "attenuationColor", 1.0) } else { [1.0; 3] },
            reflectance: mirrored / 0.04,
            coat_texture: texture(COAT, "clearcoatTexture"),
            sheen_texture: texture(SHEEN, "sheenColorTexture"),
            transmission_texture: texture(GLASS, "transmissionTexture"),
        }
    }

    /// Whether anything of it is to be drawn besides the index of refraction.
    pub(crate) fn is_plain(&self) -> bool {
        self.coat == 0.0 && self.sheen == [0.0; 3] && self.transmission == 0.0
    }
}

/// A texture as an extension names it: by the scene's index, or if textures were renumbered since, by the index that the
/// texture itself remembers.
fn texture(scene: &Scene, info: &Value) -> Option<TextureRef> {
    let index = usize::try_from(info.get("index")?.as_u64()?).ok()?;
    let remembers = |texture: &ligament::scene::Texture| {
        texture.extras.get("gltf").and_then(|own| own.get("index")).and_then(Value::as_u64)
            == Some(index as u64)
    };
    let index =
        scene.textures.iter().position(remembers).or((index < scene.textures.len()).then_some(index))?;
    let moved = info.get("extensions").and_then(|all| all.get("KHR_texture_transform"));
    let set = moved.and_then(|own| own.get("texCoord")).or(info.get("texCoord")).and_then(Value::as_u64);
    let pair = |own: &Value, key: &str, or: f32| {
        let list = own.get(key).and_then(Value::as_array);
        std::array::from_fn(|i| {
            let value = list.and_then(|list| list.get(i)).and_then(Value::as_f64);
            value.map_or(or, |v| v as f32)
        })
    };
    Some(TextureRef {
        uv_set: set.and_then(|set| u32::try_from(set).ok()).unwrap_or(0),
        transform: moved.map(|own| UvTransform {
            offset: pair(own, "offset", 0.0),
            rotation: own.get("rotation").and_then(Value::as_f64).unwrap_or(0.0) as f32,
            scale: pair(own, "scale", 1.0),
        }),
        ..TextureRef::new(TextureId::new(index))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material(text: &str) -> Material {
        let extensions: Value = serde_json::from_str(text).expect("JSON");
        let extras = serde_json::from_value(serde_json::json!({ "gltf": { "extensions": extensions } }));
        Material { extras: extras.expect("extras"), ..Material::default() }
    }

    #[test]
    fn extensions_are_read_from_the_extras() {
        let found = Extended::of(
            &Scene::default(),
            &material(
                r#"{"KHR_materials_clearcoat": {"clearcoatFactor": 0.5, "clearcoatRoughnessFactor": 0.25},
                    "KHR_materials_transmission": {"transmissionFactor": 7, "transmissionTexture": {"index": 3}},
                    "KHR_materials_volume": {"thicknessFactor": 0, "attenuationColor": [1, 0, 0]},
                    "KHR_materials_ior": {"ior": 2.0}}"#,
            ),
        );
        assert_eq!((found.coat, found.coat_roughness, found.transmission), (0.5, 0.25, 1.0));
        assert_eq!((found.tint, found.transmission_texture.is_none()), ([1.0; 3], true));
        // An index of 2 reflects a ninth.
        assert!((found.reflectance * 0.04 - 1.0 / 9.0).abs() < 1e-6 && !found.is_plain());
        let plain = Extended::of(&Scene::default(), &Material::default());
        assert!(plain.is_plain() && (plain.reflectance - 1.0).abs() < 1e-5);
    }

    #[test]
    fn values_of_the_wrong_kind_are_none() {
        let odd = r#"{"KHR_materials_clearcoat": 5, "KHR_materials_sheen": {"sheenColorFactor": "red"},
            "KHR_materials_transmission": {"transmissionFactor": null, "transmissionTexture": {"index": -1}}}"#;
        assert!(Extended::of(&Scene::default(), &material(odd)).is_plain());
    }
}
