"""Finds the actions that make up a clip, and plays them."""

import re
from dataclasses import dataclass, field

import bpy
import numpy as np

from .. import compat

# Before Blender 4.4, an imported clip that moves several things has one action for each; this marks actions of one clip.
CLIP = "ligament_clip"
_KEPT = re.compile(
    r"^(pose\.bones\[.*\]\.)?(delta_)?(location|rotation_euler|rotation_quaternion|rotation_axis_angle|scale)$"
    r"|^key_blocks\[.*\]\.value$|constraints|\[")
_BONE = re.compile(r'^pose\.bones\["((?:[^"\\]|\\.)*)"\]')


@dataclass
class Clip:
    """The actions of one clip."""

    name: str
    first: float
    last: float
    # For each animated thing, the action and slot that it plays.
    players: dict = field(default_factory=dict)
    # The name of the NLA strips that are played instead.
    strip: str = None
    # Whether every key is held until the next.
    stepped: bool = False
    # Whether nothing is changed, so that the scene plays as it is.
    untouched: bool = False
    # Whether bones without keys are at rest, instead of in their current pose.
    relaxed: bool = True


def owners(objects):
    """Everything whose animation is exported: objects and their shape keys."""
    found = []
    for item in objects:
        found.append(item)
        keys = getattr(item.data, "shape_keys", None)
        if keys is not None:
            found.append(keys)
    return list(dict.fromkeys(found))


def clips(context, mode, found_owners, actions, notes):
    """The clips for a mode."""
    scene = context.scene
    if mode == "SCENE":
        last = max(scene.frame_start, scene.frame_end)
        return [Clip(scene.name, scene.frame_start, last, untouched=True, relaxed=False)]
    if mode == "NLA":
        return _strips(found_owners)
    if mode == "ACTIVE":
        found = _active(context, found_owners)
        strips = _strips(found_owners) if not found else ()
        if strips:
            names = ", ".join(repr(clip.name) for clip in strips[:3]) + (", …" if len(strips) > 3 else "")
            notes.add("BL121", "", f"no object has an active action; choose 'NLA strips' to export the strips {names}", len(strips))
        return found
    return _all(found_owners, actions, notes)


def _range(action):
    first, last = (float(value) for value in action.frame_range)
    return first, max(first, last)


def _stepped(players):
    """Whether all keys of all curves are constant."""
    kinds = set()
    for action, slot in players:
        for curve in compat.curves(action, slot):
            points = np.empty(len(curve.keyframe_points), dtype=np.int32)
            curve.keyframe_points.foreach_get("interpolation", points)
            kinds.update(np.unique(points).tolist())
    return kinds == {0}


def _clip(name, players):
    ranges = [_range(action) for action, _ in players.values()]
    first, last = min(r[0] for r in ranges), max(r[1] for r in ranges)
    return Clip(name, first, last, players, stepped=_stepped(list(players.values())))


def clip_name(action):
    """The action's name; for an imported action that was not renamed, the name of its clip."""
    stored, name = str(action.get(CLIP, "")), action.name
    parts = (name == stored, name.startswith(f"{stored}|"), re.fullmatch(re.escape(stored) + r"\.\d{3}", name),
             stored.encode().startswith(name.encode()) and len(name.encode()) >= 60)
    return stored if stored and any(parts) else name


def _active(context, found_owners):
    players = {}
    for item in found_owners:
        data = item.animation_data
        if data is not None and data.action is not None and compat.curves(data.action):
            players[item] = (data.action, compat.assigned_slot(data))
    if not players:
        return []
    active = context.view_layer.objects.active
    action = players[active][0] if active in players else next(iter(players.values()))[0]
    clip = _clip(clip_name(action), players)
    clip.relaxed = False
    return [clip]


def _strips(found_owners):
    named = {}
    for item in found_owners:
        for track in item.animation_data.nla_tracks if item.animation_data else ():
            for strip in track.strips:
                if strip.type == "CLIP" and not strip.mute and not track.mute:
                    named.setdefault(strip.name, []).append(strip)
    return [
        Clip(name, min(s.frame_start for s in strips), max(s.frame_end for s in strips), strip=name)
        for name, strips in named.items()
    ]


def _all(found_owners, actions, notes):
    named = {}
    for action in actions:
        if not compat.curves(action):
            continue  # It is empty.
        players = _players(action, found_owners)
        if not players:
            if _is_about_objects(action):
                bones = set().union(*(_bones(action, slot) for slot in compat.slots(action)))
                if bones and any(getattr(item, "type", "") == "ARMATURE" for item in found_owners):
                    notes.add("BL121", f"action {action.name!r}", "is skipped: no exported armature has half of the bones that it moves")
                    continue
                notes.add("BL121", f"action {action.name!r}", "belongs to no exported object and is skipped")
            continue
        _note_strays(action, players, notes)
        # Two actions for one thing cannot play in the same clip, so the later one becomes a clip of its own.
        name = clip_name(action)
        while name in named and any(item in named[name] for item in players):
            name = action.name if name != action.name else name + "'"
        named.setdefault(name, {}).update(players)
    return [_clip(name, players) for name, players in named.items()]


def others(owner):
    """Animated properties that clips cannot hold."""
    data = owner.animation_data
    if data is None:
        return []
    actions = [data.action, *(strip.action for track in data.nla_tracks for strip in track.strips)]
    paths = {curve.data_path for action in actions if action is not None for curve in compat.curves(action)}
    return sorted(path for path in paths if not _KEPT.search(path))


def _is_about_objects(action):
    return any(compat.slot_type(action, slot) in {"OBJECT", "KEY", "UNSPECIFIED"} for slot in compat.slots(action))


def _players(action, found_owners):
    """The things that play an action: those that have it now or in a strip; otherwise the armatures whose bones it moves."""
    found = {}
    for item in found_owners:
        data = item.animation_data
        if data is None:
            continue
        if data.action == action:
            found[item] = (action, compat.assigned_slot(data))
        for track in data.nla_tracks:
            for strip in track.strips:
                if strip.action == action:
                    slot = strip.action_slot if compat.HAS_SLOTS else None
                    found.setdefault(item, (action, slot))
    if found:
        return found
    for slot in compat.slots(action):
        bones = _bones(action, slot)
        shares = {}
        for item in found_owners if bones else ():
            if getattr(item, "type", "") == "ARMATURE":
                shares[item] = len(bones & set(item.data.bones.keys())) / len(bones)
        # Curves of bones that were renamed or removed do not matter, unless another armature has them all.
        best = max(shares.values(), default=0.0)
        for item, share in shares.items():
            if share >= 0.5 and (share == 1.0 or best < 1.0):
                found.setdefault(item, (action, slot))
    return found


def _bones(action, slot):
    """The names of the bones that an action moves."""
    matches = (_BONE.match(curve.data_path) for curve in compat.curves(action, slot))
    return {bpy.utils.unescape_identifier(match.group(1)) for match in matches if match}


def _note_strays(action, players, notes):
    """Notes curves of bones that none of the armatures has that play the action."""
    rigs = [(item, slot) for item, (_, slot) in players.items() if getattr(item, "type", "") == "ARMATURE"]
    for slot in {slot for _, slot in rigs}:
        there = set().union(*(item.data.bones.keys() for item, other in rigs if other == slot))
        stray = sorted(_bones(action, slot) - there)
        if stray:
            names = ", ".join(map(repr, stray[:3])) + (", …" if len(stray) > 3 else "")
            notes.add("BL131", f"action {action.name!r}", f"moves bones that its armature does not have: {names}", len(stray))


def play(clip, found_owners, changes):
    """Activates the clip, and nothing else."""
    if clip.untouched:
        return
    for item in found_owners:
        data = item.animation_data
        if data is None:
            if item not in clip.players:
                continue
            data = item.animation_data_create()
            changes.later(item.animation_data_clear)
        if data.use_tweak_mode:
            changes.set(data, "use_tweak_mode", False)
        if clip.strip is not None:
            _play_strip(data, clip.strip, changes)
            continue
        changes.set(data, "use_nla", False)
        _keep_action(data, changes)
        action, slot = clip.players.get(item, (None, None))
        compat.assign(data, action, slot)


def _keep_action(data, changes):
    action, slot = data.action, compat.assigned_slot(data)
    changes.later(lambda: compat.assign(data, action, slot))


def _play_strip(data, name, changes):
    changes.set(data, "use_nla", True)
    _keep_action(data, changes)
    data.action = None
    for track in data.nla_tracks:
        wanted = any(strip.name == name for strip in track.strips)
        changes.set(track, "is_solo", False)
        changes.set(track, "mute", not wanted)
        for strip in track.strips:
            changes.set(strip, "mute", strip.name != name)
