"""Evaluated meshes with their skins and shape keys."""

from dataclasses import dataclass
from functools import cached_property

import ligament as lig
import numpy as np

from .. import compat, extras, resting
from ..axes import TO_SCENE, inverted
from . import harmless, instancing, select, shapes, weights
from .meshes import Source

def rest(context, objects, settings, changes):
    """Puts everything into its state before armatures and shape keys deform it."""
    # The first, so that it is the last that happens when everything is put back.
    changes.later(context.view_layer.update)
    for item in objects:
        if item.type == "ARMATURE":
            changes.set(item.data, "pose_position", "REST")
        for modifier in item.modifiers if item.type in select.GEOMETRY else ():
            # Switched off rather than at rest: a matrix times its inverse is only approximately the identity.
            if modifier.type == "ARMATURE" or not settings.applies_modifiers:
                changes.set(modifier, "show_viewport", False)
        if item.type == "MESH" and shapes.has_shape_keys(item):
            changes.set(item, "show_only_shape_key", True)
            changes.set(item, "active_shape_key_index", 0)
        _rest_as_imported(item, changes)
    context.view_layer.update()


def _rest_as_imported(item, changes):
    """Moves an animated object to its rest transform in the file that it was imported from."""
    stored, data = resting.of(item, 10), item.animation_data
    if stored is None or data is None or not select.may_move(item):
        return
    changes.set(data, "use_nla", False)
    action, slot = data.action, compat.assigned_slot(data)
    changes.later(lambda: compat.assign(data, action, slot))
    data.action = None
    x, y, z, w = stored[3:7]
    for name, value in (("rotation_mode", "QUATERNION"), ("location", tuple(stored[:3])),
                        ("rotation_quaternion", (w, x, y, z)), ("scale", tuple(stored[7:]))):
        before = getattr(item, name)
        before = before if name == "rotation_mode" else tuple(before)
        changes.later(lambda name=name, before=before: setattr(item, name, before))
        setattr(item, name, value)


def warn(entry, settings, notes):
    """Notes everything about armature modifiers that a skin cannot express."""
    about, seen = f"mesh {entry.name!r}", False
    for modifier in entry.item.modifiers if entry.item.type in select.GEOMETRY else ():
        if not modifier.show_viewport:
            continue
        if modifier.type != "ARMATURE":
            if seen and settings.applies_modifiers and harmless.moves_vertices(modifier):
                notes.add("BL106", about, f"{modifier.name!r} comes after the armature, but is applied before it")
            continue
        if modifier.object is None:
            notes.add("BL109", about, f"the armature modifier {modifier.name!r} has no armature")
            continue
        seen = True
        if modifier.use_deform_preserve_volume:
            notes.add("BL107", about, "Preserve Volume is not kept: joints are blended linearly")
        if modifier.use_bone_envelopes:
            notes.add("BL108", about, "bone envelopes are not kept, only vertex groups")
        if modifier.object.pose is not None and harmless.bends(modifier.object, entry.item.vertex_groups):
            notes.add("BL123", about, "bendy bones are exported as straight ones")


def read(context, tree, materials, settings, notes):
    """Reads the meshes, skins and shape keys of all objects, and instances."""
    graph = context.evaluated_depsgraph_get()
    reader = Reader(context, graph, tree, materials, settings, notes)
    for entry in list(tree.items):
        if entry.item.type in select.GEOMETRY:
            reader.object(entry)
    instancing.Instances(reader).read()
    reader.bare_skeletons()


@dataclass
class Vertices:
    """Where the vertices of a mesh in the scene come from: the number of vertices in Blender, and for each part theirs."""

    count: int
    vertices: list

    @cached_property
    def in_order(self):
        """Whether a part with all vertices has them in Blender's order."""
        return all(np.array_equal(part, np.arange(self.count)) for part in self.vertices if len(part) == self.count)


class Reader:
    """Reads meshes into the scene."""

    def __init__(self, context, graph, tree, materials, settings, notes):
        self.context, self.graph, self.tree, self.materials = context, graph, tree, materials
        self.settings, self.notes = settings, notes
        self.scene = tree.scene
        # Objects that are instanced by their parent, and hidden instancers, are not drawn themselves.
        self.drawn = {i.object.original.name_full for i in graph.object_instances if not i.is_instance and i.show_self}
        tree.sources = {}
        # Indices of meshes, by the data that they share.
        self.meshes, self._skins = {}, {}

    def object(self, entry):
        """Reads the mesh that an object draws."""
        item = entry.item
        if item.type == "MESH" and entry.name not in self.drawn:
            return
        deformers = [d for d in entry.deformers if d.armature in self.tree.by_name]
        key = None if deformers or self.is_its_own(item) else (item.data.name_full, slots_of(item))
        if key in self.meshes:
            self.scene.nodes[entry.node].mesh = self.meshes[key]
            entry.morphs = [morph.name for morph in self.scene.meshes[self.meshes[key]].morphs]
            return
        evaluated = item.evaluated_get(self.graph)
        mesh = self.evaluated_mesh(evaluated)
        if mesh is None:
            return
        try:
            number = self._mesh(entry, evaluated, mesh, deformers)
        finally:
            evaluated.to_mesh_clear()
        if number is not None and key is not None:
            self.meshes[key] = number

    def evaluated_mesh(self, evaluated):
        """The mesh of an evaluated object, to be cleared after use; None if it has none."""
        try:
            return evaluated.to_mesh(preserve_all_data_layers=True, depsgraph=self.graph)
        except RuntimeError as error:
            # For example a metaball that belongs to another, or a curve without a surface.
            self.notes.add("BL104", f"object {evaluated.name!r}", f"has no mesh of its own: {error}")
            return None

    def is_its_own(self, item):
        """Whether an object's mesh may differ from that of others with the same data."""
        active = [m for m in item.modifiers if m.show_viewport] if self.settings.applies_modifiers else []
        return bool(active) or item.type != "MESH"

    def _mesh(self, entry, evaluated, mesh, deformers):
        item = entry.item
        source = Source(mesh, self.notes, item.name)
        if len(mesh.polygons) == 0:
            what = "has no faces" if len(mesh.vertices) else "is empty"
            self.notes.add("BL104", f"mesh {item.name!r}", what)
        # A skin moves vertices in the scene's space, so its mesh is stored in world space.
        matrix = self.tree.rest_worlds[entry.name] if deformers else None
        parts = source.parts(matrix, self.settings.loose)
        node = self.scene.nodes[entry.node]
        if not parts:
            return None
        out = lig.Mesh(item.data.name, extras=extras.of(item.data))
        if deformers:
            node.skin = self._skin(entry, evaluated, mesh, source, parts, deformers)
        looks = self.looks(evaluated, source, parts)
        # Last: showing other shape keys frees the evaluated mesh.
        if self.settings.shape_keys:
            shapes.add(self.context, entry, out, source, parts, matrix, self.notes)
        node.mesh = self.append(out, parts, looks, source)
        return node.mesh

    # Skins

    def _skin(self, entry, evaluated, mesh, source, parts, deformers):
        names = list(dict.fromkeys(d.armature for d in deformers))
        entry.skinned_by = [self.tree.by_name[name] for name in names]
        masked = any(d.mask in evaluated.vertex_groups for d in deformers if d.mask)
        own = masked or select.may_move(entry.item)
        groups = [group.name for group in evaluated.vertex_groups]
        joints, count = joint_numbers((a.name, a.armature) for a in entry.skinned_by)
        found, alone, twice = weights.influences(mesh, groups, deformers, joints, count if own else None)
        if alone:
            held = "they follow the object" if own else "they do not move"
            self.notes.add("BL110", f"mesh {entry.name!r}", f"no bone has a weight on them; {held}", alone)
        if twice:
            self.notes.add("BL111", f"mesh {entry.name!r}",
                           "two armatures deform the same vertices, one after the other; they are blended instead", twice)
        for part in parts:
            source.add_influences(part, found)
        uses_own = own and bool((found[1] == count).any())
        return self._skin_number(entry, uses_own)

    def bare_skeletons(self):
        """Exports the armatures of a scene without meshes as skins that deform nothing, to mark them as skeletons."""
        for armature in self.tree.armatures if not self.scene.meshes else ():
            if armature.armature.names:
                armature.skinned_by = [armature]
                self._skin_number(armature, False)
                armature.skinned_by = []

    def _skin_number(self, entry, own):
        key = (tuple(a.name for a in entry.skinned_by), entry.name if own else None)
        if key not in self._skins:
            nodes, globals_ = [], []
            for armature in entry.skinned_by:
                bones = armature.armature
                nodes += range(bones.first_node, bones.first_node + len(bones.names))
                globals_.append(TO_SCENE @ self.tree.rest_worlds[armature.name] @ bones.rest)
            if own:
                nodes.append(entry.node)
                globals_.append(self.tree.globals[entry.name][None])
            binds, _ = inverted(np.concatenate(globals_))
            self._skins[key] = len(self.scene.skins)
            name = entry.skinned_by[0].item.data.name
            self.scene.skins.append(lig.Skin(np.array(nodes, np.uint32), binds.astype(np.float32), name))
        return self._skins[key]

    def looks(self, item, source, parts):
        """The index of each part's material; `item` is evaluated and may have materials of its own."""
        if not self.settings.materials:
            return [None] * len(parts)
        materials = list(source.mesh.materials)
        for number, slot in enumerate(item.material_slots):
            if slot.link == "OBJECT" and number < len(materials):
                materials[number] = slot.material
        of = lambda part: materials[part.material] if 0 <= part.material < len(materials) else None
        return [self.materials.number(of(part), source.uv_names) for part in parts]

    def append(self, out, parts, looks, source):
        """Adds a mesh to the scene and returns its index."""
        self.tree.sources[len(self.scene.meshes)] = Vertices(source.vertex_count, [part.source for part in parts])
        out.parts += [_part(part, look) for part, look in zip(parts, looks)]
        self.scene.meshes.append(out)
        return len(self.scene.meshes) - 1


def slots_of(item):
    """The materials of an object's slots, which may belong to the object or to its data."""
    return tuple(slot.material.name_full if slot.material else None for slot in item.material_slots)


def joint_numbers(armatures):
    """The index of each deforming bone in the skin of some armatures, by armature and name; and the number of joints."""
    found, count = {}, 0
    for name, armature in armatures:
        for bone, deforms in zip(armature.names, armature.deforms):
            if deforms:
                found[name, bone] = count
            count += 1
    return found, count


def _part(arrays, material):
    """Makes a part of the scene from its arrays."""
    starts = arrays.starts
    faces = lig.Faces(arrays.corners, arrays.kind, starts)
    out = lig.Part(arrays.positions, faces, material, arrays.normals, uvs=arrays.uvs, colors=arrays.colors)
    if arrays.influences is not None:
        out.influences = lig.Influences(*arrays.influences)
    out.morphs = [lig.MorphDeltas(deltas) for deltas in arrays.morphs]
    return out
