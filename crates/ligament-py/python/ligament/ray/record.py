"""What was read and written, beside the output, so that nothing is converted twice."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from .. import _ligament
from .places import Place, Storage
from .planning import Job

Prints = dict[str, list[Any] | None]


def options_hash(job: Job) -> str:
    """Hash of all that affects the output besides the files: the options and this version."""
    text = json.dumps([_ligament.__version__, job.options], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def unchanged(job: Job, storage: Storage) -> dict[str, Any] | None:
    """The row of an earlier run, if the job would only repeat it."""
    data = Place(job.record, storage).read()
    if data is None:
        return None
    try:
        record = json.loads(data)
        read: Prints = record["read"]
        written: Prints = record["written"]
        row: dict[str, Any] = record["row"]
        if record["options"] != options_hash(job) or job.input not in read:
            return None
    except (ValueError, KeyError, TypeError):
        # Damaged, or of another version.
        return None
    known = {job.input: job.print} if job.print is not None else {}
    for address, print in read.items():
        now = known[address] if address in known else Place(address, storage).print()
        if now != print:
            return None
    return row if all(is_same(Place(address, storage), print) for address, print in written.items()) else None


def content_hash(data: bytes) -> str:
    """Hash of a file's content."""
    return hashlib.sha256(data).hexdigest()


def is_same(place: Place, print: list[Any] | None) -> bool:
    """Whether an output is as it was placed. Models share pictures, so one may have been placed again since."""
    now = place.print()
    if now is None or print is None or now[0] != print[0]:
        return False
    return now == print[:2] or content_hash(place.read() or b"") == print[2]


def written(job: Job, storage: Storage) -> Prints:
    """What an earlier run of the job wrote, whatever its options were."""
    try:
        found: Prints = json.loads(Place(job.record, storage).read() or b"{}").get("written", {})
    except (ValueError, AttributeError):
        return {}
    return found


def write(job: Job, read: Prints, written: Prints, row: dict[str, Any], storage: Storage) -> None:
    """Records a job whose outputs are in place."""
    record = {"options": options_hash(job), "read": read, "written": written, "row": row}
    Place(job.record, storage).put_bytes(json.dumps(record).encode(), job.partials)
