"""The user interface: menus, options, presets, dropped files, reports, the command line."""

import glob
import json
import os
import subprocess
import sys

import bpy
import building
import scenes


class Entries:
    """A mock of a menu's layout that records what is added to it."""

    def __init__(self):
        self.found = []

    def operator(self, name, text=""):
        entry = type("Entry", (), {})()
        self.found.append((name, text, entry))
        return entry

    def separator(self):
        pass


def test_menus_have_every_format(context):
    import ligament

    menus = context.module("ui.menus")
    for menu, wanted, extra in (("export", [f for f in ligament.formats() if f.writes], 0),
                                ("import", [f for f in ligament.formats() if f.reads], 1)):
        layout = Entries()
        owner = type("Menu", (), {"layout": layout})()
        getattr(menus, f"TOPBAR_MT_ligament_{menu}").draw(owner, bpy.context)
        assert len(layout.found) == len(wanted) + extra
        for f in wanted:
            entry = next(e for e in layout.found if getattr(e[2], "format", None) == f.id)
            assert f.name in entry[1] and "." + f.extensions[0] in entry[1]
    assert len(ligament.formats()) >= 10


def test_options_are_those_of_the_formats(context):
    import ligament

    elsewhere = context.module("ui.options").ELSEWHERE
    for kind, operator in (("write_options", bpy.ops.export_scene.ligament), ("read_options", bpy.ops.import_scene.ligament)):
        properties = operator.get_rna_type().properties
        names = {o.name for f in ligament.formats() for o in getattr(f, kind)} - elsewhere
        assert names and all(name in properties for name in names), names
        for f in ligament.formats():
            for option in getattr(f, kind):
                if option.name in properties and option.kind == "word":
                    items = {item.identifier for item in properties[option.name].enum_items}
                    assert {choice.id for choice in option.choices} <= items


def test_operators_have_presets_and_undo(_context):
    assert "PRESET" in bpy.types.EXPORT_SCENE_OT_ligament.bl_options
    assert {"PRESET", "UNDO"} <= bpy.types.IMPORT_SCENE_OT_ligament.bl_options


def test_a_preset_can_be_saved_and_used(context):
    """Does the same as the file browser's menu: the operator's properties become a script of assignments."""
    folder = os.path.join(bpy.utils.user_resource("SCRIPTS", path="presets", create=True), "operator", "export_scene.ligament")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "engine.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write("op.format = 'pfobj'\nop.dialect = 'engine'\nop.clips = 'ACTIVE'\n")
    operator = type("Operator", (), {})()
    exec(compile(open(path, encoding="utf-8").read(), path, "exec"), {"op": operator})
    building.empty_file()
    scenes.bend()
    out = os.path.join(context.scratch, "preset.pfobj")
    bpy.ops.export_scene.ligament(filepath=out, **vars(operator))
    text = open(out, encoding="utf-8").read()
    assert "as_swing" not in text and "twist" in text, "the preset asks for the active action alone"


def test_files_can_be_dropped(context):
    import ligament

    if not hasattr(bpy.types, "FileHandler"):
        return
    handler = bpy.types.IO_FH_ligament
    known = set(handler.bl_file_extensions.split(";"))
    for f in ligament.formats():
        for extension in f.extensions:
            assert "." + extension.rsplit(".", 1)[-1] in known
    assert handler.bl_import_operator == "import_scene.ligament"
    # Dropping passes a folder and files.
    building.empty_file()
    out = os.path.join(context.scratch, "dropped.glb")
    scenes.bend()
    bpy.ops.export_scene.ligament(filepath=out, format="gltf")
    building.empty_file()
    bpy.ops.import_scene.ligament(directory=context.scratch, files=[{"name": "dropped.glb"}])
    assert {item.type for item in bpy.data.objects} == {"ARMATURE", "MESH"}


def test_the_report_is_in_the_text_editor(context):
    building.empty_file()
    scenes.curves_and_friends()
    bpy.ops.export_scene.ligament(filepath=os.path.join(context.scratch, "report.amo"), format="amo")
    text = bpy.data.texts["ligament report"].as_string()
    assert "lattice 'Lattice': objects of this type are not exported [BL101]" in text
    assert "curve 'Curve': converted to a mesh [BL102]" in text
    assert "worst deviation" in text


def test_the_pop_up_shows_what_matters_first(context):
    """The proof, then losses by size; noise comes last, in one line."""
    output, notes = context.module("ui.output"), context.module("notes").Notes()
    for number in range(50):
        notes.add("BL113", f"node 'bone{number}'", "is sheared by its ancestors; the shear is dropped", 1, 1e-5 * number)
    notes.add("BL102", "curve 'Curve'", "converted to a mesh")
    notes.add("BL115", "image 'wood'", "has no pixels")
    notes.add("BL112", "mesh 'Hat'", "moves relative to 'Rig', which a skin cannot do", 1, 0.2)
    notes.add("BL112", "mesh 'Coat'", "moves relative to 'Rig', which a skin cannot do", 1, 0.4)
    notes.add("BL101", "lattice 'Lattice'", "objects of this type are not exported")
    text = "a → b   9 vertices\n  worst deviation 6 %\n  approximated  clip 'x': sampled [LS015]"
    lines = output.shown(*((output._parts(text)[0]), notes.grouped(), output._parts(text)[1]))
    wanted = ("a → b", "worst deviation", "mesh 'Coat', mesh 'Hat' (2, up to 0.4)", "lattice", "image", "LS015",
              "node 'bone49', node 'bone48', node 'bone47' and 47 more (50, up to 0.00049)", "curve")
    assert len(lines) == len(wanted) and all(part in line for part, line in zip(wanted, lines)), lines
    assert len(lines) < output.SHOWN
    assert len(notes.lines()) == 55, "the text has every line"


class Layout:
    """A mock of a panel that records the drawn properties, which the operator must have."""

    def __init__(self, operator):
        self.properties, self.found = operator.get_rna_type().properties, []

    def prop(self, _owner, name, text=""):
        assert name in self.properties, name
        self.found.append(name)

    def box(self):
        return self

    def label(self, text):
        assert text


def test_panels_show_what_the_format_lists(context):
    import ligament

    operators, elsewhere = context.module("ui.operators"), context.module("ui.options").ELSEWHERE
    for f in ligament.formats():
        if f.writes:
            panel = type("Panel", (), {"layout": Layout(bpy.ops.export_scene.ligament), "format": f.id, "chosen": f,
                                          "modifiers": "SHOWN", "clips": "SCENE",
                                          **{f"use_{o.name}": True for o in f.write_options}})()
            operators.ExportBase.draw(panel, bpy.context)
            wanted = {option.name for option in f.write_options} - elsewhere
            assert wanted <= set(panel.layout.found), (f.id, wanted, panel.layout.found)
            assert ("dialect" in panel.layout.found) == (sum(d.writes for d in f.dialects) > 1), f.id
        panel = type("Panel", (), {"layout": Layout(bpy.ops.import_scene.ligament), "format": f.id,
                                   **{f"use_{o.name}": True for o in f.read_options}})()
        operators.ImportBase.draw(panel, bpy.context)
        own = {"format", "merge", "bones", "pack", "own_collection", "set_frames"}
        found = {name for name in panel.layout.found if not name.startswith("use_")}
        assert {option.name for option in f.read_options} - elsewhere == found - own


def test_a_format_that_is_not_known_yet_has_no_options_of_its_own(context):
    import ligament

    operators = context.module("ui.operators")
    panel = type("Panel", (), {"layout": Layout(bpy.ops.import_scene.ligament), "format": "AUTO", "use_max_memory": False})()
    operators.ImportBase.draw(panel, bpy.context)
    for f in (f for f in ligament.formats() if f.reads):
        own = {option.name for option in f.read_options if not option.general}
        assert not own & set(panel.layout.found), (f.id, panel.layout.found)


def test_the_extension_selects_the_format(context):
    """Called by a script: without a format, and with one that contradicts the name."""
    import ligament

    building.empty_file()
    scenes.bend()
    folder = os.path.join(context.scratch, "extensions")
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    starts = {"robot.glb": b"glTF", "robot.gltf": b"{", "robot.bgl": b"", "robot.apg": b"", "robot.obj": b"", "robot.qmsh": b"TFQMSH",
              "robot.fbx": b"Kaydara FBX Binary", "robot.dae": b"<?xml"}
    for name, start in starts.items():
        path = os.path.join(folder, name)
        bpy.ops.export_scene.ligament(filepath=path, clips="NONE")
        data = open(path, "rb").read()
        assert data.startswith(start) and data, (name, data[:20])
        assert ligament.load(path).report.from_format == ligament.detect(path), name
    # A name without an extension gets the format's.
    bpy.ops.export_scene.ligament(filepath=os.path.join(folder, "plain"), format="apg", clips="NONE")
    assert os.path.isfile(os.path.join(folder, "plain.apg"))
    before = sorted(os.listdir(folder))
    for name, format_id, said in (("x.fbx", "gltf", "'x.glb'"), ("x.pfobj", "gltf", "'x.glb'"), ("x.blend", "AUTO", "choose a format"),
                                  ("x", "AUTO", "choose a format")):
        try:
            bpy.ops.export_scene.ligament(filepath=os.path.join(folder, name), format=format_id)
            raise AssertionError(f"{name} was written as {format_id}")
        except RuntimeError as error:
            assert said in str(error) and "Traceback" not in str(error), str(error)
    assert sorted(os.listdir(folder)) == before


def test_the_exporters_of_a_collection_name_their_files(context):
    """Blender names such a file after the first extension of all, whatever the format."""
    if not hasattr(bpy.types, "FileHandler"):
        return
    building.empty_file()
    scenes.bend()
    folder = os.path.join(context.scratch, "exporters")
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    part = bpy.data.collections.new("Exp")
    bpy.context.scene.collection.children.link(part)
    for item in bpy.data.objects:
        part.objects.link(item)
    bpy.context.view_layer.active_layer_collection = bpy.context.view_layer.layer_collection.children["Exp"]
    bpy.ops.collection.exporter_add(name="IO_FH_ligament")
    exporter = part.exporters[0]
    exporter.export_properties.format = "gltf"
    bpy.ops.wm.save_as_mainfile(filepath=os.path.join(folder, "scene.blend"))
    bpy.ops.collection.export_all()
    found = {name for name in os.listdir(folder) if not name.startswith("scene.blend")}
    assert found == {"Exp.glb"}, found
    assert open(os.path.join(folder, "Exp.glb"), "rb").read(4) == b"glTF"


def test_extensions_follow_the_format(context):
    import ligament

    with_extension = context.module("ui.operators").with_extension
    formats = {f.id: f for f in ligament.formats()}
    for path, f, wanted in (("/a/robot.glb", "pfobj", "/a/robot.pfobj"), ("/a/robot.qmsh.tmp", "gltf", "/a/robot.glb"),
                            ("/a/robot.v2", "apg", "/a/robot.v2.apg"), ("/a/robot.gltf", "gltf", "/a/robot.gltf"),
                            ("/a/", "apg", "/a/"), ("/a/Robot.OBJ", "obj", "/a/Robot.OBJ")):
        assert with_extension(path, formats[f]) == wanted, (path, f)


def test_a_dialect_is_of_one_format_only(context):
    numbers = {}
    for f, items in context.module("ui.operators")._DIALECTS.items():
        for identifier, *_, number in items[1:]:
            assert number not in numbers, (f, identifier, numbers[number])
            numbers[number] = (f, identifier)
    assert len(numbers) > 10
    building.empty_file()
    scenes.bend()
    # As typed by a user who mixes them up.
    try:
        bpy.ops.export_scene.ligament(filepath=os.path.join(context.scratch, "d.pfobj"), format="pfobj", dialect="binary")
        raise AssertionError("PFOBJ has no binary dialect")
    except TypeError as error:
        assert "binary" in str(error)


def test_a_collection_exports_its_objects(context):
    import ligament

    building.empty_file()
    scenes.two_armatures()
    part = bpy.data.collections.new("Part")
    bpy.context.scene.collection.children.link(part)
    part.objects.link(bpy.data.objects["RightTube"])
    out = os.path.join(context.scratch, "collection.glb")
    bpy.ops.export_scene.ligament(filepath=out, format="gltf", collection="Part")
    names = {node.name for node in ligament.load(out).nodes}
    assert "RightTube" in names and "Right" in names and "Left" not in names


def test_it_can_be_switched_off_and_on(context):
    bpy.ops.preferences.addon_disable(module=context.package)
    assert not hasattr(bpy.types, "EXPORT_SCENE_OT_ligament")
    bpy.ops.preferences.addon_enable(module=context.package)
    assert hasattr(bpy.types, "EXPORT_SCENE_OT_ligament")


def test_only_what_is_selected(context):
    import ligament

    building.empty_file()
    scenes.two_armatures()
    for item in bpy.data.objects:
        item.select_set(item.name == "LeftTube")
    out = os.path.join(context.scratch, "selected.glb")
    bpy.ops.export_scene.ligament(filepath=out, format="gltf", selected=True)
    scene = ligament.load(out)
    names = {node.name for node in scene.nodes}
    assert "Left" in names and "Right" not in names and "RightTube" not in names, names
    assert len(scene.skins) == 1, "the armature comes with its mesh"


def test_clips_as_they_are_asked_for(context):
    import ligament

    found = {}
    for clips in ("ACTIONS", "ACTIVE", "NLA", "SCENE", "NONE"):
        building.empty_file()
        scenes.bend()
        bpy.context.scene.name, bpy.context.scene.frame_end = "Whole", 20
        out = os.path.join(context.scratch, "clips.glb")
        bpy.ops.export_scene.ligament(filepath=out, format="gltf", clips=clips)
        found[clips] = {clip.name: round(clip.duration * 24) for clip in ligament.load(out).clips}
    assert found == {"ACTIONS": {"swing": 24, "twist": 8}, "ACTIVE": {"twist": 8}, "NLA": {"swing": 24},
                     "SCENE": {"Whole": 19}, "NONE": {}}, found


def test_options_reach_the_library(context):
    import ligament

    building.empty_file()
    scenes.uneven_weights()
    out = os.path.join(context.scratch, "options.glb")
    bpy.ops.export_scene.ligament(filepath=out, format="gltf", influences=2, up="z", scale=2.0)
    scene = ligament.load(out)
    starts = scene.meshes[0].parts[0].influences.starts
    assert (starts[1:] - starts[:-1]).max() == 2
    box = scene.pose().positions
    assert abs((box.max(axis=0) - box.min(axis=0))[2] - 8.0) < 1e-3, "four metres high, twice as large, Z up"


def test_materials_come_back(context):
    """Principled to Phong and back, with a texture beside the file and without."""
    import ligament

    building.empty_file()
    item = building.link("Box", building.box("Box"))
    item.data.materials.append(building.principled("painted", (0.5, 0.25, 0.125, 1.0), building.checker()))
    other = building.link("Other", building.box("Other"))
    other.location = (3, 0, 0)
    other.data.materials.append(building.principled("plain", (0.5, 0.25, 0.125, 1.0)))
    glb = os.path.join(context.scratch, "materials.glb")
    obj = os.path.join(context.scratch, "materials.obj")
    bpy.ops.export_scene.ligament(filepath=glb, format="gltf")
    bpy.ops.export_scene.ligament(filepath=obj, format="obj")
    with open(glb, "rb") as file:
        assert file.read(4) == b"glTF", "the extension chooses the dialect"
    scene = ligament.load(glb)
    plain = next(m for m in scene.materials if m.name == "plain")
    assert [round(v, 4) for v in plain.pbr.base_color] == [0.5, 0.25, 0.125, 1.0] and round(plain.pbr.roughness, 4) == 0.4
    painted = next(m for m in scene.materials if m.name == "painted")
    assert painted.pbr.base_color_texture is not None
    assert os.path.isfile(os.path.join(context.scratch, "checker.png"))
    building.empty_file()
    bpy.ops.import_scene.ligament(filepath=obj)
    shader = next(n for n in bpy.data.materials["plain"].node_tree.nodes if n.type == "BSDF_PRINCIPLED")
    assert [round(v, 3) for v in shader.inputs["Base Color"].default_value[:3]] == [0.5, 0.25, 0.125]
    image = next(n for n in bpy.data.materials["painted"].node_tree.nodes if n.type == "TEX_IMAGE").image
    assert tuple(image.size) == (8, 8), "the picture beside the file is found"
    # The Phong values of a file are restored if nothing was changed, and discarded otherwise.
    phong, again = (os.path.join(context.scratch, name) for name in ("phong.pfobj", "again.pfobj"))
    bpy.ops.export_scene.ligament(filepath=phong, format="pfobj")
    with open(phong, encoding="utf-8") as file:
        lines = ["   ambient 0.7" if line.strip().startswith("ambient") else line for line in file.read().splitlines()]
    with open(phong, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    building.empty_file()
    bpy.ops.import_scene.ligament(filepath=phong)
    bpy.ops.export_scene.ligament(filepath=again, format="pfobj")
    before, after = ({m.name: m.phong for m in ligament.load(path).materials} for path in (phong, again))
    assert len(before) == 2 and set(before) == set(after)
    for name, block in before.items():
        assert all(abs(value - 0.7) < 1e-6 for value in block.ambient)
        for part in ("diffuse", "specular", "ambient"):
            off = max(abs(a - b) for a, b in zip(getattr(block, part), getattr(after[name], part)))
            assert off < 1e-5, (name, part, block, after[name])
    for material in bpy.data.materials:
        shader = next(n for n in material.node_tree.nodes if n.type == "BSDF_PRINCIPLED")
        shader.inputs["Roughness"].default_value = 0.9
    bpy.ops.export_scene.ligament(filepath=again, format="pfobj")
    assert all(m.phong.ambient[0] > 0.9 for m in ligament.load(again).materials), "derived anew"


def test_tips_of_bones_are_kept(context):
    """Bones keep their direction through a format that has tips."""
    building.empty_file()
    scenes.bend()
    rig = bpy.data.objects["Rig"]
    before = {b.name: (b.head_local.copy(), b.tail_local.copy()) for b in rig.data.bones}
    out = os.path.join(context.scratch, "tips.pfobj")
    bpy.ops.export_scene.ligament(filepath=out, format="pfobj")
    building.empty_file()
    bpy.ops.import_scene.ligament(filepath=out)
    rig = next(item for item in bpy.data.objects if item.type == "ARMATURE")
    assert len(rig.data.bones) == len(before)
    for name, (head, tail) in before.items():
        bone = rig.data.bones[name]
        assert (bone.head_local - head).length < 1e-4 and (bone.tail_local - tail).length < 1e-4, (name, bone.tail_local, tail)


def test_cameras_and_lights_come_back(context):
    building.empty_file()
    scenes.camera_and_lights()
    before = {o.name: o.matrix_world.copy() for o in bpy.data.objects if o.type in {"CAMERA", "LIGHT"}}
    bpy.context.view_layer.update()
    before = {o.name: (o.matrix_world.copy(), getattr(o.data, "energy", 0.0)) for o in bpy.data.objects if o.name in before}
    angle = bpy.data.cameras["Camera"].angle_x
    out = os.path.join(context.scratch, "lamps.glb")
    bpy.ops.export_scene.ligament(filepath=out, format="gltf")
    building.empty_file()
    bpy.ops.import_scene.ligament(filepath=out)
    for name, (matrix, energy) in before.items():
        item = bpy.data.objects[name]
        off = max(abs(a - b) for r, s in zip(item.matrix_world, matrix) for a, b in zip(r, s))
        assert off < 1e-5, (name, item.matrix_world, matrix)
        assert abs(getattr(item.data, "energy", 0.0) - energy) < 1e-3 * max(energy, 1.0)
    render = bpy.context.scene.render
    from math import atan, tan
    wide = 2 * atan(tan(bpy.data.cameras["Camera"].angle_y / 2) * render.resolution_x / render.resolution_y)
    assert abs(wide - angle) < 1e-4


def test_the_command_line_exports_and_imports(context):
    batch = context.module("batch")
    building.empty_file()
    scenes.bend()
    blend, out = os.path.join(context.scratch, "batch.blend"), os.path.join(context.scratch, "batch.pfobj")
    told = os.path.join(context.scratch, "batch.json")
    for path in glob.glob(os.path.join(context.scratch, "batch.*")):
        os.remove(path)
    bpy.ops.wm.save_as_mainfile(filepath=blend)
    arguments = [out, "--dialect", "engine", "--report", told]
    if bpy.app.version < (4, 2, 0):
        # As typed by a user, in a Blender of its own.
        script = "import ligament_io.batch; ligament_io.batch.main()"
        command = [bpy.app.binary_path, "-b", blend, "--addons", "ligament_io", "--python-expr", script, "--", "export",
                   *arguments]
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ)
        assert done.returncode == 0, done.stdout + done.stderr
    else:
        # PyPI's bpy is not a program, so this calls the function behind `--command ligament_export`.
        assert batch._commands, "the commands are registered"
        assert batch.export(arguments) == 0
    report = json.load(open(told, encoding="utf-8"))
    assert report[0]["ok"] and report[0]["dialect"] == "engine" and os.path.isfile(out), report
    assert batch.export([os.path.join(context.scratch, "no", "such", "folder.glb")]) == 1
    assert batch.export(["x.glb", "--clips", "nonsense"]) == 2
    building.empty_file()
    assert batch.import_files([out, "--save", os.path.join(context.scratch, "batch2.blend")]) == 0
    assert any(item.type == "ARMATURE" for item in bpy.data.objects)
    assert sys.version_info >= (3, 10)
