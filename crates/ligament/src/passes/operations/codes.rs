//! Codes of the operations on clips and rigs.

crate::report::codes! {
    BAD_OPERATION = "RG001", "operation cannot be done",
        "An operation on clips or joints was asked for in a way that cannot be understood, or that this file does not allow: a stretch that leaves the clip, pieces that overlap, two clips or joints of one name.",
        "ligament convert --split all@0-900=walk fox.glb fox-walk.glb, where the clip ends at frame 60",
        "The message says what was expected; `ligament info FILE` lists clips with their lengths.";
    SPLIT = "RG002", "clip split",
        "--split was given: a stretch of a clip became a clip of its own. Keys were inserted exactly where it was cut. The message says how far any vertex is from where the stretch puts it.",
        "ligament convert --split all@0-30=walk,31-60=run robot.glb robot-clips.glb",
        "Nothing to do: this is what was asked for.";
    TRIMMED = "RG003", "clip trimmed",
        "--trim was given: a clip is now a stretch of what it was. The message says how far any vertex is from where the stretch puts it.",
        "ligament convert --trim walk@10-40 robot.glb robot-trimmed.glb",
        "Nothing to do: this is what was asked for.";
    JOINED = "RG004", "clips joined",
        "--join was given: clips play one after the other in one clip. Where the last pose of one is not the first of the next, the model jumps, as it would between the clips.",
        "ligament convert --join sit,stand=both robot.glb robot-both.glb",
        "Nothing to do: this is what was asked for.";
    REVERSED = "RG005", "clip reversed",
        "--reverse-clip was given: a clip plays backwards. A value that steps begins where it ended before.",
        "ligament convert --reverse-clip open door.glb door-close.glb",
        "Nothing to do: this is what was asked for.";
    SPEED = "RG006", "clip at another speed",
        "--speed was given: all times of a clip were divided by the factor.",
        "ligament convert --speed walk=2 robot.glb robot-fast.glb",
        "Nothing to do: this is what was asked for.";
    LOOPED = "RG007", "clip repeated",
        "--loop was given: a clip holds several rounds of what it was.",
        "ligament convert --loop walk=3 robot.glb robot-long.glb",
        "Nothing to do: this is what was asked for.";
    RENAMED = minor "RG008", "clip renamed",
        "--rename-clip was given.",
        "ligament convert --rename-clip Take001=walk robot.fbx robot.glb",
        "Nothing to do: this is what was asked for.";
    CLIPS_FROM = "RG009", "clip from another file",
        "--clips-from was given, and a clip of another file was carried over to this model's joints: by name, and through the difference of the two bind poses. It was posed on its own file and on the model; the size is how far a joint is from its counterpart at most, as a part of the model, and the message says how far it points elsewhere. Rigs of other proportions agree in direction, not in place.",
        "ligament convert hero.fbx hero.glb --clips-from walk.fbx",
        "Nothing, if the size is what the two rigs' proportions explain; otherwise look at the clip in both.";
    UNMATCHED = "RG010" of "joint"/"joints", "joints without a counterpart",
        "Joints move in a clip of another file, and the model has no joint of that name. Their motion is lost.",
        "ligament convert hero.fbx hero.glb --clips-from walk.fbx, where only walk.fbx has fingers",
        "Rename the joints so that they agree, or ignore those that the model does not need.";
    NO_COUNTERPART = "RG011", "no clip can be taken",
        "A file was named for its clips, and it has none, or none of its joints is one of the model's.",
        "ligament convert hero.fbx hero.glb --clips-from chair.glb",
        "Name a file with clips for the same rig; `ligament info FILE --tree` shows the joints.";
    EXTRACTED = "RG030", "root motion extracted",
        "--root-motion extract was given: the path of a joint became that of a node above it, and the joint stays in its place. Both together move as in the source; the message says how far any vertex is from where it was.",
        "ligament convert --root-motion extract:xz walk.fbx walk.glb",
        "Nothing to do: this is what was asked for.";
    REMOVED = "RG031" of "clip"/"clips", "root motion removed",
        "--root-motion remove was given: a joint stays in its place, and its path is dropped. The message says how far it went.",
        "ligament convert --root-motion remove walk.fbx walk.glb",
        "Use --root-motion extract to keep the path in a track of its own.";
    BAKED = "RG032", "root motion baked",
        "--root-motion bake was given: the path of a node became that of the joint below it, and the node stays in its place. The message says how far any vertex is from where it was.",
        "ligament convert --root-motion bake walk.glb walk-baked.glb",
        "Nothing to do: this is what was asked for.";
    NO_ROOT_MOTION = "RG033", "no root motion",
        "--root-motion was given, and nothing in a clip moves along the axes that it names. The clip is left as it is.",
        "ligament convert --root-motion extract:xz wave.glb out.glb, where the character stands in one place",
        "Nothing to do, if the clip is meant to stay in place; otherwise name the joint, as in extract:xz@Hips, or other axes.";
}
