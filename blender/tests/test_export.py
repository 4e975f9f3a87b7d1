"""Scenes exported to every writable format and posed by ligament, compared with Blender's own vertices."""

import os
import subprocess

import bpy
import numpy as np
import building
import scenes
from comparing import NEAR, Match, to_scene
from mathutils import Vector

import playing


def moments(clip):
    """The first frame of a clip, the last and two between, relative to its first."""
    last = clip.frames.count - 1
    return sorted({0, last // 3, 2 * last // 3, last})


def first_frame(name, strips):
    if not strips:
        return min(action.frame_range[0] for action in bpy.data.actions if action.name == name)
    return min(s.frame_start for o in playing.owners() if o.animation_data for t in o.animation_data.nla_tracks
               for s in t.strips if s.name == name)


class Oracle:
    """Blender's vertices of a scene: at rest, and in frames of each clip."""

    def __init__(self, clips, strips):
        self.rest = to_scene(playing.at_rest(bpy.context))
        stand = playing.Stand()
        play = playing.play_strip if strips else playing.play_action
        self.frames = {}
        for clip in clips:
            frames = [first_frame(clip.name, strips) + moment for moment in moments(clip)]
            self.frames[clip.name] = [to_scene(v) for v in play(bpy.context, clip.name, frames, stand)]


def announced(report):
    """The deviation of the file that the library reports, as a fraction of the size."""
    comparison = report.comparison
    return 0.0 if comparison is None or comparison.worst is None else comparison.worst.relative


def named(loaded, scene, number):
    """The name of a clip in the file: formats change names, but not the order."""
    name = scene.clips[number].name
    if any(clip.name == name for clip in loaded.clips):
        return name
    return loaded.clips[number].name if len(loaded.clips) == len(scene.clips) else None


def check_file(context, path, scene, report, oracle, about):
    """Poses the file, and compares; a deviation beyond the tolerance must be reported as a loss."""
    import ligament

    loaded = ligament.load(path)
    poser = loaded.poser()
    files, blenders = [poser.pose().positions.astype(np.float64)], [oracle.rest]
    posed = []
    for number, clip in enumerate(scene.clips):
        name = named(loaded, scene, number)
        if name != clip.name:
            told = [str(d) for d in report.diagnostics] + [f"{loss.object} {loss.message}" for loss in report.losses]
            assert any(clip.name in line for line in told), f"{about}: clip {clip.name!r} is gone in silence"
        if name is None:
            continue
        # Formats without a rate are read at a different one; the frames are the same.
        own = next(c for c in loaded.clips if c.name == name).frames
        rate = own.rate if own is not None and own.count == clip.frames.count else clip.frames.rate
        times = [np.float32(moment / rate) for moment in moments(clip)]
        blenders += oracle.frames[clip.name]
        files += [poser.pose(name, float(t)).positions.astype(np.float64) for t in times]
        posed += [(name, float(t), len(files) - len(times) + i) for i, t in enumerate(times)]
    worst = Match(files, blenders).worst()
    allowed = NEAR + announced(report)
    if worst > NEAR:
        assert report.approximated or report.dropped, f"{about}: {worst:.2e} of the size off, and no loss says so"
    assert worst <= allowed, f"{about}: {worst:.2e} of the size off, {allowed:.2e} announced"
    context.count("files")
    context.count("poses", len(files))
    return files, posed


def check_cli(context, path, files, posed, about):
    """One pose through the command line: the same vertices as the module's."""
    import ligament

    clip, time, index = posed[len(posed) // 2] if posed else (None, 0.0, 0)
    out = os.path.join(context.scratch, "posed.glb")
    command = [context.cli, "pose", path, out, "--quiet"]
    if clip is not None:
        command += ["--clip", clip, "--at", repr(time)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{about}: {' '.join(command)}: {done.stderr}"
    again = ligament.load(out).pose().positions.astype(np.float64)
    assert Match([again], [files[index]]).worst() <= NEAR, f"{about}: the command line poses otherwise"
    context.count("command line")


def snapshot():
    """The state that an export must not change."""
    state = [bpy.context.scene.frame_current, bpy.context.mode]
    for item in bpy.data.objects:
        state.append((item.name, item.select_get(), item.hide_viewport, tuple(map(tuple, item.matrix_world)),
                      [(m.name, m.show_viewport) for m in item.modifiers]))
        if item.type == "ARMATURE":
            state.append((item.data.pose_position, [tuple(map(tuple, b.matrix_basis)) for b in item.pose.bones]))
        if getattr(item.data, "shape_keys", None):
            state.append((item.show_only_shape_key, item.active_shape_key_index,
                          [b.value for b in item.data.shape_keys.key_blocks]))
    for owner in playing.owners():
        data = owner.animation_data
        state.append(None if data is None else (
            data.action.name if data.action else None, data.use_nla,
            [(t.name, t.mute, [(s.name, s.mute) for s in t.strips]) for t in data.nla_tracks]))
    return state


def make_anew(make):
    """A scene as it is when its file is opened: on its first frame, evaluated there."""
    building.empty_file()
    make()
    bpy.context.scene.frame_set(1)
    bpy.context.view_layer.update()


def test_every_scene_in_every_format(context):
    import ligament

    work, exporting = context.module("ui.work"), context.module("exporting")
    written = [f for f in ligament.formats() if f.writes]
    failures = []
    for name, make in scenes.SCENES.items():
        strips = name == "nla"
        settings = exporting.Settings(clips="NLA" if strips else "ACTIONS")
        make_anew(make)
        notes = context.module("notes").Notes()
        gathered = exporting.gather(bpy.context, settings, notes)
        if notes.proof.worst.relative > NEAR:
            failures.append(f"{name}: {notes.proof.headline()}")
        oracle = Oracle(gathered.clips, strips)
        # Playing has moved things, so build the scene again.
        make_anew(make)
        before = snapshot()
        for f in written:
            about = f"{name} as {f.id}"
            path = os.path.join(context.scratch, f"{name}.{f.extensions[0]}")
            try:
                notes, report = work.export(bpy.context, path, f.id, settings, {})
                files, posed = check_file(context, path, gathered, report, oracle, about)
                check_cli(context, path, files, posed, about)
            except (AssertionError, work.Failed) as error:
                failures.append(str(error))
        if snapshot() != before:
            failures.append(f"{name}: exporting changed the open file")
    assert not failures, "\n".join(failures)
    assert context.counts["files"] == len(scenes.SCENES) * len(written)


def corner_rows(mesh, uv, color):
    """Blender's data per corner: position, normal, coordinates, colour, in the scene's axes."""
    rows = []
    if bpy.app.version < (4, 1, 0):
        mesh.calc_normals_split()
    for loop in mesh.loops:
        place = mesh.vertices[loop.vertex_index].co
        normal = loop.normal if bpy.app.version < (4, 1, 0) else mesh.corner_normals[loop.index].vector
        u, v = mesh.uv_layers[uv].data[loop.index].uv
        tint = tuple(mesh.color_attributes[color].data[loop.index].color)
        rows.append((place.x, place.z, -place.y, normal.x, normal.z, -normal.y, u, 1.0 - v, *tint))
    return np.array(rows, dtype=np.float64)


def test_normals_coordinates_and_colours(context):
    """Checks every corner: custom normals, the active UV map first, the active colours first."""
    import ligament

    building.empty_file()
    scenes.ngons()
    item = bpy.data.objects["Star"]
    second = item.data.uv_layers.new(name="Second")
    rng = np.random.default_rng(7)
    second.data.foreach_set("uv", rng.random(len(item.data.loops) * 2).astype(np.float32))
    item.data.uv_layers.active = second
    other = item.data.color_attributes.new("Other", "FLOAT_COLOR", "CORNER")
    other.data.foreach_set("color", rng.random(len(item.data.loops) * 4).astype(np.float32))
    item.data.color_attributes.active_color = other
    work, exporting = context.module("ui.work"), context.module("exporting")
    path = os.path.join(context.scratch, "corners.glb")
    work.export(bpy.context, path, "gltf", exporting.Settings(), {})
    part = ligament.load(path).meshes[0].parts[0]
    assert len(part.uvs) == 2 and len(part.colors) == 2
    corners = np.asarray(part.faces.corners).reshape(-1)
    ours = np.concatenate([part.positions, part.normals, part.uvs[0], part.colors[0]], axis=1)[corners]
    theirs = corner_rows(item.data, "Second", "Other")
    # The file has triangles: every corner in it must be one of Blender's, and vice versa.
    for first, second_rows in ((ours, theirs), (theirs, ours)):
        far = max(np.abs(second_rows - row).max(axis=1).min() for row in first)
        assert far < 2e-4, far
    near = max(np.abs(theirs[:, 6:] - row[6:]).max(axis=1).min() for row in ours)
    assert near < 1e-6, near


def test_colours_of_vertices_and_the_world(context):
    import ligament

    building.empty_file()
    item = building.link("Box", building.box("Box"))
    colors = item.data.color_attributes.new("Col", "FLOAT_COLOR", "POINT")
    colors.data.foreach_set("color", np.linspace(0, 1, 32).astype(np.float32))
    world = bpy.data.worlds.new("World")
    bpy.context.scene.world = world
    world.use_nodes = True
    nodes = world.node_tree.nodes
    background = next((n for n in nodes if n.type == "BACKGROUND"), None) or nodes.new("ShaderNodeBackground")
    background.inputs["Color"].default_value = (0.1, 0.2, 0.4, 1.0)
    background.inputs["Strength"].default_value = 0.5
    gathered = context.module("exporting").gather(bpy.context, context.module("exporting").Settings(),
                                                  context.module("notes").Notes())
    assert [round(v, 4) for v in gathered.ambient] == [0.05, 0.1, 0.2, 1.0]
    for ours, place in zip(gathered.meshes[0].parts[0].colors[0], gathered.meshes[0].parts[0].positions):
        index = min(range(8), key=lambda i: (item.data.vertices[i].co - Vector((place[0], -place[2], place[1]))).length)
        assert np.abs(ours - np.linspace(0, 1, 32)[index * 4:index * 4 + 4]).max() < 1e-6
    # Through a format that has ambient light, and back into a file without a world.
    f = next(f for f in ligament.formats() if f.writes and f.capabilities.ambient)
    path = os.path.join(context.scratch, f"world.{f.extensions[0]}")
    bpy.ops.export_scene.ligament(filepath=path, format=f.id)
    building.empty_file()
    bpy.ops.import_scene.ligament(filepath=path)
    back = context.module("exporting.lamps").ambient(bpy.context.scene.world, context.module("notes").Notes())
    assert max(abs(a - b) for a, b in zip(back, (0.05, 0.1, 0.2, 1.0))) < 1e-3, back


def test_what_a_skin_cannot_do_is_said(context):
    """Preserve Volume, envelopes, bendy bones, modifiers after the armature, a mesh that moves alone, animated lamps."""
    exporting, notes = context.module("exporting"), context.module("notes").Notes()
    building.empty_file()
    rig, item = building.skinned()
    item.parent = None
    modifier = item.modifiers["Armature"]
    modifier.use_deform_preserve_volume = modifier.use_bone_envelopes = True
    item.modifiers.new("After", "SUBSURF")
    rig.data.bones[0].bbone_segments = 4
    rig.pose.bones[0].bbone_curveinx = 0.3
    building.new_action(item, "alone")
    for frame, x in ((1, 0.0), (5, 1.0)):
        item.location.x = x
        item.keyframe_insert("location", frame=frame)
        item.hide_render = bool(frame - 1)
        item.keyframe_insert("hide_render", frame=frame)
    light = building.link("Area", bpy.data.lights.new("Area", "AREA"))
    light.data.keyframe_insert("energy", frame=1)
    bpy.data.actions.new("nobody's")
    exporting.gather(bpy.context, exporting.Settings(), notes)
    found = {note.code for note in notes}
    assert {"BL106", "BL107", "BL108", "BL112", "BL116", "BL118", "BL123"} <= found, notes.lines()
    assert any("hide_render" in line for line in notes.lines()), notes.lines()


def test_what_moves_no_vertex_is_not_a_loss(context):
    """Modifiers after the armature that only change faces and normals, and bendy bones that are straight."""
    exporting, notes = context.module("exporting"), context.module("notes").Notes()
    building.empty_file()
    rig, item = building.skinned()
    item.modifiers.new("Triangles", "TRIANGULATE")
    item.modifiers.new("Normals", "WEIGHTED_NORMAL")
    tree = bpy.data.node_groups.new("Smooth by Angle", "GeometryNodeTree")
    smooth = tree.nodes.new("GeometryNodeSetShadeSmooth")
    ends = [tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")]
    if hasattr(tree, "interface"):
        for direction in ("INPUT", "OUTPUT"):
            tree.interface.new_socket("Geometry", in_out=direction, socket_type="NodeSocketGeometry")
    else:
        tree.inputs.new("NodeSocketGeometry", "Geometry")
        tree.outputs.new("NodeSocketGeometry", "Geometry")
    tree.links.new(ends[0].outputs[0], smooth.inputs[0])
    tree.links.new(smooth.outputs[0], ends[1].inputs[0])
    item.modifiers.new("Smooth by Angle", "NODES").node_group = tree
    rig.data.bones[0].bbone_segments = 4
    before = playing.vertices(bpy.context)
    exporting.gather(bpy.context, exporting.Settings(), notes)
    assert not notes.has("BL106") and not notes.has("BL123"), notes.lines()
    assert len(playing.vertices(bpy.context)) == len(before)
    # The same nodes with one that moves vertices.
    tree.links.new(tree.nodes.new("GeometryNodeSetPosition").outputs[0], ends[1].inputs[0])
    rig.pose.bones[0].bbone_curveoutz = 0.2
    exporting.gather(bpy.context, exporting.Settings(), notes)
    assert notes.has("BL106") and notes.has("BL123"), notes.lines()


def test_shape_keys_after_modifiers(context):
    """Blender's vertices through a modifier that doubles the mesh."""
    import ligament

    building.empty_file()
    scenes.shape_keys()
    item = bpy.data.objects["Face"]
    item.modifiers.new("Mirror", "MIRROR").use_mirror_merge = False
    path = os.path.join(context.scratch, "shapes.glb")
    bpy.context.scene.frame_set(1)
    notes, _ = context.module("ui.work").export(bpy.context, path, "gltf", context.module("exporting").Settings(), {})
    assert not notes.has("BL117"), "the proof finds every vertex in its place"
    poser = ligament.load(path).poser()
    stand = playing.Stand()
    blenders = [to_scene(v) for v in playing.play_action(bpy.context, "talk", [1, 5, 11], stand)]
    files = [poser.pose("talk", t / 24).positions.astype(np.float64) for t in (0, 4, 10)]
    assert Match(files, blenders).worst() < NEAR


def test_linked_objects_of_the_same_name(context):
    """A rig from another .blend, beside a local one of the same name that moves differently."""
    import ligament

    library = os.path.join(context.scratch, "library.blend")
    building.empty_file()
    rig, _ = building.skinned(bones=2)
    rig.location = (5, 0, 0)
    building.new_action(rig, "swing")
    building.swing(rig, (1, 5, 9))
    bpy.ops.wm.save_as_mainfile(filepath=library)
    building.empty_file()
    rig, _ = building.skinned(bones=2)
    building.new_action(rig, "swing")
    building.swing(rig, (1, 5, 9), -0.5)
    with bpy.data.libraries.load(library, link=True) as (there, here):
        here.objects = list(there.objects)
    for item in here.objects:
        bpy.context.scene.collection.objects.link(item)
    assert sorted(item.name for item in bpy.data.objects) == ["Rig", "Rig", "Tube", "Tube"]
    bpy.context.scene.frame_set(1)
    path = os.path.join(context.scratch, "linked.glb")
    context.module("ui.work").export(bpy.context, path, "gltf", context.module("exporting").Settings(clips="ACTIVE"), {})
    poser = ligament.load(path).poser()
    blenders = [to_scene(v) for v in playing.frames_of(bpy.context, [1, 5, 9])]
    files = [poser.pose(0, t / 24).positions.astype(np.float64) for t in (0, 4, 8)]
    assert Match(files, blenders).worst() < NEAR


def test_instances_of_geometry_nodes(context):
    """Boxes made by nodes on the vertices of a tube, with and without the tube itself, and instances of an object."""
    exporting = context.module("exporting")
    for made, beside in ((True, False), (True, True), (False, False)):
        building.empty_file()
        source = building.link("Source", building.box("Source", (0.3, 0.4, 0.5)))
        source.location = (9, 9, 9)
        host = building.link("Host", building.tube("Host", 3, 5))
        tree = bpy.data.node_groups.new("Nodes", "GeometryNodeTree")
        for way in ("INPUT", "OUTPUT"):
            if bpy.app.version >= (4, 0, 0):
                tree.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
            else:
                (tree.inputs if way == "INPUT" else tree.outputs).new("NodeSocketGeometry", "Geometry")
        start, end = tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")
        scatter, join = tree.nodes.new("GeometryNodeInstanceOnPoints"), tree.nodes.new("GeometryNodeJoinGeometry")
        if made:
            cube = tree.nodes.new("GeometryNodeMeshCube")
            cube.inputs["Size"].default_value = (0.1, 0.2, 0.3)
            tree.links.new(cube.outputs["Mesh"], scatter.inputs["Instance"])
        else:
            info = tree.nodes.new("GeometryNodeObjectInfo")
            info.inputs["Object"].default_value, info.inputs["As Instance"].default_value = source, True
            tree.links.new(info.outputs["Geometry"], scatter.inputs["Instance"])
        tree.links.new(start.outputs[0], scatter.inputs["Points"])
        tree.links.new(scatter.outputs[0], join.inputs[0])
        if beside:
            tree.links.new(start.outputs[0], join.inputs[0])
        tree.links.new(join.outputs[0], end.inputs[0])
        host.modifiers.new("Nodes", "NODES").node_group = tree
        building.new_action(host, "move")
        for frame, x in ((1, 0.0), (5, 3.0)):
            host.location.x = x
            host.keyframe_insert("location", frame=frame)
        bpy.context.scene.frame_set(1)
        gathered = exporting.gather(bpy.context, exporting.Settings(), context.module("notes").Notes())
        poser = gathered.poser()
        blenders = [to_scene(v) for v in playing.play_action(bpy.context, "move", [1, 3, 5], playing.Stand())]
        files = [poser.pose("move", t / 24).positions.astype(np.float64) for t in (0, 2, 4)]
        assert Match(files, blenders).worst() < NEAR, (made, beside)
