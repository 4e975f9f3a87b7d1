/// A stable code with the text that `ligament explain` shows.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// For example `PF104`. The letters name the reporting part, and an id is never reused for something else.
    pub id: &'static str,
    /// One line that names the problem.
    pub title: &'static str,
    /// What it means and why it matters.
    pub explanation: &'static str,
    /// A small input that causes it.
    pub example: &'static str,
    /// What to do about it.
    pub fix: &'static str,
    /// Whether errors with this code say that ligament cannot do something, and not that the file is broken.
    pub is_unsupported: bool,
    /// Whether it hardly ever matters: reports mention it last and in short.
    pub is_minor: bool,
    /// What the count of a loss with this code counts, in singular and plural; `None` if that is not always the same.
    pub counts: Option<[&'static str; 2]>,
}

/// Declares codes as statics, and `ALL`, the list of them, so that no code can be reported without an explanation.
///
/// ```ignore
/// codes! {
///     BAD_NUMBER = "PF101", "not a number",
///         "A field that must hold a number holds something else.",
///         "v 1.0 abc 0.0",
///         "Write a decimal number such as 0.25.";
///     VERSION = unsupported "PF102", "unknown version", ...;
///     EMPTY = minor "PF103" of "node"/"nodes", "empty nodes", ...;
/// }
/// ```
macro_rules! codes {
    (@is unsupported) => { true };
    (@is minor) => { false };
    (@is) => { false };
    (@minor minor) => { true };
    (@minor unsupported) => { false };
    (@minor) => { false };
    (@counts $one:literal $many:literal) => { Some([$one, $many]) };
    (@counts) => { None };
    ($($name:ident = $($mark:ident)? $id:literal $(of $one:literal/$many:literal)?, $title:literal, $explanation:literal, $example:literal, $fix:literal;)*) => {
        $(
            #[doc = concat!("`", $id, "`: ", $title, ".")]
            pub static $name: $crate::report::Code = $crate::report::Code {
                id: $id,
                title: $title,
                explanation: $explanation,
                example: $example,
                fix: $fix,
                is_unsupported: $crate::report::codes!(@is $($mark)?),
                is_minor: $crate::report::codes!(@minor $($mark)?),
                counts: $crate::report::codes!(@counts $($one $many)?),
            };
        )*
        /// Every code declared here.
        pub static ALL: &[&$crate::report::Code] = &[$(&$name),*];
    };
}
pub(crate) use codes;

/// Every code that the library can report: the general ones first, then those of each format.
pub fn all_codes() -> impl Iterator<Item = &'static Code> {
    let general = [
        crate::io::codes::ALL,
        crate::limits::codes::ALL,
        crate::passes::codes::ALL,
        crate::passes::bake_pose::codes::ALL,
        crate::passes::operations::codes::ALL,
        crate::passes::operations::rig_codes::ALL,
        crate::validate::codes::ALL,
        crate::validate::advice_codes::ALL,
        crate::convert::codes::ALL,
        super::drawing::ALL,
    ];
    let formats = crate::formats::FORMATS.iter().map(|f| f.codes);
    general.into_iter().chain(formats).flatten().copied()
}

/// The code with this id, in upper or lower case.
pub fn find_code(id: &str) -> Option<&'static Code> {
    all_codes().find(|code| code.id.eq_ignore_ascii_case(id))
}

#[cfg(test)]
mod tests {
    #[test]
    fn ids_are_unique_and_every_code_is_explained() {
        let mut ids = std::collections::BTreeSet::new();
        for code in super::all_codes() {
            assert!(ids.insert(code.id), "{} stands for two things", code.id);
            for (what, text) in [
                ("title", code.title),
                ("explanation", code.explanation),
                ("example", code.example),
                ("fix", code.fix),
            ] {
                assert!(!text.trim().is_empty(), "{} has no {what}", code.id);
            }
        }
        assert!(!ids.is_empty());
    }
}
