"""The trace of a learned metric: what each feature or each word adds to the score, and what the model reaches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.learned.scorer import reached
from metrologue.scorers.core.engine import hints_of, segments_for
from metrologue.segments import Segments
from metrologue.tracing import Block, Row, Section, Table, Trace, reference_names, short

if TYPE_CHECKING:
    from metrologue.learned.trained_model import TrainedModel


_MOST = 60  # words that are left out, one after another


def build(scorer: Any, segment: Segments) -> Trace:
    """The trace of one segment: a table of the features, or of the words if the network reads the texts themselves."""
    model = scorer._trained
    blocks = _tables(scorer, model, segment) if model.features.parts else _word_tables(scorer, segment)
    return trace_of(scorer, segment, blocks)


def trace_of(
    scorer: Any, segment: Segments, blocks: Iterable[Block], formula: str | None = None, remarks: Sequence[str] = ()
) -> Trace:
    """The trace of a learned metric, with what its model reaches.

    Parameters
    ----------
    formula : str, optional
        What stands before " = " and the score. By default the name of the score.
    remarks : sequence of str
        They stand before what the model reaches.
    """
    result = scorer.corpus(segment)
    about_model = reached(scorer._trained) if scorer._reads_model else []
    return Trace(
        metric=scorer.name,
        value=result.value,
        signature=scorer.signature,
        formula=f"{formula or scorer.primary} = {result.value}",
        remarks=(*remarks, *about_model, *hints_of(scorer, segment)),
        blocks=tuple(blocks),
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


def _word_tables(scorer: Any, segment: Segments) -> Iterator[Block]:
    """For each reference, the score, and how much lower it is without a word."""
    [text] = segment.texts().to_pylist()
    words, rest = text.split()[:_MOST], text.split()[_MOST:]
    without = [" ".join([*words[:place], *words[place + 1 :], *rest]) for place in range(len(words))]
    count, held = len(words) + 1, [name for name in scorer.input_names()[1:] if segment.has(name)]
    columns = {name: segment.texts(name).to_pylist() for name in held}
    references = columns.pop("references", [None])
    others = {name: own * count for name, own in columns.items()}
    for name, reference in zip(reference_names(len(references)), references, strict=True):
        given = None if reference is None else [reference] * count
        scores = scorer.segments(segments_for(scorer, [text, *without], given, None, **others)).tolist()
        rows = [
            Row(cells=(word, score, scores[0] - score)) for word, score in zip(words, scores[1:], strict=True)
        ]  # fmt: skip
        table = Table(
            name=f"words with {name}" if given else "words",
            header=("word", "score without it", "adds"),
            rows=tuple(rows),
            caption=f"the model gives {short(scores[0])}; a word adds what the score loses without it",
            summary=f"{len(rows)} words",
        )
        values = {scorer.primary: scores[0]}
        yield Section(name=name, title=name, blocks=(table,), values=values) if given else table


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
    added = []
    for places in groups:
        without = row.copy()
        without[places] = model.layers.mean[places]
        added.append(score - _output(model, without))
    return added


def _output(model: TrainedModel, row: Floats) -> float:
    return float(model.layers(row[None])[0, -1])
