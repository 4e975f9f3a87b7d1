"""Operator properties generated from the options of formats.

An option that several formats have is one property; panels show those that the chosen format lists. An option that is off
or automatic by default has a special number for that, or the word `DEFAULT`.
"""

import bpy
import ligament as lig

# Options that Blender handles itself: which actions become clips, and asking before a file is replaced.
ELSEWHERE = {"clips", "keep_existing"}
DEFAULT = "DEFAULT"


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
        return {name: _property(option) for name, option in self.all.items()}

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
            layout.prop(operator, option.name)
        return bool(shown)


def label(name):
    return name.replace("_", " ").capitalize()


def unset(option):
    """The number that stands for an option that is not set."""
    return -1.0 if option.minimum is not None and option.minimum <= 0.0 else 0.0


def _property(option):
    name, text = label(option.name), option.help
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
        if option.default is None:
            text = f"{text.rstrip('.')} ({off:g}: not set)"
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
