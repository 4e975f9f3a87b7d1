"""Scenes at one moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from . import _ligament
from .arrays import Floats
from .short import Short

if TYPE_CHECKING:
    from .scene import Scene


@dataclass(slots=True, eq=False, repr=False)
class PosedPart(Short):
    """The vertices of one part of a mesh that a node draws, posed, in the scene's space."""

    node: int
    part: int
    positions: Floats
    """``(vertices, 3)``."""
    normals: Floats | None
    """``(vertices, 3)``, unit, where the part has normals."""
    tangents: Floats | None
    """``(vertices, 4)``, where the part has tangents."""


@dataclass(slots=True, eq=False, repr=False)
class Pose(Short):
    """A scene at one moment."""

    parts: list[PosedPart]
    """Every part of every mesh that a node draws, in the order of the nodes."""
    node_matrices: npt.NDArray[np.float64]
    """``(nodes, 4, 4)``: from each node's space to the scene's."""
    joint_matrices: list[Floats]
    """Per skin ``(joints, 4, 4)``: the joint's node matrix times its inverse bind matrix."""
    morph_weights: list[Floats]
    """Per node, the weights of its mesh's morph targets; empty if there are none."""

    @property
    def positions(self) -> Floats:
        """All posed vertices, part by part: ``(vertices, 3)``."""
        if len(self.parts) == 1:
            return self.parts[0].positions
        return np.concatenate([np.zeros((0, 3), np.float32), *(part.positions for part in self.parts)])


class Poser:
    """A scene as it was when :meth:`Scene.poser` was called, to be posed many times."""

    __slots__ = ("_snapshot",)

    def __init__(self, scene: Scene) -> None:
        self._snapshot = _ligament.Snapshot(scene)

    def pose(self, clip: int | str | None = None, time: float = 0.0) -> Pose:
        """Returns the scene at ``time`` seconds of a clip, given by index or name; at rest without a clip."""
        return self._snapshot.pose(clip, time)
