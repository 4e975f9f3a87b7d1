"""One operator that exports and one that imports, for all formats."""

import os

import bpy
import ligament as lig

from .. import exporting, importing
from ..exporting.settings import PANELS, ROWS
from . import options, output, work

_ITEMS = [("AUTO", "By extension", "The format of the file name's extension")]
_ITEMS += [(f.id, f.name, f.summary) for f in options.WRITABLE]
_SOURCES = [("AUTO", "By content", "Detect the format by content and extension")]
_SOURCES += [(f.id, f.name, f.summary) for f in options.READABLE]


def _all_dialects():
    """Items by format. Their numbers are unique over all formats: Blender stores the number, and a dialect of one format must
    not become one of another when the format is changed. Made once, because Blender does not keep the strings alive."""
    usual = (options.DEFAULT, "Default", "The format's usual dialect, or the one that the extension selects", 0, 0)
    found, number = {"AUTO": [usual]}, 0
    for f in options.WRITABLE:
        found[f.id] = [usual]
        for dialect in f.dialects:
            if dialect.writes:
                number += 1
                found[f.id].append((dialect.id, dialect.id, dialect.summary, 0, number))
    return found


_DIALECTS = _all_dialects()


def _dialects(self, _context):
    return _DIALECTS.get(self.format, _DIALECTS["AUTO"])


class ExportBase:
    """Exports meshes, skeletons and clips, and reports what the format cannot hold"""

    bl_idname = "export_scene.ligament"
    bl_label = "Export with ligament"
    bl_options = {"PRESET"}

    @property
    def chosen(self):
        """The format; None if it follows from an extension that no format has."""
        return written_as(self.filepath, self.format)

    def invoke(self, context, _event):
        if not self.filepath:
            stem = os.path.splitext(bpy.data.filepath)[0] if bpy.data.filepath else "untitled"
            self.filepath = f"{stem}.{(self.chosen or options.WRITABLE[0]).extensions[0]}"
        self.check(context)
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def check(self, _context):
        """Makes the extension match the format."""
        before = self.filepath
        if not self.dialect:
            # The extension of the format that was selected before.
            self.dialect = options.DEFAULT
        if self.format != "AUTO":
            self.filepath = with_extension(before, self.chosen)
        self.filter_glob = options.glob(options.WRITABLE if self.format == "AUTO" else [self.chosen])
        return self.filepath != before

    def execute(self, context):
        path, problem = target(self.filepath, self.format, bool(self.collection))
        if problem is not None:
            output.fail(self, "Export", problem, [problem])
            return {"CANCELLED"}
        chosen = written_as(path, self.format)
        asked = options.WRITE.values(self, chosen.id)
        if self.dialect and self.dialect != options.DEFAULT:
            asked["dialect"] = self.dialect
        settings = exporting.Settings(**{name: getattr(self, name) for name in ROWS})
        manager = context.window_manager
        stages = iter(range(1, 99))
        manager.progress_begin(0, 6)
        title = f"Export of {os.path.basename(path)}"
        try:
            notes, report = work.export(context, path, chosen.id, settings, asked,
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
        for name, title, closed in PANELS:
            panel = options.panel(layout, name, title, closed)
            for row in ROWS.values() if panel is not None else ():
                if row.metadata["panel"] == name and applies(self, row.name):
                    panel.prop(self, row.name)
        chosen = self.chosen
        for general, title in ((False, chosen.name), (True, "General")) if chosen is not None else ():
            panel = options.panel(layout, "general" if general else "format", title, general)
            if panel is not None and not options.WRITE.draw(panel, self, chosen.id, general):
                panel.label(text="No format-specific options")

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
        given = options.READ.values(self, self.format)
        settings = importing.Settings(self.merge, self.bones, self.pack, self.own_collection, self.set_frames)
        paths = [os.path.join(self.directory, item.name) for item in self.files if item.name] or [self.filepath]
        done = 0
        for path in paths:
            title = f"Import of {os.path.basename(path)}"
            try:
                notes, report = work.import_file(context, path, {**given, **asked}, settings)
            except work.Failed as error:
                output.fail(self, title, error, error.lines)
                continue
            output.tell(self, context, title, notes, report, popup=len(paths) == 1)
            done += 1
        return {"FINISHED"} if done else {"CANCELLED"}

    def draw(self, _context):
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(self, "format")
        box = layout.box()
        for name in ("merge", "bones", "pack", "own_collection", "set_frames"):
            box.prop(self, name)
        # Of a format that is not known yet, only what applies to all formats is shown.
        for option in options.READ.of(self.format):
            options.draw(layout, self, option)


def applies(operator, name):
    """Whether a setting matters with the others as they are."""
    if name == "most_targets":
        return operator.modifiers in {"SHOWN", "EVERYTHING"}
    return operator.clips != "NONE" or name not in {"only_clips", "playback_range", "step", "keep_channels"}


def written_as(path, format_id):
    """The format of a file to write: the one that was asked for, otherwise that of its extension; None if there is none."""
    wanted = format_id if format_id != "AUTO" else lig.detect(path) if path else None
    return next((f for f in options.WRITABLE if f.id == wanted), None)


def target(path, format_id, is_collection):
    """The path to write, and a message if its name contradicts the format.

    A name without an extension gets the format's. Blender names the files of a collection's exporters after the first of
    our extensions, whatever their format, so theirs is replaced."""
    chosen = written_as(path, format_id)
    name = os.path.basename(path)
    if chosen is None:
        found = lig.detect(path) if path else None
        known = next((f for f in options.FORMATS if f.id == found), None)
        what = f"{known.name} is only read" if known is not None else "no format has its extension"
        some = ", ".join("." + f.extensions[0] for f in options.WRITABLE)
        return path, f"{name!r}: {what}; choose a format, or one of the extensions {some}"
    there = lig.detect(path)
    if there == chosen.id or not name:
        return path, None
    if there is None or is_collection:
        return with_extension(path, chosen), None
    other = next(f for f in options.FORMATS if f.id == there)
    return path, (f"{name!r} has an extension of {other.name}, but the format is {chosen.name}: "
                  f"name it {os.path.basename(with_extension(path, chosen))!r}, or choose the other format")


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
        "check_existing": bpy.props.BoolProperty(default=True, options={"HIDDEN"}),
        "format": bpy.props.EnumProperty(name="Format", items=_ITEMS, default="AUTO", description="The file format"),
        "dialect": bpy.props.EnumProperty(name="Dialect", items=_dialects, description="The variant of the format"),
        **{name: options.setting(row) for name, row in ROWS.items()},
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
        "merge": bpy.props.EnumProperty(
            name="Merge vertices", items=importing.MERGE, description="Which vertices at one place become one"),
        "bones": bpy.props.EnumProperty(name="Bones", items=importing.BONES, description="Where bones point"),
        "pack": bpy.props.BoolProperty(name="Pack images", description="Store images beside the file in the .blend file"),
        "own_collection": bpy.props.BoolProperty(
            name="New collection", description="Put everything into a collection with the file's name"),
        "set_frames": bpy.props.BoolProperty(
            name="Set frames", default=True, description="Give the scene the frame rate and range of the clips"),
        **options.READ.annotations(),
    },
})
