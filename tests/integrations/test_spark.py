"""A local session of Spark: totals and tables of its partitions are those of one process, to the last bit."""

from __future__ import annotations

import os
import random
import signal
import sys
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'metrologue[spark]'")

from metrologue.errors import InputError
from metrologue.integrations import spark
from metrologue.scorers import (
    Accuracy,
    Bleu,
    Chrf,
    Cider,
    DistinctN,
    LexicalDiversity,
    NistMt,
    Rouge,
    Scorer,
    SelfBleu,
    Ter,
    get_scorer,
)
from metrologue.segments import Segments

pytestmark = pytest.mark.slow

CHANCE = random.Random(1)
WORDS = [
    "the",
    "a",
    "cat",
    "dog",
    "bird",
    "sat",
    "ran",
    "on",
    "under",
    "mat",
    "roof",
    "0",
    "12",
    ",",
    ".",
    "Vöglein",
    "鳥",
]
TEXTS, OTHERS = ([" ".join(CHANCE.choices(WORDS, k=CHANCE.randint(0, 12))) for _ in range(600)] for _ in range(2))
# One partition with nearly all rows, some with none, and small ones.
LIMITS = (0, 0, 550, 550, 551, 600, 600)
PAIRS = Segments(TEXTS, OTHERS)
SCORERS = [
    Bleu(),
    Bleu(aggregation="mean"),
    Chrf(),
    Ter(),
    Rouge(aggregation="bootstrap-median", samples=9),
    DistinctN(orders=(1, 2)),
    LexicalDiversity(window=7, draws=9, vocd_samples=5),
    NistMt().fit(PAIRS),
    Cider().fit(PAIRS),
    get_scorer("log_loss_hashed")(),
]


@pytest.fixture(scope="module")
def session(java: None, root: Path) -> Iterator[Any]:
    """A local session with two workers, in which a task may fail twice."""
    from pyspark.sql import SparkSession

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(root / "src"), os.environ.get("PYTHONPATH")])))
        made = (
            SparkSession.builder.master("local[2,3]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.execution.arrow.maxRecordsPerBatch", "50")
            .getOrCreate()
        )
        made.sparkContext.setLogLevel("OFF")
        yield made
        made.stop()


def parted(session: Any, *columns: list[Any], schema: str = "hypothesis string, reference string") -> Any:
    """A data frame with a partition between any two of the limits."""
    keyed = [(bisect_right(LIMITS, i) - 1, row) for i, row in enumerate(zip(*columns, strict=True))]
    count = len(LIMITS) - 1
    rows = session.sparkContext.parallelize(keyed, 1).partitionBy(count, lambda partition: partition).values()
    return session.createDataFrame(rows, schema)


@pytest.fixture(scope="module")
def frame(session: Any) -> Any:
    found = parted(session, TEXTS, OTHERS).cache()
    assert found.rdd.getNumPartitions() == len(LIMITS) - 1
    return found


@pytest.mark.parametrize("scorer", SCORERS, ids=lambda scorer: f"{scorer.name}-{scorer.aggregation}")
def test_partitions_have_the_score_of_one_process(scorer: Scorer, session: Any, frame: Any) -> None:
    predictions, references = TEXTS, OTHERS
    if scorer.name == "log_loss_hashed":  # the score of a segment depends on its index
        texts = [[f"a:{i / 600} b:{1 - i / 600}" for i in range(600)], ["ab"[i % 2] for i in range(600)]]
        (predictions, references), frame = texts, parted(session, *texts)
    counted = spark.totals(scorer, frame, "hypothesis", "reference")
    assert counted.segments == 600
    assert scorer.score_totals(counted) == scorer.corpus(predictions, references)


def test_several_references_labels_and_weights(session: Any) -> None:
    lists = [[text, other] for text, other in zip(OTHERS, reversed(TEXTS), strict=True)]
    frame = parted(session, TEXTS, lists, schema="hypothesis string, reference array<string>")
    assert Bleu().score_totals(spark.totals(Bleu(), frame, "hypothesis", "reference")) == Bleu().corpus(TEXTS, lists)

    labels, right = [i % 3 for i in range(600)], [i % 2 for i in range(600)]
    weights = [0.1 * (i % 7) for i in range(600)]
    frame = parted(session, labels, right, weights, schema="hypothesis int, reference int, w double")
    counted = spark.totals(Accuracy(), frame, "hypothesis", "reference", sample_weight="w")
    expected = Accuracy().corpus(labels, right, sample_weight=weights)
    assert Accuracy().score_totals(counted).scores == expected.scores


@pytest.mark.parametrize("scorer", [NistMt(), Cider()], ids=lambda scorer: scorer.name)
def test_a_table_of_partitions_is_that_of_one_process(scorer: Scorer, frame: Any) -> None:
    fitted = spark.fit(scorer, frame, "reference")
    assert fitted == scorer.fit(PAIRS)
    assert fitted.score_totals(spark.totals(fitted, frame, "hypothesis", "reference")) == fitted.corpus(TEXTS, OTHERS)


def test_a_worker_that_is_killed_counts_once(session: Any, frame: Any, tmp_path: Path) -> None:
    """In the middle of the largest partition, when some of its batches are counted already."""
    trace = tmp_path / "killed"

    def killing(batches: Any) -> Any:
        from pyspark import TaskContext

        for number, batch in enumerate(batches):
            if number == 4 and TaskContext.get().attemptNumber() == 0:
                trace.write_text(str(TaskContext.get().partitionId()))
                os.kill(os.getpid(), signal.SIGKILL)
            yield batch

    counted = spark.totals(Bleu(), frame.mapInArrow(killing, frame.schema), "hypothesis", "reference")
    assert trace.read_text() == "1"
    assert counted.segments == 600
    assert Bleu().score_totals(counted) == Bleu().corpus(TEXTS, OTHERS)


def test_bad_input(session: Any, frame: Any) -> None:
    with pytest.raises(InputError, match="`references` is 'references', and no column is called so; did you mean"):
        spark.totals(Bleu(), frame, "hypothesis")
    with pytest.raises(InputError, match=r"spark\.totals: `dataframe` is a list; a DataFrame of Spark is expected"):
        spark.totals(Bleu(), [], "hypothesis")
    with pytest.raises(InputError, match=r"`information` must be the same for all batches; fit\(segments\) makes it"):
        spark.totals(NistMt(), frame, "hypothesis", "reference")
    with pytest.raises(InputError, match="bleu has no input 'sample_weight'"):
        spark.totals(Bleu(), frame, "hypothesis", "reference", sample_weight="w")
    with pytest.raises(InputError, match="Bleu: has nothing to fit"):
        spark.fit(Bleu(), frame, "reference")
    with pytest.raises(InputError, match="SelfBleu: fit needs all segments at once"):
        spark.fit(SelfBleu(), frame, "hypothesis")
    numbers = frame.selectExpr("hypothesis", "length(reference) as reference")
    with pytest.raises(InputError, match=r"'hypothesis' \(predictions\) is of string, but 'reference' .* of int32"):
        spark.totals(Bleu(), numbers, "hypothesis", "reference")
    missing = parted(session, [*TEXTS[:520], None, *TEXTS[521:]], OTHERS)
    with pytest.raises(InputError, match=r"partition 1, rows 500 to 549: Bleu: `predictions\[20\]` is None; drop"):
        spark.totals(Bleu(), missing, "hypothesis", "reference")
