"""Totals as bytes, and tables that are fitted from parts: what other engines need."""

from __future__ import annotations

import json
from functools import reduce
from itertools import pairwise

import numpy as np
import pytest
from layouts import columns_of, sample_of
from needs import made

from metrologue.errors import InputError
from metrologue.integrations import fit_counts
from metrologue.scorers import (
    Accuracy,
    Bleu,
    Cider,
    LexicalDiversity,
    NistMt,
    Rouge,
    SelfBleu,
    Totals,
    get_scorer,
    list_scorers,
)
from metrologue.scorers.core.options import fitted_fields
from metrologue.segments import Segments

TEXTS = ["the cat sat on the mat", "0 dogs", "a dog", "the cat sat there", "", "0 cats", "0 0 0 dogs", "ein Vöglein 鳥"]
OTHERS = ["the cat sat", "a dog sat", "0 dogs", "the mat", "a", "cats", "0 0 dogs", "ein 鳥"]
SCORERS = [
    *(made(name) for name in list_scorers() if not fitted_fields(get_scorer(name)) and name != "meteor"),
    Bleu(aggregation="mean"),
    Rouge(aggregation="bootstrap-median", samples=5),
    LexicalDiversity(window=3, draws=3, vocd_samples=3),
]


@pytest.mark.parametrize("scorer", SCORERS, ids=lambda scorer: f"{scorer.name}-{scorer.aggregation}")
def test_bytes_are_the_totals(scorer) -> None:
    totals = scorer.accumulate(**columns_of(scorer.name, *sample_of(scorer.name, TEXTS, OTHERS)))
    again = Totals.from_bytes(totals.to_bytes())
    assert scorer.score_totals(again) == scorer.score_totals(totals)
    assert (again.signature, again.columns, again.segments, again.ranges) == (
        totals.signature, totals.columns, totals.segments, totals.ranges,
    )  # fmt: skip
    assert np.array_equal(again.values, totals.values)
    assert np.array_equal(again.rests, totals.rests)
    assert {name: type(table) for name, table in again.tables.items()} == {
        name: type(table) for name, table in totals.tables.items()
    }


def test_labels_keep_their_types() -> None:
    for labels in ([1, 2], ["1", "2"], [True, False]):
        totals = Totals.from_bytes(Accuracy().accumulate(labels, labels).to_bytes())
        assert Accuracy().score_totals(totals.merge(Accuracy().accumulate(labels, labels))).value == 1.0


def test_damaged_bytes_are_refused() -> None:
    data = Bleu().accumulate(TEXTS, OTHERS).to_bytes()
    for i in range(0, len(data), 7):
        for damaged in (data[:i], data[:i] + bytes([data[i] ^ 1]) + data[i + 1 :]):
            try:
                found = Totals.from_bytes(damaged)
            except InputError:
                continue
            assert Bleu().score_totals(found) == Bleu().score_totals(Totals.from_bytes(data))
    for other in (b"", b"PK", "text", None, 3):
        with pytest.raises(InputError, match=r"Totals\.from_bytes: the bytes are damaged, or hold no totals"):
            Totals.from_bytes(other)


@pytest.mark.parametrize(
    "scorer", [NistMt(), NistMt(zero_is_false=False, max_order=2), NistMt.variant("nltk"), Cider()]
)
@pytest.mark.parametrize("cuts", [(0, 8), (0, 1, 3, 3, 6, 8), (0, 5, 8)])
def test_a_table_of_parts_is_that_of_all(scorer, cuts) -> None:
    parts = [fit_counts(scorer, TEXTS[start:stop]) for start, stop in pairwise(cuts)]
    whole = scorer.fit(Segments(OTHERS, TEXTS))
    assert scorer.fit(reduce(Totals.merge, parts)) == whole
    passed = [Totals.from_bytes(part.to_bytes()) for part in reversed(parts)]
    assert scorer.fit(reduce(Totals.merge, passed)).signature == whole.signature


def test_counts_for_fit_are_saved(tmp_path) -> None:
    for scorer in (NistMt(), Cider()):
        fit_counts(scorer, TEXTS).save(tmp_path / "counts.json")
        assert scorer.fit(Totals.load(tmp_path / "counts.json")) == scorer.fit(Segments(TEXTS, TEXTS))


@pytest.mark.parametrize("followed", [5, [5], [["a", "b"]], [["a", "b", 1]], [["0" * 32, "0" * 32, 0]], {"a": 1}])
def test_damaged_counts_for_fit_are_refused(followed, tmp_path) -> None:
    path = tmp_path / "counts.json"
    fit_counts(NistMt(), TEXTS).save(path)
    data = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**data, "tables": {"information": {"followed": followed}}}), "utf-8")
    with pytest.raises(InputError, match="holds no saved totals"):
        Totals.load(path)


def test_what_cannot_be_fitted_from_counts() -> None:
    with pytest.raises(InputError, match="SelfBleu: fit needs all segments at once"):
        fit_counts(SelfBleu(), TEXTS)
    with pytest.raises(InputError, match="Bleu: has nothing to fit"):
        fit_counts(Bleu(), TEXTS)
    with pytest.raises(InputError, match=r"NistMt: fit has counts of another scorer: fit\|nist_mt"):
        NistMt().fit(fit_counts(NistMt(max_order=2), TEXTS))
    with pytest.raises(InputError, match="NistMt: no segments"):
        NistMt().fit(fit_counts(NistMt(), []))
    with pytest.raises(InputError, match="totals come from another scorer"):
        NistMt().fit(Segments(TEXTS, TEXTS)).score_totals(fit_counts(NistMt(), TEXTS))
