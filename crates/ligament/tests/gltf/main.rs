//! glTF against files, numbers and programs that are not ours.

mod bad_input;
mod compression;
mod corpus;
mod extensions;
mod hand_made;
mod nodes;
mod odd;
mod rewriting;
mod rules;
#[path = "../support/mod.rs"]
mod shared;
mod support;
mod v1;
mod vrm;
mod wild;
mod writing;
