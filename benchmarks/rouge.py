"""ROUGE against rouge_score, `rouge` and PyRouge."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterator

from rouge import Rouge as PltrdyRouge
from rouge_metric import PyRouge
from rouge_score.rouge_scorer import RougeScorer

from benchmarks.texts import Corpus
from benchmarks.timing import Row, in_turn, row
from metrologue.scorers import Rouge

__all__ = ["in_process", "long_texts"]

TYPES = ("rouge1", "rouge2", "rougeL")
SLICE = 1_000


def in_process(corpus: Corpus, rounds: int) -> list[Row]:
    """Ours on all pairs, and the others, which are slow, on the first thousand. Nothing is kept between rounds."""
    predictions, references = corpus.predictions, corpus.references
    few, few_references = predictions[:SLICE], references[:SLICE]

    def ours(variant: str, **fields: object) -> Rouge:
        return Rouge.variant(variant, **fields)

    def google(stem: bool) -> None:
        scorer = RougeScorer(list(TYPES), use_stemmer=stem)
        for prediction, reference in zip(few, few_references, strict=True):
            scorer.score(reference, prediction)

    def pyrouge(**types: object) -> None:
        scorer = PyRouge(
            rouge_n=(), **{"rouge_l": False, "rouge_w": False, "rouge_s": False, "rouge_su": False, **types}
        )
        scorer.evaluate(few, [[reference] for reference in few_references])

    scorers = {
        "ROUGE-1/2/L": ours("rouge_score", types=TYPES),
        "ROUGE-1/2/L, stemmed": ours("rouge_score", types=TYPES, stemmer="porter"),
        "ROUGE-1/2/L, sets": ours("rouge", types=TYPES),
        "ROUGE-SU4": ours("rouge-metric", types=("rougeSU4",)),
        "ROUGE-W-1.2": ours("rouge-metric", types=("rougeW",)),
    }
    seconds = in_turn(
        {
            **{name: lambda scorer=scorer: scorer.corpus(predictions, references) for name, scorer in scorers.items()},
            "rouge_score": lambda: google(False),
            "rouge_score, stemmed": lambda: google(True),
            "rouge": lambda: PltrdyRouge().get_scores(few, few_references, avg=True),
            "PyRouge, SU4": lambda: pyrouge(rouge_su=True, skip_gap=4),
            "PyRouge, W": lambda: pyrouge(rouge_w=True, rouge_w_weight=1.2),
        },
        rounds,
    )
    promises = (
        ("rouge_score", 40),
        ("rouge_score, stemmed", 40),
        ("rouge", 50),
        ("PyRouge, SU4", 100),
        ("PyRouge, W", 100),
    )
    share = SLICE / len(predictions)
    return [
        row(name, seconds, name, peer, floor, floor, share)
        for name, (peer, floor) in zip(scorers, promises, strict=True)
    ]


def long_texts(rounds: int) -> Iterator[str]:
    """The seconds for ROUGE-L of two texts of 100,000 words: the length of their longest common subsequence."""
    chance = random.Random(1)
    first, second = (" ".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=100_000)) for _ in range(2))
    rouge = Rouge(types=("rougeL",))
    seconds = in_turn({"ours": lambda: rouge.corpus([first], [second])}, rounds)["ours"]
    yield f"ROUGE-L of two texts of 100,000 words: {statistics.median(seconds):.2f} s (promised: 1 s)"
