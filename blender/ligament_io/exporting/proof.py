"""The proof's first half: Blender's own evaluated meshes, compared with the scene posed at the same moments.

The library proves that the file holds the scene. This proves that the scene is what Blender shows.
"""

import time
from dataclasses import dataclass, field

import numpy as np

from ..notes import percent
from .shown import Shown
from .stage import frames_of

# Notes about what may move vertices, which are left out where the proof has found that it moves none.
MEASURED = {"BL106", "BL107", "BL111", "BL112", "BL117", "BL120", "BL123"}
# Vertices that are closer than this, as a part of the model's size, are where they should be.
NEAR = 1e-5
# Without a request for all frames: how many in total, how many vertices in all of them, and the limits per clip.
TOTAL, VERTICES, LEAST, MOST = 24, 300_000, 2, 8
# After this many seconds no further frames are compared.
PATIENCE = 10.0
# Vertices that are looked up one by one where meshes have different numbers of vertices.
LOOKED_UP = 256


@dataclass
class Deviation:
    """The worst place of one object: the distance of a vertex, and that as a part of the model's size."""

    object: str
    relative: float
    distance: float
    clip: str
    frame: float
    # Whether the meshes have different vertices, so that distances are between nearest vertices.
    changed: bool = False

    def place(self):
        clip = f"clip {self.clip!r}, " if self.clip is not None else ""
        return f"object {self.object!r}, {clip}frame {self.frame:g}"


@dataclass
class Proof:
    """How far the exported scene is from what Blender shows."""

    size: float = 0.0
    compared: int = 0
    total: int = 0
    seconds: float = 0.0
    # The worst deviation of each node, by number.
    nodes: dict = field(default_factory=dict)
    # In how many compared frames a node was not shown, by number.
    absent: dict = field(default_factory=dict)

    @property
    def worst(self):
        """The worst deviation; None if nothing was compared."""
        return max(self.nodes.values(), key=lambda d: d.relative, default=None)

    def off(self, node):
        """How far a node is off at most, as a part of the size."""
        return self.nodes[node].relative if node in self.nodes else 0.0

    def headline(self):
        """One line for the user."""
        worst = self.worst
        if worst is None:
            return "not compared with what Blender shows"
        where = f" of the size ({worst.place()})" if worst.relative > 0.0 else ""
        count = f"{self.compared} of {self.total}" if self.compared < self.total else f"all {self.total}"
        frames = "1 frame" if self.total == 1 else f"{count} frames"
        return f"worst deviation from Blender {percent(worst.relative)}{where}; {frames} compared"

    def to_json(self):
        worst = self.worst
        found = {"frames_compared": self.compared, "frames": self.total, "size": self.size, "worst": None}
        if worst is not None:
            found["worst"] = {"relative": worst.relative, "distance": worst.distance, "object": worst.object,
                              "clip": worst.clip, "frame": worst.frame}
        return found


def chosen(count, clips, every, vertices=1):
    """The indices of the frames to compare, of `count` frames of one of `clips` clips: the first, the last, and some between
    them at uneven distances, so that a motion that repeats itself is not always met at the same point."""
    wanted = min(TOTAL, VERTICES // max(vertices, 1)) // max(clips, 1)
    wanted = min(max(wanted, LEAST), MOST)
    if every or count <= wanted:
        return list(range(count))
    if wanted == 2:
        return [0, round(0.618 * (count - 1))]
    between = 1 + (np.arange(1, wanted - 1) * 0.6180339887498949 % 1.0) * (count - 2)
    return sorted({0, count - 1, *(int(index) for index in between)})


def prove(stage, tree, every, wanted=None):
    """Compares the finished scene with Blender in a few frames or in `every` one: all exported nodes, or those in `wanted`."""
    proof = Proof()
    start = time.monotonic()
    comparer = _Comparer(stage, tree, proof, wanted)
    with stage.kept():
        if not stage.clips:
            proof.total = 1
            stage.context.view_layer.update()
            comparer.compare(None, None, stage.scene.frame_current_final, 0.0)
        for number, clip in enumerate(stage.clips):
            found, _ = frames_of(clip)
            picked = chosen(len(found), len(stage.clips), every, comparer.vertices)
            proof.total += len(found)
            late = time.monotonic() - start > PATIENCE and not every
            if late:
                continue
            with stage.playing(clip):
                for index in stage.walk(found, picked):
                    comparer.compare(number, clip.name, found[index], (found[index] - clip.first) / stage.rate)
                    if time.monotonic() - start > PATIENCE and not every:
                        break
    proof.seconds = time.monotonic() - start
    return proof


class _Comparer:
    def __init__(self, stage, tree, proof, wanted):
        self.tree, self.proof, self.wanted = tree, proof, wanted
        self.shown = Shown(stage.context, tree)
        self.expected = set(self.shown.items) if wanted is None else set(wanted)
        self.poser = tree.scene.poser()
        self.vertices = sum(tree.sources[tree.scene.nodes[node].mesh].count for node in self.shown.items)

    def compare(self, number, clip, frame, seconds):
        parts, first = {}, self.proof.compared == 0
        for part in self.poser.pose(number, float(np.float32(seconds))).parts:
            parts.setdefault(part.node, []).append(part.positions)
        if first:
            self.proof.size = size_of([positions for own in parts.values() for positions in own])
        missing = set(self.expected)
        for node, points, matrix in self.shown.read(self.wanted):
            missing.discard(node)
            source = self.tree.sources[self.tree.scene.nodes[node].mesh]
            distance, changed = apart(parts[node], source, points, matrix)
            self._note(node, distance, clip, frame, changed)
        for node, points in self.shown.unread() if self.wanted is None else ():
            self._note(node, size_of([points]), clip, frame, True)
        for node in missing:
            self.proof.absent[node] = self.proof.absent.get(node, 0) + 1
        self.proof.compared += 1

    def _note(self, node, distance, clip, frame, changed):
        proof, known = self.proof, self.proof.nodes.get(node)
        changed = changed or (known is not None and known.changed)
        if known is None or distance > known.distance:
            relative = distance / proof.size if proof.size > 0.0 else float(distance > 0.0)
            known = Deviation(self.tree.scene.nodes[node].name, relative, distance, clip, float(frame))
            proof.nodes[node] = known
        known.changed = changed


def apart(parts, source, points, matrix):
    """The largest distance between posed parts and Blender's vertices; and whether these are not the vertices that were read."""
    world = points.astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]
    if len(points) != source.count:
        return _nearest(np.concatenate(parts), world), True
    worst = 0.0
    for positions, vertices in zip(parts, source.vertices):
        off = (world if len(vertices) == source.count and source.in_order else world[vertices]) - positions
        worst = max(worst, float(np.einsum("ij,ij->i", off, off).max(initial=0.0)))
    return worst**0.5, False


def _nearest(first, second):
    """The largest distance from some points of each set to the nearest point of the other."""
    if len(first) == 0 or len(second) == 0:
        return size_of([first, second])
    worst = 0.0
    for some, others in ((first, second), (second, first)):
        for point in some[:: max(1, len(some) // LOOKED_UP)]:
            off = others - point
            worst = max(worst, float(np.einsum("ij,ij->i", off, off).min()))
    return worst**0.5


def size_of(arrays):
    """The diagonal of the box around the points of some arrays."""
    ends = [(points.min(axis=0), points.max(axis=0)) for points in arrays if len(points)]
    if not ends:
        return 0.0
    least, most = (np.array(end, dtype=np.float64) for end in zip(*ends))
    return float(np.linalg.norm(most.max(axis=0) - least.min(axis=0)))


def note(proof, tree, notes):
    """Notes every object that is not where Blender shows it, and withdraws notes about the others."""
    exact = {f"mesh {tree.scene.nodes[node].name!r}" for node, deviation in proof.nodes.items() if deviation.relative <= NEAR}
    exact -= {f"mesh {deviation.object!r}" for deviation in proof.nodes.values() if deviation.relative > NEAR}
    notes.withdraw(lambda note: note.code in MEASURED and note.object in exact)
    for node, deviation in proof.nodes.items():
        if deviation.relative <= NEAR:
            continue
        about = f"object {deviation.object!r}"
        clip = f" of clip {deviation.clip!r}" if deviation.clip is not None else ""
        place = f"most at frame {deviation.frame:g}{clip}"
        if deviation.changed:
            what = "keeps its shape" if tree.scene.nodes[node].mesh is not None else "is not exported"
            message = f"the number of its vertices changes over time; it {what}, unlike in Blender, {place}"
            notes.add("BL127", about, message, 1, deviation.relative)
        else:
            notes.add("BL126", about, f"is not where Blender shows it, {place}", 1, deviation.relative)
    for node, count in proof.absent.items():
        notes.add("BL128", f"object {tree.scene.nodes[node].name!r}",
                  f"is hidden in {count} of {proof.compared} compared frames, but a file shows it always")
