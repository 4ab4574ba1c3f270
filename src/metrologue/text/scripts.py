"""The scripts of a text, whether spaces part its words there, its Unicode form, and what the field does about each.

``Language`` is the one table of advice: hints, ``recommended``, the doctor and the verdict of a comparison read it.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import numpy as np

from metrologue.data.strings import AnyTexts, buffers
from metrologue.errors import InputError, instead_of
from metrologue.text.tokenizers import get_tokenizer
from metrologue.text.tokenizers.registry import missing_for

# A text is in scripts without spaces if so many of its letters are. Spaces that are further apart part phrases.
_SHARE, _LONGEST_WORD = 0.5, 6
# Scripts that make less of a text than this are not named.
_NAMED = 0.05


class Language(NamedTuple):
    """What the field reports for texts in a language.

    Attributes
    ----------
    code : str
    tokenizer : str
        The tokenizer of metrics that compare words; "" for that of the metric itself.
    has_spaces : bool
        Whether spaces part its words.
    source : str
        Who gives the advice.
    """

    code: str
    tokenizer: str = ""
    has_spaces: bool = True
    source: str = "sacrebleu's choice for WMT: its default"

    @property
    def here(self) -> Language:
        """The same with "char" in place of a tokenizer that is not installed here."""
        return self._replace(tokenizer="char") if self.tokenizer and missing_for(self.tokenizer) else self


_WMT = "sacrebleu's choice for WMT"
SACREBLEU = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}  # its tokenizers; all other languages have 13a
_CHARACTERS = "sacrebleu's maintainer: none of its tokenizers but char suits Thai (pull request 155)"
_LIKE_THAI = f"as for Thai, which has no spaces either; {_CHARACTERS}"
_SPACED = (
    "af am ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gl gu ha he hi hr hu hy id ig is it ka kk "
    "kn ky lb lt lv mg mk ml mn mr ms mt nb ne nl nn no oc or pa pl ps pt ro ru sd si sk sl so sq sr sv sw ta te tg tl "
    "tr uk ur uz vi xh yi yo zu"
)
LANGUAGES: Mapping[str, Language] = {
    **{code: Language(code, tokenizer, code == "ko", _WMT) for code, tokenizer in SACREBLEU.items()},
    "th": Language("th", "char", False, _CHARACTERS),
    **{code: Language(code, "char", False, _LIKE_THAI) for code in ("lo", "km", "my", "bo")},
    **{code: Language(code) for code in _SPACED.split()},
}
# The scripts without spaces between words, and the language that each one stands for. Kana beside Han is Japanese.
_WITHOUT_SPACES = {
    "Han": "zh", "Bopomofo": "zh", "Hiragana": "ja", "Katakana": "ja", "Thai": "th", "Lao": "lo", "Khmer": "km",
    "Myanmar": "my", "Tibetan": "bo",
}  # fmt: skip


def language_of(code: str) -> Language:
    """The advice for a language, by its code of two letters. Raises an InputError that names those that exist.

    Examples
    --------
    >>> language_of("th").tokenizer, language_of("de").tokenizer
    ('char', '')
    """
    if not isinstance(code, str) or code not in LANGUAGES:
        raise InputError(f"`language` is {code!r}; {instead_of(code, LANGUAGES)}")
    return LANGUAGES[code]


def letters_by_script(texts: AnyTexts) -> Counter[str]:
    """The number of letters in each script, as Unicode names it.

    Examples
    --------
    >>> import pyarrow as pa
    >>> letters_by_script(pa.array(["Привет, world!!", "ой 中文"], pa.large_string()))
    Counter({'Cyrillic': 8, 'Latin': 5, 'Han': 2})
    """
    buffer, limits = buffers(texts)
    text = buffer[limits[0] : limits[-1]].tobytes().decode()
    counts = np.bincount(np.frombuffer(text.encode("utf-32-le"), np.uint32))
    found: Counter[str] = Counter()
    for point in counts.nonzero()[0].tolist():
        if script := _script(chr(point)):
            found[script] += counts.item(point)
    return found


@cache
def _script(character: str) -> str:
    """The script of a letter; "" for any other character."""
    if not character.isalpha():
        return ""
    name = unicodedata.name(character, "?").removeprefix("HALFWIDTH ").removeprefix("FULLWIDTH ").split()[0]
    return "Han" if name in ("CJK", "IDEOGRAPHIC") else name.partition("-")[0].title()


def main_script(texts: AnyTexts) -> str:
    """The script of most letters; "?" without letters.

    Examples
    --------
    >>> import pyarrow as pa
    >>> main_script(pa.array(["42"], pa.large_string()))
    '?'
    """
    return max((letters := letters_by_script(texts)), key=letters.__getitem__, default="?")


def _is_joined(character: str) -> bool:
    return _script(character) in _WITHOUT_SPACES


class Joined(NamedTuple):
    """Texts whose words a tokenizer does not part.

    Attributes
    ----------
    about : str
        What is seen, as the beginning of a sentence.
    language : Language
        Whose advice holds for these texts.
    """

    about: str
    language: Language


# In UTF-8, all letters of scripts without spaces match this, and none below U+0E00.
_MAY_JOIN = re.compile(rb"\xe0[\xb8-\xbf]|\xe1[\x80-\x9f]|[\xe3-\xea\xef\xf0]")


def may_join_words(text: bytes) -> bool:
    """Whether a text in UTF-8 may have letters of a script without spaces. It is a quick look before `joined_words`.

    Examples
    --------
    >>> may_join_words("Übung".encode()), may_join_words("練習".encode())
    (False, True)
    """
    return not text.isascii() and _MAY_JOIN.search(text) is not None


def _strings(texts: AnyTexts) -> list[str]:
    strings: list[str] = texts.to_pylist()
    return strings


def _runs(texts: AnyTexts) -> int:
    """The number of runs of characters without whitespace that have a letter of a script without spaces.

    Punctuation ends a run, since tokenizers that find no words cut it off.
    """
    return sum(any(map(_is_joined, run)) for text in _strings(texts) for run in _RUN.findall(text))


def _are_unparted(texts: AnyTexts) -> bool:
    """Whether most letters of scripts without spaces stand in texts whose words no spaces part."""
    letters = unparted = 0
    for text in _strings(texts):
        runs = [count for run in text.split() if (count := sum(map(_is_joined, run)))]
        letters += (total := sum(runs))
        # Without a space, two letters or more may be several words; with spaces, long runs are phrases.
        unparted += total if total > (1 if len(runs) == 1 else _LONGEST_WORD * len(runs)) else 0
    return 2 * unparted > letters


# Letters with their marks, digits and "_".
_RUN = re.compile(
    r"[\w\u0300-\u036f\u0e31-\u0e4e\u0eb1-\u0ecd\u0f18-\u0fbc\u102b-\u109d\u17b4-\u17dd\u200b-\u200d\u3099\u309a]+"
)


def joined_words(texts: AnyTexts, tokenizer: str) -> Joined | None:
    """What a tokenizer makes of texts in scripts without spaces, if it does not find their words; otherwise None.

    Examples
    --------
    >>> import pyarrow as pa
    >>> texts = pa.array(["他昨天买了一本新书。"], pa.large_string())
    >>> joined_words(texts, "13a").about, joined_words(texts, "char")
    ('100% of the letters are Han, and the tokenizer 13a finds 1.0 tokens a text', None)
    """
    letters = letters_by_script(texts)
    without = {script: letters[script] for script in _WITHOUT_SPACES if letters[script] >= _NAMED * letters.total()}
    joined = sum(without.values())
    if not joined or joined < _SHARE * letters.total():
        return None
    if tokenizer.partition(":")[0] == "text" or not _are_unparted(texts):
        return None
    tokens = get_tokenizer(tokenizer)(texts)
    holding = np.array([any(map(_is_joined, word)) for word in tokens.spellings()], np.bool_)[tokens.ids]
    if np.count_nonzero(holding) > _runs(texts):  # it cuts where no space is
        return None
    main = max(without, key=lambda script: (_WITHOUT_SPACES[script] == "ja", without[script]))
    about = (
        f"{joined / letters.total():.0%} of the letters are {' or '.join(without)}, and the tokenizer {tokenizer} "
        f"finds {len(tokens.ids) / len(texts):.1f} tokens a text"
    )
    return Joined(about, LANGUAGES[_WITHOUT_SPACES[main]])
