//! Columns of text.

use super::style;

/// A table with a heading line. Cells must be safe to show and contain no colours, or the widths would be wrong.
pub struct Table {
    heading: Vec<String>,
    right: Vec<bool>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Creates a table with these column headings; `>` at the start of a heading aligns the column to the right.
    pub fn new(heading: &[impl AsRef<str>]) -> Self {
        let heading = heading.iter().map(AsRef::as_ref);
        Self {
            right: heading.clone().map(|h| h.starts_with('>')).collect(),
            heading: heading.map(|h| h.trim_start_matches('>').to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row with one cell per heading.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The lines of the table, the heading in bold.
    pub fn render(&self) -> String {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|r| r.get(column)).map(|c| c.chars().count());
            cells.chain([self.heading[column].chars().count()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.heading.len()).map(width).collect();
        let line = |cells: &mut dyn Iterator<Item = &str>| {
            let mut line = String::new();
            for (column, cell) in cells.enumerate() {
                let room = " ".repeat(widths[column].saturating_sub(cell.chars().count()));
                let gap = if column == 0 { "" } else { "  " };
                let (before, after) =
                    if self.right[column] { (room.as_str(), "") } else { ("", room.as_str()) };
                line.extend([gap, before, cell, after]);
            }
            line.trim_end().to_owned()
        };
        let mut out = style::bold(&line(&mut self.heading.iter().map(String::as_str))) + "\n";
        for row in &self.rows {
            out += &line(&mut row.iter().map(String::as_str).take(widths.len()));
            out.push('\n');
        }
        out
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn columns_line_up() {
        let mut table = super::Table::new(&["name", ">count"]);
        table.row(["é".to_owned(), "1".to_owned()]);
        table.row(["longer".to_owned(), "1000".to_owned()]);
        let text = anstream::adapter::strip_str(&table.render()).to_string();
        assert_eq!(text, "name    count\né           1\nlonger   1000\n");
    }
}
