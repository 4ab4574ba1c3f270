"""Totals as bytes, for engines that pass rows or tensors: NumPy's arrays, and the rest as JSON, in one zip file."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from metrologue.data.confusion import Confusion
from metrologue.errors import InputError, shown
from metrologue.files.wholeness import UNREADABLE, zipped_arrays
from metrologue.scorers.core.tables import Followed, State, Table, Tokens

__all__ = ["packed", "unpacked"]

_KINDS: dict[str, Callable[..., State]] = {kind.__name__: kind for kind in (Confusion, Followed, Table, Tokens)}


def packed(totals: Mapping[str, Any]) -> bytes:
    """The bytes of ``Totals.to_bytes``, from its arguments. Each member of the zip file has a checksum."""
    arrays, tables = {name: totals[name] for name in ("values", "rests")}, {}
    for name, table in totals["tables"].items():
        fields = table._asdict()
        arrays |= {f"{name}/{key}": value for key, value in fields.items() if isinstance(value, np.ndarray)}
        plain = {key: value for key, value in fields.items() if not isinstance(value, np.ndarray)}
        tables[name] = {"kind": type(table).__name__, "fields": [*fields], "plain": plain}
    about = {
        "signature": totals["signature"],
        "columns": totals["columns"],
        "segments": int(totals["segments"]),
        "ranges": [[int(limit) for limit in limits] for limits in totals["ranges"]],
        "tables": tables,
    }
    buffer = io.BytesIO()
    np.savez(buffer, about=np.frombuffer(json.dumps(about).encode(), np.uint8), **arrays)
    return buffer.getvalue()


def unpacked(data: Any) -> dict[str, Any]:
    """The arguments of the ``Totals`` that were packed. Raises an InputError for anything else."""
    try:
        arrays = zipped_arrays(data)
        about = json.loads(arrays["about"].tobytes())
        tables = {name: _table(name, one, arrays) for name, one in about["tables"].items()}
        ranges = tuple((start, stop) for start, stop in about["ranges"])
        found = {name: about[name] for name in ("signature", "segments")}
        columns = tuple(about["columns"])
        return found | {name: arrays[name] for name in ("values", "rests")} | {
            "columns": columns, "tables": tables, "ranges": ranges,
        }  # fmt: skip
    except UNREADABLE as error:
        raise InputError(f"Totals.from_bytes: the bytes are damaged, or hold no totals ({shown(error)}).") from error


def _table(name: str, about: Any, arrays: Any) -> State:
    plain = {key: tuple(value) if isinstance(value, list) else value for key, value in about["plain"].items()}
    made = {key: plain[key] if key in plain else arrays[f"{name}/{key}"] for key in about["fields"]}
    return _KINDS[about["kind"]](**made)
