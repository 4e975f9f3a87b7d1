"""One row per file, as Parquet or JSON Lines."""

from __future__ import annotations

import json
import os
import posixpath
import tempfile
from typing import Any

from .places import Place, Storage

ROWS = 1000
"""Rows of Parquet that are written at a time."""


class ReportFile:
    """A report that grows row by row and is placed at the end."""

    def __init__(self, address: str | None, storage: Storage) -> None:
        if address is not None and not address.endswith((".parquet", ".jsonl")):
            raise ValueError(f"a report ends in .parquet or .jsonl, not {address!r}")
        self.place = None if address is None else Place(address, storage)
        self.folder = tempfile.TemporaryDirectory(prefix="ligament-report-")
        self.path = os.path.join(self.folder.name, "rows")
        self.rows: list[dict[str, Any]] = []
        self.writer: Any = None
        self.is_parquet = address is not None and address.endswith(".parquet")

    def add(self, row: dict[str, Any]) -> None:
        """Adds a row."""
        if self.place is None:
            return
        self.rows.append(row)
        if len(self.rows) >= ROWS:
            self._write()

    def finish(self) -> None:
        """Places the report."""
        if self.place is not None:
            self._write()
            if self.writer is not None:
                self.writer.close()
            self.place.put(self.path, posixpath.dirname(self.place.path))
        self.folder.cleanup()

    def _write(self) -> None:
        if self.is_parquet:
            import pyarrow as pa
            import pyarrow.parquet as pq

            table = pa.Table.from_pylist(self.rows, schema=_schema())
            if self.writer is None:
                self.writer = pq.ParquetWriter(self.path, table.schema)
            self.writer.write_table(table)
        else:
            with open(self.path, "a", encoding="utf-8") as file:
                file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in self.rows)
        self.rows = []


def _schema() -> Any:
    import pyarrow as pa

    text, number, whole = pa.string(), pa.float64(), pa.int64()
    clip = pa.struct({"clip": text, "worst": number, "time": number})
    loss = pa.struct(
        {"kind": text, "code": text, "object": text, "count": whole, "size": number, "unit": text, "message": text}
    )
    found = pa.struct({"severity": text, "code": text, "message": text, "path": text, "line": whole})
    return pa.schema(
        {
            "input": text,
            "output": text,
            "result": text,
            "error": text,
            "from": text,
            "to": text,
            "dialect": text,
            "vertices": whole,
            "joints": whole,
            "clips": whole,
            "worst": number,
            "worst_clip": text,
            "worst_time": number,
            "worst_at_keys": number,
            "by_clip": pa.list_(clip),
            "losses": pa.list_(loss),
            "diagnostics": pa.list_(found),
            "seconds": number,
        }
    )
