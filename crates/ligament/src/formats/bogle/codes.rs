//! Diagnostic codes of BOGLE: 1xx the file's structure, 2xx values, 3xx references and the scene tree, 4xx oddities,
//! 5xx losses in a conversion.

crate::report::codes! {
    NOT_BOGLE = "BG101", "not a BOGLE file",
        "A BOGLE file begins with the five letters BOGLE.",
        "a text file that was renamed to scene.bgl",
        "Check that this is the right file.";
    VERSION = unsupported "BG102", "unknown version",
        "The byte after the letters BOGLE is the version, and the only version is 0.",
        "42 4f 47 4c 45 01",
        "Export the scene again with a current exporter.";
    UNEXPECTED_END = "BG103", "file ends too early",
        "The file ends within a record: it was cut off, or an earlier count is wrong. The original exporter leaves such files behind when it stops with an error, for example when exporting textures is switched off.",
        "a file that stops in the middle of its first material",
        "Export the scene again, and check whether the exporter reported an error.";
    COUNT = "BG104", "count is larger than the file",
        "A count announces more records than the rest of the file could hold.",
        "a header with 4294967295 objects",
        "Get a complete copy of the file.";
    STRING_LENGTH = "BG105", "string is longer than the file",
        "The length before a name or texture is larger than the rest of the file.",
        "a name with the length ff ff ff ff",
        "Get a complete copy of the file.";
    KIND = "BG106", "unknown type",
        "The first byte of a record says what type it is. Cameras have type 0 or 1, lights 0 to 2, everything else 0. The content of other types is unknown, so nothing after such a record can be read.",
        "a material of type 1 (a skybox of the engine, which is never written to files)",
        "Export the scene again.";
    TRAILING = "BG107", "bytes after the end",
        "The scene tree ends the file with a NUL (a geometry file ends with its last index), and the engine refuses any byte after that.",
        "a newline after the tree, added by a text editor",
        "Remove the bytes after the end.";
    TREE_END = "BG108", "scene tree does not end",
        "The scene tree must end with a NUL byte, but the file ends without one.",
        "a file whose last byte was cut off",
        "Get a complete copy of the file.";
    GEOMETRY_FILE = "BG109", "geometry file cannot be read",
        "In the external dialect each geometry has its own file in the folder `geometries` beside the scene. This one is missing or cannot be read.",
        "scene.bgl without geometries/CubeMesh.bgg",
        "Put the folder `geometries` beside the scene.";
    GEOMETRY_NAME = "BG110", "geometry file has an unsafe name",
        "The name of a geometry file must not contain a folder: such a name could point to any file on the computer.",
        "../../secrets",
        "Rename the geometry file to a plain name.";
    OLDER_LAYOUT = unsupported "BG111", "layout from before March 2021",
        "BOGLE's layout changed several times before March 2021, and every layout says version 0. This file begins like one of the later ones: objects with names of 32 bytes, or instances of components with four or five counts in the header. Those cannot be read; the lists of objects of April 2020 can.",
        "a header with the counts of objects, cameras and lights, followed by an object",
        "Open the scene in Blender and export it again with a current exporter.";
    EARLY_DAMAGED = "BG112", "damaged file in an early layout",
        "The file begins like a list of objects, as the exporters of April 2020 wrote it, but it cannot be read to its last byte in any of their three layouts. This message or the next says what is wrong.",
        "a file from April 2020 whose end was cut off",
        "Get a complete copy of the file, or export the scene again.";
    NOT_FINITE = "BG201", "number is NaN, infinite or far too large",
        "A model with such a number cannot be posed or drawn. Positions, matrices and keyframes are also limited to 1e15, because they are multiplied with each other.",
        "a vertex position with the bytes 00 00 c0 7f",
        "Look for the cause in the exporting program, often a degenerate face or a zero scale, and export again.";
    BONE_ENCODING = "BG202", "bone indices are neither integers nor floats",
        "The bone indices of vertices are either all integers (as the specification says) or all floats (as the engine stores them), throughout the file. This index is neither, or differs in kind from those before it.",
        "an index with the bytes 00 00 00 40 (2.0) after one with 01 00 00 00 (1)",
        "Write all indices the same way, below 65536.";
    ZERO_ROTATION = "BG203", "quaternion of length zero",
        "A quaternion of four zeros does not describe a rotation.",
        "a bone with the rotation 0 0 0 0",
        "Use 0 0 0 1 for no rotation.";
    KEY_ORDER = "BG204", "keyframes are not in order",
        "Keyframes must be ordered by time.",
        "keys at 0.0, 1.0 and 0.5 seconds",
        "Sort the keyframes.";
    NOT_AFFINE = "BG205", "matrix is not affine",
        "The last row of a transformation (elements 3, 7, 11 and 15) must be 0 0 0 1. Matrices are stored column by column.",
        "a matrix that was written row by row",
        "Write matrices column by column.";
    SINGULAR = "BG206", "skeleton matrix cannot be inverted",
        "The matrix of a skeleton has no inverse, so no vertex can be bound to its bones.",
        "a skeleton matrix of sixteen zeros",
        "Give the skeleton a transformation without a zero scale.";
    TRIANGLES = "BG207", "indices are not triples",
        "Three indices make a triangle, so the number of indices must be a multiple of 3.",
        "a geometry with 7 indices",
        "Correct the number of indices.";
    VERTEX_INDEX = "BG301", "vertex does not exist",
        "Indices of a geometry count vertices from 0, and this one is past the last vertex.",
        "index 24 in a geometry of 24 vertices",
        "Use the index of a vertex that exists.";
    BONE_INDEX = "BG302", "bone of a vertex does not exist",
        "A vertex has a weight on a bone that the skeleton of its object does not have. Indices count from 0; those with a weight of 0 may be any number.",
        "bone 5 with weight 0.5 in a skeleton of two bones",
        "Use the index of a bone that exists. The original exporter writes such indices when a mesh has vertex groups that are not bones.";
    BONE_PARENT = "BG303", "parent bone does not exist",
        "Parents count from 1 (0 marks a root), and this number is larger than the number of bones.",
        "parent 9 in a skeleton of two bones",
        "Use 0, or the number of a bone that exists.";
    BONE_LOOP = "BG304", "bones are their own ancestors",
        "Following the parents of this bone leads back to it. The engine would hang.",
        "bone 0 with parent 2 and bone 1 with parent 1",
        "Make one bone of the loop a root (parent 0).";
    COMPONENT = "BG305", "component does not exist",
        "An object refers to a camera, geometry, material, light or animation collection that is not in the file. References count from 1; 0 means none.",
        "geometry 3 in a file of two geometries",
        "Use the number of a component that exists.";
    TREE_NUMBER = "BG306", "object in the tree does not exist",
        "The numbers in the scene tree count objects from 0, and this one is past the last object.",
        "0{1{}}2{} in a file of two objects",
        "Use the number of an object that exists.";
    TREE_UNDERFLOW = "BG307", "closing brace without an opening one",
        "The scene tree has a closing brace that matches no opening one.",
        "0{1{}}}",
        "Remove the brace.";
    TREE_DEPTH = "BG308", "scene tree is too deep",
        "Braces may be nested at most 256 deep.",
        "257 opening braces in a row",
        "Flatten the hierarchy.";
    TREE_CHARACTER = "BG309", "character that does not belong in a tree",
        "A scene tree consists of digits, braces and white space.",
        "0{1,2}",
        "Separate numbers with spaces.";
    TREE_LOOP = "BG310", "object is its own ancestor",
        "The scene tree attaches an object below itself or below one of its descendants.",
        "0{1{0{}}}",
        "Mention each object once.";
    CAMERA_KIND = "BG401", "camera of type 1",
        "The specification gives all cameras type 1, but the engine since 2021 loads only type 0. The content is the same.",
        "a file written exactly to the specification, or by an early exporter",
        "Write the file with --dialect engine if the engine is to load it.";
    MAIN_CAMERA = "BG402", "not exactly one main camera",
        "One camera should have the main flag. The engine uses the last one in the tree that has it, and fails without one.",
        "two cameras with the main flag",
        "Set the flag on one camera.";
    TREE_OPEN = "BG403", "scene tree leaves braces open",
        "Some braces are not closed at the end of the tree. The engine accepts that.",
        "0{1{}",
        "Close every brace.";
    TREE_TWICE = "BG404", "object is in the tree twice",
        "The scene tree mentions an object more than once. It is drawn once, below its last parent. The original exporter writes such trees for collection instances.",
        "0{2{}}1{2{}}",
        "Mention each object once; to place it twice, make a second object.";
    UNLINKED = "BG405", "object is not in the tree",
        "The scene tree does not mention this object, so the engine never draws it. It is not part of the scene; rewriting the file as BOGLE keeps it.",
        "three objects and the tree 0{1{}}",
        "Add the object to the tree, or remove it.";
    NO_MATERIAL = "BG406", "geometry without a material",
        "An object with a geometry must have a material; the engine crashes without one. A default material is used.",
        "an object with geometry 1 and material 0",
        "Give the object a material.";
    NORMAL_AND_BUMP = "BG407", "both a normal and a bump texture",
        "A material can have only one of the two. The engine uses the normal texture.",
        "a material with the normal texture bricks_n and the bump texture bricks_h",
        "Remove one of them.";
    NOT_UTF8 = "BG408", "name is not UTF-8",
        "A name holds bytes that are not UTF-8. They are kept when the file is rewritten as BOGLE, and replaced by U+FFFD elsewhere.",
        "a name in Latin-1 with an umlaut",
        "Rename it with plain letters.";
    EQUAL_KEYS = "BG409", "keyframes at the same time",
        "Two keyframes have the same time. The last one is used; the engine would divide by zero.",
        "keys at 0.0, 1.0 and 1.0 seconds",
        "Remove one of them.";
    EARLY_KEYS = "BG410", "keyframes before time zero",
        "The first keyframe is before time 0. Clips begin at 0, so the keyframes of all animations with this name were moved later; the original start is kept with the clip.",
        "keys at -0.5 and 0.5 seconds",
        "Start the action at frame 0 or later.";
    WINDING = "BG411", "faces are wound against their normals",
        "Most triangles of the geometry are clockwise when seen from the side their normals point to. The exporter has an option for the winding, which the file does not record. Nothing is changed; faces may look inside out.",
        "a file exported with clockwise winding",
        "Export again with counter-clockwise winding.";
    NO_SKELETON = "BG412", "weights without a skeleton",
        "A geometry has bone weights, but the object has no animation collection, so the weights have no effect.",
        "an object with a skinned geometry and animation collection 0",
        "Give the object its animation collection.";
    ENGINE_LIMIT = "BG413", "more than the engine supports",
        "The engine draws at most 20 lights, and skeletons of at most 256 bones.",
        "a skeleton of 300 bones",
        "Split the model, or use fewer.";
    TEXTURE_NAME = "BG414", "texture name leaves the folder",
        "A texture's name points outside the model's folder or is not a valid path. Nothing outside is ever read, so the texture is left out.",
        "../../etc/passwd",
        "Put the image into the folder `textures` beside the scene.";
    EXPANDED = "BG415", "scene would be far larger than the file",
        "The file places the same geometry with very many materials or skeletons, or the same skeleton on very many objects. Each needs a copy in the scene, which would be many times as large as the file.",
        "a geometry of 100000 vertices placed with 10000 materials",
        "Place fewer copies, or split the scene.";
    UNUSED = "BG416", "animation collection that no object uses",
        "No drawn object with a geometry refers to this collection, so it moves nothing. It is not part of the scene; rewriting the file as BOGLE keeps it.",
        "a collection that was exported without its mesh",
        "Give it to an object, or remove it.";
    EARLY_LAYOUT = "BG417", "file in an early layout",
        "The file is a list of objects, as the exporters of April 2020 wrote it. Three such layouts exist; the message says in which of them the whole file makes sense. Rewriting the file as BOGLE keeps its layout and every byte; --dialect document or engine writes it in today's layout.",
        "scene.bgl from the engine's first month",
        "Write it with --dialect engine if a current engine is to load it.";
    BETWEEN_KEYS = "BG501", "motion between keyframes",
        "BOGLE interpolates linearly between raw quaternions, which rotates at an uneven speed; tracks of a scene rotate at a constant speed. (With the engine's posing, quaternions that are not of unit length also stretch.) Keys were added until both agree. The size bounds how far any vertex can be off: the angular errors of the bones, added up along the chain, times the model's size.",
        "two keys that are 90 degrees apart",
        "Nothing, unless the stated size matters. Bake the animation to more keyframes before exporting if it does.";
    ENGINE_END = "BG502", "engine shows the bind pose at the end",
        "With --posing engine: the engine shows the bind pose before the first keyframe and from the last one on. Clips hold their first and last pose instead.",
        "ligament pose --posing engine walk.bgl at the clip's end",
        "Nothing; this only points out the difference.";
    STRETCH = "BG503" of "key"/"keys", "bones stretched by the engine",
        "With --posing engine: the engine turns quaternions that are not of unit length into matrices that also scale. Such a bone gets a second node above its own, so that the scene does the same.",
        "a keyframe with a quaternion of length 0.92",
        "Normalise the quaternions in the exporting program if that is not what you want.";
    JOINT_MOTION = "BG510" of "joint"/"joints", "joints that move or scale",
        "In a BOGLE animation, bones rotate about fixed positions; only the first root can also move, and nothing can scale. Other movement is left out. The size is an upper bound for how far any vertex is from where it should be.",
        "a glTF clip with a translation track on a spine joint",
        "Bake such motion into rotations, or choose a format that holds it.";
    NODE_MOTION = "BG511" of "track"/"tracks", "moving objects",
        "BOGLE animates bones only; objects, cameras and lights do not move. A mesh without a skin is given a skeleton of one bone where that can express its motion; other motion is dropped.",
        "a glTF clip that rotates a camera",
        "Choose a format that holds it.";
    REST_POSE = "BG512", "rest pose",
        "Without an animation, BOGLE shows the bind pose. The source's rest pose is different. Animations are not affected; the pose without an animation changes by the stated size.",
        "a glTF character bound in T-pose whose nodes rest in another pose",
        "Apply the rest pose as bind pose in the modelling program if the pose without a clip matters.";
    SAMPLED = "BG513" of "key"/"keys", "keyframes added",
        "BOGLE interpolates between keyframes in one way only, and a keyframe holds all bones. Keys were added where the source moves differently between them. The size bounds how far any vertex is off between keys.",
        "a glTF clip with cubic tracks",
        "Nothing, unless the stated size matters.";
    BINORMALS = "BG514", "binormals",
        "A scene keeps only the sign of a binormal, and these binormals are not the cross product of normal and tangent.",
        "a vertex whose binormal was averaged",
        "Nothing, unless they were authored on purpose. Rewriting the file as BOGLE keeps them.";
    CAMERA = "BG515", "camera lens",
        "BOGLE only has perspective cameras with a finite far distance.",
        "a glTF scene with an orthographic camera",
        "Set the lens in the program that shows the scene.";
    LIGHT = "BG516", "light falloff",
        "BOGLE's lights fade with a constant, a linear and a quadratic term and have one spot angle; a range and an inner angle cannot be stored.",
        "a glTF spot light with a range of 10 metres",
        "Set the attenuation in the program that shows the scene.";
    TEXTURE = "BG517", "textures",
        "BOGLE refers to PNG images by name, on one set of coordinates, with repeat wrapping. The named texture needs something else.",
        "a texture with a KHR_texture_transform, or a JPEG texture that stays where it is because of --textures reference",
        "Use --textures copy, which converts images to PNG; bake transforms into the coordinates.";
    SPLIT = minor "BG518", "objects split by material",
        "A BOGLE object has one material. A mesh with several was split into one object per material, named OBJECT.MATERIAL.",
        "a glTF mesh of two primitives",
        "Nothing; every vertex keeps its position.";
    MATRICES = "BG520", "bind matrices",
        "A BOGLE bone has a position and a rotation; the bind matrices of the source also scale or shear in a way that such bones cannot express. The size is an upper bound for how far any vertex is from where it should be.",
        "a rotated joint below a non-uniformly scaled one",
        "Apply scales in the modelling program before exporting.";
    HELPER_BONES = "BG521" of "bone"/"bones", "helper bones",
        "With --posing engine the skeleton is written with two bones per joint, one that moves and one that rotates, because the engine rotates a bone about its parent's position. In the engine, every joint is then where the source has it.",
        "ligament convert --posing engine fox.glb fox.bgl",
        "Leave out --posing engine if the file is for Blender or for this tool.";
    EMPTY_NODES = minor "BG522" of "node"/"nodes", "empty nodes below joints",
        "Bones are not objects, so an empty node below a bone cannot be stored.",
        "the `hand_end` nodes that some exporters add at the ends of a skeleton",
        "Nothing, unless another program looks such nodes up by name.";
    CLIP_NAMES = minor "BG523" of "clip"/"clips", "clips of one name",
        "Animations of the same name in several skeletons are one clip, so no two clips may share a name.",
        "a glTF file with two animations called Take 001",
        "Name clips with --rename-clip if another program looks them up.";
}
