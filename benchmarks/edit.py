"""Word error rate against jiwer, and edit distance against rapidfuzz."""

from __future__ import annotations

import gc
import random
import statistics
from collections.abc import Callable, Iterator

import jiwer
import rapidfuzz
from rapidfuzz.distance import Levenshtein

from benchmarks.texts import Corpus
from benchmarks.timing import Row, in_turn, row
from metrologue.scorers import EditDistance, WordErrorRate

__all__ = ["in_process", "long_texts"]


def in_process(corpus: Corpus, rounds: int) -> list[Row]:
    """All pairs, from Python's strings to the numbers. Nothing is kept between rounds."""
    predictions, references = corpus.predictions, corpus.references
    contenders: dict[str, Callable[[], object]] = {
        "WER": lambda: WordErrorRate().corpus(predictions, references),
        "jiwer": lambda: jiwer.process_words(references, predictions),
    }
    seconds = in_turn(contenders, rounds)
    # Half of jiwer's time is the garbage collector's, which looks at the objects that jiwer makes of all pairs.
    gc.disable()
    uncollected = in_turn(contenders, rounds)
    gc.enable()
    # Apart: what jiwer leaves in memory costs those that come after it more than they need themselves.
    seconds |= in_turn(
        {
            "edit distance": lambda: EditDistance().segments(predictions, references),
            "rapidfuzz": lambda: rapidfuzz.process.cpdist(
                predictions, references, scorer=Levenshtein.distance, workers=1
            ),
        },
        rounds,
    )
    return [
        row("WER", seconds, "WER", "jiwer", 20, 20),
        row("WER, garbage collector off", uncollected, "WER", "jiwer", 12, 20),
        row("edit distance of characters", seconds, "edit distance", "rapidfuzz", 1 / 1.3, 1),
    ]


def long_texts(rounds: int) -> Iterator[str]:
    """The seconds for two texts of 100,000 characters: their distance, and an alignment."""
    chance = random.Random(1)
    first, second = ("".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=100_000)) for _ in range(2))
    seconds = in_turn(
        {
            "ours": lambda: EditDistance().corpus([first], [second]),
            "rapidfuzz": lambda: Levenshtein.distance(first, second),
            "ours, alignment": lambda: WordErrorRate(tokenizer="characters").corpus([first], [second]),
            "rapidfuzz, alignment": lambda: Levenshtein.opcodes(second, first),
        },
        rounds,
    )
    taken = ", ".join(f"{name} {statistics.median(times):.2f} s" for name, times in seconds.items())
    yield f"edit distance of two texts of 100,000 characters: {taken}"
