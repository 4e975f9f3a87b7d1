"""The jobs of patterns, and their outputs."""

from __future__ import annotations

import fnmatch
import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from ..formats import Format, formats
from .places import Place, Storage, fingerprint

WILD = re.compile(r"[*?\[{]")


class PlanError(ValueError):
    """The rules or options make no sense together; nothing was converted."""


@dataclass(frozen=True, slots=True)
class Job:
    """One conversion."""

    input: str
    output: str
    record: str
    """Where it is recorded what was read and written."""
    options: dict[str, Any] = field(default_factory=dict)
    print: list[Any] | None = None
    """The input's fingerprint, if the search has told it."""

    @property
    def partials(self) -> str:
        """The folder of files that have not arrived yet."""
        return self.record[: self.record.rindex("/.ligament/")] + "/.ligament/partial"



@dataclass(frozen=True, slots=True)
class Found:
    """A file that a pattern matches."""

    place: Place
    below: str
    """The folders between the fixed part of the pattern and the file."""
    print: list[Any] | None


def find(pattern: str, storage: Storage) -> Iterator[Found]:
    """The files of a pattern, sorted: ``**`` stands for any folders, ``{a,b}`` for either. A folder stands for all models
    in it. Hidden files are left out."""
    parts = pattern.split("/")
    fixed = next((i for i, part in enumerate(parts) if WILD.search(part)), None)
    base = Place(pattern if fixed is None else "/".join(parts[:fixed]) or ".", storage)
    if fixed is None and base.fs.isfile(base.path):
        yield Found(base, "", base.print())
        return
    wanted = None if fixed is None else glob("/".join(parts[fixed:]))
    listed: dict[str, dict[str, Any]] = base.fs.find(base.path, detail=True)
    root = base.path.rstrip("/") + "/"
    for path in sorted(listed):
        relative = path[len(root) :] if path.startswith(root) else path
        if any(part.startswith(".") for part in relative.split("/")):
            continue
        if wanted.fullmatch(relative) if wanted else format_of(relative):
            yield Found(base.at(path), posixpath.dirname(relative), fingerprint(listed[path]))


def glob(pattern: str) -> re.Pattern[str]:
    """A pattern as ``ligament build`` understands it: ``*`` stays in its folder, and case matters."""
    return re.compile("|".join(_translated(word) for word in _alternatives(pattern)), re.DOTALL)


def _alternatives(pattern: str) -> Iterable[str]:
    found = re.search(r"\{([^{}]*)\}", pattern)
    if found is None:
        return [pattern]
    before, after = pattern[: found.start()], pattern[found.end() :]
    words = [word for choice in found.group(1).split(",") for word in _alternatives(before + choice + after)]
    if len(words) > 256:
        raise PlanError(f"{pattern!r}: more than 256 alternatives in braces")
    return words


def _translated(pattern: str) -> str:
    out = []
    for part in re.split(r"(\*\*/|\*\*|\*|\?|\[[^\]]*\])", pattern):
        if part == "**/":
            out.append("(?:[^/]+/)*")
        elif part == "**":
            out.append(".*")
        elif part == "*":
            out.append("[^/]*")
        elif part == "?":
            out.append("[^/]")
        elif part.startswith("[") and part.endswith("]") and len(part) > 2:
            out.append(fnmatch.translate(part).removeprefix("(?s:").removesuffix(r")\Z").removesuffix(r")\z"))
        else:
            out.append(re.escape(part))
    return "".join(out)


@cache
def _formats() -> tuple[Format, ...]:
    return formats()


def format_of(path: str) -> Format | None:
    """The format of a path's extension."""
    lower = path.lower()
    return next((f for f in _formats() if any(lower.endswith(f".{e}") for e in f.extensions)), None)


def stem(path: str) -> str:
    """A file's name without the extension, which may itself contain a dot."""
    name = posixpath.basename(path)
    known = format_of(name)
    endings = [e for e in known.extensions if name.lower().endswith(f".{e}")] if known else []
    return name[: -max(map(len, endings)) - 1] if endings else posixpath.splitext(name)[0]


def extension(to: str, dialect: str | None) -> str:
    """The extension of a target's files: the dialect's or the word itself if that is one, otherwise the format's usual."""
    for format in _formats():
        words = {format.id, *format.extensions, *(d.id for d in format.dialects)}
        if to in words:
            named = [word for word in (dialect, to) if word in format.extensions]
            return named[0] if named else format.extensions[0]
    raise PlanError(f"there is no format {to!r}; the formats are {', '.join(f.id for f in _formats())}")


def of_pattern(
    patterns: Sequence[str], out: str, to: Sequence[str], storage: Storage, options: dict[str, Any]
) -> list[Job]:
    """The jobs of patterns whose files go below a folder, in the same folders."""
    folder = out.rstrip("/")
    jobs = []
    for pattern in patterns:
        found = list(find(pattern, storage))
        if not found:
            raise PlanError(f"no file matches {pattern!r}")
        for file in found:
            for word in to:
                name = f"{stem(file.place.path)}.{extension(word, options.get('dialect'))}"
                relative = posixpath.join(file.below, name)
                jobs.append(job(file, folder, relative, {**options, "format": word}))
    return checked(jobs)


def job(file: Found, folder: str, relative: str, options: dict[str, Any]) -> Job:
    """The job that makes a file of a folder."""
    output, record = f"{folder}/{relative}", f"{folder}/.ligament/{relative}.json"
    return Job(file.place.address, output, record, options, file.print)


def checked(jobs: list[Job]) -> list[Job]:
    """Rejects two inputs with the same output, and outputs that would replace an input."""
    inputs = {job.input for job in jobs}
    outputs: dict[str, Job] = {}
    for job in jobs:
        if job.output in inputs:
            raise PlanError(f"{job.input} would be written to {job.output}, which is an input")
        other = outputs.setdefault(job.output.lower(), job)
        if other is not job:
            raise PlanError(f"{other.input} and {job.input} would both be written to {job.output}")
    return jobs
