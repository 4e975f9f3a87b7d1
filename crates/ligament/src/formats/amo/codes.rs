//! Diagnostic codes of AMO: 1xx fields and lines, 2xx dialects and counting, 3xx references, 4xx oddities, 5xx
//! conversion.

crate::report::codes! {
    BAD_NUMBER = "AM101", "not a number",
        "A field that must hold a decimal number holds something else. Hexadecimal numbers, decimal commas and units are not allowed.",
        "v 1.0 1,5 0.0",
        "Write a decimal number such as 1.5.";
    NOT_FINITE = "AM102", "number is NaN or infinite",
        "A field holds NaN or infinity. A model with such a number cannot be posed or drawn.",
        "vn nan 0 0",
        "Look for the cause in the exporting program, often a degenerate face or a zero scale, and export again.";
    TOO_LARGE = "AM103", "number is too large",
        "The number is larger than a 32-bit float can hold (about 3.4e38).",
        "v 1e99 0 0",
        "Correct the number.";
    BAD_WHOLE = "AM104", "not an integer",
        "An index or a count must be an integer of at most ten digits.",
        "vj 0 1.5 -1 -1",
        "Write an integer.";
    MISSING = "AM105", "line has too few values",
        "The line ends before its last value.",
        "ap 0 1 1.0 1.0",
        "Add the missing values.";
    EXTRA = "AM106", "line has more values than it uses",
        "The line has values without a meaning in the format, such as a fifth joint or weight or a fourth coordinate. They are ignored, and rewriting the file drops them.",
        "vw 0.5 0.2 0.1 0.1 0.1",
        "Remove everything after the last value.";
    UNEXPECTED_END = "AM107", "file ends too early",
        "A count announces more lines than the file holds: the file was cut off, or the count is wrong.",
        "v 8 followed by three lines",
        "Get a complete copy of the file, or correct the count.";
    UNKNOWN_LINE = "AM108", "unknown line",
        "The line begins with a word that is not part of any dialect. It has no effect; rewriting the file keeps it.",
        "weight 3 0.5",
        "Remove the line, or correct its first word.";
    OBJ_LINE = "AM109", "line of Wavefront OBJ",
        "The format grew out of Wavefront OBJ, whose groups, materials, lines and curves have no meaning in it. Such lines have no effect; rewriting the file keeps them.",
        "usemtl skin",
        "Nothing to do. A texture is named with `t`.";
    NO_CLIP = "AM110", "key outside a clip",
        "Keys belong to the clip of the preceding `a` line. These come before the first one and form a clip without a name.",
        "ap 0 1 1 1 1 without an `a` line before it",
        "Put an `a` line before the keys.";
    CORNER = "AM111", "not a corner of a face",
        "A corner consists of up to five integers separated by slashes: position, texture coordinate, normal, joints, weights. Only the position is required.",
        "f 1/1/1/0/0/7 2 3",
        "Write position/uv/normal/joints/weights.";
    FEW_CORNERS = "AM112", "face with fewer than three corners",
        "A face needs at least three corners. The line is ignored.",
        "f 1/1/1/0/0 2/2/2/0/0",
        "Remove the line, or add the missing corner.";
    FEWER = "AM113", "fewer than announced",
        "The next part of the file begins although a count announces more lines.",
        "vn 6, with vj after the fifth line",
        "Correct the count, or restore the missing lines.";
    MORE = "AM114", "more than announced",
        "There are more lines than the count before them announces.",
        "vt 3 followed by four lines",
        "Correct the count, or remove the line.";
    NO_END = "AM115", "model without an end",
        "In the counted dialect a model ends with a line `end`, but the file ends before it. Everything up to there was read.",
        "a file that stops after its joints",
        "Check whether the file is complete, and add `end`.";
    TOO_MANY = "AM116", "more than can be indexed",
        "The file has more corners than 32-bit indices can address.",
        "a file with more than 4294967295 corners",
        "Split the model.";
    KEY_TIME = "AM117", "key before time 0",
        "Key times start at 0.",
        "ap -1 0 1 1 1",
        "Correct the time.";
    DIALECT = "AM201", "dialect detected",
        "The file does not name its dialect; the note says how it was detected.",
        "any file of the add-ons",
        "Nothing to do.";
    BASE = "AM202", "index base detected",
        "The dialects differ in whether joints and weights count from 0 or from 1, and tools mix both. Each kind of index was examined separately: with N entries, an index of 0 means that they count from 0, and an index of N that they count from 1. The note says what was detected and why.",
        "vj 0 1 -1 -1 in a file of two joints counts from 0",
        "Nothing to do. If it is wrong, use --index-base 0 or 1.";
    BASE_GUESSED = "AM203", "index base is a guess",
        "Neither 0 nor the number of entries occurs as an index, so the indices fit both ways of counting. They were read as in the published specification, from 0.",
        "three joints, only number 1 of which is used",
        "Compare the model with its source, and use --index-base 1 if it is wrong.";
    BASE_CONFLICT = "AM204", "index base contradicts itself",
        "The same kind of index occurs with 0, which is only valid when counting from 0, and with the number of entries, which is only valid when counting from 1; or an index is larger than that number.",
        "vj 0 2 -1 -1 in a file of two joints",
        "Correct the indices.";
    KEYED_WRITTEN = "AM205", "keyed dialect written as counted",
        "The keyed dialect can only be read. The counted one is written instead: it is the successor in the same tools and holds the same data.",
        "ligament convert old.amo new.amo",
        "Nothing to do.";
    BIND = "AM206", "bind pose assumed",
        "The document and one-based dialects do not store the bind pose of joints. The only program known to play them places all joints at the origin without rotation, and so does ligament. Files that were made from glTF without its bind matrices may need the pose of the first keys instead.",
        "any file of these dialects",
        "If clips tear the model apart, use --bind first-key.";
    UNKNOWN_DIALECT = "AM207", "first line names no known dialect",
        "The first line of files written by ligament names their dialect, but the name in this file is unknown. The dialect was detected from the content.",
        "# amo dialect: latin",
        "Correct the line to document, one-based or counted.";
    CONTAINER = unsupported "AM208", "a .hnd container, not a model",
        "The file begins with `hnd` and a name: it holds an object with its handles and positions, followed after an `end` line by an AMO model of the counted dialect. Only models can be read.",
        "hnd axe",
        "Copy everything from the `ao` line on to a separate file, and convert that.";
    POSITION_INDEX = "AM301", "position does not exist",
        "A corner of a face needs a position, but there is no `v` line of that number.",
        "f 1 2 9 in a file of eight positions",
        "Use the number of a position that exists.";
    ATTRIBUTE_INDEX = "AM302", "texture coordinate or normal does not exist",
        "A corner names a texture coordinate or a normal that is not listed. The corner is read without it, and rewriting the file drops it.",
        "f 1/1/7 2/2/7 3/3/7 in a file of six normals",
        "Use a number that exists.";
    SKIN_INDEX = "AM303", "joints or weights of a corner do not exist",
        "The fourth and fifth number of a corner refer to `vj` and `vw` lines, but there is no such line.",
        "f 1/1/1/5/5 2/2/1/0/0 3/3/1/0/0 with two `vj` lines",
        "Use the number of a line that exists.";
    JOINT_INDEX = "AM304", "joint of a vertex does not exist",
        "A `vj` line names a joint that is not listed, and its weight is not zero.",
        "vj 7 -1 -1 -1 in a file of two joints",
        "Use the number of a joint that exists, or -1 for none.";
    PARENT_INDEX = "AM305", "parent joint does not exist",
        "The number after a joint's name is that of its parent, or -1.",
        "j Hand 9 in a file of two joints",
        "Use -1, or the number of a joint that exists.";
    KEY_JOINT = "AM306", "joint of a key does not exist",
        "A key names a joint that is not listed.",
        "ar 0 5 0 0 0 1 in a file of two joints",
        "Use the number of a joint that exists.";
    PARENT_LOOP = "AM307", "joint is its own ancestor",
        "Following the parents of this joint leads back to it. It is read as a root. Editamo writes such skeletons if they have more than one joint.",
        "j lower 0 as the first joint, counting from 0",
        "Correct the parent, or write -1.";
    TEXTURE_PATH = "AM308", "texture path is refused",
        "Textures are looked up in the model's folder only. Absolute paths, URLs and paths that leave the folder are refused, because the file may come from anywhere.",
        "t ../../secret.png",
        "Put the image beside the model and name it without folders.";
    TEXTURE_MISSING = "AM309", "texture not found",
        "The image is not in the model's folder. The name is kept.",
        "t lost.png",
        "Put the image beside the model, or correct the name.";
    TOO_DEEP = "AM310", "joints nested too deeply",
        "The chain of parents is longer than the limit for untrusted files.",
        "a chain of 5000 joints",
        "Check whether this is the right file. Library users can raise Limits::max_depth.";
    NOT_INVERTIBLE = "AM311", "rest matrix cannot be inverted",
        "The joint's rest matrix, combined with its ancestors', has no inverse, usually because a scale is zero. Vertices that follow the joint then have no defined position.",
        "j Root -1 followed by sixteen zeros",
        "Give the joint a nonzero scale.";
    SHAPE_INDEX = "AM312", "invalid reference in a hook, box or collision mesh",
        "A hook or box refers to a joint that is not listed, or a collision triangle to such a vertex. They are only kept, unchanged, for rewriting.",
        "ci 1 followed by 0 1 9, with three collision vertices",
        "Correct the number.";
    ZERO_ROTATION = "AM401", "quaternion of length zero",
        "A quaternion of four zeros does not describe a rotation.",
        "ar 0 1 0 0 0 0",
        "Write 0 0 0 1 for no rotation (1 0 0 0 in the keyed and counted dialects).";
    NOT_UNIT = "AM402", "quaternion is not of length one",
        "A rotation is a quaternion of length one; ligament normalises it when it converts the file.",
        "ar 0 1 0 0 0 2",
        "Divide the four numbers by the quaternion's length.";
    NORMAL_LENGTH = "AM403", "normals are not of length one",
        "Normals are directions of length one. Ligament normalises them when it converts the file. The add-on of the keyed and counted dialects divides normals by the sum of their components instead of their length.",
        "vn -1.0 0.0 1.0",
        "Nothing to do, or correct the exporter.";
    NORMALS_DISAGREE = "AM404", "normals do not fit the faces",
        "The normals of a face's corners point sideways or away from its front. Lighting will look wrong; if this concerns most faces, the model may be mirrored.",
        "the specification's own example, in which a repeated line shifts the normals of two sides",
        "Export again, or let the program that shows the model compute normals.";
    WEIGHT_SUM = "AM405", "weights do not sum to one",
        "The weights of a vertex should sum to one. They are divided by their sum when the model is posed. The add-on of the keyed and counted dialects makes the sum of their squares one instead.",
        "vw 0.7071 0.7071 0 0",
        "Nothing to do, or correct the exporter.";
    NEGATIVE_WEIGHT = "AM406", "negative weight",
        "A weight says how much a joint pulls a vertex; below zero it pushes it away. Posing uses the weight unchanged.",
        "vw 1.5 -0.5 0 0",
        "Write weights of zero or more.";
    NO_FIRST_KEY = "AM407", "no key at time 0",
        "The specification requires a key at time 0. Before its first key, a joint holds the pose of that key.",
        "ap 0.0417 1 0 0 0 as the first key of a clip",
        "Add a key at time 0.";
    UNSORTED = "AM408", "keys are not in order",
        "The keys of a clip are not in the order of their times. They are sorted when the file is converted, and keep their order when it is rewritten.",
        "k 0.5 2 before k 0 2",
        "Nothing to do.";
    KEY_AFTER_END = "AM409", "key after the end of the clip",
        "Times in the counted dialect are fractions of the clip's duration, from 0 to 1.",
        "k 1.5 2",
        "Correct the time, or the duration.";
    SAME_TIME = "AM410", "two keys at the same time",
        "A joint has two keys of the same kind at the same time. The later one in the file is used.",
        "ap 0 1 0 0 0 followed by ap 0 1 1 1 1",
        "Remove one of them.";
    DUPLICATE_NAME = "AM411", "name used twice",
        "Two joints or two clips have the same name. Programs that look them up by name find only one.",
        "a walk ... a walk",
        "Give them different names.";
    TEARS = "AM412", "surface tears",
        "Corners at the same position follow different joints, so the surface opens there when they move.",
        "the specification's own example, in which the two triangles of each side follow different joints",
        "Give all corners of a position the same joints and weights.";
    UNUSED = "AM413", "unused lines",
        "No face uses some of the positions, texture coordinates or normals.",
        "seven normals, of which six are used",
        "Nothing to do; rewriting the file keeps them.";
    FRAME_TIMES = "AM414", "times are frame numbers",
        "The first files of the keyed dialect have no durations, and their key times are frames of the modelling program, which that add-on played at 24 per second.",
        "a walk, followed by k 12 2",
        "Nothing to do.";
    SECOND_TEXTURE = "AM415", "second texture of an object",
        "An object has one texture. The first is used; rewriting the file keeps the line.",
        "two `t` lines after one `ao`",
        "Remove one, or put another `ao` between them.";
    EDITAMO = "AM416", "made by editamo",
        "The first line says that editamo made the file. It copies glTF's texture coordinates, whose V points down, while V points up in all other files. Its skeletons are only correct if they have one joint.",
        "#Generated by editamo",
        "Remove the line if V points up.";
    BYTE_ORDER_MARK = "AM417", "byte order mark",
        "The file begins with the three bytes of a UTF-8 byte order mark. Rewriting the file removes it.",
        "EF BB BF before the first line",
        "Save the file without a byte order mark.";
    NOT_UTF8 = "AM418", "name is not UTF-8",
        "The name's bytes are kept when the file is rewritten in its own format. In other formats, bytes that are not UTF-8 become U+FFFD.",
        "a joint name in Latin-1",
        "Rename it with plain letters.";
    PARTIAL = "AM419", "attribute only on some corners",
        "Some corners have a texture coordinate or a normal but others of the same object have none. Missing texture coordinates become 0 0, missing normals those of the faces.",
        "f 1/1/1 2/2/2 3",
        "Give all corners the same attributes.";
    NAME_CHANGED = "AM501", "name changed for the format",
        "Names of joints (in the counted dialect, all names) must not contain spaces. No name may contain line ends, look like a comment, or be empty.",
        "a joint called \"upper arm\" becomes upper_arm",
        "Rename it in the source.";
    SAMPLED = "AM502" of "key"/"keys", "clip sampling",
        "The document and one-based dialects have no rest pose: a joint's key must hold both its rotation and the position of its pivot, and between keys the pivot moves along a line where it should follow an arc. Keys were added until the error is small. The size is how far any vertex can be off between keys.",
        "an arm that rotates about its elbow",
        "Use --dialect counted, which stores rest poses and needs no added keys.";
    JOINT_SCALE = "AM503", "scale of joints",
        "Keys of the format hold a position and a rotation, no scale and no shear. The nearest such motion was written. The size is how far any vertex is off at the keys.",
        "a joint that grows in a clip",
        "Bake such shapes into the mesh, or choose a format with scale.";
    MATERIALS = "AM504", "materials",
        "The format has no materials. The document dialect names a texture for each object; the others have none.",
        "a red material",
        "Set up materials in the program that shows the model.";
    TEXTURE_LEFT_OUT = "AM505", "texture cannot be named",
        "The image is embedded in the source file and was not written beside the model, so there is no file to name; or its path holds a `#` after a space, which would begin a comment.",
        "converting a .glb to a stream",
        "Give a path for the output, or rename the image.";
    DURATION = "AM506", "duration rounded",
        "The counted dialect stores durations in whole milliseconds. The keys keep their times; the clip ends up to a millisecond later.",
        "a clip of 1.0416 s",
        "Nothing to do.";
    SHAPES = "AM507", "hooks, boxes and collision meshes",
        "A scene cannot represent the hooks, boxes, ellipsoids and collision meshes of the keyed and counted dialects. They travel as key-value data under `amo`, in the file's own space, and are restored when the counted dialect is written.",
        "a player with a bounding box, converted to glTF",
        "Nothing to do. They are not rotated or scaled with the scene.";
    STRAIGHT_ROTATION = "AM508", "rotation between keys (retired)",
        "Earlier versions played rotations between the keys of the keyed and counted dialects along the arc, where the engine goes straight and normalises. A scene now holds the engine's own way, so this is no longer reported.",
        "two keys that are 90 degrees apart",
        "Nothing to do.";
    REST_PLACES = "AM509" of "joint"/"joints", "rest positions of joints",
        "The document and one-based dialects do not store the rest positions of joints. The mesh moves correctly, but the skeleton itself collapses to a point.",
        "a character written with --dialect document",
        "Use --dialect counted, which stores them.";
    TOO_MANY_KEYS = "AM510", "clip needs too many keys",
        "All joints have a key at every time at which one of them has one, and this clip would need an excessive number of keys.",
        "a thousand joints with a thousand keys each, none at the same time",
        "Resample the clip in the source.";
}
