"""Numbers of everything that is promised to be equal to the bit, for runs under other conditions.

    python tests/helpers/stability.py [THREADS]

prints them as JSON: the bits of each, by name.
"""

from __future__ import annotations

import json
import random
import sys
import warnings
from collections.abc import Iterator

import numpy as np
from layouts import columns_of, sample_of

import metrologue
from metrologue.inference import confidence_intervals, paired_test
from metrologue.inference.correlation import COEFFICIENTS, correlation
from metrologue.scorers import get_scorer, list_scorers
from metrologue.scorers.core.needs import model_kind, needs_model
from metrologue.segments import Segments

__all__ = ["numbers"]

# What has a score without a model, and reads free text or lines of its own layout.
METRICS = [
    name
    for name in list_scorers()
    if not needs_model(get_scorer(name))
    and model_kind(get_scorer(name)) != "trained"
    and name not in ("huse", "meant", "usr")
]
# What a variant may need that is not always there: tables and parsers.
_INSTALLED = ("java", "perl", "spacy", "kenlm", "wordnet", "meteor-1.5")


def texts(count: int = 40) -> tuple[list[str], list[list[str]]]:
    """Hypotheses, and one to three references each, with words that repeat, marks and other scripts."""
    draws = random.Random(5)
    known = [
        "the",
        "a",
        "Cat",
        "cat,",
        "of",
        "naïve",
        "日本語",
        "U.S.",
        "1,000.5",
        "don't",
        *(f"w{i}" for i in range(40)),
    ]
    weights = [1 / (i + 1) for i in range(len(known))]

    def text() -> str:
        return " ".join(draws.choices(known, weights, k=draws.randrange(3, 14)))

    return [text() for _ in range(count)], [[text() for _ in range(1 + i % 3)] for i in range(count)]


def of_scorers(threads: int) -> Iterator[tuple[str, float]]:
    """The scores of the corpus and of the segments, of every variant that needs nothing that may be missing."""
    predictions, references = texts()
    for metric in METRICS:
        for variant, facts in get_scorer(metric).variants().items():
            if {*_INSTALLED} & {*facts.needs}:
                continue
            try:
                scorer = get_scorer(metric).variant(variant)
                segments = scorer._to_segments(**columns_of(metric, *sample_of(metric, predictions, references)))
                found = dict(scorer.corpus(segments, threads=threads).scores)
                each = scorer.segment_scores(segments, threads=threads)
            except metrologue.InputError:  # one reference only, or no number for these texts
                continue
            yield from ((f"{metric}-{variant} {name}", value) for name, value in found.items())
            yield from (
                (f"{metric}-{variant} {name} [{i}]", v) for name, row in each.items() for i, v in enumerate(row)
            )


def of_inference(threads: int) -> Iterator[tuple[str, float]]:
    """Intervals, a test of two systems, and correlations with all their tests."""
    predictions, references = texts()
    other = [text.replace("the", "a") for text in predictions]
    for name in ("bleu", "chrf", "ter"):
        scorer = get_scorer(name)()
        rows = [scorer.statistics(Segments(system, references)) for system in (predictions, other)]
        for method in ("percentile", "bca"):
            for key, found in confidence_intervals(scorer, rows[0], resamples=200, seed=3, method=method).items():
                yield from ((f"{name} {method} {key} {side}", getattr(found, side)) for side in ("low", "high", "mean"))
        for test in ("bootstrap", "randomization"):
            [paired] = paired_test(scorer, "one", dict(zip(("one", "two"), rows, strict=True)), seed=3, method=test)
            yield f"{name} {test} p-value", paired.p_value
            yield f"{name} {test} difference", paired.difference
    draws = np.random.default_rng(4)
    one, two = draws.normal(size=60), draws.integers(0, 6, 60).astype(float)
    for name in COEFFICIENTS:
        result = correlation(one, two, method=name, confidence=0.9, resamples=99, seed=1)
        yield f"{name} value", result.value
        if result.p_value is not None:
            yield f"{name} p-value", result.p_value
        if result.interval is not None:
            yield from ((f"{name} {side}", getattr(result.interval, side)) for side in ("low", "high"))


def numbers(threads: int = 1) -> dict[str, str]:
    """The bits of all numbers, by name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {name: float(value).hex() for part in (of_scorers, of_inference) for name, value in part(threads)}


if __name__ == "__main__":
    print(json.dumps(numbers(*map(int, sys.argv[1:]))))
