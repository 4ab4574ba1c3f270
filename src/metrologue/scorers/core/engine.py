"""What is done with any scorer by other rooms: all else in it is private."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from metrologue.scorers.core.inputs import in_form
from metrologue.scorers.core.options import options_of
from metrologue.scorers.core.result import finite
from metrologue.scorers.core.scorer import Scorer

if TYPE_CHECKING:
    from metrologue.segments import Segments
    from metrologue.text.scripts import Language

S = TypeVar("S", bound=Scorer)


def segments_for(
    kind: type[Scorer] | Scorer, predictions: Any, references: Any = None, owner: str | None = None, **others: Any
) -> Segments:
    """The segments of what is given for the inputs of a metric; messages begin with `owner`."""
    return kind._to_segments(predictions, references, owner, **others)


def check_inputs(scorer: Scorer, segments: Segments) -> None:
    """Raise an InputError if the segments lack an input that the metric requires."""
    scorer._check_inputs(segments)


def hints_of(scorer: Scorer, segments: Segments, of_each: bool = False) -> list[str]:
    """Warnings about the score of these texts, or with `of_each` the scores of segments, and what to do."""
    return scorer._hints(in_form(scorer, segments), of_each)


def with_fields(kind: type[S], values: Mapping[str, Any]) -> S:
    """The scorer with these field values, and with what a metric derives from them."""
    return kind._from_fields(values)


def is_fitted(scorer: Scorer) -> bool:
    """Whether the scorer has the tables that ``fit`` makes, or needs none."""
    return scorer._is_fitted


def is_additive(scorer: Scorer) -> bool:
    """Whether the totals are the sum of the rows."""
    return scorer._additive


def is_separable(scorer: Scorer) -> bool:
    """Whether the statistics of a segment depend on it alone, and their sum gives the score."""
    return scorer._separable


def is_mean(scorer: Scorer) -> bool:
    """Whether the score of a corpus is the mean of the segments' own scores, or a bootstrap of it.

    Examples
    --------
    >>> from metrologue.scorers import Bleu, Chrf, Rouge
    >>> is_mean(Bleu()), is_mean(Chrf(aggregation="mean")), is_mean(Rouge.variant("rouge-1.5.5"))
    (False, True, True)
    """
    meanings = options_of(type(scorer))["aggregation"].one_of or {}
    return meanings[for_resampling(scorer).aggregation].startswith("the mean of the ")


def fields_for(kind: type[Scorer], language: Language) -> Mapping[str, Any]:
    """The fields that a metric has for texts in a language; none if it is right as it is."""
    return kind._for_language(language)


def source_for(kind: type[Scorer], language: Language) -> str:
    """Who gives the advice of ``fields_for``."""
    return kind.about.advised_by or language.source


def for_resampling(scorer: S) -> S:
    """The scorer that resamples are scored with: this one, unless its own score is a bootstrap already."""
    return scorer._for_resampling()


def narrowed(scorer: S) -> S:
    """The scorer that gives the same primary number, and counts no more than this number needs."""
    return scorer if scorer._chosen else scorer._narrowed()


def primary_number(scorer: Scorer, segments: Segments) -> float:
    """``corpus(segments).value``, without the signature of a result, which takes longer than a small score."""
    primary = scorer.primary
    numbers = scorer.score(scorer._total(segments, None))
    return float(finite(scorer._label, {primary: numbers[primary]}, scorer._infinite)[primary])


def encoder_of(scorer: Any) -> Any:
    """The encoder of a metric of vectors. Raises an InputError if the scorer has none."""
    return scorer._encoder()


def value_of_average(scorer: Any, segments: Segments) -> float:
    """The number that a metric of labels is named after; NaN if it is 0/0."""
    return scorer._value_of(segments)  # type: ignore[no-any-return]  # of metrics that are averages of labels
