"""Conversion between Blender's axes and the scene's, and operations on arrays of matrices.

Blender is right-handed with +Z up; a ligament scene is right-handed with +Y up (glTF's axes): Blender's (x, y, z) is the
scene's (x, z, -y). Objects are converted together with their local axes (a mesh is rotated with its vertices). Bones, cameras
and lights are rotated from outside only, because Blender and the scene agree on their local axes: a camera looks along -Z in both.

Matrices are float64 arrays of shape (..., 4, 4) for column vectors, unless a name says otherwise.
"""

import numpy as np

TO_SCENE = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]], dtype=np.float64)
TO_BLENDER = TO_SCENE.T.copy()


def points_to_scene(points):
    """Converts positions or directions of shape (n, 3) to contiguous float32 in the scene's axes."""
    out = np.empty(points.shape, dtype=np.float32)
    out[:, 0] = points[:, 0]
    out[:, 1] = points[:, 2]
    np.negative(points[:, 1], out=out[:, 2])
    return out


def points_to_blender(points):
    """The inverse of `points_to_scene`."""
    out = np.empty(points.shape, dtype=np.float32)
    out[:, 0] = points[:, 0]
    np.negative(points[:, 2], out=out[:, 1])
    out[:, 2] = points[:, 1]
    return out


def transform_points(matrix, points):
    """Transforms points of shape (n, 3) by one matrix, in float64."""
    return points.astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]


def turn_normals(matrix, normals):
    """Transforms normals of shape (n, 3) by one matrix, and normalises those that are not zero."""
    block = matrix[:3, :3]
    cofactors = np.stack([np.cross(block[:, 1], block[:, 2]), np.cross(block[:, 2], block[:, 0]),
                          np.cross(block[:, 0], block[:, 1])], axis=1)
    if np.linalg.det(block) < 0.0:
        cofactors = -cofactors
    turned = normals.astype(np.float64) @ cofactors.T
    lengths = np.linalg.norm(turned, axis=1, keepdims=True)
    return turned / np.where(lengths > 0.0, lengths, 1.0)


def inverted(matrices):
    """Returns the inverses, and which matrices have one; the others get the identity."""
    blocks = matrices[..., :3, :3]
    size = np.abs(blocks).max(axis=(-1, -2))
    sound = np.abs(np.linalg.det(blocks)) > 1e-12 * np.maximum(size, 1e-30) ** 3
    safe = np.where(sound[..., None, None], matrices, np.eye(4))
    return np.linalg.inv(safe), sound


def decomposed(matrices, rest_rotation=(0.0, 0.0, 0.0, 1.0)):
    """Returns translation (n, 3), rotation (n, 4) as x y z w, scale (n, 3), and the error of each decomposition (n).

    The error is shear, which translation, rotation and scale cannot express, relative to the matrix's largest entry. A
    mirroring matrix gets a negative X scale. If a scale is zero, the rotation is undefined, and `rest_rotation` is used.
    """
    blocks = matrices[:, :3, :3]
    scale = np.linalg.norm(blocks, axis=1)
    flat = scale.min(axis=1) <= 1e-12 * np.maximum(scale.max(axis=1), 1e-30)
    axes = np.where(flat[:, None, None], np.eye(3), blocks / np.where(scale == 0.0, 1.0, scale)[:, None, :])
    # Gram-Schmidt, X first.
    x = axes[:, :, 0]
    y = _unit(axes[:, :, 1] - x * (axes[:, :, 1] * x).sum(1, keepdims=True))
    z = np.cross(x, y)
    mirrored = (z * axes[:, :, 2]).sum(1) < 0.0
    scale[mirrored, 0] *= -1.0
    x = np.where(mirrored[:, None], -x, x)
    z = np.cross(x, y)
    turned = np.stack([x, y, z], axis=2)
    rotation = quaternions(turned)
    rotation[flat] = rest_rotation
    largest = np.abs(blocks).max(axis=(1, 2))
    error = np.abs(turned * scale[:, None, :] - blocks).max(axis=(1, 2)) / np.where(largest > 0, largest, 1.0)
    error[flat] = 0.0
    return matrices[:, :3, 3].copy(), rotation, scale, error


def _unit(vectors):
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths > 0.0, lengths, 1.0)


def quaternions(blocks):
    """Converts rotation matrices (n, 3, 3) to quaternions (n, 4), x y z w, neighbours in the same hemisphere."""
    m = blocks
    trace = m[:, 0, 0] + m[:, 1, 1] + m[:, 2, 2]
    # Four times the square of each component; dividing by the largest is numerically safe.
    squares = np.stack([1 + 2 * m[:, 0, 0] - trace, 1 + 2 * m[:, 1, 1] - trace, 1 + 2 * m[:, 2, 2] - trace, 1 + trace], 1)
    largest = squares.argmax(axis=1)
    zy, xz, yx = m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0], m[:, 1, 0] - m[:, 0, 1]
    xy, zx, yz = m[:, 1, 0] + m[:, 0, 1], m[:, 0, 2] + m[:, 2, 0], m[:, 2, 1] + m[:, 1, 2]
    choices = np.stack([
        np.stack([squares[:, 0], xy, zx, zy], 1),
        np.stack([xy, squares[:, 1], yz, xz], 1),
        np.stack([zx, yz, squares[:, 2], yx], 1),
        np.stack([zy, xz, yx, squares[:, 3]], 1),
    ])
    found = choices[largest, np.arange(len(m))]
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    flips = np.cumprod(np.where((found[1:] * found[:-1]).sum(1) < 0.0, -1.0, 1.0))
    found[1:] *= flips[:, None]
    return found


def rotation_matrices(rotations):
    """Converts quaternions (n, 4), x y z w, to matrices (n, 3, 3). They need not be unit."""
    q = rotations / np.linalg.norm(rotations, axis=1, keepdims=True)
    x, y, z, w = q.T
    return np.stack([
        np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], 1),
        np.stack([2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)], 1),
        np.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], 1),
    ], 1)


def composed(translation, rotation, scale):
    """The inverse of `decomposed`: (n, 4, 4)."""
    out = np.zeros((len(translation), 4, 4))
    out[:, :3, :3] = rotation_matrices(np.asarray(rotation, dtype=np.float64)) * np.asarray(scale)[:, None, :]
    out[:, :3, 3] = translation
    out[:, 3, 3] = 1.0
    return out


def from_blender(matrix):
    """Converts a mathutils.Matrix to an array."""
    return np.array([tuple(row) for row in matrix], dtype=np.float64)


def read_matrices(collection, attribute, count):
    """Reads a matrix property of every item of a Blender collection in one call: (count, 4, 4)."""
    flat = np.empty(count * 16, dtype=np.float32)
    collection.foreach_get(attribute, flat)
    # Blender's matrices are column-major.
    return flat.reshape(count, 4, 4).transpose(0, 2, 1).astype(np.float64)
