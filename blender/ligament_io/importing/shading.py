"""Materials as Principled shaders, and images: loaded from beside the file, or packed if embedded."""

import os
from math import cos, sin

import bpy
import ligament as lig

from .. import compat, extras, phong


class Materials:
    """Blender's materials by index in the scene, created on first use."""

    def __init__(self, scene, notes, pack=False):
        self.scene, self.notes, self.pack = scene, notes, pack
        self._materials, self._images = {}, {}

    def get(self, number):
        if number is None:
            return None
        if number not in self._materials:
            material = self.scene.materials[number]
            self._materials[number] = _Builder(self, material, material.name or f"material{number}").build()
        return self._materials[number]

    def image(self, number):
        """An image; None if there is none."""
        if number not in self._images:
            self._images[number] = self._load(self.scene.images[number], number)
        return self._images[number]

    def _load(self, image, number):
        name = image.name or (os.path.basename(image.path) if image.path else f"image{number}")
        if image.data is not None:
            made = bpy.data.images.new(name, 1, 1)
            data = bytes(image.data)
            made.pack(data=data, data_len=len(data))
            made.source = "FILE"
            return made
        path = os.path.join(os.path.abspath(self.scene.folder or "."), *(image.path or "").split("/"))
        if image.path and os.path.isfile(path):
            try:
                found = bpy.data.images.load(path, check_existing=True)
                if self.pack and found.packed_file is None:
                    found.pack()
                return found
            except RuntimeError as error:
                self.notes.add("BL201", f"image {name!r}", f"cannot be read: {error}")
        else:
            self.notes.add("BL201", f"image {name!r}", f"{path} does not exist")
        # A placeholder, so that the material still names the missing image.
        made = bpy.data.images.new(name, 1, 1)
        made.source = "FILE"
        made.filepath = path
        return made


class _Builder:
    """Builds one material."""

    def __init__(self, owner, source, name):
        self.owner, self.source = owner, source
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self.tree = self.material.node_tree
        self.about = f"material {name!r}"

    def build(self):
        source, material = self.source, self.material
        self.tree.nodes.clear()
        output = self._node("ShaderNodeOutputMaterial", 300, 0)
        shader = self.shader = self._node("ShaderNodeBsdfPrincipled", 0, 0)
        self.tree.links.new(shader.outputs[0], output.inputs["Surface"])
        pbr = source.pbr
        if pbr is None:
            pbr = (source.phong or lig.Phong()).to_pbr()
            if source.phong is not None:
                phong.store(material, source.phong, pbr)
                self._phong_textures(source.phong)
        elif source.phong is not None:
            phong.store(material, source.phong, pbr)
        self._base(pbr)
        self._metallic_roughness(pbr)
        self._specular(pbr)
        self._emission()
        self._normal()
        material.diffuse_color = (*pbr.base_color[:3], pbr.base_color[3])
        material.metallic, material.roughness = pbr.metallic, pbr.roughness
        material.use_backface_culling = not source.double_sided
        if source.unlit:
            self._unlit(output, shader)
        if source.occlusion_texture is not None:
            self.owner.notes.add("BL208", self.about, "a Principled shader has no occlusion texture")
        extras.put(material, source.extras)
        return material

    def _node(self, kind, x, y):
        node = self.tree.nodes.new(kind)
        node.location = (x, y)
        return node

    def _texture(self, reference, y, data=False):
        """Adds an image node for a texture; None without a texture."""
        texture = self.owner.scene.textures[reference.texture]
        image = self.owner.image(texture.image)
        node = self._node("ShaderNodeTexImage", -700, y)
        node.image = image
        if data and image is not None and not image.is_dirty:
            image.colorspace_settings.name = "Non-Color"
        if texture.magnify == "nearest":
            node.interpolation = "Closest"
        wraps = {texture.wrap_u, texture.wrap_v}
        if wraps == {"clamp"}:
            node.extension = "EXTEND"
        elif wraps == {"mirror"} and compat.VERSION >= (3, 5, 0):
            node.extension = "MIRROR"
        elif wraps != {"repeat"}:
            self.owner.notes.add("BL208", self.about, f"Blender cannot repeat a picture as {' and '.join(sorted(wraps))}")
        above = node.inputs["Vector"]
        if reference.transform is not None:
            above = self._mapping(reference.transform, above, y)
        if reference.uv_set > 0:
            coordinates = self._node("ShaderNodeUVMap", -1100, y)
            coordinates.uv_map = f"UVMap.{reference.uv_set:03}"
            self.tree.links.new(coordinates.outputs[0], above)
        elif reference.transform is not None:
            coordinates = self._node("ShaderNodeUVMap", -1100, y)
            self.tree.links.new(coordinates.outputs[0], above)
        return node

    def _mapping(self, transform, socket, y):
        """Converts a transform of coordinates with V down to coordinates with V up."""
        node = self._node("ShaderNodeMapping", -900, y)
        (dx, dy), angle, (sx, sy) = transform.offset, transform.rotation, transform.scale
        node.inputs["Location"].default_value = (dx + sy * sin(angle), 1.0 - dy - sy * cos(angle), 0.0)
        node.inputs["Rotation"].default_value = (0.0, 0.0, angle)
        node.inputs["Scale"].default_value = (sx, sy, 1.0)
        self.tree.links.new(node.outputs[0], socket)
        return node.inputs["Vector"]

    def _colored(self, reference, color, socket, y):
        """Connects a texture multiplied by a colour to a socket."""
        node = self._texture(reference, y)
        if all(abs(value - 1.0) < 1e-6 for value in color[:3]):
            self.tree.links.new(node.outputs["Color"], socket)
            return node
        mix = self._node("ShaderNodeMix", -300, y)
        mix.data_type, mix.blend_type = "RGBA", "MULTIPLY"
        mix.inputs[0].default_value = 1.0
        mix.inputs[7].default_value = (*color[:3], 1.0)
        self.tree.links.new(node.outputs["Color"], mix.inputs[6])
        self.tree.links.new(mix.outputs[2], socket)
        return node

    def _base(self, pbr):
        socket, alpha = self.shader.inputs["Base Color"], self.shader.inputs["Alpha"]
        socket.default_value = (*pbr.base_color[:3], 1.0)
        alpha.default_value = 1.0
        texture = None
        if pbr.base_color_texture is not None:
            texture = self._colored(pbr.base_color_texture, pbr.base_color, socket, 200)
        mode = self.source.alpha
        if mode == "opaque" and self.source.pbr is None and pbr.base_color[3] < 1.0:
            mode = "blend"
        if mode == "opaque":
            compat.set_blend(self.material, "OPAQUE")
            return
        alpha.default_value = pbr.base_color[3]
        source = None if texture is None else texture.outputs["Alpha"]
        if source is not None and pbr.base_color[3] < 1.0:
            source = self._math("MULTIPLY", source, pbr.base_color[3], 0)
        if mode == "mask":
            compat.set_blend(self.material, "CLIP", self.source.alpha_cutoff)
            if source is not None and compat.VERSION >= (4, 2, 0):
                source = self._math("GREATER_THAN", source, self.source.alpha_cutoff, -100)
        else:
            compat.set_blend(self.material, "BLEND")
        if source is not None:
            self.tree.links.new(source, alpha)

    def _math(self, operation, socket, value, y):
        node = self._node("ShaderNodeMath", -250, y)
        node.operation = operation
        self.tree.links.new(socket, node.inputs[0])
        node.inputs[1].default_value = value
        return node.outputs[0]

    def _metallic_roughness(self, pbr):
        metallic, roughness = self.shader.inputs["Metallic"], self.shader.inputs["Roughness"]
        metallic.default_value, roughness.default_value = pbr.metallic, pbr.roughness
        if pbr.metallic_roughness_texture is None:
            return
        node = self._texture(pbr.metallic_roughness_texture, -100, data=True)
        split = self._node("ShaderNodeSeparateColor", -400, -100)
        self.tree.links.new(node.outputs["Color"], split.inputs[0])
        channels = ((metallic, split.outputs[2], pbr.metallic), (roughness, split.outputs[1], pbr.roughness))
        for socket, output, factor in channels:
            if factor == 0.0:
                continue
            value = output if factor == 1.0 else self._math("MULTIPLY", output, factor, -200)
            self.tree.links.new(value, socket)

    def _specular(self, pbr):
        if pbr.specular is None:
            return
        compat.specular_input(self.shader).default_value = pbr.specular.factor / 2.0
        tint = compat.specular_tint_input(self.shader)
        if tint is not None:
            tint.default_value = (*pbr.specular.color, 1.0)
        elif any(abs(value - 1.0) > 1e-3 for value in pbr.specular.color):
            self.owner.notes.add("BL208", self.about, "this Blender's shader has no colour for the highlight")
        if pbr.specular.texture is not None or pbr.specular.color_texture is not None:
            self.owner.notes.add("BL208", self.about, "textures of the highlight are dropped")

    def _emission(self):
        source, socket = self.source, compat.emission_input(self.shader)
        strength = self.shader.inputs["Emission Strength"]
        lit = any(value > 0.0 for value in source.emissive)
        socket.default_value = (*source.emissive, 1.0)
        strength.default_value = source.emissive_strength if lit else 0.0
        if lit and source.emissive_texture is not None:
            self._colored(source.emissive_texture, source.emissive, socket, -400)

    def _normal(self):
        if self.source.normal_texture is None:
            return
        node = self._texture(self.source.normal_texture, -700, data=True)
        bend = self._node("ShaderNodeNormalMap", -300, -700)
        bend.inputs["Strength"].default_value = self.source.normal_texture.strength
        self.tree.links.new(node.outputs["Color"], bend.inputs["Color"])
        self.tree.links.new(bend.outputs[0], self.shader.inputs["Normal"])

    def _phong_textures(self, block):
        others = ("ambient", "specular", "shininess", "bump", "opacity")
        names = [name for name in others if getattr(block, f"{name}_texture") is not None]
        if names:
            self.owner.notes.add("BL208", self.about, f"textures that a Principled shader does not have: {', '.join(names)}",
                                 len(names))

    def _unlit(self, output, shader):
        """Makes the material unlit: it emits its colour."""
        emission = self._node("ShaderNodeEmission", 0, 200)
        color = shader.inputs["Base Color"]
        emission.inputs["Color"].default_value = color.default_value
        if color.is_linked:
            self.tree.links.new(color.links[0].from_socket, emission.inputs["Color"])
        self.tree.links.new(emission.outputs[0], output.inputs["Surface"])
