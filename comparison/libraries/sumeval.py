"""sumeval: its ``RougeCalculator``."""

from __future__ import annotations

from statistics import mean
from typing import Any

from metrologue.comparison.libraries.base import Library, References, Scores, Texts, primary_first

__all__ = ["Sumeval"]


class Sumeval(Library):
    """sumeval. It gives F-measures only, of one text; its command prints their means."""

    name = "sumeval"
    distributions = ("sumeval",)

    def score_rouge(
        self, predictions: Texts, references: References, *, max_order: int = 2, alpha: float = 0.5, **options: Any
    ) -> Scores:
        """``rouge_n`` and ``rouge_l``. By default, `stopwords` is true, which drops stop words."""
        from sumeval.metrics.rouge import RougeCalculator

        own = RougeCalculator(**options)
        pairs = [*zip(predictions, references, strict=True)]
        orders = range(1, max_order + 1)
        found = {f"rouge{n}": [own.rouge_n(text, list(texts), n, alpha) for text, texts in pairs] for n in orders}
        found["rougeL"] = [own.rouge_l(text, list(texts), alpha) for text, texts in pairs]
        return primary_first({f"{kind}_fmeasure": float(mean(values)) for kind, values in found.items()})
