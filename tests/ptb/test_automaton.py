"""The automaton of rules against Python's regular expressions."""

from __future__ import annotations

import re
from itertools import product

import pytest

from metrologue.text.tokenizers.automaton import automaton

PATTERNS = [
    "ab", r"a|b\^", "(?:ab|b)*a", "a?b+", r"[ab]\^", "[^a]", "[^a]b", "[a-b]+", "[^^]", r"\^a", "a{2}", "a{1,2}b",
    "a{2,}", r"(?:a|ab)(?:b|\^)", "a-", "[a-]", "[-a]+b",
]  # fmt: skip
TEXTS = ["".join(text) for length in range(5) for text in product("ab^-", repeat=length)]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_longest_match(pattern: str) -> None:
    found = automaton([(pattern, False)], {})
    for text in TEXTS:
        state, longest = 0, None
        for place, character in enumerate(text, 1):
            state = found.moves[state, found.classes[ord(character)]]
            if state < 0:
                break
            if found.accepted[state] == 0:
                longest = place
        lengths = [length for length in range(1, len(text) + 1) if re.fullmatch(pattern, text[:length])]
        assert longest == (lengths[-1] if lengths else None), text
