"""Blender's own result for a scene: the vertices of everything drawn, at rest and in the frames of a clip.

Nothing here uses the add-on: actions are assigned and frames are set as a user would do it.
"""

import bpy
import numpy as np
from mathutils import Matrix, Quaternion

DRAWN = {"MESH", "CURVE", "SURFACE", "META", "FONT"}


def vertices(context):
    """World-space vertices of all drawn objects and instances, in Blender's axes: (n, 3)."""
    context.view_layer.update()
    graph = context.evaluated_depsgraph_get()
    found = []
    for instance in graph.object_instances:
        item = instance.object
        if item.type not in DRAWN or not instance.show_self:
            continue
        if instance.is_instance and item.type != "MESH" and item.original == instance.parent.original:
            continue
        try:
            mesh = item.to_mesh()
        except RuntimeError:
            continue
        flat = np.empty(len(mesh.vertices) * 3, dtype=np.float32)
        mesh.vertices.foreach_get("co", flat)
        world = np.array([tuple(row) for row in instance.matrix_world], dtype=np.float64)
        found.append(flat.reshape(-1, 3).astype(np.float64) @ world[:3, :3].T + world[:3, 3])
        item.to_mesh_clear()
    return np.concatenate(found) if found else np.empty((0, 3))


def owners():
    for item in bpy.data.objects:
        yield item
        keys = getattr(item.data, "shape_keys", None)
        if keys is not None:
            yield keys


class Stand:
    """Stores the state of objects and shape keys so that it can be restored: after an action is removed, things stay where
    it last put them. Imported objects are stored in their file's rest state."""

    def __init__(self):
        self._objects, self._keys = {}, {}
        for item in bpy.data.objects:
            place = item.matrix_basis.copy()
            rest = item.get("ligament_rest")
            if rest is not None and item.animation_data is not None:
                place = Matrix.LocRotScale(rest[:3], Quaternion((rest[6], *rest[3:6])), rest[7:])
            self._objects[item] = place
        for keys in bpy.data.shape_keys:
            self._keys[keys] = [block.value for block in keys.key_blocks]
            if keys.get("ligament_rest") is not None and keys.animation_data is not None:
                self._keys[keys][1:] = list(keys["ligament_rest"])

    def back(self):
        for item, place in self._objects.items():
            item.matrix_basis = place
        for keys, values in self._keys.items():
            for block, value in zip(keys.key_blocks, values):
                block.value = value


def relax(stand):
    """Removes all actions and puts bones at rest."""
    for owner in owners():
        data = owner.animation_data
        if data is not None:
            data.action = None
            data.use_nla = False
        if isinstance(owner, bpy.types.Object) and owner.type == "ARMATURE":
            for bone in owner.pose.bones:
                bone.matrix_basis.identity()
                bone.location, bone.scale = (0, 0, 0), (1, 1, 1)
                bone.rotation_quaternion = (1, 0, 0, 0)
    stand.back()


def at_rest(context):
    """Vertices with the armatures in their rest position."""
    rigs = [item for item in bpy.data.objects if item.type == "ARMATURE"]
    before = [rig.data.pose_position for rig in rigs]
    for rig in rigs:
        rig.data.pose_position = "REST"
    found = vertices(context)
    for rig, position in zip(rigs, before):
        rig.data.pose_position = position
    return found


def uses(owner, name):
    """The action of this clip that something plays or has in a strip: (action, slot), or None."""
    data = owner.animation_data
    if data is None:
        return None
    entries = []
    if data.action is not None:
        entries.append((data.action, getattr(data, "action_slot", None)))
    for track in data.nla_tracks:
        for strip in track.strips:
            entries.append((strip.action, getattr(strip, "action_slot", None)))
    for action, slot in entries:
        if action is not None and action.get("ligament_clip", action.name) == name:
            return action, slot
    return None


def play_action(context, name, frames, stand):
    """Vertices in frames of an action, or of the actions that belong to one clip."""
    chosen = {owner: uses(owner, name) for owner in owners()}
    kept = [(owner, owner.animation_data.action, getattr(owner.animation_data, "action_slot", None),
             owner.animation_data.use_nla) for owner in owners() if owner.animation_data]
    relax(stand)
    for owner, found in chosen.items():
        if found is not None:
            owner.animation_data.action = found[0]
            if found[1] is not None:
                owner.animation_data.action_slot = found[1]
    result = frames_of(context, frames)
    relax(stand)
    for owner, action, slot, nla in kept:
        owner.animation_data.action = action
        if slot is not None and action is not None:
            owner.animation_data.action_slot = slot
        owner.animation_data.use_nla = nla
    return result


def play_strip(context, name, frames, stand):
    """Vertices in frames of the NLA strips of one name."""
    relax(stand)
    for owner in owners():
        if owner.animation_data:
            owner.animation_data.use_nla = True
            for track in owner.animation_data.nla_tracks:
                track.mute = not any(strip.name == name for strip in track.strips)
    result = frames_of(context, frames)
    for owner in owners():
        if owner.animation_data:
            for track in owner.animation_data.nla_tracks:
                track.mute = False
    return result


def frames_of(context, frames):
    found = []
    for frame in frames:
        whole = int(np.floor(frame))
        context.scene.frame_set(whole, subframe=float(frame - whole))
        found.append(vertices(context))
    return found
