"""sacremoses, word by word: what it makes of a word depends on little else, and most words occur many times."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain
from typing import Any

__all__ = ["by_words"]

# What sacremoses takes out of a text, besides whitespace.
_JUNK = re.compile("[\x00-\x1f]")
# A word without these is cut alike at any place.
_MARKS = re.compile("[.,']")
# What stands for several points meanwhile.
_DOTS = "DOTMULTI"
# So many words are kept, and none that is longer.
_MOST, _LONGEST = 1 << 17, 40


def by_words(tokenizer: Any, cut: Callable[[str], str]) -> Callable[[str], list[str]]:
    """The tokens of a text by a ``MosesTokenizer``, from those of its words.

    A comma and an apostrophe are cut by what stands on both sides, a point also by how the next word begins: in lower
    case, with a digit, or neither. So a word is cut once for each of these places, between words that stand for others.

    Parameters
    ----------
    tokenizer : MosesTokenizer
    cut : callable
        Its ``tokenize`` with some options, from a text to a line of tokens.
    """
    lower, kept = frozenset(tokenizer.IsLower), dict[tuple[str, bool, str], list[str]]()
    is_plain = re.compile(f"[{tokenizer.IsAlnum}]+").fullmatch
    numeric = frozenset(tokenizer.NUMERIC_ONLY_PREFIXES)
    abbreviations = frozenset(tokenizer.NONBREAKING_PREFIXES) - numeric

    def keeps_point(word: str, after: str) -> bool:
        return word in abbreviations or after == "a" or (word in numeric and after == "1")

    def next_of(word: str) -> str:
        """A word that begins in the same way, and stays as it is."""
        return "a" if word[0] in lower else "1" if word[0] in "0123456789" else "A"

    def tokens_of(word: str, is_first: bool, after: str) -> list[str]:
        bare, mark = (word[:-1], word[-1]) if word[-1] in ".," else (word, "")
        if is_plain(bare) and _DOTS not in word:
            return [bare, mark] if mark == "," or (mark and not keeps_point(bare, after)) else [word]
        key = (word, is_first, after) if _MARKS.search(word) else (word, False, "")
        if (found := kept.get(key)) is None:
            before = [] if key[1] else ["A"]
            found = cut(" ".join([*before, word, *filter(None, [key[2]])])).split()
            found = found[len(before) : len(found) - bool(key[2])]
            if len(kept) >= _MOST:
                kept.clear()
            if len(word) <= _LONGEST:
                kept[key] = found
        return found

    def tokens(text: str) -> list[str]:
        line = _JUNK.sub("", " ".join(text.split()))
        if "' '" in line:  # the space between two apostrophes goes to the first of them
            return cut(text).split()
        words = line.split()
        after = [*map(next_of, words[1:]), ""]
        return [*chain.from_iterable(map(tokens_of, words, chain([True], [False] * len(words)), after))]

    return tokens
