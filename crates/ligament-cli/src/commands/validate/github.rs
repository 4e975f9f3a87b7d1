//! Diagnostics as annotations of GitHub's workflows: <https://docs.github.com/actions/reference/workflow-commands>.

use ligament::Report;
use ligament::report::{Diagnostic, Severity};

/// Whether a workflow of GitHub runs this process.
pub fn is_workflow() -> bool {
    std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// One command per diagnostic.
pub fn annotations(report: &Report) -> String {
    report.diagnostics().iter().map(annotation).collect()
}

fn annotation(diagnostic: &Diagnostic) -> String {
    let kind = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut properties = vec![format!("file={}", property(&diagnostic.file))];
    if let Some((line, column)) = diagnostic.place.line_column {
        properties.push(format!("line={line},col={column}"));
    }
    properties.push(format!("title={}", property(diagnostic.code.id)));
    let field = diagnostic.place.field.as_ref().map_or(String::new(), |field| format!("{field}: "));
    let help = diagnostic.help.as_ref().map_or(String::new(), |help| format!("; {help}"));
    format!(
        "::{kind} {}::{}\n",
        properties.join(","),
        escaped(&format!("{field}{}{help}", diagnostic.message))
    )
}

fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament::report::Place;

    #[test]
    fn names_and_messages_cannot_add_commands() {
        let mut report = Report::new("a,b:c\n.obj", 10);
        let place = Place::text(0..1, 3, 7);
        report.warning(&ligament::io::codes::CANNOT_READ, place, "100 %\n::error ::x");
        assert_eq!(
            annotations(&report),
            "::warning file=a%2Cb%3Ac%0A.obj,line=3,col=7,title=IO001::100 %25%0A::error ::x\n"
        );
    }
}
