//! The diagnostics of OBJ and MTL: 1xx fields and lines, 2xx references, 3xx libraries and textures, 4xx oddities, 5xx conversion.

crate::report::codes! {
    BAD_NUMBER = "OB101", "not a number",
        "A field that must hold a decimal number holds something else. Hexadecimal numbers, commas and units are not numbers here.",
        "v 1.0 1,5 0.0",
        "Write a decimal number such as 1.5.";
    NOT_FINITE = "OB102", "number is NaN or infinite",
        "A field is NaN or infinity. A model with such a number cannot be drawn.",
        "vn nan 0 0",
        "Find the cause in the exporting program, often a degenerate face or a zero scale, and export again.";
    TOO_LARGE = "OB103", "number is too large",
        "The number is larger than the largest 32-bit float (about 3.4e38).",
        "v 1e99 0 0",
        "Correct the number.";
    MISSING = "OB104", "line has too few values",
        "The line ends before all required values.",
        "v 1.0 2.0",
        "Add the missing values.";
    EXTRA = "OB105", "line has more values than it uses",
        "The line has more values than the format defines. The rest is ignored.",
        "vn 0 0 1 0",
        "Remove everything after the last value.";
    CORNER = "OB106", "not a corner",
        "A corner is up to three integers separated by slashes: position, texture coordinate, normal. Only the position is required; corners of points have nothing else, those of lines no normal.",
        "f 1/1/1/7 2 3",
        "Write position/uv/normal, position//normal, position/uv or position.";
    NO_CORNERS = "OB107", "face without corners",
        "The line begins a face, a line or a point, but has no corners.",
        "f",
        "Remove the line, or add its corners.";
    UNKNOWN_LINE = "OB108", "unknown line",
        "The line begins with a word that the format does not define. It has no effect, but is kept when the file is rewritten.",
        "weight 3 0.5",
        "Remove the line, or correct its first word.";
    TAIL = "OB109", "number followed by other characters",
        "A number is followed by something that looks like an exponent but is not one. Other programs read the number up to that point, and so does ligament.",
        "v 0 0 3.1+e2",
        "Write the exponent as in 3.1e+2.";
    TOO_MANY = "OB110", "too many elements",
        "The lists or faces are longer than 32-bit indices can count.",
        "a file with more than 2147483647 positions",
        "Split the model.";
    NOT_TEXT = "OB111", "not text",
        "The file holds zero bytes or broken UTF-16, so it is not text.",
        "a compiler's object file, which also has the extension .obj",
        "Choose the right file; Wavefront OBJ is text.";
    NOTHING = "OB112", "no geometry",
        "The file has no positions, so there is nothing to show; or the model to be written has no vertices.",
        "an empty file, or a skeleton without a mesh written as OBJ",
        "Check that the right file was exported, and that the export was complete.";
    INDEX = "OB201", "index out of range",
        "A corner refers to a position, texture coordinate or normal that the file does not have. Indices count from 1; negative ones count backwards from the last one before the line.",
        "f 1 2 12 in a file with 8 positions",
        "Correct the index, or restore the missing lines.";
    ZERO_INDEX = "OB202", "index 0",
        "Indices count from 1, so 0 refers to nothing.",
        "f 0 1 2",
        "Add one to all indices: the exporter counts from 0.";
    LIBRARY_PATH = "OB301", "library path is refused",
        "Only files in the model's folder are read. The path is absolute, leaves the folder, or is a URL.",
        "mtllib ../../secret.mtl",
        "Put the library beside the model and name it without a folder.";
    LIBRARY_MISSING = "OB302", "library not found",
        "The material library is not in the model's folder. Materials keep their names and get default values.",
        "mtllib tree.mtl without that file",
        "Put the file beside the model, or remove the line.";
    LIBRARY_UNREADABLE = "OB303", "library cannot be read",
        "The material library exists, but cannot be read or is too large.",
        "a library without read permission",
        "Check the file's permissions and size.";
    TEXTURE_PATH = "OB304", "texture path is refused",
        "Only files in the model's folder are used. The path is absolute, leaves the folder, or is a URL. If a file of the same name is beside the model, it is used, with a warning; with --lenient, the texture is left out, with a warning.",
        "map_Kd C:\\textures\\bark.png",
        "Put the image beside the model and name it without a folder.";
    TEXTURE_MISSING = "OB305", "texture not found",
        "The image that a material names is not in the model's folder.",
        "map_Kd bark.png without that file",
        "Put the image beside the model, or correct the name.";
    MTL_UNKNOWN = "OB306", "unknown line in a library",
        "The line begins with a word that is not known from any program's materials. It has no effect.",
        "Km 0.5",
        "Remove the line, or correct its first word.";
    MTL_OUTSIDE = "OB307", "line before the first material",
        "Each line of a library belongs to the material of the last `newmtl` before it.",
        "Kd 1 1 1 at the top of a library",
        "Put a `newmtl` line before it.";
    MTL_INCLUDE = "OB308", "library that includes another",
        "Libraries cannot include anything. The line is ignored, so a library cannot include itself either.",
        "mtllib other.mtl within a library",
        "Name all libraries in the model.";
    MTL_SPECTRAL = "OB309", "spectral colour",
        "The colour is given as a spectral curve in a file, which is not read.",
        "Kd spectral gold.rfl",
        "Give the colour as three numbers.";
    MTL_OPTION = "OB310", "option without effect",
        "An option of a material or texture has a meaning that a scene cannot represent.",
        "d -halo 0.5",
        "Nothing needs to be done unless the effect matters; the library itself is kept unchanged when the model is rewritten.";
    MATERIAL_UNDEFINED = "OB311", "material is not in a library",
        "The model uses a material that none of its libraries defines. The material keeps its name and gets default values.",
        "usemtl Bark, with no newmtl Bark",
        "Correct the name, or add the library that has it.";
    MATERIAL_TWICE = "OB312", "material is defined twice",
        "Two materials of the libraries have the same name. The first counts.",
        "newmtl Bark, twice",
        "Rename one of them.";
    THIN_FACE = "OB401", "face with fewer than three corners",
        "A face needs at least three corners. The line is ignored.",
        "f 1 2",
        "Remove the line, or write it as a line: l 1 2.";
    FREE_FORM = "OB402", "curves and surfaces",
        "Free-form curves and surfaces are not read. The file keeps them when it is rewritten; a scene only has faces, lines and points.",
        "surf 0.0 1.0 0.0 1.0 1 2 3 4",
        "Convert them to polygons in the modelling program before exporting.";
    DISPLAY = "OB403", "display or obsolete attribute",
        "Levels of detail, bevels, shadow objects, merging groups and similar lines have no effect in ligament.",
        "shadow_obj ball.obj",
        "Nothing needs to be done.";
    CALL = "OB404", "line that runs or includes something",
        "`call` and `csh` lines include another file or run a command. They are never executed.",
        "call other.obj",
        "Put the content of the other file into this one.";
    NO_NAME = "OB405", "name is missing",
        "The line requires a name, but has none.",
        "usemtl",
        "Add the name, or remove the line.";
    NOT_UTF8 = "OB406", "name is not UTF-8",
        "The name's bytes are not UTF-8. A rewrite keeps them; in other formats they become replacement characters.",
        "usemtl Terraind\\xe6k",
        "Save the file as UTF-8.";
    PARTIAL = "OB407", "only some corners have a value",
        "Some corners of an object have texture coordinates, normals or colours, and others do not. Missing coordinates become 0, colours white, and normals those of the faces.",
        "f 1/1 2/2 3",
        "Give all corners of the object the same attributes.";
    UNUSED = "OB408", "unused positions",
        "The file lists positions that no face, line or point refers to. They are not part of the scene.",
        "v 0 0 0 in a file whose faces begin at 2",
        "Nothing needs to be done unless faces are missing.";
    POINT_CLOUD = "OB409", "positions only",
        "The file has positions, but nothing that uses them. They are read as a point cloud.",
        "a scan saved as OBJ",
        "Nothing needs to be done.";
    SMOOTHING = "OB410", "smoothing group is not a number",
        "A smoothing group is an integer, `on` or `off`. Anything else is read as `on`.",
        "s yes",
        "Write a number.";
    WIDE = "OB411", "UTF-16",
        "The file is UTF-16. ligament reads it, but few other programs do.",
        "a file that begins with the bytes FE FF",
        "Save the file as UTF-8.";
    W_LEFT_OUT = "OB501", "position weights and third texture coordinates",
        "The fourth number of a position is a weight for curves, and the third number of a texture coordinate is for 3D textures. Faces use neither.",
        "v 1 2 3 0.5",
        "Nothing needs to be done.";
    NORMALS = "OB502" of "corner"/"corners", "normals from smoothing groups",
        "Corners without normals were given the normals that their smoothing groups describe: the mean of the surrounding faces in the same group, weighted by angle. Faces in no group are flat.",
        "s 1, in a file without vn lines",
        "Nothing needs to be done if it looks right.";
    MATERIAL = "OB503" of "feature"/"features", "material features dropped",
        "The material has a feature that the target's materials do not support. The message names it.",
        "decal stamp.png",
        "If it matters, set it in the program that shows the model.";
    NAME_CHANGED = "OB504", "name changed",
        "A name was changed so that it fits on a line, or a missing name was made up.",
        "an object whose name contains a line break",
        "Nothing needs to be done unless something refers to it by name.";
    NO_LIBRARY = "OB505" of "material"/"materials", "materials not written",
        "Materials are written to a file beside the model, but the output is a stream without a folder. The model keeps their names.",
        "ligament convert tree.glb --to obj -o - ",
        "Write to a file.";
}
