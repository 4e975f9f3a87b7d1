"""Clips as actions: one action per clip (before Blender 4.4, one per thing that the clip moves). The first clip that moves
something plays; all clips are also muted strips in the NLA editor, so that they are not lost when the file is saved.

Keys keep their times. Between keys, Blender interpolates the components of quaternions linearly, while a scene follows the
arc. Where the difference would be visible, and for cubic curves, every frame between gets a key.

What one clip moves and another does not gets a key at rest in the other: Blender leaves things without keys where the last
action put them.
"""

import bpy
import numpy as np

from .. import compat
from ..axes import composed, decomposed
from ..exporting.players import CLIP
from .sampling import sample

# How far Blender's motion may be from the file's between keys before keys are added.
CLOSE = 1e-6
# How far values may be from each other and still count as not moving.
STILL = 1e-6
# Blender merges keys that are less than a hundredth of a frame apart.
APART = 0.02
RATES = (24.0, 25.0, 30.0, 60.0, 50.0, 48.0, 120.0, 100.0, 240.0)


def build(context, scene, plan, made, notes, set_frames=True):
    """Creates all actions, and sets the scene's frame rate and range if that is wanted."""
    if not scene.clips:
        return
    rate = _rate(context, scene, notes, set_frames)
    last = 0.0
    first = next((number for number, clip in enumerate(scene.clips) if _moves(scene, clip)), 0)
    resting = _Resting(scene, made)
    for number, clip in enumerate(scene.clips):
        last = max(last, _Writer(clip, number, number == first, rate, plan, made, resting, notes).write())
    if set_frames:
        context.scene.frame_start = 0
        context.scene.frame_end = max(int(np.ceil(last)), 1)
    context.scene.frame_set(0 if set_frames else context.scene.frame_current)


def _rate(context, scene, notes, set_frames):
    """Frames per second. The open scene keeps its rate if something in it is already animated."""
    render = context.scene.render
    current = render.fps / render.fps_base
    stored = (float(clip.frames.rate) for clip in scene.clips if clip.frames is not None and _moves(scene, clip))
    wanted = next(stored, None) or _guess(scene, current)
    busy = any(not action.get(CLIP) for action in bpy.data.actions)
    if abs(wanted - current) < 1e-4:
        return current
    if busy or not set_frames:
        notes.add("BL209", "", f"the clips have {wanted:g} frames per second; the open scene keeps its {current:g}")
        return current
    render.fps = max(1, round(wanted))
    render.fps_base = max(1, round(wanted)) / wanted
    return render.fps / render.fps_base


def _guess(scene, current):
    """A rate at which all keys are on frames, if there is one."""
    times = [np.asarray(track.times, dtype=np.float64) for clip in scene.clips for track in clip.tracks]
    times = np.unique(np.concatenate(times)) if times else np.empty(0)
    for rate in (current, *RATES):
        frames = times * rate
        if len(frames) == 0 or np.abs(frames - np.round(frames)).max() < 1e-3:
            return rate
    return current


def _moves(scene, clip):
    """Whether anything in a clip leaves its rest: many files have an empty take besides the one that is meant."""
    for track in clip.tracks:
        values = np.asarray(track.values).reshape(len(track.times), -1)
        if len(values) > 1 and np.abs(values - values[0]).max(initial=0.0) > STILL:
            return True
        rest = getattr(scene.nodes[track.node], track.property, None)
        if len(values) and rest is not None and track.interpolation != "cubic":
            signs = (1.0, -1.0) if track.property == "rotation" else (1.0,)
            if min(np.abs(values[0] - np.multiply(rest, sign)).max() for sign in signs) > STILL:
                return True
    return False


class _Resting:
    """What gets a key at rest in clips that do not move it."""

    def __init__(self, scene, made):
        tracks = [track for clip in scene.clips for track in clip.tracks]
        moved = {track.node for track in tracks if track.property != "weights"}
        self.bones = {node: bone for node, bone in made.bones.items() if bone.stands or node in moved}
        self.objects = {node: made.frames[node] for node in moved if node not in made.bones and node in made.frames}
        self.shaped = {t.node: made.drawn[t.node] for t in tracks if t.property == "weights" and t.node in made.drawn}


class _Writer:
    """Writes one clip."""

    def __init__(self, clip, number, is_first, rate, plan, made, resting, notes):
        self.clip, self.rate, self.plan, self.made, self.notes = clip, rate, plan, made, notes
        self.name = clip.name or f"clip{number}"
        self.is_first = is_first
        self.resting = resting
        self.actions = {}
        self.curves = {}
        self.filled = 0
        self.stepped = bool(clip.tracks) and all(track.interpolation == "step" for track in clip.tracks)

    def write(self):
        """Writes the clip and returns its last frame."""
        by_node = {}
        for track in self.clip.tracks:
            by_node.setdefault(track.node, {})[track.property] = track
        for node, tracks in by_node.items():
            self._node(node, tracks)
        self._rest(by_node)
        last = max(self.clip.duration * self.rate - (1.0 if self.stepped else 0.0), 0.0)
        # Durations are rounded numbers of seconds.
        last = float(round(last)) if abs(last - round(last)) < 1e-3 else last
        self._finish(last)
        if self.filled:
            self.notes.add("BL204", f"clip {self.name!r}",
                           "keys are added on frames where Blender would interpolate differently", self.filled)
        return last

    def _rest(self, by_node):
        """Keys at rest for everything that other clips move."""
        still = {node for node, tracks in by_node.items() if set(tracks) == {"weights"}}
        for node, bone in self.resting.bones.items():
            if node not in by_node or node in still:
                self._keys(self.plan.group_of[node].item, _bone_path(bone.name), np.zeros(1),
                           [values[None] for values in bone.rest], self.stepped)
        for node, (item, left, right) in self.resting.objects.items():
            if node not in by_node or node in still:
                self._keys(item, "", np.zeros(1), decomposed((left @ self.plan.locals[node] @ right)[None])[:3],
                           self.stepped)
        for node, item in self.resting.shaped.items():
            if "weights" not in by_node.get(node, ()):
                for block in item.data.shape_keys.key_blocks[1:]:
                    self._weight_curve(item.data.shape_keys, block, np.zeros(1), np.array([block.value]), self.stepped)

    def _node(self, node, tracks):
        moving = {name: track for name, track in tracks.items() if name != "weights"}
        if moving:
            bone = self.made.bones.get(node)
            if bone is not None:
                item, path, left, right = self.plan.group_of[node].item, _bone_path(bone.name), bone.left, bone.right
            elif node in self.made.frames:
                item, left, right = self.made.frames[node]
                path = ""
            else:
                item = None
            if item is not None:
                self._motion(node, moving, item, path, left, right)
        if "weights" in tracks and node in self.made.drawn:
            self._weights(tracks["weights"], self.made.drawn[node])

    def _motion(self, node, tracks, item, path, left, right):
        kinds = {track.interpolation for track in tracks.values()}
        held = kinds == {"step"}
        times = np.unique(np.concatenate([np.asarray(t.times, dtype=np.float64) for t in tracks.values()]))
        parts = self._basis(node, tracks, times, left, right)
        if not held and len(times) > 1:
            wanted = self._between(node, tracks, times, parts, left, right, "step" in kinds)
            if len(wanted):
                self.filled += len(wanted)
                times = np.unique(np.concatenate([times, wanted]))
                parts = self._basis(node, tracks, times, left, right)
        worst = float(parts[3].max(initial=0.0))
        if worst > 1e-4:
            self.notes.add("BL205", f"{item.name!r} in clip {self.name!r}", "is sheared, which Blender's keys cannot express",
                           1, worst)
        self._keys(item, path, times * self.rate, parts[:3], held)

    def _locals(self, node, tracks, times):
        rest = self.plan.scene.nodes[node]
        count = len(times)
        values = [
            sample(tracks[name], times) if name in tracks else np.tile(np.asarray(default, dtype=np.float64), (count, 1))
            for name, default in (("translation", rest.translation), ("rotation", rest.rotation), ("scale", rest.scale))
        ]
        return composed(*values)

    def _basis(self, node, tracks, times, left, right):
        translation, rotation, scale, error = decomposed(left @ self._locals(node, tracks, times) @ right)
        flips = np.cumprod(np.where((rotation[1:] * rotation[:-1]).sum(1) < 0.0, -1.0, 1.0))
        rotation[1:] *= flips[:, None]
        return translation, rotation, scale, error

    def _between(self, node, tracks, times, parts, left, right, mixed):
        """Times of whole frames between keys where linear interpolation would be off."""
        off = np.zeros(len(times) - 1, dtype=bool)
        for share in (0.25, 0.5):
            middles = times[:-1] * (1.0 - share) + times[1:] * share
            true = left @ self._locals(node, tracks, middles) @ right
            straight = [p[:-1] * (1.0 - share) + p[1:] * share for p in parts[:3]]
            size = np.maximum(np.abs(true).max(axis=(1, 2)), 1e-9)
            off |= np.abs(composed(*straight) - true).max(axis=(1, 2)) > CLOSE * size
        found = []
        for index in np.flatnonzero(off | mixed):
            first, last = times[index] * self.rate, times[index + 1] * self.rate
            frames = np.arange(np.floor(first) + 1, np.ceil(last))
            found.append(frames[(frames > first + APART) & (frames < last - APART)] / self.rate)
        return np.concatenate(found) if found else np.empty(0)

    def _weights(self, track, item):
        keys = item.data.shape_keys
        times = np.asarray(track.times, dtype=np.float64)
        held = track.interpolation == "step"
        if track.interpolation == "cubic" and len(times) > 1:
            frames = np.arange(np.ceil(times[0] * self.rate), np.floor(times[-1] * self.rate) + 1) / self.rate
            self.filled += len(frames)
            times = np.unique(np.concatenate([times, frames]))
        values = sample(track, times)
        for number, block in enumerate(keys.key_blocks[1:]):
            if number >= values.shape[1]:
                break
            block.slider_min = max(-10.0, min(block.slider_min, float(values[:, number].min())))
            block.slider_max = min(10.0, max(block.slider_max, float(values[:, number].max())))
            self._weight_curve(keys, block, times * self.rate, values[:, number], held)

    def _weight_curve(self, keys, block, frames, values, held):
        self._curves(keys).add(f'key_blocks["{bpy.utils.escape_identifier(block.name)}"].value', 0, frames, values, held)

    def _keys(self, item, path, frames, parts, held):
        translation, rotation, scale = parts
        curves = self._curves(item)
        channels = (("location", translation), ("rotation_quaternion", rotation[:, [3, 0, 1, 2]]), ("scale", scale))
        for name, values in channels:
            still = np.abs(values - values[0]).max(initial=0.0) == 0.0
            for index in range(values.shape[1]):
                chosen = slice(0, 1) if still else slice(None)
                curves.add(path + name, index, frames[chosen], values[chosen, index], held)

    def _curves(self, owner):
        """The curves of one thing."""
        if owner not in self.curves:
            action = self.actions.get(None if compat.HAS_SLOTS else owner)
            if action is None:
                name = self.name if not self.actions else f"{self.name}|{owner.name}"
                action = bpy.data.actions.new(name)
                action[CLIP] = self.name
                action.use_fake_user = True
                self.actions[None if compat.HAS_SLOTS else owner] = action
            self.curves[owner] = compat.NewCurves(action, owner)
        return self.curves[owner]

    def _finish(self, last):
        for action in self.actions.values():
            action.use_frame_range = True
            # A strip cannot be empty, so the range of a clip with one frame is set after its strip has been made.
            action.frame_start, action.frame_end = 0.0, max(last, 1.0)
        for owner, curves in self.curves.items():
            action = self.actions[None if compat.HAS_SLOTS else owner]
            data = owner.animation_data or owner.animation_data_create()
            if self.is_first:
                compat.assign(data, action, curves.slot)
            track = data.nla_tracks.new()
            track.name = self.name
            strip = track.strips.new(self.name, 0, action)
            strip.name = self.name
            if compat.HAS_SLOTS:
                strip.action_slot = curves.slot
            track.mute = True
        for action in self.actions.values():
            action.frame_end = last


def _bone_path(name):
    return f'pose.bones["{bpy.utils.escape_identifier(name)}"].'
