"""What Blender shows in the current frame: the vertices of every exported node, after all modifiers."""

import numpy as np

from ..axes import TO_SCENE, from_blender
from .instancing import instances
from .select import GEOMETRY


class Shown:
    """Reads the vertices of exported nodes from Blender's evaluated meshes."""

    def __init__(self, context, tree):
        self.context = context
        nodes = tree.scene.nodes
        self._plain = {e.name: e.node for e in tree.items if nodes[e.node].mesh is not None}
        # Objects that are drawn at times, but not in the current frame, from which meshes are read.
        self._bare = {e.name: e.node for e in tree.items if nodes[e.node].mesh is None and e.item.type in GEOMETRY}
        self._placed = {i.key: i.node for i in tree.instances if nodes[i.node].mesh is not None}
        # The objects that the nodes show.
        self.items = {e.node: e.item for e in tree.items if nodes[e.node].mesh is not None}
        self.items.update({i.node: i.item for i in tree.instances if nodes[i.node].mesh is not None})

    def read(self, wanted=None):
        """Every exported node that is shown: its number, its vertices in the mesh's own space (n, 3), and the matrix from
        there to the scene. Only the nodes in `wanted`, if that is given."""
        graph = self.context.evaluated_depsgraph_get()
        # Vertices of a mesh that several instances share.
        known = {}
        for instance, node in self._each(graph):
            if wanted is not None and node not in wanted:
                continue
            item = instance.object
            key = (item.original.name_full, item.data.as_pointer()) if instance.is_instance else None
            points = known.get(key) if key is not None else None
            if points is None:
                points = vertices(item)
                if key is not None:
                    known[key] = points
            yield node, points, TO_SCENE @ from_blender(instance.matrix_world)

    def unread(self):
        """The nodes of objects that are shown but have no mesh in the scene, with the positions of their vertices."""
        for instance in self.context.evaluated_depsgraph_get().object_instances if self._bare else ():
            node = self._bare.get(instance.object.original.name_full)
            if node is None or instance.is_instance or not instance.show_self:
                continue
            points = vertices(instance.object, with_faces=True)
            if len(points):
                yield node, points.astype(np.float64) @ from_blender(instance.matrix_world)[:3, :3].T

    def _each(self, graph):
        if self._plain:
            for instance in graph.object_instances:
                if not instance.is_instance and instance.show_self and instance.object.type in GEOMETRY:
                    node = self._plain.get(instance.object.original.name_full)
                    if node is not None:
                        yield instance, node
        if self._placed:
            for instance, key in instances(graph):
                node = self._placed.get(key)
                if node is not None:
                    yield instance, node


def vertices(item, with_faces=False):
    """The vertices of an evaluated object's mesh: (n, 3); none if it has no mesh, or no faces where these are asked for."""
    try:
        mesh = item.to_mesh()
    except RuntimeError:
        mesh = None
    if mesh is None:
        return np.empty((0, 3), dtype=np.float32)
    count = 0 if with_faces and not len(mesh.polygons) else len(mesh.vertices)
    flat = np.empty(count * 3, dtype=np.float32)
    if count:
        mesh.vertices.foreach_get("co", flat)
    # Always: Blender frees the mesh of an instance's object twice otherwise.
    item.to_mesh_clear()
    if not np.isfinite(flat).all():
        flat = np.nan_to_num(flat, nan=0.0, posinf=0.0, neginf=0.0)  # As when meshes are read.
    return flat.reshape(-1, 3)
