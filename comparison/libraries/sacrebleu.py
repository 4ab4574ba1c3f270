"""sacrebleu: the classes of ``sacrebleu.metrics``."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from statistics import fmean
from typing import Any

from metrologue.comparison.libraries.base import Library, References, Scores, Texts, by_order, renamed

__all__ = ["Sacrebleu"]


class Sacrebleu(Library):
    """sacrebleu, in per cent."""

    name = "sacrebleu"
    distributions = ("sacrebleu",)
    scale = 100.0

    def score_bleu(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``BLEU.corpus_score``, by default with the tokenizer 13a."""
        return numbers(vars(_bleu(options).corpus_score(predictions, streams(references))))

    def score_self_bleu(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """The mean of ``BLEU.sentence_score`` of each text against all others, a loop that is left to its callers."""
        bleu = _bleu({**options, "effective_order": True})
        others = (predictions[:index] + predictions[index + 1 :] for index in range(len(predictions)))
        scores = [bleu.sentence_score(*pair).score for pair in zip(predictions, others, strict=True)]
        return {"self_bleu": fmean(scores)}

    def score_chrf(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``CHRF.corpus_score``."""
        from sacrebleu.metrics.chrf import CHRF

        return {"chrf": CHRF(**options).corpus_score(predictions, streams(references)).score}

    def score_ter(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``TER.corpus_score``."""
        from sacrebleu.metrics.ter import TER

        return edit_rate(vars(TER(**options).corpus_score(predictions, streams(references))))


def _bleu(options: Mapping[str, Any]) -> Any:
    """``BLEU``, without its warning about input that looks tokenized."""
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(force=True, **renamed(options, max_order="max_ngram_order", smooth="smooth_method"))


def edit_rate(found: Mapping[str, Any]) -> Scores:
    """The result of sacrebleu's TER, or of the Hub's, under our names."""
    return {"ter": found["score"], "edits": found["num_edits"], "reference_length": found["ref_length"]}


def streams(references: list[list[str]]) -> list[list[Any]]:
    """The first references of all segments, then the second ones, and so on. None stands for a missing reference."""
    return list(map(list, zip_longest(*references)))


def numbers(found: Mapping[str, Any]) -> Scores:
    """sacrebleu's numbers under our names. Its precisions are smoothed."""
    return {
        "bleu": found["score"],
        "brevity_penalty": found["bp"],
        "hypothesis_length": found["sys_len"],
        "reference_length": found["ref_len"],
        **by_order(precision=found["precisions"], clipped_count=found["counts"], count=found["totals"]),
    }
