//! Reports and results as text for people.

pub mod html;
pub mod markdown;
pub mod place;
pub mod report;
pub mod snippet;
pub mod style;
pub mod table;
