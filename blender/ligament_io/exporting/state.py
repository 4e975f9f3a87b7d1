"""Changes to the open file that are always reverted."""


class Changes:
    """Sets attributes, and restores their old values at the end.

        with Changes() as changes:
            changes.set(modifier, "show_viewport", False)
    """

    def __init__(self):
        self._undo = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        while self._undo:
            undo = self._undo.pop()
            try:
                undo()
            except Exception as error:  # One change that cannot be reverted must not prevent the others.
                print("ligament: could not revert a change:", error)
        return False

    def set(self, owner, attribute, value):
        """Sets an attribute, unless it has the value already."""
        before = getattr(owner, attribute)
        if before == value:
            return
        setattr(owner, attribute, value)
        self._undo.append(lambda: setattr(owner, attribute, before))

    def later(self, undo):
        """Calls a function at the end."""
        self._undo.append(undo)
