//! Shared parts of the text formats: the reader, the writer, parsing and formatting of numbers, lines and columns.
//!
//! | file | what it does |
//! |---|---|
//! | `cp1250.rs` | names in Windows-1250 |
//! | `number.rs` | parses numbers: eight digits at a time in the usual layout, with `std` otherwise |
//! | `decimal.rs` | parses numbers of any length at any offset of a line |
//! | `fixed.rs` | formats numbers exactly like `printf("%.6f")` |
//! | `head.rs` | lines and words of a file's head, for detecting its format |
//! | `lines.rs` | converts byte offsets to lines and columns, on demand |
//! | `raw.rs` | names as bytes, which need not be UTF-8 |
//! | `window.rs` | a large file, fetched piece by piece |
//! | `reader.rs` | one reader for all text formats: pieces, cores, places, fields |
//! | `unique.rs` | names that no two things share |
//! | `tallies.rs` | messages that are reported once for many lines |
//! | `writer.rs` | a buffered writer of text |
//! | `zeros.rs` | zero bytes at the end of a text |

mod cp1250;
mod decimal;
mod fixed;
mod head;
mod lines;
mod number;
mod raw;
mod reader;
mod tallies;
mod unique;
mod window;
mod writer;
mod zeros;

pub use cp1250::{from_cp1250, name_in_cp1250};
pub use decimal::parse_decimal;
pub use fixed::FIXED6_MAX;
pub(crate) use fixed::is_fixed6;
pub(crate) use head::{head_lines, words};
pub use lines::Lines;
pub use number::{
    NumberError, parse_f32, parse_f64, parse_fixed6, parse_fixed6_f64, parse_u32, parse_u32_prefix,
    parse_u32_then,
};
pub use raw::RawText;
pub(crate) use reader::{
    Field, FieldsOf, Joined, Line as TextLine, NumberCodes, Shared, Spot, TextReader, Usual,
};
pub(crate) use tallies::Tallies;
pub use unique::UniqueNames;
pub(crate) use window::{Slice, Window};
pub use writer::{BLOCK, Block, TextWriter};
pub(crate) use zeros::{length_without_zeros, trim_zeros};
