"""Failures are reported in one sentence, without a traceback or a partial file."""

import os

import bpy
import building
import scenes
import numpy as np


def refused(operator, **arguments):
    """The message of an operator that must fail."""
    try:
        result = operator(**arguments)
    except RuntimeError as error:
        message = str(error)
        assert "Traceback" not in message and "fault in the add-on" not in message, message
        return message
    raise AssertionError(f"it said {result}")


def folder_of(context, name):
    path = os.path.join(context.scratch, name)
    os.makedirs(path, exist_ok=True)
    for inner in os.listdir(path):
        os.remove(os.path.join(path, inner))
    return path


def report():
    return bpy.data.texts["ligament report"].as_string()


def test_an_unsaved_blend_has_no_folder(_context):
    building.empty_file()
    scenes.bend()
    message = refused(bpy.ops.export_scene.ligament, filepath="//model.glb", format="gltf")
    assert "has not been saved yet" in message


def test_an_image_beside_an_unsaved_blend_is_missed(context):
    building.empty_file()
    item = building.link("Box", building.box("Box"))
    image = bpy.data.images.new("lost", 4, 4)
    image.source, image.filepath_raw = "FILE", "//lost.png"
    item.data.materials.append(building.principled("m", (1, 1, 1, 1), image))
    bpy.ops.export_scene.ligament(filepath=os.path.join(context.scratch, "lost.glb"), format="gltf")
    assert "the .blend is not saved" in report()


def test_nothing_to_export(context):
    folder = folder_of(context, "nothing")
    building.empty_file()
    path = os.path.join(folder, "nothing.glb")
    assert "nothing to export" in refused(bpy.ops.export_scene.ligament, filepath=path, format="gltf")
    scenes.bend()
    for item in bpy.data.objects:
        item.select_set(False)
    message = refused(bpy.ops.export_scene.ligament, filepath=path, format="gltf", selected=True)
    assert "nothing that can be exported is selected" in message
    assert os.listdir(folder) == []


def test_edit_mode_counts_and_stays(context):
    import ligament

    building.empty_file()
    _, item = building.skinned()
    bpy.context.view_layer.objects.active = item
    bpy.ops.object.mode_set(mode="EDIT")
    import bmesh
    edited = bmesh.from_edit_mesh(item.data)
    edited.verts.ensure_lookup_table()
    edited.verts[0].co.x += 10.0
    bmesh.update_edit_mesh(item.data)
    path = os.path.join(context.scratch, "edited.glb")
    bpy.ops.export_scene.ligament(filepath=path, format="gltf")
    assert bpy.context.mode == "EDIT_MESH"
    bpy.ops.object.mode_set(mode="OBJECT")
    assert ligament.load(path).pose().positions[:, 0].max() > 9.0, "what was edited is exported"
    rig = bpy.data.objects["Rig"]
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.export_scene.ligament(filepath=path, format="gltf")
    assert bpy.context.mode == "EDIT_ARMATURE"
    bpy.ops.object.mode_set(mode="OBJECT")


def test_meshes_without_faces_or_coordinates(context):
    import ligament

    building.empty_file()
    data = bpy.data.meshes.new("Wire")
    data.from_pydata([(0, 0, 0), (1, 0, 0), (1, 1, 0), (5, 5, 5)], [(0, 1), (1, 2)], [])
    building.link("Wire", data)
    building.link("Nothing", bpy.data.meshes.new("Nothing"))
    box = building.link("Box", building.box("Box"))
    while box.data.uv_layers:
        box.data.uv_layers.remove(box.data.uv_layers[0])
    for f in ligament.formats():
        if f.writes:
            path = os.path.join(context.scratch, f"faceless.{f.extensions[0]}")
            bpy.ops.export_scene.ligament(filepath=path, format=f.id)
            assert "mesh 'Wire': has no faces [BL104]" in report() and "mesh 'Nothing': is empty [BL104]" in report()
            ligament.load(path)


def test_vertices_without_weights_and_modifiers_without_armatures(context):
    building.empty_file()
    _, item = building.skinned()
    for group in item.vertex_groups:
        group.remove([3, 4, 5])
    item.modifiers.new("Lost", "ARMATURE")
    bpy.ops.export_scene.ligament(filepath=os.path.join(context.scratch, "loose.glb"), format="gltf")
    assert "(3): no bone has a weight on them" in report()
    assert "the armature modifier 'Lost' has no armature [BL109]" in report()


def test_names_that_formats_do_not_have(context):
    import ligament

    building.empty_file()
    rig, item = building.skinned()
    long = "\u017bó\u0142w 模型 " + "x" * 40
    item.name, item.data.name, rig.name = long, "с пробелом", "骨"
    for index, bone in enumerate(rig.data.bones):
        bone.name = f"кость «{index}» " + "y" * 30
    building.new_action(rig, "Взмах 1")
    building.swing(rig, (1, 4, 7))
    for f in ligament.formats():
        if f.writes:
            path = os.path.join(context.scratch, f"names-ä.{f.extensions[0]}")
            bpy.ops.export_scene.ligament(filepath=path, format=f.id)
            scene = ligament.load(path)
            assert scene.vertex_count >= len(item.data.vertices)
            if f.capabilities.clips == "many":
                assert len(scene.clips) == 1
    building.empty_file()
    bpy.ops.import_scene.ligament(filepath=os.path.join(context.scratch, "names-ä.glb"))
    assert long[:20] in "".join(item.name for item in bpy.data.objects)


def test_a_target_that_cannot_be_written(context):
    folder = folder_of(context, "unwritable")
    building.empty_file()
    scenes.bend()
    missing = os.path.join(folder, "no", "such", "model.glb")
    message = refused(bpy.ops.export_scene.ligament, filepath=missing, format="gltf")
    assert "model.glb" in message
    os.makedirs(os.path.join(folder, "folder.glb"), exist_ok=True)
    refused(bpy.ops.export_scene.ligament, filepath=os.path.join(folder, "folder.glb"), format="gltf")
    assert os.listdir(folder) == ["folder.glb"] and os.listdir(os.path.join(folder, "folder.glb")) == []
    os.rmdir(os.path.join(folder, "folder.glb"))


def test_strict_writes_nothing(context):
    folder = folder_of(context, "strict")
    building.empty_file()
    scenes.bend()
    message = refused(bpy.ops.export_scene.ligament, filepath=os.path.join(folder, "m.obj"), format="obj", strict=True)
    assert os.listdir(folder) == [], message


def test_a_damaged_file_names_the_line(context):
    folder = folder_of(context, "damaged")
    building.empty_file()
    scenes.bend()
    path = os.path.join(folder, "model.pfobj")
    bpy.ops.export_scene.ligament(filepath=path, format="pfobj")
    lines = open(path, encoding="utf-8").read().splitlines()
    number = next(i for i, line in enumerate(lines) if line.startswith("v "))
    lines[number] = "v 1.0 oops 2.0"
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    building.empty_file()
    message = refused(bpy.ops.import_scene.ligament, filepath=path)
    assert f"model.pfobj:{number + 1}:7" in message and "oops" in message, message
    assert len(bpy.data.objects) == 0
    assert "there is no such file" in refused(bpy.ops.import_scene.ligament, filepath=os.path.join(folder, "absent.glb"))
    with open(path, "wb") as file:
        file.write(np.random.default_rng(1).bytes(500))
    refused(bpy.ops.import_scene.ligament, filepath=path)


def test_an_odd_scene_is_exported(context):
    """NaNs, a zero scale, a bone that collapses, an armature without bones."""
    import ligament

    building.empty_file()
    box = building.link("Flat", building.box("Flat"))
    box.scale = (1, 1, 0)
    child = building.link("Child", building.box("Child"))
    child.parent = box
    broken = building.link("Broken", building.box("Broken"))
    broken.data.vertices[0].co.x = float("nan")
    building.new_action(building.link("Boneless", bpy.data.armatures.new("Boneless")), "nothing in it")
    rig, _ = building.skinned()
    building.new_action(rig, "vanish")
    for bone in rig.pose.bones:
        building.key_bone(rig, bone.name, 1)
    building.key_bone(rig, "Rig.bone1", 5, scale=(0, 0, 0))
    for f in ligament.formats():
        if f.writes:
            path = os.path.join(context.scratch, f"odd.{f.extensions[0]}")
            try:
                bpy.ops.export_scene.ligament(filepath=path, format=f.id)
            except RuntimeError as error:
                assert "Traceback" not in str(error) and "fault in the add-on" not in str(error), str(error)
            assert "numbers that are not finite become 0 [BL105]" in report() or f.id not in {"gltf"}
