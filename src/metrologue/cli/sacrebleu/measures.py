"""The metrics of a call: their scorers, and what sacrebleu calls their settings."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from metrologue.cli.faults import echo_warning
from metrologue.cli.foreign import TOKENIZERS
from metrologue.cli.sacrebleu.resamples import Resampled, bleu, chrf, ter
from metrologue.scorers import Bleu, Chrf, Scorer, Ter
from metrologue.scorers.core.sacrebleu_signatures import signature_of
from metrologue.segments import Segments

__all__ = ["Measure", "measures"]


@dataclass(frozen=True)
class Measure:
    """One metric.

    Attributes
    ----------
    name : str
        As sacrebleu prints it: "BLEU", "chrF2++", "TER".
    scorer : Scorer
    resampled : function of float32 (k,)
        The score of the sums of a resample.
    """

    name: str
    scorer: Scorer
    resampled: Resampled

    def signature(self, references: int, short: bool, **about: Any) -> str:
        """sacrebleu's signature of so many references."""
        found = signature_of(self.scorer, references, short=short, **about)
        assert found is not None, self.scorer
        return found

    def scores(self, segments: Segments) -> Mapping[str, Any]:
        """All numbers of the corpus."""
        return self.scorer.corpus(segments).scores


def measures(options: Namespace, languages: tuple[str, str]) -> list[Measure]:
    """The metrics that the options name, in sacrebleu's order."""
    return [_MAKERS[name](options, languages) for name in sorted({*options.metrics})]


def _bleu(options: Namespace, languages: tuple[str, str]) -> Measure:
    usual = TOKENIZERS.get(languages[1])
    tokenizer = options.bleu_tokenize or usual or "13a"
    if usual and tokenizer != usual and not options.quiet:
        echo_warning(f"for texts in {languages[1]}, the tokenizer {usual!r} is the usual one.")
    scorer = Bleu.variant(
        "sacrebleu",
        tokenizer=tokenizer,
        lowercase=options.bleu_lowercase,
        smoothing=options.bleu_smooth_method,
        smooth_value=options.bleu_smooth_value if options.bleu_smooth_method in ("floor", "add-k") else None,
        effective_order=options.sentence_level,
    )
    return Measure("BLEU", scorer, bleu(scorer))


def _chrf(options: Namespace, languages: tuple[str, str]) -> Measure:
    epsilon = {"average": "fscore", "effective_order": False, "smoothing": "epsilon"}
    scorer = Chrf.variant(
        "sacrebleu",
        char_order=options.chrf_char_order,
        word_order=options.chrf_word_order,
        beta=float(options.chrf_beta),
        whitespace=options.chrf_whitespace,
        lowercase=options.chrf_lowercase,
        **epsilon if options.chrf_eps_smoothing else {},
    )
    return Measure(f"chrF{options.chrf_beta}{'+' * options.chrf_word_order}", scorer, chrf(scorer))


def _ter(options: Namespace, languages: tuple[str, str]) -> Measure:
    scorer = Ter.variant(
        "sacrebleu",
        case_sensitive=options.ter_case_sensitive,
        asian_support=options.ter_asian_support,
        no_punct=options.ter_no_punct,
        normalized=options.ter_normalized,
    )
    return Measure("TER", scorer, ter(scorer))


_MAKERS: Mapping[str, Callable[[Namespace, tuple[str, str]], Measure]] = {"bleu": _bleu, "chrf": _chrf, "ter": _ter}


def verbose(numbers: Mapping[str, Any]) -> str:
    """What sacrebleu prints after BLEU's score: the precisions, the brevity penalty and the lengths."""
    precisions = "/".join(f"{numbers[f'precision_{order}']:.1f}" for order in range(1, 5))
    return (
        f"{precisions} (BP = {numbers['brevity_penalty']:.3f} ratio = {numbers['length_ratio']:.3f} "
        f"hyp_len = {int(numbers['hypothesis_length'])} ref_len = {int(numbers['reference_length'])})"
    )


def segments_of(lines: Sequence[str], references: Sequence[Sequence[str]]) -> Segments:
    """The segments of a system."""
    return Segments(lines, [list(each) for each in zip(*references, strict=True)])
