//! Codes of APG: 1xx lines and numbers, 2xx counts, 3xx references, 4xx oddities, 5xx writing.

crate::report::codes! {
    NOT_APG = "AP101", "not an APG file",
        "A text file of this format has lines that begin with @, and its first line names the format; a binary one begins with BINAPGv. Nothing of that is there.",
        "a picture that was renamed to model.apg",
        "Check that this is the right file.";
    BAD_NUMBER = "AP102", "not a number",
        "A field that must hold a decimal number holds something else.",
        "0.25 1,5 0.00 below @vp comps 3",
        "Write a decimal number such as 1.5.";
    NOT_FINITE = "AP103", "number is NaN, infinite or far too large",
        "A model with such a number cannot be posed or drawn. Places, matrices, keys and weights above 1e15 are refused because they are multiplied with each other. Only the values of vertices may be NaN, which old converters wrote for tangents.",
        "t inf TRA 0 0 0",
        "Find out in the exporting program why the value is broken, and export again.";
    BAD_WHOLE = "AP104", "not a whole number",
        "A count, a bone or a node must be a whole number; a bone or a parent may be -1 for none.",
        "@vert_count many",
        "Write a whole number.";
    FIELDS = "AP105", "line has too few or too many values",
        "Every line below a tag has as many values as the tag's comps say, and keys are written as t SECONDS, a word, and three or four numbers.",
        "0.25 0.00 below @vp comps 3",
        "Give the line as many values as it should have.";
    BAD_TAG = "AP106", "tag line is not understood",
        "The line begins with a tag of the format, but does not go on as that tag must.",
        "@skeleton 2 1 instead of @skeleton bones 2 animations 1",
        "Write the tag as the format's page shows it.";
    COMPS = "AP107", "unusual number of components",
        "The number after comps is not the one that this block has. Points and normals have 3, texture coordinates 2, tangents 3 or 4, bones and weights 1 to 4, matrices 16. For key blocks the number is not used, and this is a warning: the Blender script writes 3 above rotations, which have 4.",
        "@vp comps 2",
        "Correct the number, or the lines below it.";
    UNEXPECTED_END = "AP108", "file ends too early",
        "A binary file ends within a section: it was cut off, or a count before it is wrong.",
        "a file that stops in the middle of its points",
        "Get a complete copy of the file.";
    TRAILING = "AP109", "bytes after the end",
        "A binary file goes on after its last section.",
        "a line end that a text editor added to a binary file",
        "Remove what stands after the end.";
    TAG_BYTE = "AP110", "unknown kind of keys",
        "In a binary file each block of keys begins with the letter t, s or r.",
        "a block that begins with the byte 00",
        "Get a complete copy of the file.";
    VERSION = "AP111", "unknown version of the binary layout",
        "The byte after the marker LIGAMENT in the header is the version of the layout, and the only version is 1.",
        "a file that a later version of ligament wrote",
        "Use a later version of ligament.";
    ENDS_EARLY = "AP201", "block ends early",
        "The tag or an earlier count announces more lines than stand below the tag.",
        "@vert_count 3, but @vn comps 3 comes two lines after @vp comps 3",
        "Restore the missing lines, or correct the count.";
    MORE_LINES = "AP202", "more lines than announced",
        "There are more lines below a tag than were announced. The viewer ignores them; those of vertices and of the hierarchy are ignored here too. Keys are read, because the Blender script announces one too few.",
        "@tra_keys node 0 count 24 comps 3 with 25 lines below it",
        "Correct the count.";
    NO_DATA = "AP203", "block without lines",
        "The tag stands there, but nothing below it. The first Blender script wrote such blocks. The mesh is read without these values.",
        "@vn comps 3, and on the next line @vt comps 2",
        "Nothing, if the values are not needed.";
    NO_COUNT = "AP204", "count is missing",
        "Blocks of vertices come after @vert_count, offset matrices after @skeleton, and keys after @animation.",
        "a file that begins with @vp comps 3",
        "Put the tag with the count before the block.";
    TWICE = "AP205", "block stands there twice",
        "A file has each block of vertices, each matrix block and each channel of an animation only once.",
        "two blocks @tra_keys node 2 in one animation",
        "Remove one of them.";
    ANIMATIONS = "AP206", "number of animations differs",
        "The number of animations in the @skeleton line is not that of the @animation blocks. The blocks are used.",
        "@skeleton bones 2 animations 2 in a file with one @animation",
        "Correct the @skeleton line.";
    NO_POINTS = "AP207", "vertices without points",
        "The file announces vertices, and has no block @vp with their points.",
        "@vert_count 36 and no @vp",
        "Export the mesh again.";
    BONES = "AP208", "number of bones is not borne out",
        "The @skeleton line announces more bones than there are offset matrices or nodes, so that they could not move anything.",
        "@skeleton bones 4000000000 animations 0",
        "Correct the @skeleton line.";
    WEIGHTS = "AP209", "weights do not fit bones",
        "There must be as many weights a vertex as bones, in a block after that of the bones.",
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
        "The parents of nodes form a loop, so that no place can be found for them.",
        "parent 1 on the first line of the hierarchy and parent 0 on the second",
        "Correct the parents.";
    TOO_DEEP = "AP304", "nodes nested too deeply",
        "There are more nodes below each other than any real skeleton has.",
        "a chain of 5000 nodes",
        "Check whether the file is what it should be. Library users can raise Limits::max_depth.";
    NOT_AFFINE = "AP305", "matrix is no transformation",
        "The last row of a matrix must be 0 0 0 1.",
        "@root_transform comps 16 with sixteen ones",
        "Export the model again.";
    NAN = "AP401", "NaN counts as zero",
        "Old converters wrote nan for tangents that cannot be computed. Such values count as zero; a rewrite keeps them.",
        "nan nan nan 1 below @vtan comps 4",
        "Nothing, or export the mesh again with a later converter.";
    REMAINDER = "AP402", "last triangle is incomplete",
        "Every three vertices are a triangle, and the number of vertices is not a multiple of three. The rest is not drawn. The original converter writes such files when faces are not triangles.",
        "@vert_count 16",
        "Cut all faces into triangles before exporting.";
    UNKNOWN_TAG = "AP403", "unknown tag",
        "The line begins with @, but with no tag of the format. It and the lines below it are ignored; a rewrite keeps them.",
        "@material red",
        "Check the spelling.";
    NO_HEADER = "AP404", "file does not name its format",
        "The first line should be that of the format: @Anton's custom mesh format, with its date.",
        "a file that begins with @vert_count 36",
        "Add the line, unless it was left out on purpose.";
    NO_SKELETON = "AP405", "bones without a skeleton",
        "Vertices refer to bones, but the file has no skeleton. The mesh is read without bones. The Blender script leaves such files when it fails on a mesh without armature.",
        "a file that ends after its @vb block",
        "Export the mesh together with its armature.";
    NO_OFFSETS = "AP406", "skeleton without offset matrices",
        "Without @offset_mat, bones turn about the origin instead of their joints. The Blender script writes no matrices, so that its skinned models cannot be posed rightly from the file alone.",
        "@skeleton bones 2 animations 1 without @offset_mat",
        "Export with another tool, for example to glTF, and convert that.";
    BONE_NODE = "AP407", "bone without a node of its own",
        "Each bone belongs to one node. A bone without node never moves; of several nodes with the same bone the last one moves it.",
        "@skeleton bones 2 animations 1, and no node with bone_id 1",
        "Give the bone a node.";
    TRANSPOSED = "AP408", "matrix is transposed",
        "Converters from before April 2015 wrote matrices row by row. One whose translation stands in the fourth, eighth and twelfth place is turned around.",
        "1 0 0 0.5 0 1 0 0 0 0 1 0 0 0 0 1",
        "Nothing.";
    TANGENT_AXES = "AP409", "tangents are in other axes than normals",
        "The original converter turns points and normals from Z up to Y up, and forgets the tangents. Tangents that stand at right angles to the normals only when they are turned as well are turned; if that does not help they are computed anew from the texture coordinates.",
        "normal 0 1 0 with tangent 0 0.83 0.55 1",
        "Nothing.";
    NO_TIMES = "AP410", "key times are lost",
        "Binary files of the original converter hold half of the bytes of each time, which tell nothing. Keys are taken to be frames at 24 a second, or as --fps says.",
        "any file that conv -bin wrote",
        "Convert the original model to the text form.";
    Z_UP = "AP411", "file has Z up",
        "The Blender script writes Blender's axes, with Z up; its header says Blender. The model is turned to Y up.",
        "@Anton's mesh format v.27DEC2014. Blender 2.74 (sub 0) export script v0.3.",
        "Nothing.";
    KEY_ORDER = "AP412", "keys are not in order",
        "Key times must rise, and none be negative. Keys are sorted; of several at one time the last counts, and of those before 0 the last is moved to 0.",
        "keys at 0.0, 1.0 and 0.5 seconds",
        "Sort the keys.";
    ZERO_ROTATION = "AP413", "quaternion of length zero",
        "A quaternion with four zeros is no rotation. It counts as none.",
        "t 0 ROT 0 0 0 0",
        "Use 1 0 0 0 for no rotation.";
    ONE_BONE = "AP414", "bones without weights",
        "A block with several bones a vertex needs one with their weights. Without it, vertices follow their first bone.",
        "@vb comps 4 without @vw comps 4",
        "Add the weights.";
    TANGENT_SIGN = "AP415", "signs of tangents mean the opposite",
        "The fourth number of a tangent says on which side of it the bitangent is, and the format leaves open which sign is which. Files of the first years have it the other way round than later ones. The texture coordinates tell which it is.",
        "a file of 2014 with mirrored texture coordinates at tangents that end in 1",
        "Nothing.";
    NAMES = "AP501", "names",
        "The format has no names for nodes and bones. Read back, they are called bone0, bone1, node2.",
        "a joint called LeftArm",
        "Convert to a format with names if they matter.";
    CLIP_NAME = "AP502", "clip name changed",
        "Readers of the format split lines at spaces, so that a clip's name must not hold blanks, and must not be empty.",
        "a clip called Walk slowly becomes Walk_slowly",
        "Rename the clip.";
    PRECISION = "AP503", "numbers are rounded",
        "With --precision document numbers are written as the published document says: points to a hundredth, normals, tangents and texture coordinates to three digits, keys and matrices to six decimals.",
        "ligament convert --precision document model.glb model.apg",
        "Leave the option out to keep every number.";
    VIEWER_LIMITS = "AP504", "more than the original viewer takes",
        "The original viewer has room for 32 bones, 32 nodes, names of 63 bytes and lines of 1023 bytes. Other readers may take more.",
        "a skeleton of 60 joints",
        "Nothing, unless the original viewer must show the model.";
    STATIC_BONE = "AP505", "bone added for what does not move",
        "In a file with a skeleton every vertex has a bone. Vertices without any follow one that is added for them and never moves.",
        "a table with a skinned cloth on it",
        "Nothing.";
    FILLED = "AP506", "values filled in",
        "All parts of a model become one block of vertices. Where some parts have texture coordinates and others do not, those of the others are zero; tangents that only some parts have are left out.",
        "a textured body with eyes that have no texture coordinates",
        "Give all parts the same attributes if it matters.";
    TOO_MANY = "AP507", "too many vertices",
        "Counts in the file are whole numbers of 32 bits with a sign, so that there can be at most 2147483647 vertices.",
        "a mesh of a billion triangles",
        "Split the model.";
    MATERIALS = "AP508", "materials",
        "The format has no materials. All parts of a model become one mesh without any.",
        "a model with a red and a blue part",
        "Convert to a format with materials if they matter.";
}
