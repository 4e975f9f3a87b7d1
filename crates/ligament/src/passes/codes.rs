//! Codes of the passes: losses (`LS`: what was kept in another form, approximated or dropped) and other diagnostics
//! (`PS`).

crate::report::codes! {
    CAMERAS = "LS001" of "camera"/"cameras", "cameras",
        "The target format has no cameras.",
        "converting a glTF scene with a camera to PFOBJ",
        "Keep the source file for the cameras, or choose a format that holds them.";
    LIGHTS = "LS002" of "light"/"lights", "lights",
        "The target format has no lights.",
        "converting a glTF scene with a KHR_lights_punctual light to PFOBJ",
        "Keep the source file for the lights, or choose a format that holds them.";
    AMBIENT = "LS003", "ambient light",
        "The target format stores no ambient light.",
        "converting a BOGLE scene with an ambient colour to PFOBJ",
        "Set the ambient light in the program that shows the model.";
    UV_SETS = "LS004" of "part"/"parts", "texture coordinate sets",
        "The parts have more texture coordinate sets than the target format can hold. The set used by the colour texture is kept, or else the first; the rest are dropped.",
        "a glTF mesh with TEXCOORD_1, converted to PFOBJ",
        "Bake the textures that use the second set (often light maps) into the first texture before converting.";
    COLOR_SETS = "LS005" of "part"/"parts", "vertex colours",
        "The parts have more vertex colour sets than the target format can hold. The first ones are kept, the rest are dropped.",
        "a glTF mesh with COLOR_0, converted to PFOBJ",
        "Bake the colours into a texture before converting.";
    TANGENTS = "LS006" of "vertex"/"vertices", "tangents",
        "The target format stores no tangents. Programs that need them for normal maps compute them again.",
        "a glTF mesh with TANGENT, converted to PFOBJ",
        "Nothing, unless the tangents were edited by hand.";
    NORMALS = "LS007" of "vertex"/"vertices", "normals",
        "The target format stores no normals. Programs compute them from the faces.",
        "a smooth-shaded mesh in a format without normals",
        "Choose a format with normals if hard and soft edges matter.";
    POINTS_AND_LINES = "LS008" of "face"/"faces", "points and lines",
        "The target format holds faces only, so parts made of points or lines are dropped.",
        "a glTF primitive of mode 0 (POINTS) or 1 (LINES), converted to PFOBJ",
        "Turn them into thin faces before converting.";
    MORPHS = "LS009" of "target"/"targets", "morph targets",
        "The target format has no morph targets. The shape at rest, with the weights that the file gives at rest, is baked into the vertices; targets and weight tracks are dropped. The size is how far a clip's vertices are off without its weight tracks.",
        "a face with a `smile` target, converted to PFOBJ",
        "Move such shapes with joints, or choose a format with morph targets.";
    INFLUENCES = "LS010" of "vertex"/"vertices", "influences per vertex",
        "The target format, or an option, limits the number of influences per vertex. The largest are kept and scaled up so that their sum stays the same. The size is the farthest that this moves a vertex, at rest, at the keys of the clips and between them.",
        "seven joints on a vertex, written to a format that holds four",
        "Limit the influences in the modelling program, where the result can be seen, or choose a format or dialect that holds more.";
    NORMALS_COMPUTED = "LS011" of "vertex"/"vertices", "normals computed",
        "The source has no normals and the target format needs them, so they were computed from the faces.",
        "an indexed glTF primitive without NORMAL, converted to PFOBJ",
        "Export normals from the modelling program if these do not look right.";
    FACES = "LS012" of "face"/"faces", "faces",
        "Polygons were cut into triangles, and some could not be cut properly: they have fewer than three corners (dropped) or too many corners for a concave outline (cut as a fan).",
        "a face line with two corners",
        "Repair the named faces in the modelling program.";
    MATERIAL = "LS013", "material model",
        "Source and target describe surfaces in different ways (Phong colours or metallic-roughness). The values were derived by fixed formulas, and look similar, not the same.",
        "a metallic-roughness material written to PFOBJ",
        "Look at the result and set the material in the target program where it matters.";
    MATERIAL_FEATURE = "LS014" of "feature"/"features", "material features",
        "The material uses something that the target's materials do not have: normal or occlusion maps, alpha modes, double-sided or unlit surfaces.",
        "a glTF material with a normal map, converted to PFOBJ",
        "Bake the effect into the colour texture, or set it in the target program.";
    SAMPLED = "LS015" of "track"/"tracks", "clip sampling",
        "The target format stores frames of a regular grid, or lacks the source's interpolation, so the clip was sampled, or got more keys where its curves bend. The size is an upper bound of how far any vertex is off between the frames.",
        "a glTF clip with linear keys, converted to PFOBJ, which plays frames as steps",
        "Raise --fps if the format stores the rate, or if the program that plays the file can be told the rate. The report says how many keys fell between frames.";
    CLIPS = "LS016", "clips",
        "The target format holds no clips, or only one; the others are dropped.",
        "three clips written to a format of one",
        "Write one file per clip with --clip NAME.";
    REST_POSE = "LS017" of "joint"/"joints", "rest pose",
        "The source's rest pose differs from its bind pose, and the target format has only one of them. The bind pose is kept, since the skin needs it, and every clip poses as before; the pose without a clip changes by the stated size.",
        "a glTF character bound in T-pose whose nodes rest in another pose",
        "Apply the rest pose as bind pose in the modelling program if the pose without a clip matters.";
    OBJECTS = minor "LS018" of "object"/"objects", "separate objects",
        "The target format holds one mesh, so all objects were joined into one. Every vertex stays where it is; the objects' names and boundaries are lost.",
        "a glTF scene of a table and four chairs, converted to PFOBJ",
        "Convert the objects one by one if they must stay apart.";
    NODES = minor "LS019" of "node"/"nodes", "nodes",
        "The target format has no node hierarchy, only joints. Transforms of static nodes were baked into everything below them, which moves no vertex; nodes that carry no mesh are dropped.",
        "the `Armature` node above the joints of a character, converted to PFOBJ",
        "Nothing, unless another program looks nodes up by name.";
    SHEAR = "LS020" of "joint"/"joints", "sheared joints",
        "A joint's transform holds shear, which translation, rotation and scale cannot express. The nearest such transform was taken. The size is the farthest that this moves any vertex, at rest or in a clip.",
        "a glTF joint with a sheared matrix, or a rotated joint below a non-uniformly scaled one",
        "Apply scales in the modelling program before exporting.";
    BIND = "LS021" of "joint"/"joints", "bind matrices",
        "The target format derives bind matrices from the joints' rest transforms, which cannot express those of the source.",
        "an inverse bind matrix with shear, or one that cannot be inverted",
        "Apply transforms in the modelling program before exporting.";
    EXTRAS = minor "LS022" of "entry"/"entries", "key-value data",
        "The target format cannot store key-value data (extras).",
        "custom properties of Blender objects, converted from glTF to PFOBJ",
        "Keep the source file for them.";
    TEXTURES = "LS023" of "texture"/"textures", "textures",
        "Materials lost their textures, because --textures none was given or because the target format has none.",
        "ligament convert --textures none fox.glb fox.pfobj",
        "Choose another texture mode, or a format that holds textures.";
    SKINS = "LS024" of "skin"/"skins", "skins",
        "The target format has no joints. The rest pose is baked into the vertices.",
        "a rigged character written to a format for static models",
        "Use `ligament pose` to choose the pose that is baked.";
    TANGENTS_COMPUTED = "LS025" of "vertex"/"vertices", "tangents computed",
        "The source has no tangents and the target format stores them, so they were computed from normals and texture coordinates by MikkTSpace, as in programs that bake normal maps. Vertices are split where the texture is mirrored or folded.",
        "a textured PFOBJ model, converted to BOGLE",
        "Nothing, unless the normal map was baked with other tangents.";
    JOINT_SCALE = "LS026" of "joint"/"joints", "joint scale",
        "Joints of the target format only rotate and move. A scale that never changes goes to the joints below and to the bind matrices, and every pose stays the same; animated scale is lost. The size is an upper bound of how far any vertex is off.",
        "a glTF character that stretches its neck by scaling a joint, converted to AMO",
        "Stretch with joints that move instead.";
    KEYS = "LS027" of "key"/"keys", "keys removed",
        "--reduce-keys was given, and redundant keys were removed. The size is an upper bound of how far any vertex is off, at the source's keys and between them.",
        "ligament convert --reduce-keys 0.01% walk.pfobj walk.glb",
        "Give a smaller size to keep more keys.";
    BY_MATERIAL = minor "LS028", "meshes by material",
        "--by-material was given: meshes of several materials became one object per material, or parts of the same material were merged. Every face stays where it was.",
        "ligament convert --by-material split scene.glb scene.pfobj",
        "Leave out --by-material.";
    SKELETONS = "LS029" of "skin"/"skins", "skeletons joined",
        "The target format has one skeleton, and every vertex follows its bones. The joints of all skins became its bones; vertices move as before, but the file does not record which joints belonged to which skin.",
        "a scene of two characters, each with a skin of its own, converted to QMSH",
        "Nothing; convert the characters one by one if they are to be animated separately.";
    EXTENSIONS = "LS030", "extensions of the source's format",
        "The source uses extensions of its format that a scene has no fields for. They travel with a scene to a file of the same format; no other format can hold them.",
        "a .glb whose materials have KHR_materials_clearcoat, converted to PFOBJ",
        "Keep the source file if you need what the extension adds.";
    IMAGE_TYPE = "LS031", "image type",
        "The target format takes only PNG images, or programs for it do not show KTX2 images, so the image was decoded and written as PNG. The pixels are the same; the file is usually larger. Of a KTX2 file with mip levels or layers, the largest image of the first layer is taken.",
        "a model with a JPEG texture, converted to BOGLE, or one with a KTX2 texture, converted to OBJ",
        "Nothing. --textures reference leaves the images as they are.";
    IMAGE_LEFT = "LS032", "image not copied",
        "The file that the model names as an image is not one, so it was not copied beside the output. The output still refers to it.",
        "a material library with `map_Kd Makefile`, converted to another folder",
        "Replace the file by an image, or correct the reference.";
    UNKNOWN_CLIP = "PS001", "no such clip",
        "No clip of the file has the given name.",
        "ligament convert --clip Wlak fox.glb walk.glb",
        "`ligament info FILE` lists the clips.";
    TEXTURE_MISSING = "PS002", "texture file not found",
        "The model refers to an image file that is not in its folder, so it can be neither embedded nor copied. The reference is kept as it is.",
        "texture skin.png, without a skin.png beside the model",
        "Put the image beside the model, or use --textures none.";
    CANNOT_EMBED = "PS003", "textures cannot be embedded",
        "The target format cannot hold images inside the file.",
        "ligament convert --textures embed fox.glb fox.pfobj",
        "Use --textures copy, which writes the images beside the model.";
    CANNOT_REFER = "PS004", "textures cannot be files",
        "The target format holds images only inside the file.",
        "ligament convert --textures copy to such a format",
        "Use --textures embed or none.";
    UNKNOWN_IMAGE = "PS005", "image type cannot be embedded",
        "The image is not PNG, JPEG, WebP, KTX2 or AVIF, the types that can be embedded. It remains a file beside the model.",
        "a TGA texture of a PFOBJ model, converted to GLB",
        "Convert the image to PNG or JPEG and change the reference.";
    REFERENCE_ELSEWHERE = "PS006", "texture reference from another folder",
        "--textures reference leaves images where they are, but the output is in another folder, and a model refers only to files in its own folder. The references will not be found.",
        "ligament convert --textures reference models/fox.gltf out/fox.pfobj",
        "Use --textures copy, or write into the source's folder.";
    TEXTURE_RENAMED = "PS007", "texture copied under another name",
        "A different file of that name is already in the output's folder, two images have the same name, or the model's own files need it, so the copy got a number. If its folder cannot be used, the copy is beside the model.",
        "two embedded images that are both called `skin`",
        "Nothing; the model refers to the new name.";
    TOO_MANY_FRAMES = "PS008", "clip is too long to be sampled",
        "The target stores frames of a regular grid, and this clip would need far too many of them.",
        "a clip of two keys that are a year apart",
        "Lower --fps, or leave the clip out by naming the others with --clip.";
    TEXTURE_UNREADABLE = "PS009", "texture file cannot be read",
        "The image file exists but could not be read: it is too large, a pipe or device, or a link that leaves the model's folder.",
        "texture skin.png, where skin.png is a link to /etc/passwd",
        "Replace it by a file in the model's folder.";
    BOUNDS_STORED = "PS011" of "object"/"objects", "boxes stored",
        "--store-bounds was given: the extras of the scene, of clips and of skins hold boxes, as min and max. The scene's is that of the rest pose; a clip's holds every vertex at all of its times; a skin's are lists, one box per joint around its vertices, in the joint's own space, or null.",
        "ligament convert --store-bounds fox.glb fox-boxes.glb",
        "Nothing to do: this is what was asked for.";
    OPTIMISED = "PS012" of "triangle"/"triangles", "triangles in another order",
        "--optimise was given: triangles are in an order in which graphics cards pose few vertices twice and draw few pixels twice, and vertices are in the order of their first use. The triangles are the same, and so are their corners. Those of blended materials stay in their order, which can be seen.",
        "ligament convert --optimise hero.fbx hero.glb",
        "Nothing to do: this is what was asked for.";
    NOT_CONVERTED = "PS010", "image cannot be converted",
        "The target format takes only PNG images, or programs for it do not show the image's type (KTX2, AVIF), and the image cannot be decoded. It is copied as it is, and programs that read the target will not show it.",
        "a texture in a type that is not supported, or a damaged JPEG file, converted to BOGLE",
        "Convert the image to PNG in an image editor, and change the reference.";
}
