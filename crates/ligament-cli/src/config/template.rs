//! The output path of a rule: `assets/{dir}/{stem}.{ext}`.

use crate::batch::find::Found;
use crate::batch::plan::raw_stem;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

const NAMES: [&str; 3] = ["dir", "stem", "ext"];

/// A path with placeholders in braces.
pub struct Template(String);

impl Template {
    pub fn new(text: &str) -> Result<Self, String> {
        let mut rest = text;
        while let Some(start) = rest.find(['{', '}']) {
            let name = rest[start..].strip_prefix('{').and_then(|rest| rest.split_once('}'));
            match name {
                Some((name, after)) if NAMES.contains(&name) => rest = after,
                Some((name, _)) => {
                    return Err(format!(
                        "there is no {{{name}}}; expected one of: {{dir}}, {{stem}}, {{ext}}"
                    ));
                }
                None => return Err("unmatched brace".to_owned()),
            }
        }
        if text.is_empty() { Err("the path is empty".to_owned()) } else { Ok(Self(text.to_owned())) }
    }

    /// The output path for a file, whose name need not be UTF-8.
    pub fn fill(&self, found: &Found, extension: &str) -> PathBuf {
        let dir = found.below.iter().collect::<Vec<_>>().join(OsStr::new("/"));
        // If {dir} is empty, the slash after it is removed too.
        let text = if dir.is_empty() { self.0.replace("{dir}/", "") } else { self.0.clone() };
        let values = [dir, raw_stem(&found.path), extension.into()];
        let mut out = OsString::new();
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            out.push(before);
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            out.push(NAMES.iter().position(|n| *n == name).map_or(OsStr::new(""), |index| &values[index]));
            rest = after;
        }
        out.push(rest);
        PathBuf::from(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_filled_in() {
        let found = |path: &str, below: &str| Found { path: path.into(), below: below.into() };
        let template = Template::new("out/{dir}/{stem}.{ext}").unwrap();
        assert_eq!(template.fill(&found("art/a/b/{x}.glb", "a/b"), "apg"), PathBuf::from("out/a/b/{x}.apg"));
        assert_eq!(template.fill(&found("art/x.qmsh.tmp", ""), "apg"), PathBuf::from("out/x.apg"));
        for wrong in ["", "{name}", "{stem", "stem}", "{}"] {
            assert!(Template::new(wrong).is_err(), "{wrong}");
        }
    }
}
