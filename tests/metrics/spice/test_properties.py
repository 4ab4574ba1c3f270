"""SPICE against its definition over tuples, what may stand for a scene graph, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from needs import PARSER

from metrics.spice.plain import Graph, category, merged, score, spice
from metrologue import InputError, Spice, trace
from metrologue.representations.parses import FunctionParser, Token
from metrologue.scorers.core.variants import short_signature
from metrologue.scorers.spice.graphs import CLASSES
from metrologue.segments import Segments
from metrologue.text.lexicon import register_synonyms

SETS = [
    ["red", "crimson", "dog"],
    ["crimson", "ruby"],
    ["dog", "cat", "two"],
    ["cat", "tiny"],
    ["on", "in"],
    ["dog", "cat"],
]
SYNONYMS = register_synonyms("of-graphs", SETS)
WORDS = st.sampled_from(["dog", "cat", "red", "crimson", "ruby", "two", "tiny", "other", "on", "in", "be on"])
graphs = st.lists(st.one_of(*(st.tuples(*[WORDS] * size) for size in (1, 2, 2, 3))), max_size=7)
corpora = st.lists(st.tuples(graphs, st.lists(graphs, min_size=1, max_size=3)), min_size=1, max_size=4)
Corpus = list[tuple[Graph, list[Graph]]]
close = {"rel": 1e-12, "abs": 1e-15}


def sets(word: str) -> set[int]:
    return {number for number, words in enumerate(SETS) if word in words}


def sides(corpus: Corpus) -> tuple[list[Graph], list[list[Graph]]]:
    return [own for own, _ in corpus], [its for _, its in corpus]


@given(corpus=corpora)
def test_definition(corpus: Corpus) -> None:
    for synonyms, own in ((SYNONYMS, sets), (None, lambda word: set())):
        scores = Spice(synonyms=synonyms).segment_scores(*sides(corpus))
        expected = np.array([spice(*segment, own) for segment in corpus])
        for name, column in zip(("spice", "precision", "recall"), expected.T, strict=True):
            assert scores[name] == pytest.approx(column, **close)
        assert Spice(synonyms=synonyms).corpus(*sides(corpus)).value == pytest.approx(expected[:, 0].mean(), **close)


@given(corpus=corpora)
def test_categories(corpus: Corpus) -> None:
    scores = Spice(synonyms=SYNONYMS).corpus(*sides(corpus)).scores
    forms = {"object": (1,), "attribute": (2,), "relation": (3,), **{name: (2, CLASSES[name]) for name in CLASSES}}
    for name, form in forms.items():
        found = []
        for own, its in corpus:
            ours, theirs = (merged(graph, sets) for graph in (own, [each for graph in its for each in graph]))
            if references := category(theirs, *form):
                found.append(score(category(ours, *form), references)[0])
        assert scores[f"{name}_segments"] == len(found)
        assert scores[name] == pytest.approx(np.mean(found) if found else 0.0, **close)


@given(corpus=corpora)
def test_a_graph_in_other_forms(corpus: Corpus) -> None:
    """Lists as in JSON, and texts that are JSON, as a file has them and a module keeps them."""
    scorer, (own, its) = Spice(synonyms=SYNONYMS), sides(corpus)
    expected = scorer.segments(own, its)
    lists = json.loads(json.dumps([own, its]))
    assert np.array_equal(scorer.segments(*lists), expected)
    assert np.array_equal(
        scorer.segments(*([json.dumps(g) for g in own], [[*map(json.dumps, g)] for g in its])), expected
    )
    alone = [[each for graph in graphs for each in graph] for graphs in its]
    assert np.array_equal(scorer.segments(own, alone), expected)


@given(corpus=corpora)
def test_trace(corpus: Corpus) -> None:
    """The trace marks as many tuples as match."""
    for own, its in corpus:
        scorer = Spice(synonyms=SYNONYMS)
        shown = trace(scorer, own, its)
        assert shown.value == scorer.corpus([own], [its]).value
        drawn = shown.blocks[-2:]
        counts = scorer.corpus([own], [its]).scores
        assert drawn[0].matched_count == counts["match_count"]
        assert [each.size for each in drawn] == [counts["hypothesis_count"], counts["reference_count"]]
        assert shown.text()
        assert shown.html()


def test_pairs() -> None:
    graphs: list[Any] = [[("dog",), ("dog", "red")], [("cat",)], [], [("ruby",)]]
    for own in (graphs, json.loads(json.dumps(graphs)), [*map(json.dumps, graphs)]):
        matrix = Spice(synonyms=SYNONYMS).pairwise(own, graphs[:3])
        assert matrix.tolist() == [Spice(synonyms=SYNONYMS).segments([row] * 3, graphs[:3]).tolist() for row in graphs]
        groups = Spice(synonyms=SYNONYMS).pairwise([own[:1], own[1:]])
        assert groups[0].tolist() == [[1.0]]
    with pytest.raises(InputError, match=r"`hypotheses\[1\]` has tuple \('a', ''\) at 0"):
        Spice(synonyms=None).pairwise([[("a",)], [("a", "")]])


def test_merged_attributes() -> None:
    texts = [[("car", "red"), ("car", "crimson")]], [[("car", "red")]]
    assert Spice(synonyms=SYNONYMS).corpus(*texts).scores["color"] == 0
    assert Spice(synonyms=SYNONYMS, merged_attributes="any").corpus(*texts).scores["color"] == 1


def test_several_tuples_may_match_one() -> None:
    scores = Spice(synonyms=SYNONYMS).corpus([[("red",), ("ruby",)]], [[("crimson",)]]).scores
    assert (scores["spice"], scores["precision"], scores["recall"]) == (pytest.approx(4 / 3), 1.0, 2.0)


def test_empty_graphs() -> None:
    assert Spice(synonyms=None).segments([[], [("a",)], []], [[("a",)], [], []]).tolist() == [0.0, 0.0, 0.0]
    assert Spice(synonyms=None).segments([[("a",)]], [[[], [("a",)]]]).tolist() == [1.0]
    assert Spice(synonyms=None).segments([{("a",)}], [[{("a",)}, set()]]).tolist() == [1.0]


WRONG: list[tuple[Any, Any, str]] = [
    (
        [[("a",)], [("a", "b", "c", "d")]],
        [[], []],
        r"`predictions\[1\]` has tuple \('a', 'b', 'c', 'd'\) at 0; a tuple",
    ),
    ([[("a",)]], [[[("a",)], [("a",), ()]]], r"`references\[0\]` has tuple \(\) at 1; a tuple of 1 to 3 str"),
    ([[("a", " ")]], [[("a",)]], r"`predictions\[0\]` has tuple \('a', ' '\) at 0"),
    ([["dog"]], [[("a",)]], r"`predictions\[0\]` has str 'dog' at 0; a tuple of 1 to 3 str is expected"),
    ([[("a", 1)]], [[("a",)]], r"`predictions\[0\]` has tuple \('a', 1\) at 0"),
    ([[["a", None]]], [[("a",)]], r"`predictions\[0\]`"),
    ([[("a",)], "a dog"], [[], []], r"`predictions\[1\]` is a text, not the JSON"),
    ([[("a",)]], ["a dog"], r"`references\[0\]` is a text, not the JSON"),
    ([[("a",)]], [[[("a",)], "b"]], r"`references\[0\]` is a text, not the JSON"),
    (
        ["a dog"],
        ["a cat"],
        r"`predictions\[0\]` is a text, not the JSON of a scene graph.*; to parse texts, give `parser` and graphs=",
    ),
    (['[["dog"]]'] * 2, [['[["a"]]', "[]"], ["[[]]"]], r"`references\[1\]` has list \[\] at 0; a tuple of"),
    (["[1", "{}"], ["[]"] * 2, r"`predictions\[0\]` is a text, not the JSON"),
    (["{}"], ["[]"], r"`predictions\[0\]` is a text, not the JSON"),
    (["[" * 9999], ["[]"], r"`predictions\[0\]` is a text, not the JSON"),
    ([[("a",)]], None, "`references` are missing"),
    ([[("a",)]], [[], []], "1 prediction but 2 references"),
]


@pytest.mark.parametrize(("predictions", "references", "message"), WRONG)
def test_what_is_refused(predictions: Any, references: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Spice(synonyms=None).corpus(predictions, references)


def test_a_parser_reads_texts_only() -> None:
    scorer = Spice(parser=PARSER, synonyms=None)
    assert scorer.graphs == "rules"
    assert scorer.segments(["a b c"], ["a b"]).tolist() == [0.8]
    assert short_signature(scorer).startswith("spice|variant=spacy|")
    with pytest.raises(InputError, match=r"`references\[0\]` is a scene graph, but `graphs` is 'rules'; give texts"):
        scorer.corpus(["a"], [[("a",)]])
    with pytest.raises(InputError, match="to parse texts, choose graphs='rules', as the variant spacy does"):
        Spice.variant("spice-no-synsets", parser=PARSER).corpus(["a"], ["a"])
    with pytest.raises(InputError, match="`parser` is missing; give the name of a pipeline of spaCy"):
        Spice.variant("spacy", synonyms=None).corpus(["a"], ["a"])
    without = FunctionParser("none", lambda texts: [[Token(text)] for text in texts], "1")
    with pytest.raises(InputError, match="the parser none@1 gives no lemmas and no pos and no relations"):
        Spice(parser=without, synonyms=None).corpus(["a"], ["a"])


def test_wrong_fields() -> None:
    with pytest.raises(InputError, match=r"`synonyms` is .wordnet@\w+.; None, .meteor-1\.5. or a table"):
        Spice(synonyms="wordnet")
    with pytest.raises(InputError, match="Spice: `parser`: "):
        Spice(parser="no_such_pipeline_xyz")


def test_segments_of_a_part_have_their_own_index() -> None:
    segments = Segments(['[["a"]]', '[["a", ""]]'], ['[["a"]]'] * 2)
    with pytest.raises(InputError, match=r"`predictions\[1\]` has"):
        Spice(synonyms=None).corpus(segments.slice(1, 2))
    assert Spice(synonyms=None).corpus(segments.slice(0, 1)).value == 1.0
