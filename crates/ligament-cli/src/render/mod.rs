//! Reports and results as text for people.

pub mod markdown;
pub mod report;
pub mod snippet;
pub mod style;
pub mod table;
