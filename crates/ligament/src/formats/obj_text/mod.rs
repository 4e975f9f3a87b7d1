//! What formats derived from Wavefront OBJ share: lines of numbers after a keyword, faces whose corners are indices
//! separated by slashes, and the vertices that corners share.
//!
//! | file | what it does |
//! |---|---|
//! | `numbers.rs` | a whole line of numbers at once |
//! | `corner.rs` | one corner of a face, and OBJ's relative indices |
//! | `faces.rs` | lists of faces |
//! | `chained.rs` | joins equal corners to vertices, by position |
//! | `distinct.rs` | joins equal records, in order of first use, in linear time |
//! | `names.rs` | names that fit on a line |

mod chained;
mod corner;
mod distinct;
mod faces;
mod names;
mod numbers;

pub(crate) use chained::Chained;
pub(crate) use corner::{ABSENT, CornerError, parse_corner, parse_corner_prefix, resolve};
pub(crate) use distinct::Distinct;
pub use faces::Faces;
pub(crate) use names::NameCleaner;
pub(crate) use numbers::{
    end_of_line, number_then_blank, numbers, numbers_to_end, skip_blanks, whole_then_blank, wholes_to_end,
};
