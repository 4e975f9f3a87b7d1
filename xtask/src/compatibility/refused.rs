//! Models that are rightly refused.

use std::path::Path;

const PACKED: &str =
    "It was packaged as text: every CR LF in its binary part became LF, so 33 bytes are missing";
const INDEX: &str = "A face refers to a vertex that does not exist";
const WRONG_TYPE: &str = "The file deliberately has a field of the wrong type";

/// The end of a path, and why a reader should refuse that file.
const RIGHTLY: &[(&str, &str)] = &[
    ("glTF/BoxTextured-glTF-Binary/BoxTextured.glb", PACKED),
    ("BoxWithInfinites.glb", "Positions at infinity cannot be drawn or converted"),
    ("AllIndicesOutOfRange.gltf", INDEX),
    ("IndexOutOfRange/IndexOutOfRange.gltf", INDEX),
    (
        "FBX/transparentTest.fbx",
        "It was packaged as text: every zero byte became a space, so lengths are lost",
    ),
    ("invalid/empty.obj", "It is empty"),
    ("invalid/malformed.obj", INDEX),
    ("invalid/malformed2.obj", "A face without corners is the remainder of a lost face"),
    ("MissingBin/BoxTextured.gltf", "The buffer with all vertices is missing"),
    ("RecursiveNodes.gltf", "The hierarchy has a cycle"),
    ("NoScene.gltf", "The scene that the file refers to is missing"),
    ("SchemaFailures/sceneWrongType.gltf", WRONG_TYPE),
    ("wrongTypes/badArray.gltf", WRONG_TYPE),
    ("wrongTypes/badExtension.gltf", WRONG_TYPE),
    ("wrongTypes/badNumber.gltf", WRONG_TYPE),
    ("wrongTypes/badObject.gltf", WRONG_TYPE),
    ("wrongTypes/badString.gltf", WRONG_TYPE),
    ("wrongTypes/badUint.gltf", WRONG_TYPE),
];

/// Why refusing this file is right, if it is.
pub fn reason(path: &Path) -> Option<&'static str> {
    RIGHTLY.iter().find(|(end, _)| path.ends_with(end)).map(|(_, why)| *why)
}
