//! Codes of {TITLE}: 1xx the file's structure, 2xx values, 3xx references, 4xx oddities, 5xx losses.

crate::report::codes! {
    UNFINISHED = "{CODES}001", "not implemented yet",
        "This part of the format is still the template that `cargo xtask new-format` made.",
        "any {TITLE} file",
        "Implement it. CONTRIBUTING.md lists the steps and the tests that then pass.";
{RO}    COPIED = "{CODES}401", "copied unchanged",
{RO}        "Input and output are both {TITLE}, so the file's bytes were copied.",
{RO}        "ligament convert a.{ID} b.{ID}",
{RO}        "Nothing needs to be done.";
}
