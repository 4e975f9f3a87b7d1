"""What to export of the open file: one row per setting, from which the operator's properties, its panels and the command line's
options are made."""

from dataclasses import dataclass, field, fields

CLIPS = (
    ("ACTIONS", "All actions", "One clip per action of the objects"),
    ("ACTIVE", "Active actions", "One clip with the actions that the objects play now"),
    ("NLA", "NLA strips", "One clip per name of a strip in the NLA editor"),
    ("SCENE", "Scene", "One clip with the scene's frames and everything that moves"),
    ("NONE", "None", "No clips"),
)
MODIFIERS = (
    ("SHOWN", "As shown", "Apply modifiers, and bake what they move into joints or morph targets. Motion that only follows an "
     "armature stays a skin"),
    ("EVERYTHING", "As shown, armatures too", "Bake everything that a skin cannot do as well: Preserve Volume, bendy bones, smoothing "
     "after the armature"),
    ("APPLY", "Apply once", "Export meshes with their modifiers applied as in the current frame"),
    ("OFF", "Off", "Export meshes without their modifiers"),
)
PROOFS = (
    ("FEW", "A few frames", "Compare a few frames of every clip with what Blender shows"),
    ("ALL", "All frames", "Compare every frame of every clip with what Blender shows"),
    ("NONE", "None", "Do not compare with what Blender shows"),
)
# The panels, in order: a name, a title, and whether it is closed at first.
PANELS = (("include", "Include", False), ("meshes", "Meshes", False), ("armatures", "Armatures", True),
          ("animation", "Animation", False), ("proof", "Proof", True))


def _row(panel, default, title, text, **more):
    """`more`: the `items` of a choice, or the `least` and `most` of a number."""
    return field(default=default, metadata={"panel": panel, "title": title, "text": text, **more})


@dataclass
class Settings:
    """What to export of the open file."""

    selected: bool = _row("include", False, "Selected only", "Only selected objects, and the armatures that deform them")
    visible: bool = _row("include", True, "Visible only", "Only objects that the viewport shows. Otherwise hidden objects are shown meanwhile")
    renderable: bool = _row("include", False, "Renderable only", "Only objects that are not disabled in renders")
    active_collection: bool = _row("include", False, "Active collection", "Only objects of the active collection and the collections in it")
    # Set by a collection's own exporters; empty means all objects.
    collection: str = _row(None, "", "Collection", "Only objects of the collection with this name")
    cameras: bool = _row("include", True, "Cameras", "Export cameras")
    lights: bool = _row("include", True, "Lights", "Export lights and the colour of the world")
    materials: bool = _row("include", True, "Materials", "Export materials")
    custom_properties: bool = _row("include", True, "Custom properties", "Export custom properties as extras")
    modifiers: str = _row("meshes", "SHOWN", "Modifiers", "How to export modifiers", items=MODIFIERS)
    most_targets: int = _row("meshes", 64, "Most targets", "The largest number of morph targets that the motion of one mesh is baked into",
                             least=1, most=256)
    shape_keys: bool = _row("meshes", True, "Shape keys", "Export shape keys as morph targets. Otherwise meshes have their basis shape")
    loose: bool = _row("meshes", True, "Loose edges and points", "Export edges without faces and vertices without edges")
    only_deform_bones: bool = _row("armatures", False, "Only deforming bones",
                                   "Skip bones that do not deform; their children go to the next deforming bone")
    flatten_bones: bool = _row("armatures", False, "Flatten bones", "Every bone is a child of the armature. Rigs that stretch bones "
                               "(Rigify) are exact then")
    leaf_bones: bool = _row("armatures", False, "Leaf bones", "Add a node at the tip of each bone without children")
    pose_as_rest: bool = _row("armatures", False, "Current pose as rest", "The file's rest pose is the current pose of the armatures")
    clips: str = _row("animation", "ACTIONS", "Clips", "What to export as clips", items=CLIPS)
    only_clips: str = _row("animation", "", "Only", "Names of the clips to export, separated by commas. * stands for any text: walk*, run")
    playback_range: bool = _row("animation", False, "Playback range", "Only frames within the scene's frame range")
    step: int = _row("animation", 1, "Step", "Sample every n-th frame", least=1, most=1000)
    keep_channels: bool = _row("animation", True, "Keep channels", "Give what any clip moves a key at rest in the other clips, so that "
                               "no pose is left over when clips are switched")
    proof: str = _row("proof", "FEW", "Compare with Blender", "How many frames to compare with what Blender shows", items=PROOFS)

    # Called with the part of the work that is done, from 0 to 1; may raise an exception to cancel.
    progress = None

    @property
    def bakes(self):
        return self.modifiers in {"SHOWN", "EVERYTHING"}

    @property
    def applies_modifiers(self):
        return self.modifiers != "OFF"


ROWS = {row.name: row for row in fields(Settings)}
