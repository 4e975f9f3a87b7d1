"""Evaluated meshes with their skins and shape keys."""

import bpy
import ligament as lig
import numpy as np

from .. import compat, extras, resting
from ..axes import TO_BLENDER, TO_SCENE, from_blender, inverted
from . import select, weights
from .meshes import Source
from .tree import Armature

GEOMETRY = {"MESH", *select.CONVERTED}


def rest(context, objects, settings, changes):
    """Puts everything where it is before armatures and shape keys deform it."""
    for item in objects:
        if item.type == "ARMATURE":
            changes.set(item.data, "pose_position", "REST")
        for modifier in item.modifiers if item.type in GEOMETRY else ():
            # Not at rest but off: a matrix times its inverse is only nearly nothing.
            if modifier.type == "ARMATURE" or not settings.modifiers:
                changes.set(modifier, "show_viewport", False)
        if item.type == "MESH" and has_shape_keys(item):
            changes.set(item, "show_only_shape_key", True)
            changes.set(item, "active_shape_key_index", 0)
        _rest_as_imported(item, changes)
    changes.later(context.view_layer.update)
    context.view_layer.update()


def _rest_as_imported(item, changes):
    """Puts an object that an action moves where it rested in the file that it came from."""
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
    """What of an armature modifier a skin cannot say."""
    about, seen = f"mesh {entry.name!r}", False
    for modifier in entry.item.modifiers if entry.item.type in GEOMETRY else ():
        if not modifier.show_viewport:
            continue
        if modifier.type != "ARMATURE":
            if seen and settings.modifiers:
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
        if any(bone.bbone_segments > 1 for bone in modifier.object.data.bones):
            notes.add("BL123", about, "bendy bones are exported as straight ones")


def instances(graph):
    """Every instance that Blender draws, with what it is known by from frame to frame."""
    for instance in graph.object_instances:
        if not instance.is_instance or instance.parent is None:
            continue
        item = instance.instance_object
        parent = instance.parent.original
        if item is not None and item.type in select.CONVERTED and item.original == parent:
            continue  # A curve's own mesh, which is read with the curve.
        yield instance, (parent.name, item.original.name if item is not None else "", tuple(instance.persistent_id))


def has_shape_keys(item):
    keys = item.data.shape_keys
    return keys is not None and keys.use_relative and len(keys.key_blocks) > 1


def read(context, tree, materials, settings, notes):
    """Meshes, skins and shape keys of all objects, and instances."""
    graph = context.evaluated_depsgraph_get()
    reader = _Reader(context, graph, tree, materials, settings, notes)
    for entry in list(tree.items):
        if entry.item.type in GEOMETRY:
            reader.object(entry)
    reader.instances()
    reader.bare_skeletons()


class _Reader:
    def __init__(self, context, graph, tree, materials, settings, notes):
        self.context, self.graph, self.tree, self.materials = context, graph, tree, materials
        self.settings, self.notes = settings, notes
        self.scene = tree.scene
        self._meshes, self._skins = {}, {}
        # Of instances: meshes with their inverse binds, and armatures.
        self._skinned, self._copies = {}, {}

    def object(self, entry):
        """The mesh that an object draws."""
        item = entry.item
        deformers = [d for d in entry.deformers if d.armature in self.tree.by_name]
        key = None if deformers or self._is_its_own(item) else (item.data.name_full, _slots(item))
        if key in self._meshes:
            self.scene.nodes[entry.node].mesh = self._meshes[key]
            entry.morphs = [morph.name for morph in self.scene.meshes[self._meshes[key]].morphs]
            return
        evaluated = item.evaluated_get(self.graph)
        mesh = self._evaluated_mesh(evaluated)
        if mesh is None:
            return
        try:
            number = self._mesh(entry, evaluated, mesh, deformers)
        finally:
            evaluated.to_mesh_clear()
        if number is not None and key is not None:
            self._meshes[key] = number

    def _evaluated_mesh(self, evaluated):
        try:
            return evaluated.to_mesh(preserve_all_data_layers=True, depsgraph=self.graph)
        except RuntimeError as error:
            # A metaball that belongs to another, a curve without a surface.
            self.notes.add("BL104", f"object {evaluated.name!r}", f"has no mesh of its own: {error}")
            return None

    def _is_its_own(self, item):
        """Whether an object's mesh may differ from that of others with the same data."""
        active = [m for m in item.modifiers if m.show_viewport] if self.settings.modifiers else []
        return bool(active) or item.type != "MESH"

    def _mesh(self, entry, evaluated, mesh, deformers):
        item = entry.item
        source = Source(mesh, self.notes, item.name)
        if len(mesh.polygons) == 0:
            what = "has no faces" if len(mesh.vertices) else "is empty"
            self.notes.add("BL104", f"mesh {item.name!r}", what)
        # A skin moves vertices in the scene's space: its mesh is stored where it stands.
        matrix = self.tree.rest_worlds[item.name] if deformers else None
        parts = source.parts(matrix, self.settings.loose)
        node = self.scene.nodes[entry.node]
        if not parts:
            return None
        out = lig.Mesh(item.data.name, extras=extras.of(item.data))
        self._add_morphs(entry, out, source, parts, matrix)
        if deformers:
            node.skin = self._skin(entry, evaluated, mesh, source, parts, deformers)
        slots = evaluated.material_slots
        for part in parts:
            material = slots[part.material].material if 0 <= part.material < len(slots) else None
            out.parts.append(_part(part, self.materials.number(material, source.uv_names)))
        node.mesh = len(self.scene.meshes)
        self.scene.meshes.append(out)
        return node.mesh

    # Skins

    def _skin(self, entry, evaluated, mesh, source, parts, deformers):
        names = list(dict.fromkeys(d.armature for d in deformers))
        entry.skinned_by = [self.tree.by_name[name] for name in names]
        masked = any(d.mask in evaluated.vertex_groups for d in deformers if d.mask)
        own = masked or select.may_move(entry.item)
        groups = [group.name for group in evaluated.vertex_groups]
        joints, count = {}, 0
        for armature in entry.skinned_by:
            for name, deforms in zip(armature.armature.names, armature.armature.deforms):
                if deforms:
                    joints[armature.name, name] = count
                count += 1
        found, alone, twice = weights.influences(mesh, groups, deformers, joints, count if own else None)
        if alone:
            held = "they follow the object" if own else "they stay where they are"
            self.notes.add("BL110", f"mesh {entry.name!r}", f"no bone has a weight on them; {held}", alone)
        if twice:
            self.notes.add("BL111", f"mesh {entry.name!r}",
                           "two armatures deform the same vertices, one after the other; they are blended instead", twice)
        for part in parts:
            source.add_influences(part, found)
        uses_own = own and bool((found[1] == count).any())
        return self._skin_number(entry, uses_own)

    def bare_skeletons(self):
        """Armatures of a scene without meshes are skins that deform nothing: else nobody could tell that they are skeletons."""
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

    # Shape keys

    def _add_morphs(self, entry, out, source, parts, matrix):
        item = entry.item
        if item.type != "MESH" or item.data.shape_keys is None:
            return
        keys = item.data.shape_keys
        if not has_shape_keys(item):
            if not keys.use_relative:
                self.notes.add("BL120", f"mesh {item.name!r}", "absolute shape keys are not exported")
            return
        blocks = list(keys.key_blocks)
        changed = any(m.show_viewport for m in item.modifiers)
        shapes = self._shapes_of_modified(item, blocks, source) if changed else _shapes(item, blocks)
        stored = resting.of(keys, len(blocks) - 1) if keys.animation_data is not None else None
        for number, (block, deltas) in enumerate(zip(blocks[1:], shapes)):
            if deltas is None:
                continue
            weight = block.value if stored is None else stored[number]
            weight = 0.0 if block.mute else weight
            out.morphs.append(lig.Morph(block.name, weight))
            for part in parts:
                source.add_morph(part, deltas, matrix)
            entry.morphs.append(block.name)

    def _shapes_of_modified(self, item, blocks, source):
        """What each key changes after the modifiers, found by showing one key after the other."""
        about = f"mesh {item.name!r}"
        self.notes.add("BL117", about, "shape keys are taken after the modifiers, one by one")
        shown, found = {}, []
        for index, block in enumerate(blocks):
            item.active_shape_key_index = index
            self.context.view_layer.update()
            evaluated = item.evaluated_get(self.context.evaluated_depsgraph_get())
            mesh = evaluated.to_mesh()
            flat = np.empty(len(mesh.vertices) * 3, dtype=np.float32)
            mesh.vertices.foreach_get("co", flat)
            evaluated.to_mesh_clear()
            shown[block.name] = flat.reshape(-1, 3)
        item.active_shape_key_index = 0
        self.context.view_layer.update()
        for block in blocks[1:]:
            moved, base = shown[block.name], shown[block.relative_key.name]
            if moved.shape != base.shape or len(moved) != source.vertex_count:
                self.notes.add("BL117", about, f"shape key {block.name!r} changes the number of vertices and is left out")
                found.append(None)
                continue
            found.append(moved - base)
        return found

    # Instances

    def instances(self):
        """What collections, particles, faces and geometry nodes put into the scene a second time."""
        for instance, key in instances(self.graph):
            parent = self.tree.by_name.get(instance.parent.original.name)
            item = instance.instance_object
            if parent is None or item is None:
                continue
            if item.type not in GEOMETRY:
                if item.type not in {"EMPTY", "ARMATURE"}:
                    kind = item.type.lower().replace("_", " ")
                    self.notes.add("BL101", f"{kind} {item.name!r}", "instances of this type are not exported")
                continue
            name, world = item.original.name, from_blender(instance.matrix_world)
            if name in self.tree.instanced_skins:
                self._instanced_skin(item, parent, key, world)
                continue
            mesh = self._instanced_mesh(item)
            if mesh is not None:
                self.tree.add_instance(name, parent, key, world)[0].mesh = mesh

    def _instanced_skin(self, item, parent, key, world):
        """An instance of a skinned mesh: the same mesh, with bones of its own."""
        name = item.original.name
        deformers = self.tree.instanced_skins[name]
        if name not in self._skinned:
            mesh = self._evaluated_mesh(item)
            self._skinned[name] = None
            if mesh is not None:
                try:
                    self._skinned[name] = self._skinned_mesh(item, mesh, deformers)
                finally:
                    item.to_mesh_clear()
        if self._skinned[name] is None:
            return
        number, binds = self._skinned[name]
        node, instance = self.tree.add_instance(name, parent, key, world)
        joints = []
        for armature in dict.fromkeys(d.armature for d in deformers):
            # All meshes of one instance share its bones; the first number of the key tells them apart.
            shared = (parent.name, key[2][1:], armature)
            if shared not in self._copies:
                self._copies[shared] = self.tree.add_copy(bpy.data.objects[armature], name, instance, self.settings)
            bones = self._copies[shared].armature
            joints += range(bones.first_node, bones.first_node + len(bones.names))
        joints.append(instance.node)
        node.mesh, node.skin = number, len(self.scene.skins)
        self.scene.skins.append(lig.Skin(np.array(joints, np.uint32), binds, name))

    def _skinned_mesh(self, item, mesh, deformers):
        """The mesh where it stands, and the inverse bind matrices of its armatures' bones and of its own node."""
        name = item.original.name
        matrix = self.tree.rest_worlds[name]
        source = Source(mesh, self.notes, name)
        parts = source.parts(matrix, self.settings.loose)
        if not parts:
            return None
        joints, globals_, count = {}, [], 0
        for armature in dict.fromkeys(d.armature for d in deformers):
            bones = Armature(bpy.data.objects[armature], self.settings.only_deform_bones)
            for bone, deforms in zip(bones.names, bones.deforms):
                if deforms:
                    joints[armature, bone] = count
                count += 1
            globals_.append(TO_SCENE @ self.tree.rest_worlds[armature] @ bones.rest)
        groups = [group.name for group in item.vertex_groups]
        found, _, _ = weights.influences(mesh, groups, deformers, joints, count)
        for part in parts:
            source.add_influences(part, found)
        if item.original.data.shape_keys is not None:
            self.notes.add("BL119", f"mesh {name!r}", "shape keys of instances are exported as they stand")
        globals_.append((TO_SCENE @ matrix @ TO_BLENDER)[None])
        binds, _ = inverted(np.concatenate(globals_))
        return self._append(item, source, parts), binds.astype(np.float32)

    def _instanced_mesh(self, item):
        original = item.original
        shaped = getattr(original.data, "shape_keys", None) is not None
        plain = original.type == "MESH" and not shaped and not self._is_its_own(original)
        key = (original.data.name_full, _slots(original)) if plain else ("instance", original.name, item.data.name_full)
        if key not in self._meshes:
            if shaped:
                self.notes.add("BL119", f"mesh {original.name!r}", "shape keys of instances are exported as they stand")
            mesh = self._evaluated_mesh(item)
            self._meshes[key] = None
            if mesh is not None:
                try:
                    self._meshes[key] = self._plain_mesh(item, mesh)
                finally:
                    item.to_mesh_clear()
        return self._meshes[key]

    def _plain_mesh(self, item, mesh):
        source = Source(mesh, self.notes, item.name)
        parts = source.parts(None, self.settings.loose)
        return self._append(item, source, parts) if parts else None

    def _append(self, item, source, parts):
        out = lig.Mesh(item.data.name)
        for part in parts:
            slots = item.material_slots
            material = slots[part.material].material if 0 <= part.material < len(slots) else None
            out.parts.append(_part(part, self.materials.number(material, source.uv_names)))
        self.scene.meshes.append(out)
        return len(self.scene.meshes) - 1


def _slots(item):
    return tuple(slot.material.name_full if slot.material else None for slot in item.material_slots)


def _shapes(item, blocks):
    """What each key changes, straight from the keys."""
    places = {}
    for block in blocks:
        flat = np.empty(len(block.data) * 3, dtype=np.float32)
        block.data.foreach_get("co", flat)
        places[block.name] = flat.reshape(-1, 3)
    found = []
    for block in blocks[1:]:
        deltas = places[block.name] - places[block.relative_key.name]
        if block.vertex_group in item.vertex_groups:
            share = np.zeros(len(deltas), dtype=np.float32)
            group = item.vertex_groups[block.vertex_group].index
            for vertex in item.data.vertices:
                for entry in vertex.groups:
                    if entry.group == group:
                        share[vertex.index] = entry.weight
            deltas = deltas * share[:, None]
        found.append(deltas)
    return found


def _part(arrays, material):
    """A part of the scene from its arrays."""
    starts = arrays.starts
    faces = lig.Faces(arrays.corners, arrays.kind, starts)
    out = lig.Part(arrays.positions, faces, material, arrays.normals, uvs=arrays.uvs, colors=arrays.colors)
    if arrays.influences is not None:
        out.influences = lig.Influences(*arrays.influences)
    out.morphs = [lig.MorphDeltas(deltas) for deltas in arrays.morphs]
    return out
