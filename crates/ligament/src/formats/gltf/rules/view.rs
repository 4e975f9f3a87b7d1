//! A document's JSON, asked by meaning: lists, references, integers. What is broken answers `None`, because `walk.rs`
//! has already reported it.

use serde_json::{Map, Value};

pub(super) type Fields = Map<String, Value>;

/// The lists whose elements are referred to by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum List {
    Accessors,
    BufferViews,
    Buffers,
    Cameras,
    Images,
    Materials,
    Meshes,
    Nodes,
    Samplers,
    Scenes,
    Skins,
    Textures,
    /// KHR_lights_punctual.
    Lights,
    /// KHR_materials_variants.
    Variants,
}

impl List {
    /// The list's name in the JSON, and what one element is called.
    pub fn names(self) -> (&'static str, &'static str) {
        match self {
            List::Accessors => ("accessors", "accessor"),
            List::BufferViews => ("bufferViews", "buffer view"),
            List::Buffers => ("buffers", "buffer"),
            List::Cameras => ("cameras", "camera"),
            List::Images => ("images", "image"),
            List::Materials => ("materials", "material"),
            List::Meshes => ("meshes", "mesh"),
            List::Nodes => ("nodes", "node"),
            List::Samplers => ("samplers", "sampler"),
            List::Scenes => ("scenes", "scene"),
            List::Skins => ("skins", "skin"),
            List::Textures => ("textures", "texture"),
            List::Lights => ("lights", "light"),
            List::Variants => ("variants", "variant"),
        }
    }

    pub fn of(self, root: &Value) -> &[Value] {
        let within = match self {
            List::Lights => &root["extensions"]["KHR_lights_punctual"],
            List::Variants => &root["extensions"]["KHR_materials_variants"],
            _ => root,
        };
        items(&within[self.names().0])
    }
}

/// The elements of an array.
pub(super) fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A non-negative integer, which may be written as `1.0`.
pub(super) fn integer(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| {
        let value = value.as_f64()?;
        ((0.0..9e15).contains(&value) && value.fract() == 0.0).then_some(value as u64)
    })
}

/// A reference in a property.
pub(super) fn index(value: &Value, name: &str) -> Option<usize> {
    usize::try_from(integer(value.get(name)?)?).ok()
}

/// The valid references of an array, with their positions.
pub(super) fn indices<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = (usize, usize)> + 'v {
    let list = items(&value[name]).iter().enumerate();
    list.filter_map(|(position, value)| Some((position, usize::try_from(integer(value)?).ok()?)))
}

/// The accessors of a primitive's attributes, or of one of its morph targets.
pub(super) fn attributes(value: &Value) -> impl Iterator<Item = (&str, usize)> {
    let map = value.as_object().into_iter().flatten();
    map.filter_map(|(name, value)| Some((name.as_str(), usize::try_from(integer(value)?).ok()?)))
}

/// The number of an attribute such as `TEXCOORD_1`, without leading zeros.
pub(super) fn set_number(digits: &str) -> Option<usize> {
    let is_plain =
        digits.bytes().all(|b| b.is_ascii_digit()) && (digits.len() == 1 || !digits.starts_with('0'));
    if is_plain { digits.parse().ok() } else { None }
}

/// How many sets of an attribute a primitive has, if they are numbered from 0 without gaps.
pub(super) fn sets(primitive: &Value, prefix: &str) -> usize {
    let map = primitive["attributes"].as_object();
    let numbers = map
        .into_iter()
        .flatten()
        .filter_map(|(name, _)| set_number(name.strip_prefix(prefix)?.strip_prefix('_')?));
    let (count, last) = numbers.fold((0, None), |(count, last), number| (count + 1, last.max(Some(number))));
    if last.map_or(0, |last| last.saturating_add(1)) == count { count } else { 0 }
}

/// The morph targets of a mesh, which all of its primitives share.
pub(super) fn morph_count(mesh: &Value) -> usize {
    items(&mesh["primitives"]).first().map_or(0, |primitive| items(&primitive["targets"]).len())
}
