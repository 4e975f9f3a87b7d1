//! `<material>` and `<effect>`: the common profile as a Phong block.

use super::codes;
use super::import::Import;
use super::xml::{
    Xml, child, children, elements, label, name, number, short_numbers, tag, techniques, text, whole,
};
use crate::formats::stated::Stated;
use crate::scene::{
    AlphaMode, CameraId, Extras, ImageId, LightId, Material, MaterialId, Phong, Sampler, TextureId,
    TextureRef,
};
use serde_json::{Value, json};
use std::collections::HashMap;

/// The part's texture coordinate set that each of an effect's names refers to.
type BoundSets<'d> = Vec<(&'d str, u32)>;

/// Materials, textures, cameras and lights that were already created.
#[derive(Default)]
pub(super) struct Surfaces<'d> {
    materials: HashMap<(roxmltree::NodeId, BoundSets<'d>), MaterialId>,
    pub textures: HashMap<(ImageId, Sampler), TextureId>,
    pub images: HashMap<roxmltree::NodeId, Option<ImageId>>,
    pub cameras: HashMap<roxmltree::NodeId, Option<CameraId>>,
    pub lights: HashMap<roxmltree::NodeId, Option<LightId>>,
    /// The first `<instance_material>` of each symbol, by the element around them.
    bindings: HashMap<roxmltree::NodeId, HashMap<&'d str, Xml<'d>>>,
    /// The first `<material>` of each name.
    named: Option<HashMap<&'d str, Xml<'d>>>,
}

impl<'d> Surfaces<'d> {
    /// The `<instance_material>` for a symbol.
    pub(super) fn binding(&mut self, around: Xml<'d>, symbol: &str) -> Option<Xml<'d>> {
        let of_element = self.bindings.entry(around.id()).or_insert_with(|| {
            first_by(children(around, "instance_material"), |instance| instance.attribute("symbol"))
        });
        of_element.get(symbol).copied()
    }

    /// The `<material>` of a name.
    pub(super) fn material_named(&mut self, root: Xml<'d>, wanted: &str) -> Option<Xml<'d>> {
        let all = || children(root, "library_materials").flat_map(|library| children(library, "material"));
        let named = self.named.get_or_insert_with(|| first_by(all(), |material| material.attribute("name")));
        named.get(wanted).copied()
    }
}

/// The first element of each key.
fn first_by<'d>(
    elements: impl Iterator<Item = Xml<'d>>,
    key: impl Fn(Xml<'d>) -> Option<&'d str>,
) -> HashMap<&'d str, Xml<'d>> {
    let mut first = HashMap::new();
    for element in elements {
        if let Some(key) = key(element) {
            first.entry(key).or_insert(element);
        }
    }
    first
}

/// The parameters that an effect's values may refer to.
pub(super) struct Params<'d> {
    /// `<newparam>` by sid and `<setparam>` by ref; the latter take precedence.
    named: HashMap<&'d str, Xml<'d>>,
    /// The part's texture coordinate set for each of the effect's names.
    sets: BoundSets<'d>,
    /// The number of sets that the part has.
    set_count: u32,
}

impl<'d> Import<'d, '_> {
    /// Makes something from an element, once; `None` if nothing can be made from it.
    pub(super) fn once<T: Copy>(
        &mut self,
        element: Xml<'d>,
        known: fn(&mut Self) -> &mut HashMap<roxmltree::NodeId, Option<T>>,
        make: fn(&mut Self, Xml<'d>) -> Option<T>,
    ) -> Option<T> {
        if let Some(known) = known(self).get(&element.id()) {
            return *known;
        }
        self.used.insert(element.id());
        let made = make(self, element);
        known(self).insert(element.id(), made);
        made
    }

    /// Creates the material for a part whose texture coordinate sets have these numbers in the file.
    pub(super) fn material(
        &mut self,
        material: Xml<'d>,
        binding: Option<Xml<'d>>,
        uv_sets: &[u32],
    ) -> Option<MaterialId> {
        self.used.insert(material.id());
        let sets = bound_sets(binding, uv_sets);
        let key = (material.id(), sets);
        if let Some(known) = self.surfaces.materials.get(&key) {
            return Some(*known);
        }
        let instance = child(material, "instance_effect");
        let effect = instance.and_then(|i| self.target(i, "url")).filter(|e| tag(*e) == "effect");
        let mut made = match (instance, effect) {
            (Some(instance), Some(effect)) => {
                self.effect(instance, effect, key.1.clone(), uv_sets.len() as u32)
            }
            _ => {
                self.warning(&codes::REFERENCE, material, format!("{} has no effect", label(material)));
                Material { phong: Some(Phong::default()), ..Material::default() }
            }
        };
        made.name = name(material).to_owned();
        self.scene.materials.push(made);
        let id = MaterialId::new(self.scene.materials.len() - 1);
        self.surfaces.materials.insert(key, id);
        Some(id)
    }

    fn effect(
        &mut self,
        instance: Xml<'d>,
        effect: Xml<'d>,
        sets: BoundSets<'d>,
        set_count: u32,
    ) -> Material {
        let profiles: Vec<_> = elements(effect).filter(|e| tag(*e).starts_with("profile_")).collect();
        let common = profiles.iter().copied().find(|p| tag(*p) == "profile_COMMON");
        for other in profiles.iter().filter(|p| Some(**p) != common) {
            let message = match common {
                Some(_) => format!("{} is not read; profile_COMMON is used", tag(*other)),
                None => format!("{} is not read, except for a colour and a texture", tag(*other)),
            };
            self.lose(&codes::PROFILE, label(effect), 1, message);
        }
        let Some(profile) = common.or(profiles.first().copied()) else {
            return Material { phong: Some(Phong::default()), ..Material::default() };
        };
        let technique = child(profile, "technique");
        let mut params = Params { named: HashMap::new(), sets, set_count };
        for scope in [Some(effect), Some(profile), technique].into_iter().flatten() {
            for param in children(scope, "newparam") {
                params.named.extend(param.attribute("sid").map(|sid| (sid, param)));
            }
        }
        for param in children(instance, "setparam") {
            params.named.extend(param.attribute("ref").map(|sid| (sid, param)));
        }
        if common.is_none() {
            return self.foreign(profile, &params);
        }
        let shader = technique.and_then(|t| {
            elements(t).find(|e| matches!(tag(*e), "phong" | "blinn" | "lambert" | "constant"))
        });
        let Some(shader) = shader else {
            self.warning(&codes::EFFECT, profile, "the effect has no phong, blinn, lambert or constant");
            return Material { phong: Some(Phong::default()), ..Material::default() };
        };
        let mut material = self.common(shader, &params);
        self.extras(&mut material, [Some(effect), Some(profile), technique], &params);
        material
    }

    fn common(&mut self, shader: Xml<'d>, params: &Params<'d>) -> Material {
        let emission = self.slot(shader, "emission", params);
        let ambient = self.slot(shader, "ambient", params);
        let diffuse = self.slot(shader, "diffuse", params);
        let specular = self.slot(shader, "specular", params);
        let shininess = self.float(shader, "shininess", params).filter(|s| *s >= 0.0);
        let (opacity, opacity_texture, is_blended) = self.opacity(shader, params, diffuse.texture.as_ref());
        let unlit = tag(shader) == "constant";
        let shown = if unlit { &emission } else { &diffuse };
        let has_specular = matches!(tag(shader), "phong" | "blinn");
        Material {
            phong: Some(Phong {
                ambient: ambient.rgb([1.0; 3]),
                diffuse: shown.rgb([1.0; 3]),
                specular: if has_specular { specular.rgb([0.0; 3]) } else { [0.0; 3] },
                shininess: shininess.filter(|_| has_specular),
                opacity,
                ambient_texture: ambient.texture,
                diffuse_texture: shown.texture.clone(),
                specular_texture: specular.texture.filter(|_| has_specular),
                shininess_texture: None,
                bump_texture: None,
                opacity_texture,
            }),
            emissive: if unlit { [0.0; 3] } else { emission.rgb([0.0; 3]) },
            emissive_texture: emission.texture.filter(|_| !unlit),
            alpha: if is_blended { AlphaMode::Blend } else { AlphaMode::Opaque },
            unlit,
            extras: self.kept_values(shader, params),
            ..Material::default()
        }
    }

    /// The opacity, its texture, and whether the result is not fully opaque.
    fn opacity(
        &mut self,
        shader: Xml<'d>,
        params: &Params<'d>,
        diffuse: Option<&TextureRef>,
    ) -> (f32, Option<TextureRef>, bool) {
        let Some(transparent) = child(shader, "transparent") else {
            let stated = self.float(shader, "transparency", params);
            return match stated {
                Some(opacity) if opacity > 0.0 && opacity < 1.0 => (opacity, None, true),
                _ => (1.0, None, false),
            };
        };
        let slot = self.slot(shader, "transparent", params);
        let factor = self.float(shader, "transparency", params).unwrap_or(1.0);
        let mode = transparent.attribute("opaque").unwrap_or("A_ONE");
        let [r, g, b, a] = slot.color.unwrap_or([1.0; 4]);
        // The luminance weights of the specification.
        let bright = 0.212671 * r + 0.71516 * g + 0.072169 * b;
        let opacity = match mode {
            "RGB_ZERO" => 1.0 - bright * factor,
            "RGB_ONE" => bright * factor,
            "A_ZERO" => 1.0 - a * factor,
            _ => a * factor,
        };
        if let Some(texture) = slot.texture {
            let is_same = diffuse.is_some_and(|d| d.texture == texture.texture);
            // In the modes with "zero", the image shows what is transparent.
            if mode.ends_with("ZERO") && !is_same {
                let message = "a texture of transparency is kept as one of opacity";
                self.lose(&codes::OPACITY, label(shader), 1, message);
            }
            let factor = if mode.ends_with("ONE") && factor > 0.0 { factor.min(1.0) } else { 1.0 };
            return (factor, Some(texture).filter(|_| !is_same), true);
        }
        if opacity <= 0.0 {
            let message = format!(
                "{mode} with a transparency of {factor} is completely invisible; it is read as opaque, which is what exporters mean by it"
            );
            self.warning(&codes::OPACITY, transparent, message);
            return (1.0, None, false);
        }
        (opacity.min(1.0), None, opacity < 1.0)
    }

    /// A shader's colour or texture.
    fn slot(&mut self, shader: Xml<'d>, key: &str, params: &Params<'d>) -> Stated {
        let mut slot = Stated::default();
        for value in child(shader, key).into_iter().flat_map(elements) {
            match tag(value) {
                "color" => slot.color = color(value),
                "param" => {
                    let param = value.attribute("ref").and_then(|sid| params.get(sid));
                    let stated =
                        param.and_then(|p| elements(p).find(|e| matches!(tag(*e), "float3" | "float4")));
                    slot.color = stated.and_then(color);
                }
                "texture" => slot.texture = self.texture(value, params),
                _ => {}
            }
        }
        slot
    }

    fn float(&mut self, shader: Xml<'d>, key: &str, params: &Params<'d>) -> Option<f32> {
        let element = child(shader, key)?;
        let value = match child(element, "param") {
            Some(param) => {
                let param = params.named.get(param.attribute("ref")?).copied()?;
                child(param, "float").and_then(number)
            }
            None => child(element, "float").or(Some(element)).and_then(number),
        };
        value.map(|v| v as f32).filter(|v| v.is_finite())
    }

    /// The values that a scene's material has no fields for.
    fn kept_values(&mut self, shader: Xml<'d>, params: &Params<'d>) -> Extras {
        let mut own = serde_json::Map::new();
        if tag(shader) == "blinn" {
            own.insert("shader".to_owned(), json!("blinn"));
        }
        for key in ["reflectivity", "index_of_refraction"] {
            if let Some(value) = self.float(shader, key, params) {
                own.insert(key.to_owned(), json!(value));
            }
        }
        let reflective = self.slot(shader, "reflective", params);
        if let Some(color) = reflective.color {
            own.insert("reflective".to_owned(), json!(color));
        }
        if reflective.texture.is_some() {
            self.lose(&codes::EFFECT, label(shader), 1, "reflection maps are dropped");
        }
        let mut extras = Extras::new();
        if !own.is_empty() {
            extras.insert(super::KEY.to_owned(), Value::Object(own));
        }
        extras
    }

    /// Reads bump and normal maps and double-sidedness, which only `<extra>` has.
    fn extras(&mut self, material: &mut Material, scopes: [Option<Xml<'d>>; 3], params: &Params<'d>) {
        let mut others = 0;
        for value in scopes.into_iter().flatten().flat_map(techniques).flat_map(elements) {
            match tag(value) {
                "bump" | "normalmap" | "normal" => {
                    let texture = child(value, "texture").and_then(|t| self.texture(t, params));
                    let is_normal = tag(value) != "bump" || value.attribute("bumptype") == Some("NORMALMAP");
                    if is_normal {
                        material.normal_texture = material.normal_texture.take().or(texture);
                    } else if let Some(phong) = &mut material.phong {
                        phong.bump_texture = phong.bump_texture.take().or(texture);
                    }
                }
                "double_sided" => material.double_sided = text(value).trim() != "0",
                _ => others += 1,
            }
        }
        self.lose(&codes::EXTRA, "", others, "extra values of effects are dropped");
    }

    /// Reads a profile for shaders: the first value called diffuse, and the first image.
    fn foreign(&mut self, profile: Xml<'d>, params: &Params<'d>) -> Material {
        let mut phong = Phong::default();
        let is_diffuse = |n: &Xml<'d>| {
            let named =
                |key| n.attribute(key).is_some_and(|v: &str| v.to_ascii_lowercase().contains("diffuse"));
            n.is_element() && (named("sid") || named("ref") || named("semantic"))
        };
        let value = profile.descendants().find(is_diffuse);
        let value = value.and_then(|v| v.descendants().find(|n| matches!(tag(*n), "float3" | "float4")));
        if let Some([r, g, b, _]) = value.and_then(color) {
            phong.diffuse = [r, g, b];
        }
        let sampler = profile.descendants().find(|n| matches!(tag(*n), "sampler2D" | "samplerRECT"));
        phong.diffuse_texture = sampler.and_then(|s| self.sampled(s, params, 0));
        Material { phong: Some(phong), ..Material::default() }
    }
}

impl<'d> Params<'d> {
    /// A parameter by its sid.
    pub fn get(&self, sid: &str) -> Option<Xml<'d>> {
        self.named.get(sid).copied()
    }

    /// Which of the part's sets a texture's `texcoord` refers to.
    pub fn uv_set(&self, texcoord: &str) -> u32 {
        if let Some((_, set)) = self.sets.iter().find(|(name, _)| *name == texcoord) {
            return *set;
        }
        // Without a binding, the usual names end with the set's number.
        let head = texcoord.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = texcoord[head.len()..].parse::<u32>().ok();
        let is_usual = matches!(head, "TEX" | "TEXCOORD" | "UVSET" | "UV" | "UVMap");
        number.filter(|n| is_usual && *n < self.set_count).unwrap_or(0)
    }
}

/// The part's set for each of an effect's names.
fn bound_sets<'d>(binding: Option<Xml<'d>>, uv_sets: &[u32]) -> BoundSets<'d> {
    let inputs = binding.into_iter().flat_map(|b| children(b, "bind_vertex_input"));
    let mut sets = Vec::new();
    for input in inputs.filter(|i| i.attribute("input_semantic") == Some("TEXCOORD")) {
        let set: u32 = whole(input, "input_set").unwrap_or(0);
        let index = uv_sets.iter().position(|s| *s == set).unwrap_or(0);
        sets.extend(input.attribute("semantic").map(|semantic| (semantic, index as u32)));
    }
    sets
}

fn color(element: Xml<'_>) -> Option<[f32; 4]> {
    let values = short_numbers(element);
    let get = |i: usize| values.get(i).map(|v| *v as f32).filter(|v| v.is_finite());
    Some([get(0)?, get(1)?, get(2)?, get(3).unwrap_or(1.0)])
}
