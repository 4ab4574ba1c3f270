"""The tuples of scene graphs: as they are given, or from the parses of texts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from metrologue.data.arrays import Ids, Offsets
from metrologue.data.columns import Items, gathered
from metrologue.data.intake import is_list, listed, with_type
from metrologue.errors import InputError
from metrologue.kernels.arrays import IdRows
from metrologue.lexicon import Keys, synonym_keys
from metrologue.reading import View
from metrologue.representations.parses.named import NamedParser
from metrologue.scorers.core.crossed import of_texts
from metrologue.scorers.core.distinct import Distinct, distinct_texts
from metrologue.scorers.core.parsed import parsed_texts
from metrologue.scorers.spice.lists import classes_of
from metrologue.scorers.spice.rules import scene_tuples
from metrologue.segments import Segments

__all__ = ["Tuples", "Words", "given_segments", "given_tuples", "json_tuples", "parsed_tuples", "sides", "words_of"]

Tuple = tuple[str, ...]

_EXPECTED = 'a tuple of 1 to 3 str is expected, such as ("girl",), ("girl", "young") or ("girl", "ride", "bike")'
# The phrases of METEOR's table are written with this character.
_JOINER = {"meteor-1.5": "_"}


class Tuples(NamedTuple):
    """The tuples of texts, and which texts belong together.

    Attributes
    ----------
    types : sequence of tuple of str
        Each distinct tuple once.
    ids : int32
    offsets : int64 (n_texts + 1,)
        Text t has the tuples ``ids[offsets[t]:offsets[t + 1]]``, indices of `types`.
    hypotheses, references : int64 (n_segments,), int64 (n_references,)
        The texts that are compared.
    reference_offsets : int64 (n_segments + 1,)
    """

    types: Sequence[Tuple]
    ids: Ids
    offsets: Offsets
    hypotheses: Offsets
    references: Offsets
    reference_offsets: Offsets


class Words(NamedTuple):
    """The words of tuples.

    Attributes
    ----------
    spelled : list of str
    tuples : int32 (n_types, 3)
        The words of each distinct tuple: (object, -1, -1), (object, attribute, -1) or (subject, relation, object).
    """

    spelled: list[str]
    tuples: IdRows

    def keys(self, synonyms: str | None) -> Keys:
        """The sets of synonyms of each word; none without a table."""
        if synonyms is None or not self.spelled:
            return Keys(np.zeros(len(self.spelled) + 1, np.int64), np.empty(0, np.int32))
        joiner = _JOINER.get(synonyms.partition("@")[0], " ")
        return synonym_keys([word.lower().replace(" ", joiner) for word in self.spelled], synonyms)[0]

    @property
    def classes(self) -> Ids:
        """The classes of each word, (n_words,)."""
        return np.array([*map(classes_of, self.spelled)], np.int32)


def words_of(types: Sequence[Tuple]) -> Words:
    """The words of distinct tuples. A relation loses a leading "be", as that of a passive.

    Examples
    --------
    >>> words_of([("dog",), ("man", "be hold", "dog")])
    Words(spelled=['dog', 'man', 'hold'], tuples=array([[ 0, -1, -1],
           [ 1,  2,  0]], dtype=int32))
    """
    numbers: dict[str, int] = {}
    rows = np.full((len(types), 3), -1, np.int32)
    for row, words in zip(rows, types, strict=True):
        for column, word in enumerate(words):
            spelled = word.removeprefix("be ") if column == 1 and len(words) == 3 else word
            row[column] = numbers.setdefault(spelled, len(numbers))
    return Words([*numbers], rows)


def sides(tuples: Tuples) -> tuple[Ids, Offsets]:
    """The tuples of each graph: first those of the hypotheses, then those of all references of each segment.

    Returns
    -------
    ids, offsets : int32, int64 (2 * n_segments + 1,)
    """
    own, limits = gathered(tuples.offsets, tuples.hypotheses)
    its, ends = gathered(tuples.offsets, tuples.references)
    ends = ends[tuples.reference_offsets]
    return tuples.ids[np.concatenate([own, its])], np.concatenate([limits, limits[-1] + ends[1:]])


def given_segments(predictions: Any, references: Any, owner: str) -> Segments:
    """Segments of scene graphs. A graph is a list or a set of tuples, or of lists, as JSON has them."""
    columns = {"predictions": Items.of([*map(_graph, _rows(predictions, "predictions", owner))], "predictions", owner)}
    if references is not None:
        graphs = [_graphs(row) for row in _rows(references, "references", owner)]
        columns["references"] = Items.of(graphs, "references", owner, several=True)
    return Segments.of_columns(columns, owner)


def _rows(values: Any, argument: str, owner: str) -> list[Any]:
    found = listed(values, argument, owner, of="scene graphs")
    rows: list[Any] = found if isinstance(found, list) else found.to_pylist()
    for index, row in enumerate(rows):
        if not isinstance(row, (set, frozenset)) and (isinstance(row, str) or not is_list(row)):
            raise InputError(f"{owner}: `{argument}[{index}]` is {with_type(row)}; a list of tuples is expected.")
    return rows


def _graph(row: Any) -> list[Any]:
    """The items of a graph, with tuples for lists of words."""
    return [tuple(item) if isinstance(item, list) and not _is_graph(item) else item for item in row]


def _graphs(row: Any) -> list[Any]:
    """A graph, or a list of graphs if an item is one."""
    several = isinstance(row, (list, tuple)) and any(map(_is_graph, row))
    return [_graph(item) if _is_graph(item) else item for item in row] if several else _graph(row)


def _is_graph(item: Any) -> bool:
    """Whether an item is a graph, not a tuple: a set, or a list that is empty or holds tuples or their JSON."""
    if isinstance(item, list):
        return not item or any(isinstance(each, (list, tuple)) for each in item) or all(map(_is_json, item))
    return isinstance(item, (set, frozenset))


def _is_json(item: Any) -> bool:
    return isinstance(item, str) and item.startswith("[")


def given_tuples(segments: Segments, owner: str) -> Tuples:
    """The tuples that are given as items.

    Raises
    ------
    InputError
        If an item is no tuple of one to three words.
    """
    view = segments.items()
    types = of_texts(segments, ("scene tuples",), lambda: _checked(view, segments, owner))
    own, its = view.pairs
    starts = view.reference_offsets[:-1]
    return Tuples(types, view.ids, view.offsets, own[starts], its, view.reference_offsets)


def _checked(view: View, segments: Segments, owner: str) -> list[Tuple]:
    items = view.vocabulary.items  # type: ignore[attr-defined]  # the vocabulary of items
    found = [_words(item) or () for item in items]
    wrong = np.flatnonzero(np.array([not words for words in found], np.bool_)[view.ids])
    if not len(wrong):  # a part of a column knows the items of the other parts too
        return found
    place = int(wrong[0])
    text = int(np.searchsorted(view.offsets, place, "right")) - 1
    what = f" has {with_type(items[view.ids[place]])} at {place - view.offsets[text]}; {_EXPECTED}."
    if text < view.first_reference:
        raise InputError.at(owner, "predictions", segments.first + text, what)
    segment = int(np.searchsorted(view.reference_offsets, text - view.first_reference, "right")) - 1
    raise InputError.at(owner, "references", segments.first + segment, what)


def _words(item: Any) -> Tuple | None:
    """The words of an item; None if it is no tuple. A module keeps a tuple as its JSON."""
    if isinstance(item, str):
        item = _json(item)
    if not (isinstance(item, (tuple, list)) and 1 <= len(item) <= 3 and all(isinstance(word, str) for word in item)):
        return None
    words = tuple(" ".join(word.split()) for word in item)
    return words if all(words) else None


def _json(text: str) -> Any:
    """What a text says in JSON; None if it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def json_tuples(segments: Segments, owner: str, cure: str) -> Tuples:
    """The tuples of texts, each of which is the JSON of a scene graph. The `cure` is for texts of another kind.

    Raises
    ------
    InputError
        If a text is none.
    """
    texts = of_texts(segments, ("distinct",), lambda: distinct_texts(segments))
    graphs = of_texts(segments, ("scene tuples",), lambda: [_of_json(text) for text in texts.texts])
    if place := texts.first(np.array([graph is None for graph in graphs], np.bool_)):
        argument, index = place
        if argument == "references":
            index = int(np.searchsorted(segments.reference_offsets, index, "right")) - 1
        what = f" is a text, not the JSON of a scene graph, a list of tuples; to parse texts, {cure}."
        raise InputError.at(owner, argument, segments.first + index, what)
    return _numbered([graph or [] for graph in graphs], texts, segments)


def _of_json(text: str) -> list[Tuple] | None:
    found = _json(text)
    tuples = [_words(item) for item in found] if isinstance(found, list) else [None]
    known = [each for each in tuples if each is not None]
    return known if len(known) == len(tuples) else None


def parsed_tuples(segments: Segments, parser: NamedParser | None, owner: str) -> Tuples:
    """The tuples of texts, by our rules over their parses.

    Raises
    ------
    InputError
        If there are scene graphs in place of texts; as for ``parsed_texts``.
    """
    if segments.holds_items:
        raise InputError(
            f"{owner}: `predictions` are scene graphs, but `graphs` is 'rules'; give texts, or choose graphs='given'."
        )
    texts, parses = parsed_texts(owner, segments, parser, ("lemmas", "pos", "relations"))
    key = "scene tuples", parser
    graphs = of_texts(segments, key, lambda: [scene_tuples(parses.tokens(i)) for i in range(len(texts.texts))])
    return _numbered(graphs, texts, segments)


def _numbered(graphs: Sequence[Sequence[Tuple]], texts: Distinct, segments: Segments) -> Tuples:
    """The tuples of distinct texts as numbers."""
    numbers: dict[Tuple, int] = {}
    ids = np.array([numbers.setdefault(each, len(numbers)) for graph in graphs for each in graph], np.int32)
    own, its = texts.pairs(segments)
    starts = segments.reference_offsets[:-1]
    return Tuples([*numbers], ids, np.cumsum([0, *map(len, graphs)]), own[starts], its, segments.reference_offsets)
