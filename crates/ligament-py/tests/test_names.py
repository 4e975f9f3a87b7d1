"""Things are found by name, clips of other models are added, and every object has a short text."""

import inspect
import pydoc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ligament
from ligament.functions import ConvertOptions, ReadOptions, SaveOptions
from support import ANGLES, EXAMPLES, bend, bent


def test_things_are_found_by_name() -> None:
    scene = bend()
    assert scene.node("upper") is scene.nodes[2]
    assert scene.clip("nod") is scene.clips[0]
    assert scene.mesh("column") is scene.meshes[0]
    assert scene.material("clay") is scene.materials[0]


def test_a_name_that_is_not_there_suggests_another() -> None:
    scene = bend()
    with pytest.raises(KeyError) as caught:
        scene.node("uper")
    assert isinstance(caught.value, ligament.UnknownNameError)
    # Without the quotes that a KeyError puts around its text.
    assert 'there is no node "uper"; did you mean "upper"? The scene has "column", "lower", "upper"' in str(caught.value)
    with pytest.raises(ligament.UnknownNameError, match='no clip "run"; the scene has "nod"'):
        scene.clip("run")
    with pytest.raises(ligament.UnknownNameError, match='no material "x"; the scene has none'):
        ligament.Scene().material("x")
    scene.nodes += [ligament.Node(f"n{i}") for i in range(50)]
    with pytest.raises(ligament.UnknownNameError, match="and 33 more"):
        scene.node("something else")


def test_a_name_of_several_things_is_ambiguous() -> None:
    scene = bend()
    scene.nodes.append(ligament.Node("lower"))
    with pytest.raises(ligament.UnknownNameError, match=r'2 nodes are called "lower": nodes\[1\], nodes\[3\]'):
        scene.node("lower")


def test_an_unknown_clip_is_one_kind_of_fault_wherever_it_is_named(tmp_path: Path) -> None:
    for attempt in (
        lambda: bend().pose("wlak"),
        lambda: bend().clip("wlak"),
        lambda: ligament.save(bend(), tmp_path / "a.glb", clips=["wlak"]),
    ):
        with pytest.raises(ligament.UnknownNameError) as caught:
            attempt()
        assert isinstance(caught.value, ligament.UsageError) and isinstance(caught.value, KeyError)


def test_no_clips_are_not_all_clips(tmp_path: Path) -> None:
    source, target = EXAMPLES / "creature.glb", tmp_path / "a.glb"
    for clips, left in ((None, 3), ([], 0), (["walk"], 1)):
        ligament.convert(source, target, clips=clips)
        assert len(ligament.load(target).clips) == left
    ligament.save(ligament.load(source), target, clips=[])
    assert ligament.load(target).clips == []


def renamed(prefix: str) -> ligament.Scene:
    other = bend()
    for node in other.nodes:
        node.name = prefix + node.name
    other.clips[0].name = "Take 001"
    return other


def test_clips_of_another_model_are_added(tmp_path: Path) -> None:
    path = tmp_path / "wave.glb"
    ligament.save(renamed("mixamorig:"), path)
    for other, name in ((renamed("mixamorig:"), "Take 001"), (path, "wave"), (str(path), "wave")):
        scene = bend()
        mine = scene.clips[0]
        report = scene.merge_clips(other)
        assert scene.clips[0] is mine and [clip.name for clip in scene.clips] == ["nod", name]
        assert len(report.losses) == 1 and report.losses[0].kind == "kept", report
        for key, angle in enumerate(ANGLES):
            posed = scene.pose(name, key / 4).positions
            # Against positions worked out by hand.
            assert np.abs(posed - bent(angle)).max() < 1e-5
    assert len(bend().clips) == 1


def test_a_model_without_the_same_joints_adds_nothing() -> None:
    scene, other = bend(), bend()
    for node, name in zip(other.nodes, ("a", "b", "c"), strict=True):
        node.name = name
    with pytest.raises(ligament.UsageError, match="no joint of its clips"):
        scene.merge_clips(other)
    other.clips = []
    with pytest.raises(ligament.UsageError, match="no clips"):
        scene.merge_clips(other)
    assert len(scene.clips) == 1
    with pytest.raises(FileNotFoundError):
        scene.merge_clips("nowhere.glb")


def test_repr_is_short_and_says_what_there_is() -> None:
    scene = ligament.load(EXAMPLES / "creature.glb")
    report = ligament.compare(scene, EXAMPLES / "creature.glb")
    assert repr(scene).startswith("<Scene") and "clips=3" in repr(scene)
    assert "positions=float32(" in repr(scene.meshes[0].parts[0])
    things: list[object] = [scene, scene.report, report, scene.pose(), *scene.nodes, *scene.meshes, *scene.skins, *scene.clips]
    things += [*scene.materials, *scene.images, *scene.textures, *scene.clips[0].tracks, *scene.meshes[0].parts]
    for thing in things:
        assert len(repr(thing)) < 500 and "\n" not in repr(thing), repr(thing)
    assert repr(ligament.Node("tip", parent=3)) == "<Node name='tip' parent=3>"
    assert repr(ligament.Scene()) == "<Scene>"
    assert repr(bend().clips[0]) == "<Clip name='nod' duration=1.0 tracks=1>"


@pytest.mark.parametrize(
    ("function", "options"),
    [(ligament.load, ReadOptions), (ligament.save, SaveOptions), (ligament.convert, ConvertOptions)],
)
def test_help_lists_every_option(function: Any, options: type) -> None:
    text = pydoc.plain(pydoc.render_doc(function))
    parameters = inspect.signature(function).parameters
    for name in options.__annotations__:
        assert f"{name}: " in text and name in parameters
        assert parameters[name].kind is inspect.Parameter.KEYWORD_ONLY
    assert "Unpack" not in text
    assert "Frames per second, for formats that" in text
