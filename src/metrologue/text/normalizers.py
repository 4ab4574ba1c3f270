"""Normalizers of speech: Whisper's, those of scripts, numbers that are written as words, and any function.

Whisper's are those of the package whisper-normalizer, which needs a fifth of a millisecond for a text. Here it is asked
once for each distinct word, and once for each distinct run of words that its rules join, such as "one hundred and two";
the other rules read one word at a time.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from itertools import count
from threading import Lock
from typing import Any, NamedTuple

from metrologue.errors import InputError, instead_of, shown
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
    module = _module(f"whisper_normalizer.{name}", f"whisper-{name}")
    found: Package = getattr(module, f"{name.title()}TextNormalizer")()
    return found


def _module(name: str, normalizer: str) -> Any:
    """A module of a package that is installed apart. Raises an InputError that says how."""
    package, extra = _PACKAGES[name.partition(".")[0]]
    try:
        return import_module(name)
    except ImportError as error:
        raise InputError(f"normalizer {normalizer!r} needs the package {package}: {pip_install(extra)}.") from error


# The package of a module, and the extra that has it.
_PACKAGES = {
    "whisper_normalizer": ("whisper-normalizer", "speech"), "text_to_num": ("text2num", "speech"),
    "indicnlp": ("indic-nlp-library", "indic"),
}  # fmt: skip


def _by_word(whole: Package) -> Many:
    """Each word on its own: the rules but those of brackets read characters."""

    def normalize(texts: Sequence[str]) -> list[str]:
        word = cache(whole)
        return [
            whole(text) if _BRACKETS.search(text) else re.sub(r"\s+", " ", " ".join(map(word, text.split(" "))))
            for text in map(str.lower, texts)
        ]

    return normalize


def _by_text(whole: Package) -> Many:
    """Each distinct text on its own."""
    return lambda texts: [*map(cache(whole), texts)]


def _basic() -> Many:
    return _by_word(_package("basic"))


def _marks() -> Many:
    return _by_word(_module("whisper_normalizer.basic", "whisper-marks").BasicTextNormalizer(preserve_marks=True))


def _letters() -> Many:
    return _by_text(_module("whisper_normalizer.basic", "whisper-letters").BasicTextNormalizer(split_letters=True))


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
        cuts = [None if _MARK in text or _ODD.search(text) else pieces(text) for text in stripped]
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


# What the leaderboard takes away, and what it writes in another way: one letter for each.
_ARABIC_LEFT_OUT = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~،؛؟ء" + "".join(map(chr, range(0x64B, 0x653)))
_LEADERBOARD = str.maketrans("پڤآأإؤئ٠١٢٣٤٥٦٧٨٩", "بفاااوي0123456789", _ARABIC_LEFT_OUT)
_LONE_AND = re.compile(r"(^|\s)و\s+")
# What is left of the forms of letters: alef wasla, alef maqsura, taa marbuta; tatweel, and points above and below.
_FORMS = str.maketrans(
    "ٱىة", "ايه", "ـ\u0670" + "".join(map(chr, (*range(0x610, 0x61B), *range(0x653, 0x660), *range(0x6D6, 0x6EE))))
)


def _arabic_leaderboard() -> Many:
    def normalize(text: str) -> str:
        return re.sub(r"\s+", " ", _LONE_AND.sub(r"\1و", text.translate(_LEADERBOARD))).strip()

    return _by_text(normalize)


def _arabic() -> Many:
    leaderboard = _arabic_leaderboard()
    return lambda texts: leaderboard([text.translate(_FORMS) for text in texts])


def _numbers(language: str) -> Many:
    digits = _module("text_to_num", f"numbers-{language}").alpha2digit
    return _by_text(lambda text: digits(text, language))


# The language whose rules IndicNLP has for a script.
_INDIC = {
    "DEVANAGARI": "hi", "BENGALI": "bn", "GURMUKHI": "pa", "GUJARATI": "gu", "ORIYA": "or", "TAMIL": "ta",
    "TELUGU": "te", "KANNADA": "kn", "MALAYALAM": "ml",
}  # fmt: skip
_INDIC_MARKS = str.maketrans("", "", string.punctuation + "।۔'-॥")


def _indicnlp(without_marks: bool = False) -> Many:
    name = "indicwhisper" if without_marks else "indicnlp"
    factory = _module("indicnlp.normalize.indic_normalize", name).IndicNormalizerFactory()
    of_language = cache(factory.get_normalizer)

    def normalize(text: str) -> str:
        text = text.translate(_INDIC_MARKS) if without_marks else text
        if language := _indic_language(text):
            text = of_language(language).normalize(text)
        return re.sub(" +", " ", text) if without_marks else text

    return _by_text(normalize)


def _indic_language(text: str) -> str | None:
    """The language for the script of a text: that of its first letter in one of them."""
    scripts = (unicodedata.name(character, "").partition(" ")[0] for character in text if not character.isascii())
    return next((_INDIC[script] for script in scripts if script in _INDIC), None)


NORMALIZERS: Mapping[str, Normalizer] = {
    "whisper-english": Normalizer(
        _english, "Whisper's EnglishTextNormalizer: numbers as digits, contractions written out, American spelling"
    ),
    "whisper-basic": Normalizer(
        _basic, "Whisper's BasicTextNormalizer: lower case, no brackets, marks and symbols become spaces"
    ),
    "whisper-marks": Normalizer(
        _marks, "the same, but combining marks stay, such as the vowel signs of Hindi (preserve_marks)"
    ),
    "whisper-letters": Normalizer(
        _letters, "whisper-basic with a space between letters (split_letters), as Whisper's authors count Chinese"
    ),
    "arabic-leaderboard": Normalizer(
        _arabic_leaderboard,
        "as the Open Universal Arabic ASR Leaderboard: no punctuation, points and hamzas, one form of alef, digits 0-9",
    ),
    "arabic": Normalizer(_arabic, "the same, and no tatweel, alef maqsura as yaa, taa marbuta as haa"),
    "indicnlp": Normalizer(
        _indicnlp, "IndicNLP's normalizer of the script of the text, by the package indic-nlp-library (extra ``indic``)"
    ),
    "indicwhisper": Normalizer(
        partial(_indicnlp, without_marks=True), "the same without punctuation, as IndicWhisper is evaluated (Vistaar)"
    ),
    "numbers-de": Normalizer(partial(_numbers, "de"), "German numbers in words become digits, by the package text2num"),
    "numbers-fr": Normalizer(partial(_numbers, "fr"), "French numbers in words become digits, by the package text2num"),
}
# Functions by the names that stand for them in signatures.
_FUNCTIONS: dict[str, Package] = {}
_registering = Lock()


def normalizer_of(name: str) -> Many:
    """The normalizer with this name: one of ``NORMALIZERS``, or a function that was registered.

    Raises an InputError if there is none, or its package is missing; afterwards if a function gives no str.
    """
    if name in NORMALIZERS:
        return NORMALIZERS[name].make()
    if name not in _FUNCTIONS:
        raise InputError(f"no normalizer is called {shown(name)}; {instead_of(name, NORMALIZERS)}")
    function = _FUNCTIONS[name]

    def checked(text: str) -> str:
        found = function(text)
        if not isinstance(found, str):
            raise InputError(f"normalizer {name!r} gave {shown(found)} for {shown(text)}; a str is expected.")
        return str.__str__(found)

    return _by_text(checked)


def is_normalizer(name: str) -> bool:
    """Whether there is such a normalizer, or a function was registered under this name."""
    return name in NORMALIZERS or name in _FUNCTIONS


def register_normalizer(function: Package) -> str:
    """The name that stands for a function from a text to a text: its own, with a digest of its source.

    Another function with the same source, such as one that was made with other values, gets another name.

    Examples
    --------
    >>> register_normalizer(str.casefold)
    'builtins.str.casefold@d4efc719f19a'
    """
    from metrologue.text.tokenizers.registry import function_digest

    owner = function if hasattr(function, "__qualname__") else type(function)
    name = f"{getattr(owner, '__module__', None) or 'builtins'}.{owner.__qualname__}@{function_digest(function)[:12]}"
    with _registering:
        for number in count(1):
            full = name if number == 1 else f"{name}-{number}"
            if _FUNCTIONS.setdefault(full, function) == function:
                return full
    raise AssertionError  # `count` has no end
