"""Bakes what modifiers, curves and physics move: where the proof finds that joints and shape keys do not explain how vertices move.

Where every loose piece of a mesh keeps its shape, each motion becomes a joint (`rigid.py`). Elsewhere the difference becomes morph targets
with tracks of weights: the principal components of all differences, as many as are necessary and at most a given number.
"""

import copy

import ligament as lig
import numpy as np

from ..axes import inverted
from . import rigid, select
from .proof import NEAR
from .shown import Shown
from .stage import frames_of

# Modifiers that follow something else than the mesh itself and its armature.
_MOVERS = {
    "ARRAY", "BOOLEAN", "BUILD", "CAST", "CLOTH", "CURVE", "DISPLACE", "FLUID", "HOOK", "LATTICE", "LAPLACIANDEFORM", "MASK", "MESH_CACHE",
    "MESH_DEFORM", "MESH_SEQUENCE_CACHE", "MIRROR", "NODES", "OCEAN", "SCREW", "SHRINKWRAP", "SIMPLE_DEFORM", "SOFT_BODY",
    "SURFACE_DEFORM", "VOLUME_DISPLACE", "WARP", "WAVE",
}
# The largest number of coordinates that are kept of one mesh over all frames: 400 MB.
_ROOM = 100_000_000
# The numbers of targets that are tried.
_STEPS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)
# Rows of coordinates that are converted to double precision at once.
_CHUNK = 1 << 16


def bake(stage, tree, settings, proof, notes):
    """Bakes the nodes that the proof found off. Returns whether anything was."""
    shown = Shown(stage.context, tree)
    meshes = {}
    for node, deviation in proof.nodes.items():
        if deviation.relative > NEAR and not deviation.changed and _is_wanted(shown.items[node], tree, settings):
            # Instances of one mesh move alike; the first stands for all.
            meshes.setdefault(tree.scene.nodes[node].mesh, node)
    frames = [frames_of(clip, settings.step)[0] for clip in stage.clips]
    rows = sum(map(len, frames))
    for mesh, node in list(meshes.items()):
        if rows * tree.sources[mesh].count * 3 > _ROOM:
            notes.add("BL130", f"object {tree.scene.nodes[node].name!r}",
                      f"has too many vertices to bake its motion in {rows} frames; export fewer clips at once", 1)
            del meshes[mesh]
    if not meshes or not rows:
        return False
    moved = _moved(stage, tree, shown, meshes, frames, rows)
    for mesh, node in meshes.items():
        name = f"object {tree.scene.nodes[node].name!r}"
        joints = rigid.bake(stage, tree, mesh, node, moved[mesh], frames, proof.size)
        if joints:
            notes.add("BL129", name, "moves by modifiers, which becomes joints", joints)
            continue
        targets = _morphs(stage, tree, mesh, node, moved[mesh], frames, proof.size, settings.most_targets)
        if targets:
            notes.add("BL129", name, "moves by modifiers, which becomes morph targets", targets)
    return True


def candidates(tree, settings):
    """The nodes that would be baked if they were off."""
    if not settings.bakes:
        return set()
    nodes = tree.scene.nodes
    return {e.node for e in (*tree.items, *tree.instances) if nodes[e.node].mesh is not None and _is_wanted(e.item, tree, settings)}


def _is_wanted(item, tree, settings):
    """Whether to bake an object that is off."""
    if settings.modifiers == "EVERYTHING":
        return True
    if settings.modifiers != "SHOWN":
        return False
    kinds = {modifier.type for modifier in item.modifiers if modifier.show_viewport}
    if select.deformers(item):
        return bool(kinds & _MOVERS)
    keys = getattr(item.data, "shape_keys", None)
    return bool(kinds) or item.type in select.CONVERTED or (keys is not None and not keys.use_relative)


class Moved:
    """A mesh over all frames of all clips, by Blender's vertices: where they are, and what morph targets must add."""

    def __init__(self, rows, count):
        self.world = np.zeros((rows, count, 3), dtype=np.float32)
        self.deltas = np.zeros((rows, count, 3), dtype=np.float32)
        self.seen = np.zeros(rows, dtype=bool)


def _moved(stage, tree, shown, meshes, frames, rows):
    found = {mesh: Moved(rows, tree.sources[mesh].count) for mesh in meshes}
    poser = tree.scene.poser()
    wanted = set(meshes.values())
    blends = {node: _Blend(tree, node) for node in wanted}
    row = 0
    with stage.kept():
        for number, (clip, times) in enumerate(zip(stage.clips, frames)):
            with stage.playing(clip):
                for index in stage.walk(times, range(len(times))):
                    pose = poser.pose(number, float(np.float32((times[index] - clip.first) / stage.rate)))
                    for node, points, matrix in shown.read(wanted):
                        mesh = tree.scene.nodes[node].mesh
                        out = found[mesh]
                        if len(points) == tree.sources[mesh].count:
                            world = points.astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]
                            out.world[row + index] = world
                            out.deltas[row + index] = blends[node].deltas(pose, world)
                            out.seen[row + index] = True
            row += len(times)
    return found


class _Blend:
    """Turns distances in the scene into distances in a mesh's own space, before joints or the node move it."""

    def __init__(self, tree, node):
        self.node, self.skin = node, tree.scene.nodes[node].skin
        mesh = tree.scene.nodes[node].mesh
        self.sources, parts = tree.sources[mesh], tree.scene.meshes[mesh].parts
        self.parts = []
        for part in parts:
            dense = None
            if self.skin is not None and part.influences is not None and len(part.influences.joints):
                joints, weights = part.influences.dense()
                total = weights.sum(axis=1, keepdims=True, dtype=np.float64)
                dense = joints, weights / np.where(total > 0.0, total, 1.0), total[:, 0] <= 0.0
            self.parts.append(dense)

    def deltas(self, pose, world):
        out = np.zeros_like(world)
        posed = [part.positions for part in pose.parts if part.node == self.node]
        for positions, vertices, dense in zip(posed, self.sources.vertices, self.parts):
            off = world[vertices] - positions
            if self.skin is None:
                back, sound = inverted(pose.node_matrices[self.node][None])
                out[vertices] = off @ back[0, :3, :3].T if sound[0] else 0.0
            elif dense is not None:
                joints, weights, alone = dense
                matrices = pose.joint_matrices[self.skin].astype(np.float64)
                blended = np.einsum("vk,vkij->vij", weights, matrices[joints])
                blended[alone] = np.eye(4)
                blended[:, 3] = (0.0, 0.0, 0.0, 1.0)
                back, sound = inverted(blended)
                out[vertices] = np.where(sound[:, None], np.einsum("vij,vj->vi", back[:, :3, :3], off), 0.0)
            else:
                out[vertices] = off
        return out


def _morphs(stage, tree, mesh, node, moved, frames, size, most):
    """Adds morph targets and their weights. Returns how many."""
    rows = moved.deltas.reshape(len(moved.deltas), -1)
    shapes, weights = components(rows, 0.5 * NEAR * size / _scale(tree, node), most)
    if not len(shapes):
        return 0
    out, nodes = own_mesh(tree, mesh, node)
    before = [morph.weight for morph in out.morphs]
    for number, shape in enumerate(shapes):
        out.morphs.append(lig.Morph(f"motion {number + 1}", 0.0))
        for part, vertices in zip(out.parts, tree.sources[mesh].vertices):
            part.morphs.append(lig.MorphDeltas(np.ascontiguousarray(shape.reshape(-1, 3)[vertices])))
    row = 0
    for clip, played, times in zip(tree.scene.clips, stage.clips, frames):
        values = weights[row:row + len(times)]
        row += len(times)
        seconds = ((times - played.first) / stage.rate).astype(np.float32)
        for user in nodes:
            _add_weights(clip, user, before, values, seconds, "step" if played.stepped else "linear")
    return len(shapes)


def _scale(tree, node):
    """How much longer a distance in a mesh's space is in the scene, at least one."""
    item = tree.scene.nodes[node]
    return 1.0 if item.skin is not None else max(1.0, float(np.abs(tree.locals[node][:3, :3]).max()))


def _add_weights(clip, node, before, values, seconds, interpolation):
    """Adds columns to a track of weights."""
    old = next((t for t in clip.tracks if t.node == node and t.property == "weights"), None)
    if old is not None:
        clip.tracks.remove(old)
    first = np.asarray(old.values, np.float32).reshape(len(old.times), -1) if old is not None else np.array([before], np.float32)
    first = np.broadcast_to(first, (len(seconds), len(before)))
    both = np.ascontiguousarray(np.concatenate([first, values], axis=1), dtype=np.float32)
    if old is None and np.abs(values).max(initial=0.0) == 0.0:
        return
    clip.tracks.append(lig.Track(node, "weights", seconds, both, interpolation))


def own_mesh(tree, mesh, node):
    """A mesh that only the baked nodes draw: those that share it, if they are all instances, otherwise the node alone."""
    scene = tree.scene
    users = [number for number, other in enumerate(scene.nodes) if other.mesh == mesh]
    if len(users) > 1 and scene.nodes[node].skin is not None:
        users = [node]
        out = copy.copy(scene.meshes[mesh])
        out.parts = [copy.copy(part) for part in out.parts]
        for part in out.parts:
            part.morphs = list(part.morphs)
        out.morphs = list(out.morphs)
        tree.sources[len(scene.meshes)] = tree.sources[mesh]
        scene.nodes[node].mesh = len(scene.meshes)
        scene.meshes.append(out)
    return scene.meshes[scene.nodes[node].mesh], users


def components(rows, close, most):
    """Shapes and weights whose products are close to the given rows (n, 3 * vertices): as few as are necessary for every vertex
    to be within the distance `close`, and at most `most`."""
    kept = np.flatnonzero(np.abs(rows).max(axis=0) > 0.0)
    if not len(kept) or _farthest(rows) <= close:
        return [], None
    product = np.zeros((len(rows), len(rows)))
    for start in range(0, len(kept), _CHUNK):
        some = rows[:, kept[start:start + _CHUNK]].astype(np.float64)
        product += some @ some.T
    values, vectors = np.linalg.eigh(product)
    order = np.argsort(-values)
    values, vectors = values[order], vectors[:, order]
    count = int((values > 1e-14 * max(values[0], 1e-300)).sum())
    vectors = np.ascontiguousarray(vectors[:, :count])
    limit = min(count, most)
    for tried in sorted({limit, *(step for step in _STEPS if step < limit)}):
        chosen = vectors[:, :tried]
        shapes = (chosen.T.astype(np.float32) @ rows).astype(np.float32)
        left = rows - chosen.astype(np.float32) @ shapes
        if _farthest(left) <= close:
            break
    # The largest weight of each target is one.
    scale = np.abs(chosen).max(axis=0)
    return [shape * np.float32(s) for shape, s in zip(shapes, scale)], (chosen / scale).astype(np.float32)


def _farthest(rows):
    worst = 0.0
    for row in rows:
        points = row.reshape(-1, 3)
        worst = max(worst, float(np.einsum("ij,ij->i", points, points).max(initial=0.0)))
    return worst**0.5
