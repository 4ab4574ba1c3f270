"""Modules that take numbers: the Hub's numbers, the contract that they share, and input that is refused."""

from __future__ import annotations

import ast
import doctest
import inspect
import json
import math
import re
import sys
import tomllib
import warnings
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from packaging.requirements import Requirement

import metrologue
from metrologue import InputError
from metrologue.bridge import NumberModule
from metrologue.comparison.libraries import Missing, hub
from metrologue.inference.correlation import correlation

METRICS = Path(__file__).parents[2] / "metrics"
NAMES = ["mcnemar", "wilcoxon", *metrologue.list_statistics()]
with_comparisons = pytest.mark.parametrize("name", [*NAMES, "approximate_randomization", "paired_bootstrap"])
HUBS = ["mcnemar", "mse", "pearsonr", "spearmanr", "wilcoxon"]
SECTIONS = [
    "{} Description", "How to Use", "Inputs", "Output Values", "Values from Popular Papers", "Examples",
    "Limitations and Bias", "Citation", "Further References",
]  # fmt: skip
# A batch of each module, by the kind of its columns.
PAIRS = {"predictions": [1, 2, 4, 3, 5, 5, 7, 6], "references": [2, 1, 3, 3, 6, 4, 5, 8]}
ROWS = {"data": [[1, 1, 2], [2, 2, 2], [3, 1, 3], [1, 1, 1], [2, 3, 3], [3, 3, 3], [1, 2, 1], [2, 2, 1]]}
BATCHES: dict[str, dict[str, Any]] = {
    "mcnemar": {
        "predictions1": [1, 0, 1, 1, 0, 1, 0, 0], "predictions2": [1, 1, 1, 0, 0, 1, 1, 0],
        "references": [1, 0, 0, 1, 1, 0, 0, 1],
    },
    "wilcoxon": {"predictions1": [1.5, 2, 0.25, 4, 3, 6, 9, 1], "predictions2": [1, 3, 0.5, 2, 2.5, 4, 1, 1.125]},
    "shapley": {"data": [0, 1, 2, 4, 1, 3, 3, 9]},
    **dict.fromkeys(("pearsonr", "spearmanr", "kendalltau", "cohen_kappa", "mse"), PAIRS),
    **dict.fromkeys(("fleiss_kappa", "krippendorff_alpha"), ROWS),
    "mauve": {"predictions": ROWS["data"], "references": ROWS["data"][::-1]},
}  # fmt: skip


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def module(name: str, tmp_path: Path) -> Any:
    return evaluate.load(str(METRICS / name), cache_dir=str(tmp_path))


def live(name: str) -> Any:
    if isinstance(theirs := hub.load(name), Missing):
        pytest.skip(f"the Hub's `{name}`: {theirs}")
    return theirs


def columns(name: str, seed: int) -> dict[str, list[Any]]:
    """Columns with ties and differences of 0, with long decimals, and of many sizes."""
    generator = np.random.default_rng(seed)
    n = int(generator.choice([3, 8, 13, 20, 60]))
    names = [*BATCHES[name]]
    if name == "mcnemar":
        return {each: generator.integers(0, 3, n).tolist() for each in names}
    if seed % 2:
        return {each: generator.integers(0, 9, n).tolist() for each in names}
    return {each: (generator.random(n) + i / 3).tolist() for i, each in enumerate(names)}


@pytest.mark.parametrize("name", HUBS)
def test_the_hubs_numbers(name: str, module: Any) -> None:
    theirs, compared = live(name), 0
    options = {"return_pvalue": True} if name in ("pearsonr", "spearmanr") else {}
    for seed in range(24):
        batch = columns(name, seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                expected = theirs.compute(**batch, **options)
            except ZeroDivisionError:  # McNemar's test of classifiers that are right on the same units
                continue
            found = module.compute(**batch, **options)
        assert [*found] == [*expected]
        # The Hub's modules compute from numbers of 32 bits, and some of them in 32 bits.
        assert [*found.values()] == pytest.approx([*map(float, expected.values())], rel=2e-6, abs=1e-6, nan_ok=True)
        compared += not math.isnan(next(iter(found.values())))
    assert compared > 15


@pytest.mark.parametrize("name", ["pearsonr", "spearmanr", "wilcoxon"])
def test_thirty_two_bits_are_a_choice(name: str) -> None:
    """A third is no number of 32 bits, so that the difference shows."""
    first, second = BATCHES[name]
    batch = {first: [1 / 3, 1 / 3 + 1e-12, 0.5, 0.9, 0.7], second: [3.0, 2.0, 5.0, 1.0, 4.0]}
    rounded, exact = (metrologue.load(name, config).compute(**batch) for config in ("evaluate", "float64"))
    assert metrologue.load(name).compute(**batch) == rounded
    if name == "spearmanr":
        assert exact["spearmanr"] == correlation(*batch.values(), method="spearman").value != rounded["spearmanr"]
    with pytest.raises(InputError, match="no configuration 'float32'; did you mean 'float64'"):
        metrologue.load(name, "float32")


def test_results_are_plain_numbers(module: Any, name: str) -> None:
    result = module.compute(**BATCHES[name])
    assert json.loads(json.dumps(result, allow_nan=False)) == (
        {"shapley": {str(key): value for key, value in result["shapley"].items()}} if name == "shapley" else result
    )
    assert isinstance(module, NumberModule)
    assert type(metrologue.load(name)).__name__.lower() == name.replace("_", "")
    kind = "comparison" if name in metrologue.list_comparisons() else module.module_type
    assert module.module_type == kind
    assert name in (*metrologue.list_comparisons(), *metrologue.list_statistics())


def test_batches_and_units_are_one_column(module: Any, name: str) -> None:
    batch = BATCHES[name]
    whole = module.compute(**batch)
    for part in (slice(0, 3), slice(3, 3), slice(3, 8)):
        module.add_batch(**{key: column[part] for key, column in batch.items()})
    assert module.compute() == whole
    for unit in zip(*batch.values(), strict=True):
        module.add(**{re.sub(r"s(\d?)$", r"\1", key): entry for key, entry in zip(batch, unit, strict=True)})
    assert module.compute() == whole
    for make in (np.array, pa.array, tuple, lambda column: pd.Series(column)):
        assert module.compute(**{key: make(column) for key, column in batch.items()}) == whole


def test_bad_columns_are_named(module: Any, name: str) -> None:
    batch, owner = BATCHES[name], type(module).__name__
    first, *others = batch
    for wrong in ("x", None, math.nan, [["x"]]):
        with pytest.raises(InputError, match=rf"{owner}: `{first}\[7\]"):
            module.compute(**{**batch, first: [*batch[first][:-1], wrong]})
    missing = f"`{first}` is a NoneType; a list of" if others else "nothing to score"
    with pytest.raises(InputError, match=f"{owner}: {missing}"):
        module.compute(**{**batch, first: None})
    with pytest.raises(InputError, match=f"{owner}: `{first}` is str 'abc'; a list of"):
        module.add_batch(**{**batch, first: "abc"})
    for other in others:
        with pytest.raises(InputError, match=f"{owner}: 8 {first} but 7 {other}; each unit needs one of each"):
            module.compute(**{**batch, other: batch[other][:-1]})
    with pytest.raises(TypeError, match="unknown column 'ratings'; there are"):
        module.add_batch(ratings=[1])
    with pytest.raises(TypeError, match="unknown argument 'alpha'"):
        module.compute(**batch, alpha=1)
    with pytest.raises(InputError, match=f"{owner}: nothing to score; give `{first}`"):
        module.compute()
    assert module.compute(**batch) == metrologue.load(name).compute(**batch)  # what was refused is not kept


@pytest.mark.parametrize("name", sorted({*metrologue.list_statistics()} - {"mauve", "mse", "shapley"}))
def test_intervals(name: str, tmp_path: Path) -> None:
    def interval(seed: int | None) -> dict[str, Any]:
        loaded = evaluate.load(str(METRICS / name), cache_dir=str(tmp_path), seed=seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            result = loaded.compute(**BATCHES[name], confidence=0.9, resamples=200)
        assert result["confidence"][name]["low"] <= result[name] <= result["confidence"][name]["high"]
        assert json.dumps(result, allow_nan=False)
        return dict(result["confidence"])

    assert interval(1) == interval(1) != interval(2)
    assert interval(None) == interval(12345)
    assert "level=0.9|resamples=200|seed=1|" in interval(1)["signature"]


@pytest.mark.parametrize("outputs", [None, 1, 3])
def test_errors_are_the_hubs(outputs: int | None) -> None:
    """With all arguments; `outputs` is the length of the lists that are scored."""
    config = "multilist" if outputs else None
    ours, theirs = metrologue.load("mse", config), type(live("mse"))(config_name=config)
    generator = np.random.default_rng(outputs or 0)
    shares = [{"multioutput": [1.0, 0.0, 2.5]}] if outputs == 3 else []
    for n in (1, 2, 9):
        first, second = generator.normal(size=(2, n, outputs or 1)) * 10.0 ** generator.integers(-3, 4)
        batch = {"predictions": first.tolist(), "references": second.tolist()}
        batch = batch if outputs else {name: [each for [each] in rows] for name, rows in batch.items()}
        for weights in ({}, {"sample_weight": (generator.random(n) + 0.1).tolist()}):
            for how in ({}, {"multioutput": "raw_values"}, *shares):
                for squared in (True, False):
                    given = {**batch, **weights, **how, "squared": squared}
                    found, expected = (each.compute(**given)["mse"] for each in (ours, theirs))
                    assert type(found) is type(expected)
                    np.testing.assert_allclose(found, expected, rtol=1e-12, strict=True)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"sample_weight": [1, 2]}, "`sample_weight` has 2 weights for 3 predictions"),
        ({"sample_weight": [1, -1, 1]}, r"`sample_weight\[1\]` is -1.0; a finite number of 0 or more"),
        ({"multioutput": [1]}, "`multioutput` has 1 weights for 2 numbers in a list"),
        (
            {"multioutput": "variance_weighted"},
            "`multioutput` is 'variance_weighted'; 'uniform_average', 'raw",
        ),
        ({"multioutput": [0, 0]}, "`multioutput` has zeros only"),
        ({"multioutput": None}, "`multioutput` has 0 dimensions; a list of numbers"),
        ({"references": [[1], [2], [3]]}, "predictions have 2 numbers and references 1"),
        ({"references": [[1, 2], [2], [3, 4]]}, r"`references\[1\]` has fewer numbers than other rows"),
        ({"references": [[], [], []]}, r"`references\[0\]` has fewer numbers than other rows, or none"),
    ],
)
def test_errors_of_lists_that_do_not_fit(given: dict[str, Any], message: str) -> None:
    batch = {"predictions": [[1, 2], [3, 4], [5, 6]], "references": [[1, 2], [3, 4], [5, 6]]}
    with pytest.raises(InputError, match=f"Mse: {message}"):
        metrologue.load("mse", "multilist").compute(**{**batch, **given})


def test_two_pairs_are_too_few() -> None:
    for name in ("pearsonr", "spearmanr", "kendalltau"):
        with pytest.raises(InputError, match=f"{name.capitalize()}: 2 segments; two points always lie on a line"):
            metrologue.load(name).compute(predictions=[1, 2], references=[2, 1])


def test_kendall_has_its_variants() -> None:
    kendall = metrologue.load("kendalltau")
    for variant in ("b", "c", "23", "acc23", "wmt12", "wmt13", "wmt14"):
        method = variant if variant == "acc23" else f"kendall-{variant}"
        assert kendall.compute(**PAIRS, variant=variant)["kendalltau"] == (
            correlation(PAIRS["predictions"], PAIRS["references"], method=method).value
        )
    with pytest.raises(InputError, match="'kendall-d'"):
        kendall.compute(**PAIRS, variant="d")


def test_ratings_may_be_missing() -> None:
    alpha = metrologue.load("krippendorff_alpha")
    table = [[1, None], [2, 2, 3], [3, 3], [1, math.nan, 1]]
    assert alpha.compute(data=table)["units"] == 3
    assert alpha.compute(data=[[1, None, None], *table[1:]]) == alpha.compute(data=table)
    with pytest.raises(InputError, match=r"`ratings\[1, 2\]` is 3; the scale has 1, 2"):
        alpha.compute(data=[[1, 2, 2], [1, 1, 3]], scale=[1, 2])
    with pytest.raises(InputError, match=r"`data\[0\]\[1\]` is str 'b'"):
        alpha.compute(data=[[1, "b"]])


def test_a_game_by_a_function() -> None:
    module = metrologue.load("shapley")

    def worth(team: list[str]) -> float:
        return len(team) ** 2 + ("a" in team)

    exact = module.compute(players=list("abcd"), value=worth)["shapley"]
    assert exact == pytest.approx({"a": 5, "b": 4, "c": 4, "d": 4})
    assert module.compute(players=list("abcd"), value=worth, method="kernel")["shapley"] == pytest.approx(exact)
    sampled = module.compute(players=list("abcd"), value=worth, method="sampled")
    assert sampled["shapley"] == pytest.approx(exact)
    assert [*sampled["standard_error"]] == list("abcd")
    for call, message in (
        ({"value": worth}, "`players` are missing"),
        ({"data": [0, 1], "value": worth, "players": ["a"]}, "`data` and `value` are both given"),
        ({"data": [0, 1], "method": "kernel"}, "`method` is 'kernel'; here are exact"),
        ({"data": [0, 1, 2]}, r"`value` has the shape \(3,\)"),
    ):
        with pytest.raises(InputError, match=message):
            module.compute(**call)


@with_comparisons
def test_card_and_module_say_the_same(module: Any, name: str) -> None:
    card = (METRICS / name / "README.md").read_text("utf-8")
    sections = [each.format(module.module_type.capitalize()) for each in SECTIONS]
    assert re.findall(r"^#{2,4} (.*)$", re.sub(r"```.*?```", "", card, flags=re.DOTALL), re.MULTILINE) == sections
    for argument in inspect.signature(module._compute).parameters:
        assert re.search(rf"^    .*\b{argument}\b.*:", module.inputs_description, re.MULTILINE)
        assert f"**{argument}**" in card
    examples = "\n".join(re.findall(r"```python\n(.*?)```", card, re.DOTALL))
    printed: list[str] = []
    test = doctest.DocTestParser().get_doctest(examples, {}, name, name, 0)
    run = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=printed.append)
    assert run.attempted > 1
    assert not run.failed, "".join(printed)
    prose = re.sub(r"```.*?```|`[^`\n]*`|\]\([^)]*\)", " ", card.split("---\n", 2)[2], flags=re.DOTALL)
    wanted = "".join(example.want for example in test.examples) + examples
    for number in re.findall(r"(?<![\w.])\d+(?:[./]\d+)+", prose):
        assert number in wanted, f"no example of the card computes {number}"
    done = doctest.testmod(sys.modules[type(module).__module__])
    assert done.attempted > 1
    assert not done.failed


@with_comparisons
def test_source_is_what_evaluate_can_copy(name: str) -> None:
    tree = ast.parse((METRICS / name / f"{name}.py").read_text("utf-8"))
    assert [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)] == [
        "".join(part.capitalize() for part in name.split("_"))
    ]
    strings = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    assert not [text for text in strings if "#" in text]
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level]


@with_comparisons
def test_requirements_name_extras_that_exist(name: str, root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    lines = (METRICS / name / "requirements.txt").read_text("utf-8").splitlines()
    (requirement,) = (Requirement(line) for line in lines if line and not line.startswith("#"))
    assert requirement.name == project["name"]
    assert {"space"} <= requirement.extras <= set(project["optional-dependencies"])
