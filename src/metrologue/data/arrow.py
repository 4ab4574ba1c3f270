"""pyarrow, which is imported when something of it is first used: lists of strings are scored without it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeGuard

__all__ = ["is_arrow", "pa"]

if TYPE_CHECKING:
    import pyarrow as pa
else:

    class _Arrow:
        def __getattr__(self, name):
            import pyarrow

            setattr(self, name, getattr(pyarrow, name))  # this method is then not asked again
            return getattr(pyarrow, name)

    pa = _Arrow()


def is_arrow(value: object) -> TypeGuard[pa.Array]:
    """Whether the value is an Arrow array, chunked or not. There is none before pyarrow is imported."""
    return "pyarrow" in sys.modules and isinstance(value, (pa.Array, pa.ChunkedArray))
