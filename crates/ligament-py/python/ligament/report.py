"""Diagnostics, the losses of a conversion, and the deviation between two models."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from . import _ligament
from .short import Short

Severity: TypeAlias = Literal["note", "warning", "error"]
LossKind: TypeAlias = Literal["kept", "approximated", "dropped"]


@dataclass(frozen=True, slots=True)
class Remedy:
    """A keyword that avoids a loss or an error, at least in part."""

    setting: str
    """The keyword of :func:`ligament.convert` and :func:`ligament.save`."""
    value: Any
    effect: str
    """What that does: ``keeps more``."""

    @classmethod
    def _from(cls, raw: dict[str, Any] | None) -> Remedy | None:
        return None if raw is None else cls(**raw)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A problem at a location in a file or scene. As text: ``file:line:column: error[PF101]: message``."""

    severity: Severity
    code: str
    """Stable; :func:`ligament.explain` describes it."""
    message: str
    """What was found and what was expected."""
    path: str
    """The file it is about; empty if there is none."""
    line: int | None
    """In text files, counted from 1."""
    column: int | None
    """In bytes, counted from 1."""
    offset: int | None
    """First byte in the file."""
    end: int | None
    """The byte after the last one."""
    field: str | None
    """The path in a structure: ``meshes[2].parts[0].positions[7]``, ``header.num_verts``."""
    help: str | None
    """What to do about it, if known."""
    remedy: Remedy | None
    """The keyword that avoids it, if there is one."""
    text: str

    def __str__(self) -> str:
        return self.text

    @classmethod
    def _from(cls, raw: dict[str, Any]) -> Diagnostic:
        optional = {key: raw.get(key) for key in ("line", "column", "offset", "end", "field", "help")}
        remedy = Remedy._from(raw.get("remedy"))
        return cls(
            raw["severity"], raw["code"], raw["message"], raw["file"], text=raw["text"], remedy=remedy, **optional
        )


@dataclass(frozen=True, slots=True)
class Loss:
    """A feature that a conversion changed or dropped."""

    kind: LossKind
    code: str
    feature: str
    """The title of the code."""
    object: str
    """``clip "Walk"``, ``material "Skin"``; empty for the whole scene."""
    count: int
    """The number of affected things: vertices, tracks, cameras."""
    size: float | None
    """For an approximation: how far off it is, if measured."""
    unit: str | None
    """The unit of ``size``: ``units``, ``of the model's size``, ``degrees``."""
    message: str
    """What happened and why."""
    remedy: Remedy | None
    """The keyword that avoids it, if there is one."""

    @classmethod
    def _from(cls, raw: dict[str, Any]) -> Loss:
        remedy = Remedy._from(raw.get("remedy"))
        return cls(**{"size": None, "unit": None, **raw, "remedy": remedy})


@dataclass(frozen=True, slots=True)
class Deviation:
    """The distance of one vertex between two scenes."""

    distance: float
    """In scene units; ``math.inf`` where a vertex is not at a finite position."""
    relative: float
    """As a fraction of the model's size."""
    finite: bool
    """Whether it is a number."""
    clip: str | None
    """The clip that was playing; ``None`` at rest."""
    time: float
    """Seconds into the clip."""
    mesh: str
    """Empty where joints were compared."""
    vertex: int
    """Counted over the mesh's parts in the first scene."""
    joint: str | None
    """The joint with the largest weight on it."""

    @classmethod
    def _from(cls, raw: dict[str, Any] | None) -> Deviation | None:
        if raw is None:
            return None
        infinite = {} if raw["finite"] else {"distance": math.inf, "relative": math.inf}
        return cls(**{**raw, **infinite})


@dataclass(frozen=True, slots=True)
class ClipPair:
    """Two clips that were compared."""

    first: str
    second: str
    by: Literal["name", "part after |", "duration", "order"]
    """How they were matched: by name, by the part of the name after ``|``, by duration, or in order."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A feature in which two scenes differ."""

    feature: str
    first: str
    second: str


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Short):
    """Two scenes posed side by side: at rest, at every key of either, between keys, and just before steps."""

    size: float
    """The diagonal of the first scene's bounding box at rest."""
    worst: Deviation | None
    """The largest deviation of all; ``None`` if there was nothing to compare."""
    worst_at_keys: Deviation | None
    """The largest at rest and where both scenes have keys."""
    by_clip: tuple[Deviation, ...]
    """The largest at rest, and then of each clip that both scenes have."""
    mean: float
    """The mean over all poses and, in each, over ``mean_points`` vertices."""
    mean_relative: float
    mean_points: int
    """Vertices per pose that the mean is taken over: all of them, or others in each pose, evenly spread."""
    poses: int
    """Poses compared."""
    skipped_poses: int
    """Poses skipped to stay within the limit."""
    points: int
    """Vertices (or, in scenes without faces, joints) compared in each pose."""
    uncompared: int
    """Vertices left out because there are too many. Nothing is known about them."""
    growth: float | None
    """How many times its size at rest the first scene has in the worst pose; ``None`` unless that is more than twice."""
    pairing: Literal["in order", "nearest", "joints"] | None
    """How vertices were paired."""
    doubtful: int
    """Pairs of vertices that may not belong together; a deviation may then be that of the pairing."""
    clips: tuple[ClipPair, ...]
    """The clips that were compared, in the order of the first scene."""
    differences: tuple[Difference, ...]

    @classmethod
    def _from(cls, raw: dict[str, Any]) -> Comparison:
        made = {
            "worst": Deviation._from(raw["worst"]),
            "worst_at_keys": Deviation._from(raw["worst_at_keys"]),
            "by_clip": tuple(filter(None, map(Deviation._from, raw["by_clip"]))),
            "mean": math.inf if raw["mean"] is None else raw["mean"],
            "mean_relative": math.inf if raw["mean_relative"] is None else raw["mean_relative"],
            "clips": tuple(ClipPair(**pair) for pair in raw["clips"]),
            "differences": tuple(Difference(**difference) for difference in raw["differences"]),
        }
        return cls(**{**raw, **made})


@dataclass(frozen=True, slots=True)
class Counts:
    """The size of a scene."""

    vertices: int
    joints: int
    clips: int


@dataclass(frozen=True, slots=True, repr=False)
class Report(Short):
    """The result of reading or converting a model. As text, it is what the command line prints."""

    diagnostics: tuple[Diagnostic, ...]
    losses: tuple[Loss, ...]
    omitted: int
    """Diagnostics beyond the first thousand, which were only counted."""
    from_format: str | None
    """The input's format; ``None`` for a scene that was not read from a file."""
    to_format: str | None
    """The output's format, if something was written."""
    dialect: str | None
    """The dialect that was read or written."""
    rewritten: bool
    """Whether a file was rewritten in its own format, without converting it through a scene."""
    counts: Counts | None
    """The size of the source."""
    comparison: Comparison | None
    """The proof: source and result posed side by side; ``None`` if nothing was written or ``verify`` is false."""
    text: str
    _json: str = field(repr=False)

    def __str__(self) -> str:
        return self.text

    def to_json(self) -> dict[str, Any]:
        """Returns the report as ``ligament --json`` prints it."""
        value: dict[str, Any] = json.loads(self._json)
        for diagnostic in value["diagnostics"]:
            del diagnostic["text"]
        return value

    @classmethod
    def _from(cls, raw_json: str, text: str) -> Report:
        raw = json.loads(raw_json)
        counts, comparison = raw.get("counts"), raw.get("comparison")
        return cls(
            diagnostics=tuple(map(Diagnostic._from, raw["diagnostics"])),
            losses=tuple(map(Loss._from, raw["losses"])),
            omitted=raw["omitted"],
            from_format=raw.get("from") or None,
            to_format=raw.get("to"),
            dialect=raw.get("dialect") or None,
            rewritten=raw.get("rewritten", False),
            counts=None if counts is None else Counts(**counts),
            comparison=None if comparison is None else Comparison._from(comparison),
            text=text,
            _json=raw_json,
        )

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """Diagnostics that are errors."""
        return tuple(d for d in self.diagnostics if d.severity == "error")

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """Diagnostics that are warnings."""
        return tuple(d for d in self.diagnostics if d.severity == "warning")

    @property
    def notes(self) -> tuple[Diagnostic, ...]:
        """Diagnostics that are notes."""
        return tuple(d for d in self.diagnostics if d.severity == "note")

    @property
    def kept(self) -> tuple[Loss, ...]:
        """Features that were kept in full, but in another form."""
        return tuple(loss for loss in self.losses if loss.kind == "kept")

    @property
    def approximated(self) -> tuple[Loss, ...]:
        """Features that were approximated."""
        return tuple(loss for loss in self.losses if loss.kind == "approximated")

    @property
    def dropped(self) -> tuple[Loss, ...]:
        """Features that were dropped."""
        return tuple(loss for loss in self.losses if loss.kind == "dropped")


@dataclass(frozen=True, slots=True)
class Explanation:
    """The meaning of a code."""

    code: str
    title: str
    explanation: str
    example: str
    fix: str


def explain(code: str) -> Explanation:
    """Explains the code of a diagnostic or loss, with an example and a fix. ``KeyError`` for an unknown code."""
    found = _ligament.explain(code)
    if found is None:
        raise KeyError(code)
    return Explanation(*found)
