"""Examples for DAE: texts beside their sources, and for each dependency arc whether it follows from the source."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from metrologue.errors import InputError, shown
from metrologue.files.objects import JsonRecord, all_or_none, json_lines
from metrologue.learned.examples import Examples
from metrologue.representations.parses.columns import Parses
from metrologue.representations.parses.named import parser_of, word_parser
from metrologue.writing import write_whole
from metrologue_research.dae.arcs import LEFT_OUT, Arcs, arcs_of, overlaps

_MOST = 20
Span = tuple[int, int]


class Arc(NamedTuple):
    """A word and the word on which it depends, by their spans in a text, in characters.

    Attributes
    ----------
    child, head : (int, int)
    entailed : bool
        Whether the source says the same.
    found : bool
        Whether the source's parse has an arc of both words.
    """

    child: Span
    head: Span
    relation: str
    entailed: bool
    found: bool = False


@dataclass(frozen=True, eq=False)
class ArcExamples(Examples):
    """Texts with arcs. The reference is the source, and the label is 1 if all arcs follow from it.

    Raises an InputError as ``Examples``; or if a text has no arcs, or several sources.

    Attributes
    ----------
    arcs : tuple of n tuples of Arc
    parser : str
        The name of the parser; "" if it is not known.
    """

    arcs: tuple[tuple[Arc, ...], ...] = ()
    parser: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.arcs) != len(self):
            raise InputError(f"ArcExamples: `arcs` has {len(self.arcs)} entries for {len(self)} predictions.")
        for row, (own, sources) in enumerate(zip(self.arcs, self.references, strict=True)):
            if not own or len(sources) != 1:
                what = " is empty; at least one arc is expected." if not own else " belongs to several sources."
                raise InputError.at("ArcExamples", "arcs", row, what)

    @classmethod
    def of_arcs(
        cls,
        sources: Sequence[str],
        texts: Sequence[str],
        arcs: Sequence[Sequence[Arc]],
        groups: Sequence[str] | None = None,
        parser: str = "",
    ) -> Self:
        """The examples of these texts; the labels come from the arcs."""
        return cls(
            predictions=tuple(texts),
            references=tuple((each,) for each in sources),
            targets=np.array([all(arc.entailed for arc in own) for own in arcs], np.float64),
            groups=None if groups is None else tuple(groups),
            labels=True,
            arcs=tuple(map(tuple, arcs)),
            parser=parser,
        )


def arc_examples(
    sources: Sequence[str],
    texts: Sequence[str],
    parser: Any = None,
    errors: Sequence[Sequence[Span] | None] | None = None,
    groups: Sequence[str] | None = None,
    left_out: Sequence[str] = LEFT_OUT,
    most: int = _MOST,
) -> ArcExamples:
    """Examples from texts and their sources. A text without arcs is left out.

    Raises an InputError if the counts differ, there is no such parser, a text has no parse, or no text has an arc.

    Parameters
    ----------
    sources, texts : sequences of n str
    parser : parser, path or name
        By default the one of ``Dae``, pairs of neighbouring words.
    errors : sequence of n sequences of (int, int), optional
        Where each text is wrong, in characters: an arc with a word there does not follow from the source. By default,
        and for None, an arc follows if the source's parse has it, as the authors label their paraphrases.
    groups : sequence of n str, optional
    left_out, most
        The arcs that count, as the fields of ``Dae`` have them.

    Examples
    --------
    >>> errors = [[(11, 15)], []]
    >>> found = arc_examples(["cats chase dogs"] * 2, ["cats chase mice", "cats chase"], errors=errors)
    >>> found.targets, [arc.entailed for arc in found.arcs[0]]
    (array([0., 1.]), [True, False])
    """
    wrong: Sequence[Sequence[Span] | None] = errors or [None] * len(texts)
    for name, given in (("sources", sources), ("errors", wrong), ("groups", groups or texts)):
        if len(given) != len(texts):
            raise InputError(f"arc_examples: `{name}` has {len(given)} entries for {len(texts)} texts.")
    named = word_parser() if parser is None else parser_of("arc_examples", parser)
    places = {text: place for place, text in enumerate(dict.fromkeys([*texts, *sources]))}
    parses = named.parser.parse([*places])
    own, its = (np.array([places[text] for text in side], np.int64) for side in (texts, sources))
    for name, side in (("texts", own), ("sources", its)):
        if len(unknown := np.flatnonzero(~parses.known[side])):
            raise InputError.at("arc_examples", name, int(unknown[0]), " has no parse.")
    arcs = arcs_of(parses, left_out, most)
    found = [*overlaps(parses, arcs, own, its)]
    made = [[*_labelled(parses, arcs, int(own[row]), found[row], wrong[row])] for row in range(len(texts))]
    kept = [row for row, own in enumerate(made) if own]
    if not kept:
        raise InputError("arc_examples: no text has an arc that counts.")
    return ArcExamples.of_arcs(
        [sources[row] for row in kept],
        [texts[row] for row in kept],
        [made[row] for row in kept],
        None if groups is None else [groups[row] for row in kept],
        named.name,
    )


def spans_of(parses: Parses, arcs: Arcs, text: int) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """The arcs of a text: the spans of their words, int64 (arcs, 2) each, and their relations."""
    part = slice(arcs.offsets[text], arcs.offsets[text + 1])
    children, heads = arcs.children[part], arcs.heads[part]
    return parses.spans[children], parses.spans[heads], [parses.names[code] for code in parses.relations[children]]


def _labelled(parses: Parses, arcs: Arcs, text: int, found: np.ndarray, wrong: Sequence[Span] | None) -> Iterator[Arc]:
    children, heads, relations = spans_of(parses, arcs, text)
    for row in zip(children.tolist(), heads.tolist(), relations, found.tolist(), strict=True):
        child, head, relation, is_found = row
        words = ((child[0], child[1]), (head[0], head[1]))
        entailed = is_found if wrong is None else not any(_meet(word, span) for word in words for span in wrong)
        yield Arc(*words, relation, entailed, is_found)


def _meet(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def read_arc_examples(path: str | os.PathLike[str]) -> ArcExamples:
    """Examples from JSON Lines, one object for each text.

    The keys are ``source``, ``prediction``, and ``arcs``: a list of objects with ``child`` and ``head``, each a span
    [start, stop] in characters of the prediction, ``relation``, ``entailed``, and perhaps ``found``, whether the
    source's parse has the arc. There may be ``group``, and ``parser``, the name of what gave the arcs. Raises an
    InputError if a line is not such an object. The message names it.
    """
    records = [*json_lines(path)]
    if not records:
        raise InputError(f"{os.fspath(path)}: the file is empty; give at least one text with its arcs.")
    groups = [each.text("group") if each.fields.get("group") is not None else None for each in records]
    return ArcExamples.of_arcs(
        [each.text("source") for each in records],
        [each.text("prediction") for each in records],
        [_arcs_of(each) for each in records],
        all_or_none(groups, records, "group"),
        str(records[0].fields.get("parser") or ""),
    )


def _arcs_of(record: JsonRecord) -> list[Arc]:
    given, length = record.fields.get("arcs"), len(record.text("prediction"))
    if not isinstance(given, list) or not given:
        raise InputError(f"{record.where}: 'arcs' is {shown(given)}; a list of one arc or more is expected.")
    found = []
    for each in given:
        own = each if isinstance(each, dict) else {}
        child, head = (_span(own.get(name), length) for name in ("child", "head"))
        relation, entailed = own.get("relation", ""), own.get("entailed")
        if child is None or head is None or not isinstance(relation, str) or not isinstance(entailed, bool):
            raise InputError(
                f"{record.where}: 'arcs' has {shown(each)}; the spans 'child' and 'head', 'relation' and 'entailed' "
                "(true or false) are expected."
            )
        found.append(Arc(child, head, relation, entailed, own.get("found") is True))
    return found


def _span(given: Any, length: int) -> Span | None:
    """The span [start, stop] in a text of this length; None if it is none."""
    if not isinstance(given, list) or [type(each) for each in given] != [int, int]:
        return None
    start, stop = given
    return (start, stop) if 0 <= start < stop <= length else None


def write_arc_examples(examples: ArcExamples, path: str | os.PathLike[str]) -> None:
    """Write what ``read_arc_examples`` reads."""
    lines = []
    for row, (text, (source,), arcs) in enumerate(
        zip(examples.predictions, examples.references, examples.arcs, strict=True)
    ):
        own = [arc._asdict() for arc in arcs]
        record: dict[str, Any] = {"source": source, "prediction": text, "arcs": own}
        record |= {"parser": examples.parser} if examples.parser else {}
        if examples.groups is not None:
            record["group"] = examples.groups[row]
        lines.append(json.dumps(record, ensure_ascii=False))
    write_whole(Path(path), ("\n".join(lines) + "\n").encode())
