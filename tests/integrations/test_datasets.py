"""Data sets: the score of two columns, and columns of scores, as the scorer gives them for lists."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from metrologue.errors import InputError
from metrologue.integrations import datasets as ours
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

datasets = pytest.importorskip("datasets", reason="datasets is not installed")

TEXTS = [
    f"the {a} {b} sat on the {c}" for a, b, c in itertools.product(["old", "0"], ["cat", "dog"], ["mat", "roof", ""])
]
OTHERS = [text.replace("sat", "is").replace("roof", "floor") for text in TEXTS]
COUNT = len(TEXTS)
DATA = datasets.Dataset.from_dict({"hyp": TEXTS, "ref": OTHERS, "more": range(COUNT)})


def rows() -> Any:
    yield from DATA


def streamed() -> Any:
    """A stream whose columns are not known before its first row."""
    return datasets.IterableDataset.from_generator(rows)


FORMS: dict[str, Callable[[], tuple[Any, dict[str, int]]]] = {
    "one process": lambda: (DATA, {}),
    "rows that were chosen": lambda: (DATA.select([*range(COUNT)[::-1]]).select([*range(COUNT)[::-1]]), {}),
    "stream": lambda: (streamed(), {}),
    "stream of a data set": lambda: (DATA.to_iterable_dataset(num_shards=2), {"num_proc": 1}),
}
SCORERS = [
    Bleu(),
    Bleu(aggregation="mean"),
    Chrf(),
    Ter(),
    Rouge(aggregation="bootstrap-median", samples=9),
    DistinctN(),
    LexicalDiversity(window=7, draws=9, vocd_samples=5),
    NistMt(),
    Cider(),
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("scorer", SCORERS, ids=lambda scorer: f"{scorer.name}-{scorer.aggregation}")
def test_a_corpus_has_the_score_of_lists(scorer: Scorer, form: str) -> None:
    data, options = FORMS[form]()
    assert ours.corpus(scorer, data, "hyp", "ref", batch_size=5, **options) == scorer.corpus(TEXTS, OTHERS)


def test_several_processes() -> None:
    for scorer in (Bleu(), LexicalDiversity(window=7, draws=9, vocd_samples=5), NistMt()):
        found = ours.corpus(scorer, DATA, "hyp", "ref", batch_size=2, num_proc=2)
        assert found == scorer.corpus(TEXTS, OTHERS)
    missing = datasets.Dataset.from_dict({"hyp": ["a", "b", "c", None], "ref": ["a"] * 4})
    with pytest.raises(InputError, match=r"rows 2 to 3: Bleu: `predictions\[1\]` is None; drop the segment"):
        ours.corpus(Bleu(), missing, "hyp", "ref", batch_size=2, num_proc=2)


def test_the_index_of_a_row_counts() -> None:
    scorer = get_scorer("log_loss_hashed")()
    columns = {"p": [f"a:{i / 20} b:{1 - i / 20}" for i in range(20)], "r": ["ab"[i % 2] for i in range(20)]}
    data, expected = datasets.Dataset.from_dict(columns), scorer.corpus(*columns.values())
    for options in ({}, {"num_proc": 2}):
        assert ours.corpus(scorer, data, "p", "r", batch_size=3, **options) == expected
    scored = ours.with_segment_scores(scorer, data, "p", "r", batch_size=3)
    assert scored[scorer.primary][:] == scorer.segments(*columns.values()).tolist()


def test_lists_labels_and_weights() -> None:
    lists = [[text, text.upper()] for text in OTHERS]
    data = datasets.Dataset.from_dict({"predictions": TEXTS, "references": lists})
    assert ours.corpus(Bleu(), data, batch_size=5) == Bleu().corpus(TEXTS, lists)
    labels, right, weights = [0, 1, 2, 1], [0, 1, 1, 1], [0.5, 0.1, 0.2, 0.7]
    data = datasets.Dataset.from_dict({"predictions": labels, "references": right, "w": weights})
    data = data.cast_column("references", datasets.ClassLabel(names=["a", "b", "c"]))
    found = ours.corpus(Accuracy(), data, sample_weight="w", batch_size=3)
    assert found.scores == Accuracy().corpus(labels, right, sample_weight=weights).scores


@pytest.mark.parametrize("options", [{}, {"num_proc": 2}])
def test_columns_of_scores(options: dict[str, int]) -> None:
    scorer, data, keys = Rouge(), DATA.with_format("numpy"), ["rouge1_recall", "rougeL_fmeasure"]
    scored = ours.with_segment_scores(scorer, data, "hyp", "ref", keys=keys, batch_size=5, **options)
    assert scored.column_names == ["hyp", "ref", "more", *keys]
    assert scored.format["type"] == "numpy"
    expected = scorer.segment_scores(TEXTS, OTHERS)
    for name in keys:
        assert scored.with_format(None)[name][:] == expected[name].tolist()
    assert scored.with_format(None)["hyp"][:] == TEXTS


def test_columns_of_scores_in_a_stream() -> None:
    fitted = NistMt().fit(Segments(TEXTS, OTHERS))
    scored = [*ours.with_segment_scores(fitted, streamed(), "hyp", "ref", batch_size=5)]
    assert [row["nist_mt"] for row in scored] == fitted.segments(TEXTS, OTHERS).tolist()
    assert [row["more"] for row in scored] == [*range(COUNT)]


def test_totals_are_merged() -> None:
    halves = [DATA.shard(2, index) for index in range(2)]
    merged = ours.totals(Bleu(), halves[0], "hyp", "ref").merge(ours.totals(Bleu(), halves[1], "hyp", "ref"))
    assert Bleu().score_totals(merged) == Bleu().corpus(TEXTS, OTHERS)
    nothing = ours.totals(Bleu(), DATA.select([]), "hyp", "ref", num_proc=2)
    assert Bleu().score_totals(merged.merge(nothing).merge(ours.totals(Bleu(), DATA.select([]), "hyp", "ref"))) == (
        Bleu().corpus(TEXTS, OTHERS)
    )
    assert ours.fit(Cider(), DATA, "ref", num_proc=2) == Cider().fit(Segments(TEXTS, OTHERS))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ours.corpus(Bleu(), DATA), "`predictions` is 'predictions', and no column is called so; there are"),
        (lambda: ours.corpus(Bleu(), streamed(), "hyp", "reff"), "`references` is 'reff', .*; did you mean 'ref'"),
        (lambda: ours.corpus(Bleu(), DATA, "hyp", "more"), r"'hyp' \(predictions\) is of string, but 'more' .* int64"),
        (lambda: ours.corpus("bleu", DATA, "hyp", "ref"), "`scorer` is 'bleu'; a Scorer is expected"),
        (lambda: ours.corpus(Bleu(), TEXTS), "`dataset` is a list; a Dataset or an IterableDataset is expected"),
        (lambda: ours.corpus(Bleu(), datasets.DatasetDict(test=DATA)), "is a DatasetDict; .*choose one of its splits"),
        (lambda: ours.corpus(Bleu(), DATA.select([]), "hyp", "ref"), "Bleu: no segments"),
        (lambda: ours.corpus(Bleu(), streamed(), "hyp", "ref", num_proc=2), "`num_proc` is 2, but .* streamed"),
        (lambda: ours.corpus(Bleu(), DATA, "hyp", "ref", num_proc=0), "`num_proc`: 0 is not an int from 1 to 1024"),
        (lambda: ours.corpus(Bleu(), DATA, "hyp", "ref", batch_size=0), "`batch_size`: 0 is not an int from 1"),
        (lambda: ours.totals(NistMt(), DATA, "hyp", "ref"), "NistMt: `information` must be the same for all"),
        (lambda: ours.corpus(SelfBleu(), DATA, "hyp"), "SelfBleu: fit needs all segments at once"),
        (lambda: ours.with_segment_scores(Bleu(), DATA, "hyp", "ref", keys=["blue"]), "no number is called 'blue'"),
        (lambda: ours.with_segment_scores(NistMt(), DATA, "hyp", "ref"), "`information` must be the same for all"),
        (
            lambda: ours.with_segment_scores(Bleu(), DATA.rename_column("more", "bleu"), "hyp", "ref"),
            "the data set has a column 'bleu' already; rename it first",
        ),
    ],
)
def test_bad_input(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()
