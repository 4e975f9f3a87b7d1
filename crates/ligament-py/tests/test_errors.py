"""Errors are exceptions with a location; nothing is written, and nothing ends the process."""

import copy
import errno
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ligament
from support import EXAMPLES, bend


def part(scene: ligament.Scene) -> Any:
    return scene.meshes[0].parts[0]


def set_to(path: str, value: Any) -> Callable[[ligament.Scene], None]:
    """Sets an attribute of a scene, which may be an element of an array."""

    def change(scene: ligament.Scene) -> None:
        exec(f"scene.{path} = value", {"scene": scene, "value": value})

    return change


def loop(scene: ligament.Scene) -> None:
    extras: dict[str, Any] = {}
    extras["itself"] = extras
    scene.extras = extras


BROKEN = [
    # the change to the scene, the reported location, and a part of the message
    (set_to("meshes[0].parts[0].positions", np.zeros((72, 2))), "meshes[0].parts[0].positions", "(n, 3), not (72, 2)"),
    (set_to("meshes[0].parts[0].positions", None), "meshes[0].parts[0].positions", "an array of numbers, not"),
    (set_to("meshes[0].parts[0].positions", "many"), "meshes[0].parts[0].positions", "an array of numbers, not"),
    (set_to("meshes[0].parts[0].positions", [[1, 2, 3], [4]]), "meshes[0].parts[0].positions", "an array of numbers, not"),
    (set_to("meshes[0].parts[0].positions", np.zeros((72, 3), complex)), "meshes[0].parts[0].positions", "complex128"),
    (set_to("meshes[0].parts[0].positions[7, 1]", np.nan), "meshes[0].parts[0].positions[7]", "not finite"),
    (set_to("meshes[0].parts[0].positions", np.full((72, 3), 1e300)), "meshes[0].parts[0].positions[0]", "not finite"),
    (set_to("meshes[0].parts[0].normals", np.zeros((5, 3))), "meshes[0].parts[0].normals", "72"),
    (set_to("meshes[0].parts[0].uvs", [np.zeros((72, 3))]), "meshes[0].parts[0].uvs[0]", "(n, 2), not (72, 3)"),
    (set_to("meshes[0].parts[0].uvs", 5), "meshes[0].parts[0].uvs", "a list of arrays, not a int"),
    (set_to("meshes[0].parts[0].faces.corners[3]", 900), "meshes[0].parts[0].faces", "900"),
    (set_to("meshes[0].parts[0].faces.corners", np.array([0, -1, 2])), "meshes[0].parts[0].faces.corners[1]", "-1 is not an index"),
    (set_to("meshes[0].parts[0].faces.corners", np.array([0.5])), "meshes[0].parts[0].faces.corners", "float64"),
    (set_to("meshes[0].parts[0].faces.kind", "strips"), "meshes[0].parts[0].faces.kind", "'strips'"),
    (set_to("meshes[0].parts[0].faces.starts", None), "meshes[0].parts[0].faces.starts", "not a NoneType"),
    (set_to("meshes[0].parts[0].faces", None), "meshes[0].parts[0].faces", "expected a Faces, not a NoneType"),
    (set_to("meshes[0].parts[0].influences.joints[0]", 9), "meshes[0].parts[0].influences", "9"),
    (set_to("meshes[0].parts[0].influences.starts[0]", 1), "meshes[0].parts[0].influences.starts", "begin with 0"),
    (set_to("meshes[0].parts[0].influences.weights", np.zeros(3)), "meshes[0].parts[0].influences.weights", "3 weights"),
    (set_to("meshes[0].parts[0].material", 4), "meshes[0].parts[0].material", "no material 4"),
    (set_to("meshes[0].parts[0].material", -1), "meshes[0].parts[0].material", "not -1"),
    (set_to("meshes[0].name", 7), "meshes[0].name", "expected a str, not a int"),
    (set_to("meshes[0].name", "\ud800"), "meshes[0].name", "not valid Unicode"),
    (set_to("meshes", [None]), "meshes[0]", "expected a Mesh, not a NoneType"),
    (set_to("meshes", {"a": 1}), "meshes[0]", "expected a Mesh, not a str"),
    (set_to("nodes[0].mesh", 1), "nodes[0].mesh", "no mesh 1"),
    (set_to("nodes[1].parent", 2), "nodes[1].parent", "2"),
    (set_to("nodes[1].rotation", (0, 0, 1)), "nodes[1].rotation", "4 numbers, not 3"),
    (set_to("nodes[1].rotation", (0, 0, 0, 3)), "nodes[1]", "length 3, not 1"),
    (set_to("nodes[1].matrix", np.eye(3)), "nodes[1].matrix", "(4, 4), not (3, 3)"),
    (set_to("nodes[1].translation", ("a", "b", "c")), "nodes[1].translation", "a number, not a str"),
    (set_to("nodes[1].extras", {"a": object()}), "nodes[1].extras", "JSON"),
    (set_to("nodes[1].extras", {1: 2}), "nodes[1].extras", "keys must be strings"),
    (set_to("nodes[1].extras", {"a": float("inf")}), "nodes[1].extras", "not finite"),
    (loop, "extras", "contains itself"),
    (set_to("skins[0].joints", np.array([1])), "skins[0]", "1"),
    (set_to("skins[0].joints[1]", 77), "skins[0].joints[1]", "77"),
    (set_to("skins[0].inverse_binds", np.zeros((2, 3, 4))), "skins[0].inverse_binds", "(n, 4, 4), not (2, 3, 4)"),
    (set_to("clips[0].tracks[0].times[2]", 0.1), "clips[0].tracks[0].times", "does not come after"),
    (set_to("clips[0].tracks[0].values", np.zeros((5, 3))), "clips[0].tracks[0].values", "(5, 4) for 5 keys"),
    (set_to("clips[0].tracks[0].interpolation", "cubic"), "clips[0].tracks[0].values", "(5, 3, 4) for 5 keys"),
    (set_to("clips[0].tracks[0].node", None), "clips[0].tracks[0].node", "not None"),
    (set_to("clips[0].tracks[0].property", "colour"), "clips[0].tracks[0].property", "'colour'"),
    (set_to("clips[0].duration", 0.25), "clips[0].duration", "0.25"),
    (set_to("images", [ligament.Image("x")]), "images[0]", "a path or data"),
    (set_to("images", [ligament.Image(path="a", data=b"b")]), "images[0]", "not both"),
    (set_to("images", [ligament.Image(data=3)]), "images[0].data", "not a int"),  # type: ignore[arg-type]
    (set_to("images", [ligament.Image(path="../../etc/passwd")]), "images[0]", ""),
    (set_to("textures", [ligament.Texture(3)]), "textures[0].image", "3"),
    (set_to("cameras", [ligament.Camera(None)]), "cameras[0].projection", "NoneType"),  # type: ignore[arg-type]
    (set_to("lights", [ligament.Light("area")]), "lights[0].kind", "'area'"),  # type: ignore[arg-type]
    (set_to("materials[0].pbr.base_color", (1, 1, 1)), "materials[0].pbr.base_color", "4 numbers, not 3"),
    (set_to("ambient", (1, 1)), "ambient", "4 numbers, not 2"),
]


@pytest.mark.parametrize(("change", "place", "message"), BROKEN, ids=[f"{i}-{case[1]}" for i, case in enumerate(BROKEN)])
def test_a_broken_scene_is_refused_with_the_place(
    change: Callable[[ligament.Scene], None], place: str, message: str, tmp_path: Path
) -> None:
    scene = bend()
    change(scene)
    target = tmp_path / "broken.glb"
    target.write_bytes(b"what was there")
    for attempt in (scene.check, scene.pose, lambda: ligament.save(scene, target)):
        with pytest.raises(ligament.SceneError) as caught:
            attempt()
        first = caught.value.first
        assert first is not None and first.field is not None
        assert first.field.startswith(place), first
        assert message in first.message, first
        assert first.code in str(caught.value)
    assert target.read_bytes() == b"what was there"
    assert os.listdir(tmp_path) == ["broken.glb"]


def test_what_is_no_scene_is_refused() -> None:
    for nothing in (None, 5, "fox.glb", [], {}, object()):
        with pytest.raises((ligament.LigamentError, AttributeError)):
            ligament.save(nothing, "never.glb")  # type: ignore[arg-type]


def test_a_fault_in_a_text_file_has_line_and_column(tmp_path: Path) -> None:
    lines = (EXAMPLES / "creature.pfobj").read_text().splitlines(keepends=True)
    number = next(i for i, line in enumerate(lines) if line.startswith("v "))
    lines[number] = "v 1.0 abc 2.0\n"
    path = tmp_path / "broken.pfobj"
    path.write_text("".join(lines))
    with pytest.raises(ligament.InvalidError) as caught:
        ligament.load(path)
    first = caught.value.first
    assert first is not None
    assert (first.path, first.line, first.column) == (str(path), number + 1, 7)
    assert first.offset == sum(map(len, lines[:number])) + 6
    assert f"{path}:{number + 1}:7: error[{first.code}]" in str(caught.value)
    assert ligament.explain(first.code).code == first.code
    # The same as a result instead of an exception.
    found = ligament.validate(path)
    assert first in found
    assert {found.severity for found in ligament.validate(EXAMPLES / "creature.glb")} <= {"note"}


def test_unsupported_is_not_invalid(tmp_path: Path) -> None:
    path = tmp_path / "later.gltf"
    path.write_text('{"asset": {"version": "3.0"}}')
    with pytest.raises(ligament.UnsupportedError) as caught:
        ligament.load(path)
    assert isinstance(caught.value, ligament.InvalidError)
    assert [found.code for found in ligament.validate(path)] == ["GL003"]


def test_a_fault_in_a_binary_file_has_its_offset(tmp_path: Path) -> None:
    whole = (EXAMPLES / "creature.bgl").read_bytes()
    path = tmp_path / "cut.bgl"
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ligament.InvalidError) as caught:
        ligament.load(path)
    first = caught.value.first
    assert first is not None and first.offset is not None and first.line is None


def test_what_the_system_refuses_is_pythons_own_exception_too(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "there.glb").write_bytes(b"old")
    cases: list[tuple[Callable[[], object], type[OSError], int, Path]] = [
        (lambda: ligament.load(tmp_path / "no.glb"), FileNotFoundError, errno.ENOENT, tmp_path / "no.glb"),
        (lambda: ligament.validate(tmp_path / "no.glb"), FileNotFoundError, errno.ENOENT, tmp_path / "no.glb"),
        (lambda: ligament.load(tmp_path), IsADirectoryError, errno.EISDIR, tmp_path),
        (lambda: ligament.load(tmp_path / "file/a.glb"), NotADirectoryError, errno.ENOTDIR, tmp_path / "file/a.glb"),
        (lambda: ligament.save(bend(), tmp_path / "no/a.glb"), FileNotFoundError, errno.ENOENT, tmp_path / "no/a.glb"),
        (
            lambda: ligament.save(bend(), tmp_path / "there.glb", keep_existing=True),
            FileExistsError,
            errno.EEXIST,
            tmp_path / "there.glb",
        ),
    ]
    for attempt, kind, number, path in cases:
        with pytest.raises(kind) as caught:
            attempt()
        assert isinstance(caught.value, ligament.FileError)
        assert (caught.value.errno, caught.value.filename) == (number, str(path))
        assert caught.value.strerror == os.strerror(number)
        assert str(caught.value).startswith(str(path)) and caught.value.first is not None
        again = pickle.loads(pickle.dumps(caught.value))
        assert (type(again), again.errno, again.filename) == (type(caught.value), number, str(path))
        assert str(again) == str(caught.value)


def test_files_that_cannot_be_opened_raise(tmp_path: Path) -> None:
    for attempt in (
        lambda: ligament.load(tmp_path / "nowhere.glb"),
        lambda: ligament.validate(tmp_path / "nowhere.glb"),
        lambda: ligament.load(tmp_path),
        lambda: ligament.save(bend(), tmp_path / "no/such/folder.glb"),
        lambda: ligament.save(bend(), tmp_path, format="gltf"),
        lambda: ligament.convert(tmp_path / "nowhere.glb", tmp_path / "a.glb"),
    ):
        with pytest.raises(ligament.FileError) as caught:
            attempt()
        assert isinstance(caught.value, OSError)
    assert os.listdir(tmp_path) == []


def test_wrong_requests_are_told(tmp_path: Path) -> None:
    target = tmp_path / "a.glb"
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: ligament.save(bend(), tmp_path / "a.xyz"), "extension"),
        (lambda: ligament.save(bend(), target, format="word"), "no format"),
        (lambda: ligament.save(bend(), target, dialect="latin"), "no dialect"),
        (lambda: ligament.save(bend(), target, clips=["run"]), "run"),
        (lambda: ligament.save(bend(), target, max_eror=1), "did you mean max_error"),  # type: ignore[call-arg]
        (lambda: ligament.save(bend(), target, up="x"), 'one of: "y", "z"'),  # type: ignore[arg-type]
        (lambda: ligament.save(bend(), target, scale=-1.0), "above 0"),
        (lambda: ligament.save(bend(), target, lenient=True), "save() has a scene"),  # type: ignore[call-arg]
        (lambda: ligament.load(EXAMPLES / "creature.glb", strict=True), "only read"),  # type: ignore[call-arg]
    ]
    for attempt, message in cases:
        with pytest.raises(ligament.UsageError) as caught:
            attempt()
        assert message in str(caught.value)
    assert os.listdir(tmp_path) == []


def test_checks_that_are_not_met_write_nothing(tmp_path: Path) -> None:
    with pytest.raises(ligament.CheckError) as caught:
        ligament.save(bend(), tmp_path / "a.obj", strict=True)
    assert caught.value.report.dropped, "what was lost is said"
    with pytest.raises(ligament.CheckError):
        ligament.save(bend(), tmp_path / "a.apg", max_error=1e-6)
    (tmp_path / "there.glb").write_bytes(b"old")
    with pytest.raises(ligament.FileError):
        ligament.save(bend(), tmp_path / "there.glb", keep_existing=True)
    assert os.listdir(tmp_path) == ["there.glb"] and (tmp_path / "there.glb").read_bytes() == b"old"


def test_exceptions_and_reports_can_be_pickled(tmp_path: Path) -> None:
    with pytest.raises(ligament.LigamentError) as caught:
        ligament.load(tmp_path / "nowhere.glb")
    again = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(again, ligament.FileError) and type(again) is type(caught.value)
    assert again.diagnostics == caught.value.diagnostics and str(again) == str(caught.value)
    report = ligament.save(bend(), tmp_path / "a.glb")
    assert copy.deepcopy(report) == report


def test_mutated_files_never_end_the_process(tmp_path: Path) -> None:
    random = np.random.default_rng(20)
    tried = 0
    for source in sorted(EXAMPLES.glob("creature.*")):
        if ligament.detect(source) is None:
            continue
        whole = np.frombuffer(source.read_bytes(), np.uint8)
        for _ in range(12):
            damaged = whole.copy()
            damaged[random.integers(0, len(whole), 8)] = random.integers(0, 256, 8)
            path = tmp_path / source.name
            path.write_bytes(damaged[: int(random.integers(1, len(whole)))].tobytes())
            try:
                ligament.load(path).pose()
            except ligament.LigamentError as error:
                assert error.diagnostics
            tried += 1
    assert tried >= 90
