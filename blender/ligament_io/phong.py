"""Phong values of imported materials, kept beside the Principled shader that was made from them."""

import json
from dataclasses import asdict

import ligament as lig

# The custom property of a material.
STORED = "ligament_phong"
_COLORS = ("ambient", "diffuse", "specular")


def store(material, phong, pbr):
    """Stores Phong values, and the look that was derived from them."""
    values = {name: getattr(phong, name) for name in (*_COLORS, "shininess", "opacity")}
    material[STORED] = json.dumps({"phong": values, "look": look(pbr)})


def look(pbr):
    """The values of a metallic-roughness block that can be edited in Blender."""
    specular = asdict(pbr.specular) if pbr.specular is not None else {"factor": 1.0, "color": (1.0, 1.0, 1.0)}
    return [*pbr.base_color, pbr.metallic, pbr.roughness, specular["factor"], *specular["color"]]


def same_look(stored, material):
    """The stored Phong values, with the material's texture, if its look has not changed since they were stored."""
    try:
        before, now, values = stored["look"], look(material.pbr), stored["phong"]
        if len(before) != len(now) or any(abs(a - b) > 1e-5 for a, b in zip(before, now)):
            return None
        colors = {name: tuple(map(float, values[name])) for name in _COLORS}
        return lig.Phong(**colors, shininess=values["shininess"], opacity=values["opacity"],
                         diffuse_texture=material.pbr.base_color_texture)
    except (KeyError, TypeError, ValueError):
        return None
