//! Codes of the operations on joints and rigs.

crate::report::codes! {
    NO_JOINT = "RG050", "no such joint",
        "A joint was named that the model does not have.",
        "ligament convert --prune-joints --keep-joint Hnad robot.glb robot-lean.glb",
        "Name a joint of the model; `ligament rig list FILE` lists them.";
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
    RENAMED_JOINTS = minor "RG054" of "joint"/"joints", "joints renamed",
        "--rename-joints was given: joints have other names. Nothing else changes.",
        "ligament convert --rename-joints 'mixamorig:*=*' hero.fbx hero.glb",
        "Nothing to do: this is what was asked for.";
    REORDERED = "RG055" of "joint"/"joints", "joints in another order",
        "--reorder-joints was given: every skin has the joint list of another file, and influences have other numbers. The model was posed as before and with the new list; the message says how far any vertex is off at most.",
        "ligament convert --reorder-joints hero.glb armour.fbx armour.glb",
        "Nothing to do: this is what was asked for.";
    JOINTS_ADDED = "RG056" of "joint"/"joints", "joints added",
        "--reorder-joints was given, and the other file has joints that the model does not have. They were added, so that the lists are the same: below the same joint as there, and without weight on any vertex.",
        "ligament convert --reorder-joints hero.glb glove.fbx glove.glb, where only hero.glb has toes",
        "Nothing to do, if the lists must be the same.";
    NOT_IN_LIST = "RG057", "joints that the other list does not have",
        "--reorder-joints was given, and the model has joints that the other file does not have. They come last, so the lists are the same up to there.",
        "ligament convert --reorder-joints hero.glb cape.fbx cape.glb, where only cape.fbx has joints in the cape",
        "--prune-joints removes them if nothing needs them; --rename-joints gives them the names that they have in the other file.";
    MERGED = "RG058" of "skin"/"skins", "skins merged",
        "--merge-skins was given: meshes that had skins of their own share one. A mesh that was bound in another place was moved to where the shared one binds it. The model was posed as before and after; the message says how far any vertex is off at most.",
        "ligament convert --merge-skins parts.glb one.glb",
        "Nothing to do: this is what was asked for.";
    SKIN_STAYS = "RG059" of "skin"/"skins", "skins that cannot be merged",
        "--merge-skins was given, and skins bind the same joints in different poses. One inverse bind matrix per joint cannot pose both.",
        "a body that was bound in a T-pose and a coat that was bound in an A-pose",
        "Bind the meshes in the same pose, or keep both skins.";
    NOT_MERGED = "RG060", "no skin merged",
        "--merge-skins was given, and the model has no two skins that could be one.",
        "ligament convert --merge-skins fox.glb out.glb",
        "Nothing to do.";
    REST_POSE = "RG061" of "node"/"nodes", "another rest pose",
        "--rest-pose was given: the model rests in a pose of a clip, or in the one in which its meshes are bound. Clips stay as they are: what one of them does not move has a key where it was at rest. Inverse bind matrices stay too. The message says how far any vertex of a clip is off at most.",
        "ligament convert --rest-pose 'walk@0' hero.fbx hero.glb",
        "Nothing to do: this is what was asked for.";
    SCALE_APPLIED = "RG062" of "node"/"nodes", "scale applied",
        "--apply-scale was given: roots have a scale of 1. What is below them has their size: translations with their keys, vertices, and inverse bind matrices. The model was posed as before and after; the message says how far any vertex is off at most.",
        "ligament convert --apply-scale hero.fbx hero.glb, where the armature has a scale of 0.01",
        "Nothing to do: this is what was asked for.";
    SCALE_STAYS = "RG063" of "node"/"nodes", "scale that cannot be applied",
        "--apply-scale was given, and a root has a scale that differs along the axes, which would shear what is turned below it, or one of zero; or its mesh is drawn in another size too.",
        "an armature that is scaled along one axis",
        "Apply the scale in the program that made the model.";
    NO_SCALE = "RG064", "no scale to apply",
        "--apply-scale was given, and every root has a scale of 1 already.",
        "ligament convert --apply-scale fox.glb out.glb",
        "Nothing to do.";
    ADDITIVE = "RG065", "additive clip",
        "--additive was given: a clip holds what it does beyond a reference pose. Rotations are the reference's, times the clip's; translations and weights of morph targets are added; scales are multiplied along each axis. The reference with the clip on top was posed beside the source; the message says how far any vertex is off at most.",
        "ligament convert --additive lean --reference idle@0 hero.glb hero-additive.glb",
        "Nothing to do: this is what was asked for. Such a clip is played on top of another one.";
    RETARGETED = "RG066", "clip for another rig",
        "--retarget was given: a clip of another file moves the joints that a map names. The message says how far joints point elsewhere than in the source at most, and how far the last joints of each chain are, at most, from where the source has them in relation to the topmost joint and the sizes of the rigs. These are measurements and no proof: rigs with other joints cannot show the same.",
        "ligament convert hero.glb out.glb --clips-from walk.fbx --retarget map.toml",
        "Look at the clip on both; `ligament rig compare` shows where the rigs differ.";
}
