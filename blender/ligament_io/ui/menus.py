"""File → Import and File → Export with one entry per format, and files dropped onto the viewport."""

import bpy

from . import options
from .operators import ExportLigament, ImportLigament


def _title(f):
    return f"{f.name} ({' '.join('.' + extension for extension in f.extensions)})"


class TOPBAR_MT_ligament_export(bpy.types.Menu):
    bl_label = "Ligament"

    def draw(self, _context):
        for f in options.WRITABLE:
            self.layout.operator(ExportLigament.bl_idname, text=_title(f)).format = f.id


class TOPBAR_MT_ligament_import(bpy.types.Menu):
    bl_label = "Ligament"

    def draw(self, _context):
        self.layout.operator(ImportLigament.bl_idname, text="Any format").format = "AUTO"
        self.layout.separator()
        for f in options.READABLE:
            self.layout.operator(ImportLigament.bl_idname, text=_title(f)).format = f.id


def _export_entry(self, _context):
    self.layout.menu("TOPBAR_MT_ligament_export")


def _import_entry(self, _context):
    self.layout.menu("TOPBAR_MT_ligament_import")


CLASSES = [ExportLigament, ImportLigament, TOPBAR_MT_ligament_export, TOPBAR_MT_ligament_import]

if hasattr(bpy.types, "FileHandler"):

    class IO_FH_ligament(bpy.types.FileHandler):
        bl_idname = "IO_FH_ligament"
        bl_label = "Ligament"
        bl_import_operator = ImportLigament.bl_idname
        bl_export_operator = ExportLigament.bl_idname
        # Blender considers only the last extension.
        bl_file_extensions = ";".join(dict.fromkeys(
            "." + extension.rsplit(".", 1)[-1] for f in options.READABLE for extension in f.extensions))

        @classmethod
        def poll_drop(cls, context):
            return context.area is not None and context.area.type in {"VIEW_3D", "OUTLINER"}

    CLASSES.append(IO_FH_ligament)


def register():
    for entry in CLASSES:
        bpy.utils.register_class(entry)
    bpy.types.TOPBAR_MT_file_export.append(_export_entry)
    bpy.types.TOPBAR_MT_file_import.append(_import_entry)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(_import_entry)
    bpy.types.TOPBAR_MT_file_export.remove(_export_entry)
    for entry in reversed(CLASSES):
        bpy.utils.unregister_class(entry)
