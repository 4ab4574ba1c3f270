"""The examples of a page: for each, two variants differ, and one choice makes nearly all of the difference."""

from __future__ import annotations

import pytest
from needs import data_of, provide

from metrologue.attribution import explain_segments
from metrologue.pages import page_parts
from metrologue.pages.examples import SHOWN, examples
from metrologue.scorers import list_scorers

WITH_EXAMPLES = [name for name in list_scorers() if examples(name)]
SLOW = {"hlepor"}  # thousands of mixtures


@pytest.mark.parametrize(
    "metric", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in WITH_EXAMPLES]
)
def test_one_cause_makes_the_difference(metric: str, request: pytest.FixtureRequest) -> None:
    provide(request, data_of(metric))
    for example in examples(metric):
        segments = page_parts._segments(metric, example.predictions, example.references, example.inputs)
        first, second = (page_parts._scorer(metric, variant, None) for variant in example.variants)
        gap = explain_segments(first, second, segments)
        assert abs(gap.gap) > 0.005, example.title
        largest, *others = (abs(part.share) for part in gap.contributions)
        assert gap.contributions[0].choice == example.cause, example.title
        assert largest > 0.9 * (largest + sum(others)), example.title


def test_the_usual_metrics_have_three() -> None:
    usual = ["bleu", "chrf", "edit_distance", "google_bleu", "hlepor", "meteor", "nist_mt", "ribes", "rouge"]
    assert {name: len(examples(name)) for name in usual} == dict.fromkeys(usual, SHOWN)
    assert max(len(examples(name)) for name in WITH_EXAMPLES) == SHOWN
    assert [each.cause for each in examples("bleu")] == ["tokenizer", "smoothing", "reference length"]
