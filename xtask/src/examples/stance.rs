//! A stance: the offset of every joint from rest at one moment, and legs that reach for the ground.

use super::math::between;
use super::skeleton::Skeleton;
use ligament::math::{DQuat, DVec3};

/// One moment. Rotations are in the model's axes, relative to the joint's parent.
#[derive(Clone)]
pub struct Stance<'a> {
    skeleton: &'a Skeleton,
    pub turns: Vec<DQuat>,
    /// The offset of the hips, and of everything that follows them.
    pub shift: DVec3,
    /// Scale of the belly, which breathes.
    pub breath: f64,
}

/// The state of a joint: its head, and its total rotation from rest, including its ancestors.
#[derive(Clone, Copy)]
struct Placed {
    head: DVec3,
    turn: DQuat,
}

impl<'a> Stance<'a> {
    pub fn rest(skeleton: &'a Skeleton) -> Self {
        let turns = vec![DQuat::IDENTITY; skeleton.joints.len()];
        Self { skeleton, turns, shift: DVec3::ZERO, breath: 1.0 }
    }

    /// Adds a rotation to a joint.
    pub fn turn(&mut self, joint: &str, by: DQuat) {
        let joint = self.skeleton.find(joint);
        self.turns[joint] *= by;
    }

    fn placed(&self, joint: usize) -> Placed {
        let Some(parent) = self.skeleton.joints[joint].parent else {
            return Placed { head: self.skeleton.joints[joint].head, turn: self.turns[joint] };
        };
        let above = self.placed(parent);
        let arm = self.skeleton.joints[joint].head - self.skeleton.joints[parent].head;
        let shift = if self.skeleton.joints[joint].name == "hips" { self.shift } else { DVec3::ZERO };
        Placed { head: above.head + above.turn * (arm + shift), turn: above.turn * self.turns[joint] }
    }

    /// Bends a leg so that its paw is rotated by `paw` from rest, in the model's axes, and `offset` away from its rest position.
    pub fn reach(&mut self, leg: &str, side: &str, offset: DVec3, paw: DQuat) {
        let [upper, lower, foot] =
            ["upper", "lower", "paw"].map(|part| self.skeleton.find(&format!("{leg}_{part}_{side}")));
        let head = |joint: usize| self.skeleton.joints[joint].head;
        let (thigh, shin) = (head(lower) - head(upper), head(foot) - head(lower));
        self.turns[upper] = DQuat::IDENTITY;
        let hip = self.placed(upper);
        let way = head(foot) + offset - hip.head;
        let reach = way.length().min((thigh.length() + shin.length()) * 0.998);
        let along = way.normalize();
        // The knee is where the spheres of the two bones meet, on the same side as at rest.
        let to_knee = (reach * reach + thigh.length_squared() - shin.length_squared()) / (2.0 * reach);
        let aside =
            hip.turn * (thigh - (thigh + shin) * (thigh.dot(thigh + shin) / (thigh + shin).length_squared()));
        let aside = (aside - along * aside.dot(along)).normalize();
        let height = (thigh.length_squared() - to_knee * to_knee).max(0.0).sqrt();
        let knee = along * to_knee + aside * height;
        let upper_turn = between(hip.turn * thigh, knee) * hip.turn;
        let lower_turn = between(upper_turn * shin, along * reach - knee) * upper_turn;
        self.turns[upper] = hip.turn.inverse() * upper_turn;
        self.turns[lower] = upper_turn.inverse() * lower_turn;
        self.turns[foot] = lower_turn.inverse() * paw;
    }

    /// A joint's rotation relative to its parent, as a node stores it.
    pub fn local_rotation(&self, joint: usize) -> DQuat {
        let rest = |joint: usize| self.skeleton.joints[joint].rotation;
        let above = self.skeleton.joints[joint].parent.map_or(DQuat::IDENTITY, rest);
        (above.inverse() * self.turns[joint] * rest(joint)).normalize()
    }
}
