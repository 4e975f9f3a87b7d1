"""What looks as if it could move vertices where a skin cannot follow, but does not: modifiers after the armature that only
change faces or normals, and bendy bones that stay straight."""

import bpy

from .. import compat

# Modifiers that never move a vertex, whatever the pose.
_STILL = {"TRIANGULATE", "WEIGHTED_NORMAL", "NORMAL_EDIT", "EDGE_SPLIT", "MASK", "UV_PROJECT", "UV_WARP", "DATA_TRANSFER",
          "VERTEX_WEIGHT_EDIT", "VERTEX_WEIGHT_MIX", "VERTEX_WEIGHT_PROXIMITY", "PARTICLE_SYSTEM", "COLLISION"}
# Geometry nodes that pass vertices on where they are.
_STILL_NODES = {"NodeGroupInput", "NodeReroute", "GeometryNodeSetShadeSmooth", "GeometryNodeSetMaterial",
                "GeometryNodeSetMaterialIndex", "GeometryNodeSwitch", "GeometryNodeTriangulate"}
_CURVES = ("bbone_curveinx", "bbone_curveinz", "bbone_curveoutx", "bbone_curveoutz", "bbone_rollin", "bbone_rollout")
_SCALES = ("bbone_scalein", "bbone_scaleout")


def moves_vertices(modifier):
    """Whether a modifier may move vertices. Shade Auto Smooth, for example, is made of nodes that only change normals."""
    if modifier.type == "NODES":
        return modifier.node_group is not None and not _is_still(modifier.node_group, set())
    return modifier.type not in _STILL


def _is_still(tree, seen):
    if tree.name_full in seen:
        return True
    seen.add(tree.name_full)
    for node in tree.nodes:
        if not any(socket.type == "GEOMETRY" for socket in node.outputs):
            continue
        inner = getattr(node, "node_tree", None)
        if inner is not None:
            if not _is_still(inner, seen):
                return False
        elif node.bl_idname not in _STILL_NODES:
            return False
    return True


def bends(item, groups):
    """Whether any bone of an armature object that deforms one of the vertex groups may bend."""
    bendy = [bone for bone in item.pose.bones if bone.bone.bbone_segments > 1 and bone.bone.use_deform and bone.name in groups]
    if not bendy:
        return False
    paths = _animated_paths(item)
    return any(_is_bent(bone) or any(f'["{bpy.utils.escape_identifier(bone.name)}"].bbone_' in path for path in paths)
               for bone in bendy)


def _is_bent(bone):
    for owner in (bone, bone.bone):
        if any(abs(getattr(owner, name)) > 1e-6 for name in _CURVES):
            return True
        if any(abs(value - 1.0) > 1e-6 for name in _SCALES for value in getattr(owner, name)):
            return True
    # Handles: connected neighbours, unless others are named.
    ends = (("start", bone.bone.use_connect), ("end", any(child.use_connect for child in bone.bone.children)))
    for end, is_connected in ends:
        if getattr(bone.bone, f"bbone_handle_type_{end}") == "AUTO":
            if is_connected:
                return True
        elif getattr(bone.bone, f"bbone_custom_handle_{end}") is not None:
            return True
    return False


def _animated_paths(item):
    """The paths of everything that actions and drivers may animate on an armature."""
    found = [curve.data_path for action in bpy.data.actions for curve in compat.curves(action)]
    for owner in (item, item.data):
        if owner.animation_data is not None:
            found += [driver.data_path for driver in owner.animation_data.drivers]
    return [path for path in found if "bbone_" in path]
