"""Armatures. The rest position of Blender's bones is the bind pose of the file's joints, rotated so that bones point to their
children. If the file's rest pose differs from the bind pose, the bones are posed accordingly.

A bone's matrix in Blender is P = A · X: A is the joint's matrix in the armature. X is constant and accounts for the bone's
rotation relative to the joint, for scale in the bind pose, and for where the mesh was bound.
"""

import bpy
import numpy as np

from .. import extras, resting
from ..axes import TO_BLENDER, decomposed, inverted, read_matrices


class Bone:
    """A joint as a bone."""

    def __init__(self, node, name, parent):
        self.node, self.name, self.parent = node, name, parent
        self.length = 0.0
        # Basis of the pose = left · local matrix of the joint · right.
        self.left = self.right = None
        # X, as above.
        self.constant = None


def build(context, plan, made, notes, along_joints=False):
    """Creates all armatures, and stores their bones in `made.bones`, by node."""
    for number, group in enumerate(plan.groups):
        _build(context, plan, group, number, made, notes, along_joints)


def _build(context, plan, group, number, made, notes, along_joints):
    scene = plan.scene
    skin = scene.skins[group.skins[0]]
    if group.is_anchor:
        name = scene.nodes[group.anchor].name or f"node{group.anchor}"
    else:
        name = skin.name or f"{plan.name}.armature" + (f".{number}" if number else "")
    data = bpy.data.armatures.new(skin.name or name)
    item = group.item = bpy.data.objects.new(name, data)
    made.add(item)
    if group.is_anchor:
        made.items[group.anchor] = item
    anchor = np.eye(4) if group.anchor is None else TO_BLENDER @ plan.globals[group.anchor] @ TO_BLENDER.T
    group.world = anchor
    backwards, _ = inverted(anchor)
    binds = _binds(plan, group)
    placed = {node: backwards @ TO_BLENDER @ bind for node, bind in binds.items()}
    group.binds = {node: TO_BLENDER @ bind for node, bind in binds.items()}
    names = _edit(context, plan, group, item, placed, along_joints)
    rest = dict(zip((b.name for b in data.bones), read_matrices(data.bones, "matrix_local", len(data.bones))))
    # Blender rounds the matrices of poses and of the rest position differently, so both are read back.
    context.view_layer.update()
    bones = item.pose.bones
    unposed = dict(zip((b.name for b in bones), read_matrices(bones, "matrix", len(bones))))
    for node in group.nodes:
        bone = Bone(node, names[node], plan.parents[node] if plan.parents[node] in names else None)
        made.bones[node] = bone
        bone.length = data.bones[bone.name].length
        bone.constant = inverted(placed[node])[0] @ rest[bone.name]
        own, _ = inverted(unposed[bone.name])
        if bone.parent is None:
            # Nothing is between the armature and its root bones: such nodes are bones themselves.
            bone.left = own @ TO_BLENDER
        else:
            parent = made.bones[bone.parent]
            bone.left = own @ unposed[parent.name] @ inverted(parent.constant)[0]
        bone.right = bone.constant
        extras.put(data.bones[bone.name], scene.nodes[node].extras)
    _stand(plan, group, made, notes)


def _binds(plan, group):
    """For each bone, its joint's bind matrix in the scene; joints that no skin binds follow their parents."""
    found = {}
    for number in group.skins:
        skin = plan.scene.skins[number]
        matrices, sound = inverted(np.asarray(skin.inverse_binds, dtype=np.float64).reshape(-1, 4, 4))
        for joint, matrix, known in zip(skin.joints, matrices, sound):
            if known:
                found.setdefault(int(joint), matrix)
    shift = _shift(plan, found)
    found = {node: shift @ matrix for node, matrix in found.items()}
    for node in group.nodes:
        if node in found:
            continue
        parent = plan.parents[node]
        # A joint whose bind matrix has no inverse uses its rest transform.
        found[node] = found[parent] @ plan.locals[node] if parent in found else plan.globals[node]
    return found


def _shift(plan, binds):
    """The transform that brings the bind pose near the rest pose: many files bind in other units or axes. The mesh gets the
    same transform, so that only the rest position in Blender changes."""
    if not binds:
        return np.eye(4)
    moved = np.stack([plan.globals[node] @ inverted(bind)[0] for node, bind in binds.items()])
    if np.abs(moved - moved[0]).max() < 1e-4 * np.abs(moved[0]).max() and np.linalg.det(moved[0][:3, :3]) > 0.0:
        return moved[0]
    scales = np.cbrt(np.abs(np.linalg.det(moved[:, :3, :3])))
    scale = float(np.median(scales))
    return np.diag([scale, scale, scale, 1.0]) if scale > 0.0 and abs(np.log(scale)) > 0.01 else np.eye(4)


def _edit(context, plan, group, item, placed, along_joints):
    """Creates the bones; returns their names by node."""
    heads = {node: matrix[:3, 3] for node, matrix in placed.items()}
    children = {}
    for node in group.nodes:
        children.setdefault(plan.parents[node], []).append(node)
    spread = np.array(list(heads.values()))
    size = float(np.linalg.norm(spread.max(axis=0) - spread.min(axis=0))) or 1.0
    least = max(size * 1e-3, 1e-6)
    context.view_layer.objects.active = item
    bpy.ops.object.mode_set(mode="EDIT")
    names, vectors = {}, {}
    try:
        bones = item.data.edit_bones
        for node in group.nodes:
            bone = bones.new(plan.scene.nodes[node].name or f"node{node}")
            names[node] = bone.name
            vector = _direction(plan, node, placed, heads, children.get(node, []), vectors, least, size)
            if along_joints:
                vector = _along(placed[node], vector)
            vectors[node] = vector
            bone.head = heads[node]
            bone.tail = heads[node] + vector
            bone.align_roll(_roll_axis(placed[node], vector))
            parent = plan.parents[node]
            if parent in names:
                bone.parent = bones[names[parent]]
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")
    for bone in item.pose.bones:
        bone.rotation_mode = "QUATERNION"
    return names


def _direction(plan, node, placed, heads, children, vectors, least, size):
    """The vector from a bone's head to its tail: to the file's tip, to the child, to the middle of the children, or along
    the parent's direction."""
    tip = plan.scene.nodes[node].tip
    if tip is not None:
        vector = placed[node][:3, :3] @ np.asarray(tip, dtype=np.float64)
        if np.linalg.norm(vector) > least * 1e-2:
            return vector
    if children:
        vector = np.mean([heads[child] for child in children], axis=0) - heads[node]
        if np.linalg.norm(vector) > least:
            return vector
        far = max((heads[child] - heads[node] for child in children), key=np.linalg.norm)
        if np.linalg.norm(far) > least:
            return far
    parent = plan.parents[node]
    if parent in vectors:
        along = heads[node] - heads[parent]
        vector = along if np.linalg.norm(along) > least else vectors[parent]
        return vector * 0.7
    axis = placed[node][:3, 1]
    length = np.linalg.norm(axis)
    return (axis / length if length > 0.0 else np.array([0.0, 0.0, 1.0])) * size * 0.2


def _along(matrix, vector):
    """A vector along the joint's Y, as long as another."""
    axis = matrix[:3, 1]
    length = np.linalg.norm(axis)
    return axis / length * np.linalg.norm(vector) if length > 0.0 else vector


def _roll_axis(matrix, vector):
    """The direction of the bone's Z: as near as possible to the joint's Z, or to its X if the bone lies along Z."""
    direction = vector / np.linalg.norm(vector)
    for column in (2, 0):
        axis = matrix[:3, column]
        length = np.linalg.norm(axis)
        if length > 0.0 and abs(np.dot(axis / length, direction)) < 0.99:
            return axis / length
    return np.array([0.0, 0.0, 1.0]) if abs(direction[2]) < 0.9 else np.array([1.0, 0.0, 0.0])


def _stand(plan, group, made, notes):
    """Poses the bones in the file's rest pose, which may differ from the bind pose."""
    standing = {}
    for node in group.nodes:
        bone = made.bones[node]
        basis = bone.left @ plan.locals[node] @ bone.right
        translation, rotation, scale, error = decomposed(basis[None])
        if error[0] > 1e-4:
            notes.add("BL205", f"bone {bone.name!r}", "is sheared at rest, which Blender's bones cannot be", 1, float(error[0]))
        posed = group.item.pose.bones[bone.name]
        bone.rest = (translation[0], rotation[0], scale[0])
        bone.stands = np.abs(basis - np.eye(4)).max() > 1e-6
        if bone.stands:
            standing[bone.name] = bone.rest
            x, y, z, w = rotation[0]
            posed.location, posed.rotation_quaternion, posed.scale = translation[0], (w, x, y, z), scale[0]
    resting.store_bones(group.item, standing)
