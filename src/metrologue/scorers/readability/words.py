"""What is counted of each word: its syllables and letters, and whether it is complex or difficult."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from string import punctuation
from typing import NamedTuple

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.origin import pip_install
from metrologue.text.lexicon.word_lists import nltk_corpus
from metrologue.text.stemmers import stem_spellings

__all__ = ["COUNTED", "Rules", "check_lists", "counts_of_words", "distinct_words"]

# What is counted of each token.
COUNTED = (
    "tokens", "words", "syllables", "long_words", "complex_words", "difficult_words", "characters", "word_characters",
    "letters",
)  # fmt: skip

_MARKS = re.compile(r"[^\w\s]")
# Of a contraction: an apostrophe stays before what may end one, wherever it stands in the word.
_CONTRACTED = re.compile(r"[^\w\s']|'(?!t|s|d|ve|ll|re)")
_ASCII_MARKS = frozenset(punctuation)
_SINGLE_MARKS = frozenset(".,/#!$%'^&*;:{}=-_`~()")
# A word has so many syllables to be long.
_LONG = 3


# Words.


def _uncontracted(token: str) -> str:
    # The apostrophes first: what follows one decides, not what is left of it.
    return _CONTRACTED.sub("", token)


MARKS: dict[str, Callable[[str], str]] = {
    "words": lambda token: token,
    "removed": lambda token: _MARKS.sub("", token),
    "contractions": _uncontracted,
    "skipped": lambda token: "" if _ASCII_MARKS.issuperset(token) else token,
    "single": lambda token: "" if token in _SINGLE_MARKS else token,
}


# Syllables.

Syllables = Callable[[str], int]
# So many words of one rule are kept.
_KEPT = 1 << 16

# The rule of Greg Fast's Lingua::EN::Syllable: a syllable for each group of vowels, one more for each of these patterns
# that a word has, and one less for each of the others.
_MORE = tuple(
    map(
        re.compile,
        (
            *("ia", "riet", "dien", "iu", "io", "ii", "[aeiou]{3}", "^mc", "ism$", "dnt$", "[aeiouy]bl$", "mbl$"),
            *(r"(.)(?!\1)([aeiouy])\2l$", "[^l]llien", "^coa[dglx].", r"(.)(?!\1)[gq]ua(.)(?!\2)[aeiou]"),
        ),
    )
)
_LESS = tuple(map(re.compile, ["cial", "tia", "cius", "cious", "gui", "ion", "iou", "sia$", ".ely$"]))
# The words that this rule gets wrong, which come with it, by their syllables.
_BY_SYLLABLES = {
    1: "brutes chummed flapped foamed gaped h'm lb mimes ms peeped sheered st",
    2: """60 bepatched capered caressed clattered deafened dr effaced effaces fringed gravesend greyish jr mangroves
    messieurs motioned moustaches mr mrs pencilled poleman quivered reclined shivered sidespring slandered sombre sr
    stammered suavely tottered trespassed truckle unstained""",
    3: "discoloured disinterred hemispheres manoeuvred sepulchre shamefully unexpressed veriest",
    4: "etc sailmaker satiated sententiously",
    5: "particularized unostentatious",
    6: "propitiatory",
}
_KNOWN = {word: count for count, words in _BY_SYLLABLES.items() for word in words.split()}
_VOWELS = re.compile("[aeiouy]+")
_CASED_VOWELS = re.compile("[aeiouyäàâáåãëéèêóòöôõðùúüìíïî]+")
_SILENT = re.compile("[^laeiouy]es?$")
_PAIRS = re.compile("[aeiouy]{1,2}")


def _of_groups(word: str, vowels: re.Pattern[str]) -> int:
    count = len(vowels.findall(word)) + sum(map(bool, (each.search(word) for each in _MORE)))
    return count - sum(map(bool, (each.search(word) for each in _LESS)))


@lru_cache(_KEPT)
def _by_fast(word: str) -> int:
    """Fast's rule as EASSE has it: in lower case, without any e at the end."""
    word = word.lower()
    known = 1 if word == "the" else _KNOWN.get(word)
    return _of_groups(word.rstrip("e"), _VOWELS) if known is None else known


@lru_cache(_KEPT)
def _by_fast_cased(word: str) -> int:
    """Fast's rule as the package readability has it: a capital is no vowel, and a known word has lost its e."""
    word = word.removesuffix("e")
    known = _KNOWN.get(word)
    return _of_groups(word, _CASED_VOWELS) if known is None else known


@lru_cache(_KEPT)
def _by_pairs(word: str) -> int:
    """The rule of py-readability-metrics: each two vowels at most; a word of three letters has one syllable."""
    word = word.lower()
    return 1 if len(word) <= 3 else len(_PAIRS.findall(_SILENT.sub("", word).removeprefix("y")))


def _install() -> str:
    return pip_install("readability")


@cache
def _hyphens() -> Syllables:
    """The parts of a word between the places where pyphen may hyphenate it."""
    try:
        from pyphen import Pyphen
    except ImportError:
        raise InputError(
            f"Readability: these syllables need pyphen, which comes with textstat: {_install()}."
        ) from None
    positions = Pyphen(lang="en_US").positions
    return lru_cache(_KEPT)(lambda word: len(positions(word)) + 1)


def _dictionary() -> Syllables:
    """Those of a word's first pronunciation; of a word that has none, the parts between its hyphens."""
    hyphens = _hyphens()
    if file := nltk_corpus("cmudict", "cmudict"):
        known = _pronounced(file)
        return lambda word: known[word] if word in known else hyphens(word)
    raise InputError(
        "Readability: syllables='dictionary' needs nltk's CMU Pronouncing Dictionary, which is not installed: "
        "python -m nltk.downloader cmudict. syllables='hyphens' does without it."
    )


_dictionaries: dict[str, dict[str, int]] = {}


def _pronounced(file: Path | zipfile.Path) -> dict[str, int]:
    """The syllables of each word of a dictionary, which is read once."""
    if str(file) not in _dictionaries:
        found: dict[str, int] = {}
        for line in file.read_text("utf-8").splitlines():
            word, _, *sounds = line.split()
            found.setdefault(word.lower(), sum(sound[-1].isdigit() for sound in sounds))
        _dictionaries[str(file)] = found
    return _dictionaries[str(file)]


SYLLABLES: dict[str, Callable[[], Syllables]] = {
    "fast": lambda: _by_fast,
    "fast-cased": lambda: _by_fast_cased,
    "pairs": lambda: _by_pairs,
    "hyphens": _hyphens,
    "dictionary": _dictionary,
}


# Easy words.


@cache
def _easy_words() -> frozenset[str]:
    """The 3,000 words of Dale and Chall, as far as textstat has them. Raises an InputError if it is not installed."""
    spec = find_spec("textstat")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        if (file := Path(folder, "resources", "en", "easy_words.txt")).is_file():
            return frozenset(line.strip() for line in file.read_text("utf-8").split("\n"))
    raise InputError(f"Readability: Dale and Chall's easy words are in the package textstat: {_install()}.")


# What the list of the package readability has more, and has not.
_PIECES = frozenset(
    re.split(
        " ",
        "'d 'll 'm 're 's 've aren d didn don hadn hasn haven isn ll m ma n't needn re s shan shouldn t ve wasn "
        "useful\u00e7",
    )
)
_LACKED = frozenset(["useful"])


@cache
def _easy_stems() -> frozenset[str]:
    """As py-readability-metrics has them: "I" has kept its capital there, and so no word has this stem."""
    return frozenset(stem_spellings(sorted(_easy_words() | {"ma"}), "porter")) - {"i"}


class Rules(NamedTuple):
    """The choices about words: values of the fields of ``Readability`` with these names."""

    marks: str
    syllables: str
    complex_words: str
    difficult_words: str
    easy_words: str
    needs_easy_words: bool

    def are_easy(self, words: Sequence[str]) -> list[bool]:
        """Whether each word in lower case is an easy one."""
        if self.easy_words == "stems":
            stems = _easy_stems()
            return [stem in stems for stem in stem_spellings(words, "porter")]
        easy = _easy_words() if self.easy_words == "list" else (_easy_words() | _PIECES) - _LACKED
        return [word in easy for word in words]


def check_lists(rules: Rules) -> None:
    """Raise an InputError if a list of words that these rules need is not installed."""
    SYLLABLES[rules.syllables]()
    if rules.needs_easy_words:
        _easy_words()


def counts_of_words(tokens: Sequence[str], rules: Rules) -> Floats:
    """What is counted of each token, (n, len(COUNTED)).

    Examples
    --------
    >>> rules = Rules("removed", "fast", "all", "all", "list", False)
    >>> dict(zip(COUNTED, counts_of_words(["Syllables,"], rules)[0].tolist(), strict=True))["syllables"]
    3.0
    """
    syllables_of, word_of = SYLLABLES[rules.syllables](), MARKS[rules.marks]
    words = [word_of(token) for token in tokens]
    lowered = [word.lower() for word in words]
    # A capital with a dot above leaves it as a mark of its own.
    plain = [word_of(word) if "\u0307" in word else word for word in lowered]
    easy = rules.are_easy(lowered) if rules.needs_easy_words else [False] * len(words)
    cased = rules.syllables == "fast-cased"
    rows = np.zeros((len(tokens), len(COUNTED)))
    for row, token, word, low, bare, is_easy in zip(rows, tokens, words, lowered, plain, easy, strict=True):
        if not word:
            row[0], row[6] = 1, len(token)
            continue
        syllables = syllables_of(word if cased else bare if rules.marks == "removed" else low)
        is_long = syllables >= _LONG
        is_complex = (
            syllables_of(bare) >= _LONG and not is_easy
            if rules.complex_words == "difficult"
            else is_long and not _is_left_out(rules.complex_words, word)
        )
        is_difficult = not is_easy and not _is_left_out(rules.difficult_words, word)
        row[:] = (
            1, 1, syllables, is_long, is_complex, is_difficult, len(token), len(word), len(_MARKS.sub("", word)),
        )  # fmt: skip
    return rows


def _is_left_out(rule: str, word: str) -> bool:
    """Whether a word is neither complex nor difficult, however long or rare it is."""
    if rule == "all":
        return False
    return word[0].isupper() or (word.isdigit() if rule == "lowercase" else "-" in word)


_RUNS = re.compile("[\\w='\u2018\u2019]+")


def distinct_words(text: str, rules: Rules) -> tuple[int, int]:
    """How many different complex and difficult words a text has, as textstat 0.7.3 finds them.

    They are the runs of letters, digits, "=" and apostrophes, and each is looked for in the list as it stands.
    """
    runs = sorted({*_RUNS.findall(text.lower())})
    hard = [run for run, is_easy in zip(runs, rules.are_easy(runs), strict=True) if not is_easy]
    syllables_of = SYLLABLES[rules.syllables]()
    bare = [_MARKS.sub("", run) for run in hard]
    return sum(syllables_of(word) >= _LONG for word in bare if word), len(hard)
