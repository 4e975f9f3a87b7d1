"""Rigs as artists make them: stretched bones, bones that do not deform, renamed bones, excluded armatures, Rigify."""

import bpy
import building
import moving
import numpy as np
import playing
from comparing import NEAR, Match, to_scene
from test_proof import gathered, walked


def posed(scene, clip, frames=range(20)):
    poser = scene.poser()
    return [poser.pose(clip, float(np.float32(frame / 24))).positions.astype(np.float64) for frame in frames]


def stretched(inherit):
    """A chain whose first bone is scaled unevenly while the others turn."""
    building.empty_file()
    bpy.context.scene.frame_end = 20
    rig, item = building.skinned(bones=4)
    building.new_action(rig, "stretch")
    building.swing(rig, (1, 10, 20), 0.5)
    bone = rig.pose.bones["Rig.bone0"]
    bone.scale = (2, 1, 0.5)
    bone.keyframe_insert("scale", frame=20)
    rig.data.bones["Rig.bone1"].inherit_scale = inherit
    bpy.context.scene.frame_set(1)
    return rig, item


def test_stretched_bones(context):
    """A child that does not inherit its parent's stretch would need shear. Flattened, it is exact."""
    stretched("NONE")
    truth = [to_scene(points) for points in walked()]
    scene, notes = gathered(context, clips="ACTIONS", proof="ALL")
    off = Match(posed(scene, 0), truth).worst()
    assert notes.has("BL113") and "'Flatten bones' keeps them exact" in " ".join(notes.lines())
    # Against the true parent it was 5.3 %: what is lost must not add up along the chain.
    assert 0.005 < off < 0.03 and abs(notes.proof.worst.relative - off) < 0.1 * off, (off, notes.lines())
    scene, notes = gathered(context, clips="ACTIONS", flatten_bones=True)
    assert Match(posed(scene, 0), truth).worst() < NEAR and notes.proof.worst.relative < NEAR and not notes.has("BL113")
    rig = next(i for i, node in enumerate(scene.nodes) if node.name == "Rig")
    assert [scene.nodes[int(joint)].parent for joint in scene.skins[0].joints] == [rig] * 4
    # Where the stretch is inherited, the hierarchy is exact as it is.
    stretched("FULL")
    scene, notes = gathered(context, clips="ACTIONS")
    assert Match(posed(scene, 0), [to_scene(points) for points in walked()]).worst() < NEAR and not notes.has("BL113")


def test_children_of_sheared_objects(context):
    """Objects below one that is sheared by its parent are relative to what is exported of it."""
    building.empty_file()
    bpy.context.scene.frame_end = 20
    base = building.link("Base", building.box("Base"))
    moving.key(base, "scale", ((1, 1, 1), (2, 1, 0.5)))
    above = base
    for index in range(4):
        child = building.link(f"Child{index}", building.box("Child", (0.5, 0.4, 0.3)))
        child.parent, child.location, child.rotation_euler = above, (0.3, 0.2, 0.9), (0.4, 0.3, 0.2)
        above = child
        if index == 1:
            # Turned from outside, it is no longer a product of its ancestors.
            turn = child.constraints.new("COPY_ROTATION")
            turn.target = moving.control(rotation_euler=((0, 0, 0), (0.5, 0.9, 0.2)))
    bpy.context.scene.frame_set(1)
    truth = [to_scene(points) for points in walked()]
    scene, notes = gathered(context, proof="ALL")
    match = Match(posed(scene, 0), truth)
    off, worst = match.worst() * match.size, notes.proof.worst
    assert notes.has("BL113") and abs(worst.distance - off) < 0.2 * off, (off, notes.lines())
    # Against the true parents, the last child was off by 68 %.
    assert 0.01 < worst.relative < 0.12, notes.lines()


def test_only_deforming_bones(context):
    """Bones that do not deform are skipped, and their children go to the next deforming bone."""
    building.empty_file()
    bpy.context.scene.frame_end = 20
    rig, item = building.skinned(bones=6)
    for index in (0, 2, 3):
        rig.data.bones[f"Rig.bone{index}"].use_deform = False
    building.new_action(rig, "swing")
    building.swing(rig, (1, 10, 20), 0.3)
    bpy.context.scene.frame_set(1)
    truth = [to_scene(points) for points in walked()]
    scene, notes = gathered(context, clips="ACTIONS", only_deform_bones=True)
    names = [node.name for node in scene.nodes]
    parents = {node.name: names[node.parent] for node in scene.nodes if node.name.startswith("Rig.")}
    assert parents == {"Rig.bone1": "Rig", "Rig.bone4": "Rig.bone1", "Rig.bone5": "Rig.bone4"}, parents
    assert len(scene.skins[0].joints) == 3
    assert Match(posed(scene, 0), truth).worst() < NEAR and notes.proof.worst.relative < NEAR, notes.lines()


def test_one_stale_curve_does_not_drop_an_action(context):
    """Orphan actions with curves of bones that were renamed; actions of another rig stay away."""
    building.empty_file()
    rig, _ = building.skinned(bones=4)
    for name in ("idle", "run"):
        building.new_action(rig, name).use_fake_user = True
        building.swing(rig, (1, 5, 9), 0.5 if name == "run" else 0.2)
    rig.animation_data_clear()
    rig.data.bones["Rig.bone3"].name = "renamed"
    for bone in rig.pose.bones:
        bone.matrix_basis.identity()
    bpy.context.scene.frame_set(1)
    scene, notes = gathered(context, clips="ACTIONS")
    assert sorted(clip.name for clip in scene.clips) == ["idle", "run"] and all(clip.tracks for clip in scene.clips)
    assert sum(note.code == "BL131" for note in notes) == 2 and "'Rig.bone3'" in " ".join(notes.lines()), notes.lines()
    # Fewer than half of the bones: it belongs to something else, and that is the reason given.
    for index in range(3):
        rig.data.bones[f"Rig.bone{index}"].name = f"other{index}"
    scene, notes = gathered(context, clips="ACTIONS")
    assert not scene.clips and any(n.code == "BL121" and "half of the bones" in n.message for n in notes), notes.lines()


def test_an_excluded_armature_comes_along(context):
    building.empty_file()
    bpy.context.scene.frame_end = 20
    rig, item = building.skinned(bones=3)
    item.parent = None
    rig.location = (0.4, 0, 0)
    building.new_action(rig, "swing")
    building.swing(rig, (1, 10, 20))
    away = bpy.data.collections.new("Away")
    bpy.context.scene.collection.children.link(away)
    away.objects.link(rig)
    bpy.context.scene.collection.objects.unlink(rig)
    bpy.context.view_layer.layer_collection.children["Away"].exclude = True
    bpy.context.scene.frame_set(1)
    truth = [to_scene(points) for points in walked()]
    assert np.abs(truth[9] - truth[0]).max() > 0.5, "Blender deforms the mesh all the same"
    for clips in ("ACTIONS", "SCENE"):
        scene, notes = gathered(context, clips=clips)
        assert len(scene.skins) == 1 and Match(posed(scene, 0), truth).worst() < NEAR, notes.lines()
        assert "Rig" not in bpy.context.view_layer.objects and list(bpy.context.scene.collection.objects) == [item]


def test_active_actions_without_any(context):
    building.empty_file()
    rig, _ = building.skinned(bones=2)
    building.new_action(rig, "wave")
    building.swing(rig, (1, 5, 9))
    building.stash(rig, "wave")
    scene, notes = gathered(context, clips="ACTIVE")
    assert not scene.clips and any("choose 'NLA strips'" in note.message and "'wave'" in note.message for note in notes)


def test_rigify(context):
    """Blender's own character rig: as many deforming bones as Blender's exporter writes, exact when flattened."""
    if bpy.app.version < (5, 0, 0):
        return  # Generating it takes ten seconds, and the rig is the same in all Blenders.
    building.empty_file()
    bpy.context.scene.frame_end = 30
    bpy.ops.preferences.addon_enable(module="rigify")
    try:
        rig = _generated()
    finally:
        bpy.ops.preferences.addon_disable(module="rigify")
    _body(rig)
    for frame, share in ((1, 0.0), (15, 1.0), (30, -0.5)):
        for name, place in (("hand_ik.L", (0.3, -0.3, 0.3)), ("foot_ik.R", (0, -0.4, 0.2)), ("torso", (0.05, 0.1, -0.15))):
            rig.pose.bones[name].location = [share * value for value in place]
            rig.pose.bones[name].keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(1)
    scene, notes = gathered(context, only_deform_bones=True)
    deforming = [bone.name for bone in rig.data.bones if bone.use_deform]
    assert len(scene.skins[0].joints) == len(deforming) == 160
    assert notes.proof.worst.relative < 0.02, notes.lines()
    scene, notes = gathered(context, only_deform_bones=True, flatten_bones=True)
    assert notes.proof.worst.relative < NEAR and not notes.has("BL113"), notes.lines()
    frames = (1, 8, 15, 30)
    truth = [to_scene(points) for points in playing.frames_of(bpy.context, frames)]
    assert Match(posed(scene, 0, [frame - 1 for frame in frames]), truth).worst() < NEAR


def _generated():
    bpy.ops.object.armature_human_metarig_add()
    meta = bpy.context.object
    bpy.ops.pose.rigify_generate()
    rig = next(item for item in bpy.data.objects if item.type == "ARMATURE" and item is not meta)
    meta.hide_set(True)
    for bone in rig.data.bones:
        bone.bbone_segments = 1
    return rig


def _body(rig):
    """Two small tetrahedra on each deforming bone."""
    points, faces, owners = [], [], []
    for bone in rig.data.bones:
        for share in (0.2, 0.8) if bone.use_deform else ():
            place, first = bone.head_local.lerp(bone.tail_local, share), len(points)
            for x, y, z in ((0.02, 0, 0), (0, 0.021, 0), (0, 0, 0.019), (-0.02, 0, 0)):
                points.append((place.x + x, place.y + y, place.z + z))
                owners.append(bone.name)
            faces += [(first, first + 1, first + 2), (first, first + 2, first + 3)]
    item = building.link("Body", building.mesh("Body", points, faces, uv=False))
    for index, name in enumerate(owners):
        group = item.vertex_groups.get(name) or item.vertex_groups.new(name=name)
        group.add([index], 1.0, "REPLACE")
    item.parent = rig
    item.modifiers.new("Armature", "ARMATURE").object = rig
