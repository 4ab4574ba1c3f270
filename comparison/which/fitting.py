"""The systems of a comparison, and which metrics fit their texts, found on a few segments before any work begins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import Any

import pyarrow as pa

from metrologue.errors import InputError, shown
from metrologue.scorers import Scorer, get_scorer, list_scorers
from metrologue.scorers.core.engine import segments_for
from metrologue.scorers.core.needs import model_field
from metrologue.scorers.families.classification.base import OfLabels
from metrologue.segments import Segments

__all__ = ["check_fit", "fitting_metrics", "is_of_labels", "misfit", "named_systems", "reads_as_labels"]

# Those that most people ask for come first. Without a name, the first row is compared, or the second one for labels.
USUAL = ("bleu", "rouge", "chrf")
USUAL_FOR_LABELS = ("accuracy", "f1")
FIRST = (*USUAL, "meteor", "ter", "wer", *USUAL_FOR_LABELS)
# A metric is tried on so many segments, and so many lines show whether they are labels.
TRIED, LINES = 8, 1000
# A label has fewer words, such as "not offensive".
WORDS = 4


def fitting_metrics(
    asked: Sequence[str],
    systems: Mapping[str, Any],
    references: Any,
    with_model: bool = False,
    inputs: Mapping[str, Any] | None = None,
) -> list[str]:
    """The metrics to compare, each once: those that are asked for, all that fit, or the usual ones.

    Parameters
    ----------
    asked : sequence of str
        Names of metrics. "all" stands for every metric that fits the texts: metrics of labels do not fit sentences. If
        it is empty, the usual metrics of free text or of labels are taken.
    systems : mapping of str to sequence of n str
    references : n strings, or n lists of strings, or None
    with_model : bool
        Whether a language model scores the texts, for metrics that take one.
    inputs : mapping of str to n texts, optional
        Other inputs of the metrics, by their names.

    Raises
    ------
    InputError
        If there is no metric of a name, or if a metric that is named does not fit the texts.

    Examples
    --------
    >>> fitting_metrics([], {"mine": ["the cat sat there"]}, ["a cat was sitting there"])
    ['bleu', 'rouge', 'chrf']
    >>> fitting_metrics(["perplexity"], {"mine": ["the cat"]}, ["a cat"])
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: perplexity does not fit these texts: `predictions[0]`, column 1: 'the' is not a \
number; numbers separated by whitespace are expected, or a `model` that reads texts.
    """
    chosen: dict[str, None] = {}
    if not asked:
        asked = USUAL_FOR_LABELS if references is not None and reads_as_labels(references) else USUAL
    for name in asked:
        if name == "all":
            every = sorted(list_scorers(), key=lambda each: FIRST.index(each) if each in FIRST else len(FIRST))
            sentences = references is not None and not reads_as_labels(references)
            fitting = [each for each in every if not (sentences and is_of_labels(each))]
            chosen |= {each: None for each in fitting if not misfit(each, systems, references, with_model, inputs)}
        elif reason := misfit(get_scorer(name).name, systems, references, with_model, inputs):
            raise InputError(reason)
        else:
            chosen[get_scorer(name).name] = None
    return list(chosen)


def misfit(
    metric: str,
    systems: Mapping[str, Any],
    references: Any,
    with_model: bool = False,
    inputs: Mapping[str, Any] | None = None,
) -> str | None:
    """Why a metric does not fit the texts; None if it does.

    A metric fits if one of its variants scores the first segments. If a variant needs data from elsewhere, nothing is
    tried: what it lacks is no fault of the texts.
    """
    kind = get_scorer(metric)
    if reason := _undirected(map(kind.variant, kind.variants())):
        return f"{metric} {reason}"
    if kind.input("references") and references is None:
        return f"{metric} needs references; give them."
    if any(variant.needs for variant in kind.variants().values()) or (with_model and model_field(kind)):
        return None
    some = None if references is None else references[:TRIED]
    try:
        others = {name: rows[:TRIED] for name, rows in (inputs or {}).items() if kind.input(name)}
        heads = [segments_for(kind, each[:TRIED], some, kind.__name__, **others) for each in systems.values()]
    except InputError as error:
        reason = str(error)
    else:
        reason = _refusal(map(kind.variant, kind.variants()), heads)
    return reason and f"{metric} does not fit these texts: {reason.removeprefix(f'{kind.__name__}: ')}"


def check_fit(metric: str, scorers: Iterable[Scorer], segments: Segments) -> None:
    """Raise an InputError if none of the scorers of a metric can score the segments; their first ones show it."""
    if reason := _undirected(scorers):
        raise InputError(f"compare: {metric} {reason}")
    if len(segments) >= TRIED and (reason := _refusal(scorers, [segments.slice(0, TRIED)])):
        raise InputError(f"compare: {metric} does not fit these texts: {reason}")


def _undirected(scorers: Iterable[Scorer]) -> str | None:
    """Why a metric compares nothing: no number of it is better than another, such as a number of words."""
    every = [*scorers]
    if not every or any(scorer.primary in scorer.higher_is_better for scorer in every):
        return None
    return "says nothing of which text is better; `metrologue score` has its numbers."


def _refusal(scorers: Iterable[Scorer], heads: Sequence[Segments]) -> str | None:
    """Why the first scorer refuses these segments, if all of them refuse."""
    reasons = []
    for scorer in scorers:
        try:
            for head in heads:
                scorer.corpus(head)
        except InputError as error:
            reasons.append(str(error))
        else:
            return None
    return next(iter(reasons), None)


def is_of_labels(metric: str) -> bool:
    """Whether a metric compares one label with another, as of a classifier.

    Examples
    --------
    >>> is_of_labels("accuracy"), is_of_labels("bleu")
    (True, False)
    """
    return issubclass(get_scorer(metric), OfLabels)


def reads_as_labels(references: Any) -> bool:
    """Whether references are labels: most of them have few words, or there are few different ones.

    Examples
    --------
    >>> reads_as_labels(["yes", "no", "not sure"]), reads_as_labels(["The cat sat on the mat.", "A dog ran home."])
    (True, False)
    """
    head = references[:LINES]
    items = head.to_pylist() if isinstance(head, pa.Array) else list(head)
    lines = chain.from_iterable([item] if isinstance(item, str) else item for item in items)
    some = [str(line) for line in islice(lines, LINES)]
    long = sum(len(line.split()) >= WORDS for line in some)
    return 2 * long <= len(some) or 10 * len({*some}) <= len(some)


def named_systems(systems: Any, owner: str, call: str, references: Any = None) -> Mapping[str, Any]:
    """The predictions of each system by its name; those of a single system have the name "predictions".

    A list of systems, each with as many predictions as there are references, has them as "system 1" and so on.

    Parameters
    ----------
    systems : mapping of str to n predictions, n predictions, or a list of n predictions of each system
    owner, call : str
        The caller's name, and a right call of it, for messages.
    references : n references, optional

    Raises
    ------
    InputError
        If it is a single text, the name of a metric or a scorer, or None.

    Examples
    --------
    >>> named_systems(["a cat"], "compare", "compare(predictions, references)")
    {'predictions': ['a cat']}
    >>> [*named_systems([["a", "b", "c"], ["a", "b", "d"]], "compare", "compare(predictions, references)", "abc")]
    ['system 1', 'system 2']
    """
    if isinstance(systems, Mapping):
        return systems
    if systems is None or isinstance(systems, str | Scorer):
        raise InputError(
            f"{owner}: `systems` is {shown(systems)}; the predictions of one system, or a dict with those of each "
            f"system, are expected, as in `{call}`."
        )
    if isinstance(systems, list | tuple) and hasattr(references, "__len__") and len(systems) != len(references):
        sizes = [len(each) if hasattr(each, "__len__") and not isinstance(each, str) else -1 for each in systems]
        if sizes and {*sizes} == {len(references)}:
            return {f"system {place}": each for place, each in enumerate(systems, 1)}
    return {"predictions": systems}
