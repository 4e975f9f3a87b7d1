"""One job, on a worker."""

from __future__ import annotations

import os
import posixpath
import sys
import time
from typing import Any

from .. import _ligament
from ..errors import LigamentError
from ..report import Report
from . import record
from .places import Place, Storage
from .planning import Job

FILES = ("clips_from", "reorder_joints")
"""Settings that name files, which may be addresses."""


def work(job: Job, storage: Storage, force: bool, scratch: str) -> dict[str, Any]:
    """Converts a file, unless that was done before, and returns its row of the report. A file that cannot be converted is
    a result; what a place on the network denies is an exception, and worth another attempt. ``scratch`` is an empty folder,
    and is empty again afterwards but for folders: making and removing these takes longer than converting a small model."""
    begun = time.perf_counter()
    done = None if force else record.unchanged(job, storage)
    if done is not None:
        return {**done, "result": "unchanged"}
    try:
        row, read, written = _convert(job, storage, scratch)
        row["seconds"] = time.perf_counter() - begun
        if row["result"] == "done":
            record.write(job, read, written, row, storage)
        return row
    finally:
        for path in _files(scratch):
            os.unlink(path)


def _convert(job: Job, storage: Storage, scratch: str) -> tuple[dict[str, Any], record.Prints, record.Prints]:
    source, target = Place(job.input, storage), Place(job.output, storage)
    # A file on this machine is read where it is.
    inside = os.path.dirname(source.path) if source.is_local else os.path.join(scratch, "in")
    outside = os.path.join(scratch, "out")
    os.makedirs(outside, exist_ok=True)
    read: record.Prints = {job.input: job.print if job.print is not None else source.print()}
    local = os.path.join(inside, posixpath.basename(source.path))
    if not source.is_local:
        # If there is none, the library says so.
        source.fetch(local)

    def fetch(path: str) -> None:
        """Fetches a file that the model refers to, before it is opened."""
        relative = os.path.relpath(path, inside).replace(os.sep, "/")
        beside = source.beside(relative)
        if not relative.startswith("..") and beside.address not in read:
            read[beside.address] = beside.print()
            if read[beside.address] is not None and not source.is_local:
                beside.fetch(os.fspath(path))

    options = {**job.options, **_named_files(job, storage, scratch, read)}
    made = os.path.join(outside, posixpath.basename(target.path))
    try:
        report = _ligament.convert(local, made, options, fetch)
    except LigamentError as error:
        row = {**_row(job, "failed", error.report), "error": str(error)}
        return _with_addresses(row, inside, outside, source, target), read, {}
    if source.print() != read[job.input]:
        # It was replaced while it was read. The next run sees it.
        read[job.input] = None
    written: record.Prints = {}
    before = record.written(job, storage)
    for path in _files(outside):
        if path != made:
            beside = target.beside(os.path.relpath(path, outside).replace(os.sep, "/"))
            known = before.get(beside.address)
            if known is None and beside.print() is not None and not _has_content(beside, path):
                why = f"{beside.address} exists with other content; it is not of an earlier run of this file"
                return {**_row(job, "failed", report), "error": why}, read, {}
            _put(job, path, beside, written)
    # The model comes last: what it refers to is there.
    _put(job, made, target, written)
    return _with_addresses(_row(job, "done", report), inside, outside, source, target), read, written


def _with_addresses(row: dict[str, Any], inside: str, outside: str, source: Place, target: Place) -> dict[str, Any]:
    """A row whose messages name addresses instead of the files in the scratch folder."""
    there = {outside: posixpath.dirname(target.address), inside: posixpath.dirname(source.address)}

    def told(value: Any) -> Any:
        if isinstance(value, str):
            for local, address in there.items():
                value = value.replace(local, address)
            return value
        if isinstance(value, list):
            return [told(one) for one in value]
        return {key: told(one) for key, one in value.items()} if isinstance(value, dict) else value

    shown: dict[str, Any] = told(row)
    return shown


def _has_content(place: Place, path: str) -> bool:
    with open(path, "rb") as file:
        return file.read() == place.read()


def _put(job: Job, path: str, place: Place, written: record.Prints) -> None:
    with open(path, "rb") as file:
        content = record.content_hash(file.read())
    # Models share pictures: one that is there already stays.
    if not record.is_same(place, [os.path.getsize(path), "", content]):
        place.put(path, job.partials)
    found = place.print()
    written[place.address] = None if found is None else [*found, content]


def _files(folder: str) -> list[str]:
    return sorted(os.path.join(base, name) for base, _, names in os.walk(folder) for name in names)


def _named_files(job: Job, storage: Storage, scratch: str, read: record.Prints) -> dict[str, Any]:
    """Settings that name files at addresses, with the files fetched."""
    changed: dict[str, Any] = {}
    for name in FILES:
        value = job.options.get(name)
        words = [value] if isinstance(value, str) else list(value or [])
        local = []
        for number, word in enumerate(words):
            place = Place(word, storage)
            if not place.is_local:
                paths = place.fs.glob(place.path) if any(c in word for c in "*?[") else [place.path]
                for path in sorted(paths):
                    file = place.at(path)
                    copy = os.path.join(scratch, f"{name}-{number}", posixpath.basename(path))
                    read[file.address] = file.print()
                    file.fetch(copy)
                    local.append(copy)
            else:
                local.append(word)
        if words:
            changed[name] = local[0] if isinstance(value, str) else local
    return changed


def _row(job: Job, result: str, report: Report) -> dict[str, Any]:
    """One line of the report."""
    worst = report.comparison.worst if report.comparison else None
    at_keys = report.comparison.worst_at_keys if report.comparison else None
    clips = report.comparison.by_clip if report.comparison else ()
    counts = report.counts
    return {
        "input": job.input,
        "output": job.output,
        "result": result,
        "error": None,
        "from": report.from_format,
        "to": report.to_format,
        "dialect": report.dialect,
        "vertices": counts.vertices if counts else None,
        "joints": counts.joints if counts else None,
        "clips": counts.clips if counts else None,
        "worst": _finite(worst.relative) if worst else None,
        "worst_clip": worst.clip if worst else None,
        "worst_time": worst.time if worst else None,
        "worst_at_keys": _finite(at_keys.relative) if at_keys else None,
        "by_clip": [{"clip": c.clip, "worst": _finite(c.relative), "time": c.time} for c in clips],
        "losses": [
            {
                "kind": loss.kind,
                "code": loss.code,
                "object": loss.object,
                "count": loss.count,
                "size": loss.size,
                "unit": loss.unit,
                "message": loss.message,
            }
            for loss in report.losses
        ],
        "diagnostics": [
            {
                "severity": found.severity,
                "code": found.code,
                "message": found.message,
                "path": found.path,
                "line": found.line,
            }
            for found in report.diagnostics
        ],
        "seconds": None,
    }


def _finite(number: float) -> float:
    # JSON has no infinity.
    return min(number, sys.float_info.max)


def failed(job: Job, why: str) -> dict[str, Any]:
    """The row of a job that no worker finished."""
    nothing = Report._from('{"diagnostics": [], "losses": [], "omitted": 0}', "")
    return {**_row(job, "failed", nothing), "error": why}
