"""Porter's stemmer, for words in one array of characters."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metrologue.kernels.arrays import Flags, Ids, Number, Offsets, longest_text
from metrologue.kernels.words import lesser
from metrologue.native import helper, kernel

__all__ = ["Dialect", "stem"]

_A, _B, _D, _E, _G, _I, _L, _N, _O, _S, _T, _U, _W, _X, _Y, _Z = (ord(letter) for letter in "abdegilnostuwxyz")


class Dialect(NamedTuple):
    """The rules of a stemmer.

    After the first step, step s has the rules from `steps[s]` to `steps[s + 1]`. A longer ending comes before a shorter
    one that it ends in. Rule r is for words that end in `letters[rules[2 * r]:rules[2 * r + 1]]`. It keeps the first
    `kept[r]` letters of the ending, drops the others, and appends `letters[rules[2 * r + 1]:rules[2 * r + 2]]`. It
    applies only if the letters that stay have a measure above `measures[s]`.

    Dialects differ in four things. With `short_ie`, dies and died give die, and all other words in -ied lose two
    letters. The letters of `double` stay double. With `two`, a word of two letters can be short as well. With
    `y_behind`, a y becomes i after a consonant that is not the first letter. Otherwise, it becomes i if a vowel stands
    anywhere before it.
    """

    letters: Ids
    rules: Offsets
    kept: Offsets
    steps: Offsets
    measures: Offsets
    short_ie: bool
    double: Ids
    two: bool
    y_behind: bool


@helper
def _mark(word: Ids, vowels: Flags, start: Number, stop: Number) -> None:
    """Mark the vowels: a, e, i, o, u, and a y after a consonant."""
    for i in range(start, stop):
        letter = word[i]
        vowels[i] = letter in (_A, _E, _I, _O, _U) or (letter == _Y and i > 0 and not vowels[i - 1])


@helper
def _measure(vowels: Flags, n: Number) -> Number:
    """How often a consonant follows a vowel in the first n letters: Porter's m."""
    measure = 0
    for i in range(1, n):
        measure += vowels[i - 1] and not vowels[i]
    return measure


@helper
def _first_vowel(vowels: Flags, n: Number) -> Number:
    """The index of the first vowel among the first n letters; n if there is none."""
    i = 0
    while i < n and not vowels[i]:
        i += 1
    return i


@helper
def _is_short(word: Ids, vowels: Flags, n: Number, two: Number) -> Number:
    """Whether the first n letters are a short word: consonants, a vowel, and a consonant other than w, x, y.

    With `two`, a word of two letters is short as well if the first is a vowel and the second is not.
    """
    if two and n == 2 and vowels[0]:
        return word[1] not in (_A, _E, _I, _O, _U)
    return n > 2 and _first_vowel(vowels, n) == n - 2 and not vowels[n - 1] and word[n - 1] not in (_W, _X, _Y)


@helper
def _ends(word: Ids, n: Number, letters: Ids, start: Number, stop: Number) -> Number:
    """Whether n letters end in `letters[start:stop]`."""
    k = 0
    while k < lesser(n, stop - start) and word[n - 1 - k] == letters[stop - 1 - k]:
        k += 1
    return k == stop - start


@helper
def _without_inflection(word: Ids, vowels: Flags, n: Number, dialect: Dialect) -> Number:
    """Do the first step: plurals, -ed and -ing, and i for y. Returns the length that is left."""
    if word[n - 1] == _S and word[n - 2] != _S:
        if word[n - 2] == _E and word[n - 3] == _I:
            n -= 1 if dialect.short_ie and n == 4 else 2
        else:
            n -= 2 if word[n - 2] == _E and n > 3 and word[n - 3] == _S and word[n - 4] == _S else 1
    gone = 0
    if n > 2 and word[n - 1] == _D and word[n - 2] == _E:
        if dialect.short_ie and word[n - 3] == _I:
            n -= 1 if n == 4 else 2
        elif word[n - 3] == _E:
            n -= _measure(vowels, n - 3) > 0
        else:
            gone = 2
    elif n > 2 and word[n - 1] == _G and word[n - 2] == _N and word[n - 3] == _I:
        gone = 3
    if gone and _first_vowel(vowels, n - gone) < n - gone:
        n -= gone
        last, before = word[n - 1], word[n - 2] if n > 1 else 0
        single = last == before and not vowels[n - 1]  # whether a double consonant loses a letter
        for letter in dialect.double:
            single &= letter != last
        ate = before == _A and last == _T
        if (
            ate
            or (before == _B and last == _L)
            or (before == _I and last == _Z)
            or _is_short(word, vowels, n, dialect.two)
        ):
            word[n] = _E
            n += 1
            _mark(word, vowels, n - 1, n)
        elif single:
            n -= 1
    allowed = n > 2 and not vowels[n - 2] if dialect.y_behind else _first_vowel(vowels, n - 1) < n - 1
    if n > 0 and word[n - 1] == _Y and allowed:
        word[n - 1] = _I
        _mark(word, vowels, n - 1, n)
    return n


@kernel
def _stem(
    characters: Ids, offsets: Offsets, dialect: Dialect, word: Ids, vowels: Flags, stems: Ids, stem_offsets: Offsets
) -> None:
    """Fill `stems` and `stem_offsets`: see `stem`. `word` and `vowels` have room for 8 letters more than any word has.

    Invariant: `vowels[:n]` says which of `word[:n]` are vowels. This depends only on the letters before, so it holds
    for each prefix of the word.
    """
    total = 0
    for w in range(len(offsets) - 1):
        n = offsets[w + 1] - offsets[w]
        for i in range(n):
            word[i] = characters[offsets[w] + i]
        if n > 2:
            _mark(word, vowels, 0, n)
            n = _without_inflection(word, vowels, n, dialect)
            for step in range(len(dialect.steps) - 1):
                for rule in range(dialect.steps[step], dialect.steps[step + 1]):
                    start, stop = dialect.rules[2 * rule], dialect.rules[2 * rule + 1]
                    if _ends(word, n, dialect.letters, start, stop):
                        left = n - (stop - start) + dialect.kept[rule]
                        if _measure(vowels, left) > dialect.measures[step]:
                            n = left
                            for k in range(stop, dialect.rules[2 * rule + 2]):
                                word[n] = dialect.letters[k]
                                n += 1
                            _mark(word, vowels, left, n)
                        break
            if n > 0 and word[n - 1] == _E:
                measure = _measure(vowels, n - 1)
                n -= measure > 1 or (measure == 1 and not _is_short(word, vowels, n - 1, dialect.two))
            if n > 1 and word[n - 1] == _L and word[n - 2] == _L:
                n -= _measure(vowels, n) > 1
        for i in range(n):
            stems[total] = word[i]
            total += 1
        stem_offsets[w + 1] = total


def stem(characters: Ids, offsets: Offsets, dialect: Dialect) -> tuple[Ids, Offsets]:
    """The stems of words, in lower case, by Porter (1980), https://tartarus.org/martin/PorterStemmer/.

    Word w is `characters[offsets[w]:offsets[w + 1]]`. The stems are returned in the same form. A word of fewer than
    three characters is its own stem.
    """
    stems, stem_offsets = np.empty(offsets.item(-1) + len(offsets), np.int32), np.zeros(len(offsets), np.int64)
    longest = longest_text(characters, offsets) + 8
    word, vowels = np.empty(longest, np.int32), np.empty(longest, np.bool_)
    _stem(characters, offsets, *dialect, word, vowels, stems, stem_offsets)
    return stems[: stem_offsets.item(-1)], stem_offsets
