"""Objects and bones as nodes."""

import bpy
import ligament as lig
import numpy as np

from .. import extras
from ..axes import TO_BLENDER, TO_SCENE, decomposed, inverted, read_matrices
from .armature import SHEAR, Armature
from .select import deformers

class Item:
    """An object and its node."""

    def __init__(self, item, parent, node):
        self.item, self.parent, self.node = item, parent, node
        # Names alone are not unique with linked libraries.
        self.name = item.name_full
        # Cameras and lights look along -Z in Blender and in the scene, so they are rotated from outside only.
        self.turned = item.type not in {"CAMERA", "LIGHT"}
        self.bone = None
        self.armature = None
        # Read now, because the modifiers are switched off while meshes are read.
        self.deformers = deformers(item)
        # Filled in by geometry.py: the names of exported shape keys, and the armatures of a skinned mesh.
        self.morphs = []
        self.skinned_by = []


class Instance:
    """An instance made by collections, particles or geometry nodes, and its node."""

    def __init__(self, node, parent, key, item, world):
        self.node, self.parent, self.item, self.world = node, parent, item, world
        # Identifies it across frames.
        self.key = key


class Copy:
    """An armature that is instanced together with its mesh: a copy of the bones, under a node at the instance's armature."""

    def __init__(self, node, item, armature, source, instance):
        self.node, self.item, self.armature = node, item, armature
        self.name = item.name_full
        # The mesh that is instanced with it; the armature has the same transform relative to it as the original.
        self.source, self.instance = source, instance


class Tree:
    """All nodes of the scene, and their transforms."""

    def __init__(self, scene, objects, settings):
        self.scene, self.items, self.by_name, self.settings = scene, [], {}, settings
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
            entry.armature = Armature(item, settings)
            self._add_bones(entry)

    def _add_bones(self, entry):
        armature = entry.armature
        armature.first_node = len(self.scene.nodes)
        bones = entry.item.data.bones
        for name, parent, length in zip(armature.names, armature.parents, armature.lengths):
            above = entry.node if parent < 0 else armature.first_node + int(parent)
            tip = (0.0, float(length), 0.0)
            self.scene.nodes.append(lig.Node(name, above, tip=tip, extras=extras.of(bones[name])))
        self._add_leaves(armature)

    def _add_leaves(self, armature):
        """Adds a node at the tip of each bone without children, if these are asked for."""
        armature.leaves = []
        for index in np.setdiff1d(np.arange(len(armature.names)), armature.parents) if self.settings.leaf_bones else ():
            armature.leaves.append((len(self.scene.nodes), armature.lengths[index]))
            self.scene.nodes.append(lig.Node(f"{armature.names[index]}_leaf", armature.first_node + int(index)))

    def add_instance(self, item, parent, key, world):
        """Adds a node that is not an object of its own. `world` is its world matrix in Blender."""
        number = len(self.scene.nodes)
        node = lig.Node(item.name, parent.node)
        self.scene.nodes.append(node)
        self.instances.append(Instance(number, parent, key, item, world))
        return node, self.instances[-1]

    def instance_locals(self, instance, worlds, places):
        """An instance relative to its instancer in every frame, (frames, 4, 4), and where that is defined."""
        backwards, sound = inverted(scene_matrix(instance.parent, worlds[instance.parent.name]))
        there = np.isfinite(places[:, 0, 0])
        places = np.where(there[:, None, None], places, np.eye(4))
        return backwards @ TO_SCENE @ places @ TO_BLENDER, sound & there

    def instanced_objects(self):
        """Instanced skinned meshes and their armatures, except for those that are exported themselves."""
        found = dict.fromkeys(i for mesh, by in self.instanced_skins.values() for i in (mesh, *(d.item for d in by)))
        return [item for item in found if item.name_full not in self.by_name]

    def add_copy(self, item, source, instance, settings):
        """Adds the bones of an instanced armature."""
        armature = Armature(item, settings)
        entry = Copy(len(self.scene.nodes), item, armature, source, instance)
        self.scene.nodes.append(lig.Node(item.name, instance.parent.node))
        self.copies.append(entry)
        self._add_bones(entry)
        return entry

    def copy_locals(self, entry, worlds, places):
        """An instanced armature relative to its instancer in every frame, and where that is defined."""
        backwards, sound = inverted(worlds[entry.source])
        moved = places @ backwards @ worlds[entry.name]
        local, known = self.instance_locals(entry.instance, worlds, moved)
        return local, known & sound

    @property
    def armatures(self):
        return [item for item in self.items if item.armature is not None]

    def read_worlds(self):
        """The world matrix of every object in Blender, by name."""
        objects = bpy.data.objects
        return dict(zip((item.name_full for item in objects), read_matrices(objects, "matrix_world", len(objects))))

    def read_rest(self):
        """Stores all transforms with the armatures at rest."""
        self.rest_worlds = self.read_worlds()
        self.globals, self.instances, self.copies = {}, [], []
        for entry in self.items:
            self.globals[entry.name] = scene_matrix(entry, self.rest_worlds[entry.name])

    def place(self):
        """Computes the rest transforms of all nodes relative to their parents."""
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
        self.locals[bones] = armature.locals(armature.stance[None])[0][0]
        for node, length in armature.leaves:
            self.locals[node, 1, 3] = length

    def object_locals(self, entry, worlds, poses):
        """An object relative to its parent in every frame, (frames, 4, 4), and where that is defined."""
        own = scene_matrix(entry, worlds[entry.name])
        above = self._above(entry, worlds, poses)
        if above is None:
            return own, np.ones(len(own), dtype=bool)
        backwards, sound = inverted(above)
        return backwards @ own, sound

    def object_worlds(self, entry, local, worlds, poses):
        """The inverse of `object_locals`: world matrices in Blender."""
        above = self._above(entry, worlds, poses)
        own = TO_BLENDER @ (local if above is None else above @ local)
        return own @ TO_SCENE if entry.turned else own

    def _above(self, entry, worlds, poses):
        """The parent's matrix in every frame; None without a parent."""
        parent = entry.parent
        if parent is None:
            return None
        if entry.bone is not None:
            return TO_SCENE @ worlds[parent.name] @ poses[parent.name][:, entry.bone]
        return scene_matrix(parent, worlds[parent.name])

    def finish(self, notes):
        """Writes the rest transforms into the nodes. Animated nodes cannot be sheared."""
        translation, rotation, scale, error = decomposed(self.locals)
        for index, node in enumerate(self.scene.nodes):
            if error[index] > SHEAR and index not in self.moving:
                node.matrix = self.locals[index].astype(np.float32)
                continue
            if error[index] > SHEAR:
                notes.add("BL113", f"node {node.name!r}", "is animated and sheared; the shear is dropped", 1, error[index])
            node.translation = tuple(map(float, translation[index]))
            node.rotation = tuple(map(float, rotation[index]))
            node.scale = tuple(map(float, scale[index]))


def scene_matrix(entry, world):
    """An object's matrix in the scene, from its world matrix in Blender."""
    turned = TO_SCENE @ world
    return turned @ TO_BLENDER if entry.turned else turned
