"""The exporter's own settings: which objects, what of them, which clips."""

import os

import bpy
import building
import moving
import numpy as np
import playing
import scenes
from comparing import NEAR, Match, to_scene
from test_export import snapshot
from test_proof import gathered


def names(scene):
    return {node.name for node in scene.nodes}


def room():
    """Boxes that are shown, hidden in three ways, and disabled in renders in two; a camera and a lamp."""
    building.empty_file()
    top = bpy.context.scene.collection
    inner, dark = bpy.data.collections.new("Inner"), bpy.data.collections.new("Dark")
    top.children.link(inner)
    inner.children.link(dark)
    for index, name in enumerate(("shown", "hidden", "disabled", "unrendered", "in inner", "in dark")):
        item = building.link(name, building.box(name))
        item.location.x = 3 * index
        if name.startswith("in "):
            {"in inner": inner, "in dark": dark}[name].objects.link(item)
            top.objects.unlink(item)
    bpy.context.view_layer.update()
    bpy.data.objects["hidden"].hide_set(True)
    bpy.data.objects["disabled"].hide_viewport = True
    bpy.data.objects["unrendered"].hide_render = True
    dark.hide_render = True
    building.link("Camera", bpy.data.cameras.new("Camera"))
    building.link("Sun", bpy.data.lights.new("Sun", "SUN"))
    bpy.context.view_layer.update()


def test_which_objects(context):
    boxes = {"shown", "unrendered", "in inner", "in dark"}
    cases = (
        ({}, boxes | {"Camera", "Sun"}),
        ({"cameras": False}, boxes | {"Sun"}),
        ({"lights": False}, boxes | {"Camera"}),
        ({"renderable": True}, {"shown", "in inner", "Camera", "Sun"}),
        ({"visible": False}, boxes | {"hidden", "disabled", "Camera", "Sun"}),
        ({"visible": False, "renderable": True}, {"shown", "hidden", "disabled", "in inner", "Camera", "Sun"}),
        ({"active_collection": True}, {"in inner", "in dark"}),
        ({"collection": "Dark"}, {"in dark"}),
    )
    for settings, wanted in cases:
        room()
        layer = bpy.context.view_layer
        layer.active_layer_collection = layer.layer_collection.children["Inner"]
        before = snapshot()
        scene, notes = gathered(context, **settings)
        assert names(scene) == wanted, (settings, names(scene))
        assert snapshot() == before, settings
        assert notes.proof.worst.relative < NEAR
        assert notes.has("BL103") == (settings.get("visible", True) and not {"active_collection", "collection"} & set(settings))
    # What is hidden is exported as it would be shown.
    room()
    item = bpy.data.objects["disabled"]
    item.modifiers.new("Wave", "WAVE").height = 0.4
    bpy.context.scene.frame_end = 10
    scene, notes = gathered(context, visible=False)
    assert notes.has("BL129") and notes.proof.worst.relative < NEAR and item.hide_viewport


def test_what_of_objects(context):
    building.empty_file()
    scenes.shape_keys_on_a_skin()
    item, rig = bpy.data.objects["Tube"], bpy.data.objects["Rig"]
    item.data.materials.append(building.principled("skin", (1, 0, 0, 1)))
    item["team"] = item.data["part"] = rig.data.bones[0]["length"] = 7
    bpy.context.scene.frame_set(1)
    scene, _ = gathered(context, clips="NONE")
    assert scene.materials and scene.meshes[0].morphs and scene.nodes[1].extras == {"length": 7} and scene.meshes[0].extras
    scene, _ = gathered(context, clips="NONE", materials=False)
    assert not scene.materials and all(part.material is None for part in scene.meshes[0].parts)
    scene, _ = gathered(context, clips="NONE", shape_keys=False)
    assert not scene.meshes[0].morphs
    scene, _ = gathered(context, clips="NONE", custom_properties=False)
    assert not any(thing.extras for thing in (*scene.nodes, *scene.meshes, *scene.materials))


def test_leaf_bones(context):
    building.empty_file()
    rig, _ = building.skinned(bones=3)
    rig.location = (1, 2, 3)
    scene, notes = gathered(context, clips="NONE", leaf_bones=True)
    leaf = next(index for index, node in enumerate(scene.nodes) if node.name == "Rig.bone2_leaf")
    assert sum("leaf" in node.name for node in scene.nodes) == 1 and scene.nodes[scene.nodes[leaf].parent].name == "Rig.bone2"
    tip = rig.matrix_world @ rig.data.bones["Rig.bone2"].tail_local
    place = scene.pose().node_matrices[leaf][:3, 3]
    assert np.abs(place - np.array((tip.x, tip.z, -tip.y))).max() < 1e-5 and notes.proof.worst.relative < NEAR


def two_actions():
    building.empty_file()
    rig, _ = building.skinned(bones=3)
    for name, bones in (("idle", (0,)), ("death", (0, 1, 2)), ("death slow", (1,))):
        building.new_action(rig, name)
        for index in bones:
            building.key_bone(rig, f"Rig.bone{index}", 1)
            building.key_bone(rig, f"Rig.bone{index}", 21, (0.6, 0.1 * index, 0), (0.1, 0, 0))
        building.stash(rig, name)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 6, 13
    bpy.context.scene.frame_set(1)


def test_which_clips(context):
    for only, wanted in (("", ["death", "death slow", "idle"]), ("death", ["death"]), ("death*", ["death", "death slow"]),
                         ("idle, *slow", ["death slow", "idle"]), ("nothing", [])):
        two_actions()
        scene, _ = gathered(context, clips="ACTIONS", only_clips=only)
        assert sorted(clip.name for clip in scene.clips) == wanted, only
    two_actions()
    scene, notes = gathered(context, clips="ACTIONS", only_clips="death", playback_range=True)
    assert scene.clips[0].frames.count == 8 and abs(scene.clips[0].duration - 7 / 24) < 1e-6
    stand = playing.Stand()
    truth = [to_scene(points) for points in playing.play_action(bpy.context, "death", (6, 10, 13), stand)]
    poser = scene.poser()
    files = [poser.pose("death", float(np.float32(frame / 24))).positions.astype(np.float64) for frame in (0, 4, 7)]
    assert Match(files, truth).worst() < NEAR and notes.proof.worst.relative < NEAR


def test_every_nth_frame(context):
    """The proof measures the frames between, too."""
    two_actions()
    scene, notes = gathered(context, clips="ACTIONS", only_clips="death", step=5, proof="ALL")
    clip = scene.clips[0]
    assert clip.frames.count == 5 and abs(clip.frames.rate - 24 / 5) < 1e-6 and abs(clip.duration - 20 / 24) < 1e-6
    assert max(len(track.times) for track in clip.tracks) == 5
    assert notes.proof.total == 21 and 1e-5 < notes.proof.worst.relative < 0.05, notes.lines()
    assert (notes.proof.worst.frame - 1) % 5, "keys are exact"


def test_no_pose_is_left_over(context):
    """What any clip moves has a key at rest in the others, which change nothing."""
    two_actions()
    scene, notes = gathered(context, clips="ACTIONS")
    moved = [{(track.node, track.property) for track in clip.tracks} for clip in scene.clips]
    assert moved[0] == moved[1] == moved[2] and len(moved[0]) == 6, moved
    idle = next(clip for clip in scene.clips if clip.name == "idle")
    still = [track for track in idle.tracks if len(track.times) == 1]
    assert len(still) == 4
    for track in still:
        assert np.abs(track.values[0] - np.array(getattr(scene.nodes[track.node], track.property))).max() < 1e-6
    scene.check()
    plain, _ = gathered(context, clips="ACTIONS", keep_channels=False)
    assert [len(clip.tracks) for clip in plain.clips] != [6, 6, 6]
    for time in (0.0, 0.4):
        assert np.array_equal(scene.pose("idle", time).positions, plain.pose("idle", time).positions)


def test_tooltips_and_unset_numbers(context):
    """No tooltip names an option of the command line, and a number that is not given is a switch that is off."""
    import ligament

    options = context.module("ui.options")
    for operator, kind in ((bpy.ops.export_scene.ligament, "write_options"), (bpy.ops.import_scene.ligament, "read_options")):
        properties = operator.get_rna_type().properties
        for item in properties:
            assert "--" not in item.description and "not set" not in item.description, item.identifier
        optional = {o.name for f in ligament.formats() for o in getattr(f, kind) if o.kind in {"number", "integer"} and o.default is None}
        assert optional
        for name in optional - options.ELSEWHERE:
            assert properties[f"use_{name}"].type == "BOOLEAN", name
    assert options._plain("Only with `--max-error`, or --fps.") == "Only with 'Max error', or 'Fps'"


def test_reports_do_not_stay_in_the_file(context):
    building.empty_file()
    scenes.bend()
    bpy.ops.export_scene.ligament(filepath=os.path.join(context.scratch, "text.glb"), format="gltf")
    assert "ligament report" in bpy.data.texts
    path = os.path.join(context.scratch, "text.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert "Rig" in bpy.data.objects and "ligament report" not in bpy.data.texts


def test_settings_on_the_command_line(context):
    """Every setting has an option there."""
    batch, settings = context.module("batch"), context.module("exporting.settings")
    room()
    out = os.path.join(context.scratch, "asked.glb")
    assert batch.export([out, "--no-cameras", "--no-lights", "--no-visible", "--renderable", "--clips", "none", "--step", "2",
                         "--only-clips", "walk*", "--leaf-bones", "--modifiers", "APPLY", "--collection", "Inner"]) == 0
    import ligament
    assert names(ligament.load(out)) == {"in inner"}
    assert set(settings.ROWS) == {row.name for row in settings.ROWS.values()} and len(settings.ROWS) > 20
