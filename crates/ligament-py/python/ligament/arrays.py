"""Types of arrays and plain values."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float32]
"""An array of ``float32``."""
Indices: TypeAlias = npt.NDArray[np.uint32]
"""An array of ``uint32``."""
Extras: TypeAlias = dict[str, Any]
"""Key-value data that travels with an object: anything that JSON can hold."""
Vector2: TypeAlias = tuple[float, float]
Vector3: TypeAlias = tuple[float, float, float]
Vector4: TypeAlias = tuple[float, float, float, float]


def indices(what: str, values: npt.ArrayLike) -> Indices:
    """Integers as ``uint32``; other values raise."""
    array = np.asarray(values)
    if array.size == 0:
        return np.zeros(array.shape, np.uint32)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{what} must be integers, not {array.dtype}")
    if array.min() < 0 or array.max() > 0xFFFF_FFFF:
        raise ValueError(f"{what} must be between 0 and {0xFFFF_FFFF}")
    return array.astype(np.uint32, copy=False)
