"""Shows results: in the status bar, in a pop-up, and in full in the text editor."""

import bpy

REPORT = "ligament report"
SHOWN = 18


def tell(operator, context, title, notes, report, popup=True):
    """Shows a success, with everything that was kept in another form, approximated or dropped."""
    own = notes.lines()
    lines = [title, *own, *(str(report).splitlines() if report is not None else [])]
    write_text(lines)
    lost = len(notes.losses) + (len(report.approximated) + len(report.dropped) if report is not None else 0)
    warned = sum(note.kind == "warning" for note in notes) + (len(report.warnings) if report is not None else 0)
    summary = title
    if lost or warned:
        counts = ((lost, "loss", "losses"), (warned, "warning", "warnings"))
        parts = [f"{count} {one if count == 1 else many}" for count, one, many in counts if count]
        summary += f" ({', '.join(parts)}: see the text {REPORT!r})"
    operator.report({"WARNING"} if lost or warned else {"INFO"}, summary)
    if popup and (lost or warned):
        show(context, title, lines[1:])


def fail(operator, title, error, lines=()):
    """Shows a failure: the first error with its line in the status bar, all errors in the text editor."""
    write_text([title, *lines])
    operator.report({"ERROR"}, f"{title}: {error}")


def write_text(lines):
    """Writes the report to a text of the open file, replacing the previous one."""
    text = bpy.data.texts.get(REPORT) or bpy.data.texts.new(REPORT)
    text.clear()
    text.write("\n".join(lines) + "\n")


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
