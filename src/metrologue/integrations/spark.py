"""Totals of a Spark data frame: each partition is counted where it lies, and gives back one row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from typing import Any

import pyarrow as pa

from metrologue.errors import InputError
from metrologue.integrations.columns import check_fit, chosen_columns, counted, counted_for_fit, numbered, required
from metrologue.scorers import Scorer, Totals
from metrologue.scorers.core.engine import segments_for

Batches = Iterable[pa.RecordBatch]


def totals(
    scorer: Scorer, dataframe: Any, predictions: str = "predictions", references: str = "references", **inputs: str
) -> Totals:
    """The totals of all rows of a data frame. ``scorer.score_totals`` scores them.

    A task that is lost is run again by Spark, so each row counts once. Partitions follow each other in Spark's order,
    which matters to few scorers. A tokenizer that was registered here must be registered on the workers, too.

    Parameters
    ----------
    scorer : Scorer
        With its table, if it needs one: ``fit`` makes it. The table is broadcast.
    dataframe : pyspark.sql.DataFrame
    predictions, references : str
        The names of the columns: text, or lists of text; labels or numbers, where the metric takes them.
    **inputs : str
        The columns of the metric's other inputs, such as ``sample_weight="weight"``.

    Returns
    -------
    Totals
        To the last bit those of one process that has all rows.

    Raises
    ------
    InputError
        If there is no such column, or a row has no score; the message names its place in its partition.
    """
    schema = _schema("spark.totals", dataframe)
    chosen = chosen_columns("spark.totals", scorer, schema, predictions, references, inputs)
    scorer.accumulate(segments_for(scorer, [], []))  # whether it has its table
    rows = dataframe.select(*dict.fromkeys(chosen.values()))
    # Few scorers ask for the index of a row: Spark then counts the rows of each partition first.
    starts = _starts(rows) if scorer.about.by_index else {}

    def count(partition: int, batches: Batches) -> Totals:
        return counted(scorer, numbered(batches, starts.get(partition, 0)), chosen, f"partition {partition}, ")

    return reduce(lambda before, part: before.merge(part if starts else part.placed(before.end)), _each(rows, count))


def fit(scorer: Scorer, dataframe: Any, references: str = "references") -> Scorer:
    """The scorer with a table that is made from a column of references, as ``scorer.fit`` makes it.

    The driver gets each distinct n-gram of each partition, 24 or 40 bytes for each.

    Raises
    ------
    InputError
        As for ``totals``; if the scorer has no table, or its table is not made from counts.
    """
    check_fit("spark.fit", scorer, _schema("spark.fit", dataframe), references)

    def count(partition: int, batches: Batches) -> Totals:
        return counted_for_fit(scorer, numbered(batches), references, f"partition {partition}, ")

    return scorer.fit(reduce(Totals.merge, _each(dataframe.select(references), count)))


def _schema(owner: str, dataframe: Any) -> pa.Schema:
    """The columns, which are checked before Spark does any work."""
    to_arrow_schema = required("pyspark.sql.pandas.types", "spark").to_arrow_schema
    if not hasattr(dataframe, "mapInArrow"):
        raise InputError(f"{owner}: `dataframe` is a {type(dataframe).__name__}; a DataFrame of Spark is expected.")
    schema: pa.Schema = to_arrow_schema(dataframe.schema)
    return schema


def _each(rows: Any, count: Callable[[int, Batches], Totals]) -> Iterator[Totals]:
    """The totals of each partition, in order. Spark broadcasts `count` by itself, if it holds a large table."""

    def counted_here(batches: Batches) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        context = TaskContext.get()
        partition = context.partitionId() if context else 0
        data = count(partition, batches).to_bytes()
        yield pa.record_batch({"partition": pa.array([partition], pa.int32()), "totals": pa.array([data], pa.binary())})

    try:
        rows_of_partitions = rows.mapInArrow(counted_here, "partition int, totals binary").collect()
    except Exception as error:  # Spark hands over the error of a worker as text, in errors of several kinds
        _, is_ours, said = str(error).partition("metrologue.errors.InputError: ")
        if not is_ours:
            raise
        raise InputError(said.splitlines()[0]) from error
    return map(
        Totals.from_bytes, (row["totals"] for row in sorted(rows_of_partitions, key=lambda row: row["partition"]))
    )


def _starts(rows: Any) -> dict[int, int]:
    """The index of the first row of each partition."""
    from pyspark.sql.functions import spark_partition_id

    starts, first = {}, 0
    for partition, count in sorted(map(tuple, rows.groupBy(spark_partition_id()).count().collect())):
        starts[partition] = first
        first += count
    return starts
