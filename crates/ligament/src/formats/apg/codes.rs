//! Diagnostic codes of APG: 1xx lines and numbers, 2xx counts, 3xx references, 4xx oddities, 5xx writing.

crate::report::codes! {
    NOT_APG = "AP101", "not an APG file",
        "A text file of this format has lines that begin with @, and its first line names the format; a binary file begins with BINAPGv. This file has neither.",
        "an image that was renamed to model.apg",
        "Check that this is the right file.";
    BAD_NUMBER = "AP102", "not a number",
        "A field that must hold a decimal number holds something else.",
        "0.25 1,5 0.00 below @vp comps 3",
        "Write a decimal number such as 1.5.";
    NOT_FINITE = "AP103", "number is NaN, infinite or far too large",
        "A model with such a number cannot be posed or drawn. Positions, matrices, keys and weights above 1e15 are refused because they are multiplied with each other. Only vertex values may be NaN, which old converters wrote for tangents.",
        "t inf TRA 0 0 0",
        "Look for the cause in the exporting program, and export again.";
    BAD_WHOLE = "AP104", "not an integer",
        "A count, a bone or a node must be an integer; a bone or a parent may be -1 for none.",
        "@vert_count many",
        "Write an integer.";
    FIELDS = "AP105", "line has too few or too many values",
        "Every line below a tag has as many values as the tag's comps say. Keys are written as t SECONDS, a keyword, and three or four numbers.",
        "0.25 0.00 below @vp comps 3",
        "Correct the number of values on the line.";
    BAD_TAG = "AP106", "malformed tag line",
        "The line begins with a tag of the format, but does not continue as that tag must.",
        "@skeleton 2 1 instead of @skeleton bones 2 animations 1",
        "Write the tag as the format's page shows it.";
    COMPS = "AP107", "unusual number of components",
        "The number after comps is wrong for this block. Points and normals have 3, texture coordinates 2, tangents 3 or 4, bones and weights 1 to 4, matrices 16. For key blocks the number is not used, and this is a warning: the Blender script writes 3 above rotations, which have 4.",
        "@vp comps 2",
        "Correct the number, or the lines below it.";
    UNEXPECTED_END = "AP108", "file ends too early",
        "A binary file ends within a section: it was cut off, or an earlier count is wrong.",
        "a file that stops in the middle of its points",
        "Get a complete copy of the file.";
    TRAILING = "AP109", "bytes after the end",
        "A binary file continues after its last section.",
        "a newline that a text editor added to a binary file",
        "Remove the bytes after the end.";
    TAG_BYTE = "AP110", "unknown kind of keys",
        "In a binary file each block of keys begins with the letter t, s or r.",
        "a block that begins with the byte 00",
        "Get a complete copy of the file.";
    VERSION = unsupported "AP111", "unknown version of the binary layout",
        "The byte after the marker LIGAMENT in the header is the version of the layout, and the only version is 1.",
        "a file written by a later version of ligament",
        "Use a later version of ligament.";
    ENDS_EARLY = "AP201", "block ends early",
        "The tag or an earlier count announces more lines than there are below the tag.",
        "@vert_count 3, but @vn comps 3 comes two lines after @vp comps 3",
        "Restore the missing lines, or correct the count.";
    MORE_LINES = "AP202", "more lines than announced",
        "There are more lines below a tag than were announced. The viewer ignores them; ligament also ignores them for vertices and the hierarchy. Keys are read, because the Blender script announces one too few.",
        "@tra_keys node 0 count 24 comps 3 with 25 lines below it",
        "Correct the count.";
    NO_DATA = "AP203", "block without lines",
        "The tag is present, but nothing follows it. The first Blender script wrote such blocks. The mesh is read without these values.",
        "@vn comps 3, and on the next line @vt comps 2",
        "Nothing, if the values are not needed.";
    NO_COUNT = "AP204", "count is missing",
        "Blocks of vertices come after @vert_count, offset matrices after @skeleton, and keys after @animation.",
        "a file that begins with @vp comps 3",
        "Put the tag with the count before the block.";
    TWICE = "AP205", "duplicate block",
        "Each block of vertices, each matrix block and each channel of an animation may occur only once in a file.",
        "two blocks @tra_keys node 2 in one animation",
        "Remove one of them.";
    ANIMATIONS = "AP206", "number of animations differs",
        "The number of animations in the @skeleton line differs from the number of @animation blocks. The blocks are used.",
        "@skeleton bones 2 animations 2 in a file with one @animation",
        "Correct the @skeleton line.";
    NO_POINTS = "AP207", "vertices without points",
        "The file announces vertices, but has no block @vp with their points.",
        "@vert_count 36 and no @vp",
        "Export the mesh again.";
    BONES = "AP208", "bones without matrices or nodes",
        "The @skeleton line announces more bones than there are offset matrices or nodes, so they could not move anything.",
        "@skeleton bones 4000000000 animations 0",
        "Correct the @skeleton line.";
    WEIGHTS = "AP209", "weights do not match bones",
        "There must be as many weights per vertex as bones, in a block after that of the bones.",
        "@vb comps 2 and @vw comps 3",
        "Write as many weights as bones.";
    BONE_RANGE = "AP301", "no such bone",
        "A vertex or a node refers to a bone that the skeleton does not have. Bones count from 0.",
        "a vertex on bone 2 with @skeleton bones 2 animations 1",
        "Correct the number of the bone.";
    NODE_RANGE = "AP302", "no such node",
        "A parent, or a block of keys, refers to a node that the hierarchy does not have. Nodes count from 0.",
        "@tra_keys node 7 count 1 comps 3 in a hierarchy of 5 nodes",
        "Correct the number of the node.";
    PARENT_LOOP = "AP303", "node is its own ancestor",
        "The parents of nodes form a loop, so they have no defined position.",
        "parent 1 on the first line of the hierarchy and parent 0 on the second",
        "Correct the parents.";
    TOO_DEEP = "AP304", "nodes nested too deeply",
        "Nodes are nested more deeply than in any real skeleton.",
        "a chain of 5000 nodes",
        "Check whether this is the right file. Library users can raise Limits::max_depth.";
    NOT_AFFINE = "AP305", "matrix is not affine",
        "The last row of a matrix must be 0 0 0 1.",
        "@root_transform comps 16 with sixteen ones",
        "Export the model again.";
    NAN = "AP401", "NaN counts as zero",
        "Old converters wrote nan for tangents that cannot be computed. Such values count as zero; a rewrite keeps them.",
        "nan nan nan 1 below @vtan comps 4",
        "Nothing, or export the mesh again with a later converter.";
    REMAINDER = "AP402", "last triangle is incomplete",
        "Every three vertices form a triangle, and the number of vertices is not a multiple of three. The remaining vertices are not drawn. The original converter writes such files when faces are not triangles.",
        "@vert_count 16",
        "Cut all faces into triangles before exporting.";
    UNKNOWN_TAG = "AP403", "unknown tag",
        "The line begins with @, but not with a tag of the format. It and the lines below it are ignored; a rewrite keeps them.",
        "@material red",
        "Check the spelling.";
    NO_HEADER = "AP404", "file does not name its format",
        "The first line should name the format: @Anton's custom mesh format, with its date.",
        "a file that begins with @vert_count 36",
        "Add the line, unless it was left out on purpose.";
    NO_SKELETON = "AP405", "bones without a skeleton",
        "Vertices refer to bones, but the file has no skeleton. The mesh is read without bones. The Blender script leaves such files behind when it fails on a mesh without an armature.",
        "a file that ends after its @vb block",
        "Export the mesh together with its armature.";
    NO_OFFSETS = "AP406", "skeleton without offset matrices",
        "Without @offset_mat, bones rotate about the origin instead of their joints. The Blender script writes no matrices, so its skinned models cannot be posed correctly from the file alone.",
        "@skeleton bones 2 animations 1 without @offset_mat",
        "Export with another tool, for example to glTF, and convert that.";
    BONE_NODE = "AP407", "bone without its own node",
        "Each bone belongs to one node. A bone without a node never moves; if several nodes have the same bone, the last one moves it.",
        "@skeleton bones 2 animations 1, and no node with bone_id 1",
        "Give the bone a node.";
    TRANSPOSED = "AP408", "matrix is transposed",
        "Converters from before April 2015 wrote matrices row by row. A matrix with its translation in the fourth, eighth and twelfth position is transposed back.",
        "1 0 0 0.5 0 1 0 0 0 0 1 0 0 0 0 1",
        "Nothing.";
    TANGENT_AXES = "AP409", "tangents and normals have different axes",
        "The original converter rotates points and normals from Z up to Y up, but not the tangents. Tangents are rotated, too, if that makes them perpendicular to the normals; otherwise they are recomputed from the texture coordinates.",
        "normal 0 1 0 with tangent 0 0.83 0.55 1",
        "Nothing.";
    NO_TIMES = "AP410", "key times are lost",
        "Binary files of the original converter hold only half of the bytes of each time, which is useless. Keys are treated as frames at 24 per second, or as --fps says.",
        "any file that conv -bin wrote",
        "Convert the original model to the text form.";
    Z_UP = "AP411", "file has Z up",
        "The Blender script writes Blender's axes, with Z up; its header contains Blender. The model is rotated to Y up.",
        "@Anton's mesh format v.27DEC2014. Blender 2.74 (sub 0) export script v0.3.",
        "Nothing.";
    KEY_ORDER = "AP412", "keys are not in order",
        "Key times must increase and must not be negative. Keys are sorted; if several share a time, the last one is kept, and the last key before 0 is moved to 0.",
        "keys at 0.0, 1.0 and 0.5 seconds",
        "Sort the keys.";
    ZERO_ROTATION = "AP413", "quaternion of length zero",
        "A quaternion of four zeros does not describe a rotation. It is read as no rotation.",
        "t 0 ROT 0 0 0 0",
        "Use 1 0 0 0 for no rotation.";
    ONE_BONE = "AP414", "bones without weights",
        "A block with several bones per vertex needs a block with their weights. Without it, vertices follow their first bone.",
        "@vb comps 4 without @vw comps 4",
        "Add the weights.";
    TANGENT_SIGN = "AP415", "tangent signs are inverted",
        "The fourth number of a tangent says on which side of it the bitangent is, but the format does not define which sign means which side. Files of the first years use the opposite of later ones. The texture coordinates show which one a file uses.",
        "a file of 2014 with mirrored texture coordinates at tangents that end in 1",
        "Nothing.";
    NAMES = "AP501" of "name"/"names", "names",
        "The format has no names for nodes and bones. When the file is read back, they are called bone0, bone1, node2.",
        "a joint called LeftArm",
        "Convert to a format with names if they matter.";
    CLIP_NAME = "AP502", "clip name changed",
        "Readers of the format split lines at spaces, so a clip's name must not contain spaces or be empty.",
        "a clip called Walk slowly becomes Walk_slowly",
        "Rename the clip.";
    PRECISION = "AP503" of "row"/"rows", "numbers are rounded",
        "With --precision document numbers are written as in the published document: points to a hundredth, normals, tangents and texture coordinates to three digits, keys and matrices to six decimals.",
        "ligament convert --precision document model.glb model.apg",
        "Leave the option out to keep every number.";
    VIEWER_LIMITS = "AP504", "more than the original viewer supports",
        "The original viewer has room for 32 bones, 32 nodes, names of 63 bytes and lines of 1023 bytes. Other readers may support more.",
        "a skeleton of 60 joints",
        "Nothing, unless the original viewer must show the model.";
    STATIC_BONE = "AP505" of "vertex"/"vertices", "bone added for vertices that do not move",
        "In a file with a skeleton every vertex has a bone. Vertices without one follow an added bone that never moves.",
        "a table with a skinned cloth on it",
        "Nothing.";
    FILLED = "AP506" of "vertex"/"vertices", "values filled in",
        "All parts of a model become one block of vertices. If only some parts have texture coordinates, those of the others are zero; tangents that only some parts have are left out.",
        "a textured body with eyes that have no texture coordinates",
        "Give all parts the same attributes if this matters.";
    TOO_MANY = "AP507", "too many vertices",
        "Counts in the file are signed 32-bit integers, so there can be at most 2147483647 vertices.",
        "a mesh of a billion triangles",
        "Split the model.";
    MATERIALS = "AP508" of "material"/"materials", "materials",
        "The format has no materials. All parts of a model become one mesh without any.",
        "a model with a red and a blue part",
        "Convert to a format with materials if they matter.";
}
