"""The details of lighteval: a Parquet file with a row for each document."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from metrologue.errors import InputError
from metrologue.files.log_values import at, numbers_of, text_of
from metrologue.files.packed import Path
from metrologue.files.regular import MOST_SETTINGS, check_regular
from metrologue.files.rows import Format, Rows
from metrologue.files.values import finite

_ROWS = 1 << 12
# The columns of this form and of the one before it.
_NEW, _OLD = {"doc", "model_response", "metric"}, {"predictions", "gold", "metrics"}


def _columns(path: str) -> set[str]:
    from pyarrow import ArrowException, parquet

    try:
        return {*parquet.read_schema(path).names}
    except (ArrowException, OSError):
        return set()


def _looks(path: str) -> bool:
    if not path.endswith(".parquet"):
        return False
    columns = _columns(path)
    return columns >= _NEW or columns >= _OLD


def _read(path: Path, key: str | None, name: str) -> Rows:
    return Rows.of_parts(_parts(path, key, name))


def _parts(path: Path, key: str | None, name: str) -> Iterator[Rows]:
    from pyarrow import ArrowException, parquet

    check_regular(path, "read_log", MOST_SETTINGS)
    is_new = _columns(str(path)) >= _NEW
    number = 0
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(_ROWS):
                yield _rows(batch.to_pylist(), is_new, path, number)
                number += len(batch)
    except ArrowException as error:
        raise InputError(f"{path}: not a valid Parquet file ({' '.join(str(error).split())}).") from None
    if not number:
        yield _rows([], is_new, path, 0)


def _rows(rows: Sequence[dict[str, Any]], is_new: bool, path: Path, start: int) -> Rows:
    ids, predictions, references, sources, scores = [], [], [], [], []
    metrics: dict[str, None] = {}
    for number, row in enumerate(rows, start):
        where = f"{path}: row {number}, counted from 0"
        said = _said(row) if is_new else row["predictions"]
        right = _gold(row["doc"]) if is_new else row["gold"]
        ids.append(str((at(row, "doc", "id") if is_new else row.get("example_id")) or number))
        predictions.append(text_of(at(said, 0) if isinstance(said, list) else said, where, "response"))
        answers = right if isinstance(right, list) else [right]
        references.append([text_of(each, where, "answer") for each in answers] or [""])
        sources.append(str((at(row, "doc", "query") if is_new else row.get("example")) or ""))
        own = row["metric" if is_new else "metrics"] or {}
        scores.append(own)
        metrics |= dict.fromkeys(own)
    return Rows(
        "details of lighteval", predictions=predictions, references=references, sources=sources, ids=ids,
        scores=numbers_of(scores), metrics=tuple(metrics),
    )  # fmt: skip


def _said(row: Any) -> Any:
    """The responses, as they are after postprocessing; of choices with likelihoods, the likeliest one."""
    response = row["model_response"]
    said = at(response, "text_post_processed") or at(response, "text")
    likelihoods = at(response, "logprobs")
    if said or not isinstance(likelihoods, list) or not likelihoods:
        return said
    known = [-math.inf if (each := finite(value)) is None else each for value in likelihoods]
    return at(row["doc"], "choices", known.index(max(known)))


def _gold(doc: Any) -> list[Any]:
    """The choices that are right."""
    index = at(doc, "gold_index")
    return [at(doc, "choices", each) for each in (index if isinstance(index, list) else [index])]


FORMATS = (Format("lighteval", (), _looks, _read, is_log=True, parts=_parts),)
