"""Addresses: finding, fetching and placing files."""

from __future__ import annotations

import os
import posixpath
import time
import uuid
from collections.abc import Callable
from typing import Any

import fsspec

OBJECT_STORES = {"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "oss", "memory"}
"""File systems in which a file appears only when it has arrived as a whole."""

Storage = dict[str, Any]
"""The options of the file systems: keys, endpoints."""


class Place:
    """A file or folder on any file system."""

    def __init__(self, address: str, storage: Storage) -> None:
        self.fs, self.path = fsspec.core.url_to_fs(address, **_options(address, storage))
        protocol = self.fs.protocol
        self.protocols: tuple[str, ...] = (protocol,) if isinstance(protocol, str) else tuple(protocol)

    @property
    def is_local(self) -> bool:
        """Whether it is on this machine, or looks as if it were."""
        return "file" in self.protocols or "local" in self.protocols

    @property
    def address(self) -> str:
        """The whole address."""
        return self.path if self.is_local else str(self.fs.unstrip_protocol(self.path))

    def beside(self, name: str) -> Place:
        """A file at a path relative to this file's folder."""
        return self.at(posixpath.normpath(posixpath.join(posixpath.dirname(self.path), name)))

    def at(self, path: str) -> Place:
        """Another path of the same file system."""
        other = Place.__new__(Place)
        other.fs, other.path, other.protocols = self.fs, path, self.protocols
        return other

    def print(self) -> list[Any] | None:
        """What changes whenever the file does; ``None`` if there is no such file."""
        try:
            info = self.fs.info(self.path)
        except FileNotFoundError:
            return None
        return None if info.get("type") == "directory" else fingerprint(info)

    def fetch(self, target: str) -> bool:
        """Copies the file to a local path. Returns whether there is one."""
        os.makedirs(os.path.dirname(target), exist_ok=True)
        try:
            self.fs.get_file(self.path, target)
        except FileNotFoundError:
            return False
        return True

    @property
    def is_whole(self) -> bool:
        """Whether a file appears here only when it has arrived."""
        return self.protocols[0] in OBJECT_STORES

    def put(self, source: str, partials: str) -> None:
        """Places a local file here: it appears as a whole or not at all. ``partials`` is the address of a folder of the same
        file system for what has not arrived yet."""
        self._place(lambda path: self.fs.put_file(source, path), partials)

    def put_bytes(self, data: bytes, partials: str) -> None:
        """Places a file of these bytes, as :meth:`put` does."""
        self._place(lambda path: self.fs.pipe_file(path, data), partials)

    def _place(self, write: Callable[[str], object], partials: str) -> None:
        if self.is_whole:
            write(self.path)
            return
        partial = posixpath.join(self.fs._strip_protocol(partials), uuid.uuid4().hex)
        self.fs.makedirs(posixpath.dirname(partial), exist_ok=True)
        self.fs.makedirs(posixpath.dirname(self.path), exist_ok=True)
        try:
            write(partial)
            if self.is_local:
                os.replace(partial, self.path)
            else:
                self.fs.mv(partial, self.path)
        except BaseException:
            if self.fs.exists(partial):
                self.fs.rm_file(partial)
            raise

    def forget_partials(self) -> None:
        """Removes what killed workers left in a folder of partial files. Those of the last hour may be in use."""
        if not self.is_local or not os.path.isdir(self.path):
            return
        for entry in os.scandir(self.path):
            if entry.stat().st_mtime < time.time() - 3600.0:
                os.unlink(entry.path)

    def read(self) -> bytes | None:
        """The file's content, or ``None``."""
        try:
            data: bytes = self.fs.cat_file(self.path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        return data


def fingerprint(info: dict[str, Any]) -> list[Any]:
    """A file's length, and its hash or time as its file system knows it."""
    known = ("ETag", "etag", "md5Hash", "crc32c", "mtime", "LastModified", "last_modified", "updated", "created")
    tag = next((info[key] for key in known if info.get(key) is not None), "")
    return [info.get("size"), str(tag)]


def _options(address: str, storage: Storage) -> Storage:
    # Options for S3 mean nothing to a local path.
    return storage if "://" in address and not address.startswith("file://") else {}
