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
