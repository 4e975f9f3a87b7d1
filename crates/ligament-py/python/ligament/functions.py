"""Functions that load, save, convert, validate and compare."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, BinaryIO, Literal, TypeAlias, TypedDict

from . import _ligament
from .documented import documented
from .report import Comparison, Diagnostic, Report
from .scene import Scene

if TYPE_CHECKING:
    from typing_extensions import Unpack

Path: TypeAlias = str | os.PathLike[str]
Data: TypeAlias = bytes | bytearray | memoryview
Stage: TypeAlias = Literal["read", "import", "prepare", "export", "write", "verify"]


class Watching(TypedDict, total=False):
    """How to watch and stop long work. Ctrl-C ends it too, with ``KeyboardInterrupt``."""

    cancel: threading.Event | None
    """When another thread sets it, the work ends with :class:`ligament.Cancelled`."""
    progress: Callable[[Stage], object] | None
    """Called at the beginning of every stage. An exception that it raises ends the work."""


class ReadOptions(Watching, total=False):
    """How a file is read: settings that files leave open, and how strictly they are checked."""

    format: str | None
    """The format's id or extension, instead of detecting it by content and extension."""
    # settings: reading (made from the library's settings by a test of the command line)
    fps: float | None
    """Frames per second, for formats that store frames without a rate and for clips that must be sampled."""
    interpolation: Literal["step", "linear"] | None
    """Interpolation between keys, for formats that do not define it (PFOBJ)."""
    lenient: bool
    """Warn instead of failing where a file contradicts itself and one side can be trusted (PFOBJ, OBJ)."""
    max_memory: int | str | None
    """Memory that a model and what a conversion makes of it may take, such as 4GiB or 500MiB; a plain number is in MiB.
    By default, reading takes a small multiple of the file's size, and copies of instances, frames of clips and their
    proof take 1 GiB, or more for larger files: a small hostile file cannot exhaust the memory."""
    euler_order: Literal["zyx", "xyz"] | None
    """Euler rotation order for formats that do not define one, as a product of matrices on column vectors; used for
    reading and writing (PFOBJ)."""
    posing: Literal["author", "engine"] | None
    """Pose as the modelling program showed it, or as the engine draws it, for formats where the two differ (BOGLE, QMSH
    TMP)."""
    index_base: Literal["0", "1"] | None
    """Index of the first joint and weight, instead of detecting it, for formats whose dialects differ in it (AMO)."""
    bind: Literal["identity", "first-key"] | None
    """Bind pose, for formats that do not store one (AMO)."""
    axes: Literal["geometry", "root", "none"] | None
    """How to convert the file's axes and unit to +Y up and metres, for formats that state them (FBX)."""
    # settings end


class SaveOptions(Watching, total=False):
    """How a scene is written and checked."""

    format: str | None
    """The format's id or extension, instead of deriving it from the path's extension."""
    dialect: str | None
    # settings: writing (made from the library's settings by a test of the command line)
    fps: float | None
    """Frames per second, for formats that store frames without a rate and for clips that must be sampled."""
    interpolation: Literal["step", "linear"] | None
    """Interpolation between keys, for formats that do not define it (PFOBJ)."""
    euler_order: Literal["zyx", "xyz"] | None
    """Euler rotation order for formats that do not define one, as a product of matrices on column vectors; used for
    reading and writing (PFOBJ)."""
    posing: Literal["author", "engine"] | None
    """Pose as the modelling program showed it, or as the engine draws it, for formats where the two differ (BOGLE, QMSH
    TMP)."""
    precision: Literal["full", "document"] | None
    """Number of digits in text, for formats whose specification rounds numbers (QMSH TMP, APG, OBJ)."""
    clips: Sequence[str] | None
    """Keep only these clips; an empty list keeps none."""
    clips_from: Sequence[str] | None
    """Add the clips of another file, whose joints are found by name; a folder or a pattern such as 'anims/*.fbx' stands
    for several files."""
    retarget: str | None
    """Take the clips of other files for a rig with other joints, as a map says; `ligament rig map` proposes one."""
    trim: Sequence[str] | None
    """Cut a clip to a stretch, in frames (walk@10-40) or seconds (walk@0.5s-2s); either end may be left out, and so may
    the clip if there is one only."""
    split: Sequence[str] | None
    """Make clips of stretches of a clip, which they replace: all@0-30=walk,31-60=run, in frames or seconds."""
    reverse_clips: Sequence[str] | None
    """Play a clip backwards; several are separated by commas, and * is all."""
    speed: Sequence[str] | None
    """Play a clip faster or slower: walk=2 is twice as fast, and 2 alone changes all clips."""
    loop_clips: Sequence[str] | None
    """Repeat a clip: walk=3 times, or walk=10s until it lasts ten seconds."""
    join: Sequence[str] | None
    """Make one clip of several, one after the other: sit,stand=both."""
    rename_clips: Sequence[str] | None
    """Give a clip another name."""
    rest_pose: str | None
    """Let the model rest in a pose of a clip, by frame (walk@10) or seconds (walk@0.5s), or as its meshes are bound
    (bind); clips stay as they are."""
    root_motion: Sequence[str] | None
    """Take the way that a character goes out of its joint and into a node above (extract), drop it (remove), or put a
    node's into the joint (bake); with axes, turn and a joint: extract:xz,turn@Hips."""
    additive: Sequence[str] | None
    """Keep of a clip what it does beyond a pose, which is its first frame unless --reference names another; several are
    separated by commas, and * is all."""
    reference: str | None
    """The pose to which additive clips are relative: idle@0, idle@0.5s, rest or bind."""
    rename_joints: Sequence[str] | None
    """Give a joint another name, or all that match a star: mixamorig:*=*; a file ending in .toml has such pairs."""
    influences: int | None
    """Maximum joints per vertex, keeping the heaviest: fewer than the format can hold, or more than its default."""
    merge_skins: bool
    """Make one skin of all that bind joints in the same way; posed vertices stay where they are."""
    prune_joints: Literal["unused", "deforming"] | None
    """Remove joints that nothing needs; posed vertices stay where they are."""
    keep_joints: Sequence[str] | None
    """Do not remove a joint, such as a socket that a game attaches things to."""
    apply_scale: bool
    """Give every root a scale of 1, and what is below it its size; posed vertices stay where they are."""
    reorder_joints: str | None
    """Give every skin the same joint list as a file has; joints that are missing are added."""
    up: Literal["y", "z"] | None
    """Rotate the model so that this axis points up."""
    scale: float | None
    """Multiply every length."""
    mirror_x: bool
    """Swap left and right before any rotation: x becomes −x, and the winding of faces is reversed so that they still
    face outwards."""
    reduce_keys: float | None
    """Remove redundant keys (0: only those that change nothing), as long as no vertex moves farther than this fraction
    of the model's size."""
    by_material: Literal["split", "merge"] | None
    """Split meshes into one object per material, named OBJECT.MATERIAL, or merge the parts of each mesh that share
    one."""
    vertices: Literal["weld", "unweld"] | None
    """Join identical vertices, or give every corner of every face its own."""
    normalise_weights: bool
    """Divide the weights of every vertex by their sum, as posing does in any case."""
    tangents: bool
    """Compute tangents (MikkTSpace) where there are normals and texture coordinates but no tangents."""
    optimise: bool
    """Order triangles and vertices for graphics cards: vertex cache, overdraw, vertex fetch; the triangles stay the
    same."""
    store_bounds: bool
    """Store the box around everything that each clip shows, and around the vertices of each joint, as extras."""
    textures: Literal["embed", "copy", "reference", "none"] | None
    """Where textures go; by default into the file if its format can hold them, otherwise beside it."""
    strict: bool
    """Fail, and write nothing, if anything is approximated or dropped."""
    max_error: float | None
    """Fail, and write nothing, if a vertex is off by more than this fraction of the model's size."""
    verify: bool
    """Read the result back and pose it beside the source."""
    keep_existing: bool
    """Fail if the output file exists, or if a file beside it exists with different content."""
    # settings end


class ConvertOptions(SaveOptions, total=False):
    """How a file is converted: :class:`SaveOptions`, and how the input is read."""

    from_format: str | None
    """The input's format, instead of detecting it."""
    # settings: converting (made from the library's settings by a test of the command line)
    lenient: bool
    """Warn instead of failing where a file contradicts itself and one side can be trusted (PFOBJ, OBJ)."""
    max_memory: int | str | None
    """Memory that a model and what a conversion makes of it may take, such as 4GiB or 500MiB; a plain number is in MiB.
    By default, reading takes a small multiple of the file's size, and copies of instances, frames of clips and their
    proof take 1 GiB, or more for larger files: a small hostile file cannot exhaust the memory."""
    index_base: Literal["0", "1"] | None
    """Index of the first joint and weight, instead of detecting it, for formats whose dialects differ in it (AMO)."""
    bind: Literal["identity", "first-key"] | None
    """Bind pose, for formats that do not store one (AMO)."""
    axes: Literal["geometry", "root", "none"] | None
    """How to convert the file's axes and unit to +Y up and metres, for formats that state them (FBX)."""
    reencode: bool
    """Convert through a scene even when the format stays the same."""
    # settings end


@documented(ReadOptions)
def load(
    source: Path | Data | BinaryIO, *, folder: Path | None = None, **options: Unpack[ReadOptions]
) -> Scene:
    """Reads a model of any known format: a file, the bytes of one, or an open binary file.

    The scene's diagnostics are in ``scene.report``. Buffers and images beside a model are found if it is given by its
    path; ``folder`` is where those of bytes and open files are.
    """
    if isinstance(source, (str, os.PathLike)):
        if folder is not None:
            raise TypeError("folder is for bytes and open files; a path has a folder of its own")
        return Scene._of(_ligament.load(os.fspath(source), dict(options)))
    if isinstance(source, (bytes, bytearray, memoryview)):
        data, name = source, "<bytes>"
    elif hasattr(source, "read"):
        data, name = source.read(), _name_of(source, "<file>")
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(f"{name} must be opened as a binary file, not as text: open(..., 'rb')")
    else:
        raise TypeError(f"expected a path, bytes or an open binary file, not a {type(source).__name__}")
    beside = None if folder is None else os.fspath(folder)
    return Scene._of(_ligament.load_bytes(bytes(data), name, beside, dict(options)))


@documented(SaveOptions)
def save(scene: Scene, target: Path | BinaryIO, **options: Unpack[SaveOptions]) -> Report:
    """Writes a scene in the format of the path's extension, or of ``format``.

    The scene is checked, reduced to what the format can hold (the report lists the losses), written to a temporary
    file, read back and posed beside the scene, and moved into place only if everything succeeded. ``scene`` is not changed.

    An open binary file gets the whole model in one write after everything succeeded. It has no folder, so textures go
    into the model if the format can hold them.
    """
    if isinstance(target, (str, os.PathLike)):
        return _ligament.save(scene, os.fspath(target), dict(options))
    if not hasattr(target, "write"):
        raise TypeError(f"expected a path or an open binary file, not a {type(target).__name__}")
    data, report = _ligament.save_bytes(scene, _name_of(target, "<file>"), dict(options))
    target.write(data)
    return report


@documented(ConvertOptions)
def convert(source: Path, target: Path, **options: Unpack[ConvertOptions]) -> Report:
    """Converts a file into another and, unless ``verify`` is false, proves the result by posing both side by side.

    This is the same as ``ligament convert``: a file that stays in its format is rewritten unchanged.
    """
    return _ligament.convert(os.fspath(source), os.fspath(target), dict(options))


@documented(ReadOptions)
def validate(path: Path, **options: Unpack[ReadOptions]) -> tuple[Diagnostic, ...]:
    """Returns every problem of a file, with its location. Only a file that cannot be opened raises."""
    return _ligament.validate(os.fspath(path), dict(options)).diagnostics


@documented(ReadOptions)
def compare(first: Scene | Path, second: Scene | Path, **options: Unpack[ReadOptions]) -> Comparison:
    """Poses two models side by side and measures how far the vertices of the second are from those of the first."""
    return Comparison._from(json.loads(_ligament.compare(_side(first), _side(second), dict(options))))


def _side(side: Scene | Path) -> Scene | str:
    return side if isinstance(side, Scene) else os.fspath(side)


def _name_of(file: BinaryIO, otherwise: str) -> str:
    # Files without a path have a number or nothing.
    name = getattr(file, "name", None)
    return name if isinstance(name, str) and name else otherwise
