"""The objects of a loaded scene are made on first access, without a visible difference."""

import copy
import dataclasses
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

import ligament
from support import EXAMPLES


def untouched(scene: ligament.Scene) -> bool:
    return scene._unread is not None


def test_loading_makes_no_objects_and_looking_makes_all() -> None:
    scene = ligament.load(EXAMPLES / "creature.glb")
    assert untouched(scene)
    assert len(scene.clips) == 3
    assert not untouched(scene)
    assert scene.clips is scene.clips
    assert scene.vertex_count == 2874 and scene.folder == EXAMPLES and scene.report is not None


def test_what_is_set_before_the_first_look_stays() -> None:
    scene = ligament.load(EXAMPLES / "creature.glb")
    scene.clips = []
    scene.folder = None
    assert untouched(scene)
    assert len(scene.meshes) == 1
    assert scene.clips == [] and scene.folder is None


def test_a_field_that_was_deleted_is_gone() -> None:
    scene = ligament.load(EXAMPLES / "creature.glb")
    assert scene.clips
    del scene.clips
    with pytest.raises(AttributeError, match="clips"):
        scene.clips  # noqa: B018


def test_names_that_there_are_not_are_mistakes() -> None:
    for scene in (ligament.load(EXAMPLES / "creature.glb"), ligament.Scene()):
        assert not hasattr(scene, "bones")
        with pytest.raises(AttributeError, match="'Scene' object has no attribute 'bones'"):
            scene.bones  # type: ignore[attr-defined] # noqa: B018
        with pytest.raises(AttributeError):
            scene.bones = []  # type: ignore[attr-defined]


WAYS: dict[str, Callable[[ligament.Scene], ligament.Scene]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda scene: pickle.loads(pickle.dumps(scene)),
    "replace": dataclasses.replace,
}


@pytest.mark.parametrize("way", WAYS)
def test_an_unseen_scene_can_be_copied(way: str) -> None:
    scene = ligament.load(EXAMPLES / "creature.pfobj")
    made = WAYS[way](scene)
    assert made is not scene
    assert len(made.nodes) == len(scene.nodes) > 0
    worst = ligament.compare(scene, made).worst
    assert worst is not None and worst.distance == 0.0


def test_threads_that_look_at_once_see_the_same_objects() -> None:
    for _ in range(20):
        scene = ligament.load(EXAMPLES / "creature.glb")
        with ThreadPoolExecutor(8) as pool:
            seen = list(pool.map(lambda _: scene.meshes, range(8)))  # noqa: B023
        assert all(meshes is seen[0] for meshes in seen) and len(seen[0]) == 1
