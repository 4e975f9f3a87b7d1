//! Settings from JSON, and the watcher of a call.

use js_sys::Function;
use ligament::ConvertOptions;
use ligament::progress::{Progress, Stage};
use serde_json::Value;
use std::cell::RefCell;
use std::ops::ControlFlow;
use wasm_bindgen::{JsError, JsValue};

thread_local! {
    /// The function that watches the call. There is one thread, and one call at a time.
    static WATCHER: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Makes options from a JSON object: `from`, `to` and `dialect`, and settings by name. A wrong one is an exception.
pub fn options(settings: &str, watcher: Option<Function>) -> Result<ConvertOptions, JsError> {
    let settings: Value = serde_json::from_str(settings)?;
    let mut options = ConvertOptions::default();
    for (key, value) in settings.as_object().into_iter().flatten() {
        let word = |into: &mut Option<String>| match value {
            Value::Null => Ok(()),
            Value::String(word) => {
                *into = Some(word.clone());
                Ok(())
            }
            other => Err(format!("{key}: expected a text, not {other}")),
        };
        let set = match key.as_str() {
            "from" => word(&mut options.read.format),
            "to" => word(&mut options.to),
            "dialect" => word(&mut options.dialect),
            _ => options.set(key, value.clone()),
        };
        set.map_err(|message| JsError::new(&message))?;
    }
    options.progress = watch(watcher);
    Ok(options)
}

/// Calls the watcher at each stage. Unless it returns `false`, the work goes on.
fn watch(watcher: Option<Function>) -> Progress {
    let is_watched = watcher.is_some();
    WATCHER.set(watcher);
    if !is_watched {
        return Progress::default();
    }
    Progress::new(|stage: Option<Stage>| {
        let Some(stage) = stage else { return ControlFlow::Continue(()) };
        // Taken out, so that the watcher may start another call.
        let Some(watcher) = WATCHER.take() else { return ControlFlow::Continue(()) };
        let answer = watcher.call1(&JsValue::NULL, &JsValue::from_str(stage.name()));
        WATCHER.set(Some(watcher));
        match answer {
            Ok(answer) if answer.as_bool() != Some(false) => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    })
}
