"""Every hypothesis with every reference, as segments: what the pairs share is read and counted once for all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.data.columns import Column, Items
from metrologue.data.strings import Form
from metrologue.errors import InputError
from metrologue.scorers.core.kernels.ngram_index import bags_of, common_ngrams, index_of
from metrologue.scorers.core.kernels.ngrams import distinct_counts, paired_counts, set_counts
from metrologue.scorers.core.threads import Part
from metrologue.segments import Segments
from metrologue.text.reading import Reading
from metrologue.text.reading.text import Text
from metrologue.text.reading.view import View
from metrologue.threads import Memo

if TYPE_CHECKING:
    from metrologue.representations.parses.columns import Parses
    from metrologue.representations.parses.named import NamedParser

__all__ = [
    "Collection", "Crossed", "CrossedView", "Distinct", "Group", "Tile", "common_counts", "distinct_of",
    "distinct_texts", "of_texts", "parsed_texts", "set_sizes",
]  # fmt: skip

Indices = NDArray[np.int64]
T = TypeVar("T")


class _Shared(Memo):
    """Results that several threads need, each computed once."""

    memoize = Memo.get


class Collection(_Shared):
    """All hypotheses and all references of one call; without references, these are the hypotheses.

    `in_groups` says whether they came as a list of groups. `of_groups` has the metric's other inputs, a text for each
    group.
    """

    def __init__(
        self, hypotheses: Text | Items, references: Text | Items | None, in_groups: bool,
        of_groups: Mapping[str, Text] | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.in_groups, self.of_groups = in_groups, of_groups or {}
        self.same, self.hypotheses, self.references = references is None, hypotheses, references or hypotheses
        # All references belong to the last segment, so that a view has each text once.
        offsets = np.zeros(len(hypotheses) + 1, np.int64)
        offsets[-1] = len(self.references)
        last = _regrouped(self.references, offsets)
        self.both = Segments.of_columns({"predictions": hypotheses, "references": last})
        self.alone = Segments.of_columns({"predictions": hypotheses})

    def read(self, reading: Reading, of_references: Reading) -> tuple[View, int]:
        """The tokens of all texts, and the index of the first reference among them. Texts that are the same are read
        once."""
        if self.same and reading == of_references:
            return self.memoize(("view", reading), lambda: self.alone.read(reading)), 0
        key = ("view", reading, of_references)
        return self.memoize(key, lambda: self.both.read(reading, of_references)), len(self.both)

    def items(self) -> tuple[View, int]:
        """The items of all entries, as for ``read``."""
        segments = self.alone if self.same else self.both
        return self.memoize(("items",), segments.items), 0 if self.same else len(self.both)


def _regrouped(column: Text | Items, offsets: Indices) -> Column:
    if isinstance(column, Items):
        return Items(column.ids, column.item_offsets, column.types, offsets)
    return Text(column.texts, offsets)


class Group(_Shared):
    """Hypotheses and references of which all pairs are scored: ranges of indices in their collection."""

    def __init__(self, number: int, hypotheses: range, references: range) -> None:
        super().__init__()
        self.number, self.hypotheses, self.references = number, hypotheses, references


class Tile(NamedTuple):
    """A part of the pairs of a group: some of its hypotheses, each with some of its references."""

    group: Group
    hypotheses: range
    references: range

    @property
    def area(self) -> int:
        """The number of pairs."""
        return len(self.hypotheses) * len(self.references)

    @property
    def pairs(self) -> tuple[Indices, Indices]:
        """The hypothesis and the reference of each pair, by their indices in the collection, (area,) each."""
        hypotheses, references = np.arange(*_ends(self.hypotheses)), np.arange(*_ends(self.references))
        return np.repeat(hypotheses, len(references)), np.tile(references, len(hypotheses))

    @property
    def within(self) -> tuple[range, range]:
        """The hypotheses and the references, by their indices in the group."""
        sides = (self.hypotheses, self.group.hypotheses), (self.references, self.group.references)
        hypotheses, references = (range(side.start - whole.start, side.stop - whole.start) for side, whole in sides)
        return hypotheses, references

    @property
    def halves(self) -> list[Tile]:
        """Two tiles with half of the hypotheses each; of the references, if there is one hypothesis."""
        if len(self.hypotheses) > 1:
            return [self._replace(hypotheses=half) for half in _halves(self.hypotheses)]
        return [self._replace(references=half) for half in _halves(self.references)]


def _halves(indices: range) -> tuple[range, range]:
    middle = len(indices) // 2
    return indices[:middle], indices[middle:]


def _ends(indices: range) -> tuple[int, int]:
    return indices.start, indices.stop


@dataclass(eq=False)
class CrossedView(View):
    """A view whose segments are pairs. The texts are those of the whole collection, each of them once.

    Attributes
    ----------
    hypotheses, references : int64 (n_pairs,)
        The texts of each pair.
    tiles : sequence of Tile
        The same pairs as rectangles, one after another.
    shift : int
        The index of the collection's first reference among the texts.
    key : tuple
        What was read, for results that are kept.
    """

    hypotheses: Indices
    references: Indices
    tiles: Sequence[Tile] = field(repr=False)
    shift: int
    key: tuple[object, ...]

    @property
    def first_reference(self) -> int:
        """The index of the collection's first reference among the texts."""
        return self.shift

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Number of tokens of the hypothesis of each pair, (n_pairs,)."""
        return np.diff(self.offsets)[self.hypotheses]

    @property
    def reference_lengths(self) -> NDArray[np.int64]:
        """Number of tokens of the reference of each pair, (n_pairs,)."""
        return np.diff(self.offsets)[self.references]

    @property
    def pairs(self) -> tuple[Indices, Indices]:
        """The texts of each pair, as two arrays of indices."""
        return self.hypotheses, self.references


class Crossed(Segments):
    """Segments that are pairs: each hypothesis of some tiles with each reference.

    A view of them has each text once. Whatever asks for a column of texts gets one with the texts of each pair.
    """

    def __init__(self, collection: Collection, tiles: Sequence[Tile]) -> None:
        self.collection, self.tiles = collection, tiles
        self.first = 0
        self._memo = Memo()
        hypotheses, references = zip(*(tile.pairs for tile in tiles), strict=True)
        self.hypotheses, self.reference_indices = np.concatenate(hypotheses), np.concatenate(references)

    def __len__(self) -> int:
        return len(self.hypotheses)

    @cached_property
    def columns(self) -> dict[str, Column]:  # type: ignore[override]  # made when asked for, because it takes memory
        """The columns of predictions, references and other inputs, with an entry of each for each pair."""
        others = self.collection.of_groups
        groups = np.repeat([tile.group.number for tile in self.tiles], [tile.area for tile in self.tiles])
        return {
            "predictions": self.collection.hypotheses.take(self.hypotheses),
            "references": self.collection.references.take(self.reference_indices),
            **{name: column.take(groups) for name, column in others.items()},
        }

    @property
    def reference_offsets(self) -> Indices:
        """Offsets (n_pairs + 1,): a pair has one reference."""
        return np.arange(len(self) + 1)

    def has(self, name: str) -> bool:
        """Whether it is one side of the pairs, or an input that each group has."""
        return name in ("predictions", "references", *self.collection.of_groups)

    @property
    def holds_items(self) -> bool:
        """Whether the entries are items, not texts."""
        return self.collection.both.holds_items

    @property
    def nbytes(self) -> int:
        """0: a block of pairs is small, whatever its texts."""
        return 0

    def shards(self, count: int) -> list[Segments]:
        """The segments themselves, which are a part already."""
        return [self]

    def items(self) -> View:
        """The items of all entries, as ids in one vocabulary."""
        return self.memoize(("items",), lambda: self._crossed(*self.collection.items(), ("items",)))

    def in_form(self, form: Form) -> Crossed:
        """The pairs themselves: their collection has the form already."""
        return self

    def read(self, reading: Reading, of_references: Reading | None = None, threads: int = 1) -> View:
        """The tokens under a reading; arguments and errors as for ``Segments.read``."""
        key = ("view", reading, of_references or reading)
        return self.memoize(key, lambda: self._crossed(*self.collection.read(reading, of_references or reading), key))

    def _crossed(self, view: View, shift: int, key: tuple[object, ...]) -> CrossedView:
        return CrossedView(
            view.ids, view.offsets, self.reference_offsets, view.sentences, view.sentence_offsets, view.type_count,
            view.vocabulary, self.hypotheses, shift + self.reference_indices, self.tiles, shift, key,
        )  # fmt: skip


def of_texts(segments: Segments, key: tuple[object, ...], make: Callable[[], T]) -> T:
    """The result of `make`, which depends on the texts but not on the pairs: computed once, and kept under `key`."""
    kept = segments.collection if isinstance(segments, (Crossed, Part)) else segments
    return kept.memoize(key, make)


def distinct_of(segments: Segments) -> Distinct:
    """The distinct texts of segments, collected once for all scorers."""
    return of_texts(segments, ("distinct",), lambda: distinct_texts(segments))


def common_counts(view: View, max_order: int, once: bool) -> Floats:
    """Common n-grams of orders 1 to `max_order` of each pair of a view: (pairs, max_order).

    n-grams are compared as bags: an n-gram matches as often as both texts have it. With `once` they are sets.

    Examples
    --------
    >>> from metrologue.text.reading import words
    >>> common_counts(Segments(["a b a"], ["a a c"]).read(words("whitespace")), 2, False)
    array([[2., 0.]])
    """
    if not isinstance(view, CrossedView):
        return paired_counts(view.paired, max_order, once)
    matches, row = np.empty((len(view), max_order)), 0
    for tile in view.tiles:
        _tile_counts(view, tile, max_order, once, matches[row : row + tile.area])
        row += tile.area
    return matches


def set_sizes(segments: Segments, view: View, key: tuple[object, ...]) -> tuple[Floats, Floats, Floats]:
    """The distinct tokens that both texts of each pair have, of the hypothesis, and of the reference: (pairs,) each.

    `view` is that of the segments under a reading, which `key` names.
    """
    if not isinstance(view, CrossedView):
        common, own, others = set_counts(view.paired).T
        return common, own, others
    sizes = of_texts(segments, ("sizes", *key), lambda: distinct_counts(view.ids, view.offsets, 1)[:, 0])
    return common_counts(view, 1, True)[:, 0], sizes[view.hypotheses], sizes[view.references]


def _tile_counts(view: CrossedView, tile: Tile, max_order: int, once: bool, matches: Floats) -> None:
    group, shift = tile.group, view.shift
    same = shift == 0
    hypotheses, references = group.hypotheses, group.references

    def make() -> tuple[Any, Any]:
        sides = [hypotheses] if same else [hypotheses, range(shift + references.start, shift + references.stop)]
        bags = bags_of(*view.texts(sides), max_order, once)
        return bags, [index_of(bag, 0 if same else len(hypotheses)) for bag in bags]

    bags, indices = group.memoize((*view.key, "n-grams", max_order, once), make)
    rows, columns = tile.within
    common_ngrams(bags, indices, rows, columns, len(references), matches)
    if same:  # an n-gram that occurs once in all texts is common to a text and itself
        both = np.arange(max(rows.start, columns.start), min(rows.stop, columns.stop))
        diagonal = (both - rows.start) * len(columns) + both - columns.start
        matches[diagonal] += np.column_stack([bag.alone[both] for bag in bags])


class Distinct(NamedTuple):
    """Texts, each once, and the places of hypotheses and of references among them, int64 each."""

    texts: Sequence[str]
    hypotheses: Indices
    references: Indices

    def pairs(self, segments: Segments) -> tuple[Indices, Indices]:
        """The text of the hypothesis and that of the reference of each pair."""
        if isinstance(segments, Crossed):
            return self.hypotheses[segments.hypotheses], self.references[segments.reference_indices]
        return np.repeat(self.hypotheses, np.diff(segments.reference_offsets)), self.references

    def first(self, chosen: NDArray[np.bool_]) -> tuple[str, int] | None:
        """The argument and the index of the first text among the chosen ones; None if there is none."""
        for name, places in (("predictions", self.hypotheses), ("references", self.references)):
            if len(found := np.flatnonzero(chosen[places])):
                return name, int(found[0])
        return None


def distinct_texts(segments: Segments) -> Distinct:
    """The distinct texts of some segments; for ``pairwise`` all texts of the call, references side by side.

    Examples
    --------
    >>> found = distinct_texts(Segments(["a", "b"], [["b", "c"], ["a"]]))
    >>> found.texts, found.hypotheses, found.references, found.pairs(Segments(["a", "b"], [["b", "c"], ["a"]]))
    (['a', 'b', 'c'], array([0, 1]), array([1, 2, 0]), (array([0, 0, 1]), array([1, 2, 0])))
    """
    if isinstance(segments, Crossed):
        return _of_collection(segments)
    numbers: dict[str, int] = {}
    sides = [segments.strings(name).to_pylist() for name in ("predictions", "references") if name in segments.columns]
    places = [np.array([numbers.setdefault(text, len(numbers)) for text in side], np.int64) for side in sides]
    return Distinct([*numbers], places[0], places[1] if len(places) > 1 else np.zeros(0, np.int64))


def _of_collection(segments: Crossed) -> Distinct:
    """In a matrix, one product serves a hypothesis and all references, if these follow each other."""
    collection = segments.collection
    hypotheses: list[str] = collection.alone.strings().to_pylist()
    if collection.same:
        return Distinct(hypotheses, np.arange(len(hypotheses)), np.arange(len(hypotheses)))
    references: list[str] = collection.both.strings("references").to_pylist()
    return Distinct(hypotheses + references, np.arange(len(hypotheses)), len(hypotheses) + np.arange(len(references)))


def parsed_texts(
    owner: str, segments: Segments, parser: NamedParser | None, needed: tuple[str, ...] = ()
) -> tuple[Distinct, Parses]:
    """The distinct texts of some segments, and the parse of each; `needed` are columns of parses, such as "lemmas".

    Raises
    ------
    InputError
        If there is no parser, a text has no parse, or the parser does not give what is needed.

    Examples
    --------
    >>> from metrologue.representations.parses import FunctionParser, NamedParser, Token
    >>> words = FunctionParser("words", lambda texts: [[Token(w, w.lower()) for w in t.split()] for t in texts], "1")
    >>> texts, parses = parsed_texts("Tesla", Segments(["A cat"], ["a cat"]), NamedParser.of(words), ("lemmas",))
    >>> parses.texts("lemmas", texts.hypotheses[0])
    ['a', 'cat']
    """
    if parser is None:
        raise InputError(
            f"{owner}: `parser` is missing; give the name of a pipeline of spaCy, such as 'en_core_web_sm', a file in "
            "CoNLL-U with parses of the texts, or a parser of metrologue.representations.parses."
        )
    texts = distinct_of(segments)
    parses = of_texts(segments, ("parses", parser), lambda: parser.parser.parse(texts.texts))
    if (place := texts.first(~parses.known)) is not None:
        raise InputError.at(owner, *place, f" has no parse in {parser}; one of the same characters is expected.")
    if missing := parses.missing(*needed):
        raise InputError(f"{owner}: the parser {parser} gives no {' and no '.join(missing)}.")
    return texts, parses
