"""Converts a model with Blender, so that a file of its exporter can be read back by us.

    blender -b --factory-startup --python tools/blender/convert.py -- IN OUT

OUT is a .dae, .fbx, .obj or .glb; IN is anything that posed.py reads. Blender exits with 0 even when a script fails: whoever
runs this must check that OUT is there.
"""

import math
import os
import sys

import bpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import posed  # noqa: E402  (it lies beside this file)


def free_skins():
    """Takes skinned meshes out of their parents, where they stay.

    The COLLADA exporter writes an object's transform to its *parent* as the bind shape matrix, and the inverse bind matrices
    of the *world's* bones. The two fit only where the object has no parent.
    """
    for item in bpy.context.scene.objects:
        if item.type == "MESH" and any(m.type == "ARMATURE" for m in item.modifiers):
            world = item.matrix_world.copy()
            item.parent = None
            item.matrix_world = world
    bpy.context.view_layer.update()


def main(source, target):
    posed.load(source)
    sets = posed.clips()
    if sets:
        # Exporters write what is played now, over the scene's frames.
        posed.play(sets[0][1])
        frames = posed.moments(set(sets[0][1].values()))
        scene = bpy.context.scene
        scene.frame_start, scene.frame_end = math.floor(frames[0]), math.ceil(frames[-1])
    extension = os.path.splitext(target)[1].lower()
    if extension == ".dae":
        free_skins()
        bpy.ops.wm.collada_export(filepath=target)
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
