//! Checks that the relative links in the documents lead to an existing file and heading.

use crate::run::{Result, command, output, root};
use std::path::{Path, PathBuf};

/// Checks every Markdown file that git tracks or would add.
pub fn check() -> Result {
    let listed = output(&mut command(
        "git",
        &["ls-files", "--cached", "--others", "--exclude-standard", "--", "*.md"],
    ))?;
    let mut broken = Vec::new();
    let (mut files, mut links) = (0, 0);
    for name in listed.lines() {
        let path = root().join(name);
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        files += 1;
        for link in relative_links(&text) {
            links += 1;
            if let Some(why) = broken_link(&path, &link) {
                broken.push(format!("{name}: {link}: {why}"));
            }
        }
    }
    println!("   {links} relative links in {files} documents");
    if broken.is_empty() { Ok(()) } else { Err(format!("broken links\n{}", broken.join("\n"))) }
}

fn broken_link(from: &Path, link: &str) -> Option<String> {
    let (file, heading) = link.split_once('#').map_or((link, None), |(file, heading)| (file, Some(heading)));
    let target: PathBuf = match file {
        "" => from.to_owned(),
        file => from.parent()?.join(file.replace("%20", " ")),
    };
    if !target.exists() {
        return Some("there is no such file".into());
    }
    let heading = heading.filter(|_| target.extension().is_some_and(|e| e == "md"))?;
    let text = std::fs::read_to_string(&target).ok()?;
    let found = prose(&text).any(|line| line.starts_with('#') && anchor(line) == heading);
    (!found).then(|| format!("{} has no heading for #{heading}", target.display()))
}

/// The lines outside fenced code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// The targets of `[text](target)` and `src="target"` that are not on the web.
fn relative_links(text: &str) -> Vec<String> {
    let mut links = Vec::new();
    for line in prose(text) {
        // Every second piece between backticks is code.
        for piece in line.split('`').step_by(2) {
            let starts = [("](", ')'), ("src=\"", '"'), ("href=\"", '"')];
            for (start, end) in starts {
                for rest in piece.split(start).skip(1) {
                    let target = rest.split([end, ' ']).next().unwrap_or("");
                    links.push(target.to_owned());
                }
            }
        }
    }
    links.retain(|link| !link.contains("://") && !link.starts_with("mailto:") && !link.is_empty());
    links
}

/// A heading's anchor, as code hosts generate it.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_in_prose_count_and_those_in_code_do_not() {
        let text = "[a](b.md) `[c](d.md)` ![e](f.png \"g\")\n```\n[h](i.md)\n```\n[w](https://example.org)\n";
        assert_eq!(relative_links(text), ["b.md", "f.png"]);
    }

    #[test]
    fn anchors_are_lower_case_with_hyphens() {
        assert_eq!(anchor("## What it *keeps*, and why"), "what-it-keeps-and-why");
    }
}
