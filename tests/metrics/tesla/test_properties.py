"""TESLA-M against its definition with a general solver, with and without a parser, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compared import compared
from hypothesis import given
from hypothesis import strategies as st
from strategies import Corpus, TokenCorpus, corpora, spelled, token_corpora

import metrologue
from metrics.tesla.plain import basic, tesla
from metrologue.errors import InputError
from metrologue.representations.parses import ConlluParses, FunctionParser, Token
from metrologue.scorers import Tesla
from metrologue.scorers.tesla.kernels import BASIC, SoftTexts, soft_flow, soft_matches
from metrologue.segments import Segments
from metrologue.text.lexicon import register_synonyms

close = {"rel": 1e-12, "abs": 1e-15}
SETS = [["a", "d"], ["b", "c"], ["c", "d"]]
# Each word of the generated texts with its lemma, tag and universal tag.
FORMS = {
    "a": ("a", "NN", "NOUN"), "A": ("a", "NNP", "PROPN"), "b": ("b", "NN", "NOUN"), "c": ("c", "VB", "VERB"),
    "d": ("d", "VBD", "VERB"), "e": ("e", "DT", "DET"), "f": ("e", "IN", "ADP"), "g": ("g", "", ""),
}  # fmt: skip
parsed_corpora = st.lists(
    st.tuples(
        st.lists(st.sampled_from([*FORMS]), max_size=9),
        st.lists(st.lists(st.sampled_from([*FORMS]), max_size=9), min_size=1, max_size=3),
    ),
    min_size=1,
    max_size=3,
)


def parser(forms: dict[str, tuple[str, str, str]] = FORMS) -> FunctionParser:
    return FunctionParser("forms", lambda texts: [[Token(w, *forms[w]) for w in text.split()] for text in texts], "1")


def synonyms(one: str, other: str) -> bool:
    return any({one, other} <= {*own} for own in SETS)


@given(corpus=token_corpora, order=st.integers(1, 4), alpha=st.sampled_from([0.0, 0.5, 0.8, 1.0]))
def test_definition(corpus: TokenCorpus, order: int, alpha: float) -> None:
    scorer = Tesla(tokenizer="whitespace", max_order=order, alpha=alpha)
    assert scorer.corpus(*spelled(corpus)).value == pytest.approx(tesla(*corpus, max_order=order, alpha=alpha), **close)
    for row, hypothesis, references in zip(scorer.segments(*spelled(corpus)), *corpus, strict=True):
        expected = tesla([hypothesis], [references], max_order=order, alpha=alpha)
        assert row == pytest.approx(expected, **close)


@given(corpus=corpora())
def test_definition_with_texts_of_any_kind(corpus: Corpus) -> None:
    words = [text.lower().split() for text in corpus[0]], [[text.lower().split() for text in own] for own in corpus[1]]
    assert Tesla(tokenizer="whitespace").corpus(*corpus).value == pytest.approx(tesla(*words), **close)


SIMILARITIES: dict[str, Callable[[Any, Any], float]] = {
    "basic": basic(synonyms),
    "synonyms": lambda one, other: 1.0 if one[0] == other[0] else synonyms(one[0], other[0]) / 2,
    "lemmas": lambda one, other: float(one[0] == other[0]),
    "tags": lambda one, other: float(one[1] == other[1] != ""),
}


@given(
    corpus=parsed_corpora,
    kinds=st.lists(st.sampled_from([*SIMILARITIES]), min_size=1, max_size=3, unique=True),
    light=st.sampled_from([0.0, 0.1, 0.25, 1.0]),
    universal=st.booleans(),
)
def test_definition_with_a_parser(corpus: Any, kinds: list[str], light: float, universal: bool) -> None:
    scorer = Tesla(
        parser=parser(),
        synonyms=register_synonyms("letters", SETS),
        similarities=tuple(kinds),
        function_weight=light,
        tagset="universal" if universal else "own",
    )
    texts = [" ".join(own) for own, _ in corpus], [[" ".join(each) for each in own] for _, own in corpus]

    def words(text: list[str]) -> list[Any]:
        return [(FORMS[word][0], FORMS[word][2 if universal else 1], FORMS[word][1] in ("DT", "IN")) for word in text]

    tokens = [words(own) for own, _ in corpus], [[*map(words, own)] for _, own in corpus]
    if not any(any(tag for _, tag, _ in text) for own in (tokens[0], *tokens[1]) for text in own):
        return  # a parser that gives no tags is refused
    similars = tuple(SIMILARITIES[kind] for kind in kinds)
    expected = tesla(*tokens, similars, lambda word: light if word[2] else 1.0)
    assert scorer.corpus(*texts).value == pytest.approx(expected, rel=1e-12, abs=1e-12)


@given(st.data())
def test_flow(data: st.DataObject) -> None:
    """No n-gram gives or gets more than it weighs, and the flow gains what the other kernel says."""
    words = st.lists(st.integers(0, 4), min_size=1, max_size=8)
    own, its, order = data.draw(words), data.draw(words), data.draw(st.integers(1, 3))
    lemmas = np.array([*own, *its], np.int32)
    keys = np.arange(6), np.array([0, 1, 1, 2, 0], np.int32)
    ends = np.array([0, len(own), len(lemmas)])
    texts = SoftTexts.of_words(lemmas, lemmas % 2 + 1, lemmas == 3, ends, 3, (*keys, *keys))
    units, pair = np.array([1000, 100, 10, 1]), np.array([0])
    flow, halves, *starts = soft_flow(texts, 0, 1, 3, order, BASIC, units)
    counts = soft_matches(texts, pair, pair + 1, 3, np.array([BASIC]), units)[0].reshape(3, 3)[order - 1]
    assert (flow * halves).sum() == counts[0]
    for axis, side in ((1, own), (0, its)):
        grams = [side[i : i + order] for i in range(len(side) - order + 1)]
        distinct = [lemmas[start : start + order].tolist() for start in starts[1 - axis]]
        weights = [units[gram.count(3)] * grams.count(gram) for gram in distinct]
        assert (flow.sum(axis=axis) <= weights).all()
        assert sum(weights) == counts[2 - axis]
        assert sorted(distinct) == sorted(map(list, {*map(tuple, grams)}))


WORKED = "the kid run", "the child run home"
TAGS = {"the": "DT", "kid": "NN", "child": "NN", "home": "NN", "run": "VB"}


@pytest.mark.parametrize(
    ("similarity", "orders", "expected"),
    [("basic", 1, 0.724138), ("synonyms", 1, 0.551724), ("basic", 2, (0.724138 + 0.578947) / 2)],
)
def test_worked_numbers(similarity: str, orders: int, expected: float) -> None:
    scorer = Tesla(
        parser=parser({word: (word, tag, "") for word, tag in TAGS.items()}),
        synonyms=register_synonyms("young", [["kid", "child"]]),
        similarities=(similarity,),
        max_order=orders,
    )
    assert scorer.corpus([WORKED[0]], [WORKED[1]]).value == pytest.approx(expected, abs=5e-7)


@pytest.mark.parametrize("variant", ["tesla-m", "tesla-m-2010"])
def test_recorded(variant: str, wordnet: None) -> None:
    recorded = json.loads(Path(__file__).with_name(f"{variant}.json").read_text("utf-8"))
    words = recorded["words"]

    def parse(texts: list[str]) -> Any:
        return [[Token(form, lemma, tag, pos) for lemma, tag, pos, form in words[text]] for text in texts]

    scorer = Tesla.variant(variant, parser=FunctionParser("recorded", parse, "1"))
    texts = recorded["predictions"], recorded["references"]
    assert scorer.corpus(*texts).value == pytest.approx(recorded["scores"]["corpus"], **close)
    assert scorer.segments(*texts) == pytest.approx(recorded["scores"]["segments"], **close)
    compared(1 + len(texts[0]))


def test_several_references_and_short_texts() -> None:
    texts = ["a b"], [["a b", "c", ""]]
    assert Tesla().corpus(*texts).value == pytest.approx(1 / 3)
    assert Tesla(multi_reference="best").corpus(*texts).value == 1
    assert Tesla(short_texts="zero").corpus(["a b"], ["a b"]).value == pytest.approx(2 / 3)
    assert Tesla().corpus(["", "a"], ["", "a"]).scores == {"tesla": 0.5, "precision": 0.5, "recall": 0.5, "segments": 2}
    assert Tesla(lowercase=False).corpus(["A"], ["a"]).value == 0


def test_function_words_may_weigh_nothing() -> None:
    scorer = Tesla(parser=parser(), function_weight=0.0, max_order=1)
    assert scorer.corpus(["a e"], ["a f"]).value == 1
    assert scorer.corpus(["e"], ["e"]).value == 0
    # An order whose n-grams all weigh nothing counts as 0, as it nearly does if they weigh next to nothing.
    for light in (0.0, 1e-5):
        scorer = Tesla(parser=parser(), function_weight=light)
        assert scorer.corpus(["a b"], ["e b"]).value == pytest.approx(5 / 12, abs=1e-5)


def test_lemmas_are_compared_in_lower_case() -> None:
    forms = {"Kids": ("Kid", "NN", ""), "kids": ("kid", "NN", "")}
    assert Tesla(parser=parser(forms), similarities=("lemmas",)).corpus(["Kids"], ["kids"]).value == 1
    assert Tesla(parser=parser(forms), similarities=("lemmas",), lowercase=False).corpus(["Kids"], ["kids"]).value == 0


def test_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Tesla: `parser` is missing; give the name of a pipeline"):
        Tesla.variant("tesla-m", synonyms=None).corpus(["a"], ["a"])
    path = tmp_path / "small.conllu"
    path.write_text("1\ta\ta\t_\tDT\t_\t0\troot\t_\t_\n\n1\tb\t_\t_\t_\t_\t0\troot\t_\t_\n", "utf-8")
    with pytest.raises(InputError, match=r"Tesla: `references\[1\]` has no parse in small\.conllu@.*; one of the same"):
        Tesla(parser=path).corpus(["a", "a"], ["a", "b c"])
    assert Tesla(parser=path).corpus(["a"], ["a"]).value == 1
    with pytest.raises(InputError, match=r"Tesla: the parser small\.conllu@\w+ gives no lemmas and no tags\."):
        Tesla(parser=ConlluParses(path)).corpus(["b"], ["b"])
    with pytest.raises(InputError, match=r"the parser small\.conllu@\w+ gives no pos"):
        Tesla(parser=path, tagset="universal").corpus(["a"], ["a"])
    with pytest.raises(InputError, match="`parser` is 3; None or a parser, a pipeline of spaCy, or a file"):
        Tesla(parser=3)
    with pytest.raises(InputError, match=r"Tesla: `parser`: ConlluParses: 'no\.conllu' cannot be read"):
        Tesla(parser="no.conllu")
    with pytest.raises(InputError, match=r"`similarities` is \(\); a list with a similarity"):
        Tesla(similarities=())


def test_texts_are_parsed_once_and_together() -> None:
    read: list[list[str]] = []

    def parse(texts: list[str]) -> Any:
        read.append(texts)
        return [[Token(word, word, "X") for word in text.split()] for text in texts]

    scorer = Tesla(parser=FunctionParser("counting", parse, "1"))
    segments = Segments(["a b", "b c"] * 300, [["a b", "c"], ["b"]] * 300)
    scorer.corpus(segments, threads=2)
    Tesla(parser=scorer.parser, max_order=2).corpus(segments)
    assert read == [["a b", "b c", "c", "b"]]


def test_signature_names_the_parser(tmp_path: Path) -> None:
    path = tmp_path / "small.conllu"
    path.write_text("1\ta\ta\t_\tDT\t_\t0\troot\t_\t_\n", "utf-8")
    scorer = Tesla(parser=path)
    assert "|parser=small.conllu@" in scorer.signature
    assert Tesla.from_signature(scorer.signature) == scorer
    signature, name = scorer.signature, scorer.parser
    assert Tesla.from_signature(signature, parser=str(path)).parser == name
    gone = signature.replace("small.conllu@", "other.conllu@")
    with pytest.raises(InputError, match=r"the parser 'other\.conllu@.*' is not in use here"):
        Tesla.from_signature(gone)


def test_trace_shows_what_matches() -> None:
    scorer = Tesla(
        parser=parser({word: (word, tag, "") for word, tag in TAGS.items()}),
        synonyms=register_synonyms("young", [["kid", "child"]]),
    )
    trace = metrologue.trace(scorer, WORKED[0], [WORKED[1], "home"])
    table = trace.table("1-grams with reference 1")
    assert table.column("hypothesis") == ("kid", "run", "the")
    assert table.column("reference") == ("child", "run", "the")
    assert sum(table.column("matched")) == pytest.approx(2.1)
    assert "P 1, R 0.677419, F 0.724138" in table.caption
    assert "2 of 3 orders are left out" in trace.text()
    assert "no_such" not in trace.html()
    words = metrologue.trace(Tesla(), "a b", "a")
    assert "without a parser" in words.text()
    assert "0 and 1 distinct words; a map is shown for 1 to 40" in metrologue.trace(Tesla(), "", "a").text()


def test_pairs_of_every_two_texts() -> None:
    texts = ["a b c", "c d", ""]
    scorer = Tesla(parser=parser(), synonyms=register_synonyms("letters", SETS))
    table = scorer.pairwise(texts, ["a c", "d"])
    assert table == pytest.approx(np.array([scorer.segments([one] * 2, ["a c", "d"]) for one in texts]), **close)
    assert scorer.segments(Segments(texts, ["a c", "d", "a"])).shape == (3,)


def test_a_long_text_of_few_words() -> None:
    """Equal n-grams are one entry, so that time and memory depend on the distinct ones."""
    assert Tesla().corpus(["the cat sat on the mat " * 3000], ["the cat sat on the mat " * 3000]).value == 1
    half = Tesla(max_order=1).corpus(["a b " * 3000], ["a c " * 3000])
    assert half.value == pytest.approx(0.5)
