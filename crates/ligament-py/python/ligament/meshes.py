"""Vertices and faces."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from .arrays import Extras, Floats, Indices, indices
from .short import Short


@dataclass(slots=True, eq=False, repr=False)
class Influences(Short):
    """Joints and weights, any number per vertex: vertex ``i`` has the pairs ``starts[i]`` up to ``starts[i + 1]``."""

    starts: Indices
    """``(vertices + 1,)``: where each vertex's pairs start, and the end."""
    joints: Indices
    """``(pairs,)``: indices into the ``joints`` of the skin on the node that draws the mesh."""
    weights: Floats
    """``(pairs,)``: as stored in the file; posing divides by the sum over the vertex."""

    @classmethod
    def from_dense(cls, joints: npt.ArrayLike, weights: npt.ArrayLike) -> Influences:
        """Makes influences from ``(vertices, n)`` joints and weights, without pairs of weight zero."""
        dense_joints, dense_weights = np.asarray(joints), np.asarray(weights, dtype=np.float32)
        if dense_joints.ndim != 2 or dense_joints.shape != dense_weights.shape:
            raise ValueError(
                f"joints and weights must have the same shape (vertices, n), "
                f"not {dense_joints.shape} and {dense_weights.shape}"
            )
        used = dense_weights != 0
        starts = np.zeros(len(dense_weights) + 1, dtype=np.uint32)
        np.cumsum(used.sum(axis=1), out=starts[1:])
        return cls(starts, indices("joints", dense_joints[used]), dense_weights[used])

    def dense(self, count: int | None = None) -> tuple[Indices, Floats]:
        """Returns ``(vertices, count)`` joints and weights, padded with zeros.

        ``count`` defaults to the largest number on any vertex; of vertices with more, the heaviest are kept.
        """
        starts = self.starts.astype(np.int64)
        numbers = starts[1:] - starts[:-1]
        most = int(numbers.max(initial=0))
        vertex = np.repeat(np.arange(len(numbers)), numbers)
        place = np.arange(len(self.joints)) - np.repeat(starts[:-1], numbers)
        joints = np.zeros((len(numbers), most), dtype=np.uint32)
        weights = np.zeros((len(numbers), most), dtype=np.float32)
        joints[vertex, place] = self.joints
        weights[vertex, place] = self.weights
        if count is None or count == most:
            return joints, weights
        if count > most:
            room = ((0, 0), (0, count - most))
            return np.pad(joints, room), np.pad(weights, room)
        heaviest = np.argsort(-weights, axis=1, kind="stable")[:, :count]
        return np.take_along_axis(joints, heaviest, 1), np.take_along_axis(weights, heaviest, 1)


FacesKind: TypeAlias = Literal["points", "lines", "triangles", "polygons"]


@dataclass(slots=True, eq=False, repr=False)
class Faces(Short):
    """Points, lines, triangles or polygons."""

    corners: Indices
    """Vertex indices in sequence: one per point, two per line, three per triangle. ``(n, 2)`` and ``(n, 3)`` work too."""
    kind: FacesKind = "triangles"
    starts: Indices | None = None
    """For polygons: ``(faces + 1,)``, where each face starts in ``corners``, and the end."""

    @classmethod
    def polygons(cls, starts: npt.ArrayLike, corners: npt.ArrayLike) -> Faces:
        """Faces of three or more corners: face ``i`` is ``corners[starts[i]:starts[i + 1]]``."""
        return cls(indices("corners", corners), "polygons", indices("starts", starts))

    @property
    def count(self) -> int:
        """The number of points, lines, triangles or polygons."""
        if self.kind == "polygons":
            return 0 if self.starts is None else max(len(self.starts) - 1, 0)
        return int(self.corners.size) // {"points": 1, "lines": 2, "triangles": 3}[self.kind]


@dataclass(slots=True, eq=False, repr=False)
class MorphDeltas(Short):
    """What a morph target adds to each vertex of a part at weight one; ``None`` adds nothing."""

    positions: Floats | None = None
    """``(vertices, 3)``."""
    normals: Floats | None = None
    """``(vertices, 3)``."""
    tangents: Floats | None = None
    """``(vertices, 3)``, added to the xyz of tangents."""


@dataclass(slots=True, eq=False, repr=False)
class Part(Short):
    """Vertices and faces with one material."""

    positions: Floats
    """``(vertices, 3)``."""
    faces: Faces
    material: int | None = None
    """Index into ``scene.materials``; ``None`` is the format's default look."""
    normals: Floats | None = None
    """``(vertices, 3)``, unit."""
    tangents: Floats | None = None
    """``(vertices, 4)``, unit, with the bitangent's sign in w."""
    uvs: list[Floats] = field(default_factory=list)
    """Texture coordinate sets, each ``(vertices, 2)``, V down."""
    colors: list[Floats] = field(default_factory=list)
    """Linear RGBA colour sets, each ``(vertices, 4)``."""
    influences: Influences | None = None
    """Joints and weights; ``None`` on an unskinned part."""
    morphs: list[MorphDeltas] = field(default_factory=list)
    """The deltas of each of the mesh's morphs, at weight one."""
    extras: Extras = field(default_factory=dict)


@dataclass(slots=True)
class Morph:
    """A morph target of a mesh."""

    name: str = ""
    weight: float = 0.0
    """Weight at rest."""


@dataclass(slots=True, eq=False, repr=False)
class Mesh(Short):
    """A drawable made of parts. Nodes place it in the scene."""

    name: str = ""
    parts: list[Part] = field(default_factory=list)
    """One material each. Two parts may share a material."""
    morphs: list[Morph] = field(default_factory=list)
    """Morph targets; every part holds deltas for each of them."""
    extras: Extras = field(default_factory=dict)

    @property
    def vertex_count(self) -> int:
        """Vertices of all parts."""
        return sum(len(part.positions) for part in self.parts)
