"""Times exports of a heavy scene to GLB, alternating with Blender's own exporter, in one process.

    python speed.py ZIPS OUT_FOLDER ROUNDS          with PyPI's bpy

Prints a line `round OURS PROVEN THEIRS` per round, in seconds: without the proof, with it, and Blender's glTF exporter.
"""

import os
import sys
import time

import bpy  # Before the harness, which would limit it to one core.
import harness
import heavy


def timed(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main(zips, folder, rounds):
    import addon_utils

    harness.install(zips)
    addon_utils.enable("io_scene_gltf2")
    ours, theirs = os.path.join(folder, "heavy-ours.glb"), os.path.join(folder, "heavy-blender.glb")
    heavy.build()
    for _ in range(int(rounds)):
        plain = timed(lambda: bpy.ops.export_scene.ligament(filepath=ours, format="gltf", verify=False, proof="NONE"))
        proven = timed(lambda: bpy.ops.export_scene.ligament(filepath=ours, format="gltf"))
        other = timed(lambda: bpy.ops.export_scene.gltf(filepath=theirs, export_format="GLB"))
        # Both must have written the whole model: at least a megabyte of vertices.
        assert min(os.path.getsize(ours), os.path.getsize(theirs)) > 1_000_000
        print(f"round {plain} {proven} {other}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
