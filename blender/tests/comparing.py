"""Compares Blender's vertices with those of a file posed by ligament.

Vertices are matched once, by their position at rest (or in the first frame, if a format has no rest pose), and
must then stay together in every frame. This is checked both ways: nothing may be missing, and nothing may be added.
"""

import numpy as np
from mathutils.kdtree import KDTree

NEAR = 1e-5


def to_scene(points):
    """Converts Blender's axes to the scene's."""
    return np.stack([points[:, 0], points[:, 2], -points[:, 1]], axis=1)


def size_of(points):
    return float(np.linalg.norm(points.max(axis=0) - points.min(axis=0))) if len(points) else 1.0


def nearest(points, among):
    """For each point, the nearest of the others and its distance."""
    tree = KDTree(len(among))
    for index, point in enumerate(among):
        tree.insert(point, index)
    tree.balance()
    found = [tree.find(point) for point in points]
    return np.array([index for _, index, _ in found]), np.array([distance for _, _, distance in found])


class Match:
    """Pairs Blender's vertices with the file's. If several share a position, all frames decide."""

    def __init__(self, files, blenders):
        """Lists of (n, 3) arrays, one per pose; the first is used to find pairs."""
        self.files, self.blenders = files, blenders
        self.size = max(size_of(blenders[0]), 1e-9)

    def worst(self):
        """The largest distance of any vertex from its partner, over all poses, as a fraction of the size."""
        if len(self.files[0]) == 0 or len(self.blenders[0]) == 0:
            return 0.0 if len(self.files[0]) == len(self.blenders[0]) else float("inf")
        there = self._one_way(self.files, self.blenders)
        back = self._one_way(self.blenders, self.files)
        return max(there, back) / self.size

    def _one_way(self, first, second):
        # The strict way would be to treat all poses of a vertex as one point in many dimensions. Instead, the first pose
        # finds the candidates, and the other poses choose among those with the same position.
        index, _ = nearest(first[0], second[0])
        groups = _same_place(second[0], self.size * 1e-6)
        worst = 0.0
        for vertex, found in enumerate(index):
            best = min(max(np.linalg.norm(a[vertex] - b[other]) for a, b in zip(first, second)) for other in groups[found])
            worst = max(worst, float(best))
        return worst


def _same_place(points, slack):
    """For each point, those at the same position."""
    keys = {}
    rounded = np.round(points / slack / 16).astype(np.int64)
    for index, key in enumerate(map(tuple, rounded)):
        keys.setdefault(key, []).append(index)
    return [keys[tuple(key)] for key in rounded]
