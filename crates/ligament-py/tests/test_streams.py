"""Bytes and open files are read and written like files."""

import io
import shutil
import zipfile
from pathlib import Path

import pytest

import ligament
from support import EXAMPLES, WRITABLE, bend


def same(first: ligament.Scene, second: ligament.Scene) -> bool:
    worst = ligament.compare(first, second).worst
    return worst is not None and worst.distance == 0.0


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_bytes_are_read_like_the_file(kind: type) -> None:
    path = EXAMPLES / "creature.glb"
    scene = ligament.load(kind(path.read_bytes()))
    assert same(scene, ligament.load(path))
    assert scene.folder is None and scene.report is not None and scene.report.from_format == "gltf"


def test_open_files_are_read_and_their_name_says_what_they_are(tmp_path: Path) -> None:
    # An OBJ file is not recognised by its first bytes alone.
    source = EXAMPLES / "creature.pfobj"
    with source.open("rb") as file:
        assert same(ligament.load(file), ligament.load(source))
    with zipfile.ZipFile(tmp_path / "models.zip", "w") as archive:
        archive.write(source, "inside/creature.pfobj")
    with zipfile.ZipFile(tmp_path / "models.zip") as archive, archive.open("inside/creature.pfobj") as member:
        assert same(ligament.load(member), ligament.load(source))  # type: ignore[arg-type]
    with io.BytesIO(b"nonsense") as nothing, pytest.raises(ligament.InvalidError) as caught:
        ligament.load(nothing)
    assert caught.value.first is not None and caught.value.first.path == "<file>"


def test_what_a_model_refers_to_is_found_in_the_folder_that_is_given(tmp_path: Path) -> None:
    ligament.convert(EXAMPLES / "creature.glb", tmp_path / "creature.gltf", dialect="gltf")
    assert len(list(tmp_path.iterdir())) > 1, "there is a buffer beside it"
    data = (tmp_path / "creature.gltf").read_bytes()
    with pytest.raises(ligament.LigamentError, match="folder"):
        ligament.load(data)
    scene = ligament.load(data, folder=tmp_path)
    assert same(scene, ligament.load(tmp_path / "creature.gltf"))
    assert scene.folder == tmp_path
    with pytest.raises(TypeError, match="folder"):
        ligament.load(tmp_path / "creature.gltf", folder=tmp_path)


@pytest.mark.parametrize("format", WRITABLE, ids=lambda format: str(format.id))
def test_an_open_file_gets_what_a_file_gets(format: ligament.Format, tmp_path: Path) -> None:
    path = tmp_path / f"bend.{format.extensions[0]}"
    ligament.save(bend(), path, format=format.id)
    stream = io.BytesIO()
    report = ligament.save(bend(), stream, format=format.id)
    assert report.to_format == format.id and report.comparison is not None
    beside = sorted(found.name for found in tmp_path.iterdir())
    if beside == [path.name]:
        assert stream.getvalue() == path.read_bytes()
    again = ligament.load(stream.getvalue(), format=format.id)
    assert again.vertex_count == ligament.load(path).vertex_count


def test_the_name_of_an_open_file_chooses_the_format(tmp_path: Path) -> None:
    with (tmp_path / "a.apg").open("wb") as file:
        assert ligament.save(bend(), file).to_format == "apg"
    assert same(ligament.load(tmp_path / "a.apg"), ligament.load((tmp_path / "a.apg").read_bytes(), format="apg"))


def test_a_failure_writes_nothing_into_an_open_file() -> None:
    stream = io.BytesIO(b"what was there")
    with pytest.raises(ligament.CheckError):
        ligament.save(bend(), stream, format="obj", strict=True)
    with pytest.raises(ligament.UsageError):
        ligament.save(bend(), stream)
    assert stream.getvalue() == b"what was there"


def test_textures_go_into_a_stream_or_it_is_refused() -> None:
    scene = ligament.load(EXAMPLES / "creature.glb")
    stream = io.BytesIO()
    ligament.save(scene, stream, format="glb")
    assert ligament.load(stream.getvalue()).images[0].data is not None
    with pytest.raises(ligament.UsageError, match="no folder"):
        ligament.save(scene, io.BytesIO(), format="pfobj")
    ligament.save(scene, stream := io.BytesIO(), format="pfobj", textures="none")
    assert stream.getvalue().startswith(b"version")


def test_what_is_no_binary_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.pfobj"
    shutil.copy(EXAMPLES / "creature.pfobj", path)
    with path.open() as text, pytest.raises(TypeError, match="binary"):
        ligament.load(text)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not a int"):
        ligament.load(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not a int"):
        ligament.save(bend(), 5)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        ligament.save(bend(), io.StringIO(), format="glb")  # type: ignore[arg-type]
