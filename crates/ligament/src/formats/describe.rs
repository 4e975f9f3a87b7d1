//! Describes a format for tables and as JSON: names, dialects, capabilities and settings.

use super::{Capabilities, Count, Format, Joints, Keys, Normals};
use crate::settings::{for_reading, for_writing};
use serde_json::{Map, Value, json};

/// One capability of a format.
#[non_exhaustive]
pub struct Feature {
    /// The key in JSON.
    pub key: &'static str,
    /// The label in tables.
    pub label: &'static str,
    /// A boolean, a word, a number (`null` means any number), `none`, `one` or `many`, or a list of words.
    pub value: Value,
}

impl Capabilities {
    /// Everything that tables show, in display order.
    pub fn features(&self) -> Vec<Feature> {
        let interpolations: Vec<_> = self.interpolations.iter().map(|i| i.name()).collect();
        let has_textures = self.texture_files || self.embedded_textures;
        let image_types = if has_textures { self.image_types.word() } else { "none" };
        let rate = if self.clips == Count::None { json!("none") } else { json!(self.frame_rate) };
        let least = self.default_influences.or(self.max_influences);
        let feature = |key, label, value| Feature { key, label, value };
        vec![
            feature("hierarchy", "node tree", json!(self.hierarchy)),
            feature("meshes", "meshes", json!(self.meshes.word())),
            feature("skins", "skins", json!(self.skins.word())),
            feature("max_influences", "influences per vertex", json!(self.max_influences)),
            feature("default_influences", "influences by default", json!(least)),
            feature("joint_scale", "joint scale", json!(self.joints == Joints::Scale)),
            feature("separate_bind_pose", "separate rest and bind poses", json!(self.separate_bind_pose())),
            feature("clips", "clips", json!(self.clips.word())),
            feature("sampled_clips", "clips stored as frames", json!(self.keys == Keys::Frames)),
            feature("frame_rate", "frames per second", rate),
            feature("interpolations", "interpolations", json!(interpolations)),
            feature("polygons", "polygons", json!(self.polygons)),
            feature("points_and_lines", "points and lines", json!(self.points_and_lines)),
            feature("morphs", "morph targets", json!(self.morphs)),
            feature("uv_sets", "texture coordinate sets", sets(self.uv_sets)),
            feature("color_sets", "vertex colour sets", sets(self.color_sets)),
            feature("normals", "normals", json!(self.normals != Normals::None)),
            feature("tangents", "tangents", json!(self.tangents)),
            feature("computes_tangents", "missing tangents computed", json!(self.computes_tangents)),
            feature("phong", "Phong materials", json!(self.phong)),
            feature("pbr", "metallic-roughness materials", json!(self.pbr)),
            feature("normal_maps", "normal maps", json!(self.normal_maps)),
            feature("alpha_modes", "alpha cut-outs and blending", json!(self.alpha_modes)),
            feature("texture_files", "textures in files", json!(self.texture_files)),
            feature(
                "embedded_textures",
                "embedded textures",
                json!(self.embedded_textures || self.embeds_on_request),
            ),
            feature("image_types", "types of images", json!(image_types)),
            feature("cameras", "cameras", json!(self.cameras)),
            feature("lights", "lights", json!(self.lights)),
            feature("ambient", "ambient light", json!(self.ambient)),
            feature("extras", "key-value data", json!(self.extras)),
        ]
    }

    fn to_json(self) -> Value {
        let members = self.features().into_iter().map(|feature| (feature.key.to_owned(), feature.value));
        Value::Object(members.collect::<Map<_, _>>())
    }
}

/// Everything about a format, for `ligament formats --json` and for other programs' menus and panels.
pub fn describe(format: &Format) -> Value {
    let writes = format.writes(None);
    let dialect = |(index, dialect): (usize, &super::Dialect)| {
        json!({
            "id": dialect.id,
            "summary": dialect.summary,
            "read": true,
            "write": format.writes(Some(dialect.id)),
            "default": index == 0 && writes,
            "capabilities": format.capabilities(Some(dialect.id)).to_json(),
        })
    };
    json!({
        "id": format.id,
        "name": format.name,
        "summary": format.summary,
        "extensions": format.extensions,
        "text": format.is_text,
        "read": true,
        "write": writes,
        "dialects": format.dialects.iter().enumerate().map(dialect).collect::<Vec<_>>(),
        "capabilities": format.capabilities(None).to_json(),
        "read_options": for_reading(format).map(|s| s.to_json(s.reads)).collect::<Vec<_>>(),
        "write_options": for_writing(format).map(|s| s.to_json(s.writes)).collect::<Vec<_>>(),
        "codes": format.codes.iter().map(|c| c.id).collect::<Vec<_>>(),
    })
}

/// The number of sets; `null` means any number, for which formats state the largest integer.
fn sets(n: usize) -> Value {
    if n == usize::MAX { Value::Null } else { json!(n) }
}
