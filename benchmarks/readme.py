"""The tables of speed in docs/speed.md and README.md: ``python -m benchmarks --readme`` measures and writes them."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterable
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.texts import Corpus
from benchmarks.timing import Row, shown
from docs.__main__ import filled, table

__all__ = ["FILE", "README", "with_few", "with_speed"]

README = Path(__file__).parents[1] / "README.md"
FILE = README.parent / "docs" / "speed.md"
# The rows of the short table.
_FEW = {
    ("BLEU 13a", "sacrebleu"), ("ROUGE-1/2/L", "rouge_score"), ("chrF", "sacrebleu"), ("TER", "sacrebleu"),
    ("WER", "jiwer"),
}  # fmt: skip
_HEADER = ("what", "library", "library, s", "metrologue, s", "times faster")
# Rows without a library: a program that only counts words, seconds that we promise, our own BLEU, and plain Python.
_NO_LIBRARY = {"wc -w", "what is promised", "BLEU", "BLEU 13a", "plain Python", "sets"}


def with_speed(text: str, rows: Iterable[Row], corpora: Iterable[Corpus], day: date, rounds: int) -> str:
    """The text of docs/speed.md with these rows in the place of the old ones.

    Raises
    ------
    ValueError
        If the text has no place for them.
    """
    cells = [_cells(row) for row in rows if row.peer not in _NO_LIBRARY]
    texts = "; ".join(
        f"{corpus.name}, {len(corpus.predictions):,} pairs, {corpus.bytes / 1e6:.1f} MB" for corpus in corpora
    )
    about = (
        f"Measured on {day.isoformat()} with Python {platform.python_version()} on {_processor()}, one thread of ours, "
        f"warm caches. Texts: {texts}. Both sides of a row ran in turn, first once to warm up; "
        f"the seconds are the median of {rounds} further round{'s' * (rounds != 1)}. A library that was "
        "given a part of the text has its seconds scaled up to the whole. A row of one pair is the processor time of a "
        "call with two sentences, the median of rounds of 200 calls. There our time is mostly that of Python's calls, "
        "and libraries with a ratio below 1 are ahead.\n\n"
    )
    lines = table(_HEADER, cells)
    return filled(text, "speed", about + lines, by="python -m benchmarks --readme")


def with_few(text: str, rows: Iterable[Row]) -> str:
    """The text of README.md with a few of these rows in the place of the old ones. See ``with_speed``."""
    cells = [_cells(row) for row in rows if (row.what, row.peer) in _FEW]
    return filled(text, "speed in short", table(_HEADER, cells), by="python -m benchmarks --readme")


def _cells(row: Row) -> list[str]:
    return [
        row.what,
        _with_version(row.peer),
        shown(row.theirs),
        shown(row.ours),
        f"{row.ratio:.3g}" if row.ratio < 1000 else f"{row.ratio:,.0f}",
    ]


def _with_version(peer: str) -> str:
    """The peer with the version of the installed library, if its first word is one."""
    name = re.match(r"[\w-]*", peer)[0]  # type: ignore[index]  # it matches at least ""
    try:
        return peer.replace(name, f"{name} {version(name)}", 1)
    except (PackageNotFoundError, ValueError):
        return peer


def _processor() -> str:
    """The processor's name and the number of cores."""
    try:
        found = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text("utf-8"), re.MULTILINE)
    except OSError:
        found = None
    name = found[1] if found else platform.processor() or platform.machine()
    return f"{' '.join(name.split())}, {os.cpu_count()} cores"
