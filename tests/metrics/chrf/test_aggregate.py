"""chrF with the mean of all references, against its definition in plain Python and against fastchrf."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import related_texts

from metrologue.scorers import Chrf
from metrologue.scorers.chrf.aggregate import aggregate_groups

WORDS = ["the cat sat on the mat", "the fat cat sat on the mat .", "A cat sat on a mat", "so", "a", "dogs bark"]


def ngrams(text: str, order: int) -> Counter[str]:
    characters = "".join(text.split())
    return Counter(characters[i : i + order] for i in range(len(characters) - order + 1))


def plain(text: str, references: list[str], weights: list[float]) -> float:
    """chrF2 with the reference that has each n-gram as often as the references have it on average."""
    precisions, recalls = [], []
    for order in range(1, 7):
        own, mean = ngrams(text, order), Counter[str]()
        for reference, weight in zip(references, weights, strict=True):
            for ngram, count in ngrams(reference, order).items():
                mean[ngram] += weight * count / sum(weights)
        matches = sum(min(count, mean[ngram]) for ngram, count in own.items())
        if own.total() and mean.total():
            precisions.append(matches / own.total())
            recalls.append(matches / mean.total())
    if not precisions:
        return 0.0
    precision, recall = np.mean(precisions), np.mean(recalls)
    return 100 * 5 * precision * recall / (4 * precision + recall) if precision + recall else 0.0


@given(texts=related_texts(6), weights=st.lists(st.sampled_from([0.0, 0.25, 1.0, 3.0]), min_size=3, max_size=3))
def test_definition(texts: list[str], weights: list[float]) -> None:
    weights[0] += 1
    hypotheses, references = texts[:3], texts[3:]
    for its in (references, hypotheses):
        expected = [plain(text, its, weights) for text in hypotheses]
        given_references = None if its is hypotheses else [its]
        (found,) = aggregate_groups(Chrf(), [hypotheses], given_references, [np.array(weights)])
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_one_reference_is_chrf() -> None:
    (found,) = aggregate_groups(Chrf.variant("chrf++"), [WORDS], [WORDS[:1]])
    np.testing.assert_array_equal(found, Chrf.variant("chrf++").pairwise(WORDS, WORDS[:1])[:, 0])


def test_fastchrf() -> None:
    fastchrf = pytest.importorskip("fastchrf", reason="pip install fastchrf")
    groups, references = [WORDS[:4], WORDS[2:]], [WORDS[1:], WORDS[:2]]
    expected = fastchrf.aggregate_chrf(groups, references)
    for found, scores in zip(aggregate_groups(Chrf(), groups, references), expected, strict=True):
        np.testing.assert_allclose(found, scores, rtol=1e-12)
    expected = fastchrf.pairwise_chrf(groups, references)
    for found, scores in zip(Chrf().pairwise(groups, references), expected, strict=True):
        np.testing.assert_allclose(found, scores, rtol=1e-12, atol=1e-9)
