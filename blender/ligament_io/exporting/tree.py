"""Objects and bones as nodes."""

import bpy
import ligament as lig
import numpy as np

from .. import extras, resting
from ..axes import TO_BLENDER, TO_SCENE, composed, decomposed, inverted, read_matrices
from .select import deformers

# What translation, rotation and scale may fail to say of a matrix before it is kept as a matrix.
SHEAR = 1e-6


class Armature:
    """The bones of an armature, parents first."""

    def __init__(self, item, only_deform):
        self.item = item
        bones = list(item.data.bones)
        kept = {bone.name for bone in bones}
        if only_deform:
            kept = set()
            for bone in bones:
                above = bone if bone.use_deform else None
                while above is not None:
                    kept.add(above.name)
                    above = above.parent
        order, placed = [], set()

        def place(bone):
            if bone.name in placed:
                return
            if bone.parent is not None:
                place(bone.parent)
            placed.add(bone.name)
            order.append(bone)

        for bone in bones:
            if bone.name in kept:
                place(bone)
        self.names = [bone.name for bone in order]
        self.number = {name: index for index, name in enumerate(self.names)}
        self.parents = np.array([self.number[b.parent.name] if b.parent else -1 for b in order], dtype=np.int64)
        # Where each is among `data.bones` and `pose.bones`, which Blender keeps in two orders.
        in_data = {bone.name: index for index, bone in enumerate(item.data.bones)}
        in_pose = {bone.name: index for index, bone in enumerate(item.pose.bones)}
        self.in_data = np.array([in_data[name] for name in self.names], dtype=np.int64)
        self.in_pose = np.array([in_pose[name] for name in self.names], dtype=np.int64)
        self.lengths = [bone.length for bone in order]
        self.deforms = [bone.use_deform for bone in order]
        self.rest = read_matrices(item.data.bones, "matrix_local", len(bones))[self.in_data]
        self.stance = self._stance()
        # Number of the first bone's node; the others follow.
        self.first_node = None

    def _stance(self):
        """Where the bones rest: as they are bound, unless the file that they came from has them otherwise."""
        stored = resting.of_bones(self.item)
        if not any(name in self.number for name in stored):
            return self.rest
        posed = self.rest.copy()
        for index, (name, parent) in enumerate(zip(self.names, self.parents)):
            values = np.array(stored.get(name, (0, 0, 0, 0, 0, 0, 1, 1, 1, 1)), dtype=np.float64)
            basis = composed(values[None, :3], values[None, 3:7], values[None, 7:])[0]
            between = self.rest[index] if parent < 0 else inverted(self.rest[parent])[0] @ self.rest[index]
            posed[index] = between @ basis if parent < 0 else posed[parent] @ between @ basis
        return posed

    def pose(self):
        """Where the bones are now, in the armature's space."""
        bones = self.item.pose.bones
        return read_matrices(bones, "matrix", len(bones))[self.in_pose]

    def locals(self, posed):
        """Bones against their parents: (..., bones, 4, 4) from poses of the same shape; and where that can be told."""
        out = np.empty_like(posed)
        roots = self.parents < 0
        out[..., roots, :, :] = TO_SCENE @ posed[..., roots, :, :]
        backwards, sound = inverted(posed[..., self.parents[~roots], :, :])
        out[..., ~roots, :, :] = backwards @ posed[..., ~roots, :, :]
        known = np.ones(posed.shape[:-2], dtype=bool)
        known[..., ~roots] = sound
        return out, known


class Item:
    """An object and its node."""

    def __init__(self, item, parent, node):
        self.item, self.parent, self.node = item, parent, node
        # Names alone are not unique where libraries are linked.
        self.name = item.name_full
        # Cameras and lights look along -Z in Blender and in the scene: they are turned from outside only.
        self.turned = item.type not in {"CAMERA", "LIGHT"}
        self.bone = None
        self.armature = None
        # Taken now, because the modifiers are switched off while meshes are read.
        self.deformers = deformers(item)
        # Filled in by geometry.py: the names of exported shape keys, and the armatures of a skinned mesh.
        self.morphs = []
        self.skinned_by = []


class Instance:
    """Something that collections, particles or geometry nodes put into the scene, and its node."""

    def __init__(self, node, parent, key, item, world):
        self.node, self.parent, self.item, self.world = node, parent, item, world
        # What Blender knows it by, from frame to frame.
        self.key = key


class Copy:
    """An armature that is instanced with a mesh of its own: the bones again, under a node that stands where the instance
    has the armature."""

    def __init__(self, node, item, armature, source, instance):
        self.node, self.item, self.armature = node, item, armature
        self.name = item.name_full
        # The mesh whose instance it comes with: what the instance does to the mesh it does to the armature.
        self.source, self.instance = source, instance


class Tree:
    """All nodes of the scene, and where they are."""

    def __init__(self, scene, objects, settings):
        self.scene, self.items, self.by_name = scene, [], {}
        self.moving = {}
        for item in objects:
            above = item.parent
            while above is not None and above.name_full not in self.by_name:
                above = above.parent
            self._add(item, self.by_name[above.name_full] if above is not None else None, settings)

    def _add(self, item, parent, settings):
        entry = Item(item, parent, len(self.scene.nodes))
        node = lig.Node(item.name, parent.node if parent else None, extras=extras.of(item))
        if parent is not None and parent.item == item.parent and item.parent_type == "BONE":
            armature = parent.armature
            if armature is not None and item.parent_bone in armature.number:
                entry.bone = armature.number[item.parent_bone]
                node.parent = armature.first_node + entry.bone
        self.scene.nodes.append(node)
        self.items.append(entry)
        self.by_name[item.name_full] = entry
        if item.type == "ARMATURE":
            entry.armature = Armature(item, settings.only_deform_bones)
            self._add_bones(entry)

    def _add_bones(self, entry):
        armature = entry.armature
        armature.first_node = len(self.scene.nodes)
        bones = entry.item.data.bones
        for name, parent, length in zip(armature.names, armature.parents, armature.lengths):
            above = entry.node if parent < 0 else armature.first_node + int(parent)
            tip = (0.0, float(length), 0.0)
            self.scene.nodes.append(lig.Node(name, above, tip=tip, extras=extras.of(bones[name])))

    def add_instance(self, item, parent, key, world):
        """A node that is no object of its own. `world` is where it is in Blender."""
        number = len(self.scene.nodes)
        node = lig.Node(item.name, parent.node)
        self.scene.nodes.append(node)
        self.instances.append(Instance(number, parent, key, item, world))
        return node, self.instances[-1]

    def instance_locals(self, instance, worlds, places):
        """An instance against what instances it in every frame, (frames, 4, 4), and where that can be told."""
        backwards, sound = inverted(scene_matrix(instance.parent, worlds[instance.parent.name]))
        there = np.isfinite(places[:, 0, 0])
        places = np.where(there[:, None, None], places, np.eye(4))
        return backwards @ TO_SCENE @ places @ TO_BLENDER, sound & there

    def instanced_objects(self):
        """Skinned meshes that are instanced, and their armatures, as far as they are not exported themselves."""
        found = dict.fromkeys(i for mesh, by in self.instanced_skins.values() for i in (mesh, *(d.item for d in by)))
        return [item for item in found if item.name_full not in self.by_name]

    def add_copy(self, item, source, instance, settings):
        """The bones of an instanced armature."""
        armature = Armature(item, settings.only_deform_bones)
        entry = Copy(len(self.scene.nodes), item, armature, source, instance)
        self.scene.nodes.append(lig.Node(item.name, instance.parent.node))
        self.copies.append(entry)
        self._add_bones(entry)
        return entry

    def copy_locals(self, entry, worlds, places):
        """An instanced armature against what instances it in every frame, and where that can be told."""
        backwards, sound = inverted(worlds[entry.source])
        moved = places @ backwards @ worlds[entry.name]
        local, known = self.instance_locals(entry.instance, worlds, moved)
        return local, known & sound

    @property
    def armatures(self):
        return [item for item in self.items if item.armature is not None]

    def read_worlds(self):
        """Where every object is in Blender, by its name."""
        objects = bpy.data.objects
        return dict(zip((item.name_full for item in objects), read_matrices(objects, "matrix_world", len(objects))))

    def read_rest(self):
        """Remembers where everything stands with the armatures at rest."""
        self.rest_worlds = self.read_worlds()
        self.globals, self.instances, self.copies = {}, [], []
        for entry in self.items:
            self.globals[entry.name] = scene_matrix(entry, self.rest_worlds[entry.name])

    def place(self):
        """The rest places of all nodes against their parents."""
        self.locals = np.tile(np.eye(4), (len(self.scene.nodes), 1, 1))
        for entry in self.items:
            local, _ = self.object_locals(entry, {name: m[None] for name, m in self.rest_worlds.items()},
                                          {a.name: a.armature.rest[None] for a in self.armatures})
            self.locals[entry.node] = local[0]
            if entry.armature is not None:
                self._place_bones(entry.armature)
        worlds = {name: matrix[None] for name, matrix in self.rest_worlds.items()}
        for instance in self.instances:
            self.locals[instance.node] = self.instance_locals(instance, worlds, instance.world[None])[0][0]
        for entry in self.copies:
            self.locals[entry.node] = self.copy_locals(entry, worlds, entry.instance.world[None])[0][0]
            self._place_bones(entry.armature)

    def _place_bones(self, armature):
        bones = slice(armature.first_node, armature.first_node + len(armature.names))
        self.locals[bones] = armature.locals(armature.stance)[0]

    def object_locals(self, entry, worlds, poses):
        """An object against its parent in every frame, (frames, 4, 4), and where that can be told."""
        own = scene_matrix(entry, worlds[entry.name])
        if entry.parent is None:
            return own, np.ones(len(own), dtype=bool)
        parent = entry.parent
        if entry.bone is not None:
            above = TO_SCENE @ worlds[parent.name] @ poses[parent.name][:, entry.bone]
        else:
            above = scene_matrix(parent, worlds[parent.name])
        backwards, sound = inverted(above)
        return backwards @ own, sound

    def finish(self, notes):
        """Writes the rest places into the nodes. Nodes that move cannot be sheared."""
        translation, rotation, scale, error = decomposed(self.locals)
        for index, node in enumerate(self.scene.nodes):
            if error[index] > SHEAR and index not in self.moving:
                node.matrix = self.locals[index].astype(np.float32)
                continue
            if error[index] > SHEAR:
                notes.add("BL113", f"node {node.name!r}", "moves and is sheared; the shear is left out", 1, error[index])
            node.translation = tuple(map(float, translation[index]))
            node.rotation = tuple(map(float, rotation[index]))
            node.scale = tuple(map(float, scale[index]))


def scene_matrix(entry, world):
    """An object's place in the scene, from that in Blender."""
    turned = TO_SCENE @ world
    return turned @ TO_BLENDER if entry.turned else turned
