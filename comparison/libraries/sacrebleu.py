"""sacrebleu: the classes of ``sacrebleu.metrics``."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from statistics import fmean
from typing import Any

from metrologue.comparison.libraries.base import Library, Scores, by_order

__all__ = ["Sacrebleu"]


class Sacrebleu(Library):
    """sacrebleu, in per cent."""

    name = "sacrebleu"
    distributions = ("sacrebleu",)
    scale = 100.0

    def score_bleu(
        self,
        predictions: list[str],
        references: list[list[str]],
        *,
        max_order: int = 4,
        tokenize: str | None = None,
        smooth: str = "exp",
        smooth_value: float | None = None,
        lowercase: bool = False,
        effective_order: bool = False,
    ) -> Scores:
        """``BLEU.corpus_score``. With ``tokenize`` None, the tokenizer is sacrebleu's default, 13a."""
        from sacrebleu.metrics.bleu import BLEU

        bleu = BLEU(
            lowercase=lowercase,
            force=True,  # no warning about input that looks tokenized
            tokenize=tokenize,
            smooth_method=smooth,
            smooth_value=smooth_value,
            max_ngram_order=max_order,
            effective_order=effective_order,
        )
        return numbers(vars(bleu.corpus_score(predictions, streams(references))))

    def score_self_bleu(
        self,
        predictions: list[str],
        references: list[list[str]],
        *,
        max_order: int = 4,
        tokenize: str | None = None,
        smooth: str = "exp",
        lowercase: bool = False,
    ) -> Scores:
        """The mean of ``BLEU.sentence_score`` of each text against all others, a loop that is left to its callers."""
        from sacrebleu.metrics.bleu import BLEU

        bleu = BLEU(lowercase, True, tokenize, smooth, None, max_order, effective_order=True)
        others = (predictions[:index] + predictions[index + 1 :] for index in range(len(predictions)))
        scores = [bleu.sentence_score(*pair).score for pair in zip(predictions, others, strict=True)]
        return {"self_bleu": fmean(scores)}

    def score_chrf(
        self,
        predictions: list[str],
        references: list[list[str]],
        *,
        char_order: int = 6,
        word_order: int = 0,
        beta: int = 2,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
    ) -> Scores:
        """``CHRF.corpus_score``."""
        from sacrebleu.metrics.chrf import CHRF

        chrf = CHRF(char_order, word_order, beta, lowercase, whitespace, eps_smoothing)
        return {"chrf": chrf.corpus_score(predictions, streams(references)).score}

    def score_ter(
        self,
        predictions: list[str],
        references: list[list[str]],
        *,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> Scores:
        """``TER.corpus_score``."""
        from sacrebleu.metrics.ter import TER

        ter = TER(normalized, no_punct, asian_support, case_sensitive)
        return edit_rate(vars(ter.corpus_score(predictions, streams(references))))


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
