"""What each scorer declares of its numbers: a better text never scores worse, and each limit is met or nearly so.

A declaration that is wrong is noticed here, whichever it is: the last two tests turn round every direction, and move
every limit.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from layouts import Columns, columns_of
from needs import made

from metrologue.errors import InputError
from metrologue.language_models import FunctionModel
from metrologue.scorers import Scorer, get_scorer, list_scorers
from metrologue.scorers.core.numbers import Number, tabled
from metrologue.scorers.fed.follow_ups import QUALITIES as FOLLOW_UPS
from metrologue.scorers.lexical_diversity.measures import MEASURES
from metrologue.segments import Segments
from metrologue.text.lexicon import register_synonyms

Corpus = tuple[list[str], list[list[str]]]
REFERENCE = "the cat sat on the mat and then it looked at a big red dog"


def against(prediction: str, reference: str = REFERENCE, times: int = 1) -> Corpus:
    return [prediction] * times, [[reference]] * times


# For each kind of input: the best corpus first, and the others, none of which is better in any number.
TEXTS = {
    "perfect": against(REFERENCE, times=60),
    "near": against("the cat sat on a mat and then it looked at the red dog"),
    "in another order": against("big red dog at a looked it then and mat the on sat cat the", times=40),
    "far": against("a dog looked and the mat was big"),
    "short": against("the", " ".join([REFERENCE] * 3), times=9),
    "unlike": against("zzz kkk vvv qqq xyz", "abc def", times=60),
    "long": against("zz kk " * 300, "a"),
    "empty": against(""),
}
# As long as each other, so that no measure is better for its length.
RICH = " ".join([*map(str, range(40))] * 5)
POOR = " ".join(["the cat and the dog and"] * 30 + [*map(str, range(20))])
DIVERSITY = {
    "rich": ([RICH], [["."]]),
    "poor": ([POOR], [["."]]),
    "one word": (["a " * 200], [["."]]),
}
ALIKE = {
    "unlike": (["a b c d e", "f g h i j"], [["."]] * 2),
    "near": (["a b c d e", "a b c d f"], [["."]] * 2),
    "equal": (["a b c d e"] * 2, [["."]] * 2),
}
PROBABILITIES = {
    "certain": (["1 1", "1"], [["."]] * 2),
    "half": (["0.5 0.5"], [["."]]),
    "low": (["0.001 0.002"], [["."]]),
    "impossible": (["0 0.5"], [["."]]),
}
HASHED = {
    "certain": (["a:1"], [["a"]]),
    "half": (["a:0.5 b:0.5"], [["a"]]),
    "low": (["a:0.001 b:0.999"], [["a"]]),
    "impossible": (["a:1"], [["b"]]),
}
LABELS = {
    "right": (["1", "0", "1"], [["1"], ["0"], ["1"]]),
    "near": (["1", "0", "0"], [["1"], ["0"], ["1"]]),
    "wrong": (["1", "0"], [["0"], ["1"]]),
}
# A word of each set of synonyms, which are alike to one word only.
ALIKE_TO_HUB = [f"word{place}" for place in range(99)]
HUB = register_synonyms("of-a-hub", [["hub", word] for word in ALIKE_TO_HUB])


def graph_of(*objects: str) -> str:
    """A tuple of each kind for each object, as JSON."""
    said = ("red",), ("two",), ("big",), ("on", "mat")
    return json.dumps([[each, *rest] for each in objects for rest in ((), *said)])


GRAPHS = {
    "perfect": against(graph_of("hub"), graph_of("hub")),
    "near": against(json.dumps([["hub", "red"], ["other", "two"]]), graph_of("hub")),
    "far": against(json.dumps([["hub"], ["hub", "blue"], ["hub", "three"], ["hub", "tiny"]]), graph_of("hub")),
    "unlike": against(graph_of("dog"), graph_of("hub")),
    "empty": against("[]", graph_of("hub")),
}
TRIPLES = {
    "perfect": (["a | b | c; d | e | f"], [["a | b | c; d | e | f"]]),
    "near": (["a | b | c; x | e | f"], [["a | b | c; d | e | f; g | h | i"]]),
    "unlike": (["x | y | z"], [["a | b | c"]]),
    "empty": ([""], [["a | b | c"]]),
}
ENTITIES = {
    "perfect": against("then Anna ran", "later Anna slept"),
    "other": against("then Bo ran", "later Anna slept"),
    "none": against("then nobody ran", "later Anna slept"),
}
NAMED = {
    "perfect": against("then Anna left in 2015", "then Anna left in 2015"),
    "near": against("then Anna and Bo left", "then Anna left in 2015"),
    "unlike": against("then Bo left in 2014", "then Anna left in 2015"),
}
# Texts that say the same, the opposite, less, and more, as a judge of words sees them.
INFERRED = {
    "perfect": against("the cat sat", "the cat sat"),
    "turned": against("-the -cat -sat", "the cat sat"),
    "less": against("the", "the cat sat on it"),
    "more": against("the cat sat on the big mat now", "the cat sat"),
    "empty": against(""),
}
# Texts that are all alike, texts that judgements tell, and texts that only probabilities tell.
AUTHORS = [["human"], ["model"]] * 4
JUDGED = {
    "alike": (["3 -2"] * 8, AUTHORS),
    "judgements": ([f"{i % 2} 0" for i in range(8)], AUTHORS),
    "probabilities": ([f"3 {-9 * (i % 2)}" for i in range(8)], AUTHORS),
}
# A model that expects good follow-ups of a good conversation only, and bad ones of a bad one.
GOOD_FOLLOW_UPS = tuple(text for each in FOLLOW_UPS["both"].values() for text in each.good)


def mood(text: str) -> list[tuple[str, float]]:
    fits = text.endswith(GOOD_FOLLOW_UPS) == text.lstrip().startswith("good")
    return [(word, 0.0 if fits else -9.0) for word in text.split()]


MOOD = FunctionModel("mood", lambda texts: [mood(text) for text in texts], "1")
MOODS = {name: ([name] * times, [["."]] * times) for name, times in (("good", 40), ("bad", 1))}
# A response that says its context again, and one that says the opposite, for a model that expects what was said.
ECHO = FunctionModel(
    "echo",
    lambda texts: [[(w, 0.0 if text.split().count(w) > 1 else -9.0) for w in text.split()] for text in texts],
    "1",
)
ECHOES = {"same": (["cat\ncat"] * 40, [["."]] * 40), "opposite": (["cat\n-cat"], [["."]])}
# A response after the turn before it.
ANSWERS = {
    "perfect": against("the cat\nthe cat", "the cat", times=60),
    "near": against("the cat\na cat", "the cat"),
    "unlike": against("the cat\n-cat", "cat", times=60),
}
UNANSWERED = (("perfect", "cat sat", ""), ("near", "cat", "cat"), ("unlike", "dog", "dog"))
INPUTS: dict[str, Mapping[str, Corpus]] = {
