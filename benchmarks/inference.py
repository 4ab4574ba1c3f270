"""Confidence intervals and paired tests against sacrebleu and rouge_score."""

from __future__ import annotations

from rouge_score.rouge_scorer import RougeScorer
from rouge_score.scoring import BootstrapAggregator
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest, _bootstrap_resample

from benchmarks.texts import Corpus
from benchmarks.timing import Row, in_turn, row
from metrologue.inference import confidence_interval, confidence_intervals, paired_test
from metrologue.scorers import Bleu, Rouge
from metrologue.segments import Segments

__all__ = ["in_process"]

SYSTEMS = 11


def in_process(corpus: Corpus, rounds: int) -> list[Row]:
    """1,000 resamples of counted segments; and paired tests of eleven systems from their texts, counting included."""
    system, reference = corpus.systems[0], corpus.reference
    statistics = Bleu().statistics(Segments(system, reference))
    theirs = BLEU(references=[reference])
    counted = theirs._extract_corpus_statistics(system, None)
    rouge = Rouge.variant("rouge_score", types=("rouge1", "rouge2", "rougeL"))
    rouge_statistics = rouge.statistics(Segments(system, reference))
    scorer, aggregator = RougeScorer(list(rouge.types)), BootstrapAggregator()
    for prediction, target in zip(system, reference, strict=True):
        aggregator.add_scores(scorer.score(target, prediction))
    quick = in_turn(
        {
            "ours": lambda: confidence_interval(Bleu(), statistics),
            "its draws": lambda: confidence_interval(Bleu(), statistics, resampling="sacrebleu"),
            "sacrebleu": lambda: _bootstrap_resample(counted, theirs, 1000),
            "rouge": lambda: confidence_intervals(rouge, rouge_statistics),
            "rouge, its draws": lambda: confidence_intervals(rouge, rouge_statistics, resampling="rouge_score"),
            "rouge_score": aggregator.aggregate,
        },
        rounds,
    )
    systems = {f"system {i}": texts for i, texts in enumerate(corpus.systems[:SYSTEMS])}

    def ours(method: str) -> object:
        first = Segments(system, reference, shared=True)
        counts = {name: Bleu().statistics(first.with_predictions(texts)) for name, texts in systems.items()}
        return paired_test(Bleu(), "system 0", counts, method=method)

    def sacrebleu(test: str) -> object:
        return PairedTest([*systems.items()], {"BLEU": BLEU(references=[reference])}, None, test)()

    slow = in_turn(
        {
            "ours, bootstrap": lambda: ours("bootstrap"),
            "sacrebleu, bootstrap": lambda: sacrebleu("bs"),
            "ours, randomization": lambda: ours("randomization"),
            "sacrebleu, randomization": lambda: sacrebleu("ar"),
        },
        min(rounds, 2),
    )
    return [
        row("BLEU, 1,000 resamples", quick, "ours", "sacrebleu", 5, 100),
        row("BLEU, 1,000 resamples, sacrebleu's draws", quick, "its draws", "sacrebleu", 3, 100),
        row("ROUGE, 1,000 resamples", quick, "rouge", "rouge_score", 15, 100),
        row("ROUGE, 1,000 resamples, rouge_score's draws", quick, "rouge, its draws", "rouge_score", 1.5, 100),
        row("paired bootstrap, 11 systems", slow, "ours, bootstrap", "sacrebleu, bootstrap", 15, 100),
        row("randomization, 11 systems", slow, "ours, randomization", "sacrebleu, randomization", 20, 100),
    ]
