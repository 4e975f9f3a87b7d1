//! Posing.
