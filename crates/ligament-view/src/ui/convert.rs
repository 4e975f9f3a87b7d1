//! The panel that converts: a target, its settings, and what would be lost.

use super::style::{of, palette};
use crate::convert::{Convert, Outcome, Task, Work};
use crate::converting::{ConvertEvent, stage_of};
use crate::event::Event;
use crate::state::State;
use crate::styled::{Line, setting_text};
use egui::text::{LayoutJob, TextFormat};
use egui::{CollapsingHeader, ComboBox, RichText, ScrollArea, TextEdit, TextStyle, Ui};
use ligament::formats::{FORMATS, Format};
use ligament::internal::shown;
use ligament::settings::general::{KEEP_EXISTING, VERIFY};
use ligament::settings::{Kind, Setting, for_writing};
use serde_json::{Value, json};

/// The height below the losses: where the file goes, and the button.
const BELOW: f32 = 112.0;

pub fn show(ui: &mut Ui, state: &State, events: &mut Vec<Event>) {
    let Some(convert) = &state.convert else { return };
    let mut asked = Vec::new();
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        let name = state.slots.first().map(|slot| slot.seen_instead().unwrap_or_else(|| slot.name()));
        ui.label(RichText::new(format!("Convert {}", name.unwrap_or_default())).strong());
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.button("✖").on_hover_text("close (Escape)").clicked() {
                asked.push(ConvertEvent::Close);
            }
        });
    });
    target(ui, convert, &mut asked);
    ui.separator();
    let height = (ui.available_height() - BELOW).max(60.0);
    ScrollArea::vertical().auto_shrink(false).max_height(height).show(ui, |ui| {
        settings(ui, convert, &mut asked);
        match &convert.work {
            Work::Stopped => {
                ui.label(RichText::new("stopped; nothing was written").color(palette(ui).faint));
            }
            Work::Trying(task) => busy(ui, "Trying it", task, &mut asked),
            Work::Writing(task) => busy(ui, "Converting", task, &mut asked),
            Work::Tried(outcome) | Work::Written(outcome) => losses(ui, outcome, &mut asked),
        }
    });
    ui.separator();
    destination(ui, state, convert, &mut asked);
    events.extend(asked.into_iter().map(Event::Convert));
}

fn target(ui: &mut Ui, convert: &Convert, asked: &mut Vec<ConvertEvent>) {
    ui.horizontal(|ui| {
        ui.label("to");
        let chosen = ComboBox::from_id_salt("format").selected_text(convert.format.name).width(120.0);
        chosen.show_ui(ui, |ui| {
            for format in FORMATS.iter().filter(|format| format.writes(None)) {
                let text = format!("{}   .{}", format.name, format.extensions.first().unwrap_or(&""));
                let label = ui.selectable_label(format.id == convert.format.id, text);
                if label.on_hover_text(format.summary).clicked() {
                    asked.push(ConvertEvent::Format(format.id));
                }
            }
        });
        if written_dialects(convert.format) > 1 {
            let text = convert.dialect.unwrap_or("usual dialect");
            ComboBox::from_id_salt("dialect").selected_text(text).width(110.0).show_ui(ui, |ui| {
                if ui.selectable_label(convert.dialect.is_none(), "usual dialect").clicked() {
                    asked.push(ConvertEvent::Dialect(None));
                }
                for dialect in convert.format.dialects.iter().filter(|dialect| dialect.is_written) {
                    let label = ui.selectable_label(convert.dialect == Some(dialect.id), dialect.id);
                    if label.on_hover_text(dialect.summary).clicked() {
                        asked.push(ConvertEvent::Dialect(Some(dialect.id)));
                    }
                }
            });
        }
    });
}

fn written_dialects(format: &Format) -> usize {
    format.dialects.iter().filter(|dialect| dialect.is_written).count()
}

/// The rows of the settings that apply to the target, as far as they are a number, a word or a flag.
fn settings(ui: &mut Ui, convert: &Convert, asked: &mut Vec<ConvertEvent>) {
    let title = match convert.chosen.len() {
        0 => "Settings".to_owned(),
        count => format!("Settings ({count} changed)"),
    };
    CollapsingHeader::new(title).id_salt("settings").show(ui, |ui| {
        for row in for_writing(convert.format) {
            // The trial is the proof, and the button below asks before a file is replaced.
            if row.name != VERIFY.name && row.name != KEEP_EXISTING.name {
                setting(ui, row, convert.chosen.get(row.name), asked);
            }
        }
        ui.label(RichText::new("the command line has more").color(palette(ui).faint));
    });
}

fn setting(ui: &mut Ui, row: &'static Setting, value: Option<&Value>, asked: &mut Vec<ConvertEvent>) {
    let name = row.name.replace('_', " ");
    let mut set = |value: Value| asked.push(ConvertEvent::Set(row.name, value));
    match row.kind {
        Kind::Flag => {
            let mut on = value.and_then(Value::as_bool).unwrap_or(false);
            if ui.checkbox(&mut on, name).on_hover_text(row.help).changed() {
                set(if on { json!(true) } else { Value::Null });
            }
        }
        Kind::Word(words) => {
            ui.horizontal(|ui| {
                ui.label(name).on_hover_text(row.help);
                let text = value.and_then(Value::as_str).unwrap_or("default");
                ComboBox::from_id_salt(row.name).selected_text(text).show_ui(ui, |ui| {
                    if ui.selectable_label(value.is_none(), "default").clicked() {
                        set(Value::Null);
                    }
                    for (word, help) in words {
                        let label = ui.selectable_label(value.and_then(Value::as_str) == Some(word), *word);
                        if label.on_hover_text(*help).clicked() {
                            set(json!(word));
                        }
                    }
                });
            });
        }
        Kind::Above(_) | Kind::Integer(_) | Kind::Fraction => {
            ui.horizontal(|ui| {
                ui.label(name).on_hover_text(row.help);
                let id = ui.scope_id().with(row.name);
                let shown = value.map(ToString::to_string).unwrap_or_default();
                let typed: Option<String> = ui.data(|data| data.get_temp(id));
                let mut text = typed.unwrap_or_else(|| shown.clone());
                let field = ui.add(TextEdit::singleline(&mut text).desired_width(70.0).hint_text("default"));
                if field.lost_focus() {
                    ui.data_mut(|data| data.remove::<String>(id));
                    if text.trim() != shown {
                        set(number(&text));
                    }
                } else if field.has_focus() {
                    ui.data_mut(|data| data.insert_temp(id, text));
                }
            });
        }
        _ => {}
    }
}

/// A number as it was typed: whole numbers stay whole, and `5%` is a twentieth.
fn number(text: &str) -> Value {
    let text = text.trim();
    if text.is_empty() {
        return Value::Null;
    }
    if let Ok(whole) = text.parse::<u64>() {
        return json!(whole);
    }
    let percent = text.strip_suffix('%').and_then(|text| text.trim().parse::<f64>().ok());
    let number = percent.map(|number| number / 100.0).or_else(|| text.parse::<f64>().ok());
    number.map_or_else(|| json!(text), |number| json!(number))
}

fn busy(ui: &mut Ui, what: &str, task: &Task, asked: &mut Vec<ConvertEvent>) {
    ui.horizontal(|ui| {
        ui.label(format!("{what}: {}…", stage_of(task)));
        if ui.button("Cancel").clicked() {
            asked.push(ConvertEvent::Stop);
        }
    });
}

fn losses(ui: &mut Ui, outcome: &Outcome, asked: &mut Vec<ConvertEvent>) {
    if !outcome.is_ok {
        ui.label(RichText::new("This cannot be converted").strong().color(palette(ui).error));
    }
    if let Some(deviation) = &outcome.deviation {
        line(ui, deviation, true, asked);
    }
    if outcome.is_ok && outcome.lines.is_empty() {
        ui.label(RichText::new("nothing is lost").color(palette(ui).faint));
    }
    for own in &outcome.lines {
        line(ui, own, false, asked);
    }
}

/// A line of a report, and a button that sets what avoids it.
fn line(ui: &mut Ui, line: &Line, is_strong: bool, asked: &mut Vec<ConvertEvent>) {
    let font = if is_strong { TextStyle::Heading } else { TextStyle::Body }.resolve(ui.style());
    let mut job = LayoutJob::default();
    for (style, text) in &line.pieces {
        let color = of(*style, palette(ui));
        job.append(text, 0.0, TextFormat { font_id: font.clone(), color, ..TextFormat::default() });
    }
    ui.add(egui::Label::new(job).wrap());
    if let Some(remedy) = &line.remedy {
        let text = format!("set {}", setting_text(remedy));
        if ui.small_button(text).on_hover_text(&remedy.effect).clicked() {
            asked.push(ConvertEvent::Set(remedy.setting, remedy.value.clone()));
        }
    }
    ui.add_space(3.0);
}

fn destination(ui: &mut Ui, state: &State, convert: &Convert, asked: &mut Vec<ConvertEvent>) {
    if let Work::Tried(outcome) | Work::Written(outcome) = &convert.work {
        let files = outcome.files.iter().map(|(name, bytes)| format!("{name} {}", shown::bytes(*bytes)));
        let text = files.take(4).collect::<Vec<_>>().join(", ");
        let more = outcome.files.len().saturating_sub(4);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        ui.label(RichText::new(text + &more).color(palette(ui).faint));
    }
    ui.horizontal(|ui| {
        let mut text = convert.output.display().to_string();
        let room = ui.available_width() - if state.has_system_dialog { 34.0 } else { 0.0 };
        let field = ui.add(TextEdit::singleline(&mut text).desired_width(room.max(60.0)));
        if field.on_hover_text("where the file goes").changed() {
            asked.push(ConvertEvent::Output(text.into()));
        }
        if state.has_system_dialog && ui.button("…").on_hover_text("choose a file").clicked() {
            asked.push(ConvertEvent::ChooseOutput);
        }
    });
    ui.horizontal(|ui| {
        let written = matches!(&convert.work, Work::Written(outcome) if outcome.is_ok);
        let is_there = !written && convert.output.symlink_metadata().is_ok();
        let can = matches!(&convert.work, Work::Tried(outcome) | Work::Written(outcome) if outcome.is_ok);
        let failed = matches!(&convert.work, Work::Written(outcome) if !outcome.is_ok);
        let button = egui::Button::new("Convert").min_size(egui::vec2(90.0, 26.0));
        if ui.add_enabled((can && !written || failed) && (!is_there || convert.replace), button).clicked() {
            asked.push(ConvertEvent::Write);
        }
        if written {
            ui.label("written");
            if ui.button("Compare").on_hover_text("open the result beside the model").clicked() {
                asked.push(ConvertEvent::Compare);
            }
        } else if is_there {
            ui.label(RichText::new("exists already").color(palette(ui).warning));
            let mut replace = convert.replace;
            if ui.checkbox(&mut replace, "replace it").changed() {
                asked.push(ConvertEvent::Replace(replace));
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_understood_as_they_are_typed() {
        assert_eq!(number(" 4 "), json!(4));
        assert_eq!(number("0.5"), json!(0.5));
        assert_eq!(number("5%"), json!(0.05));
        assert_eq!(number(""), Value::Null);
        assert_eq!(number("four"), json!("four"));
    }
}
