"""Export and import from the command line.

Blender 4.2 and later:   blender -b model.blend --command ligament_export model.pfobj
Older versions:          blender -b model.blend --addons ligament_io \\
                             --python-expr "import ligament_io.batch; ligament_io.batch.main()" -- export model.pfobj
"""

import argparse
import json
import os
import sys

import bpy

_commands = []


def main(arguments=None):
    """Runs `export ...` or `import ...` from the arguments after `--`, and ends Blender with 0 or 1."""
    if arguments is None:
        arguments = sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else []
    verbs = {"export": export, "import": import_files}
    if not arguments or arguments[0] not in verbs:
        print("usage: -- export FILE... | import FILE...", file=sys.stderr)
        sys.exit(2)
    sys.exit(verbs[arguments[0]](arguments[1:]))


def export(arguments):
    """`ligament_export FILE...`: exports the open file in one or more formats."""
    from .exporting.settings import ROWS, Settings
    from .ui import options, work

    parser = argparse.ArgumentParser(prog="ligament_export", description="Exports the open .blend file.")
    parser.add_argument("files", nargs="+", metavar="FILE", help="the file to write; its extension selects the format")
    parser.add_argument("--format", help="the format, instead of deriving it from the extension")
    for name, row in ROWS.items():
        _setting_argument(parser, name, row)
    parser.add_argument("--report", metavar="FILE", help="write the report as JSON")
    _option_arguments(parser, options.WRITE)
    parser.add_argument("--dialect", help="the format's dialect")
    asked = _parse(parser, arguments)
    if asked is None:
        return 2
    settings = Settings(**{name: getattr(asked, name) for name in ROWS})
    return _each(asked, lambda path: work.export(bpy.context, os.path.abspath(path), asked.format,
                                                 settings, _given(asked, options.WRITE)))


def import_files(arguments):
    """`ligament_import FILE...`: imports files into the open one, which `--save` saves."""
    from .importing import BONES, MERGE, Settings
    from .ui import options, work

    parser = argparse.ArgumentParser(prog="ligament_import", description="Imports files into the open .blend file.")
    parser.add_argument("files", nargs="+", metavar="FILE", help="the files to import")
    parser.add_argument("--format", help="the format, instead of detecting it")
    parser.add_argument("--merge", choices=[name.lower() for name, *_ in MERGE], default="auto",
                        help="join vertices at one place: if the file shares them, always, never")
    parser.add_argument("--bones", choices=[name.lower() for name, *_ in BONES], default="children", help="where bones point")
    parser.add_argument("--pack", action="store_true", help="store images in the .blend file")
    parser.add_argument("--collection", action="store_true", help="put each file into a collection of its own")
    parser.add_argument("--keep-frames", action="store_true", help="keep the scene's frame rate and range")
    parser.add_argument("--save", metavar="BLEND", help="save the .blend file here afterwards")
    parser.add_argument("--report", metavar="FILE", help="write the report as JSON")
    _option_arguments(parser, options.READ)
    asked = _parse(parser, arguments)
    if asked is None:
        return 2
    given = _given(asked, options.READ)
    if asked.format:
        given["format"] = asked.format
    settings = Settings(asked.merge.upper(), asked.bones.upper(), asked.pack, asked.collection, not asked.keep_frames)
    code = _each(asked, lambda path: work.import_file(bpy.context, os.path.abspath(path), given, settings))
    if asked.save and code == 0:
        bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(asked.save))
    return code


def _parse(parser, arguments):
    try:
        return parser.parse_args(arguments)
    except SystemExit as end:
        if end.code == 0:
            raise
        return None


def _setting_argument(parser, name, row):
    """Adds the argument of one of the add-on's own settings."""
    flag, text = name.replace("_", "-"), row.metadata["text"]
    text = text[0].lower() + text[1:]
    if "items" in row.metadata:
        choices = [choice for choice, *_ in row.metadata["items"]]
        parser.add_argument(f"--{flag}", choices=choices, type=str.upper, default=row.default, help=text,
                            metavar="{" + ",".join(choices).lower() + "}")
    elif row.type in {bool, "bool"} and row.default:
        parser.add_argument(f"--no-{flag}", dest=name, action="store_false", help=f"not: {text}")
    elif row.type in {bool, "bool"}:
        parser.add_argument(f"--{flag}", action="store_true", help=text)
    else:
        parser.add_argument(f"--{flag}", type=int if row.type in {int, "int"} else str, default=row.default, help=text)


def _option_arguments(parser, table):
    """Adds one argument per option of the formats."""
    for option in table.all.values():
        flag = "--" + option.name.replace("_", "-")
        if option.kind == "flag" and option.default:
            # A flag that is on by default can be turned off.
            off = f"do not {option.help[0].lower()}{option.help[1:]}"
            parser.add_argument("--no-" + flag[2:], dest=option.name, action="store_false", default=None, help=off)
        elif option.kind == "flag":
            parser.add_argument(flag, action="store_true", default=None, help=option.help)
        elif option.kind == "word":
            parser.add_argument(flag, choices=[choice.id for choice in option.choices], help=option.help)
        else:
            kind = {"number": float, "integer": int}.get(option.kind, str)
            parser.add_argument(flag, type=kind, help=option.help)


def _given(asked, table):
    found = {}
    for option in table.all.values():
        value = getattr(asked, option.name)
        if value is not None:
            found[option.name] = value.split(",") if option.kind == "texts" else value
    if getattr(asked, "dialect", None):
        found["dialect"] = asked.dialect
    return found


def _each(asked, work_on):
    """Processes every file; one that fails does not stop the others."""
    from .ui import work

    code, told = 0, []
    for path in asked.files:
        try:
            notes, report = work_on(path)
        except work.Failed as error:
            print(f"{path}: {error}", *error.lines, sep="\n", file=sys.stderr)
            told.append({"file": path, "ok": False, "error": str(error), "lines": error.lines})
            code = 1
            continue
        print(f"{path}: done", *notes.lines(), *str(report).splitlines(), sep="\n")
        own = [{"code": n.code, "kind": n.kind, "object": n.object, "message": n.message, "count": n.count, "size": n.size}
               for n in notes]
        proof = {"proof": notes.proof.to_json()} if notes.proof is not None else {}
        told.append({"file": path, "ok": True, "blender": own, **proof, **(report.to_json() if report is not None else {})})
    if asked.report:
        with open(asked.report, "w", encoding="utf-8") as file:
            json.dump(told, file, indent=2)
    return code


def register():
    if hasattr(bpy.utils, "register_cli_command"):
        _commands.append(bpy.utils.register_cli_command("ligament_export", export))
        _commands.append(bpy.utils.register_cli_command("ligament_import", import_files))


def unregister():
    while _commands:
        bpy.utils.unregister_cli_command(_commands.pop())
