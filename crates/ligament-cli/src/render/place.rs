//! Where a deviation is.

use super::style;
use ligament::compare::{Deviation, Pairing};

/// `clip "walk" at 0.420 s, joint "arm", mesh "body" vertex 12`.
pub fn place(deviation: &Deviation, pairing: Option<Pairing>) -> String {
    let mut place = match &deviation.clip {
        Some(clip) => format!("clip {} at {:.3} s", style::name(clip), deviation.time),
        None => "at rest".to_owned(),
    };
    if let Some(joint) = &deviation.joint {
        place += &format!(", joint {}", style::name(joint));
    }
    if pairing != Some(Pairing::Joints) {
        place += &format!(", mesh {} vertex {}", style::name(&deviation.mesh), deviation.vertex);
    }
    place
}
