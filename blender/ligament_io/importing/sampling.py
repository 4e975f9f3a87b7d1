"""Values of a track at any time, as in posing."""

import numpy as np


def sample(track, times):
    """Returns (times, n) values; constant before the first key and after the last."""
    keys = np.asarray(track.times, dtype=np.float64)
    values = np.asarray(track.values, dtype=np.float64)
    cubic = track.interpolation == "cubic"
    points = values.reshape(len(keys), 3, -1)[:, 1] if cubic else values.reshape(len(keys), -1)
    # Times that equal a key's time within rounding get that key's value.
    nearest = np.abs(times[:, None] - keys[None, :]).argmin(axis=1) if len(keys) < 4096 else None
    after = np.searchsorted(keys, times, side="right")
    before = np.clip(after - 1, 0, len(keys) - 1)
    if nearest is not None:
        close = np.abs(times - keys[nearest]) < 1e-6
        before = np.where(close, nearest, before)
    after = np.clip(before + 1, 0, len(keys) - 1)
    gap = keys[after] - keys[before]
    share = np.clip(np.where(gap > 0.0, (times - keys[before]) / np.where(gap > 0.0, gap, 1.0), 0.0), 0.0, 1.0)[:, None]
    if track.interpolation == "step":
        out = points[before]
    elif cubic:
        out = _hermite(values.reshape(len(keys), 3, -1), before, after, share, gap[:, None])
    elif track.property == "rotation":
        out = _arc(points[before], points[after], share)
    else:
        out = points[before] * (1.0 - share) + points[after] * share
    if track.property == "rotation":
        out = out / np.linalg.norm(out, axis=1, keepdims=True)
    return out


def _hermite(values, before, after, share, gap):
    t, t2, t3 = share, share**2, share**3
    start, end = values[before, 1], values[after, 1]
    leaving, arriving = values[before, 2] * gap, values[after, 0] * gap
    return (2 * t3 - 3 * t2 + 1) * start + (t3 - 2 * t2 + t) * leaving + (3 * t2 - 2 * t3) * end + (t3 - t2) * arriving


def _arc(start, end, share):
    """Interpolates along the shorter great arc."""
    start = start / np.linalg.norm(start, axis=1, keepdims=True)
    end = end / np.linalg.norm(end, axis=1, keepdims=True)
    cosine = (start * end).sum(1, keepdims=True)
    end = np.where(cosine < 0.0, -end, end)
    cosine = np.clip(np.abs(cosine), 0.0, 1.0)
    angle = np.arccos(cosine)
    sine = np.sin(angle)
    near = sine < 1e-6
    safe = np.where(near, 1.0, sine)
    first = np.where(near, 1.0 - share, np.sin((1.0 - share) * angle) / safe)
    second = np.where(near, share, np.sin(share * angle) / safe)
    return start * first + end * second
