use super::{ClipPair, Comparison, Deviation, Difference};
use serde_json::{Value, json};

impl Comparison {
    /// The whole comparison, for `--json`.
    pub fn to_json(&self) -> Value {
        json!({
            "size": self.size,
            "worst": self.worst.as_ref().map(Deviation::to_json),
            "worst_at_keys": self.worst_at_keys.as_ref().map(Deviation::to_json),
            "by_clip": self.by_clip.iter().map(Deviation::to_json).collect::<Vec<_>>(),
            "mean": self.mean,
            "mean_relative": self.mean / self.size,
            "mean_points": self.mean_points,
            "poses": self.poses,
            "skipped_poses": self.skipped,
            "points": self.points,
            "uncompared": self.uncompared,
            "pairing": self.pairing.map(super::Pairing::name),
            "growth": self.growth,
            "doubtful": self.doubtful,
            "clips": self.clips.iter().map(ClipPair::to_json).collect::<Vec<_>>(),
            "differences": self.differences.iter().map(Difference::to_json).collect::<Vec<_>>(),
        })
    }
}

impl Deviation {
    /// All fields; `clip` is null at rest. JSON has no infinity: if the deviation is infinite, `finite` is false, and
    /// `distance` and `relative` are null.
    pub fn to_json(&self) -> Value {
        json!({
            "distance": self.distance,
            "relative": self.relative,
            "finite": self.relative.is_finite(),
            "clip": self.clip,
            "time": self.time,
            "mesh": self.mesh,
            "vertex": self.vertex,
            "joint": self.joint,
        })
    }
}

impl ClipPair {
    /// `{"first": ..., "second": ..., "by": ...}`.
    pub fn to_json(&self) -> Value {
        json!({ "first": self.first, "second": self.second, "by": self.by.name() })
    }
}

impl Difference {
    /// `{"feature": ..., "first": ..., "second": ...}`.
    pub fn to_json(&self) -> Value {
        json!({ "feature": self.feature, "first": self.first, "second": self.second })
    }
}
