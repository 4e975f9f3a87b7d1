"""The table of formats is the library's, and lists the keywords of the functions."""

from pathlib import Path

import ligament
from ligament.functions import ConvertOptions, ReadOptions, SaveOptions, Watching
from support import EXAMPLES


def test_the_table_says_what_there_is() -> None:
    table = {format.id: format for format in ligament.formats()}
    assert {"pfobj", "gltf", "bogle", "qmsh-tmp", "qmsh", "apg", "amo", "obj", "collada", "fbx"} <= set(table)
    gltf = table["gltf"]
    assert gltf.reads and gltf.writes and gltf.extensions[0] in ("glb", "gltf")
    assert {dialect.id for dialect in gltf.dialects} >= {"glb", "gltf"}
    assert [dialect.default for dialect in gltf.dialects].count(True) == 1
    assert gltf.capabilities.morphs and gltf.capabilities.max_influences is None
    assert all(format.reads and format.writes for format in table.values())
    assert [option.name for option in table["fbx"].read_options] == ["max_memory", "axes"]
    posing = next(option for option in table["bogle"].read_options if option.name == "posing")
    assert (posing.kind, posing.default, posing.general) == ("word", "author", False)
    assert [choice.id for choice in posing.choices] == ["author", "engine"]
    assert all(choice.help for choice in posing.choices) and posing.help
    assert table["bogle"].capabilities != table["obj"].capabilities


def test_every_option_is_a_typed_keyword_and_the_other_way_around() -> None:
    read = {option.name for format in ligament.formats() for option in format.read_options}
    written = {option.name for format in ligament.formats() for option in format.write_options}
    watched = Watching.__optional_keys__
    assert ReadOptions.__optional_keys__ - watched == read | {"format"}
    assert SaveOptions.__optional_keys__ - watched == written | {"format", "dialect"}
    assert ConvertOptions.__optional_keys__ - watched == (
        read | written | {"format", "dialect", "from_format", "reencode"}
    )


def test_paths_have_formats() -> None:
    assert ligament.detect("a/b.QMSH.TMP") == "qmsh-tmp"
    assert ligament.detect(Path("fox.glb")) == "gltf"
    assert ligament.detect("notes.txt") is None


def test_codes_are_explained() -> None:
    for code in ("IO001", "cv007", "PY001", "PY002", "PY003"):
        explanation = ligament.explain(code)
        assert explanation.code == code.upper()
        assert explanation.title and explanation.explanation and explanation.example and explanation.fix
    try:
        ligament.explain("XX999")
    except KeyError as error:
        assert error.args == ("XX999",)
    else:
        raise AssertionError("there is no such code")


def test_formats_are_found_and_can_be_named() -> None:
    for path in sorted(EXAMPLES.glob("creature.*")):
        format = ligament.detect(path)
        if format is not None:
            scene = ligament.load(path, format=format)
            assert scene.report is not None and scene.report.from_format == format
