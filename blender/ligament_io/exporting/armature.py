"""The bones of an armature, and their transforms relative to the bones that are exported."""

import numpy as np

from .. import resting
from ..axes import TO_SCENE, composed, inverted, read_matrices

# The largest error of translation, rotation and scale before the matrix itself is kept.
SHEAR = 1e-6


class Armature:
    """The exported bones of an armature, parents first."""

    def __init__(self, item, settings):
        self.item = item
        bones = _parents_first(item.data.bones)
        # All bones, with the file's rest pose, which depends on all of them.
        number = {bone.name: index for index, bone in enumerate(bones)}
        above = np.array([number[b.parent.name] if b.parent else -1 for b in bones], dtype=np.int64)
        # The index of each bone in `data.bones` and `pose.bones`, which have different orders.
        in_data = {bone.name: index for index, bone in enumerate(item.data.bones)}
        in_pose = {bone.name: index for index, bone in enumerate(item.pose.bones)}
        rest = read_matrices(item.data.bones, "matrix_local", len(bones))[[in_data[b.name] for b in bones]]
        stance = self._stance([b.name for b in bones], above, rest)
        kept = [index for index, bone in enumerate(bones) if bone.use_deform or not settings.only_deform_bones]
        self.names = [bones[index].name for index in kept]
        self.number = {name: index for index, name in enumerate(self.names)}
        self.parents = np.full(len(kept), -1, dtype=np.int64) if settings.flatten_bones else _nearest(kept, above)
        self.in_pose = np.array([in_pose[name] for name in self.names], dtype=np.int64)
        self.lengths = [bones[index].length for index in kept]
        self.deforms = [bones[index].use_deform for index in kept]
        self.rest, self.stance = rest[kept], stance[kept]
        if settings.pose_as_rest and item.data.pose_position == "POSE":
            self.stance = self.pose()
        # Index of the first bone's node; the others follow.
        self.first_node = None

    def _stance(self, names, parents, rest):
        """The rest pose of the bones: their bind pose, unless the file that they were imported from has another."""
        stored = resting.of_bones(self.item)
        if not any(name in stored for name in names):
            return rest
        posed = rest.copy()
        for index, (name, parent) in enumerate(zip(names, parents)):
            values = np.array(stored.get(name, (0, 0, 0, 0, 0, 0, 1, 1, 1, 1)), dtype=np.float64)
            basis = composed(values[None, :3], values[None, 3:7], values[None, 7:])[0]
            between = rest[index] if parent < 0 else inverted(rest[parent])[0] @ rest[index]
            posed[index] = between @ basis if parent < 0 else posed[parent] @ between @ basis
        return posed

    def pose(self):
        """The current pose of the bones, in the armature's space."""
        bones = self.item.pose.bones
        return read_matrices(bones, "matrix", len(bones))[self.in_pose]

    def locals(self, posed):
        """Bones relative to their parents: (frames, bones, 4, 4) from poses of the same shape; and where that is defined.

        Third, the poses as they are exported, and fourth, per bone, how much of it translation, rotation and scale cannot express.
        A stretched parent shears its children. What is lost then does not add up along a chain of bones, because each bone is
        relative to its parent as it is exported.
        """
        out = np.empty_like(posed)
        roots = self.parents < 0
        out[..., roots, :, :] = TO_SCENE @ posed[..., roots, :, :]
        backwards, sound = inverted(posed[..., self.parents[~roots], :, :])
        out[..., ~roots, :, :] = backwards @ posed[..., ~roots, :, :]
        known = np.ones(posed.shape[:-2], dtype=bool)
        known[..., ~roots] = sound
        lost = sheared(out).max(axis=0, initial=0.0)
        if lost.max(initial=0.0) <= SHEAR:
            return out, known, posed, lost
        return self._as_exported(posed, out, known, lost)

    def _as_exported(self, posed, out, known, lost):
        exported, touched = posed.copy(), lost > SHEAR
        depth = np.zeros(len(self.parents), dtype=np.int64)
        for index, parent in enumerate(self.parents):
            if parent >= 0:
                depth[index] = depth[parent] + 1
                touched[index] |= touched[parent]
        for level in range(depth.max() + 1):
            here = np.flatnonzero(touched & (depth == level))
            if not len(here):
                continue
            if level == 0:
                above = np.broadcast_to(TO_SCENE.T, posed[:, here].shape)
                local, sound = out[:, here], known[:, here]
            else:
                above = exported[:, self.parents[here]]
                backwards, sound = inverted(above)
                local = backwards @ posed[:, here]
            nearest = unsheared(local)
            out[:, here], known[:, here] = nearest, sound
            exported[:, here] = np.where(sound[..., None, None], above @ nearest, posed[:, here])
        return out, known, exported, lost


def _parents_first(bones):
    order, placed = [], set()

    for bone in bones:
        chain = []
        while bone is not None and bone.name not in placed:
            placed.add(bone.name)
            chain.append(bone)
            bone = bone.parent
        order += reversed(chain)
    return order


def _nearest(kept, above):
    """For each kept bone, the index of the nearest bone above it that is kept too; -1 if there is none."""
    number = {bone: index for index, bone in enumerate(kept)}
    found = np.full(len(kept), -1, dtype=np.int64)
    for index, bone in enumerate(kept):
        parent = above[bone]
        while parent >= 0 and parent not in number:
            parent = above[parent]
        found[index] = number.get(parent, -1)
    return found


def sheared(matrices):
    """How far the axes of matrices are from being perpendicular: the largest cosine between two of them."""
    blocks = matrices[..., :3, :3]
    lengths = np.linalg.norm(blocks, axis=-2)
    worst = np.zeros(blocks.shape[:-2])
    for first, second in ((0, 1), (0, 2), (1, 2)):
        product = np.abs((blocks[..., first] * blocks[..., second]).sum(axis=-1))
        size = lengths[..., first] * lengths[..., second]
        worst = np.maximum(worst, np.where(size > 1e-18, product / np.where(size > 1e-18, size, 1.0), 0.0))
    return worst


def unsheared(matrices):
    """The matrices of translation, rotation and scale that are nearest to the given ones, by least squares."""
    out = matrices.copy()
    skew = sheared(matrices) > SHEAR
    blocks = matrices[skew][:, :3, :3]
    scale = np.ones((len(blocks), 3))
    for _ in range(8):
        # The best rotation for a scale, then the best scale for that rotation.
        left, _, right = np.linalg.svd(blocks * scale[:, None, :])
        left[np.linalg.det(left @ right) < 0.0, :, 2] *= -1.0
        turns = left @ right
        scale = (turns * blocks).sum(axis=1)
    fixed = matrices[skew]
    fixed[:, :3, :3] = turns * scale[:, None, :]
    out[skew] = fixed
    return out
