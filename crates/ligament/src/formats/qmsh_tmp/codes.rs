//! Diagnostic codes of QMSH TMP.

crate::report::codes! {
    NOT_QMSH_TMP = "QT001", "not a QMSH TMP file",
        "Every QMSH TMP file begins with the words QMSH and TMP and a version number. Only comments and white space may come before them.",
        "QMSH 10 objects { }",
        "Check that this is the text file that the exporter wrote. The binary .qmsh is a different format.";
    VERSION = unsupported "QT002", "unsupported version",
        "The number after QMSH TMP determines the layout of the rest. Version 10 is the published one; 12 to 21 are from later exporters. No program is known to have written 11, and 22 and above exist only as binary files.",
        "QMSH TMP 11",
        "Export the model again in a supported version.";
    SYNTAX = "QT003", "unexpected text",
        "The order of elements in a QMSH TMP file is fixed, and something else was found here.",
        "mesh \"Cube\" { 0.0,0.0 \"\" }",
        "The message says what is expected here. A word after a number must be separated by a space, and a number needs a digit before its point.";
    STRAY_BYTE = "QT004", "stray byte",
        "Outside strings and comments, only ASCII letters, digits, punctuation and white space are allowed, not control characters or accented letters.",
        "objects { mésh \"Cube\" { } }",
        "Remove the byte. If the whole file looks garbled, it is not a text file, or it is in UTF-16.";
    OPEN_COMMENT = "QT005", "comment without end",
        "A comment that begins with /* ends with */. Comments do not nest.",
        "/* made by hand",
        "Add the */.";
    OPEN_STRING = "QT006", "string without end",
        "A string must end with a double quote on the line on which it begins.",
        "mesh \"Cube {",
        "Add the quote, or write a line break within a name as \\n.";
    BAD_ESCAPE = "QT007", "unknown escape",
        "In strings a backslash is followed by one of n t v b r f a 0 \\ ? \" ' or by x and two hexadecimal digits.",
        "\"C:\\models\"",
        "Write a backslash as two backslashes.";
    BAD_NUMBER = "QT008", "not a number",
        "A field that must hold a number holds something else. Integers have no point or exponent; with a leading 0 they are octal, with 0x hexadecimal. A number includes all letters, digits, points and signs that follow.",
        "vertices 8.0 { }",
        "Write a number such as 0.25, or an integer such as 8 for a count, an index or a flag.";
    TOO_LARGE = "QT009", "number is not finite",
        "NaN, infinity and numbers above 3.4e38 cannot be used.",
        "1e39,0.0,nan",
        "Repair the vertex, matrix or key in the modelling program and export again.";
    COUNT = "QT010", "wrong count",
        "The number of materials, vertices or faces comes before the list, but the list is longer or shorter.",
        "vertices 3 { 0.0,0.0,0.0 }",
        "Correct the number, or look for missing lines: exporters leave a truncated file behind when they fail.";
    VERTEX_INDEX = "QT011", "vertex does not exist",
        "A face uses a vertex number past the last vertex.",
        "vertices 3 { ... } faces 1 { 3 0 0 0 0.0,0.0 1 0.0,0.0 3 0.0,0.0 }",
        "Vertices count from 0. Correct the face.";
    FACE_CORNERS = "QT012", "face does not have 3 or 4 corners",
        "A face has three or four corners.",
        "faces 1 { 5 0 0 ... }",
        "Split larger faces into triangles before exporting.";
    TWO_ARMATURES = "QT013", "second armature",
        "A file holds at most one armature.",
        "objects { armature \"A\" { ... } armature \"B\" { ... } }",
        "Join the armatures before exporting.";
    TRAILING = "QT014", "text after the end",
        "The file ends with the brace that closes `params`; only white space and comments may follow.",
        "params { fps = 25 } }",
        "Remove the text after the end, or look for a surplus brace.";
    BONE_TWICE = "QT015", "bone name used twice",
        "Bones are referred to by name, so each name may be used only once.",
        "bone \"Arm\" { ... } bone \"Arm\" { ... }",
        "Rename one of the bones.";
    BONE_LOOP = "QT016", "bones in a loop",
        "A bone's parent, or its parent's parent and so on, is the bone itself.",
        "bone \"A\" { \"B\" ... } bone \"B\" { \"A\" ... }",
        "Correct the parents; that of a root is the empty string.";
    FPS = "QT017", "frame rate",
        "Keys are at frames, and `fps` in `params` is the number of frames per second. It is required if there are keys, and must be above 0.",
        "params { fps = 0 }",
        "Write the scene's frame rate: params { fps = 25 }.";
    ORPHAN_BONE = "QT020", "parent bone does not exist",
        "The named parent is not among the bones. The bone is treated as a root; since its matrix is in the armature's space, its rest position is correct. The original converter drops such bones.",
        "bone \"Hand\" { \"Amr\" ... }",
        "Correct the parent's name.";
    GROUP_INDEX = "QT021", "weight of a vertex that does not exist",
        "A vertex group refers to a vertex that the mesh does not have. The weight is ignored.",
        "vertices 3 { ... } ... vertex_groups { \"Arm\" { 7 1.0 } }",
        "Nothing, if the model looks right; otherwise export it again.";
    PARENT = "QT022", "parent is not an armature",
        "The mesh names a parent that is not the armature of this file. It is treated as a mesh without a skeleton. The exporter writes the name of any kind of parent object there.",
        "\"Lamp\" \"\"",
        "Parent the mesh to the armature, or to nothing.";
    PARENT_BONE = "QT023", "parent bone of a mesh does not exist",
        "The whole mesh is attached to one bone, but the armature has no bone of that name. The mesh does not move.",
        "\"Armature\" \"Hnad\"",
        "Correct the bone's name.";
    MOVED_ARMATURE = "QT024", "armature is not at the origin",
        "In version 10 the exporter writes the world transform of every object, and ligament reads files accordingly. The original converter applies the armature's transform to the armature's meshes a second time, so it shows such a model elsewhere.",
        "armature \"A\" { 0.0,0.0,1.0 ...",
        "Apply the armature's transform in the modelling program, or read with --posing engine to see what the original converter makes of it.";
    MATERIAL_NUMBER = "QT025", "more than 16 materials",
        "The document allows material numbers from 0 to 15 and lists of up to 16 materials. The original converter may refuse the file.",
        "faces 1 { 3 20 0 ... }",
        "Split the mesh by materials.";
    CHANNEL = "QT026", "channel without a bone",
        "An action moves something that is not a bone of this file. The exporter writes all actions of a scene, including those of other objects. Rewriting the file keeps the channel; conversions leave it out.",
        "\"Walk\" { \"Camera\" { ... } }",
        "Nothing.";
    CURVE = "QT027", "curve is not used",
        "Curves that move a bone are LocX LocY LocZ, QuatW QuatX QuatY QuatZ and ScaleX ScaleY ScaleZ (or SizeX SizeY SizeZ), each once. Rewriting the file keeps other curves; conversions leave them out.",
        "\"RotX\" LINEAR CONST { ... }",
        "Bake other curves into these before exporting.";
    ACTION = "QT028", "action without keys of a bone",
        "Nothing in the action moves a bone of this file, so it does not become a clip. Rewriting the file keeps it.",
        "\"Idle\" { }",
        "Nothing.";
    BYTE_ORDER_MARK = "QT029", "byte order mark",
        "The file begins with the bytes EF BB BF. The original tools expect Windows-1250 and cannot read the file. Names are treated as UTF-8.",
        "a file saved as `UTF-8 with BOM` by an editor",
        "Save the file in Windows-1250.";
    KEY_ORDER = "QT030", "keys out of order",
        "The keys of a curve should be sorted by frame, with each frame only once.",
        "\"LocX\" LINEAR CONST { 10.0,1.0 5.0,0.0 }",
        "Nothing, if the animation looks right.";
    BEZIER = "QT031", "Bezier curves",
        "BEZIER curves have handles in the modelling program, but not in the file. They are played linearly, as in the original converter; rewriting the file keeps the word.",
        "\"QuatW\" BEZIER CONST { 1.0,1.0 13.0,0.8 }",
        "Bake the action to linear keys before exporting if the shape of the curves matters.";
    CYCLES = "QT032", "cycles cut short",
        "A curve repeats its keys excessively often within the clip. It repeats up to a limit, and then holds its value.",
        "keys within a thousandth of a frame, repeated over a clip of an hour",
        "Bake the action before exporting.";
    BONE_SHAPE = "QT033", "bone with shear",
        "The rest matrix of a bone, or its pose after a rest scale that differs between axes, contains shear, which translation, rotation and scale cannot express. The nearest such transform was used. At rest no vertex moves by that; in clips, the size is an upper bound for how far any vertex is from where it should be.",
        "a bone matrix whose rows are not perpendicular",
        "Apply scales in the modelling program before exporting.";
    NOT_INVERTIBLE = "QT034", "bone matrix cannot be inverted",
        "The rest matrix of a bone has no inverse, so no vertex can be bound to it.",
        "a bone matrix with a row of zeros",
        "Repair the bone in the modelling program.";
    LENS = "QT035", "camera without a lens",
        "Cameras of QMSH TMP have a position and a target, but no field of view. The usual 50 degrees are used.",
        "camera { 3.0,-4.0,2.0 0.0,0.0,0.0 }",
        "Set the field of view in the target program.";
    OUT_OF_RANGE = "QT036", "frames are out of range",
        "The frames of an action are so large or so close together that they cannot be distinguished in seconds.",
        "keys at frames 0 and 1e38",
        "Repair the keys in the modelling program.";
    TEXTURE_PATH = "QT037", "texture path is not used",
        "Textures are only looked up in the model's folder and below it. The material is read without this texture.",
        "material \"Skin\" { texture \"C:/art/skin.png\" { diffuse 1.0 } }",
        "Put the image beside the model and name it without a folder.";
    ENVELOPES = "QT038", "envelopes on one vertex",
        "A vertex is within the envelopes of many bones. The largest weights are kept.",
        "twenty bones whose envelopes overlap",
        "Use vertex groups, or smaller envelopes.";
    BETWEEN_KEYS = "QT039", "motion between keys",
        "Some bones do not rotate evenly between their keys: their quaternions change in length, or their rest matrix has shear or a scale that differs between axes. Keys were added until tracks follow the motion. The size bounds how far any vertex can be off.",
        "\"QuatW\" LINEAR CONST { 0.0,1.0 10.0,0.5 } and no other curve of the rotation but \"QuatX\"",
        "Nothing, unless the stated size matters. Bake the action to more keys before exporting if it does.";
    WRITTEN_AS_10 = "QT040", "written as version 10",
        "Later versions are read and rewritten unchanged, but a scene that was changed during the conversion is written in version 10, the published one.",
        "ligament convert --reencode v21.qmsh.tmp out.qmsh.tmp",
        "Nothing, or leave out the options that change the scene.";
    NORMALS = "QT041", "normals",
        "QMSH TMP stores no normals, but one angle per mesh from which they are computed: faces that meet at more than the angle have a hard edge. The angle that gives the nearest normals was written. The size is the largest difference.",
        "a mesh with custom normals, converted to QMSH TMP",
        "Use a format with normals if they matter.";
    NAMES = "QT042", "names changed",
        "Names in QMSH TMP are in Windows-1250, and bones and objects are referred to by name. Characters outside it are written as u and their code point, empty names are replaced by generated ones, and duplicate names get a number.",
        "a bone called 頭",
        "Rename in the source if the names matter.";
    OBJECTS_SPLIT = "QT043", "object with many materials",
        "A mesh of QMSH TMP has at most 16 materials. A mesh with more was written as several objects, which does not change any vertex.",
        "a mesh with 20 materials",
        "Nothing.";
    OBJECT_SHEAR = "QT044", "object transform baked",
        "An object's transform is written as position, angles and scales, which cannot express shear. The transform was applied to the vertices instead, which does not change their world positions.",
        "a rotated object below a non-uniformly scaled one",
        "Nothing.";
    MATERIAL_VALUES = "QT045", "materials other than names",
        "QMSH TMP stores only the names of materials: no colours, textures or other values.",
        "a red material, converted to QMSH TMP",
        "Set up the materials by name in the target program.";
    ROTATION_KEYS = "QT046", "rotation keys added",
        "Rotations are four separate curves, which does not give the constant speed between two keys that other formats have. Keys were added until the two agree. The size is an upper bound for the remaining difference.",
        "a quarter turn between two linear keys of a glTF clip",
        "Nothing.";
}
