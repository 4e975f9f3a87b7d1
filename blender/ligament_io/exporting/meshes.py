"""A Blender mesh as arrays: parts with one material each, in the mesh's own space or transformed by a matrix."""

from dataclasses import dataclass, field

import numpy as np

from .. import compat
from ..axes import points_to_scene, transform_points, turn_normals
from .corners import split, take_ragged


@dataclass
class Arrays:
    """One part. Faces are `starts` and `corners` (polygons), or `corners` alone: triangles, lines or points."""

    kind: str
    material: int
    corners: np.ndarray
    starts: np.ndarray = None
    positions: np.ndarray = None
    normals: np.ndarray = None
    uvs: list = field(default_factory=list)
    colors: list = field(default_factory=list)
    # The corresponding vertices of the Blender mesh.
    source: np.ndarray = None
    morphs: list = field(default_factory=list)
    # starts, joints, weights; or None on a part without a skin.
    influences: tuple = None


class Source:
    """The data of a Blender mesh, read once."""

    def __init__(self, mesh, notes, name, with_colors=True):
        self.mesh, self.notes, self.name = mesh, notes, name
        self.vertex_count = len(mesh.vertices)
        self.positions = self._finite(_vectors(mesh.vertices, "co", self.vertex_count), "positions")
        self.corner_vertices = _integers(mesh.loops, "vertex_index")
        self.starts = _integers(mesh.polygons, "loop_start")
        self.totals = _integers(mesh.polygons, "loop_total")
        self.materials = _integers(mesh.polygons, "material_index")
        self._read_normals()
        self.uvs = [self._uv(layer) for layer in _active_first(mesh.uv_layers, mesh.uv_layers.active)]
        self.uv_names = [layer.name for layer in _active_first(mesh.uv_layers, mesh.uv_layers.active)]
        self.point_colors, self.corner_colors, self.colors = [], [], []
        if with_colors:
            self._read_colors()

    def _read_normals(self):
        """Reads normals per vertex if all corners of each vertex agree, which Blender may know; otherwise per corner."""
        self.vertex_normals = self.corner_normals = None
        if len(self.corner_vertices) == 0:
            return
        if getattr(self.mesh, "normals_domain", "") == "POINT":
            self.vertex_normals = _vectors(self.mesh.vertex_normals, "vector", self.vertex_count)
            self.vertex_normals = self._finite(self.vertex_normals, "normals")
        else:
            self.corner_normals = self._finite(compat.corner_normals(self.mesh), "normals")

    def _uv(self, layer):
        out = np.empty(len(self.corner_vertices) * 2, dtype=np.float32)
        attribute = self.mesh.attributes.get(layer.name)
        if attribute is not None and attribute.data_type == "FLOAT2":
            attribute.data.foreach_get("vector", out)
        else:
            layer.data.foreach_get("uv", out)
        out = self._finite(out.reshape(-1, 2), f"UV map {layer.name!r}")
        out[:, 1] = 1.0 - out[:, 1]
        return out

    def _read_colors(self):
        colors = self.mesh.color_attributes
        for attribute in _active_first(colors, colors.active_color):
            if attribute.domain not in {"POINT", "CORNER"} or len(attribute.data) == 0:
                continue
            out = np.empty(len(attribute.data) * 4, dtype=np.float32)
            attribute.data.foreach_get("color", out)
            out = self._finite(out.reshape(-1, 4), f"colours {attribute.name!r}")
            self.colors.append((attribute.domain == "CORNER", out))

    def _finite(self, values, what):
        if not np.isfinite(values).all():
            self.notes.add("BL105", f"mesh {self.name!r}", f"{what}: numbers that are not finite become 0")
            values = np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)
        return values

    def parts(self, matrix=None, loose=True):
        """The parts, one per material that faces use, then loose edges and points."""
        mirrored = matrix is not None and np.linalg.det(matrix[:3, :3]) < 0.0
        found = []
        used = np.unique(self.materials) if len(self.materials) else []
        for material in used:
            polygons = None if len(used) == 1 else np.flatnonzero(self.materials == material)
            found.append(self._faces(int(material), polygons, mirrored))
        if loose:
            found += self._loose()
        for part in found:
            self._place(part, matrix)
        return found

    def _faces(self, material, polygons, mirrored):
        starts, totals = self.starts, self.totals
        if polygons is not None:
            starts, totals = starts[polygons], totals[polygons]
        new_starts = np.zeros(len(totals) + 1, dtype=np.int64)
        np.cumsum(totals, out=new_starts[1:])
        whole = polygons is None and np.array_equal(starts, new_starts[:-1])
        loops = None
        if not whole or mirrored:
            steps = np.arange(new_starts[-1]) - np.repeat(new_starts[:-1], totals)
            if mirrored:
                steps = np.repeat(totals, totals) - 1 - steps
            loops = np.repeat(starts, totals) + steps
        pick = (lambda array: array) if loops is None else (lambda array: array[loops])
        vertices = pick(self.corner_vertices)
        rows = [pick(self.corner_normals)] if self.corner_normals is not None else []
        rows += [pick(uv) for uv in self.uvs]
        rows += [pick(values) for corner, values in self.colors if corner]
        table = np.concatenate(rows, axis=1) if rows else None
        corners, source, source_corners = split(vertices, self.vertex_count, table)
        triangles = len(totals) > 0 and totals.min() == 3 == totals.max()
        part = Arrays("triangles" if triangles else "polygons", material, corners, source=source)
        if not triangles:
            part.starts = new_starts.astype(np.uint32)
        if self.corner_normals is not None:
            part.normals = rows[0][source_corners]
        elif self.vertex_normals is not None:
            part.normals = self.vertex_normals[source]
        part.uvs = [np.ascontiguousarray(pick(uv)[source_corners]) for uv in self.uvs]
        part.colors = [
            np.ascontiguousarray(pick(values)[source_corners] if corner else values[source])
            for corner, values in self.colors
        ]
        return part

    def _loose(self):
        """Edges without a face, and vertices without an edge."""
        found = []
        edges = self.mesh.edges
        ends = _integers(edges, "vertices", 2).reshape(-1, 2)
        if len(edges):
            loose = np.empty(len(edges), dtype=bool)
            edges.foreach_get("is_loose", loose)
            if loose.any():
                corners, source, _ = split(ends[loose].reshape(-1), self.vertex_count, None)
                found.append(self._loose_part("lines", corners, source))
        touched = np.zeros(self.vertex_count, dtype=bool)
        touched[ends.reshape(-1)] = True
        touched[self.corner_vertices] = True
        alone = np.flatnonzero(~touched)
        if len(alone):
            found.append(self._loose_part("points", np.arange(len(alone), dtype=np.uint32), alone))
        return found

    def _loose_part(self, kind, corners, source):
        part = Arrays(kind, -1, corners, source=source)
        part.colors = [np.ascontiguousarray(values[source]) for corner, values in self.colors if not corner]
        return part

    def _place(self, part, matrix):
        """Sets positions and normals in the scene's axes."""
        positions, normals = self.positions[part.source], part.normals
        if matrix is not None:
            positions = transform_points(matrix, positions)
            normals = None if normals is None else turn_normals(matrix, normals)
        part.positions = points_to_scene(positions)
        part.normals = None if normals is None else points_to_scene(normals)

    def add_morph(self, part, deltas, matrix=None):
        """Adds a morph target from its deltas for every vertex of the Blender mesh."""
        taken = deltas[part.source]
        if matrix is not None:
            taken = taken.astype(np.float64) @ matrix[:3, :3].T
        part.morphs.append(points_to_scene(taken))

    def add_influences(self, part, influences):
        """Selects the influences of the part's vertices: starts, joints, weights."""
        starts, joints, weights = influences
        new_starts, items = take_ragged(starts, part.source)
        part.influences = (new_starts.astype(np.uint32), joints[items], weights[items])


def _active_first(collection, active):
    """The items, the active one first."""
    first = [item for item in collection if active is not None and item.name == active.name]
    return first + [item for item in collection if not first or item.name != first[0].name]


def _vectors(collection, attribute, count):
    out = np.empty(count * 3, dtype=np.float32)
    collection.foreach_get(attribute, out)
    return out.reshape(-1, 3)


def _integers(collection, attribute, width=1):
    out = np.empty(len(collection) * width, dtype=np.int32)
    collection.foreach_get(attribute, out)
    return out
