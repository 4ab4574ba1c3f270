"""The stemmers of METEOR 1.5: Snowball's Java code from before 2010.

PyStemmer 2 has the same algorithms, except for a few later changes. Each change is undone by a disguise: letters that a
newer rule looks at are replaced by other letters, which the older rules treat in the same way, and restored in the
stem. PyStemmer 3 has other algorithms for half of the languages.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from metrologue.errors import InputError
from metrologue.origin import pip_install
from metrologue.text.lexicon.hashes import java_hashes
from metrologue.text.lexicon.locate import jar_file, long_name

_Stem = Callable[[str], str]

# These letters belong to no language. Every rule takes them for consonants.
_A, _B = "\ue000", "\ue001"


def _disguised(pattern: str, letters: dict[str, str]) -> Callable[[_Stem, str], str]:
    """A stemmer that replaces letters where the pattern matches, and restores them in the stem."""
    search, there = re.compile(pattern), str.maketrans(letters)
    back = str.maketrans({new: old for old, new in letters.items()})
    return lambda stem, word: stem(search.sub(lambda match: match[0].translate(there), word)).translate(back)


# PyStemmer's French writes ë and ï as He and Hi, so the diaeresis is not part of the vowel. It drops the e of -guë
# without checking its position.
_DIAERESIS = re.compile("[ëïH]")
_FRENCH_VOWEL = "[aeiouyâàëéêèïîôûù]"
_DROPPED = re.compile(
    rf"^((?>{_FRENCH_VOWEL}{_FRENCH_VOWEL}.|par|col|tap|.(?:(?!{_FRENCH_VOWEL}).)*{_FRENCH_VOWEL}).*gu)ë(?=s?$)"
)


def _restored(word: str, disguised: str, short: str) -> str:
    """The stem of a disguised word, with the original letters wherever the stem has kept them."""
    kept = [old if letter == new else letter for old, new, letter in zip(word, disguised, short, strict=False)]
    return "".join(kept) + short[len(kept) :]


_FRENCH = str.maketrans("ëïH", f"ôô{_A}")  # no ending has ô


def _french(stem: _Stem, word: str) -> str:
    if not _DIAERESIS.search(word):
        return stem(word)
    word = _DROPPED.sub(r"\1e", word)
    disguised = word.translate(_FRENCH)
    return _restored(word, disguised, stem(disguised))


# METEOR's Java code asks a second stemmer whether there is a long vowel or an i before -den, -seen, -siin and -tten.
# That stemmer has no word, so the answer is always no, and only the n is an ending. Letters that are not Finnish count
# as consonants.
_NOT_ENDINGS = (
    "(?:(?<!d)d+(?=en)|(?<!s)s+(?=iin|een)|(?<!t)tt+(?=en))(?=(?:iin|een|en)(?:kin|kaan|kään|ko|kö|han|hän|pa|pä)?$)"
)
_FINNISH = re.compile(f"{_NOT_ENDINGS}|[^a-zäö]")


def _finnish(stem: _Stem, word: str) -> str:
    return _as_consonants(stem, word, _FINNISH, "xqzwcfgbdhjklmnprstv") if _FINNISH.search(word) else stem(word)


def _as_consonants(stem: _Stem, word: str, pattern: re.Pattern[str], consonants: str) -> str:
    """The stem if letters that match the pattern count as consonants. Different letters become different consonants."""
    free = iter([consonant for consonant in consonants if consonant not in word])
    letters = {letter: next(free, "x") for letter in dict.fromkeys("".join(pattern.findall(word)))}
    there = str.maketrans(letters)
    disguised = pattern.sub(lambda match: match[0].translate(there), word)
    # The stem consists of letters of the word in their order.
    left, at = [], 0
    for letter in stem(disguised):
        at = disguised.index(letter, at) + 1
        left.append(word[at - 1])
    return "".join(left)


# At the end of a word, METEOR's Danish reduces any doubled letter that is not a vowel. PyStemmer reduces only doubled
# consonants. Before a final s, x, q and w behave like a letter that is not Danish.
_DOUBLED, _NOT_DANISH = re.compile(r"([^a-zæåø])\1"), re.compile("[^a-zæåø]")


def _danish(stem: _Stem, word: str) -> str:
    return _as_consonants(stem, word, _NOT_DANISH, "xqw") if _DOUBLED.search(word) else stem(word)


# PyStemmer's Dutch does not change the first three bytes, METEOR's the first three letters. The first two letters are
# therefore replaced by letters of one byte.
_DUTCH = re.compile("è|(?<=^.)[^\x00-\x7fäëïöüáéíóúè]")


def _dutch(stem: _Stem, word: str) -> str:
    if word.isascii() or not _DUTCH.search(word[:2]):
        return stem(word)
    begin = _DUTCH.sub(lambda match: "a" if match[0] == "è" else "b", word[:2])
    return _restored(word, begin + word[2:], stem(begin + word[2:]))


_CORRECTED: dict[str, Callable[[_Stem, str], str]] = {
    "russian": _disguised("ё", {"ё": _A}),  # not a letter of the old alphabet
    "hungarian": _disguised("[õûőű]", {"õ": "ő", "û": "ű", "ő": _A, "ű": _B}),  # old code: Latin-1 letters instead
    "portuguese": _disguised("uç(?=ão$|ões$)", {"ç": _A}),  # was not an ending
    "german": _disguised("niss(?=e[ns]?$)", {"s": _A}),  # kept its s
    "french": _french,
    "dutch": _dutch,
    "danish": _danish,
    "finnish": _finnish,
}


def meteor_stems(words: Sequence[str], language: str) -> list[str]:
    """The stem that METEOR 1.5 gives to each word.

    Raises an InputError if METEOR 1.5 has no stemmer for the language, or PyStemmer 2 is not installed; for Arabic, if
    the jar is not there.

    Parameters
    ----------
    language : str
        One of METEOR 1.5's languages.

    Examples
    --------
    >>> meteor_stems(["Kenntnisse", "kenntnisse"], "de")
    ['Kenntniss', 'kenntniss']
    """
    if language == "ar-bw-red":
        return _looked_up(words)
    name = long_name(language)
    if language in ("cz", "other"):
        raise InputError(f'METEOR 1.5 has no stemmer for {language!r}; leave the stage "stem" out.')
    stemmer = _stemmers().Stemmer(name, 0)
    if name not in _CORRECTED:
        stems: list[str] = stemmer.stemWords(list(words))
        return stems
    corrected = _CORRECTED[name]
    return [corrected(stemmer.stemWord, word) for word in words]


@cache  # the metadata of a package take longer to read than many words to stem
def _stemmers() -> Any:
    """The module of PyStemmer 2."""
    try:
        installed = version("PyStemmer")
        import Stemmer
    except (PackageNotFoundError, ImportError):
        installed = "no PyStemmer"
    if not installed.startswith("2."):
        raise InputError(
            f"METEOR 1.5's stemmers are those of PyStemmer 2; installed is {installed}. "
            f"pip install 'PyStemmer>=2.0.1,<3', or {pip_install('meteor')}, which has all that METEOR needs."
        )
    return Stemmer


def _looked_up(words: Sequence[str]) -> list[str]:
    """The stems in METEOR's table for Arabic (reduced Buckwalter), by hash code. Of equal codes, the last counts."""
    table = _arabic()
    return [table.get(code, word) for word, code in zip(words, java_hashes(words).tolist(), strict=True)]


@cache
def _arabic() -> dict[int, str]:
    text = gzip.decompress(jar_file("stem/arabic-buckwalter-reduced.gz").read_bytes()).decode()
    # A word, then its stems with the most frequent one first. The count of each stem comes before it.
    entries = [line.split() for line in text.split("\n") if line]
    codes = java_hashes([entry[0] for entry in entries]).tolist()
    return dict(zip(codes, [entry[2] for entry in entries], strict=True))
