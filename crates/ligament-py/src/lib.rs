//! The compiled part of the Python package `ligament`: from files to the package's own classes and back.
//!
//! The public part is written in Python (`python/ligament`): plain dataclasses with numpy arrays, typed and documented
//! there. This crate fills them from a [`Scene`](ligament::Scene) and makes a checked scene from them.
//!
//! | file | contents |
//! |---|---|
//! | `functions.rs` | `load`, `save`, `convert`, `validate`, `compare`, `merge_clips`, `check`, `formats`, `settings`, `explain`, `pbr_from_phong` |
//! | `arrays.rs` | memory as numpy arrays and back; the only `unsafe` |
//! | `to_python/` | a scene becomes Python objects, its arrays move |
//! | `from_python/` | Python objects become a scene; invalid values are reported with their location |
//! | `unread.rs` | a file that was read, until its objects are accessed |
//! | `posing.rs` | a scene that is posed many times |
//! | `rules.rs` | settings as the rules of a `ligament.toml` spell them |
//! | `values.rs` | key-value data and options: JSON ↔ Python |
//! | `watch.rs` | options, and the ways to watch and stop a call: Ctrl-C, `cancel`, `progress` |
//! | `errors.rs` | reports and exceptions |

mod arrays;
mod errors;
mod from_python;
mod functions;
mod posing;
mod rules;
mod to_python;
mod unread;
mod values;
mod watch;

use pyo3::prelude::*;

/// The compiled part. Use the package's own modules instead.
#[pymodule]
fn _ligament(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<posing::Snapshot>()?;
    module.add_class::<unread::Unread>()?;
    module.add_function(wrap_pyfunction!(functions::load, module)?)?;
    module.add_function(wrap_pyfunction!(functions::load_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(functions::save, module)?)?;
    module.add_function(wrap_pyfunction!(functions::save_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(functions::merge_clips, module)?)?;
    module.add_function(wrap_pyfunction!(functions::convert, module)?)?;
    module.add_function(wrap_pyfunction!(functions::check_options, module)?)?;
    module.add_function(wrap_pyfunction!(functions::validate, module)?)?;
    module.add_function(wrap_pyfunction!(functions::compare, module)?)?;
    module.add_function(wrap_pyfunction!(functions::check, module)?)?;
    module.add_function(wrap_pyfunction!(functions::formats, module)?)?;
    module.add_function(wrap_pyfunction!(functions::detect, module)?)?;
    module.add_function(wrap_pyfunction!(functions::settings, module)?)?;
    module.add_function(wrap_pyfunction!(functions::explain, module)?)?;
    module.add_function(wrap_pyfunction!(errors::unknown_name, module)?)?;
    module.add_function(wrap_pyfunction!(rules::rule_setting, module)?)?;
    module.add_function(wrap_pyfunction!(functions::pbr_from_phong, module)?)?;
    Ok(())
}
