"""Digests of files. They are kept, and computed again if a file has changed in any way that the system tells."""

from __future__ import annotations

import hashlib
import os
import time
import zipfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from metrologue.cache import kept
from metrologue.errors import InputError
from metrologue.files.regular import check_regular

_SHOWN = 12  # number of hexadecimal digits of a digest in names
_SMALL = 1 << 20  # bytes that are read again each time
# A file may change again within one tick of the clock of its file system, which may be two seconds.
_TICK = 2_000_000_000  # ns

# A file on disk, or one inside an archive.
File = Path | zipfile.Path
State = tuple[str, int, int, int, int, int]


def state_of(path: str | os.PathLike[str]) -> State:
    """The values that identify a file and its version: where it is, and what the system says of it.

    A copy, a file in its place and a link that leads elsewhere have other states, even of equal size and time.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "words"
    >>> states = []
    >>> for word in ("cat", "dog"):
    ...     _ = path.with_name("new").write_text(word)
    ...     os.utime(path.with_name("new"), (0, 0))
    ...     os.replace(path.with_name("new"), path)
    ...     states.append(state_of(path))
    >>> states[0] == states[1]
    False
    """
    return os.path.realpath(path), *quick_state(path)


def quick_state(path: str | os.PathLike[str]) -> tuple[int, int, int, int, int]:
    """``state_of`` without the place where links lead, which takes most of its time."""
    status = os.stat(path)
    return status.st_dev, status.st_ino, status.st_ctime_ns, status.st_size, status.st_mtime_ns


def changed_lately(paths: Iterable[Path]) -> bool:
    """Whether one of these files may change again without another state."""
    return max(os.stat(path).st_ctime_ns for path in paths) > time.time_ns() - _TICK


def digest_of(parts: Sequence[bytes]) -> str:
    """The digest of these contents, in the length that names have."""
    return _joined([hashlib.sha256(part).digest() for part in parts])


def digest(files: Sequence[File]) -> str:
    """The digest of the contents of these files, in the length that names have."""
    inside = [file.at if isinstance(file, zipfile.Path) else "" for file in files]
    return kept_digest("tables", [*map(on_disk, files)], lambda: _joined([_streamed(file) for file in files]), inside)


def kept_digest(kind: str, paths: Sequence[Path], make: Callable[[], str], inside: Iterable[str] = ()) -> str:
    """The digest that `make` computes from files, kept for large files until one of them changes.

    Raises an InputError if a file changes while it is read.

    The folder in the cache is `kind`, and `inside` says what is read of files that are archives.
    """
    for path in paths:
        check_regular(path, "digest")
    states = [*map(state_of, paths)]

    def computed() -> bytes:
        made = make()
        if [*map(state_of, paths)] != states:
            raise InputError(f"{paths[0]} or a file beside it changes while it is read; wait until it is complete.")
        return made.encode()

    is_small = sum(size for *_, size, _ in states) <= _SMALL
    if is_small or changed_lately(paths):
        return computed().decode()
    key = hashlib.sha256(repr((states, *inside)).encode()).hexdigest()
    return bytes(kept(f"{kind}/{key[:32]}.digest", computed, quiet=True)).decode()


def on_disk(file: File) -> Path:
    """The file itself, or the archive that it is in."""
    return Path(str(file.root.filename)) if isinstance(file, zipfile.Path) else file


def _joined(digests: Sequence[bytes]) -> str:
    return hashlib.sha256(b"".join(digests)).hexdigest()[:_SHOWN]


def _streamed(file: File) -> bytes:
    """The SHA-256 digest of a file, which is read block by block."""
    state = hashlib.sha256()
    with file.open("rb") as content:
        while block := content.read(1 << 20):
            state.update(block)
    return state.digest()
