"""The add-on's own notes about an export or import: what a scene cannot hold of Blender's data, and vice versa.

The library's report covers the conversion between scene and file; both are shown together.
"""

from dataclasses import dataclass
from math import floor, log10

# Code: (kind, subject). Codes are stable; docs/blender.md explains them.
CODES = {
    "BL101": ("dropped", "object types"),
    "BL102": ("kept", "object types"),
    "BL103": ("dropped", "hidden objects"),
    "BL104": ("warning", "meshes without faces"),
    "BL105": ("warning", "numbers"),
    "BL106": ("approximated", "modifiers"),
    "BL107": ("approximated", "volume-preserving skinning"),
    "BL108": ("dropped", "bone envelopes"),
    "BL109": ("warning", "armature modifiers"),
    "BL110": ("warning", "vertices without weights"),
    "BL111": ("approximated", "vertices of two armatures"),
    "BL112": ("approximated", "meshes that move relative to their armature"),
    "BL113": ("approximated", "shear"),
    "BL114": ("approximated", "material nodes"),
    "BL115": ("warning", "images"),
    "BL116": ("dropped", "animated properties"),
    "BL117": ("approximated", "shape keys"),
    "BL118": ("approximated", "lights"),
    "BL119": ("approximated", "shape keys of instances"),
    "BL120": ("dropped", "absolute shape keys"),
    "BL121": ("dropped", "actions"),
    "BL122": ("dropped", "the current pose"),
    "BL123": ("approximated", "bendy bones"),
    "BL124": ("approximated", "world"),
    "BL125": ("approximated", "cameras"),
    "BL126": ("approximated", "objects"),
    "BL127": ("dropped", "changing numbers of vertices"),
    "BL128": ("dropped", "visibility"),
    "BL129": ("kept", "motion by modifiers"),
    "BL130": ("dropped", "motion by modifiers"),
    "BL131": ("warning", "curves of bones"),
    "BL201": ("warning", "images"),
    "BL202": ("dropped", "faces"),
    "BL203": ("approximated", "weights"),
    "BL204": ("approximated", "clips"),
    "BL205": ("approximated", "shear"),
    "BL206": ("approximated", "skins"),
    "BL207": ("dropped", "tangents"),
    "BL208": ("approximated", "textures"),
    "BL209": ("approximated", "frame rates"),
    "BL210": ("dropped", "extra data"),
}


# Codes whose size is a part of the model's size.
MEASURED = {"BL126", "BL127"}
# Deviations below this, as a fraction, hardly ever matter.
SMALL = 1e-3
# The number of things that a line about several of them names.
NAMED = 3


@dataclass
class Note:
    """One note."""

    code: str
    object: str
    message: str
    count: int = 1
    size: float = None

    @property
    def kind(self):
        return CODES[self.code][0]

    @property
    def rank(self):
        """A key that sorts notes by what matters to a reader: the largest deviations, what is lost, warnings, the rest."""
        if self.kind == "kept":
            return 4, 0.0
        if self.size is not None:
            return (0, -self.size) if self.size >= SMALL else (3, -self.size)
        return (1 if self.kind == "dropped" else 2, 0.0)

    def __str__(self):
        numbers = [str(self.count)] if self.count != 1 else []
        if self.size is not None:
            size = f"{percent(self.size)} of the size" if self.code in MEASURED else f"{self.size:.3g}"
            numbers.append(f"up to {size}")
        about = self.object or CODES[self.code][1]
        where = f"{about} ({', '.join(numbers)})" if numbers else about
        return f"{self.kind:<13} {where}: {self.message} [{self.code}]"


class Notes:
    """Collects notes; repeated notes about the same thing are counted."""

    def __init__(self):
        self._found = {}
        # How far an exported scene is from what Blender shows.
        self.proof = None

    def add(self, code, about, message, count=1, size=None):
        """Adds a note. `about` is its subject, such as `mesh 'Cube'`; empty for the whole scene."""
        known = self._found.get((code, about, message))
        if known is None:
            self._found[code, about, message] = Note(code, about, message, count, size)
            return
        known.count += count
        if size is not None:
            known.size = max(size, known.size or 0.0)

    def withdraw(self, unwanted):
        """Removes notes for which a function returns true."""
        self._found = {key: note for key, note in self._found.items() if not unwanted(note)}

    def __iter__(self):
        return iter(sorted(self._found.values(), key=lambda note: note.rank))

    def grouped(self):
        """The notes with one line for all that say the same about different things."""
        found = {}
        for note in self:
            found.setdefault((note.code, note.message), []).append(note)
        return [_joined(notes) for notes in found.values()]

    def __len__(self):
        return len(self._found)

    def has(self, code):
        return any(note.code == code for note in self)

    @property
    def losses(self):
        """The notes about approximated or dropped features."""
        return [note for note in self if note.kind in {"approximated", "dropped"}]

    def lines(self):
        """The headline, if an export was compared with Blender, and all notes."""
        return [*([self.proof.headline()] if self.proof is not None else []), *(str(note) for note in self)]


def _joined(notes):
    """One note about everything that some notes are about."""
    if len(notes) == 1:
        return notes[0]
    names = ", ".join(note.object or CODES[note.code][1] for note in notes[:NAMED])
    if len(notes) > NAMED:
        names += f" and {len(notes) - NAMED} more"
    sizes = [note.size for note in notes if note.size is not None]
    return Note(notes[0].code, names, notes[0].message, sum(note.count for note in notes), max(sizes, default=None))


def percent(fraction):
    """A fraction as a percentage with two significant digits, as in the library's reports."""
    value = fraction * 100.0
    if value == 0.0:
        return "0"
    if value < 1e-7:
        return f"{value:.0e} %"
    digits = max(0, (0 if value < 1e-3 else 1) - floor(log10(value)))
    text = f"{value:.{digits}f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text} %"
