"""What the metrics read: lines in their own layouts, and the inputs that they take beside texts and references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from metrologue.scorers import get_scorer, list_scorers
from metrologue.scorers.core.inputs import Input

__all__ = ["CLASSIFICATION", "SAMPLES", "Columns", "columns_of", "of_family", "other_row", "rows_of", "sample_of"]

Corpus = tuple[list[str], list[list[str]]]
Columns = dict[str, Any]


def of_family(family: str) -> tuple[str, ...]:
    """The metrics that are derived from a class of a family."""
    place = f"metrologue.scorers.families.{family}"
    return tuple(n for n in list_scorers() if any(k.__module__.startswith(place) for k in get_scorer(n).__mro__))


_HASHED = (["a:0.5 b:0.2", "c:1 a:2", ":0.5 b:0.3", "b:-1 c:-2"], [["a"], ["c"], ["d"], ["b"]])
_PROBABILITIES = (["0.5 0.25 0.125", "1 0.03125", "0.7", "0.2 0.9 1e-3"], [["a"], ["b"], ["c"], ["d"]])
_GRAPHS = (
    ['[["a"], ["a", "red"]]', '[["b"], ["a", "in", "b"]]', '[["c", "two"]]', "[]"],
    [['[["a"]]', '[["a", "red"]]'], ['[["a", "on", "b"]]'], ['[["c", "two"], ["c", "big"]]'], ['[["a"]]']],
)
# Each has the letters of IOBES, which the scorer of strict tags finds.
_TAGS = (
    ["B-PER E-PER O", "B-LOC E-LOC O", "O O", "S-PER O"],
    [["B-PER E-PER O"], ["O B-LOC E-LOC"], ["B-PER E-PER"], ["B-PER E-PER"]],
)
_LABELS = (["1", "0", "1", "0"], [["1"], ["0"], ["0"], ["1"]])
CLASSIFICATION = tuple(name for name in of_family("classification") if name != "seqeval")  # which reads tags
# So many as the neighbours of a text are by default, and those that they need besides.
_JUDGED = ([f"{(7 * i) % 5} {-i - 1} {1 + i % 3}" for i in range(18)], [["human"], ["model"]] * 9)
_TRIPLES = (
    ["a cat | sat | on a mat", "it | rained | ; a dog | ran | home", "x | y | z", "he | said | that"],
    [
        ["the cat | sat | on a mat; it | rained |", "a cat | is | here"],
        ["dogs | ran | off"],
        ["x | y | z"],
        ["a | b | c"],
    ],
)
SAMPLES: dict[str, Corpus] = {
    **dict.fromkeys(of_family("hashed_words"), _HASHED),
    **dict.fromkeys(of_family("token_probabilities"), _PROBABILITIES),
    **dict.fromkeys(CLASSIFICATION, _LABELS),
    "seqeval": _TAGS,
    "spice": _GRAPHS,
    "huse": _JUDGED,
    "peak": _TRIPLES,
}


def sample_of(metric: str, predictions: list[str], references: list[list[str]]) -> Corpus:
    """What the metric can read: these texts, or as many lines of its own layout."""
    if metric not in SAMPLES:
        return predictions, references
    lines, words = SAMPLES[metric]
    return lines[: len(predictions)], words[: len(predictions)]


def columns_of(metric: str, predictions: Sequence[Any], references: Sequence[Any] | None = None) -> Columns:
    """These texts by their names, and whatever else the metric requires.

    The others are made of the reference of the same segment, or of its prediction if there are no references. So a part
    of the segments has a part of them, and the better of two predictions is better with them too.
    """
    kind = get_scorer(metric)
    columns: Columns = {"predictions": predictions}
    if references is not None and kind.input("references"):
        columns["references"] = references
    for each in kind.inputs:
        if each.required and each.name not in ("predictions", "references"):
            columns[each.name] = [other_row(each, row) for row in (predictions if references is None else references)]
    return columns


def other_row(declared: Input, row: Any) -> Any:
    """What an input has in the segment with this text, or list of texts: it, twice."""
    text = row if isinstance(row, str) else next(iter(row), "")
    return [float(len(text))] if declared.kind.name == "numbers" else f"{text} {text}"


def rows_of(columns: Mapping[str, Any], start: int, stop: int) -> Columns:
    """Segments `start` to `stop`."""
    return {name: rows[start:stop] for name, rows in columns.items()}
