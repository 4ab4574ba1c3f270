"""The record of a benchmark: one file for each group, so that a run that was cut off goes on where it was."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeAlias

from benchmarks.growth import Cost, Growth
from benchmarks.threads import Threads
from benchmarks.timing import Row

__all__ = ["Record", "about", "load", "save"]

# A line of text is a measurement that stands for itself.
Record: TypeAlias = Row | Growth | Cost | Threads | str

_KINDS = {kind.__name__: kind for kind in (Row, Growth, Cost, Threads)}
_ROOT = Path(__file__).parents[1]


def about(rounds: int, small: bool) -> dict[str, Any]:
    """What a measurement depends on. A record of anything else is measured again."""
    files = sorted(each for folder in ("src", "benchmarks") for each in (_ROOT / folder).rglob("*.py"))
    code = blake2b(digest_size=8)
    for file in files:
        code.update(file.read_bytes())
    return {
        "code": code.hexdigest(),
        "python": platform.python_version(),
        "machine": platform.platform(),
        "rounds": rounds,
        "small": small,
    }


def save(path: Path, records: list[Record], of: Mapping[str, Any]) -> None:
    """Write the records of a group. The file is there when it is complete."""
    rows = [{"kind": type(one).__name__, **asdict(one)} if not isinstance(one, str) else one for one in records]
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps({"about": of, "records": rows}, indent=2) + "\n", "utf-8")
    part.replace(path)


def load(path: Path, of: Mapping[str, Any] | None = None) -> list[Record] | None:
    """The records of a group; None if there are none, or they were measured under other conditions."""
    if not path.exists():
        return None
    data = json.loads(path.read_text("utf-8"))
    if of is not None and data["about"] != of:
        return None
    found: list[Record] = []
    for one in data["records"]:
        found.append(one if isinstance(one, str) else _KINDS[one.pop("kind")](**one))
    return found
