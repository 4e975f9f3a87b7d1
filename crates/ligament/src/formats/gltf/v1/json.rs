//! The JSON of glTF 1.0 as types: dictionaries where 2.0 has arrays, and references by id.

use super::super::json::{self, Extensions, Extra, Num, ObjectOnly, present};
use super::super::uri::Uri;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::marker::PhantomData;

/// A dictionary of objects, in file order.
#[derive(Debug)]
pub(in super::super) struct Ids<T> {
    pub names: Vec<String>,
    pub values: Vec<T>,
    numbers: HashMap<String, u32>,
}

impl<T> Default for Ids<T> {
    fn default() -> Self {
        Self { names: Vec::new(), values: Vec::new(), numbers: HashMap::new() }
    }
}

impl<T> Ids<T> {
    /// The index in a list of the object with this id.
    pub fn number(&self, id: &str) -> Option<u32> {
        self.numbers.get(id).copied()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.names.iter().map(String::as_str).zip(&self.values)
    }

    fn insert(&mut self, id: String, value: T) {
        // Of two members with the same name the last one counts, as usual in JSON.
        if let Some(number) = self.number(&id) {
            self.values[number as usize] = value;
            return;
        }
        self.numbers.insert(id.clone(), self.names.len() as u32);
        self.names.push(id);
        self.values.push(value);
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Ids<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
            type Value = Ids<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Ids<T>, A::Error> {
                let mut ids = Ids::default();
                while let Some((id, value)) = map.next_entry()? {
                    ids.insert(id, value);
                }
                Ok(ids)
            }
        }
        deserializer.deserialize_map(Members(PhantomData))
    }
}

macro_rules! structs {
    ($($(#[$doc:meta])* $name:ident { $($(#[$attr:meta])* $field:ident: $ty:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Default, Deserialize)]
        #[serde(rename_all = "camelCase", default, remote = "Self")]
        pub(in super::super) struct $name {
            $($(#[$attr])* pub $field: $ty,)*
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $name::deserialize(ObjectOnly(deserializer))
            }
        }
    )*};
}

/// Declares structs that have extras too, as nearly every object of the specification does.
macro_rules! objects {
    ($($name:ident { $($fields:tt)* })*) => {
        structs! {$(
            $name {
                $($fields)*
                #[serde(deserialize_with = "present")]
                extras: Extra,
            }
        )*}
    };
}

objects! {
    Root {
        asset: Option<Asset>,
        extensions_used: Vec<String>,
        extensions_required: Vec<String>,
        scene: Option<String>,
        scenes: Ids<Scene>,
        nodes: Ids<Node>,
        meshes: Ids<Mesh>,
        skins: Ids<Skin>,
        animations: Ids<Animation>,
        materials: Ids<Material>,
        techniques: Ids<Technique>,
        programs: Ids<IgnoredAny>,
        shaders: Ids<IgnoredAny>,
        textures: Ids<Texture>,
        images: Ids<Image>,
        samplers: Ids<json::Sampler>,
        cameras: Ids<json::Camera>,
        accessors: Ids<Accessor>,
        buffer_views: Ids<BufferView>,
        buffers: Ids<Buffer>,
        extensions: Extensions,
    }
    Asset {
        generator: Option<String>,
        copyright: Option<String>,
    }
    Scene {
        name: String,
        nodes: Vec<String>,
    }
    Node {
        name: String,
        children: Vec<String>,
        matrix: Option<Box<[Num; 16]>>,
        translation: Option<[Num; 3]>,
        rotation: Option<[Num; 4]>,
        scale: Option<[Num; 3]>,
        meshes: Vec<String>,
        camera: Option<String>,
        skin: Option<String>,
        skeletons: Vec<String>,
        joint_name: Option<String>,
        extensions: Extensions,
    }
    Mesh {
        name: String,
        primitives: Vec<Primitive>,
    }
    Primitive {
        attributes: BTreeMap<String, String>,
        indices: Option<String>,
        material: Option<String>,
        mode: Option<u32>,
    }
    Accessor {
        buffer_view: Option<String>,
        byte_offset: Option<u64>,
        byte_stride: Option<u64>,
        component_type: Option<u32>,
        count: Option<u64>,
        #[serde(rename = "type")]
        kind: String,
    }
    BufferView {
        buffer: Option<String>,
        byte_offset: Option<u64>,
        byte_length: Option<u64>,
    }
    Buffer {
        name: String,
        uri: Option<Uri>,
        byte_length: Option<u64>,
    }
    Skin {
        name: String,
        bind_shape_matrix: Option<Box<[Num; 16]>>,
        inverse_bind_matrices: Option<String>,
        joint_names: Vec<String>,
    }
    Animation {
        name: String,
        channels: Vec<Channel>,
        parameters: BTreeMap<String, String>,
        samplers: Ids<AnimationSampler>,
    }
    Texture {
        name: String,
        sampler: Option<String>,
        source: Option<String>,
    }
    Image {
        name: String,
        uri: Option<Uri>,
        extensions: Extensions,
    }
    Material {
        name: String,
        technique: Option<String>,
        values: Map<String, Value>,
        extensions: Extensions,
    }
}

structs! {
    Channel {
        sampler: Option<String>,
        target: Target,
    }
    Target {
        id: Option<String>,
        path: String,
    }
    AnimationSampler {
        input: Option<String>,
        output: Option<String>,
        interpolation: Option<String>,
    }
    /// An image's KHR_binary_glTF extension.
    BinaryImage {
        buffer_view: Option<String>,
        mime_type: Option<String>,
    }
    /// A material's KHR_materials_common extension.
    CommonMaterial {
        technique: String,
        values: Map<String, Value>,
        double_sided: Option<bool>,
        transparent: Option<bool>,
    }
    Technique {
        parameters: BTreeMap<String, Parameter>,
        states: Option<States>,
    }
    Parameter {
        value: Option<Box<Value>>,
    }
    States {
        enable: Vec<u32>,
    }
    /// A light of KHR_materials_common.
    Light {
        name: String,
        #[serde(rename = "type")]
        kind: String,
        ambient: LightValues,
        directional: LightValues,
        point: LightValues,
        spot: LightValues,
    }
    LightValues {
        color: Vec<Num>,
        constant_attenuation: Option<Num>,
        linear_attenuation: Option<Num>,
        quadratic_attenuation: Option<Num>,
        distance: Option<Num>,
        falloff_angle: Option<Num>,
        falloff_exponent: Option<Num>,
    }
}
