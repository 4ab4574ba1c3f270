"""The words that matter: a list of words and phrases, perhaps with classes, such as the names that are said."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Self, cast

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.data.named import NamedValue
from metrologue.data.strings import of_strings
from metrologue.errors import NOT_IN_NAMES, InputError, is_name, number_of, shown
from metrologue.files.regular import read_text
from metrologue.kernels.arrays import Ids
from metrologue.kernels.pairs import Pairs
from metrologue.scorers.wer.kernels import count_phrases
from metrologue.segments import View
from metrologue.text.reading import Reading
from metrologue.text.reading.steps import read

__all__ = ["COUNTS", "Focus", "NamedFocus"]

# What is counted of all phrases, and of each class.
COUNTS = (
    "focus_hits", "focus_in_references", "focus_in_hypotheses",
    "b_substitutions", "b_deletions", "b_insertions", "b_reference_length",
)  # fmt: skip
_LONGEST = 1 << 20  # characters of a phrase


class Focus(NamedTuple):
    """Words and phrases, each once, with the classes of each; () for one without a class."""

    name: str
    phrases: Mapping[str, tuple[str, ...]]

    @property
    def classes(self) -> tuple[str, ...]:
        """All classes, in the order in which they come first."""
        return tuple(dict.fromkeys(each for own in self.phrases.values() for each in own))

    @classmethod
    def of(cls, items: Sequence[Any], where: str = "item {}") -> Focus:
        """The phrases of some items: strings, or pairs of a string and its class. Its name has their number and digest.

        Raises an InputError that says `where` an item stands that is none of these.

        Examples
        --------
        >>> Focus.of(["tea", ("New York", "place")]).name
        '2-phrases@af6e83752136'
        """
        from metrologue.text.lexicon.file_digest import digest_of  # slow to import, and most scorers have no phrases

        phrases: dict[str, tuple[str, ...]] = {}
        for index, item in enumerate(items):
            at = where.format(index)
            pair: tuple[Any, ...] = (item,) if isinstance(item, str) else ()
            pair = tuple(item) if isinstance(item, list | tuple) else pair
            if not 1 <= len(pair) <= 2 or not all(isinstance(part, str) for part in pair):
                raise InputError(f"{at} is {shown(item)}; a word, a phrase, or one with its class is expected.")
            phrase, *classes = map(str.__str__, pair)
            if not phrase.strip() or len(phrase) > _LONGEST:
                raise InputError(f"{at} is {shown(phrase)}; a word or a phrase is expected.")
            if classes and not is_name(classes[0]):
                raise InputError(f"{at}: its class is {shown(classes[0])}, which holds {NOT_IN_NAMES}, or nothing.")
            phrases[phrase] = tuple(dict.fromkeys((*phrases.get(phrase, ()), *classes)))
        if not phrases:
            raise InputError("there is no word and no phrase; at least one is expected.")
        lines = ["\t".join((phrase, *own)) for phrase, own in phrases.items()]
        digest = digest_of([line.encode() for line in sorted(lines)])
        return cls(f"{number_of(len(phrases), 'phrase').replace(' ', '-').replace(',', '')}@{digest}", phrases)

    @classmethod
    def open(cls, path: str) -> Focus:
        """The phrases of a file: one on each line, perhaps with a tab and its class. Empty lines are left out.

        Raises an InputError if there is no such file, or a line has more columns. The message names it.
        """
        try:
            lines = read_text(path, "focus").split("\n")
        except (OSError, UnicodeDecodeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            why = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else getattr(error, "strerror", None)
            raise InputError(f"{shown(path)} cannot be read as a file of words and phrases: {why or error}.") from None
        rows = [(number, line.removesuffix("\r").split("\t")) for number, line in enumerate(lines, 1)]
        found: list[Any] = []
        for number, row in rows:
            if any(map(str.strip, row)):
                found += cls.of([row], f"{path}, line {number}:").pairs
        return cls.of(found)

    @property
    def pairs(self) -> list[tuple[str, ...]]:
        """The items that give the same phrases."""
        return [(phrase, *own[k : k + 1]) for phrase, own in self.phrases.items() for k in range(max(len(own), 1))]


@dataclass(frozen=True)
class NamedFocus(NamedValue):
    """Words and phrases with their name. Two with the same name are equal. A signature has the name.

    Examples
    --------
    >>> NamedFocus.of(["tea", "New York"]).name
    '2-phrases@85e64c3e9980'
    """

    focus: Focus = field(compare=False, repr=False)

    noun: ClassVar[str] = "list of phrases"
    expected: ClassVar[str] = "a list of words, phrases or (phrase, class), or a file of them"
    plural: ClassVar[str] = "lists of phrases"
    opener: ClassVar[str] = "focus=[…] or the path of its file"
    opened = staticmethod(Focus.open)

    @classmethod
    def of(cls, value: Any) -> Self:
        """The list with its name, from a list, a file or the name of one in use.

        Raises
        ------
        TypeError
            If it is none of these.
        InputError
            If an item is no phrase, or there is no such file.
        """
        if isinstance(value, cls):
            return value
        if isinstance(value, str | os.PathLike):
            path = str.__str__(value) if isinstance(value, str) else os.fsdecode(value)
            value = cls._in_use(path) or Focus.open(path)
        elif not isinstance(value, Focus | cls):
            if isinstance(value, set | frozenset):
                value = sorted(value, key=str)
            if not hasattr(value, "__iter__") or isinstance(value, bytes | Mapping):
                raise TypeError
            value = Focus.of([*value])
        return value if isinstance(value, cls) else cls(value.name, cast("Focus", value))

    def cut(self, reading: Reading, change: Any) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
        """The units of each phrase under a reading, and its classes; phrases that are read alike are one.

        Raises an InputError for a phrase without a unit.
        """
        phrases = [*self.focus.phrases]
        tokens, _ = read(of_strings([change(each) for each in phrases]), reading)
        found: dict[tuple[str, ...], tuple[str, ...]] = {}
        for number, phrase in enumerate(phrases):
            units = tuple(tokens.of_text(number))
            if not units:
                raise InputError(f"`focus`: nothing is left of {shown(phrase)} when it is read as the texts are.")
            found[units] = tuple(dict.fromkeys((*found.get(units, ()), *self.focus.phrases[phrase])))
        return [*found.items()]


def counts_of_phrases(
    phrases: Sequence[tuple[tuple[str, ...], Sequence[int]]],
    size: int,
    view: View,
    texts: Pairs,
    partners: Ids,
    in_reference: bool,
) -> Floats:
    """The counts of ``count_phrases`` for pairs of texts with an alignment, (pairs, 7 * size).

    Each phrase is given by its units and the numbers of its groups, which are below `size`. With `in_reference`,
    inserted units count only if the reference has their phrase too.
    """
    wanted = {unit for units, _ in phrases for unit in units}
    known = {spelling: number for number, spelling in enumerate(view.spellings()) if spelling in wanted}
    there = [
        (tuple(known[unit] for unit in units), groups)
        for units, groups in phrases
        if all(map(known.__contains__, units))
    ]
    there.sort(key=lambda each: (each[0][0], -len(each[0])))
    first = np.zeros(view.type_count + 1, np.int64)
    np.add.at(first, np.array([units[0] + 1 for units, _ in there], np.int64), 1)
    longest = int(np.diff(texts.offsets).max(initial=0))
    counts = np.zeros((len(texts.hypotheses), 7 * size))
    count_phrases(
        *texts,
        partners,
        np.cumsum(first),
        np.array([unit for units, _ in there for unit in units], np.int32),
        _limits([len(units) for units, _ in there]),
        _limits([len(groups) for _, groups in there]),
        np.array([group for _, groups in there for group in groups], np.int64),
        int(in_reference),
        np.empty((4, longest + 1), np.int64),
        counts,
    )
    return counts


def _limits(sizes: Sequence[int]) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)
