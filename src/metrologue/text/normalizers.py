"""Whisper's normalizers of speech, as the package whisper-normalizer has them, which gives every word itself.

The package needs a fifth of a millisecond for a text. Here it is asked once for each distinct word, and once for each
distinct run of words that its rules join, such as "one hundred and two"; the other rules read one word at a time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import NamedTuple

from metrologue.errors import InputError, shown
from metrologue.origin import pip_install

Package = Callable[[str], str]
Many = Callable[[Sequence[str]], list[str]]

# A word of one's own, which no rule of the package changes. It stands between the words that it is asked for.
_MARK = "qzxj"
# Rules about brackets read a whole text, and so do rules about a single space.
_BRACKETS, _ODD = re.compile(r"[<\[(]"), re.compile(r"[<\[(]|\s\s|[^\S ]")
_ENDS = ".,!?;:"
_PLAIN = re.compile(rf"([a-z]+(?:'[a-z]+)*)[{_ENDS}]?")
# Words of rules that join: a past participle after 's or 'd, a suffix after a number, a half, hesitations.
_JOINED = frozenset(f"been gone done got st nd rd th s half hmm mm mhm mmm uh um {_MARK}".split())


class Normalizer(NamedTuple):
    """A normalizer: what makes it, and what it does."""

    make: Callable[[], Many]
    about: str


@cache
def _package(name: str) -> Package:
    try:
        module = import_module(f"whisper_normalizer.{name}")
    except ImportError as error:
        raise InputError(
            f"normalizer 'whisper-{name}' needs the package whisper-normalizer: {pip_install('speech')}."
        ) from error
    found: Package = getattr(module, f"{name.title()}TextNormalizer")()
    return found


def _basic() -> Many:
    """Each word on its own: the rules but those of brackets read characters."""
    whole = _package("basic")

    def normalize(texts: Sequence[str]) -> list[str]:
        word = cache(whole)
        return [
            whole(text) if _BRACKETS.search(text) else re.sub(r"\s+", " ", " ".join(map(word, text.split(" "))))
            for text in map(str.lower, texts)
        ]

    return normalize


def _english() -> Many:
    package = _package("english")
    joined = (_JOINED | package.standardize_numbers.words) - {"and"}  # type: ignore[attr-defined]  # of this package

    @cache
    def is_plain(word: str) -> bool:
        """Whether no rule joins the word to its neighbours."""
        parts = match[1].split("'") if (match := _PLAIN.fullmatch(word)) else ["s"]
        return not joined.intersection(parts) and parts[-1] != "d"

    def whole(text: str) -> str:
        try:
            return package(text)
        except (AssertionError, ArithmeticError, AttributeError, TypeError, ValueError) as error:
            raise InputError(f"normalizer 'whisper-english' fails on {shown(text)}: {error!r}.") from error

    def pieces(text: str) -> list[str]:
        """Plain words, and runs of other words, with those before them that a rule joins to them."""
        words = text.split(" ")
        if all(map(is_plain, words)):
            return words
        found: list[str] = []
        run: list[str] = []
        for word in words:
            if is_plain(word) and not (run and word.startswith("and")):  # "two hundred and five"
                if run:
                    found.append(" ".join(run))
                    run = []
                found.append(word)
                continue
            if found and word[:1] == "'":  # it closes up with what comes before
                run.insert(0, found.pop())
            if word.startswith("half") and found and found[-1].rstrip(_ENDS) == "a":  # "five and a half"
                run.insert(0, found.pop())
                while found:
                    run.insert(0, found.pop())
                    if is_plain(run[0]):
                        break
            run.append(word)
        return [*found, " ".join(run)] if run else found

    def normalize(texts: Sequence[str]) -> list[str]:
        stripped = [text.lower().strip(" ") for text in texts]
        cuts = [None if _ODD.search(text) else pieces(text) for text in stripped]
        inner = _between(whole, dict.fromkeys(piece for cut in cuts if cut for piece in cut[1:-1]))
        first, last = cache(lambda piece: whole(f"{piece} {_MARK}")), cache(lambda piece: whole(f"{_MARK} {piece}"))

        def joined_up(cut: list[str]) -> str:
            """The text at both ends is as the end of a text, where rules may differ."""
            middle = " ".join(filter(None, map(inner.__getitem__, cut[1:-1])))
            before, after = first(cut[0]).removesuffix(_MARK), last(cut[-1]).removeprefix(_MARK)
            if not middle:  # the mark's own space separates nothing if there is nothing on one side
                before, after = (before if after else before[:-1]), (after if before else after[1:])
            text = before + middle + after
            return re.sub(" +", " ", text) if "  " in text else text

        return [joined_up(cut) if cut and len(cut) > 1 else whole(text) for text, cut in zip(texts, cuts, strict=True)]

    return normalize


def _between(whole: Package, pieces: Iterable[str]) -> dict[str, str]:
    """Each piece as it is within a text, from a few long texts."""
    every = [*pieces]
    found: dict[str, str] = {}
    for start in range(0, len(every), 256):
        some = every[start : start + 256]
        parts = whole(f"{_MARK} {f' {_MARK} '.join(some)} {_MARK}").split(_MARK)[1:-1]
        found.update(zip(some, map(str.strip, parts), strict=True))
    return found


NORMALIZERS: Mapping[str, Normalizer] = {
    "whisper-english": Normalizer(
        _english, "Whisper's EnglishTextNormalizer: numbers as digits, contractions written out, American spelling"
    ),
    "whisper-basic": Normalizer(
        _basic, "Whisper's BasicTextNormalizer: lower case, no brackets, marks and symbols become spaces"
    ),
}
