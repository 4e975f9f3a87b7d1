//! Materials: the values passed to a technique, either the file's own or one of KHR_materials_common.

use super::super::import::slot;
use super::super::json::{self, Shading, typed_extension};
use super::super::locate::Step::{self, Name};
use super::super::{COMMON, UNLIT, codes, json_error};
use super::json::{CommonMaterial, Material, Technique};
use super::{Convert, named};
use serde_json::{Map, Value, json};

const CULL_FACE: u32 = 2884;
const BLEND: u32 = 3042;

const MAX_DEFAULTS: usize = 16;

impl Convert<'_, '_, '_> {
    pub(super) fn materials(&mut self) {
        let source = self.source;
        for (id, material) in source.materials.iter() {
            let mut made = json::Material {
                name: named(&material.name, id),
                extras: material.extras.clone(),
                ..json::Material::default()
            };
            match typed_extension::<CommonMaterial>(&material.extensions, COMMON) {
                Ok(Some(common)) => self.common(id, &common, &mut made),
                Err(error) => {
                    let path = [Name("materials"), Name(id), Name("extensions"), Name(COMMON)];
                    self.error(&codes::JSON, &path, json_error::message(&error));
                }
                Ok(None) => self.technique(id, material, &mut made),
            }
            self.root.materials.push(made);
        }
    }

    fn common(&mut self, id: &str, common: &CommonMaterial, made: &mut json::Material) {
        let path = [Name("materials"), Name(id), Name("extensions"), Name(COMMON), Name("values")];
        // The extension's drafts have the two switches among the values.
        let switch =
            |stated: Option<bool>, key: &str| stated.or(common.values.get(key).and_then(Value::as_bool));
        made.double_sided = switch(common.double_sided, "doubleSided").unwrap_or(false);
        made.alpha_mode = switch(common.transparent, "transparent").map(alpha_mode);
        let mut values = Map::new();
        self.values(&common.values, &path, &mut values);
        if common.technique == "CONSTANT" {
            made.extensions = json::one_extension(UNLIT, json!({}));
        }
        made.shading = Some(Box::new(Shading { technique: common.technique.clone(), values }));
    }

    fn technique(&mut self, id: &str, material: &Material, made: &mut json::Material) {
        let source = self.source;
        let path = [Name("materials"), Name(id), Name("technique")];
        let technique = self.optional(&source.techniques, &material.technique, "technique", &path);
        let mut values = Map::new();
        if let Some(number) = technique {
            let technique_id = source.techniques.names[number as usize].as_str();
            let technique = &source.techniques.values[number as usize];
            let enabled = |state| technique.states.as_ref().is_some_and(|s| s.enable.contains(&state));
            made.double_sided = !enabled(CULL_FACE);
            made.alpha_mode = Some(alpha_mode(enabled(BLEND)));
            let defaults = defaults(technique);
            let path = [Name("techniques"), Name(technique_id), Name("parameters")];
            self.values(&defaults, &path, &mut values);
        }
        self.values(&material.values, &[Name("materials"), Name(id), Name("values")], &mut values);
        made.shading = Some(Box::new(Shading { technique: String::new(), values }));
    }

    /// Copies values, replacing texture ids by indices.
    fn values(&mut self, stated: &Map<String, Value>, path: &[Step<'_>], out: &mut Map<String, Value>) {
        for (name, value) in stated {
            let id = match value {
                Value::String(id) => Some(id),
                Value::Array(list) => match list.as_slice() {
                    [Value::String(id)] => Some(id),
                    _ => None,
                },
                _ => None,
            };
            // Strings under unknown names are not texture ids.
            let Some(id) = id.filter(|_| slot(name).is_some()) else {
                out.insert(name.clone(), value.clone());
                continue;
            };
            let path: Vec<Step<'_>> = path.iter().copied().chain([Name(name)]).collect();
            if let Some(texture) = self.number(&self.source.textures, id, "texture", &path) {
                out.insert(name.clone(), json!({ "index": texture }));
            }
        }
    }
}

fn alpha_mode(is_blended: bool) -> String {
    if is_blended { "BLEND" } else { "OPAQUE" }.to_owned()
}

/// A technique's defaults for values that a material does not state. Only the known ones: a technique may have
/// thousands of parameters and be used by thousands of materials.
fn defaults(technique: &Technique) -> Map<String, Value> {
    let mut found = Map::new();
    let known = technique.parameters.iter().filter(|(name, _)| slot(name).is_some());
    for (name, parameter) in known.take(MAX_DEFAULTS) {
        found.extend(parameter.value.as_deref().map(|value| (name.clone(), value.clone())));
    }
    found
}
