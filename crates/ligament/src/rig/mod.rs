//! Skeletons: their joints, how two of them differ, and which joints of one are which of another.
//!
//! | file | what |
//! |---|---|
//! | `list.rs` | [`joints`] of a scene |
//! | `compare.rs` | [`compare`]: what differs between two skeletons |
//! | `propose.rs` | [`propose`]: a map from one skeleton to another |
//! | `parts.rs` | parts of a body, as joints are called after them |

mod compare;
mod list;
mod parts;
mod propose;

pub use compare::{Difference, Differences, compare};
pub use list::{Joint, joints};
pub use propose::{Proposal, Why, propose};
