"""Makes a small rigged model with Blender and exports it, as a test file of the FBX reader.

    blender -b --factory-startup --python tools/blender/small_fbx.py -- OUT.fbx

A column of two boxes bent by two bones, with a shape key, two actions, a camera and a light. Blender exits with 0 even if a
script fails: check that OUT.fbx exists.
"""

import math
import sys

import bpy


def column():
    """A mesh of three rings."""
    points = [(x, y, z) for z in (0, 1, 2) for x, y in ((-0.3, -0.3), (0.3, -0.3), (0.3, 0.3), (-0.3, 0.3))]
    faces = [(a, (a + 1) % 4 + r, (a + 1) % 4 + r + 4, a + 4) for r in (0, 4) for a in range(r, r + 4)]
    faces = [tuple(i if i < 12 else i - 4 for i in f) for f in faces]
    mesh = bpy.data.meshes.new("Column")
    mesh.from_pydata(points, [], faces + [(3, 2, 1, 0), (8, 9, 10, 11)])
    mesh.uv_layers.new(name="UVMap")
    item = bpy.data.objects.new("Column", mesh)
    bpy.context.collection.objects.link(item)
    material = bpy.data.materials.new("Stone")
    material.diffuse_color = (0.5, 0.6, 0.7, 1.0)
    mesh.materials.append(material)
    item.shape_key_add(name="Basis")
    wide = item.shape_key_add(name="Wide")
    for index in range(8, 12):
        wide.data[index].co.x *= 2.0
    return item


def rig(item):
    """Two bones, and a modifier that follows them."""
    armature = bpy.data.armatures.new("Rig")
    bones = bpy.data.objects.new("Rig", armature)
    bpy.context.collection.objects.link(bones)
    bpy.context.view_layer.objects.active = bones
    bpy.ops.object.mode_set(mode="EDIT")
    lower = armature.edit_bones.new("Lower")
    lower.head, lower.tail = (0, 0, 0), (0, 0, 1)
    upper = armature.edit_bones.new("Upper")
    upper.head, upper.tail, upper.parent = (0, 0, 1), (0, 0, 2), lower
    bpy.ops.object.mode_set(mode="OBJECT")
    for name, weights in (("Lower", (1, 0.5, 0)), ("Upper", (0, 0.5, 1))):
        group = item.vertex_groups.new(name=name)
        for ring, weight in enumerate(weights):
            if weight:
                group.add(range(ring * 4, ring * 4 + 4), weight, "REPLACE")
    item.parent = bones
    item.modifiers.new("Rig", "ARMATURE").object = bones
    return bones


def action(bones, name, angle):
    bones.animation_data_create().action = bpy.data.actions.new(name)
    bone = bones.pose.bones["Upper"]
    bone.rotation_mode = "XYZ"
    for frame, turn in ((0, 0.0), (5, angle), (10, 0.0)):
        bone.rotation_euler = (turn, turn / 2, 0)
        bone.keyframe_insert("rotation_euler", frame=frame)


def main(target):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 0, 10
    bones = rig(column())
    action(bones, "Nod", math.radians(40))
    action(bones, "Bow", math.radians(80))
    camera = bpy.data.objects.new("Eye", bpy.data.cameras.new("Eye"))
    camera.location = (0, -8, 2)
    lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "POINT"))
    for item in (camera, lamp):
        bpy.context.collection.objects.link(item)
    bpy.ops.export_scene.fbx(filepath=target, add_leaf_bones=False, bake_anim_simplify_factor=0.0)
    print("wrote", target)


if __name__ == "__main__":
    main(sys.argv[sys.argv.index("--") + 1])
