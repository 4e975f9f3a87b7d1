//! The objects of glTF as data: which properties each has, of which type, in which range, and what they refer to.
//!
//! `walk.rs` compares a document with these tables. A rule that looks at two properties of one object is a function
//! beside its table; rules about several objects are in the other files.

use super::Rules;
use super::local::{
    accessor, animation_target, asset, buffer, buffer_view, camera, image, light, material, node,
};
use super::local::{mesh, orthographic, perspective, primitive, root, spot};
use super::view::List;
use crate::formats::gltf::locate::Step;
use serde_json::{Map, Value};

/// A rule about one object: its properties, and its path.
pub(super) type Rule = for<'v> fn(&mut Rules<'_, '_, '_, 'v>, &'v Map<String, Value>, &[Step<'v>]);

/// The place of an extension: the kind of object that it extends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Root,
    Node,
    Material,
    Primitive,
    Texture,
    TextureInfo,
    Target,
    /// An object that no known extension extends.
    Other,
}

pub(super) struct Object {
    pub of: Type,
    pub properties: &'static [Property],
    pub rule: Option<Rule>,
}

pub(super) struct Property {
    pub name: &'static str,
    pub kind: Kind,
    pub required: bool,
}

pub(super) enum Kind {
    Bool,
    Text,
    /// `MAJOR.MINOR`.
    Version,
    /// A JSON pointer.
    Pointer,
    /// One of these words; another one is only a warning, as extensions may add some.
    Word(&'static [&'static str]),
    /// An integer of at least the first number, and at most the second.
    Integer(u64, u64),
    /// One of these integers; another one is only a warning.
    Constant(&'static [u64]),
    Number(Range),
    /// So many numbers; any number of them, but at least one, if it is `None`.
    Numbers(Option<usize>, Range),
    /// A reference to an element of a list.
    Index(List),
    /// References to elements of a list, each at most once.
    Indices(List),
    /// Texts, each at most once.
    Texts,
    Object(&'static Object),
    /// At least one object.
    Objects(&'static Object),
    /// Attribute names and their accessors.
    Attributes,
    /// Attributes of each morph target.
    Targets,
}

/// The numbers that a property may have.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    pub min: f64,
    pub max: f64,
    /// Whether the limits themselves are excluded.
    pub above: bool,
    pub below: bool,
    /// A number outside the range that has a meaning of its own.
    pub or: Option<f64>,
}

impl Range {
    pub fn contains(&self, value: f64) -> bool {
        let low = if self.above { value > self.min } else { value >= self.min };
        let high = if self.below { value < self.max } else { value <= self.max };
        (low && high) || self.or == Some(value)
    }
}

const INF: f64 = f64::INFINITY;
const fn range(min: f64, max: f64) -> Range {
    Range { min, max, above: false, below: false, or: None }
}
pub(super) const ANY: Range = range(-INF, INF);
const UNIT: Range = range(0.0, 1.0);
const SIGNED_UNIT: Range = range(-1.0, 1.0);
const POSITIVE: Range = Range { above: true, ..range(0.0, INF) };
const NOT_NEGATIVE: Range = range(0.0, INF);
const RIGHT_ANGLE: f64 = std::f64::consts::FRAC_PI_2;

const MAX: u64 = u64::MAX;

const fn p(name: &'static str, kind: Kind) -> Property {
    Property { name, kind, required: false }
}

const fn needed(name: &'static str, kind: Kind) -> Property {
    Property { name, kind, required: true }
}

const NAME: Property = p("name", Kind::Text);

const fn object(of: Type, properties: &'static [Property], rule: Option<Rule>) -> Object {
    Object { of, properties, rule }
}

const fn plain(properties: &'static [Property]) -> Object {
    object(Type::Other, properties, None)
}

const fn list(name: &'static str, of: &'static Object) -> Property {
    p(name, Kind::Objects(of))
}

pub(super) static ROOT: Object = object(
    Type::Root,
    &[
        p("extensionsUsed", Kind::Texts),
        p("extensionsRequired", Kind::Texts),
        needed("asset", Kind::Object(&ASSET)),
        list("accessors", &ACCESSOR),
        list("animations", &ANIMATION),
        list("buffers", &BUFFER),
        list("bufferViews", &BUFFER_VIEW),
        list("cameras", &CAMERA),
        list("images", &IMAGE),
        list("materials", &MATERIAL),
        list("meshes", &MESH),
        list("nodes", &NODE),
        list("samplers", &SAMPLER),
        p("scene", Kind::Index(List::Scenes)),
        list("scenes", &SCENE),
        list("skins", &SKIN),
        list("textures", &TEXTURE),
    ],
    Some(root),
);

static ASSET: Object = object(
    Type::Other,
    &[
        p("copyright", Kind::Text),
        p("generator", Kind::Text),
        needed("version", Kind::Version),
        p("minVersion", Kind::Version),
    ],
    Some(asset),
);

static ACCESSOR: Object = object(
    Type::Other,
    &[
        p("bufferView", Kind::Index(List::BufferViews)),
        p("byteOffset", Kind::Integer(0, MAX)),
        needed("componentType", Kind::Constant(&[5120, 5121, 5122, 5123, 5125, 5126])),
        needed("count", Kind::Integer(1, MAX)),
        needed("type", Kind::Word(&["SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"])),
        p("normalized", Kind::Bool),
        p("max", Kind::Numbers(None, ANY)),
        p("min", Kind::Numbers(None, ANY)),
        p("sparse", Kind::Object(&SPARSE)),
        NAME,
    ],
    Some(accessor),
);

static SPARSE: Object = plain(&[
    needed("count", Kind::Integer(1, MAX)),
    needed("indices", Kind::Object(&SPARSE_INDICES)),
    needed("values", Kind::Object(&SPARSE_VALUES)),
]);

static SPARSE_INDICES: Object = plain(&[
    needed("bufferView", Kind::Index(List::BufferViews)),
    p("byteOffset", Kind::Integer(0, MAX)),
    needed("componentType", Kind::Constant(&[5121, 5123, 5125])),
]);

static SPARSE_VALUES: Object =
    plain(&[needed("bufferView", Kind::Index(List::BufferViews)), p("byteOffset", Kind::Integer(0, MAX))]);

static ANIMATION: Object = plain(&[
    needed("channels", Kind::Objects(&CHANNEL)),
    needed("samplers", Kind::Objects(&ANIMATION_SAMPLER)),
    NAME,
]);

// A channel's sampler is looked up in its own animation, by `animations.rs`.
static CHANNEL: Object =
    plain(&[needed("sampler", Kind::Integer(0, MAX)), needed("target", Kind::Object(&TARGET))]);

static TARGET: Object = object(
    Type::Target,
    &[p("node", Kind::Index(List::Nodes)), needed("path", Kind::Text)],
    Some(animation_target),
);

static ANIMATION_SAMPLER: Object = plain(&[
    needed("input", Kind::Index(List::Accessors)),
    p("interpolation", Kind::Word(&["LINEAR", "STEP", "CUBICSPLINE"])),
    needed("output", Kind::Index(List::Accessors)),
]);

static BUFFER: Object = object(
    Type::Other,
    &[p("uri", Kind::Text), needed("byteLength", Kind::Integer(1, MAX)), NAME],
    Some(buffer),
);

static BUFFER_VIEW: Object = object(
    Type::Other,
    &[
        needed("buffer", Kind::Index(List::Buffers)),
        p("byteOffset", Kind::Integer(0, MAX)),
        needed("byteLength", Kind::Integer(1, MAX)),
        p("byteStride", Kind::Integer(4, 252)),
        p("target", Kind::Constant(&[34962, 34963])),
        NAME,
    ],
    Some(buffer_view),
);

static CAMERA: Object = object(
    Type::Other,
    &[
        needed("type", Kind::Word(&["orthographic", "perspective"])),
        p("orthographic", Kind::Object(&ORTHOGRAPHIC)),
        p("perspective", Kind::Object(&PERSPECTIVE)),
        NAME,
    ],
    Some(camera),
);

static ORTHOGRAPHIC: Object = object(
    Type::Other,
    &[
        needed("xmag", Kind::Number(ANY)),
        needed("ymag", Kind::Number(ANY)),
        needed("zfar", Kind::Number(POSITIVE)),
        needed("znear", Kind::Number(NOT_NEGATIVE)),
    ],
    Some(orthographic),
);

static PERSPECTIVE: Object = object(
    Type::Other,
    &[
        p("aspectRatio", Kind::Number(POSITIVE)),
        needed("yfov", Kind::Number(POSITIVE)),
        p("zfar", Kind::Number(POSITIVE)),
        needed("znear", Kind::Number(POSITIVE)),
    ],
    Some(perspective),
);

static IMAGE: Object = object(
    Type::Other,
    &[p("bufferView", Kind::Index(List::BufferViews)), p("mimeType", Kind::Text), p("uri", Kind::Text), NAME],
    Some(image),
);

static MATERIAL: Object = object(
    Type::Material,
    &[
        p("pbrMetallicRoughness", Kind::Object(&PBR)),
        p("normalTexture", Kind::Object(&NORMAL_TEXTURE)),
        p("occlusionTexture", Kind::Object(&OCCLUSION_TEXTURE)),
        p("emissiveTexture", Kind::Object(&TEXTURE_INFO)),
        p("emissiveFactor", Kind::Numbers(Some(3), UNIT)),
        p("alphaMode", Kind::Word(&["OPAQUE", "MASK", "BLEND"])),
        p("alphaCutoff", Kind::Number(NOT_NEGATIVE)),
        p("doubleSided", Kind::Bool),
        NAME,
    ],
    Some(material),
);

static PBR: Object = plain(&[
    p("baseColorFactor", Kind::Numbers(Some(4), UNIT)),
    p("baseColorTexture", Kind::Object(&TEXTURE_INFO)),
    p("metallicFactor", Kind::Number(UNIT)),
    p("roughnessFactor", Kind::Number(UNIT)),
    p("metallicRoughnessTexture", Kind::Object(&TEXTURE_INFO)),
]);

const TEXTURE_INDEX: Property = needed("index", Kind::Index(List::Textures));
const TEX_COORD: Property = p("texCoord", Kind::Integer(0, MAX));

pub(super) static TEXTURE_INFO: Object = object(Type::TextureInfo, &[TEXTURE_INDEX, TEX_COORD], None);

pub(super) static NORMAL_TEXTURE: Object =
    object(Type::TextureInfo, &[TEXTURE_INDEX, TEX_COORD, p("scale", Kind::Number(ANY))], None);

static OCCLUSION_TEXTURE: Object =
    object(Type::TextureInfo, &[TEXTURE_INDEX, TEX_COORD, p("strength", Kind::Number(UNIT))], None);

static MESH: Object = object(
    Type::Other,
    &[needed("primitives", Kind::Objects(&PRIMITIVE)), p("weights", Kind::Numbers(None, ANY)), NAME],
    Some(mesh),
);

static PRIMITIVE: Object = object(
    Type::Primitive,
    &[
        needed("attributes", Kind::Attributes),
        p("indices", Kind::Index(List::Accessors)),
        p("material", Kind::Index(List::Materials)),
        p("mode", Kind::Integer(0, 6)),
        p("targets", Kind::Targets),
    ],
    Some(primitive),
);

static NODE: Object = object(
    Type::Node,
    &[
        p("camera", Kind::Index(List::Cameras)),
        p("children", Kind::Indices(List::Nodes)),
        p("skin", Kind::Index(List::Skins)),
        p("matrix", Kind::Numbers(Some(16), ANY)),
        p("mesh", Kind::Index(List::Meshes)),
        p("rotation", Kind::Numbers(Some(4), SIGNED_UNIT)),
        p("scale", Kind::Numbers(Some(3), ANY)),
        p("translation", Kind::Numbers(Some(3), ANY)),
        p("weights", Kind::Numbers(None, ANY)),
        NAME,
    ],
    Some(node),
);

static SAMPLER: Object = plain(&[
    p("magFilter", Kind::Constant(&[9728, 9729])),
    p("minFilter", Kind::Constant(&[9728, 9729, 9984, 9985, 9986, 9987])),
    p("wrapS", Kind::Constant(&[33071, 33648, 10497])),
    p("wrapT", Kind::Constant(&[33071, 33648, 10497])),
    NAME,
]);

static SCENE: Object = plain(&[p("nodes", Kind::Indices(List::Nodes)), NAME]);

static SKIN: Object = plain(&[
    p("inverseBindMatrices", Kind::Index(List::Accessors)),
    p("skeleton", Kind::Index(List::Nodes)),
    needed("joints", Kind::Indices(List::Nodes)),
    NAME,
]);

static TEXTURE: Object = object(
    Type::Texture,
    &[p("sampler", Kind::Index(List::Samplers)), p("source", Kind::Index(List::Images)), NAME],
    None,
);

/// An extension: the objects that it extends, and what it adds to each.
pub(super) struct Extension {
    pub name: &'static str,
    pub adds: &'static [(Type, &'static Object)],
    /// Whether other extensions beside it may contradict it.
    pub alone: bool,
    /// Whether a file that uses it must require it.
    pub required: bool,
}

const fn extension(name: &'static str, adds: &'static [(Type, &'static Object)]) -> Extension {
    Extension { name, adds, alone: false, required: false }
}

macro_rules! of_materials {
    ($($property:expr),* $(,)?) => {{
        static OBJECT: Object = plain(&[$($property),*]);
        &[(Type::Material, &OBJECT)]
    }};
}

const fn map(name: &'static str) -> Property {
    p(name, Kind::Object(&TEXTURE_INFO))
}

const fn factor(name: &'static str) -> Property {
    p(name, Kind::Number(UNIT))
}

/// The extensions whose rules are known.
pub(super) static EXTENSIONS: &[Extension] = &[
    extension("EXT_texture_webp", {
        static OBJECT: Object = plain(&[p("source", Kind::Index(List::Images))]);
        &[(Type::Texture, &OBJECT)]
    }),
    extension("KHR_animation_pointer", {
        static OBJECT: Object = plain(&[needed("pointer", Kind::Pointer)]);
        &[(Type::Target, &OBJECT)]
    }),
    extension("KHR_lights_punctual", {
        static LIGHTS: Object = plain(&[needed("lights", Kind::Objects(&LIGHT))]);
        static LIGHT: Object = object(
            Type::Other,
            &[
                p("color", Kind::Numbers(Some(3), UNIT)),
                p("intensity", Kind::Number(NOT_NEGATIVE)),
                p("spot", Kind::Object(&SPOT)),
                needed("type", Kind::Word(&["directional", "point", "spot"])),
                p("range", Kind::Number(POSITIVE)),
                NAME,
            ],
            Some(light),
        );
        static SPOT: Object = object(
            Type::Other,
            &[
                p("innerConeAngle", Kind::Number(Range { below: true, ..range(0.0, RIGHT_ANGLE) })),
                p("outerConeAngle", Kind::Number(Range { above: true, ..range(0.0, RIGHT_ANGLE) })),
            ],
            Some(spot),
        );
        static USE: Object = plain(&[needed("light", Kind::Index(List::Lights))]);
        &[(Type::Root, &LIGHTS), (Type::Node, &USE)]
    }),
    extension(
        "KHR_materials_anisotropy",
        of_materials![
            factor("anisotropyStrength"),
            p("anisotropyRotation", Kind::Number(ANY)),
            map("anisotropyTexture"),
        ],
    ),
    extension(
        "KHR_materials_clearcoat",
        of_materials![
            factor("clearcoatFactor"),
            map("clearcoatTexture"),
            factor("clearcoatRoughnessFactor"),
            map("clearcoatRoughnessTexture"),
            p("clearcoatNormalTexture", Kind::Object(&NORMAL_TEXTURE)),
        ],
    ),
    extension("KHR_materials_dispersion", of_materials![p("dispersion", Kind::Number(NOT_NEGATIVE))]),
    extension(
        "KHR_materials_emissive_strength",
        of_materials![p("emissiveStrength", Kind::Number(NOT_NEGATIVE))],
    ),
    extension(
        "KHR_materials_ior",
        of_materials![p("ior", Kind::Number(Range { or: Some(0.0), ..range(1.0, INF) }))],
    ),
    extension(
        "KHR_materials_iridescence",
        of_materials![
            factor("iridescenceFactor"),
            map("iridescenceTexture"),
            p("iridescenceIor", Kind::Number(range(1.0, INF))),
            p("iridescenceThicknessMinimum", Kind::Number(NOT_NEGATIVE)),
            p("iridescenceThicknessMaximum", Kind::Number(NOT_NEGATIVE)),
            map("iridescenceThicknessTexture"),
        ],
    ),
    Extension {
        alone: true,
        ..extension(
            "KHR_materials_pbrSpecularGlossiness",
            of_materials![
                p("diffuseFactor", Kind::Numbers(Some(4), UNIT)),
                map("diffuseTexture"),
                p("specularFactor", Kind::Numbers(Some(3), UNIT)),
                factor("glossinessFactor"),
                map("specularGlossinessTexture"),
            ],
        )
    },
    extension(
        "KHR_materials_sheen",
        of_materials![
            p("sheenColorFactor", Kind::Numbers(Some(3), UNIT)),
            map("sheenColorTexture"),
            factor("sheenRoughnessFactor"),
            map("sheenRoughnessTexture"),
        ],
    ),
    extension(
        "KHR_materials_specular",
        of_materials![
            factor("specularFactor"),
            map("specularTexture"),
            p("specularColorFactor", Kind::Numbers(Some(3), NOT_NEGATIVE)),
            map("specularColorTexture"),
        ],
    ),
    extension(
        "KHR_materials_transmission",
        of_materials![factor("transmissionFactor"), map("transmissionTexture")],
    ),
    Extension { alone: true, ..extension("KHR_materials_unlit", of_materials![]) },
    extension("KHR_materials_variants", {
        static VARIANTS: Object = plain(&[needed("variants", Kind::Objects(&VARIANT))]);
        static VARIANT: Object = plain(&[needed("name", Kind::Text)]);
        static MAPPINGS: Object = plain(&[needed("mappings", Kind::Objects(&MAPPING))]);
        static MAPPING: Object = plain(&[
            needed("variants", Kind::Indices(List::Variants)),
            needed("material", Kind::Index(List::Materials)),
            NAME,
        ]);
        &[(Type::Root, &VARIANTS), (Type::Primitive, &MAPPINGS)]
    }),
    extension(
        "KHR_materials_volume",
        of_materials![
            p("attenuationColor", Kind::Numbers(Some(3), UNIT)),
            p("attenuationDistance", Kind::Number(POSITIVE)),
            p("thicknessFactor", Kind::Number(NOT_NEGATIVE)),
            map("thicknessTexture"),
        ],
    ),
    Extension { required: true, ..extension("KHR_mesh_quantization", &[]) },
    extension("KHR_texture_transform", {
        static OBJECT: Object = plain(&[
            p("offset", Kind::Numbers(Some(2), ANY)),
            p("rotation", Kind::Number(ANY)),
            p("scale", Kind::Numbers(Some(2), ANY)),
            TEX_COORD,
        ]);
        &[(Type::TextureInfo, &OBJECT)]
    }),
];

pub(super) fn find_extension(name: &str) -> Option<&'static Extension> {
    EXTENSIONS.iter().find(|extension| extension.name == name)
}
