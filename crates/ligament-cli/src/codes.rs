//! Codes of what the command line itself finds wrong.

use ligament::report::Code;

pub static SYNTAX: Code = Code {
    id: "BD001",
    title: "ligament.toml is not TOML",
    explanation: "The file with the rules breaks the grammar of TOML.",
    example: "[[rule]\nglob = \"art/*.glb\"",
    fix: "Write as TOML demands; https://toml.io shows how.",
};

pub static UNKNOWN_KEY: Code = Code {
    id: "BD002",
    title: "unknown key in ligament.toml",
    explanation: "A rule has the keys `glob`, `exclude` and `output`, and the options of `ligament convert` by the same names. Keys that mean nothing are errors, so that a typing error does not go unnoticed.",
    example: "[[rule]]\nglob = \"art/*.glb\"\nto = \"apg\"\noutput = \"assets/{stem}.{ext}\"\nmax_eror = \"0.01%\"",
    fix: "Correct the key; `ligament convert --help` lists the options.",
};

pub static BAD_VALUE: Code = Code {
    id: "BD003",
    title: "wrong value in ligament.toml",
    explanation: "A key's value is of another kind than it takes, or none of the words that it knows.",
    example: "strict = \"yes\"",
    fix: "Options that need no value on the command line are `true` or `false`; numbers and words are as on the command line.",
};

pub static MISSING_KEY: Code = Code {
    id: "BD004",
    title: "rule is incomplete",
    explanation: "A rule must say which files it is about (`glob`), what they become (`to`) and where they go (`output`).",
    example: "[[rule]]\nglob = \"art/*.glb\"",
    fix: "Add the missing key, for example output = \"assets/{dir}/{stem}.{ext}\".",
};

pub static NO_MATCH: Code = Code {
    id: "BD005",
    title: "pattern matches nothing",
    explanation: "No file fits a rule's pattern. Paths are relative to the folder of the ligament.toml; `*` stays within a folder, `**` does not. Hidden files, and files that an earlier run wrote, are left out.",
    example: "glob = \"art/*.gbl\"",
    fix: "Correct the pattern, or remove the rule.",
};

/// All of them.
pub static ALL: &[&Code] = &[&SYNTAX, &UNKNOWN_KEY, &BAD_VALUE, &MISSING_KEY, &NO_MATCH];
