"""From the open Blender file to a ligament scene.

    settings.py    what to export
    select.py      which objects
    tree.py        objects and bones as nodes
    armature.py    bones
    geometry.py    evaluated meshes with their skins
    harmless.py    modifiers and bones that a skin can follow after all
    shapes.py      shape keys
    instancing.py  instances
    meshes.py, corners.py, weights.py   arrays of a Blender mesh
    materials.py, images.py, lamps.py   the rest
    players.py     which actions make up a clip
    stage.py       plays clips
    sampling.py    clips, frame by frame
    shown.py       what Blender shows in a frame
    baking.py, rigid.py   what modifiers move, as morph targets or joints
    proof.py       the scene compared with what Blender shows
    state.py       temporary changes to the open file
"""

import ligament as lig
import numpy as np

from . import baking, geometry, lamps, proof, sampling, select
from .materials import Materials
from .settings import Settings
from .stage import Stage
from .state import Changes
from .tree import Tree


class ExportError(Exception):
    """The reason why nothing was exported, as a message for the user."""


def gather(context, settings, notes):
    """Makes a scene from the open file. All changes to the file are reverted."""
    with Changes() as changes:
        leave_edit_mode(context, changes)
        objects = select.chosen(context, settings, notes)
        if not objects:
            what = "nothing that can be exported is selected" if settings.selected else "the scene has nothing to export"
            raise ExportError(what)
        select.reveal(context, objects, changes)
        scene = lig.Scene(name=context.scene.name)
        tree = Tree(scene, objects, settings)
        materials = Materials(scene, notes)
        for entry in tree.items:
            geometry.warn(entry, settings, notes)
        # Read now, because the modifiers are switched off while meshes are read.
        tree.instanced_skins = select.instanced_skins(context, objects)
        with Changes() as resting:
            geometry.rest(context, [*objects, *tree.instanced_objects()], settings, resting)
            tree.read_rest()
            geometry.read(context, tree, materials, settings, notes)
            tree.place()
        lamps.read(context, tree, notes)
        stage = Stage(context, tree, settings, notes)
        with stage.kept():
            sampling.read(stage, tree, settings, notes)
            tree.finish(notes)
            _prove(stage, tree, settings, notes)
        if settings.lights:
            scene.ambient = lamps.ambient(context.scene.world, notes)
        if settings.keep_channels:
            keep_channels(scene)
        if not settings.custom_properties:
            for item in (scene, *scene.nodes, *scene.meshes, *scene.materials, *scene.cameras, *scene.lights):
                item.extras = {}
        return scene


def keep_channels(scene):
    """Gives everything that some clip moves a key at rest in the others. Programs that play one clip after the other leave what
    a clip has no key for in the pose of the last."""
    moving = {(track.node, track.property): None for clip in scene.clips for track in clip.tracks}
    for clip in scene.clips:
        there = {(track.node, track.property) for track in clip.tracks}
        kind = clip.tracks[0].interpolation if clip.tracks else "linear"
        start = np.zeros(1, dtype=np.float32)
        for number, name in moving:
            if (number, name) not in there:
                clip.tracks.append(lig.Track(number, name, start, _at_rest(scene, number, name), kind))


def _at_rest(scene, number, name):
    node = scene.nodes[number]
    values = [morph.weight for morph in scene.meshes[node.mesh].morphs] if name == "weights" else getattr(node, name)
    return np.array([values], dtype=np.float32)


def _prove(stage, tree, settings, notes):
    """Compares the scene with what Blender shows, and bakes what the comparison finds to move otherwise."""
    without = settings.proof == "NONE"
    # Without a proof, only what could be baked is compared.
    wanted = baking.candidates(tree, settings) if without else None
    found = proof.Proof() if without and not wanted else proof.prove(stage, tree, settings.proof == "ALL", wanted)
    if settings.bakes and baking.bake(stage, tree, settings, found, notes) and not without:
        found = proof.prove(stage, tree, settings.proof == "ALL")
    notes.proof = proof.Proof() if without else found
    proof.note(notes.proof, tree, notes)


def leave_edit_mode(context, changes):
    """Leaves edit mode, so that current edits are exported, and enters it again at the end."""
    import bpy

    active = context.view_layer.objects.active
    if active is None or not active.mode.startswith("EDIT"):
        return
    mode = active.mode
    bpy.ops.object.mode_set(mode="OBJECT")
    changes.later(lambda: bpy.ops.object.mode_set(mode=mode))
