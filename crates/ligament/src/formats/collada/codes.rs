//! Codes of COLLADA files.

crate::report::codes! {
    XML = "DA101", "not well-formed XML",
        "The file breaks the rules of XML at this place: an element that is not closed, a stray `&` or `<`, an attribute without quotes. Nothing after it can be trusted.",
        "<mesh><source></mesh>",
        "Export the file again, or close the element that the message names.";
    NOT_COLLADA = "DA102", "root element is not COLLADA",
        "The file is XML of another kind.",
        "<svg>...</svg>",
        "Check that it is the right file.";
    VERSION = "DA103", "unsupported version",
        "COLLADA 1.4 and 1.5 are read. Versions 1.0 to 1.3 have other elements and other rules.",
        "<COLLADA version=\"1.3.0\">",
        "Export the model as COLLADA 1.4.1.";
    ENCODING = "DA104", "encoding not understood",
        "The text is neither UTF-8 nor UTF-16, nor in the encoding that its first line states.",
        "a name in Windows-1250 in a file that claims UTF-8",
        "Save the file as UTF-8, or state its encoding in the first line.";
    DTD = "DA105", "document type with declarations",
        "Declarations can define entities that grow to gigabytes or fetch other files. They are never expanded, so a file that has some is refused. A document type without a body is accepted.",
        "<!DOCTYPE x [<!ENTITY a \"...\">]>",
        "Remove the document type; COLLADA needs none.";
    TOO_BIG = "DA106", "out of proportion",
        "The file would become many times its size in memory: far more elements than bytes allow for sensible content, or instances of instances that multiply.",
        "ten nodes that each instance the next one ten times",
        "Check where the file comes from. A real model with that many copies can be exported with fewer instances a file.";
    TOO_DEEP = "DA107", "nested too deeply",
        "Nodes are nested deeper than the limit.",
        "more than 1024 nodes within each other",
        "Library users can raise Limits::max_depth.";
    LOOP = "DA108", "node contains itself",
        "An instance_node names a node that it lies in, directly or through others, so that the tree would never end.",
        "<node id=\"a\"><instance_node url=\"#a\"/></node>",
        "Remove the instance.";
    ARCHIVE = "DA109", "broken archive",
        "The .zae is a zip archive whose list of files is damaged, that holds no .dae, or whose files are damaged or would unpack to an unreasonable size. A picture that cannot be unpacked is left out.",
        "a .zae that was cut off in a download",
        "Unpack the archive with another program and read the .dae in it.";
    NUMBER = "DA201", "not a number",
        "A list of numbers holds something else.",
        "<float_array count=\"3\">1.0 abc 0.0</float_array>",
        "Write decimal numbers with blanks between them. ";
    NOT_FINITE = "DA202", "number is not finite",
        "A list holds NaN or infinity, which some exporters write for normals of degenerate faces. They are read as 0.",
        "<float_array count=\"3\">-1.#IND 1 0</float_array>",
        "Remove degenerate faces before exporting.";
    COUNT = "DA203", "count does not fit",
        "A count says another number of things than there are. What is really there is read.",
        "<float_array count=\"9\">0 0 0</float_array>",
        "Export the file again.";
    INDEX = "DA204", "index out of range",
        "An index chooses an element that its source does not have.",
        "<p>0 1 99</p> with three positions",
        "Export the file again.";
    REFERENCE = "DA205", "reference points nowhere",
        "An id does not exist, lies in another file, or belongs to an element of another kind. What needs it is left out.",
        "<instance_geometry url=\"#missing\"/>",
        "Export the file again, with everything in one file.";
    DUPLICATE_ID = "DA206", "id used twice",
        "Ids must be unique. The first element keeps the id, and references lead to it.",
        "two <geometry id=\"mesh\">",
        "Rename one of the objects before exporting.";
    NO_POSITIONS = "DA207", "primitive without positions",
        "A list of faces has no VERTEX input, or its vertices have no POSITION.",
        "<triangles count=\"1\"><p>0 1 2</p></triangles>",
        "Export the file again.";
    UNIT = "DA208", "unit or up axis",
        "The unit or up axis makes no sense, or single elements have their own, which are not looked at.",
        "<unit meter=\"0\"/>",
        "State one unit and one up axis in the asset of the whole file.";
    NO_SCENE = "DA209", "no scene to show",
        "The file names no visual scene. Where it has some, the first is read; without any there is nothing to show.",
        "<COLLADA> without <scene>",
        "Nothing, if the right thing was read.";
    TRANSFORM = "DA210", "transform with a wrong count of numbers",
        "A transform element has more or fewer numbers than its kind. Missing ones do nothing.",
        "<translate>1 2</translate>",
        "Export the file again.";
    JOINT = "DA211", "joint is no node",
        "A skin names a joint for which there is no node below its skeletons, nor elsewhere. What it pulls stays where the bind pose has it.",
        "<Name_array>hip spine tail</Name_array> and no node with the sid tail",
        "Export the whole skeleton together with the mesh.";
    CONTROLLER = "DA212", "controller cannot be followed",
        "A controller leads to no geometry, or to another controller of the same kind.",
        "<skin source=\"#itself\">",
        "Export the file again.";
    UNBOUND_MATERIAL = "DA213", "material symbol bound to nothing",
        "Faces name a material symbol that their instance does not bind. They have no material.",
        "<triangles material=\"skin\"> and no <instance_material symbol=\"skin\">",
        "Nothing, if the model has no materials.";
    CHANNEL = "DA214", "channel moves nothing",
        "An animation's channel names a target that is not in the file, or a number that its target does not have.",
        "<channel target=\"missing/translate.X\"/>",
        "Export the animation together with what it moves.";
    TIMES = "DA215", "odd times",
        "Key times do not rise, start before 0, or a clip ends before it starts.",
        "<float_array>0 0.5 0.5 1</float_array> as INPUT",
        "Nothing, if the motion looks right.";
    TANGENTS = "DA216", "curve without tangents",
        "A Bézier or Hermite curve has no IN_TANGENT or OUT_TANGENT. It is read as linear.",
        "INTERPOLATION BEZIER and only INPUT and OUTPUT",
        "Export the animation with its tangents, or baked.";
    INTERPOLATION = "DA217", "unknown interpolation",
        "An interpolation is unknown, or one that is only read nearly.",
        "<Name_array>SMOOTH</Name_array> as INTERPOLATION",
        "Export the animation with linear or Bézier curves.";
    EFFECT = "DA218", "effect without a common shader",
        "The effect's common profile has no phong, blinn, lambert or constant, or values that a material has no place for.",
        "<profile_COMMON><technique/></profile_COMMON>",
        "Use a standard material in the modelling program.";
    TEXTURE = "DA219", "texture leads to no image",
        "A texture names a sampler, a surface or an image that is not there.",
        "<texture texture=\"missing\"/>",
        "Export the file again.";
    IMAGE = "DA220", "image reference",
        "An image names no file, or a file outside the model's folder, such as an absolute path on somebody's disk. Only files in the model's folder are ever read; one of the same name there is taken.",
        "<init_from>file:///C:/art/skin.png</init_from>",
        "Put the pictures beside the model.";
    IMAGE_MISSING = "DA221", "image file is missing",
        "The picture is not where the file says. The reference is kept.",
        "<init_from>skin.png</init_from> and no skin.png",
        "Put the picture beside the model.";
    OPACITY = "DA222", "opacity",
        "COLLADA has four ways to say how clear a surface is, and exporters mix them up. A material that would be wholly invisible is read as solid.",
        "<transparent opaque=\"A_ONE\">...<transparency><float>0</float>",
        "Nothing, if the material is solid. Else state an opacity above 0.";
    CAMERA = "DA223", "camera",
        "A camera without a lens is dropped; one without an angle of view gets one.",
        "<camera><optics/></camera>",
        "Set the camera's angle of view.";
    MORPH = "DA224", "morph target does not fit",
        "A morph target must have as many positions as the mesh that it changes.",
        "a target of 8 positions for a mesh of 24",
        "Export the targets with the same vertices as the mesh.";
    CLIPS = "DA225", "animations outside of clips",
        "Some animations are in no animation_clip. They are read as a clip of their own.",
        "two animations, and a clip that names one of them",
        "Nothing, or name them in a clip.";
    COMMA = "DA226", "decimal commas",
        "Numbers are written as they are in some countries, with a comma in the place of the point. They are read as meant.",
        "<float_array count=\"3\">0,5 1,25 -3,0</float_array>",
        "Set the exporting program or system to English numbers.";
    UNREAD = "DA301", "kinds of things that are not read",
        "Physics, kinematics, splines, convex hulls and boundary representations have no place in a scene.",
        "<library_physics_scenes>",
        "Nothing, if only the visible model matters.";
    OTHER_SCENES = "DA302", "other visual scenes",
        "Only the scene that the file shows is read.",
        "two <visual_scene> elements",
        "Export one scene a file.";
    HOLES = "DA303", "holes in polygons",
        "Faces with holes cannot be held; the holes are filled.",
        "<ph><p>0 1 2 3</p><h>4 5 6</h></ph>",
        "Triangulate in the modelling program.";
    SMALL_FACES = "DA304", "faces of one or two corners",
        "A face needs three corners.",
        "<vcount>2</vcount>",
        "Nothing; they could not be seen.";
    ATTRIBUTES = "DA305", "vertex attributes",
        "Vertices keep one set of tangents, eight of texture coordinates and four of colours. Other inputs are dropped.",
        "<input semantic=\"IMAGE\" .../>",
        "Nothing, if no shader needs them.";
    CONTROLLER_ORDER = "DA306", "morph over a skin",
        "Scenes apply morph targets before the skin. A file that does it the other way round is read in that order.",
        "<morph source=\"#a-skin\">",
        "Put the skin over the morph in the modelling program.";
    MORPH_NORMALS = "DA307", "normals of morph targets",
        "A target whose corners are not those of the mesh, or that is relative, moves positions only.",
        "a target without normals",
        "Compute normals again after morphing, where the program can.";
    OTHER_CHANNELS = "DA308", "animation of other things than nodes and morph weights",
        "Cameras, lights, materials and visibility do not move in a scene.",
        "<channel target=\"camera/xfov\"/>",
        "Nothing, or animate the node instead.";
    INFINITY = "DA309", "behaviour beyond the keys",
        "Before the first key and after the last, a track holds their values. Cycles and linear continuation are dropped.",
        "<post_infinity>CYCLE</post_infinity>",
        "Bake the animation over the whole time in the modelling program.";
    BAKED = "DA310", "curves became straight pieces",
        "A track goes straight from key to key. Bézier and Hermite curves, angles about several axes and turns of more than half a circle got additional keys, as many as it takes to stay near. The size is how far any vertex can be off between keys, added up over a node and those above it.",
        "INTERPOLATION BEZIER",
        "Nothing, if the size is small. Else bake the animation before exporting.";
    SHEAR = "DA311", "animated shear",
        "A node that moves has a translation, a rotation and a scale; a transform with shear does not come apart into these. The nearest ones were taken.",
        "an animated <skew>, or a rotation outside of a scale that differs between axes",
        "Apply scales in the modelling program before exporting.";
    PROFILE = "DA312", "shader profiles",
        "Only the common profile is read. Of an effect that has none, the first colour that is called diffuse and the first picture are taken.",
        "<profile_CG>",
        "Export with standard materials.";
    EXTRA = "DA313", "extra values",
        "Values of single programs, which have no place in a scene, are dropped.",
        "<extra><technique profile=\"MAX3D\"><faceted>1</faceted></technique></extra>",
        "Nothing, if no other program needs them.";
    LIGHT = "DA314", "light",
        "Lights fade with the square of the distance, whatever factors the file states; a light of an unknown kind is dropped.",
        "<constant_attenuation>1</constant_attenuation>",
        "Set the lights again in the target program.";
    UNUSED = "DA315", "things that nothing uses",
        "Libraries can hold geometries, controllers, materials, images, cameras, lights and nodes that the shown scene does not use, and animations can move what is not in it. These are left out.",
        "<geometry> that no instance_geometry names",
        "Nothing, if only the shown scene matters. Else put them into the scene before exporting.";
    COPIED = "DA401", "copied as it is",
        "Input and output are both COLLADA, so the file's bytes were copied.",
        "ligament convert a.dae b.dae",
        "Nothing needs to be done.";
}
