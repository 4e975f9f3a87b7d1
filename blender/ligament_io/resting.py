"""The rest transforms of imported things, stored beside their actions.

In Blender an action overwrites the transform of what it moves, but a file's nodes also have a rest transform. The importer
stores it here, and the exporter uses it for things that are still animated.
"""

STORED = "ligament_rest"


def store(item, translation, rotation, scale):
    """Stores an object's rest transform: ten numbers, the rotation as x y z w."""
    item[STORED] = [float(value) for value in (*translation, *rotation, *scale)]


def store_bones(item, bones):
    """Stores ten numbers, by name, for each bone of an armature whose rest pose differs from its bind pose."""
    if bones:
        item[STORED + "_bones"] = {name: [float(v) for part in parts for v in part] for name, parts in bones.items()}


def store_weights(keys, weights):
    """Stores one weight per shape key, without the basis."""
    keys[STORED] = [float(weight) for weight in weights]


def of(item, count):
    """The stored numbers if there are `count` of them, otherwise None."""
    return _numbers(item.get(STORED), count)


def of_bones(item):
    """The stored ten numbers of each bone, by name."""
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
