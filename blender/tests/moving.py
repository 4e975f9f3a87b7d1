"""Scenes in which modifiers, curves or physics move vertices, made by script. Each starts from an empty file; frames 1 to 20.

Each says how its motion is exported: as `joints`, as `morphs`, or `frozen`, where that cannot be."""

import bpy
import building
from building import link, tube
from mathutils import Vector

SCENES = {}


def scene(how):
    def store(function):
        SCENES[function.__name__] = (function, how)
        return function
    return store


def key(item, path, values, frames=(1, 20)):
    for frame, value in zip(frames, values):
        setattr(item, path, value)
        item.keyframe_insert(path, frame=frame)


def control(name="Control", **moves):
    """An empty that is moved: an attribute's first and last value."""
    empty = link(name)
    for path, values in moves.items():
        key(empty, path, values)
    return empty


def small_tube(name="Tube", rings=9, radius=0.25, height=2.0):
    return link(name, tube(name, rings, 8, height, radius))


def bent_body():
    rig, item = building.skinned(bones=2)
    building.new_action(rig, "swing")
    building.swing(rig, (1, 10, 20), 0.8)
    return rig, item


def nodes(item, name="Nodes"):
    """A modifier of geometry nodes: its tree, and its input and output."""
    tree = bpy.data.node_groups.new(name, "GeometryNodeTree")
    for way in ("INPUT", "OUTPUT"):
        if bpy.app.version >= (4, 0, 0):
            tree.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
        else:
            (tree.inputs if way == "INPUT" else tree.outputs).new("NodeSocketGeometry", "Geometry")
    item.modifiers.new(name, "NODES").node_group = tree
    return tree, tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")


def select_alone(item):
    for other in bpy.data.objects:
        other.select_set(False)
    item.select_set(True)
    bpy.context.view_layer.objects.active = item


@scene("joints")
def mirror():
    """A mirror object that moves."""
    item = small_tube()
    item.location = (0.5, 0, 0)
    item.modifiers.new("Mirror", "MIRROR").mirror_object = control(location=((0, 0, 0), (-2, 0, 0)))


@scene("joints")
def array():
    """An offset object that moves and turns."""
    item = small_tube(rings=4)
    modifier = item.modifiers.new("Array", "ARRAY")
    modifier.use_object_offset, modifier.use_relative_offset, modifier.count = True, False, 5
    modifier.offset_object = control(location=((0.5, 0, 0), (1.5, 0, 0.5)), rotation_euler=((0, 0, 0), (0.1, 0.2, 0.4)))


@scene("morphs")
def driver():
    """A driver on Simple Deform."""
    item = small_tube()
    modifier = item.modifiers.new("Bend", "SIMPLE_DEFORM")
    modifier.deform_method, modifier.angle = "BEND", 0.0
    curve = modifier.driver_add("angle")
    variable = curve.driver.variables.new()
    variable.type = "TRANSFORMS"
    variable.targets[0].id, variable.targets[0].transform_type = control(location=((0, 0, 0), (1.5, 0, 0))), "LOC_X"
    curve.driver.expression = "var"


def cable(name="Cable"):
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions, curve.bevel_depth = "3D", 0.1
    spline = curve.splines.new("BEZIER")
    spline.bezier_points.add(1)
    spline.bezier_points[1].co = (2, 1, 1)
    return link(name, curve)


@scene("morphs")
def hooked_cable():
    item = cable()
    hook = item.modifiers.new("Hook", "HOOK")
    hook.object = control(location=((0, 0, 0), (0, 0, 1.5)))
    hook.vertex_indices_set([3, 4, 5])


@scene("frozen")
def growing_cable():
    item = cable()
    key(item.data, "bevel_factor_end", (0.1, 1.0))


@scene("morphs")
def lattice_on_bones():
    """A tube in a lattice that an armature deforms, as in cartoon rigs."""
    rig = building.chain("Rig", 2, 2.0)
    item = small_tube()
    data = bpy.data.lattices.new("Cage")
    data.points_w = 5
    cage = link("Cage", data)
    cage.scale, cage.location = (1, 1, 2.2), (0, 0, 1)
    for bone in rig.data.bones:
        cage.vertex_groups.new(name=bone.name)
    for index, point in enumerate(data.points):
        cage.vertex_groups[0 if point.co.z < 0 else 1].add([index], 1.0, "REPLACE")
    cage.modifiers.new("Armature", "ARMATURE").object = rig
    cage.parent = rig
    item.modifiers.new("Lattice", "LATTICE").object = cage
    building.new_action(rig, "swing")
    building.swing(rig, (1, 10, 20), 0.8)


@scene("morphs")
def hook():
    item = small_tube()
    modifier = item.modifiers.new("Hook", "HOOK")
    modifier.object = control(location=((0, 0, 0), (1, 0, 0.5)))
    modifier.vertex_indices_set(list(range(40, 72)))


@scene("joints")
def scene_time():
    """Geometry nodes that move a mesh with the scene's time."""
    item = small_tube()
    tree, start, end = nodes(item)
    move, now = tree.nodes.new("GeometryNodeSetPosition"), tree.nodes.new("GeometryNodeInputSceneTime")
    offset = tree.nodes.new("ShaderNodeCombineXYZ")
    tree.links.new(now.outputs["Seconds"], offset.inputs["X"])
    tree.links.new(offset.outputs[0], move.inputs["Offset"])
    tree.links.new(start.outputs[0], move.inputs[0])
    tree.links.new(move.outputs[0], end.inputs[0])


@scene("morphs")
def shrinkwrap():
    bent_body()
    item = link("Cloth", tube("Cloth", 9, 8, 4.0, 0.8))
    modifier = item.modifiers.new("Shrinkwrap", "SHRINKWRAP")
    modifier.target, modifier.offset = bpy.data.objects["Tube"], 0.05


@scene("morphs")
def surface_deform():
    """Clothes on a body, the usual way."""
    _, body = bent_body()
    item = link("Cloth", tube("Cloth", 9, 8, 3.9, 0.62))
    modifier = item.modifiers.new("Surface", "SURFACE_DEFORM")
    modifier.target = body
    bpy.context.scene.frame_set(1)
    select_alone(item)
    bpy.ops.object.surfacedeform_bind(modifier="Surface")


@scene("morphs")
def curve_modifier():
    item = small_tube(rings=20)
    curve = bpy.data.curves.new("Path", "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new("BEZIER")
    spline.bezier_points.add(2)
    for point, place in zip(spline.bezier_points, ((0, 0, 0), (2, 1, 1), (0, 2, 4))):
        point.co = place
    for point in spline.bezier_points:
        point.handle_left_type = point.handle_right_type = "AUTO"
    modifier = item.modifiers.new("Curve", "CURVE")
    modifier.object, modifier.deform_axis = link("Path", curve), "POS_Z"
    key(item, "location", ((0, 0, 0), (0, 0, 1)))


@scene("morphs")
def wave():
    small_tube(rings=40).modifiers.new("Wave", "WAVE").height = 0.4


@scene("morphs")
def displace():
    """A keyed strength."""
    modifier = small_tube().modifiers.new("Displace", "DISPLACE")
    key(modifier, "strength", (0.0, 0.6))


@scene("frozen")
def build():
    """Faces that appear one after the other."""
    modifier = small_tube().modifiers.new("Build", "BUILD")
    modifier.frame_start, modifier.frame_duration = 1, 15


def falling_sheet():
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=10, y_subdivisions=10, size=2, location=(0, 0, 3))
    item = bpy.context.object
    pinned = item.vertex_groups.new(name="pin")
    pinned.add([0, 10], 1.0, "REPLACE")
    return item


@scene("morphs")
def cloth():
    item = falling_sheet()
    modifier = item.modifiers.new("Cloth", "CLOTH")
    modifier.settings.vertex_group_mass = "pin"


@scene("morphs")
def soft_body():
    item = falling_sheet()
    modifier = item.modifiers.new("Softbody", "SOFT_BODY")
    modifier.settings.vertex_group_goal = "pin"


@scene("morphs")
def absolute_keys():
    """Shape keys that follow each other."""
    item = small_tube()
    item.shape_key_add(name="Basis")
    for point in item.shape_key_add(name="Wide").data:
        point.co += Vector((0.8 * point.co.x, 0, 0))
    keys = item.data.shape_keys
    keys.use_relative = False
    key(keys, "eval_time", (0.0, 10.0))


@scene("morphs")
def waving_instances():
    """A waving tube in a collection with two instances, one of which moves."""
    inner = bpy.data.collections.new("Inner")
    item = bpy.data.objects.new("Flag", tube("Flag", 12, 8, 2.0, 0.25))
    item.modifiers.new("Wave", "WAVE").height = 0.4
    inner.objects.link(item)
    for index in range(2):
        empty = link(f"Carrier{index}")
        empty.instance_type, empty.instance_collection, empty.location = "COLLECTION", inner, (2 * index, 0, 0)
        empty.scale = (1.0, 1.0 + index, 1.0)
    key(empty, "rotation_euler", ((0, 0, 0), (0.5, 0.2, 0.1)))


@scene("morphs")
def keys_and_hook():
    """A shape key with keys, and a hook."""
    item = small_tube()
    item.location, item.scale = (1, 2, 0), (0.5, 1.0, 2.0)
    item.shape_key_add(name="Basis")
    block = item.shape_key_add(name="Wide")
    for point in block.data:
        point.co += Vector((0.8 * point.co.x, 0, 0))
    key(block, "value", (0.0, 1.0))
    modifier = item.modifiers.new("Hook", "HOOK")
    modifier.object = control(location=((1, 2, 0), (1.6, 2, 0.3)))
    modifier.vertex_indices_set(list(range(60, 72)))


@scene("morphs")
def hooked_skin():
    """A skinned tube with a hook after the armature."""
    _, item = bent_body()
    modifier = item.modifiers.new("Hook", "HOOK")
    modifier.object = control(location=((0, 0, 0), (0.6, 0, 0.3)))
    modifier.vertex_indices_set(list(range(60, 72)))
