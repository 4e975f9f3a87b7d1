"""Loose pieces of a mesh that keep their shape, as joints: mirrored and repeated objects, and whatever nodes move as a whole."""

import ligament as lig
import numpy as np

from ..axes import quaternions, transform_points, turn_normals
from .proof import NEAR

# With more pieces, morph targets are smaller.
_MOST = 256
# The largest change of a joint that is rounding.
_STILL = 1e-6


def bake(stage, tree, mesh, node, moved, frames, size):
    """Makes joints if every loose piece of a mesh without a skin keeps its shape. Returns their number, otherwise 0."""
    scene = tree.scene
    out, place = scene.meshes[mesh], scene.nodes[node]
    alone = sum(other.mesh == mesh for other in scene.nodes) == 1
    if place.skin is not None or out.morphs or not alone or not moved.seen.all():
        return 0
    matrix = scene.pose().node_matrices[node]
    if np.linalg.det(matrix[:3, :3]) <= 0.0:
        return 0
    sources = tree.sources[mesh]
    pieces = _pieces(out.parts, sources)
    if pieces.max(initial=-1) >= _MOST:
        return 0
    rest = np.zeros((sources.count, 3))
    for part, vertices in zip(out.parts, sources.vertices):
        rest[vertices] = transform_points(matrix, part.positions)
    motions, numbers = _motions(rest, moved.world, pieces, 0.5 * NEAR * size)
    if motions is None:
        return 0
    first = len(scene.nodes)
    binds = np.tile(np.eye(4, dtype=np.float32), (len(motions), 1, 1))
    for number, (center, _, _) in enumerate(motions):
        scene.nodes.append(lig.Node(f"{place.name} part {number + 1}", translation=tuple(map(float, center))))
        binds[number, :3, 3] = -center
    place.skin = len(scene.skins)
    scene.skins.append(lig.Skin(np.arange(first, first + len(motions), dtype=np.uint32), binds, place.name))
    _bind(out, sources, matrix, numbers)
    _tracks(stage, scene, first, motions, frames, size)
    return len(motions)


def _bind(mesh, sources, matrix, numbers):
    """Moves the mesh into the scene's space, and ties each vertex to one joint."""
    for part, vertices in zip(mesh.parts, sources.vertices):
        part.positions = transform_points(matrix, part.positions).astype(np.float32)
        if part.normals is not None:
            part.normals = turn_normals(matrix, part.normals).astype(np.float32)
        count = len(vertices)
        part.influences = lig.Influences(np.arange(count + 1, dtype=np.uint32), numbers[vertices].astype(np.uint32),
                                         np.ones(count, dtype=np.float32))


def _pieces(parts, sources):
    """The number of the loose piece of each of Blender's vertices; -1 for those that are not exported."""
    label = np.arange(sources.count)
    ends = []
    for part, vertices in zip(parts, sources.vertices):
        corners = np.asarray(part.faces.corners).reshape(-1).astype(np.int64)
        if part.faces.kind == "polygons":
            starts = np.asarray(part.faces.starts, dtype=np.int64)
            following = np.arange(1, len(corners) + 1)
            following[starts[1:] - 1] = starts[:-1]
        else:
            width = {"triangles": 3, "lines": 2, "points": 1}[part.faces.kind]
            following = np.roll(np.arange(len(corners)).reshape(-1, width), -1, axis=1).reshape(-1)
        ends.append(np.stack([vertices[corners], vertices[corners[following]]]))
    a, b = np.concatenate(ends, axis=1)
    # Each vertex takes the smallest label around it, and then that label's own, until nothing changes.
    while True:
        least = np.minimum(label[a], label[b])
        before = label.copy()
        np.minimum.at(label, a, least)
        np.minimum.at(label, b, least)
        label = label[label]
        if np.array_equal(before, label):
            break
    found = np.full(sources.count, -1)
    exported = np.unique(np.concatenate([a, b]))
    found[exported] = np.unique(label[exported], return_inverse=True)[1].reshape(-1)
    return found


def _motions(rest, world, pieces, close):
    """The distinct motions of the pieces (the centre at rest, rotations and translations per frame), and the number of the motion
    of each vertex. None if some piece does not keep its shape."""
    found, numbers = [], np.zeros(len(rest), dtype=np.int64)
    for piece in range(pieces.max() + 1):
        mine = np.flatnonzero(pieces == piece)
        points, moving = rest[mine], world[:, mine].astype(np.float64)
        for number, motion in enumerate(found):
            if _off(points, moving, motion) <= close:
                numbers[mine] = number
                break
        else:
            motion = _fit(points, moving)
            if _off(points, moving, motion) > close:
                return None, None
            numbers[mine] = len(found)
            found.append(motion)
    return found, numbers


def _fit(points, moving):
    """The rotations and translations that come nearest to a piece's motion, by least squares."""
    center = points.mean(axis=0)
    centers = moving.mean(axis=1)
    spread = np.einsum("vi,fvj->fij", points - center, moving - centers[:, None])
    left, _, right = np.linalg.svd(spread)
    mirrored = np.linalg.det(left @ right) < 0.0
    right[mirrored, 2] *= -1.0
    return center, np.swapaxes(left @ right, 1, 2), centers


def _off(points, moving, motion):
    center, turns, centers = motion
    expected = np.einsum("fij,vj->fvi", turns, points - center) + centers[:, None]
    return float(np.linalg.norm(expected - moving, axis=2).max(initial=0.0))


def _tracks(stage, scene, first, motions, frames, size):
    row = 0
    for clip, played, times in zip(scene.clips, stage.clips, frames):
        seconds = ((times - played.first) / stage.rate).astype(np.float32)
        kind = "step" if played.stepped else "linear"
        span = slice(row, row + len(times))
        row += len(times)
        for number, (center, turns, centers) in enumerate(motions):
            places, rotations = centers[span], quaternions(turns[span])
            if np.abs(places - center).max() > _STILL * size:
                clip.tracks.append(lig.Track(first + number, "translation", seconds, places.astype(np.float32), kind))
            if np.abs(np.abs(rotations[:, 3]) - 1.0).max() > 1e-12:
                clip.tracks.append(lig.Track(first + number, "rotation", seconds, rotations.astype(np.float32), kind))
