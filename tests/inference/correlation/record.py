"""What mt-metrics-eval computes, recorded.

    git clone https://github.com/google-research/mt-metrics-eval SOURCE
    PYTHONPATH=SOURCE python tests/inference/correlation/record.py > tests/inference/correlation/mt_metrics_eval.json

The package on PyPI with that name is another one. The program needs numpy and scipy.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
import scipy
import scipy.stats

SOURCE = "github.com/google-research/mt-metrics-eval@68a481aea1a787392d55af8f76ac8ef40c5f4664 (2026-04-22)"


def case(seed: int, systems: int, items: int, missing: float, grid: int) -> dict[str, Any]:
    """Scores of two metrics and of people. On a grid there are ties."""
    generator = np.random.default_rng(seed)
    quality = generator.normal(0, 1, (systems, 1)) + generator.normal(0, 1, (systems, items))
    human = np.round(50 + 20 * (quality + generator.normal(0, 1, quality.shape)))
    scores = [quality + generator.normal(0, noise, quality.shape) for noise in (1.5, 0.8)]
    if grid:
        human, scores = np.round(human / 25) * 25, [np.round(each * grid) / grid for each in scores]
    human[generator.random(human.shape) < missing] = np.nan
    return {"human": human, "first": scores[0], "second": scores[1]}


def plain(array: Any) -> list[Any]:
    """Nested lists, with None for NaN."""
    return [None if value != value else value for value in np.asarray(array).reshape(-1).tolist()]


def reached(delta: float, drawn: list[tuple[float, float]]) -> tuple[int, int]:
    """How many drawn differences are at least as large: with those that are equal but for rounding, and without."""
    return sum(b - a >= delta - 1e-12 for b, a in drawn), sum(b - a >= delta for b, a in drawn)


def outputs(texts: dict[str, Any]) -> dict[str, Any]:
    """Each number by the call that gives it."""
    from mt_metrics_eval import stats  # only who records has it

    systems, gold = len(texts["human"]), plain(texts["human"])
    first, second = (stats.Correlation(systems, gold, plain(texts[name])) for name in ("first", "second"))
    found: dict[str, Any] = {}
    for average in ("none", "item"):
        found[f"pearson {average}"] = first.Pearson(average)[0]
        found[f"spearman {average}"] = first.Spearman(average)[0]
        found[f"kendall-wmt20 {average}"] = first.KendallLike(average)[0]
        for variant in ("b", "c", "23", "acc23"):
            found[f"kendall-{variant} {average}"] = first.KendallVariants(average, variant)[0]
        for variant in ("23", "acc23"):
            value, threshold, _ = stats.KendallWithTiesOpt(
                gold, plain(texts["first"]), variant, systems, average, sample_rate=1.0
            )
            found[f"calibrated {variant} {average}"] = [value, threshold]
        fixed = stats.AverageCorrelation(stats.KendallVariants, systems, average, variant="acc23", epsilon=0.5)
        found[f"acc23 within 0.5 {average}"] = fixed.Corr(gold, plain(texts["first"]))[0]
        for method, function, options in (
            ("pearson", scipy.stats.pearsonr, {}),
            ("spearman", scipy.stats.spearmanr, {}),
            ("kendall-b", stats.KendallVariants, {"variant": "b"}),
        ):
            np.random.seed(7)
            every = stats.PermutationSigDiffParams(block_size=200)
            _, delta, count, drawn = stats.PermutationSigDiff(first, second, function, average, 200, every, **options)
            found[f"permutation {method} {average}"] = [delta, count, *reached(delta, drawn)]
        np.random.seed(7)
        every = stats.PermutationSigDiffParams(block_size=100)
        _, delta, count, drawn = stats.PairwisePermutationSigDiff(first, second, "acc23", average, 100, every)
        found[f"pairs {average}"] = [delta, count, *reached(delta, drawn)]
    if None not in gold:
        found["soft pairwise accuracy"] = first.PairwiseConfidenceError()[0]
    return found


def main() -> None:
    """Print the record."""
    from mt_metrics_eval import stats

    cases = {"ties": case(1, 5, 12, 0.0, 2), "no ties": case(2, 4, 15, 0.0, 0), "missing": case(3, 6, 10, 0.2, 3)}
    williams = [[0.8, 0.6, 0.7, 30], [0.31, 0.28, 0.9, 400], [0.5, 0.6, 0.2, 12]]
    record = {
        "source": SOURCE,
        "libraries": {"numpy": np.__version__, "scipy": scipy.__version__},
        "scores": {
            name: {key: [plain(row) for row in value] for key, value in each.items()} for name, each in cases.items()
        },
        "outputs": {name: outputs(each) for name, each in cases.items()},
        "williams": [
            [*each, float(stats.WilliamsTest(*each)), float(stats.WilliamsTest(*each, one_sided=False))]
            for each in williams
        ],
    }
    json.dump(record, sys.stdout, default=float, separators=(",", ":"))
    print()


if __name__ == "__main__":
    main()
