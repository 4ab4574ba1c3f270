"""What other rooms ask of a scorer beside its public names: all else in it is private."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

from metrologue.errors import InputError

if TYPE_CHECKING:
    from metrologue.scorers.core.about import Growth
    from metrologue.scorers.core.configuration import Configuration
    from metrologue.scorers.core.options import Choice
    from metrologue.scorers.core.result import Result
    from metrologue.scorers.core.scorer import Scorer
    from metrologue.scorers.core.totals import Totals
    from metrologue.segments import Segments
    from metrologue.text.scripts import Language
    from metrologue.tracing.blocks import Block

S = TypeVar("S", bound="Scorer")


def segments_for(
    kind: type[Scorer] | Scorer, predictions: Any, references: Any = None, owner: str | None = None, **others: Any
) -> Segments:
    """The segments of what is given for the inputs of a metric; messages begin with `owner`."""
    return kind._to_segments(predictions, references, owner, **others)


def check_inputs(scorer: Scorer, segments: Segments) -> None:
    """Raise an InputError if the segments lack an input that the metric requires."""
    scorer._check_inputs(segments)


def growth_of(kind: type[Scorer]) -> Growth | None:
    """How the time for a segment grows with its texts; None: not faster than these."""
    return kind.about.growth


def hints_of(scorer: Scorer, segments: Segments, of_each: bool = False) -> list[str]:
    """Warnings about the score of these texts, or with `of_each` the scores of segments, and what to do."""
    return scorer._hints(scorer._in_form(segments), of_each)


def with_fields(kind: type[S], values: Mapping[str, Any]) -> S:
    """The scorer with these field values, and with what a metric derives from them."""
    return kind._from_fields(values)


def variant_of(scorer: Configuration) -> str | None:
    """The variant that has exactly these fields, or None."""
    return next((name for name in scorer.variants() if scorer.variant(name) == scorer), None)


def short_signature(scorer: Scorer) -> str:
    """The nearest variant and the fields that differ from it, to be cited; ``from_signature`` reads it too.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> short_signature(Bleu.variant("nltk", max_order=2))
    'bleu|variant=nltk|mirrors=nltk-3.10.4|max_order=2|metrologue=...'
    """
    from metrologue.scorers.core.options import signature_line

    differing = {name: _differing(scorer, name) for name in scorer.variants()}
    if not differing:
        return scorer.signature
    variant = min(differing, key=lambda name: len(differing[name]))
    return signature_line(scorer, variant, _needed(scorer, variant, differing[variant]), f"variant={variant}")


def _differing(scorer: Scorer, variant: str) -> list[str]:
    """The fields that differ from the variant's, and those that would follow from these with another value."""
    names: list[str] = []
    for _ in range(2):
        other = scorer.variant(variant, **{name: getattr(scorer, name) for name in names})
        own = [each.name for each in fields(scorer)]
        names = [name for name in own if name in names or getattr(scorer, name) != getattr(other, name)]
    return names


def _needed(scorer: Scorer, variant: str, names: list[str]) -> list[str]:
    """The differing fields without those that follow from others. (Uniform weights follow from their number.)"""
    for name in reversed(names):
        rest = [each for each in names if each != name]
        try:
            follows = scorer.variant(variant, **{each: getattr(scorer, each) for each in rest}) == scorer
        except InputError:
            follows = False
        names = rest if follows else names
    return names


def headings(scorer: Scorer) -> dict[str, tuple[str, ...]]:
    """The headings of a table of scores, each with the names of the numbers below it."""
    primary = scorer.primary
    apart = bool(scorer._chosen) or not scorer._reported[primary].heading
    named: dict[str, tuple[str, ...]] = {primary: (primary,)} if apart else {}
    for name, one in scorer._reported.items():
        if one.heading and not (apart and name == primary):
            named[one.heading] = (*named.get(one.heading, ()), name)
    return named


def main_headings(scorer: Scorer) -> list[str]:
    """The headings of scores; the others are details. If no number has the metric's name, all are scores."""
    named = headings(scorer)
    if scorer._chosen:
        return [scorer.primary]
    return [heading for heading, keys in named.items() if keys == (scorer.name,)] or [*named]


def title_of(scorer: Scorer) -> str:
    """The metric's name as a paper prints it, such as chrF2++."""
    return scorer._title_here


def perfect_score(scorer: Scorer) -> float | None:
    """The value of a perfect score, which is 100 points; None for a number without one, such as a distance."""
    return scorer.scale if scorer._reported[scorer.primary].unit == "points" else None


def blocks_below(scorer: Scorer, result: Result) -> Sequence[Block]:
    """What is printed below the numbers of a corpus, such as a confusion matrix."""
    return scorer._below(result)


def traces_all(scorer: Scorer) -> bool:
    """Whether a trace shows all segments."""
    return scorer.about.whole_trace


def depends_on_place(scorer: Scorer) -> bool:
    """Whether the score of a segment depends on its index."""
    return scorer.about.by_index


def is_fitted(scorer: Scorer) -> bool:
    """Whether the scorer has the tables that ``fit`` makes, or needs none."""
    return scorer._is_fitted


def fit_totals(scorer: Scorer, segments: Segments) -> Totals:
    """The counts for ``fit`` of a part of the references."""
    return scorer._fit_totals(segments)


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
    from metrologue.scorers.core.options import options_of

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


def choices_beside(scorer: S, other: S) -> tuple[Choice, ...]:
    """The choices in which two scorers of a metric can differ, so that every mixture of both is a scorer."""
    return scorer._choices_beside(other)


def share_encoding(scorer: S, other: S, segments: Segments) -> None:
    """Encode texts once for two scorers of a metric, before mixtures of both score them."""
    scorer._share_encoding(other, scorer._in_form(segments))


def primary_number(scorer: Scorer, segments: Segments) -> float:
    """``corpus(segments).value``, without the signature of a result, which takes longer than a small score."""
    from metrologue.scorers.core.result import finite

    primary = scorer.primary
    numbers = scorer.score(scorer._total(segments, None))
    return float(finite(scorer._label, {primary: numbers[primary]}, scorer._infinite)[primary])


def encoder_of(scorer: Any) -> Any:
    """The encoder of a metric of vectors. Raises an InputError if the scorer has none."""
    return scorer._encoder()


def value_of_average(scorer: Any, segments: Segments) -> float:
    """The number that a metric of labels is named after; NaN if it is 0/0."""
    return scorer._value_of(segments)  # type: ignore[no-any-return]  # of metrics that are averages of labels


def model_field(kind: type[Scorer]) -> str | None:
    """The field of a metric that holds its model, encoder, word vectors, trained model or function; None for others.

    Examples
    --------
    >>> from metrologue.scorers import Bleu, Perplexity, Wmd
    >>> model_field(Perplexity), model_field(Wmd), model_field(Bleu)
    ('model', 'vectors', None)
    """
    from metrologue.scorers.core.options import options_of

    kinds = ("model", "encoder", "sequence", "trained", "function")
    return next((name for name, one in options_of(kind).items() if one.kind in kinds), None)


def model_kind(kind: type[Scorer]) -> str | None:
    """What the ``model_field`` of a metric holds, such as "model", "encoder" or, of a learned metric, "trained".

    Examples
    --------
    >>> from metrologue.scorers import BertScore, Bleu, Ruse
    >>> model_kind(BertScore), model_kind(Ruse), model_kind(Bleu)
    ('encoder', 'trained', None)
    """
    from metrologue.scorers.core.options import options_of

    field = model_field(kind)
    return None if field is None else options_of(kind)[field].kind


def needs_model(kind: type[Scorer]) -> bool:
    """Whether a metric has no score without an encoder, a language model or a trained model.

    Examples
    --------
    >>> from metrologue.scorers import BertScore, Perplexity, Yisi
    >>> needs_model(BertScore), needs_model(Perplexity), needs_model(Yisi)
    (True, False, False)
    """
    return model_field(kind) is not None and not (kind.about.optional_model or kind.takes("numbers"))


# What a metric needs, by the kind of its option.
_NEEDED = {
    "model": "a language model", "encoder": "an encoder", "sequence": "a released checkpoint", "trained": "a training",
    "function": "a function of yours",
}  # fmt: skip


def needs_of(kind: type[Scorer]) -> str:
    """What a metric has no score without, in words: "nothing", "word vectors", "an encoder", "a training" and others.

    Examples
    --------
    >>> from metrologue.scorers import BertScore, Bleu, FactCC, Wmd
    >>> needs_of(Bleu), needs_of(Wmd), needs_of(BertScore), needs_of(FactCC)
    ('nothing', 'word vectors', 'an encoder', 'a released checkpoint or a training')
    """
    field = model_field(kind)
    if kind.about.needs or field is None:
        return kind.about.needs or "nothing"
    what = "word vectors" if field == "vectors" else _NEEDED[str(model_kind(kind))]
    return what if needs_model(kind) else f"nothing, or {what}"


def research_of(kind: type[Scorer]) -> str:
    """What a paper's metric reached that is made anew here, beside its rival; "" for any other metric.

    Examples
    --------
    >>> from metrologue.scorers import Bleu, Esim
    >>> research_of(Bleu), research_of(Esim)[:34]
    ('', 'WMT17: r .630 for lv-en, chrF .529')
    """
    return kind.about.research


def said_of_needs(kind: type[Scorer]) -> str:
    """What a metric needs, and whether it is research, in sentences.

    Examples
    --------
    >>> from metrologue.scorers import BertScore
    >>> said_of_needs(BertScore)
    'It needs an encoder.'
    """
    told, reached = f"It needs {needs_of(kind)}.", research_of(kind)
    return f"{told} Research: made anew from a paper; no released model is read. {reached}" if reached else told


def model_of(kind: type[Scorer], model: Any, **options: Any) -> Any:
    """The value of the ``model_field`` of a metric, for a path, a name, a loaded model, or what the field takes.

    `options` are those of what opens it, such as `encoder` of ``metrologue.learned.open_model``. Raises an InputError
    if there is no such model.
    """
    from metrologue.scorers.core.options import field_types, item_type

    holder = item_type(field_types(kind)[str(model_field(kind))])
    is_path = isinstance(model, str | os.PathLike)
    if options and not is_path and model_kind(kind) == "trained":
        name = min(options)
        raise InputError(
            f"{kind.__name__}: `{model_field(kind)}` is open already; give `{name}` to what opens it, as in "
            f"open_model(folder, {name}={options[name]!r})."
        )
    taken = not options and (not is_path or model_kind(kind) == "trained")  # or the name of one in use
    return holder.of(model) if taken else holder.of(holder.opened(model, **options))
