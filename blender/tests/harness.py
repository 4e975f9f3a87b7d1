"""Runs the tests inside a Blender: installs the add-on's zip as a user does, and writes the results.

    blender -b --factory-startup --python harness.py -- ZIPS CORPUS CLI OUT [TEST...]
    python harness.py ZIPS CORPUS CLI OUT [TEST...]         with PyPI's bpy

ZIPS is the folder of the add-on's zips, CORPUS that of the models, CLI the `ligament` binary. OUT gets a line
`passed NAME` or `FAILED NAME` per test and `finished ...` at the end. The environment variable LIGAMENT_EXTRA_MODEL may name one
more model to import. Blender 3.4 always ends with 0, so the caller must check OUT.
"""

import glob
import importlib
import os
import sys
import time
import traceback

if hasattr(os, "sched_setaffinity") and "bpy" not in sys.modules:
    # One thread, set before bpy counts the cores: the scenes are small, and waiting for threads costs more than they gain.
    # LIGAMENT_CORE selects the core, so that several Blenders can run at once.
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[int(os.environ.get("LIGAMENT_CORE", "-1")) % len(cores)]})

import bpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


MODULES = ("test_interface", "test_bad_input", "test_export", "test_proof", "test_rigs", "test_settings", "test_import", "test_welding")


class Context:
    """The context of a test run."""

    def __init__(self, zips, corpus, cli, package, scratch):
        self.zips, self.corpus, self.cli, self.package, self.scratch = zips, corpus, cli, package, scratch
        self.counts = {}

    def module(self, name):
        return importlib.import_module(f"{self.package}.{name}")

    def count(self, name, number=1):
        self.counts[name] = self.counts.get(name, 0) + number


def install(zips):
    """Installs the add-on as a user does: from the zip, through Blender's preferences. Returns the package's name."""
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
    lines = []

    def tell(line):
        lines.append(line)
        print(line)
        with open(out, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")

    scratch = os.path.join(os.path.dirname(os.path.abspath(out)), "scratch-" + bpy.app.version_string.split()[0])
    os.makedirs(scratch, exist_ok=True)
    start = time.time()
    try:
        context = Context(zips, corpus, cli, install(zips), scratch)
        for module in MODULES:
            tests = vars(importlib.import_module(module))
            for name, test in list(tests.items()):
                if name.startswith("test_") and callable(test) and (not names or name in names):
                    run(test, name, context, tell)
        counts = ", ".join(f"{number} {what}" for what, number in context.counts.items())
        tell(f"finished Blender {bpy.app.version_string} in {time.time() - start:.0f} s: {counts}")
    except Exception:
        tell(f"FAILED harness\n{traceback.format_exc()}")


def run(test, name, context, tell):
    try:
        test(context)
        tell(f"passed {name}")
    except Exception:
        tell(f"FAILED {name}\n{traceback.format_exc()}")


if __name__ == "__main__":
    main(*(sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else sys.argv[1:]))
