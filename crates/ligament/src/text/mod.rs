//! Shared pieces of the text formats: a byte cursor, numbers in and out, lines and columns.
