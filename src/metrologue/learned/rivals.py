"""Trivial rivals: what a learned metric must beat to be worth anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.learned.examples import Examples
from metrologue.learned.features import Features
from metrologue.scorers.core.registry import get_scorer


def _length(examples: Examples) -> Floats:
    """How near the length of a text is to that of its nearest reference, in words."""
    nearness = []
    for text, references in zip(examples.predictions, examples.references, strict=True):
        size = len(text.split()) + 1
        nearness.append(max(-abs(np.log(size / (len(each.split()) + 1))) for each in references))
    return np.array(nearness)


def _overlap(examples: Examples) -> Floats:
    """The F1 of the words of a text and of its best reference."""
    return _scores(examples, "token_f1", tokenizer="whitespace", lowercase=True, scale=1.0)


def _entities(examples: Examples) -> Floats:
    """The share of the names and numbers of the references that a text has; 1 if they have none."""
    return _scores(examples, "entity_recall")


def _scores(examples: Examples, metric: str, **options: Any) -> Floats:
    return get_scorer(metric)(**options).segment_scores(examples.segments)[metric]


RIVALS: Mapping[str, Callable[[Examples], Floats]] = {
    "length": _length,
    "word overlap": _overlap,
    "recall of names and numbers": _entities,
}


def rival_scores(examples: Examples, features: Features) -> dict[str, Floats]:
    """The scores of each rival, float64 (n,): of ``RIVALS``, and the cosine of each encoder that the features have.

    Examples
    --------
    >>> rated = Examples(("Anna ran", "it ran 3 km"), (("then Anna ran",), ("it ran 3 km",)), np.array([1.0, 2.0]))
    >>> found = rival_scores(rated, Features.of(scores=["chrf"]))
    >>> {name: values.round(2).tolist() for name, values in found.items()}
    {'length': [-0.29, -0.0], 'word overlap': [0.8, 1.0], 'recall of names and numbers': [1.0, 1.0]}
    """
    scores = {name: rule(examples) for name, rule in RIVALS.items()}
    for encoder in features.encoders:
        scores[f"cosine of {encoder}"] = _scores(examples, "semantic_similarity", model=encoder, too_long="cut")
    return scores
