"""Compilation of kernels: numba, with a compile cache that never stops an import.

Compiled code is kept in ``$METROLOGUE_CACHE``, else in the user's cache folder, else in a temporary folder that goes
with the process; where none of them can be written, kernels are compiled in memory and a warning says so. After a
change to any kernel, all of them are compiled again.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numba

from metrologue.folders import cache_folder, progress_line

__all__ = ["kernel"]


def _edition(package: Path) -> str:
    """A name for the kernels as they stand: numba sees a change in one file, but not in helpers from other files."""
    sources = [package / "jit.py", *sorted((package / "kernels").glob("*.py"))]
    return f"kernels-{sha256(b''.join(path.read_bytes() for path in sources)).hexdigest()[:12]}"


_CACHE = cache_folder()
_FOLDER = _CACHE and _CACHE / _edition(Path(__file__).parent)


def kernel(*signatures: Any, allocates: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function with numba, once on a machine.

    Explicit signatures compile when the module is imported, and from then on are read from the cache in milliseconds.
    Without one, the function is a helper that is inlined where other kernels call it.

    Parameters
    ----------
    *signatures : tuple of numba types
        The types of the arguments, for each way to call it.
    allocates : bool
        Of a helper: whether it makes an array, or returns one. In all others no references to arrays are counted: that
        is an atomic operation for each array each time, which can take longer than the helper's own work.

    Returns
    -------
    callable
        A decorator.
    """

    def compiled(function: Callable[..., Any]) -> Any:
        # numba reads the cache's place when the decorator runs; other packages' kernels must keep theirs.
        settings: Any = numba.config
        before, settings.CACHE_DIR = settings.CACHE_DIR, str(_FOLDER or "")
        try:
            with progress_line(f"compiling {function.__name__}"):
                helper: dict[str, Any] = {} if signatures else {"forceinline": True, "_nrt": allocates}
                return numba.njit(list(signatures) or None, cache=_FOLDER is not None, nogil=True, **helper)(function)
        finally:
            settings.CACHE_DIR = before

    return compiled
