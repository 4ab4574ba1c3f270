"""Which metrics fit the texts of some files, found on a few segments before any work begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import pyarrow as pa

from metrologue.comparison.fit import is_of_labels, reads_as_labels
from metrologue.errors import InputError
from metrologue.scorers import get_scorer, list_scorers

__all__ = ["fitting_metrics", "lines_of", "misfit"]

# Those that most people ask for come first. Without a name, the first row is compared, or the second one for labels.
USUAL = ("bleu", "rouge", "chrf")
USUAL_FOR_LABELS = ("accuracy", "f1")
FIRST = (*USUAL, "meteor", "ter", "wer", *USUAL_FOR_LABELS)
# A metric is tried on so many segments.
TRIED = 20


def fitting_metrics(
    asked: Sequence[str], systems: Mapping[str, Any], references: Any, with_model: bool = False
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
        asked = USUAL_FOR_LABELS if references is not None and reads_as_labels(lines_of(references)) else USUAL
    for name in asked:
        if name == "all":
            every = sorted(list_scorers(), key=lambda each: FIRST.index(each) if each in FIRST else len(FIRST))
            sentences = references is not None and not reads_as_labels(lines_of(references))
            fitting = [each for each in every if not (sentences and is_of_labels(each))]
            chosen |= {each: None for each in fitting if not misfit(each, systems, references, with_model)}
        elif reason := misfit(get_scorer(name).name, systems, references, with_model):
            raise InputError(reason)
        else:
            chosen[get_scorer(name).name] = None
    return list(chosen)


def misfit(metric: str, systems: Mapping[str, Any], references: Any, with_model: bool = False) -> str | None:
    """Why a metric does not fit the texts; None if it does.

    A metric fits if one of its variants scores the first segments. If a variant needs data from elsewhere, nothing is
    tried: what it lacks is no fault of the texts.
    """
    kind = get_scorer(metric)
    if kind.needs_references and references is None:
        return f"{metric} needs references; give them."
    if any(variant.needs for variant in kind.variants().values()) or (with_model and "model" in kind.options()):
        return None
    reasons = []
    for variant in kind.variants():
        try:
            for predictions in systems.values():
                some = None if references is None else references[:TRIED]
                kind.variant(variant).score_segments(kind.to_segments(predictions[:TRIED], some, kind.__name__))
        except InputError as error:
            reasons.append(str(error).removeprefix(f"{kind.__name__}: "))
        else:
            return None
    return f"{metric} does not fit these texts: {reasons[0]}"


def lines_of(references: Any) -> list[str]:
    """All references as texts, whether a segment has one or several."""
    items = references.to_pylist() if isinstance(references, pa.Array) else list(references)
    return list(map(str, chain.from_iterable([item] if isinstance(item, str) else item for item in items)))
