//! The diagnostics of COLLADA.

crate::report::codes! {
    XML = "DA101", "not well-formed XML",
        "The file breaks the rules of XML here: an element that is not closed, a stray `&` or `<`, an attribute without quotes. Nothing after it can be trusted.",
        "<mesh><source></mesh>",
        "Export the file again, or close the element that the message names.";
    NOT_COLLADA = "DA102", "root element is not COLLADA",
        "The file is XML, but not COLLADA.",
        "<svg>...</svg>",
        "Check that it is the right file.";
    VERSION = unsupported "DA103", "unsupported version",
        "COLLADA 1.4 and 1.5 are read. Versions 1.0 to 1.3 have different elements and rules.",
        "<COLLADA version=\"1.3.0\">",
        "Export the model as COLLADA 1.4.1.";
    ENCODING = "DA104", "unknown encoding",
        "The text is neither UTF-8 nor UTF-16, and does not match the encoding that its first line states.",
        "a name in Windows-1250 in a file that claims UTF-8",
        "Save the file as UTF-8, or state its encoding in the first line.";
    DTD = unsupported "DA105", "document type with declarations",
        "Declarations can define entities that grow to gigabytes or fetch other files. They are never expanded, so a file that has some is refused. A document type without a body is accepted.",
        "<!DOCTYPE x [<!ENTITY a \"...\">]>",
        "Remove the document type; COLLADA does not need one.";
    TOO_BIG = "DA106", "contents out of proportion to the file",
        "The file would become many times its size in memory: it has far more elements than a sensible file of that length, an element with hundreds of attributes, or instances of instances that multiply.",
        "ten nodes that each instance the next one ten times",
        "Check where the file comes from. A real model with that many copies can be exported with fewer instances per file.";
    TOO_DEEP = "DA107", "nested too deeply",
        "Nodes are nested deeper than the limit.",
        "more than 1024 nodes within each other",
        "Library users can raise Limits::max_depth.";
    LOOP = "DA108", "node contains itself",
        "An instance_node refers to a node that contains it, directly or through others, so the tree would never end.",
        "<node id=\"a\"><instance_node url=\"#a\"/></node>",
        "Remove the instance.";
    ARCHIVE = "DA109", "broken archive",
        "The .zae is a zip archive whose list of files is damaged, that holds no .dae, or whose files are damaged or would unpack to an unreasonable size. An image that cannot be unpacked is left out.",
        "a .zae that was cut off in a download",
        "Unpack the archive with another program and read the .dae in it.";
    NUMBER = "DA201", "not a number",
        "A list of numbers contains something else.",
        "<float_array count=\"3\">1.0 abc 0.0</float_array>",
        "Write decimal numbers separated by spaces.";
    NOT_FINITE = "DA202", "number is not finite",
        "A list holds NaN or infinity, which some exporters write for normals of degenerate faces. Such numbers are read as 0.",
        "<float_array count=\"3\">-1.#IND 1 0</float_array>",
        "Remove degenerate faces before exporting.";
    COUNT = "DA203", "count does not match",
        "A count differs from the actual number of elements. The actual elements are read.",
        "<float_array count=\"9\">0 0 0</float_array>",
        "Export the file again.";
    INDEX = "DA204", "index out of range",
        "An index refers to an element that its source does not have.",
        "<p>0 1 99</p> with three positions",
        "Export the file again.";
    REFERENCE = "DA205", "broken reference",
        "An id does not exist, is in another file, or belongs to an element of another kind. Whatever needs it is left out.",
        "<instance_geometry url=\"#missing\"/>",
        "Export the file again, with everything in one file.";
    DUPLICATE_ID = "DA206", "id used twice",
        "Ids must be unique. The first element keeps the id, and references refer to it.",
        "two <geometry id=\"mesh\">",
        "Rename one of the objects before exporting.";
    NO_POSITIONS = "DA207", "primitive without positions",
        "A list of faces has no VERTEX input, or its vertices have no POSITION.",
        "<triangles count=\"1\"><p>0 1 2</p></triangles>",
        "Export the file again.";
    UNIT = "DA208", "unit or up axis",
        "The unit or up axis is invalid, or individual elements have their own, which are ignored.",
        "<unit meter=\"0\"/>",
        "State one unit and one up axis in the asset element of the whole file.";
    NO_SCENE = "DA209", "no scene to show",
        "The file names no visual scene. If it has any, the first is read; otherwise there is nothing to show.",
        "<COLLADA> without <scene>",
        "Nothing needs to be done if the right scene was read.";
    TRANSFORM = "DA210", "transform with the wrong number of values",
        "A transform element has more or fewer values than its kind requires. Missing values have no effect.",
        "<translate>1 2</translate>",
        "Export the file again.";
    JOINT = "DA211", "joint without a node",
        "A skin names a joint for which there is no node, neither below its skeletons nor elsewhere. Vertices that the joint influences stay in the bind pose.",
        "<Name_array>hip spine tail</Name_array> and no node with the sid tail",
        "Export the whole skeleton together with the mesh.";
    CONTROLLER = "DA212", "controller without geometry",
        "A controller refers to no geometry, or to another controller of the same kind.",
        "<skin source=\"#itself\">",
        "Export the file again.";
    UNBOUND_MATERIAL = "DA213", "unbound material symbol",
        "Faces name a material symbol that their instance does not bind. They have no material.",
        "<triangles material=\"skin\"> and no <instance_material symbol=\"skin\">",
        "Nothing needs to be done if the model has no materials.";
    CHANNEL = "DA214", "channel without a target",
        "An animation channel names a target that is not in the file, or a number that its target does not have.",
        "<channel target=\"missing/translate.X\"/>",
        "Export the animation together with what it moves.";
    TIMES = "DA215", "invalid times",
        "Key times do not increase or start before 0, or a clip ends before it starts.",
        "<float_array>0 0.5 0.5 1</float_array> as INPUT",
        "Nothing needs to be done if the motion looks right.";
    TANGENTS = "DA216", "curve without tangents",
        "A Bézier or Hermite curve has no IN_TANGENT or OUT_TANGENT. It is read as linear.",
        "INTERPOLATION BEZIER and only INPUT and OUTPUT",
        "Export the animation with its tangents, or baked.";
    INTERPOLATION = "DA217", "unknown interpolation",
        "An interpolation is unknown, or is only approximated.",
        "<Name_array>SMOOTH</Name_array> as INTERPOLATION",
        "Export the animation with linear or Bézier curves.";
    EFFECT = "DA218", "effect without a common shader",
        "The effect's common profile has no phong, blinn, lambert or constant, or has values that a material cannot hold.",
        "<profile_COMMON><technique/></profile_COMMON>",
        "Use a standard material in the modelling program.";
    TEXTURE = "DA219", "texture without an image",
        "A texture names a sampler, surface or image that does not exist.",
        "<texture texture=\"missing\"/>",
        "Export the file again.";
    IMAGE = "DA220", "image reference",
        "An image names no file, or a file outside the model's folder, such as an absolute path on the author's disk. Only files in the model's folder are ever read; if one there has the same name, it is used.",
        "<init_from>file:///C:/art/skin.png</init_from>",
        "Put the images beside the model.";
    IMAGE_MISSING = "DA221", "image file is missing",
        "The image is not where the file says. The reference is kept.",
        "<init_from>skin.png</init_from> and no skin.png",
        "Put the image beside the model.";
    OPACITY = "DA222", "opacity",
        "COLLADA has four ways to state a surface's transparency, and exporters confuse them. A material that would be completely invisible is read as opaque.",
        "<transparent opaque=\"A_ONE\">...<transparency><float>0</float>",
        "Nothing needs to be done if the material is opaque. Otherwise state an opacity above 0.";
    CAMERA = "DA223", "camera",
        "A camera without a lens is dropped; one without a field of view gets a default one.",
        "<camera><optics/></camera>",
        "Set the camera's field of view.";
    MORPH = "DA224", "morph target does not match the mesh",
        "A morph target must have as many positions as the mesh that it changes.",
        "a target of 8 positions for a mesh of 24",
        "Export the targets with the same vertices as the mesh.";
    CLIPS = "DA225", "animations outside clips",
        "Some animations are in no animation_clip. They are read as one additional clip.",
        "two animations, and a clip that names one of them",
        "Nothing needs to be done, or name them in a clip.";
    COMMA = "DA226", "decimal commas",
        "Numbers have a decimal comma instead of a decimal point, as is usual in some countries. They are read as intended.",
        "<float_array count=\"3\">0,5 1,25 -3,0</float_array>",
        "Set the exporting program or system to English numbers.";
    UNREAD = "DA301", "unsupported content",
        "Physics, kinematics, splines, convex hulls and boundary representations cannot be represented in a scene.",
        "<library_physics_scenes>",
        "Nothing needs to be done if only the visible model matters.";
    OTHER_SCENES = "DA302", "other visual scenes",
        "Only the scene that the file shows is read.",
        "two <visual_scene> elements",
        "Export one scene per file.";
    HOLES = "DA303", "holes in polygons",
        "A scene cannot hold faces with holes; the holes are filled.",
        "<ph><p>0 1 2 3</p><h>4 5 6</h></ph>",
        "Triangulate in the modelling program.";
    SMALL_FACES = minor "DA304", "faces with one or two corners",
        "A face needs at least three corners. Smaller ones are left out.",
        "<vcount>2</vcount>",
        "Nothing needs to be done; such faces are invisible.";
    ATTRIBUTES = "DA305", "vertex attributes",
        "Vertices keep one set of tangents, eight of texture coordinates and four of colours. Other inputs are dropped.",
        "<input semantic=\"IMAGE\" .../>",
        "Nothing needs to be done if no shader needs them.";
    CONTROLLER_ORDER = "DA306", "morph over a skin",
        "Scenes apply morph targets before the skin. A file that applies them in the other order is also read that way.",
        "<morph source=\"#a-skin\">",
        "Put the skin over the morph in the modelling program.";
    MORPH_NORMALS = "DA307", "normals of morph targets",
        "A target whose corners differ from the mesh's, or that is relative, only moves positions.",
        "a target without normals",
        "Recompute normals after morphing, if the program can.";
    OTHER_CHANNELS = "DA308", "unsupported animation targets",
        "Scenes only animate nodes and morph weights, not cameras, lights, materials or visibility.",
        "<channel target=\"camera/xfov\"/>",
        "Nothing needs to be done, or animate the node instead.";
    INFINITY = "DA309", "behaviour beyond the keys",
        "Before the first key and after the last, a track holds their values. Cycles and linear continuation are dropped.",
        "<post_infinity>CYCLE</post_infinity>",
        "Bake the animation over the whole time in the modelling program.";
    BAKED = "DA310", "curves became linear keys",
        "Tracks are linear between keys. Bézier and Hermite curves, rotations about several axes and rotations of more than half a turn were given as many additional keys as needed to stay close. The size is the largest deviation of any vertex between keys, summed over a node and its ancestors.",
        "INTERPOLATION BEZIER",
        "Nothing needs to be done if the size is small. Otherwise bake the animation before exporting.";
    SHEAR = "DA311", "animated shear",
        "An animated node has a translation, a rotation and a scale, which cannot express shear. The nearest values were used.",
        "an animated <skew>, or a rotation applied after a non-uniform scale",
        "Apply scales in the modelling program before exporting.";
    PROFILE = minor "DA312", "shader profiles",
        "Only the common profile is read. From an effect that has none, the first colour called diffuse and the first image are used.",
        "<profile_CG>",
        "Export with standard materials.";
    EXTRA = minor "DA313", "extra values",
        "Application-specific values, which a scene cannot hold, are dropped.",
        "<extra><technique profile=\"MAX3D\"><faceted>1</faceted></technique></extra>",
        "Nothing needs to be done if no other program needs them.";
    LIGHT = "DA314", "light",
        "Lights fade with the square of the distance, whatever factors the file states; a light of an unknown kind is dropped.",
        "<constant_attenuation>1</constant_attenuation>",
        "Adjust the lights in the target program.";
    UNUSED = minor "DA315", "unused content",
        "Libraries can hold geometries, controllers, materials, images, cameras, lights and nodes that the shown scene does not use, and animations can move objects that are not in it. These are left out.",
        "<geometry> that no instance_geometry names",
        "Nothing needs to be done if only the shown scene matters. Otherwise add them to the scene before exporting.";
    COPIED = "DA401", "copied unchanged",
        "Input and output are both COLLADA and nothing was asked to change, so the file's bytes were copied.",
        "ligament convert a.dae b.dae",
        "Nothing needs to be done.";
    NAME_CHANGED = "DA402", "changed or missing names",
        "A name has a character that XML cannot hold, which became an underscore, or an object without a name got one. Ids are made of names: letters, digits and underscores, with a number where two would be the same.",
        "a joint without a name",
        "Name the objects in the modelling program.";
    POINTS = "DA403" of "point"/"points", "points",
        "COLLADA has faces and lines, but no single points.",
        "a glTF primitive of mode POINTS",
        "Nothing needs to be done if the points are not drawn.";
    EMPTY = minor "DA404", "nothing to write",
        "A mesh without faces or lines, or a clip that moves nothing, cannot be written: an element of the file needs at least one.",
        "a clip without tracks",
        "Nothing needs to be done.";
    UNSTORED = "DA405", "values without a place",
        "The file has no place for the drawn ends of bones, and states no frame rate.",
        "the tip of a joint",
        "Nothing needs to be done: neither changes the motion.";
    UNSIDED = "DA406" of "tangent"/"tangents", "tangents",
        "The side of a tangent is stated by a binormal, which is perpendicular to tangent and normal: without normals there is none. Morph targets have no tangents.",
        "a part with tangents and without normals",
        "Compute normals before exporting.";
    WEIGHTS = "DA407" of "vertex"/"vertices", "weights divided by their sum",
        "The weights of a vertex must sum to one. Posing divides them by their sum in any case, so nothing moves.",
        "weights 0.5 and 0.25",
        "Nothing needs to be done.";
    MATERIAL = "DA408" of "feature"/"features", "features of materials",
        "The common profile has a colour or a texture for each kind of light, and an opacity.",
        "a texture that is multiplied with a colour",
        "Bake the features into textures if they matter.";
    PLACED = "DA409", "cameras and lights",
        "A camera needs a far distance. A spot light has one angle and an exponent, and no light ends at a distance.",
        "a camera that sees without end",
        "Nothing needs to be done if only the model matters.";
    IDLE = minor "DA410" of "track"/"tracks", "tracks without effect",
        "A track without keys, or of the weights of a mesh that has no morph targets, moves nothing and is dropped.",
        "a track of weights on a node without a mesh",
        "Nothing needs to be done.";
    SAMPLED = "DA411" of "node"/"nodes", "keys of matrices",
        "Nodes are animated by matrices, which all programs read alike. A matrix does not tell how it came about if a scale is zero or negative, or if a node turns by half a turn: keys are added there. The size is how far any vertex is off between keys.",
        "a scale that goes from 1 to -1",
        "Nothing needs to be done if the size is small.";
    ONE_TIME = "DA412", "clips share the same time",
        "All clips begin at 0 and animate the same nodes; each has an <animation_clip> that names its animations. Programs that do not know that element play all of them at once.",
        "a character with the clips walk and run",
        "Write one file per clip, with only that clip.";
    MOVED = minor "DA413" of "node"/"nodes", "nodes of skinned meshes",
        "A skinned mesh goes where its joints are, wherever its own node is. Some programs move it by both, or do not show it below a joint, so it is drawn by a node at the root, without a transform.",
        "a skinned mesh below the root of its skeleton",
        "Nothing needs to be done: no vertex moves.";
}
