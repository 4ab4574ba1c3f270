"""nltk: ``nltk.translate.bleu_score``."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

from metrologue.comparison.libraries.base import Library, Scores, by_order

__all__ = ["Nltk"]

Tokenize = Callable[[str], list[str]]

# nltk takes tokens: these are the two ways in which its callers make them, as plain Python.
TOKENIZERS: dict[str, Tokenize] = {"whitespace": str.split, "characters": list}


class Nltk(Library):
    """nltk, fed with tokens split at blanks as its callers do."""

    name = "nltk"
    distributions = ("nltk",)

    def score_bleu(
        self,
        predictions: list[str],
        references: list[list[str]],
        *,
        max_order: int = 4,
        weights: Sequence[float] | None = None,
        smooth: str = "method0",
        tokenize: str | Tokenize = "whitespace",
    ) -> Scores:
        """``corpus_bleu``, which is ``sentence_bleu`` for one segment; ``smooth`` names a ``SmoothingFunction``."""
        from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu

        split = _tokenizer(tokenize)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # one for each order without a match: that is what the comparison shows
            value = corpus_bleu(
                [[split(text) for text in texts] for texts in references],
                [split(text) for text in predictions],
                tuple(weights) if weights else (1 / max_order,) * max_order,
                smoothing_function=getattr(SmoothingFunction(), smooth),
            )
        return {"bleu": float(value)}

    def score_modified_precision(
        self,
        predictions: list[str],
        references: list[list[str]],
        *,
        max_order: int = 4,
        tokenize: str | Tokenize = "whitespace",
    ) -> Scores:
        """``modified_precision`` of each order and ``brevity_penalty``, pooled over the segments as BLEU does it."""
        from nltk.translate import bleu_score

        split = _tokenizer(tokenize)
        hypotheses = [split(text) for text in predictions]
        tokens = [[split(text) for text in texts] for texts in references]
        clipped, counts = [0] * max_order, [0] * max_order
        for hypothesis, texts in zip(hypotheses, tokens, strict=True):
            for order in range(max_order):
                fraction = bleu_score.modified_precision(texts, hypothesis, order + 1)
                clipped[order] += fraction.numerator
                counts[order] += fraction.denominator
        lengths = [len(hypothesis) for hypothesis in hypotheses]
        closest = sum(map(bleu_score.closest_ref_length, tokens, lengths))
        return {
            **by_order(
                precision=[c / n for c, n in zip(clipped, counts, strict=True)], clipped_count=clipped, count=counts
            ),
            "brevity_penalty": float(bleu_score.brevity_penalty(closest, sum(lengths))),
            "hypothesis_length": sum(lengths),
            "reference_length": closest,
        }


def _tokenizer(tokenize: str | Tokenize) -> Tokenize:
    return TOKENIZERS[tokenize] if isinstance(tokenize, str) else tokenize
