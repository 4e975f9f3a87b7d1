"""Objects: nodes that are not bones, what they carry, and what bones carry."""

from math import pi

import bpy
import ligament as lig
import numpy as np
from mathutils import Matrix

from .. import extras, resting
from ..axes import TO_BLENDER, TO_SCENE, decomposed, inverted
from ..exporting.lamps import LUMEN_A_WATT
from . import meshes


class Objects:
    """The created objects, by node."""

    def __init__(self, context, scene, plan, materials, notes, welds=False, collection=None):
        self.context, self.scene, self.plan, self.notes = context, scene, plan, notes
        self.materials = materials
        # Whether vertices are joined.
        self.welds = welds
        self.items, self.bones, self.all = {}, {}, []
        # For objects of nodes: basis = left · local matrix of the node · right.
        self.frames = {}
        # The objects that draw a node's mesh, for its shape keys.
        self.drawn = {}
        self._meshes, self._cameras, self._lights = {}, {}, {}
        self._parents = {node.parent for node in scene.nodes}
        self._animated = {t.node for clip in scene.clips for t in clip.tracks if t.property != "weights"}
        # The active collection, unless its objects would be invisible or not editable.
        active = context.view_layer.active_layer_collection
        seen = not active.exclude and active.is_visible
        self._collection = active.collection if seen else context.scene.collection
        self._own = None
        if collection is not None:
            self._own = bpy.data.collections.new(collection)
            self._collection.children.link(self._own)
            self._collection = self._own

    def discard(self):
        """Removes the collection that was made for the objects."""
        if self._own is not None:
            bpy.data.collections.remove(self._own)

    def add(self, item):
        self._collection.objects.link(item)
        item.rotation_mode = "QUATERNION"
        self.all.append(item)
        return item

    def fill(self):
        """Creates all objects, parents first."""
        for number, node in enumerate(self.scene.nodes):
            if number in self.bones:
                self._carried(number, node)
                continue
            item = self.items.get(number)
            if item is None:
                item = self.items[number] = self._object(number, node)
            extras.put(item, node.extras)
            self._place(number, node, item)
            self._besides(node, item)
        for group in self.plan.groups:
            if not group.is_anchor and group.anchor is not None:
                above = group.item.parent = self.items[group.anchor]
                self._set_basis(group.item, inverted(self._turn(above))[0] @ TO_SCENE)
        self.context.view_layer.update()
        for number, node in enumerate(self.scene.nodes):
            if node.mesh is not None and self._is_skinned(node):
                self._skinned(number, node)

    def _is_skinned(self, node):
        return node.skin is not None and len(self.scene.skins[node.skin].joints) > 0

    def _object(self, number, node):
        """Creates the object of a node. Skinned meshes are objects of their own, under their armature."""
        name = node.name or f"node{number}"
        if node.mesh is None or self._is_skinned(node):
            return self.add(bpy.data.objects.new(name, self._data(node)))
        mesh = self.scene.meshes[node.mesh]
        # Nodes share the mesh unless their shape keys may differ.
        data, joined = self._meshes.get(node.mesh) or meshes.build(self, mesh, name, TO_BLENDER)
        if not mesh.morphs:
            self._meshes[node.mesh] = (data, joined)
        item = self.drawn[number] = self.add(bpy.data.objects.new(name, data))
        meshes.add_shapes(item, mesh, node, joined)
        return item

    def _data(self, node):
        return next(iter(self._lamps(node)), None)

    def _lamps(self, node):
        """The camera and the light of a node."""
        found = [self._camera(node.camera)] if node.camera is not None else []
        return found + ([self._light(node.light)] if node.light is not None else [])

    def _besides(self, node, item):
        """Adds further objects below a node's object, since an object can hold only one thing."""
        for data in self._lamps(node):
            if data != item.data:
                more = self.add(bpy.data.objects.new(data.name, data))
                more.parent = item
                self._set_basis(more, inverted(self._turn(item))[0] @ self._turn(more))

    def _turn(self, item):
        """The rotation between an object's axes and its node's; cameras and lights are rotated from outside only."""
        return np.eye(4) if item.type in {"CAMERA", "LIGHT"} else TO_SCENE

    def _place(self, number, node, item):
        parent = node.parent
        right = self._turn(item)
        if parent is None:
            left = TO_BLENDER
        elif parent in self.bones:
            left = self._under_bone(item, parent)
        else:
            above = self.items[parent]
            item.parent = above
            left = inverted(self._turn(above))[0]
        self.frames[number] = (item, left, right)
        self._set_basis(item, left @ self.plan.locals[number] @ right, number in self._animated)

    def _under_bone(self, item, node):
        """Parents an object to a bone; in Blender it is relative to the bone's tail."""
        bone = self.bones[node]
        group = self.plan.group_of[node]
        item.parent, item.parent_type, item.parent_bone = group.item, "BONE", bone.name
        tail = np.eye(4)
        tail[1, 3] = -bone.length
        return tail @ inverted(bone.constant)[0]

    def _set_basis(self, item, basis, animated=False):
        translation, rotation, scale, error = decomposed(basis[None])
        if error[0] > 1e-6 and not animated:
            # Location, rotation and scale cannot express shear, but the parent's inverse can.
            item.matrix_parent_inverse = Matrix(basis.tolist())
            if item.parent is None:
                self.notes.add("BL205", f"object {item.name!r}", "is sheared, which is impossible for an object without a parent",
                               1, float(error[0]))
                item.matrix_world = Matrix(basis.tolist())
            return
        resting.store(item, translation[0], rotation[0], scale[0])
        x, y, z, w = rotation[0]
        item.location, item.rotation_quaternion, item.scale = translation[0], (w, x, y, z), scale[0]

    def _carried(self, number, node):
        """Creates an object below a bone for its mesh, camera or light."""
        if node.camera is None and node.light is None and (node.mesh is None or self._is_skinned(node)):
            return
        item = self._object(number, node)
        self._set_basis(item, self._under_bone(item, number) @ self._turn(item))
        self._besides(node, item)

    def _skinned(self, number, node):
        """Creates a mesh under the armature of its skin."""
        skin = self.scene.skins[node.skin]
        group = self.plan.group_of[int(skin.joints[0])]
        name = node.name or f"node{number}"
        data, joined, pulls = meshes.skinned(self, node, name, skin, group)
        existing = self.items.get(number)
        bare = existing is not None and existing.type == "EMPTY" and not existing.children
        if bare and number not in self._parents and number not in self._animated:
            # The node carries nothing else, so this object stands for it.
            self.all.remove(existing)
            self.frames.pop(number, None)
            name = existing.name
            bpy.data.objects.remove(existing)
        item = self.add(bpy.data.objects.new(name, data))
        self.items[number] = item
        self.drawn[number] = item
        item.parent = group.item
        meshes.add_weights(item, pulls)
        meshes.add_shapes(item, self.scene.meshes[node.mesh], node, joined)
        item.modifiers.new("Armature", "ARMATURE").object = group.item

    def _camera(self, number):
        if number not in self._cameras:
            camera = self.scene.cameras[number]
            data = bpy.data.cameras.new(camera.name or f"camera{number}")
            data.sensor_fit = "VERTICAL"
            data.clip_start = camera.near
            data.clip_end = camera.far if camera.far is not None else max(1000.0, camera.near * 1e4)
            if isinstance(camera.projection, lig.Perspective):
                data.angle_y = camera.projection.fov_y
            else:
                data.type = "ORTHO"
                data.ortho_scale = 2.0 * camera.projection.half_height
            extras.put(data, camera.extras)
            self._cameras[number] = data
        return self._cameras[number]

    def _light(self, number):
        if number not in self._lights:
            light = self.scene.lights[number]
            kind = {"directional": "SUN", "point": "POINT", "spot": "SPOT"}[light.kind]
            data = bpy.data.lights.new(light.name or f"light{number}", kind)
            data.color = light.color
            data.energy = light.intensity if kind == "SUN" else light.intensity * 4.0 * pi / LUMEN_A_WATT
            if kind == "SPOT":
                data.spot_size = min(light.outer_angle * 2.0, pi)
                data.spot_blend = 1.0 - light.inner_angle / light.outer_angle if light.outer_angle > 0.0 else 0.0
            if light.range is not None and kind != "SUN":
                data.use_custom_distance, data.cutoff_distance = True, light.range
            extras.put(data, light.extras)
            self._lights[number] = data
        return self._lights[number]


def ambient(context, scene, notes):
    """Sets ambient light as the colour of the world, unless the open file has a world."""
    if scene.ambient is None:
        return
    if context.scene.world is not None:
        notes.add("BL124", "world", "the open scene has a world; the file's ambient light is dropped")
        return
    world = bpy.data.worlds.new("World")
    world.use_nodes = True
    background = next((n for n in world.node_tree.nodes if n.type == "BACKGROUND"), None)
    if background is None:
        background = world.node_tree.nodes.new("ShaderNodeBackground")
        output = world.node_tree.nodes.new("ShaderNodeOutputWorld")
        world.node_tree.links.new(background.outputs[0], output.inputs[0])
    background.inputs["Color"].default_value = (*scene.ambient[:3], 1.0)
    background.inputs["Strength"].default_value = 1.0
    world.color = scene.ambient[:3]
    context.scene.world = world
