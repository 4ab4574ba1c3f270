"""Why two scorers differ: the gap between their numbers, divided among the choices that cause it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, overload

from metrologue.attribution.games import exact_or_sampled
from metrologue.errors import InputError, checked_int, shown
from metrologue.scorers.core.capabilities import choices_beside, share_encoding
from metrologue.scorers.core.engine import (
    for_resampling,
    is_additive,
    narrowed,
    primary_number,
    segments_for,
    with_fields,
)
from metrologue.scorers.core.names import metric_of
from metrologue.scorers.core.numbers import perfect_score
from metrologue.scorers.core.options import Choice
from metrologue.scorers.core.registry import is_metric, scorer_and_inputs
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.typed import numbered_like
from metrologue.scorers.core.variants import short_signature
from metrologue.segments import Segments
from metrologue.tracing import notebook

# With at most this many differing choices, all 2^k mixtures are scored; with more, orders are drawn.
EXACT = 12


def shown_share(share: float) -> str:
    """A share as text with four digits. Anything below 1e-9 points of 100 is a rounding error and shown as 0.

    Examples
    --------
    >>> shown_share(0.0412345), shown_share(-1e-13)
    ('+0.04123', '0')
    """
    return f"{share:+.4g}" if abs(share) >= 1e-11 else "0"


def cancelling(first: str, second: str, choices: Sequence[str]) -> str:
    """The sentence about two equal numbers whose choices have shares; see ``Explanation.cancelled``.

    Examples
    --------
    >>> cancelling("nltk", "evaluate", ["smoothing", "zero rule"])
    'nltk and evaluate give the same number to the digits that are printed. Single choices would change it, but all of \
them together do not: smoothing, zero rule.'
    """
    return (
        f"{first} and {second} give the same number to the digits that are printed. Single choices would change it, "
        f"but all of them together do not: {', '.join(choices)}."
    )


@dataclass(frozen=True)
class Contribution:
    """The effect of one choice on the score.

    Attributes
    ----------
    choice, stage : str
        The name and the stage of the choice, as the scorer declares them.
    a, b : str
        The values of the two scorers as text.
    share : float
        The Shapley value of the choice: what the change from a to b adds. The scale is 0 to 1 if there is one.
    standard_error : float
        Of the share, if orders were drawn; 0 if all mixtures were scored.
    """

    choice: str
    a: str
    b: str
    share: float
    stage: str
    standard_error: float = 0.0


def _with_error(part: Contribution) -> str:
    return shown_share(part.share) + (f" ± {part.standard_error:.1g}" if part.standard_error else "")


@dataclass(frozen=True, repr=False)
class Explanation:
    """The gap between two scorers on one text.

    Attributes
    ----------
    value_a, value_b : float
        Each scorer's primary number on its own scale.
    scale_a, scale_b : float
        The value of a perfect score, or 1 for a distance. A difference of scales is not part of the gap.
    gap : float
        ``value_b / scale_b - value_a / scale_a``.
    contributions : tuple of Contribution
        Largest first; their shares sum to the gap.
    signature_a, signature_b : str
    """

    value_a: float
    value_b: float
    scale_a: float
    scale_b: float
    gap: float
    contributions: tuple[Contribution, ...]
    signature_a: str
    signature_b: str

    @property
    def _in_one_unit(self) -> tuple[float, float]:
        return self.value_a / self.scale_a, self.value_b / self.scale_b

    def cancelled(self, factor: float = 100.0) -> tuple[str, ...]:
        """The choices whose shares cancel out: both numbers are equal to four decimals, but single shares are not 0.

        It is empty if the numbers differ, or if no share can be seen. The shares of such a gap explain nothing, however
        large they are.

        Parameters
        ----------
        factor : float
            What the shares are multiplied by where they are printed: 100 for points, 1 for a distance.

        Examples
        --------
        >>> texts = ["the cat sat on the mat", "hello world"], ["the cat is on the mat", "hello there world"]
        >>> gap = explain("bleu:evaluate", "bleu:nltk", *texts)
        >>> gap.cancelled()
        ('zero rule', 'smoothing', 'floor of totals')
        """
        least = 0.5e-4 / factor
        moving = tuple(part.choice for part in self.contributions if abs(part.share) >= least)
        return moving if abs(self.gap) < least else ()

    def __repr__(self) -> str:
        a, b = self._in_one_unit
        if equal := self.cancelled():
            return f"<{type(self).__name__} from {a:.4f} to {b:.4f}: {', '.join(equal)} cancel out>"
        largest = ", ".join(f"{part.choice} {shown_share(part.share)}" for part in self.contributions[:3])
        more = f" and {len(self.contributions) - 3} more" if len(self.contributions) > 3 else ""
        return f"<{type(self).__name__} from {a:.4f} to {b:.4f}: {largest or 'nothing'}{more}>"

    def _repr_html_(self) -> str:
        """The HTML for a notebook: a bar for the share of each choice, and both signatures."""
        signatures = (notebook.note(f"a: {self.signature_a}"), notebook.note(f"b: {self.signature_b}"))
        return notebook.block(self.bars(), *signatures)

    def bars(self) -> str:
        """The shares as an HTML table with a bar for each; choices without a share are in one row.

        Shares that cancel out are not shown, only that they do.
        """
        largest = max((abs(part.share) for part in self.contributions), default=0.0)
        equal = self.cancelled()
        rows = [
            [part.choice, part.a, part.b, *(["", "cancels out"] if part.choice in equal else self._bar(part, largest))]
            for part in self.contributions
            if shown_share(part.share) != "0"
        ]
        if idle := [part.choice for part in self.contributions if shown_share(part.share) == "0"]:
            rows.append([", ".join(idle), "no effect here", "", "", "0"])
        a, b = self._in_one_unit
        caption = f"From {a:.4f} to {b:.4f}: {self.gap:+.4f}"
        if (self.scale_a, self.scale_b) != (1.0, 1.0):
            caption += ", on a scale of 1"
        return notebook.table(caption, ["choice", "a", "b", "", "share"], rows, words=4)

    def _bar(self, part: Contribution, largest: float) -> list[str]:
        return [notebook.bar(part.share, largest), _with_error(part)]


@overload
def explain(
    a: Scorer | str, b: Scorer | str, predictions: Any, references: Any = None, **options: Any
) -> Explanation: ...
@overload
def explain(
    metric: str, a: Scorer | str, b: Scorer | str, predictions: Any, references: Any = None, **options: Any
) -> Explanation: ...
def explain(*arguments: Any, exact: int = EXACT, seed: int = 12345, **inputs: Any) -> Explanation:
    """The gap between two scorers, divided among the choices that differ, by Shapley values.

    The call is ``explain(a, b, predictions, references)``, or with the metric first, as on the command line,
    ``explain(metric, a, b, predictions, references)``: then a and b may be variants of the metric.

    Every mixture of the two scorers' choices is scored: 2^k mixtures for k differing choices. A stage (reading, pairs,
    join, score) runs only once for each mixture of the choices that it depends on. If more than `exact` choices differ,
    the values come from a sample of orders, and each has a standard error; see ``sampled_shapley``.

    A score that is itself a bootstrap, as in the Hub's ROUGE, is replaced by the mean of the segments in the mixtures.
    What the resampling adds at the two ends belongs to the choice of the aggregation.

    Parameters
    ----------
    *arguments
        In this order, or by these names: ``metric``, a str, which may be left out; ``a`` and ``b``, two scorers of one
        metric, or a str for each that is given to ``make_scorer``, such as "bleu:nltk" or a signature, or after a
        metric the name of a variant; ``predictions``, n strings; ``references``, n strings or n lists of strings.
        Metrics of sets also take sets or lists of labels.
    exact : int
        With at most this many differing choices, all mixtures are scored.
    seed : int
        The seed of the sample of orders.
    **inputs
        The metric's other inputs, by their names; and values of fields that both scorers have, as for ``score``.

    Raises
    ------
    InputError
        If the scorers belong to different metrics, or if the input has no score, or an infinite one, under one of the
        mixtures; if an argument is missing, or of no use.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> gap = explain(Bleu.variant("nltk"), Bleu.variant("sacrebleu"), ["the cat, she sat"], ["the cat, she ran"])
    >>> for contribution in gap.contributions:
    ...     print(f"{contribution.choice}: {contribution.share:+.3f}  {contribution.a} -> {contribution.b}")
    tokenizer: +0.371  tokenizer=whitespace -> tokenizer=13a
    smoothing: +0.297  smoothing=tiny -> smoothing=exp
    floor of totals: +0.000  floor_totals=True -> floor_totals=False
    zero rule: +0.000  skip_zero=True -> skip_zero=False
    """
    given = _named_arguments(arguments, inputs)
    ends = [given.pop("a"), given.pop("b")]
    metric, predictions, references = (given.pop(name, None) for name in ("metric", "predictions", "references"))
    for argument, scorer in zip("ab", ends, strict=True):
        if not isinstance(scorer, Scorer | str):
            raise InputError(f"explain: `{argument}` is {shown(scorer)}; two scorers are explained, as in `{_CALLS}`.")
    (first, rows), (second, _) = (_end(metric, each, given) for each in ends)
    if type(first) is not type(second):
        raise InputError(
            f"explain: {first.name} and {second.name} are different metrics; give two scorers of one metric."
        )
    if metric is not None and metric_of(metric) != first.name:
        raise InputError(f"explain: `metric` is {shown(metric)}, but `a` and `b` are scorers of {first.name}.")
    exact, seed = checked_int("`exact`", exact, 0, 20), checked_int("`seed`", seed, 0, 2**32 - 1)
    return explain_segments(first, second, segments_for(first, predictions, references, **rows), exact=exact, seed=seed)


def _end(metric: str | None, end: Scorer | str, given: Mapping[str, Any]) -> tuple[Scorer, dict[str, Any]]:
    """One of the two scorers, with its inputs: after a metric, the name of a variant stands for it."""
    if metric is None or isinstance(end, Scorer) or {"|", ":"} & {*end}:
        return scorer_and_inputs(end, None, given)
    return scorer_and_inputs(metric, end, given)


_NAMES = ("metric", "a", "b", "predictions", "references")
_CALLS = (
    'explain("bleu:nltk", "bleu:sacrebleu", predictions, references)` or '
    '`explain("bleu", "nltk", "sacrebleu", predictions, references)'
)


def _named_arguments(arguments: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of ``explain`` by their names. The first one is a metric if variants come after it."""
    has_metric = "metric" in named or (
        len(arguments) > 2
        and isinstance(arguments[0], str)
        and isinstance(arguments[2], Scorer | str)
        and is_metric(metric_of(arguments[0]))
    )
    names = [name for name in _NAMES[not has_metric :] if name not in named]
    given = {**dict(zip(names, arguments, strict=False)), **named}
    needed = [name for name in ("a", "b", "predictions") if name not in given]
    if needed or len(arguments) > len(names):
        wrong = f"`{needed[0]}` is missing" if needed else f"{len(arguments)} arguments are too many"
        raise InputError(f"explain: {wrong}; a call is `{_CALLS}`.")
    return given


def explain_segments(
    a: Scorer,
    b: Scorer,
    segments: Segments,
    *,
    exact: int = EXACT,
    seed: int = 12345,
    values: tuple[float, float] | None = None,
) -> Explanation:
    """``explain`` for segments. They remember how they were read and what was counted, so nothing is done twice.

    `values` are both numbers, divided by their perfect scores, if they are known: a bootstrap takes its time.
    """
    differing = [choice for choice in choices_beside(a, b) if _values(a, choice) != _values(b, choice)]
    share_encoding(a, b, segments)
    value_a, value_b = values or (_value(a, segments), _value(b, segments))
    shares = _shares(a, b, differing, segments, exact, seed)
    if aggregation := next((choice for choice in differing if "aggregation" in choice.fields), None):
        others = math.fsum(share for choice, (share, _) in shares.items() if choice is not aggregation)
        shares[aggregation] = value_b - value_a - others, shares[aggregation][1]
    contributions = [
        Contribution(choice.name, _printed(a, b, choice), _printed(b, a, choice), share, choice.stage, error)
        for choice, (share, error) in shares.items()
    ]
    scale_a, scale_b = perfect_score(a) or 1.0, perfect_score(b) or 1.0
    return Explanation(
        value_a=value_a * scale_a,
        value_b=value_b * scale_b,
        scale_a=scale_a,
        scale_b=scale_b,
        gap=value_b - value_a,
        contributions=tuple(sorted(contributions, key=lambda contribution: -abs(contribution.share))),
        signature_a=a.signature,
        signature_b=b.signature,
    )


def _shares(
    a: Scorer, b: Scorer, differing: Sequence[Choice], segments: Segments, exact: int, seed: int
) -> dict[Choice, tuple[float, float]]:
    of_means = any("aggregation" in choice.fields for choice in differing)
    # The draws of a bootstrap may depend on what else is counted, so only sums are narrowed.
    if a.primary == b.primary and (of_means or (is_additive(a) and is_additive(b))):
        a, b = narrowed(a), narrowed(b)
    players = [choice for choice in differing if _values(a, choice) != _values(b, choice)]
    fields_of_a = {field.name: getattr(a, field.name) for field in fields(a)}

    def value(taken: frozenset[Choice]) -> float:
        """The score of scorer a with the `taken` choices of scorer b, divided by its perfect score."""
        mixture = with_fields(
            type(a), fields_of_a | {name: value for choice in taken for name, value in _values(b, choice).items()}
        )
        mixture = numbered_like(mixture, a)
        return _value(_of_means(mixture) if of_means else mixture, segments)

    shares = exact_or_sampled(players, value, exact, seed)
    return {choice: shares.get(choice, (0.0, 0.0)) for choice in differing}


def _of_means(scorer: Scorer) -> Scorer:
    """The scorer of the mean, if `scorer` is a bootstrap of means; otherwise `scorer`."""
    return scorer if is_additive(scorer) or not is_additive(mean := for_resampling(scorer)) else mean


def _value(scorer: Scorer, segments: Segments) -> float:
    value = primary_number(scorer, segments)
    if math.isinf(value):
        raise InputError(f"explain: {scorer.primary} is infinite under {short_signature(scorer)}; no gap is finite.")
    return value / (perfect_score(scorer) or 1.0)


def _values(scorer: Scorer, choice: Choice) -> Mapping[str, Any]:
    return {name: getattr(scorer, name) for name in choice.fields}


def _printed(scorer: Scorer, other: Scorer, choice: Choice) -> str:
    mine, theirs = _values(scorer, choice), _values(other, choice)
    return ", ".join(f"{name}={value}" for name, value in mine.items() if value != theirs[name])
