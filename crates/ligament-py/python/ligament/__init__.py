"""Reads, checks, converts, poses and writes skinned, animated meshes.

>>> import ligament
>>> report = ligament.convert("fox.glb", "fox.pfobj")    # doctest: +SKIP
>>> print(report)                                        # doctest: +SKIP

``load`` returns a :class:`Scene` of plain lists and numpy arrays, ``save`` writes one in any writable format,
and every :class:`Report` says what was kept, approximated and dropped, and how far the result is from its source.
"""

from ._ligament import __version__
from .errors import (
    Cancelled,
    CheckError,
    FileError,
    InvalidError,
    LigamentError,
    SceneError,
    UnknownNameError,
    UnsupportedError,
    UsageError,
)
from .formats import Capabilities, Choice, Dialect, Format, Option, detect, formats
from .functions import compare, convert, load, save, validate
from .materials import Image, Material, Pbr, Phong, Specular, Texture, TextureRef, UvTransform
from .meshes import Faces, Influences, Mesh, Morph, MorphDeltas, Part
from .posing import Pose, PosedPart, Poser
from .report import (
    ClipPair,
    Comparison,
    Counts,
    Deviation,
    Diagnostic,
    Difference,
    Explanation,
    Loss,
    Remedy,
    Report,
    explain,
)
from .scene import Camera, Clip, Frames, Light, Node, Orthographic, Perspective, Scene, Skin, Track

__all__ = [
    "Camera",
    "Cancelled",
    "Capabilities",
    "CheckError",
    "Choice",
    "Clip",
    "ClipPair",
    "Comparison",
    "Counts",
    "Deviation",
    "Diagnostic",
    "Dialect",
    "Difference",
    "Explanation",
    "Faces",
    "FileError",
    "Format",
    "Frames",
    "Image",
    "Influences",
    "InvalidError",
    "LigamentError",
    "Light",
    "Loss",
    "Material",
    "Mesh",
    "Morph",
    "MorphDeltas",
    "Node",
    "Option",
    "Orthographic",
    "Part",
    "Pbr",
    "Perspective",
    "Phong",
    "Pose",
    "PosedPart",
    "Poser",
    "Remedy",
    "Report",
    "Scene",
    "SceneError",
    "Skin",
    "Specular",
    "Texture",
    "TextureRef",
    "Track",
    "UnknownNameError",
    "UnsupportedError",
    "UsageError",
    "UvTransform",
    "__version__",
    "compare",
    "convert",
    "detect",
    "explain",
    "formats",
    "load",
    "save",
    "validate",
]
