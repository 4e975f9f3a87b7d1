"""The table of formats, for building menus and option panels."""

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
    """What a format (in one dialect) can hold. Anything beyond it is converted, and reported as a loss."""

    hierarchy: bool
    """A tree of named nodes with transforms."""
    meshes: Count
    skins: Count
    max_influences: int | None
    """Influences per vertex; ``None`` is any number."""
    default_influences: int | None
    """Influences per vertex that are written by default."""
    joint_scale: bool
    separate_bind_pose: bool
    """Whether the rest pose may differ from the bind pose."""
    clips: Count
    sampled_clips: bool
    """Whether clips are stored as frames at regular intervals."""
    frame_rate: float | Literal["none"] | None
    """Frames per second, for formats that always play at the same rate; ``None`` is any rate, ``"none"`` no clips."""
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
    image_types: Literal["any", "common", "png", "none"]
    """Types of images: ``"common"`` is all but KTX2 and AVIF. Others become PNG where they are copied."""
    cameras: bool
    lights: bool
    ambient: bool
    extras: bool


@dataclass(frozen=True, slots=True)
class Dialect:
    """A variant of a format."""

    id: str
    """The value for ``dialect=``."""
    summary: str
    """What distinguishes it."""
    reads: bool
    writes: bool
    default: bool
    """Whether it is written by default."""
    capabilities: Capabilities


@dataclass(frozen=True, slots=True)
class Choice:
    """A value that an option accepts."""

    id: str
    help: str


OptionKind: TypeAlias = Literal["flag", "word", "number", "integer", "text", "texts"]


@dataclass(frozen=True, slots=True)
class Option:
    """A keyword of :func:`load`, :func:`save` or :func:`convert`."""

    name: str
    """The keyword. On the command line it has dashes instead of underscores."""
    kind: OptionKind
    """``flag`` is a bool, ``word`` one of ``choices``, ``number`` a float, ``integer`` an int, ``texts`` a list
    of str."""
    default: bool | str | float | None
    """``None`` if each format has its own default, or if the option is off."""
    choices: tuple[Choice, ...]
    minimum: float | None
    """The smallest allowed number."""
    help: str
    """One sentence."""
    general: bool
    """Whether it applies to all formats; otherwise it is specific to those that list it."""


@dataclass(frozen=True, slots=True)
class Format:
    """A file format."""

    id: str
    """The value for ``format=``."""
    name: str
    summary: str
    extensions: tuple[str, ...]
    """Without the leading dot, the usual one first. They may contain a dot: ``qmsh.tmp``."""
    is_text: bool
    """Whether locations in its files are lines and columns."""
    reads: bool
    writes: bool
    dialects: tuple[Dialect, ...]
    """The first is written by default. Empty if there is only one."""
    capabilities: Capabilities
    """What the default dialect can hold."""
    read_options: tuple[Option, ...]
    """Keywords of :func:`load` that apply to this format."""
    write_options: tuple[Option, ...]
    """Keywords of :func:`save` that apply to this format."""


def formats() -> tuple[Format, ...]:
    """Every format, in the order in which tables show them."""
    return tuple(map(_format, json.loads(_ligament.formats())))


def detect(path: str | os.PathLike[str]) -> str | None:
    """The id of the format with a path's extension; the file need not exist."""
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
