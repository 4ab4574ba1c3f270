"""Shapley values against the definition by orders of joining, and explanations against the scorers themselves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise, permutations
from math import factorial

import numpy as np
import pytest
from amounts import nth
from hypothesis import given
from hypothesis import strategies as st
from needs import data_of, provide
from strategies import corpora

from metrologue.attribution import explain, sampled_shapley, shapley
from metrologue.errors import InputError
from metrologue.scorers import Bleu, EditDistance, Meteor, Rouge, get_scorer
from metrologue.scorers.core.options import choices_of
from metrologue.scorers.rouge.rules import BOOTSTRAPS

Corpus = tuple[list[str], list[list[str]]]


@given(data=st.data(), count=st.integers(0, 5))
def test_mean_over_all_orders(data: st.DataObject, count: int) -> None:
    players = list("abcde")[:count]
    numbers = st.floats(-10, 10)
    worth: dict[frozenset[str], float] = {}

    def value(team: frozenset[str]) -> float:
        if team not in worth:
            worth[team] = data.draw(numbers)
        return worth[team]

    values = shapley(players, value)
    assert sum(values.values()) == pytest.approx(value(frozenset(players)) - value(frozenset()), abs=1e-12)
    for player in players:
        joined = 0.0
        for order in permutations(players):
            before = frozenset(order[: order.index(player)])
            joined += value(before | {player}) - value(before)
        assert values[player] == pytest.approx(joined / factorial(count), abs=1e-12)


PAIRS = [(a, b) for a in Bleu.variants() for b in Bleu.variants() if a < b and "evaluate" not in (a, b)]


@pytest.mark.parametrize(("a", "b"), PAIRS[:: nth(3)])
@given(corpus=corpora())
def test_shares_sum_to_the_gap(a: str, b: str, corpus: Corpus) -> None:
    first, second = Bleu.variant(a), Bleu.variant(b)
    explanation = explain(first, second, *corpus)
    assert explanation.value_a == pytest.approx(first.corpus(*corpus).value, rel=1e-14)
    assert explanation.value_b == pytest.approx(second.corpus(*corpus).value, rel=1e-14)
    gap = explanation.value_b / second.scale - explanation.value_a / first.scale
    assert explanation.gap == pytest.approx(gap, abs=1e-12)
    shares = {c.choice: c.share for c in explanation.contributions}
    # Recall with the epsilons of coco is 1e5 where a text has no n-gram of an order: that much is rounded.
    rounding = 1e-12 * max([1.0, *map(abs, shares.values())])
    assert sum(shares.values()) == pytest.approx(gap, abs=rounding)
    back = {c.choice: -c.share for c in explain(second, first, *corpus).contributions}
    assert shares == pytest.approx(back, abs=rounding)


def test_one_choice_has_the_whole_gap() -> None:
    corpus = (["The cat sat, as cats do."], ["the cat sat, as cats did."])
    explanation = explain(Bleu(), Bleu(lowercase=True), *corpus)
    (contribution,) = explanation.contributions
    assert (contribution.choice, contribution.a, contribution.b) == ("case", "lowercase=False", "lowercase=True")
    assert contribution.share == explanation.gap > 0


def test_a_distance_has_no_scale() -> None:
    corpus = (["acb", "x"], ["abc", "y"])
    plain, scaled = EditDistance(), EditDistance(scale=100.0, transpositions="adjacent")
    explanation = explain(plain, scaled, *corpus)
    assert (explanation.value_a, explanation.value_b, explanation.gap) == (1.5, 1.0, -0.5)
    assert [c.share for c in explanation.contributions] == [-0.5]
    normalized = explain(EditDistance(normalization="sum"), EditDistance(normalization="sum", scale=100.0), *corpus)
    assert (normalized.value_b / normalized.value_a, normalized.gap) == (100.0, 0.0)


def test_scales_and_means_and_counted_orders() -> None:
    corpus = (["a b c d e f", "a b c"], ["a b c d x f", "a b d"])
    assert explain(Bleu(), Bleu(scale=1.0), *corpus).contributions == ()
    mean = explain(Bleu(aggregation="mean"), Bleu(max_order=2), *corpus)
    assert {c.choice for c in mean.contributions} == {"aggregation", "orders and weights"}
    fifth = Bleu.variant("nltk", smoothing="chen-cherry-5", aggregation="mean")
    assert len(explain(Bleu.variant("nltk", aggregation="mean"), fifth, *corpus).contributions) == 1
    with pytest.raises(InputError, match="for one segment only"):
        explain(Bleu.variant("nltk"), fifth, *corpus)


def test_a_whole_test_set_takes_seconds(newstest: tuple[dict[str, list[str]], list[str]]) -> None:
    systems, reference = newstest
    explanation = explain(Bleu.variant("nltk"), Bleu.variant("sacrebleu"), next(iter(systems.values())), reference)
    assert explanation.contributions[0].choice == "tokenizer"


@pytest.mark.usefixtures("lexical_data")
def test_gap_between_two_meteors_is_one_of_parameters_stages_function_words_and_tokens() -> None:
    corpus = (
        ["The guide ensures that the military always obeys, as it should", "Cats ran.", "a mistake in the text"],
        [["the guide makes sure that soldiers always obey"], ["the cat was running ."], ["an error within a text"]],
    )
    first, second = Meteor.variant("nltk"), Meteor.variant("pycocoevalcap")
    explanation = explain(first, second, *corpus)
    shares = {contribution.choice: contribution.share for contribution in explanation.contributions}
    assert sum(shares.values()) == pytest.approx(explanation.gap, abs=1e-12)
    assert explanation.value_a == pytest.approx(first.corpus(*corpus).value, rel=1e-14)
    assert explanation.value_b == pytest.approx(second.corpus(*corpus).value, rel=1e-14)
    for choice in ("parameters", "stages and aligner", "function words", "tokenizer"):
        assert abs(shares[choice]) > 1e-4, choice


def test_only_parameters_differ_between_meteors_of_other_parameters() -> None:
    exact = {"stages": ("exact",), "weights": (1.0,), "function_words": None, "tokenizer": "whitespace"}
    explanation = explain(Meteor(**exact), Meteor(**exact, alpha=0.5, gamma=0.2), ["a b c"], ["a c b d"])
    (contribution,) = explanation.contributions
    assert contribution.choice == "parameters"
    assert contribution.share == explanation.gap != 0


# The variants of these metrics can all score these texts: each has words, and five of them.
FAMILIES = ("exact_match", "hlepor", "nist_mt", "ribes", "token_f1")
GUIDE = ["It is a Guide to action, which ensures", "the cat sat on the mat the cat", "a cat is one cat of all"]
GUIDE_REFERENCES = [["It is a guide to action that ensures"], ["the cat the mat sat on", "a cat sat"], ["a cat is one"]]


@pytest.mark.parametrize(
    ("metric", "first", "second"),
    [
        (metric, first, second)
        for metric in FAMILIES
        for first, second in permutations(get_scorer(metric).variants(), 2)
    ],
)
def test_the_gap_between_any_two_variants_is_shared(
    metric: str, first: str, second: str, request: pytest.FixtureRequest
) -> None:
    """Each share goes to a choice in which the two differ, and they add up to the gap."""
    provide(request, data_of(metric))
    one, other = (get_scorer(metric).variant(name) for name in (first, second))
    found = explain(one, other, GUIDE, GUIDE_REFERENCES)
    assert (found.value_a, found.value_b) == (
        one.corpus(GUIDE, GUIDE_REFERENCES).value,
        other.corpus(GUIDE, GUIDE_REFERENCES).value,
    )
    assert sum(part.share for part in found.contributions) == pytest.approx(found.gap, abs=1e-12)
    different = {
        choice.name
        for choice in choices_of(type(one))
        if any(getattr(one, field) != getattr(other, field) for field in choice.fields)
    }
    assert {part.choice for part in found.contributions} == different
    assert different or found.gap == pytest.approx(0.0, abs=1e-12)


class TestDrawnOrders:
    """Above a budget, orders of joining are drawn."""

    @staticmethod
    def game(seed: int, count: int) -> Callable[[frozenset[int]], float]:
        """A worth with effects of single players, of different sizes, and of pairs."""
        generator = np.random.default_rng(seed)
        alone = np.sort(generator.normal(size=count))
        together = generator.normal(scale=0.1, size=(count, count))

        def worth(team: frozenset[int]) -> float:
            chosen = sorted(team)
            return float(alone[chosen].sum() + together[np.ix_(chosen, chosen)].sum() ** 2)

        return worth

    def test_values_are_within_their_errors(self) -> None:
        players, squares = range(9), []
        for seed in range(8):
            worth = self.game(seed, 9)
            exact, drawn = shapley(players, worth), sampled_shapley(players, worth, seed)
            squares += [((drawn[player][0] - exact[player]) / drawn[player][1]) ** 2 for player in players]
            total = worth(frozenset(players)) - worth(frozenset())
            assert sum(share for share, _ in drawn.values()) == pytest.approx(total)
        # About 1 if the errors are right; a little more, because they come from as few as eight pairs.
        assert 0.5 < np.mean(squares) < 2
        assert max(squares) < 25

    def test_draws_depend_on_the_seed_alone(self) -> None:
        worth = self.game(1, 9)
        assert sampled_shapley(range(9), worth, 7) == sampled_shapley(range(9), worth, 7)
        assert sampled_shapley(range(9), worth, 7) != sampled_shapley(range(9), worth, 8)

    def test_no_more_coalitions_are_valued_than_the_budget_has(self) -> None:
        """Players of the same value are never told apart: equal ones are known to be equal, noisy ones use it up."""
        valued: list[frozenset[int]] = []
        noise = np.random.default_rng(0)

        def noisy(team: frozenset[int]) -> float:
            valued.append(team)
            return float(noise.normal())

        sampled_shapley(range(16), noisy)
        assert 512 <= len(valued) < 512 + 2 * 16
        assert len(set(valued)) == len(valued)
        valued.clear()
        sampled_shapley(range(16), lambda team: valued.append(team) or len(team))
        assert len(valued) < 300

    def test_the_ranking_is_settled_or_the_budget_is_spent(self) -> None:
        worth = self.game(3, 6)
        exact, drawn = shapley(range(6), worth), sampled_shapley(range(6), worth)
        ranking = sorted(range(6), key=lambda player: -abs(exact[player]))
        sizes = [abs(drawn[player][0]) for player in ranking]
        largest = max(sizes)
        assert all(later - earlier <= 0.05 * largest for earlier, later in pairwise(sizes))

    def test_explain_draws_above_the_number_of_choices(self) -> None:
        corpus = (["the cat, as it sat. here", "A dog ran to it"], ["the cat, as it is. it is", "the dog ran to me"])
        first, second = Rouge.variant("rouge"), Rouge.variant("rouge-metric")
        whole, drawn = explain(first, second, *corpus), explain(first, second, *corpus, exact=2, seed=3)
        assert drawn == explain(first, second, *corpus, exact=2, seed=3)
        assert not any(part.standard_error for part in whole.contributions)
        assert any(part.standard_error for part in drawn.contributions)
        assert sum(part.share for part in drawn.contributions) == pytest.approx(drawn.gap, abs=1e-12)
        shares = {part.choice: part.share for part in whole.contributions}
        assert shares.keys() == {part.choice for part in drawn.contributions}
        for part in drawn.contributions:
            assert abs(part.share - shares[part.choice]) <= 4 * part.standard_error + 1e-12
        with pytest.raises(InputError, match="`exact`"):
            explain(first, second, *corpus, exact=-1)

    def test_a_bootstrap_is_not_drawn_for_each_mixture(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The mean stands for it, and the choice of the aggregation has what the draws add."""
        drawn: list[str] = []
        for name, function in list(BOOTSTRAPS.items()):
            monkeypatch.setitem(
                BOOTSTRAPS, name, lambda *given, name=name, function=function: drawn.append(name) or function(*given)
            )
        corpus = (["The cat, as it sat", "A dog ran to it", "here"], ["the cat, as it is", "the dog ran to me", "her"])
        first, second = Rouge.variant("rouge-1.5.5"), Rouge.variant("evaluate")
        found = explain(first, second, *corpus)
        assert sorted(drawn) == ["bootstrap-mean", "bootstrap-median"]
        assert found.value_a == first.corpus(*corpus).value
        assert found.value_b == second.corpus(*corpus).value
        assert sum(part.share for part in found.contributions) == pytest.approx(found.gap, abs=1e-12)
        # The others are as between the means.
        plain = explain(replace(first, aggregation="mean"), replace(second, aggregation="mean"), *corpus)
        shares = {part.choice: part.share for part in found.contributions}
        for part in plain.contributions:
            if part.choice not in ("aggregation", "rounding"):
                assert shares[part.choice] == pytest.approx(part.share, abs=1e-12)

    def test_only_the_primary_number_is_counted(self) -> None:
        """Other types change nothing, and their choice has no share."""
        corpus = (["The cat, as it sat", "A dog"], ["the cat, as it is", "the dog"])
        few, many = Rouge(types=("rougeL",)), Rouge(types=("rouge1", "rouge2", "rougeL"), tokenizer="whitespace")
        found = {part.choice: part.share for part in explain(few, many, *corpus).contributions}
        assert found["types"] == 0
        assert found["tokenizer"] != 0
        other = explain(Rouge(types=("rouge1",)), Rouge(types=("rouge2",)), *corpus)
        assert [part.choice for part in other.contributions] == ["types"]
        assert other.contributions[0].share == other.gap != 0


def test_shares_that_cancel_out_are_not_shown() -> None:
    found = explain("bleu:evaluate", "bleu:nltk", ["the cat sat on the mat"], ["the cat is on the mat"])
    assert found.cancelled() == ("smoothing", "zero rule")
    for text in (repr(found), found._repr_html_()):
        assert "cancel" in text
        assert not any(f"{abs(part.share):.3g}" in text for part in found.contributions if part.share)
    other = explain("bleu:evaluate", "bleu:sacrebleu", ["the cat sat on the mat"], ["the cat is on the mat"])
    assert other.cancelled() == ()
    assert explain("bleu:nltk", "bleu:nltk", ["a b c d e"], ["a b c d e"]).cancelled() == ()
