"""Makes the two zips that users install, from this folder and the wheels of the ligament module.

    python3 package.py OUT_FOLDER WHEEL...

ligament_io-VERSION.zip          an extension, for Blender 4.2 and later: the wheels are inside
ligament_io-VERSION-legacy.zip   an add-on, for Blender 3.4 to 4.1: the first wheel is unpacked in lib/

The same input gives the same bytes.
"""

import os
import re
import sys
import zipfile

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ligament_io")
PLATFORMS = (
    (r"linux.*x86_64", "linux-x64"),
    (r"linux.*aarch64", "linux-arm64"),
    (r"win_amd64", "windows-x64"),
    (r"win_arm64", "windows-arm64"),
    (r"macosx.*(arm64|universal2)", "macos-arm64"),
    (r"macosx.*x86_64", "macos-x64"),
)


def sources():
    """The add-on's files: (name in the add-on, bytes)."""
    found = []
    for folder, folders, names in os.walk(HERE):
        folders[:] = sorted(name for name in folders if name not in {"__pycache__", "lib", "wheels"})
        for name in sorted(names):
            if name.endswith((".py", ".toml")):
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    found.append((os.path.relpath(path, HERE).replace(os.sep, "/"), file.read()))
    return found


def write(path, files):
    """Writes a zip whose entries all have the same date."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, data in files:
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    print(path)


def extension(wheels, manifest):
    """Adds the wheels and their platforms to the manifest."""
    names = [os.path.basename(wheel) for wheel in wheels]
    platforms = [word for name in names for pattern, word in PLATFORMS if re.search(pattern, name)]
    listed = ", ".join(f'"./wheels/{name}"' for name in names)
    manifest = manifest.replace("wheels = []", f"wheels = [{listed}]")
    return manifest.replace("platforms = []", "platforms = [" + ", ".join(f'"{p}"' for p in dict.fromkeys(platforms)) + "]")


def main(out, *wheels):
    if not wheels:
        sys.exit("no wheel was given")
    os.makedirs(out, exist_ok=True)
    files = sources()
    manifest = dict(files)["blender_manifest.toml"].decode()
    version = re.search(r'^version = "([^"]+)"', manifest, re.M).group(1)
    packed = [(f"wheels/{os.path.basename(wheel)}", open(wheel, "rb").read()) for wheel in wheels]
    whole = [(name, data) for name, data in files if name != "blender_manifest.toml"]
    whole.insert(0, ("blender_manifest.toml", extension(wheels, manifest).encode()))
    write(os.path.join(out, f"ligament_io-{version}.zip"), whole + packed)
    legacy = [(f"ligament_io/{name}", data) for name, data in files if name != "blender_manifest.toml"]
    with zipfile.ZipFile(wheels[0]) as wheel:
        unpacked = [(f"ligament_io/lib/{name}", wheel.read(name)) for name in sorted(wheel.namelist())
                    if not name.endswith("/") and ".dist-info/" not in name]
    write(os.path.join(out, f"ligament_io-{version}-legacy.zip"), legacy + unpacked)


if __name__ == "__main__":
    main(*sys.argv[1:])
