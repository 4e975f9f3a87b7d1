//! Diagnostic codes of PFOBJ: 1xx fields and lines, 2xx the header's counts, 3xx references, 4xx oddities, 5xx writing.

crate::report::codes! {
    BAD_NUMBER = "PF101", "not a number",
        "A field that must hold a decimal number holds something else. Hexadecimal numbers, decimal commas and units are not allowed.",
        "v 1.000000 1,5 0.000000",
        "Write a decimal number such as 1.500000.";
    NOT_FINITE = "PF102", "number is NaN or infinite",
        "A field holds NaN or infinity. A model with such a number cannot be posed or drawn.",
        "v nan 0.000000 0.000000",
        "Look for the cause in the exporting program, often a degenerate face or a zero scale, and export again.";
    TOO_LARGE = "PF103", "number is too large",
        "The number is larger than a 32-bit float can hold (about 3.4e38), so the engine would read infinity.",
        "v 1e99 0.000000 0.000000",
        "Correct the number.";
    BAD_WHOLE = "PF104", "not an integer",
        "A count or an index must be written with digits only and be at most 4294967295.",
        "num_verts      -3",
        "Write an integer, 0 or larger.";
    MISSING_FIELD = "PF105", "line has too few values",
        "The line ends before its last value. The engine would silently reuse values of an earlier line.",
        "vn 0.000000 1.000000",
        "Add the missing values.";
    EXTRA_FIELD = "PF106", "line has too many values",
        "The line holds more values than it should.",
        "vt 0.5 0.5 0.0",
        "Remove everything after the last value.";
    UNEXPECTED_END = "PF107", "file ends too early",
        "The header announces more than the file holds: the file was cut off, or a count in the header is too large.",
        "a file that stops in the middle of its vertices",
        "Get a complete copy of the file, or correct the header.";
    UNEXPECTED_LINE = "PF108", "line out of order",
        "The lines of a file have a fixed order: header, then v vt vn vw vm for each vertex, then materials, joints, animation sets and bounds. This line belongs elsewhere, or one before it is missing.",
        "v 0 0 0 followed by vn 0 0 1: the vt line is missing",
        "Add the missing line or move this one to where it belongs.";
    STRAY_TEXT = "PF109", "unknown line",
        "The line begins with a word that is not part of the format. There are no comments in PFOBJ.",
        "# made by hand",
        "Remove the line.";
    HEADER = "PF201", "header is broken",
        "The file begins with version, num_verts, num_joints, num_materials (or num_material), num_as, frame_counts and has_collision, one per line, in this order. Only has_collision may be missing, as in files from before May 2018.",
        "version 1.0 followed by num_joints 0: num_verts is missing",
        "Write the header's lines in order.";
    FRAME_COUNTS = "PF202", "frame_counts does not fit num_as",
        "frame_counts must hold one number for each animation set.",
        "num_as 2 with frame_counts 10",
        "Give a frame count for each animation set, or correct num_as.";
    FEWER = "PF203", "fewer than the header announces",
        "The next part of the file begins although the header announces more vertices, materials, joints or animation sets.",
        "num_verts 6, but the first material comes after three vertices",
        "Correct the count in the header, or restore what is missing.";
    MORE = "PF204", "more than the header announces",
        "There are more vertices, materials, joints, frames or animation sets than the header announces. The engine would misread everything after them.",
        "num_verts 3, but six vertices follow",
        "Correct the count in the header, or remove the surplus.";
    NO_MATERIALS = "PF205", "no materials",
        "A file needs at least one material, because every vertex refers to one.",
        "num_materials  0",
        "Add a material.";
    CLIP_FRAMES = "PF206", "frame count differs from the header's",
        "The number at the end of an `as` line must equal the entry of frame_counts for this animation set. The engine uses one to allocate memory and the other to read.",
        "frame_counts 10 and then: as Walk 12",
        "Set both numbers to the number of frames in the file.";
    VERSION = "PF207", "unknown version",
        "The only published version is 1.0. The file was read as version 1.0.",
        "version        2.0",
        "Check the model closely, or export it as version 1.0.";
    BAD_FLAG = "PF208", "has_collision is neither 0 nor 1",
        "has_collision is 1 if the file holds bounding boxes and 0 if it does not.",
        "has_collision  yes",
        "Write 0 or 1.";
    UNBACKED_FRAMES = "PF209", "frames without content",
        "The header announces very many frames, but without joints and bounding boxes a frame has no lines in the file, so nothing confirms the number.",
        "num_joints 0, has_collision 0, frame_counts 4000000000",
        "Correct the frame count.";
    TOO_MANY_VERTICES = "PF210", "more vertices than can be indexed",
        "The file holds more weights than 32-bit indices can address.",
        "a file with more than 4294967295 weights",
        "Split the model.";
    MATERIAL_INDEX = "PF301", "material does not exist",
        "`vm` counts materials from 0, and this number is not less than num_materials.",
        "vm 1 in a file with one material",
        "Use the index of a material that exists.";
    JOINT_INDEX = "PF302", "joint of a weight does not exist",
        "`vw` counts joints from 0, and this number is not less than num_joints.",
        "vw 5/1.000000 in a file with two joints",
        "Use the index of a joint that exists.";
    PARENT_INDEX = "PF303", "parent joint does not exist",
        "`j` counts parents from 1 (0 marks a root), and this number is larger than num_joints.",
        "j 9 Hand ... in a file with two joints",
        "Use 0, or the number of a joint that exists.";
    PARENT_LOOP = "PF304", "joints are their own ancestors",
        "Following the parents of this joint leads back to it. The engine would hang.",
        "j 2 A ... and j 1 B ...",
        "Make one joint of the loop a root (parent 0).";
    FRAME_INDEX = "PF305", "joint of a frame does not exist",
        "Frame lines count joints from 1, and this number is 0 or larger than num_joints.",
        "3 1/1/1 0/0/0 0/0/0 in a file with two joints",
        "Use the number of a joint that exists.";
    FRAME_DUPLICATE = "PF306", "joint appears twice in a frame",
        "Each frame has one line per joint.",
        "two lines that begin with 1 in the same frame",
        "Number the lines of a frame from 1 to num_joints.";
    PARTS = "PF307", "wrong number of parts between slashes",
        "Scales, translations and tips have three numbers separated by slashes; rotations have three (degrees about X, Y, Z) or four (a quaternion x/y/z/w).",
        "j 0 Root 1/1 0/0/0 0/0/0 0/1/0",
        "Write x/y/z, or for a quaternion x/y/z/w.";
    MIXED_ROTATIONS = "PF308", "Euler angles and quaternions in one file",
        "Rotations of three numbers are Euler angles, those of four are quaternions; a file must use one kind for all joints and frames.",
        "a joint with 0/0/0 and a frame with 0/0/0/1",
        "Write all rotations the same way.";
    ZERO_ROTATION = "PF309", "quaternion of length zero",
        "A quaternion of four zeros does not describe a rotation.",
        "1 1/1/1 0/0/0/0 0/0/0",
        "Write 0/0/0/1 for no rotation.";
    NOT_INVERTIBLE = "PF310", "bind transform cannot be inverted",
        "The joint's bind transform, combined with its ancestors', has no inverse, usually because a scale is zero. Vertices that follow the joint then have no defined position.",
        "j 0 Root 1/0/1 0/0/0 0/0/0 0/1/0",
        "Give the joint a nonzero scale.";
    TOO_DEEP = "PF311", "joints nested too deeply",
        "The chain of parents is longer than the limit for untrusted files.",
        "a chain of 5000 joints",
        "Check whether this is the right file. Library users can raise Limits::max_depth.";
    TEXTURE_PATH = "PF312", "texture path is refused",
        "Textures are looked up in the model's folder only. Absolute paths, URLs and paths that leave the folder are refused, because the file may come from anywhere.",
        "texture ../../secret.png",
        "Put the image beside the model and name it without folders.";
    REMAINDER = "PF401", "vertices do not fill the last triangle",
        "Every three vertices are a triangle, and num_verts is not a multiple of three. The last one or two vertices are kept in the file but belong to no triangle.",
        "num_verts      4",
        "Remove the odd vertices, or add the missing ones.";
    MIXED_TRIANGLE = "PF402", "triangle with several materials",
        "The three vertices of a triangle have different materials. The whole triangle gets the material of its first vertex.",
        "vm 0, vm 0, vm 1",
        "Give the three vertices the same material.";
    DUPLICATE_WEIGHT = "PF403", "joint twice in one vertex",
        "A `vw` line names the same joint twice. The weights add up.",
        "vw 0/0.500000 0/0.500000",
        "Name each joint once, with the sum of its weights.";
    NEGATIVE_WEIGHT = "PF404", "negative weight",
        "A weight says how much a joint pulls a vertex; below zero it pushes it away. Posing uses the weight unchanged.",
        "vw 0/-0.500000",
        "Write weights of zero or more.";
    MANY_WEIGHTS = "PF405", "more weights than the dialect allows",
        "The specification allows 4 weights per vertex; the engine keeps the first 6. Ligament keeps and uses all of them, so the engine shows the model differently.",
        "vw with 7 pairs",
        "Limit the number of influences in the exporting program.";
    NOT_UNIT = "PF406", "quaternion is not of length one",
        "A rotation is a quaternion of length one. The engine would scale the joint by the square of the length; ligament normalises the quaternion when it converts the file.",
        "1 1/1/1 0/0/0/2 0/0/0",
        "Divide the four numbers by the quaternion's length.";
    DUPLICATE_NAME = "PF407", "name used twice",
        "Two joints or two animation sets have the same name. Programs that look them up by name find only one.",
        "as Walk 10 ... as Walk 12",
        "Give them different names.";
    NO_NAME = "PF408", "joint without a name",
        "The specification's syntax line for joints has no name, but its example, the engine and the exporter do. The engine cannot load the line.",
        "j 0 1/1/1 0/0/0 0/0/0 0/1/0",
        "Put a name after the parent's number.";
    TEXTURE_MISSING = "PF409", "texture not found",
        "The image is not in the model's folder. The name is kept.",
        "texture lost.png",
        "Put the image beside the model, or correct the name.";
    BOUNDS_ORDER = "PF410", "box is inside out",
        "The minimum of a box is larger than its maximum.",
        "x_bounds 1.000000 -1.000000",
        "Write the minimum first.";
    BOUNDS_OUTSIDE = "PF411", "box does not contain the model",
        "Vertices of the bind pose are outside the box given in the file, so the engine may hide the model or miss clicks on it.",
        "x_bounds 0.0 1.0 with a vertex at x = 2",
        "Let ligament compute the box: convert with --reencode.";
    BYTE_ORDER_MARK = "PF412", "byte order mark",
        "The file begins with the three bytes of a UTF-8 byte order mark, which the engine does not understand. Rewriting the file removes it.",
        "EF BB BF before version",
        "Save the file without a byte order mark.";
    NOT_UTF8 = "PF413", "name is not UTF-8",
        "The name's bytes are kept when the file is rewritten in its own format. In other formats, bytes that are not UTF-8 become U+FFFD.",
        "a joint name in Latin-1",
        "Rename it with plain letters.";
    NAME_CHANGED = "PF501", "name changed for the format",
        "Names of joints and animation sets must not contain spaces, and no name may contain line ends or be empty. Spaces became underscores; empty names were replaced by generated ones.",
        "a clip called \"Walk fast\" becomes Walk_fast",
        "Rename it in the source.";
    LONG_NAME = "PF502", "name longer than the engine's 63 bytes",
        "The engine copies names into 63 bytes without checking, so a longer one overwrites memory.",
        "a joint name of 80 letters",
        "Shorten the name in the source.";
    LONG_LINE = "PF503", "line longer than the engine's 254 bytes",
        "The engine reads lines of at most 254 bytes and treats the rest as the next line.",
        "a vw line with 25 pairs",
        "Use fewer weights per vertex or shorter names.";
    MANY_MATERIALS = "PF504", "more materials than the engine's 16",
        "The engine refuses models with more than 16 materials.",
        "a scene with 20 materials",
        "Merge materials in the source.";
    MANY_JOINTS = "PF505", "more joints than the engine's 256",
        "The engine poses at most 256 joints.",
        "a skeleton of 300 joints",
        "Remove joints that move nothing.";
    MANY_CLIPS = "PF506", "more animation sets than the engine's 32",
        "The engine reads at most 32 animation sets.",
        "a model with 40 clips",
        "Choose the clips to convert with --clip.";
    WHITE_TEXTURE = "PF507", "white texture added",
        "Every material of a PFOBJ file must name a texture. Materials without one refer to a small white image, which is written beside the model and does not change their appearance.",
        "a glTF material with only a base colour",
        "Nothing to do; give the material a texture to avoid the extra file.";
    BOUNDS_COMPUTED = minor "PF508", "bounding boxes recomputed",
        "The source's boxes no longer fit the geometry or the poses, so they were recomputed.",
        "converting with --scale 2",
        "Nothing to do.";
    AMBIENT = "PF509", "coloured ambient",
        "PFOBJ has one number for how much ambient light a material returns. A coloured one became the mean of its channels.",
        "ambient 1.0 0.5 0.5",
        "Nothing to do, or use a grey ambient in the source.";
    SHEAR = "PF510", "sheared joint",
        "A joint has a scale, a rotation and a translation; a matrix with shear cannot be decomposed into these. The nearest values were written. The size is an upper bound for how far any vertex is from where it should be.",
        "a joint whose matrix contains shear",
        "Apply the scales of the joint's ancestors in the source.";
    TEXTURE_LEFT_OUT = "PF511", "texture cannot be named",
        "The image is embedded in the source file and was not written beside the model, so there is no file to name.",
        "converting a .glb to a stream",
        "Give a path for the output.";
    TOO_LARGE_TO_WRITE = "PF512", "more than the format can count",
        "The scene has more vertices or weights than 32-bit numbers can count.",
        "a mesh with more than 4294967295 corners",
        "Split the model.";
    FEATURES = "PF513" of "feature"/"features", "material features",
        "A PFOBJ material has an ambient factor, a diffuse and a specular colour, and a texture. All other properties of the source's material are dropped.",
        "a glTF material that emits light",
        "Bake the effect into the texture, or set it in the target program.";
    TEXTURE_SPACES = "PF514", "texture name with spaces",
        "The engine reads a texture's name up to the first space, so it will look for another file.",
        "texture my skin.png",
        "Rename the image without spaces.";
    DIGITS = "PF515" of "vertex"/"vertices", "small model in six decimals",
        "The format's numbers have six digits after the point. A model that is only a few millimetres large in its unit loses part of its shape to rounding.",
        "a ring of 8 mm, in metres",
        "Write it larger, with --scale 100.";
}
