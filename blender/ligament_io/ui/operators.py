"""One operator that exports and one that imports, for all formats."""

import dataclasses
import os

import bpy

from .. import exporting
from ..exporting.proof import PROOFS
from . import options, output, work

_ITEMS = [(f.id, f.name, f.summary) for f in options.WRITABLE]
_SOURCES = [("AUTO", "By content", "Detect the format by content and extension")]
_SOURCES += [(f.id, f.name, f.summary) for f in options.READABLE]


def _all_dialects():
    """Items by format. Their numbers are unique over all formats: Blender stores the number, and a dialect of one format must
    not become one of another when the format is changed. Made once, because Blender does not keep the strings alive."""
    found, number = {}, 0
    for f in options.WRITABLE:
        found[f.id] = [(options.DEFAULT, "Default", "The format's usual dialect, or the one that the extension selects", 0, 0)]
        for dialect in f.dialects:
            if dialect.writes:
                number += 1
                found[f.id].append((dialect.id, dialect.id, dialect.summary, 0, number))
    return found


_DIALECTS = _all_dialects()


def _dialects(self, _context):
    return _DIALECTS.get(self.format, _DIALECTS[options.WRITABLE[0].id])


class ExportBase:
    """Exports meshes, skeletons and clips, and reports what the format cannot hold"""

    bl_idname = "export_scene.ligament"
    bl_label = "Export with ligament"
    bl_options = {"PRESET"}

    @property
    def chosen(self):
        return next(f for f in options.WRITABLE if f.id == self.format)

    def invoke(self, context, _event):
        if not self.filepath:
            stem = os.path.splitext(bpy.data.filepath)[0] if bpy.data.filepath else "untitled"
            self.filepath = f"{stem}.{self.chosen.extensions[0]}"
        self.check(context)
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def check(self, _context):
        """Makes the extension match the format."""
        before = self.filepath
        if not self.dialect:
            # The extension of the format that was selected before.
            self.dialect = options.DEFAULT
        self.filepath = with_extension(before, self.chosen)
        self.filter_glob = options.glob([self.chosen])
        return self.filepath != before

    def execute(self, context):
        chosen = self.chosen
        asked = options.WRITE.values(self, chosen.id)
        if self.dialect and self.dialect != options.DEFAULT:
            asked["dialect"] = self.dialect
        settings = exporting.Settings(**{f.name: getattr(self, f.name) for f in dataclasses.fields(exporting.Settings)})
        manager = context.window_manager
        stages = iter(range(1, 99))
        manager.progress_begin(0, 6)
        title = f"Export of {os.path.basename(self.filepath)}"
        try:
            notes, report = work.export(context, self.filepath, chosen.id, settings, asked,
                                        lambda _stage: manager.progress_update(next(stages)))
        except work.Failed as error:
            output.fail(self, title, error, error.lines)
            return {"CANCELLED"}
        finally:
            manager.progress_end()
        output.tell(self, context, title, notes, report)
        return {"FINISHED"}

    def draw(self, _context):
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(self, "format")
        if len(_DIALECTS[self.format]) > 2:
            layout.prop(self, "dialect")
        box = layout.box()
        for name in ("selected", "modifiers", "most_targets", "loose"):
            if name != "most_targets" or self.modifiers in {"SHOWN", "EVERYTHING"}:
                box.prop(self, name)
        box = layout.box()
        box.prop(self, "clips")
        box.prop(self, "only_deform_bones")
        box.prop(self, "pose_as_rest")
        layout.prop(self, "proof")
        for general, title in ((False, self.chosen.name), (True, "General")):
            box = layout.box()
            box.label(text=title)
            if not options.WRITE.draw(box, self, self.format, general):
                box.label(text="No format-specific options")


class ImportBase:
    """Imports meshes, skeletons and clips of any known format"""

    bl_idname = "import_scene.ligament"
    bl_label = "Import with ligament"
    bl_options = {"PRESET", "UNDO"}

    def invoke(self, context, _event):
        if self.format == "AUTO":
            self.filter_glob = options.glob(options.READABLE)
        else:
            self.filter_glob = options.glob([f for f in options.READABLE if f.id == self.format])
        if self.directory and self.files:
            # Files dropped onto the viewport are known, so only the options are shown.
            return context.window_manager.invoke_props_dialog(self)
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context):
        asked = {} if self.format == "AUTO" else {"format": self.format}
        given = options.READ.values(self, self.format) if self.format != "AUTO" else self._all_values()
        paths = [os.path.join(self.directory, item.name) for item in self.files if item.name] or [self.filepath]
        done = 0
        for path in paths:
            title = f"Import of {os.path.basename(path)}"
            try:
                notes, report = work.import_file(context, path, {**given, **asked})
            except work.Failed as error:
                output.fail(self, title, error, error.lines)
                continue
            output.tell(self, context, title, notes, report, popup=len(paths) == 1)
            done += 1
        return {"FINISHED"} if done else {"CANCELLED"}

    def _all_values(self):
        found = {}
        for f in options.READABLE:
            found.update(options.READ.values(self, f.id))
        return found

    def draw(self, _context):
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(self, "format")
        shown = [self.format] if self.format != "AUTO" else [f.id for f in options.READABLE]
        names = dict.fromkeys(o.name for f in shown for o in options.READ.by_format[f])
        for name in names:
            layout.prop(self, name)


def with_extension(path, chosen):
    """The path with one of the format's extensions."""
    folder, name = os.path.split(path)
    lower = name.lower()
    if any(lower.endswith("." + extension) for extension in chosen.extensions):
        return path
    known = sorted((e for f in options.FORMATS for e in f.extensions), key=len, reverse=True)
    for extension in known:
        if lower.endswith("." + extension):
            name = name[: -len(extension) - 1]
            break
    return os.path.join(folder, f"{name}.{chosen.extensions[0]}") if name else path


def _path(kind, **more):
    return bpy.props.StringProperty(subtype=kind, options={"HIDDEN", "SKIP_SAVE"}, **more)


ExportLigament = type("EXPORT_SCENE_OT_ligament", (ExportBase, bpy.types.Operator), {
    "__doc__": ExportBase.__doc__,
    "__annotations__": {
        "filepath": bpy.props.StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"}),
        "filter_glob": bpy.props.StringProperty(options={"HIDDEN", "SKIP_SAVE"}),
        # Set by a collection's own exporters (4.2 and later).
        "collection": bpy.props.StringProperty(options={"HIDDEN", "SKIP_SAVE"}),
        "check_existing": bpy.props.BoolProperty(default=True, options={"HIDDEN"}),
        "format": bpy.props.EnumProperty(name="Format", items=_ITEMS, description="The file format"),
        "dialect": bpy.props.EnumProperty(name="Dialect", items=_dialects, description="The variant of the format"),
        "selected": bpy.props.BoolProperty(
            name="Selected only", description="Only selected objects, and the armatures that deform them"),
        "modifiers": bpy.props.EnumProperty(name="Modifiers", items=exporting.MODIFIERS, description="How to export modifiers"),
        "most_targets": bpy.props.IntProperty(
            name="Most targets", default=64, min=1, max=256, description="The largest number of morph targets that the motion of "
            "one mesh is baked into"),
        "loose": bpy.props.BoolProperty(
            name="Loose edges and points", default=True, description="Export edges without faces and vertices without edges"),
        "clips": bpy.props.EnumProperty(name="Clips", items=exporting.CLIPS, description="What to export as clips"),
        "proof": bpy.props.EnumProperty(
            name="Compare with Blender", items=PROOFS, description="How many frames to compare with what Blender shows"),
        "pose_as_rest": bpy.props.BoolProperty(
            name="Current pose as rest", description="The file's rest pose is the current pose of the armatures"),
        "only_deform_bones": bpy.props.BoolProperty(
            name="Only deforming bones", description="Skip bones that neither deform nor have a descendant that does"),
        **options.WRITE.annotations(),
    },
})

ImportLigament = type("IMPORT_SCENE_OT_ligament", (ImportBase, bpy.types.Operator), {
    "__doc__": ImportBase.__doc__,
    "__annotations__": {
        "filepath": bpy.props.StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"}),
        "directory": _path("DIR_PATH"),
        "files": bpy.props.CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"}),
        "filter_glob": bpy.props.StringProperty(options={"HIDDEN", "SKIP_SAVE"}),
        "format": bpy.props.EnumProperty(name="Format", items=_SOURCES, description="The file's format"),
        **options.READ.annotations(),
    },
})
