//! Models that are refused, and rightly.

use std::path::Path;

const PACKED: &str = "It was packed as text: every CR LF in its binary part became LF, and 33 bytes are gone";
const REQUIRED: &str = "The file says itself that it must not be read without this extension";
const INDEX: &str = "A face of a vertex that does not exist is not guessed at";
const WRONG_TYPE: &str = "The file was made to have a field of a wrong type";

/// The end of a path, and why a reader should refuse what is there.
const RIGHTLY: &[(&str, &str)] = &[
    ("glTF/BoxTextured-glTF-Binary/BoxTextured.glb", PACKED),
    ("draco/2CylinderEngine.gltf", REQUIRED),
    ("BoxWithInfinites.glb", "Positions at infinity cannot be drawn or converted"),
    ("AllIndicesOutOfRange.gltf", INDEX),
    ("IndexOutOfRange/IndexOutOfRange.gltf", INDEX),
    ("FBX/transparentTest.fbx", "It was packed as text: every zero byte is a space, and lengths are gone"),
    ("invalid/empty.obj", "There is nothing in it"),
    ("invalid/malformed.obj", INDEX),
    ("invalid/malformed2.obj", "A face without corners is the rest of one that was lost"),
    ("MissingBin/BoxTextured.gltf", "The buffer with all vertices is not there"),
    ("RecursiveNodes.gltf", "The hierarchy is a circle"),
    ("NoScene.gltf", "The scene that the file names is not there"),
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
