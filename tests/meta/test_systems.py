"""Systems by their corpus scores, soft pairwise accuracy, tests and clusters, and averages over data sets."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
from later import imported_later

from metrologue.errors import InputError
from metrologue.inference.correlation import (
    correlation,
    pair_permutation_test,
    permutation_test,
    soft_pairwise_accuracy,
    soft_permutation_test,
    williams_test,
)
from metrologue.inference.draws import DRAWS
from metrologue.meta import Judgements, Ratings, average_correlations, meta_evaluate, tables
from metrologue.meta.evaluation import _not_outperformed
from metrologue.meta.ranking import Ranking, clusters_of
from metrologue.pages.meta_page import render
from metrologue.scorers import get_scorer
from metrologue.scorers.core.registry import make_scorer

stats = imported_later("scipy.stats")

WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "saw", "one", "dog", "run", "past", "it"]
SYSTEMS, SEGMENTS = 6, 12


def made(**changed: Any) -> Judgements:
    """Texts of six systems, each worse than the one before; every fifth is not rated."""
    generator = random.Random(4)
    references = [generator.choices(WORDS, k=generator.randint(4, 12)) for _ in range(SEGMENTS)]
    texts, ratings = [], []
    for place in range(SYSTEMS):
        for segment, reference in enumerate(references):
            words = [word if generator.random() > 0.1 * place else "x" for word in reference]
            texts.append((f"s{place}", str(segment + 1), " ".join(words), " ".join(reference)))
            good = sum(word != "x" for word in words) / len(words)
            ratings.append(math.nan if (place + segment) % 5 == 4 else round(5 * good + generator.random(), 2))
    fields: dict[str, Any] = {
        "segments": tuple(segment for _, segment, *_ in texts),
        "hypotheses": tuple(text for *_, text, _ in texts),
        "ratings": {"adequacy": Ratings(np.array(ratings)[:, None], ("ann",))},
        "systems": tuple(system for system, *_ in texts),
        "references": tuple((reference,) for *_, reference in texts),
    }
    return Judgements(**{**fields, **changed})


def parts(judgements: Judgements, place: int) -> tuple[list[str], list[str]]:
    rows = [row for row, name in enumerate(judgements.systems or ()) if name == f"s{place}"]
    references = judgements.references or ()
    return [judgements.hypotheses[row] for row in rows], [references[row][0] for row in rows]


def people(judgements: Judgements) -> np.ndarray:
    return judgements.ratings["adequacy"].means().reshape(SYSTEMS, SEGMENTS)


@pytest.mark.parametrize("metric", ["bleu:sacrebleu-sentence", "ter", "nist_mt", "distinct_n", "chrf[recall]"])
def test_corpus_scores(metric: str) -> None:
    scorer, said = make_scorer(metric), made()
    needs = [] if scorer.input("references") is None else [1]
    corpus = [scorer.corpus(*parts(said, place)[: 1 + len(needs)]).value for place in range(SYSTEMS)]
    sign = 1 if scorer.higher_is_better[scorer.primary] else -1
    expected = sign * stats.pearsonr(corpus, np.nanmean(people(said), axis=1)).statistic
    found = meta_evaluate(said, [metric], level="system", method="pearson", resamples=100)
    [row] = found.correlations.values()
    assert row["adequacy"].value == pytest.approx(expected, rel=1e-12)
    assert [*found.system_scores.values()] == ["corpus"]
    assert "by their corpus scores" in tables.headline(found)
    if metric != "distinct_n":
        assert row["adequacy"].interval is not None
        assert "resamples of segments" in " ".join(tables.legend(found))


def test_a_resample_is_one_of_segments() -> None:
    """The interval is that of systems scored on the drawn segments, one resample at a time."""
    said, count = made(), 100
    counts = np.concatenate([*map(np.copy, DRAWS["splitmix64"](7).counts(SEGMENTS, count))])
    scorer, human, values = get_scorer("ter").variant("sacrebleu"), people(said), []
    for drawn in counts:
        rows = np.repeat(np.arange(SEGMENTS), drawn)
        corpus = [
            scorer.corpus(*([side[row] for row in rows] for side in parts(said, place))).value
            for place in range(SYSTEMS)
        ]
        values.append(-stats.pearsonr(corpus, np.nanmean(human[:, rows], axis=1)).statistic)
    found = meta_evaluate(said, ["ter"], level="system", method="pearson", resamples=count, seed=7)
    assert found.correlations["ter"]["adequacy"].resampled == pytest.approx(np.array(values), rel=1e-9)


def test_means_where_they_are_asked_for_and_where_a_corpus_score_is_one() -> None:
    said = made()
    found = meta_evaluate(said, ["bleu", "rouge", "dice"], level="system", system_score="mean", confidence=None)
    assert {*found.system_scores.values()} == {"mean"}
    mixed = meta_evaluate(said, ["chrf", "rouge:rouge-1.5.5"], level="system", combine=[["chrf", "rouge:rouge-1.5.5"]])
    assert mixed.system_scores == {"chrf": "corpus", "rouge:rouge-1.5.5": "mean"}
    assert "their corpus scores (chrf) or the means of their segments' scores (rouge:rouge-1.5.5)" in tables.headline(
        mixed
    )
    assert tables.metric_name(mixed, "rouge:rouge-1.5.5") == "rouge:rouge-1.5.5 rougeL F"
    [name] = mixed.shares
    assert sum(mixed.shares[name]["adequacy"].values()) == pytest.approx(mixed.correlations[name]["adequacy"].value)
    several = made(references=tuple((text, text) for (text,) in made().references or ()))
    with pytest.raises(InputError, match="a corpus has no score with the mean of several references"):
        meta_evaluate(several, ["bleu"], level="system", references="mean", system_score="corpus")


def test_scores_of_systems_that_were_given() -> None:
    given = {f"s{place}": float(SYSTEMS - place) for place in range(SYSTEMS)}
    said = made(system_scores={"comet": given})
    found = meta_evaluate(said, ["ter"], level="system", method="spearman", resamples=100)
    expected = stats.spearmanr([*given.values()], np.nanmean(people(said), axis=1)).statistic
    assert found.correlations["comet"]["adequacy"].value == pytest.approx(expected, rel=1e-12)
    assert found.correlations["comet"]["adequacy"].interval is None
    assert not found.unscored
    with pytest.raises(InputError, match="comet has scores of systems only; take the level 'system'"):
        meta_evaluate(said)


def test_soft_pairwise_accuracy_and_its_test() -> None:
    said = made()
    found = meta_evaluate(said, ["chrf", "ter"], method="spa", test="perm-both", resamples=100)
    assert (found.level, found.system_scores) == ("system", {"chrf": "mean", "ter": "mean"})
    scores = {each.name: each.oriented.reshape(SYSTEMS, SEGMENTS) for each in found.metrics}
    for name, row in found.correlations.items():
        assert row["adequacy"].value == soft_pairwise_accuracy(scores[name], people(said))
    better, worse = found.rankings["adequacy"].metrics
    tested = soft_permutation_test(scores[worse], scores[better], people(said), permutations=100)
    assert found.rankings["adequacy"].p_values[0, 1] == tested.p_value
    apart = found.correlations[better]["adequacy"].value - found.correlations[worse]["adequacy"].value
    assert tested.difference == pytest.approx(apart, abs=0.003)  # z-scores in 32 bits make other ties
    for changed in ({"level": "item"}, {"system_score": "corpus"}, {"tie": 1.0}):
        with pytest.raises(InputError, match="'spa' compares systems by the scores of their segments"):
            meta_evaluate(said, ["chrf"], method="spa", **changed)


@pytest.mark.parametrize(
    ("method", "level"), [("pearson", "system"), ("spearman", "item"), ("acc23", "item"), ("pearson", "segment")]
)
def test_tests_of_every_two(method: str, level: str) -> None:
    said = made()
    found = meta_evaluate(
        said, ["chrf", "ter", "wer"], method=method, level=level, system_score="mean" if level == "system" else None,
        test="perm-both", resamples=100,
    )  # fmt: skip
    ranking = found.rankings["adequacy"]
    values = [found.correlations[name]["adequacy"].value for name in ranking.metrics]
    assert values == sorted(values, reverse=True)
    scores = {each.name: each.oriented.reshape(SYSTEMS, SEGMENTS) for each in found.metrics}
    first, second = ranking.metrics[:2]
    if method == "acc23":
        assert found.tie == "calibrated"
        tested = pair_permutation_test(scores[second], scores[first], people(said), permutations=100)
    else:
        flat = level == "segment"
        pair = [each.reshape(-1) if flat else each for each in (scores[second], scores[first], people(said))]
        tested = permutation_test(*pair, method=method, level=level, permutations=100)
    assert ranking.p_values[0, 1] == pytest.approx(tested.p_value)
    assert [*ranking.clusters.values()] == [*clusters_of(ranking.p_values)]
    assert found.best["adequacy"][0] == ranking.metrics[0]
    assert len(tables.cluster_rows(found)) == 3


def test_the_mark_is_the_test_against_the_best() -> None:
    """A metric that another one of its cluster outperforms begins the next cluster, and is marked all the same."""
    p_values = np.full((3, 3), np.nan)
    p_values[0, 1], p_values[0, 2], p_values[1, 2] = 0.4, 0.094, 0.01
    names = ("a", "b", "c")
    ranking = Ranking(names, p_values, dict(zip(names, clusters_of(p_values), strict=True)))
    assert [*ranking.clusters.values()] == [1, 1, 2]
    strong = {name: {"adequacy": correlation([1, 2, 3], [1, 2, 3])} for name in names}
    assert _not_outperformed(ranking, strong, "adequacy", 0.05) == ["a", "b", "c"]
    assert _not_outperformed(ranking, strong, "adequacy", 0.1) == ["a", "b"]


def test_clusters_are_those_of_mt_metrics_eval() -> None:
    """A cluster begins with the first metric that one of the current cluster outperforms, wherever it stands."""
    p = np.full((5, 5), 0.5)
    p[0, 2], p[1, 3], p[2, 4] = 0.05, 0.01, 0.04
    assert [*clusters_of(p)] == [1, 1, 2, 2, 3]


def test_williams_and_the_average_of_data_sets() -> None:
    said = made()
    one = meta_evaluate(said, ["chrf", "ter"], method="pearson", test="williams", resamples=100)
    chrf, ter = (one.correlations[name]["adequacy"].value for name in ("chrf", "ter"))
    x, y = (each.oriented[~np.isnan(people(said)).reshape(-1)] for each in one.metrics)
    between, units = stats.pearsonr(x, y).statistic, one.correlations["chrf"]["adequacy"].units
    assert one.rankings["adequacy"].p_values[0, 1] == pytest.approx(williams_test(chrf, ter, between, units))
    other = meta_evaluate(
        made(ratings={"mqm": Ratings(made().ratings["adequacy"].values ** 2, ("ann",))}),
        ["chrf", "ter"], method="pearson", test="williams", resamples=100,
    )  # fmt: skip
    found = average_correlations({"en-de": one, "zh-en": other})
    ranking = found.qualities["adequacy"]
    means = {
        name: (one.correlations[name]["adequacy"].value + other.correlations[name]["mqm"].value) / 2
        for name in ("chrf", "ter")
    }
    assert ranking.means == pytest.approx(means)
    first, second = ranking.metrics
    assert ranking.p_values[0, 1] == pytest.approx(williams_test(means[first], means[second], between, 2 * units))
    assert found.to_dict()["qualities"]["adequacy"]["values"]["chrf"]["en-de"] == chrf
    with pytest.raises(InputError, match="Williams' test is for Pearson's r and Spearman's rho"):
        meta_evaluate(said, ["chrf"], method="kendall-b", test="williams")
    with pytest.raises(InputError, match="the coefficients, levels or tests differ"):
        average_correlations({"a": one, "b": meta_evaluate(said, ["chrf", "ter"], resamples=100)})


def test_hints_of_segments_come_through() -> None:
    said = made(hypotheses=tuple(" ".join(text.split()[:3]) for text in made().hypotheses))
    with pytest.warns(UserWarning, match="sacrebleu-sentence"):
        meta_evaluate(said, ["bleu:sacrebleu"], confidence=None)


def test_the_page_has_the_corpus_scores() -> None:
    found = meta_evaluate(made(), ["ter", "rouge"], level="system", method="pearson", confidence=None)
    corpus = [get_scorer("ter").variant("sacrebleu").corpus(*parts(made(), place)).value for place in range(SYSTEMS)]
    assert [*found.of_systems["ter"].values()] == pytest.approx(corpus)
    assert found.to_dict()["metrics"][0]["systems"] == found.of_systems["ter"]
    page = render(found)
    assert "by their corpus scores (ter)" in page
    assert "rouge, mean" in page
    assert "ter, mean" not in page
    with_given = made(system_scores={"comet": {f"s{place}": -float(place) for place in range(SYSTEMS)}})
    assert "Scatter plot of adequacy by comet" in render(meta_evaluate(with_given, level="system", confidence=None))
