"""Images as the bytes of an image file: the format decides whether they go into the model or beside it."""

import os
import struct
import zlib

import bpy
import numpy as np

_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"BM", "image/bmp"),
    (b"GIF8", "image/gif"),
    (b"DDS ", "image/vnd-ms.dds"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"\xabKTX 20\xbb", "image/ktx2"),
)
_BY_EXTENSION = {".tga": "image/x-tga"}


def mime(data, path):
    """The media type by content, otherwise by extension; None for anything but an image of a common format."""
    for magic, found in _MAGIC:
        if data.startswith(magic):
            return found
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return _BY_EXTENSION.get(os.path.splitext(path)[1].lower())


def encoded(image, notes):
    """Returns (bytes, media type) of an image; if there is none, notes why and returns None."""
    about = f"image {image.name!r}"
    data, path = None, image.filepath_raw or ""
    if image.packed_file is not None and not image.is_dirty:
        data = bytes(image.packed_file.data)
    elif image.source == "FILE" and path and not image.is_dirty:
        if path.startswith("//") and not bpy.data.filepath and image.library is None:
            notes.add("BL115", about, f"{path}: the .blend is not saved, so there is no folder to look in")
            return None
        found = bpy.path.abspath(path, library=image.library)
        try:
            with open(found, "rb") as file:
                data = file.read()
        except OSError as error:
            notes.add("BL115", about, f"{found}: {error.strerror or error}")
            return None
    if data:
        kind = mime(data, path)
        if kind is not None:
            return data, kind
    return _from_pixels(image, about, notes)


def _from_pixels(image, about, notes):
    """A PNG of the pixels in Blender: for images without a file, or in a format that models do not use."""
    width, height = image.size
    if width == 0 or height == 0:
        notes.add("BL115", about, "has no pixels")
        return None
    pixels = np.empty(width * height * image.channels, dtype=np.float32)
    image.pixels.foreach_get(pixels)
    pixels = pixels.reshape(height, width, image.channels)[::-1]
    if image.is_float:
        notes.add("BL115", about, "has values that do not fit into eight bits; they are clamped")
    return png(np.clip(pixels * 255.0 + 0.5, 0, 255).astype(np.uint8)), "image/png"


def png(rows):
    """Bytes of shape (height, width, channels), from the top, as a PNG file."""
    height, width, channels = rows.shape
    kind = {1: 0, 2: 4, 3: 2, 4: 6}[channels]
    lines = np.zeros((height, width * channels + 1), dtype=np.uint8)
    lines[:, 1:] = rows.reshape(height, -1)

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines.tobytes(), 6))
            + chunk(b"IEND", b""))
