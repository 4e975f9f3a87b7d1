//! Codes of errors found by the command line itself.

use ligament::report::Code;

pub static INTERNAL: Code = Code {
    id: "CL001",
    title: "ligament itself failed",
    explanation: "Reading, converting or drawing this file came to a place that should never be reached, and was stopped there. That is a fault of ligament, also if the file is damaged. Nothing was written for this file; other files of the same run are not affected.",
    example: "ligament convert model.glb model.pfobj",
    fix: "Report the fault with the file and the message. With the environment variable RUST_BACKTRACE=1, the message says more.",
    is_unsupported: false,
    is_minor: false,
    counts: None,
};

pub static SYNTAX: Code = Code {
    id: "BD001",
    title: "ligament.toml is not TOML",
    explanation: "The file with the rules is not valid TOML.",
    example: "[[rule]\nglob = \"art/*.glb\"",
    fix: "Correct the syntax; https://toml.io describes it.",
    is_unsupported: false,
    is_minor: false,
    counts: None,
};

pub static UNKNOWN_KEY: Code = Code {
    id: "BD002",
    title: "unknown key in ligament.toml",
    explanation: "A rule has the keys `glob`, `exclude` and `output`, and the options of `ligament convert` under the same names. Unknown keys are errors, so that a typo does not go unnoticed.",
    example: "[[rule]]\nglob = \"art/*.glb\"\nto = \"apg\"\noutput = \"assets/{stem}.{ext}\"\nmax_eror = \"0.01%\"",
    fix: "Correct the key; `ligament convert --help` lists the options.",
    is_unsupported: false,
    is_minor: false,
    counts: None,
};

pub static BAD_VALUE: Code = Code {
    id: "BD003",
    title: "invalid value in ligament.toml",
    explanation: "A key's value has the wrong type, or is not one of the accepted words.",
    example: "strict = \"yes\"",
    fix: "Options without a value on the command line are `true` or `false` here; numbers and words are the same as on the command line.",
    is_unsupported: false,
    is_minor: false,
    counts: None,
};

pub static MISSING_KEY: Code = Code {
    id: "BD004",
    title: "rule is incomplete",
    explanation: "A rule must name its input files (`glob`), the target format (`to`) and the output path (`output`).",
    example: "[[rule]]\nglob = \"art/*.glb\"",
    fix: "Add the missing key, for example output = \"assets/{dir}/{stem}.{ext}\".",
    is_unsupported: false,
    is_minor: false,
    counts: None,
};

pub static NO_MATCH: Code = Code {
    id: "BD005",
    title: "pattern matches nothing",
    explanation: "No file matches a rule's pattern. Paths are relative to the folder of the ligament.toml; `*` matches within a folder, `**` across folders. Hidden files, and files that an earlier run wrote, are skipped.",
    example: "glob = \"art/*.gbl\"",
    fix: "Correct the pattern, or remove the rule.",
    is_unsupported: false,
    is_minor: false,
    counts: None,
};

pub static OUTSIDE: Code = Code {
    id: "BD006",
    title: "output outside of the project",
    explanation: "A rule's output is absolute, leaves the folder of the ligament.toml with `..`, or goes through a link that leads out of it. Whoever wrote the rules could replace any of your files, so this has to be allowed.",
    example: "output = \"../assets/{stem}.{ext}\"",
    fix: "Choose a path in the folder of the ligament.toml, or, if you trust the rules, run `ligament build --allow-outside`.",
    is_unsupported: false,
    is_minor: false,
    counts: None,
};

/// All codes of the command line.
pub static ALL: &[&Code] = &[&INTERNAL, &SYNTAX, &UNKNOWN_KEY, &BAD_VALUE, &MISSING_KEY, &NO_MATCH, &OUTSIDE];
