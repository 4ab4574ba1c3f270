"""The tuples of scene graphs: as they are given, or from the parses of texts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from metrologue.data.arrays import Ids, Offsets
from metrologue.data.columns import Column, gathered
from metrologue.data.intake import holds_lists, is_list, listed, with_type
from metrologue.errors import InputError
from metrologue.kernels.arrays import IdRows
from metrologue.representations.parses.named import NamedParser
from metrologue.scorers.core.crossed import Distinct, distinct_of, of_texts, parsed_texts
from metrologue.scorers.core.inputs import REFERENCES, Columns, Input, Kind, texts
from metrologue.scorers.spice.rules import scene_tuples
from metrologue.segments import Segments
from metrologue.text.lexicon import Keys, synonym_keys

Tuple = tuple[str, ...]

_EXPECTED = 'a tuple of 1 to 3 str is expected, such as ("girl",), ("girl", "young") or ("girl", "ride", "bike")'
# The phrases of METEOR's table are written with this character.
_JOINER = {"meteor-1.5": "_"}


class Tuples(NamedTuple):
    """The tuples of texts, and which texts belong together."""

    types: Sequence[Tuple]  # each distinct tuple once
    ids: Ids
    offsets: Offsets  # (n_texts + 1,): text t has the tuples ``ids[offsets[t]:offsets[t + 1]]``, indices of `types`
    # (n_segments,), (n_references,): The texts that are compared.
    hypotheses: Offsets
    references: Offsets
    reference_offsets: Offsets  # (n_segments + 1,)


class Words(NamedTuple):
    """The words of tuples."""

    spelled: list[str]
    # (n_types, 3): (object, -1, -1), (object, attribute, -1) or (subject, relation, object) of each distinct tuple.
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


def _graphs(rows: Any, argument: str, owner: str, columns: Columns) -> Column:
    """A column of texts. A scene graph, a list or a set of tuples, becomes its JSON; in JSON, tuples are lists."""
    rows = listed(rows, argument, owner)
    return _PREDICTIONS.column(spelled(rows, argument, owner) if holds_lists(rows) else rows, owner, columns)


def _graphs_of_each(rows: Any, argument: str, owner: str, columns: Columns) -> Column:
    rows = listed(rows, argument, owner)
    if holds_lists(rows) and isinstance(rows, list):
        rows = spelled(rows, argument, owner, several=True)
        if any(isinstance(row, list) for row in rows):
            rows = [[row] if isinstance(row, str) else row for row in rows]
    return REFERENCES.column(rows, owner, columns)


_PREDICTIONS = texts("predictions")
GRAPHS = (
    Input("predictions", Kind("graphs", _graphs), about="texts, or scene graphs: lists or sets of tuples"),
    Input("references", Kind("graphs", _graphs_of_each), many=True, about="the metric compares scene graphs with them"),
)


def spelled(rows: Any, argument: str, owner: str, several: bool = False) -> Any:
    """Scene graphs as their JSON; anything but a list or a set as it is. With `several`, a row may be a list of them.

    Raises an InputError if a tuple has not one to three words.

    Examples
    --------
    >>> spelled([[("dog",)], [], "a dog"], "predictions", "Spice")
    ['[["dog"]]', '[]', 'a dog']
    >>> spelled([[[("dog",)], []], [["dog", "red"]]], "references", "Spice", several=True)
    [['[["dog"]]', '[]'], '[["dog", "red"]]']
    """
    if isinstance(rows, str) or not is_list(rows):
        return rows
    found = []
    for index, row in enumerate(rows):
        place, items = f"`{argument}[{index}]`", [*row] if _is_row(row) else []
        if not _is_row(row):
            found.append(row)
        elif several and items and all(isinstance(item, str) for item in items):
            found.append(items)
        elif several and any(map(_is_graph, items)):
            found.append([_text(item, place, owner) if _is_row(item) else item for item in items])
        else:
            found.append(_text(items, place, owner))
    return found


def _is_row(row: Any) -> bool:
    return not isinstance(row, str) and (is_list(row) or isinstance(row, (set, frozenset)))


def _is_graph(item: Any) -> bool:
    """Whether an item is a graph, not a tuple: a set, or a list that is empty or holds tuples."""
    if isinstance(item, list):
        return not item or any(isinstance(each, (list, tuple)) for each in item)
    return isinstance(item, (set, frozenset))


def _text(items: Any, place: str, owner: str) -> str:
    """The JSON of a graph."""
    for at, item in enumerate(items):
        if _words(item) is None:
            raise InputError(f"{owner}: {place}{_wrong(item, at)}")
    return json.dumps([[*item] for item in items])


def _wrong(item: Any, at: int) -> str:
    return f" has {with_type(item)} at {at}; {_EXPECTED}."


def _words(item: Any) -> Tuple | None:
    """The words of an item; None if it is no tuple."""
    if not (isinstance(item, (tuple, list)) and 1 <= len(item) <= 3 and all(isinstance(word, str) for word in item)):
        return None
    words = tuple(" ".join(word.split()) for word in item)
    return words if all(words) else None


def given_tuples(segments: Segments, owner: str, cure: str) -> Tuples:
    """The tuples of texts, each of which is the JSON of a scene graph. The `cure` is for texts of another kind.

    Raises an InputError if a text is not a scene graph, or a tuple does not have one to three words.
    """
    texts = distinct_of(segments)
    graphs = of_texts(segments, ("scene tuples",), lambda: [_of_json(text) for text in texts.texts])
    if place := texts.first(np.array([isinstance(graph, str) for graph in graphs], np.bool_)):
        argument, index = place
        entry = (texts.hypotheses if argument == "predictions" else texts.references)[index]
        what = graphs[entry] or f" is a text, not the JSON of a scene graph, a list of tuples; to parse texts, {cure}."
        raise InputError.at(owner, argument, _segment(segments, argument, index), str(what))
    return _numbered([graph for graph in graphs if not isinstance(graph, str)], texts, segments)


def _of_json(text: str) -> list[Tuple] | str:
    """The tuples of a text; what is wrong with it if it has none, "" if it is no list in JSON."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(found, list):
        return ""
    tuples = []
    for at, item in enumerate(found):
        if (words := _words(item)) is None:
            return _wrong(item, at)
        tuples.append(words)
    return tuples


def _segment(segments: Segments, argument: str, index: int) -> int:
    """The segment of a prediction or of a reference."""
    if argument == "references":
        index = int(np.searchsorted(segments.reference_offsets, index, "right")) - 1
    return segments.first + index


def parsed_tuples(segments: Segments, parser: NamedParser | None, owner: str) -> Tuples:
    """The tuples of texts, by our rules over their parses.

    Raises an InputError if a text is a scene graph; as for ``parsed_texts``.
    """
    texts, parses = parsed_texts(owner, segments, parser, ("lemmas", "pos", "relations"))
    given = np.array([text.startswith("[[") and not isinstance(_of_json(text), str) for text in texts.texts], np.bool_)
    if place := texts.first(given):
        what = " is a scene graph, but `graphs` is 'rules'; give texts, or choose graphs='given'."
        raise InputError.at(owner, place[0], _segment(segments, *place), what)
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


_COLORS = "beige black blue brown cream dark gray green grey light maroon orange pink purple red violet white yellow"
_COUNTS = "one two three four five six seven eight nine ten"
_SIZES = """
    baby beefy big bony boundless brawny broad bulky chunky colossal compact corpulent cosmic cubby curvy
    elfin emaciated endless enormous epic expansive extensive fat fleshy full-size gargantuan gaunt giant
    gigantic grand great heavy hefty huge hulking illimitable immeasurable immense infinitesimal lanky large
    lean life-size limitless little mammoth massive meager measly microscopic mini miniature minuscule minute
    narrow obese outsized oversize overweight paltry petite pint-size plump pocket-size portly pudgy puny
    rotund scanty scraggy scrawny short sizable skeletal skimpy skinny slender slim small squat stocky stout
    strapping sturdy tall teensy teeny teeny-tiny teeny-weeny thick thickset thin tiny titanic towering
    trifling trim tubby undersized underweight unlimited vast wee whopping wide
"""

# The words of each class, as SPICE 1.0 has them: in lower case, and without digits.
CLASSES = {name: frozenset(words.split()) for name, words in (("color", _COLORS), ("count", _COUNTS), ("size", _SIZES))}


def classes_of(word: str) -> int:
    """The classes of a word, a bit for each.

    Examples
    --------
    >>> classes_of("red"), classes_of("two"), classes_of("tiny"), classes_of("happy")
    (1, 2, 4, 0)
    """
    return sum(1 << place for place, words in enumerate(CLASSES.values()) if word in words)
