# Reads every GLB file of a folder with Blender and writes it into another: blender -b --python batch.py -- IN OUT

import os
import sys

import bpy
import numpy

# Blender 3.4's glTF add-on uses a name that later versions of numpy do not have.
if not hasattr(numpy, "bool"):
    numpy.bool = bool

source, target = sys.argv[sys.argv.index("--") + 1:]
os.makedirs(target, exist_ok=True)
for name in sorted(os.listdir(source)):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=os.path.join(source, name))
    bpy.ops.export_scene.gltf(filepath=os.path.join(target, name), export_format="GLB")
