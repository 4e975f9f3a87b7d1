"""Exporting and importing with error handling in one place, shared by the operators and the command line."""

import os
import traceback

import bpy
import ligament as lig

from .. import exporting, importing
from ..notes import Notes, percent


class Failed(Exception):
    """A failure: one line, and more lines for the text editor."""

    def __init__(self, message, lines=()):
        super().__init__(message)
        self.lines = list(lines)


def export(context, path, format_id, settings, options, progress=None):
    """Writes the open file's scene. Returns the notes and the library's report."""
    target = _resolved(path)
    notes = Notes()

    def work():
        scene = exporting.gather(context, settings, notes)
        if progress is not None:
            options["progress"] = progress
        if options.get("strict") and notes.losses:
            lines = [str(note) for note in notes.losses]
            raise Failed(f"nothing was written, because something would be lost: {lines[0]}", lines)
        _held_to(options.get("max_error"), notes)
        # An extension may select a dialect (.glb, .gltf), so the format is named only if the extension is not one of its own.
        named = {} if lig.detect(target) == format_id else {"format": format_id}
        return lig.save(scene, target, **named, **options)

    return notes, _guarded(work, notes)


def _held_to(most, notes):
    """Fails if the scene is farther from what Blender shows than the largest error that the user accepts."""
    worst = notes.proof.worst if notes.proof is not None else None
    if most is not None and worst is not None and worst.relative > most:
        raise Failed(f"nothing was written: {notes.proof.headline()}; at most {percent(most)} was asked for", notes.lines())


def import_file(context, path, options, settings=None):
    """Imports a file into the open one. Returns the notes and the library's report."""
    source = _resolved(path)
    notes = Notes()

    def work():
        scene = lig.load(source, **options)
        importing.build(context, scene, os.path.splitext(os.path.basename(source))[0], notes, settings)
        return scene.report

    return notes, _guarded(work, notes)


def _resolved(path):
    if not path:
        raise Failed("no file name was given")
    if path.startswith("//") and not bpy.data.filepath:
        raise Failed(f"{path} is relative to the .blend file, which has not been saved yet; save it, or use an absolute path")
    return bpy.path.abspath(path)


def _guarded(work, notes):
    try:
        return work()
    except (Failed, KeyboardInterrupt):
        raise
    except exporting.ExportError as error:
        raise Failed(str(error), notes.lines()) from None
    except lig.LigamentError as error:
        first = error.first
        lines = notes.lines() + str(error.report).splitlines()
        raise Failed(str(first if first is not None else error), lines or [str(error)]) from None
    except Exception as error:
        # A fault in the add-on itself: the user sees one sentence, and the text editor has the details for a bug report.
        lines = traceback.format_exc().splitlines()
        raise Failed(f"a fault in the add-on, please report it: {type(error).__name__}: {error}", lines) from None
