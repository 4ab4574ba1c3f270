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
from metrologue.scorers.unieval.questions import TASKS as QUESTIONS
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
# Two sentences that say what their source says, one that does, none.
QUESTIONED = {
    "perfect": against("the cat sat. the cat sat.", "the cat sat."),
    "near": against("the cat sat. a zzz.", "the cat sat."),
    "unlike": against("zzz. kkk.", "the cat sat."),
    "empty": against("", "the cat sat."),
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


SOURCE = "a b c d e f g h"


def simplified(prediction: str, reference: str = "a b c d x y z w", times: int = 1) -> Columns:
    """By default, the reference keeps one half of its source and replaces the other."""
    return {"predictions": [prediction] * times, "references": [reference] * times, "sources": [SOURCE] * times}


SIMPLIFIED = {
    "perfect": simplified("a b c d x y z w"),
    "copy": simplified(SOURCE),
    "other half": simplified("e f g h q r s t"),
    "all replaced": simplified("q r s t u", f"{SOURCE} x y z w"),
}
UNANSWERED = (("perfect", "cat sat", ""), ("near", "cat", "cat"), ("unlike", "dog", "dog"))
INPUTS: dict[str, Mapping[str, Corpus | Columns]] = {
    **dict.fromkeys(("cross_entropy", "likelihood", "perplexity"), PROBABILITIES),
    **dict.fromkeys(("log_loss_hashed", "likelihood_hashed", "perplexity_hashed"), HASHED),
    **dict.fromkeys(("accuracy", "confusion_matrix", "f1", "matthews_correlation", "precision", "recall"), LABELS),
    **dict.fromkeys(("lexical_diversity", "distinct_n"), DIVERSITY),
    "text_duplicates": {
        "different": (["a", "b"], [["."]] * 2),
        "half": (["a", "a", "b"], [["."]] * 3),
        "all": (["a"] * 99, [["."]] * 99),
    },
    "seqeval": {
        "perfect": (["B-PER I-PER"], [["B-PER I-PER"]]),
        "near": (["B-PER I-PER B-LOC"], [["B-PER I-PER O"]]),
        "wrong": (["O B-LOC"], [["B-PER I-PER"]]),
    },
    "cuad": {
        "perfect": (["the cat sat"], [["the cat sat"]]),
        "near": (["the cat sat\ndog"], [["the cat sat down"]]),
        "wrong": (["dog"], [["cat"]]),
    },
    "squad_v2": {name: ([one, other], [["cat sat"], [""]]) for name, one, other in UNANSWERED},
    "apes": ENTITIES,
    "entity_recall": NAMED,
    "nli_faithfulness": INFERRED,
    "unieval": QUESTIONED,
    "fed": MOODS,
    "usr": ECHOES,
    "ruber": ANSWERS,
    "fined_eval": {**ANSWERS, "unlike": against("cat\n-cat", "cat", times=60)},
    **dict.fromkeys(("sari", "wiki_split"), SIMPLIFIED),
    "self_bleu": ALIKE,
    "spice": GRAPHS,
    "huse": JUDGED,
    "peak": TRIPLES,
}
# Inputs that are not better or worse, for limits.
OTHERS: dict[str, Sequence[Corpus]] = {
    "character": [against("c d a b g h e f", "a b c d e f g h")],
    "lexical_diversity": [
        ([text], [["."]]) for text in ("", "a b a", "a a", "a " * 9999, " ".join(map(str, range(2000))))
    ],
    "distinct_n": [([text], [["."]]) for text in ("", "a " * 99, " ".join(map(str, range(99))))],
    **{name: [([""], [["."]])] for name in ("word_count", "word_length")},
    "bertscore": [against("-cat", "cat")],
    "bleurt": [against("-cat", "cat")],
    "comparator": [against("the cats and the dogs " * 9, "x")],
    "adem": [against("-cat", "cat")],
    "esim": [against("-cat", "cat")],
    "moverscore": [against("-cat", "cat")],
    "ruse": [against("-cat", "cat")],
    "semantic_similarity": [against("-cat", "cat")],
    "spice": [against(graph_of(*ALIKE_TO_HUB), graph_of("hub"))],
    # Judgements tell who wrote each text, but nearest to it is one by the other author, with the same probability.
    "huse": [([f"{10 * (i // 6) + i % 2} {-(i // 2 % 3)}" for i in range(24)], AUTHORS * 3)],
    "peak": [(["a | b | c; d | e | f"], [["a | b | c", "d | e | f"]])],
    "pyramid": [(["a b"], [["a", "b"]])],
    "self_bleu": [(["a", "b c d e f g h i", "b c d e f g h i j k l m n o p"], [["."]] * 3)],
}
# The fields of the scorers that are tested, if the defaults do not report every number that the metric declares.
FIELDS: dict[str, Sequence[dict[str, Any]]] = {
    "accuracy": [{}, {"normalize": False}, {"lists": "sequences"}],
    "bartscore": [{"direction": "f"}],
    "chrf": [{"word_order": 2}],
    "fed": [{"model": MOOD}],
    "usr": [
        {
            "model": ECHO,
            "form": "plain",
            "likelihood": "response",
            "means": (0,) * 3,
            "deviations": (1,) * 3,
            "weights": (1,) * 3,
            "intercept": 0,
        }
    ],
    "huse": [{"neighbors": 1, "radius": "last"}],
    "edit_distance": [{}, {"normalization": "maximum"}, {"normalization": "reference"}],
    "lexical_diversity": [{"measures": (*MEASURES,)}],
    "meteor": [{"stages": ("exact",), "weights": (1.0,), "function_words": None}],
    "nli_faithfulness": [{}, {"check": "facts"}],
    "spice": [{"synonyms": HUB}],
    "unieval": [{"task": task, "sentences": "marks"} for task in QUESTIONS],
    **{name: [{"oov": "both"}] for name in ("cross_entropy", "likelihood", "perplexity")},
}
# The length of a text that a language model scores: not of probabilities, which are the inputs here.
NEEDS_A_MODEL = {"words", "characters", "bytes"}
# Measurements, of which neither more nor less is better.
NEUTRAL = {"word_count", "word_length"}
# Limits that no text here comes near to: they hold, but a nearer one would hold too.
LOOSE = {
    ("eed", "repeated", 0),
    ("hlepor", "position_penalty", 0),
    ("perception_score", "spread", 1),
    ("lexical_diversity", "herdan_vm", 1),
    ("meteor", "penalty", 1),
    ("self_bleu", "brevity_penalty", 0),
    ("self_bleu", "length_ratio", 0),
}


def scorers_of(name: str) -> list[Scorer]:
    found: list[Scorer] = [made(name, **fields) for fields in FIELDS.get(name, [{}])]
    if name in ("cider", "nist_mt"):
        table = Segments(["."] * 4, [[REFERENCE], ["abc def"], ["the big mat"], ["a"]])
        return [scorer.fit(table) for scorer in found]
    return found


@cache
def scores(scorer: Scorer) -> tuple[dict[str, float], ...]:
    """The numbers of each input of a metric that it takes, the best first."""
    corpora = (*INPUTS.get(scorer.name, TEXTS).values(), *OTHERS.get(scorer.name, ()))
    given = [corpus if isinstance(corpus, dict) else columns_of(scorer.name, *corpus) for corpus in corpora]
    if not {*given[0]} <= {"predictions", "references"}:  # for limits, further texts that are the prediction itself
        given.append(dict.fromkeys(given[0], given[0]["predictions"]))
    found = []
    for columns in given:
        try:
            found.append(dict(scorer.corpus(**columns).scores))
        except InputError:
            assert found, "the best input must have a score"
    return tuple(found)


def wrong_directions(scorer: Scorer) -> set[str]:
    """The numbers that are better for a worse input, or are never worse for one."""
    best, *worse = scores(scorer)[: len(INPUTS.get(scorer.name, TEXTS))]
    found = set()
    for name, higher in scorer.higher_is_better.items():
        gains = [(each[name] - best[name]) * (1 if higher else -1) for each in worse if each[name] != best[name]]
        if not gains or max(gains) > 1e-12:
            found.add(name)
    return found


def wrong_limits(scorer: Scorer) -> set[tuple[str, int]]:
    """The numbers that are beyond their least (0) or greatest (1) value, or do not come near to it.

    A number without a limit is above the scale, or below 0. A column without a direction is a count.
    """
    found = set()
    for name, limits in scorer.range.items():
        low, high = ends(scorer, name)
        if name in scorer._columns and name not in scorer.higher_is_better:
            found |= {(name, side) for side, limit in enumerate((0.0, math.inf)) if limits[side] != limit}
            continue
        near = 0.03 * max(1.0, limits[1])
        low_holds, high_holds = low < 0, high > scorer.scale * (name in scorer.higher_is_better)
        if math.isfinite(limits[0]):
            low_holds = limits[0] - 1e-9 <= low and (low <= limits[0] + 0.03 or (scorer.name, name, 0) in LOOSE)
        if math.isfinite(limits[1]):
            high_holds = high <= limits[1] + 1e-9 and (high >= limits[1] - near or (scorer.name, name, 1) in LOOSE)
        found |= {(name, side) for side, holds in enumerate((low_holds, high_holds)) if not holds}
    return found


def ends(scorer: Scorer, name: str) -> tuple[float, float]:
    """The least and the greatest value of a number here."""
    values = [each[name] for each in scores(scorer)]
    return min(values), max(values)


def declared_of(scorer: Scorer) -> Iterator[tuple[Number, list[str]]]:
    """The declarations of the numbers that a scorer reports, each with the names of its numbers."""
    for declared, names, _ in tabled(scorer):
        if {*names} <= {*scorer.range} and not (declared.when and declared is not scorer._reported[names[0]]):
            yield declared, names


@contextmanager
def declared_as(scorer: Scorer, old: Number, new: Number) -> Iterator[Scorer]:
    """The scorer, as if a declaration were another one. Its scores are known before."""
    scores(scorer)
    changed = tuple(
        (new if one is old else one)
        if isinstance(one, Number)
        else replace(one, members=tuple(new if member is old else member for member in one.members))
        for one in scorer.numbers
    )
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(type(scorer), "numbers", changed)
        yield replace(scorer)


@pytest.mark.parametrize("name", list_scorers())
def test_each_declared_number_is_reported(name: str) -> None:
    reported = {id(declared) for scorer in scorers_of(name) for declared, _ in declared_of(scorer)}
    missing = {one.name for one in get_scorer(name)._declared_numbers() if id(one) not in reported}
    assert missing - NEEDS_A_MODEL == set()


@pytest.mark.parametrize("name", list_scorers())
def test_a_better_text_does_not_score_worse(name: str) -> None:
    for scorer in scorers_of(name):
        assert (scorer.primary in scorer.higher_is_better) == (name not in NEUTRAL)
        assert wrong_directions(scorer) == set()


@pytest.mark.parametrize("name", list_scorers())
def test_limits_are_met(name: str) -> None:
    for scorer in scorers_of(name):
        assert wrong_limits(scorer) == set()


@pytest.mark.parametrize("name", list_scorers())
def test_a_direction_that_is_turned_round_is_noticed(name: str) -> None:
    for scorer in scorers_of(name):
        for declared, names in declared_of(scorer):
            if declared.better:
                turned = replace(declared, better="lower" if declared.better == "higher" else "higher")
                with declared_as(scorer, declared, turned) as other:
                    assert wrong_directions(other) == {*names}, declared


@pytest.mark.parametrize("name", list_scorers())
def test_a_limit_that_is_moved_is_noticed(name: str) -> None:
    for scorer in scorers_of(name):
        for declared, names in declared_of(scorer):
            for side, limit in enumerate(declared.limits(scorer)):
                # Inside of what the numbers are, and beyond it; a limit where there is none.
                sign = 1 if side else -1
                values = [ends(scorer, each)[side] for each in names]
                moved = [(max if side else min)(values) - sign * 0.2]
                if not all((name, each, side) in LOOSE for each in names):
                    moved += [scorer.scale * side] if math.isinf(limit) else [limit + sign * max(1.0, abs(limit))]
                for value in {*moved} - {limit}:
                    changed = replace(declared, greatest=value) if side else replace(declared, least=value)
                    with declared_as(scorer, declared, changed) as other:
                        assert {each for each in names if (each, side) in wrong_limits(other)}, (declared, value)
