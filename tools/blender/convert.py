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
