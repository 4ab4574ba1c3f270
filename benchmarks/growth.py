"""How time and memory grow with the number of pairs; and what a million pairs cost, for every metric.

Both are processor seconds, so that other work on the machine hardly changes them.
"""

from __future__ import annotations

import json
import math
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from benchmarks.against import ROWS
from benchmarks.texts import Corpus

__all__ = ["METRICS", "SIZES", "Cost", "Growth", "costs", "growth", "slope"]

METRICS = ("bleu", "chrf", "rouge", "ter")
SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
# The sizes whose difference is the cost of pairs alone, without the start of the program and what is made once.
_FEW, _MANY = 20_000, 120_000
# More pairs than this are measured once only: they take minutes.
_ONCE = 2_000_000

# The peak of a program alone: what `wait` says of a child includes the memory of the parent that it was forked from.
_PEAK = """
import json, resource, sys, time
def peak():
    try:
        status = open("/proc/self/status").read()
        return int(status.partition("VmHWM:")[2].split()[0]) / 1024
    except (OSError, IndexError):  # not on Linux
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
"""
_COMMAND = (
    _PEAK
    + """
from metrologue.__main__ import run
sys.argv[0] = "metrologue"
try:
    run()
finally:
    print(json.dumps([time.process_time(), peak()]), file=sys.stderr)
"""
)
_WORKER = (
    _PEAK
    + """
from itertools import islice
from metrologue.scorers import get_scorer
from metrologue.segments import Segments
(metric, variant, values), limits, lines = json.loads(sys.argv[1]), json.loads(sys.argv[2]), sys.argv[3:]
values = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
scorer = get_scorer(metric).variant(variant, **values)

def read(path):
    while True:
        with open(path, encoding="utf-8", newline="\\n") as file:
            yield from (line[:-1] for line in file)

def next_batch(count):
    return [[*islice(each, count)] for each in texts]

texts = [read(path) for path in lines]
if not scorer._is_fitted:
    scorer = scorer.fit(Segments(*next_batch(10_000)))
scorer.accumulate(*next_batch(100))
spent, seconds, totals, done = 0.0, [], None, 0
for limit in limits:
    while done < limit:
        batch = next_batch(min(10_000, limit - done))
        start = time.process_time()
        totals = scorer.accumulate(*batch, totals)
        spent += time.process_time() - start
        done += len(batch[0])
    seconds.append(spent)
print(json.dumps([(seconds[1] - seconds[0]) / (limits[1] - limits[0]) * 1e6, peak()]))
"""
)


@dataclass(frozen=True)
class Growth:
    """The command on files with this many pairs: the median of its processor seconds, and its peak of memory."""

    metric: str
    pairs: int
    seconds: float
    mebibytes: float


@dataclass(frozen=True)
class Cost:
    """Processor seconds of a million pairs, in batches of 10,000, without reading files; the peak of memory."""

    what: str
    seconds: float
    mebibytes: float


def growth(corpus: Corpus, rounds: int, sizes: Iterable[int] = SIZES, metrics: Iterable[str] = METRICS) -> list[Growth]:
    """``metrologue score`` on files of each size. The text repeats itself, as no corpus here is as large."""
    found = []
    for size in sizes:
        with _files(corpus, size) as files:
            for metric in metrics:
                measured = [_command(metric, *files) for _ in range(rounds if size < _ONCE else 1)]
                seconds, peaks = zip(*measured, strict=True)
                found.append(Growth(metric, size, statistics.median(seconds), max(peaks)))
    return found


def slope(points: Iterable[Growth]) -> float:
    """The exponent of the growth: 1 is linear. It comes from the two largest sizes, where the start hardly counts."""
    few, many = sorted(points, key=lambda one: one.pairs)[-2:]
    return math.log(many.seconds / few.seconds) / math.log(many.pairs / few.pairs)


def costs(corpus: Corpus, english: Corpus, rounds: int, limits: tuple[int, int] = (_FEW, _MANY)) -> list[Cost]:
    """Each metric in a process of its own. One that needs a table has it made from the references before."""
    found = []
    for text, of_english in ((corpus, False), (english, True)):
        with _files(text, len(text.predictions)) as files:
            for what, row in ROWS.items():
                if what.startswith("METEOR") != of_english or row[0] == "self_bleu":  # whose batches share a pool
                    continue
                command = [sys.executable, "-c", _WORKER, json.dumps(row), json.dumps(limits), *map(str, files)]
                measured = [json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
                            for _ in range(rounds)]  # fmt: skip
                seconds, peaks = zip(*measured, strict=True)
                found.append(Cost(what, statistics.median(seconds), max(peaks)))
    return found


@contextmanager
def _files(corpus: Corpus, size: int) -> Iterator[tuple[Path, Path]]:
    """A file of hypotheses and one of references, with `size` lines each."""
    with tempfile.TemporaryDirectory() as folder:
        paths = Path(folder) / "hypothesis", Path(folder) / "reference"
        for path, column in zip(paths, (corpus.predictions, corpus.references), strict=True):
            block = "".join(f"{text}\n" for text in column)
            with path.open("w", encoding="utf-8") as file:
                for _ in range(size // len(column)):
                    file.write(block)
                file.writelines(f"{text}\n" for text in islice(column, size % len(column)))
        yield paths


def _command(metric: str, hypothesis: Path, reference: Path) -> tuple[float, float]:
    """The processor seconds of the command, and its peak of memory in MiB."""
    command = [sys.executable, "-c", _COMMAND, "score", metric, "-p", str(hypothesis), "-r", str(reference)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, peak = json.loads(done.stderr.splitlines()[-1])
    return seconds, peak
