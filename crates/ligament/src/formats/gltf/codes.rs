//! The diagnostics of glTF: GL0.. the file, GL1.. its buffers, GL2.. its objects, GL3.. losses.

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
    UNIT_VECTORS = "GL308", "normals and tangents that are not unit vectors",
        "Normals and tangents must have length one, and a tangent's sign must be 1 or -1. Others were normalised; a normal of length zero was replaced by that of the surrounding faces.",
        "a normal 0 0 0",
        "Recompute the normals in the authoring tool.";
    COLORS = "GL309", "vertex colours outside 0..1",
        "glTF only allows colours from 0 to 1; others were clamped.",
        "a vertex colour of 1.5 0 0 1",
        "Scale the colours, and brighten the material instead.";
    EMPTY = "GL310", "empty meshes, parts, skins and clips",
        "glTF cannot express a mesh without parts, a part without vertices or faces, a skin without joints, or a clip that moves nothing.",
        "a part without vertices",
        "Nothing needs to be done.";
    STATIC_JOINT = "GL311", "vertices without influences",
        "glTF requires influences on every vertex of a skinned mesh. Vertices without any were bound to an extra joint that never moves; reading the file again removes it.",
        "a skinned mesh with a vertex that no joint influences",
        "Nothing needs to be done.";
    MOVED = "GL312", "nodes that only glTF needs",
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
    MERGED_BUFFERS = "GL315", "buffer names and extras",
        "A GLB file has one binary chunk, so several buffers were joined, and the names and extras of all but the first are lost.",
        "converting a .gltf file with two named .bin files to .glb",
        "Nothing needs to be done.";
    SHEAR = "GL317", "transforms with shear",
        "A node's transform has shear, which translation, rotation and scale cannot express. It was written as a matrix; the specification asks for matrices without shear, so the Khronos validator complains and some programs drop the shear.",
        "a node scaled unevenly below a rotated and unevenly scaled one, flattened into one matrix",
        "Apply the scale in the authoring tool.";
    SHADERS = "GL318", "shaders",
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
    INSTANCES = "GL321", "instances of meshes",
        "EXT_mesh_gpu_instancing draws a node's mesh many times. Scenes have no instances, so each one was read as a node of its own below that node.",
        "{\"nodes\": [{\"mesh\": 0, \"extensions\": {\"EXT_mesh_gpu_instancing\": {\"attributes\": {\"TRANSLATION\": 1}}}}]}",
        "Nothing needs to be done; the model looks the same.";
    HIDDEN = "GL322", "hidden nodes",
        "KHR_node_visibility hides a node and everything below it. Hidden meshes and lights are neither drawn nor compared. A glTF target keeps them hidden; no other format gets them.",
        "{\"nodes\": [{\"mesh\": 0, \"extensions\": {\"KHR_node_visibility\": {\"visible\": false}}}]}",
        "Make the nodes visible in the source if they should be converted.";
    GLOSSINESS = "GL323", "specular and glossiness",
        "KHR_materials_pbrSpecularGlossiness describes a material by its specular colour and glossiness. Scenes describe it by how metallic and rough it is. A material that also has metallic-roughness values is read by these; for others, they are computed from the factors. Textures of specular colour and glossiness are not converted. A glTF target keeps the extension too.",
        "{\"materials\": [{\"extensions\": {\"KHR_materials_pbrSpecularGlossiness\": {}}}]}",
        "Compare how the model looks, or convert the materials in the authoring tool.";
    SAMPLERS = "GL316", "names and extras of samplers, buffers and accessors",
        "The scene keeps how a texture is sampled and the arrays that accessors describe, but not the names and extras of these objects.",
        "{\"samplers\": [{\"name\": \"trilinear\"}]}",
        "Nothing needs to be done.";
}
