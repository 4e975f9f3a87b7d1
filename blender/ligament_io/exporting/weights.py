"""Vertex groups as influences of joints."""

from itertools import chain
from operator import methodcaller

import bmesh
import numpy as np

# Blender's armature modifier does not move a vertex with a smaller sum of weights.
LEAST = 1e-4


def read_groups(mesh):
    """All vertex group entries: the vertex, the group and the weight of each.

    Vertices of a `bmesh` return all entries at once; those of a mesh one at a time, which takes twice as long.
    """
    copied = bmesh.new()
    try:
        copied.from_mesh(mesh, face_normals=False)
        layer = copied.verts.layers.deform.active
        entries = [vertex[layer] for vertex in copied.verts] if layer is not None else []
        counts = np.fromiter(map(len, entries), dtype=np.int64, count=len(entries))
        total = int(counts.sum())
        every = chain.from_iterable
        groups = np.fromiter(every(map(methodcaller("keys"), entries)), dtype=np.int64, count=total)
        weights = np.fromiter(every(map(methodcaller("values"), entries)), dtype=np.float32, count=total)
    finally:
        copied.free()
    return np.repeat(np.arange(len(counts)), counts), groups, weights


class Deformer:
    """An armature that deforms an object, and the vertex group that limits its effect."""

    def __init__(self, item, mask="", inverted=False):
        self.item, self.mask, self.inverted = item, mask, inverted
        # Names of objects alone are not unique with linked libraries.
        self.armature = item.name_full


def influences(mesh, groups, deformers, joints, own_joint):
    """Returns (starts, joints, weights), the number of vertices without weights, and of those with two armatures.

    `groups` are the names of the object's vertex groups, `joints` the index of each (armature, bone), and `own_joint` that
    of the mesh's own node, which moves vertices without a bone; None if that is not needed.
    """
    count = len(mesh.vertices)
    vertices, numbers, weights = read_groups(mesh)
    table = np.full((len(deformers), max(len(groups), 1)), -1, dtype=np.int64)
    for row, deformer in enumerate(deformers):
        for column, name in enumerate(groups):
            table[row, column] = joints.get((deformer.armature, name), -1)
    known = numbers < table.shape[1]
    vertices, numbers, weights = vertices[known], numbers[known], weights[known]
    found, pulled = [], np.zeros(count, dtype=np.int64)
    for row, deformer in enumerate(deformers):
        joint = table[row, numbers] if len(groups) else numbers
        used = (joint >= 0) & (weights > 0.0)
        who, what, how = vertices[used], joint[used], weights[used]
        sums = np.bincount(who, weights=how, minlength=count)
        enough = sums > LEAST
        kept = enough[who]
        who, what, how = who[kept], what[kept], how[kept]
        pulled += enough
        if deformer.mask in groups:
            share = _mask(groups.index(deformer.mask), vertices, numbers, weights, count, deformer.inverted)
            how = (how / sums[who] * share[who]).astype(np.float32)
            held = np.flatnonzero(enough & (share < 1.0))
            if own_joint is not None:
                who = np.concatenate([who, held])
                what = np.concatenate([what, np.full(len(held), own_joint)])
                how = np.concatenate([how, (1.0 - share[held]).astype(np.float32)])
        found.append((who, what, how))
    alone = np.flatnonzero(pulled == 0)
    if own_joint is not None:
        found.append((alone, np.full(len(alone), own_joint), np.ones(len(alone), dtype=np.float32)))
    who, what, how = (np.concatenate(column) for column in zip(*found))
    if len(found) > 1:
        order = np.argsort(who, kind="stable")
        who, what, how = who[order], what[order], how[order]
    starts = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(who, minlength=count), out=starts[1:])
    return (starts, what.astype(np.uint32), how), len(alone), int((pulled > 1).sum())


def _mask(group, vertices, numbers, weights, count, inverted):
    """The strength of a modifier at each vertex."""
    share = np.zeros(count, dtype=np.float64)
    chosen = numbers == group
    share[vertices[chosen]] = weights[chosen]
    return 1.0 - share if inverted else share
