"""The formulas of readability, over counts of words, sentences and syllables, and the numbers that they give."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from metrologue.data.arrays import Flags, Floats
from metrologue.scorers.core.numbers import number
from metrologue.scorers.core.rows import ratio

__all__ = [
    "MEASURES",
    "NUMBERS",
    "ari",
    "coleman_liau",
    "dale_chall",
    "fkgl",
    "flesch",
    "gunning_fog",
    "rounded_in_steps",
    "smog",
]

# What is added for a text of hard words.
_OF_HARD_TEXTS = 3.6365


def fkgl(words_per_sentence: Floats, syllables_per_word: Floats, of_length: float = 0.39) -> Floats:
    """The Flesch-Kincaid grade level (Kincaid et al. 1975).

    Examples
    --------
    >>> round(float(fkgl(np.array(20.0), np.array(1.5))), 2)
    9.91
    """
    return of_length * words_per_sentence + 11.8 * syllables_per_word - 15.59


def flesch(words_per_sentence: Floats, syllables_per_word: Floats) -> Floats:
    """Flesch's reading ease (1948): the higher, the easier."""
    return 206.835 - 1.015 * words_per_sentence - 84.6 * syllables_per_word


def gunning_fog(words_per_sentence: Floats, complex_words: Floats) -> Floats:
    """Gunning's fog index (1952); `complex_words` in per cent."""
    return 0.4 * (words_per_sentence + complex_words)


def dale_chall(words_per_sentence: Floats, difficult_words: Floats, is_hard: Flags) -> Floats:
    """The score of Dale and Chall (1948); `difficult_words` in per cent. `is_hard` says where 3.6365 is added."""
    return 0.1579 * difficult_words + 0.0496 * words_per_sentence + np.where(is_hard, _OF_HARD_TEXTS, 0.0)


def smog(polysyllables_per_sentence: Floats, constants: str = "published") -> Floats:
    """McLaughlin's SMOG (1969), "published"; or "simple": the root of the polysyllables in 30 sentences, plus 3."""
    root = np.sqrt(30 * polysyllables_per_sentence)
    return root + 3 if constants == "simple" else 1.043 * root + 3.1291


def ari(words_per_sentence: Floats, characters_per_word: Floats) -> Floats:
    """The automated readability index (Smith and Senter 1967)."""
    return 4.71 * characters_per_word + 0.5 * words_per_sentence - 21.43


def coleman_liau(letters: Floats, words: Floats, sentences: Floats, constants: str = "published") -> Floats:
    """The index of Coleman and Liau (1975), with the "published" constants, the "exact" ones, or 0.058 ("short")."""
    if constants == "exact":
        return ratio(5.879851 * letters, words) - ratio(29.58728 * sentences, words) - 15.800804
    of_letters = 0.058 if constants == "short" else 0.0588
    return of_letters * (ratio(letters, words) * 100) - 0.296 * (ratio(sentences, words) * 100) - 15.8


def _rounded(values: Floats, digits: int) -> Floats:
    """Half away from zero, of positive numbers; of a negative one the next below its half, as textstat 0.7.3 does it.

    Examples
    --------
    >>> _rounded(np.array([0.25, -0.25, -0.21]), 1)
    array([ 0.3, -0.3, -0.3])
    """
    power = 10**digits
    rounded: Floats = np.floor(values * power + np.copysign(0.5, values)) / power
    return rounded


def rounded_in_steps(counts: Mapping[str, Floats]) -> dict[str, Floats]:
    """All numbers as textstat 0.7.3 gives them, which rounds ratios to one or two decimals before it goes on."""
    sentences, words = counts["sentence_count"], counts["word_count"]
    length = _rounded(ratio(words, sentences), 1)
    syllables = _rounded(ratio(counts["syllable_count"], words), 1)
    easy = ratio(words - counts["difficult_count"], words) * 100
    difficult = np.where(words > 0, 100 - easy, 0.0)
    letters, characters = (_rounded(ratio(counts[name], words), 2) for name in ("letter_count", "character_count"))
    per_word = _rounded(ratio(sentences, words), 2)
    long_words = ratio(counts["smog_word_count"], counts["smog_sentence_count"])
    return {
        "fkgl": _rounded(fkgl(length, syllables), 1),
        "flesch": _rounded(flesch(length, syllables), 2),
        "gunning_fog": _rounded(gunning_fog(length, ratio(counts["complex_count"], words) * 100), 2),
        "dale_chall": _rounded(dale_chall(length, difficult, difficult > 5), 2),
        "smog": np.where(sentences >= 3, _rounded(smog(long_words), 1), 0.0),
        "ari": np.where(words > 0, _rounded(ari(_rounded(ratio(words, sentences), 2), characters), 1), 0.0),
        "coleman_liau": _rounded(0.058 * _rounded(letters * 100, 2) - 0.296 * _rounded(per_word * 100, 2) - 15.8, 2),
    }


NUMBERS = (
    number(
        "fkgl", "_least_fkgl", math.inf, better="lower", title="FKGL", heading="fkgl", unit="grades",
        about="Flesch-Kincaid grade level: 0.39 words per sentence + 11.8 syllables per word - 15.59",
    ),
    number(
        "flesch", -math.inf, math.inf, better="higher", title="Flesch reading ease", heading="flesch",
        about="206.835 - 1.015 words per sentence - 84.6 syllables per word",
    ),
    number(
        "gunning_fog", 0, math.inf, better="lower", title="Gunning fog", heading="fog", unit="grades",
        about="0.4 (words per sentence + per cent of complex words)",
    ),
    number(
        "smog", 0, math.inf, better="lower", title="SMOG", heading="smog", unit="grades",
        about="1.043 sqrt(30 words of three or more syllables per sentence) + 3.1291",
    ),
    number(
        "ari", -math.inf, math.inf, better="lower", title="ARI", heading="ari", unit="grades",
        about="automated readability index: 4.71 characters per word + 0.5 words per sentence - 21.43",
    ),
    number(
        "coleman_liau", -math.inf, math.inf, better="lower", title="Coleman-Liau", heading="coleman-liau",
        unit="grades", about="5.88 letters per word - 29.6 sentences per word - 15.8",
    ),
    number(
        "dale_chall", 0, math.inf, better="lower", title="Dale-Chall", heading="dale-chall",
        about="0.1579 per cent of difficult words + 0.0496 words per sentence, + 3.6365 if these are above 5 per cent",
    ),
)  # fmt: skip
MEASURES = tuple(one.name for one in NUMBERS)
