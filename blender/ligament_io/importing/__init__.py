"""From a ligament scene to objects, armatures and actions in the open Blender file.

    plan.py        which nodes become bones, and of which armature
    skeletons.py   armatures, with bones that point sensibly
    objects.py     objects, their transforms, and what they carry
    meshes.py      mesh data, weights and shape keys
    welding.py     vertices that the format had to split, joined again
    shading.py     materials and images
    clips.py       actions
"""

from dataclasses import dataclass

import bpy

from . import clips, objects, shading, skeletons
from .plan import Plan


MERGE = (
    ("AUTO", "As in the file", "Join vertices of formats whose files share them between faces with different normals"),
    ("ON", "Always", "Join all vertices at one place that move together; normals and texture coordinates stay as they are"),
    ("OFF", "Never", "Keep the vertices that the file's normals and texture coordinates split"),
)
BONES = (
    ("CHILDREN", "To their children", "Bones end at their children, as artists draw them"),
    ("JOINTS", "Along the joint's Y", "Bones have the axes of the file's joints"),
)
# Formats whose files have positions and normals of their own for the corners of faces.
SHARING = {"fbx", "collada", "obj", "amo"}


@dataclass
class Settings:
    """How to import."""

    merge: str = "AUTO"
    bones: str = "CHILDREN"
    # Images are stored in the .blend file.
    pack: bool = False
    # Everything goes into a new collection.
    collection: bool = False
    # The scene gets the clips' frame rate and range.
    frames: bool = True


def build(context, scene, name, notes, settings=None):
    """Adds everything in a scene to the open file, in the active collection or in one of its own."""
    settings = settings or Settings()
    if context.object is not None and context.object.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    plan = Plan(scene, name)
    materials = shading.Materials(scene, notes, settings.pack)
    origin = scene.report.from_format if scene.report is not None else None
    welds = settings.merge == "ON" or settings.merge == "AUTO" and origin in SHARING
    made = objects.Objects(context, scene, plan, materials, notes, welds, name if settings.collection else None)
    try:
        skeletons.build(context, plan, made, notes, settings.bones == "JOINTS")
        made.fill()
        clips.build(context, scene, plan, made, notes, settings.frames)
        objects.ambient(context, scene, notes)
    except Exception:
        # All or nothing: half a model is worse than no model.
        for item in made.all:
            bpy.data.objects.remove(item)
        made.discard()
        raise
    _note_extras(scene, notes)
    for item in context.selected_objects:
        item.select_set(False)
    for item in made.all:
        item.select_set(True)
    if made.all:
        context.view_layer.objects.active = next((i for i in made.all if i.type == "ARMATURE"), made.all[0])
    context.view_layer.update()
    return made.all


def _note_extras(scene, notes):
    """Notes extra data that Blender cannot hold."""
    count = sum(bool(thing.extras) for thing in [scene, *scene.skins, *scene.clips, *scene.textures, *scene.images])
    count += sum(bool(part.extras) for mesh in scene.meshes for part in mesh.parts)
    if count:
        notes.add("BL210", "", "extra data of the file, its clips, skins, parts and images is not kept", count)
