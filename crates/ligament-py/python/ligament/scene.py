"""The neutral model that every format is read into and written from.

The conventions are glTF's: right-handed, +Y up, +Z forward, metres, seconds, quaternions ``x y z w``, texture
coordinates with V pointing down from the top-left corner, counter-clockwise front faces. Matrices are ``(4, 4)`` arrays
to be used as ``matrix @ column_vector``.

Objects refer to each other by index in the scene's lists: ``node.mesh`` is an index into ``scene.meshes``. A
node's parent comes before the node in ``scene.nodes``.

The objects of a loaded scene are made on first access, so that :func:`ligament.load` alone costs no more than reading.
Everything may be changed: lists are lists, arrays are numpy arrays. The arrays of a loaded scene share the reader's
memory and may be written to, except for the times of tracks, which are shared between tracks and therefore read-only.
Whatever is passed to :func:`ligament.save`, :func:`ligament.compare` or :meth:`Scene.pose` is checked first. Arrays of
another type are converted (``float64`` to ``float32``, signed integers to ``uint32``). A wrong shape, an index out of
range, a number that is not finite and the like raise :class:`ligament.SceneError`, which names the array and the
element.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, TypeVar

from . import _ligament
from .arrays import Extras, Floats, Indices, Vector3, Vector4
from .materials import Image, Material, Texture
from .meshes import Mesh
from .posing import Pose, Poser
from .short import Short
from .unread import FromFile

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .functions import ReadOptions
    from .report import Report


class Named(Protocol):
    """Something with a name."""

    name: str


_N = TypeVar("_N", bound=Named)


@dataclass(slots=True, eq=False, repr=False)
class Node(Short):
    """A node of the hierarchy. Joints are ordinary nodes that a skin refers to."""

    name: str = ""
    parent: int | None = None
    """The parent, which comes before this node in ``scene.nodes``; ``None`` for a root."""
    translation: Vector3 = (0.0, 0.0, 0.0)
    rotation: Vector4 = (0.0, 0.0, 0.0, 1.0)
    """Unit quaternion, x y z w."""
    scale: Vector3 = (1.0, 1.0, 1.0)
    matrix: Floats | None = None
    """``(4, 4)``, instead of translation, rotation and scale, where these cannot express it (shear)."""
    mesh: int | None = None
    """The mesh that is drawn here."""
    skin: int | None = None
    """The skin that deforms the mesh; only together with ``mesh``."""
    morph_weights: list[float] = field(default_factory=list)
    """Weights of the mesh's morph targets at rest, overriding those of the mesh. Empty, or one per target."""
    camera: int | None = None
    """A camera that looks along this node's -Z."""
    light: int | None = None
    """A light that shines along this node's -Z."""
    tip: Vector3 | None = None
    """The drawn end of a joint's bone in the joint's space, where the format records one. Not used in posing."""
    extras: Extras = field(default_factory=dict)


@dataclass(slots=True, eq=False, repr=False)
class Skin(Short):
    """The joints that deform a mesh."""

    joints: Indices
    """``(joints,)``: indices into ``scene.nodes``, in the order that influences refer to."""
    inverse_binds: Floats
    """``(joints, 4, 4)``: from the mesh's space to the joint's at bind time."""
    name: str = ""
    extras: Extras = field(default_factory=dict)


TrackProperty: TypeAlias = Literal["translation", "rotation", "scale", "weights"]
Interpolation: TypeAlias = Literal["step", "linear", "cubic"]


@dataclass(slots=True, eq=False, repr=False)
class Track(Short):
    """The values of one node's property over time."""

    node: int
    property: TrackProperty
    times: Floats
    """``(keys,)``: seconds, strictly ascending, none negative."""
    values: Floats
    """``(keys, 3)`` for translation and scale, ``(keys, 4)`` for rotation, ``(keys, morphs)`` for weights. Cubic tracks
    have an in-tangent, a value and an out-tangent per key: ``(keys, 3, n)``."""
    interpolation: Interpolation = "linear"


@dataclass(slots=True)
class Frames:
    """Frames at regular intervals: frame ``i`` is at ``i / rate`` seconds."""

    rate: float
    count: int


@dataclass(slots=True, eq=False, repr=False)
class Clip(Short):
    """A named animation."""

    name: str = ""
    duration: float = 0.0
    """Seconds until the clip ends; never before the last key."""
    tracks: list[Track] = field(default_factory=list)
    """At most one track per property of a node."""
    frames: Frames | None = None
    """The frames that the clip was sampled at, if the format stores frames."""
    extras: Extras = field(default_factory=dict)


@dataclass(slots=True)
class Perspective:
    """A perspective projection."""

    fov_y: float
    """Vertical field of view in radians."""
    aspect: float | None = None
    """Width divided by height; ``None`` uses the window's."""


@dataclass(slots=True)
class Orthographic:
    """An orthographic projection."""

    half_width: float
    half_height: float


@dataclass(slots=True)
class Camera:
    """A camera; a node places it, and it looks along the node's -Z with +Y up."""

    projection: Perspective | Orthographic
    near: float = 0.1
    far: float | None = None
    """Farthest visible distance; ``None`` is infinite."""
    name: str = ""
    extras: Extras = field(default_factory=dict)


LightKind: TypeAlias = Literal["directional", "point", "spot"]


@dataclass(slots=True)
class Light:
    """A light; a node places it, and it shines along the node's -Z."""

    kind: LightKind
    color: Vector3 = (1.0, 1.0, 1.0)
    """Linear RGB."""
    intensity: float = 1.0
    """Candela for point and spot lights, lux for directional ones."""
    range: float | None = None
    """Distance at which its light ends; ``None`` is infinite."""
    inner_angle: float = 0.0
    """For spot lights: half-angle in radians of the cone with full intensity."""
    outer_angle: float = 0.7853981633974483
    """For spot lights: half-angle in radians at which the light ends."""
    name: str = ""
    extras: Extras = field(default_factory=dict)


@dataclass(slots=True, eq=False, repr=False)
class Scene(FromFile, Short):
    """A model, in the same form for every format."""

    name: str = ""
    nodes: list[Node] = field(default_factory=list)
    """All nodes, parents before their children."""
    meshes: list[Mesh] = field(default_factory=list)
    skins: list[Skin] = field(default_factory=list)
    clips: list[Clip] = field(default_factory=list)
    materials: list[Material] = field(default_factory=list)
    textures: list[Texture] = field(default_factory=list)
    images: list[Image] = field(default_factory=list)
    cameras: list[Camera] = field(default_factory=list)
    lights: list[Light] = field(default_factory=list)
    ambient: Vector4 | None = None
    """Ambient light, linear RGBA, where the format states one."""
    extras: Extras = field(default_factory=dict)
    folder: str | os.PathLike[str] | None = None
    """The folder that the paths of images are relative to. :func:`ligament.load` sets it to the file's folder; ``None`` is
    the folder that the scene is saved to."""
    report: Report | None = None
    """The report of reading a loaded scene."""

    def node(self, name: str) -> Node:
        """Returns the node with this name. If not exactly one has it, raises :class:`ligament.UnknownNameError`, which is
        a ``KeyError`` that suggests a similar name."""
        return _named("node", "nodes", self.nodes, name)

    def clip(self, name: str) -> Clip:
        """Returns the clip with this name, as :meth:`node` does."""
        return _named("clip", "clips", self.clips, name)

    def mesh(self, name: str) -> Mesh:
        """Returns the mesh with this name, as :meth:`node` does."""
        return _named("mesh", "meshes", self.meshes, name)

    def material(self, name: str) -> Material:
        """Returns the material with this name, as :meth:`node` does."""
        return _named("material", "materials", self.materials, name)

    def merge_clips(self, other: Scene | str | os.PathLike[str], **options: Unpack[ReadOptions]) -> Report:
        """Adds the clips of another model, given as a scene or path, whose joints are found by name.

        Prefixes such as ``mixamorig:`` make no difference. Rotations go through the difference of the bind poses. The
        report says for each clip how far its pose on this model is from that on its own, and which joints have no
        counterpart. If none has one, :class:`ligament.UsageError` is raised and nothing is added.
        """
        found = other if isinstance(other, Scene) else os.fspath(other)
        clips, report = _ligament.merge_clips(self, found, dict(options))
        self.clips.extend(clips)
        return report

    def pose(self, clip: int | str | None = None, time: float = 0.0) -> Pose:
        """Returns the scene at ``time`` seconds of a clip, given by index or name; at rest without a clip.

        To pose the same scene many times, use :meth:`poser`, which checks and copies it only once.
        """
        return Poser(self).pose(clip, time)

    def poser(self) -> Poser:
        """Returns a snapshot of the scene, to be posed many times."""
        return Poser(self)

    def check(self) -> Report:
        """Checks every rule of a scene.

        Warnings are returned; broken rules raise :class:`ligament.SceneError`.
        """
        return _ligament.check(self)

    @property
    def vertex_count(self) -> int:
        """The vertices of all mesh placements: a mesh on two nodes counts twice."""
        return sum(self.meshes[node.mesh].vertex_count for node in self.nodes if node.mesh is not None)


def _named(kind: str, kinds: str, things: list[_N], name: str) -> _N:
    found = [thing for thing in things if thing.name == name]
    if len(found) == 1:
        return found[0]
    raise _ligament.unknown_name(kind, kinds, name, [thing.name for thing in things])
