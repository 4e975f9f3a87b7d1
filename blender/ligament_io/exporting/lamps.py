"""Cameras, lights and the world's colour.

Blender's lights are in watts; a scene's are in candela (point and spot) and lux (sun). Watts of a point light become
candela at 683 lumens per watt over the whole sphere, like Blender's glTF exporter in its "standard" mode.
"""

from math import atan, pi, tan

import ligament as lig

from .. import extras

LUMEN_A_WATT = 683.0


def read(context, tree, notes):
    """Adds cameras and lights to their nodes."""
    cameras, lights = {}, {}
    for entry in tree.items:
        node, data = tree.scene.nodes[entry.node], entry.item.data
        if entry.item.type in {"CAMERA", "LIGHT"} and is_animated(data):
            message = "its own properties are animated; only its transform is kept"
            notes.add("BL116", f"{entry.item.type.lower()} {data.name!r}", message)
        if entry.item.type == "CAMERA":
            if data.name_full not in cameras:
                cameras[data.name_full] = len(tree.scene.cameras)
                tree.scene.cameras.append(_camera(data, context.scene, notes))
            node.camera = cameras[data.name_full]
        elif entry.item.type == "LIGHT":
            if data.name_full not in lights:
                lights[data.name_full] = len(tree.scene.lights)
                tree.scene.lights.append(_light(data, notes))
            node.light = lights[data.name_full]


def is_animated(data):
    """Whether a data-block has actions or drivers of its own."""
    animation = data.animation_data
    return animation is not None and bool(animation.action or animation.nla_tracks or animation.drivers)


def _camera(data, scene, notes):
    render = scene.render
    width = render.resolution_x * render.pixel_aspect_x
    height = render.resolution_y * render.pixel_aspect_y
    aspect = width / height
    fits_width = data.sensor_fit == "HORIZONTAL" or (data.sensor_fit == "AUTO" and width >= height)
    if data.type == "ORTHO":
        wide = data.ortho_scale if fits_width else data.ortho_scale * aspect
        lens = lig.Orthographic(wide / 2.0, wide / aspect / 2.0)
    else:
        if data.type != "PERSP":
            notes.add("BL125", f"camera {data.name!r}", "a panoramic camera is exported as a perspective one")
        angle = data.angle_x if data.sensor_fit != "VERTICAL" else data.angle_y
        fov_y = 2.0 * atan(tan(angle / 2.0) / aspect) if fits_width else angle
        lens = lig.Perspective(fov_y, aspect)
    return lig.Camera(lens, data.clip_start, data.clip_end, data.name, extras.of(data))


def _light(data, notes):
    out = lig.Light("point", tuple(data.color), name=data.name, extras=extras.of(data))
    if data.type == "SUN":
        out.kind, out.intensity = "directional", data.energy
        return out
    out.intensity = data.energy * LUMEN_A_WATT / (4.0 * pi)
    if data.type == "SPOT":
        out.kind, out.outer_angle = "spot", data.spot_size / 2.0
        out.inner_angle = out.outer_angle * (1.0 - data.spot_blend)
    elif data.type == "AREA":
        notes.add("BL118", f"light {data.name!r}", "an area light is exported as a point light")
    if data.use_custom_distance:
        out.range = data.cutoff_distance
    return out


def ambient(world, notes):
    """The world's colour as ambient light; None without a world."""
    if world is None:
        return None
    color, strength = tuple(world.color), 1.0
    if world.use_nodes and world.node_tree is not None:
        found = [node for node in world.node_tree.nodes if node.type == "BACKGROUND"]
        if not found:
            return (*color, 1.0)
        socket = found[0].inputs["Color"]
        if socket.is_linked:
            notes.add("BL124", "world", "a background made by nodes is not exported")
            return None
        color, strength = tuple(socket.default_value)[:3], found[0].inputs["Strength"].default_value
    return (*(value * strength for value in color[:3]), 1.0)
