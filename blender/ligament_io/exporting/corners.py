"""Vertices from corners: Blender stores normals, texture coordinates and colours per corner, a scene per vertex.

A vertex is not split if all its corners agree. Corners that differ from the first get vertices of their own, after the
others, so that vertices keep Blender's order as far as possible.
"""

import numpy as np

# Odd numbers, so that no bit of a row is lost.
_MIX = np.random.default_rng(20261115).integers(1, 2**63, size=64, dtype=np.uint64) | np.uint64(1)


def split(corner_vertices, vertex_count, rows):
    """Returns (corners, source_vertices, source_corners): the new index of each corner, and for each new vertex the vertex
    and a corner that it comes from. Corners share a vertex only if their `rows` (corners, k), float32, are equal."""
    count = len(corner_vertices)
    first = np.full(vertex_count, -1, dtype=np.int64)
    first[corner_vertices[::-1]] = np.arange(count - 1, -1, -1)
    used = np.flatnonzero(first >= 0)
    number = np.empty(vertex_count, dtype=np.uint32)
    number[used] = np.arange(len(used), dtype=np.uint32)
    corners = number[corner_vertices]
    if rows is None or rows.shape[1] == 0:
        return corners, used, first[used]
    # Adding zero turns -0 into 0, so that both have the same bits.
    bits = np.ascontiguousarray(rows + np.float32(0.0), dtype=np.float32).view(np.uint32)
    differs = np.flatnonzero((bits != bits[first[corner_vertices]]).any(axis=1))
    if len(differs) == 0:
        return corners, used, first[used]
    own = np.column_stack([corner_vertices[differs].astype(np.uint32), bits[differs]])
    chosen, inverse = _unique(own)
    corners[differs] = (len(used) + inverse).astype(np.uint32)
    extra = differs[chosen]
    return corners, np.concatenate([used, corner_vertices[extra]]), np.concatenate([first[used], extra])


def _unique(rows):
    """The positions of the distinct rows, in order of appearance, and for each row the index of its distinct row."""
    mixed = np.zeros(len(rows), dtype=np.uint64)
    for column in range(rows.shape[1]):
        mixed = (mixed ^ rows[:, column]) * _MIX[column % len(_MIX)]
        mixed ^= mixed >> np.uint64(29)
    _, chosen, inverse = np.unique(mixed, return_index=True, return_inverse=True)
    if not np.array_equal(rows[chosen[inverse]], rows):
        # Two different rows have the same hash: compare whole rows, which is slower.
        _, chosen, inverse = np.unique(rows, axis=0, return_index=True, return_inverse=True)
        inverse = inverse.reshape(-1)
    order = np.argsort(chosen, kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return chosen[order], place[inverse]


def take_ragged(starts, vertices):
    """For lists that begin at `starts` (which has one more entry than there are lists): the starts of the lists of
    `vertices`, and the positions of their items."""
    counts = (starts[1:] - starts[:-1])[vertices]
    new_starts = np.zeros(len(vertices) + 1, dtype=np.int64)
    np.cumsum(counts, out=new_starts[1:])
    items = np.repeat(starts[vertices] - new_starts[:-1], counts) + np.arange(new_starts[-1])
    return new_starts, items
