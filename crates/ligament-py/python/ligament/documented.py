"""Options of functions, where ``help`` and completion find them: in the docstring and the signature."""

from __future__ import annotations

import inspect
import json
import textwrap
from collections.abc import Callable
from functools import cache
from typing import Any, ParamSpec, TypeVar

from . import _ligament

_P = ParamSpec("_P")
_R = TypeVar("_R")

_OTHERS = {
    "format": "The format's id or extension, instead of detecting it.",
    "from_format": "The input's format, instead of detecting it.",
    "dialect": "The dialect that is written, instead of the format's default.",
    "cancel": "When another thread sets it, the work ends with ligament.Cancelled.",
    "progress": "Called at the beginning of every stage. An exception that it raises ends the work.",
}
"""The options that are no settings."""


def documented(options: Any) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Adds the keywords of a ``TypedDict`` to the signature and the docstring of a function that takes ``**options``."""

    def add(function: Callable[_P, _R]) -> Callable[_P, _R]:
        words = {name: _text(note) for name, note in _annotations(options).items()}
        signature = inspect.signature(function)
        named = [p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
        keyword = inspect.Parameter.KEYWORD_ONLY
        more = [inspect.Parameter(name, keyword, default=None, annotation=word) for name, word in words.items()]
        function.__signature__ = signature.replace(parameters=named + more)  # type: ignore[attr-defined]
        about = [inspect.cleandoc(function.__doc__ or ""), "", "Options, which are off or the format's own unless given:"]
        for name, word in words.items():
            about += ["", f"{name}: {word}", textwrap.indent(textwrap.fill(_help(name), 100), "    ")]
        function.__doc__ = "\n".join(about)
        return function

    return add


def _annotations(options: Any) -> dict[str, Any]:
    # The options of the work itself come before those of watching it.
    found: dict[str, Any] = {}
    watching: dict[str, Any] = {}
    for name, note in options.__annotations__.items():
        (watching if name in ("cancel", "progress") else found)[name] = note
    return {**found, **watching}


def _text(note: Any) -> str:
    return str(getattr(note, "__forward_arg__", note))


@cache
def _settings() -> dict[str, str]:
    helps: dict[str, str] = json.loads(_ligament.settings())
    return helps


def _help(name: str) -> str:
    return _OTHERS[name] if name in _OTHERS else f"{_settings()[name]}."
