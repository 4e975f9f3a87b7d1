//! Diagnostics and losses of QMSH TMP.

crate::report::codes! {
    NOT_QMSH_TMP = "QT001", "no QMSH TMP file",
        "Every QMSH TMP file begins with the words QMSH and TMP and a version number. Comments and blanks may stand before them.",
        "QMSH 10 objects { }",
        "Check that this is the text file that the exporter wrote. The binary .qmsh is another format.";
    VERSION = "QT002", "unsupported version",
        "The number after QMSH TMP says how the rest is laid out. Version 10 is the published one; 12 to 21 are later exporters'. No program is known that wrote 11, and 22 and above exist only as binary files.",
        "QMSH TMP 11",
        "Export the model again in a supported version.";
    SYNTAX = "QT003", "unexpected text",
        "The order of things in a QMSH TMP file is fixed, and something else stands at this place.",
        "mesh \"Cube\" { 0.0,0.0 \"\" }",
        "The message says what is expected here. A word right after a number needs a blank between them, and a number needs a digit before its point.";
    STRAY_BYTE = "QT004", "stray byte",
        "Outside of strings and comments only ASCII letters, digits, punctuation and blanks may stand. Control characters and letters with accents may not.",
        "objects { mésh \"Cube\" { } }",
        "Remove the byte. If the file looks garbled altogether it is not a text file, or in UTF-16.";
    OPEN_COMMENT = "QT005", "comment without end",
        "A comment that begins with /* ends with */. Comments do not nest.",
        "/* made by hand",
        "Add the */.";
    OPEN_STRING = "QT006", "string without end",
        "A string ends with a double quote on the line that it begins on.",
        "mesh \"Cube {",
        "Add the quote, or write a line break within a name as \\n.";
    BAD_ESCAPE = "QT007", "unknown escape",
        "In strings a backslash is followed by one of n t v b r f a 0 \\ ? \" ' or by x and two hexadecimal digits.",
        "\"C:\\models\"",
        "Write a backslash as two.";
    BAD_NUMBER = "QT008", "not a number",
        "A field that must hold a number holds something else. Whole numbers have no point or exponent; with a leading 0 they are octal, with 0x hexadecimal. A number goes on over all letters, digits, points and signs that follow.",
        "vertices 8.0 { }",
        "Write a number such as 0.25, or a whole number such as 8 where a count, an index or a flag is meant.";
    TOO_LARGE = "QT009", "number is not finite",
        "NaN, infinity and numbers above 3.4e38 cannot be used.",
        "1e39,0.0,nan",
        "Repair the vertex, matrix or key in the modelling program and export again.";
    COUNT = "QT010", "count does not fit",
        "The number of materials, vertices or faces is announced before the list, and the list is longer or shorter.",
        "vertices 3 { 0.0,0.0,0.0 }",
        "Correct the number, or look for lines that are missing: exporters leave a truncated file behind when they fail.";
    VERTEX_INDEX = "QT011", "vertex does not exist",
        "A face uses a vertex number that is not below the number of vertices.",
        "vertices 3 { ... } faces 1 { 3 0 0 0 0.0,0.0 1 0.0,0.0 3 0.0,0.0 }",
        "Vertices are counted from 0. Correct the face.";
    FACE_CORNERS = "QT012", "face has not 3 or 4 corners",
        "A face has three or four corners.",
        "faces 1 { 5 0 0 ... }",
        "Cut larger faces into triangles before exporting.";
    TWO_ARMATURES = "QT013", "second armature",
        "A file holds at most one armature.",
        "objects { armature \"A\" { ... } armature \"B\" { ... } }",
        "Join the armatures before exporting.";
    TRAILING = "QT014", "text after the end",
        "The file ends with the brace that closes `params`; only blanks and comments may follow.",
        "params { fps = 25 } }",
        "Remove what follows, or look for a brace too many.";
    BONE_TWICE = "QT015", "bone name used twice",
        "Bones are referred to by name, so that each name may be used once.",
        "bone \"Arm\" { ... } bone \"Arm\" { ... }",
        "Rename one of the bones.";
    BONE_LOOP = "QT016", "bones in a loop",
        "A bone's parent, or its parent's parent and so on, is the bone itself.",
        "bone \"A\" { \"B\" ... } bone \"B\" { \"A\" ... }",
        "Correct the parents; a root's is the empty string.";
    FPS = "QT017", "frames a second",
        "Keys are at frames, and `fps` in `params` says how many of them make a second. It must be there if there are keys, and above 0.",
        "params { fps = 0 }",
        "Write the scene's frame rate: params { fps = 25 }.";
    ORPHAN_BONE = "QT020", "parent bone does not exist",
        "The named parent is not among the bones. The bone is taken as a root; since its matrix is in the armature's space, it rests in the right place. The original converter drops such bones.",
        "bone \"Hand\" { \"Amr\" ... }",
        "Correct the parent's name.";
    GROUP_INDEX = "QT021", "weight of a vertex that does not exist",
        "A vertex group names a vertex that the mesh does not have. The weight is left out.",
        "vertices 3 { ... } ... vertex_groups { \"Arm\" { 7 1.0 } }",
        "Nothing, if the model looks right; else export it again.";
    PARENT = "QT022", "parent is no armature",
        "The mesh names a parent that is not the armature of this file. It is taken as a mesh without a skeleton. The exporter writes the name of any parent object there.",
        "\"Lamp\" \"\"",
        "Parent the mesh to the armature, or to nothing.";
    PARENT_BONE = "QT023", "parent bone of a mesh does not exist",
        "The mesh hangs on one bone as a whole, and the armature has no bone of that name. The mesh does not move.",
        "\"Armature\" \"Hnad\"",
        "Correct the bone's name.";
    MOVED_ARMATURE = "QT024", "armature is not at the origin",
        "In version 10 the exporter writes every object's place in the world, and that is how files are read. The original converter applies the armature's transform to meshes that hang on it a second time, so that it shows such a model elsewhere.",
        "armature \"A\" { 0.0,0.0,1.0 ...",
        "Apply the armature's transform in the modelling program, or read with --posing engine to see what the original converter makes of it.";
    MATERIAL_NUMBER = "QT025", "more than 16 materials",
        "The document allows material numbers from 0 to 15 and lists of up to 16 materials. The original converter may refuse the file.",
        "faces 1 { 3 20 0 ... }",
        "Split the mesh by materials.";
    CHANNEL = "QT026", "channel without a bone",
        "An action moves something that is no bone of this file. The exporter writes all actions of a scene, also those of other objects. The channel is kept when the file is rewritten, and left out of conversions.",
        "\"Walk\" { \"Camera\" { ... } }",
        "Nothing.";
    CURVE = "QT027", "curve is not used",
        "Curves that move a bone are LocX LocY LocZ, QuatW QuatX QuatY QuatZ and ScaleX ScaleY ScaleZ (or SizeX SizeY SizeZ), each once. Others are kept when the file is rewritten, and left out of conversions.",
        "\"RotX\" LINEAR CONST { ... }",
        "Bake other curves into these before exporting.";
    ACTION = "QT028", "action without keys of a bone",
        "Nothing in the action moves a bone of this file, so that it makes no clip. It is kept when the file is rewritten.",
        "\"Idle\" { }",
        "Nothing.";
    BYTE_ORDER_MARK = "QT029", "byte order mark",
        "The file begins with the bytes EF BB BF. The original tools read Windows-1250 and stumble over them. Names are taken as UTF-8.",
        "a file saved as `UTF-8 with BOM` by an editor",
        "Save the file in Windows-1250.";
    KEY_ORDER = "QT030", "keys out of order",
        "The keys of a curve should stand in the order of their frames, each frame once.",
        "\"LocX\" LINEAR CONST { 10.0,1.0 5.0,0.0 }",
        "Nothing, if the animation looks right.";
    BEZIER = "QT031", "Bezier curves",
        "BEZIER curves have handles in the modelling program, and the file does not hold them. They are played linearly, as the original converter does, and the word is kept when the file is rewritten.",
        "\"QuatW\" BEZIER CONST { 1.0,1.0 13.0,0.8 }",
        "Bake the action to linear keys before exporting if the shape of the curves matters.";
    CYCLES = "QT032", "cycles cut short",
        "A curve repeats its keys far more often than is sensible within the clip. It repeats as often as there is room for, and then holds.",
        "keys within a thousandth of a frame, repeated over a clip of an hour",
        "Bake the action before exporting.";
    BONE_SHAPE = "QT033", "bone with shear",
        "The rest matrix of a bone, or its pose together with a scale that differs between axes at rest, holds shear, which translation, rotation and scale cannot express. The nearest such transform was taken. The size is the largest difference in the matrix, relative to its largest entry.",
        "a bone matrix whose rows are not at right angles",
        "Apply scales in the modelling program before exporting.";
    NOT_INVERTIBLE = "QT034", "bone matrix cannot be inverted",
        "The rest matrix of a bone flattens space, so that nothing can be said about what it moves.",
        "a bone matrix with a row of zeros",
        "Repair the bone in the modelling program.";
    LENS = "QT035", "camera without a lens",
        "Cameras of QMSH TMP say where they are and what they look at, but not how wide they see. The usual angle of 50 degrees is taken.",
        "camera { 3.0,-4.0,2.0 0.0,0.0,0.0 }",
        "Set the angle in the target program.";
    OUT_OF_RANGE = "QT036", "frames are out of range",
        "The frames of an action are so large or so close together that they are no different moments in seconds.",
        "keys at frames 0 and 1e38",
        "Repair the keys in the modelling program.";
    TEXTURE_PATH = "QT037", "texture path is not used",
        "Textures are looked for in the model's folder and below it, and nowhere else. The material is read without it.",
        "material \"Skin\" { texture \"C:/art/skin.png\" { diffuse 1.0 } }",
        "Put the image beside the model and name it without a folder.";
    ENVELOPES = "QT038", "envelopes on one vertex",
        "A vertex lies within the envelopes of many bones. The largest weights are kept.",
        "twenty bones whose envelopes overlap",
        "Use vertex groups, or smaller envelopes.";
    WRITTEN_AS_10 = "QT040", "written as version 10",
        "Later versions are read, and rewritten as they are; but a scene that was changed on its way is written in version 10, the published one.",
        "ligament convert --reencode v21.qmsh.tmp out.qmsh.tmp",
        "Nothing; or leave out what changes the scene.";
    NORMALS = "QT041", "normals",
        "QMSH TMP stores no normals but one angle a mesh, from which they are built: faces that meet at more than the angle have a hard edge. The angle that gives the nearest normals was written. The size is the largest difference.",
        "a mesh with hand-made normals, converted to QMSH TMP",
        "Use a format with normals if these matter.";
    NAMES = "QT042", "names changed",
        "Names in QMSH TMP are in Windows-1250, and bones and objects are referred to by name. Characters that are not in it are written as u and their number, empty names are made up, and names used twice get a number.",
        "a bone called 頭",
        "Rename in the source if the names matter.";
    OBJECTS_SPLIT = "QT043", "object with many materials",
        "A mesh of QMSH TMP has at most 16 materials. One with more was written as several objects, which changes no vertex.",
        "a mesh with 20 materials",
        "Nothing.";
    OBJECT_SHEAR = "QT044", "object transform baked",
        "An object's place in the world is written as position, angles and scales, which cannot hold shear. The transform was applied to the vertices instead, which changes none of their places.",
        "a turned object below a non-uniformly scaled one",
        "Nothing.";
    MATERIAL_VALUES = "QT045", "materials other than names",
        "Of a material QMSH TMP holds the name and nothing else: no colours, textures or other values.",
        "a red material, converted to QMSH TMP",
        "Set up the materials by name in the target program.";
    ROTATION_KEYS = "QT046", "rotation keys added",
        "Rotations are four curves that are played one by one, which is not the even turn between two keys that other formats mean. Keys were added between them so that the two agree. The size is an upper bound for the difference that is left.",
        "a quarter turn between two linear keys of a glTF clip",
        "Nothing.";
}
