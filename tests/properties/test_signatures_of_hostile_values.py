"""Signatures of every scorer keep every value of every field: also texts that look like parts of a signature."""

from __future__ import annotations

import re
from typing import Any, get_args, get_origin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrologue.errors import InputError
from metrologue.scorers import F1, ConfusionMatrix, Scorer, get_scorer, list_scorers
from metrologue.scorers.core.options import (
    LabelText,
    Option,
    field_types,
    options_of,
    parsed_fields,
    spelled,
    table_fields,
)
from metrologue.scorers.core.variants import short_signature
from metrologue.text.tokenizers import list_tokenizers

PIECES = [
    "", ",", ",,", "[", "]", "[]", "[a]", '"', '""', "'", "|", "||", "\\", "\n", "\r\n", "\t", " ", "\x00", "\x85",
    "\u2028", "=", "|scale=2", "|metrologue=0.1.0", ":", "nrefs:1|tok:13a", "%", "%2C", "%22%22", "%ED%A0%80", "+",
    "{}", "null", "None", "true", "False", "1", "1.0", "-0", "1e5", "NaN", "inf", "é", "e\u0301", "猫", "🙂",
    "\ufeff", "\U0010ffff",
]  # fmt: skip
hostile = st.one_of(
    st.sampled_from(PIECES), st.lists(st.sampled_from(PIECES), max_size=3).map("".join), st.text(max_size=5)
)


def values(declared: Option, kind: Any) -> st.SearchStrategy[Any]:
    """Values that a field may have, by its declaration."""
    if get_origin(kind) is tuple:
        items = values(declared, get_args(kind)[0])
        return st.lists(items, max_size=5, unique=get_args(kind)[0] is not float).map(tuple)
    if get_args(kind):  # it may be None
        return st.none() | values(declared, get_args(kind)[0])
    if declared.one_of:
        return st.sampled_from([*declared.one_of])
    if kind in (int, float):
        numbers = st.integers if kind is int else st.floats
        least, greatest = (kind(limit) for limit in (declared.least, declared.greatest))
        infinite = st.just(float("inf")) if declared.infinite else st.nothing()
        return st.one_of(numbers(least, greatest), st.sampled_from([least, greatest]), infinite)
    made = {
        bool: st.booleans(),
        LabelText: hostile,
        "tokenizer": st.sampled_from(list_tokenizers(registered=False)),
        "regex": hostile.map(re.escape),
        "base": st.sampled_from(["2", "e", "10", "1.5"]),
    }
    return made.get(kind, made.get(declared.kind or "", hostile))


@st.composite
def scorers(draw: st.DrawFn, name: str) -> Scorer | None:
    """A scorer with a few fields of any value; None where these contradict each other."""
    kind = get_scorer(name)
    types, declared = field_types(kind), options_of(kind)
    # Tables and models go by their digests, which other tests look at.
    free = sorted({*declared} - {*table_fields(kind)})
    chosen = draw(st.lists(st.sampled_from(free), max_size=3, unique=True))
    fields = {field: draw(values(declared[field], types[field])) for field in chosen}
    try:
        return kind(**fields)
    except InputError:
        return None


@pytest.mark.parametrize("name", list_scorers())
@given(data=st.data())
def test_every_value_of_every_field_is_read_back(name: str, data: st.DataObject) -> None:
    scorer = data.draw(scorers(name))
    if scorer is None:
        return
    kind = type(scorer)
    assert Scorer.from_signature(scorer.signature) == scorer
    assert Scorer.from_signature(short_signature(scorer)) == scorer
    assert scorer.signature.isprintable()
    texts = {field: spelled(getattr(scorer, field)) for field in options_of(kind) if field not in table_fields(kind)}
    tables = {field: getattr(scorer, field) for field in table_fields(kind)}
    assert kind._from_fields({**parsed_fields(kind, texts), **tables}) == scorer


@given(labels=st.lists(hostile, min_size=1, max_size=4, unique=True), positive=hostile)
def test_labels_of_any_text_are_read_back(labels: list[str], positive: str) -> None:
    for scorer in (F1(labels=labels, average="macro"), F1(pos_label=positive), ConfusionMatrix(labels=labels)):
        again = Scorer.from_signature(scorer.signature)
        assert (again, again.signature) == (scorer, scorer.signature)


def test_an_empty_label_is_a_label() -> None:
    """Without the empty label, the mean would be that of one label."""
    scorer = F1(labels=("", "x"), average="macro", zero_division=0)
    corpus = ["", "x", "x"], ["x", "x", ""]
    assert '|labels=["",x]|' in scorer.signature
    assert Scorer.from_signature(scorer.signature).corpus(*corpus).value == scorer.corpus(*corpus).value == 0.25
    assert parsed_fields(F1, {"labels": "[]"}) == {"labels": ()}
    assert parsed_fields(F1, {"labels": "[,x]"}) == {"labels": ("", "x")}
    with pytest.raises(InputError, match=r"`labels` is \(\)"):
        Scorer.from_signature("f1|labels=[]")


@pytest.mark.parametrize("wrong", ["\ud800", "a\udfff"])
def test_lone_surrogates_are_refused(wrong: str) -> None:
    for fields in ({"labels": ("a", wrong)}, {"pos_label": wrong}):
        with pytest.raises(InputError, match=rf"^F1: `{next(iter(fields))}` is .*; text without lone surrogates is "):
            F1(**fields)


@pytest.mark.parametrize("wrong", ["%FF", "%ED%A0%80", "%C3", "a%80b"])
def test_a_signature_with_bytes_that_are_not_utf_8(wrong: str) -> None:
    for signature in (f"f1|labels=[{wrong}]", f"f1|pos_label={wrong}", f"exact_match|regexes_to_ignore=[{wrong}]"):
        with pytest.raises(InputError, match="text without lone surrogates is expected"):
            Scorer.from_signature(signature)
