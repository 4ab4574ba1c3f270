"""The page on versions: which version of a library each variant mirrors, and what `make drift` has found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from metrologue.scorers import get_scorer, list_scorers

__all__ = ["versions"]

_RECORD = Path(__file__).with_name("versions.json")
_HEAD = """# Which version does a variant mirror?

A variant gives the number of one version of a library. `make drift` installs the newest version of each library beside
that one, runs the same calls in both, and lists each number that changed. This page is made of what it found:
`python -m docs` writes it.

"""


def versions() -> str:
    """The page."""
    record: dict[str, Any] = json.loads(_RECORD.read_text("utf-8")) if _RECORD.is_file() else {}
    rows = [
        _row(name, variant, facts.library, facts.version, (facts.live or "").rpartition(".")[0], record)
        for name in list_scorers()
        for variant, facts in get_scorer(name).variants().items()
        if facts.library != "metrologue"
    ]
    head = "| variant | mirrors | live | newest | checked | numbers that changed |\n" + "| --- " * 6 + "|\n"
    return _HEAD + head + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _row(metric: str, variant: str, library: str, version: str, live: str, record: dict[str, Any]) -> list[str]:
    """A line of the table. A variant without a live call mirrors a paper, or a program whose numbers are recorded."""
    first = [f"[`{metric}`](metrics/{metric}.md) `{variant}`", f"{library} {version}"]
    if not live:
        return [*first, "no", "-", "-", "-"]
    if live not in record:
        return [*first, "yes", "?", "not yet", "-"]
    entry = record[live]
    return [*first, "yes", entry["newest"], entry["checked"], _changes(entry, f"{metric}-{variant}")]


def _changes(entry: dict[str, Any], variant: str) -> str:
    if entry["newest"] == entry["present"]:
        return "the same version"
    if (found := entry["variants"].get(variant)) is None:
        return "not compared"
    bits = found["other_bits"] - found["changed"]
    return f"{found['changed']} of {found['numbers']}" + f", and {bits} by their last bits" * bool(bits)
