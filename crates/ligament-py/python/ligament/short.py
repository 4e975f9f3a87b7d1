"""Short texts of objects that hold long ones: ``repr`` must not fill a notebook."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any

LONGEST = 60
"""Characters of a text that are shown."""


class Short:
    """A dataclass whose ``repr`` shows what differs from the defaults: arrays by their shape, lists by their length."""

    __slots__ = ()

    def __repr__(self) -> str:
        shown = []
        for field in fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if field.repr and not _is_default(field, value):
                shown.append(f" {field.name}={_short(value)}")
        return f"<{type(self).__name__}{''.join(shown)}>"


def _is_default(field: Any, value: Any) -> bool:
    if value is None:
        return True
    if hasattr(value, "dtype"):
        return False
    if field.default_factory is not MISSING:
        return bool(value == field.default_factory())
    return field.default is not MISSING and bool(value == field.default)


def _short(value: Any) -> str:
    if hasattr(value, "dtype"):
        return f"{value.dtype}{value.shape}"
    if isinstance(value, (bytes, bytearray, memoryview)):
        return f"{len(value)} bytes"
    if isinstance(value, (list, dict)) or (isinstance(value, tuple) and len(value) > 4):
        return str(len(value))
    if isinstance(value, tuple) and any(hasattr(element, "__slots__") for element in value):
        return str(len(value))
    if isinstance(value, str) and len(value) > LONGEST:
        return f"{value[:LONGEST]!r}..."
    return repr(value)
