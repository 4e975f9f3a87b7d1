//! Codes of the operations on joints and rigs.

crate::report::codes! {
    NO_JOINT = "RG050", "no such joint",
        "A joint was named that the model does not have.",
        "ligament convert --prune-joints --keep-joint Hnad robot.glb robot-lean.glb",
        "Name a joint of the model; `ligament rig FILE` lists them.";
    PRUNED = "RG051" of "joint"/"joints", "joints removed",
        "--prune-joints was given: joints that move no vertex and carry nothing were removed. The motion of those between other joints is folded into the joints below them, with as many keys as that takes. The model was posed as before and with the joints that are left; the message says how far any vertex is off at most.",
        "ligament convert --prune-joints=deforming rig.fbx lean.glb",
        "Nothing to do: this is what was asked for. --keep-joint NAME keeps a joint that something outside of the file needs.";
    JOINT_STAYS = "RG052" of "joint"/"joints", "joints that cannot be removed",
        "--prune-joints=deforming was given, and joints that deform nothing stay: their scale differs along the axes, which no joint below could take over, or their motion would have to be copied to too many joints.",
        "a control bone that stretches along one axis in a clip",
        "Nothing, if a few more joints do no harm; otherwise bake the animation of the deforming joints in the program that made it.";
    NOT_PRUNED = "RG053", "no joint removed",
        "--prune-joints was given, and there was no joint to remove.",
        "ligament convert --prune-joints fox.glb fox-lean.glb, where every joint moves vertices or carries one that does",
        "Nothing to do; --prune-joints=deforming also removes joints whose motion others can take over.";
}
