"""Scenes for the tests, made by script so that they are the same in every Blender. Each starts from an empty file.

No two vertices of a scene share a position unless they move together: the tests match vertices by their rest position.
"""

import math

import bpy
import numpy as np
from mathutils import Matrix, Vector
from building import (
    link, mesh, tube, box, chain, key_bone, swing, new_action, stash, principled, checker, skinned,
)

SCENES = {}


def scene(function):
    SCENES[function.__name__] = function
    return function


@scene
def bend():
    """One skinned tube with two actions and a material with a texture."""
    rig, item = skinned()
    item.data.materials.append(principled("skin", (0.8, 0.4, 0.2, 1.0), checker()))
    new_action(rig, "swing")
    swing(rig)
    stash(rig, "swing")
    new_action(rig, "twist")
    key_bone(rig, "Rig.bone1", 1)
    key_bone(rig, "Rig.bone1", 9, (0, 1.2, 0))


@scene
def two_armatures():
    """Two rigs, moved and rotated, each with its own mesh and action."""
    for index, (name, place) in enumerate((("Left", (-2, 0.3, 0)), ("Right", (3, 1, 0.5)))):
        rig, _ = skinned(name + "Tube", name, 2 + index)
        rig.location = place
        rig.rotation_euler = (0.2, 0.1 * index, 0.5 - index)
        rig.scale = (1.0 + index, 1.0 + index, 1.0 + index)
        new_action(rig, name + "Swing")
        swing(rig, (1, 5 + index, 11))


@scene
def instances():
    """Two objects of one mesh, and a collection that is instanced twice."""
    data = box("Shared")
    for index in range(2):
        link(f"Box{index}", data).location = (index * 3, 0, 0)
    inner = bpy.data.collections.new("Inner")
    for index in range(2):
        item = bpy.data.objects.new(f"In{index}", tube(f"InTube{index}", 3, 5))
        item.location = (0, index * 2, 0.2)
        inner.objects.link(item)
    for index in range(2):
        empty = link(f"Instance{index}")
        empty.instance_type = "COLLECTION"
        empty.instance_collection = inner
        empty.location = (index * 4, 6, 1)
        empty.rotation_euler = (0, 0, 0.4 * index)


@scene
def moving_instances():
    """A disabled collection with a moving object, instanced by an empty that moves too."""
    inner = bpy.data.collections.new("Inner")
    bpy.context.scene.collection.children.link(inner)
    spinner = bpy.data.objects.new("Spinner", tube("Spinner", 3, 5))
    inner.objects.link(spinner)
    new_action(spinner, "spin")
    for frame, turn in ((1, 0.0), (9, 1.5)):
        spinner.rotation_euler = (0.2, turn, 0.0)
        spinner.location = (0.1 * frame, 0.0, 0.0)
        spinner.keyframe_insert("rotation_euler", frame=frame)
        spinner.keyframe_insert("location", frame=frame)
    bpy.context.view_layer.layer_collection.children["Inner"].exclude = True
    empty = link("Carrier")
    empty.instance_type, empty.instance_collection = "COLLECTION", inner
    new_action(empty, "carry")
    for frame, place in ((1, (0, 0, 0)), (7, (3, 1, 2))):
        empty.location = place
        empty.keyframe_insert("location", frame=frame)


@scene
def instanced_rig():
    """A rigged tube with a hat, in a disabled collection that is instanced twice, once by a moving object."""
    inner = bpy.data.collections.new("Inner")
    bpy.context.scene.collection.children.link(inner)
    rig, item = skinned(bones=2)
    for group in item.vertex_groups:
        group.remove([7])
    hat = link("Hat", tube("Hat", 3, 6, 1.0, 0.8))
    hat.location = (0, 0, 4.2)
    hat.vertex_groups.new(name="Rig.bone1").add(range(len(hat.data.vertices)), 1.0, "REPLACE")
    hat.modifiers.new("Armature", "ARMATURE").object = rig
    hat.parent = rig
    rig.location = (0.3, 0.2, 0.1)
    for part in (rig, item, hat):
        inner.objects.link(part)
        bpy.context.scene.collection.objects.unlink(part)
    new_action(rig, "swing")
    swing(rig, (1, 5, 9))
    bpy.context.view_layer.layer_collection.children["Inner"].exclude = True
    for index in range(2):
        empty = link(f"Carrier{index}")
        empty.instance_type, empty.instance_collection = "COLLECTION", inner
        empty.location, empty.rotation_euler = (4 * index, 1, 0), (0, 0.2, 0.7 * index)
        empty.scale = (1.0 + 0.5 * index,) * 3
    new_action(empty, "carry")
    for frame, place in ((1, (4, 1, 0)), (7, (6, 1, 2))):
        empty.location = place
        empty.keyframe_insert("location", frame=frame)


@scene
def vertex_instances():
    """A mesh with a box instanced on its vertices; neither the mesh nor the box itself is drawn."""
    carrier = link("Carrier", box("CarrierBox", (3, 4, 5)))
    carrier.instance_type = "VERTS"
    carrier.show_instancer_for_viewport = False
    carried = link("Carried", box("Carried", (0.3, 0.4, 0.5)))
    carried.parent = carrier
    link("Beside", box("Beside")).location = (8, 0, 0)
    new_action(carrier, "turn")
    for frame, angle in ((1, 0.0), (8, 0.9)):
        carrier.rotation_euler = (0.1, angle, 0.2)
        carrier.keyframe_insert("rotation_euler", frame=frame)


@scene
def modifiers():
    """A mirror and a bevel before the armature."""
    rig, item = skinned(bones=2)
    item.modifiers.new("Solid", "SOLIDIFY").thickness = 0.1
    item.modifiers.move(1, 0) if hasattr(item.modifiers, "move") else _first(item, "Solid")
    new_action(rig, "swing")
    swing(rig, (1, 6, 11))
    other = link("Mirrored", box("Half"))
    other.location = (4, 0, 0)
    other.data.transform(Matrix.Translation((0.9, 0, 0)))
    other.modifiers.new("Mirror", "MIRROR")
    array = other.modifiers.new("Array", "ARRAY")
    array.count, array.relative_offset_displace = 2, (0, 1.7, 0.1)


def _first(item, name):
    bpy.context.view_layer.objects.active = item
    bpy.ops.object.modifier_move_to_index(modifier=name, index=0)


@scene
def nla():
    """Strips that are scaled, repeated and reversed."""
    rig, _ = skinned(bones=2)
    new_action(rig, "wave")
    swing(rig, (1, 5, 9))
    strip = stash(rig, "wave slow")
    strip.scale = 2.0
    new_action(rig, "nod")
    key_bone(rig, "Rig.bone1", 1)
    key_bone(rig, "Rig.bone1", 7, (0.9, 0, 0))
    strip = stash(rig, "nod back")
    strip.use_reverse = True
    strip.repeat = 2.0


@scene
def negative_scale():
    """Mirrored objects, still and skinned, and a mirrored parent."""
    item = link("Mirrored", tube("Still", 4, 6))
    item.scale, item.location, item.rotation_euler = (-1, 1.5, 0.7), (3, 0, 0), (0.2, 0.5, 0.1)
    child = link("Child", box("ChildBox"))
    child.parent, child.location, child.rotation_euler = item, (0.3, 1.1, 4.9), (0.1, 0.0, 0.3)
    rig, tube_ = skinned(bones=2)
    rig.scale = (1, -1, 1)
    rig.location = (-3, 0, 0)
    new_action(rig, "swing")
    swing(rig, (1, 4, 8))


@scene
def no_materials():
    """Faces without a material, without UVs, and one of two slots empty."""
    item = link("Plain", box("Plain"))
    while item.data.uv_layers:
        item.data.uv_layers.remove(item.data.uv_layers[0])
    other = link("Slots", tube("Slots", 4, 5))
    other.location = (3, 0, 0)
    other.data.materials.append(None)
    other.data.materials.append(principled("one", (0.1, 0.6, 0.3, 1.0)))
    for index, polygon in enumerate(other.data.polygons):
        polygon.material_index = index % 2


@scene
def ngons():
    """Faces of five to eight corners, one of them concave, with custom normals."""
    star = []
    for index in range(10):
        angle, r = math.pi * index / 5 + 0.1, (1.0 if index % 2 == 0 else 0.45) * (1 + 0.03 * index)
        star.append((r * math.cos(angle), r * math.sin(angle), 0.0))
    vertices = star + [(x, y, 0.6) for x, y, _ in star]
    faces = [tuple(reversed(range(10))), tuple(range(10, 20))]
    faces += [(i, (i + 1) % 10, 10 + (i + 1) % 10, 10 + i) for i in range(10)]
    item = link("Star", mesh("Star", vertices, faces))
    data = item.data
    normals = [Vector((0.3, 0.2, 1.0)).normalized() if i % 3 else Vector((0, 0, 1)) for i in range(len(data.loops))]
    for polygon in data.polygons:
        polygon.use_smooth = True
    if bpy.app.version < (4, 1, 0):
        data.use_auto_smooth = True
    data.normals_split_custom_set(normals)
    colors = data.color_attributes.new("Col", "FLOAT_COLOR", "CORNER")
    colors.data.foreach_set("color", np.linspace(0, 1, len(data.loops) * 4).astype(np.float32))


@scene
def shape_keys():
    """Two shape keys with an action, on a mesh without a skeleton."""
    item = link("Face", tube("Face", 5, 6, 2.0))
    item.shape_key_add(name="Basis")
    for index, name in enumerate(("smile", "frown")):
        block = item.shape_key_add(name=name)
        for i, point in enumerate(block.data):
            point.co += Vector((0.1 * index, 0.05 * (i % 3), 0.2 - 0.3 * index)) * (i % 4) * 0.3
    keys = item.data.shape_keys
    keys.name = "FaceKeys"
    keys.animation_data_create()
    keys.animation_data.action = bpy.data.actions.new("talk")
    for frame, smile, frown in ((1, 0.0, 0.0), (5, 1.0, 0.2), (11, 0.3, 0.9)):
        for name, value in (("smile", smile), ("frown", frown)):
            keys.key_blocks[name].value = value
            keys.key_blocks[name].keyframe_insert("value", frame=frame)


@scene
def camera_and_lights():
    """A camera, three lights, a world colour, and a moving object."""
    camera = link("Camera", bpy.data.cameras.new("Camera"))
    camera.location, camera.rotation_euler = (4, -5, 3), (1.1, 0.0, 0.6)
    camera.data.lens = 35
    for kind, place in (("POINT", (2, 2, 3)), ("SUN", (0, 0, 5)), ("SPOT", (-2, 1, 4))):
        light = link(kind.title(), bpy.data.lights.new(kind.title(), kind))
        light.location, light.rotation_euler = place, (0.3, 0.2, 0.1)
        light.data.energy = 5.0
    world = bpy.data.worlds.new("World")
    bpy.context.scene.world = world
    world.use_nodes = False if bpy.app.version < (5, 0, 0) else True
    world.color = (0.1, 0.2, 0.3)
    item = link("Box", box("Box"))
    new_action(item, "slide")
    for frame, place, turn in ((1, (0, 0, 0), 0.0), (11, (1, 2, 0.5), 1.0)):
        item.location, item.rotation_euler = place, (0.1, turn, 0.2)
        item.keyframe_insert("location", frame=frame)
        item.keyframe_insert("rotation_euler", frame=frame)


@scene
def inverse_kinematics():
    """An arm that reaches for a moving empty, and a bone that copies another's rotation."""
    rig, _ = skinned(bones=4)
    target = link("Target")
    goal = rig.pose.bones["Rig.bone3"].constraints.new("IK")
    goal.target, goal.chain_count = target, 3
    copy = rig.pose.bones["Rig.bone0"].constraints.new("COPY_ROTATION")
    copy.target = target
    copy.influence = 0.3
    new_action(target, "reach")
    for frame, place in ((1, (0.2, 0.1, 4.2)), (8, (2.0, 0.4, 2.5)), (15, (0.5, 2.2, 2.0))):
        target.location = place
        target.rotation_euler = (0.0, 0.02 * frame, 0.3)
        target.keyframe_insert("location", frame=frame)
        target.keyframe_insert("rotation_euler", frame=frame)


@scene
def parents():
    """Nested objects, with a non-uniformly scaled parent and a moving one."""
    base = link("Base", box("BaseBox"))
    base.scale, base.rotation_euler = (2.0, 1.0, 0.5), (0.0, 0.3, 0.4)
    child = link("Child", box("ChildBox", (0.4, 0.5, 0.6)))
    child.parent, child.location, child.rotation_euler = base, (1, 0.2, 1.5), (0.5, 0.0, 0.2)
    mover = link("Mover")
    mover.location = (5, 0, 0)
    rider = link("Rider", tube("Rider", 3, 5, 1.0))
    rider.parent, rider.location = mover, (0.5, 0.6, 0.7)
    rider.matrix_parent_inverse = Matrix.Translation((0.2, 0.0, 0.1))
    new_action(mover, "ride")
    for frame, turn in ((1, 0.0), (6, 0.8), (11, -0.4)):
        mover.rotation_euler = (0.1, 0.2, turn)
        mover.keyframe_insert("rotation_euler", frame=frame)


@scene
def on_a_bone():
    """A box held by the last bone of a rig."""
    rig, _ = skinned(bones=3)
    held = link("Held", box("HeldBox", (0.5, 0.6, 0.8)))
    held.parent, held.parent_type, held.parent_bone = rig, "BONE", "Rig.bone2"
    held.location, held.rotation_euler = (0.9, 0.3, 0.2), (0.3, 0.0, 0.5)
    new_action(rig, "swing")
    swing(rig, (1, 6, 13))


@scene
def uneven_weights():
    """Six influences per vertex, weights that do not sum to one, and vertices without weights."""
    rig, item = skinned(bones=6)
    for vertex in item.data.vertices:
        if vertex.index % 11 == 3:
            for group in item.vertex_groups:
                group.remove([vertex.index])
        elif vertex.index % 3 == 0:
            for index, group in enumerate(item.vertex_groups):
                group.add([vertex.index], 0.05 * (index + 1), "REPLACE")
    new_action(rig, "swing")
    swing(rig, (1, 5, 9), 0.5)


@scene
def hidden_rig():
    """Invisible rigs: one hidden, one in a disabled collection."""
    rig, _ = skinned(bones=2)
    rig.location = (0.5, 0, 0)
    new_action(rig, "swing")
    swing(rig, (1, 5, 9))
    other, tube_ = skinned("Far", "FarRig", 2)
    other.location = (4, 0, 0)
    hidden = bpy.data.collections.new("Hidden")
    bpy.context.scene.collection.children.link(hidden)
    hidden.objects.link(other)
    bpy.context.scene.collection.objects.unlink(other)
    new_action(other, "far swing")
    swing(other, (1, 4, 8))
    rig.hide_set(True)
    hidden.hide_viewport = True


@scene
def two_armatures_on_one_mesh():
    """A tube whose lower half belongs to one rig and whose upper half to another; one of them has partial strength."""
    low, item = skinned("Tube", "Low", 2)
    high = chain("High", 3)
    high.location = (0.1, 0, 0)
    low.name, high.name = "Low", "High"
    for group in list(item.vertex_groups):
        group.remove([v.index for v in item.data.vertices if v.co.z > 1.9])
    share = item.vertex_groups.new(name="share")
    for index, bone in enumerate(high.data.bones):
        group = item.vertex_groups.new(name=bone.name)
        for vertex in item.data.vertices:
            if vertex.co.z > 1.9:
                group.add([vertex.index], 0.2 + 0.3 * index, "REPLACE")
    for vertex in item.data.vertices:
        share.add([vertex.index], 0.25 + 0.18 * vertex.co.z, "REPLACE")
    second = item.modifiers.new("High", "ARMATURE")
    second.object, second.vertex_group = high, "share"
    new_action(low, "bow")
    swing(low, (1, 5, 9), 0.4)
    stash(low, "bow")
    new_action(high, "wave")
    swing(high, (1, 5, 9), 0.4)


@scene
def stepped():
    """Constant keys, a fractional frame rate, and a start frame other than 1."""
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = 30, 1.001
    rig, _ = skinned(bones=2)
    action = new_action(rig, "hold")
    swing(rig, (11, 14, 20))
    curves = action.fcurves if hasattr(action, "fcurves") else action.layers[0].strips[0].channelbags[0].fcurves
    for curve in curves:
        for point in curve.keyframe_points:
            point.interpolation = "CONSTANT"


@scene
def moving_rig():
    """An armature that moves as a whole, with a vertex without a bone, under a rotating parent."""
    turn = link("Turn")
    turn.location = (1, 0, 0)
    rig, item = skinned(bones=2)
    rig.parent = turn
    for group in item.vertex_groups:
        group.remove([5, 40])
    new_action(rig, "walk")
    swing(rig, (1, 5, 9), 0.6)
    for frame, place in ((1, (0, 0, 0)), (9, (2, 1, 0.5))):
        rig.location = place
        rig.keyframe_insert("location", frame=frame)
    new_action(turn, "turn")
    for frame, angle in ((1, 0.0), (7, 1.3)):
        turn.rotation_euler = (0, 0, angle)
        turn.keyframe_insert("rotation_euler", frame=frame)


@scene
def shape_keys_on_a_skin():
    """Shape keys and bones at once, a mask on a key, and a modifier after the keys."""
    rig, item = skinned(bones=2)
    item.shape_key_add(name="Basis")
    block = item.shape_key_add(name="bulge")
    for index, point in enumerate(block.data):
        point.co += Vector((0.2 * (index % 3), 0.1, 0.05 * index / 8))
    block.vertex_group = "Rig.bone0"
    new_action(rig, "swing")
    swing(rig, (1, 4, 8), 0.5)
    stash(rig, "swing")
    keys = item.data.shape_keys
    keys.animation_data_create()
    keys.animation_data.action = bpy.data.actions.new("breathe")
    for frame, value in ((1, 0.0), (6, 0.9)):
        block.value = value
        block.keyframe_insert("value", frame=frame)


@scene
def scaled_bones():
    """Bones that are scaled, one non-uniformly."""
    rig, _ = skinned(bones=3)
    new_action(rig, "grow")
    for bone in rig.pose.bones:
        key_bone(rig, bone.name, 1)
    key_bone(rig, "Rig.bone0", 9, (0.2, 0, 0), scale=(1.5, 1.5, 1.5))
    key_bone(rig, "Rig.bone2", 9, (0, 0.4, 0), scale=(1.2, 0.6, 0.9))


@scene
def curves_and_friends():
    """A bevelled curve, a text, a metaball and a surface, which become meshes; a lattice, which does not."""
    curve = bpy.data.curves.new("Curve", "CURVE")
    curve.dimensions, curve.bevel_depth, curve.resolution_u = "3D", 0.1, 3
    spline = curve.splines.new("POLY")
    spline.points.add(2)
    for point, place in zip(spline.points, ((0, 0, 0, 1), (1, 0.5, 0.2, 1), (1.5, 1.5, 1, 1))):
        point.co = place
    link("Curve", curve)
    link("Lattice", bpy.data.lattices.new("Lattice")).location = (9, 0, 0)
    ball = bpy.data.metaballs.new("Ball")
    ball.resolution = 0.4
    ball.elements.new().co = (0, 0, 0)
    link("Ball", ball).location = (5, 0, 0)
