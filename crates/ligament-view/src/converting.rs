//! The events of the panel that converts.

use crate::convert::{Convert, Outcome, Task, Work};
use crate::event::Message;
use crate::state::State;
use crate::{Event, Wish};
use ligament::formats::FORMATS;
use ligament::settings::find;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;

/// An input to the panel that converts.
#[derive(Debug, Clone, PartialEq)]
pub enum ConvertEvent {
    /// A format, by its id.
    Format(&'static str),
    /// A dialect; `None` is the default one.
    Dialect(Option<&'static str>),
    /// A setting; `null` is its default.
    Set(&'static str, Value),
    /// Where the result goes.
    Output(PathBuf),
    /// Choose that with the system's dialog.
    ChooseOutput,
    /// Whether a file that is there is replaced.
    Replace(bool),
    /// Write the file.
    Write,
    /// Stop the trial or the conversion.
    Stop,
    /// Open the result beside the model.
    Compare,
    /// Close the panel.
    Close,
}

impl State {
    /// Opens or closes the panel that converts the first file.
    pub(crate) fn toggle_convert(&mut self) {
        if self.convert.is_some() {
            return self.close_convert();
        }
        let Some((path, own)) = self.converted() else {
            return self.update(Event::Say(Message::bad("open a model first")));
        };
        self.convert = Convert::new(&path, &own).map(Box::new);
        self.try_target();
    }

    /// The file that is converted, and its format.
    fn converted(&self) -> Option<(PathBuf, String)> {
        let slot = self.slots.first()?;
        Some((slot.opened_path.clone(), slot.opened.as_ref()?.format.clone()))
    }

    fn close_convert(&mut self) {
        if let Some(mut convert) = self.convert.take() {
            convert.stop();
        }
    }

    /// After the first file was read, or another one was opened.
    pub(crate) fn convert_again(&mut self, is_other: bool) {
        let Some((path, _)) = self.converted() else { return };
        if let Some(convert) = &mut self.convert {
            if is_other {
                convert.output = convert.default_output(&path);
                convert.replace = false;
            }
            self.try_target();
        }
    }

    pub(crate) fn convert_event(&mut self, event: ConvertEvent) {
        let Some((path, _)) = self.converted() else { return };
        let Some(convert) = &mut self.convert else { return };
        match event {
            ConvertEvent::Format(id) => {
                let Some(format) = FORMATS.iter().copied().find(|format| format.id == id) else { return };
                (convert.format, convert.dialect) = (format, None);
                convert.chosen.clear();
                convert.output = convert.default_output(&path);
                self.try_target();
            }
            ConvertEvent::Dialect(dialect) => {
                convert.dialect = dialect;
                convert.output = convert.default_output(&path);
                self.try_target();
            }
            ConvertEvent::Set(name, value) => self.set(name, value),
            ConvertEvent::Output(output) => convert.output = output,
            ConvertEvent::ChooseOutput => self.wish(Wish::SaveAs),
            ConvertEvent::Replace(replace) => convert.replace = replace,
            ConvertEvent::Write => self.write_target(),
            ConvertEvent::Stop => convert.stop(),
            ConvertEvent::Compare => {
                let output = convert.output.clone();
                self.update(Event::OpenBeside(output));
            }
            ConvertEvent::Close => self.close_convert(),
        }
    }

    /// Changes a setting, if its row accepts the value, and tries again.
    fn set(&mut self, name: &'static str, value: Value) {
        let Some(convert) = &mut self.convert else { return };
        if name == "dialect" {
            let known = convert.format.dialects.iter().map(|dialect| dialect.id);
            let named = known.into_iter().find(|id| value.as_str() == Some(id));
            return self.convert_event(ConvertEvent::Dialect(named));
        }
        if value.is_null() {
            convert.chosen.remove(name);
        } else {
            let mut options = ligament::ConvertOptions::default();
            let accepted = find(name).map(|row| row.set(&mut options, &value));
            if let Some(Err(why)) = accepted {
                return self.update(Event::Say(Message::bad(why)));
            }
            convert.chosen.insert(name, value);
        }
        self.try_target();
    }

    /// Starts a trial; an earlier one is stopped.
    fn try_target(&mut self) {
        let Some((path, _)) = self.converted() else { return };
        let Some(convert) = &mut self.convert else { return };
        convert.stop();
        let (number, watch) = self.jobs.attempt(path, convert);
        convert.work = Work::Trying(Task { number, watch });
    }

    fn write_target(&mut self) {
        let Some((path, _)) = self.converted() else { return };
        let Some(convert) = &mut self.convert else { return };
        convert.stop();
        let (number, watch) = self.jobs.convert(path, convert);
        convert.work = Work::Writing(Task { number, watch });
    }

    pub(crate) fn take_outcome(&mut self, number: u64, outcome: Box<Outcome>) {
        // If it was stopped, or another was started since, nobody waits for it.
        let Some(convert) = self.convert.as_mut().filter(|convert| convert.number() == Some(number)) else {
            return;
        };
        let is_written = matches!(convert.work, Work::Writing(_));
        let name = outcome.files.first().map(|(name, _)| name.clone());
        let is_ok = outcome.is_ok;
        convert.work = if is_written { Work::Written(outcome) } else { Work::Tried(outcome) };
        if let Some(name) = name.filter(|_| is_written && is_ok) {
            self.update(Event::Say(Message::good(format!("wrote {name}"))));
        }
    }
}

/// The stage of work in words.
pub(crate) fn stage_of(task: &Task) -> &'static str {
    let watch = Arc::clone(&task.watch);
    watch.stage().map_or("starting", |stage| stage.name())
}
