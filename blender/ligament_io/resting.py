"""How imported things rest, kept beside what their actions make of them.

What an action moves has no place of its own in Blender any more, but a file's nodes have one apart from all clips. The
importer writes it down here, and the exporter takes it for things that are still animated.
"""

STORED = "ligament_rest"


def store(item, translation, rotation, scale):
    """Of an object: ten numbers, the rotation as x y z w."""
    item[STORED] = [float(value) for value in (*translation, *rotation, *scale)]


def store_bones(item, bones):
    """Of an armature: ten numbers for each bone that rests otherwise than it is bound, by its name."""
    if bones:
        item[STORED + "_bones"] = {name: [float(v) for part in parts for v in part] for name, parts in bones.items()}


def store_weights(keys, weights):
    """Of shape keys: one number each, the basis left out."""
    keys[STORED] = [float(weight) for weight in weights]


def of(item, count):
    """The numbers that were stored, if they are as many as they should be; else None."""
    return _numbers(item.get(STORED), count)


def of_bones(item):
    """Ten numbers by bone."""
    stored = item.get(STORED + "_bones")
    if not hasattr(stored, "items"):
        return {}
    found = {name: _numbers(values, 10) for name, values in stored.items()}
    return {name: values for name, values in found.items() if values is not None}


def _numbers(stored, count):
    try:
        values = [float(value) for value in stored]
    except (TypeError, ValueError):
        return None
    return values if len(values) == count else None
