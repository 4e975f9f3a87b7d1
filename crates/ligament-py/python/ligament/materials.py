"""Materials, textures and images."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from . import _ligament
from .arrays import Extras, Vector2, Vector3, Vector4
from .short import Short


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

    def to_pbr(self) -> Pbr:
        """Returns the metallic-roughness block that looks most similar, as the library makes it for glTF."""
        return _ligament.pbr_from_phong(self)


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


@dataclass(slots=True, repr=False)
class Material(Short):
    """The look of a surface. It can hold the ``phong`` block of classic engines, the ``pbr`` block of glTF, or both. If a
    target needs the missing one, it is derived from the other and reported."""

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


@dataclass(slots=True, repr=False)
class Texture(Short):
    """An image and how it is sampled."""

    image: int
    """Index into ``scene.images``."""
    name: str = ""
    wrap_u: Wrap = "repeat"
    wrap_v: Wrap = "repeat"
    magnify: Filter | None = None
    minify: Filter | None = None
    mip: Filter | None = None
    """Filter between mip levels, with ``minify``; ``None`` uses no mip levels."""
    extras: Extras = field(default_factory=dict)


@dataclass(slots=True, repr=False)
class Image(Short):
    """A picture: a file beside the model (``path``), or the bytes of an image file (``data`` and ``mime``)."""

    name: str = ""
    path: str | None = None
    """Relative to ``scene.folder``, with ``/``, never leaving it. The file need not exist."""
    data: bytes | memoryview | None = None
    """The image file's bytes. In a loaded scene they are a read-only memoryview of the reader's memory."""
    mime: str = "image/png"
    """Media type of ``data``: ``image/png``, ``image/jpeg``..."""
    extras: Extras = field(default_factory=dict)
