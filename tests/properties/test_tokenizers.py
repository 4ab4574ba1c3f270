"""Tokenizers as they are called by hand: with a string, or with several."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from metrologue.errors import InputError
from metrologue.text.tokenizers import Tokens, get_tokenizer, list_tokenizers, register_tokenizer

TEXTS = ["It is, (x) late.", "", "café au lait", "It is, (x) late."]
# Those that download nothing.
NAMES = [name for name in list_tokenizers(registered=False) if not name.startswith(("flores", "sp"))]


@pytest.mark.parametrize("name", NAMES)
def test_a_string_gives_a_list_and_a_list_gives_lists(name: str) -> None:
    try:
        tokenizer = get_tokenizer(name)
    except InputError as error:
        pytest.skip(str(error))
    lists = tokenizer(TEXTS)
    assert lists == [tokenizer(text) for text in TEXTS]
    assert {type(token) for tokens in lists for token in tokens} == {str}
    assert lists[0]
    tokens = tokenizer(pa.array(TEXTS, pa.large_string()))
    assert isinstance(tokens, Tokens)
    assert [tokens.of_text(i) for i in range(len(TEXTS))] == lists
    assert tokenizer([]) == []


def test_other_sequences() -> None:
    register_tokenizer("by-comma", lambda text: text.split(","))
    tokenizer = get_tokenizer("by-comma")
    assert tokenizer("a,b") == ["a", "b"]
    several: tuple[Any, ...] = (("a,b", "c"), np.array(["a,b", "c"]), iter(["a,b", "c"]), pa.array(["a,b", "c"]))
    for texts in several:
        assert tokenizer(texts) == [["a", "b"], ["c"]]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (None, "`texts` is a NoneType"),
        (3, "`texts` is a int"),
        (b"a b", "`texts` is a bare bytes"),
        (["a", 3], r"`texts\[1\]` is"),
        ("\ud800", r"`texts\[0\]`"),
    ],
)
def test_what_is_no_text(texts: Any, message: str) -> None:
    with pytest.raises(InputError, match=f"^tokenizer: {message}"):
        get_tokenizer("13a")(texts)
