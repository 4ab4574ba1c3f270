"""Data sets of Hugging Face: a score of two columns, a column with the score of each row, data that are streamed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial, reduce
from typing import Any, TypeAlias

import datasets
import pyarrow as pa

from metrologue.errors import InputError, checked_int, instead_of, shown
from metrologue.integrations.columns import (
    Inputs,
    check_fit,
    chosen_columns,
    counted,
    counted_for_fit,
    located,
    numbered,
    segments_of,
)
from metrologue.scorers import Result, Scorer, Totals
from metrologue.scorers.core.engine import is_fitted, segments_for

_BATCH = 10_000
_MOST = 1 << 31

# The totals of some batches, each with the index of its first row.
Count: TypeAlias = Callable[[Iterable[tuple[int, pa.Table]]], Totals]


def corpus(
    scorer: Scorer,
    dataset: Any,
    predictions: str = "predictions",
    references: str = "references",
    *,
    num_proc: int | None = None,
    batch_size: int = _BATCH,
    **inputs: str,
) -> Result:
    """The score of two columns, as ``scorer.corpus`` gives it. One batch at a time is in memory.

    Parameters
    ----------
    scorer : Scorer
        One that needs a table gets it from the references first, which reads the data set twice.
    dataset : datasets.Dataset or datasets.IterableDataset
    predictions, references : str
        The names of the columns: text, or lists of text; labels or numbers, where the metric takes them.
    num_proc : int, optional
        Processes; this one alone by default. A data set that is streamed has one.
    batch_size : int
        The rows that are counted at once.
    **inputs : str
        The columns of the metric's other inputs, such as ``sample_weight="weight"``.

    Raises
    ------
    InputError
        If there is no such column, or a row has no score; the message names the rows.

    Examples
    --------
    >>> from datasets import Dataset
    >>> from metrologue.scorers import Bleu
    >>> data = Dataset.from_dict({"mine": ["a b c d e", "f g h i"], "right": ["a b c d x", "f g h i"]})
    >>> round(corpus(Bleu(), data, "mine", "right").value, 2)
    79.84
    """
    used = scorer
    if isinstance(scorer, Scorer) and not is_fitted(scorer):
        used = fit(scorer, dataset, references, num_proc=num_proc, batch_size=batch_size)
    counted = totals(used, dataset, predictions, references, num_proc=num_proc, batch_size=batch_size, **inputs)
    # A table that comes from the references that are scored has no name in a signature.
    return replace(used.score_totals(counted), signature=scorer.signature)


def totals(
    scorer: Scorer,
    dataset: Any,
    predictions: str = "predictions",
    references: str = "references",
    *,
    num_proc: int | None = None,
    batch_size: int = _BATCH,
    **inputs: str,
) -> Totals:
    """The totals of two columns, to be merged, saved or scored. Parameters and errors are those of ``corpus``.

    A scorer that needs a table must have it: ``fit`` makes it.
    """
    chosen = chosen_columns("datasets.totals", scorer, _schema(dataset), predictions, references, inputs)
    scorer.accumulate(segments_for(scorer, [], []))  # whether it has its table
    count = partial(counted, scorer, inputs=chosen)
    return _each(dataset, [*dict.fromkeys(chosen.values())], count, num_proc, batch_size)


def fit(
    scorer: Scorer,
    dataset: Any,
    references: str = "references",
    *,
    num_proc: int | None = None,
    batch_size: int = _BATCH,
) -> Scorer:
    """The scorer with a table that is made from a column of references, as ``scorer.fit`` makes it.

    Raises
    ------
    InputError
        If there is no such column, the scorer has no table, or its table is not made from counts.
    """
    check_fit("datasets.fit", scorer, _schema(dataset), references)
    count = partial(counted_for_fit, scorer, column=references)
    return scorer.fit(_each(dataset, [references], count, num_proc, batch_size))


def with_segment_scores(
    scorer: Scorer,
    dataset: Any,
    predictions: str = "predictions",
    references: str = "references",
    *,
    keys: Sequence[str] | None = None,
    num_proc: int | None = None,
    batch_size: int = _BATCH,
    **inputs: str,
) -> Any:
    """The data set with a column for each of these numbers, of each row on its own.

    The parameters that are not listed are those of ``corpus``. A data set that is streamed is scored when it is read.

    Parameters
    ----------
    keys : sequence of str, optional
        Numbers of the scorer, which are the names of the new columns; the primary number by default.

    Raises
    ------
    InputError
        As for ``totals``; if there is no such number, or the data set has a column of this name.

    Examples
    --------
    >>> from datasets import Dataset
    >>> from metrologue.scorers import WordErrorRate
    >>> data = Dataset.from_dict({"mine": ["a b c d", "f g"], "right": ["a b c x", "f g"]})
    >>> scored = with_segment_scores(WordErrorRate(), data, "mine", "right", keys=["wer", "substitutions"])
    >>> scored[0]
    {'mine': 'a b c d', 'right': 'a b c x', 'wer': 0.25, 'substitutions': 1.0}
    """
    owner, schema = "datasets.with_segment_scores", _schema(dataset)
    chosen = chosen_columns(owner, scorer, schema, predictions, references, inputs)
    scorer.accumulate(segments_for(scorer, [], []))
    names = [scorer.primary] if keys is None else list(keys)
    for name in names:
        if name not in scorer.range:
            raise InputError(f"{owner}: no number is called {shown(name)}; {instead_of(name, scorer.range)}")
        if name in schema.names:
            raise InputError(f"{owner}: the data set has a column {name!r} already; rename it first.")

    # The signature has our version: `map` must not take the numbers of an older one from its cache.
    score = partial(_scored, scorer, chosen, names, scorer.signature)
    return _mapped(dataset, score, num_proc, batch_size)


def _schema(dataset: Any) -> pa.Schema:
    if not isinstance(dataset, (datasets.Dataset, datasets.IterableDataset)):
        cure = "; choose one of its splits" if isinstance(dataset, dict) else ""
        raise InputError(f"`dataset` is a {type(dataset).__name__}; a Dataset or an IterableDataset is expected{cure}.")
    if dataset.features is not None:
        return dataset.features.arrow_schema
    # Of some streams nothing is known before their first row.
    first = next(dataset.with_format("arrow").iter(batch_size=1), None)
    return pa.schema([]) if first is None else first.schema


def _each(dataset: Any, columns: list[str], count: Count, num_proc: int | None, batch_size: int) -> Totals:
    """The totals of all batches, which other processes count if there are several."""
    rows = dataset.select_columns(columns)
    if num_proc is None or isinstance(dataset, datasets.IterableDataset):
        _check_processes(dataset, num_proc)
        size = checked_int("`batch_size`", batch_size, 1, _MOST)
        return count(numbered(rows.with_format("arrow").iter(batch_size=size)))
    counts = _mapped(
        rows, partial(_packed, count), num_proc, batch_size,
        remove_columns=columns, keep_in_memory=True, load_from_cache_file=False,
    )  # fmt: skip
    parts = (Totals.from_bytes(row["totals"]) for row in counts.with_format(None) if len(dataset))
    return reduce(Totals.merge, parts, count([]))


def _check_processes(dataset: Any, num_proc: int | None) -> None:
    several = num_proc is not None and checked_int("`num_proc`", num_proc, 1, 1024) > 1
    if several and isinstance(dataset, datasets.IterableDataset):
        raise InputError(f"`num_proc` is {num_proc}, but a data set that is streamed is read by one process.")


def _mapped(dataset: Any, function: Any, num_proc: int | None, batch_size: int, **options: Any) -> Any:
    """``dataset.map`` over Arrow tables and their indices. The result has the format that the data set has."""
    _check_processes(dataset, num_proc)
    size = checked_int("`batch_size`", batch_size, 1, _MOST)
    options |= {"batched": True, "batch_size": size, "with_indices": True}
    if isinstance(dataset, datasets.IterableDataset):
        form = getattr(dataset._formatting, "format_type", None)
    else:
        form, options["num_proc"] = dataset.format["type"], num_proc
    return dataset.with_format("arrow").map(function, **options).with_format(form)


def _packed(count: Count, batch: pa.Table, indices: list[int]) -> pa.Table:
    data = count([(indices[0], batch)]).to_bytes()
    return pa.table({"totals": pa.array([data], pa.large_binary())})


def _scored(
    scorer: Scorer, inputs: Inputs, names: list[str], signature: str, batch: pa.Table, indices: list[int]
) -> pa.Table:
    with located(f"rows {indices[0]} to {indices[-1]}"):
        numbers = scorer.segment_scores(segments_of(scorer, batch, inputs).placed(indices[0]))
    for name in names:
        batch = batch.append_column(name, pa.array(numbers[name]))
    return batch
