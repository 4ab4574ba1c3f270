"""MAUVE is mauve-text's number, and its input is checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from later import imported_later

import metrologue
from metrologue.errors import InputError
from metrologue.inference.mauve import FEWEST, mauve
from metrologue.representations import FunctionEncoder

program = imported_later("mauve", reason="mauve-text is not installed")

CHANCE = np.random.default_rng(7)
P, Q = CHANCE.normal(size=(120, 6)), CHANCE.normal(size=(100, 6)) + 0.4
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"num_buckets": 7, "kmeans_num_redo": 1, "seed": 3},
    {"kmeans_explained_var": 0.5, "kmeans_max_iter": 20, "mauve_scaling_factor": 2.5, "pca_max_data": 50},
    {"divergence_curve_discretization_size": 9},
)


@pytest.mark.filterwarnings("ignore:mauve")
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: ",".join(options))
def test_the_numbers_are_the_programs(options: dict[str, Any]) -> None:
    found, expected = mauve(p_features=P, q_features=Q, **options), program.compute_mauve(P, Q, **options)
    for name in ("mauve", "frontier_integral", "mauve_star", "frontier_integral_star", "num_buckets"):
        assert getattr(found, name) == getattr(expected, name)
    for name in ("divergence_curve", "p_hist", "q_hist"):
        assert (getattr(found, name) == getattr(expected, name)).all()
    for name, value in options.items():
        assert f"|{name}={value}|" in found.signature
    assert found.trace().value == found.mauve
    assert "clusters that differ most" in found.trace().html()


def letters(texts: list[str]) -> list[list[list[float]]]:
    return [[[float(word.count(letter)) for letter in "abcde"] for word in text.split()] for text in texts]


@pytest.mark.filterwarnings("ignore:mauve")
def test_the_module_has_the_hubs_arguments_and_keys() -> None:
    module = metrologue.load("mauve")
    expected = mauve(p_features=P, q_features=Q, num_buckets=5)
    result = module.compute(predictions=P[:100].tolist(), references=Q.tolist(), num_buckets=5)
    assert [*result] == ["mauve", "frontier_integral", "divergence_curve", "p_hist", "q_hist", "num_buckets"]
    given = module.compute(p_features=P, q_features=Q, num_buckets=5, signature=True)
    assert (given["mauve"], given["signature"]) == (expected.mauve, expected.signature)
    encoder = FunctionEncoder("letters", letters, "1")
    texts = [" ".join(CHANCE.choice(["abc", "bad", "ce", "de"], size=3)) for _ in range(60)]
    of_texts = module.compute(predictions=texts, references=texts[::-1], featurize_model_name=encoder, signature=True)
    assert of_texts["mauve"] == 1.0
    assert "|features=letters@1|" in of_texts["signature"]
    both = [mauve(texts, model=encoder, q_features=CHANCE.normal(size=(60, 5)), num_buckets=5) for _ in range(2)]
    assert len({each.signature for each in both}) == 2, "vectors that are given are part of the signature"


def test_few_texts_have_a_warning() -> None:
    with pytest.warns(UserWarning, match="one side has 100 texts; the authors advise 1,000"):
        mauve(p_features=P, q_features=Q)
    assert FEWEST == 1000


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"p_features": P, "q_features": Q[:, :3]}, "have the widths 6 and 3"),
        ({"p_features": P}, "`references` need `model`, or give `q_features`"),
        ({"p_features": P, "q_features": Q * np.nan}, r"`q_features\[0\]` has a value that is not finite"),
        ({"p_features": P, "q_features": [1.0]}, r"has the shape \(1,\)"),
        ({"p_features": P, "q_features": "x"}, "`q_features` is 'x'; an array"),
        ({"p_features": P, "q_features": Q, "num_buckets": 0}, "num_buckets: 0 is not an int from 1"),
        ({"p_features": P, "q_features": Q, "kmeans_explained_var": 1}, "a finite number above 0 and below 1"),
        ({"predictions": ["a"], "p_features": P, "q_features": Q}, "1 predictions but 120 vectors"),
    ],
)
def test_wrong_input(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        mauve(**given)
