//! The diagnostics of glTF: GL0.. the file, GL1.. its buffers, GL2.. its objects, GL3.. losses,
//! GL4.. rules that only `validate` checks (`rules/`). Explanations name the codes of the Khronos validator.

crate::report::codes! {
    GLB = "GL001", "broken GLB container",
        "A GLB file is a 12-byte header and chunks, each with its length and type. One of them is missing, has the wrong type, or claims more bytes than the file has.",
        "a GLB file that was cut short while copying",
        "Export or copy the file again.";
    JSON = "GL002", "JSON is not glTF",
        "The JSON breaks JSON's own grammar, is not UTF-8, is nested too deeply, or holds a value of the wrong type (a string for a number, a negative index).",
        "{\"nodes\": [{\"mesh\": -1}]}",
        "The message says what was expected there.";
    VERSION = unsupported "GL003", "not glTF 1.0 or 2.0",
        "The file states a version other than 1.x or 2.0.",
        "{\"asset\": {\"version\": \"0.8\"}}",
        "Export the file again as glTF 2.0; gltf-pipeline converts versions before 1.0.";
    EXTRA_DATA = "GL004", "unused bytes",
        "The file continues past the length that its header states, has a chunk of unknown type, or starts with a byte order mark. The bytes were ignored.",
        "a GLB file with a text appended to it",
        "Nothing needs to be done; rewriting the file through a scene removes them.";
    REQUIRED_EXTENSION = unsupported "GL005", "required extension is not supported",
        "The file says that it cannot be read correctly without an extension that ligament does not support and that may change geometry or motion. A required extension that only changes the look is no reason to refuse a file. A rewrite that stays in glTF needs to understand no extension.",
        "{\"extensionsRequired\": [\"ACME_deformer\"]}",
        "Write the file again without the extension.";
    TOO_BIG = "GL006", "contents out of proportion to the file",
        "A few bytes of the file request a very large amount of memory: large accessors without data, the same data used very often, or very many empty objects. Such a file is refused so that it cannot exhaust memory.",
        "{\"accessors\": [{\"count\": 2000000000, \"componentType\": 5126, \"type\": \"VEC3\"}]}",
        "If the file is genuine, allow more with --max-memory. Very many empty objects are refused in any case.";
    NO_VERSION = "GL008", "no version",
        "Every glTF file names its version in `asset.version`. This one does not, and does not look like glTF 1.0 either.",
        "{\"scenes\": []}",
        "Export the file again as glTF 2.0.";
    ODD_JSON = "GL009", "value of the wrong type",
        "The JSON has `null` where glTF wants a value or nothing, or a number with a decimal point where it wants an integer. Other programs read such files, and so does ligament.",
        "{\"accessors\": [{\"count\": 3.0, \"min\": null}]}",
        "Nothing needs to be done; the exporter that wrote the file is at fault.";
    FIRST = "GL007", "glTF 1.0",
        "The file is glTF 1.0, which 2.0 replaced in 2017. ligament reads 1.0 but never writes it, so converting the file to glTF goes through a scene and produces 2.0.",
        "{\"asset\": {\"version\": \"1.0\"}, \"nodes\": {\"a\": {}}}",
        "Nothing needs to be done.";

    BUFFER = "GL101", "buffer is missing or too short",
        "A buffer's file cannot be read, its URI leads out of the model's folder, its data URI is not base64, or it has fewer bytes than byteLength says.",
        "{\"buffers\": [{\"uri\": \"../scene.bin\", \"byteLength\": 4}]}",
        "Put the buffer's file beside the .gltf file, under the name that the .gltf file uses.";
    ACCESSOR = "GL102", "accessor does not fit",
        "An accessor or buffer view reaches past the end of its data, has elements larger than its stride, or lacks a required field.",
        "{\"bufferViews\": [{\"buffer\": 0, \"byteLength\": 8}], \"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"type\": \"VEC3\", \"count\": 1}]}",
        "The message names the conflicting numbers; the exporter that wrote them is at fault.";
    ACCESSOR_TYPE = "GL103", "accessor has the wrong type",
        "The object that uses the accessor needs another element or component type: positions are VEC3, indices are unsigned SCALAR, and so on.",
        "{\"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}}]}], \"accessors\": [{\"type\": \"VEC2\", \"componentType\": 5126, \"count\": 1}]}",
        "Refer to an accessor of a type that the specification allows there.";
    NOT_FINITE = "GL104", "number is not finite",
        "An accessor holds NaN or infinity, which are not valid positions, weights or keys.",
        "a POSITION accessor with the bytes 00 00 C0 7F",
        "Find the vertex or key in the authoring tool and export again.";
    IMAGE = "GL105", "image cannot be used",
        "An image has neither a URI nor a buffer view, its URI is refused, or its data URI is broken.",
        "{\"images\": [{\"uri\": \"file:///etc/passwd\"}]}",
        "Put the image beside the model and refer to it by a relative path.";
    IMAGE_MISSING = "GL106", "image file not found",
        "The file that an image refers to is not beside the model. The reference was kept.",
        "{\"images\": [{\"uri\": \"no-such-file.png\"}]}",
        "Put the file beside the model.";
    COMPRESSED = "GL107", "compressed data cannot be decoded",
        "A stream of KHR_draco_mesh_compression, EXT_meshopt_compression or KHR_meshopt_compression is damaged, is not of the kind that the file says, or would decode to more than its size justifies.",
        "a Draco stream that was cut short",
        "Export the file again, or ask its author for the file without compression.";
    DECODED = "GL108", "compressed data disagrees with its description",
        "A compressed stream decodes to another number of vertices or indices, or to another type, than its accessor or buffer view states. What was decoded is used.",
        "a Draco stream of 24 vertices whose accessors have a count of 20",
        "Nothing needs to be done; the exporter that wrote the numbers is at fault.";

    INDEX = "GL201", "index out of range",
        "A field refers to an object that does not exist.",
        "{\"nodes\": [{\"mesh\": 3}], \"meshes\": []}",
        "Refer to an existing object, or remove the field.";
    HIERARCHY = "GL202", "nodes are not a tree",
        "A node is its own ancestor, has two parents, or is nested deeper than the limit.",
        "{\"nodes\": [{\"children\": [0]}]}",
        "Every node must be the child of at most one other node.";
    MESH = "GL203", "inconsistent mesh data",
        "A primitive's attributes have different lengths, an index points past its vertices, or its drawing mode is unknown. As a warning: a primitive without positions draws nothing, or sets of texture coordinates or colours are numbered with gaps.",
        "{\"meshes\": [{\"primitives\": [{\"attributes\": {}}]}]}",
        "Export the mesh again; the message names the attribute.";
    SKIN = "GL204", "inconsistent skin data",
        "A skin has no joints, too few inverse bind matrices, or a vertex names a joint that the skin does not have.",
        "{\"skins\": [{\"joints\": []}]}",
        "Export the skin again; the message names the numbers.";
    ANIMATION = "GL205", "inconsistent animation data",
        "A sampler's values do not match its times, its times decrease, two channels animate the same property, or a channel animates a node whose transform is a matrix with shear.",
        "an animation input with the times 0, 1, 0.5",
        "Export the animation again; the message names the channel.";
    VALUE = "GL206", "value out of range",
        "A field has a value that the specification does not allow. Where the message says so, a usable value was used instead.",
        "{\"cameras\": [{\"type\": \"perspective\", \"perspective\": {\"yfov\": 0.7}}]}",
        "Correct the value.";
    REPEATED_KEY = "GL207", "two keys at the same time",
        "An animation sampler has several keys at one time. The first was kept.",
        "an animation input with the times 0, 1, 1, 2",
        "Remove the duplicate keys in the authoring tool.";
    EDITED_MATERIAL = "GL208", "material was edited since it was converted",
        "The material carries the Phong values of the file that it was once converted from, but its base colour has changed since then. The Phong values were not restored.",
        "a .glb from `ligament convert` whose colours were changed in Blender",
        "Nothing needs to be done: the edited material is used.";

    HUMANOID = "GL209", "incomplete humanoid",
        "A VRM avatar names the nodes that are its bones. One that VRM requires is missing, is no node of the file, or is the same node as another bone. Programs for avatars will refuse the file or move it wrongly.",
        "{\"extensions\": {\"VRMC_vrm\": {\"humanoid\": {\"humanBones\": {\"hips\": {\"node\": 0}}}}}}",
        "Assign the bones in the program that exports the avatar.";

    EXTENSION = "GL301", "unsupported extension",
        "The file uses an extension that a scene cannot represent. Extensions of objects that a scene has travel to a glTF target as JSON, and their indices are renumbered. One is dropped if it belongs to an accessor, a view, a sampler or a channel, if it holds integers that may be indices of an unknown kind, or if what it refers to is gone. A rewrite that stays in glTF keeps everything.",
        "{\"extensionsUsed\": [\"EXT_structural_metadata\"]}",
        "Keep the source file if you need what the extension adds.";
    OTHER_SCENES = "GL302", "nodes outside the scene",
        "Only the default scene is read, with its nodes and the joints that its skins need.",
        "{\"scene\": 0, \"scenes\": [{\"nodes\": [0]}, {\"nodes\": [1]}]}",
        "Make the other scene the default one, or put its nodes into the default scene.";
    OTHER_ATTRIBUTES = "GL303", "unsupported vertex attributes",
        "Application-specific attributes (their names begin with `_`) are not read.",
        "{\"attributes\": {\"POSITION\": 0, \"_BARYCENTRIC\": 1}}",
        "Keep the source file if you need them.";
    CHANNELS = "GL304", "animation channels without effect",
        "A channel has no node, or targets a node outside the scene, a property that scenes do not animate, or the node of a skinned mesh, whose transform posing ignores.",
        "{\"target\": {\"path\": \"translation\"}}",
        "Nothing needs to be done unless the channel was meant to have an effect.";
    TEXTURES = "GL305", "textures without an image",
        "A texture's image comes from an unsupported extension, or has a type that glTF cannot hold, so materials lose it. Where a texture has its image in two types, the one that every program can show is kept.",
        "{\"textures\": [{\"extensions\": {\"MSFT_texture_dds\": {\"source\": 0}}}]}",
        "Convert the images to PNG or JPEG.";
    UNSKINNED = "GL306", "joints and weights without a skin",
        "A mesh has joints and weights, but no node draws it with a skin.",
        "{\"nodes\": [{\"mesh\": 0}]} where the mesh has JOINTS_0",
        "Add the skin to the node, or remove the attributes.";
    WEIGHTS = "GL307", "weights",
        "glTF requires that a vertex's weights are not negative and sum to one, and that a joint occurs once per vertex. Posing divides by the sum, so the pose stays the same unless weights were negative.",
        "a vertex with the weights 2 and 2",
        "Nothing needs to be done.";
    UNIT_VECTORS = minor "GL308", "normals and tangents that are not unit vectors",
        "Normals and tangents must have length one, and a tangent's sign must be 1 or -1. Others were normalised; a normal of length zero was replaced by that of the surrounding faces.",
        "a normal 0 0 0",
        "Recompute the normals in the authoring tool.";
    COLORS = "GL309", "vertex colours outside 0..1",
        "glTF only allows colours from 0 to 1; others were clamped.",
        "a vertex colour of 1.5 0 0 1",
        "Scale the colours, and brighten the material instead.";
    EMPTY = minor "GL310", "empty meshes, parts, skins and clips",
        "glTF cannot express a mesh without parts, a part without vertices or faces, a skin without joints, or a clip that moves nothing.",
        "a part without vertices",
        "Nothing needs to be done.";
    STATIC_JOINT = "GL311" of "vertex"/"vertices", "vertices without influences",
        "glTF requires influences on every vertex of a skinned mesh. Vertices without any were bound to an extra joint that never moves; reading the file again removes it.",
        "a skinned mesh with a vertex that no joint influences",
        "Nothing needs to be done.";
    MOVED = minor "GL312", "nodes that only glTF needs",
        "A skinned mesh ignores its node's transform, so the node was moved to the root of the scene; joints without a common root were given one. Reading the file again restores what was there.",
        "a skinned mesh below the armature's node",
        "Nothing needs to be done.";
    RANGES = "GL313", "values that glTF does not allow",
        "A camera, light, material or texture coordinate set has a value that glTF does not allow, and the nearest allowed one was written.",
        "a spot light wider than 90 degrees",
        "Correct the value in the source.";
    IN_EXTRAS = "GL314", "values kept in extras",
        "glTF has no fields for these values, so they were written to extras, where ligament finds them again: Phong values, a clip's frames and length, a joint's tip, ambient light.",
        "converting a PFOBJ model to GLB",
        "Nothing needs to be done; other programs ignore them.";
    MERGED_BUFFERS = minor "GL315", "buffer names and extras",
        "A GLB file has one binary chunk, so several buffers were joined, and the names and extras of all but the first are lost.",
        "converting a .gltf file with two named .bin files to .glb",
        "Nothing needs to be done.";
    SHEAR = "GL317", "transforms with shear",
        "A node's transform has shear, which translation, rotation and scale cannot express. It was written as a matrix; the specification asks for matrices without shear, so the Khronos validator complains and some programs drop the shear.",
        "a node scaled unevenly below a rotated and unevenly scaled one, flattened into one matrix",
        "Apply the scale in the authoring tool.";
    SHADERS = "GL318" of "shader"/"shaders", "shaders",
        "glTF 1.0, and KHR_techniques_webgl in 2.0, draw with shaders that the file contains. The shaders are dropped. The values that a material passes to its shader under the usual names (ambient, diffuse, specular, shininess, emission, transparency) are read as a Phong material; other values are dropped.",
        "{\"techniques\": {\"technique0\": {\"program\": \"program_0\"}}}",
        "Compare how the model looks; a shader may have used the values in any way.";
    JOINED = "GL319", "animations joined into one clip",
        "COLLADA2GLTF writes one animation per curve to a glTF 1.0 file, numbered from animation_0. If no two of them move the same thing, they are read as the one clip that they came from.",
        "{\"animations\": {\"animation_0\": {}, \"animation_1\": {}}}",
        "Nothing needs to be done. Animations with other ids or names stay separate.";
    FADING = "GL320", "light attenuation",
        "Lights of KHR_materials_common may attenuate in other ways than with the square of the distance, which scenes do not support.",
        "a point light with a linearAttenuation of 1",
        "Adjust the light's intensity.";
    INSTANCES = "GL321" of "instance"/"instances", "instances of meshes",
        "EXT_mesh_gpu_instancing draws a node's mesh many times. Scenes have no instances, so each one was read as a node of its own below that node.",
        "{\"nodes\": [{\"mesh\": 0, \"extensions\": {\"EXT_mesh_gpu_instancing\": {\"attributes\": {\"TRANSLATION\": 1}}}}]}",
        "Nothing needs to be done; the model looks the same.";
    HIDDEN = "GL322" of "node"/"nodes", "hidden nodes",
        "KHR_node_visibility hides a node and everything below it. Hidden meshes and lights are neither drawn nor compared. A glTF target keeps them hidden; no other format gets them.",
        "{\"nodes\": [{\"mesh\": 0, \"extensions\": {\"KHR_node_visibility\": {\"visible\": false}}}]}",
        "Make the nodes visible in the source if they should be converted.";
    GLOSSINESS = "GL323", "specular and glossiness",
        "KHR_materials_pbrSpecularGlossiness describes a material by its specular colour and glossiness. Scenes describe it by how metallic and rough it is. A material that also has metallic-roughness values is read by these; for others, they are computed from the factors. Textures of specular colour and glossiness are not converted. A glTF target keeps the extension too.",
        "{\"materials\": [{\"extensions\": {\"KHR_materials_pbrSpecularGlossiness\": {}}}]}",
        "Compare how the model looks, or convert the materials in the authoring tool.";
    UNCOMPRESSED = "GL325", "compressed geometry",
        "The file's geometry is compressed with KHR_draco_mesh_compression, EXT_meshopt_compression or KHR_meshopt_compression. A scene holds it uncompressed, so everything that is written from the scene is larger than the source. The vertices are exactly those that the streams hold.",
        "converting a Draco-compressed .glb to PFOBJ, or to glTF with --reencode",
        "Nothing needs to be done. A rewrite that stays in glTF, without --reencode, keeps the streams.";
    SAMPLERS = minor "GL316", "names and extras of samplers, buffers and accessors",
        "The scene keeps how a texture is sampled and the arrays that accessors describe, but not the names and extras of these objects.",
        "{\"samplers\": [{\"name\": \"trilinear\"}]}",
        "Nothing needs to be done.";

    TYPE = "GL401", "value of the wrong type",
        "The schema of glTF gives every property a type, and this value has another one; `null` is never right. Khronos: TYPE_MISMATCH, ARRAY_TYPE_MISMATCH, INVALID_INDEX.",
        "{\"nodes\": [{\"name\": 7}]}",
        "Write a value of the type that the message asks for, or leave the property out.";
    MISSING = "GL402", "missing property",
        "An object lacks a property that it must have, or that another of its properties needs, or it has two that exclude each other. Khronos: UNDEFINED_PROPERTY, UNSATISFIED_DEPENDENCY, ONE_OF_MISMATCH.",
        "{\"cameras\": [{\"type\": \"perspective\"}]}",
        "Add the property that the message names, or remove what needs it.";
    EMPTY_ENTITY = "GL403", "empty array or object",
        "glTF has no empty arrays and no primitives without attributes: a property with nothing in it is left out. Khronos: EMPTY_ENTITY.",
        "{\"nodes\": []}",
        "Remove the property.";
    OUT_OF_RANGE = "GL404", "value that the specification does not allow",
        "A number is outside the range of its property, or a text does not have the form that it must have. As a warning: a word or constant that is not known. Khronos: VALUE_NOT_IN_RANGE, VALUE_NOT_IN_LIST, PATTERN_MISMATCH, INVALID_GL_VALUE, CAMERA_XMAG_YMAG_ZERO, CAMERA_ZFAR_LEQUAL_ZNEAR, ASSET_MIN_VERSION_GREATER_THAN_VERSION, KHR_LIGHTS_PUNCTUAL_LIGHT_SPOT_ANGLES.",
        "{\"materials\": [{\"pbrMetallicRoughness\": {\"roughnessFactor\": 2}}]}",
        "Correct the value.";
    LENGTH = "GL405", "array of the wrong length",
        "A vector, matrix or bound has the wrong number of elements. Khronos: ARRAY_LENGTH_NOT_IN_LIST.",
        "{\"nodes\": [{\"translation\": [1, 2]}]}",
        "Write as many numbers as the message asks for.";
    REPEATED = "GL406", "repeated element",
        "An element occurs twice in a list whose elements must differ. Khronos: DUPLICATE_ELEMENTS, KHR_MATERIALS_VARIANTS_NON_UNIQUE_VARIANT.",
        "{\"scenes\": [{\"nodes\": [0, 0]}]}",
        "Remove the second one.";
    UNKNOWN_PROPERTY = "GL407", "unknown property",
        "glTF has no such property here, so programs ignore it. It may be misspelt, or belong into `extras`. Khronos: UNEXPECTED_PROPERTY.",
        "{\"nodes\": [{\"transform\": []}]}",
        "Correct the name, or move the property into `extras`.";
    DECLARATION = "GL408", "extension is not declared",
        "A file lists the extensions that it uses in extensionsUsed, and those that it cannot be read without in extensionsRequired, too. Khronos: UNDECLARED_EXTENSION, UNUSED_EXTENSION_REQUIRED, NON_REQUIRED_EXTENSION, INVALID_EXTENSION_NAME_FORMAT.",
        "{\"materials\": [{\"extensions\": {\"KHR_materials_unlit\": {}}}]} without extensionsUsed",
        "Add the extension to the lists.";
    MISPLACED_EXTENSION = "GL409", "extension in the wrong place",
        "The extension does not extend this kind of object, so programs ignore it here. As a warning: it may contradict the object's other extensions. Khronos: UNEXPECTED_EXTENSION_OBJECT, MULTIPLE_EXTENSIONS.",
        "{\"nodes\": [{\"extensions\": {\"KHR_materials_unlit\": {}}}]}",
        "Move the extension to the object that it extends.";
    URI = "GL410", "URI that programs may refuse",
        "A URI is malformed, is not relative to the model's folder, or is a data URI whose type is not that of its content. Khronos: INVALID_URI, NON_RELATIVE_URI, BUFFER_DATA_URI_MIME_TYPE_INVALID.",
        "{\"buffers\": [{\"uri\": \"data:text/plain;base64,AAAA\", \"byteLength\": 3}]}",
        "Use a path relative to the model's folder, or a data URI of the right type.";
    LAYOUT = "GL411", "data is not laid out as graphics cards need it",
        "Vertices start at multiples of four bytes, other data at multiples of their components' size; attributes that share a buffer view need its byteStride, and all other data has none; only bytes and shorts are normalized. Khronos: ACCESSOR_MATRIX_ALIGNMENT, ACCESSOR_NORMALIZED_INVALID, ACCESSOR_OFFSET_ALIGNMENT, ACCESSOR_TOTAL_OFFSET_ALIGNMENT, BUFFER_VIEW_INVALID_BYTE_STRIDE, BUFFER_VIEW_TOO_BIG_BYTE_STRIDE, VALUE_MULTIPLE_OF, MESH_PRIMITIVE_ACCESSOR_UNALIGNED, MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE, and all ..._WITH_BYTESTRIDE.",
        "joints as VEC4 of shorts and positions in one buffer view without byteStride",
        "Rewrite the file through a scene: `ligament convert --reencode`.";
    TWO_USES = "GL412", "data with two uses",
        "An accessor or buffer view is used for two kinds of data, such as vertices and indices, which programs load into different buffers. Khronos: ACCESSOR_USAGE_OVERRIDE, BUFFER_VIEW_TARGET_OVERRIDE.",
        "an accessor that is both an animation's input and a vertex attribute",
        "Rewrite the file through a scene: `ligament convert --reencode`.";
    BOUNDS = "GL413", "wrong bounds",
        "An accessor's `min` and `max` must be exactly those of its elements; positions and key times must have them. Programs place cameras, cull and find the length of animations by them. Khronos: ACCESSOR_MIN_MISMATCH, ACCESSOR_MAX_MISMATCH, ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND, ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND, MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS, ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS.",
        "a POSITION accessor without `min`",
        "Rewrite the file through a scene: `ligament convert --reencode`.";
    UNIT = "GL414", "vector or quaternion that is not of unit length",
        "Normals, tangents and rotations have length one, and the sign of a tangent is 1 or -1. Khronos: ACCESSOR_VECTOR3_NON_UNIT, ACCESSOR_INVALID_SIGN, ROTATION_NON_UNIT, ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION.",
        "{\"nodes\": [{\"rotation\": [0, 0, 0, 0.5]}]}",
        "Normalise them, or rewrite the file through a scene: `ligament convert --reencode`.";
    INFLUENCES = "GL415", "wrong joints or weights",
        "The weights of a vertex sum to one and are not negative, its joints differ and exist in the skin. Programs that do not divide by the sum deform the mesh differently. As a warning: a weight of 0 for a joint other than 0. Khronos: ACCESSOR_WEIGHTS_NON_NORMALIZED, ACCESSOR_WEIGHTS_NEGATIVE, ACCESSOR_JOINTS_INDEX_DUPLICATE, ACCESSOR_JOINTS_INDEX_OOB, ACCESSOR_JOINTS_USED_ZERO_WEIGHT.",
        "a vertex with the weights 1, 0.5, 0, 0",
        "Rewrite the file through a scene, which divides the weights by their sum: `ligament convert --reencode`.";
    ATTRIBUTE = "GL416", "wrong attributes",
        "An attribute has an unknown name, sets are numbered with gaps, a material needs texture coordinates or tangents that the primitive does not have, or colours are outside 0 to 1. Khronos: MESH_PRIMITIVE_INVALID_ATTRIBUTE, MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY, MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH, MESH_PRIMITIVE_TOO_FEW_TEXCOORDS, MESH_PRIMITIVE_NO_TANGENT_SPACE, MESH_PRIMITIVE_GENERATED_TANGENT_SPACE, MESH_PRIMITIVE_NO_POSITION, ACCESSOR_NON_CLAMPED.",
        "{\"attributes\": {\"POSITION\": 0, \"BARYCENTRIC\": 1}}",
        "Begin the names of own attributes with `_`; add what the material needs.";
    INDICES = "GL417", "wrong vertex indices",
        "An index is not below the number of vertices, or is the largest of its type, which some graphics interfaces take as the start of a new strip. As a warning: the indices do not make whole faces. Khronos: ACCESSOR_INDEX_OOB, ACCESSOR_INDEX_PRIMITIVE_RESTART, MESH_PRIMITIVE_INCOMPATIBLE_MODE.",
        "the index 255 in an accessor of bytes",
        "Use a larger component type, or rewrite the file through a scene: `ligament convert --reencode`.";
    MORPHS = "GL418", "morph targets do not fit",
        "All primitives of a mesh have the same number of morph targets, weights have one number per target, and a target moves attributes that the primitive has, vertex by vertex. Khronos: MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT, MESH_INVALID_WEIGHTS_COUNT, NODE_WEIGHTS_INVALID, MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR, MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT.",
        "a mesh of 2 morph targets with 3 weights",
        "Make the numbers agree.";
    CHANNEL = "GL419", "animation cannot be played",
        "Key times ascend from 0 or later, every key has its values, no two channels animate the same property, and the node must have what is animated: no matrix, and morph targets for weights. Khronos: ACCESSOR_ANIMATION_INPUT_NEGATIVE, ACCESSOR_ANIMATION_INPUT_NON_INCREASING, ANIMATION_DUPLICATE_TARGETS, ANIMATION_CHANNEL_TARGET_NODE_MATRIX, ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS, ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT, ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS, KHR_ANIMATION_POINTER_...",
        "a channel for the rotation of a node with a matrix",
        "Correct the channel, or rewrite the file through a scene: `ligament convert --reencode`.";
    TRANSFORM = "GL420", "wrong transform",
        "A node has either a matrix or translation, rotation and scale, and the matrix is made of these three alone, without shear. Khronos: NODE_MATRIX_TRS, NODE_MATRIX_NON_TRS.",
        "{\"nodes\": [{\"matrix\": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], \"scale\": [2, 2, 2]}]}",
        "Remove one of the two, or apply the shear to the vertices.";
    SKINNED_NODE = "GL421", "skin and node do not fit",
        "The joints of a skin have a common root, which is in every scene that shows the skinned mesh; `skeleton` is such a root; and the mesh of a node with a skin has joints and weights. Khronos: SKIN_NO_COMMON_ROOT, SKIN_SKELETON_INVALID, NODE_SKIN_NO_SCENE, NODE_SKIN_WITH_NON_SKINNED_MESH, NODE_SKINNED_MESH_WITHOUT_SKIN.",
        "a skin whose joints are two roots of the scene",
        "Rewrite the file through a scene, which adds a root where it is needed: `ligament convert --reencode`.";
    BIND_MATRIX = "GL422", "wrong inverse bind matrix",
        "The last row of an inverse bind matrix is 0 0 0 1. Khronos: ACCESSOR_INVALID_IBM.",
        "inverse bind matrices that are stored by rows",
        "Transpose the matrices.";
    PICTURE = "GL423", "image that programs may not show",
        "An image is damaged or of an unknown type, or its type is not the one that the file states, that the texture allows, or that extensionsUsed announces. Khronos: IMAGE_DATA_INVALID, IMAGE_UNEXPECTED_EOS, IMAGE_UNRECOGNIZED_FORMAT, IMAGE_MIME_TYPE_INVALID, IMAGE_NON_ENABLED_MIME_TYPE, TEXTURE_INVALID_IMAGE_MIME_TYPE.",
        "a JPEG with the mimeType image/png",
        "Correct mimeType, or save the image again as PNG or JPEG.";
    CHUNKS = "GL424", "chunks out of order",
        "The chunks of a GLB file have lengths that are multiples of four; there is one JSON chunk, and one binary chunk after it. Khronos: GLB_CHUNK_LENGTH_UNALIGNED, GLB_DUPLICATE_CHUNK, GLB_UNEXPECTED_BIN_CHUNK.",
        "a GLB file with two binary chunks",
        "Rewrite the file: `ligament convert` puts the chunks in order.";
    NO_EFFECT = "GL425", "property without effect",
        "Something in the file has no effect, so it may not look as intended. Khronos: NODE_SKINNED_MESH_NON_ROOT, NODE_SKINNED_MESH_LOCAL_TRANSFORMS, ANIMATION_CHANNEL_TARGET_NODE_SKIN, MATERIAL_ALPHA_CUTOFF_INVALID_MODE, MESH_PRIMITIVE_TANGENT_WITHOUT_NORMAL, KHR_MATERIALS_...",
        "an alphaCutoff without the alphaMode MASK",
        "Remove it, or add what it needs.";
    NOT_LOOKED_AT = "GL426", "contents were not all looked at",
        "The accessors refer to the same bytes so often that looking at each would take too long.",
        "ten thousand accessors of the same megabyte",
        "Store the file with one accessor per array.";
}
