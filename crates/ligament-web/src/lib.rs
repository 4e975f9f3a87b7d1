//! ligament for JavaScript: everything works on bytes in memory, and nothing leaves them.
//!
//! Reports cross as JSON, the same that the command line prints with `--json`, and only arrays and files as memory. The
//! typed functions around this are in `web/package`.
//!
//! | file | contents |
//! |---|---|
//! | `files.rs` | the files that are there, and one of them as an input |
//! | `options.rs` | settings from JSON, and the watcher of a call |
//! | `convert.rs` | a conversion and the files it makes |
//! | `check.rs` | `validate`, `compare`, `formats`, `explain` |
//! | `model.rs` | a file that was read: its facts, its faces, its poses |
//! | `outcome.rs` | the beginning of every JSON result |
//! | `libc.rs` | what ufbx needs of a C library; the only `unsafe` |

mod check;
mod convert;
mod files;
#[cfg(all(feature = "fbx", target_family = "wasm"))]
mod libc;
mod model;
mod options;
mod outcome;
