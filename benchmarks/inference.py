"""Confidence intervals and paired tests against sacrebleu and rouge_score.

Each is timed twice: from the counts or scores of the segments, with the drawing of random numbers; and from the texts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.scoring import BootstrapAggregator
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest, _bootstrap_resample, estimate_ci

from benchmarks.texts import Corpus
from benchmarks.timing import Row, in_turn, row
from metrologue.inference import confidence_interval, confidence_intervals, paired_test
from metrologue.scorers import Bleu, Rouge
from metrologue.segments import Segments

__all__ = ["in_process"]

SYSTEMS = 11


def in_process(corpus: Corpus, rounds: int) -> list[Row]:
    """Intervals from 1,000 resamples, and paired tests of eleven systems with sacrebleu's numbers of resamples."""
    return [*_intervals(corpus, rounds), *_tests(corpus, min(rounds, 3))]


def _intervals(corpus: Corpus, rounds: int) -> list[Row]:
    system, reference = corpus.systems[0], corpus.reference
    statistics = Bleu().statistics(Segments(system, reference))
    sacrebleu = BLEU(references=[reference])
    counted = sacrebleu._extract_corpus_statistics(system, None)
    rouge = Rouge.variant("rouge_score", types=("rouge1", "rouge2", "rougeL"))
    scores = rouge.statistics(Segments(system, reference))
    scorer, scored = RougeScorer(list(rouge.types)), BootstrapAggregator()

    def add_scores(aggregator: BootstrapAggregator) -> BootstrapAggregator:
        for prediction, target in zip(system, reference, strict=True):
            aggregator.add_scores(scorer.score(target, prediction))
        return aggregator

    add_scores(scored)
    counts = in_turn(
        {
            "bleu": lambda: confidence_interval(Bleu(), statistics),
            "bleu, its draws": lambda: confidence_interval(Bleu(), statistics, resampling="sacrebleu"),
            "sacrebleu": lambda: estimate_ci(
                np.array([each.score for each in _bootstrap_resample(counted, sacrebleu, 1000)[1]])
            ),
            "rouge": lambda: confidence_intervals(rouge, scores),
            "rouge, its draws": lambda: confidence_intervals(rouge, scores, resampling="rouge_score"),
            "rouge_score": scored.aggregate,
        },
        rounds,
    )
    texts = in_turn(
        {
            "bleu": lambda: Bleu().corpus(system, reference, confidence=0.95),
            "sacrebleu": lambda: BLEU().corpus_score(system, [reference], n_bootstrap=1000),
            "rouge": lambda: rouge.corpus(system, reference, confidence=0.95),
            "rouge_score": lambda: add_scores(BootstrapAggregator()).aggregate(),
        },
        min(rounds, 3),
    )
    return [
        row("BLEU's interval, from counts", counts, "bleu", "sacrebleu", 20, 100),
        row("BLEU's interval, from counts, sacrebleu's draws", counts, "bleu, its draws", "sacrebleu", 12, 100),
        row("BLEU's interval, from texts", texts, "bleu", "sacrebleu", 25, 100),
        row("ROUGE's intervals, from scores", counts, "rouge", "rouge_score", 35, 100),
        row("ROUGE's intervals, from scores, rouge_score's draws", counts, "rouge, its draws", "rouge_score", 6, 100),
        row("ROUGE's intervals, from texts", texts, "rouge", "rouge_score", 35, 100),
    ]


class _Counted(BLEU):
    """sacrebleu's BLEU of systems whose counts are known."""

    def __init__(self, reference: list[str], systems: Sequence[list[str]]) -> None:
        super().__init__(references=[reference])
        self.counted: dict[int, Any] = {}
        self.counted = {id(texts): self._extract_corpus_statistics(texts, None) for texts in systems}

    def _extract_corpus_statistics(self, hypotheses: Sequence[str], references: Any) -> Any:
        known = self.counted.get(id(hypotheses))
        return super()._extract_corpus_statistics(hypotheses, references) if known is None else known


def _tests(corpus: Corpus, rounds: int) -> list[Row]:
    systems = {f"system {i}": texts for i, texts in enumerate(corpus.systems[:SYSTEMS])}

    def counts() -> Mapping[str, np.ndarray]:
        first = Segments(systems["system 0"], corpus.reference, shared=True)
        return {name: Bleu().statistics(first.with_predictions(texts)) for name, texts in systems.items()}

    known, known_to_sacrebleu = counts(), _Counted(corpus.reference, [*systems.values()])
    contenders: dict[str, Callable[[], object]] = {}
    for method, short in (("bootstrap", "bs"), ("randomization", "ar")):
        contenders |= {
            f"{method}, counts": lambda method=method: paired_test(Bleu(), "system 0", known, method=method),
            f"{method}, texts": lambda method=method: paired_test(Bleu(), "system 0", counts(), method=method),
            f"sacrebleu, {method}, counts": lambda short=short: PairedTest(
                [*systems.items()], {"BLEU": known_to_sacrebleu}, None, short
            )(),
            f"sacrebleu, {method}, texts": lambda short=short: PairedTest(
                [*systems.items()], {"BLEU": BLEU(references=[corpus.reference])}, None, short
            )(),
        }
    seconds = in_turn(contenders, rounds)
    return [
        row(
            f"{name}, 11 systems, from {given}",
            seconds,
            f"{method}, {given}",
            f"sacrebleu, {method}, {given}",
            least,
            100,
        )
        for name, method, given, least in (
            ("paired bootstrap", "bootstrap", "counts", 60),
            ("paired bootstrap", "bootstrap", "texts", 40),
            ("paired randomization", "randomization", "counts", 50),
            ("paired randomization", "randomization", "texts", 40),
        )
    ]
