"""Every hypothesis with every reference: against fastchrf, mbrs, and rapidfuzz's cdist. One thread or process each."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec

import numpy as np
import rapidfuzz
from rapidfuzz.distance import Levenshtein

from benchmarks.texts import Corpus
from benchmarks.timing import Row, in_turn, row
from metrologue.scorers import Bleu, Chrf, EditDistance, Scorer, Ter
from metrologue.scorers.chrf.aggregate import aggregate_groups

__all__ = ["in_process"]

TEXTS, CANDIDATES = 512, 256
FEW = 32  # of the hypotheses, for mbrs, which is slow

Contenders = dict[str, Callable[[], object]]


def in_process(corpus: Corpus, rounds: int) -> list[Row]:
    """Matrices of one system's texts with the references. A peer that is not installed is left out."""
    hypotheses, references = corpus.systems[0][:TEXTS], corpus.reference[:TEXTS]
    contenders: Contenders = {
        "edit distance": lambda: EditDistance().pairwise(hypotheses, references),
        "rapidfuzz, cdist": lambda: rapidfuzz.process.cdist(
            hypotheses, references, scorer=Levenshtein.distance, workers=1
        ),
        "edit distance, self": lambda: EditDistance().pairwise(hypotheses),
        "rapidfuzz, cdist, self": lambda: rapidfuzz.process.cdist(
            hypotheses, hypotheses, scorer=Levenshtein.distance, workers=1
        ),
        "chrF": lambda: Chrf().pairwise(hypotheses, references),
        "chrF, mean reference": lambda: aggregate_groups(Chrf(), [hypotheses], [references]),
        **_fastchrf(hypotheses, references),
    }
    candidates, others = hypotheses[:CANDIDATES], references[:CANDIDATES]
    peers = _mbrs(candidates[:FEW], others)
    for name, scorer in _MBRS.items():
        contenders[f"{name}, candidates"] = partial(scorer.pairwise, candidates, others)
    seconds = in_turn({**contenders, **peers}, min(rounds, 3))
    rows = [
        row(f"edit distance, {TEXTS} x {TEXTS}", seconds, "edit distance", "rapidfuzz, cdist", 1, 1),
        row(f"edit distance, {TEXTS} x themselves", seconds, "edit distance, self", "rapidfuzz, cdist, self", 1, 1),
    ]
    if "fastchrf" in seconds:
        rows += [
            row(f"chrF, {TEXTS} x {TEXTS}", seconds, "chrF", "fastchrf", 3, 3),
            row(f"chrF, {TEXTS} with their mean", seconds, "chrF, mean reference", "fastchrf, aggregate", 1, 1),
        ]
    share = FEW / CANDIDATES
    rows += [
        row(f"{name}, {CANDIDATES} x {CANDIDATES}", seconds, f"{name}, candidates", f"mbrs, {name}", 50, 50, share)
        for name in _MBRS
        if f"mbrs, {name}" in peers
    ]
    return rows


def _fastchrf(hypotheses: list[str], references: list[str]) -> Contenders:
    if not find_spec("fastchrf"):
        print("fastchrf is not installed: pip install fastchrf", file=sys.stderr)
        return {}
    from fastchrf import aggregate_chrf, pairwise_chrf

    return {
        "fastchrf": lambda: np.array(pairwise_chrf([hypotheses], [references])),
        "fastchrf, aggregate": lambda: np.array(aggregate_chrf([hypotheses], [references])),
    }


# What mbrs has classes for. Each calls sacrebleu for one pair after another.
_MBRS: dict[str, Scorer] = {"BLEU": Bleu.variant("sacrebleu-sentence"), "chrF": Chrf(), "TER": Ter()}


def _mbrs(hypotheses: list[str], references: list[str]) -> Contenders:
    if not find_spec("mbrs"):
        print("mbrs is not installed: pip install mbrs (it needs torch and transformers)", file=sys.stderr)
        return {}
    from mbrs.metrics import MetricBLEU, MetricChrF, MetricTER

    kinds = {"BLEU": MetricBLEU, "chrF": MetricChrF, "TER": MetricTER}
    metrics = {name: kind(kind.Config(num_workers=1)) for name, kind in kinds.items()}
    return {
        f"mbrs, {name}": partial(metric.pairwise_scores, hypotheses, references) for name, metric in metrics.items()
    }
