//! The viewer's state as JSON, for tests that observe it from outside.

use crate::state::State;
use serde_json::{Value, json};

impl State {
    /// What is shown and how.
    pub fn summary(&self) -> Value {
        let files: Vec<Value> = self
            .slots
            .iter()
            .map(|slot| {
                json!({
                    "path": slot.path.display().to_string(),
                    "format": slot.opened.as_ref().map(|opened| opened.format.clone()),
                    "vertices": slot.opened.as_ref().map(|opened| opened.model.vertex_count()),
                    "times_read": slot.times_read,
                    "loading": slot.loading.is_some(),
                    "error": slot.broken.as_ref().map(|broken| broken.headline()),
                })
            })
            .collect();
        let selected = self.selected.and_then(|(slot, what)| self.slots.get(slot)?.label(what));
        json!({
            "files": files,
            "clip": self.clock.clip.as_ref().map(|(_, score)| score.name.clone()),
            "duration": self.clock.duration(),
            "time": self.clock.time,
            "playing": self.clock.playing,
            "camera": {
                "target": self.orbit.target.to_array(),
                "distance": self.orbit.distance,
                "around": self.orbit.around,
                "above": self.orbit.above,
            },
            "selected": selected,
            "skeleton": self.look.skeleton,
            "arrangement": self.layers.arrangement.name(),
            "worst": self.difference.as_ref().map(|difference| difference.worst),
            "message": self.message.as_ref().map(|(message, _)| message.text.clone()),
            "pictures": self.pictures.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
            "convert": self.convert.as_ref().map(|convert| convert.state()),
            "help": self.panels.help,
        })
    }
}
