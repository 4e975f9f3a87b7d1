//! Codes of losses: what a pass kept in another form, approximated or dropped.

crate::report::codes! {
    CAMERAS = "LS001", "cameras",
        "The target format has no cameras.",
        "converting a glTF scene with a camera to PFOBJ",
        "Keep the source file for the cameras, or choose a format that holds them.";
}
