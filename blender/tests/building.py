"""Building blocks for the test scenes: meshes, armatures, keys and materials, the same in every Blender."""

import math

import bpy
from mathutils import Euler


def empty_file():
    # Not the factory settings, which would remove the add-on.
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.render.fps = 24


def link(name, data=None):
    item = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(item)
    return item


def mesh(name, vertices, faces, uv=True):
    data = bpy.data.meshes.new(name)
    data.from_pydata([tuple(v) for v in vertices], [], faces)
    if uv and faces:
        layer = data.uv_layers.new(name="UVMap")
        for loop in data.loops:
            place = data.vertices[loop.vertex_index].co
            layer.data[loop.index].uv = (place.x * 0.31 + 0.1, place.z * 0.23 + place.y * 0.11)
    data.update()
    return data


def tube(name, rings=9, sides=8, height=4.0, radius=0.5, smooth=True):
    """A tube along Z, slightly askew so that no two vertices coincide."""
    vertices = []
    for ring in range(rings):
        for side in range(sides):
            angle = 2 * math.pi * side / sides + 0.07
            r = radius * (1 + 0.02 * side + 0.013 * ring)
            vertices.append((r * math.cos(angle), r * math.sin(angle), height * ring / (rings - 1)))
    faces = []
    for ring in range(rings - 1):
        for side in range(sides):
            a, b = ring * sides + side, ring * sides + (side + 1) % sides
            faces.append((a, b, b + sides, a + sides))
    faces.append(tuple(reversed(range(sides))))
    faces.append(tuple(range((rings - 1) * sides, rings * sides)))
    data = mesh(name, vertices, faces)
    for polygon in data.polygons:
        polygon.use_smooth = smooth and len(polygon.vertices) == 4
    return data


def box(name, size=(1.0, 1.3, 0.7)):
    x, y, z = size
    vertices = [(sx * x / 2, sy * y / 2, sz * z / 2) for sz in (-1, 1) for sy in (-1, 1) for sx in (-1, 1)]
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return mesh(name, vertices, faces)


def armature(name, bones):
    """`bones`: (name, head, tail, parent)."""
    data = bpy.data.armatures.new(name)
    item = link(name, data)
    bpy.context.view_layer.objects.active = item
    bpy.ops.object.mode_set(mode="EDIT")
    for bone, head, tail, parent in bones:
        made = data.edit_bones.new(bone)
        made.head, made.tail, made.roll = head, tail, 0.3
        if parent:
            made.parent = data.edit_bones[parent]
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in item.pose.bones:
        bone.rotation_mode = "QUATERNION"
    return item


def chain(name, count=3, height=4.0):
    step = height / count
    return armature(name, [
        (f"{name}.bone{i}", (0, 0, i * step), (0, 0, (i + 1) * step), f"{name}.bone{i - 1}" if i else None)
        for i in range(count)
    ])


def weigh(item, rig, names, height=4.0):
    """Weights of a tube that blend smoothly from bone to bone."""
    groups = [item.vertex_groups.new(name=name) for name in names]
    for vertex in item.data.vertices:
        place = vertex.co.z / height * len(names) - 0.5
        for index, group in enumerate(groups):
            weight = max(0.0, 1.0 - abs(place - index) * 0.7)
            if weight > 0.01:
                group.add([vertex.index], weight, "REPLACE")
    item.modifiers.new("Armature", "ARMATURE").object = rig


def key_bone(rig, bone, frame, turn=(0, 0, 0), move=(0, 0, 0), scale=(1, 1, 1)):
    posed = rig.pose.bones[bone]
    posed.rotation_quaternion = Euler(turn).to_quaternion()
    posed.location, posed.scale = move, scale
    for path in ("rotation_quaternion", "location", "scale"):
        posed.keyframe_insert(path, frame=frame)


def swing(rig, frames=(1, 13, 25), size=1.0):
    for index, bone in enumerate(rig.pose.bones):
        key_bone(rig, bone.name, frames[0])
        key_bone(rig, bone.name, frames[1], (0.5 * size, 0.3 * index, -0.4), (0.0, 0.1 * index, 0.05))
        key_bone(rig, bone.name, frames[2], (-0.3 * size, 0.1, 0.2 * index))


def new_action(item, name):
    """Assigns a new action, which receives the next keys."""
    data = item.animation_data or item.animation_data_create()
    data.action = bpy.data.actions.new(name)
    return data.action


def stash(item, name):
    """Moves the current action to an NLA strip in a track of its own."""
    data = item.animation_data
    action = data.action
    track = data.nla_tracks.new()
    track.name = name
    strip = track.strips.new(name, int(action.frame_range[0]), action)
    strip.name = name
    data.action = None
    return strip


def principled(name, color, image=None):
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    nodes = material.node_tree.nodes
    shader = next(n for n in nodes if n.type == "BSDF_PRINCIPLED") if nodes else nodes.new("ShaderNodeBsdfPrincipled")
    shader.inputs["Base Color"].default_value = color
    shader.inputs["Roughness"].default_value = 0.4
    if image is not None:
        texture = nodes.new("ShaderNodeTexImage")
        texture.image = image
        material.node_tree.links.new(texture.outputs["Color"], shader.inputs["Base Color"])
    return material


def vertex_colored(name):
    """A material whose colour is that of the vertices."""
    material = principled(name, (1.0, 1.0, 1.0, 1.0))
    nodes = material.node_tree.nodes
    shader = next(n for n in nodes if n.type == "BSDF_PRINCIPLED")
    material.node_tree.links.new(nodes.new("ShaderNodeVertexColor").outputs["Color"], shader.inputs["Base Color"])
    return material


def checker():
    image = bpy.data.images.new("checker", 8, 8)
    image.pixels = [v for i in range(64) for v in ((i % 2, (i // 8) % 2, 0.5, 1.0))]
    image.pack()
    return image


def skinned(name="Tube", rig_name="Rig", bones=3):
    rig = chain(rig_name, bones)
    item = link(name, tube(name))
    weigh(item, rig, [bone.name for bone in rig.data.bones])
    item.parent = rig
    return rig, item
