"""How well metrics agree with people: values, marks, shares, what is missing, the tables and the page."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from later import imported_later

from metrologue.comparison.showing.plots import free_sides
from metrologue.errors import InputError
from metrologue.inference.correlation import UndefinedCorrelationWarning
from metrologue.meta import Judgements, MetaEvaluation, Ratings, agreeing, agreement_of, meta_evaluate, tables
from metrologue.pages.meta_page import render
from metrologue.scorers import Chrf

stats = imported_later("scipy.stats")

pytestmark = pytest.mark.filterwarnings("ignore:.* resamples are few")
GENERATOR = np.random.default_rng(5)
SYSTEMS, SEGMENTS, COUNT = 5, 12, 60
LATENT = GENERATOR.normal(size=COUNT)
NAN = float("nan")


def noisy(noise: float) -> np.ndarray:
    return LATENT + noise * GENERATOR.normal(size=COUNT)


RATINGS = np.clip(np.rint(3 + np.column_stack([noisy(0.6), noisy(0.6), noisy(0.6)])), 1, 5)
SCORES = {"good": noisy(0.3), "fair": noisy(0.9), "error": -noisy(1.0), "noise": GENERATOR.normal(size=COUNT)}


def made(scores: Mapping[str, Any] = SCORES, ratings: Any = None, **changed: Any) -> Judgements:
    """Sixty texts of five systems."""
    own = {"fluency": RATINGS, "depth": RATINGS[:, ::-1][:, :2]} if ratings is None else ratings
    fields: dict[str, Any] = {
        "segments": tuple(str(row % SEGMENTS) for row in range(COUNT)),
        "hypotheses": tuple(f"text {row}" for row in range(COUNT)),
        "ratings": {name: Ratings(np.array(v, float), tuple("abc"[: np.shape(v)[1]])) for name, v in own.items()},
        "systems": tuple(f"system {row // SEGMENTS}" for row in range(COUNT)),
        "scores": scores,
    }
    return Judgements(**{**fields, **changed})


@pytest.fixture(scope="module")
def found() -> MetaEvaluation:
    return meta_evaluate(made(), combine=[["good", "error", "noise"]], lower_is_better=["error"], resamples=300)


METHODS = {
    "pearson": lambda x, y: stats.pearsonr(x, y),
    "spearman": lambda x, y: stats.spearmanr(x, y),
    "kendall-b": lambda x, y: stats.kendalltau(x, y),
    "kendall-c": lambda x, y: stats.kendalltau(x, y, variant="c"),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("judges", ["mean", "each"])
def test_all_texts(method, judges):
    result = meta_evaluate(made(), method=method, judges=judges, confidence=None).correlations
    for name, x in SCORES.items():
        human = RATINGS.mean(axis=1) if judges == "mean" else RATINGS.T.ravel()
        expected = METHODS[method](x if judges == "mean" else np.tile(x, 3), human)
        own = result[name]["fluency"]
        assert own.value == pytest.approx(expected.statistic, abs=1e-12)
        assert own.p_value == pytest.approx(expected.pvalue, rel=1e-9)


def test_items_and_systems():
    human, x = (each.reshape(SYSTEMS, SEGMENTS) for each in (RATINGS.mean(axis=1), SCORES["good"]))
    items = [stats.spearmanr(a, b).statistic for a, b in zip(x.T, human.T, strict=True) if np.ptp(b)]
    assert meta_evaluate(made(), level="item", confidence=None).correlations["good"]["fluency"].value == pytest.approx(
        np.mean(items), abs=1e-12
    )
    expected = stats.pearsonr(x.mean(axis=1), human.mean(axis=1)).statistic
    own = meta_evaluate(made(), level="system", method="pearson", confidence=None)
    assert own.correlations["good"]["fluency"].value == pytest.approx(expected, abs=1e-12)


def test_normalized_ratings():
    z = stats.zscore(RATINGS, ddof=1).mean(axis=1)
    found = meta_evaluate(made(), normalize=True, method="pearson", confidence=None)
    expected = stats.pearsonr(SCORES["good"], z).statistic
    assert found.correlations["good"]["fluency"].value == pytest.approx(expected, abs=1e-12)
    assert found.agreement["fluency"] == meta_evaluate(made(), confidence=None).agreement["fluency"]
    assert "z-score" in tables.headline(found)
    listed = made(ratings={"fluency": RATINGS})
    listed = Judgements(**{**vars(listed), "ratings": {"fluency": Ratings(RATINGS, ("1", "2", "3"))}})
    assert "known by their order" in meta_evaluate(listed, normalize=True, confidence=None).told()[0]


def test_lower_is_better(found):
    expected = -stats.spearmanr(SCORES["error"], RATINGS.mean(axis=1)).statistic
    assert found.correlations["error"]["fluency"].value == pytest.approx(expected, abs=1e-12)
    assert expected > 0
    assert tables.metric_name(found, "error") == "−error"


def test_the_best_and_those_not_significantly_worse(found):
    assert found.best["fluency"][0] == "good"
    assert "noise" not in found.best["fluency"]
    twins = made({"one": SCORES["good"], "two": SCORES["good"] + 1e-9 * SCORES["noise"], "noise": SCORES["noise"]})
    assert set(meta_evaluate(twins, resamples=100).best["fluency"]) == {"one", "two"}
    against = meta_evaluate(made({"wrong": -SCORES["good"]}), resamples=100)
    assert against.best == {"fluency": [], "depth": []}
    assert meta_evaluate(made(), confidence=None).best == {}


def test_shares_add_up(found):
    [(name, by_quality)] = found.shares.items()
    assert name == "good + error + noise"
    for quality, shares in by_quality.items():
        assert sum(shares.values()) == pytest.approx(found.correlations[name][quality].value, abs=1e-12)
    assert by_quality["fluency"]["good"] > by_quality["fluency"]["error"] > by_quality["fluency"]["noise"]


def test_the_share_of_two_parts():
    """The definition: half of what a part is worth alone and half of what it adds to the other."""
    said = made({name: SCORES[name] for name in ("good", "fair")})
    found = meta_evaluate(said, combine=[["fair", "good"]], confidence=None)
    values = {name: row["fluency"].value for name, row in found.correlations.items()}
    both = values["good + fair"]
    share = (values["good"] + both - values["fair"]) / 2
    assert found.shares["good + fair"]["fluency"]["good"] == pytest.approx(share, abs=1e-12)


def test_missing_scores_are_left_out_for_all_metrics_and_named():
    holes = SCORES["fair"].copy()
    holes[:4] = NAN
    found = meta_evaluate(made({"good": SCORES["good"], "fair": holes}), confidence=None)
    expected = stats.spearmanr(SCORES["good"][4:], RATINGS.mean(axis=1)[4:]).statistic
    assert found.correlations["good"]["fluency"].value == pytest.approx(expected, abs=1e-12)
    assert found.correlations["good"]["fluency"].units == COUNT - 4
    told = "fair has no score for 4 texts, left out for all metrics: system 0 0, system 0 1, system 0 2, …."
    assert found.told() == [told]


def test_a_system_that_misses_segments_is_told():
    kept = [row != COUNT - 1 for row in range(COUNT)]
    for level in ("segment", "item", "system"):
        found = meta_evaluate(made().where(kept), level=level, confidence=None)
        assert found.told()[0] == "system 4 misses 1 of 12 segments: 11."


def test_constant_columns_have_no_correlation_and_a_warning():
    said = made({"good": SCORES["good"], "flat": np.ones(COUNT)}, {"fluency": RATINGS, "same": np.ones((COUNT, 2))})
    with pytest.warns(UndefinedCorrelationWarning, match="^flat, same do not vary") as caught:
        found = meta_evaluate(said, resamples=50)
    assert len([each for each in caught if each.category is UndefinedCorrelationWarning]) == 1
    assert np.isnan(found.correlations["flat"]["fluency"].value)
    assert not np.isnan(found.correlations["good"]["fluency"].value)
    assert found.best == {"fluency": ["good"], "same": []}
    assert tables.cell(found, "flat", "fluency").strip() == "–"
    assert found.to_dict()["metrics"][1]["correlations"]["fluency"]["value"] is None
    assert "All ratings of same are equal" in tables.agreement_told(found.agreement)
    assert "flat" in render(found)


@pytest.mark.parametrize(
    ("said", "options", "message"),
    [
        (made({}), {}, "there is no metric; give one"),
        (made(), {"level": "line"}, "`level` is 'line'"),
        (made(), {"method": "spearmen"}, "`method` is 'spearmen'; did you mean 'spearman'"),
        (made(), {"judges": "all"}, "`judges` is 'all'"),
        (made(systems=None), {"level": "system"}, "the level 'system' needs systems"),
        (made(), {"level": "item", "judges": "each"}, "judges='each' is for the level 'segment'"),
        (made(), {"combine": [["good", "god"]]}, "no metric is called 'god'; did you mean 'good'"),
        (made(), {"combine": [["good"]]}, "combine: 1 metric; at least 2 are expected"),
        (made(), {"combine": [["good", "fair"]], "tie": 1.0}, "a combination has no `tie`"),
        (made(), {"lower_is_better": ["ter"]}, "no scores are called 'ter'"),
        (made(), {"metrics": {"good": Chrf()}}, "it compares texts with references"),
        (made().where(lambda row: row < 2), {}, "2 segments with scores of people"),
        (made().where(lambda row: row < 24), {"level": "system"}, "2 systems with scores of people"),
    ],
)
def test_what_is_refused(said, options, message):
    with pytest.raises(InputError, match=message):
        meta_evaluate(said, confidence=None, **options)


def test_agreement_of_annotators():
    own = agreement_of(Ratings(RATINGS, tuple("abc"), 7))
    others = [stats.spearmanr(RATINGS[:, i], np.delete(RATINGS, i, axis=1).mean(axis=1)).statistic for i in range(3)]
    assert own.others == pytest.approx(np.mean(others), abs=1e-12)
    assert own.limits
    assert own.limits[0] < own.alpha < own.limits[1]
    assert (own.annotators, own.rated, own.declined) == (3, COUNT, 7)
    assert agreement_of(Ratings(RATINGS + GENERATOR.normal(size=RATINGS.shape), tuple("abc"))).kappa is None


def test_annotators_without_overlap():
    apart = np.full((COUNT, 2), NAN)
    apart[::2, 0], apart[1::2, 1] = RATINGS[::2, 0], RATINGS[1::2, 1]
    found = meta_evaluate(made(ratings={"fluency": apart}), confidence=None)
    assert found.agreement["fluency"].alpha is None
    assert "No two annotators rated the same text for fluency" in tables.agreement_told(found.agreement)
    with pytest.raises(InputError, match="fluency: no alpha, because no text has ratings of several annotators"):
        agreeing(found.judgements, 0.6)


def test_means_have_no_agreement():
    found = meta_evaluate(made(ratings={"fluency": RATINGS[:, :1]}), confidence=None)
    assert tables.agreement_told(found.agreement).startswith("The ratings are one for each text")


def test_low_agreement_is_told():
    found = meta_evaluate(made(ratings={"fluency": GENERATOR.integers(1, 6, (COUNT, 3))}), confidence=None)
    assert found.agreement["fluency"].is_low
    assert tables.agreement_told(found.agreement).startswith(
        "! Alpha is below 0.667 for 1 quality: Krippendorff advises against"
    )


@pytest.mark.parametrize("measure", ["alpha", "kappa", "others"])
def test_qualities_are_left_out_by_agreement(measure):
    said = made(ratings={"fluency": RATINGS, "depth": GENERATOR.integers(1, 6, (COUNT, 3))})
    values = {name: getattr(agreement_of(own), measure) for name, own in said.ratings.items()}
    limit = (values["fluency"] + values["depth"]) / 2
    kept = agreeing(said, limit, measure)
    assert kept.qualities == ("fluency",)
    assert kept.notes == (f"depth is left out: {measure} is {values['depth']:.3f}, below {limit:g}.",)
    with pytest.raises(InputError, match=f"no quality has an agreement of 2; fluency has the greatest {measure}"):
        agreeing(said, 2, measure)
    with pytest.raises(InputError, match="'alfa' is unknown; did you mean 'alpha'"):
        agreeing(said, 0.6, "alfa")


def test_plain_values(found):
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert (plain["texts"], plain["systems"], plain["method"]) == (COUNT, SYSTEMS, "spearman")
    own = plain["metrics"][0]["correlations"]["fluency"]
    assert own["low"] < own["value"] < own["high"]
    assert own["p_value"] < 0.001
    assert own["is_among_best"]
    assert set(plain["metrics"][-1]["shares"]["depth"]) == {"good", "error", "noise"}


def test_cells(found):
    assert re.fullmatch(r"\*  0\.\d{3} \[ \.\d\d, \.\d\d\]", tables.cell(found, "good", "fluency"))
    assert re.fullmatch(r"\*  0\.\d{3} p<\.001", tables.cell(found, "good", "fluency", p_values=True))
    assert (tables.fixed(-0.0004), tables.fixed(None), tables.fixed(-0.5, 1)) == ("0.000", "–", "−0.5")


def test_names_beside_dots_do_not_overlap():
    """Equal points have room for two names, and the others are left out; a point far away has its first side."""
    sides = free_sides(["n"] * 5 + ["far"], [(0.0, 0.0)] * 5 + [(200.0, 150.0)])
    assert sides == [(1, 1), (-1, 1), None, None, None, (1, 1)]


@pytest.mark.parametrize("level", ["segment", "item", "system"])
def test_the_page(level):
    names = {"<b>good</b>": SCORES["good"], "$fair$ & co": SCORES["fair"], "noise": SCORES["noise"]}
    page = render(meta_evaluate(made(names), level=level, resamples=50), "metrologue meta")
    assert "<b>good" not in page
    assert "&lt;b&gt;good" in page
    assert page.count("<svg") == 2 * len(names)
    assert not re.search(r"""(?:src|href)=["']?https?:""", page)
    assert "<code>metrologue meta</code>" in page
