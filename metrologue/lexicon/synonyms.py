"""Synonyms: by nltk's rule on WordNet, by METEOR 1.5's rule on its own tables, and from sets of the user."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, product
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrologue.data.arrays import Integers
from metrologue.data.strings import buffers, lower
from metrologue.errors import InputError
from metrologue.kernels.lookup import find_words
from metrologue.lexicon.locate import File
from metrologue.lexicon.table_cache import Table

__all__ = ["Keys", "MeteorSynonyms", "Sets", "Synonyms", "WordNet", "meteor_arrays", "set_arrays", "wordnet_arrays"]


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
    def of(cls, count: int, words: Integers, keys: Integers) -> Keys:
        """The keys from pairs of a word's index and one of its keys. Pairs may come in any order and repeatedly."""
        base = int(keys.max(initial=0)) + 2
        pairs = np.unique(words * base + keys + 1)
        return cls(np.searchsorted(pairs, np.arange(count + 1) * base), (pairs % base - 1).astype(np.int32))

    @classmethod
    def joined(cls, parts: Iterable[Keys]) -> Keys:
        """The keys of all words of several parts, one part after another."""
        offsets, keys = zip(*parts, strict=True)
        counts = np.concatenate([[0], *map(np.diff, offsets)])
        return cls(np.cumsum(counts), np.concatenate(keys))

    def take(self, chosen: NDArray[np.integer]) -> Keys:
        """The keys of the words with these indices."""
        _, items = rows(self.offsets, chosen)
        return Keys(np.concatenate([[0], np.cumsum(np.diff(self.offsets)[chosen])]), self.keys[items])

    def of_themselves(self, first: int) -> Keys:
        """The keys with -1 replaced by the word's own number, counted from `first`."""
        owners = np.repeat(np.arange(first, first + len(self.offsets) - 1), np.diff(self.offsets))
        return Keys(self.offsets, np.where(self.keys < 0, owners, self.keys).astype(np.int32))

    def among(self, wanted: NDArray[np.int32]) -> Keys:
        """The keys that are in `wanted`, which must ascend, as their indices in it."""
        places = np.searchsorted(wanted, self.keys).astype(np.int32)
        known = places < len(wanted)
        known[known] = wanted[places[known]] == self.keys[known]
        return Keys(np.concatenate([[0], np.cumsum(known)])[self.offsets], places[known])


class Synonyms(ABC):
    """A table of synonyms."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @abstractmethod
    def keys(self, words: pa.LargeStringArray) -> tuple[Keys, Keys]:
        """The keys of each word of a hypothesis, and of each word of a reference."""


def found(words: pa.LargeStringArray, vocabulary: pa.LargeStringArray) -> Integers:
    """The index of each word in a sorted vocabulary, -1 where it is not there."""
    indices: Integers = find_words(*buffers(words), *buffers(vocabulary))
    return indices


def numbered(words: Iterable[str]) -> dict[str, int]:
    """Numbers for words in the order of their bytes, as ``found`` needs them."""
    return {word: number for number, word in enumerate(sorted(words))}


def rows(offsets: Integers, chosen: NDArray[np.integer]) -> tuple[Integers, Integers]:
    """All items of the chosen rows of a table: for each item, the index of its row in `chosen`, and its own index."""
    counts = offsets[chosen + 1] - offsets[chosen]
    first = np.cumsum(counts) - counts
    return np.repeat(np.arange(len(chosen)), counts), np.arange(counts.sum()) + np.repeat(
        offsets[chosen] - first, counts
    )


def grouped(groups: Sequence[Sequence[int]], prefix: str = "") -> dict[str, Any]:
    """Lists of numbers as arrays `offsets` and `items`."""
    counts = np.fromiter(map(len, groups), np.int64, len(groups))
    items = np.fromiter(chain.from_iterable(groups), np.int64, int(counts.sum()))
    return {f"{prefix}offsets": np.concatenate([[0], np.cumsum(counts)]), f"{prefix}items": items.astype(np.int32)}


def _exchanged(
    words: pa.LargeStringArray, rules: Sequence[tuple[str, str]]
) -> tuple[Integers, Integers, pa.LargeStringArray]:
    """Each rule (old ending, new ending) applied to each word with the old ending.

    The result is the index of the word, the index of the rule, and the new form.
    """
    import pyarrow.compute as pc  # slow to import, and needed only here and below

    at, by, forms = [], [], []
    for number, (old, new) in enumerate(rules):
        at.append(np.flatnonzero(pc.ends_with(words, old).to_numpy(zero_copy_only=False)))
        by.append(np.full(len(at[-1]), number))
        stems = pc.utf8_slice_codeunits(words.take(pa.array(at[-1])), 0, -len(old))
        forms.append(pc.binary_join_element_wise(stems, pa.scalar(new, stems.type), pa.scalar("", stems.type)))
    return np.concatenate(at), np.concatenate(by), pa.concat_arrays(forms)


def _rule(text: str) -> tuple[str, str]:
    """An old and a new ending, from a rule that is written ``old>new``."""
    old, new = text.split(">")
    return old, new


# nltk 3.10: WordNetCorpusReader.synsets and the rule of its meteor_score.

_PARTS = ("noun", "verb", "adj", "adv")
_DETACHED = (
    "s> ses>s ves>f xes>x zes>z ches>ch shes>sh men>man ies>y",
    "s> ies>y es>e es> ed>e ed> ing>e ing>",
    "er> est> er>e est>e",
)
_RULES = [(part, _rule(text)) for part, rules in enumerate(_DETACHED) for text in rules.split()]


def wordnet_arrays(files: Sequence[File]) -> dict[str, Any]:
    """The arrays of WordNet's database: for each lemma and part of speech, the one-word names in its synsets.

    Parameters
    ----------
    files : sequence of paths
        The files index, data and exceptions, each for nouns, verbs, adjectives and adverbs.
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
                raise InputError(f"{file}, line {number}: {line!r:.60} is not a line of WordNet's database.")
            yield fields


class WordNet(Synonyms):
    """Synonyms by nltk's rule: all lemma names in all synsets that nltk finds for a word, and the word itself."""

    def keys(self, words: pa.LargeStringArray) -> tuple[Keys, Keys]:
        table, count, parts = self.table, len(words), len(_PARTS)
        lowered = lower(words).arrow
        at, by, forms = _exchanged(lowered, [rule for _, rule in _RULES])
        part = np.array([part for part, _ in _RULES])[by]
        lemma = found(pa.concat_arrays([lowered, forms]), table.text("lemmas"))
        lemmas = np.flatnonzero(lemma[:count] >= 0)
        irregular = found(lowered, table.text("irregular"))
        forms_of = np.flatnonzero(irregular >= 0)
        # A word in the list of exceptions is looked up there, not by its ending.
        exempt = np.zeros((count, parts), np.bool_)
        exempt[forms_of] = table["exempt"].reshape(-1, parts)[irregular[forms_of]]
        regular = (lemma[count:] >= 0) & ~exempt[at, part]
        every = np.arange(parts)
        form, base = rows(table["base_offsets"], (parts * irregular[forms_of, None] + every).ravel())
        of_lemmas = (parts * lemma[lemmas, None] + every).ravel()
        of_ending = (parts * lemma[count:] + part)[regular]
        row, name = rows(table["offsets"], np.concatenate([of_lemmas, of_ending, table["base_items"][base]]))
        owners = np.concatenate([np.repeat(lemmas, parts), at[regular], np.repeat(forms_of, parts)[form]])[row]
        # A word that is not a name has a key of its own.
        alone, itself = np.arange(count), found(words, table.text("names"))
        keys = np.concatenate([itself, table["items"][name]])
        hypothesis = Keys.of(count, np.concatenate([alone, owners]), keys)
        return hypothesis, Keys(np.arange(count + 1), itself.astype(np.int32))


# METEOR 1.5: SynonymDictionary. Its `relations` are never read.

_MORPHED = (
    "s> ses>s xes>x zes>z ches>ch shes>sh men>man ies>y s> ies>y es>e es> ed>e ed> ing>e ing> er> est> er>e est>e"
)
_MORPH = [_rule(text) for text in _MORPHED.split()]


def meteor_arrays(synsets: File, exceptions: File) -> dict[str, Any]:
    """The arrays of METEOR's synonyms: the synsets of each word, and the base forms of irregular words.

    Raises
    ------
    InputError
        If the lines do not come in pairs: a word and its numbers, or a base form and its forms.
    """
    sets: dict[str, list[int]] = {}
    for number, (word, numbers) in _pairs(synsets):
        try:
            sets[word] = sorted({int(item) for item in numbers.split()})
        except ValueError:
            raise InputError(f"{synsets}, line {number + 1}: {numbers!r:.60} are not numbers of synsets.") from None
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

    def keys(self, words: pa.LargeStringArray) -> tuple[Keys, Keys]:
        import pyarrow.compute as pc

        table, count = self.table, len(words)
        at, _, forms = _exchanged(words, _MORPH)
        place = found(pa.concat_arrays([words, forms]), table.text("words"))
        irregular = found(words, table.text("irregular"))
        itself, forms_of = np.flatnonzero(place[:count] >= 0), np.flatnonzero(irregular >= 0)
        # The first ending that leads to a word of the table counts. Short words and words in -ss keep their ending.
        inflected = (pc.utf8_length(words).to_numpy() > 2) & ~pc.ends_with(words, "ss").to_numpy(zero_copy_only=False)
        regular = np.flatnonzero((place[count:] >= 0) & (inflected & (irregular < 0))[at])
        regular = regular[np.unique(at[regular], return_index=True)[1]]
        form, base = rows(table["base_offsets"], irregular[forms_of])
        places = np.concatenate([place[itself], place[count:][regular], table["base_items"][base]])
        owners = np.concatenate([itself, at[regular], forms_of[form]])
        row, item = rows(table["offsets"], places)
        keys = Keys.of(count, owners[row], table["items"][item].astype(np.int64))
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

    def keys(self, words: pa.LargeStringArray) -> tuple[Keys, Keys]:
        place = found(words, self.table.text("words"))
        known = np.flatnonzero(place >= 0)
        row, item = rows(self.table["offsets"], place[known])
        keys = Keys.of(len(words), known[row], self.table["items"][item].astype(np.int64))
        return keys, keys
