"""The hashed likelihood of 100,000 lines with 50 words each, against plain Python with mmh3 and against a promise.

Plain Python gets a part of the lines, and its seconds are those of this part, scaled to all lines.
"""

from __future__ import annotations

import importlib.util
import math
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.starts import processor_seconds
from benchmarks.timing import Row, in_turn, row
from metrologue.scorers import LikelihoodHashed

__all__ = ["generated", "in_process", "plain", "processes"]

LINES, WORDS, FEW = 100_000, 50, 2_000
# The promised seconds, with parsing.
PROMISED = 2.0


def generated(lines: int = LINES, seed: int = 1) -> tuple[list[str], list[str]]:
    """Lines in GEval's layout, each with 50 words and the rest for all others, and the right words."""
    chance = random.Random(seed)
    letters = "enisratdhulcgmobwfkzvpüäößjyxq"
    words = ["".join(chance.choices(letters, range(30, 0, -1), k=chance.randint(2, 12))) for _ in range(40_000)]
    predictions, right = [], []
    for _ in range(lines):
        own = chance.choices(words, k=WORDS)
        predictions.append(" ".join([*(f"{word}:{0.9 / WORDS * chance.random():.6f}" for word in own), ":0.1"]))
        right.append(chance.choice(own))
    return predictions, right


def plain(lines: list[str], words: list[str], bits: int = 10) -> float:
    """The hashed likelihood in plain Python: lines whose numbers are probabilities."""
    import mmh3

    size, loss = 1 << bits, 0.0
    for number, (line, word) in enumerate(zip(lines, words, strict=True), 1):
        items = [item.rsplit(":", 1) for item in line.split(" ")]
        total = sum(float(value) for _, value in items)
        scale = total if total > 1 or any(not own for own, _ in items) else 1.0
        right, mass, spread = mmh3.hash(word.encode(), number, signed=False) % size, 0.0, max(1.0 - total / scale, 0.0)
        for own, value in items:
            if not own:
                spread += float(value) / scale
            elif mmh3.hash(own.encode(), number, signed=False) % size == right:
                mass += float(value) / scale
        loss -= math.log(mass + spread / size)
    return math.exp(-loss / len(lines))


def in_process(rounds: int) -> list[Row]:
    """From lists of strings. Nothing is kept between rounds."""
    lines, words = generated()
    contenders = {"ours": lambda: LikelihoodHashed().corpus(lines, words)}
    if importlib.util.find_spec("mmh3"):
        contenders["mmh3"] = lambda: plain(lines[:FEW], words[:FEW])
    seconds = in_turn(contenders, min(rounds, 3))
    what = f"hashed likelihood, {LINES:,} lines of {WORDS} words"
    ours = statistics.median(_processor_seconds(contenders["ours"]) for _ in range(min(rounds, 3)))
    rows = [Row(f"{what} (processor)", "what is promised", ours, PROMISED, PROMISED / ours, 1.0, 2.0)]
    if "mmh3" in seconds:
        rows.append(row(f"{what} (Python: {FEW:,} lines)", seconds, "ours", "mmh3", 3, 5, FEW / LINES))
    return rows


def _processor_seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def processes(rounds: int) -> list[Row]:
    """The processor seconds of the command, from files."""
    lines, words = generated()
    with tempfile.TemporaryDirectory() as folder:
        out, expected = Path(folder) / "out.tsv", Path(folder) / "expected.tsv"
        for path, texts in ((out, lines), (expected, words)):
            path.write_text("".join(f"{text}\n" for text in texts), "utf-8")
        program = Path(sys.executable).parent / "metrologue"
        command = [program, "score", "likelihood_hashed", "--out-file", out, "--expected", expected]
        processor_seconds(command)  # the kernels are compiled
        ours = statistics.median(processor_seconds(command) for _ in range(min(rounds, 3)))
    what = f"metrologue score likelihood_hashed, {LINES:,} lines (processor)"
    return [Row(what, "what is promised", ours, PROMISED, PROMISED / ours, 1.0, 1.5)]
