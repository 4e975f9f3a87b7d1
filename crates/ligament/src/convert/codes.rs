//! Codes of conversions.

crate::report::codes! {
    DIALECT = minor "CV001", "dialect written",
        "The format has several dialects. The note names the one that was written and the others.",
        "ligament convert fox.glb fox.pfobj",
        "Choose another with --dialect.";
    UNKNOWN_DIALECT = "CV002", "no such dialect",
        "The target format has no dialect of that name.",
        "ligament convert fox.glb fox.pfobj --dialect latin",
        "`ligament formats` lists the dialects of each format.";
    NOT_WRITABLE = "CV003", "format is read only",
        "Ligament reads this format but does not write it.",
        "ligament convert mage.pfobj mage.fbx",
        "Choose a format that `ligament formats` marks as written.";
    STRICT = "CV004", "loss under --strict",
        "--strict was given, and the conversion approximated or dropped something. Nothing was written.",
        "ligament convert --strict scene.glb scene.pfobj",
        "Leave out --strict, or remove from the source what the target cannot hold.";
    MAX_ERROR = "CV005", "deviation above --max-error",
        "Source and result were posed side by side, and a vertex of the result is farther from where it should be than --max-error allows. Nothing was written.",
        "ligament convert --max-error 0.01% fox.glb fox.pfobj",
        "Raise --fps or --max-error, or look at the losses for the cause.";
    VERIFY_FAILED = "CV006", "result cannot be read back",
        "The file that was written could not be read back, so it was not kept. This is a defect in ligament.",
        "none known",
        "Please report it together with the input file.";
    UNPROVEN = "CV008", "written without being read",
        "The file stays in its format, so it is written as it is. It needs something that ligament does not support, so it could not be read as a scene and posed beside the result.",
        "ligament convert model.glb model.gltf, where the model requires an unknown extension",
        "Nothing needs to be done; the data is the same.";
    UNCOMPARED = "CV009", "not everything was compared",
        "Some of the result could not be posed beside the source, because there are too many vertices, or because nothing of the source is left. Nothing is known about that part, so --max-error fails.",
        "a scene that places a mesh of a million vertices fifty times, converted to PFOBJ",
        "Convert the objects one by one, or check the result with another program.";
    INFINITE = "CV010", "infinite deviation",
        "Posed side by side, a vertex of the source or of the result is not at a finite position, so the deviation is infinite. --max-error fails.",
        "a clip whose keys scale a joint beyond the largest number",
        "Look at the named clip and vertex; `ligament validate` may show the cause.";
    TOO_MANY_INFLUENCES = "CV011", "more influences than the format can hold",
        "--influences asks for more joints per vertex than the target format can hold. Nothing was written.",
        "ligament convert fox.glb fox.apg --influences 9",
        "Ask for as many as the message names; `ligament formats` shows what each format can hold.";
    CANCELLED = "CV007", "cancelled",
        "The work was stopped before it was done, by Ctrl-C in Python or by a program that uses the library. Nothing was written.",
        "ligament.load(\"huge.glb\", cancel=event), after event.set()",
        "Nothing to do: this is what was asked for.";
}
