"""BLEU (Papineni et al. 2002), as every library computes it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.scorers.bleu.kernels import Rules, bleu_numbers, smoothed_precisions
from metrologue.scorers.bleu.rules import (
    ARITHMETIC,
    REFERENCE_LENGTHS,
    SMOOTHINGS,
    ZERO_RULES,
    Counts,
    few_word_weights,
    reference_lengths_of,
)
from metrologue.scorers.bleu.variants import VARIANTS
from metrologue.scorers.core.about import About
from metrologue.scorers.core.crossed import common_counts
from metrologue.scorers.core.hints import are_compared, looks_tokenized, refuse_undefined
from metrologue.scorers.core.kernels.ngrams import clipped_counts
from metrologue.scorers.core.numbers import counted, each, number
from metrologue.scorers.core.options import LONGEST_NGRAM, option
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.shapes import Tokenized
from metrologue.scorers.families.kernels.c_math import exps, logs, penalties
from metrologue.segments import Segments, View

__all__ = ["Bleu", "bleu", "brevity_penalty", "geometric_mean"]


def bleu(
    clipped: Floats, totals: Floats, length: Floats, reference_length: Floats, weights: Sequence[float] | None = None
) -> Floats:
    """BLEU: the geometric mean of the clipped precisions, times the brevity penalty.

    Parameters
    ----------
    clipped, totals : float64 (..., N)
        For each order n: the clipped count, and the number of n-grams in the hypothesis. In the clipped
        count, an n-gram counts at most as often as it occurs in a single reference.
    length, reference_length : float64 (...)
        Tokens of the hypothesis, and tokens of the reference that sets the length.
    weights : sequence of N floats, optional
        1/N each by default.

    Returns
    -------
    float64 (...)
        0 to 1.

    References
    ----------
    Papineni et al. 2002, https://aclanthology.org/P02-1040, section 2.3.

    Examples
    --------
    The paper's first candidate with its three references:

    >>> clipped, totals = np.array([17.0, 10.0, 7.0, 4.0]), np.array([18.0, 17.0, 16.0, 15.0])
    >>> float(bleu(clipped, totals, np.array(18.0), np.array(18.0)).round(4))
    0.5046
    """
    orders = clipped.shape[-1]
    uniform = np.full(orders, 1 / orders)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_precisions = logs(clipped / totals)
    mean = geometric_mean(log_precisions, uniform if weights is None else np.array(weights))
    return brevity_penalty(length, reference_length) * mean


def geometric_mean(log_precisions: Floats, weights: Floats) -> Floats:
    """Weighted geometric mean, exp(sum_n w_n log p_n), over the last axis. It leaves out orders of weight 0."""
    with np.errstate(over="ignore", invalid="ignore"):
        mean: Floats = exps(np.where(weights != 0, weights * log_precisions, 0.0).sum(axis=-1))
    return mean


def brevity_penalty(length: Floats, reference_length: Floats) -> Floats:
    """Brevity penalty: exp(1 - r/c) if the hypothesis has fewer tokens (c) than its reference (r); otherwise 1."""
    return penalties(length, reference_length)


@dataclass(frozen=True, kw_only=True)
class Bleu(Tokenized, Scorer):
    """Geometric mean of clipped n-gram precisions, times a brevity penalty; higher is better, 0 to `scale`.

    The defaults are sacrebleu's.

    Raises
    ------
    InputError
        If a value is out of range.

    References
    ----------
    Papineni et al. 2002, https://aclanthology.org/P02-1040; Chen & Cherry 2014, https://aclanthology.org/W14-3346.

    Examples
    --------
    >>> references = [["It is a guide to action that ensures that the military will forever heed Party commands."]]
    >>> predictions = ["It is a guide to action which ensures that the military always obeys the commands."]
    >>> for name in ("sacrebleu", "nltk", "pycocoevalcap"):
    ...     print(f"{name} {Bleu.variant(name).corpus(predictions, references).value:.4f}")
    sacrebleu 46.3655
    nltk 0.4714
    pycocoevalcap 0.4714
    """

    name: ClassVar[str] = "bleu"
    about: ClassVar = About(
        papers=("papineni-etal-2002-bleu",),
        printed_means={"mean of BLEU-1 to BLEU-4": ("bleu_1", "bleu_2", "bleu_3", "bleu_4")},
    )

    tokenizer: str = "13a"
    # fmt: off
    max_order: int = option(
        None, stage="pairs", choice="orders and weights", least=1, greatest=LONGEST_NGRAM,
        about="Longest n-gram; the length of `weights` by default.",
    )
    weights: tuple[float, ...] = option(
        None, stage="score", choice="orders and weights", least=-100, greatest=100,
        about="Weight of the log precision of each order; uniform by default. An order of weight 0 is left out, "
        "whatever its count.",
    )
    reference_length: str = option(
        "closest", stage="join", choice="reference length",
        about="The reference length of a segment with several references.", one_of=REFERENCE_LENGTHS,
    )
    precision_weight: float = option(
        1.0, stage="pairs", choice="precision or recall", least=0.0, greatest=1.0,
        about="What the matches are divided by: this share of the n-grams of the hypothesis, plus the remaining share "
        "of those of a reference as long as `reference_length` says. 1: precision, as in BLEU; 0: recall; 0.5: F1.",
    )
    floor_totals: bool = option(
        False, stage="pairs", choice="floor of totals",
        about="Count at least one n-gram of each order in each segment, however short (nltk).",
    )
    smoothing: str = option(
        "exp", stage="score", choice="smoothing",
        about="The precision of an order without a match. Numbers in brackets are the methods of Chen & Cherry 2014.",
        one_of=SMOOTHINGS,
    )
    smooth_value: float | None = option(
        None, stage="score", choice="smoothing",
        about='The parameter of `smoothing`: epsilon of "floor" (default 0.1), k of "add-k" (1), k of "chen-cherry-4", '
        '"chen-cherry-7" and their sums (5), alpha of "chen-cherry-6" (5).',
    )
    smooth_from: int = option(
        2, stage="score", choice="smoothing", least=1, greatest=LONGEST_NGRAM,
        about='The lowest order that "add-k" changes.',
    )
    epsilons: tuple[float, float] = option(
        (0.0, 0.0), stage="score", choice="smoothing",
        about="Two numbers. The first is added to the numerators of the precisions and of the length ratio, the second "
        "to their denominators (pycocoevalcap).",
    )
    zero_when: str = option(
        "no-match", stage="score", choice="zero rule", about="When the score is 0 despite smoothing.", one_of=ZERO_RULES
    )
    skip_zero: bool = option(
        False, stage="score", choice="zero rule",
        about="Leave out orders whose precision is 0 after smoothing (nltk); otherwise the score is 0.",
    )
    effective_order: bool = option(
        False, stage="score", choice="effective order",
        about="Leave out orders in which the hypothesis has no n-gram. The other weights are scaled up to the same "
        "sum.",
    )
    auto_reweigh: bool = option(
        False, stage="score", choice="effective order",
        about="nltk's option of that name. It applies to four orders of equal weight and a hypothesis with n < 4 "
        "tokens: the first n orders get equal weights, and the other orders weight 0. For a corpus, n is the number of "
        "tokens in the whole corpus.",
    )
    penalty: str = option(
        "brevity", stage="score", choice="brevity penalty",
        about="The factor for the length.",
        one_of={
            "brevity": "exp(1 - reference length / hypothesis length) if the hypothesis is shorter, otherwise 1",
            "none": "1, which suits recall and F: a text that is too short has a low recall",
        },
    )
    empty: str = option(
        "zero", stage="score", choice="empty text",
        about="A corpus without tokens in its predictions or in its references.",
        one_of={"zero": "it scores 0", "error": "it is refused (the Hub's `bleu` divides by zero)"},
    )
    arithmetic: str = option(
        "mean-of-logs", stage="score", choice=None,
        about="The order of operations in the geometric mean and the brevity penalty, which changes the last bits "
        "only. If the orders have unequal weights, it is a weighted sum of logarithms.",
        one_of=ARITHMETIC,
    )
    scale: float = 100.0
    # fmt: on

    def _derive(self) -> None:
        given: Sequence[float] | None = self.weights
        if self.max_order is None:
            self._set_field(max_order=len(given or ()) or 4)
        if given is None:
            order = min(max(self.max_order, 1), LONGEST_NGRAM)  # any other order is refused later
            self._set_field(weights=(1 / order,) * order)
        if self.smooth_value is None and self.smoothing in SMOOTHINGS:  # any other method is refused later
            self._set_field(smooth_value=SMOOTHINGS[self.smoothing].value)

    def _check_together(self) -> None:
        order = self.max_order
        self._check("max_order", order >= 3 or self.smoothing != "chen-cherry-6", "3 or more under chen-cherry-6")
        self._check("weights", len(self.weights) == order, f"a list of {order} finite numbers")
        self._check("epsilons", len(self.epsilons) == 2, "a pair of numbers")

    @cached_property
    def _counted_orders(self) -> int:
        return max(self.max_order, 5) if SMOOTHINGS[self.smoothing].fifth_order else self.max_order

    @cached_property
    def _columns(self) -> tuple[str, ...]:
        orders = range(1, self._counted_orders + 1)
        return (
            "hypothesis_length",
            "reference_length",
            *(f"clipped_count_{n}" for n in orders),
            *(f"count_{n}" for n in orders),
            *(("segments",) if SMOOTHINGS[self.smoothing].one_segment else ()),
        )

    numbers: ClassVar = (
        number(
            "bleu", 0, "_best", better="higher", title="BLEU", unit="points", heading="bleu",
            about="geometric mean of the precisions, weighted by `weights`, times the brevity penalty",
        ),
        each("max_order", number(
            "bleu_{n}", 0, "_best", better="higher", title="BLEU-{n}", unit="points",
            about="BLEU of the orders 1 to {n}, with equal weights",
        )),
        each("max_order", number(
            "precision_{n}", 0, "_best", better="higher", unit="points", heading="precisions",
            about="share of the hypothesis' {n}-grams that match, smoothed; or recall or F1, by `precision_weight`",
        )),
        number(
            "brevity_penalty", 0, 1, better="higher", heading="brevity penalty",
            about="exp(1 - reference length / hypothesis length) if the hypothesis is shorter, otherwise 1",
        ),
        number("length_ratio", 0, math.inf, about="hypothesis length, divided by the reference length"),
        counted("hypothesis_length", "tokens", about="tokens of the hypotheses"),
        counted("reference_length", "tokens", about="tokens of the references, as `reference_length` counts them"),
        each("max_order", counted(
            "clipped_count_{n}", "n-grams",
            about="matching {n}-grams: each counts at most as often as in one reference",
        )),
        each("max_order", counted(
            "count_{n}", "n-grams",
            about="{n}-grams of the hypotheses; or what `precision_weight` divides the matches by",
        )),
    )  # fmt: skip

    @property
    def _best(self) -> float:
        """The greatest BLEU and precision. Some smoothings, such as nltk's method5, lift precisions above 1.

        Recall can be above 1 too: of several references, one gives the length, and all have matches.
        """
        if self.precision_weight < 1:
            return math.inf
        unlifted = SMOOTHINGS[self.smoothing].at_most_one and (self.smooth_value or 0.0) <= 1
        return self.scale if unlifted and min(self.weights) >= 0 else math.inf

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        """Hints as sacrebleu warns: predictions that look tokenized, and texts too short for sentence BLEU."""
        hints = super()._hints(segments, of_each)
        if self.tokenizer != "whitespace" and looks_tokenized(segments):
            hints.append(
                f"Bleu: at least 100 predictions end in a full stop after a space. They look tokenized, but the "
                f"tokenizer {self.tokenizer!r} expects untokenized text: detokenize them, or use tokenizer='none'."
            )
        if of_each and self.smoothing != "none" and not (self.effective_order or self.skip_zero or self.floor_totals):
            lengths = self._view(segments).lengths
            if short := np.count_nonzero((lengths > 0) & (lengths < self.max_order)):
                hints.append(
                    f"Bleu: {short} of {len(segments)} predictions have fewer than {self.max_order} tokens, and so "
                    "their own score is 0; use effective_order=True, as in the variant 'sacrebleu-sentence'."
                )
        if self.smoothing == "tiny" and are_compared(segments):
            hints += _hints_of_tiny_scores(self, segments, of_each or self.aggregation == "mean")
        return hints

    def _statistics(self, segments: Segments) -> Floats:
        view = self._view(segments)
        offsets, orders = view.reference_offsets, self._counted_orders
        rows = np.empty((len(offsets) - 1, 2 + 2 * orders + SMOOTHINGS[self.smoothing].one_segment))
        counts, lengths = Counts.of(rows, orders), view.lengths
        counts.length[:] = lengths
        counts.reference_length[:] = reference_lengths_of(
            self.reference_length, lengths, view.reference_lengths, offsets
        )
        counts.clipped[:] = _clipped_counts(view, orders)
        count_ngrams(self, counts)
        counts.segments[:] = 1
        return rows

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        if self.empty == "error" or SMOOTHINGS[self.smoothing].one_segment or self.smoothing == "chen-cherry-4-sum":
            _refuse_undefined(self, statistics)
        rows = np.ascontiguousarray(statistics).reshape(-1, statistics.shape[-1])
        longest, count, weights = self.max_order, len(rows), _weight_rows(self.weights)
        if self.auto_reweigh:
            weights = np.tile(weights, (count, 1))
            weights[:: longest + 1] = few_word_weights(weights[:: longest + 1], rows[:, 0])

        precision, existing = np.empty((count, longest)), np.empty(count, np.int64)
        smoothed_precisions(rows, *self._rules, np.empty(self._counted_orders), precision, existing)
        # In the order of the declared `numbers`: BLEU, BLEU-1 to BLEU-N, the precisions, and so on.
        numbers = np.empty((5 + 4 * longest, count))
        bleu_numbers(rows, precision, existing, weights, *self._rules, np.empty(longest), numbers)
        return dict(zip(self._reported, numbers.reshape(len(numbers), *statistics.shape[:-1]), strict=True))

    @cached_property
    def _rules(self) -> Rules:
        """What the kernels take of the options."""
        arithmetic = ARITHMETIC[self.arithmetic]
        first = self.smooth_from if self.smoothing == "add-k" else self._counted_orders + 1
        # A hypothesis without end has no penalty for its length.
        added_lengths = self.epsilons if self.penalty == "brevity" else (math.inf, 0.0)
        return Rules(
            self._counted_orders, ZERO_RULES[self.zero_when].code, SMOOTHINGS[self.smoothing].method,
            self.smooth_value or 0.0, first, *self.epsilons, arithmetic.form_of(self.weights, self.skip_zero),
            arithmetic.compensated, arithmetic.inverse, self.effective_order, self.skip_zero, *added_lengths,
            self.scale,
        )  # fmt: skip

    _variants: ClassVar = VARIANTS


def _refuse_undefined(scorer: Bleu, statistics: Floats) -> None:
    """Raise an InputError for statistics for which the mirrored library has no number."""
    counts = Counts.of(statistics, scorer._counted_orders)
    if SMOOTHINGS[scorer.smoothing].one_segment and (counts.segments > 1).any():
        raise InputError(
            f"{scorer._label}: `smoothing` {scorer.smoothing!r} is defined for one segment only (nltk's corpus_bleu "
            "applies it to the last one); use `segments`, or aggregation='mean'."
        )
    cure = "choose another variant, smoothing or `empty`"
    if scorer.empty == "error":
        refuse_undefined(
            scorer._label,
            (counts.length == 0) | (counts.reference_length == 0),
            f"has no token in its predictions or references, where the mirrored library divides by zero; {cure}",
        )
    if scorer.smoothing in ("chen-cherry-4-sum", "chen-cherry-7-sum"):
        refuse_undefined(
            scorer._label,
            (counts.length == 1) & (counts.clipped[..., 0] > 0) & (scorer.max_order > 1),
            f"has one token in its predictions, where nltk 3.5 divides by log(1); {cure}",
        )
    if scorer.smoothing == "chen-cherry-6":
        refuse_undefined(
            scorer._label,
            (counts.clipped[..., 0] > 0) & (counts.clipped[..., 2] == 0),
            f"has unigrams but no trigrams in common, where nltk's method6 fails; {cure}",
        )


def _hints_of_tiny_scores(scorer: Bleu, segments: Segments, of_each: bool) -> list[str]:
    """The hint that nltk gives where an order without a match makes the score about 1e-78 instead of 0."""
    rows = scorer._rows(segments, None)
    rows = rows if of_each else rows.sum(axis=0, keepdims=True)
    score = scorer._score(rows)[scorer.name] / scorer.scale
    tiny = (score > 0) & (score < 1e-9)
    if not tiny.any():
        return []
    order = 1 + int(np.argmin(Counts.of(rows[tiny], scorer._counted_orders).clipped[0]))
    which = f"{tiny.sum()} of {len(rows)} predictions" if of_each else "the predictions"
    return [
        f"Bleu: {which} have no {order}-gram of a reference. So the score is practically 0, whatever shorter ones "
        "match, and nltk warns of it: use another smoothing, such as 'add-k', or a smaller max_order."
    ]


def count_ngrams(scorer: Bleu, counts: Counts) -> None:
    """Fill in what matches are divided by: n-grams of the hypothesis, of its reference, or a mixture."""
    least = 1 if scorer.floor_totals else 0
    shorter = np.arange(counts.total.shape[-1])  # by how much a text has fewer n-grams than tokens
    np.maximum(counts.length[:, None] - shorter, least, out=counts.total)
    if scorer.precision_weight < 1:
        counts.total[:] *= scorer.precision_weight
        of_references = np.maximum(counts.reference_length[:, None] - shorter, least)
        counts.total[:] += (1 - scorer.precision_weight) * of_references


def _clipped_counts(view: View, orders: int) -> Floats:
    """Clipped counts of each segment, (n_segments, orders)."""
    if orders not in view.clipped_counts:
        offsets = view.reference_offsets
        if offsets.item(-1) == len(offsets) - 1:  # one reference each: there are quicker ways to compare two texts
            view.clipped_counts[orders] = common_counts(view, orders, False)
        else:
            view.clipped_counts[orders] = clipped_counts(view.ids, view.offsets, len(view), offsets, orders)
    return view.clipped_counts[orders]


@lru_cache
def _weight_rows(weights: tuple[float, ...]) -> Floats:
    """The weights of the N orders in BLEU, then in BLEU-1 to BLEU-N: (N + 1, N)."""
    orders = np.arange(1, len(weights) + 1)
    uniform = np.where(orders <= orders[:, None], 1 / orders[:, None], 0.0)
    return np.concatenate([np.array(weights)[None], uniform])
