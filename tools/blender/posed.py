"""Imports a model into Blender and writes the positions of its vertices, frame by frame: an independent oracle.

    blender -b --factory-startup --python tools/blender/posed.py -- IN OUT.json [FRAMES]

IN is a .dae, .zae, .fbx, .obj, .gltf or .glb. OUT.json then has:

    source, blender   the file, and the version of Blender
    fps               a frame's time in seconds is frame / fps, whatever frame the format's importer starts at
    axes              Blender's world: right-handed, +Z up, +Y back, metres; (x, y, z) of glTF is (x, -z, y) here
    clips             one per set of actions that play together, or one without a name for a static model:
      name            the NLA track (glTF), the take (FBX), or the only action's
      frames          up to nine frames at which something has a key, from the first to the last; or FRAMES, a
                      comma-separated list of numbers
      objects         mesh objects: name, and positions: for each frame the world-space vertices, x y z x y z ...

Blender exits with 0 even if a script fails, so the caller must check that OUT.json exists and parses.
"""

import json
import os
import sys
import tempfile
import zipfile

import bpy

MOMENTS = 9


def load(path):
    """Imports a file into an empty scene."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    extension = os.path.splitext(path)[1].lower()
    if extension == ".zae":
        folder = tempfile.mkdtemp()
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
        found = [os.path.join(where, n) for where, _, names in os.walk(folder) for n in names]
        path, extension = next(f for f in found if f.lower().endswith(".dae")), ".dae"
    if extension == ".dae":
        bpy.ops.wm.collada_import(filepath=path, import_units=False, keep_bind_info=True)
    elif extension == ".fbx":
        # Without these, bones are reoriented and frames start at 1.
        bpy.ops.import_scene.fbx(filepath=path, anim_offset=0.0, automatic_bone_orientation=False)
    elif extension == ".obj":
        bpy.ops.import_scene.obj(filepath=path)
    elif extension in (".gltf", ".glb"):
        # The add-on of Debian's Blender 3.4 is older than the numpy beside it.
        import numpy

        if not hasattr(numpy, "bool"):
            numpy.bool = bool
        # Merging would change the number of vertices.
        bpy.ops.import_scene.gltf(filepath=path, merge_vertices=False)
    else:
        raise SystemExit("no importer for " + path)


def animated():
    """Everything that may have animation data: objects and the shape keys of meshes."""
    for item in bpy.data.objects:
        yield item
        keys = getattr(item.data, "shape_keys", None)
        if keys is not None:
            yield keys


def clips():
    """Sets of actions that play together: (name, {animated thing: action})."""
    tracks, current = {}, {}
    for item in animated():
        data = item.animation_data
        if data is None:
            continue
        for track in data.nla_tracks:
            for strip in track.strips:
                tracks.setdefault(track.name, {})[item] = strip.action
        if data.action is not None:
            current[item] = data.action
    if tracks:
        return list(tracks.items())
    takes = {}
    for action in bpy.data.actions:
        # FBX: "object|take|layer".
        owner, _, take = action.name.partition("|")
        for item in animated():
            if take and item.name == owner:
                takes.setdefault(take, {})[item] = action
    if len(takes) > 1:
        return list(takes.items())
    if current:
        return [(next(iter(current.values())).name, current)]
    return []


def curves(action):
    """The curves of an action; since Blender 5.0 they are in layers."""
    if hasattr(action, "fcurves"):
        return action.fcurves
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
    return [curve for bag in bags for curve in bag.fcurves]


def moments(actions):
    """Frames at which something has a key, at most MOMENTS of them, including the first and the last."""
    keys = sorted({point.co[0] for a in actions for curve in curves(a) for point in curve.keyframe_points})
    if len(keys) <= MOMENTS:
        return keys
    return [keys[i * (len(keys) - 1) // (MOMENTS - 1)] for i in range(MOMENTS)]


def positions(item, graph):
    """World-space vertices of an object with all its modifiers."""
    evaluated = item.evaluated_get(graph)
    mesh = evaluated.to_mesh()
    world = evaluated.matrix_world
    flat = [value for vertex in mesh.vertices for value in world @ vertex.co]
    evaluated.to_mesh_clear()
    return flat


def play(actions):
    """Activates these actions, and no others."""
    for item in animated():
        data = item.animation_data
        if data is None:
            continue
        for track in data.nla_tracks:
            track.mute = True
        data.action = actions.get(item)
        # Since Blender 4.4, an action has parts for several things.
        if data.action is not None and getattr(data, "action_slot", 0) is None:
            data.action_slot = data.action.slots[0]


def main(source, target, chosen=None):
    load(source)
    scene = bpy.context.scene
    fps = scene.render.fps / scene.render.fps_base
    meshes = [item for item in scene.objects if item.type == "MESH"]
    result = {
        "source": os.path.basename(source),
        "blender": bpy.app.version_string,
        "fps": fps,
        "axes": "right-handed, +Z up, metres: (x, y, z) of glTF is (x, -z, y)",
        "clips": [],
    }
    for name, actions in clips() or [(None, {})]:
        play(actions)
        frames = moments(set(actions.values())) or [scene.frame_current]
        if chosen:
            frames = [float(frame) for frame in chosen.split(",")]
        objects = [{"name": item.name, "positions": []} for item in meshes]
        for frame in frames:
            scene.frame_set(int(frame // 1), subframe=frame % 1)
            graph = bpy.context.evaluated_depsgraph_get()
            for item, entry in zip(meshes, objects):
                entry["positions"].append(positions(item, graph))
        result["clips"].append({"name": name, "frames": frames, "objects": objects})
    with open(target, "w", encoding="utf-8") as file:
        json.dump(result, file)
    print("wrote", target)


if __name__ == "__main__":
    main(*sys.argv[sys.argv.index("--") + 1 :])
