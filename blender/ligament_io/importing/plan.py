"""Decides which nodes become bones, and of which armature.

Joints become bones, and so do the nodes between joints. Skins that share a skeleton share an armature. The armature is placed
at the node above its root bones, and replaces that node if it carries nothing else; so an exported armature is imported
unchanged.
"""

import numpy as np

from ..axes import composed


class Group:
    """A planned armature."""

    def __init__(self, nodes, skins, anchor, is_anchor):
        # Bones, parents first.
        self.nodes, self.skins = nodes, skins
        # The parent node of the armature, or None; and whether the armature replaces that node.
        self.anchor, self.is_anchor = anchor, is_anchor
        self.item = None


class Plan:
    """The hierarchy of a scene, and its armatures."""

    def __init__(self, scene, name):
        self.scene, self.name = scene, name
        self.parents = [node.parent for node in scene.nodes]
        self.locals = rest_locals(scene)
        self.globals = np.empty_like(self.locals)
        for index, parent in enumerate(self.parents):
            self.globals[index] = self.locals[index] if parent is None else self.globals[parent] @ self.locals[index]
        self.groups = self._groups()
        self.group_of = {node: group for group in self.groups for node in group.nodes}
        self.armature_nodes = {group.anchor: group for group in self.groups if group.is_anchor}

    def _ancestors(self, node):
        found = []
        while node is not None:
            found.append(node)
            node = self.parents[node]
        return found

    def _groups(self):
        """Joins skins into groups, and finds their bones."""
        used = [s for s, skin in enumerate(self.scene.skins) if len(skin.joints)]
        joints = {s: {int(j) for j in self.scene.skins[s].joints} for s in used}
        all_joints = set().union(*joints.values()) if joints else set()
        # Skins belong together if a joint of one is an ancestor of a joint of the other, or the same joint.
        leader = {s: s for s in used}

        def find(s):
            while leader[s] != s:
                s = leader[s]
            return s

        owner = {}
        for s in used:
            for joint in joints[s]:
                for above in self._ancestors(joint):
                    if above in all_joints:
                        if above in owner:
                            leader[find(s)] = find(owner[above])
                        owner.setdefault(above, s)
        groups = {}
        for s in used:
            groups.setdefault(find(s), []).append(s)
        taken, found = set(), []
        for skins in groups.values():
            found.append(self._group(skins, set().union(*(joints[s] for s in skins)), taken))
        return found

    def _group(self, skins, joints, taken):
        bones = set(joints)
        for joint in joints:
            chain = self._ancestors(joint)
            last = max((i for i, node in enumerate(chain) if node in joints), default=0)
            bones.update(chain[: last + 1])
        roots = [node for node in bones if self.parents[node] not in bones]
        anchor = self.parents[roots[0]]
        if any(self.parents[root] != anchor for root in roots):
            chains = [self._ancestors(root)[1:] for root in roots]
            common = [node for node in chains[0] if all(node in chain for chain in chains)]
            anchor = common[0] if common else None
            for chain in chains:
                bones.update(chain[: chain.index(anchor)] if anchor is not None else chain)
        is_anchor = anchor is not None and anchor not in taken and self._is_bare(anchor)
        if is_anchor:
            taken.add(anchor)
        return Group(sorted(bones), skins, anchor, is_anchor)

    def _is_bare(self, node):
        item = self.scene.nodes[node]
        joint = any(node in {int(j) for j in skin.joints} for skin in self.scene.skins)
        return item.mesh is None and item.camera is None and item.light is None and not joint


def rest_locals(scene):
    """The rest matrix of each node relative to its parent: (nodes, 4, 4)."""
    nodes = scene.nodes
    if not nodes:
        return np.empty((0, 4, 4))
    out = composed(np.array([n.translation for n in nodes], dtype=np.float64),
                   np.array([n.rotation for n in nodes], dtype=np.float64),
                   np.array([n.scale for n in nodes], dtype=np.float64))
    for index, node in enumerate(nodes):
        if node.matrix is not None:
            out[index] = np.asarray(node.matrix, dtype=np.float64)
    return out
