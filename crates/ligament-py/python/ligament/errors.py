"""Exceptions. Each carries the report with everything that was found."""

from __future__ import annotations

from .report import Diagnostic, Report


class LigamentError(Exception):
    """Something failed. As text: the errors with their locations, one per line."""

    report: Report
    """Everything that was found up to the failure."""

    def __init__(self, message: str, report: Report) -> None:
        super().__init__(message)
        self.report = report

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything that was found, in order: errors, and the warnings and notes before them."""
        return self.report.diagnostics

    @property
    def first(self) -> Diagnostic | None:
        """The first error."""
        return next(iter(self.report.errors), None)

    def __reduce__(self) -> tuple[type[LigamentError], tuple[str, Report]]:
        return type(self), (str(self), self.report)


class InvalidError(LigamentError, ValueError):
    """The input breaks its format's rules, or its format is unknown."""


class UnsupportedError(InvalidError):
    """The input may well be valid, but it needs something that ligament does not support."""


class SceneError(InvalidError):
    """A scene breaks a rule; ``field`` of the diagnostics names the array and the element."""


class FileError(LigamentError, OSError):
    """A file cannot be read or written."""


class UsageError(LigamentError, ValueError):
    """Wrong usage: an unknown format, dialect, clip or option."""


class CheckError(LigamentError):
    """A requested check failed: a loss under ``strict``, a deviation above ``max_error``."""


class Cancelled(LigamentError):
    """The work was cancelled; nothing was written."""
