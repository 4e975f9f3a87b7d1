//! The report as JSON, for `--json` and `--report`.

use super::{Diagnostic, Loss, LossKind, Remedy, Report};
use serde_json::{Value, json};

impl Report {
    /// `{"diagnostics": [...], "omitted": n, "losses": [...]}`.
    pub fn to_json(&self) -> Value {
        json!({
            "diagnostics": self.diagnostics.iter().map(Diagnostic::to_json).collect::<Vec<_>>(),
            "omitted": self.omitted,
            "losses": self.losses.iter().map(Loss::to_json).collect::<Vec<_>>(),
        })
    }
}

impl Diagnostic {
    /// All fields; those without a value are left out.
    pub fn to_json(&self) -> Value {
        let mut object = json!({
            "severity": self.severity.name(),
            "code": self.code.id,
            "message": self.message,
            "file": &*self.file,
        });
        let mut set = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                object[key] = value;
            }
        };
        set("line", self.place.line_column.map(|(line, _)| json!(line)));
        set("column", self.place.line_column.map(|(_, column)| json!(column)));
        set("offset", self.place.span.as_ref().map(|s| json!(s.start)));
        set("end", self.place.span.as_ref().map(|s| json!(s.end)));
        set("field", self.place.field.as_ref().map(|f| json!(f)));
        set("help", self.help.as_ref().map(|h| json!(h)));
        set("remedy", self.remedy.as_ref().map(Remedy::to_json));
        object
    }
}

impl Loss {
    /// All fields; `size` and `unit` only if something was approximated, `remedy` only if a setting avoids the loss.
    pub fn to_json(&self) -> Value {
        let mut object = json!({
            "code": self.code.id,
            "feature": self.code.title,
            "object": self.object,
            "kind": self.kind.name(),
            "count": self.count,
            "message": self.message,
        });
        if let LossKind::Approximated { size, unit } = self.kind {
            object["size"] = json!(size);
            object["unit"] = json!(unit);
        }
        if let Some(remedy) = &self.remedy {
            object["remedy"] = remedy.to_json();
        }
        object
    }
}
