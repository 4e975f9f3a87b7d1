"""Custom properties, which become a scene's extras."""

# Properties of this add-on, and those of Blender and its own add-ons.
OURS = "ligament_"
_FOREIGN = {"cycles", "cycles_visibility", "_RNA_UI", "glTF2ExportSettings"}


def of(item):
    """The custom properties of a Blender data-block, as far as JSON can hold them."""
    found = {}
    for key in item.keys():
        if key in _FOREIGN or key.startswith(OURS):
            continue
        value, fits = _plain(item[key])
        if fits:
            found[key] = value
    return found


def _plain(value):
    if isinstance(value, (bool, int, float, str)):
        return value, True
    if hasattr(value, "to_dict"):
        return _plain(value.to_dict())
    if hasattr(value, "to_list"):
        return _plain(value.to_list())
    if isinstance(value, dict):
        pairs = {str(key): _plain(inner) for key, inner in value.items()}
        return {key: inner for key, (inner, fits) in pairs.items() if fits}, True
    if isinstance(value, (list, tuple)):
        inner = [_plain(entry) for entry in value]
        return [entry for entry, _ in inner], all(fits for _, fits in inner)
    return None, False


def put(item, extras):
    """Writes extras into a data-block, as far as Blender can hold them."""
    for key, value in extras.items():
        if not isinstance(key, str) or len(key.encode()) > 63 or value is None:
            continue
        try:
            item[key] = value
        except (TypeError, OverflowError, ValueError):
            item[key] = str(value)
