"""Every model of the corpus is imported, its vertices in Blender are compared with ligament's, and it is exported again."""

import os

import bpy
import numpy as np
import building
import scenes
from comparing import NEAR, Match, to_scene

import playing

EXTENSIONS = (".amo", ".apg", ".bgl", ".dae", ".glb", ".gltf", ".obj", ".pfobj", ".tmp")
# Files of the corpus by their extension.
COUNTS = {".amo": 6, ".apg": 12, ".bgl": 20, ".dae": 2, ".glb": 4, ".gltf": 3, ".obj": 2, ".pfobj": 15, ".tmp": 7}
# Folders of files that must be refused: damaged on purpose.
REFUSED = {"bad"}
POSES = 6


def corpus_files(corpus):
    found = []
    for folder, _, names in os.walk(corpus):
        found += [os.path.join(folder, name) for name in names if name.endswith(EXTENSIONS)]
    return sorted(found)


def moments(clip):
    """Times of keys, from the first to the last, that are on a frame."""
    times = np.unique(np.concatenate([np.asarray(t.times, dtype=np.float64) for t in clip.tracks]))
    return times[np.unique(np.linspace(0, len(times) - 1, POSES).astype(int))]


def imported(context, path):
    """Blender's vertices and the file's: (list of poses, list of poses), the notes, and the scene as it was read."""
    import ligament

    work = context.module("ui.work")
    building.empty_file()
    notes, _ = work.import_file(bpy.context, path, {})
    scene = ligament.load(path)
    poser, rate = scene.poser(), bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    files, blenders, stand = [], [], playing.Stand()
    if not scene.clips:
        files.append(poser.pose().positions.astype(np.float64))
        blenders.append(to_scene(playing.vertices(bpy.context)))
    for number, clip in enumerate(scene.clips):
        if not clip.tracks:
            continue
        times = moments(clip)
        name = clip.name or f"clip{number}"
        blenders += [to_scene(v) for v in playing.play_action(bpy.context, name, times * rate, stand)]
        files += [poser.pose(number, float(t)).positions.astype(np.float64) for t in times]
    return files, blenders, notes, scene


def check_own_format(context, path, about):
    """Exports again in the original format; a deviation that the library reports is allowed."""
    import ligament

    f = next(f for f in ligament.formats() if f.id == ligament.detect(path))
    if not f.writes:
        return
    again = os.path.join(context.scratch, f"again.{f.extensions[0]}")
    _, report = context.module("ui.work").export(bpy.context, again, f.id, context.module("exporting").Settings(), {})
    worst = ligament.compare(path, again).worst_at_keys
    said = report.comparison.worst.relative if report.comparison.worst is not None else 0.0
    off = 0.0 if worst is None else worst.relative
    assert off <= NEAR + said, f"{about}: {off:.2e} of the size off in its own format, {said:.2e} announced"
    context.count("in their own format")


def test_exported_scenes_come_back(context):
    """The scenes of the export tests, imported again."""
    work, exporting = context.module("ui.work"), context.module("exporting")
    failures = []
    for name, make in scenes.SCENES.items():
        building.empty_file()
        make()
        path = os.path.join(context.scratch, f"back-{name}.glb")
        work.export(bpy.context, path, "gltf", exporting.Settings(), {})
        theirs, ours, notes, _ = imported(context, path)
        worst = Match(theirs, ours).worst()
        if worst > NEAR:
            failures.append(f"{name}: {worst:.2e} of the size off {notes.lines()}")
        context.count("scenes back")
    assert not failures, "\n".join(failures)


def test_a_node_that_carries_several_things(context):
    """A mesh, a camera and a light on one node, as glTF allows it."""
    import ligament

    building.empty_file()
    building.link("Box", building.box("Box"))
    path = os.path.join(context.scratch, "several.glb")
    bpy.ops.export_scene.ligament(filepath=path, format="gltf")
    scene = ligament.load(path)
    scene.cameras.append(ligament.Camera(ligament.Perspective(0.7)))
    scene.lights.append(ligament.Light("spot"))
    node = next(node for node in scene.nodes if node.mesh is not None)
    node.camera = node.light = 0
    node.rotation = (0.0, 0.7071068, 0.0, 0.7071068)
    ligament.save(scene, path)
    building.empty_file()
    bpy.ops.import_scene.ligament(filepath=path)
    bpy.context.view_layer.update()
    assert sorted(item.type for item in bpy.data.objects) == ["CAMERA", "LIGHT", "MESH"]
    for item in bpy.data.objects:
        if item.type != "MESH":
            # Turned by a quarter about the file's Y, it looks along the file's -X, which is Blender's.
            assert np.allclose(np.array(item.matrix_world)[:3, 2], (1, 0, 0), atol=1e-5), item.matrix_world


def test_a_renamed_action_is_exported_under_its_new_name(context):
    import ligament

    path = os.path.join(context.scratch, "renamed.glb")
    building.empty_file()
    scenes.bend()
    bpy.ops.export_scene.ligament(filepath=path, format="gltf")
    building.empty_file()
    bpy.ops.import_scene.ligament(filepath=path)
    bpy.data.actions["swing"].name = "dance"
    bpy.ops.export_scene.ligament(filepath=path, format="gltf")
    assert sorted(clip.name for clip in ligament.load(path).clips) == ["dance", "twist"]


def test_a_clip_of_one_frame_comes_back(context):
    """A pose as a clip, stepped and linear: a strip in Blender cannot be empty."""
    import ligament

    for name in ("pose.pfobj", "pose.glb"):
        building.empty_file()
        rig, _ = building.skinned()
        for action, frames in (("stand", (1, 1, 1)), ("swing", (1, 5, 9))):
            building.new_action(rig, action)
            building.swing(rig, frames)
        path, again = os.path.join(context.scratch, name), os.path.join(context.scratch, "again-" + name)
        bpy.ops.export_scene.ligament(filepath=path)
        building.empty_file()
        bpy.ops.import_scene.ligament(filepath=path)
        rig = next(item for item in bpy.data.objects if item.type == "ARMATURE")
        assert {strip.name for track in rig.animation_data.nla_tracks for strip in track.strips} == {"stand", "swing"}
        bpy.ops.export_scene.ligament(filepath=again)
        before, after = (ligament.load(p) for p in (path, again))
        assert {c.name: round(c.duration * 24) for c in before.clips} == {c.name: round(c.duration * 24) for c in after.clips}
        worst = ligament.compare(before, after).worst_at_keys
        assert worst is None or worst.relative < NEAR, worst


def test_options_of_the_import(context):
    import ligament

    building.empty_file()
    rig, item = building.skinned()
    item.data.materials.append(building.principled("painted", (1.0, 1.0, 1.0, 1.0), building.checker()))
    building.new_action(rig, "swing")
    building.swing(rig, (1, 11, 21))
    bpy.context.scene.render.fps = 30
    path = os.path.join(context.scratch, "asked.gltf")
    bpy.ops.export_scene.ligament(filepath=path, textures="copy")
    scene = ligament.load(path)
    building.empty_file()
    bpy.ops.import_scene.ligament(filepath=path, pack=True, own_collection=True, set_frames=False, bones="JOINTS")
    assert bpy.context.scene.render.fps == 24 and bpy.context.scene.frame_end == 250
    assert "the open scene keeps its 24 [BL209]" in bpy.data.texts["ligament report"].as_string()
    assert {item.name for item in bpy.data.collections["asked"].objects} == {item.name for item in bpy.data.objects}
    image = next(image for image in bpy.data.images if image.source == "FILE")
    assert image.packed_file is not None
    rig = bpy.data.objects["Rig"]
    pose = scene.pose()
    for number, node in enumerate(scene.nodes):
        if node.name in rig.data.bones:
            # A joint's Y in Blender's axes.
            x, y, z = pose.node_matrices[number][:3, 1]
            bone = rig.data.bones[node.name]
            assert (bone.tail_local - bone.head_local).normalized().dot((x, -z, y)) > 0.9999, node.name
    building.empty_file()
    bpy.ops.import_scene.ligament(filepath=path)
    assert bpy.context.scene.render.fps == 30 and bpy.context.scene.frame_end == 20
    assert next(image for image in bpy.data.images if image.source == "FILE").packed_file is None


def test_an_empty_take_does_not_play(context):
    """As in files from Mixamo: the first take moves nothing. Keys at 30 frames per second set the scene's rate."""
    import ligament

    building.empty_file()
    rig, _ = building.skinned()
    building.new_action(rig, "dance")
    building.swing(rig, (0, 12, 24))
    bpy.context.scene.render.fps = 30
    path = os.path.join(context.scratch, "takes.glb")
    bpy.ops.export_scene.ligament(filepath=path)
    scene = ligament.load(path)
    node = scene.clips[0].tracks[0].node
    still = np.tile(np.float32(scene.nodes[node].translation), (2, 1))
    take = ligament.Track(node, "translation", np.float32([0.0, 1.0]), still)
    scene.clips.insert(0, ligament.Clip("Take 001", 1.0, [take]))
    scene.clips[1].frames = None
    ligament.save(scene, path)
    building.empty_file()
    bpy.ops.import_scene.ligament(filepath=path)
    rig = next(item for item in bpy.data.objects if item.type == "ARMATURE")
    assert rig.animation_data.action.name == "dance" and len(bpy.data.actions) == 2
    assert bpy.context.scene.render.fps == 30 and bpy.context.scene.frame_end == 30


def test_actions_can_be_switched(context):
    """As a user does it: another action is assigned, and nothing else. What it does not move is then at rest."""
    import ligament

    building.empty_file()
    rig, item = building.skinned()
    building.new_action(rig, "death")
    building.swing(rig, (1, 5, 9))
    building.new_action(rig, "idle")
    for frame in (1, 5, 9):
        building.key_bone(rig, "Rig.bone2", frame, (0.1 * frame, 0, 0))
    path = os.path.join(context.scratch, "switched.glb")
    bpy.ops.export_scene.ligament(filepath=path)
    poser = ligament.load(path).poser()
    building.empty_file()
    bpy.ops.import_scene.ligament(filepath=path)
    rig = bpy.data.objects["Rig"]
    for name in ("death", "idle", "death", "idle"):
        strip = next(s for track in rig.animation_data.nla_tracks for s in track.strips if s.name == name)
        rig.animation_data.action = strip.action
        if hasattr(strip, "action_slot"):
            rig.animation_data.action_slot = strip.action_slot
        for frame in (8, 4):
            bpy.context.scene.frame_set(frame)
            theirs = [poser.pose(name, frame / 24).positions.astype(np.float64)]
            worst = Match(theirs, [to_scene(playing.vertices(bpy.context))]).worst()
            assert worst < NEAR, (name, frame, worst)


def test_a_skeleton_alone_comes_back(context):
    building.empty_file()
    rig = building.chain("Rig", 3)
    building.new_action(rig, "swing")
    building.swing(rig, (1, 5, 9))
    path = os.path.join(context.scratch, "skeleton.glb")
    bpy.ops.export_scene.ligament(filepath=path, format="gltf")
    building.empty_file()
    bpy.ops.import_scene.ligament(filepath=path)
    rig = bpy.data.objects["Rig"]
    assert rig.type == "ARMATURE" and len(rig.data.bones) == 3
    assert rig.animation_data.action.name == "swing"


def test_every_file_of_the_corpus(context):
    import ligament

    work, exporting = context.module("ui.work"), context.module("exporting")
    files = corpus_files(context.corpus)
    counts = {e: sum(f.endswith(e) for f in files) for e in EXTENSIONS}
    assert counts == COUNTS, f"the corpus has {counts}"
    if extra := os.environ.get("LIGAMENT_EXTRA_MODEL"):
        files.append(extra)
    failures = []
    for path in files:
        about = os.path.relpath(path, context.corpus)
        if REFUSED.intersection(about.split(os.sep)):
            try:
                building.empty_file()
                work.import_file(bpy.context, path, {})
                failures.append(f"{about} was imported, but should be refused")
            except work.Failed as error:
                assert "error[" in str(error), str(error)
                context.count("refused")
            continue
        try:
            theirs, ours, notes, scene = imported(context, path)
            worst = Match(theirs, ours).worst()
            if worst > NEAR:
                failures.append(f"{about}: {worst:.2e} of the size off after the import {notes.lines()}")
            context.count("imported")
            context.count("imported poses", len(theirs))
            # And back: the model that is exported is the one that was imported.
            building.empty_file()
            work.import_file(bpy.context, path, {})
            again = os.path.join(context.scratch, "again.glb")
            more, _ = work.export(bpy.context, again, "gltf", exporting.Settings(), {"verify": False})
            comparison = ligament.compare(path, again)
            off = comparison.worst_at_keys
            if off is not None and off.relative > NEAR:
                failures.append(f"{about}: {off.relative:.2e} of the size off after the way back, in {off.clip} at {off.time} "
                                f"{notes.lines()} {more.lines()}")
            context.count("exported again")
            check_own_format(context, path, about)
        except (AssertionError, work.Failed) as error:
            failures.append(f"{about}: {error} {getattr(error, 'lines', [])[-3:]}")
    assert not failures, "\n".join(failures)
    assert context.counts["refused"] == len(REFUSED)
    assert context.counts["imported"] == len(files) - len(REFUSED) == context.counts["exported again"]
