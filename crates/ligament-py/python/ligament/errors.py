"""Exceptions. Each carries the report with everything that was found."""

from __future__ import annotations

import os
from typing import Any

from .report import Diagnostic, Report


class LigamentError(Exception):
    """Something failed. As text: the errors with their locations, one per line."""

    report: Report
    """Everything that was found up to the failure."""

    def __init__(self, message: str, report: Report) -> None:
        super().__init__(message)
        self._message = message
        self.report = report

    def __str__(self) -> str:
        return self._message

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything that was found, in order: errors, and the warnings and notes before them."""
        return self.report.diagnostics

    @property
    def first(self) -> Diagnostic | None:
        """The first error."""
        return next(iter(self.report.errors), None)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._message, self.report)


class InvalidError(LigamentError, ValueError):
    """The input breaks its format's rules, or its format is unknown."""


class UnsupportedError(InvalidError):
    """The input may well be valid, but it needs something that ligament does not support."""


class SceneError(InvalidError):
    """A scene breaks a rule; ``field`` of the diagnostics names the array and the element."""


class FileError(LigamentError, OSError):
    """A file cannot be read or written: ``errno``, ``strerror`` and ``filename`` say which and why.

    Where Python has an exception of its own for that, it is one of those too: ``FileNotFoundError``, ``FileExistsError``,
    ``PermissionError``, ``IsADirectoryError`` or ``NotADirectoryError``.
    """

    def __init__(
        self, message: str, report: Report, errno: int | None = None, filename: str | None = None
    ) -> None:
        super().__init__(message, report)
        if errno is not None:
            OSError.__init__(self, errno, os.strerror(errno), filename)

    @classmethod
    def _of(cls, message: str, report: Report, errno: int | None, filename: str | None) -> FileError:
        plain = OSError if errno is None else type(OSError(errno, ""))
        return _FILE_ERRORS.get(plain, cls)(message, report, errno, filename)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._message, self.report, self.errno, self.filename)


class MissingFileError(FileError, FileNotFoundError):
    """There is no such file or folder."""


class ExistingFileError(FileError, FileExistsError):
    """The file exists and may not be replaced."""


class FileAccessError(FileError, PermissionError):
    """The system denies access."""


class IsFolderError(FileError, IsADirectoryError):
    """A folder is where a file should be."""


class NoFolderError(FileError, NotADirectoryError):
    """A file is where a folder should be."""


_FILE_ERRORS: dict[type[OSError], type[FileError]] = {
    FileNotFoundError: MissingFileError,
    FileExistsError: ExistingFileError,
    PermissionError: FileAccessError,
    IsADirectoryError: IsFolderError,
    NotADirectoryError: NoFolderError,
}


class UsageError(LigamentError, ValueError):
    """Wrong usage: an unknown format, dialect or option."""


class UnknownNameError(UsageError, KeyError):
    """No clip, node, mesh or material has the name, or several have."""


class CheckError(LigamentError):
    """A requested check failed: a loss under ``strict``, a deviation above ``max_error``."""


class Cancelled(LigamentError):
    """The work was cancelled; nothing was written."""
