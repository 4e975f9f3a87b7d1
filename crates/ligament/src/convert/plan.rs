//! What a conversion does, in order, told without doing it.

use super::{ConvertOptions, Target};
use crate::formats::{Capabilities, Count, Format, Joints, Keys, Normals};
use crate::scene::Interpolation;
use crate::settings::{Kind, Setting, find};
use serde_json::{Value, json};

/// A step of a conversion.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// `read`, `operation`, `pass`, `write` or `prove`.
    pub kind: &'static str,
    /// The setting that asks for it, or the pass.
    pub name: &'static str,
    /// What it does, in a sentence without a full stop.
    pub does: String,
}

/// Settings that change the model, in the order in which they are carried out. The manual lists them in the same order.
pub const OPERATIONS: &[&str] = &[
    "clips_from",
    "retarget",
    "trim",
    "split",
    "reverse_clips",
    "speed",
    "loop_clips",
    "join",
    "rename_clips",
    "rest_pose",
    "root_motion",
    "additive",
    "reference",
    "rename_joints",
    "clips",
    "up",
    "scale",
    "mirror_x",
    "merge_skins",
    "prune_joints",
    "apply_scale",
    "reorder_joints",
    "textures",
    "by_material",
    "tangents",
    "vertices",
    "normalise_weights",
    "optimise",
    "reduce_keys",
    "store_bounds",
];

/// The steps of a conversion from a format, if it is known, to another. Nothing is read: a pass that a format may need is
/// listed with its condition.
pub fn plan(options: &ConvertOptions, from: Option<&'static Format>, to: Target) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut add =
        |kind: &'static str, name: &'static str, does: String| steps.push(Step { kind, name, does });
    let read = from.map_or("the file, whatever its format".to_owned(), |from| from.name.to_owned());
    add("read", "read", format!("read {read}"));
    let stays = from.is_some_and(|from| from.id == to.format.id) && !options.changes_scene();
    if stays {
        let kept =
            "keep the file's own content, since its format stays the same and nothing changes the model";
        add("write", "keep", kept.to_owned());
    } else {
        for name in OPERATIONS {
            if let Some(does) = find(name).and_then(|setting| asked(setting, options)) {
                add("operation", name, does);
            }
        }
        for (name, does) in passes(&to.format.capabilities(to.dialect), options) {
            add("pass", name, does);
        }
    }
    add("write", "write", format!("write {} beside its final place", to.format.name));
    if options.verify {
        let against = "read the result back and pose it beside the source";
        let limit =
            options.max_error.map(|most| format!("; fail beyond {}", crate::report::shown::percent(most)));
        add("prove", "prove", format!("{against}{}", limit.unwrap_or_default()));
    }
    if options.strict {
        add("prove", "strict", "fail if anything was approximated or dropped".to_owned());
    }
    add("write", "commit", "move the files into place, all or none".to_owned());
    steps
}

impl Step {
    /// All fields.
    pub fn to_json(&self) -> Value {
        json!({ "kind": self.kind, "name": self.name, "does": self.does })
    }
}

/// What a setting does with its value; `None` if it was not asked for.
fn asked(setting: &Setting, options: &ConvertOptions) -> Option<String> {
    let value = setting.get(options);
    if value == setting.default_value() {
        return None;
    }
    let help = setting.help.split(['(', ':', ';']).next().unwrap_or_default().trim();
    Some(match (setting.kind, &value) {
        (Kind::Flag, _) => setting.help.to_owned(),
        (Kind::Word(words), Value::String(word)) => {
            let meant = words.iter().find(|(known, _)| known == word).map_or("", |(_, meant)| *meant);
            format!("{help}: {meant}")
        }
        (_, Value::Array(texts)) => {
            let texts: Vec<_> = texts.iter().filter_map(Value::as_str).collect();
            format!("{help}: {}", texts.join("; "))
        }
        (_, Value::String(text)) => format!("{help}: {text}"),
        (_, other) => format!("{help}: {other}"),
    })
}

/// The passes that fit a model to a format, in the order of `prepare`.
fn passes(can: &Capabilities, options: &ConvertOptions) -> Vec<(&'static str, String)> {
    let mut all: Vec<(&'static str, String)> = Vec::new();
    let mut add = |name: &'static str, does: &str| all.push((name, does.to_owned()));
    match can.clips {
        Count::None => add("limit_clips", "drop all clips"),
        Count::One => add("limit_clips", "keep the first clip only"),
        Count::Many => {}
    }
    let lacks = lacks(can);
    if !lacks.is_empty() {
        add("drop_features", &format!("drop what the format does not have: {}", lacks.join(", ")));
    }
    if !can.polygons {
        add("triangulate", "cut faces with more than three corners into triangles");
    }
    if can.skins == Count::None {
        add("bake_rest", "write vertices where they are at rest, without a skin");
    }
    if !can.hierarchy {
        add(
            "flatten",
            "bake the transforms of nodes into vertices, joints and keys, since there is no tree of nodes",
        );
    } else if can.meshes == Count::One || can.skins == Count::One {
        add("flatten", "join meshes and skins where there are several");
    }
    if can.joints == Joints::Move {
        add("remove_scale", "take scale out of joints, which only rotate and move");
    }
    let most = options.write.influences.or(can.default_influences).or(can.max_influences);
    if let Some(most) = most.filter(|_| can.skins != Count::None) {
        add("influences", &format!("keep the {most} heaviest joints of a vertex that has more"));
    }
    match can.normals {
        Normals::Always => add("normals", "compute normals where there are none"),
        Normals::AllOrNone => add("normals", "compute normals of the other parts if only some have them"),
        Normals::None | Normals::PerPart => {}
    }
    if can.tangents && can.computes_tangents {
        add("tangents", "compute tangents where there are texture coordinates and none");
    }
    add("materials", "turn materials into the kind that the format has");
    if can.keys == Keys::Frames && can.clips != Count::None {
        let rate = options.write.fps.or(can.frame_rate);
        let rate = rate
            .map_or("at each clip's own rate, or 24 frames".to_owned(), |rate| format!("at {rate} frames"));
        add("resample", &format!("sample clips {rate} per second"));
    } else if can.keys == Keys::Tracks && can.clips != Count::None {
        let cubic = can.interpolations.contains(&Interpolation::Cubic);
        if !cubic {
            add("resample", "add keys where straight lines between keys would leave the curve");
        }
    }
    all
}

/// What a format does not have, of what models often do.
fn lacks(can: &Capabilities) -> Vec<&'static str> {
    let rows = [
        (can.morphs, "morph targets"),
        (can.cameras, "cameras"),
        (can.lights, "lights"),
        (can.ambient, "ambient light"),
        (can.points_and_lines, "points and lines"),
        (can.tangents, "tangents"),
        (can.normals != Normals::None, "normals"),
        (can.uv_sets > 1, "more than one set of texture coordinates"),
        (can.color_sets > 0, "vertex colours"),
        (can.extras, "key-value data"),
    ];
    rows.into_iter().filter(|(has, _)| !has).map(|(_, what)| what).collect()
}
