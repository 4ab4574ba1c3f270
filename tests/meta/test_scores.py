"""Scores for texts that people rated: ours, those of files, and combinations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrologue.errors import InputError
from metrologue.meta import Judgements, Ratings, with_scores_from
from metrologue.meta.scores import Scored, combined, score_metrics
from metrologue.scorers import Bleu, Chrf, DistinctN, Rouge, Ter
from metrologue.scorers.core.typed import printed

HYPOTHESES = ("the cat sat", "a dog ran off", "birds sing", "the sun")
REFERENCES = (
    ("the cat sat down", "a cat sat"),
    ("the dog ran",),
    ("some birds sing loud", "birds", "bird song"),
    ("a sun",),
)


def made(**changed: Any) -> Judgements:
    fields: dict[str, Any] = {
        "segments": ("1", "2", "1", "2"),
        "hypotheses": HYPOTHESES,
        "ratings": {"good": Ratings(np.array([[1.0], [2], [3], [4]]), ("1",))},
        "systems": ("amber", "amber", "birch", "birch"),
        "references": REFERENCES,
    }
    return Judgements(**{**fields, **changed})


def test_scores_are_those_of_the_scorer():
    lists = [[*own] for own in REFERENCES]
    chrf, ter, distinct = score_metrics(made(), {"chrf": Chrf(), "error": "ter", "many": "distinct_n"})
    np.testing.assert_array_equal(chrf.values, Chrf().segments([*HYPOTHESES], lists))
    np.testing.assert_array_equal(ter.oriented, -Ter().segments([*HYPOTHESES], lists))
    np.testing.assert_array_equal(distinct.values, DistinctN().segments([*HYPOTHESES]))
    assert (chrf.higher_is_better, ter.higher_is_better, ter.name) == (True, False, "error")
    assert chrf.signature == Chrf().signature


def test_several_references():
    chrf = Chrf()
    [first] = score_metrics(made(), [chrf], "first")
    np.testing.assert_array_equal(first.values, chrf.segments([*HYPOTHESES], [[own[0]] for own in REFERENCES]))
    [mean] = score_metrics(made(), [chrf], "mean")
    each = [
        [chrf.segments([text], [[one]])[0] for one in own] for text, own in zip(HYPOTHESES, REFERENCES, strict=True)
    ]
    np.testing.assert_allclose(mean.values, [*map(np.mean, each)], rtol=1e-14)


def test_the_mean_over_references_keeps_ties():
    """The order of references must not matter, to the last bit."""
    references = (("a b c", "a b", "a c d e"), ("a c d e", "a b c", "a b"), ("a b", "a c d e", "a b c"))
    said = made(hypotheses=("a b",) * 3, references=references, segments=("1", "2", "3"), systems=None,
                ratings={"good": Ratings(np.array([[1.0], [2], [3]]), ("1",))})  # fmt: skip
    for scorer in (Chrf(), Rouge(), Bleu.variant("nltk", max_order=2)):
        assert len({*score_metrics(said, [scorer], "mean")[0].values.tolist()}) == 1


def test_names():
    assert [each.name for each in score_metrics(made(), ["chrf", "bleu:nltk", Bleu(max_order=2)])] == [
        "chrf", "bleu:nltk", "bleu:sacrebleu max_order=2"
    ]  # fmt: skip
    assert printed(Bleu.variant("nltk")) == "bleu:nltk"
    assert [each.name for each in score_metrics(made(), [Chrf().signature])] == ["chrf:sacrebleu"]


@pytest.mark.parametrize(
    ("changed", "metrics", "references", "message"),
    [
        ({"references": None}, ["chrf"], "all", "chrf: it compares texts with references, and these data have none"),
        ({}, ["chrf"], "any", "references: 'any' is unknown; there are all, mean, first"),
        ({}, ["blue"], "all", "no metric is called 'blue'"),
        ({}, [Chrf(), Chrf()], "all", "one metric is given twice"),
    ],
)
def test_metrics_that_are_refused(changed, metrics, references, message):
    with pytest.raises(InputError, match=message):
        score_metrics(made(**changed), metrics, references)


def tsv(path: Path, *rows: str) -> Path:
    path.write_text("".join(row.replace(" ", "\t") + "\n" for row in rows), "utf-8")
    return path


def test_scores_from_files(tmp_path):
    rows = [
        "system segment comet bleurt",
        "birch 2 0.4 4",
        "amber 1 0.1 1",
        "amber 2 0.2 2",
        "cedar 1 0.9 9",
        "birch 1 0.3 ",
    ]
    said = with_scores_from(made(), tsv(tmp_path / "scores.tsv", *rows))
    np.testing.assert_array_equal(said.scores["comet"], [0.1, 0.2, 0.3, 0.4])
    np.testing.assert_array_equal(said.scores["bleurt"], [1, 2, np.nan, 4])
    assert said.notes == (f"1 row of {tmp_path / 'scores.tsv'} is for texts that are not rated here.",)

    lines = [{"system": "amber", "segment": 1, "scores": {"x": 1}}, {"system": "birch", "segment": "2", "x": 4}]
    path = tmp_path / "scores.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    np.testing.assert_array_equal(with_scores_from(said, path).scores["x"], [1, np.nan, np.nan, 4])

    in_order = with_scores_from(made(systems=None), tsv(tmp_path / "plain.tsv", "x", "4", "3", "2", "1"))
    np.testing.assert_array_equal(in_order.scores["x"], [4, 3, 2, 1])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (("system segment",), "no column has scores"),
        ((), "no column has scores"),
        (("x", "1"), "1 row for 4 texts; give a row for each, in the order of the data, or a column 'segment'"),
        (("system segment x", "amber 1 high"), r":2: x is 'high'; a number is expected"),
        (("system segment x", "amber 1 nan"), r":2: x is 'nan'"),
        (("system segment x", "amber 1"), ":2: 2 cells, but the first line has 3"),
        (("system segment x", "amber 1 1", "amber 1 2"), ":3: the same text as at .*:2"),
        (("system segment old", "amber 1 1"), "the metric 'old' is there already"),
    ],
)
def test_files_of_scores_that_are_refused(tmp_path, rows, message):
    with pytest.raises(InputError, match=message):
        with_scores_from(made(scores={"old": np.zeros(4)}), tsv(tmp_path / "scores.tsv", *rows))


@pytest.mark.filterwarnings("ignore:.*do not vary")
def test_combinations():
    parts = [
        Scored("a", np.array([1.0, 2, 6])),
        Scored("b", np.array([5.0, 5, 5])),
        Scored("c", np.array([3.0, 1, 2]), False),
    ]
    found = combined(parts)
    z = [np.array([-2.0, -1, 3]) / np.sqrt(14 / 3), np.zeros(3), np.array([-1.0, 1, 0]) / np.sqrt(2 / 3)]
    np.testing.assert_allclose(found.values, np.mean(z, axis=0), atol=1e-15)
    assert (found.name, found.parts) == ("a + b + c", ("a", "b", "c"))
    assert combined([Scored("x" * 20, found.values), Scored("y" * 20, found.values)]).name == "mean of 2 metrics"
