"""Vertices that a file's format had to split, joined again.

A scene has one normal and one pair of texture coordinates per vertex, and Blender one per corner of a face. So a vertex of
Blender can stand for all vertices of the scene at one place, whatever their normals, texture coordinates and colours, as long
as they move together: joints, weights and morph targets must be equal.

Surfaces that only touch stay apart: where joining would make a face degenerate or a copy of another, or would give an edge
a third face, only vertices with equal normals are joined, and if that does not help, none.
"""

import numpy as np

from ..exporting.corners import _unique


def weld(joined, mesh):
    """For each vertex of the scene, the vertex that stands for it: itself, or one that it is joined with."""
    alone = np.arange(joined.count)
    used = np.zeros(joined.count, dtype=bool)
    used[joined.corners] = True
    chosen = np.flatnonzero(used)
    if not len(chosen):
        return alone
    place = _alike(chosen, _columns(joined, mesh))
    levels = [place, None, alone]
    level = np.zeros(joined.count, dtype=np.int8)
    of = place
    while True:
        # Whole places change, so that no vertex is joined with one that is treated differently.
        bad = np.unique(place[_trouble(joined, of)])
        bad = bad[level[bad] < 2]
        if not len(bad):
            return of
        if levels[1] is None:
            normals = joined.values(lambda part: part.normals, 3, 0.0)
            own = [place[:, None].astype(np.uint32)]
            levels[1] = _alike(chosen, own + ([_bits(normals)] if normals is not None else []))
        level[bad] += 1
        of = np.choose(level[place], levels)


def _columns(joined, mesh):
    """What joined vertices must have in common, as bits: position, movement by morph targets, weights."""
    found = [_bits(joined.scene_positions.astype(np.float32))]
    for number in range(max((len(part.morphs) for part in mesh.parts), default=0)):
        deltas = joined.values(lambda part: part.morphs[number].positions if number < len(part.morphs) else None, 3, 0.0)
        found += [_bits(deltas)] if deltas is not None else []
    hashes = _influences(joined, mesh)
    return found + ([hashes.view(np.uint32).reshape(-1, 2)] if hashes is not None else [])


def _bits(values):
    # Adding zero turns -0 into 0, so that both have the same bits.
    return np.ascontiguousarray(values + np.float32(0.0)).view(np.uint32)


def _alike(chosen, columns):
    """For each vertex, the first of the chosen ones with the same values."""
    of = np.arange(len(columns[0]))
    firsts, groups = _unique(np.concatenate([column[chosen] for column in columns], axis=1))
    of[chosen] = chosen[firsts][groups]
    return of


def _trouble(joined, of):
    """Vertices of the scene at corners where joining made degenerate faces, copies of faces, or edges of three faces."""
    corners = of[joined.corners].astype(np.uint64)
    starts, totals = joined.starts, joined.totals
    after = np.arange(1, len(corners) + 1)
    after[starts + totals - 1] = starts
    following = corners[after]
    low, high = np.minimum(corners, following), np.maximum(corners, following)
    bad = low == high
    _, edge, counts = np.unique(low << np.uint64(32) | high, return_inverse=True, return_counts=True)
    crowded = counts[edge.reshape(-1)] > 2
    bad |= crowded | crowded[_before(starts, totals)]
    # Faces with the same vertices, in any order, have the same sum.
    sums = np.add.reduceat(_mixed(corners), starts)
    order = np.argsort(sums, kind="stable")
    same = sums[order][1:] == sums[order][:-1]
    faces = np.zeros(len(starts), dtype=bool)
    faces[order[1:][same]] = faces[order[:-1][same]] = True
    bad |= np.repeat(faces | _repeats(corners, totals), totals)
    return joined.corners[bad]


def _before(starts, totals):
    """For each corner, the corner before it in its face."""
    before = np.arange(-1, int(totals.sum()) - 1)
    before[starts] = starts + totals - 1
    return before


def _repeats(corners, totals):
    """Whether each face uses a vertex twice."""
    face = np.repeat(np.arange(len(totals)), totals)
    order = np.lexsort((corners, face))
    twice = (corners[order][1:] == corners[order][:-1]) & (face[order][1:] == face[order][:-1])
    found = np.zeros(len(totals), dtype=bool)
    found[face[order][1:][twice]] = True
    return found


def _influences(joined, mesh):
    """A hash of each vertex's joints and weights that does not depend on their order; None without a skin."""
    if all(part.influences is None for part in mesh.parts):
        return None
    out = np.zeros(joined.count, dtype=np.uint64)
    for number, part in enumerate(mesh.parts):
        if part.influences is None:
            continue
        starts = np.asarray(part.influences.starts, dtype=np.int64)
        weights = np.ascontiguousarray(part.influences.weights, dtype=np.float32)
        pairs = np.asarray(part.influences.joints).astype(np.uint64) << np.uint64(32) | weights.view(np.uint32).astype(np.uint64)
        mixed = _mixed(pairs)
        sums = np.zeros(len(mixed) + 1, dtype=np.uint64)
        # Sums of 64 bits wrap around, and so do their differences.
        np.cumsum(mixed, out=sums[1:])
        out[joined.first[number]:joined.first[number + 1]] = sums[starts[1:]] - sums[starts[:-1]]
    return out


def _mixed(values):
    """Scatters bits, as a step of the generator splitmix64."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))
