"""Import and export of skinned, animated meshes with ligament. See docs/blender.md of the project."""

bl_info = {
    "name": "Ligament formats",
    "author": "The ligament developers",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "File > Import-Export",
    "description": "Imports and exports skinned, animated meshes, and says what each format could not hold",
    "category": "Import-Export",
}

import bpy

from . import library


class LigamentPreferences(bpy.types.AddonPreferences):
    """Explains why the add-on does nothing if its library cannot be loaded."""

    bl_idname = __package__

    def draw(self, _context):
        self.layout.label(text=_problem or "The formats are under File → Import → Ligament and File → Export → Ligament.",
                          icon="ERROR" if _problem else "INFO")


_problem = None
_registered = []


def register():
    global _problem
    bpy.utils.register_class(LigamentPreferences)
    _problem = library.load()
    if _problem is not None:
        print("ligament:", _problem)
        return
    from . import batch
    from .ui import menus

    menus.register()
    _registered.append(menus)
    batch.register()
    _registered.append(batch)


def unregister():
    while _registered:
        _registered.pop().unregister()
    bpy.utils.unregister_class(LigamentPreferences)
