"""The trace of a learned metric: what each feature adds to the score, and what the model is known to reach."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.learned.trained_scores import given_model, reached
from metrologue.scorers.core.asked import hints_of
from metrologue.segments import Segments
from metrologue.tracing import Block, Row, Section, Table, Trace, reference_names, short

if TYPE_CHECKING:
    from metrologue.learned.trained_model import TrainedModel

__all__ = ["build", "shares"]


def build(scorer: Any, segment: Segments) -> Trace:
    """The trace of one segment."""
    model = given_model(scorer, "")
    result = scorer.corpus(segment)
    tables = [*_tables(scorer, model, segment)]
    return Trace(
        metric=scorer.name,
        value=result.value,
        signature=scorer.signature,
        formula=f"{scorer.primary} = {result.value}",
        remarks=(*reached(model), *hints_of(scorer, segment)),
        blocks=tuple(tables),
        values=result.scores,
    )


def _tables(scorer: Any, model: TrainedModel, segment: Segments) -> Iterator[Block]:
    """A table of the features for each row that the network reads: of each reference, or of the segment."""
    if not model.features.of_texts_alone or scorer.input_names() == ("predictions",):
        yield _table("features", model, model.features.of_segments(segment)[0])
        return
    rows = np.vstack([np.hstack(parts) for parts in model.features.of_pairs(segment)])
    names = reference_names(len(rows))
    for name, row in zip(names, rows, strict=True):
        yield Section(name=name, title=name, blocks=(_table(f"features with {name}", model, row),), values={})


def _table(name: str, model: TrainedModel, row: Floats) -> Table:
    groups = model.features.groups()
    added = shares(model, row, [*groups.values()])
    score = _output(model, row)
    rows = [
        Row(cells=(feature, _value(row, places), share))
        for (feature, places), share in zip(groups.items(), added, strict=True)
    ]
    return Table(
        name=name,
        header=("feature", "value", "adds"),
        rows=tuple(rows),
        caption=(
            f"the network gives {short(score)}; a feature adds what the number loses if the feature is as in the mean "
            "of the training"
        ),
        summary=f"{len(rows)} features",
    )


def _value(row: Floats, places: np.ndarray) -> str | float:
    return float(row[places[0]]) if len(places) == 1 else f"{len(places)} numbers"


def shares(model: TrainedModel, row: Floats, groups: list[np.ndarray]) -> list[float]:
    """How much the score of a row loses, if the features of a group are those of the mean text, for each group.

    Of a linear model, these sum to the score less that of the mean text.
    """
    score = _output(model, row)
    found = []
    for places in groups:
        other = row.copy()
        other[places] = model.layers.mean[places]
        found.append(score - _output(model, other))
    return found


def _output(model: TrainedModel, row: Floats) -> float:
    return float(model.layers(row[None])[0, -1])
