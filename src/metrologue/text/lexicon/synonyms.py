"""Synonyms: by nltk's rule on WordNet, by METEOR 1.5's rule on its own tables, and from sets of the user."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Bytes, Integers
from metrologue.data.strings import Strings, buffers, characters, lower
from metrologue.data.vocabulary import Vocabulary
from metrologue.errors import InputError, shown
from metrologue.kernels.arrays import Rows
from metrologue.kernels.synonyms import find_forms, gather_keys, lemma_rows, owned_keys, shared_keys, take_keys
from metrologue.text.lexicon.locate import File
from metrologue.text.lexicon.table_cache import Table

_NONE = np.empty(0, np.int64)


class Keys(NamedTuple):
    """The keys of each word.

    Attributes
    ----------
    offsets : int64 (n_words + 1,)
        Word i has the keys ``keys[offsets[i]:offsets[i + 1]]``.
    keys : int32 (n_keys,)
        The keys of each word, ascending. -1 is a key that only the word itself has.
    """

    offsets: Integers
    keys: NDArray[np.int32]

    @classmethod
    def gathered(
        cls, table: Table, rows: Rows, lists: Rows | None = None, listed: str = "base_", own: Integers = _NONE
    ) -> Keys:
        """The items of a table that each word has: see ``gather_keys``. The table holds the `lists` as `listed`."""
        if lists is None:
            lists, held = np.empty((len(rows), 0), np.int64), (_NONE, _NONE.astype(np.int32))
        else:
            held = table[f"{listed}offsets"], table[f"{listed}items"]
        return cls(*gather_keys(own, rows, lists, *held, table["offsets"], table["items"]))

    @classmethod
    def joined(cls, parts: Iterable[tuple[Keys, NDArray[np.int32]]]) -> Keys:
        """The keys of the words with these indices in each part, one part after another."""
        return cls(*take_keys([*parts]))

    def owned(self) -> NDArray[np.int32]:
        """The keys, with -1 - i for the key that only word i has."""
        return owned_keys(*self)

    def shared(self, its: Keys) -> tuple[Keys, Keys]:
        """These keys without those that no word has among `its`, and `its`; both numbered again from 0."""
        own, others = shared_keys(self, its)
        return Keys(*own), Keys(*others)


class Synonyms(ABC):
    """A table of synonyms."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @abstractmethod
    def keys(self, words: Strings) -> tuple[Keys, Keys]:
        """The keys of each word of a hypothesis, and of each word of a reference."""


def numbered(words: Iterable[str]) -> dict[str, int]:
    """Numbers for words, in the order of the words."""
    return {word: number for number, word in enumerate(sorted(words))}


def grouped(groups: Sequence[Sequence[int]], prefix: str = "") -> dict[str, Any]:
    """Lists of numbers as arrays `offsets` and `items`."""
    counts = np.fromiter(map(len, groups), np.int64, len(groups))
    items = np.fromiter(chain.from_iterable(groups), np.int64, int(counts.sum()))
    return {f"{prefix}offsets": np.concatenate([[0], np.cumsum(counts)]), f"{prefix}items": items.astype(np.int32)}


@cache
def _endings(rules: str) -> tuple[Bytes, Integers]:
    """The rules of ``find_forms``, from rules that are written ``old>new``."""
    return buffers(Strings.of([ending for rule in rules.split() for ending in rule.split(">")]))


def _forms(words: Strings, rules: str, vocabulary: Vocabulary) -> Rows:
    """The words and their forms by these rules in a vocabulary: see ``find_forms``."""
    return find_forms(*buffers(words), *_endings(rules), vocabulary)


# nltk 3.10: WordNetCorpusReader.synsets and the rule of its meteor_score.

_PARTS = ("noun", "verb", "adj", "adv")
_DETACHED = (
    "s> ses>s ves>f xes>x zes>z ches>ch shes>sh men>man ies>y",
    "s> ies>y es>e es> ed>e ed> ing>e ing>",
    "er> est> er>e est>e",
)
# A row of ``find_forms`` has the word itself, then a form by each rule. The columns that a part of speech looks at.
_PLACES = np.array([0] * len(_PARTS) + [*range(1, 1 + len(" ".join(_DETACHED).split()))])
_PART_OF = np.array([*range(len(_PARTS)), *(part for part, rules in enumerate(_DETACHED) for _ in rules.split())])


def wordnet_arrays(files: Sequence[File]) -> dict[str, Any]:
    """The arrays of WordNet's database: for each lemma and part of speech, the one-word names in its synsets.

    The files are index, data and exceptions, each for nouns, verbs, adjectives and adverbs.
    """
    index, data, exceptions = files[:4], files[4:8], files[8:]
    parts = len(_PARTS)
    entries: dict[tuple[str, int], set[str]] = {}
    bases: dict[tuple[str, int], list[str]] = {}
    for part in range(parts):
        synsets = {}
        for fields in _fields(data[part]):
            words = [fields[at].split("(")[0] for at in range(4, 4 + 2 * int(fields[3], 16), 2)]
            synsets[fields[0]] = [word for word in words if "_" not in word]
        for fields in _fields(index[part]):
            entries[fields[0], part] = {word for synset in fields[-int(fields[2]) :] for word in synsets[synset]}
        for form, *forms in _fields(exceptions[part]):
            bases[form, part] = forms
    lemmas = numbered({lemma for lemma, _ in entries})
    names = numbered(set().union(*entries.values()))
    irregular = numbered({form for form, _ in bases})
    nodes = [sorted(names[name] for name in entries.get(node, ())) for node in product(lemmas, range(parts))]
    base_nodes = [
        [parts * lemmas[base] + form[1] for base in bases.get(form, ()) if (base, form[1]) in entries]
        for form in product(irregular, range(parts))
    ]
    return {
        "lemmas": list(lemmas),
        "names": list(names),
        **grouped(nodes),
        "irregular": list(irregular),
        **grouped(base_nodes, "base_"),
        "exempt": np.array([form in bases for form in product(irregular, range(parts))], np.uint8),
    }


def _fields(file: File) -> Iterator[list[str]]:
    """The fields of the lines of a WordNet file. Lines of its licence begin with a space and are skipped."""
    for number, line in enumerate(file.read_text("utf-8").split("\n"), 1):
        if line and not line.startswith(" "):
            fields = line.split()
            if len(fields) < 2:
                raise InputError(f"{file}, line {number}: {shown(line)} is not a line of WordNet's database.")
            yield fields


class WordNet(Synonyms):
    """Synonyms by nltk's rule: all lemma names in all synsets that nltk finds for a word, and the word itself."""

    def keys(self, words: Strings) -> tuple[Keys, Keys]:
        table, parts = self.table, len(_PARTS)
        lowered = lower(words)
        forms = _forms(lowered, " ".join(_DETACHED), table.vocabulary("lemmas"))
        irregular = table.vocabulary("irregular").find(lowered)
        # A form that is not there, -1, has a negative row. A word in the list of exceptions is looked up there, not by
        # its ending.
        rows, lists = lemma_rows(forms, _PLACES, _PART_OF, parts, irregular, table["exempt"])
        # A word that is not a name has a key of its own.
        itself = table.vocabulary("names").find(words)
        own = Keys.gathered(table, rows, lists, own=itself)
        return own, Keys(np.arange(len(words) + 1), itself.astype(np.int32))


# METEOR 1.5: SynonymDictionary. Its `relations` are never read.

_MORPHED = (
    "s> ses>s xes>x zes>z ches>ch shes>sh men>man ies>y s> ies>y es>e es> ed>e ed> ing>e ing> er> est> er>e est>e"
)


def meteor_arrays(synsets: File, exceptions: File) -> dict[str, Any]:
    """The arrays of METEOR's synonyms: the synsets of each word, and the base forms of irregular words.

    Raises an InputError if the lines do not come in pairs: a word and its numbers, or a base form and its forms.
    """
    sets: dict[str, list[int]] = {}
    for number, (word, numbers) in _pairs(synsets):
        try:
            sets[word] = sorted({int(item) for item in numbers.split()})
        except ValueError:
            raise InputError(f"{synsets}, line {number + 1}: {shown(numbers)} are not numbers of synsets.") from None
    bases: dict[str, list[str]] = {}
    for _, (base, forms) in _pairs(exceptions):
        for form in forms.split():
            bases.setdefault(form, []).append(base)
    words, irregular = numbered(sets), numbered(bases)
    return {
        "words": list(words),
        **grouped([sets[word] for word in words]),
        "irregular": list(irregular),
        **grouped([[words[base] for base in bases[form] if base in words] for form in irregular], "base_"),
    }


def _pairs(file: File) -> Iterator[tuple[int, tuple[str, str]]]:
    lines = file.read_text("utf-8").removesuffix("\n").split("\n")
    if len(lines) % 2:
        raise InputError(f"{file}, line {len(lines)}: the last line has no partner; lines come in pairs.")
    return zip(range(1, len(lines), 2), zip(lines[::2], lines[1::2], strict=True), strict=True)


class MeteorSynonyms(Synonyms):
    """Synonyms by METEOR's rule: two words are synonyms if they, or their base forms, share a synset."""

    def keys(self, words: Strings) -> tuple[Keys, Keys]:
        table = self.table
        forms = _forms(words, _MORPHED, table.vocabulary("words"))
        irregular = table.vocabulary("irregular").find(words)
        # The first ending that leads to a word of the table counts. Short words and words in -ss keep their ending.
        points, limits = characters(words)
        kept = (np.diff(limits) <= 2) | (irregular >= 0)
        ends = limits[1:][~kept]
        kept[~kept] = (points[ends - 1] == ord("s")) & (points[ends - 2] == ord("s"))
        forms[kept, 1:] = -1
        first = 1 + (forms[:, 1:] >= 0).argmax(axis=1)
        rows = np.column_stack((forms[:, 0], forms[np.arange(len(words)), first]))
        keys = Keys.gathered(table, rows, irregular[:, None])
        return keys, keys


def set_arrays(sets: Iterable[Sequence[str]]) -> dict[str, Any]:
    """The arrays of sets of synonyms: for each word, the numbers of its sets."""
    numbers: dict[str, list[int]] = {}
    for number, words in enumerate(sets):
        for word in words:
            numbers.setdefault(word, []).append(number)
    order = numbered(numbers)
    return {"words": list(order), **grouped([numbers[word] for word in order])}


class Sets(Synonyms):
    """Synonyms from sets of the user: two words are synonyms if a set contains both."""

    def keys(self, words: Strings) -> tuple[Keys, Keys]:
        keys = Keys.gathered(self.table, self.table.vocabulary("words").find(words)[:, None])
        return keys, keys
