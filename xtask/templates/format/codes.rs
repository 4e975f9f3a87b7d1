//! Codes of {TITLE}: 1xx the file's structure, 2xx values, 3xx references, 4xx oddities, 5xx losses.

crate::report::codes! {
    UNFINISHED = "{CODES}001", "not implemented yet",
        "This part of the format's folder is as `cargo xtask new-format` made it.",
        "any {TITLE} file",
        "Write it. CONTRIBUTING.md says in which order, and which tests then pass.";
}
