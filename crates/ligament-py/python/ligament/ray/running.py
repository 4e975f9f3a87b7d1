"""All jobs, on a cluster: retries and progress."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import ray
from ray.exceptions import RayError

from .. import _ligament
from .places import Place, Storage
from .planning import Job, PlanError, of_pattern
from .report import ReportFile
from .rules import of_rules
from .work import failed, work

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..functions import ConvertOptions

TRIES = 3
"""How often a file may be begun."""
MOST_PER_TASK = 16
"""Files of one task: more would be lost together with a node."""
NAMED = 20
"""Failures that the text of a summary lists."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A file that could not be converted."""

    input: str
    output: str
    error: str


@dataclass(slots=True)
class Summary:
    """What became of all files. As text: the numbers, and the files that failed."""

    done: int = 0
    unchanged: int = 0
    failures: list[Failed] = field(default_factory=list)
    seconds: float = 0.0
    report: str | None = None
    """Where the report is."""

    @property
    def files(self) -> int:
        """The number of conversions."""
        return self.done + self.unchanged + len(self.failures)

    def __str__(self) -> str:
        lines = [f"failed: {f.input}: {f.error.splitlines()[0] if f.error else ''}" for f in self.failures[:NAMED]]
        if len(self.failures) > NAMED:
            lines.append(f"... and {len(self.failures) - NAMED} more")
        counts = f"{self.done} done, {self.unchanged} unchanged, {len(self.failures)} failed"
        return "\n".join([*lines, f"{self.files} files: {counts}   {self.seconds:.1f} s"])


def convert(
    pattern: str | Sequence[str],
    out: str | os.PathLike[str],
    *,
    to: str | Sequence[str],
    address: str | None = None,
    report: str | None = None,
    storage: Storage | None = None,
    force: bool = False,
    quiet: bool = False,
    **options: Unpack[ConvertOptions],
) -> Summary:
    """Converts every file of a pattern into a folder, on a Ray cluster.

    Addresses are those of fsspec: paths, ``s3://bucket/art/**/*.fbx``, ``gs://``. The folders below the fixed part of the
    pattern are kept. ``to`` is a format or several; ``address`` is that of the cluster (``auto`` finds a running one, ``None``
    starts one on this machine, unless Ray is in use already); ``storage`` holds the options of the file systems. ``report``
    is where a row per file is written, ending in ``.parquet`` or ``.jsonl``. Progress goes to standard error unless ``quiet``.

    A file that did not change since an earlier run is not converted again, unless ``force`` is true. Files that cannot be
    converted are listed in the summary and stop nothing; what a lost worker leaves is begun again.
    """
    misplaced = {"cancel", "progress", "format", "keep_existing"} & set(options)
    if misplaced:
        raise TypeError(f"{', '.join(sorted(misplaced))} has no meaning for many files; the format is `to`")
    _ligament.check_options(dict(options))
    patterns = [pattern] if isinstance(pattern, str) else list(pattern)
    words = [to] if isinstance(to, str) else list(to)
    jobs = of_pattern(patterns, os.fspath(out), words, storage or {}, dict(options))
    return run(jobs, address, report, storage or {}, force, quiet)


def build(
    rules: str | os.PathLike[str] = "ligament.toml",
    *,
    address: str | None = None,
    report: str | None = None,
    storage: Storage | None = None,
    force: bool = False,
    quiet: bool = False,
) -> Summary:
    """Follows the rules of a ``ligament.toml``, at a path or an address, on a Ray cluster, as ``ligament build`` does on one
    machine. The arguments are those of :func:`convert`."""
    return run(of_rules(os.fspath(rules), storage or {}), address, report, storage or {}, force, quiet)


def run(
    jobs: list[Job], address: str | None, report: str | None, storage: Storage, force: bool, quiet: bool
) -> Summary:
    """Runs jobs on a cluster."""
    rows = ReportFile(report, storage)
    for partials in {job.partials for job in jobs}:
        Place(partials, storage).forget_partials()
    is_ours = not ray.is_initialized()
    if is_ours:
        ray.init(address=address, log_to_driver=False, include_dashboard=False if address is None else None)
    try:
        return _Run(jobs, rows, storage, force, quiet).finish(report)
    finally:
        if is_ours:
            ray.shutdown()


def _work_all(jobs: list[Job], storage: Storage, force: bool) -> list[dict[str, Any]]:
    """Does some jobs, on a worker. A row with ``again`` asks for another attempt."""
    # The cores are shared by files, not by the parts of one.
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="ligament-") as scratch:
        for job in jobs:
            try:
                rows.append(work(job, storage, force, scratch))
            except Exception as error:
                rows.append({"again": f"{type(error).__name__}: {error}"})
    return rows


def _cores() -> int:
    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    return max(int(resources.get("CPU", 1)), 1)


class _Run:
    def __init__(self, jobs: list[Job], rows: ReportFile, storage: Storage, force: bool, quiet: bool) -> None:
        # Retries are ours: what was done of a lost task is known from its records.
        self.task = ray.remote(num_cpus=1, max_retries=0)(_work_all)
        self.jobs, self.rows, self.storage, self.force = jobs, rows, ray.put(storage), force
        self.summary = Summary()
        self.tries = [0] * len(jobs)
        cores = _cores()
        each = min(max(len(jobs) // (8 * cores), 1), MOST_PER_TASK)
        self.queue = deque(list(range(i, min(i + each, len(jobs)))) for i in range(0, len(jobs), each))
        self.pending: dict[Any, list[int]] = {}
        self.shown = 0.0
        self.quiet = quiet
        self.begun = time.perf_counter()

    def finish(self, report: str | None) -> Summary:
        while self.queue or self.pending:
            # The cluster may have grown or shrunk.
            room = 2 * _cores()
            while self.queue and len(self.pending) < room:
                chunk = self.queue.popleft()
                for index in chunk:
                    self.tries[index] += 1
                ref = self.task.remote([self.jobs[i] for i in chunk], self.storage, self.force)
                self.pending[ref] = chunk
            ready, _ = ray.wait(list(self.pending), num_returns=1, timeout=1.0)
            for ref in ready:
                self._take(ref, self.pending.pop(ref))
            self._show()
        self._show(last=True)
        self.rows.finish()
        self.summary.seconds = time.perf_counter() - self.begun
        self.summary.report = report
        return self.summary

    def _take(self, ref: Any, chunk: list[int]) -> None:
        try:
            results: list[dict[str, Any]] = ray.get(ref)
        except RayError as error:
            # A worker or node is gone, or one file took it down: each is begun again alone.
            why = str(error).strip().splitlines()
            results = [{"again": f"the worker was lost: {why[0] if why else type(error).__name__}"}] * len(chunk)
        for index, row in zip(chunk, results, strict=True):
            if "again" not in row:
                self._count(index, row)
            elif self.tries[index] < TRIES:
                self.queue.append([index])
            else:
                self._count(index, failed(self.jobs[index], f"{row['again']} (in each of {TRIES} attempts)"))

    def _count(self, index: int, row: dict[str, Any]) -> None:
        if row["result"] == "done":
            self.summary.done += 1
        elif row["result"] == "unchanged":
            self.summary.unchanged += 1
        else:
            job = self.jobs[index]
            self.summary.failures.append(Failed(job.input, job.output, row["error"] or ""))
        self.rows.add(row)

    def _show(self, last: bool = False) -> None:
        now = time.perf_counter()
        is_terminal = sys.stderr.isatty()
        if self.quiet or not (last or now - self.shown >= (0.2 if is_terminal else 10.0)):
            return
        self.shown = now
        files, seconds = self.summary.files, now - self.begun
        rate = files / seconds if seconds > 0 else 0.0
        left = f", {(len(self.jobs) - files) / rate:.0f} s left" if rate > 0 and not last else ""
        text = f"{files}/{len(self.jobs)} files, {len(self.summary.failures)} failed, {rate:.1f} files/s{left}"
        end = "\n" if last or not is_terminal else ""
        print(f"\r{text}\033[K" if is_terminal else text, end=end, file=sys.stderr, flush=True)


__all__ = ["Failed", "PlanError", "Summary", "build", "convert"]
