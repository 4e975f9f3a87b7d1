"""Operator properties generated from the options of formats.

An option that several formats have is one property; panels show those that the chosen format lists. An option that is off
or automatic by default has a special number for that, which a switch hides, or the word `DEFAULT`.
"""

import re

import bpy
import ligament as lig

# Options that Blender handles itself: which actions become clips, and asking before a file is replaced.
ELSEWHERE = {"clips", "keep_existing"}
DEFAULT = "DEFAULT"
# The values with which optional numbers begin when they are switched on.
_STARTS = {"fps": 30.0, "influences": 4, "reduce_keys": 0.0001, "max_error": 0.001, "max_memory": 1024}


class Options:
    """The options for reading or for writing, over all formats."""

    def __init__(self, formats, attribute):
        self.by_format = {f.id: [o for o in getattr(f, attribute) if o.name not in ELSEWHERE] for f in formats}
        self.all = {option.name: option for options in self.by_format.values() for option in options}

    def of(self, format_id):
        """The options of a format; of any other id, those that all formats have."""
        every = [o for o in self.all.values() if all(o in own for own in self.by_format.values())]
        return self.by_format.get(format_id, every)

    def annotations(self):
        """The annotations for an operator's class."""
        found = {name: _property(option) for name, option in self.all.items()}
        found.update({asked(o): _switch(o) for o in self.all.values() if is_optional(o)})
        return found

    def values(self, operator, format_id):
        """The chosen values, as keywords of the library."""
        found = {}
        for option in self.by_format.get(format_id, self.all.values()):
            value = _value(option, getattr(operator, option.name))
            if value is not None:
                found[option.name] = value
        return found

    def draw(self, layout, operator, format_id, general):
        """Draws the options of a format: the general ones, or those specific to it."""
        shown = [o for o in self.by_format.get(format_id, ()) if o.general == general]
        for option in shown:
            draw(layout, operator, option)
        return bool(shown)


def setting(row):
    """The property of one of the add-on's own settings."""
    shown = {"name": row.metadata["title"], "description": row.metadata["text"], "default": row.default}
    if "items" in row.metadata:
        return bpy.props.EnumProperty(items=row.metadata["items"], **shown)
    if row.type in {bool, "bool"}:
        return bpy.props.BoolProperty(**shown)
    if row.type in {int, "int"}:
        return bpy.props.IntProperty(min=row.metadata["least"], max=row.metadata["most"], **shown)
    # Without a panel, it is set by Blender.
    return bpy.props.StringProperty(options={"HIDDEN", "SKIP_SAVE"} if row.metadata["panel"] is None else set(), **shown)


def panel(layout, name, title, closed):
    """A panel that can be closed, or a box before Blender 4.1; None while it is closed."""
    if not hasattr(layout, "panel"):
        body = layout.box()
        body.label(text=title)
        return body
    header, body = layout.panel(f"LIGAMENT_PT_{name}", default_closed=closed)
    header.label(text=title)
    return body


def label(name):
    return name.replace("_", " ").capitalize()


def draw(layout, operator, option):
    """Draws an option: one that is not asked for by default as a switch, and its value only if that is on."""
    if is_optional(option):
        layout.prop(operator, asked(option))
        if not getattr(operator, asked(option)):
            return
    layout.prop(operator, option.name, text="Value" if is_optional(option) else label(option.name))


def is_optional(option):
    """Whether an option is a number that need not be given."""
    return option.kind in {"number", "integer"} and option.default is None


def asked(option):
    """The name of the switch of an optional number."""
    return f"use_{option.name}"


def _switch(option):
    """A switch that is on while the number is given, and that gives it or takes it away."""
    name, off = option.name, unset(option)
    start = _STARTS.get(name, max(option.minimum or 0.0, 1.0))
    start = int(start) if option.kind == "integer" else start

    def turn(self, on):
        if on != (getattr(self, name) > off):
            setattr(self, name, start if on else (int(off) if option.kind == "integer" else off))

    return bpy.props.BoolProperty(name=label(name), description=_plain(option.help), options={"SKIP_SAVE"},
                                  get=lambda self: getattr(self, name) > off, set=turn)


def _plain(text):
    """A help text without the command line's spelling of options."""
    return re.sub(r"`?--([a-z][a-z-]*)`?", lambda found: f"'{label(found.group(1).replace('-', '_'))}'", text).rstrip(". ")


def unset(option):
    """The number that stands for an option that is not set."""
    return -1.0 if option.minimum is not None and option.minimum <= 0.0 else 0.0


def _property(option):
    name, text = label(option.name), _plain(option.help)
    if option.kind == "flag":
        return bpy.props.BoolProperty(name=name, description=text, default=bool(option.default))
    if option.kind == "word":
        items = [(choice.id, label(choice.id), choice.help) for choice in option.choices]
        known = {choice.id for choice in option.choices}
        if option.default not in known:
            items.insert(0, (DEFAULT, "Default", "The format's default"))
        return bpy.props.EnumProperty(name=name, description=text, items=items,
                                      default=option.default if option.default in known else DEFAULT)
    if option.kind in {"number", "integer"}:
        off = unset(option)
        start = off if option.default is None else option.default
        if option.kind == "integer":
            return bpy.props.IntProperty(name=name, description=text, default=int(start), min=int(min(off, start)))
        return bpy.props.FloatProperty(name=name, description=text, default=start, min=min(off, start), precision=6)
    return bpy.props.StringProperty(name=name, description=text, default=option.default or "")


def _value(option, value):
    """The value for the library; None if the option is not set."""
    if option.kind == "flag":
        return bool(value)
    if option.kind == "word":
        return None if value == DEFAULT else value
    if option.kind in {"number", "integer"}:
        if option.default is None and value <= unset(option):
            return None
        return value
    if option.kind == "texts":
        words = [word.strip() for word in value.split(",") if word.strip()]
        return words or None
    return value or None


def glob(formats):
    """The file browser's filter."""
    return ";".join(f"*.{extension}" for f in formats for extension in f.extensions)


FORMATS = lig.formats()
READABLE = [f for f in FORMATS if f.reads]
WRITABLE = [f for f in FORMATS if f.writes]
READ = Options(READABLE, "read_options")
WRITE = Options(WRITABLE, "write_options")
