"""The figures of sacrebleu, scipy and rouge_score come out, under their own seeds and settings."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from compared import compared

from metrologue.inference import CORRECTIONS, confidence_interval, confidence_intervals, corrected, paired_test
from metrologue.scorers import Bleu, Chrf, Rouge, Scorer, Ter, TokenF1
from metrologue.segments import Segments

Newstest = tuple[dict[str, list[str]], list[str]]
LIUM = "newstest2017.LIUM-NMT.4900.en-de"

# sacrebleu's own test (test/test_significance.py, version 2.6.0) expects these p-values to 0.01: Moses' script with
# 2,000 resamples, and multeval with 10,000 exchanges, both against LIUM-NMT on these outputs, tokenized by nothing.
MOSES = {
    "FBK.4870": 0.01267,
    "KIT.4950": 0.02233,
    "LMU-nmt-reranked.4934": 0.04383,
    "LMU-nmt-single.4893": 0.20783,
    "online-B.0": 0.38100,
    "RWTH-nmt-ensemble.4921": 0.01167,
    "SYSTRAN.4847": 0.20983,
    "xmu.4910": 0.25483,
    "uedin-nmt.4722": 0.0,
    "C-3MA.4959": 0.0,
}
MULTEVAL = {
    "FBK.4870": 0.0218,
    "KIT.4950": 0.0410,
    "LMU-nmt-reranked.4934": 0.09029,
    "LMU-nmt-single.4893": 0.58494,
    "online-B.0": 0.94111,
    "RWTH-nmt-ensemble.4921": 0.0207,
    "SYSTRAN.4847": 0.59914,
    "xmu.4910": 0.71073,
    "uedin-nmt.4722": 0.0001,
    "C-3MA.4959": 0.0001,
}


def statistics(scorer: Scorer, newstest: Newstest, names: list[str], count: int | None = None) -> dict[str, np.ndarray]:
    systems, reference = newstest
    first = Segments(systems[names[0]][:count], reference[:count], shared=True)
    return {name: scorer.statistics(first.with_predictions(systems[name][:count])) for name in names}


@pytest.mark.parametrize(
    ("metric", "count"),
    [("bleu", 501), ("chrf", 301), ("ter", 301), pytest.param("bleu", None, marks=pytest.mark.slow)],
)
def test_confidence_is_sacrebleus(
    metric: str, count: int | None, newstest: Newstest, monkeypatch: pytest.MonkeyPatch
) -> None:
    metrics = pytest.importorskip("sacrebleu.metrics")
    systems, reference = newstest
    name = "newstest2017.online-B.0.en-de"
    theirs = {"bleu": metrics.BLEU, "chrf": metrics.CHRF, "ter": metrics.TER}[metric]()
    scorer = {"bleu": Bleu(), "chrf": Chrf(), "ter": Ter()}[metric]
    rows = statistics(scorer, newstest, [name], count)[name]
    for seed, resamples in ((12345, 1000), (7, 333)):  # both programs read the variable
        monkeypatch.setenv("SACREBLEU_SEED", str(seed))
        score = theirs.corpus_score(systems[name][:count], [reference[:count]], n_bootstrap=resamples)
        ours = confidence_interval(scorer, rows, resamples=resamples, resampling="sacrebleu")
        # sacrebleu computes the scores of resamples in float32.
        assert ours.mean == pytest.approx(score._mean, rel=1e-6)
        assert ours.margin == pytest.approx(score._ci, rel=1e-5)
        printed = score.format(width=2)
        assert f"(μ = {ours.mean:.2f} ± {ours.margin:.2f})" in printed
        compared(2)


@pytest.mark.parametrize(("test", "method"), [("bs", "bootstrap"), ("ar", "randomization")])
@pytest.mark.parametrize(
    ("count", "seed"), [(501, "12345"), (301, "7"), pytest.param(None, "12345", marks=pytest.mark.slow)]
)
def test_paired_tests_are_sacrebleus(
    test: str, method: str, count: int | None, seed: str, newstest: Newstest, monkeypatch: pytest.MonkeyPatch
) -> None:
    significance = pytest.importorskip("sacrebleu.significance")
    from sacrebleu.metrics import BLEU

    monkeypatch.setenv("SACREBLEU_SEED", seed)
    systems, reference = newstest
    names = [LIUM, *(name for name in systems if name != LIUM)][:6]
    named = [(name, systems[name][:count]) for name in names]
    metric = BLEU(references=[reference[:count]])
    theirs = significance.PairedTest(named, {"BLEU": metric}, None, test, 600)()[1]["BLEU"]
    rows = statistics(Bleu(), newstest, names, count)
    ours = paired_test(Bleu(), LIUM, rows, method=method, resamples=600, resampling="sacrebleu")
    for their, our in zip(theirs[1:], ours, strict=True):
        assert our.score == pytest.approx(their.score, rel=1e-12)
        assert our.p_value == their.p_value
        compared(2)
        if test == "bs":
            assert our.interval is not None
            assert our.interval.mean == pytest.approx(their.mean, rel=1e-6)
            assert our.interval.margin == pytest.approx(their.ci, rel=1e-5)
            compared(2)
    assert len({our.p_value for our in ours}) > 1


@pytest.mark.parametrize(
    ("expected", "method", "resamples"), [(MOSES, "bootstrap", 2000), (MULTEVAL, "randomization", 10_000)]
)
def test_p_values_are_those_that_sacrebleus_test_expects(
    expected: dict[str, float], method: str, resamples: int, newstest: Newstest
) -> None:
    names = [LIUM, *(f"newstest2017.{name}.en-de" for name in expected)]
    scorer = Bleu(tokenizer="none")
    rows = statistics(scorer, newstest, names)
    theirs = paired_test(scorer, LIUM, rows, method=method, resamples=resamples, resampling="sacrebleu")
    for found, p_value in zip(theirs, expected.values(), strict=True):
        assert found.p_value == pytest.approx(p_value, abs=0.01)
        compared(1)


def test_our_bootstrap_agrees_with_randomization_where_moses_does_not(newstest: Newstest) -> None:
    """Two tests of one hypothesis have about the same p-value. That of absolute differences is far too small."""
    names = [LIUM, *(f"newstest2017.{name}.en-de" for name in MULTEVAL)]
    scorer = Bleu(tokenizer="none")
    rows = statistics(scorer, newstest, names)
    for found, p_value in zip(paired_test(scorer, LIUM, rows, resamples=4000), MULTEVAL.values(), strict=True):
        assert found.p_value == pytest.approx(p_value, abs=0.03)
    assert max(abs(MOSES[name] - MULTEVAL[name]) for name in MOSES) > 0.5


@pytest.mark.parametrize("seed", [None, "4711"])
def test_the_command_prints_sacrebleus_figures(
    seed: str | None, shared_data: Path, newstest: Newstest, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sacrebleu")
    monkeypatch.delenv("SACREBLEU_SEED", raising=False)
    if seed:  # both commands read the variable
        monkeypatch.setenv("SACREBLEU_SEED", seed)
    folder = shared_data / "wmt17_ende"
    names = [LIUM, "newstest2017.online-B.0.en-de", "newstest2017.FBK.4870.en-de"]
    files = [str(folder / "systems" / name) for name in names]
    reference = str(folder / "reference.de")
    run = {"check": True, "capture_output": True, "text": True}
    theirs = subprocess.run(
        [sys.executable, "-m", "sacrebleu", reference, "-i", *files, "-pbs", "-pbsn", "300", "-w", "2", "-f", "latex"],
        **run,
    ).stdout  # type: ignore[call-overload]
    ours = subprocess.run(
        [sys.executable, "-m", "metrologue", "score", "bleu", "-r", reference, "-pbs", "-pbsn", "300", "-w", "2",
         "--resampling", "sacrebleu", *(part for file in files for part in ("-p", file))],
        **run,
    ).stdout  # type: ignore[call-overload]  # fmt: skip
    rows = [line.split() for line in ours.splitlines()[1:4]]
    figures = re.findall(r"(\d+\.\d+) \(\d+\.\d+ ± (\d+\.\d+)\)(?: \(p = (\d\.\d+)\)(\*?))?", theirs)
    assert len(figures) == 3
    for (score, margin, p_value, star), row in zip(figures, rows, strict=True):
        assert row[1:4] == [score, "±", margin]
        assert row[4].startswith("*") == bool(star)
        assert not p_value or row[5] == p_value
        compared(2 + bool(p_value))


@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_intervals_of_a_mean_are_scipys(method: str, level: float, newstest: Newstest) -> None:
    stats = pytest.importorskip("scipy.stats")
    systems, reference = newstest
    scorer = TokenF1.variant("torchmetrics") if "torchmetrics" in TokenF1.variants() else TokenF1()
    segments = Segments(systems[LIUM][:151], reference[:151])
    values = scorer.segment_scores(segments)["token_f1"]
    theirs = stats.bootstrap(
        (values,), np.mean, confidence_level=level, n_resamples=999, method=method, rng=np.random.default_rng(11)
    ).confidence_interval
    sacrebleus_draws = confidence_intervals(
        scorer, segments, level=level, resamples=999, seed=11, method=method, resampling="sacrebleu"
    )["token_f1"]
    assert sacrebleus_draws.low == pytest.approx(theirs.low, rel=1e-12)
    assert sacrebleus_draws.high == pytest.approx(theirs.high, rel=1e-12)
    compared(2)


@pytest.mark.parametrize("seed", [0, 42])
def test_rouge_intervals_are_those_of_rouge_score(seed: int, newstest: Newstest) -> None:
    scoring = pytest.importorskip("rouge_score.scoring")
    from rouge_score.rouge_scorer import RougeScorer

    systems, reference = newstest
    types = ["rouge1", "rouge2", "rougeL"]
    aggregator, theirs = scoring.BootstrapAggregator(confidence_interval=0.9, n_samples=250), RougeScorer(types)
    for prediction, target in zip(systems[LIUM][:99], reference[:99], strict=True):
        aggregator.add_scores(theirs.score(target, prediction))
    np.random.seed(seed)
    expected = aggregator.aggregate()
    scorer = Rouge.variant("rouge_score", types=tuple(types))
    segments = Segments(systems[LIUM][:99], reference[:99])
    ours = confidence_intervals(scorer, segments, level=0.9, resamples=250, seed=seed, resampling="rouge_score")
    for name, limits in expected.items():
        for measure in ("precision", "recall", "fmeasure"):
            found = ours[f"{name}_{measure}"]
            for our, limit in ((found.low, limits.low), (found.median, limits.mid), (found.high, limits.high)):
                assert our == pytest.approx(getattr(limit, measure), rel=1e-12)
                compared(1)


def test_corrections_are_scipys() -> None:
    stats = pytest.importorskip("scipy.stats")
    p_values = np.random.default_rng(0).random(40) ** 3
    expected = stats.false_discovery_control(p_values, method="bh")
    np.testing.assert_allclose(corrected(list(p_values), "benjamini-hochberg"), expected, rtol=1e-12)
    compared(40)
    # Holm 1979: the k-th least of m p-values is multiplied by m - k + 1, and is at least as large as the one before.
    assert corrected([0.01, 0.04, 0.03, 0.005], "holm") == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert corrected([0.01, 0.4], "bonferroni") == [0.02, 0.8]
    assert corrected([0.6, 0.7], "bonferroni") == [1.0, 1.0]
    assert corrected([0.5, 0.1], None) == [0.5, 0.1]
    assert {*CORRECTIONS} == {"bonferroni", "holm", "benjamini-hochberg"}
