//! The table itself.

use super::{Kind, Scope, Setting};

/// A flag or word that changes how every result is made or checked.
const fn general(
    name: &'static str,
    kind: Kind,
    default: Option<&'static str>,
    help: &'static str,
) -> Setting {
    Setting { name, kind, default, help, reads: Scope::Nothing, writes: Scope::All }
}

/// A number above zero.
const POSITIVE: Kind = Kind::Number { least: 0.0, above: true };
/// A fraction of the model's size.
const FRACTION: Kind = Kind::Number { least: 0.0, above: false };

/// Every setting, in the order that help and panels show them.
pub static SETTINGS: &[Setting] = &[
    Setting {
        name: "fps",
        kind: POSITIVE,
        default: None,
        help: "Frames a second, for formats that store frames without a rate and for clips that must be sampled",
        reads: Scope::Listed,
        writes: Scope::Animated,
    },
    Setting {
        name: "interpolation",
        kind: Kind::Word(&[
            ("step", "Hold each key until the next"),
            ("linear", "Go straight to the next key"),
        ]),
        default: None,
        help: "How to go from key to key, for formats that do not say",
        reads: Scope::Listed,
        writes: Scope::ListedOrSampled,
    },
    Setting {
        name: "posing",
        kind: Kind::Word(&[
            ("author", "As the author saw it in the modelling program"),
            ("engine", "As the engine draws it"),
        ]),
        default: Some("author"),
        help: "Whose reading of a skeleton counts, for formats where the author's and the engine's differ (BOGLE, QMSH TMP)",
        reads: Scope::Listed,
        writes: Scope::Listed,
    },
    Setting {
        name: "euler_order",
        kind: Kind::Word(&[("zyx", "Rz · Ry · Rx: about X first"), ("xyz", "Rx · Ry · Rz: about Z first")]),
        default: Some("zyx"),
        help: "In which order three angles turn, for formats that leave it open: the product of the matrices on column vectors; angles are written the same way",
        reads: Scope::Listed,
        writes: Scope::Listed,
    },
    Setting {
        name: "index_base",
        kind: Kind::Word(&[("0", "Counting from 0"), ("1", "Counting from 1")]),
        default: None,
        help: "The number of the first joint and weight, for formats whose dialects differ in it (AMO), instead of finding it out",
        reads: Scope::Listed,
        writes: Scope::Nothing,
    },
    Setting {
        name: "bind",
        kind: Kind::Word(&[
            ("identity", "At the origin: keys move the vertices as they are stored"),
            ("first-key", "Where the first keys put them"),
        ]),
        default: Some("identity"),
        help: "Where joints stand when the mesh is not deformed, for formats that do not store it (AMO)",
        reads: Scope::Listed,
        writes: Scope::Nothing,
    },
    Setting {
        name: "axes",
        kind: Kind::Word(&[
            ("root", "Into one node above all others"),
            ("geometry", "Into vertices and the topmost nodes (the default)"),
            ("none", "Nowhere: axes and unit stay the file's"),
        ]),
        default: Some("geometry"),
        help: "Where the turn and the scale go that bring a file into +Y up and metres, for formats that state their axes and unit (FBX): into vertices and topmost nodes, into one node above all, or nowhere",
        reads: Scope::Listed,
        writes: Scope::Nothing,
    },
    Setting {
        name: "lenient",
        kind: Kind::Flag,
        default: Some("false"),
        help: "Go on with a warning where a file contradicts itself and one side can be trusted",
        reads: Scope::Listed,
        writes: Scope::Nothing,
    },
    Setting {
        name: "clips",
        kind: Kind::Texts,
        default: None,
        help: "Keep only these clips",
        reads: Scope::Nothing,
        writes: Scope::Animated,
    },
    Setting {
        name: "influences",
        kind: Kind::Integer(1),
        default: None,
        help: "Influences a vertex: fewer than the format can hold, or more than it holds unless asked (APG)",
        reads: Scope::Nothing,
        writes: Scope::Skinned,
    },
    Setting {
        name: "precision",
        kind: Kind::Word(&[
            ("full", "As many as give the same number back"),
            ("document", "As many as the specification writes, which may round visibly"),
        ]),
        default: Some("full"),
        help: "How many digits numbers in text get, for formats whose specification rounds them (APG)",
        reads: Scope::Nothing,
        writes: Scope::Listed,
    },
    general(
        "up",
        Kind::Word(&[("y", "+Y"), ("z", "+Z")]),
        Some("y"),
        "Turn the model so that this axis points up",
    ),
    general("scale", POSITIVE, Some("1"), "Multiply every length"),
    general(
        "mirror_x",
        Kind::Flag,
        Some("false"),
        "Exchange left and right: x becomes −x, and faces are turned around to face outwards still",
    ),
    Setting {
        writes: Scope::Animated,
        ..general(
            "reduce_keys",
            FRACTION,
            None,
            "Remove keys that the others nearly say already, as long as no vertex moves farther than this: a percentage of the model's size (0.01%) or a fraction of it (0.0001); 0 removes only what is exactly on the way",
        )
    },
    general(
        "by_material",
        Kind::Word(&[("split", "One object a material"), ("merge", "One part a material")]),
        None,
        "Split meshes into one object a material, named OBJECT.MATERIAL, or merge the parts of each mesh that share one",
    ),
    general(
        "vertices",
        Kind::Word(&[("weld", "Identical vertices are joined"), ("unweld", "Every corner has its own")]),
        None,
        "Join identical vertices, or give every corner of every face its own",
    ),
    Setting {
        writes: Scope::Skinned,
        ..general(
            "normalise_weights",
            Kind::Flag,
            Some("false"),
            "Divide the weights of every vertex by their sum",
        )
    },
    Setting {
        writes: Scope::Tangents,
        ..general(
            "tangents",
            Kind::Flag,
            Some("false"),
            "Compute tangents where there are normals and texture coordinates but no tangents",
        )
    },
    Setting {
        writes: Scope::Textured,
        ..general(
            "textures",
            Kind::Word(&[
                ("embed", "Into the file"),
                ("copy", "Beside the file"),
                ("reference", "Left where they are; the file refers to them"),
                ("none", "Nowhere: materials lose their textures"),
            ]),
            None,
            "Where pictures go: into the file, beside it, left where they are, or nowhere [default: into the file where its format can hold them, else beside it]",
        )
    },
    general(
        "strict",
        Kind::Flag,
        Some("false"),
        "Fail, and write nothing, if anything is approximated or dropped",
    ),
    general(
        "max_error",
        FRACTION,
        None,
        "Fail, and write nothing, above this deviation: a percentage of the model's size (0.01%) or a fraction of it (0.0001)",
    ),
    general("verify", Kind::Flag, Some("true"), "Read the result back and pose it beside the source"),
    general("keep_existing", Kind::Flag, Some("false"), "Fail if the output file exists"),
    // Only between files: what is made from a scene goes through it anyway.
    Setting {
        writes: Scope::Nothing,
        ..general(
            "reencode",
            Kind::Flag,
            Some("false"),
            "Go through the scene even when the format stays the same",
        )
    },
];
