//! Codes of FBX: 1xx files that cannot be read, 2xx faults that were put right, 3xx textures, 4xx writing, 5xx what the
//! scene has no place for.

crate::report::codes! {
    NOT_FBX = "FB101", "not an FBX file",
        "A binary FBX file begins with the letters `Kaydara FBX Binary`; a text file has an FBXHeaderExtension or begins with a comment that says FBX.",
        "a picture that was renamed to model.fbx",
        "Check that this is the right file.";
    DAMAGED = "FB102", "zero bytes were lost",
        "The file begins like a binary FBX file, but the zero byte after the letters is another one: a program that copied the file took it for text and replaced zero bytes, or line ends, throughout. What stood there cannot be found out.",
        "`Kaydara FBX Binary` followed by three spaces",
        "Get the file again, and copy it as binary.";
    VERSION = "FB103", "version cannot be read",
        "Versions from 3.0 to 7.7 are read, as binary or text.",
        "a file of version 2.5",
        "Open the file in the program that made it, or in Autodesk's FBX Converter, and export it again.";
    ENDS = "FB104", "file ends too early",
        "The file ends within a record: it was cut off. The message says where the record begins.",
        "a download that was broken off",
        "Get a complete copy of the file.";
    BROKEN = "FB105", "structure is broken",
        "A record contradicts itself or what it is in, so that nothing after it can be trusted.",
        "a record that says that it ends before it begins",
        "Get another copy of the file, or export it again.";
    BOMB = "FB106", "array cannot be that long",
        "An array claims more numbers than its bytes can hold, even packed as tightly as they could be.",
        "4294967295 numbers in five bytes",
        "Get another copy of the file.";
    MEMORY = "FB107", "file takes too much memory",
        "Reading the file would take many times more memory than it is long. Real files do not; this protects from ones that are made to use up the memory.",
        "thousands of morph targets that each move one vertex of a large mesh",
        "If the file is a real one, please report it. Splitting it helps.";
    DEPTH = "FB108", "nodes are nested too deeply",
        "Nodes within nodes are read down to a limit, which real files do not come near.",
        "a chain of ten thousand nodes",
        "Library users can raise Limits::max_depth.";
    NOT_FINITE = "FB201", "not a finite number",
        "The file holds numbers that are infinite, not a number, or too large for 32 bits. They were replaced by 0, scales by 1.",
        "Vertices: *3 { a: 1e39,0,0 }",
        "Correct the values in the program that made the file, and export it again.";
    SHORT_ARRAY = "FB202", "array is shorter than it should be",
        "Values of a mesh are missing; those that are there are used.",
        "UV coordinates for half of the corners",
        "Export the file again.";
    INDEX = "FB203", "index out of range",
        "An index points past the end of its list; the last element was taken instead.",
        "PolygonVertexIndex: 9 in a mesh of 8 vertices",
        "Export the file again.";
    UNICODE = "FB204", "name is not UTF-8",
        "A name or path is not in the encoding that FBX uses; what could not be read became a replacement character.",
        "a name in Latin-1",
        "Rename the object.";
    EMBEDDED = "FB205", "embedded file is broken",
        "A picture in the file could not be decoded.",
        "a Content that is not Base64",
        "Export the file again, or without embedded media.";
    FORGIVEN = "FB206", "fault was put right",
        "The file breaks a rule in a way that leaves no doubt about what was meant.",
        "a connection that is there twice",
        "Nothing needs to be done.";
    IMAGE_MISSING = "FB301", "picture is not there",
        "The file refers to a picture that is not in its folder. Paths on the author's disk are looked up by the file's name. The reference is kept.",
        "RelativeFilename: \"..\\\\textures\\\\skin.png\"",
        "Put the picture beside the model.";
    TEXTURES = "FB302", "texture is dropped",
        "A material shows a texture in a way that the scene has no place for, or no material shows it.",
        "a displacement map",
        "Bake the texture into one of the usual slots.";
    SPECULAR_GLOSSINESS = "FB303", "specular-glossiness is approximated",
        "The material states a specular colour and a glossiness. The scene has metalness and roughness, so the surface became a dielectric of the opposite roughness with a tinted highlight.",
        "a 3ds Max PBR Spec/Gloss material",
        "Use a metallic-roughness material.";
    COPIED = "FB402", "copied as it is",
        "Input and output are both FBX, so the file's bytes were copied.",
        "ligament convert a.fbx b.fbx",
        "Nothing needs to be done.";
    UNSUPPORTED = "FB501", "feature has no place in the scene",
        "The file holds something that the scene cannot: NURBS, constraints, vertex caches, levels of detail and the like.",
        "a character that follows its rig by constraints",
        "Bake it into meshes and keys before exporting.";
    HIDDEN = "FB502", "node is hidden",
        "The file hides a node. The scene has no such thing; the node is kept, and extras say that it was hidden.",
        "Visibility: 0",
        "Remove what should not be seen.";
    HELPERS = "FB503", "node is added",
        "The file has a transform that a tree of plain nodes cannot have: a scale that children do not inherit, or a transform of a mesh that is drawn several times. A node was added that has it; everything is where it was.",
        "a joint with InheritType 2 under a scaled one",
        "Nothing needs to be done.";
    FACES = "FB504", "face is dropped",
        "Faces of less than three corners cannot be drawn, and faces that are marked as holes should not be.",
        "PolygonVertexIndex: 0,-2",
        "Remove them before exporting.";
    LOOSE_VERTICES = "FB505", "vertices without a face are dropped",
        "Vertices that no face uses are not drawn.",
        "a mesh of points",
        "Nothing needs to be done.";
    SKINS = "FB506", "second skin is dropped",
        "A mesh is moved by several skins one after the other. The scene has one for each mesh; the first counts.",
        "two Skin deformers on one Geometry",
        "Join the skins before exporting.";
    DUAL_QUATERNION = "FB507", "dual-quaternion skinning became linear",
        "The skin blends its joints as dual quaternions, which keeps the volume of twisted limbs. The scene blends linearly.",
        "SkinningType: \"DualQuaternion\"",
        "Add joints that share the twist.";
    IN_BETWEEN = "FB508", "shape in between is a target of its own",
        "A blend channel passes through several shapes. Each became a morph target, and the weights follow the channel's.",
        "FullWeights: 50,100",
        "Nothing needs to be done.";
    LIGHTS = "FB509", "light is approximated",
        "FBX gives lights a brightness without a unit, and kinds and decays that the scene does not have.",
        "an area light",
        "Adjust the lights after converting.";
    LAYERS = "FB510", "layers are joined",
        "The take has several animation layers, which were evaluated into one.",
        "an additive layer over a walk",
        "Nothing needs to be done.";
    BAKED = "FB511", "curve is baked",
        "FBX interpolates angles one by one and has curves that no track has. They became straight lines, or turns along the shortest way, with more keys where keys are far apart. The size is how far any vertex can be off between keys, added up over a node and those above it.",
        "a joint that turns about two axes between two keys",
        "Bake the animation at a higher rate before exporting, if it matters.";
    ANIMATED_PROPERTIES = "FB512", "animated property is dropped",
        "The take moves something that the scene has no tracks for: a colour, a lens, a visibility.",
        "a light that flickers",
        "Nothing can be done in this format.";
}
