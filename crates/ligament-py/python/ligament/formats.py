"""The table of formats, from which menus and option panels can be made."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from . import _ligament
from .scene import Interpolation

Count: TypeAlias = Literal["none", "one", "many"]


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a format (in one dialect) can hold. What a scene has beyond it is converted, and reported as a loss."""

    hierarchy: bool
    """A tree of named nodes with transforms."""
    meshes: Count
    skins: Count
    max_influences: int | None
    """Influences a vertex; ``None`` is any number."""
    default_influences: int | None
    """Influences a vertex that are written unless more are asked for."""
    joint_scale: bool
    separate_bind_pose: bool
    """Whether the rest pose may differ from the bind pose."""
    clips: Count
    sampled_clips: bool
    """Whether clips are stored as frames of a regular grid."""
    interpolations: tuple[Interpolation, ...]
    polygons: bool
    points_and_lines: bool
    morphs: bool
    uv_sets: int | None
    """``None`` is any number."""
    color_sets: int | None
    normals: bool
    tangents: bool
    computes_tangents: bool
    """Whether missing tangents are computed."""
    phong: bool
    pbr: bool
    normal_maps: bool
    alpha_modes: bool
    texture_files: bool
    embedded_textures: bool
    cameras: bool
    lights: bool
    ambient: bool
    extras: bool


@dataclass(frozen=True, slots=True)
class Dialect:
    """A variant of a format."""

    id: str
    """The word for ``dialect=``."""
    summary: str
    """What sets it apart."""
    reads: bool
    writes: bool
    default: bool
    """Whether it is written unless another is asked for."""
    capabilities: Capabilities


@dataclass(frozen=True, slots=True)
class Choice:
    """A word that an option takes."""

    id: str
    help: str


OptionKind: TypeAlias = Literal["flag", "word", "number", "integer", "texts"]


@dataclass(frozen=True, slots=True)
class Option:
    """Something that can be asked for: a keyword of :func:`load`, :func:`save` or :func:`convert`."""

    name: str
    """The keyword. On the command line it has dashes for underscores."""
    kind: OptionKind
    """``flag`` is a bool, ``word`` one of ``choices``, ``number`` a float, ``integer`` an int, ``texts`` a list
    of str."""
    default: bool | str | float | None
    """``None`` where each format has a default of its own or the option is off."""
    choices: tuple[Choice, ...]
    minimum: float | None
    """Of numbers: none is smaller."""
    help: str
    """One sentence."""
    general: bool
    """Whether it counts for all formats; else it is about a peculiarity of those that list it."""


@dataclass(frozen=True, slots=True)
class Format:
    """A file format."""

    id: str
    """The word for ``format=``."""
    name: str
    summary: str
    extensions: tuple[str, ...]
    """Without the dot, the usual one first. They may hold a dot themselves: ``qmsh.tmp``."""
    is_text: bool
    """Whether places in its files are lines and columns."""
    reads: bool
    writes: bool
    dialects: tuple[Dialect, ...]
    """The first is written by default. Empty where there is only one way."""
    capabilities: Capabilities
    """Of the dialect that is written by default."""
    read_options: tuple[Option, ...]
    """What :func:`load` can be asked for with files of this format."""
    write_options: tuple[Option, ...]
    """What :func:`save` can be asked for with files of this format."""


def formats() -> tuple[Format, ...]:
    """Every format, in the order in which tables show them."""
    return tuple(map(_format, json.loads(_ligament.formats())))


def detect(path: str | os.PathLike[str]) -> str | None:
    """The id of the format that a path's extension stands for; the file need not exist."""
    return _ligament.detect(os.fspath(path))


def _format(raw: dict[str, Any]) -> Format:
    return Format(
        id=raw["id"],
        name=raw["name"],
        summary=raw["summary"],
        extensions=tuple(raw["extensions"]),
        is_text=raw["text"],
        reads=raw["read"],
        writes=raw["write"],
        dialects=tuple(map(_dialect, raw["dialects"])),
        capabilities=_capabilities(raw["capabilities"]),
        read_options=tuple(map(_option, raw["read_options"])),
        write_options=tuple(map(_option, raw["write_options"])),
    )


def _dialect(raw: dict[str, Any]) -> Dialect:
    capabilities = _capabilities(raw["capabilities"])
    return Dialect(raw["id"], raw["summary"], raw["read"], raw["write"], raw["default"], capabilities)


def _capabilities(raw: dict[str, Any]) -> Capabilities:
    return Capabilities(**{**raw, "interpolations": tuple(raw["interpolations"])})


def _option(raw: dict[str, Any]) -> Option:
    return Option(**{**raw, "choices": tuple(Choice(**choice) for choice in raw["choices"])})
