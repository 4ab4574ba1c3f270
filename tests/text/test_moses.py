"""Moses' tokens from those of words are the tokens of the whole text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrologue.text.tokenizers.moses import by_words

PIECES = [
    *"aAbZé ßñ19٣,.'`-\"()&|<>[]@#…—’«»/:;!?% \t\x00\x1f\u00a0\u3000中あ한α\u094d\u0b3c", "...", "..", ".'", "' '",
    "'s", "U.S.", "Nr.", "z.B.", "No.", "DOTMULTI", "DOT", "1,000", ",,", "can't", "l'a", "don", "p. 5", " 5", "x ",
    " y",
]  # fmt: skip


@pytest.mark.parametrize("aggressive", [False, True])
@pytest.mark.parametrize("language", ["en", "de", "fr", "ko"])
@given(texts=st.lists(st.lists(st.sampled_from(PIECES), max_size=24).map("".join), min_size=40, max_size=40))
def test_words_are_cut_as_in_their_text(language: str, aggressive: bool, texts: list[str]) -> None:
    moses = pytest.importorskip("sacremoses", reason="sacremoses is not installed").MosesTokenizer(language)

    def cut(text: str) -> str:
        return str(moses.tokenize(text, aggressive_dash_splits=aggressive, return_str=True, escape=language != "fr"))

    tokens = by_words(moses, cut)
    for text in texts:
        assert tokens(text) == cut(text).split(), text
        assert tokens(text) == cut(text).split(), text  # from what is kept
