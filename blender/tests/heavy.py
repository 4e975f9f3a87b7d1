"""A scene to measure exports with: 100 000 vertices, 60 bones, 250 frames."""

import math

import bpy
import numpy as np

from building import empty_file, key_bone, link


def build(vertices=100_000, bones=60, frames=250):
    """A long skinned tube of quads whose bones all swing; four weights per vertex."""
    empty_file()
    sides = 100
    rings = vertices // sides
    angle, ring = np.meshgrid(np.arange(sides) * 2 * math.pi / sides, np.arange(rings))
    z = ring * (0.1 * bones / rings)
    radius = 0.5 + 0.05 * np.sin(z * 9)
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle), z], axis=-1).reshape(-1, 3)
    a = (np.arange(rings - 1)[:, None] * sides + np.arange(sides)).reshape(-1)
    b = (np.arange(rings - 1)[:, None] * sides + (np.arange(sides) + 1) % sides).reshape(-1)
    faces = np.stack([a, b, b + sides, a + sides], axis=1)
    data = bpy.data.meshes.new("Heavy")
    data.vertices.add(len(points))
    data.vertices.foreach_set("co", points.astype(np.float32).reshape(-1))
    data.loops.add(faces.size)
    data.loops.foreach_set("vertex_index", faces.astype(np.int32).reshape(-1))
    data.polygons.add(len(faces))
    data.polygons.foreach_set("loop_start", np.arange(0, faces.size, 4, dtype=np.int32))
    if bpy.app.version < (4, 1, 0):
        data.polygons.foreach_set("loop_total", np.full(len(faces), 4, dtype=np.int32))
    data.polygons.foreach_set("use_smooth", np.ones(len(faces), dtype=bool))
    layer = data.uv_layers.new(name="UVMap")
    uv = np.stack([points[:, 0], points[:, 2] * 0.1], axis=1)[faces.reshape(-1)]
    layer.data.foreach_set("uv", uv.astype(np.float32).reshape(-1))
    data.update(calc_edges=True)
    data.materials.append(bpy.data.materials.new("Plain"))
    item = link("Heavy", data)
    rig = _rig(bones)
    _weigh(item, points, bones)
    item.parent = rig
    item.modifiers.new("Armature", "ARMATURE").object = rig
    for frame in range(1, frames + 1, 10):
        for index in range(bones):
            key_bone(rig, f"bone{index}", frame, (0.05 * math.sin(frame * 0.1 + index), 0.03 * math.cos(frame * 0.07), 0.0))
    bpy.context.scene.frame_end = frames


def _rig(bones):
    data = bpy.data.armatures.new("Rig")
    rig = link("Rig", data)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for index in range(bones):
        bone = data.edit_bones.new(f"bone{index}")
        bone.head, bone.tail = (0, 0, 0.1 * index), (0, 0, 0.1 * (index + 1))
        if index:
            bone.parent = data.edit_bones[f"bone{index - 1}"]
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in rig.pose.bones:
        bone.rotation_mode = "QUATERNION"
    return rig


def _weigh(item, points, bones):
    place = points[:, 2] / 0.1 - 0.5
    first = np.clip(np.floor(place).astype(int) - 1, 0, bones - 4)
    groups = [item.vertex_groups.new(name=f"bone{index}") for index in range(bones)]
    for offset in range(4):
        weight = np.round(np.maximum(0.02, 1.0 - np.abs(place - first - offset) * 0.5), 2)
        for index in range(bones):
            mine = np.flatnonzero(first + offset == index)
            for value in np.unique(weight[mine]):
                groups[index].add(mine[weight[mine] == value].tolist(), float(value), "REPLACE")
