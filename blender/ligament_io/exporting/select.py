"""Selects the objects to export, parents first."""

import bpy

from .. import compat
from .weights import Deformer

MESHES = {"MESH"}
CONVERTED = {"CURVE": "curve", "SURFACE": "surface", "META": "metaball", "FONT": "text"}
GEOMETRY = {*MESHES, *CONVERTED}
PLAIN = {"EMPTY", "ARMATURE", "CAMERA", "LIGHT"}


def chosen(context, settings, notes):
    """The objects to export; skipped ones are noted."""
    layer = context.view_layer
    objects = [item for item in layer.objects if not settings.selected or item.select_get(view_layer=layer)]
    if settings.collection:
        collection = bpy.data.collections.get(settings.collection)
        inside = {item.name_full for item in collection.all_objects} if collection is not None else set()
        objects = [item for item in objects if item.name_full in inside]
    if settings.active_collection:
        inside = {item.name_full for item in layer.active_layer_collection.collection.all_objects}
        objects = [item for item in objects if item.name_full in inside]
    if settings.renderable:
        rendered = _rendered(layer.layer_collection)
        objects = [item for item in objects if not item.hide_render and item.name_full in rendered]
    unwanted = {kind for kind, wanted in (("CAMERA", settings.cameras), ("LIGHT", settings.lights)) if not wanted}
    objects = [item for item in objects if item.type not in unwanted]
    visible = [item for item in objects if not settings.visible or item.visible_get(view_layer=layer)]
    found = {item.name_full: item for item in visible}
    for item in visible:
        for deformer in deformers(item):
            # A skin needs its skeleton, so the armature is exported even if hidden or not selected.
            found.setdefault(deformer.armature, deformer.item)
    hidden = [item for item in objects if item.name_full not in found]
    if hidden:
        names = ", ".join(repr(item.name) for item in hidden[:5]) + (", …" if len(hidden) > 5 else "")
        notes.add("BL103", "", f"hidden objects are skipped, unless 'Visible only' is off: {names}", len(hidden))
    kept = [item for item in found.values() if _known(item, notes)]
    return sorted_by_parent(kept)


def _rendered(layer_collection):
    """The full names of the objects in collections that are not disabled in renders."""
    if layer_collection.exclude or layer_collection.collection.hide_render:
        return set()
    found = {item.name_full for item in layer_collection.collection.objects}
    return found.union(*map(_rendered, layer_collection.children))


def instanced_skins(context, objects):
    """Skinned meshes instanced by exported objects: the mesh and its deformers, by its full name."""
    names = {item.name_full for item in objects}
    found = {}
    for instance in context.evaluated_depsgraph_get().object_instances:
        item, parent = instance.object, instance.parent
        if not instance.is_instance or parent is None or parent.original.name_full not in names:
            continue
        if item.original == parent.original:
            continue  # Made by geometry nodes, after all deformation.
        by = deformers(item.original)
        if item.type == "MESH" and by:
            found[item.original.name_full] = (item.original, by)
    return found


def reveal(context, objects, changes):
    """Shows hidden objects, which are armatures of visible meshes unless all hidden objects are exported: Blender does not animate
    what is hidden."""
    layer, master = context.view_layer, context.scene.collection
    for item in objects:
        if item.visible_get(view_layer=layer):
            continue
        changes.set(item, "hide_viewport", False)
        if item.name_full not in {other.name_full for other in layer.objects}:
            # Its collection is excluded from the view layer.
            changes.later(layer.update)
            master.objects.link(item)
            changes.later(lambda item=item: master.objects.unlink(item))
            layer.update()
        if item.hide_get(view_layer=layer):
            item.hide_set(False, view_layer=layer)
            changes.later(lambda item=item: item.hide_set(True, view_layer=layer))
        if not item.visible_get(view_layer=layer) and master.objects.get(item.name) != item:
            # Its collection is hidden.
            master.objects.link(item)
            changes.later(lambda item=item: master.objects.unlink(item))
    layer.update()


def _known(item, notes):
    if item.type in MESHES or item.type in PLAIN:
        return True
    if item.type in CONVERTED:
        notes.add("BL102", f"{CONVERTED[item.type]} {item.name!r}", "converted to a mesh")
        return True
    kind = item.type.lower().replace("_", " ")
    notes.add("BL101", f"{kind} {item.name!r}", "objects of this type are not exported")
    return False


def deformers(item):
    """The armatures that deform an object: those of enabled modifiers, and a deforming parent."""
    found = []
    for modifier in getattr(item, "modifiers", ()):
        if modifier.type == "ARMATURE" and modifier.show_viewport and modifier.object and modifier.use_vertex_groups:
            found.append(Deformer(modifier.object, modifier.vertex_group, modifier.invert_vertex_group))
    parent = item.parent
    if parent is not None and item.parent_type == "ARMATURE" and parent.type == "ARMATURE":
        if not any(deformer.item == parent for deformer in found):
            found.append(Deformer(parent))
    return found


def sorted_by_parent(objects):
    """Sorts parents before their children, otherwise keeping the order."""
    names = {item.name_full for item in objects}
    placed, order = set(), []

    def place(item):
        if item.name_full in placed:
            return
        above = item.parent
        chain = []
        while above is not None:
            chain.append(above)
            above = above.parent
        for ancestor in reversed(chain):
            if ancestor.name_full in names and ancestor.name_full not in placed:
                placed.add(ancestor.name_full)
                order.append(ancestor)
        placed.add(item.name_full)
        order.append(item)

    for item in objects:
        place(item)
    return order


def may_move(item):
    """Whether an object or one of its ancestors may move over time. Bones that move within an armature do not count."""
    while item is not None:
        data = item.animation_data
        if data is not None:
            actions = [data.action, *(strip.action for track in data.nla_tracks for strip in track.strips)]
            if data.drivers or any(_moves_objects(action) for action in actions if action is not None):
                return True
        if item.constraints or item.parent_type in {"BONE", "VERTEX", "VERTEX_3"} or item.rigid_body:
            return True
        item = item.parent
    return False


def _moves_objects(action):
    """Whether an action has a curve for the transform of a whole object."""
    return any(not curve.data_path.startswith(("pose.", "key_blocks")) for curve in compat.curves(action))
