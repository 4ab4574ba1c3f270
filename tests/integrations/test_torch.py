"""Totals of two ranks, and scorers as metrics of torchmetrics."""

from __future__ import annotations

import doctest
import importlib
import json
import os
import pickle
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import pytest
from later import imported_later
from layouts import SAMPLES, columns_of, sample_of
from needs import made

from metrologue.errors import InputError
from metrologue.scorers import (
    Bleu,
    Chrf,
    Cider,
    DistinctN,
    LexicalDiversity,
    NistMt,
    Rouge,
    Scorer,
    get_scorer,
    list_scorers,
)
from metrologue.scorers.core.options import fitted_fields
from metrologue.segments import Segments

torch = imported_later("torch", reason="torch is not installed: pip install 'metrologue[torch]'")
imported_later("torchmetrics", reason="torchmetrics is not installed: pip install 'metrologue[torch]'")
ours = imported_later("metrologue.integrations.torch")

TEXTS = [f"the {animal} sat on the {place}" for animal in ("cat", "dog", "bird") for place in ("mat", "roof", "hat")]
OTHERS = [text.replace("sat", "is").replace("roof", "floor") for text in TEXTS]
PAIRS = Segments(TEXTS, OTHERS)


# What is not a sum of counts: means, rows, tables of n-grams, running text.
OTHER_TOTALS = [
    Bleu(aggregation="mean"),
    Rouge(aggregation="bootstrap-median", samples=9),
    DistinctN(vocabulary=50, level="sentence"),
    LexicalDiversity(window=7, draws=9, vocd_samples=5),
]
FEW = ("accuracy", "bleu", "cider", "likelihood_hashed", "ter")
MORE = [name for name in list_scorers() if name not in (*FEW, "meteor", "self_bleu")]


def default(name: str) -> Scorer:
    """A metric with its defaults, and with its table if it has one."""
    scorer = made(name)
    if not fitted_fields(type(scorer)):
        return scorer
    return scorer.fit(scorer._to_segments(**columns_of(name, *SAMPLES.get(name, (TEXTS, OTHERS)))))


EVERYDAY = [*map(default, FEW), *OTHER_TOTALS]


@pytest.mark.parametrize(
    "scorers",
    [pytest.param(EVERYDAY, id="few"), pytest.param([*map(default, MORE)], id="more", marks=pytest.mark.slow)],
)
def test_two_ranks_have_the_score_of_one_process(scorers: list[Scorer], root: Path, tmp_path: Path) -> None:
    """Uneven parts; for the last scorers, also a rank that gets nothing."""
    given = [(scorer, columns_of(scorer.name, *sample_of(scorer.name, TEXTS, OTHERS))) for scorer in scorers]
    jobs = [*((*one, 7) for one in given), *((*one, at) for one in given[-5:] for at in (0, len(TEXTS)))]
    (tmp_path / "jobs").write_bytes(pickle.dumps(jobs))
    command = [sys.executable, Path(__file__).with_name("ranks.py")]
    environment = {**os.environ, "PYTHONPATH": str(root / "tests" / "helpers"), "OMP_NUM_THREADS": "1"}
    ranks = [
        subprocess.Popen([*command, str(rank), tmp_path], env=environment, stderr=subprocess.PIPE, text=True)
        for rank in (0, 1)
    ]
    said = [rank.communicate(timeout=200)[1] for rank in ranks]
    assert [rank.returncode for rank in ranks] == [0, 0], said
    one, other = (json.loads((tmp_path / f"rank-{rank}.json").read_text("utf-8")) for rank in (0, 1))
    assert one[-1] == other[-1]
    assert one[-1].startswith("merge: the totals come from different scorers: bleu|")
    for (scorer, texts, cut), row, its in zip(jobs, one[:-1], other[:-1], strict=True):
        expected = {key: float(value) for key, value in scorer.corpus(**texts).scores.items()}
        name = f"{scorer.name}, {scorer.aggregation}, cut at {cut}"
        assert row["merged"] == its["merged"] == expected, name
        assert row.get("metric", expected) == its.get("metric", expected) == expected, name
        assert row.get("forward", True), name
        assert its.get("forward", True), name


def test_the_examples_of_the_module() -> None:
    found = doctest.testmod(importlib.import_module("metrologue.integrations.torch"))
    assert (found.failed, found.attempted) == (0, 8)


def test_one_process_is_one_rank() -> None:
    totals = Bleu().accumulate(TEXTS, OTHERS)
    assert ours.merged(totals) is totals


def test_the_life_of_a_metric() -> None:
    metric, chrf = ours.ScorerMetric(Chrf()), Chrf()
    assert metric.higher_is_better is True
    with pytest.raises(InputError, match="Chrf: no segments"):
        metric.compute()
    metric.update(TEXTS[:4], OTHERS[:4])
    batch = metric(TEXTS[4:5], OTHERS[4:5])
    assert batch.item() == chrf.corpus(TEXTS[4:5], OTHERS[4:5]).value
    metric.update(TEXTS[5:], [[text] for text in OTHERS[5:]])
    whole = chrf.corpus(TEXTS, OTHERS)
    assert metric.compute().item() == whole.value
    assert metric.result() == whole

    assert pickle.loads(pickle.dumps(metric)).compute().item() == whole.value
    assert metric.half().set_dtype(torch.float16).result() == whole
    metric.persistent(True)
    loaded = ours.ScorerMetric(Chrf())
    loaded.persistent(True)
    loaded.load_state_dict(deepcopy(metric.state_dict()))
    assert loaded.result() == whole

    twice = ours.ScorerMetric(Chrf())
    twice.update(TEXTS, OTHERS)
    twice.merge_state(metric)
    assert twice.result() == chrf.corpus(TEXTS * 2, OTHERS * 2)
    metric.reset()
    metric.update(TEXTS[:1], OTHERS[:1])
    assert metric.result() == chrf.corpus(TEXTS[:1], OTHERS[:1])


@pytest.mark.parametrize("call", ["update", "forward"])
def test_many_batches_are_few_parts(call: str) -> None:
    metric = ours.ScorerMetric(DistinctN())
    for number in range(40):
        getattr(metric, call)([f"a {number} cat", f"{number + 1} cats"])
    assert len(metric.totals) < 8
    assert (
        metric.result().scores
        == DistinctN()
        .corpus([text for number in range(40) for text in (f"a {number} cat", f"{number + 1} cats")])
        .scores
    )


def test_several_numbers() -> None:
    metric = ours.ScorerMetric(Rouge(), keys=("rouge1_recall", "rougeL_fmeasure"))
    metric.update(TEXTS, OTHERS)
    expected = Rouge().corpus(TEXTS, OTHERS).scores
    assert {key: value.item() for key, value in metric.compute().items()} == {
        key: expected[key] for key in ("rouge1_recall", "rougeL_fmeasure")
    }
    one = ours.ScorerMetric(Rouge(), keys="rouge2_fmeasure")
    one.update(TEXTS, OTHERS)
    assert one.compute().item() == expected["rouge2_fmeasure"]


def test_bad_input() -> None:
    with pytest.raises(InputError, match="ScorerMetric: `scorer` is 'bleu'; a Scorer is expected"):
        ours.ScorerMetric("bleu")
    with pytest.raises(InputError, match="ScorerMetric: no number is called 'blue'; did you mean 'bleu'"):
        ours.ScorerMetric(Bleu(), keys="blue")
    with pytest.raises(InputError, match="depends on its index among all"):
        ours.ScorerMetric(get_scorer("likelihood_hashed")())
    for scorer in (NistMt(), Cider()):
        with pytest.raises(InputError, match=r"must be the same for all batches; fit\(segments\) makes it"):
            ours.ScorerMetric(scorer)
    metric = ours.ScorerMetric(Bleu())
    with pytest.raises(InputError, match="2 predictions but 1 reference"):
        metric.update(["a", "b"], ["a"])
    metric.update(["a b c d"], ["a b c d"])
    assert metric.compute().item() == pytest.approx(100)
