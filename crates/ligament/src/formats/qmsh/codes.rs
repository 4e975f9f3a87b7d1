//! Diagnostic codes of QMSH: 0xx the file's structure, 1xx values, 2xx references, 4xx oddities, 5xx conversion losses.

crate::report::codes! {
    NOT_QMSH = "QM001", "not a QMSH file",
        "A QMSH file begins with TFQMSH10, or with QMSH and a version.",
        "a text file that was renamed to hero.qmsh",
        "Check that this is the right file. The text form, before conversion, has the extension .qmsh.tmp.";
    VERSION = unsupported "QM002", "unknown version",
        "The original format is TFQMSH10. In files of the game carpg, the byte after QMSH is the version; versions 12 to 22 are supported.",
        "51 4d 53 48 17 (version 23, whose submeshes are shorter)",
        "Convert the model again with a converter that writes a supported version.";
    UNEXPECTED_END = "QM003", "file ends too early",
        "The file ends within a record: it was cut off, or an earlier count or length is wrong.",
        "a file that stops in the middle of its third submesh",
        "Get a complete copy of the file, or convert the model again.";
    COUNT = "QM004", "count is larger than the file",
        "The header announces more records than the rest of the file can hold.",
        "a header with 65535 vertices in a file of 200 bytes",
        "Get a complete copy of the file, or convert the model again.";
    STRING_LENGTH = "QM005", "string is longer than the file",
        "The length byte before a name is larger than the rest of the file.",
        "a last name with the length ff",
        "Get a complete copy of the file, or convert the model again.";
    SECTION_OFFSET = "QM006", "section is not where the header says",
        "The header of TFQMSH10 gives the offset of each section, and sections follow each other without gaps. This section begins elsewhere. Sections that are absent according to the flags have the offset 0.",
        "a triangles offset of 0 in a file with vertices",
        "Convert the model again.";
    SECTION_MARK = "QM007", "section does not begin with a zero",
        "Every section of TFQMSH10 begins with a zero byte. Another byte means that counts or flags do not match the file.",
        "a file whose flag for tangents was set by hand",
        "Convert the model again.";
    NOT_FINITE = "QM101", "number is NaN, infinite or far too large",
        "A model with such a number cannot be posed or drawn. Positions, matrices and keys are also limited to 1e15, because they are multiplied with each other.",
        "a vertex position with the bytes 00 00 c0 7f",
        "Look for the cause in the exporting program, often a degenerate face or a zero scale, and export again.";
    ZERO_ROTATION = "QM102", "quaternion of length zero",
        "A quaternion of four zeros does not describe a rotation.",
        "a key with the rotation 0 0 0 0",
        "Use 0 0 0 1 for no rotation.";
    KEY_ORDER = "QM103", "keys are not in order",
        "Keys must be ordered by time, and none can be before 0.",
        "keys at 0.0, 1.0 and 0.5 seconds",
        "Sort the keys.";
    NOT_INVERTIBLE = "QM104", "rest pose cannot be inverted",
        "The combined matrix of a bone and its ancestors has no inverse, so no vertex can be bound to it.",
        "a bone matrix of twelve zeros",
        "Give the bone a rest pose without a zero scale.";
    VERTEX_INDEX = "QM201", "vertex does not exist",
        "A triangle's index counts vertices from 0, and this one is past the last vertex.",
        "index 24 in a file of 24 vertices",
        "Use the index of a vertex that exists.";
    TRIANGLE_RANGE = "QM202", "triangles of a submesh do not exist",
        "The range of triangles of a submesh extends past the last triangle of the file.",
        "a submesh of triangles 10 to 14 in a file of 12",
        "Correct the range.";
    VERTEX_RANGE = "QM203", "vertices of a submesh do not exist",
        "The range of vertices of a submesh extends past the last vertex of the file.",
        "a submesh of vertices 0 to 40 in a file of 24",
        "Correct the range.";
    OVERLAP = "QM204", "submeshes share triangles",
        "Together, the submeshes have more triangles than the file. Each triangle belongs to one submesh.",
        "two submeshes that both begin at triangle 0",
        "Correct the ranges.";
    BONE_PARENT = "QM205", "parent bone does not come first",
        "Parents count from 1 (0 marks a root) and come before their children; a bone cannot be its own parent.",
        "a first bone with parent 2",
        "Sort the bones, parents first.";
    BONE_INDEX = "QM206", "bone does not exist",
        "A vertex, group or point refers to a bone past the last one. Bones count from 1; 0 means none.",
        "bone 5 in a file of two bones",
        "Use the number of a bone that exists.";
    GROUP_PARENT = "QM207", "parent group does not exist",
        "The parent of a group is past the last group. A root is its own parent.",
        "parent 3 in a file of one group",
        "Use the number of a group that exists.";
    POINTS_OFFSET = "QM401", "points are not where the header says",
        "Versions from 20 on store the offset of their points. The game uses it only when it reads nothing else; ligament found the points directly after the rest of the file.",
        "a points offset of de ad c0 de",
        "Convert the model again.";
    TRAILING = "QM402", "bytes after the end",
        "The file continues after its last record. Engines ignore that; rewriting the file keeps it.",
        "a newline that a text editor added",
        "Remove the bytes after the end.";
    EQUAL_KEYS = "QM404", "keys at the same time",
        "Two keys have the same time. The last one is used; the engine would divide by zero.",
        "keys at 0.0, 1.0 and 1.0 seconds",
        "Remove one of them.";
    LENGTH = "QM405", "animation is shorter than its keys",
        "The last key is after the stored length of the animation. The clip lasts until its last key.",
        "a length of 1.0 and a last key at 1.5 seconds",
        "Correct the length.";
    WEIGHT = "QM406", "weight outside 0 to 1",
        "The first weight of a vertex is below 0 or above 1, so one of its two bones pushes the vertex away.",
        "a weight of 1.5, which leaves -0.5 for the second bone",
        "Correct the weight.";
    OUTSIDE_RANGE = "QM407", "triangle uses a vertex outside its submesh",
        "A submesh names the range of vertices that its triangles use, but some triangles use others. Some graphics drivers draw such triangles incorrectly.",
        "a submesh of vertices 0 to 9 with a triangle of vertices 8, 9 and 10",
        "Correct the range.";
    TEXTURE_NAME = "QM408", "texture name leaves the folder",
        "A texture's name points outside the model's folder or is not a valid path. Nothing outside is ever read, so the texture is left out.",
        "../../etc/passwd",
        "Put the image beside the model.";
    MANY_BONES = "QM409", "more bones than the engine supports",
        "Besides the static bone 0, the original engine has room for 31 bones, carpg's for 63.",
        "a TFQMSH10 file of 40 bones",
        "Remove bones that move nothing.";
    LIMIT = "QM500", "more than the format can hold",
        "A QMSH file has 16-bit counts: at most 65535 vertices, triangles and submeshes in the whole file, and 65535 keys per animation. TFQMSH10 holds 31 bones; QMSH 22 holds 63 bones and 255 animations.",
        "a mesh of 70000 vertices converted to .qmsh",
        "Reduce or split the model before converting; QMSH 22 (--dialect qmsh22) holds more bones.";
    MATERIAL_NAMES = "QM501" of "material"/"materials", "materials other than names",
        "TFQMSH10 stores only the names of materials; the game that loads the model defines their appearance.",
        "a glTF material with a texture, converted to .qmsh",
        "Use QMSH 22 (--dialect qmsh22), which holds textures and highlights, or set up the materials in the game.";
    MATERIAL_COLOR = "QM502", "material colours",
        "QMSH 22 stores a diffuse texture, a highlight, a normal and a specular map. Other colours and textures cannot be stored.",
        "a red material without a texture, converted to QMSH 22",
        "Bake the colour into the texture.";
    UNIFORM_SCALE = "QM503", "non-uniform scale",
        "Keys of TFQMSH10 have one number for the scale of a bone, so a non-uniform scale becomes the mean. The size is an upper bound for how far any vertex is from where it should be.",
        "a clip that squashes a bone, converted to .qmsh",
        "Use QMSH 22 (--dialect qmsh22), which scales along three axes.";
    SAMPLED = "QM504" of "key"/"keys", "keys added",
        "A key holds all bones, and bones move linearly between keys. Keys were added where the source moves differently. The size is an upper bound for the remaining error.",
        "a glTF clip with cubic splines",
        "Nothing, unless the stated size matters.";
    NO_BONES = "QM505", "clips of a model without bones",
        "QMSH animates bones only, and this model has none.",
        "a clip of morph targets",
        "Animate the model with joints.";
    CAMERA_LENS = "QM506", "camera lens",
        "The game draws every model's icon with a field of view of 45 degrees, from 0.1 to 25 units. A file only stores where the camera is and where it looks.",
        "a glTF camera with a field of view of 60 degrees",
        "Nothing; move the camera if the icon looks wrong.";
    CAMERAS = "QM507" of "camera"/"cameras", "further cameras",
        "A file has one camera. The first is kept.",
        "a scene with three cameras",
        "Put the camera that matters first.";
    SHARED_BONES = "QM508", "bones of another file",
        "The vertices follow bones of another file, which is not named. The scene shows the model at rest.",
        "an armour that is worn by a character",
        "Convert the file with the bones, or get a file that has its own.";
    POINTS = "QM509" of "point"/"points", "attachment points",
        "Points are nodes of the scene, with their type, size and angles in extras under `qmsh`.",
        "a hand with a point for a weapon, converted to glTF",
        "Nothing.";
    GROUPS = minor "QM510" of "group"/"groups", "groups of bones",
        "Groups are sets of bones that can be animated separately. A scene cannot represent them; they are kept in the extras of the skin under `qmsh`.",
        "a character whose arms play another animation than its legs, converted to glTF",
        "Nothing.";
    SPLITS = minor "QM511" of "box"/"boxes", "bounds of submeshes",
        "The bounds of submeshes follow from their vertices and are not part of a scene.",
        "a building with the split flag, converted to glTF",
        "Nothing.";
    BINORMALS = "QM512", "binormals",
        "A scene keeps the sign of a binormal; its direction follows from normal and tangent. The directions of these differ.",
        "a mesh whose binormals were smoothed separately",
        "Nothing, unless normal maps look wrong.";
    UNUSED = minor "QM513", "unused geometry",
        "Vertices that no triangle uses and submeshes without triangles are not part of the scene; rewriting the file keeps them.",
        "a file with more vertices than its triangles use",
        "Nothing.";
    NAME = "QM514", "names changed",
        "A name has at most 255 bytes in Windows-1250, and submeshes of an object are called OBJECT.MATERIAL. Longer names were cut, duplicates numbered, and characters outside the code page replaced by their code points.",
        "a joint with a name of 300 letters",
        "Choose shorter names.";
    TANGENTS = "QM515" of "vertex"/"vertices", "tangents of some parts",
        "Either all vertices of a file have tangents or none have. Some parts of the model have none, so all tangents were dropped.",
        "a model of two parts, one without texture coordinates",
        "Give all parts texture coordinates.";
    SKINS = "QM516", "skins joined (retired)",
        "Earlier versions reported this when the skins of a scene became one skeleton. All formats with one skeleton now report LS029.",
        "a scene of two characters, each with a skin of its own",
        "See `ligament explain LS029`.";
}
