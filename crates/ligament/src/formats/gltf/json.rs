//! The JSON of glTF 2.0 as types, read and written with the same structs.
//!
//! Fields that the specification requires are optional here, so that a missing one is reported with the path of the
//! object that lacks it. `extensions` and `extras` stay JSON. Boxes keep the structs small, because a hostile file can
//! request one with three bytes of text.

use super::uri::Uri;
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

pub(super) type Extensions = Option<Box<Map<String, Value>>>;
pub(super) type Extra = Option<Box<Value>>;

/// A finite f32. JSON can contain numbers that overflow it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Num(pub f32);

impl<'de> Deserialize<'de> for Num {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)? as f32;
        if value.is_finite() {
            Ok(Num(value))
        } else {
            Err(serde::de::Error::custom("number too large for 32-bit floating point"))
        }
    }
}

impl Serialize for Num {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Integers are written without `.0`: shorter, and they stay integers.
        if self.0.fract() == 0.0 && self.0.abs() < 1e6 {
            serializer.serialize_i32(self.0 as i32)
        } else {
            serializer.serialize_f32(self.0)
        }
    }
}

/// Wraps plain numbers.
pub(super) fn nums<const N: usize>(values: [f32; N]) -> [Num; N] {
    values.map(Num)
}

/// Unwraps numbers.
pub(super) fn plain<const N: usize>(values: [Num; N]) -> [f32; N] {
    values.map(|n| n.0)
}

macro_rules! structs {
    ($($(#[$doc:meta])* $name:ident { $($(#[$attr:meta])* $field:ident: $ty:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Default, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase", default, remote = "Self")]
        pub(super) struct $name {
            $($(#[$attr])* #[serde(skip_serializing_if = "Optional::is_absent")] pub $field: $ty,)*
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $name::deserialize(ObjectOnly(deserializer))
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $name::serialize(self, serializer)
            }
        }
    )*};
}

/// Declares structs that have extensions and extras too, as nearly every object of the specification does.
macro_rules! objects {
    ($($(#[$doc:meta])* $name:ident { $($fields:tt)* })*) => {
        structs! {$(
            $(#[$doc])*
            $name {
                $($fields)*
                extensions: Extensions,
                #[serde(deserialize_with = "present")]
                extras: Extra,
            }
        )*}
    };
}

/// Deserialises a struct from a JSON object only: by default, serde also fills structs from arrays, field by field.
pub(super) struct ObjectOnly<D>(pub D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for ObjectOnly<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// Deserialises a value that is present, even if it is null.
pub(super) fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Extra, D::Error> {
    Value::deserialize(deserializer).map(|value| Some(Box::new(value)))
}

trait Optional {
    /// Whether the value is left out of the JSON.
    fn is_absent(&self) -> bool;
}

macro_rules! optional {
    ($([$($generic:ident),*] $type:ty: $is_absent:expr;)*) => {$(
        impl<$($generic),*> Optional for $type {
            fn is_absent(&self) -> bool {
                let is_absent: fn(&Self) -> bool = $is_absent;
                is_absent(self)
            }
        }
    )*};
}

optional! {
    [T] Option<T>: Option::is_none;
    [T] Vec<T>: Vec::is_empty;
    [K, V] BTreeMap<K, V>: BTreeMap::is_empty;
    [] String: String::is_empty;
    [] bool: |is_set| !is_set;
    [] SparseArray: |_| false;
    [] Target: |_| false;
}

objects! {
    Root {
        asset: Option<Asset>,
        extensions_used: Vec<String>,
        extensions_required: Vec<String>,
        scene: Option<u32>,
        scenes: Vec<Scene>,
        nodes: Vec<Node>,
        meshes: Vec<Mesh>,
        skins: Vec<Skin>,
        animations: Vec<Animation>,
        materials: Vec<Material>,
        textures: Vec<Texture>,
        images: Vec<Image>,
        samplers: Vec<Sampler>,
        cameras: Vec<Camera>,
        /// KHR_technique_webgl.
        techniques: Extra,
        accessors: Vec<Accessor>,
        buffer_views: Vec<BufferView>,
        buffers: Vec<Buffer>,
    }
    Asset {
        version: String,
        min_version: Option<String>,
        generator: Option<String>,
        copyright: Option<String>,
    }
    Scene {
        name: String,
        nodes: Vec<u32>,
    }
    Node {
        name: String,
        children: Vec<u32>,
        matrix: Option<Box<[Num; 16]>>,
        translation: Option<[Num; 3]>,
        rotation: Option<[Num; 4]>,
        scale: Option<[Num; 3]>,
        mesh: Option<u32>,
        skin: Option<u32>,
        weights: Vec<Num>,
        camera: Option<u32>,
    }
    Mesh {
        name: String,
        primitives: Vec<Primitive>,
        weights: Vec<Num>,
    }
    Primitive {
        attributes: BTreeMap<String, u32>,
        indices: Option<u32>,
        material: Option<u32>,
        mode: Option<u32>,
        targets: Vec<BTreeMap<String, u32>>,
    }
    Accessor {
        name: Option<Box<str>>,
        buffer_view: Option<u32>,
        byte_offset: Option<u64>,
        /// Belongs to accessors in glTF 1.0, to views in 2.0.
        #[serde(skip)]
        byte_stride: Option<u64>,
        component_type: Option<u32>,
        normalized: bool,
        count: Option<u64>,
        #[serde(rename = "type")]
        kind: String,
        min: Vec<Num>,
        max: Vec<Num>,
        sparse: Option<Box<Sparse>>,
    }
    Sparse {
        count: Option<u64>,
        indices: SparseArray,
        values: SparseArray,
    }
    SparseArray {
        buffer_view: Option<u32>,
        byte_offset: Option<u64>,
        component_type: Option<u32>,
    }
    BufferView {
        name: Option<Box<str>>,
        buffer: Option<u32>,
        byte_offset: Option<u64>,
        byte_length: Option<u64>,
        byte_stride: Option<u64>,
        target: Option<u32>,
    }
    Buffer {
        name: String,
        uri: Option<Uri>,
        byte_length: Option<u64>,
    }
    Skin {
        name: String,
        inverse_bind_matrices: Option<u32>,
        /// glTF 1.0: the matrix that is applied to vertices before the inverse bind matrices.
        #[serde(skip)]
        bind_shape_matrix: Option<Box<[Num; 16]>>,
        skeleton: Option<u32>,
        joints: Vec<u32>,
    }
    Animation {
        name: String,
        channels: Vec<Channel>,
        samplers: Vec<AnimationSampler>,
    }
    Channel {
        sampler: Option<u32>,
        target: Target,
    }
    Target {
        node: Option<u32>,
        path: String,
    }
    AnimationSampler {
        input: Option<u32>,
        output: Option<u32>,
        interpolation: Option<String>,
    }
    Texture {
        name: String,
        sampler: Option<u32>,
        source: Option<u32>,
    }
    Image {
        name: String,
        uri: Option<Uri>,
        mime_type: Option<String>,
        buffer_view: Option<u32>,
    }
    Sampler {
        name: String,
        mag_filter: Option<u32>,
        min_filter: Option<u32>,
        wrap_s: Option<u32>,
        wrap_t: Option<u32>,
    }
    Material {
        name: String,
        pbr_metallic_roughness: Option<Box<Pbr>>,
        normal_texture: Option<Box<TextureInfo>>,
        occlusion_texture: Option<Box<TextureInfo>>,
        emissive_texture: Option<Box<TextureInfo>>,
        emissive_factor: Option<[Num; 3]>,
        alpha_mode: Option<String>,
        alpha_cutoff: Option<Num>,
        double_sided: bool,
        /// KHR_technique_webgl.
        values: Extra,
        /// The values of a glTF 1.0 material.
        #[serde(skip)]
        shading: Option<Box<Shading>>,
    }
    Pbr {
        base_color_factor: Option<[Num; 4]>,
        base_color_texture: Option<TextureInfo>,
        metallic_factor: Option<Num>,
        roughness_factor: Option<Num>,
        metallic_roughness_texture: Option<TextureInfo>,
    }
    TextureInfo {
        index: Option<u32>,
        tex_coord: Option<u32>,
        scale: Option<Num>,
        strength: Option<Num>,
    }
    Camera {
        name: String,
        #[serde(rename = "type")]
        kind: String,
        perspective: Option<Perspective>,
        orthographic: Option<Orthographic>,
    }
    Perspective {
        aspect_ratio: Option<Num>,
        yfov: Option<Num>,
        zfar: Option<Num>,
        znear: Option<Num>,
    }
    Orthographic {
        xmag: Option<Num>,
        ymag: Option<Num>,
        zfar: Option<Num>,
        znear: Option<Num>,
    }
    /// KHR_draco_mesh_compression of a primitive.
    Draco {
        buffer_view: Option<u32>,
        attributes: BTreeMap<String, u32>,
    }
    /// EXT_meshopt_compression or KHR_meshopt_compression of a buffer view.
    Meshopt {
        buffer: Option<u32>,
        byte_offset: Option<u64>,
        byte_length: Option<u64>,
        byte_stride: Option<u64>,
        count: Option<u64>,
        mode: String,
        filter: Option<String>,
    }
    /// KHR_lights_punctual.
    Light {
        name: String,
        #[serde(rename = "type")]
        kind: String,
        color: Option<[Num; 3]>,
        intensity: Option<Num>,
        range: Option<Num>,
        spot: Option<Spot>,
    }
}

structs! {
    /// KHR_texture_transform.
    TextureTransform {
        offset: Option<[Num; 2]>,
        rotation: Option<Num>,
        scale: Option<[Num; 2]>,
        tex_coord: Option<u32>,
    }
    /// KHR_materials_specular.
    Specular {
        specular_factor: Option<Num>,
        specular_texture: Option<TextureInfo>,
        specular_color_factor: Option<[Num; 3]>,
        specular_color_texture: Option<TextureInfo>,
    }
    /// KHR_materials_pbrSpecularGlossiness.
    Glossiness {
        diffuse_factor: Option<[Num; 4]>,
        diffuse_texture: Option<TextureInfo>,
        specular_factor: Option<[Num; 3]>,
        glossiness_factor: Option<Num>,
        specular_glossiness_texture: Option<TextureInfo>,
    }
    Spot {
        inner_cone_angle: Option<Num>,
        outer_cone_angle: Option<Num>,
    }
}

/// The values that a material passes to a technique.
#[derive(Debug, Clone, Default)]
pub(super) struct Shading {
    /// LAMBERT, PHONG, BLINN or CONSTANT; empty if shaders decide.
    pub technique: String,
    pub values: Map<String, Value>,
}

/// Looks up an extension of an object.
pub(super) fn extension<'e>(extensions: &'e Extensions, name: &str) -> Option<&'e Value> {
    extensions.as_ref()?.get(name)
}

impl Node {
    /// Whether it has no transform.
    pub fn is_unplaced(&self) -> bool {
        self.matrix.is_none() && self.translation.is_none() && self.rotation.is_none() && self.scale.is_none()
    }
}

/// The extensions of an object that has only one.
pub(super) fn one_extension(name: &str, value: Value) -> Extensions {
    Some(Box::new(Map::from_iter([(name.to_owned(), value)])))
}

/// Looks up an extension of an object as a struct; `Err` says what is wrong with it.
pub(super) fn typed_extension<T: for<'de> Deserialize<'de>>(
    extensions: &Extensions,
    name: &str,
) -> Result<Option<T>, serde_json::Error> {
    extension(extensions, name).map(T::deserialize).transpose()
}
