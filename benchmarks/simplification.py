"""SARI against the Hub's module. The output of another system stands for the text before it was simplified."""

from __future__ import annotations

from benchmarks.texts import Corpus
from benchmarks.timing import Row, in_turn, row
from metrologue.comparison.libraries import Available, get_library
from metrologue.scorers import Sari

__all__ = ["in_process"]

# The texts that the Hub's module is given.
OF_HUB = 1000


def in_process(corpus: Corpus, rounds: int) -> list[Row]:
    """All texts, from Python's strings to the number."""
    hub = get_library("evaluate")
    if not isinstance(hub.status("sari"), Available):
        return []
    predictions, references = corpus.predictions, corpus.references
    sources = [text for system in (*corpus.systems[1:], corpus.systems[0]) for text in system]
    some = predictions[:OF_HUB], references[:OF_HUB]
    seconds = in_turn(
        {
            "SARI": lambda: Sari().corpus(predictions, references, sources=sources),
            "evaluate": lambda: hub.scores("sari", *some, sources=sources[:OF_HUB]),
        },
        rounds,
    )
    return [row("SARI", seconds, "SARI", "evaluate", 50, 100, len(some[0]) / len(predictions))]
