"""Converts a model with Blender, so that a file of its exporter can be read back by us.

    blender -b --factory-startup --python tools/blender/convert.py -- IN OUT

OUT is a .dae, .fbx, .obj or .glb; IN is any file that posed.py reads. Blender exits with 0 even if a script fails, so the
caller must check that OUT exists.
"""

import math
import os
import sys

import bpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import posed  # noqa: E402  (beside this file)


def help_collada():
    """Works around three faults of the COLLADA exporter, without changing the look of the scene.

    It writes an object's transform relative to its *parent* as the bind shape matrix, but inverse bind matrices of bones in
    *world* space, which match only if the object has no parent. It writes an armature twice, the first time without its
    parent, if a mesh outside it uses it. And it omits the pose of bones without keys.
    """
    scene = bpy.context.scene
    skinned = [i for i in scene.objects if i.type == "MESH" and any(m.type == "ARMATURE" for m in i.modifiers)]
    armatures = [i for i in scene.objects if i.type == "ARMATURE"]
    worlds = [(item, item.matrix_world.copy()) for item in skinned + armatures]
    for item, world in worlds:
        item.parent = None
        item.matrix_world = world
    for bone in (bone for item in armatures for bone in item.pose.bones):
        for path in ("location", "rotation_quaternion", "scale"):
            keyed = item_curves(bone.id_data, bone.path_from_id(path))
            if not keyed:
                bone.keyframe_insert(path, frame=scene.frame_start)
    bpy.context.view_layer.update()


def item_curves(item, path):
    """The curves that move a property of an object."""
    action = item.animation_data and item.animation_data.action
    return [curve for curve in action.fcurves if curve.data_path == path] if action else []


def main(source, target):
    posed.load(source)
    sets = posed.clips()
    if sets:
        # Exporters write the active actions, over the scene's frames.
        posed.play(sets[0][1])
        frames = posed.moments(set(sets[0][1].values()))
        scene = bpy.context.scene
        scene.frame_start, scene.frame_end = math.floor(frames[0]), math.ceil(frames[-1])
    extension = os.path.splitext(target)[1].lower()
    if extension == ".dae":
        help_collada()
        # Constant curves would be omitted, and with them the pose of their bones.
        bpy.ops.wm.collada_export(filepath=target, keep_flat_curves=True)
    elif extension == ".fbx":
        bpy.ops.export_scene.fbx(filepath=target, add_leaf_bones=False, bake_anim_simplify_factor=0.0)
    elif extension == ".obj":
        bpy.ops.wm.obj_export(filepath=target)
    elif extension == ".glb":
        bpy.ops.export_scene.gltf(filepath=target)
    else:
        raise SystemExit("no exporter for " + target)
    print("wrote", target)


if __name__ == "__main__":
    main(*sys.argv[sys.argv.index("--") + 1 :])
