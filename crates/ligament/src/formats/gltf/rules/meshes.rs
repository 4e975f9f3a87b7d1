//! Primitives, their accessors, and what their materials need of them.

use super::contents::{Check, Rule};
use super::layout::{Array, Arrays, Use};
use super::schema::find_extension;
use super::view::{List, attributes, index, indices, integer, items, sets};
use super::{Rules, at, codes, deeper};
use crate::formats::gltf::accessor::Component::{self, F32, I8, I16, U8, U16, U32};
use crate::formats::gltf::locate::Step;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

pub(super) fn check<'v>(rules: &mut Rules<'_, '_, '_, 'v>, arrays: &mut Arrays<'v>) {
    let mut wanted = HashMap::new();
    for (m, mesh) in List::Meshes.of(rules.root).iter().enumerate() {
        for (p, primitive) in items(&mesh["primitives"]).iter().enumerate() {
            let path = at!["meshes", m, "primitives", p];
            let count = vertices(rules, arrays, primitive, path);
            corners(rules, arrays, primitive, count, path, &mut wanted);
            morphs(rules, arrays, primitive, path);
            materials(rules, primitive, path);
        }
    }
    for (accessor, (vertices, path)) in wanted {
        arrays.look(Check { accessor, rule: Rule::Indices { vertices }, path });
    }
}

type Format = (&'static str, Component, bool);

/// The formats of an attribute; `None` for one of the file's own.
fn formats(attribute: &str, is_target: bool, is_quantized: bool) -> Option<Vec<Format>> {
    let semantic = attribute.split('_').next()?;
    let of = |kind: &'static str, components: &[(Component, bool)]| -> Vec<Format> {
        components.iter().map(|(component, normalized)| (kind, *component, *normalized)).collect()
    };
    let float = (F32, false);
    let signed = [(I8, true), (I16, true)];
    let unsigned = [(U8, true), (U16, true)];
    let mut formats = match (semantic, is_target) {
        ("POSITION" | "NORMAL", _) | ("TANGENT", true) => of("VEC3", &[float]),
        ("TANGENT", false) => of("VEC4", &[float]),
        ("TEXCOORD", _) => [of("VEC2", &[float]), of("VEC2", &unsigned)].concat(),
        ("COLOR", _) => {
            [of("VEC3", &[float]), of("VEC3", &unsigned), of("VEC4", &[float]), of("VEC4", &unsigned)]
                .concat()
        }
        ("JOINTS", false) => of("VEC4", &[(U8, false), (U16, false)]),
        ("WEIGHTS", false) => [of("VEC4", &[float]), of("VEC4", &unsigned)].concat(),
        _ => return None,
    };
    if is_target && semantic == "TEXCOORD" {
        formats.extend(of("VEC2", &signed));
    }
    if is_target && semantic == "COLOR" {
        formats.extend([of("VEC3", &signed), of("VEC4", &signed)].concat());
    }
    if is_quantized {
        let whole_signed = [(I8, false), (I16, false)];
        let whole = [(U8, false), (U16, false)];
        match (semantic, is_target) {
            ("POSITION", _) => {
                formats.extend([of("VEC3", &signed), of("VEC3", &whole_signed)].concat());
                if !is_target {
                    formats.extend([of("VEC3", &unsigned), of("VEC3", &whole)].concat());
                }
            }
            ("NORMAL", _) | ("TANGENT", true) => formats.extend(of("VEC3", &signed)),
            ("TANGENT", false) => formats.extend(of("VEC4", &signed)),
            ("TEXCOORD", false) => {
                formats.extend([of("VEC2", &whole_signed), of("VEC2", &signed), of("VEC2", &whole)].concat());
            }
            ("TEXCOORD", true) => formats.extend(of("VEC2", &whole_signed)),
            _ => {}
        }
    }
    Some(formats)
}

/// Checks an attribute's format, and returns whether it is right.
fn format_fits(
    rules: &mut Rules<'_, '_, '_, '_>,
    name: &str,
    array: &Array<'_>,
    is_target: bool,
    path: &[Step<'_>],
) -> bool {
    match formats(name, is_target, rules.uses("KHR_mesh_quantization")) {
        Some(known) if known.contains(&array.format()) => return true,
        Some(_) => {
            let message = format!("{name} cannot be {}", array.shown());
            rules.error(&codes::ACCESSOR_TYPE, path, message);
        }
        None if array.component == U32 && !is_target => {
            rules.error(&codes::ACCESSOR_TYPE, path, "attributes cannot hold 32-bit integers");
        }
        None => {}
    }
    false
}

fn stated_bounds(rules: &mut Rules<'_, '_, '_, '_>, name: &str, array: &Array<'_>, path: &[Step<'_>]) {
    if name == "POSITION" && !array.has_bounds {
        let message = "the accessor of positions has no `min` and `max`";
        rules.error(&codes::BOUNDS, path, message);
    }
}

/// Checks the attributes, and returns the number of vertices.
fn vertices<'v>(
    rules: &mut Rules<'_, '_, '_, 'v>,
    arrays: &mut Arrays<'v>,
    primitive: &'v Value,
    path: &[Step<'v>],
) -> Option<u64> {
    let mut vertices = None;
    for (name, accessor) in attributes(&primitive["attributes"]) {
        let path = deeper(path, at!["attributes", name]);
        let Some(array) = arrays.use_accessor(rules, accessor, Use::Vertices, &path) else { continue };
        stated_bounds(rules, name, &array, &path);
        if format_fits(rules, name, &array, false, &path) {
            let rule = match name {
                "NORMAL" => Some(Rule::UnitVectors),
                "TANGENT" => Some(Rule::Tangents),
                "COLOR_0" if array.component == F32 => Some(Rule::Colors),
                _ => None,
            };
            if let Some(rule) = rule {
                arrays.look(Check { accessor, rule, path: path.clone() });
            }
        }
        arrays.vertex_layout(rules, accessor, &path);
        let count = *vertices.get_or_insert(array.count);
        if count != array.count {
            let message =
                format!("{} elements, but other attributes of the primitive have {count}", array.count);
            rules.error(&codes::MESH, &path, message);
        }
    }
    vertices
}

/// Indices, and whether they make whole faces.
fn corners<'v>(
    rules: &mut Rules<'_, '_, '_, 'v>,
    arrays: &mut Arrays<'v>,
    primitive: &'v Value,
    vertices: Option<u64>,
    path: &[Step<'v>],
    wanted: &mut HashMap<usize, (u64, Vec<Step<'v>>)>,
) {
    let mut corners = vertices;
    if let Some(accessor) = index(primitive, "indices") {
        let path = deeper(path, at!["indices"]);
        let Some(array) = arrays.use_accessor(rules, accessor, Use::Indices, &path) else { return };
        corners = Some(array.count);
        let is_unsigned = matches!(array.component, U8 | U16 | U32);
        if array.kind != "SCALAR" || !is_unsigned || array.normalized {
            let message = format!("indices cannot be {}", array.shown());
            rules.error(&codes::ACCESSOR_TYPE, &path, message);
        } else if let Some(vertices) = vertices {
            // Of all primitives that share the indices, the one with the fewest vertices limits them.
            let least = wanted.entry(accessor).or_insert_with(|| (vertices, path.clone()));
            if vertices < least.0 {
                *least = (vertices, path);
            }
        }
    }
    let mode = primitive.get("mode").map_or(Some(4), integer);
    let Some(corners) = corners else { return };
    let is_whole = match mode {
        Some(1) => corners.is_multiple_of(2),
        Some(2 | 3) => corners >= 2,
        Some(4) => corners.is_multiple_of(3),
        Some(5 | 6) => corners >= 3,
        _ => true,
    };
    if !is_whole {
        let message = format!("{corners} vertices do not make whole faces");
        rules.warning(&codes::INDICES, path, message);
    }
}

fn morphs<'v>(
    rules: &mut Rules<'_, '_, '_, 'v>,
    arrays: &mut Arrays<'v>,
    primitive: &'v Value,
    path: &[Step<'v>],
) {
    for (t, target) in items(&primitive["targets"]).iter().enumerate() {
        for (name, accessor) in attributes(target) {
            let path = deeper(path, at!["targets", t, name]);
            let Some(array) = arrays.use_accessor(rules, accessor, Use::Vertices, &path) else { continue };
            match index(&primitive["attributes"], name) {
                None => {
                    let message = format!("the primitive has no {name} that the target could move");
                    rules.error(&codes::MORPHS, &path, message);
                }
                Some(base) => {
                    if let Some(base) = arrays.get(base).filter(|base| base.count != array.count) {
                        let message = format!(
                            "{} elements, but the primitive's {name} has {}",
                            array.count, base.count
                        );
                        rules.error(&codes::MORPHS, &path, message);
                    }
                }
            }
            stated_bounds(rules, name, &array, &path);
            format_fits(rules, name, &array, true, &path);
            arrays.vertex_layout(rules, accessor, &path);
        }
    }
}

/// The primitive's material, and those of its variants.
fn materials<'v>(rules: &mut Rules<'_, '_, '_, 'v>, primitive: &'v Value, path: &[Step<'v>]) {
    const VARIANTS: &str = "KHR_materials_variants";
    let materials = List::Materials.of(rules.root);
    let uv_sets = sets(primitive, "TEXCOORD");
    if let Some(material) = index(primitive, "material").and_then(|m| materials.get(m)) {
        let path = deeper(path, at!["material"]);
        texture_coordinates(rules, material, uv_sets, &path);
        tangent_space(rules, primitive, material, &path);
    }
    if !rules.uses(VARIANTS) {
        return;
    }
    let mut seen = HashSet::new();
    for (i, mapping) in items(&primitive["extensions"][VARIANTS]["mappings"]).iter().enumerate() {
        let path = deeper(path, at!["extensions", VARIANTS, "mappings", i]);
        if let Some(material) = index(mapping, "material").and_then(|m| materials.get(m)) {
            texture_coordinates(rules, material, uv_sets, &deeper(&path, at!["material"]));
        }
        for (v, variant) in indices(mapping, "variants") {
            if !seen.insert(variant) {
                let message = format!("variant {variant} already has a material for this primitive");
                rules.error(&codes::REPEATED, &deeper(&path, at!["variants", v]), message);
            }
        }
    }
}

/// Calls `each` with every texture of a material or of its known extensions, and the set of coordinates that it uses.
fn textures<'v>(value: &'v Value, is_known: &dyn Fn(&str) -> bool, each: &mut dyn FnMut(&'v str, u64)) {
    for (name, value) in value.as_object().into_iter().flatten() {
        if name.ends_with("Texture") && value.is_object() {
            each(name, integer(&value["texCoord"]).unwrap_or(0));
            let moved = &value["extensions"]["KHR_texture_transform"]["texCoord"];
            if let Some(set) = integer(moved).filter(|_| is_known("KHR_texture_transform")) {
                each(name, set);
            }
        } else if matches!(name.as_str(), "pbrMetallicRoughness" | "extensions") || is_known(name) {
            textures(value, is_known, each);
        }
    }
}

fn texture_coordinates(
    rules: &mut Rules<'_, '_, '_, '_>,
    material: &Value,
    uv_sets: usize,
    path: &[Step<'_>],
) {
    let mut missing = None;
    let is_known = |name: &str| rules.uses(name) && find_extension(name).is_some();
    textures(material, &is_known, &mut |name, set| {
        if set >= uv_sets as u64 {
            missing.get_or_insert((name, set));
        }
    });
    if let Some((name, set)) = missing {
        let message =
            format!("{name} of the material needs TEXCOORD_{set}, which the primitive does not have");
        rules.error(&codes::ATTRIBUTE, path, message);
    }
}

fn tangent_space(rules: &mut Rules<'_, '_, '_, '_>, primitive: &Value, material: &Value, path: &[Step<'_>]) {
    let extension =
        |name: &str, texture: &str| rules.uses(name) && material["extensions"][name][texture].is_object();
    let has_normals = material["normalTexture"].is_object();
    let is_needed = has_normals
        || extension("KHR_materials_clearcoat", "clearcoatNormalTexture")
        || extension("KHR_materials_anisotropy", "anisotropyTexture");
    let attributes = &primitive["attributes"];
    if !is_needed || (attributes.get("NORMAL").is_some() && attributes.get("TANGENT").is_some()) {
        return;
    }
    if has_normals {
        let message = "the primitive has no normals and tangents for the normal map; programs make their own";
        rules.warning(&codes::ATTRIBUTE, path, message);
    } else {
        let message =
            "the material needs normals and tangents, and has no normal map from which they could be made";
        rules.error(&codes::ATTRIBUTE, path, message);
    }
}
