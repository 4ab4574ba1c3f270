"""GTM against its definition in plain Python, MASI against nltk, Dice against sets; and each against our BLEU."""

from __future__ import annotations

from statistics import fmean

from nltk.metrics.distance import masi_distance

from benchmarks.texts import Corpus
from benchmarks.timing import Row, in_turn, row
from metrologue.scorers import Bleu, Dice, Gtm, Masi

__all__ = ["in_process"]

# The pairs that the slow definition is given.
SAMPLE = 1000


def in_process(corpus: Corpus, rounds: int) -> list[Row]:
    """All pairs, from Python's strings to the numbers. Nothing is kept between rounds."""
    predictions, references = corpus.predictions, corpus.references
    some = predictions[:SAMPLE], references[:SAMPLE]
    seconds = in_turn(
        {
            "BLEU 13a": lambda: Bleu.variant("sacrebleu").corpus(predictions, references),
            "GTM": lambda: Gtm().corpus(predictions, references),
            "GTM, exponent 2": lambda: Gtm(exponent=2).corpus(predictions, references),
            "plain Python": lambda: _gtm(*some, 2.0),
            "MASI": lambda: Masi().corpus(predictions, references),
            "nltk": lambda: fmean(
                masi_distance(set(text.split()), set(other.split()))
                for text, other in zip(predictions, references, strict=True)
            ),
            "Dice": lambda: Dice().corpus(predictions, references),
            "sets": lambda: fmean(map(_dice, predictions, references)),
        },
        rounds,
    )
    return [
        row("GTM", seconds, "GTM", "BLEU 13a", 1 / 10, 1 / 2),
        row("GTM, exponent 2", seconds, "GTM, exponent 2", "BLEU 13a", 1 / 10, 1 / 2),
        row("GTM, exponent 2", seconds, "GTM, exponent 2", "plain Python", 20, 50, len(some[0]) / len(predictions)),
        row("MASI", seconds, "MASI", "BLEU 13a", 1 / 3, 1),
        row("MASI", seconds, "MASI", "nltk", 1, 3),
        row("Dice", seconds, "Dice", "BLEU 13a", 1 / 3, 1),
        row("Dice", seconds, "Dice", "sets", 1, 3),
    ]


def _dice(text: str, other: str) -> float:
    own, its = set(text.split()), set(other.split())
    return 2 * len(own & its) / (len(own) + len(its)) if own or its else 1.0


def _gtm(predictions: list[str], references: list[str], exponent: float) -> float:
    """GTM as it is defined: all runs of each length, sorted."""
    size = own = its = 0.0
    for prediction, reference in zip(predictions, references, strict=True):
        text, other = prediction.split(), reference.split()
        runs = []
        for i in range(len(text)):
            for j in range(len(other)):
                length = 0
                while i + length < len(text) and j + length < len(other) and text[i + length] == other[j + length]:
                    length += 1
                    runs.append((length, i, j))
        total, used, taken = 0.0, set[int](), set[int]()
        for length, i, j in sorted(runs, reverse=True):
            rows, columns = range(i, i + length), range(j, j + length)
            if used.isdisjoint(rows) and taken.isdisjoint(columns):
                used.update(rows)
                taken.update(columns)
                total += length**exponent
        size, own, its = size + total ** (1 / exponent), own + len(text), its + len(other)
    return 2 * size / (own + its)
