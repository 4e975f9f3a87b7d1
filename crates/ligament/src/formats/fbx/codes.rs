//! The diagnostics of FBX: 1xx unreadable files, 2xx corrected errors, 3xx textures, 4xx writing, 5xx losses.

crate::report::codes! {
    NOT_FBX = "FB101", "not an FBX file",
        "A binary FBX file begins with the letters `Kaydara FBX Binary`; a text file has an FBXHeaderExtension or begins with a comment that says FBX.",
        "an image that was renamed to model.fbx",
        "Check that this is the right file.";
    DAMAGED = "FB102", "zero bytes were lost",
        "The file begins like a binary FBX file, but the zero byte after these letters was replaced: a program that copied the file treated it as text and changed all zero bytes or line ends. The original bytes cannot be recovered.",
        "`Kaydara FBX Binary` followed by three spaces",
        "Get the file again, and copy it as binary.";
    VERSION = unsupported "FB103", "unsupported version",
        "Versions from 3.0 to 7.7 are read, as binary or text.",
        "a file of version 2.5",
        "Open the file in the program that made it, or in Autodesk's FBX Converter, and export it again.";
    ENDS = "FB104", "file ends too early",
        "The file ends within a record: it was cut off. The message says where the record begins.",
        "an interrupted download",
        "Get a complete copy of the file.";
    BROKEN = "FB105", "structure is broken",
        "A record contradicts itself or the record around it, so nothing after it can be trusted.",
        "a record that claims to end before it begins",
        "Get another copy of the file, or export it again.";
    BOMB = "FB106", "array cannot be that long",
        "An array claims more numbers than its bytes can hold, even at the highest possible compression.",
        "4294967295 numbers in five bytes",
        "Get another copy of the file.";
    MEMORY = "FB107", "file takes too much memory",
        "Reading the file would take many times its length in memory, or its packed arrays unpack to more than 64 times the file. Real files do not; this protects against files made to exhaust memory.",
        "thousands of morph targets that each move one vertex of a large mesh",
        "If the file is genuine, raise the limit with --max-memory.";
    DEPTH = "FB108", "nodes are nested too deeply",
        "Nested nodes are read up to a limit that real files do not come near.",
        "a chain of ten thousand nodes",
        "Library users can raise Limits::max_depth.";
    NOT_FINITE = "FB201", "not a finite number",
        "The file holds numbers that are infinite, not a number, or too large for 32 bits. They were replaced by 0, scales by 1.",
        "Vertices: *3 { a: 1e39,0,0 }",
        "Correct the values in the program that made the file, and export it again.";
    SHORT_ARRAY = "FB202", "array is too short",
        "Values of a mesh are missing; the existing ones are used.",
        "UV coordinates for half of the corners",
        "Export the file again.";
    INDEX = "FB203", "index out of range",
        "An index points past the end of its list; the last element was used instead.",
        "PolygonVertexIndex: 9 in a mesh of 8 vertices",
        "Export the file again.";
    UNICODE = "FB204", "name is not UTF-8",
        "A name or path is not in the encoding that FBX uses; unreadable bytes became replacement characters.",
        "a name in Latin-1",
        "Rename the object.";
    EMBEDDED = "FB205", "embedded file is broken",
        "An embedded image could not be decoded.",
        "a Content that is not Base64",
        "Export the file again, or without embedded media.";
    FORGIVEN = "FB206", "error was corrected",
        "The file breaks a rule, but its intention is clear.",
        "a duplicate connection",
        "Nothing needs to be done.";
    SKIPPED = "FB207", "part of the file was skipped",
        "A record ends somewhere else than it claims, so what comes after it was not found, or the file has no list of objects. The rest was read, and objects may be missing.",
        "a record that claims to end in the middle of another one",
        "Compare with the program that made the file, and export it again.";
    IMAGE_MISSING = "FB301", "image not found",
        "The file refers to an image that is not in its folder. For paths on the author's disk, only the file name is looked up. The reference is kept.",
        "RelativeFilename: \"..\\\\textures\\\\skin.png\"",
        "Put the image beside the model.";
    TEXTURES = "FB302", "texture is dropped",
        "A material uses a texture in a way that a scene cannot represent, or no material uses it.",
        "a displacement map",
        "Bake the texture into one of the usual slots.";
    SPECULAR_GLOSSINESS = "FB303", "specular-glossiness is approximated",
        "The material states a specular colour and a glossiness. A scene has metalness and roughness, so the surface became a dielectric with inverted glossiness as roughness and a tinted highlight.",
        "a 3ds Max PBR Spec/Gloss material",
        "Use a metallic-roughness material.";
    NOT_WRITTEN = "FB401", "FBX is not written (retired)",
        "Earlier versions reported this when a conversion to FBX was asked for. Every format that is only read now reports CV003.",
        "ligament convert fox.glb fox.fbx",
        "See `ligament explain CV003`.";
    COPIED = "FB402", "copied unchanged",
        "Input and output are both FBX, so the file's bytes were copied.",
        "ligament convert a.fbx b.fbx",
        "Nothing needs to be done.";
    EULER = "FB403" of "track"/"tracks", "rotation became curves of angles",
        "FBX interpolates three angles, each by itself. Rotations became cubic curves of angles that never jump, with more keys where those bend differently. The size is the largest deviation of any vertex between keys, summed over a node and its ancestors.",
        "a joint that rotates about two axes between two keys",
        "Nothing needs to be done, unless the limit of added keys was reached: then reduce the keys before exporting.";
    ADDED = minor "FB404" of "node"/"nodes", "node is added or moved",
        "A node of the scene is something that FBX needs two nodes for, or that only works elsewhere: shear, a camera on a node with children, vertices that no joint holds, a skinned mesh below a node that moves. Nothing is posed differently.",
        "a camera on a joint",
        "Nothing needs to be done.";
    COPIES = minor "FB405" of "mesh"/"meshes", "mesh is written several times",
        "Skins and blend shapes belong to a mesh in FBX, not to the node that draws it. A mesh that nodes draw with different skins or weights is written once for each.",
        "two nodes that draw one mesh with morph targets",
        "Nothing needs to be done.";
    PARTIAL = minor "FB406" of "part"/"parts", "attribute of some parts only",
        "All parts of a mesh are one mesh in FBX, with the same attributes everywhere. Missing texture coordinates became zeros, missing colours and materials white; tangents of some parts only are dropped.",
        "a mesh of two parts, one with vertex colours",
        "Nothing needs to be done.";
    INERT = minor "FB407" of "track"/"tracks", "track without effect is dropped",
        "A skinned mesh is where its joints are, so tracks of its own node change nothing. Some programs would move the mesh twice.",
        "a translation track of a skinned mesh",
        "Nothing needs to be done.";
    ASPECT = minor "FB408" of "camera"/"cameras", "camera gets an aspect",
        "The camera takes the window's aspect. FBX cameras have one of their own, so it got 16:9.",
        "a glTF camera without aspectRatio",
        "Set the aspect in the program that renders.";
    TOO_LARGE = "FB409", "too large",
        "A file of version 7.4 states places in 32 bits, and a mesh has at most 268 million corners.",
        "a scene of four gigabytes",
        "Split the scene, or write another format.";
    SHAPES = minor "FB410" of "vertex"/"vertices", "morph target is simplified",
        "FBX states how a blend shape changes points and their normals, not tangents, and a point has one change. Where vertices became one point, because they are at one place and move together, the first one's normal counts.",
        "a morph target of a cube with hard edges",
        "Nothing needs to be done.";
    TEXTURE_DETAILS = minor "FB411" of "texture"/"textures", "texture detail is lost",
        "FBX textures repeat or end at their borders, and a scale comes before the rotation.",
        "a texture that is mirrored at its borders",
        "Nothing needs to be done.";
    EXTRAS = minor "FB412" of "value"/"values", "extras are kept in another form",
        "Extras are custom properties of nodes, meshes, materials, cameras, lights and clips: numbers, texts and vectors of three. Anything else is text in JSON, names of FBX's own properties get a prefix, and other objects have no custom properties.",
        "a list of texts among a node's extras",
        "Nothing needs to be done.";
    PBR = minor "FB413" of "material"/"materials", "metallic-roughness values are custom properties",
        "FBX has no words for metalness and roughness that all programs understand. The material has Phong values that look similar, and the exact ones as custom properties that begin with pbr_, which ligament reads again.",
        "a glTF material",
        "Set the material in the target program where it matters.";
    NAMES = minor "FB414" of "name"/"names", "name is changed",
        "A zero character ends a name in FBX.",
        "a node called \"a\\0b\"",
        "Rename the object.";
    UNSUPPORTED = "FB501", "unsupported feature",
        "The file contains something that a scene cannot hold: NURBS, constraints, vertex caches, levels of detail and the like.",
        "a character driven by constraints",
        "Bake it into meshes and keys before exporting.";
    HIDDEN = "FB502" of "node"/"nodes", "node is hidden",
        "The file hides a node. Scenes cannot hide nodes, so the node is kept, and its extras say that it was hidden.",
        "Visibility: 0",
        "Remove the nodes that should not be visible.";
    HELPERS = minor "FB503", "node is added",
        "The file has a transform that a plain node tree cannot express: a scale that children do not inherit, or a transform of a mesh that is drawn several times. A node with that transform was added; nothing has moved.",
        "a joint with InheritType 2 under a scaled one",
        "Nothing needs to be done.";
    FACES = "FB504" of "face"/"faces", "face is dropped",
        "Faces with fewer than three corners cannot be drawn, and faces that are marked as holes should not be.",
        "PolygonVertexIndex: 0,-2",
        "Remove them before exporting.";
    LOOSE_VERTICES = minor "FB505" of "vertex"/"vertices", "vertices without a face are dropped",
        "Vertices that no face uses are not drawn.",
        "a mesh of points",
        "Nothing needs to be done.";
    SKINS = "FB506" of "skin"/"skins", "second skin is dropped",
        "A mesh is deformed by several skins in sequence. A scene has one skin per mesh; the first is used.",
        "two Skin deformers on one Geometry",
        "Join the skins before exporting.";
    DUAL_QUATERNION = "FB507" of "vertex"/"vertices", "dual-quaternion skinning became linear",
        "The skin blends its joints as dual quaternions, which preserves the volume of twisted limbs. Scenes blend linearly. The size is the largest distance of a vertex from where dual quaternions put it, at rest and at many times of every take.",
        "SkinningType: \"DualQuaternion\"",
        "Add joints that share the twist.";
    IN_BETWEEN = "FB508", "in-between shape became a target",
        "A blend channel passes through several shapes. Each became a morph target, and the weights follow the channel's.",
        "FullWeights: 50,100",
        "Nothing needs to be done.";
    LIGHTS = "FB509" of "light"/"lights", "light is approximated",
        "FBX lights have a brightness without a unit, and types and decays that scenes do not support.",
        "an area light",
        "Adjust the lights after converting.";
    LAYERS = minor "FB510" of "layer"/"layers", "layers are merged",
        "The take has several animation layers, which were merged into one.",
        "an additive layer over a walk",
        "Nothing needs to be done.";
    BAKED = "FB511" of "track"/"tracks", "curve is baked",
        "FBX interpolates each angle separately and has curves that tracks cannot express. They became linear keys (shortest-path for rotations) or cubic keys with the curves' slopes, and more keys where they bend. The size is the largest deviation of any vertex between keys, summed over a node and its ancestors.",
        "a joint that rotates about two axes between two keys",
        "Nothing needs to be done, unless the limit of added keys was reached: then bake the animation before exporting.";
    ANIMATED_PROPERTIES = "FB512" of "key"/"keys", "animated property is dropped",
        "The take animates a property that scenes have no tracks for: a colour, a lens, visibility.",
        "a light that flickers",
        "Nothing can be done in this format.";
}
