"""Files that are written completely or not at all."""

from __future__ import annotations

import os
import shutil
import threading
from contextlib import suppress
from pathlib import Path

__all__ = ["write_whole"]


def write_whole(path: str | Path, content: bytes) -> None:
    """Write content to a file so that no reader ever sees half of it.

    The content is written to a temporary file in the same folder, which is then renamed. A pipe or a device is written
    directly.

    Parameters
    ----------
    path : str or Path
        A link stays a link, and an existing file keeps its permissions.
    content : bytes

    Raises
    ------
    OSError
        If the file cannot be written. The error names `path`, and an existing file stays as it was.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "page.html"
    >>> write_whole(path, b"<p>")
    >>> path.read_bytes(), len([*path.parent.iterdir()])
    (b'<p>', 1)
    """
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        target.write_bytes(content)
        return
    beside = target.with_name(f".{target.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        beside.write_bytes(content)
        if target.exists():
            shutil.copymode(target, beside)
        os.replace(beside, target)
    except BaseException as error:
        with suppress(OSError):
            beside.unlink()
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror or str(error), str(path)) from error
        raise
