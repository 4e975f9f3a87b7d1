"""Shows results: in the status bar, in a pop-up, and in full in the text editor."""

import bpy

REPORT = "ligament report"
SHOWN = 18
LOSSES = {"approximated", "dropped"}
# How the lines of a report begin, below its headline.
KINDS = ("approximated", "dropped", "kept", "also wrote", "error", "warning", "note", "info", "more")


def tell(operator, context, title, notes, report, popup=True):
    """Shows a success, with everything that was kept in another form, approximated or dropped. What matters comes first: how
    far vertices are off, then the losses, the largest first."""
    headline, body = _parts(report)
    proof = [notes.proof.headline()] if notes.proof is not None else []
    write_text([title, *proof, *headline, *map(str, notes), *body])
    own = notes.grouped()
    lost = sum(note.kind in LOSSES for note in own)
    lost += len(report.approximated) + len(report.dropped) if report is not None else 0
    warned = sum(note.kind == "warning" for note in own) + (len(report.warnings) if report is not None else 0)
    summary = title
    if lost or warned:
        counts = ((lost, "loss", "losses"), (warned, "warning", "warnings"))
        parts = [f"{count} {one if count == 1 else many}" for count, one, many in counts if count]
        summary += f" ({', '.join(parts)}: see the text {REPORT!r})"
    operator.report({"WARNING"} if lost or warned else {"INFO"}, summary)
    if popup and (lost or warned):
        show(context, title, shown(proof + headline, own, body))


def shown(headline, own, body):
    """The lines of the pop-up: the proof, the add-on's important notes, the library's losses, the rest."""
    first = [str(note) for note in own if note.rank[0] < 3]
    last = [str(note) for note in own if note.rank[0] >= 3]
    return [*headline, *first, *body, *last]


def _parts(report):
    """The first lines of the library's report, which have the proof, and the lines below them."""
    lines = str(report).splitlines() if report is not None else []
    start = next((i for i, line in enumerate(lines) if line.lstrip().startswith(KINDS)), len(lines))
    return lines[:start], lines[start:]


def fail(operator, title, error, lines=()):
    """Shows a failure: the first error with its line in the status bar, all errors in the text editor."""
    write_text([title, *lines])
    operator.report({"ERROR"}, f"{title}: {error}")


def write_text(lines):
    """Writes the report to a text of the open file, replacing the previous one."""
    text = bpy.data.texts.get(REPORT) or bpy.data.texts.new(REPORT)
    text.clear()
    text.write("\n".join(lines) + "\n")
    # Without users, it is there until Blender ends, but is not saved with the file.
    text.use_fake_user = False
    text.user_clear()


def show(context, title, lines):
    """Shows a pop-up, except in background mode."""
    if bpy.app.background or context.window is None:
        return

    def draw(menu, _context):
        for line in lines[:SHOWN]:
            menu.layout.label(text=line)
        if len(lines) > SHOWN:
            menu.layout.label(text=f"… {len(lines) - SHOWN} more in the text {REPORT!r}")

    context.window_manager.popup_menu(draw, title=title, icon="INFO")
