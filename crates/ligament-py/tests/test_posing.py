"""Poses, compared with positions worked out by hand and with those of Blender and three.js."""

import json
import math

import numpy as np
import pytest

import ligament
from support import ANGLES, CORPUS, ROOT, bend, bent, extra, sets_differ


def test_a_bent_column_is_where_it_should_be() -> None:
    poser = bend().poser()
    for key, angle in enumerate(ANGLES):
        pose = poser.pose("nod", key / 4)
        assert np.abs(pose.positions - bent(angle)).max() < 2e-6
    # Halfway between two keys the joint has rotated half as far.
    assert np.abs(poser.pose(0, 0.125).positions - bent(0.2)).max() < 2e-6
    # Before the first key and after the last it stays.
    assert np.abs(poser.pose(-1, 99.0).positions - bent(ANGLES[-1])).max() < 2e-6
    assert np.abs(poser.pose().positions - bent(0.0)).max() == 0.0


def test_matrices_move_column_vectors() -> None:
    scene = bend()
    pose = scene.pose("nod", 0.5)
    assert pose.node_matrices.shape == (3, 4, 4) and pose.node_matrices.dtype == np.float64
    assert np.allclose(pose.node_matrices[2] @ [0, 0, 0, 1], [0, 2, 0, 1])
    assert np.allclose(pose.node_matrices[2] @ [1, 0, 0, 1], [math.cos(1.1), 2 + math.sin(1.1), 0, 1])
    joint = pose.joint_matrices[0][1]
    assert joint.shape == (4, 4)
    # A vertex that only the upper joint influences.
    top = scene.meshes[0].parts[0].positions[-1]
    assert np.allclose(joint @ [*top, 1], [*pose.positions[-1], 1], atol=1e-6)


def test_instances_and_morphs_are_posed() -> None:
    scene = bend()
    part = scene.meshes[0].parts[0]
    part.influences = None
    scene.skins, scene.clips = [], []
    scene.meshes[0].morphs = [ligament.Morph("up", 0.5)]
    part.morphs = [ligament.MorphDeltas(np.tile(np.array([0, 2, 0], np.float32), (len(part.positions), 1)))]
    scene.nodes = [
        ligament.Node(mesh=0, translation=(10.0, 0.0, 0.0)),
        ligament.Node(mesh=0, parent=0, scale=(-2.0, 1.0, 1.0), morph_weights=[1.0]),
    ]
    first, second = scene.pose().parts
    assert (first.node, second.node, first.part) == (0, 1, 0)
    assert np.allclose(first.positions, part.positions + [10, 1, 0])
    assert np.allclose(second.positions, part.positions * [-2, 1, 1] + [10, 2, 0])
    assert first.normals is not None and np.allclose(np.linalg.norm(first.normals, axis=1), 1, atol=1e-5)
    assert len(scene.pose().positions) == 144


def test_a_snapshot_stays_what_it_was() -> None:
    scene = bend()
    poser = scene.poser()
    scene.meshes[0].parts[0].positions += 5.0
    assert np.abs(poser.pose().positions - bent(0.0)).max() == 0.0


def test_wrong_clips_and_times_are_told() -> None:
    scene = bend()
    with pytest.raises(KeyError, match='there is no clip "run"; the scene has "nod"'):
        scene.pose("run")
    with pytest.raises(IndexError, match="there is no clip 1; the scene has 1"):
        scene.pose(1)
    with pytest.raises(ValueError, match="finite"):
        scene.pose(0, math.nan)


def test_poses_agree_with_blender() -> None:
    own = CORPUS / "own/pfobj"
    compared = 0
    for file, oracle in [
        ("bend_tube.pfobj", "bend_tube.oracle.json"),
        ("bend_tube_spec_euler.pfobj", "bend_tube.oracle.json"),
        ("worm.pfobj", "worm.oracle.json"),
    ]:
        poser = (scene := ligament.load(own / file)).poser()
        frames_of = json.loads((own / oracle).read_text())
        assert {clip.name for clip in scene.clips} == set(frames_of)
        for clip in scene.clips:
            assert clip.frames is not None and clip.frames.count == len(frames_of[clip.name])
            for frame, expected in enumerate(frames_of[clip.name]):
                posed = poser.pose(clip.name, frame / clip.frames.rate)
                if len(posed.parts) == 1:
                    assert np.abs(posed.positions - np.array(expected)).max() < 3e-5
                else:
                    # Parts by material change the order of the vertices.
                    assert sets_differ(posed.positions, expected) < 3e-5
                compared += len(expected)
    assert compared == 2 * 324 * 16 + 348 * 14


def test_poses_agree_with_three_js() -> None:
    oracles = sorted((ROOT / "crates/ligament/tests/oracles").glob("*.json"))
    assert len(oracles) == 6
    compared = 0
    for path in oracles:
        model = CORPUS / "real/gltf" / path.stem
        found = model if model.exists() else extra(f"real/gltf/{path.stem}")
        if found is None:
            continue
        oracle = json.loads(path.read_text())
        scene = ligament.load(found)
        poser = scene.poser()
        worst = size = 0.0
        for expected in oracle["poses"]:
            names = [clip.name for clip in scene.clips]
            if expected["clip"] is None:
                posed = poser.pose()
            else:
                # three.js makes up names for clips that have none.
                clip = names.index(expected["clip"]) if expected["clip"] in names else 0
                posed = poser.pose(clip, expected["time"])
            assert len(posed.parts) == len(expected["meshes"])
            for mesh in expected["meshes"]:
                points = np.array(mesh["points"])
                ours = next(
                    part.positions[:: oracle["step"]]
                    for part in posed.parts
                    if scene.nodes[part.node].name == mesh["node"]
                    and len(part.positions[:: oracle["step"]]) == len(points)
                )
                worst = max(worst, float(np.linalg.norm(ours - points, axis=1).max()))
                size = max(size, float(np.linalg.norm(points, axis=1).max()))
        # SimpleSkin's quaternions have three digits; we make them unit, three.js does not.
        assert worst / size < (3e-4 if path.stem == "SimpleSkin.gltf" else 1e-6), path.stem
        compared += 1
    assert compared == 5 + (extra("real/gltf/CesiumMan.glb") is not None)
