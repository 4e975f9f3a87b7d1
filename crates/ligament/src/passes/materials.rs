//! Derives the block of a material that a target needs from the one that the source has.
