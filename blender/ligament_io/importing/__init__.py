"""From a ligament scene to objects, armatures and actions in the open Blender file.

    plan.py        which nodes become bones, and of which armature
    skeletons.py   armatures, with bones that point sensibly
    objects.py     objects, their transforms, and what they carry
    meshes.py      mesh data, weights and shape keys
    shading.py     materials and images
    clips.py       actions
"""

import bpy

from . import clips, objects, shading, skeletons
from .plan import Plan


def build(context, scene, name, notes):
    """Adds everything in a scene to the open file, in the active collection."""
    if context.object is not None and context.object.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    plan = Plan(scene, name)
    materials = shading.Materials(scene, notes)
    made = objects.Objects(context, scene, plan, materials, notes)
    try:
        skeletons.build(context, plan, made, notes)
        made.fill()
        clips.build(context, scene, plan, made, notes)
        objects.ambient(context, scene, notes)
    except Exception:
        # All or nothing: half a model is worse than no model.
        for item in made.all:
            bpy.data.objects.remove(item)
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
