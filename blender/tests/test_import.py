"""Every model of the corpus imported, and Blender's vertices compared with where ligament has them; then exported again."""

import os

import bpy
import numpy as np
import scenes
from comparing import NEAR, Match, to_scene

import playing

EXTENSIONS = (".amo", ".apg", ".bgl", ".dae", ".glb", ".gltf", ".obj", ".pfobj", ".tmp")
# Files of the corpus by their extension; one of the .bgl is damaged on purpose.
COUNTS = {".amo": 6, ".apg": 12, ".bgl": 20, ".dae": 2, ".glb": 5, ".gltf": 2, ".obj": 2, ".pfobj": 15, ".tmp": 7}
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
    scenes.empty_file()
    notes, _ = work.import_file(bpy.context, path, {})
    scene = ligament.load(path)
    for skin in scene.skins:
        skin.inverse_binds = np.ascontiguousarray(skin.inverse_binds)
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


def test_every_file_of_the_corpus(context):
    import ligament

    if context.corpus is None:
        context.skipped.append("skipped: no corpus, so no imports of its files")
        return
    work, exporting = context.module("ui.work"), context.module("exporting")
    files = corpus_files(context.corpus)
    counts = {e: sum(f.endswith(e) for f in files) for e in EXTENSIONS}
    assert counts == COUNTS, f"the corpus has {counts}"
    failures = []
    for path in files:
        about = os.path.relpath(path, context.corpus)
        if "bad" in about.split(os.sep):
            try:
                scenes.empty_file()
                work.import_file(bpy.context, path, {})
                failures.append(f"{about} was imported, but is damaged")
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
            scenes.empty_file()
            work.import_file(bpy.context, path, {})
            again = os.path.join(context.scratch, "again.glb")
            more, _ = work.export(bpy.context, again, "gltf", exporting.Settings(), {"verify": False})
            comparison = ligament.compare(path, again)
            off = comparison.worst_at_keys
            if off is not None and off.relative > NEAR:
                failures.append(f"{about}: {off.relative:.2e} of the size off after the way back, in {off.clip} at {off.time} "
                                f"{notes.lines()} {more.lines()}")
            context.count("exported again")
        except (AssertionError, work.Failed) as error:
            failures.append(f"{about}: {error} {getattr(error, 'lines', [])[-3:]}")
    assert not failures, "\n".join(failures)
    assert context.counts["imported"] == len(files) - 1 == context.counts["exported again"]
