"""Error rates of words and characters: the edits that turn a hypothesis into its reference (Morris et al. 2004)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.kernels.arrays import Ids
from metrologue.kernels.pairs import Pairs
from metrologue.scorers.core.about import About, Growth
from metrologue.scorers.core.hints import refuse_undefined
from metrologue.scorers.core.numbers import Number, Numbers, counted, number
from metrologue.scorers.core.options import Rule, option, with_default
from metrologue.scorers.core.rows import columns_of
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.shapes import PairScorer, Tokenized
from metrologue.scorers.core.variants import Recommended, Variant
from metrologue.scorers.families.edits import Edits, cheapest, shortest
from metrologue.scorers.families.error_rates.kernels import cheapest_alignments, counts_of, kaldi_edits, rates_of
from metrologue.scorers.families.kernels.edit import alignments, distances
from metrologue.scorers.families.kernels.weighted import NONE, EditCosts, weighted_distances
from metrologue.segments import Segments
from metrologue.text.normalizers import NORMALIZERS
from metrologue.text.reading import Lower, Normalize, Reading, Tokenize, Transform
from metrologue.text.reading.transforms import TRANSFORMS
from metrologue.text.scripts import Language
from metrologue.text.tokenizers.registry import cuts_words

__all__ = [
    "CHARACTERS",
    "HITS",
    "RATES",
    "WORDS",
    "AlignedRates",
    "ErrorRate",
    "alignments_by",
    "error_rates",
    "geval",
    "hub",
    "variants_of",
]


def error_rates(
    hits: Floats, substitutions: Floats, deletions: Floats, insertions: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """The four error rates: WER, MER, WIL and WIP.

    WER is (S + D + I) / N, MER is (S + D + I) / (H + S + D + I), WIP is (H / N) (H / M), and WIL is 1 - WIP. The
    reference has N = H + S + D units, and the hypothesis has M = H + S + I.

    Parameters
    ----------
    hits, substitutions, deletions, insertions : float64 (...)
        H, S, D and I: the counts of an alignment.

    Returns
    -------
    four float64 (...)
        WER is 0 or more, without an upper limit; where N is 0, it is I. The others are from 0 to 1. If both texts are
        empty, MER and WIL are 0 and WIP is 1. If only one text is empty, WIP is 0.

    References
    ----------
    Morris, Maier and Green 2004, "From WER and RIL to MER and WIL". Where its formulas divide by zero, jiwer's values.

    Examples
    --------
    "a b c d" for "a x c" has two hits, a substitution and an insertion.

    >>> [float(rate.round(3)) for rate in error_rates(*np.array([2.0, 1.0, 0.0, 1.0]))]
    [0.667, 0.5, 0.667, 0.333]
    """
    wer, mer, wil, wip, *_ = rates_of(np.stack([hits, substitutions, deletions, insertions], axis=-1))
    return wer, mer, wil, wip


# The cost of a substitution when "most" hits are wanted. Among alignments with equally few edits, the one with the
# fewest substitutions then costs the least. A million of these extra costs add up to less than one edit. A power of two
# is added without rounding.
_DEARER_SUBSTITUTION = 1 + 2.0**-30
_COSTS = EditCosts(1.0, 1.0, _DEARER_SUBSTITUTION, NONE, 0)
_EQUAL_COSTS = EditCosts(1.0, 1.0, 1.0, NONE, 0)
# The costs of NIST's sclite: of a gap, and of a substitution.
_NIST = 3, 4
_NIST_COSTS = EditCosts(3.0, 3.0, 4.0, NONE, 0)

# One function for each rule for hits: it gives the counts of pairs of texts as `counts_of` does, (pairs, 6).


def _aligned(texts: Pairs, types: int) -> Floats:
    return alignments(texts, types)[0]


def _most(texts: Pairs, types: int) -> Floats:
    costs = weighted_distances(texts, _COSTS, types)
    lengths = np.diff(texts.offsets)
    edits = np.floor(costs)
    substitutions = (costs - edits) / (_DEARER_SUBSTITUTION - 1)
    hits = (lengths[texts.hypotheses] + lengths[texts.references] - edits - substitutions) / 2
    return counts_of(edits, hits, texts)


def _fewest(texts: Pairs, types: int) -> Floats:
    lengths = np.diff(texts.offsets)
    edits = distances(texts, types).astype(float)
    return counts_of(edits, np.maximum(lengths[texts.hypotheses], lengths[texts.references]) - edits, texts)


def _kaldi(texts: Pairs, types: int) -> Floats:
    lengths = np.diff(texts.offsets)
    edits, substitutions = kaldi_edits(texts)
    hits = (lengths[texts.hypotheses] + lengths[texts.references] - edits - substitutions) / 2
    return counts_of(edits, hits, texts)


def _nist(texts: Pairs, types: int) -> Floats:
    return cheapest_alignments(texts, *_NIST)[0]


HITS: dict[str, Rule[[Pairs, int], Floats]] = {
    "aligned": Rule(_aligned, "the hits of the alignment that rapidfuzz picks (jiwer)"),
    "most": Rule(_most, "the most hits that a shortest alignment has"),
    "kaldi": Rule(
        _kaldi, "the hits of the alignment that Kaldi's compute-wer picks: a gap before a substitution (meeteval)"
    ),
    "fewest": Rule(
        _fewest, "max(N, M) minus the edits, as if the alignment were as long as the longer text (torchmetrics)"
    ),
    "nist": Rule(
        _nist,
        "those of the cheapest alignment where an insertion or a deletion costs 3 and a substitution 4, as in NIST's "
        "sclite: there may be more edits than in a shortest one (is21_deep_bias)",
    ),
}


def alignments_by(hits: str, texts: Pairs, types: int) -> tuple[Floats, Ids]:
    """The alignment of each pair whose hits a rule of ``HITS`` counts, as ``alignments`` gives it.

    By the rule "fewest", it is the "aligned" one, since no alignment need have so few hits.
    """
    if hits == "nist":
        return cheapest_alignments(texts, *_NIST)
    if hits == "kaldi":
        return cheapest_alignments(texts, 1, 1, gaps_first=True)
    if hits == "most":
        return cheapest_alignments(texts, 1 << 30, (1 << 30) + 1)
    return alignments(texts, types)


# How jiwer and torchmetrics split texts: what is said of each variant, and torchmetrics' tokenizer.
WORDS = (
    "words end at U+0020 or at two whitespace characters of any kind; an empty reference has a rate",
    "str.split(), in float32; hits are the length of the longer text minus the edits",
    "whitespace",
)
CHARACTERS = (
    "code points after str.strip(); an empty reference has a rate",
    "code points, in float32; whitespace at both ends counts too",
    "characters",
)


def variants_of(
    rate: str, jiwer: str, torchmetrics: str, tokenizer: str, recommended: Recommended | None = None
) -> dict[str, Variant]:
    fields = {"tokenizer": tokenizer, "hits": "fewest", "empty": "error"}
    return {
        "jiwer": Variant("jiwer", jiwer, live=f"jiwer.{rate}", recommended=recommended),
        "torchmetrics": Variant("torchmetrics", torchmetrics, fields, live=f"torchmetrics.{rate}"),
    }


def geval(tokenizer: str) -> Variant:
    about = (
        f"GEval's metric over {tokenizer}: an empty reference has a rate of 1, or of 0 if the hypothesis is empty too"
    )
    return Variant("GEval", about, {"tokenizer": tokenizer, "empty": "one"})


def hub(rate: str) -> Variant:
    about = "the Hub's module with jiwer 4: the same as jiwer, but it fails if the references are empty"
    return Variant("evaluate", about, {"empty": "error"}, live=f"evaluate.{rate}")


# All numbers that error rates report.
RATES: tuple[Number, ...] = (
    number(
        "wer", 0, math.inf, better="lower", title="WER", unit="points",
        about="edits, divided by the units of the reference",
    ),
    number(
        "mer", 0, "scale", better="lower", title="MER",
        about="edits, divided by all steps of the alignment, hits included",
    ),
    number("wil", 0, "scale", better="lower", title="WIL", about="1 minus WIP"),
    number(
        "wip", 0, "scale", better="higher", title="WIP",
        about="hits per unit of the reference, times hits per unit of the hypothesis",
    ),
    counted("hits", "units", about="units that are equal"),
    counted("substitutions", "units", about="substituted units"),
    counted("deletions", "units", about="units that only the reference has"),
    counted("insertions", "units", about="units that only the hypothesis has"),
    counted("hypothesis_length", "units", about="units of the hypotheses"),
    counted("reference_length", "units", about="units of the references"),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class AlignedRates(Tokenized, Scorer):
    """The base of all error rates: hits H, substitutions S, deletions D and insertions I of a shortest alignment.

    The reference has N = H + S + D units, and the hypothesis has M = H + S + I. The rates are: ``wer`` (``cer`` for
    characters), (S + D + I) / N; ``mer``, (S + D + I) / (H + S + D + I); ``wip``, (H / N) (H / M); ``wil``,
    1 - ``wip``. The counts of a corpus are the sums over its segments. Each of these scorers reports all rates; its
    `value` is the rate that it is named after.

    Raises
    ------
    InputError
        If a value is out of range.

    References
    ----------
    Morris, Maier and Green 2004, "From WER and RIL to MER and WIL".
    """

    _rate: ClassVar[str] = "wer"
    about: ClassVar = About(
        papers=("morris-etal-2004-wer",),
        growth=Growth("words", 2, 300_000),
        advised_by="as Whisper's authors report it (Radford et al. 2022)",
    )

    # fmt: off
    tokenizer: str = with_default(
        "jiwer",
        about='What the units are: "jiwer" (jiwer\'s words), "whitespace" (``str.split()``), "characters-stripped" '
        '(jiwer\'s characters), "characters", "graphemes", or any other tokenizer.',
    )
    normalizer: str | None = option(
        None,
        stage="read",
        choice="normalizer",
        kind="normalizer",
        about="What is done to speech before all else; in Python also a function from a text to a text, whose name and "
        "digest a signature has. Whisper's and numbers need the extra ``speech``. Some take the vowel signs of a "
        "script away: docs/languages.md shows what each does to twelve scripts. None: nothing.",
        one_of={name: each.about for name, each in NORMALIZERS.items()},
    )
    transforms: tuple[str, ...] = option(
        (), stage="read", choice="transforms",
        about="What is done to the texts before they are split into units, after `lowercase`, in this order. The names "
        "in brackets are jiwer's.",
        one_of={name: each.about for name, each in TRANSFORMS.items()},
    )
    hits: str = option(
        "aligned", stage="pairs", choice="alignment",
        about="Which hits are counted. Several alignments may have the least number of edits, with different numbers "
        "of hits.",
        one_of=HITS,
    )
    empty: str = option(
        "insertions", stage="score", choice="empty text",
        about="The value of a rate that would divide by zero.",
        one_of={
            "insertions": "``wer`` is the number of insertions; ``mer`` is 0; ``wip`` is 1 if both texts are empty, "
                "otherwise 0 (jiwer)",
            "one": "as insertions, but ``wer`` is 1 if the hypothesis has a unit and the reference has none (GEval)",
            "error": "an InputError, if the rate is the scorer's `value`",
        },
    )
    aggregation: str = with_default(
        "corpus", one_of={"corpus": "the rate of the summed counts", "mean": "the mean of the segments' rates"}
    )
    scale: float = with_default(1.0, about="The value of a rate of 1.")
    # fmt: on

    _columns: ClassVar[tuple[str, ...]] = (
        "hits", "substitutions", "deletions", "insertions", "hypothesis_length", "reference_length",
    )  # fmt: skip

    numbers: ClassVar[Numbers] = RATES

    @classmethod
    def _for_language(cls, language: Language) -> Mapping[str, Any]:
        """Where no spaces part words, the error rate of characters is reported."""
        return {} if language.has_spaces or not cuts_words(cls.tokenizer) else {"tokenizer": "char"}

    @cached_property
    def _words(self) -> Reading:
        first = (Normalize(self.normalizer),) if self.normalizer else ()
        lowered = (Lower(),) if self.lowercase else ()
        return (*first, *lowered, *map(Transform, self.transforms), Tokenize(self.tokenizer))

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        if self.empty == "error":
            self._refuse_undefined(statistics)
        return self._numbers(statistics, self.scale)

    def _numbers(self, statistics: Floats, scale: float) -> dict[str, Floats]:
        values = rates_of(statistics, scale)
        if self.empty == "one":
            values[0] = np.where(statistics[..., 5] == 0, np.minimum(values[0], scale), values[0])
        counted = self._columns[: statistics.shape[-1]]
        return dict(zip((self._rate, "mer", "wil", "wip", *counted), values, strict=True))

    def _refuse_undefined(self, counts: Floats) -> None:
        """Raise an InputError if the rate that the scorer is named after divides by zero."""
        without_hypothesis, without_reference = columns_of(counts)[4:6] == 0
        wrong, side = {
            "mer": (without_reference & without_hypothesis, "predictions and references"),
            "wil": (without_reference | without_hypothesis, "predictions or references"),
            "wip": (without_reference | without_hypothesis, "predictions or references"),
        }.get(self.name, (without_reference, "references"))
        reason = f"has no unit in its {side}, so that the rate would divide by zero"
        refuse_undefined(self._label, wrong, f"{reason}; drop it, or choose another variant or `empty`")

    def edits(self, prediction: str, reference: str) -> Edits:
        """The edits of one pair: the alignment whose hits are counted.

        With `hits` "fewest" it is the "aligned" one, since no alignment need have so few hits.

        Examples
        --------
        >>> from metrologue.scorers import WordErrorRate
        >>> [step.kind for step in WordErrorRate().edits("the cat sat", "a cat sat down").operations]
        ['S', 'H', 'H', 'D']
        """
        view = self._view(Segments([prediction], [reference], owner=self._label))
        if self.hits == "most":
            return cheapest(view, _COSTS)
        if self.hits == "kaldi":
            return cheapest(view, _EQUAL_COSTS, gaps_first=True)
        return cheapest(view, _NIST_COSTS) if self.hits == "nist" else shortest(view)


@dataclass(frozen=True, kw_only=True)
class ErrorRate(AlignedRates, PairScorer):
    """The base of the error rates of a text and its reference; see ``AlignedRates``.

    Raises
    ------
    InputError
        If a value is out of range.

    References
    ----------
    Morris, Maier and Green 2004, "From WER and RIL to MER and WIL".
    """

    # fmt: off
    multi_reference: str = option(
        "best", stage="join", choice="several references",
        about="Which of several references counts, with its own N.",
        one_of={
            "best": "the one with the best rate (mWER); ties: the first",
            "fewest-errors": "the one with the fewest errors; ties: the first",
        },
    )
    # fmt: on

    def _pair_statistics(self, segments: Segments) -> Floats:
        """H, S, D, I, M and N of each hypothesis with each of its references, (n_pairs, 6)."""
        view = self._view(segments)
        return HITS[self.hits](view.paired, view.type_count)

    def _key(self, stage: str) -> tuple[object, ...]:
        key = super()._key(stage)
        # Before the join, all error rates count the same. So several error rates on one text align it only once.
        return (ErrorRate, *key[1:]) if stage == "pairs" else key

    def _quality(self, rows: Floats) -> Floats:
        if self.multi_reference == "fewest-errors":
            _, substitutions, deletions, insertions, *_ = columns_of(rows)
            errors: Floats = substitutions + deletions + insertions
            return -errors
        # `_score` is not used here: it could refuse a reference that does not count in the end.
        rate = self._numbers(rows, 1.0)[self.name]
        return rate if self.higher_is_better[self.name] else -rate
