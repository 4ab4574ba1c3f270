"""Whom files belong to. What comes from the cache is run or trusted, so nobody else may be able to write it.

On Windows there is nothing to check: the user's own folders are closed to others there.
"""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["distrust", "make_folders"]

_ROOT = 0
_OTHERS_WRITE = 0o022
_OWN = 0o700  # what only its owner may read, write and enter
_SHARED = 0o755  # what all may read and enter


def distrust(status: os.stat_result) -> str | None:
    """Why a file or a folder is not trusted. None if it belongs to this user or to root and nobody else may write it.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> distrust(folder.stat())
    >>> folder.chmod(0o777)
    >>> distrust(folder.stat())
    'can be written by other users'
    """
    if not hasattr(os, "geteuid"):
        return None
    if status.st_uid not in (_ROOT, os.geteuid()):
        return "belongs to another user"
    return "can be written by other users" if status.st_mode & _OTHERS_WRITE else None


def make_folders(root: Path, folder: Path) -> None:
    """Make a folder inside `root`, and those above it that are missing, whatever the umask.

    Only this user may enter them. If `root` exists already, its readers may enter those in it.

    Examples
    --------
    >>> import tempfile
    >>> root = Path(tempfile.mkdtemp()) / "root"
    >>> make_folders(root, root / "a" / "b")
    >>> [oct(path.stat().st_mode & 0o777) for path in (root, root / "a", root / "a" / "b")]
    ['0o700', '0o700', '0o700']
    """
    mode = root.stat().st_mode & _SHARED | _OWN if root.is_dir() else _OWN
    missing = []
    while not folder.is_dir() and folder != folder.parent:
        missing.append(folder)
        folder = folder.parent
    for each in reversed(missing):
        each.mkdir(mode, exist_ok=True)
