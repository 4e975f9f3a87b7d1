//! Codes of advice.

crate::report::codes! {
    SEAM = "SC101", "loop with a seam",
        "Nearly everything that moves in the clip ends where it began, so it is probably played in a loop, but a joint jumps from the last key to the first: by at least half a degree or a five-hundredth of the model's size, and by more than twice what it moves in a frame there. The movement of the model as a whole is not counted.",
        "a walk whose last key has the arm two degrees away from where the first key has it",
        "Copy the first key to the end of the clip, or blend the last keys into it.";
    FLIP = "SC102", "quaternion changes its sign",
        "A rotation and its negative are the same, but interpolation between them is not. In a cubic track (a warning), the joint turns the long way round. In a linear track (a note), ligament and most programs turn the short way; those that interpolate number by number do not.",
        "the rotations (0, 0, 0.1, 0.99) and (0, 0, -0.2, -0.98) at neighbouring keys",
        "Negate every key that has a negative dot product with the one before it.";
    SLIDE = "SC103", "sliding foot",
        "The model walks (its root moves by at least a fifth of its size), and a joint named like a foot or toe moves along the ground by more than a twentieth of the model's size while it stays at its lowest height.",
        "a walk exported with a shorter stride than its root moves",
        "Adapt the movement of the root to that of the feet, or pin the feet in the authoring tool.";
    NO_KEYS = "SC104", "joint without keys",
        "The clip animates at least nine in ten of the joints that move in any clip, but not this one. It stays at rest, or where the clip before it left it, depending on the program.",
        "a run that lacks the keys of one finger",
        "Add a key in the joint's pose, or export all joints in every clip.";
    WEIGHT_SUM = "SC105", "weights do not sum to one",
        "The weights of a vertex sum to less than 0.99 or more than 1.01. Posing divides by the sum; programs that do not deform the mesh differently.",
        "a vertex with the weights 1 and 0.5",
        "Normalise the weights in the authoring tool.";
}
