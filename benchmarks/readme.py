"""The tables of speed in docs/speed.md and README.md: ``python -m benchmarks --readme`` measures and writes them."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterable
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from itertools import zip_longest
from pathlib import Path
from typing import Any

from benchmarks.growth import METRICS, Cost, Growth, slope
from benchmarks.records import Record
from benchmarks.texts import Corpus
from benchmarks.threads import Threads
from benchmarks.timing import Row, shown
from docs.__main__ import filled, table

__all__ = ["FILE", "README", "SCALE", "with_few", "with_scale", "with_speed"]

README = Path(__file__).parents[1] / "README.md"
FILE = README.parent / "docs" / "speed.md"
SCALE = README.parent / "docs" / "scale.md"
_BY = "python -m benchmarks --readme"
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
        "given a part of the text has its seconds scaled up to the whole. Python's garbage collector is on, as it is "
        "for users, and finds no objects of earlier runs: with them, some libraries take half or twice as long. A row "
        "of one pair is the processor time of a call with two sentences, the median of rounds of 200 calls. There our "
        "time is mostly that of Python's calls, and libraries with a ratio below 1 are ahead.\n\n"
    )
    lines = table(_HEADER, cells)
    return filled(text, "speed", about + lines, by=_BY)


def with_few(text: str, rows: Iterable[Row]) -> str:
    """The text of README.md with a few of these rows in the place of the old ones. See ``with_speed``."""
    cells = [_cells(row) for row in rows if (row.what, row.peer) in _FEW]
    return filled(text, "speed in short", table(_HEADER, cells), by=_BY)


def with_scale(text: str, found: Iterable[Record], day: date) -> str:
    """The text of docs/scale.md with what was measured of a million pairs, of growth and of threads."""
    costs: list[Cost] = []
    points: list[Growth] = []
    pairs: list[Threads] = []
    kinds: dict[type, list[Any]] = {Cost: costs, Growth: points, Threads: pairs}
    for one in found:
        kinds.get(type(one), []).append(one)
    made = {
        **(_costs(costs) if costs else {}),
        **(_growth(points) if points else {}),
        **(_threads(pairs) if pairs else {}),
    }
    about = f"Measured on {day.isoformat()} with Python {platform.python_version()} on {_processor()}.\n\n"
    for name, lines in made.items():
        text = filled(text, name, about + lines, by=_BY)
    return text


def _costs(costs: list[Cost]) -> dict[str, str]:
    """Two metrics a line."""
    cells = [[one.what, f"{one.seconds:#.3g}", f"{one.mebibytes:.0f}"] for one in costs]
    half = -(-len(cells) // 2)
    lines = [left + right for left, right in zip_longest(cells[:half], cells[half:], fillvalue=[""] * 3)]
    return {"costs": table(("metric", "s a million", "MiB") * 2, lines)}


def _growth(points: list[Growth]) -> dict[str, str]:
    """The seconds at each size; and what they are for far more pairs."""
    rows, far = [], []
    powers = [f"10^{len(str(size)) - 1}" for size in sorted({one.pairs for one in points})]
    for metric in METRICS:
        own = sorted((one for one in points if one.metric == metric), key=lambda one: one.pairs)
        memory = [f"{one.mebibytes:.0f}" for one in own[-2:]]
        rows.append([metric, *(f"{one.seconds:#.3g} s" for one in own), f"{slope(own):.2f}", *memory])
        million = own[-1].seconds / own[-1].pairs * 1e6
        hours = million * 1000 / 3600  # of a billion
        far.append([metric, f"{million:#.3g}", f"{hours:.2f} core hours", f"{hours * 1000:,.0f} core hours"])
    sizes, memories = (f"{power} pairs" for power in powers), (f"MiB at {power}" for power in powers[-2:])
    return {
        "growth": table(("the command on files", *sizes, "exponent", *memories), rows),
        "trillion": table(("", "s a million, files", "a billion pairs", "a trillion pairs"), far),
    }


def _threads(pairs: list[Threads]) -> dict[str, str]:
    rows = [[one.what, f"{one.one * 1e3:.0f} ms", f"{one.two * 1e3:.0f} ms", f"{one.ratio:.2f}"] for one in pairs]
    return {"threads": table(("", "one thread", "two", "times faster"), rows)}


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
