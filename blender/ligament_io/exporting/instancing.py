"""Instances made by collections, particles, faces and geometry nodes."""

import ligament as lig
import numpy as np

from ..axes import TO_BLENDER, TO_SCENE, from_blender, inverted
from . import geometry, select, weights
from .armature import Armature
from .meshes import Source


def instances(graph):
    """Every instance that Blender draws, with a key that identifies it across frames."""
    for instance in graph.object_instances:
        if not instance.is_instance or instance.parent is None:
            continue
        original, parent = instance.object.original, instance.parent.original
        if original == parent and parent.type in select.CONVERTED:
            continue  # A curve's own mesh is read with the curve.
        yield instance, (parent.name_full, original.name_full, tuple(instance.persistent_id))


class Instances:
    """Reads instances, using the reader for meshes of objects."""

    def __init__(self, reader):
        self.reader, self.tree, self.scene = reader, reader.tree, reader.scene
        self.settings, self.notes = reader.settings, reader.notes
        # Caches of meshes with their inverse binds, and of armatures.
        self._skinned, self._copies = {}, {}

    def read(self):
        """Adds a node per instance."""
        for instance, key in instances(self.reader.graph):
            parent = self.tree.by_name.get(instance.parent.original.name_full)
            item = instance.object
            if parent is None:
                continue
            if item.type not in select.GEOMETRY:
                if item.type not in {"EMPTY", "ARMATURE"}:
                    kind = item.type.lower().replace("_", " ")
                    self.notes.add("BL101", f"{kind} {item.name!r}", "instances of this type are not exported")
                continue
            world = from_blender(instance.matrix_world)
            if item.original.name_full in self.tree.instanced_skins and item.original != parent.item:
                self._instanced_skin(item, parent, key, world)
                continue
            mesh = self._instanced_mesh(item, parent)
            if mesh is not None:
                self.tree.add_instance(item.original, parent, key, world)[0].mesh = mesh

    def _instanced_skin(self, item, parent, key, world):
        """Adds an instance of a skinned mesh: the same mesh, with bones of its own."""
        name = item.original.name_full
        _, deformers = self.tree.instanced_skins[name]
        if name not in self._skinned:
            mesh = self.reader.evaluated_mesh(item)
            self._skinned[name] = None
            if mesh is not None:
                try:
                    self._skinned[name] = self._skinned_mesh(item, mesh, deformers)
                finally:
                    item.to_mesh_clear()
        if self._skinned[name] is None:
            return
        number, binds = self._skinned[name]
        node, instance = self.tree.add_instance(item.original, parent, key, world)
        joints = []
        for rig in dict.fromkeys(d.item for d in deformers):
            # All meshes of one instance share its bones; only the first number of the key differs between them.
            shared = (parent.name, key[2][1:], rig.name_full)
            if shared not in self._copies:
                self._copies[shared] = self.tree.add_copy(rig, name, instance, self.settings)
            bones = self._copies[shared].armature
            joints += range(bones.first_node, bones.first_node + len(bones.names))
        joints.append(instance.node)
        node.mesh, node.skin = number, len(self.scene.skins)
        self.scene.skins.append(lig.Skin(np.array(joints, np.uint32), binds, name))

    def _skinned_mesh(self, item, mesh, deformers):
        """The mesh in world space, and the inverse bind matrices of its armatures' bones and of its own node."""
        name = item.original.name_full
        matrix = self.tree.rest_worlds[name]
        source = Source(mesh, self.notes, name)
        parts = source.parts(matrix, self.settings.loose)
        if not parts:
            return None
        rigs = {d.armature: Armature(d.item, self.settings) for d in deformers}
        joints, count = geometry.joint_numbers(rigs.items())
        globals_ = [TO_SCENE @ self.tree.rest_worlds[rig] @ armature.rest for rig, armature in rigs.items()]
        groups = [group.name for group in item.vertex_groups]
        found, _, _ = weights.influences(mesh, groups, deformers, joints, count)
        for part in parts:
            source.add_influences(part, found)
        if item.original.data.shape_keys is not None:
            self.notes.add("BL119", f"mesh {name!r}", "shape keys of instances are exported with their current values")
        globals_.append((TO_SCENE @ matrix @ TO_BLENDER)[None])
        binds, _ = inverted(np.concatenate(globals_))
        looks = self.reader.looks(item, source, parts)
        return self.reader.append(lig.Mesh(item.data.name), parts, looks, source), binds.astype(np.float32)

    def _instanced_mesh(self, item, parent):
        """The index of an instance's mesh, which belongs to an object or was made by geometry nodes."""
        original = item.original
        if original == parent.item:
            return self._made_mesh(item)
        shaped = getattr(original.data, "shape_keys", None) is not None
        plain = original.type == "MESH" and not shaped and not self.reader.is_its_own(original)
        shared = (original.data.name_full, geometry.slots_of(original))
        key = shared if plain else ("instance", original.name_full, item.data.name_full)
        if key not in self.reader.meshes:
            if shaped:
                self.notes.add("BL119", f"mesh {original.name!r}", "shape keys of instances are exported with their current values")
            mesh = self.reader.evaluated_mesh(item)
            self.reader.meshes[key] = None
            if mesh is not None:
                try:
                    self.reader.meshes[key] = self._plain_mesh(item, mesh)
                finally:
                    item.to_mesh_clear()
        return self.reader.meshes[key]

    def _made_mesh(self, item):
        key = ("made", item.original.name_full, item.data.as_pointer())
        if key not in self.reader.meshes:
            # With `preserve_all_data_layers`, Blender would return the mesh of the object that the nodes belong to.
            mesh = item.to_mesh()
            try:
                self.reader.meshes[key] = self._plain_mesh(item, mesh)
            finally:
                item.to_mesh_clear()
        return self.reader.meshes[key]

    def _plain_mesh(self, item, mesh):
        source = Source(mesh, self.notes, item.name)
        parts = source.parts(None, self.settings.loose)
        if not parts:
            return None
        return self.reader.append(lig.Mesh(item.data.name), parts, self.reader.looks(item, source, parts), source)
