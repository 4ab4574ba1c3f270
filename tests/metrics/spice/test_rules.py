"""The rules from parses to tuples: with the relations of Universal Dependencies, and on trees of any shape."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrologue.representations.parses import Token
from metrologue.scorers.spice.rules import scene_tuples

# A token is its lemma, with its form before "~" if it differs, its part of speech, its head's number and its relation.
UNIVERSAL = {
    "girl/NOUN/2/nsubj stand/VERB/0/root on/ADP/4/case court/NOUN/2/obl with/ADP/6/case racket/NOUN/4/nmod": [
        "girl", "court", "racket", "girl stand", "girl on court", "court with racket",
    ],
    "ball/NOUN/3/nsubj:pass is~be/AUX/3/aux:pass hold/VERB/0/root by/ADP/5/case boy/NOUN/3/obl:agent": [
        "ball", "boy", "boy hold ball",
    ],
    "hat/NOUN/3/nsubj is~be/AUX/3/cop blue/ADJ/0/root": ["hat", "hat blue"],
    "dog/NOUN/3/nsubj is~be/AUX/3/cop animal/NOUN/0/root in/ADP/5/case park/NOUN/3/nmod": [
        "dog", "animal", "park", "dog be animal", "animal in park",
    ],
    "there/PRON/2/expl is~be/VERB/0/root cat/NOUN/2/nsubj next/ADJ/6/case to/ADP/4/fixed sofa/NOUN/2/obl": [
        "cat", "sofa", "cat next_to sofa",
    ],
    "group/NOUN/4/nsubj of/ADP/3/case people/NOUN/1/nmod sit/VERB/0/root two/NUM/6/nummod table/NOUN/4/obj": [
        "people", "table", "table two", "people sit table",
    ],
    "cat/NOUN/2/nsubj sit/VERB/0/root in/ADP/4/case front/NOUN/2/obl of/ADP/6/case couch/NOUN/4/nmod": [
        "cat", "couch", "cat sit", "cat in_front_of couch",
    ],
    "woman/NOUN/3/nmod:poss 's/PART/1/case hat/NOUN/4/nsubj fall/VERB/0/root": [
        "woman", "hat", "hat fall", "woman have hat",
    ],
    "bird/NOUN/5/nsubj that/PRON/4/obj child/NOUN/4/nsubj feed/VERB/1/acl:relcl sing/VERB/0/root": [
        "bird", "child", "bird sing", "child feed bird",
    ],
    "dog/NOUN/4/nsubj that/PRON/3/nsubj run/VERB/1/acl:relcl jump/VERB/0/root": ["dog", "dog run", "dog jump"],
    "dog/NOUN/0/root that/PRON/3/nsubj run/VERB/1/acl:relcl and/CCONJ/5/cc jump/VERB/3/conj": [
        "dog", "dog run", "dog jump",
    ],
    "boy/NOUN/4/nsubj or/CCONJ/3/cc girl/NOUN/1/conj eat/VERB/0/root pie/NOUN/4/obj and/CCONJ/7/cc laugh/VERB/4/conj": [
        "boy", "girl", "pie", "boy laugh", "girl laugh", "boy eat pie", "girl eat pie",
    ],
    "big/ADJ/4/amod and/CCONJ/3/cc old/ADJ/1/conj tennis/NOUN/5/compound court/NOUN/0/root": [
        "court", "court tennis",
    ],
}  # fmt: skip


def parsed(text: str) -> list[Token]:
    tokens = []
    for each in text.split():
        word, pos, head, relation = each.split("/")
        form, _, lemma = word.rpartition("~")
        tokens.append(Token(form or lemma, lemma, "", pos, int(head) - 1, relation))
    return tokens


@pytest.mark.parametrize("text", UNIVERSAL)
def test_universal_dependencies(text: str) -> None:
    found = [" ".join(word.replace(" ", "_") for word in each) for each in scene_tuples(parsed(text))]
    assert sorted(found) == sorted(UNIVERSAL[text])
    assert [len(each) for each in scene_tuples(parsed(text))] == sorted(len(each.split()) for each in UNIVERSAL[text])


TEXT = """
nsubj nsubjpass dobj iobj obl nmod prep pobj case fixed conj amod compound acl relcl acl:relcl advcl xcomp attr acomp
expl agent prt poss cop auxpass advmod ROOT
"""
RELATIONS = TEXT.split()
LEMMAS = ["group", "front", "dog", "be", "by", "of", "that", "two"]
POS = ["NOUN", "PROPN", "VERB", "AUX", "ADJ", "ADP", "PRON", "ADV"]


rows = st.tuples(st.sampled_from(LEMMAS), st.sampled_from(POS), st.integers(-1, 9), st.sampled_from(RELATIONS))


@given(rows=st.lists(rows, max_size=10), is_tree=st.booleans())
def test_any_parse(rows: list[tuple[str, str, int, str]], is_tree: bool) -> None:
    """Whatever the relations are, tuples are well formed, also if tokens depend on each other in a circle."""
    tokens = [
        Token(lemma, lemma, "", pos, min(head, place - 1 if is_tree else len(rows) - 1), relation)
        for place, (lemma, pos, head, relation) in enumerate(rows)
    ]
    found = scene_tuples(tokens)
    objects = {each[0] for each in found if len(each) == 1}
    assert len(set(found)) == len(found)
    for each in found:
        assert 1 <= len(each) <= 3
        assert {each[0], each[2] if len(each) == 3 else each[0]} <= objects


def test_a_long_list() -> None:
    """Thousands of words in a row that are joined, each to the one before it."""
    words = [Token(f"w{place}", f"w{place}", "", "NOUN", place - 1, "conj") for place in range(3000)]
    assert len(scene_tuples(words)) == 3000
    chain = [Token("on", "on", "", "ADP", place, "prep") for place in range(3000)]
    assert scene_tuples([*words[:1], *chain]) == [("w0",)]
    up = [Token("run", "run", "", "VERB", place, "conj") for place in range(3000)]
    assert scene_tuples([*words[:1], *up]) == [("w0",), ("w0", "run")]
