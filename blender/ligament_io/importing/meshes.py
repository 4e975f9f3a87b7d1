"""Mesh data: vertices and faces of all parts, normals, texture coordinates, colours, weights and shape keys."""

import bpy
import numpy as np

from .. import compat, extras, resting
from ..axes import TO_BLENDER, inverted, turn_normals
from .welding import weld


class Joined:
    """The parts of a mesh joined into one: Blender stores a material per face."""

    def __init__(self, mesh, matrix):
        self.mesh, self.matrix = mesh, matrix
        counts = [len(part.positions) for part in mesh.parts]
        self.first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        self.count = int(self.first[-1])
        positions = [np.asarray(part.positions, dtype=np.float64).reshape(-1, 3) for part in mesh.parts]
        self.scene_positions = np.concatenate(positions) if positions else np.empty((0, 3))
        self.positions = self.scene_positions @ matrix[:3, :3].T + matrix[:3, 3]
        self.mirrored = np.linalg.det(matrix[:3, :3]) < 0.0
        self._faces()

    def weld(self, wanted):
        """Decides which vertices Blender gets: all, or one for those that can be joined. `kept` are their numbers, `place` is
        where each vertex has gone, `standing` which of the kept ones stands for it."""
        self.standing = weld(self, self.mesh) if wanted else np.arange(self.count)
        is_kept = self.standing == np.arange(self.count)
        self.kept = np.flatnonzero(is_kept)
        self.place = (np.cumsum(is_kept) - 1)[self.standing]

    def _faces(self):
        corners, totals, parts, edges = [], [], [], []
        self.dropped = 0
        for number, part in enumerate(self.mesh.parts):
            kind, own = part.faces.kind, np.asarray(part.faces.corners, dtype=np.int64).reshape(-1)
            if kind == "lines":
                edges.append(own.reshape(-1, 2) + self.first[number])
            if kind not in {"triangles", "polygons"} or len(own) == 0:
                continue
            starts = np.arange(0, len(own) + 1, 3) if kind == "triangles" else np.asarray(part.faces.starts, dtype=np.int64)
            own, sizes = self._sound(own, starts)
            corners.append(own + self.first[number])
            totals.append(sizes)
            parts.append(np.full(len(sizes), number))
        empty = np.empty(0, dtype=np.int64)
        self.corners = np.concatenate(corners) if corners else empty
        self.totals = np.concatenate(totals) if totals else empty
        self.face_parts = np.concatenate(parts) if parts else empty
        self.edges = np.concatenate(edges) if edges else empty.reshape(0, 2)
        self.starts = np.cumsum(self.totals) - self.totals
        if self.mirrored:
            steps = np.arange(len(self.corners)) - np.repeat(self.starts, self.totals)
            self.corners = self.corners[np.repeat(self.starts + self.totals - 1, self.totals) - steps]

    def _sound(self, corners, starts):
        """Removes faces that use a vertex twice, which Blender does not allow."""
        sizes = starts[1:] - starts[:-1]
        face = np.repeat(np.arange(len(sizes)), sizes)
        order = np.lexsort((corners, face))
        twice = (corners[order][1:] == corners[order][:-1]) & (face[order][1:] == face[order][:-1])
        bad = np.zeros(len(sizes), dtype=bool)
        bad[face[order][1:][twice]] = True
        bad |= sizes < 3
        if not bad.any():
            return corners, sizes
        self.dropped += int(bad.sum())
        return corners[~bad[face]], sizes[~bad]

    def values(self, get, width, fill):
        """An attribute of all vertices, or None if no part has it."""
        found = [get(part) for part in self.mesh.parts]
        # A set that a file declares but leaves empty is ignored.
        found = [None if values is not None and len(values) == 0 else values for values in found]
        if all(values is None for values in found):
            return None
        out = np.full((self.count, width), fill, dtype=np.float32)
        for number, values in enumerate(found):
            if values is not None:
                out[self.first[number]:self.first[number + 1]] = values
        return out


def build(made, mesh, name, matrix, positions=None):
    """Creates mesh data in the object's space, to which `matrix` converts. Returns it with the joined parts."""
    joined = Joined(mesh, matrix)
    joined.weld(made.welds)
    about = f"mesh {name!r}"
    data = bpy.data.meshes.new(mesh.name or name)
    places = (joined.positions if positions is None else positions)[joined.kept]
    data.vertices.add(len(places))
    data.vertices.foreach_set("co", places.astype(np.float32).reshape(-1))
    if len(joined.edges):
        data.edges.add(len(joined.edges))
        data.edges.foreach_set("vertices", joined.place[joined.edges].astype(np.int32).reshape(-1))
    if len(joined.totals):
        data.loops.add(len(joined.corners))
        data.loops.foreach_set("vertex_index", joined.place[joined.corners].astype(np.int32))
        data.polygons.add(len(joined.totals))
        data.polygons.foreach_set("loop_start", joined.starts.astype(np.int32))
        if bpy.app.version < (4, 1, 0):
            data.polygons.foreach_set("loop_total", joined.totals.astype(np.int32))
    if joined.dropped:
        made.notes.add("BL202", about, "faces that use a vertex twice are skipped", joined.dropped)
    _materials(made, data, mesh, joined)
    _attributes(data, joined)
    data.update(calc_edges=True)
    before = len(data.polygons)
    if data.validate(clean_customdata=False):
        made.notes.add("BL202", about, "faces that Blender cannot hold are skipped", max(before - len(data.polygons), 1))
    elif len(joined.totals):
        _normals(data, joined, matrix)
    if any(part.tangents is not None for part in mesh.parts):
        made.notes.add("BL207", about, "tangents are not kept: Blender computes its own")
    extras.put(data, mesh.extras)
    return data, joined


def _materials(made, data, mesh, joined):
    """Adds one slot per material that parts use."""
    slots, slot_of = {}, []
    for part in mesh.parts:
        if part.faces.kind not in {"triangles", "polygons"}:
            slot_of.append(0)
            continue
        if part.material not in slots:
            slots[part.material] = len(slots)
            data.materials.append(made.materials.get(part.material))
        slot_of.append(slots[part.material])
    if len(joined.totals):
        data.polygons.foreach_set("material_index", np.array(slot_of, dtype=np.int32)[joined.face_parts])
    if set(slots) == {None}:
        data.materials.clear()


def _attributes(data, joined):
    mesh = joined.mesh
    for number in range(max((len(part.uvs) for part in mesh.parts), default=0)):
        uvs = joined.values(lambda part: part.uvs[number] if number < len(part.uvs) else None, 2, 0.0)
        if uvs is None or not len(joined.corners):
            continue
        layer = data.uv_layers.new(name="UVMap" if number == 0 else f"UVMap.{number:03}", do_init=False)
        if layer is None:
            break
        flipped = uvs[joined.corners]
        flipped[:, 1] = 1.0 - flipped[:, 1]
        layer.data.foreach_set("uv", flipped.reshape(-1))
    for number in range(max((len(part.colors) for part in mesh.parts), default=0)):
        colors = joined.values(lambda part: part.colors[number] if number < len(part.colors) else None, 4, 1.0)
        if colors is not None:
            name = "Color" if number == 0 else f"Color.{number:03}"
            # Joined vertices may have several colours.
            alike = np.array_equal(colors, colors[joined.standing])
            domain, chosen = ("POINT", joined.kept) if alike else ("CORNER", joined.corners)
            layer = data.color_attributes.new(name, "FLOAT_COLOR", domain)
            layer.data.foreach_set("color", colors[chosen].reshape(-1))


def _normals(data, joined, matrix):
    """Sets custom normals where the file has normals; faces of other parts are flat."""
    with_normals = np.array([part.normals is not None for part in joined.mesh.parts])
    smooth = with_normals[joined.face_parts]
    data.polygons.foreach_set("use_smooth", smooth)
    normals = joined.values(lambda part: part.normals, 3, 0.0)
    if normals is None:
        return
    # With a zero normal, Blender computes the corner's normal.
    turned = turn_normals(matrix, normals)
    compat.set_corner_normals(data, turned[joined.corners].astype(np.float32))


def add_shapes(item, mesh, node, joined):
    """Adds the shape keys of an object, from the morph targets of its mesh."""
    if not mesh.morphs:
        return
    base = np.empty(len(joined.kept) * 3, dtype=np.float32)
    item.data.vertices.foreach_get("co", base)
    base = base.reshape(-1, 3).astype(np.float64)
    item.shape_key_add(name="Basis", from_mix=False)
    for number, morph in enumerate(mesh.morphs):
        deltas = joined.values(lambda part: part.morphs[number].positions if number < len(part.morphs) else None, 3, 0.0)
        block = item.shape_key_add(name=morph.name or f"morph{number}", from_mix=False)
        if deltas is not None:
            moved = base + deltas[joined.kept].astype(np.float64) @ joined.matrix[:3, :3].T
            block.data.foreach_set("co", moved.astype(np.float32).reshape(-1))
        weight = node.morph_weights[number] if number < len(node.morph_weights) else morph.weight
        block.slider_min, block.slider_max = min(weight, 0.0, block.slider_min), max(weight, 1.0)
        block.value = weight
    resting.store_weights(item.data.shape_keys, [block.value for block in item.data.shape_keys.key_blocks[1:]])


def skinned(made, node, name, skin, group):
    """Mesh data in the armature's space, the joined parts, and for each bone its vertices and weights."""
    mesh = made.scene.meshes[node.mesh]
    back, _ = inverted(group.world)
    joints = [int(joint) for joint in skin.joints]
    binds = np.asarray(skin.inverse_binds, dtype=np.float64).reshape(-1, 4, 4)
    # This skin's bind pose relative to the bones; equal for all joints if the mesh was only moved.
    shifts = np.stack([group.binds[j] @ m @ TO_BLENDER.T for j, m in zip(joints, binds)])
    vertices, numbers, shares = _pairs(mesh, name, made.notes)
    used = np.unique(numbers) if len(numbers) else np.array([0])
    shift = shifts[used[0]]
    off = np.abs(shifts[used] - shift).max()
    matrix = back @ shift @ TO_BLENDER
    positions = None
    if off > 1e-5 * max(1.0, np.abs(shift).max()):
        made.notes.add("BL206", f"mesh {name!r}", "joints are bound differently than for another mesh of the same skeleton", 1,
                       float(off))
        positions = _blended(mesh, back, shifts, vertices, numbers, shares)
    data, joined = build(made, mesh, name, matrix, positions)
    kept = joined.standing[vertices] == vertices
    vertices, numbers, shares = joined.place[vertices[kept]], numbers[kept], shares[kept]
    pulls = {}
    for number in used if len(numbers) else ():
        chosen = numbers == number
        bone = made.bones[joints[number]].name
        who, how = vertices[chosen], shares[chosen]
        known = pulls.get(bone)
        pulls[bone] = (who, how) if known is None else (np.concatenate([known[0], who]), np.concatenate([known[1], how]))
    return data, joined, pulls


def _blended(mesh, back, shifts, vertices, numbers, shares):
    """Vertices if each joint was bound differently: the weighted mean of their positions for each joint."""
    plain = Joined(mesh, back @ TO_BLENDER)
    points = np.concatenate([plain.scene_positions, np.ones((plain.count, 1))], axis=1)
    moved = np.zeros((plain.count, 3))
    sums = np.bincount(vertices, weights=shares, minlength=plain.count)
    whole = back @ shifts @ TO_BLENDER
    each = np.einsum("nij,nj->ni", whole[numbers], points[vertices])[:, :3] * shares[:, None]
    np.add.at(moved, vertices, each)
    out = plain.positions.copy()
    pulled = sums > 0
    out[pulled] = moved[pulled] / sums[pulled, None]
    return out


def _pairs(mesh, name, notes):
    """All influences: vertex, joint index, weight between 0 and 1."""
    vertices, numbers, shares, first = [], [], [], 0
    for part in mesh.parts:
        count = len(part.positions)
        if part.influences is not None:
            starts = np.asarray(part.influences.starts, dtype=np.int64)
            vertices.append(first + np.repeat(np.arange(count), starts[1:] - starts[:-1]))
            numbers.append(np.asarray(part.influences.joints, dtype=np.int64))
            shares.append(np.asarray(part.influences.weights, dtype=np.float64))
        first += count
    if not vertices:
        empty = np.empty(0, dtype=np.int64)
        return empty, empty, np.empty(0)
    vertices, numbers, shares = np.concatenate(vertices), np.concatenate(numbers), np.concatenate(shares)
    negative = shares < 0.0
    if negative.any():
        notes.add("BL203", f"mesh {name!r}", "negative weights are skipped, because Blender has none", int(negative.sum()))
    kept = shares > 0.0
    vertices, numbers, shares = vertices[kept], numbers[kept], shares[kept]
    # Blender divides by the sum, like posing, but clamps weights to one and ignores tiny sums.
    sums = np.bincount(vertices, weights=shares, minlength=first)
    odd = (np.bincount(vertices, weights=shares > 1.0, minlength=first) > 0) | ((sums > 0) & (sums < 0.01))
    shares = np.where(odd[vertices], shares / np.where(sums > 0, sums, 1.0)[vertices], shares)
    return vertices, numbers, shares


def add_weights(item, pulls):
    """Adds vertex groups. Blender sets one weight for many vertices at once, so equal weights are grouped."""
    for bone, (vertices, shares) in pulls.items():
        group = item.vertex_groups.new(name=bone)
        order = np.argsort(shares, kind="stable")
        values, firsts = np.unique(shares[order], return_index=True)
        for value, who in zip(values, np.split(vertices[order], firsts[1:])):
            group.add(who.tolist(), float(value), "ADD")
