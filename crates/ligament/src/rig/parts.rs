//! Parts of a body, as joints are called after them: `LeftUpLeg`, `thigh_l`, `Bip01 L Thigh` are one.

use crate::passes::operations::bare;

/// What a name says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Part {
    /// −1 left, 1 right, 0 neither.
    side: i8,
    what: &'static str,
}

/// Each part with the words for it, without sides, numbers and signs between words.
const WORDS: &[(&str, &[&str])] = &[
    ("hips", &["hips", "pelvis", "hip"]),
    (
        "spine",
        &["spine", "waist", "torso", "abdomen", "chest", "upperchest", "ribcage", "spinelower", "spineupper"],
    ),
    ("neck", &["neck"]),
    ("head", &["head"]),
    ("jaw", &["jaw"]),
    ("eye", &["eye", "eyeball"]),
    ("shoulder", &["shoulder", "clavicle", "collar", "collarbone"]),
    ("upper arm", &["arm", "upperarm", "uparm", "armupper", "bicep", "humerus"]),
    ("forearm", &["forearm", "lowerarm", "lowarm", "armlower", "elbow"]),
    ("hand", &["hand", "wrist"]),
    ("thigh", &["thigh", "upleg", "upperleg", "legupper", "femur"]),
    ("shin", &["leg", "calf", "shin", "lowerleg", "lowleg", "leglower", "knee"]),
    ("foot", &["foot", "ankle"]),
    ("toe", &["toe", "toes", "toebase", "ball"]),
    ("thumb", &["thumb", "handthumb", "fingerthumb", "fthumb"]),
    ("index finger", &["index", "handindex", "fingerindex", "findex", "indexfinger"]),
    ("middle finger", &["middle", "handmiddle", "fingermiddle", "fmiddle", "middlefinger"]),
    ("ring finger", &["ring", "handring", "fingerring", "fring", "ringfinger"]),
    (
        "little finger",
        &["pinky", "handpinky", "fingerpinky", "fpinky", "little", "littlefinger", "handlittle"],
    ),
];

/// Words that programs put into every name.
const NOISE: &[&str] = &[
    "bip",
    "biped",
    "bone",
    "bones",
    "jnt",
    "joint",
    "j",
    "b",
    "bn",
    "def",
    "deform",
    "org",
    "mch",
    "ctrl",
    "cc",
    "base",
    "skel",
    "skeleton",
    "rig",
    "armature",
    "valve",
    "valvebiped",
    "mixamorig",
    "character",
];

/// The part of a body that a joint is called after.
pub(super) fn part(name: &str) -> Option<Part> {
    let mut side = 0;
    let mut left = String::new();
    for word in words(bare(name)) {
        match word.as_str() {
            "l" | "left" | "lft" => side = -1,
            "r" | "right" | "rgt" => side = 1,
            word if NOISE.contains(&word) && word != "base" => {}
            word => left += word,
        }
    }
    // Joints at the ends of chains are no parts.
    let what = WORDS.iter().find(|(_, words)| words.contains(&left.as_str()))?.0;
    // A hip on a side is a thigh.
    let what = if what == "hips" && side != 0 { "thigh" } else { what };
    Some(Part { side, what })
}

/// The words of a name in small letters, without numbers.
fn words(name: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let (mut last_is_small, mut is_open) = (false, false);
    for c in name.chars() {
        if !c.is_alphabetic() {
            (is_open, last_is_small) = (false, false);
            continue;
        }
        if !is_open || (c.is_uppercase() && last_is_small) {
            all.push(String::new());
        }
        (is_open, last_is_small) = (true, c.is_lowercase());
        if let Some(word) = all.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_many_programs_are_the_same_parts() {
        let same = [
            (
                -1,
                "thigh",
                [
                    "mixamorig:LeftUpLeg",
                    "thigh_l",
                    "Bip01 L Thigh",
                    "DEF-thigh.L",
                    "upperleg_left",
                    "LeftHip",
                ],
            ),
            (
                1,
                "shin",
                ["mixamorig:RightLeg", "calf_r", "Bip01 R Calf", "DEF-shin.R", "lowerleg_right", "RightKnee"],
            ),
            (
                -1,
                "upper arm",
                ["LeftArm", "upperarm_l", "Bip01 L UpperArm", "DEF-upper_arm.L", "UpArm_L", "L_Bicep"],
            ),
            (
                0,
                "hips",
                ["Hips", "pelvis", "Bip01 Pelvis", "ValveBiped.Bip01_Pelvis", "hip", "mixamorig1_Hips"],
            ),
            (0, "spine", ["Spine", "spine_01", "Bip01 Spine1", "DEF-spine.003", "Spine2", "chest"]),
            (
                1,
                "index finger",
                [
                    "RightHandIndex1",
                    "index_01_r",
                    "DEF-f_index.01.R",
                    "IndexFinger3_R",
                    "r_index",
                    "finger_index_R",
                ],
            ),
            (-1, "toe", ["LeftToeBase", "ball_l", "toe.L", "Toes_L", "L_Toe", "left_toes"]),
        ];
        for (side, what, names) in same {
            for name in names {
                assert_eq!(part(name), Some(Part { side, what }), "{name}");
            }
        }
        for other in ["HeadTop_End", "IK_hand_l", "", "cape", "twist_arm_l"] {
            assert_eq!(part(other), None, "{other}");
        }
    }
}
