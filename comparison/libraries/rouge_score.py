"""rouge_score: Google's ``rouge_score.rouge_scorer.RougeScorer``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from statistics import fmean
from types import SimpleNamespace

import numpy as np

from metrologue.comparison.libraries.base import Library, References, Scores, Texts, primary_first
from metrologue.comparison.libraries.nltk import TOKENIZERS, Tokenize

__all__ = ["RougeScore"]


class RougeScore(Library):
    """rouge_score. Of several references, it takes the one with the best F, for each type separately."""

    name = "rouge_score"
    distributions = ("rouge-score",)

    def score_rouge(
        self,
        predictions: Texts,
        references: References,
        *,
        types: Sequence[str] = ("rouge1", "rouge2", "rougeL", "rougeLsum"),
        stem: bool = False,
        split_summaries: bool = False,
        tokenize: str | Tokenize | None = None,
        bootstrap_seed: int | None = None,
    ) -> Scores:
        """Means of ``RougeScorer.score_multi``; with a seed, the middle of ``BootstrapAggregator``.

        With ``tokenize`` the library never stems, and ``stem`` has no effect.
        """
        from rouge_score.rouge_scorer import RougeScorer
        from rouge_score.scoring import BootstrapAggregator

        split = TOKENIZERS[tokenize] if isinstance(tokenize, str) else tokenize
        tokenizer = SimpleNamespace(tokenize=split) if split else None
        scorer = RougeScorer(list(types), stem, split_summaries, tokenizer)
        rows = [scorer.score_multi(texts, text) for text, texts in zip(predictions, references, strict=True)]
        if bootstrap_seed is None:
            return primary_first(
                {
                    f"{kind}_{name}": fmean(getattr(row[kind], name) for row in rows)
                    for kind in types
                    for name in ("precision", "recall", "fmeasure")
                }
            )
        aggregator = BootstrapAggregator()
        for row in rows:
            aggregator.add_scores(row)
        with seeded(bootstrap_seed):
            found = aggregator.aggregate()
        return primary_first(
            {
                f"{kind}_{name}": float(value)
                for kind, interval in found.items()
                for name, value in interval.mid._asdict().items()
            }
        )


@contextmanager
def seeded(seed: int | None) -> Iterator[None]:
    """Set NumPy's global generator to a seed, and restore it afterwards. Without a seed, do nothing."""
    if seed is None:
        yield
        return
    state = np.random.get_state()
    np.random.seed(seed)
    try:
        yield
    finally:
        np.random.set_state(state)
