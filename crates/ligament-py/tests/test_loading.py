"""Files become scenes of plain objects and arrays, which share the reader's memory."""

import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import ligament
from support import EXAMPLES, bend


def owner(array: np.ndarray) -> object:
    """The object that keeps an array's memory alive."""
    base: object = array
    while isinstance(base, np.ndarray) and base.base is not None:
        base = base.base
    return base


def test_a_scene_has_what_the_file_has() -> None:
    scene = ligament.load(EXAMPLES / "creature.glb")
    assert scene.report is not None
    assert (scene.report.from_format, scene.report.dialect) == ("gltf", "glb")
    assert scene.report.counts == ligament.Counts(vertices=2874, joints=26, clips=3)
    assert [clip.name for clip in scene.clips] == ["idle", "walk", "wave"]
    assert scene.vertex_count == 2874
    assert scene.folder == EXAMPLES
    part = scene.meshes[0].parts[0]
    count = len(part.positions)
    assert part.positions.shape == (count, 3) and part.positions.dtype == np.float32
    assert part.normals is not None and part.normals.shape == (count, 3)
    assert part.uvs[0].shape == (count, 2)
    assert part.faces.kind == "triangles" and part.faces.count * 3 == part.faces.corners.size
    assert part.influences is not None and part.influences.starts.shape == (count + 1,)
    assert part.influences.starts[-1] == len(part.influences.joints) == len(part.influences.weights)
    skin = scene.skins[0]
    assert skin.inverse_binds.shape == (len(skin.joints), 4, 4)
    assert np.allclose(skin.inverse_binds[:, 3], [0, 0, 0, 1])
    image = scene.images[scene.textures[0].image]
    assert isinstance(image.data, memoryview) and image.data.readonly and bytes(image.data[1:4]) == b"PNG"


def test_arrays_are_the_readers_memory() -> None:
    scene = ligament.load(EXAMPLES / "creature.glb")
    part = scene.meshes[0].parts[0]
    assert part.influences is not None and part.normals is not None
    track = scene.clips[0].tracks[0]
    for array in (
        part.positions,
        part.normals,
        part.uvs[0],
        part.faces.corners,
        part.influences.starts,
        part.influences.joints,
        part.influences.weights,
        scene.skins[0].inverse_binds,
        track.values,
    ):
        assert type(owner(array)).__name__ == "Memory", "no copy was made"
        assert array.flags.writeable and not array.flags.owndata
    # Joints and weights are interleaved, as in the reader.
    joints, weights = part.influences.joints, part.influences.weights
    assert owner(joints) is owner(weights)
    assert joints.strides == weights.strides == (8,)
    assert weights.__array_interface__["data"][0] - joints.__array_interface__["data"][0] == 4
    # A view of a view is still the same memory.
    assert np.shares_memory(part.positions, part.positions[5:7])


def test_memory_outlives_its_scene() -> None:
    positions = ligament.load(EXAMPLES / "creature.glb").meshes[0].parts[0].positions
    again = ligament.load(EXAMPLES / "creature.glb").meshes[0].parts[0].positions
    assert np.array_equal(positions, again) and not np.shares_memory(positions, again)
    again[0] = 7.0
    assert positions[0, 0] != 7.0


def test_times_are_shared_and_cannot_be_written() -> None:
    clip = ligament.load(EXAMPLES / "creature.pfobj").clips[0]
    assert clip.frames is not None
    moving = [track for track in clip.tracks if len(track.times) == clip.frames.count]
    assert len(moving) > 10
    assert all(track.times is moving[0].times for track in moving)
    assert not moving[0].times.flags.writeable


def test_what_is_changed_is_saved(tmp_path: Path) -> None:
    scene = ligament.load(EXAMPLES / "creature.glb")
    scene.nodes[3].name = "Öhr"
    scene.meshes[0].parts[0].positions *= 2.0
    scene.clips = scene.clips[1:2]
    scene.extras["made by"] = {"tool": "a test", "numbers": [1, 2.5, None, True]}
    ligament.save(scene, tmp_path / "changed.glb")
    again = ligament.load(tmp_path / "changed.glb")
    assert again.nodes[3].name == "Öhr"
    assert np.array_equal(again.meshes[0].parts[0].positions, scene.meshes[0].parts[0].positions)
    assert [clip.name for clip in again.clips] == ["walk"]
    assert again.extras["made by"] == {"tool": "a test", "numbers": [1, 2.5, None, True]}


def test_influences_become_dense_and_back() -> None:
    influences = bend().meshes[0].parts[0].influences
    assert influences is not None
    joints, weights = influences.dense()
    assert joints.shape == weights.shape == (72, 2)
    again = ligament.Influences.from_dense(joints, weights)
    for name in ("starts", "joints", "weights"):
        assert np.array_equal(getattr(again, name), getattr(influences, name))
    assert influences.dense(4)[1].shape == (72, 4)
    heaviest = influences.dense(1)
    assert np.array_equal(heaviest[1][:, 0], weights.max(axis=1))
    ragged = ligament.Influences(
        np.array([0, 2, 2, 5], np.uint32), np.arange(5, dtype=np.uint32), np.array([1, 2, 3, 5, 4], np.float32)
    )
    joints, weights = ragged.dense()
    assert weights.tolist() == [[1, 2, 0], [0, 0, 0], [3, 5, 4]]
    assert ragged.dense(2)[0].tolist() == [[1, 0], [0, 0], [3, 4]]


@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="skipped: needs Linux's /proc")
def test_loading_needs_the_memory_of_its_arrays_once(tmp_path: Path) -> None:
    vertices = 4_000_000
    scene = ligament.Scene(
        nodes=[ligament.Node(mesh=0)],
        meshes=[
            ligament.Mesh(
                parts=[
                    ligament.Part(
                        np.random.default_rng(1).random((vertices, 3), dtype=np.float32),
                        ligament.Faces(np.arange(3, dtype=np.uint32)),
                    )
                ]
            )
        ],
    )
    path = tmp_path / "large.glb"
    ligament.save(scene, path, verify=False)
    script = """
        import sys, ligament

        def most():
            with open("/proc/self/status") as status:
                return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))

        ligament.load(sys.argv[2])
        before = most()
        positions = ligament.load(sys.argv[1]).meshes[0].parts[0].positions
        print((most() - before) * 1024 / positions.nbytes)
    """
    command = [sys.executable, "-c", textwrap.dedent(script), str(path), str(EXAMPLES / "creature.glb")]
    growth = float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    # A copy of the one large array would make it two.
    assert 0.9 < growth < 1.3, growth
