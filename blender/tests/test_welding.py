"""Imported meshes hold together: vertices that a format had to split are joined, and nothing else is."""

import os

import addon_utils
import bpy
import building
import numpy as np
from comparing import NEAR, Match, to_scene

import playing


def counts():
    """The vertices, edges and faces of every mesh object, and its edges with a single face, by its number of faces."""
    found = []
    for item in bpy.data.objects:
        if item.type == "MESH":
            data = item.data
            uses = np.zeros(len(data.edges), dtype=int)
            for loop in data.loops:
                uses[loop.edge_index] += 1
            found.append((len(data.polygons), len(data.vertices), len(data.edges), int((uses == 1).sum())))
    return sorted(found)


def model():
    """A skinned tube with sharp rims and a box, both with UVs that differ at corners."""
    rig, item = building.skinned()
    box = building.link("Box", building.box("Box"))
    for data in (item.data, box.data):
        layer = data.uv_layers[0].data
        for polygon in data.polygons:
            for number, loop in enumerate(polygon.loop_indices):
                layer[loop].uv = (number % 2, number // 2)
    building.new_action(rig, "swing")
    building.swing(rig)
    return rig


def test_files_of_blenders_fbx_exporter_come_back_whole(context):
    addon_utils.enable("io_scene_fbx")
    building.empty_file()
    model()
    wanted = counts()
    assert [edges for *_, edges in wanted] == [0, 0], "closed"
    path = os.path.join(context.scratch, "whole.fbx")
    bpy.ops.export_scene.fbx(filepath=path, bake_anim=True)
    building.empty_file()
    bpy.ops.import_scene.ligament(filepath=path)
    assert counts() == wanted, (counts(), wanted)
    building.empty_file()
    bpy.ops.import_scene.ligament(filepath=path, merge="OFF")
    assert sum(c[1] for c in counts()) > 1.5 * sum(c[1] for c in wanted), counts()


def test_normals_coordinates_colours_and_poses_survive_joining(context):
    """A glTF file imported with and without joining: the corners of all faces are the same, and so is every pose."""
    import ligament

    building.empty_file()
    rig = model()
    item = bpy.data.objects["Tube"]
    colors = item.data.color_attributes.new("Col", "FLOAT_COLOR", "CORNER")
    colors.data.foreach_set("color", np.random.default_rng(3).random(len(colors.data) * 4).astype(np.float32))
    item.data.materials.append(building.vertex_colored("Painted"))
    item.shape_key_add(name="Basis")
    item.shape_key_add(name="Wide").data[3].co.x += 0.3
    wanted = counts()
    path = os.path.join(context.scratch, "joined.glb")
    bpy.ops.export_scene.ligament(filepath=path)
    poser = ligament.load(path).poser()
    found = {}
    for merge in ("ON", "OFF"):
        building.empty_file()
        bpy.ops.import_scene.ligament(filepath=path, merge=merge)
        found[merge] = counts(), corners(context, "Tube")
        bpy.context.scene.frame_set(12)
        theirs = [poser.pose("swing", 0.5).positions.astype(np.float64)]
        assert Match(theirs, [to_scene(playing.vertices(bpy.context))]).worst() < NEAR
    # glTF has triangles, so only vertices and open edges can be compared.
    assert [(c[1], c[3]) for c in found["ON"][0]] == [(c[1], c[3]) for c in wanted], (found["ON"][0], wanted)
    assert found["OFF"][0] != found["ON"][0], found["OFF"][0]
    for name, ours in found["ON"][1].items():
        # Blender stores custom normals as two angles of 16 bits, relative to the normal that it would compute.
        off = np.abs(ours - found["OFF"][1][name]).max()
        assert off < (5e-4 if name == "normals" else 1e-6), (name, off)


def corners(context, name):
    """Position, normal, UV, colour and movement of every corner of every face."""
    data = bpy.data.objects[name].data
    vertices = np.array([loop.vertex_index for loop in data.loops])
    key = data.shape_keys.key_blocks["Wide"].data
    attribute = data.color_attributes[0]
    colors = np.array([tuple(entry.color) for entry in attribute.data])
    return {
        "positions": np.array([tuple(v.co) for v in data.vertices])[vertices],
        "normals": context.module("compat").corner_normals(data),
        "uvs": np.array([tuple(entry.uv) for entry in data.uv_layers[0].data]),
        "colors": colors if attribute.domain == "CORNER" else colors[vertices],
        "morphs": np.array([tuple(entry.co) for entry in key])[vertices],
    }


def test_surfaces_that_only_touch_stay_apart(context):
    """Two boxes with a common edge, both sides of one rectangle, and vertices at one place with different weights."""
    import ligament

    def save(name, positions, faces, normals=None, influences=None):
        part = ligament.Part(np.float32(positions), ligament.Faces(np.array(faces, np.uint32).ravel()),
                             normals=None if normals is None else np.float32(normals), influences=influences)
        nodes = [ligament.Node("mesh", mesh=0, skin=None if influences is None else 0)]
        skins = []
        if influences is not None:
            nodes += [ligament.Node("a"), ligament.Node("b", parent=1, translation=(0.0, 1.0, 0.0))]
            binds = np.tile(np.eye(4, dtype=np.float32), (2, 1, 1))
            binds[1, 1, 3] = -1.0
            skins = [ligament.Skin(np.array([1, 2], np.uint32), binds)]
        path = os.path.join(context.scratch, name)
        ligament.save(ligament.Scene(nodes=nodes, meshes=[ligament.Mesh("mesh", [part])], skins=skins), path)
        building.empty_file()
        bpy.ops.import_scene.ligament(filepath=path, merge="ON")
        return next(item.data for item in bpy.data.objects if item.type == "MESH")

    square = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    flat = [(0, 1, 2), (0, 2, 3)]
    back = [(a + 4, c + 4, b + 4) for a, b, c in flat]
    data = save("sides.glb", square * 2, flat + back, [(0, 0, 1)] * 4 + [(0, 0, -1)] * 4)
    assert (len(data.vertices), len(data.polygons)) == (8, 4), "both sides are still there"
    # Three rectangles at one edge: an edge of three faces would be the result.
    third = [(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)]
    fourth = [(0, 0, 0), (1, 0, 0), (1, -1, 0), (0, -1, 0)]
    faces = [tuple(i + 4 * n for i in face) for n in range(3) for face in flat]
    data = save("fan.glb", square + third + fourth, faces)
    uses = np.bincount([loop.edge_index for loop in data.loops])
    assert len(data.polygons) == 6 and uses.max() == 2
    # One rectangle of two triangles without common vertices: joined, unless the weights differ.
    apart = [square[i] for face in flat for i in face]
    joints = np.array([[0], [1], [0], [0], [0], [0]])
    weights = np.ones((6, 1), np.float32)
    for numbers, wanted in ((joints * 0, 4), (joints, 4), (np.array([[0], [0], [1], [0], [0], [0]]), 5)):
        data = save("weights.glb", apart, [(0, 1, 2), (3, 4, 5)], influences=ligament.Influences.from_dense(numbers, weights))
        assert len(data.vertices) == wanted, (numbers, len(data.vertices))
