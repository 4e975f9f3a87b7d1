"""Scenes built from arrays are written in every format, and stay the same model."""

import copy
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ligament
from support import ANGLES, EXAMPLES, WRITABLE, bend, bent, sets_differ

SIZE = math.hypot(1.0, 4.0, 1.0)


def test_every_writable_format_was_tried() -> None:
    assert len(WRITABLE) >= 8


@pytest.mark.parametrize("format", WRITABLE, ids=lambda format: str(format.id))
def test_a_built_scene_is_the_same_model_in_every_format(format: ligament.Format, tmp_path: Path) -> None:
    influences = 2 if any(option.name == "influences" for option in format.write_options) else None
    path = tmp_path / f"bend.{format.extensions[0]}"
    report = ligament.save(bend(), path, format=format.id, influences=influences)
    assert report.to_format == format.id and report.comparison is not None
    assert report.comparison.worst_at_keys is not None
    again = ligament.load(path)
    if format.capabilities.clips == "none":
        assert any(loss.kind == "dropped" and "clip" in loss.object for loss in report.losses)
        assert sets_differ(again.pose().positions, bent(0.0)) < 1e-5 * SIZE
        return
    # Compared with positions worked out by hand, not with our own poses.
    for key, angle in enumerate(ANGLES):
        off = sets_differ(again.pose(0, key / 4).positions, bent(angle))
        assert off < 2e-5 * SIZE, f"key {key}: {off}\n{report}"


@pytest.mark.parametrize("format", WRITABLE, ids=lambda format: str(format.id))
def test_every_dialect_and_option_is_taken(format: ligament.Format, tmp_path: Path) -> None:
    for dialect in format.dialects:
        if dialect.writes:
            report = ligament.save(bend(), tmp_path / "a", format=format.id, dialect=dialect.id, textures="none")
            assert (report.to_format, report.dialect) == (format.id, dialect.id)
    texts = texts_of_options(tmp_path)
    for option in format.write_options:
        by_kind: dict[str, list[Any]] = {
            "flag": [True, False],
            "word": [choice.id for choice in option.choices],
            "number": [0.5],
            "integer": [1],
            "text": [texts[option.name]] if option.kind == "text" else [],
            "texts": [texts[option.name]] if option.kind == "texts" else [],
        }
        for number, value in enumerate(by_kind[option.kind]):
            target = tmp_path / f"{option.name}-{number}"
            # A reference is for additive clips, and a map for clips of other files.
            if option.name in ("strict", "max_error", "reference", "retarget") and value:
                continue
            try:
                keywords: dict[str, Any] = {"format": format.id, option.name: value}
                ligament.save(nod_and_shake(), target, **keywords)
            except ligament.UsageError as error:
                raise AssertionError(f"{option.name}={value!r}: {error}") from error


def nod_and_shake() -> ligament.Scene:
    """The column with a second clip, so that two can be joined."""
    scene = bend()
    shake = copy.deepcopy(scene.clips[0])
    shake.name = "shake"
    scene.clips.append(shake)
    return scene


def texts_of_options(folder: Path) -> dict[str, list[str] | str]:
    """For each option that takes a text or several, what it can do something with."""
    other = folder / "other.glb"
    ligament.save(bend(), other)
    return {
        "clips": ["nod"],
        "clips_from": [str(other)],
        "trim": ["nod@0s-0.5s"],
        "split": ["nod@0s-0.5s=first,0.5s-1s=second"],
        "reverse_clips": ["nod"],
        "speed": ["nod=2"],
        "loop_clips": ["nod=2"],
        "join": ["nod,shake=both"],
        "rename_clips": ["nod=yes"],
        "root_motion": ["remove"],
        "rest_pose": "nod@0.5s",
        "additive": ["nod"],
        "reference": "rest",
        "retarget": "map.toml",
        "rename_joints": ["lower=below"],
        "keep_joints": ["upper"],
        "reorder_joints": str(other),
    }


def test_numbers_of_other_types_are_converted(tmp_path: Path) -> None:
    scene = bend()
    part = scene.meshes[0].parts[0]
    assert part.normals is not None and part.influences is not None
    part.positions = np.asfortranarray(part.positions.astype(np.float64))  # pyright: ignore[reportAttributeAccessIssue]
    part.normals = part.normals[::-1][::-1]
    part.faces.corners = part.faces.corners.astype(np.int32)  # pyright: ignore[reportAttributeAccessIssue]
    part.influences.weights = list(part.influences.weights)  # type: ignore[assignment]
    scene.skins[0].inverse_binds = scene.skins[0].inverse_binds.tolist()
    scene.skins[0].joints = [1, 2]  # type: ignore[assignment]
    scene.nodes[2].translation = np.array([0, 2, 0])  # type: ignore[assignment]
    ligament.save(scene, tmp_path / "converted.glb")
    assert ligament.compare(bend(), tmp_path / "converted.glb").worst.distance == 0.0  # type: ignore[union-attr]


def test_saving_changes_nothing_in_the_scene(tmp_path: Path) -> None:
    scene = bend()
    before = copy.deepcopy(scene)
    ligament.save(scene, tmp_path / "a.amo", scale=3.0, up="z")
    assert ligament.compare(before, scene).worst.distance == 0.0  # type: ignore[union-attr]
    assert scene.meshes[0].parts[0].faces.kind == "polygons"


def test_rewriting_through_python_loses_nothing(tmp_path: Path) -> None:
    scene = ligament.load(EXAMPLES / "scene.glb")
    ligament.save(scene, tmp_path / "again.glb")
    again = ligament.load(tmp_path / "again.glb")
    comparison = ligament.compare(scene, again)
    assert comparison.worst is not None and comparison.worst.distance == 0.0
    assert comparison.differences == ()
    for kind in ("nodes", "meshes", "skins", "clips", "materials", "textures", "images", "cameras", "lights"):
        first, second = getattr(scene, kind), getattr(again, kind)
        assert len(first) == len(second), kind
        assert [x.name for x in first] == [x.name for x in second], kind
        assert [x.extras for x in first] == [x.extras for x in second], kind
    assert scene.materials == again.materials
    assert scene.cameras == again.cameras and scene.lights == again.lights
    assert scene.cameras and scene.lights, "the example has some"


def test_everything_a_scene_can_hold_comes_back(tmp_path: Path) -> None:
    scene = bend()
    part = scene.meshes[0].parts[0]
    count = len(part.positions)
    part.tangents = np.tile(np.array([0, 1, 0, -1], np.float32), (count, 1))
    part.colors = [np.random.default_rng(3).random((count, 4), dtype=np.float32)]
    part.faces = ligament.Faces(np.array([[0, 8, 1], [1, 8, 9]]))
    scene.meshes[0].morphs = [ligament.Morph("wide", 0.25), ligament.Morph("tall")]
    part.morphs = [
        ligament.MorphDeltas(np.full((count, 3), 0.5, np.float32)),
        ligament.MorphDeltas(np.tile(np.array([0, 1, 0], np.float32), (count, 1)), np.zeros((count, 3), np.float32)),
    ]
    times = np.array([0.0, 1.0], np.float32)
    scene.clips[0].tracks += [
        ligament.Track(0, "weights", times, np.array([[0, 1], [1, 0]], np.float32)),
        ligament.Track(1, "translation", times, np.zeros((2, 3), np.float32), "step"),
        ligament.Track(1, "scale", times, np.ones((2, 3, 3), np.float32), "cubic"),
    ]
    png = bytes(ligament.load(EXAMPLES / "creature.glb").images[0].data or b"")
    scene.images = [ligament.Image("skin", data=png)]
    scene.textures = [ligament.Texture(0, "skin", wrap_u="clamp", wrap_v="mirror", magnify="nearest")]
    slot = ligament.TextureRef(0, 0, ligament.UvTransform((0.5, 0.25), 0.125, (2.0, 3.0)), 1.0)
    assert scene.materials[0].pbr is not None
    scene.materials[0].pbr.base_color_texture = slot
    scene.materials[0].alpha, scene.materials[0].alpha_cutoff = "mask", 0.25
    scene.cameras = [
        ligament.Camera(ligament.Perspective(0.75, 1.5), 0.5, 64.0, "eye"),
        ligament.Camera(ligament.Orthographic(2.0, 1.0), 0.25, 8.0, "plan"),
    ]
    scene.lights = [
        ligament.Light("spot", (1.0, 0.5, 0.25), 8.0, 4.0, 0.25, 0.5, "lamp"),
        ligament.Light("directional", name="sun"),
        ligament.Light("point", name="bulb", range=2.0),
    ]
    scene.nodes += [
        ligament.Node("eye", camera=0, light=0, translation=(1.0, 2.0, 3.0), extras={"note": "ü"}),
        ligament.Node("plan", parent=3, camera=1, light=1, matrix=np.array(SHEAR, np.float32)),
        ligament.Node("bulb", light=2),
    ]
    report = ligament.save(scene, tmp_path / "all.glb", strict=True)
    assert report.dropped == () and report.approximated == ()
    again = ligament.load(tmp_path / "all.glb")
    copied = again.meshes[0].parts[0]
    assert copied.tangents is not None
    assert np.array_equal(copied.tangents, part.tangents) and np.array_equal(copied.colors[0], part.colors[0])
    assert copied.faces.corners.tolist() == [0, 8, 1, 1, 8, 9]
    assert again.meshes[0].morphs == scene.meshes[0].morphs
    assert copied.morphs[1].positions is not None and part.morphs[1].positions is not None
    assert np.array_equal(copied.morphs[1].positions, part.morphs[1].positions)
    tracks = {(track.node, track.property): track for track in again.clips[0].tracks}
    assert tracks[0, "weights"].values.tolist() == [[0, 1], [1, 0]]
    assert tracks[1, "scale"].values.shape == (2, 3, 3) and tracks[1, "scale"].interpolation == "cubic"
    assert tracks[1, "translation"].interpolation == "step"
    assert again.materials[0] == scene.materials[0]
    assert again.textures[0].wrap_u == "clamp" and again.textures[0].magnify == "nearest"
    assert bytes(again.images[0].data or b"") == png
    assert again.cameras == scene.cameras
    assert again.lights == scene.lights
    assert again.nodes[3].extras == {"note": "ü"} and again.nodes[3].translation == (1.0, 2.0, 3.0)
    assert again.nodes[4].matrix is not None and np.allclose(again.nodes[4].matrix, SHEAR)


SHEAR: list[list[float]] = [[1, 0.5, 0, 3], [0, 1, 0, 4], [0, 0, 1, 5], [0, 0, 0, 1]]


def test_ambient_light_and_phong_come_back(tmp_path: Path) -> None:
    formats = [format for format in WRITABLE if format.capabilities.ambient and format.capabilities.phong]
    assert formats
    scene = bend()
    scene.ambient = (0.25, 0.5, 0.75, 1.0)
    scene.materials[0].pbr = None
    scene.materials[0].phong = ligament.Phong((0.5, 0.5, 0.5), (0.75, 0.5, 0.25), (0.25, 0.25, 0.25), 16.0)
    for format in formats:
        path = tmp_path / f"a.{format.extensions[0]}"
        ligament.save(scene, path, format=format.id)
        again = ligament.load(path)
        assert again.ambient == scene.ambient
        phong = again.materials[0].phong
        assert phong is not None and phong.diffuse == (0.75, 0.5, 0.25) and phong.ambient == (0.5, 0.5, 0.5)


def test_images_are_found_in_the_scenes_folder(tmp_path: Path) -> None:
    (tmp_path / "from").mkdir()
    (tmp_path / "to").mkdir()
    ligament.save(ligament.load(EXAMPLES / "creature.glb"), tmp_path / "from/creature.obj")
    scene = ligament.load(tmp_path / "from/creature.obj")
    assert scene.images[0].path is not None
    picture = tmp_path / "from" / scene.images[0].path
    assert picture.is_file()
    ligament.save(scene, tmp_path / "to/creature.glb")
    inside = ligament.load(tmp_path / "to/creature.glb").images[0].data
    assert inside is not None and bytes(inside) == picture.read_bytes()


def test_converting_is_what_the_command_line_does(tmp_path: Path) -> None:
    report = ligament.convert(EXAMPLES / "creature.glb", tmp_path / "creature.amo", dialect="counted")
    assert (report.from_format, report.to_format, report.dialect) == ("gltf", "amo", "counted")
    assert report.comparison is not None and report.comparison.worst is not None
    # Long paths break the first line.
    words = " ".join(str(report).split())
    assert words.startswith(f"{EXAMPLES / 'creature.glb'} → {tmp_path / 'creature.amo'} 2874 vertices")
    json = report.to_json()
    assert json["to"] == "amo" and len(json["losses"]) == len(report.losses)
    assert len(report.kept) + len(report.approximated) + len(report.dropped) == len(report.losses)
    sized = [loss for loss in report.approximated if loss.size is not None]
    assert sized and all(loss.unit and loss.count > 0 for loss in sized)
    # A file that stays in its format is rewritten unchanged.
    rewritten = ligament.convert(EXAMPLES / "creature.pfobj", tmp_path / "creature.pfobj")
    assert rewritten.rewritten
    assert (tmp_path / "creature.pfobj").read_bytes() == (EXAMPLES / "creature.pfobj").read_bytes()


def test_the_proof_can_be_left_out(tmp_path: Path) -> None:
    assert ligament.save(bend(), tmp_path / "a.glb", verify=False).comparison is None


def test_arrays_in_the_order_of_columns_are_the_same(tmp_path: Path) -> None:
    scene = bend()
    scene.meshes[0].parts[0].positions = np.asfortranarray(scene.meshes[0].parts[0].positions)
    assert sets_differ(scene.pose().positions, bend().pose().positions) == 0.0
    # One joint's matrices, as they are loaded, are in such an order too.
    skin = bend().skins[0]
    scene = bend()
    scene.skins[0].inverse_binds = np.ascontiguousarray(skin.inverse_binds.transpose(0, 2, 1)).transpose(0, 2, 1)
    assert sets_differ(scene.pose().positions, bend().pose().positions) == 0.0
    alone = ligament.Skin(np.array([0], np.uint32), np.eye(4, dtype=np.float32)[None])
    alone.inverse_binds[0, 0, 3] = 2.0
    alone.inverse_binds = np.ascontiguousarray(alone.inverse_binds.transpose(0, 2, 1)).transpose(0, 2, 1)
    ligament.Scene(nodes=[ligament.Node()], skins=[alone]).check()


def test_phong_becomes_the_block_that_glTF_gets(tmp_path: Path) -> None:
    phong = ligament.Phong(diffuse=(0.25, 0.5, 2.0), specular=(0.25, 0.5, 0.5), shininess=30.0, opacity=0.75)
    pbr = phong.to_pbr()
    assert pbr.base_color == (0.25, 0.5, 1.0, 0.75) and pbr.metallic == 0.0
    # The exponent n is a roughness of sqrt(2 / (n + 2)).
    assert pbr.roughness == pytest.approx(0.25)
    assert pbr.specular == ligament.Specular(0.5, (0.5, 1.0, 1.0))
    scene = bend()
    scene.materials = [ligament.Material("m", phong=phong)]
    ligament.save(scene, tmp_path / "a.glb")
    loaded = ligament.load(tmp_path / "a.glb").materials[0].pbr
    assert loaded is not None and loaded.roughness == pytest.approx(0.25)
    with pytest.raises(ligament.SceneError, match="Phong"):
        ligament.Phong.to_pbr(5)  # type: ignore[arg-type]
