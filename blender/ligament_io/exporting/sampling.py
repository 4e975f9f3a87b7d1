"""Clips, sampled on every frame as Blender plays them, including constraints, inverse kinematics and drivers."""

import bpy
import ligament as lig
import numpy as np

from ..axes import decomposed, inverted
from . import players
from .armature import SHEAR, sheared, unsheared
from .instancing import instances
from .select import GEOMETRY
from .stage import frames_of
from .state import Changes

# How much shear is worth a note.
SEEN = 1e-3
# How far values may vary by rounding before they count as moving.
STILL = 1e-6


def read(stage, tree, settings, notes):
    """Adds the clips to the scene."""
    if not stage.clips:
        _note_pose(tree, notes)
        return
    for entry in tree.items:
        paths = players.others(entry.item)
        if paths:
            notes.add("BL116", f"object {entry.name!r}", f"clips cannot hold {', '.join(paths)}", len(paths))
    with stage.kept(), Changes() as changes:
        _lighten(stage.context, tree, changes)
        for clip in stage.clips:
            with stage.playing(clip):
                _add(stage, tree, clip, notes)


def _note_pose(tree, notes):
    """Notes that a pose is not exported if there are no clips."""
    for item in tree.armatures:
        posed = item.armature.pose() if item.item.data.pose_position == "POSE" else item.armature.rest
        if len(posed) and np.abs(posed - item.armature.stance).max() > 1e-4:
            notes.add("BL122", f"armature {item.name!r}", "is posed, but is exported at rest because there are no clips")


def _lighten(context, tree, changes):
    """Switches modifiers off while frames are sampled, except on meshes that something else depends on."""
    # An instancer may use a modifier to instance.
    wanted = {instance.parent.name for instance in tree.instances}
    for item in context.view_layer.objects:
        bones = item.pose.bones if item.type == "ARMATURE" and item.pose else ()
        for owner in (item, *bones):
            for constraint in owner.constraints:
                target = getattr(constraint, "target", None)
                wanted.add(target.name_full if target is not None else "")
        if item.parent is not None and item.parent_type in {"VERTEX", "VERTEX_3"}:
            wanted.add(item.parent.name_full)
    for item in context.view_layer.objects:
        if item.type in GEOMETRY and item.name_full not in wanted:
            for modifier in item.modifiers:
                changes.set(modifier, "show_viewport", False)


def _add(stage, tree, clip, notes):
    """Samples one clip."""
    rate = stage.rate
    frames, regular = frames_of(clip, stage.settings.step)
    worlds, poses, morphs, places = _sample(stage, tree, frames)
    times = ((frames - clip.first) / rate).astype(np.float32)
    # With constant keys, the last frame lasts as long as the others.
    out = lig.Clip(clip.name, float(times[-1] + (1.0 / rate if clip.stepped else 0.0)))
    if regular:
        out.frames = lig.Frames(rate / stage.settings.step, len(frames))
    writer = _Tracks(tree, out, times, "step" if clip.stepped else "linear", notes)
    for entry in tree.items:
        local, known = tree.object_locals(entry, worlds, poses)
        reach = np.abs(worlds[entry.name][:, :3, 3]).max(initial=0.0)
        skew = writer.add(np.array([entry.node]), local[:, None], known[:, None], reach)
        if skew and entry.node in tree.moving:
            # Children are relative to what is exported.
            worlds[entry.name] = tree.object_worlds(entry, unsheared(local), worlds, poses)
        if entry.armature is not None:
            _add_bones(writer, entry, poses)
        if entry.name in morphs:
            writer.add_weights(entry, morphs[entry.name])
        _check_skin(tree, entry, worlds, notes)
    for number, instance in enumerate(tree.instances):
        local, known = tree.instance_locals(instance, worlds, places[:, number])
        reach = np.abs(np.nan_to_num(places[:, number, :3, 3])).max(initial=0.0)
        writer.add(np.array([instance.node]), local[:, None], known[:, None], reach)
    for entry in tree.copies:
        local, known = tree.copy_locals(entry, worlds, places[:, tree.instances.index(entry.instance)])
        writer.add(np.array([entry.node]), local[:, None], known[:, None], np.abs(local[:, :3, 3]).max(initial=0.0))
        _add_bones(writer, entry, poses)
    tree.scene.clips.append(out)


def _add_bones(writer, entry, poses):
    """Adds the tracks of an armature, and puts its poses as they are exported in place of the true ones."""
    armature, posed = entry.armature, poses[entry.name]
    if armature.names:
        local, known, poses[entry.name], lost = armature.locals(posed)
        reach = np.abs(posed[:, :, :3, 3]).max(initial=0.0)
        writer.add(armature.first_node + np.arange(len(armature.names)), local, known, reach)
        count = int((lost > SEEN).sum())
        if count:
            avoided = sheared(posed).max(initial=0.0) <= SEEN and not (armature.parents < 0).all()
            writer.notes.add("BL113", f"armature {entry.name!r} in clip {writer.clip.name!r}",
                             "bones are sheared by stretched bones, which translation, rotation and scale cannot express"
                             + ("; 'Flatten bones' keeps them exact" if avoided else ""), count)


def _sample(stage, tree, frames):
    """Returns world matrices of objects, poses of armatures and weights of shape keys, (frames, ...) each, by name; and
    world matrices of instances, (frames, instances, 4, 4)."""
    objects = bpy.data.objects
    names = [item.name_full for item in objects]
    flat = np.empty((len(frames), len(objects) * 16), dtype=np.float32)
    rigs = {entry.name: entry for entry in (*tree.armatures, *tree.copies)}.values()
    armatures = [(a, np.empty((len(frames), len(a.item.pose.bones) * 16), dtype=np.float32)) for a in rigs]
    shaped = [
        (entry, entry.item.data.shape_keys, np.empty((len(frames), len(entry.item.data.shape_keys.key_blocks)), np.float32))
        for entry in tree.items if entry.morphs
    ]
    wanted = {instance.key: number for number, instance in enumerate(tree.instances)}
    places = np.full((len(frames), len(tree.instances), 4, 4), np.nan)
    for row, frame in enumerate(frames):
        stage.show(frame)
        objects.foreach_get("matrix_world", flat[row])
        for armature, values in armatures:
            armature.item.pose.bones.foreach_get("matrix", values[row])
        for _, keys, values in shaped:
            keys.key_blocks.foreach_get("value", values[row])
        if tree.instances:
            graph = stage.context.evaluated_depsgraph_get()
            found = {key: np.array(instance.matrix_world) for instance, key in instances(graph) if key in wanted}
            for key, number in wanted.items():
                if key in found:
                    places[row, number] = found[key]
    matrices = flat.reshape(len(frames), len(objects), 4, 4).transpose(1, 0, 3, 2).astype(np.float64)
    worlds = dict(zip(names, matrices))
    poses = {}
    for armature, values in armatures:
        posed = values.reshape(len(frames), -1, 4, 4).transpose(0, 1, 3, 2).astype(np.float64)
        poses[armature.name] = posed[:, armature.armature.in_pose]
    morphs = {}
    for entry, keys, values in shaped:
        number = {block.name: index for index, block in enumerate(keys.key_blocks)}
        columns = [number[name] for name in entry.morphs]
        live = np.array([0.0 if keys.key_blocks[name].mute else 1.0 for name in entry.morphs], dtype=np.float32)
        morphs[entry.name] = values[:, columns] * live
    return worlds, poses, morphs, places


class _Tracks:
    """Writes the tracks of one clip, for everything that moves."""

    def __init__(self, tree, clip, times, interpolation, notes):
        self.tree, self.clip, self.times, self.interpolation = tree, clip, times, interpolation
        self.notes = notes

    def add(self, nodes, local, known, reach):
        """Adds the tracks of several nodes: (frames, nodes, 4, 4). Where a local transform is undefined, because an ancestor
        is scaled to zero, the rest transform is used."""
        frames, count = local.shape[:2]
        rest = self.tree.locals[nodes]
        lost = sheared(local).max(axis=0, initial=0.0)
        if lost.max(initial=0.0) > SHEAR:
            local = unsheared(local)
        local = np.where(known[..., None, None], local, rest[None])
        flat = np.concatenate([rest[None], local]).reshape(-1, 4, 4)
        parts = decomposed(flat)
        translation, rotation, scale, _ = (p.reshape(frames + 1, count, *p.shape[1:]) for p in parts)
        # Quaternions in the same hemisphere as at rest, and from frame to frame.
        for frame in range(1, frames + 1):
            against = (rotation[frame] * rotation[frame - 1]).sum(-1) < 0.0
            rotation[frame][against] *= -1.0
        slack = STILL * max(reach, 1e-3)
        for index, node in enumerate(nodes):
            moved = [
                self._track(int(node), "translation", translation[:, index], slack),
                self._track(int(node), "rotation", rotation[:, index], STILL),
                self._track(int(node), "scale", scale[:, index], STILL * max(1.0, np.abs(scale[:, index]).max())),
            ]
            if any(moved):
                self.tree.moving[int(node)] = True
                if lost[index] > SEEN:
                    name = self.tree.scene.nodes[int(node)].name
                    self.notes.add("BL113", f"node {name!r} in clip {self.clip.name!r}",
                                   "is sheared by its ancestors; the shear is dropped")
        return lost.max(initial=0.0) > SHEAR

    def _track(self, node, name, values, slack):
        """Adds a track if the values differ from those at rest; constant values need only one key."""
        if np.abs(values[1:] - values[0]).max(initial=0.0) <= slack:
            return False
        times, values = self.times, values[1:]
        if np.abs(values - values[0]).max(initial=0.0) <= slack:
            times, values = times[:1], values[:1]
        values = np.ascontiguousarray(values, dtype=np.float32)
        self.clip.tracks.append(lig.Track(node, name, times, values, self.interpolation))
        return True

    def add_weights(self, entry, values):
        rest = np.array([m.weight for m in self.tree.scene.meshes[self.tree.scene.nodes[entry.node].mesh].morphs])
        if np.abs(values - rest).max(initial=0.0) > STILL:
            times = self.times if np.abs(values - values[0]).max() > STILL else self.times[:1]
            self.clip.tracks.append(
                lig.Track(entry.node, "weights", times, np.ascontiguousarray(values[: len(times)]), self.interpolation)
            )


def _check_skin(tree, entry, worlds, notes):
    """Notes meshes that move relative to their armature: a skin follows only its joints."""
    for armature in entry.skinned_by:
        backwards, sound = inverted(worlds[armature.name])
        between = backwards @ worlds[entry.name]
        rest_back, _ = inverted(tree.rest_worlds[armature.name])
        off = np.abs(between[sound] - rest_back @ tree.rest_worlds[entry.name]).max(initial=0.0)
        if off > 1e-5 * max(1.0, np.abs(between).max(initial=0.0)):
            notes.add("BL112", f"mesh {entry.name!r}", f"moves relative to {armature.name!r}, which a skin cannot do", 1,
                      float(off))
