"""A module of sequences of tags: what the Hub's `seqeval` takes and gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from metrologue.bridge.metric_module import Call, MetricModule
from metrologue.data.columns import Column, Items
from metrologue.data.intake import with_type
from metrologue.data.labels import Labels, refuse_logits
from metrologue.scorers.core.hints import warn
from metrologue.scorers.families.classification.averages import zero_division_name
from metrologue.scorers.seqeval import average_of_types
from metrologue.segments import Segments


class TagModule(MetricModule):
    """Mix-in in place of ``MetricModule`` for lists of tags, with the numbers of each type of entities."""

    def _features(self) -> list[Any]:
        from datasets import Features, Sequence, Value

        tags = Sequence(Value("string"))
        return [Features({"predictions": tags, "references": tags})]

    def _form(self, segments: Segments) -> int:
        return 0

    def _segments(self, predictions: Any, references: Any, **inputs: Any) -> Segments:
        for argument, values in (("predictions", predictions), ("references", references)):
            refuse_logits(values, argument, self._owner)
        segments = super()._segments(predictions, references, **inputs)
        for name, column in segments.columns.items():
            wrong = [each for each in getattr(column, "types", ()) if not isinstance(each, str)]
            if wrong:
                raise self._error(f"`{name}` have the tag {with_type(wrong[0])}; a str such as 'B-PER' is expected.")
        return Segments.of_columns({name: _cut(column) for name, column in segments.columns.items()}, self._owner)

    def _rows(self, part: Segments) -> dict[str, pa.Array]:
        columns = {}
        for name in ("predictions", "references"):
            column = part.columns[name]
            assert isinstance(column, Items)
            tags = pa.array([str(each) for each in column.types], pa.large_string()).take(pa.array(column.ids))
            columns[name] = pa.LargeListArray.from_arrays(column.item_offsets, tags)
        return columns

    def _fields(self, zero_division: Any = "warn", sample_weight: Any = None) -> Mapping[str, Any]:
        if sample_weight is not None:
            warn([f"{self._owner}: `sample_weight` has no effect: the package seqeval takes it and does not use it."])
        return {"zero_division": zero_division_name(zero_division)}

    def _answer(self, scorer: Any, segments: Segments, call: Call) -> Any:
        scores, extras = self._scored(scorer, segments, call)
        found: dict[str, Any] = {}
        for each, counts in scorer.counts_of_types(segments).items():
            own = scorer.scale * average_of_types(
                np.array([counts], float), "micro", float(scorer.zero_division == "1")
            )
            found[each] = dict(zip(("precision", "recall", "f1"), own.tolist(), strict=True)) | {"number": counts[2]}
        whole = {f"overall_{name}": scores[name] for name in ("precision", "recall", "f1", "accuracy")}
        return {**found, **whole, **extras}


def _cut(column: Column) -> Items:
    """Lists of tags; those of a text are its words."""
    if isinstance(column, Items):
        return column
    assert isinstance(column, Labels)
    rows = [str(each).split() for each in column.types]
    return Items.of([rows[code] for code in column.codes.tolist()])
