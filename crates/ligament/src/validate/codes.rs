//! Codes of scene rules.

crate::report::codes! {
    INDEX = "SC001", "index out of range",
        "An id or index in the scene points past the end of the list that it refers to.",
        "node.mesh = MeshId(7) in a scene of three meshes",
        "Point it at an element that exists, or remove the reference.";
    NOT_FINITE = "SC002", "number that is not finite",
        "A NaN or an infinity cannot be posed, drawn or written, and spreads to everything computed from it.",
        "part.positions[17] = (NaN, 0, 0)",
        "Find the division or the uninitialised value that it came from, and store a finite number.";
    PARENT_ORDER = "SC003", "parent does not come before its child",
        "Nodes are listed parents first, so that one pass from front to back visits parents before children and no \
         cycle can be expressed. This node's parent comes after the node, or is the node itself.",
        "nodes[2].parent = NodeId(5)",
        "Sort the nodes so that every parent comes before its children, and renumber the ids.";
    LENGTH = "SC004", "parallel arrays of different lengths",
        "Every vertex attribute of a part is either absent (empty) or has one element per position; morph deltas \
         and inverse bind matrices follow the same rule.",
        "a part of 100 positions and 99 normals",
        "Give every vertex a value, or leave the whole array empty.";
    KEY_ORDER = "SC005", "key times are not strictly ascending",
        "Sampling searches a track's keys by time, so each key must be later than the one before it.",
        "track.times = [0.0, 0.5, 0.5]",
        "Sort the keys by time and keep one of those that share a time.";
    KEY_NEGATIVE = "SC006", "key before the clip starts",
        "A clip starts at 0 seconds; a key with a negative time would never be reached.",
        "track.times = [-0.1, 0.5]",
        "Move the keys so that the first is at 0 or later.";
    DURATION = "SC007", "clip ends before its last key",
        "A clip's duration is never shorter than the time of its last key.",
        "clip.duration = 1.0 with a key at 1.5",
        "Set the duration to the last key's time or more.";
    VALUE_COUNT = "SC008", "keys and values do not match",
        "A step or linear track has one value per key; a cubic one has three: in-tangent, value, out-tangent. Morph \
         weights have `count` numbers per value.",
        "3 times and 4 translations in a linear track",
        "Add or remove values, or correct the interpolation.";
    TRACK_TWICE = "SC009", "two tracks for one property",
        "A clip has at most one track for each property of a node; with two, the result would depend on their order.",
        "two rotation tracks for node 4",
        "Merge the two, or remove one.";
    TRACK_ON_MATRIX = "SC010", "animated node without translation, rotation and scale",
        "A track replaces a node's translation, rotation or scale, which a node stored as a matrix does not have.",
        "a rotation track for a node with Local::Matrix",
        "Store the node as Local::Trs; Local::from_matrix does it where the matrix has no shear.";
    FACES = "SC011", "faces are not well formed",
        "Lines come in pairs of vertices and triangles in triples; the starts of polygons begin at 0, never decrease, end with the number of \
         corners, and leave at least three corners per polygon.",
        "Faces::Triangles with 7 indices",
        "Remove the incomplete face, or correct the starts.";
    NOT_UNIT = "SC012", "rotation is not a unit quaternion",
        "A rotation is a quaternion of length one; another length would scale or lose the rotation.",
        "rotation = (0, 0, 0, 0)",
        "Normalise the quaternion; use (0, 0, 0, 1) for no rotation.";
    NOT_AFFINE = "SC013", "matrix is not affine",
        "Node and inverse bind matrices are affine: their last row is 0 0 0 1. Anything else is a projection, or a matrix \
         stored by rows.",
        "an inverse bind matrix with its translation in the last row",
        "Transpose the matrix if it is stored by rows.";
    SKIN_WITHOUT_MESH = "SC014", "skin on a node without a mesh",
        "A skin deforms the mesh of its node, but this node has none.",
        "node.skin = Some(SkinId(0)), node.mesh = None",
        "Remove the skin, or add the mesh.";
    MORPH_COUNT = "SC015", "number of morph targets differs",
        "A mesh lists its morph targets once; each part has deltas for all of them, and node weights and weight \
         tracks have one number per target.",
        "a mesh of 2 morphs with a part that has deltas for 3",
        "Make the numbers agree; deltas that change nothing may be empty arrays.";
    UV_SET = "SC016", "texture without coordinates",
        "A material's texture uses a coordinate set that the part does not have, so the texture cannot be placed.",
        "uv_set = 1 on a part with one set",
        "Point the texture at a set that exists, or add coordinates to the part.";
    NEGATIVE_WEIGHT = "SC017", "negative weight",
        "An influence with a negative weight pushes the vertex away from where its joint goes. It is posed as stored, but \
         few programs agree on what it means.",
        "Influence { joint: 3, weight: -0.1 }",
        "Remove the influence, or make it positive.";
    NORMAL_LENGTH = "SC018", "normal is not of unit length",
        "A normal or tangent of length zero has no direction, and shading is wrong there; one far from length one \
         shades too bright or too dark in programs that do not normalise.",
        "normals[5] = (0, 0, 0)",
        "Compute the normal again from the faces, or normalise it.";
    JOINT_TWICE = "SC019", "joint listed twice in a skin",
        "Two joints of one skin are the same node. Posing works, but programs that find joints by node may not.",
        "skin.joints = [NodeId(1), NodeId(2), NodeId(1)]",
        "Merge the two and renumber the influences.";
    FRAME_RATE = "SC020", "frame rate is not positive",
        "Frame i of a sampled clip is at i / rate seconds, so the rate must be a number above 0.",
        "Frames { rate: 0.0, count: 12 }",
        "Set the rate that the clip was sampled with, or leave `frames` empty.";
    IMAGE_PATH = "SC021", "image path leaves the model's folder",
        "An image is named by a path relative to the model's folder, with `/` between its parts.",
        "../../textures/skin.png",
        "Copy the image into the model's folder and name it there.";
    CAMERA_RANGE = "SC022", "camera shows nothing",
        "A camera's field of view lies between 0 and 180 degrees, its width and height are not zero, and its far distance is \
         beyond its near distance.",
        "Projection::Perspective { fov_y: 0.0, .. }",
        "Correct the lens.";
    LIGHT_RANGE = "SC023", "light with impossible values",
        "Brightness and range are not negative, and a spot's inner angle lies between 0 and its outer angle, which is at most \
         90 degrees.",
        "LightKind::Spot { inner_angle: 0.9, outer_angle: 0.5 }",
        "Correct the values; swap the angles if they are the wrong way round.";
    TANGENT_SIGN = "SC024", "tangent without a side",
        "The fourth number of a tangent gives the side to which the bitangent points: 1 or -1.",
        "tangents[0] = (1, 0, 0, 0)",
        "Compute the tangents again, or set the sign.";
    NO_KEYS = "SC025", "track without keys",
        "The track has no keys, so its node stays at rest.",
        "Track { times: [], .. }",
        "Remove the track.";
}
