"""A module of sequences of tags: what the Hub's `seqeval` takes and gives."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from metrologue.bridge.metric_module import Call, MetricModule
from metrologue.data.columns import Column, Items
from metrologue.data.labels import Labels, refuse_logits
from metrologue.errors import InputError, shown
from metrologue.segments import Segments

_SCHEMES = ("IOB1", "IOB2", "IOE1", "IOE2", "IOBES", "BILOU")


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
        return Segments.of_columns({name: _cut(column) for name, column in segments.columns.items()}, self._owner)

    def _columns(self, part: Segments) -> dict[str, pa.Array]:
        columns = {}
        for name in ("predictions", "references"):
            column = part.columns[name]
            assert isinstance(column, Items)
            tags = pa.array([str(each) for each in column.types], pa.large_string()).take(pa.array(column.ids))
            columns[name] = pa.LargeListArray.from_arrays(column.item_offsets, tags)
        return columns

    def _fields(self, scheme: Any = None, mode: Any = None, zero_division: Any = "warn") -> Mapping[str, Any]:
        for name, value, values in (
            ("scheme", scheme, (None, *_SCHEMES)), ("mode", mode, (None, "strict")),
            ("zero_division", zero_division, ("warn", 0, 1)),
        ):  # fmt: skip
            if value not in values:
                raise self._error(f"`{name}` is {shown(value)}; one of {', '.join(map(str, values))} is expected.")
        return {}

    def _answer(self, scorer: Any, segments: Segments, call: Call) -> Any:
        scores, extras = self._scored(scorer, segments, call)
        if call.hub.get("mode") or call.hub.get("scheme"):
            found = self._strict(scorer, segments, call)
        else:
            zero = float(call.hub.get("zero_division") == 1)
            found = {each: _shares(counts, zero) for each, counts in scorer.counts_of_types(segments).items()}
            counts = tuple(scores[f"{name}_count"] for name in ("both", "predicted", "actual"))
            whole = _shares(counts, zero)
            found |= {f"overall_{name}": whole[name] for name in ("precision", "recall", "f1")}
        return {**found, "overall_accuracy": scores["accuracy"], **extras}

    def _strict(self, scorer: Any, segments: Segments, call: Call) -> dict[str, Any]:
        """What the package gives for a scheme."""
        try:
            from seqeval import scheme as schemes
            from seqeval.metrics import classification_report
        except ImportError:
            raise InputError(f"{self._owner}: a scheme needs the package: pip install seqeval.") from None
        columns = self._columns(segments)
        given = {name: call.hub[name] for name in ("mode", "zero_division") if name in call.hub}
        if call.hub.get("scheme"):
            given["scheme"] = getattr(schemes, call.hub["scheme"])
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                report = classification_report(
                    columns["references"].to_pylist(), columns["predictions"].to_pylist(), output_dict=True,
                    suffix=scorer.suffix, **given,
                )  # fmt: skip
        except (KeyError, ValueError) as error:  # of tags that are none of the scheme
            raise self._error(f"seqeval cannot read the tags: {error}") from error
        names = {"precision": "precision", "recall": "recall", "f1-score": "f1", "support": "number"}
        plain = {
            each: {names[key]: value.item() if hasattr(value, "item") else value for key, value in values.items()}
            for each, values in report.items()
        }
        whole = plain.pop("micro avg")
        others = {each: values for each, values in plain.items() if each not in ("macro avg", "weighted avg")}
        return {**others, **{f"overall_{name}": whole[name] for name in ("precision", "recall", "f1")}}


def _cut(column: Column) -> Items:
    """Lists of tags; those of a text are its words."""
    if isinstance(column, Items):
        return column
    assert isinstance(column, Labels)
    rows = [str(each).split() for each in column.types]
    return Items.of([rows[code] for code in column.codes.tolist()])


def _shares(counts: tuple[int, ...], zero: float) -> dict[str, Any]:
    """Precision, recall and F1 from counts, and the number of right entities; `zero` for a share of none."""
    both, predicted, actual = counts
    precision, recall = both / predicted if predicted else zero, both / actual if actual else zero
    total = precision + recall
    f1 = 2 * precision * recall / total if total else (0.0 if predicted or actual else zero)
    return {"precision": precision, "recall": recall, "f1": f1, "number": actual}
