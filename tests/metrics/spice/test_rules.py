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


# The same sentence with the relations of spaCy's models, and with those of Universal Dependencies.
BOTH = {
    "dog/NOUN/2/nsubj is~be/AUX/0/ROOT on/ADP/2/prep grass/NOUN/3/pobj": (
        "dog/NOUN/4/nsubj is~be/AUX/4/cop on/ADP/4/case grass/NOUN/0/root", ["dog", "grass", "dog on grass"],
    ),
    "dog/NOUN/2/nsubj is~be/AUX/0/ROOT animal/NOUN/2/attr": (
        "dog/NOUN/3/nsubj is~be/AUX/3/cop animal/NOUN/0/root", ["dog", "animal", "dog be animal"],
    ),
    "dog/NOUN/6/nsubj that/PRON/3/nsubj is~be/AUX/1/relcl on/ADP/3/prep grass/NOUN/4/pobj run/VERB/0/ROOT": (
        "dog/NOUN/6/nsubj that/PRON/5/nsubj is~be/AUX/5/cop on/ADP/5/case grass/NOUN/1/acl:relcl run/VERB/0/root",
        ["dog", "grass", "dog run", "dog on grass"],
    ),
    "dog/NOUN/2/nsubj is~be/AUX/0/ROOT in/ADP/2/prep front/NOUN/3/pobj of/ADP/4/prep couch/NOUN/5/pobj": (
        "dog/NOUN/4/nsubj is~be/AUX/4/cop in/ADP/4/case front/NOUN/0/root of/ADP/6/case couch/NOUN/4/nmod",
        ["dog", "couch", "dog in_front_of couch"],
    ),
    "dog/NOUN/2/nsubj is~be/AUX/0/ROOT on/ADP/2/prep grass/NOUN/3/pobj or/CCONJ/3/cc in/ADP/3/conj pool/NOUN/6/pobj": (
        "dog/NOUN/4/nsubj is~be/AUX/4/cop on/ADP/4/case grass/NOUN/0/root or/CCONJ/7/cc in/ADP/7/case pool/NOUN/4/conj",
        ["dog", "grass", "pool", "dog on grass", "dog in pool"],
    ),
    "stick/NOUN/0/ROOT held~hold/VERB/1/acl by/ADP/2/agent dog/NOUN/3/pobj": (
        "stick/NOUN/0/root held~hold/VERB/1/acl by/ADP/4/case dog/NOUN/2/obl:agent",
        ["stick", "dog", "dog hold stick"],
    ),
    "boy/NOUN/0/ROOT holding~hold/VERB/1/acl ball/NOUN/2/dobj": (
        "boy/NOUN/0/root holding~hold/VERB/1/acl ball/NOUN/2/obj", ["boy", "ball", "boy hold ball"],
    ),
    "dog/NOUN/2/nsubj go/VERB/0/ROOT over/ADP/2/prep dam/NOUN/3/pobj or/CCONJ/3/cc into/ADP/3/conj pool/NOUN/6/pobj": (
        "dog/NOUN/2/nsubj go/VERB/0/root over/ADP/4/case dam/NOUN/2/obl or/CCONJ/7/cc into/ADP/7/case pool/NOUN/4/conj",
        ["dog", "dam", "pool", "dog go", "dog over dam", "dog into pool"],
    ),
    "dog/NOUN/2/nsubj run/VERB/0/ROOT over/ADP/2/prep hill/NOUN/3/pobj and/CCONJ/4/cc pool/NOUN/4/conj": (
        "dog/NOUN/2/nsubj run/VERB/0/root over/ADP/4/case hill/NOUN/2/obl and/CCONJ/6/cc pool/NOUN/4/conj",
        ["dog", "hill", "pool", "dog run", "dog over hill", "dog over pool"],
    ),
    "dog/NOUN/2/nsubj jump/VERB/0/ROOT off/ADP/2/prep of/ADP/3/prep couch/NOUN/4/pobj": (
        "dog/NOUN/2/nsubj jump/VERB/0/root off/ADP/5/case of/ADP/3/fixed couch/NOUN/2/obl",
        ["dog", "couch", "dog jump", "dog off_of couch"],
    ),
    "dog/NOUN/2/nsubj is~be/AUX/0/ROOT animal/NOUN/2/attr with/ADP/2/prep tail/NOUN/4/pobj": (
        "dog/NOUN/3/nsubj is~be/AUX/3/cop animal/NOUN/0/root with/ADP/5/case tail/NOUN/3/obl",
        ["dog", "animal", "tail", "dog be animal", "dog with tail"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", BOTH)
def test_both_kinds_of_relations_give_the_same_tuples(text: str) -> None:
    universal, expected = BOTH[text]
    for each in (text, universal):
        found = [" ".join(word.replace(" ", "_") for word in words) for words in scene_tuples(parsed(each))]
        assert sorted(found) == sorted(expected)


TEXT = """
nsubj nsubjpass dobj iobj obl nmod prep pobj case fixed conj amod compound acl relcl acl:relcl advcl xcomp attr acomp
expl agent prt poss cop auxpass advmod obl:agent ROOT
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
