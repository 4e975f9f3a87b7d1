"""Runs the tests inside a Blender: installs the add-on's zip as a user does, and writes what happened as JSON.

    blender -b --factory-startup --python harness.py -- ZIPS CORPUS CLI OUT.json [TEST...]
    python harness.py ZIPS CORPUS CLI OUT.json [TEST...]         with PyPI's bpy

ZIPS is the folder of the add-on's zips, CORPUS that of the models (or `none`), CLI the `ligament` binary. Blender 3.4 ends with
0 whatever a script does: whoever runs this must look at OUT.json.
"""

import glob
import importlib
import json
import os
import sys
import time
import traceback

import bpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


class Context:
    """What tests need to know."""

    def __init__(self, zips, corpus, cli, package, scratch):
        self.zips, self.corpus, self.cli, self.package, self.scratch = zips, corpus, cli, package, scratch
        self.counts = {}
        self.skipped = []

    def module(self, name):
        return importlib.import_module(f"{self.package}.{name}")

    def count(self, name, number=1):
        self.counts[name] = self.counts.get(name, 0) + number


def install(zips):
    """As a user does it: from the zip, through Blender's preferences. Returns the package's name."""
    if bpy.app.version >= (4, 2, 0):
        archive = next(f for f in sorted(glob.glob(os.path.join(zips, "*.zip"))) if "legacy" not in f)
        bpy.ops.extensions.package_install_files(filepath=archive, repo="user_default", enable_on_install=True)
        package = "bl_ext.user_default.ligament_io"
    else:
        archive = sorted(glob.glob(os.path.join(zips, "*legacy.zip")))[0]
        bpy.ops.preferences.addon_install(filepath=archive, overwrite=True)
        bpy.ops.preferences.addon_enable(module="ligament_io")
        package = "ligament_io"
    assert package in bpy.context.preferences.addons, f"{archive} was not installed"
    return package


def main(zips, corpus, cli, out, *names):
    result = {"blender": bpy.app.version_string, "passed": [], "failed": [], "skipped": [], "counts": {}, "seconds": {}}
    scratch = os.path.join(os.path.dirname(os.path.abspath(out)), "scratch-" + bpy.app.version_string.split()[0])
    os.makedirs(scratch, exist_ok=True)
    start = time.time()
    try:
        package = install(zips)
        result["seconds"]["install"] = time.time() - start
        context = Context(zips, corpus if corpus != "none" else None, cli, package, scratch)
        for module in ("test_interface", "test_bad_input", "test_export", "test_import"):
            tests = vars(importlib.import_module(module))
            for name, test in list(tests.items()):
                if name.startswith("test_") and callable(test) and (not names or name in names):
                    run(test, name, context, result)
        result["counts"], result["skipped"] = context.counts, context.skipped
    except Exception:
        result["failed"].append({"test": "harness", "error": traceback.format_exc()})
    with open(out, "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
    print(f"{result['blender']}: {len(result['passed'])} passed, {len(result['failed'])} failed in {time.time() - start:.1f} s")


def run(test, name, context, result):
    start = time.time()
    try:
        test(context)
        result["passed"].append(name)
    except Exception:
        result["failed"].append({"test": name, "error": traceback.format_exc()})
        print("FAILED", name, traceback.format_exc(), sep="\n")
    result["seconds"][name] = round(time.time() - start, 2)


if __name__ == "__main__":
    main(*(sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else sys.argv[1:]))
