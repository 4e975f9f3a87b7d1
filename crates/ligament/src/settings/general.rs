//! Settings that apply to every format, or to every format that supports the feature they are about.

use super::{Access, Kind, Scope, Setting, Spelling, Typed, choices};
use crate::ConvertOptions;
use crate::passes::Sharing;
use crate::passes::axes::Up;
use crate::passes::by_material::Way;
use crate::passes::textures::TextureMode;
use crate::scene::Interpolation;
use serde_json::Value;

/// Settings for reading, some of which also apply to writing. Formats list those that apply to them.
pub(super) static READING: &[&Setting] = &[&FPS, &INTERPOLATION, &LENIENT, &MAX_MEMORY];

/// A row whose value is a field of [`ConvertOptions`]; its kind is that of the field's type.
macro_rules! field {
    ($($path:ident).+) => {
        Setting {
            kind: kind(|options| &options.$($path).+),
            access: Access::Field {
                get: |options| options.$($path).+.value(),
                set: |options, value| put(&mut options.$($path).+, value),
            },
            ..Setting::BASE
        }
    };
}

/// A row whose value is the same field of the read and write options. Unless set for writing, the value for reading
/// applies.
macro_rules! both {
    ($field:ident) => {
        Setting {
            kind: kind(|options| &options.read.$field),
            access: Access::Field {
                get: |options| options.write.$field.or(options.read.$field).value(),
                set: |options, value| {
                    put(&mut options.read.$field, value);
                    put(&mut options.write.$field, value);
                },
            },
            ..Setting::BASE
        }
    };
}

const fn kind<T: Typed>(_: fn(&ConvertOptions) -> &T) -> Kind {
    T::KIND
}

fn put<T: Typed>(field: &mut T, value: &Value) {
    if let Some(value) = T::typed(value) {
        *field = value;
    }
}

/// [`ReadOptions::fps`](crate::formats::ReadOptions::fps) and [`WriteOptions::fps`](crate::formats::WriteOptions::fps).
pub static FPS: Setting = Setting {
    name: "fps",
    value_name: "RATE",
    help: "Frames per second, for formats that store frames without a rate and for clips that must be sampled",
    reads: Scope::Listed,
    writes: Scope::Animated,
    changes_scene: true,
    ..both!(fps)
};

choices! { Interpolation {
    Step = "step": "Hold each key until the next",
    Linear = "linear": "Interpolate linearly to the next key",
} }

/// [`ReadOptions::interpolation`](crate::formats::ReadOptions::interpolation) and
/// [`WriteOptions::interpolation`](crate::formats::WriteOptions::interpolation).
pub static INTERPOLATION: Setting = Setting {
    name: "interpolation",
    value_name: "HOW",
    help: "Interpolation between keys, for formats that do not define it",
    reads: Scope::Listed,
    writes: Scope::Listed,
    ..both!(interpolation)
};

/// [`ReadOptions::lenient`](crate::formats::ReadOptions::lenient).
pub static LENIENT: Setting = Setting {
    name: "lenient",
    help: "Warn instead of failing where a file contradicts itself and one side can be trusted",
    reads: Scope::Listed,
    ..field!(read.lenient)
};

/// [`Limits::max_memory`](crate::Limits::max_memory).
pub static MAX_MEMORY: Setting = Setting {
    name: "max_memory",
    value_name: "SIZE",
    help: "Memory that a model and what a conversion makes of it may take, such as 4GiB or 500MiB; a plain number is in MiB. By default, reading takes a small multiple of the file's size, and copies of instances, frames of clips and their proof take 1 GiB, or more for larger files: a small hostile file cannot exhaust the memory",
    reads: Scope::All,
    ..field!(read.limits.max_memory)
};

/// [`ConvertOptions::clips`].
pub static CLIPS: Setting = Setting {
    name: "clips",
    value_name: "NAME",
    help: "Keep only these clips; an empty list keeps none",
    spelling: Some(Spelling { long: "clip", help: Some("Keep only this clip; can be given several times") }),
    writes: Scope::Animated,
    changes_scene: true,
    // No clips are not the same as no choice.
    access: Access::Field {
        get: |options| options.clips.as_ref().map_or(Value::Null, |names| names.as_slice().into()),
        set: |options, value| put(&mut options.clips, value),
    },
    ..field!(clips)
};

choices! { Up { Y = "y": "+Y", Z = "z": "+Z" } }

choices! { Way {
    Split = "split": "One object per material",
    Merge = "merge": "One part per material",
} }

choices! { Sharing {
    Weld = "weld": "Identical vertices are joined",
    Unweld = "unweld": "Every corner has its own",
} }

choices! { TextureMode {
    Embed = "embed": "Into the file",
    Copy = "copy": "Beside the file",
    Reference = "reference": "Left where they are; the file references them",
    None = "none": "Not written: materials lose their textures",
} }

/// [`ConvertOptions::verify`].
pub static VERIFY: Setting = Setting {
    name: "verify",
    help: "Read the result back and pose it beside the source",
    spelling: Some(Spelling {
        long: "no-verify",
        help: Some("Do not read the result back and pose it beside the source"),
    }),
    writes: Scope::All,
    ..field!(verify)
};

/// [`ConvertOptions::keep_existing`].
pub static KEEP_EXISTING: Setting = Setting {
    name: "keep_existing",
    help: "Fail if the output file exists, or if a file beside it exists with different content",
    spelling: Some(Spelling { long: "no-clobber", help: None }),
    writes: Scope::All,
    ..field!(keep_existing)
};

/// [`ConvertOptions::reencode`]. Only for conversions between files: without an input file, everything goes through a
/// scene anyway.
pub static REENCODE: Setting = Setting {
    name: "reencode",
    help: "Convert through a scene even when the format stays the same",
    changes_scene: true,
    ..field!(reencode)
};

/// Settings for writing and checking.
pub(super) static WRITING: &[&Setting] = &[
    &CLIPS,
    &Setting {
        name: "clips_from",
        value_name: "FILE",
        help: "Add the clips of another file, whose joints are found by name; a folder or a pattern such as 'anims/*.fbx' stands for several files",
        writes: Scope::Animated,
        changes_scene: true,
        ..field!(operations.clips_from)
    },
    &Setting {
        name: "retarget",
        value_name: "FILE",
        help: "Take the clips of other files for a rig with other joints, as a map says; `ligament rig map` proposes one",
        writes: Scope::Animated,
        changes_scene: true,
        ..field!(operations.retarget)
    },
    &Setting {
        name: "trim",
        value_name: "CLIP@FROM-TO",
        help: "Cut a clip to a stretch, in frames (walk@10-40) or seconds (walk@0.5s-2s); either end may be left out, and so may the clip if there is one only",
        writes: Scope::Animated,
        changes_scene: true,
        ..field!(operations.trim)
    },
    &Setting {
        name: "split",
        value_name: "CLIP@FROM-TO=NAME,...",
        help: "Make clips of stretches of a clip, which they replace: all@0-30=walk,31-60=run, in frames or seconds",
        writes: Scope::Animated,
        changes_scene: true,
        ..field!(operations.split)
    },
    &Setting {
        name: "reverse_clips",
        value_name: "CLIP",
        help: "Play a clip backwards; several are separated by commas, and * is all",
        spelling: Some(Spelling { long: "reverse-clip", help: None }),
        writes: Scope::Animated,
        changes_scene: true,
        ..field!(operations.reverse_clips)
    },
    &Setting {
        name: "speed",
        value_name: "CLIP=FACTOR",
        help: "Play a clip faster or slower: walk=2 is twice as fast, and 2 alone changes all clips",
        writes: Scope::Animated,
        changes_scene: true,
        ..field!(operations.speed)
    },
    &Setting {
        name: "loop_clips",
        value_name: "CLIP=COUNT",
        help: "Repeat a clip: walk=3 times, or walk=10s until it lasts ten seconds",
        spelling: Some(Spelling { long: "loop", help: None }),
        writes: Scope::Animated,
        changes_scene: true,
        ..field!(operations.loop_clips)
    },
    &Setting {
        name: "join",
        value_name: "A,B=NAME",
        help: "Make one clip of several, one after the other: sit,stand=both",
        writes: Scope::Animated,
        changes_scene: true,
        ..field!(operations.join)
    },
    &Setting {
        name: "rename_clips",
        value_name: "OLD=NEW",
        help: "Give a clip another name",
        spelling: Some(Spelling { long: "rename-clip", help: None }),
        writes: Scope::Animated,
        changes_scene: true,
        ..field!(operations.rename_clips)
    },
    &Setting {
        name: "rest_pose",
        value_name: "CLIP@TIME",
        help: "Let the model rest in a pose of a clip, by frame (walk@10) or seconds (walk@0.5s), or as its meshes are bound (bind); clips stay as they are",
        writes: Scope::Animated,
        changes_scene: true,
        ..field!(operations.rest_pose)
    },
    &Setting {
        name: "root_motion",
        value_name: "HOW",
        help: "Take the way that a character goes out of its joint and into a node above (extract), drop it (remove), or put a node's into the joint (bake); with axes, turn and a joint: extract:xz,turn@Hips",
        writes: Scope::Animated,
        changes_scene: true,
        ..field!(operations.root_motion)
    },
    &Setting {
        name: "additive",
        value_name: "CLIP",
        help: "Keep of a clip what it does beyond a pose, which is its first frame unless --reference names another; several are separated by commas, and * is all",
        writes: Scope::Animated,
        changes_scene: true,
        ..field!(operations.additive)
    },
    &Setting {
        name: "reference",
        value_name: "POSE",
        help: "The pose to which additive clips are relative: idle@0, idle@0.5s, rest or bind",
        writes: Scope::Animated,
        changes_scene: true,
        ..field!(operations.reference)
    },
    &Setting {
        name: "rename_joints",
        value_name: "OLD=NEW",
        help: "Give a joint another name, or all that match a star: mixamorig:*=*; a file ending in .toml has such pairs",
        writes: Scope::Skinned,
        changes_scene: true,
        ..field!(operations.rename_joints)
    },
    &Setting {
        name: "influences",
        value_name: "COUNT",
        help: "Maximum joints per vertex, keeping the heaviest: fewer than the format can hold, or more than its default",
        writes: Scope::Skinned,
        changes_scene: true,
        ..field!(write.influences)
    },
    &Setting {
        name: "merge_skins",
        help: "Make one skin of all that bind joints in the same way; posed vertices stay where they are",
        writes: Scope::Skinned,
        changes_scene: true,
        ..field!(operations.rig.merge_skins)
    },
    &Setting {
        name: "prune_joints",
        value_name: "WHICH",
        help: "Remove joints that nothing needs; posed vertices stay where they are",
        bare: Some("unused"),
        writes: Scope::Skinned,
        changes_scene: true,
        ..field!(operations.rig.prune_joints)
    },
    &Setting {
        name: "keep_joints",
        value_name: "NAME",
        help: "Do not remove a joint, such as a socket that a game attaches things to",
        spelling: Some(Spelling { long: "keep-joint", help: None }),
        writes: Scope::Skinned,
        ..field!(operations.rig.keep_joints)
    },
    &Setting {
        name: "apply_scale",
        help: "Give every root a scale of 1, and what is below it its size; posed vertices stay where they are",
        writes: Scope::All,
        changes_scene: true,
        ..field!(operations.rig.apply_scale)
    },
    &Setting {
        name: "reorder_joints",
        value_name: "FILE",
        help: "Give every skin the same joint list as a file has; joints that are missing are added",
        writes: Scope::Skinned,
        changes_scene: true,
        ..field!(operations.rig.reorder_joints)
    },
    &Setting {
        name: "up",
        value_name: "AXIS",
        help: "Rotate the model so that this axis points up",
        writes: Scope::All,
        changes_scene: true,
        ..field!(axes.up)
    },
    &Setting {
        name: "scale",
        value_name: "FACTOR",
        help: "Multiply every length",
        writes: Scope::All,
        changes_scene: true,
        ..field!(axes.scale)
    },
    &Setting {
        name: "mirror_x",
        help: "Swap left and right before any rotation: x becomes −x, and the winding of faces is reversed so that they still face outwards",
        writes: Scope::All,
        changes_scene: true,
        ..field!(axes.mirror_x)
    },
    &Setting {
        name: "reduce_keys",
        value_name: "SIZE",
        help: "Remove redundant keys (0: only those that change nothing), as long as no vertex moves farther than this fraction of the model's size",
        writes: Scope::Animated,
        changes_scene: true,
        ..field!(asked.reduce_keys)
    },
    &Setting {
        name: "by_material",
        value_name: "HOW",
        help: "Split meshes into one object per material, named OBJECT.MATERIAL, or merge the parts of each mesh that share one",
        writes: Scope::All,
        changes_scene: true,
        ..field!(asked.by_material)
    },
    &Setting {
        name: "vertices",
        value_name: "HOW",
        help: "Join identical vertices, or give every corner of every face its own",
        writes: Scope::All,
        changes_scene: true,
        ..field!(asked.vertices)
    },
    &Setting {
        name: "normalise_weights",
        help: "Divide the weights of every vertex by their sum, as posing does in any case",
        writes: Scope::Skinned,
        changes_scene: true,
        ..field!(asked.normalise_weights)
    },
    &Setting {
        name: "tangents",
        help: "Compute tangents (MikkTSpace) where there are normals and texture coordinates but no tangents",
        writes: Scope::Tangents,
        changes_scene: true,
        ..field!(asked.tangents)
    },
    &Setting {
        name: "optimise",
        help: "Order triangles and vertices for graphics cards: vertex cache, overdraw, vertex fetch; the triangles stay the same",
        writes: Scope::All,
        changes_scene: true,
        ..field!(asked.optimise)
    },
    &Setting {
        name: "store_bounds",
        help: "Store the box around everything that each clip shows, and around the vertices of each joint, as extras",
        writes: Scope::All,
        changes_scene: true,
        ..field!(asked.store_bounds)
    },
    &Setting {
        name: "textures",
        value_name: "WHERE",
        help: "Where textures go; by default into the file if its format can hold them, otherwise beside it",
        writes: Scope::Textured,
        changes_scene: true,
        ..field!(textures)
    },
    &Setting {
        name: "strict",
        help: "Fail, and write nothing, if anything is approximated or dropped",
        writes: Scope::All,
        ..field!(strict)
    },
    &Setting {
        name: "max_error",
        value_name: "SIZE",
        help: "Fail, and write nothing, if a vertex is off by more than this fraction of the model's size",
        writes: Scope::All,
        needs: Some(&VERIFY),
        ..field!(max_error)
    },
    &VERIFY,
    &KEEP_EXISTING,
    &REENCODE,
];
