//! What is known about extensions that a scene has no fields for: whether they only change the look, and where their
//! JSON refers to objects of the file by index.

use super::{EXTENSIONS, EXTRAS};
use crate::scene::Extras;
use serde_json::{Map, Value, json};

pub(super) const VISIBILITY: &str = "KHR_node_visibility";
pub(super) const INSTANCING: &str = "EXT_mesh_gpu_instancing";
pub(super) const SPECULAR_GLOSSINESS: &str = "KHR_materials_pbrSpecularGlossiness";
/// VRM 1.0 and VRM 0.x.
pub(super) const VRM: [&str; 2] = ["VRMC_vrm", "VRM"];

/// The keys in `extras.gltf` for extensions: those of the object (for a scene's extras, those of the whole file), and
/// those of the default scene.
pub(super) const OF_OBJECT: &str = "extensions";
pub(super) const OF_SCENE: &str = "scene_extensions";

/// The number by which extensions refer to the object, the mesh and the light of a hidden node, and the extensions that the
/// file requires.
pub(super) const INDEX: &str = "index";
pub(super) const HIDDEN: &str = "hidden";
pub(super) const REQUIRED: &str = "required";

/// The kind of object that an index refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum To {
    Node,
    /// The node that draws a mesh. The writer may move a skinned mesh to another node.
    DrawingNode,
    Mesh,
    Skin,
    Material,
    Texture,
    Image,
    Light,
}

/// The members of known extensions that are indices. `*` stands for every member or element. An index that ends with `?`
/// is removed if its object is lost; otherwise the extension makes no sense without it and is dropped.
const REFERENCES: &[(&str, &str, To)] = &[
    ("KHR_materials_variants", "mappings.*.material", To::Material),
    ("EXT_lights_image_based", "lights.*.specularImages.*.*", To::Image),
    ("MSFT_texture_dds", "source", To::Image),
    ("VRMC_vrm", "meta.thumbnailImage?", To::Image),
    ("VRMC_vrm", "humanoid.humanBones.*.node", To::Node),
    ("VRMC_vrm", "firstPerson.meshAnnotations.*.node", To::DrawingNode),
    ("VRMC_vrm", "expressions.*.*.morphTargetBinds.*.node", To::DrawingNode),
    ("VRMC_vrm", "expressions.*.*.materialColorBinds.*.material", To::Material),
    ("VRMC_vrm", "expressions.*.*.textureTransformBinds.*.material", To::Material),
    ("VRMC_vrm_animation", "humanoid.humanBones.*.node", To::Node),
    ("VRMC_vrm_animation", "expressions.*.*.node", To::Node),
    ("VRMC_vrm_animation", "lookAt.node", To::Node),
    ("VRMC_springBone", "colliders.*.node", To::Node),
    ("VRMC_springBone", "springs.*.joints.*.node", To::Node),
    ("VRMC_springBone", "springs.*.center?", To::Node),
    ("VRMC_node_constraint", "constraint.*.source", To::Node),
    ("VRM", "meta.texture?", To::Texture),
    ("VRM", "humanoid.humanBones.*.node", To::Node),
    ("VRM", "firstPerson.firstPersonBone?", To::Node),
    ("VRM", "firstPerson.meshAnnotations.*.mesh", To::Mesh),
    ("VRM", "blendShapeMaster.blendShapeGroups.*.binds.*.mesh", To::Mesh),
    ("VRM", "secondaryAnimation.boneGroups.*.bones.*", To::Node),
    ("VRM", "secondaryAnimation.boneGroups.*.center?", To::Node),
    ("VRM", "secondaryAnimation.colliderGroups.*.node", To::Node),
    ("VRM", "materialProperties.*.textureProperties.*?", To::Texture),
];

/// Extensions whose integers are no indices of the file's objects: values, or positions in their own lists.
const SELF_CONTAINED: &[&str] = &[
    VISIBILITY,
    "KHR_node_hoverability",
    "KHR_node_selectability",
    "KHR_xmp_json_ld",
    "KHR_xmp",
    "EXT_lights_ies",
];

/// The second word of the names of extensions that change how a model looks, or only describe it.
const LOOKS: &[&str] = &["materials", "material", "packing", "texture", "image", "lights", "light", "xmp"];

fn is_of_materials(name: &str) -> bool {
    matches!(name.split('_').nth(1), Some("materials" | "material" | "packing"))
}

/// Whether a file can be read without the extension because it changes neither geometry nor motion. Names are
/// `VENDOR_subject_detail`.
pub(super) fn only_changes_the_look(name: &str) -> bool {
    let is_shape = name.contains("displacement");
    name.split('_').nth(1).is_some_and(|subject| LOOKS.contains(&subject)) && !is_shape
}

fn is_known(name: &str) -> bool {
    SELF_CONTAINED.contains(&name) || REFERENCES.iter().any(|(known, ..)| *known == name)
}

/// Whether a file that requires the extension can be read, even if the extension's own data is lost.
pub(super) fn is_readable(name: &str) -> bool {
    is_known(name) || only_changes_the_look(name)
}

/// Whether the extension's JSON can be written to another file: all indices in it are known. An integer in an unknown
/// extension might be one, and a wrong index is worse than none.
pub(super) fn can_travel(name: &str, value: &Value) -> bool {
    ((is_known(name) || is_of_materials(name)) && !has_data(value)) || !has_integer(value)
}

/// Whether it refers to data in the file's buffers, which are written anew.
fn has_data(value: &Value) -> bool {
    match value {
        Value::Array(list) => list.iter().any(has_data),
        Value::Object(members) => members
            .iter()
            .any(|(name, member)| matches!(name.as_str(), "bufferView" | "accessor") || has_data(member)),
        _ => false,
    }
}

fn has_integer(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_u64(),
        Value::Array(list) => list.iter().any(has_integer),
        Value::Object(members) => members.values().any(has_integer),
        _ => false,
    }
}

/// Replaces the indices in an extension's JSON. Returns false if the extension makes no sense any more.
pub(super) fn renumber(
    name: &str,
    value: &mut Value,
    number: &mut dyn FnMut(To, u64) -> Option<u64>,
) -> bool {
    if EXTENSIONS.contains(&name) {
        return true;
    }
    for (_, path, to) in REFERENCES.iter().filter(|(known, ..)| *known == name) {
        let is_optional = path.ends_with('?');
        let steps: Vec<&str> = path.trim_end_matches('?').split('.').collect();
        if !follow(value, &steps, is_optional, &mut |index| number(*to, index)) {
            return false;
        }
    }
    if is_of_materials(name) {
        textures(value, number);
    }
    true
}

/// Replaces the indices at the end of a path. Returns false if one is lost that is not optional.
fn follow(
    value: &mut Value,
    steps: &[&str],
    is_optional: bool,
    number: &mut dyn FnMut(u64) -> Option<u64>,
) -> bool {
    let Some((step, rest)) = steps.split_first() else {
        // VRM 0.x writes -1 for none.
        let Some(index) = value.as_u64() else { return true };
        let new = number(index);
        *value = new.map_or(Value::Null, Value::from);
        return new.is_some();
    };
    let is_last = rest.is_empty();
    match value {
        Value::Array(list) if *step == "*" => {
            list.iter_mut().all(|element| follow(element, rest, is_optional, number))
        }
        Value::Object(members) => {
            let names: Vec<String> = match *step {
                "*" => members.keys().cloned().collect(),
                name => vec![name.to_owned()],
            };
            names.iter().all(|name| {
                let Some(member) = members.get_mut(name) else { return true };
                let is_whole = follow(member, rest, is_optional, number);
                if !is_whole && is_last && is_optional {
                    members.shift_remove(name);
                    return true;
                }
                is_whole
            })
        }
        _ => true,
    }
}

/// Replaces the textures of a material's extension: objects with an `index` in members called `...Texture`. One that is
/// lost is removed.
fn textures(value: &mut Value, number: &mut dyn FnMut(To, u64) -> Option<u64>) {
    match value {
        Value::Object(members) => members.retain(|name, member| {
            let index = member.get("index").and_then(Value::as_u64);
            if let Some(index) = index.filter(|_| name.ends_with("Texture")) {
                let new = number(To::Texture, index);
                member["index"] = json!(new);
                return new.is_some();
            }
            textures(member, number);
            true
        }),
        Value::Array(list) => list.iter_mut().for_each(|element| textures(element, number)),
        _ => {}
    }
}

/// VRM 0.x lists properties of all materials in their order. Returns the length of the list.
pub(super) fn listed_materials(name: &str, value: &Value) -> Option<usize> {
    let list = value.get("materialProperties").filter(|_| name == "VRM")?;
    list.as_array().map(Vec::len)
}

/// The names of the extensions inside an extension.
pub(super) fn nested(value: &Value, found: &mut dyn FnMut(&str)) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if let ("extensions", Value::Object(inner)) = (name.as_str(), member) {
                    inner.keys().for_each(|name| found(name));
                }
                nested(member, found);
            }
        }
        Value::Array(list) => list.iter().for_each(|element| nested(element, found)),
        _ => {}
    }
}

/// Removes the values that importing stores, so that a file's own extras cannot be mistaken for them.
pub(super) fn clear(extras: &mut Extras) {
    if extras.contains_key(EXTRAS) {
        for key in [OF_OBJECT, OF_SCENE, INDEX, HIDDEN, REQUIRED] {
            take(extras, key);
        }
    }
}

/// Stores a value of glTF's own in an object's extras, under `gltf`.
pub(super) fn store(extras: &mut Extras, key: &str, value: Value) {
    let own = extras.entry(EXTRAS).or_insert_with(|| Value::Object(Map::new()));
    if !own.is_object() {
        *own = Value::Object(Map::new());
    }
    own[key] = value;
}

/// Takes a value of glTF's own out of an object's extras.
pub(super) fn take(extras: &mut Extras, key: &str) -> Option<Value> {
    let own = extras.get_mut(EXTRAS)?.as_object_mut()?;
    let value = own.shift_remove(key);
    if value.is_some() && own.is_empty() {
        extras.shift_remove(EXTRAS);
    }
    value
}

/// A value of glTF's own in an object's extras.
pub(super) fn stored<'e>(extras: &'e mut Extras, key: &str) -> Option<&'e mut Value> {
    extras.get_mut(EXTRAS)?.get_mut(key)
}
