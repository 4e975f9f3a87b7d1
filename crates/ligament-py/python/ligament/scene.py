"""The one neutral model that every format is read into and written from.

The conventions are glTF's: right-handed, +Y up, +Z forward, metres, seconds, quaternions ``x y z w``, texture
coordinates with V pointing down from the top-left corner, counter-clockwise front faces. Matrices are ``(4, 4)`` arrays
to be used as ``matrix @ column_vector``.

Objects refer to each other by their number in the scene's lists: ``node.mesh`` is an index into ``scene.meshes``. A
node's parent stands before the node in ``scene.nodes``.

Everything may be changed: lists are lists, arrays are numpy arrays. The arrays of a loaded scene are the reader's own
memory, not copies, and may be written to (only the times of tracks are shared, and therefore read-only). Whatever is
handed to :func:`ligament.save`, :func:`ligament.compare` or :meth:`Scene.pose` is checked first: arrays of another type
are converted (``float64`` to ``float32``, signed integers to ``uint32``), and a wrong shape, an index that points
nowhere, a number that is not finite and the like raise :class:`ligament.SceneError`, which names the array and the
element.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _ligament

if TYPE_CHECKING:
    from .report import Report

Floats: TypeAlias = npt.NDArray[np.float32]
"""An array of ``float32``."""
Indices: TypeAlias = npt.NDArray[np.uint32]
"""An array of ``uint32``."""
Extras: TypeAlias = dict[str, Any]
"""Key-value data that travels with an object: what JSON can hold."""
Vector2: TypeAlias = tuple[float, float]
Vector3: TypeAlias = tuple[float, float, float]
Vector4: TypeAlias = tuple[float, float, float, float]


@dataclass(slots=True, eq=False)
class Influences:
    """Joints and weights, any number a vertex: vertex ``i`` has the pairs ``starts[i]`` up to ``starts[i + 1]``."""

    starts: Indices
    """``(vertices + 1,)``: where each vertex's pairs start, and the end."""
    joints: Indices
    """``(pairs,)``: numbers in the ``joints`` of the skin on the node that draws the mesh."""
    weights: Floats
    """``(pairs,)``: as the file has them; posing divides by the sum over the vertex."""

    @classmethod
    def from_dense(cls, joints: npt.ArrayLike, weights: npt.ArrayLike) -> Influences:
        """From ``(vertices, n)`` joints and weights; pairs of weight zero are left out."""
        dense_joints, dense_weights = np.asarray(joints), np.asarray(weights, dtype=np.float32)
        if dense_joints.ndim != 2 or dense_joints.shape != dense_weights.shape:
            raise ValueError(
                f"joints and weights must be of one shape (vertices, n), "
                f"not {dense_joints.shape} and {dense_weights.shape}"
            )
        used = dense_weights != 0
        starts = np.zeros(len(dense_weights) + 1, dtype=np.uint32)
        np.cumsum(used.sum(axis=1), out=starts[1:])
        return cls(starts, _indices("joints", dense_joints[used]), dense_weights[used])

    def dense(self, count: int | None = None) -> tuple[Indices, Floats]:
        """As ``(vertices, count)`` joints and weights, padded with zeros.

        ``count`` is the largest number on any vertex unless given; of vertices with more, the heaviest stay.
        """
        starts = self.starts.astype(np.int64)
        numbers = starts[1:] - starts[:-1]
        most = int(numbers.max(initial=0))
        vertex = np.repeat(np.arange(len(numbers)), numbers)
        place = np.arange(len(self.joints)) - np.repeat(starts[:-1], numbers)
        joints = np.zeros((len(numbers), most), dtype=np.uint32)
        weights = np.zeros((len(numbers), most), dtype=np.float32)
        joints[vertex, place] = self.joints
        weights[vertex, place] = self.weights
        if count is None or count == most:
            return joints, weights
        if count > most:
            room = ((0, 0), (0, count - most))
            return np.pad(joints, room), np.pad(weights, room)
        heaviest = np.argsort(-weights, axis=1, kind="stable")[:, :count]
        return np.take_along_axis(joints, heaviest, 1), np.take_along_axis(weights, heaviest, 1)


FacesKind: TypeAlias = Literal["points", "lines", "triangles", "polygons"]


@dataclass(slots=True, eq=False)
class Faces:
    """How vertices are joined."""

    corners: Indices
    """Vertex numbers, one after the other: one a point, two a line, three a triangle. ``(n, 2)`` and ``(n, 3)`` do too."""
    kind: FacesKind = "triangles"
    starts: Indices | None = None
    """Of polygons: ``(faces + 1,)``, where each face starts in ``corners``, and the end."""

    @classmethod
    def polygons(cls, starts: npt.ArrayLike, corners: npt.ArrayLike) -> Faces:
        """Faces of three or more corners: face ``i`` is ``corners[starts[i]:starts[i + 1]]``."""
        return cls(_indices("corners", corners), "polygons", _indices("starts", starts))

    @property
    def count(self) -> int:
        """How many points, lines, triangles or polygons there are."""
        if self.kind == "polygons":
            return 0 if self.starts is None else max(len(self.starts) - 1, 0)
        return int(self.corners.size) // {"points": 1, "lines": 2, "triangles": 3}[self.kind]


@dataclass(slots=True, eq=False)
class MorphDeltas:
    """What a morph target adds to each vertex of a part at weight one; ``None`` adds nothing."""

    positions: Floats | None = None
    """``(vertices, 3)``."""
    normals: Floats | None = None
    """``(vertices, 3)``."""
    tangents: Floats | None = None
    """``(vertices, 3)``, added to the xyz of tangents."""


@dataclass(slots=True, eq=False)
class Part:
    """Vertices and faces of one material."""

    positions: Floats
    """``(vertices, 3)``."""
    faces: Faces
    material: int | None = None
    """Index into ``scene.materials``; ``None`` is the format's default look."""
    normals: Floats | None = None
    """``(vertices, 3)``, unit."""
    tangents: Floats | None = None
    """``(vertices, 4)``, unit, with the bitangent's sign in w."""
    uvs: list[Floats] = field(default_factory=list)
    """Texture coordinate sets, each ``(vertices, 2)``, V down."""
    colors: list[Floats] = field(default_factory=list)
    """Linear RGBA colour sets, each ``(vertices, 4)``."""
    influences: Influences | None = None
    """Joints and weights; ``None`` on an unskinned part."""
    morphs: list[MorphDeltas] = field(default_factory=list)
    """For each of the mesh's morphs, the change at weight one."""
    extras: Extras = field(default_factory=dict)


@dataclass(slots=True)
class Morph:
    """A morph target of a mesh."""

    name: str = ""
    weight: float = 0.0
    """Weight at rest."""


@dataclass(slots=True, eq=False)
class Mesh:
    """A drawable made of parts. Nodes place it in the scene."""

    name: str = ""
    parts: list[Part] = field(default_factory=list)
    """One material each. Two parts may share a material."""
    morphs: list[Morph] = field(default_factory=list)
    """Morph targets; every part holds deltas for each of them."""
    extras: Extras = field(default_factory=dict)

    @property
    def vertex_count(self) -> int:
        """Vertices of all parts."""
        return sum(len(part.positions) for part in self.parts)


@dataclass(slots=True, eq=False)
class Node:
    """A place in the hierarchy. Joints are ordinary nodes that a skin names."""

    name: str = ""
    parent: int | None = None
    """The parent, which stands before this node in ``scene.nodes``; ``None`` for a root."""
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
    """Weights of the mesh's morph targets at rest, overriding those of the mesh. Empty, or one for each."""
    camera: int | None = None
    """A camera that looks along this node's -Z."""
    light: int | None = None
    """A light that shines along this node's -Z."""
    tip: Vector3 | None = None
    """The drawn end of a joint's bone in the joint's space, where the format records one. Not used in posing."""
    extras: Extras = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Skin:
    """The joints that deform a mesh."""

    joints: Indices
    """``(joints,)``: indices into ``scene.nodes``, in the order that influences count them."""
    inverse_binds: Floats
    """``(joints, 4, 4)``: from the mesh's space to the joint's at bind time."""
    name: str = ""
    extras: Extras = field(default_factory=dict)


TrackProperty: TypeAlias = Literal["translation", "rotation", "scale", "weights"]
Interpolation: TypeAlias = Literal["step", "linear", "cubic"]


@dataclass(slots=True, eq=False)
class Track:
    """The values of one node's property over time."""

    node: int
    property: TrackProperty
    times: Floats
    """``(keys,)``: seconds, strictly ascending, none negative."""
    values: Floats
    """``(keys, 3)`` for translation and scale, ``(keys, 4)`` for rotation, ``(keys, morphs)`` for weights. Cubic tracks
    have an in-tangent, a value and an out-tangent a key: ``(keys, 3, n)``."""
    interpolation: Interpolation = "linear"


@dataclass(slots=True)
class Frames:
    """A regular grid of frames: frame ``i`` is at ``i / rate`` seconds."""

    rate: float
    count: int


@dataclass(slots=True, eq=False)
class Clip:
    """A named animation."""

    name: str = ""
    duration: float = 0.0
    """Seconds until the clip ends; never before the last key."""
    tracks: list[Track] = field(default_factory=list)
    """At most one track for a node's property."""
    frames: Frames | None = None
    """The regular grid that the clip was sampled on, where the format stores frames."""
    extras: Extras = field(default_factory=dict)


@dataclass(slots=True)
class UvTransform:
    """Offset, then rotation (counter-clockwise, radians), then scale of texture coordinates (KHR_texture_transform)."""

    offset: Vector2 = (0.0, 0.0)
    rotation: float = 0.0
    scale: Vector2 = (1.0, 1.0)


@dataclass(slots=True)
class TextureRef:
    """A texture as a material uses it."""

    texture: int
    """Index into ``scene.textures``."""
    uv_set: int = 0
    transform: UvTransform | None = None
    strength: float = 1.0
    """Scale of a normal map or strength of occlusion; 1 elsewhere."""


@dataclass(slots=True)
class Phong:
    """The classic block: how much of each kind of light a surface returns. Colours are linear RGB."""

    ambient: Vector3 = (1.0, 1.0, 1.0)
    diffuse: Vector3 = (1.0, 1.0, 1.0)
    specular: Vector3 = (0.0, 0.0, 0.0)
    shininess: float | None = None
    """Exponent of the highlight."""
    opacity: float = 1.0
    ambient_texture: TextureRef | None = None
    diffuse_texture: TextureRef | None = None
    specular_texture: TextureRef | None = None
    shininess_texture: TextureRef | None = None
    bump_texture: TextureRef | None = None
    """Height map."""
    opacity_texture: TextureRef | None = None


@dataclass(slots=True)
class Specular:
    """Strength and tint of a dielectric's highlight (KHR_materials_specular)."""

    factor: float = 1.0
    color: Vector3 = (1.0, 1.0, 1.0)
    texture: TextureRef | None = None
    color_texture: TextureRef | None = None


@dataclass(slots=True)
class Pbr:
    """The metallic-roughness block of glTF."""

    base_color: Vector4 = (1.0, 1.0, 1.0, 1.0)
    """Linear RGBA."""
    metallic: float = 1.0
    roughness: float = 1.0
    base_color_texture: TextureRef | None = None
    metallic_roughness_texture: TextureRef | None = None
    specular: Specular | None = None


AlphaMode: TypeAlias = Literal["opaque", "mask", "blend"]


@dataclass(slots=True)
class Material:
    """How a surface looks. It can hold the ``phong`` block of classic engines, the ``pbr`` block of glTF, or both; where
    a target needs the one that is missing, it is derived from the other and the report says so."""

    name: str = ""
    phong: Phong | None = None
    pbr: Pbr | None = None
    normal_texture: TextureRef | None = None
    """Tangent-space normal map; ``strength`` is its scale."""
    occlusion_texture: TextureRef | None = None
    emissive: Vector3 = (0.0, 0.0, 0.0)
    """Emitted light, linear RGB, before ``emissive_strength``."""
    emissive_strength: float = 1.0
    emissive_texture: TextureRef | None = None
    alpha: AlphaMode = "opaque"
    alpha_cutoff: float = 0.5
    """With ``alpha="mask"``: drawn where alpha is at least this."""
    double_sided: bool = False
    unlit: bool = False
    extras: Extras = field(default_factory=dict)


Wrap: TypeAlias = Literal["repeat", "mirror", "clamp"]
Filter: TypeAlias = Literal["nearest", "linear"]


@dataclass(slots=True)
class Texture:
    """An image and how it is sampled."""

    image: int
    """Index into ``scene.images``."""
    name: str = ""
    wrap_u: Wrap = "repeat"
    wrap_v: Wrap = "repeat"
    magnify: Filter | None = None
    minify: Filter | None = None
    mip: Filter | None = None
    """Between mip levels, with ``minify``; ``None`` uses no mip levels."""
    extras: Extras = field(default_factory=dict)


@dataclass(slots=True)
class Image:
    """A picture: a file beside the model (``path``), or the bytes of an image file (``data`` and ``mime``)."""

    name: str = ""
    path: str | None = None
    """Relative to ``scene.folder``, with ``/``, never leaving it. The file need not exist."""
    data: bytes | memoryview | None = None
    """The image file's bytes. Those of a loaded scene are the reader's own, as a read-only memoryview."""
    mime: str = "image/png"
    """Media type of ``data``: ``image/png``, ``image/jpeg``..."""
    extras: Extras = field(default_factory=dict)


@dataclass(slots=True)
class Perspective:
    """A lens through which things get smaller with distance."""

    fov_y: float
    """Vertical field of view in radians."""
    aspect: float | None = None
    """Width by height; ``None`` takes the window's."""


@dataclass(slots=True)
class Orthographic:
    """A lens through which things keep their size."""

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
    """Of spots: half-angle in radians up to which the light is full."""
    outer_angle: float = 0.7853981633974483
    """Of spots: half-angle in radians at which it ends."""
    name: str = ""
    extras: Extras = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class PosedPart:
    """The vertices of one part of a mesh that a node draws, posed, in the scene's space."""

    node: int
    part: int
    positions: Floats
    """``(vertices, 3)``."""
    normals: Floats | None
    """``(vertices, 3)``, unit, where the part has normals."""
    tangents: Floats | None
    """``(vertices, 4)``, where the part has tangents."""


@dataclass(slots=True, eq=False)
class Pose:
    """A scene at one moment."""

    parts: list[PosedPart]
    """Every part of every mesh that a node draws, in the order of the nodes."""
    node_matrices: npt.NDArray[np.float64]
    """``(nodes, 4, 4)``: from each node's space to the scene's."""
    joint_matrices: list[Floats]
    """For each skin ``(joints, 4, 4)``: the joint's node matrix times its inverse bind matrix."""
    morph_weights: list[Floats]
    """For each node that draws a mesh with morph targets, their weights; empty elsewhere."""

    @property
    def positions(self) -> Floats:
        """All posed vertices, part after part: ``(vertices, 3)``."""
        if len(self.parts) == 1:
            return self.parts[0].positions
        return np.concatenate([np.zeros((0, 3), np.float32), *(part.positions for part in self.parts)])


class Poser:
    """A scene as it was when :meth:`Scene.poser` was called, to be posed many times."""

    __slots__ = ("_snapshot",)

    def __init__(self, scene: Scene) -> None:
        self._snapshot = _ligament.Snapshot(scene)

    def pose(self, clip: int | str | None = None, time: float = 0.0) -> Pose:
        """The scene at ``time`` seconds of a clip, which is given by number or name; at rest without a clip."""
        return self._snapshot.pose(clip, time)


@dataclass(slots=True, eq=False)
class Scene:
    """A model: what a file says, in one form whatever the format."""

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
    """Where the paths of images start. :func:`ligament.load` sets it to the file's folder; ``None`` is the folder that
    the scene is saved to."""
    report: Report | None = None
    """Of a loaded scene: everything that was noticed while it was read."""

    def pose(self, clip: int | str | None = None, time: float = 0.0) -> Pose:
        """The scene at ``time`` seconds of a clip, which is given by number or name; at rest without a clip.

        To pose the same scene many times, use :meth:`poser`, which checks and copies it only once.
        """
        return Poser(self).pose(clip, time)

    def poser(self) -> Poser:
        """The scene as it is now, to be posed many times."""
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


def _indices(what: str, values: npt.ArrayLike) -> Indices:
    array = np.asarray(values)
    if array.size == 0:
        return np.zeros(array.shape, np.uint32)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{what} must be whole numbers, not {array.dtype}")
    if array.min() < 0 or array.max() > 0xFFFF_FFFF:
        raise ValueError(f"{what} must lie between 0 and {0xFFFF_FFFF}")
    return array.astype(np.uint32, copy=False)
