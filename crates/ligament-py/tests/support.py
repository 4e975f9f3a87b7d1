"""Shared by the tests: paths, a scene built from arrays, and its pose computed by hand."""

from __future__ import annotations

import math
import os
from pathlib import Path

import numpy as np
import numpy.typing as npt

import ligament

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples"
WRITABLE = [format for format in ligament.formats() if format.writes]

Array = npt.NDArray[np.float64]


CORPUS = ROOT / "corpus"


def extra(name: str) -> Path | None:
    """A model listed in ``corpus/extra.txt``: its licence keeps it out of the project, but it may be beside the clone."""
    assert name in (CORPUS / "extra.txt").read_text().splitlines(), f"{name} is not in corpus/extra.txt"
    path = ROOT.parent / "shared" / "corpus" / name
    return path if path.is_file() and os.environ.get("LIGAMENT_SHARED") != "none" else None


def turn(angle: float) -> tuple[float, float, float, float]:
    """A rotation about Z."""
    return (0.0, 0.0, math.sin(angle / 2), math.cos(angle / 2))


RINGS, SIDES, HEIGHT = 9, 8, 4.0
ANGLES = (0.0, 0.4, 1.1, 0.2, -0.6)
"""The upper joint's angle at each key; the keys are a quarter of a second apart."""


def bend() -> ligament.Scene:
    """A column of quads on two joints, the upper of which rotates; two influences on the vertices in between."""
    ring = [(math.cos(a) * 0.5, math.sin(a) * 0.5) for a in np.arange(SIDES) * math.tau / SIDES]
    heights = np.linspace(0.0, HEIGHT, RINGS)
    positions = np.array([(x, y, z) for y in heights for x, z in ring], dtype=np.float32)
    normals = np.array([(x * 2, 0.0, z * 2) for _ in heights for x, z in ring], dtype=np.float32)
    uvs = np.array([(i / SIDES, y / HEIGHT) for y in heights for i in range(SIDES)], dtype=np.float32)
    upper = np.clip((positions[:, 1] - 1.0) / 2.0, 0.0, 1.0)
    quads = []
    for row in range(RINGS - 1):
        for side in range(SIDES):
            a, b = row * SIDES + side, row * SIDES + (side + 1) % SIDES
            quads.append((a, a + SIDES, b + SIDES, b))
    part = ligament.Part(
        positions=positions,
        faces=ligament.Faces.polygons(np.arange(len(quads) + 1) * 4, np.array(quads).ravel()),
        material=0,
        normals=normals,
        uvs=[uvs],
        influences=ligament.Influences.from_dense(
            np.tile([0, 1], (len(positions), 1)), np.stack([1.0 - upper, upper], axis=1)
        ),
    )
    binds = np.tile(np.eye(4, dtype=np.float32), (2, 1, 1))
    binds[1, 1, 3] = -2.0
    times = (np.arange(len(ANGLES)) / 4).astype(np.float32)
    track = ligament.Track(2, "rotation", times, np.array([turn(a) for a in ANGLES], dtype=np.float32))
    return ligament.Scene(
        name="bend",
        nodes=[
            ligament.Node("column", mesh=0, skin=0),
            ligament.Node("lower"),
            ligament.Node("upper", parent=1, translation=(0.0, 2.0, 0.0)),
        ],
        meshes=[ligament.Mesh("column", [part])],
        skins=[ligament.Skin(np.array([1, 2], dtype=np.uint32), binds)],
        clips=[ligament.Clip("nod", 1.0, [track])],
        materials=[ligament.Material("clay", pbr=ligament.Pbr((0.75, 0.5, 0.25, 1.0), 0.0, 0.75))],
    )


def bent(angle: float) -> Array:
    """The positions of the vertices of :func:`bend` when the upper joint is rotated, worked out by hand."""
    positions = bend().meshes[0].parts[0].positions.astype(np.float64)
    upper = np.clip((positions[:, 1] - 1.0) / 2.0, 0.0, 1.0)[:, None]
    x, y, z = positions[:, 0], positions[:, 1] - 2.0, positions[:, 2]
    turned = np.stack(
        [x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle) + 2.0, z], axis=1
    )
    return positions * (1.0 - upper) + turned * upper


def sets_differ(first: npt.ArrayLike, second: npt.ArrayLike) -> float:
    """The largest distance of a point of either set to the nearest of the other: formats may reorder and double vertices."""
    a, b = np.asarray(first, np.float64), np.asarray(second, np.float64)
    distances = np.linalg.norm(a[:, None, :] - b[None, :, :], axis=2)
    return float(max(distances.min(axis=0).max(), distances.min(axis=1).max()))
