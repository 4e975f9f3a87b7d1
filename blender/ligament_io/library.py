"""The `ligament` module: from the extension's wheel, or from `lib/` beside this file in the legacy add-on."""

import os
import sys


def load():
    """Returns None if it can be used, otherwise a message that says why not."""
    try:
        _import()
    except Exception as error:  # The add-on must be able to report any reason.
        return (f"The ligament library cannot be loaded in this Blender ({sys.platform}, Python "
                f"{sys.version_info.major}.{sys.version_info.minor}): {error}")
    return None


def _import():
    try:
        import ligament
    except ModuleNotFoundError as error:
        if error.name != "ligament":
            raise
        folder = os.path.join(os.path.dirname(__file__), "lib")
        if folder not in sys.path:
            sys.path.append(folder)
        import ligament
    ligament.formats()
