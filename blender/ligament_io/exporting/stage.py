"""The clips of the open file, and playing them: every clip starts from the same pose, and everything is restored."""

import fnmatch
from contextlib import contextmanager

import bpy
import numpy as np

from . import players
from .state import Changes


class Stage:
    """The clips to export, and everything that plays them."""

    def __init__(self, context, tree, settings, notes):
        self.context, self.scene, self.settings = context, context.scene, settings
        # Instanced objects may be in collections that are switched off.
        instanced = [instance.item for instance in tree.instances]
        above = [item.parent for item in instanced if item.parent is not None]
        rigs = [entry.item for entry in tree.copies]
        self.owners = players.owners([*context.view_layer.objects, *instanced, *above, *rigs])
        self._is_kept = False
        self.rigs = [*tree.armatures, *tree.copies]
        self.simulated = any(simulated(item) for item in self.owners if isinstance(item, bpy.types.Object))
        self.clips = []
        if settings.clips != "NONE":
            found = players.clips(context, settings.clips, self.owners, bpy.data.actions, notes)
            self.clips = [clip for clip in map(self._within, found) if clip is not None and self._is_wanted(clip.name)]

    def _is_wanted(self, name):
        patterns = [pattern.strip() for pattern in self.settings.only_clips.split(",") if pattern.strip()]
        return not patterns or any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)

    def _within(self, clip):
        """The clip, limited to the scene's frame range if that is asked for; None if nothing is left of it."""
        if self.settings.playback_range:
            clip.first = max(clip.first, float(self.scene.frame_start))
            clip.last = min(clip.last, float(self.scene.frame_end))
        return clip if clip.first <= clip.last else None

    @property
    def rate(self):
        """Frames per second."""
        return self.scene.render.fps / self.scene.render.fps_base

    @contextmanager
    def kept(self):
        """Restores the current frame, and lets armatures be posed meanwhile. Within another such block it does nothing."""
        if self._is_kept:
            yield
            return
        frame, part = self.scene.frame_current, self.scene.frame_subframe
        with Changes() as changes:
            self._is_kept = True
            changes.later(lambda: setattr(self, "_is_kept", False))
            changes.later(lambda: self.scene.frame_set(frame, subframe=part))
            for rig in self.rigs if self.clips else ():
                changes.set(rig.item.data, "pose_position", "POSE")
            yield

    @contextmanager
    def playing(self, clip):
        """Plays one clip, and nothing else."""
        with Changes() as changes:
            stance = _Stance(self.owners)
            changes.later(stance.restore)
            players.play(clip, self.owners, changes)
            if clip.relaxed:
                stance.relax()
            yield

    def walk(self, frames, chosen):
        """Shows the frames with the chosen indices one after the other, and yields each index. Physics needs all frames from
        the first on."""
        wanted = set(chosen)
        for index in range(max(wanted, default=-1) + 1) if self.simulated else sorted(wanted):
            self.show(frames[index])
            if index in wanted:
                yield index
            elif self.simulated:
                self.context.evaluated_depsgraph_get()

    def show(self, frame):
        """Sets the current frame, which may be between two whole ones."""
        whole = int(np.floor(frame + 1e-6))
        self.scene.frame_set(whole, subframe=max(0.0, min(frame - whole, 0.999999)))


def simulated(item):
    """Whether physics moves an object, so that each frame depends on the one before."""
    if getattr(item, "rigid_body", None) is not None:
        return True
    for modifier in item.modifiers:
        if modifier.type in {"CLOTH", "SOFT_BODY", "FLUID", "DYNAMIC_PAINT", "PARTICLE_SYSTEM"}:
            return True
        if modifier.type == "NODES" and modifier.node_group is not None:
            if any(node.type.startswith("SIMULATION") for node in modifier.node_group.nodes):
                return True
    return False


def frames_of(clip, step=1):
    """The frames to sample: the first, then in equal steps, and the last. And whether the last step is equal too."""
    count = int(np.floor((clip.last - clip.first) / step + 1e-4)) + 1
    found = clip.first + np.arange(count) * step
    regular = clip.last - found[-1] < 1e-4
    return (found if regular else np.append(found, clip.last)), regular


class _Stance:
    """The transforms apart from actions, restored between clips so that no clip inherits the last pose of another."""

    _BONE = (("location", 3), ("rotation_quaternion", 4), ("rotation_euler", 3), ("rotation_axis_angle", 4), ("scale", 3))

    def __init__(self, found_owners):
        self._bones, self._objects, self._keys = [], [], []
        for item in found_owners:
            if isinstance(item, bpy.types.Key):
                values = np.empty(len(item.key_blocks), dtype=np.float32)
                item.key_blocks.foreach_get("value", values)
                self._keys.append((item, values))
                continue
            values = [tuple(getattr(item, name)) for name, _ in self._BONE]
            self._objects.append((item, values))
            if item.type == "ARMATURE" and item.pose is not None:
                bones = item.pose.bones
                saved = []
                for name, width in self._BONE:
                    flat = np.empty(len(bones) * width, dtype=np.float32)
                    bones.foreach_get(name, flat)
                    saved.append(flat)
                self._bones.append((item, saved))

    def relax(self):
        """Puts bones at rest and everything else back."""
        self.restore()
        for item, _ in self._bones:
            count = len(item.pose.bones)
            rest = ((0, 0, 0), (1, 0, 0, 0), (0, 0, 0), (0, 0, 1, 0), (1, 1, 1))
            for (name, _), value in zip(self._BONE, rest):
                item.pose.bones.foreach_set(name, np.tile(np.array(value, dtype=np.float32), count))
            item.update_tag()

    def restore(self):
        for item, values in self._keys:
            item.key_blocks.foreach_set("value", values)
            item.update_tag()
        for item, values in self._objects:
            for (name, _), value in zip(self._BONE, values):
                if tuple(getattr(item, name)) != value:
                    setattr(item, name, value)
        for item, saved in self._bones:
            for (name, _), flat in zip(self._BONE, saved):
                item.pose.bones.foreach_set(name, flat)
            item.update_tag()
