"""Materials: the Principled shader as metallic-roughness values. The library derives Phong values from these for formats that
need them. The Phong values of an imported material are restored as long as its shader has not been changed."""

import json

import ligament as lig

from .. import compat, extras
from ..phong import STORED, same_look
from . import images
from .lamps import is_animated

_REROUTES = {"REROUTE"}


class Materials:
    """Indices of materials in the scene, which are added on first use."""

    def __init__(self, scene, notes):
        self.scene, self.notes = scene, notes
        self._materials, self._images, self._textures = {}, {}, {}

    def number(self, material, uv_names):
        """The material's index in the scene. `uv_names` are the UV maps of the mesh in the order of its sets."""
        if material is None:
            return None
        if material.name_full not in self._materials:
            self._materials[material.name_full] = len(self.scene.materials)
            self.scene.materials.append(_Reader(self, material, uv_names).read())
        return self._materials[material.name_full]

    def texture(self, node):
        """The texture of an image node, or None if it has no image."""
        image = node.image
        if image.name_full not in self._images:
            found = images.encoded(image, self.notes)
            self._images[image.name_full] = None if found is None else len(self.scene.images)
            if found is not None:
                data, mime = found
                self.scene.images.append(lig.Image(name=_stem(image), data=data, mime=mime))
        number = self._images[image.name_full]
        if number is None:
            return None
        wrap = {"EXTEND": "clamp", "CLIP": "clamp", "MIRROR": "mirror"}.get(node.extension, "repeat")
        sampling = "nearest" if node.interpolation == "Closest" else None
        key = (number, wrap, sampling)
        if key not in self._textures:
            self._textures[key] = len(self.scene.textures)
            self.scene.textures.append(
                lig.Texture(number, wrap_u=wrap, wrap_v=wrap, magnify=sampling, minify=sampling)
            )
        return self._textures[key]


def _stem(image):
    """The image's name without the extension that Blender leaves in it."""
    name = image.name
    for extension in (".png", ".jpg", ".jpeg", ".tga", ".bmp", ".webp", ".dds", ".tif", ".tiff", ".gif"):
        if name.lower().endswith(extension):
            return name[: -len(extension)]
    return name


class _Reader:
    """Reads one material."""

    def __init__(self, owner, material, uv_names):
        self.owner, self.material, self.uv_names = owner, material, uv_names
        self.about = f"material {material.name!r}"

    def read(self):
        material = self.material
        out = lig.Material(name=material.name, extras=extras.of(material))
        out.double_sided = not material.use_backface_culling
        trees = [material, material.node_tree] if material.node_tree is not None else [material]
        if any(is_animated(data) for data in trees):
            self.owner.notes.add("BL116", self.about, "is animated, which clips cannot hold; its current values are exported")
        shader = self._shader()
        if shader is None:
            color = material.diffuse_color
            out.pbr = lig.Pbr(tuple(color), material.metallic, material.roughness)
            out.alpha = "blend" if color[3] < 1.0 else "opaque"
        elif shader.type == "BSDF_PRINCIPLED":
            self._principled(out, shader)
        elif shader.type == "EMISSION":
            out.unlit = True
            out.pbr = lig.Pbr(metallic=0.0, roughness=1.0)
            self._base_color(out.pbr, shader.inputs["Color"])
        else:
            self._simple(out, shader)
        stored = material.get(STORED)
        if stored and out.pbr is not None:
            out.phong = same_look(json.loads(stored), out)
        return out

    def _note(self, message):
        self.owner.notes.add("BL114", self.about, message)

    def _shader(self):
        """The shader of the surface."""
        material = self.material
        if not material.use_nodes or material.node_tree is None:
            return None
        output = material.node_tree.get_output_node("ALL") or material.node_tree.get_output_node("EEVEE")
        node = _source(output.inputs["Surface"]) if output is not None else None
        if node is None:
            self._note("has no surface shader; its viewport colour is used")
        return node

    def _simple(self, out, shader):
        """Reads the colour of a shader that is not Principled, if it has one."""
        self._note(f"the shader {shader.bl_label!r} is not Principled; only its colour is used")
        out.pbr = lig.Pbr(tuple(self.material.diffuse_color), 0.0, 1.0)
        socket = shader.inputs.get("Color")
        if socket is not None:
            self._base_color(out.pbr, socket)

    def _principled(self, out, shader):
        pbr = out.pbr = lig.Pbr()
        self._base_color(pbr, shader.inputs["Base Color"])
        self._alpha(out, shader.inputs["Alpha"])
        pbr.metallic = shader.inputs["Metallic"].default_value
        pbr.roughness = shader.inputs["Roughness"].default_value
        self._metallic_roughness(pbr, shader.inputs["Metallic"], shader.inputs["Roughness"])
        self._specular(pbr, shader)
        self._normal(out, shader.inputs["Normal"])
        self._emission(out, shader)
        for name in ("Transmission Weight", "Transmission", "Coat Weight", "Clearcoat", "Sheen Weight", "Subsurface Weight",
                     "Subsurface"):
            socket = shader.inputs.get(name)
            if socket is not None and (socket.is_linked or socket.default_value != 0.0):
                self._note(f"{name} is not supported")

    def _base_color(self, pbr, socket):
        color = list(socket.default_value)
        image, factor = self._image(socket)
        if image is not None:
            pbr.base_color_texture = self._reference(image)
            color = list(factor)
        elif socket.is_linked:
            attribute = _source(socket)
            if attribute is not None and attribute.type in {"VERTEX_COLOR", "ATTRIBUTE"}:
                color = [1.0, 1.0, 1.0, 1.0]
            else:
                self._note("the base colour comes from unsupported nodes; its plain value is used")
        pbr.base_color = (*color[:3], pbr.base_color[3])

    def _alpha(self, out, socket):
        node = _source(socket) if socket.is_linked else None
        value = socket.default_value if node is None else 1.0
        mode = "opaque" if node is None and value >= 1.0 else "blend"
        if node is not None and node.type == "MATH" and node.operation in {"GREATER_THAN", "ROUND"}:
            mode = "mask"
            out.alpha_cutoff = node.inputs[1].default_value if node.operation == "GREATER_THAN" else 0.5
            inner = next((s for s in node.inputs if s.is_linked), None)
            node = _source(inner) if inner is not None else None
        if node is not None and node.type == "MATH" and node.operation == "MULTIPLY":
            value = next((s.default_value for s in node.inputs if not s.is_linked), 1.0)
        if compat.VERSION < (4, 2, 0) and mode != "opaque" and self.material.blend_method == "CLIP":
            mode, out.alpha_cutoff = "mask", self.material.alpha_threshold
        out.alpha = mode
        out.pbr.base_color = (*out.pbr.base_color[:3], min(max(value, 0.0), 1.0))

    def _metallic_roughness(self, pbr, metallic, roughness):
        images_found = [self._channel(socket) for socket in (metallic, roughness)]
        known = [image for image in images_found if image is not None]
        if known and all(image == known[0] for image in known):
            pbr.metallic_roughness_texture = self._reference(known[0])
            pbr.metallic = 1.0 if metallic.is_linked else pbr.metallic
            pbr.roughness = 1.0 if roughness.is_linked else pbr.roughness
        elif metallic.is_linked or roughness.is_linked:
            self._note("metallic and roughness come from different images or from unsupported nodes")

    def _channel(self, socket):
        """The image node behind a single channel."""
        node = _source(socket) if socket.is_linked else None
        while node is not None and node.type in {"SEPARATE_COLOR", "SEPRGB", "MATH"}:
            linked = next((s for s in node.inputs if s.is_linked), None)
            node = _source(linked) if linked is not None else None
        return node if node is not None and node.type == "TEX_IMAGE" and node.image else None

    def _specular(self, pbr, shader):
        strength, tint = compat.specular_input(shader), compat.specular_tint_input(shader)
        factor = 2.0 * strength.default_value if strength is not None else 1.0
        color = tuple(tint.default_value)[:3] if tint is not None else (1.0, 1.0, 1.0)
        if abs(factor - 1.0) > 1e-6 or any(abs(value - 1.0) > 1e-6 for value in color):
            pbr.specular = lig.Specular(min(factor, 1.0), color)

    def _normal(self, out, socket):
        node = _source(socket) if socket.is_linked else None
        if node is None:
            return
        if node.type != "NORMAL_MAP":
            self._note(f"{node.bl_label!r} on the normal is not supported")
            return
        image, _ = self._image(node.inputs["Color"])
        if image is not None:
            out.normal_texture = self._reference(image)
            if out.normal_texture is not None:
                out.normal_texture.strength = node.inputs["Strength"].default_value

    def _emission(self, out, shader):
        socket, strength = compat.emission_input(shader), shader.inputs["Emission Strength"].default_value
        image, factor = self._image(socket)
        color = factor[:3] if image is not None else tuple(socket.default_value)[:3]
        if strength <= 0.0:
            return
        if image is not None:
            out.emissive_texture = self._reference(image)
        scale = min(strength, 1.0)
        out.emissive = tuple(min(max(value * scale, 0.0), 1.0) for value in color)
        out.emissive_strength = max(strength, 1.0)

    def _image(self, socket):
        """The image node behind a colour, and the colour that multiplies it."""
        factor = (1.0, 1.0, 1.0, 1.0)
        node = _source(socket) if socket.is_linked else None
        if node is not None and node.type in {"MIX", "MIX_RGB"} and node.blend_type == "MULTIPLY":
            colors = [s for s in node.inputs if s.type == "RGBA" and s.enabled]
            linked = [s for s in colors if s.is_linked]
            plain = [s for s in colors if not s.is_linked]
            if len(plain) == 1:
                factor = tuple(plain[0].default_value)
            images_behind = [n for n in map(_source, linked) if n is not None and n.type == "TEX_IMAGE"]
            node = images_behind[0] if images_behind else None
        if node is not None and node.type == "TEX_IMAGE" and node.image is not None:
            return node, factor
        return None, factor

    def _reference(self, node):
        number = self.owner.texture(node)
        if number is None:
            return None
        out = lig.TextureRef(number)
        above = _source(node.inputs["Vector"]) if node.inputs["Vector"].is_linked else None
        if above is not None and above.type == "MAPPING":
            out.transform = _transform(above)
            above = _source(above.inputs["Vector"]) if above.inputs["Vector"].is_linked else None
        if above is not None and above.type == "UVMAP" and above.uv_map in self.uv_names:
            out.uv_set = self.uv_names.index(above.uv_map)
        elif above is not None and above.type not in {"UVMAP", "TEX_COORD"}:
            self._note(f"{above.bl_label!r} on texture coordinates is not supported")
        return out


def _transform(node):
    """Converts a mapping node from coordinates with V up to coordinates with V down."""
    from math import cos, sin

    place, angle = node.inputs["Location"].default_value, node.inputs["Rotation"].default_value[2]
    scale = node.inputs["Scale"].default_value
    offset = (place[0] - scale[1] * sin(angle), 1.0 - place[1] - scale[1] * cos(angle))
    return lig.UvTransform(offset, angle, (scale[0], scale[1]))


def _source(socket):
    """The node behind a socket, following reroutes."""
    while socket is not None and socket.is_linked:
        link = socket.links[0]
        if link.from_node.type not in _REROUTES:
            return link.from_node
        socket = link.from_node.inputs[0]
    return None
