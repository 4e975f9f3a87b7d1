"""The differences between Blender 3.4 and 5.0, one function each."""

import bpy
import numpy as np

VERSION = bpy.app.version
HAS_SLOTS = VERSION >= (4, 4, 0)


def corner_normals(mesh):
    """The normal of every corner, including custom normals: (corners, 3)."""
    out = np.empty(len(mesh.loops) * 3, dtype=np.float32)
    if VERSION >= (4, 1, 0):
        mesh.corner_normals.foreach_get("vector", out)
    else:
        mesh.calc_normals_split()
        mesh.loops.foreach_get("normal", out)
        mesh.free_normals_split()
    return out.reshape(-1, 3)


def set_corner_normals(mesh, normals):
    """Sets custom normals, one per corner."""
    if VERSION < (4, 1, 0):
        mesh.use_auto_smooth = True
        mesh.auto_smooth_angle = 3.14159265
    mesh.normals_split_custom_set(normals)


def specular_input(shader):
    """The input for the strength of a Principled shader's highlight."""
    return shader.inputs.get("Specular IOR Level") or shader.inputs.get("Specular")


def specular_tint_input(shader):
    """The input for the highlight's colour. Before 4.0 the tint was a number, which cannot hold a colour."""
    socket = shader.inputs.get("Specular Tint")
    return socket if socket is not None and socket.type == "RGBA" else None


def emission_input(shader):
    """The input for the emission colour of a Principled shader."""
    return shader.inputs.get("Emission Color") or shader.inputs.get("Emission")


def set_blend(material, mode, threshold=0.5):
    """Sets how alpha is drawn: OPAQUE, CLIP or BLEND."""
    if hasattr(material, "surface_render_method") and VERSION >= (4, 2, 0):
        material.surface_render_method = "BLENDED" if mode == "BLEND" else "DITHERED"
    if hasattr(material, "blend_method") and VERSION < (5, 0, 0):
        material.blend_method = mode
    if hasattr(material, "alpha_threshold") and VERSION < (5, 0, 0):
        material.alpha_threshold = threshold


def id_type(item):
    """OBJECT or KEY, the names that slots have for the types of data-blocks."""
    return "KEY" if isinstance(item, bpy.types.Key) else "OBJECT"


def slots(action):
    """The slots of an action; [None] in versions without slots, where an action animates one thing."""
    return list(action.slots) if HAS_SLOTS else [None]


def slot_type(action, slot):
    """The type of data-block that a slot animates: OBJECT, KEY, MATERIAL..., or UNSPECIFIED."""
    return slot.target_id_type if slot is not None else action.id_root


def curves(action, slot=None):
    """The F-curves of an action, or of one of its slots."""
    if not HAS_SLOTS:
        return list(action.fcurves)
    found = []
    for layer in action.layers:
        for strip in layer.strips:
            for bag in strip.channelbags:
                if slot is None or bag.slot_handle == slot.handle:
                    found.extend(bag.fcurves)
    return found


def assign(animation_data, action, slot=None):
    """Assigns an action to animation data."""
    animation_data.action = action
    if action is not None and HAS_SLOTS:
        animation_data.action_slot = slot


def assigned_slot(animation_data):
    """The slot in use."""
    return animation_data.action_slot if HAS_SLOTS else None


class NewCurves:
    """Creates F-curves in an action for one thing."""

    def __init__(self, action, item):
        self.slot = None
        if HAS_SLOTS:
            self.slot = action.slots.new(id_type=id_type(item), name=item.name)
            layer = action.layers[0] if action.layers else action.layers.new("Layer")
            strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
            self._curves = strip.channelbag(self.slot, ensure=True).fcurves
        else:
            self._curves = action.fcurves
            action.id_root = id_type(item)

    def add(self, path, index, frames, values, constant):
        """Adds one curve with a key at each frame, constant or linear between keys."""
        curve = self._curves.new(path, index=index)
        count = len(frames)
        curve.keyframe_points.add(count)
        flat = np.empty(count * 2, dtype=np.float32)
        flat[0::2] = frames
        flat[1::2] = values
        curve.keyframe_points.foreach_set("co", flat)
        kind = 0 if constant else 1
        curve.keyframe_points.foreach_set("interpolation", np.full(count, kind, dtype=np.int32))
        curve.update()
