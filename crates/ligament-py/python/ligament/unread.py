"""Objects of a file that are made on first access."""

from __future__ import annotations

import threading
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from . import _ligament

_S = TypeVar("_S", bound="FromFile")
_lock = threading.RLock()


class FromFile:
    """A dataclass with slots whose fields may still belong to the reader. Its slots are empty until the first access."""

    __slots__ = ("_unread",)
    _unread: _ligament.Unread | None

    @classmethod
    def _of(cls: type[_S], unread: _ligament.Unread) -> _S:
        made = cls.__new__(cls)
        made._unread = unread
        return made

    if not TYPE_CHECKING:  # Mistyped names must stay mistakes for type checkers.

        def __getattr__(self, name: str) -> Any:
            # Python calls this for empty slots and for unknown names.
            if name not in type(self).__slots__:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
            self._take()
            return object.__getattribute__(self, name)

    def _take(self) -> None:
        # Two threads may access it at once.
        with _lock:
            try:
                unread: _ligament.Unread | None = object.__getattribute__(self, "_unread")
            except AttributeError:
                return
            if unread is None:
                return
            for field, value in zip(fields(self), unread.take(), strict=True):  # type: ignore[arg-type]
                # Fields that were set before the first access keep their value.
                try:
                    object.__getattribute__(self, field.name)
                except AttributeError:
                    setattr(self, field.name, value)
            self._unread = None
