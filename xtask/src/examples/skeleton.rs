//! The creature's joints.

use super::math::between;
use ligament::math::{DQuat, DVec3};

/// A joint at rest, in the model's space. The creature looks along +Z; its left is +X.
pub struct Joint {
    pub name: String,
    pub parent: Option<usize>,
    pub head: DVec3,
    pub tip: DVec3,
    /// The thickness of the flesh around it, which is the range of its influence on the skin.
    pub radius: f64,
    /// Its axes: +Y goes from head to tip.
    pub rotation: DQuat,
}

/// All joints, parents first.
pub struct Skeleton {
    pub joints: Vec<Joint>,
}

type Row = (&'static str, &'static str, [f64; 3], [f64; 3], f64);

/// Name, parent, head, tip, thickness. Rows with `_l` also stand for a mirrored joint on the right.
const ROWS: &[Row] = &[
    ("root", "", [0.0, 0.0, 0.0], [0.0, 0.0, 0.2], 0.0),
    ("hips", "root", [0.0, 0.46, -0.10], [0.0, 0.46, -0.34], 0.17),
    ("spine", "hips", [0.0, 0.47, -0.08], [0.0, 0.48, 0.12], 0.16),
    ("belly", "spine", [0.0, 0.40, 0.00], [0.0, 0.34, 0.04], 0.08),
    ("chest", "spine", [0.0, 0.48, 0.12], [0.0, 0.52, 0.30], 0.17),
    ("neck", "chest", [0.0, 0.54, 0.28], [0.0, 0.72, 0.39], 0.13),
    ("head", "neck", [0.0, 0.72, 0.39], [0.0, 0.82, 0.66], 0.24),
    ("ear_l", "head", [0.13, 0.97, 0.41], [0.26, 1.28, 0.37], 0.08),
    ("tail_1", "hips", [0.0, 0.46, -0.36], [0.0, 0.44, -0.52], 0.10),
    ("tail_2", "tail_1", [0.0, 0.44, -0.52], [0.0, 0.45, -0.68], 0.08),
    ("tail_3", "tail_2", [0.0, 0.45, -0.68], [0.0, 0.52, -0.82], 0.07),
    ("tail_4", "tail_3", [0.0, 0.52, -0.82], [0.0, 0.65, -0.91], 0.06),
    ("tail_5", "tail_4", [0.0, 0.65, -0.91], [0.0, 0.86, -0.93], 0.07),
    ("front_upper_l", "chest", [0.12, 0.46, 0.21], [0.13, 0.26, 0.18], 0.09),
    ("front_lower_l", "front_upper_l", [0.13, 0.26, 0.18], [0.13, 0.08, 0.22], 0.07),
    ("front_paw_l", "front_lower_l", [0.13, 0.08, 0.22], [0.13, 0.04, 0.31], 0.07),
    ("hind_upper_l", "hips", [0.12, 0.44, -0.27], [0.14, 0.27, -0.20], 0.12),
    ("hind_lower_l", "hind_upper_l", [0.14, 0.27, -0.20], [0.14, 0.09, -0.30], 0.07),
    ("hind_paw_l", "hind_lower_l", [0.14, 0.09, -0.30], [0.14, 0.04, -0.19], 0.07),
];

impl Skeleton {
    pub fn new() -> Self {
        let mut skeleton = Skeleton { joints: Vec::new() };
        for row in ROWS {
            skeleton.add(row, "_l", 1.0);
        }
        for row in ROWS.iter().filter(|row| row.0.ends_with("_l")) {
            skeleton.add(row, "_r", -1.0);
        }
        skeleton
    }

    fn add(&mut self, &(name, parent, head, tip, radius): &Row, side: &str, mirror: f64) {
        let named =
            |name: &str| name.strip_suffix("_l").map_or(name.to_owned(), |stem| format!("{stem}{side}"));
        let placed = |[x, y, z]: [f64; 3]| DVec3::new(x * mirror, y, z);
        let parent = (!parent.is_empty()).then(|| self.find(&named(parent)));
        let (head, tip) = (placed(head), placed(tip));
        let rotation = between(DVec3::Y, tip - head);
        self.joints.push(Joint { name: named(name), parent, head, tip, radius, rotation });
    }

    /// The joint with this name, which must exist.
    pub fn find(&self, name: &str) -> usize {
        let found = self.joints.iter().position(|joint| joint.name == name);
        found.unwrap_or_else(|| panic!("the creature has no joint {name}"))
    }

    /// The number of bones between two joints.
    pub fn steps(&self, a: usize, b: usize) -> usize {
        let up = |mut joint: usize| {
            let mut chain = vec![joint];
            while let Some(parent) = self.joints[joint].parent {
                chain.push(parent);
                joint = parent;
            }
            chain
        };
        let (from_a, from_b) = (up(a), up(b));
        let meets = |joint: &usize| from_b.iter().position(|other| other == joint);
        from_a.iter().enumerate().find_map(|(i, joint)| Some(i + meets(joint)?)).unwrap_or(usize::MAX)
    }
}
