//! Shared pieces of the text formats: one reader, numbers in and out, lines and columns.
//!
//! | file | what it does |
//! |---|---|
//! | `cp1250.rs` | names in Windows-1250 |
//! | `number.rs` | numbers in: eight digits at a time where the layout is the usual one, `std` for the rest |
//! | `decimal.rs` | numbers in: of any length, at any place of a line |
//! | `fixed.rs` | numbers out: exactly what `printf("%.6f")` prints |
//! | `head.rs` | lines and words of a file's head, for detecting its format |
//! | `lines.rs` | byte offsets to line and column, worked out only when somebody asks |
//! | `raw.rs` | names as bytes, which need not be UTF-8 |
//! | `window.rs` | a large file that passes by in pieces |
//! | `reader.rs` | one reader for all text formats: pieces, cores, places, fields |
//! | `tallies.rs` | what is said once for many lines |
//! | `writer.rs` | lines collected in large pieces before they go to the output |

mod cp1250;
mod decimal;
mod fixed;
mod head;
mod lines;
mod number;
mod raw;
mod reader;
mod tallies;
mod window;
mod writer;

pub use cp1250::{from_cp1250, name_in_cp1250};
pub use decimal::parse_decimal;
pub use fixed::{FIXED6_MAX, fixed6};
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
pub(crate) use window::{Slice, Window};
pub use writer::{BLOCK, Block, TextWriter};
