"""The ten lines that any engine needs: count each part where it lies, merge the totals, score them once.

python examples/many_processes.py
"""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import reduce
from itertools import chain

from metrologue.scorers import Chrf, Totals

CHRF = Chrf()
PART = 250


def read(part: int) -> tuple[list[str], list[str]]:
    """What an engine reads for one task: a file, a partition, the rows of a query. Here 250 invented pairs."""
    numbers = range(part * PART, (part + 1) * PART)
    return [f"sentence {number} was translated" for number in numbers], [f"sentence {number}" for number in numbers]


def count(part: int) -> bytes:
    """The task. It sends back about a kilobyte, however many pairs it has counted."""
    predictions, references = read(part)
    return CHRF.accumulate(predictions, references, first=part * PART).to_bytes()


def merged(parts: Iterator[bytes]) -> Totals:
    """The totals of all tasks, in any order."""
    return reduce(Totals.merge, map(Totals.from_bytes, parts))


if __name__ == "__main__":
    with ProcessPoolExecutor(2) as pool:
        print(f"chrF {CHRF.score_totals(merged(pool.map(count, range(4)))).value}")
    predictions, references = map(chain.from_iterable, zip(*map(read, range(4)), strict=True))
    print(f"chrF {CHRF.corpus(predictions, references).value} in one process")
