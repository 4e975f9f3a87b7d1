"""From the open Blender file to a ligament scene.

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

from dataclasses import dataclass

import ligament as lig

from . import baking, geometry, lamps, proof, sampling, select
from .materials import Materials
from .stage import Stage
from .state import Changes
from .tree import Tree

CLIPS = (
    ("ACTIONS", "All actions", "One clip per action of the objects"),
    ("ACTIVE", "Active actions", "One clip with the actions that the objects play now"),
    ("NLA", "NLA strips", "One clip per name of a strip in the NLA editor"),
    ("SCENE", "Scene", "One clip with the scene's frames and everything that moves"),
    ("NONE", "None", "No clips"),
)

MODIFIERS = (
    ("SHOWN", "As shown", "Apply modifiers, and bake what they move into joints or morph targets. Motion that only follows an "
     "armature stays a skin"),
    ("EVERYTHING", "As shown, armatures too", "Bake everything that a skin cannot do as well: Preserve Volume, bendy bones, smoothing "
     "after the armature"),
    ("APPLY", "Apply once", "Export meshes with their modifiers applied as in the current frame"),
    ("OFF", "Off", "Export meshes without their modifiers"),
)


class ExportError(Exception):
    """The reason why nothing was exported, as a message for the user."""


@dataclass
class Settings:
    """What to export of the open file."""

    selected: bool = False
    clips: str = "ACTIONS"
    modifiers: str = "SHOWN"
    # The largest number of morph targets that one mesh's motion becomes.
    most_targets: int = 64
    only_deform_bones: bool = False
    loose: bool = True
    # Which frames to compare with Blender.
    proof: str = "FEW"
    # Whether the file's rest pose is the current one; the bind pose is the armature's rest position all the same.
    pose_as_rest: bool = False
    # Whether every bone is relative to the armature, not to its parent.
    flatten_bones: bool = False

    @property
    def bakes(self):
        return self.modifiers in {"SHOWN", "EVERYTHING"}

    @property
    def applies_modifiers(self):
        return self.modifiers != "OFF"
    # Only objects of this collection; empty means all.
    collection: str = ""


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
        sampling.read(stage, tree, settings, notes)
        tree.finish(notes)
        scene.ambient = lamps.ambient(context.scene.world, notes)
        _prove(stage, tree, settings, notes)
        return scene


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
