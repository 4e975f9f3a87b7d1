"""Scenes exported to every format that is written, posed by ligament, against Blender's own vertices."""

import os
import subprocess

import bpy
import numpy as np
import scenes
from comparing import NEAR, Match, to_scene

import playing


def moments(clip):
    """The first frame of a clip, the last and two between, counted from its first."""
    last = clip.frames.count - 1
    return sorted({0, last // 3, 2 * last // 3, last})


def first_frame(name, strips):
    if not strips:
        return min(action.frame_range[0] for action in bpy.data.actions if action.name == name)
    return min(s.frame_start for o in playing.owners() if o.animation_data for t in o.animation_data.nla_tracks
               for s in t.strips if s.name == name)


class Oracle:
    """Where Blender has the vertices of a scene: at rest, and in frames of each clip."""

    def __init__(self, clips, strips):
        self.rest = to_scene(playing.at_rest(bpy.context))
        stand = playing.Stand()
        play = playing.play_strip if strips else playing.play_action
        self.frames = {}
        for clip in clips:
            frames = [first_frame(clip.name, strips) + moment for moment in moments(clip)]
            self.frames[clip.name] = [to_scene(v) for v in play(bpy.context, clip.name, frames, stand)]


def announced(report):
    """How far the library itself says that the file is from the scene, as a fraction of the size."""
    comparison = report.comparison
    return 0.0 if comparison is None or comparison.worst is None else comparison.worst.relative


def named(loaded, scene, number):
    """What a clip is called in the file: formats change names, but not the order."""
    name = scene.clips[number].name
    if any(clip.name == name for clip in loaded.clips):
        return name
    return loaded.clips[number].name if len(loaded.clips) == len(scene.clips) else None


def check_file(context, path, scene, report, oracle, about):
    """Poses the file, and compares; beyond the tolerance there must be a loss that says so."""
    import ligament

    loaded = ligament.load(path)
    for skin in loaded.skins:
        skin.inverse_binds = np.ascontiguousarray(skin.inverse_binds)
    poser = loaded.poser()
    files, blenders = [poser.pose().positions.astype(np.float64)], [oracle.rest]
    posed = []
    for number, clip in enumerate(scene.clips):
        name = named(loaded, scene, number)
        if name != clip.name:
            told = [str(d) for d in report.diagnostics] + [f"{loss.object} {loss.message}" for loss in report.losses]
            assert any(clip.name in line for line in told), f"{about}: clip {clip.name!r} is gone in silence"
        if name is None:
            continue
        # Formats without a rate of their own are read at another; the frames are the same.
        own = next(c for c in loaded.clips if c.name == name).frames
        rate = own.rate if own is not None and own.count == clip.frames.count else clip.frames.rate
        times = [np.float32(moment / rate) for moment in moments(clip)]
        blenders += oracle.frames[clip.name]
        files += [poser.pose(name, float(t)).positions.astype(np.float64) for t in times]
        posed += [(name, float(t), len(files) - len(times) + i) for i, t in enumerate(times)]
    worst = Match(files, blenders).worst()
    allowed = NEAR + announced(report)
    if worst > NEAR:
        assert report.approximated or report.dropped, f"{about}: {worst:.2e} of the size off, and no loss says so"
    assert worst <= allowed, f"{about}: {worst:.2e} of the size off, {allowed:.2e} announced"
    context.count("files")
    context.count("poses", len(files))
    return files, posed


def check_cli(context, path, files, posed, about):
    """One pose through the command line: the same vertices as the module's."""
    import ligament

    clip, time, index = posed[len(posed) // 2] if posed else (None, 0.0, 0)
    out = os.path.join(context.scratch, "posed.glb")
    command = [context.cli, "pose", path, out, "--quiet"]
    if clip is not None:
        command += ["--clip", clip, "--at", repr(time)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{about}: {' '.join(command)}: {done.stderr}"
    again = ligament.load(out).pose().positions.astype(np.float64)
    assert Match([again], [files[index]]).worst() <= NEAR, f"{about}: the command line poses otherwise"
    context.count("command line")


def snapshot():
    """What an export must leave as it was."""
    state = [bpy.context.scene.frame_current, bpy.context.mode]
    for item in bpy.data.objects:
        state.append((item.name, item.select_get(), item.hide_viewport, tuple(map(tuple, item.matrix_world)),
                      [(m.name, m.show_viewport) for m in item.modifiers]))
        if item.type == "ARMATURE":
            state.append((item.data.pose_position, [tuple(map(tuple, b.matrix_basis)) for b in item.pose.bones]))
        if getattr(item.data, "shape_keys", None):
            state.append((item.show_only_shape_key, item.active_shape_key_index,
                          [b.value for b in item.data.shape_keys.key_blocks]))
    for owner in playing.owners():
        data = owner.animation_data
        state.append(None if data is None else (
            data.action.name if data.action else None, data.use_nla,
            [(t.name, t.mute, [(s.name, s.mute) for s in t.strips]) for t in data.nla_tracks]))
    return state


def make_anew(make):
    """A scene as it is when its file is opened: on its first frame, with what moves where that frame has it."""
    scenes.empty_file()
    make()
    bpy.context.scene.frame_set(1)
    bpy.context.view_layer.update()


def test_every_scene_in_every_format(context):
    import ligament

    work, exporting = context.module("ui.work"), context.module("exporting")
    written = [f for f in ligament.formats() if f.writes]
    failures = []
    for name, make in scenes.SCENES.items():
        strips = name == "nla"
        settings = exporting.Settings(clips="NLA" if strips else "ACTIONS")
        make_anew(make)
        gathered = exporting.gather(bpy.context, settings, context.module("notes").Notes())
        oracle = Oracle(gathered.clips, strips)
        # Playing has moved things: begin again.
        make_anew(make)
        before = snapshot()
        for f in written:
            about = f"{name} as {f.id}"
            path = os.path.join(context.scratch, f"{name}.{f.extensions[0]}")
            try:
                notes, report = work.export(bpy.context, path, f.id, settings, {})
                files, posed = check_file(context, path, gathered, report, oracle, about)
                check_cli(context, path, files, posed, about)
            except (AssertionError, work.Failed) as error:
                failures.append(str(error))
        if snapshot() != before:
            failures.append(f"{name}: exporting changed the open file")
    assert not failures, "\n".join(failures)
    assert context.counts["files"] == len(scenes.SCENES) * len(written)
